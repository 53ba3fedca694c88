//! clang's options, as far as the wrapper has to tell them apart.

use std::path::Path;

use crate::command_line::{Input, Language, Role};

/// Options whose value is always the next word.
#[rustfmt::skip]
const SEPARATE: &[&str] = &[
    "--assert", "--config", "--define-macro", "--dyld-prefix", "--for-linker", "--force-link", "--imacros", "--include",
    "--include-directory", "--include-directory-after", "--include-prefix", "--include-with-prefix",
    "--include-with-prefix-after", "--include-with-prefix-before", "--language", "--library-directory", "--mhwdiv",
    "--no-system-header-prefix", "--output", "--param", "--prefix", "--rtlib", "--serialize-diagnostics", "--std", "--stdlib",
    "--sysroot", "--system-header-prefix", "--undefine-macro", "-Xanalyzer", "-Xassembler", "-Xclang", "-Xcuda-fatbinary",
    "-Xcuda-ptxas", "-Xlinker", "-Xopenmp-target", "-Xpreprocessor", "-arch", "-aux-info", "-ccc-gcc-name",
    "-ccc-install-dir", "-dependency-dot", "-dependency-file", "-dumpbase", "-dumpbase-ext", "-dumpdir", "-e", "-filelist",
    "-fdebug-compilation-dir", "-fmodule-implementation-of", "-fmodules-user-build-path", "-fnew-alignment",
    "-framework", "-ftrapv-handler", "-gen-cdb-fragment-path", "-imultilib", "-include-pch", "-init", "-meabi", "-mllvm",
    "-mmlir", "-module-dependency-dir", "-mthread-model", "-object-file-name", "-resource-dir", "-rpath",
    "-serialize-diagnostics", "-specs", "-target", "-working-directory", "-wrapper", "-z",
];

/// Options whose value is the rest of the word or, if that is empty, the next word.
#[rustfmt::skip]
const JOINED_OR_SEPARATE: &[&str] = &[
    "--analyzer-output", "--vfsoverlay", "-A", "-B", "-D", "-F", "-G", "-I", "-L", "-MF", "-MJ", "-MQ", "-MT", "-T", "-U", "-V", "-b",
    "-cxx-isystem", "-iapinotes-modules", "-idirafter", "-iframework", "-iframeworkwithsysroot", "-imacros", "-include", "-iprefix", "-iquote",
    "-isysroot", "-isystem", "-isystem-after", "-ivfsoverlay", "-iwithprefix", "-iwithprefixbefore", "-iwithsysroot", "-l",
    "-o", "-stdlib++-isystem", "-u", "-undefined", "-vfsoverlay", "-x",
];

/// Options that ask for something that is neither an object nor a linked file.
#[rustfmt::skip]
const OTHER_TASKS: &[&str] = &[
    "-###", "--analyze", "--assemble", "--dependencies", "--help", "--precompile", "--preprocess", "--user-dependencies",
    "--version", "-E", "-M", "-MM", "-S", "-dumpmachine", "-dumpversion", "-emit-ast", "-emit-interface-stubs", "-emit-llvm",
    "-emit-merged-ifs", "-extract-api", "-fsyntax-only", "-help", "-verify-pch",
];

/// Options that write further files or collect a profile.
#[rustfmt::skip]
const SIDE_EFFECTS: &[&str] = &[
    "--coverage", "--save-temps", "--serialize-diagnostics", "-coverage", "-dependency-dot", "-dependency-file",
    "-fcoverage-mapping", "-fcs-profile", "-fembed-bitcode", "-foptimization-record-file", "-fproc-stat-report",
    "-fprofile-", "-fsave-optimization-record", "-ftest-coverage", "-ftime-trace", "-gen-cdb-fragment-path", "-gsplit-dwarf",
    "-module-dependency-dir", "-object-file-name", "-save-temps", "-save-stats", "-serialize-diagnostics",
];

/// Options of link-time optimisation, and those that make no sense without it.
#[rustfmt::skip]
const LTO: &[&str] = &[
    "-ffat-lto-objects", "-flto", "-fno-fat-lto-objects", "-fsplit-lto-unit",
    "-fthinlto-index", "-funified-lto", "-fuse-linker-plugin", "-fvirtual-function-elimination", "-fwhole-program-vtables",
];

/// Options for the linker alone: whole words, and beginnings.
#[rustfmt::skip]
const LINKER_FLAGS: &[&str] = &[
    "--force-link", "-e", "-no-pie", "-nodefaultlibs", "-nolibc", "-nopie", "-nostartfiles", "-nostdlib", "-nostdlib++",
    "-pie", "-r", "-rdynamic", "-rpath", "-s",
];
const LINKER: &[&str] = &["-T", "-u", "-shared", "--shared", "-static", "-fuse-ld", "--ld-path"];

/// Beginnings of options for the preprocessor, the front end and its warnings.
#[rustfmt::skip]
const COMPILE_ONLY: &[&str] = &[
    "--define-macro", "--include-", "--std", "--undefine-macro", "-A", "-C", "-D", "-I", "-O", "-P", "-U", "-W",
    "-Xclang", "-Xpreprocessor", "-ansi", "-cxx-isystem", "-d", "-g", "-i", "-nostdinc", "-pedantic", "-std=", "-stdlib++-isystem",
    "-trigraphs", "-undef", "-vfsoverlay", "-w",
];

fn begins(word: &str, beginnings: &[&str]) -> bool {
    beginnings.iter().any(|beginning| word.starts_with(beginning))
}

/// Whether the next word belongs to this one.
pub fn takes_value(word: &str) -> bool {
    let joined_and_separate = ["-Xarch_", "-Xoffload-linker", "-Xopenmp-target="];
    SEPARATE.contains(&word) || JOINED_OR_SEPARATE.contains(&word) || begins(word, &joined_and_separate)
}

/// The language that the word sets, if it is `-x`.
pub fn language_set(word: &str, value: Option<&str>) -> Option<String> {
    match word {
        "-x" | "--language" => value.map(str::to_owned),
        _ => word.strip_prefix("--language=").or_else(|| word.strip_prefix("-x")).map(str::to_owned),
    }
}

/// The value of `-o`, if the word is that.
pub fn output_of(word: &str, value: Option<&str>) -> Option<String> {
    match word {
        "-o" | "--output" => value.map(str::to_owned),
        "-object-file-name" => None,
        _ if begins(word, &["-objc", "-object-file-name="]) => None,
        _ => word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o")).map(str::to_owned),
    }
}

/// Whether the word asks for something that is neither an object nor a linked file.
pub fn makes_something_else(word: &str) -> bool {
    OTHER_TASKS.contains(&word) || begins(word, &["-print-", "--print-"])
}

/// A file to compile or to link, with the language that `-x` set before it.
pub fn input(word: &str, explicit: &Option<String>) -> Role {
    let language = language_of(word, explicit.as_deref());
    Role::Input(Input { path: word.to_owned(), language, explicit: explicit.clone() })
}

/// What the word, with its value and with the language that `-x` set before it, is for.
pub fn role_of(word: &str, value: Option<&str>, explicit: &Option<String>) -> Role {
    if word == "-" || !word.starts_with('-') {
        return input(word, explicit);
    }
    if let Some(joined) = word.strip_prefix("-l") {
        return Role::Library(value.unwrap_or(joined).to_owned());
    }
    if word.starts_with("-L") || word == "--library-directory" {
        return Role::LibraryPath(value.unwrap_or_else(|| word.trim_start_matches("-L")).to_owned());
    }
    match word {
        _ if output_of(word, value).is_some() => Role::Output,
        _ if language_set(word, value).is_some() => Role::Language,
        "-c" | "--compile" => Role::Task,
        _ if makes_something_else(word) => Role::Task,
        _ if is_dependency_option(word) => Role::Dependencies,
        "-include" | "--include" => Role::Include(value.unwrap_or_default().to_owned()),
        "-include-pch" => Role::Precompiled,
        _ if word.starts_with("-include") => Role::Include(word.trim_start_matches("-include").to_owned()),
        _ if begins(word, SIDE_EFFECTS) => Role::SideEffect,
        _ if begins(word, &["-fsanitize", "-fno-sanitize"]) => Role::Sanitizer,
        _ if begins(word, LTO) => Role::Lto,
        _ if word.starts_with("-Wl,") => Role::LinkerWords(word.split(',').skip(1).map(str::to_owned).collect()),
        "-Xlinker" | "--for-linker" => Role::LinkerWords(value.into_iter().map(str::to_owned).collect()),
        "-z" => Role::LinkerWords(["-z", value.unwrap_or_default()].map(str::to_owned).to_vec()),
        _ if LINKER_FLAGS.contains(&word) => Role::Linker,
        _ if begins(word, COMPILE_ONLY) => Role::CompileOnly,
        _ if begins(word, LINKER) => Role::Linker,
        _ => Role::Flag,
    }
}

/// `-M...`, also in the form that gcc's preprocessor takes. `-M` and `-MM` themselves choose the task.
fn is_dependency_option(word: &str) -> bool {
    const EXACT: &[&str] = &["-MD", "-MMD", "-MP", "-MG", "-MV", "--write-dependencies", "--write-user-dependencies"];
    EXACT.contains(&word) || begins(word, &["-MF", "-MT", "-MQ", "-MJ", "-Wp,-M"])
}

fn language_of(path: &str, explicit: Option<&str>) -> Language {
    match explicit {
        Some("c" | "c++" | "cpp-output" | "c++-cpp-output" | "ir") => Language::Bitcode,
        Some("assembler" | "assembler-with-cpp") => Language::Assembly,
        Some(name) if name.ends_with("-header") => Language::Header,
        Some(_) => Language::Unknown,
        None => language_of_extension(path),
    }
}

#[rustfmt::skip]
fn language_of_extension(path: &str) -> Language {
    match Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "c" | "i" | "ii" | "cc" | "cp" | "cxx" | "cpp" | "c++" | "C" | "CC" | "CPP" | "CXX" | "bc" | "ll" => Language::Bitcode,
        "s" | "S" | "sx" | "asm" => Language::Assembly,
        "h" | "hh" | "hp" | "hpp" | "hxx" | "h++" | "H" => Language::Header,
        "m" | "M" | "mi" | "mm" | "mii" | "cu" | "cui" | "hip" | "cl" | "f" | "F" | "f90" | "F90" | "f95" => Language::Unknown,
        _ => Language::Object,
    }
}
