//! What a compiler command line asks for.
//!
//! [`CommandLine`] is the list of its [`Argument`]s, each with the [`Role`] it plays, and what follows from them: the
//! [`Task`], the sources and the output. Only the distinctions that the wrapper acts on are made; every flag without a
//! role of its own is a [`Role::Flag`] and is handed on.

use std::ffi::OsString;
use std::path::Path;

use crate::response_file;

/// A parsed command line.
#[derive(Debug)]
pub struct CommandLine {
    /// The arguments in order, response files expanded.
    pub arguments: Vec<Argument>,
    /// What is to be made.
    pub task: Task,
    /// The value of `-o`.
    pub output: Option<String>,
    /// Whether every argument was valid UTF-8.
    pub utf8: bool,
}

/// What the command makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// Objects (`-c`).
    Compile,
    /// A program or a library.
    Link,
    /// Anything else, none of our business: preprocessed text, assembly, dependencies, a version.
    Other,
}

/// An argument with its separate value, if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Argument {
    /// One word, or a flag and its value.
    pub words: Vec<String>,
    /// What it is for.
    pub role: Role,
}

/// What an argument is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Role {
    /// A file to compile or to link.
    Input(Input),
    /// `-o`
    Output,
    /// `-c` and other choices of what to make.
    Task,
    /// `-x`
    Language,
    /// Where dependencies are written, and how.
    Dependencies,
    /// A header included before the source.
    Include,
    /// A precompiled header used in place of a header that is named too.
    Precompiled,
    /// Something that writes further files or collects a profile: ours to leave out when we compile again.
    SideEffect,
    /// A sanitizer; the variants choose their own.
    Sanitizer,
    /// Link-time optimisation, which would leave no native code to append to.
    Lto,
    /// `-lNAME`
    Library(String),
    /// `-LDIR`
    LibraryPath(String),
    /// For the linker alone.
    Linker,
    /// For the preprocessor or the front end, of no interest to a link.
    CompileOnly,
    /// Any other flag.
    Flag,
}

/// A file on the command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// As given.
    pub path: String,
    /// What it holds.
    pub language: Language,
    /// The `-x` in force, if any.
    pub explicit: Option<String>,
}

/// What an input holds, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// C, C++, either of them preprocessed, or LLVM IR: there can be bitcode.
    Bitcode,
    /// Assembly.
    Assembly,
    /// A header to precompile.
    Header,
    /// A language we know nothing of.
    Unknown,
    /// An object, a library or a linker script.
    Object,
}

impl CommandLine {
    /// Reads a command line without the program's name.
    pub fn parse(arguments: &[OsString]) -> Self {
        let utf8 = arguments.iter().all(|argument| argument.to_str().is_some());
        let words = arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let mut command_line = CommandLine { utf8, ..Self::of_words(response_file::expand(words)) };
        command_line.task = command_line.find_task();
        command_line
    }

    fn of_words(words: Vec<String>) -> Self {
        let mut command_line = CommandLine { arguments: Vec::new(), task: Task::Other, output: None, utf8: true };
        let mut explicit = None;
        let mut words = words.into_iter().peekable();
        while let Some(word) = words.next() {
            let value = if takes_value(&word) { words.next() } else { None };
            if is_language(&word) {
                let language = value.as_deref().unwrap_or_else(|| word.trim_start_matches("-x"));
                explicit = Some(language.to_owned()).filter(|language| language != "none");
            }
            if let Some(output) = output_of(&word, value.as_deref()) {
                command_line.output = Some(output);
            }
            let role = role_of(&word, value.as_deref(), &explicit);
            command_line.arguments.push(Argument { words: [Some(word), value].into_iter().flatten().collect(), role });
        }
        command_line
    }

    fn find_task(&self) -> Task {
        let words = || self.arguments.iter().map(|argument| argument.words[0].as_str());
        let inputs = self.inputs();
        if inputs.is_empty() || words().any(makes_something_else) {
            return Task::Other;
        }
        if inputs.iter().any(|input| input.language == Language::Header) {
            return Task::Other;
        }
        if words().any(|word| matches!(word, "-c" | "--compile")) { Task::Compile } else { Task::Link }
    }

    /// The files on the command line.
    pub fn inputs(&self) -> Vec<&Input> {
        let inputs = self.arguments.iter().map(|argument| match &argument.role {
            Role::Input(input) => Some(input),
            _ => None,
        });
        inputs.flatten().collect()
    }

    /// The arguments for the user's own command: what was given, but link-time optimisation is turned off.
    pub fn user_arguments(&self, given: &[OsString]) -> Vec<OsString> {
        if !self.has_lto() || !self.utf8 {
            return given.to_vec();
        }
        let kept = self.arguments.iter().filter(|argument| argument.role != Role::Lto);
        kept.flat_map(|argument| argument.words.iter().map(OsString::from)).collect()
    }

    /// Whether link-time optimisation was asked for.
    pub fn has_lto(&self) -> bool {
        self.arguments.iter().any(|argument| argument.role == Role::Lto)
    }
}

/// Flags whose value is always the next word.
const SEPARATE: &[&str] = &[
    "--config",
    "--define-macro",
    "--include",
    "--include-directory",
    "--language",
    "--library-directory",
    "--output",
    "--param",
    "--prefix",
    "--serialize-diagnostics",
    "--sysroot",
    "--undefine-macro",
    "-arch",
    "-aux-info",
    "-cxx-isystem",
    "-dumpbase",
    "-dumpbase-ext",
    "-dumpdir",
    "-dependency-file",
    "-e",
    "-framework",
    "-idirafter",
    "-iframework",
    "-imacros",
    "-imultilib",
    "-include",
    "-include-pch",
    "-iprefix",
    "-iquote",
    "-isysroot",
    "-isystem",
    "-ivfsoverlay",
    "-iwithprefix",
    "-iwithprefixbefore",
    "-iwithsysroot",
    "-mllvm",
    "-mthread-model",
    "-resource-dir",
    "-rpath",
    "-serialize-diagnostics",
    "-specs",
    "-stdlib++-isystem",
    "-target",
    "-Tbss",
    "-Tdata",
    "-Ttext",
    "-working-directory",
    "-wrapper",
    "-Xanalyzer",
    "-Xassembler",
    "-Xclang",
    "-Xlinker",
    "-Xopenmp-target",
    "-Xpreprocessor",
    "-z",
];

/// Flags whose value is the rest of the word or, if that is empty, the next word.
const JOINED_OR_SEPARATE: &[&str] =
    &["-A", "-B", "-D", "-F", "-I", "-L", "-MF", "-MJ", "-MQ", "-MT", "-T", "-U", "-b", "-l", "-o", "-u", "-x"];

fn takes_value(word: &str) -> bool {
    SEPARATE.contains(&word) || JOINED_OR_SEPARATE.contains(&word) || word.starts_with("-Xarch_")
}

fn is_language(word: &str) -> bool {
    (word.starts_with("-x") && !word.starts_with("-xray")) || word == "--language"
}

fn output_of(word: &str, value: Option<&str>) -> Option<String> {
    match (word, value) {
        ("-o" | "--output", value) => value.map(str::to_owned),
        _ if word.starts_with("-objc") => None,
        _ => word.strip_prefix("--output=").or_else(|| word.strip_prefix("-o")).map(str::to_owned),
    }
}

/// Whether the word asks for something that is neither an object nor a linked file.
fn makes_something_else(word: &str) -> bool {
    const EXACT: &[&str] = &[
        "-###",
        "--analyze",
        "--assemble",
        "--dependencies",
        "--help",
        "--precompile",
        "--preprocess",
        "--user-dependencies",
        "--version",
        "-E",
        "-M",
        "-MM",
        "-S",
        "-dumpmachine",
        "-dumpversion",
        "-emit-ast",
        "-emit-interface-stubs",
        "-emit-llvm",
        "-emit-merged-ifs",
        "-fsyntax-only",
        "-help",
        "-verify-pch",
    ];
    EXACT.contains(&word) || word.starts_with("-print-") || word.starts_with("--print-")
}

fn role_of(word: &str, value: Option<&str>, explicit: &Option<String>) -> Role {
    if word == "-" || !word.starts_with('-') {
        let language = language_of(word, explicit.as_deref());
        return Role::Input(Input { path: word.to_owned(), language, explicit: explicit.clone() });
    }
    if let Some(joined) = word.strip_prefix("-l") {
        return Role::Library(value.unwrap_or(joined).to_owned());
    }
    if word.starts_with("-L") || word == "--library-directory" {
        return Role::LibraryPath(value.unwrap_or_else(|| word.trim_start_matches("-L")).to_owned());
    }
    if output_of(word, value).is_some() {
        return Role::Output;
    }
    if is_language(word) {
        return Role::Language;
    }
    if matches!(word, "-c" | "--compile") || makes_something_else(word) {
        return Role::Task;
    }
    if is_dependency_flag(word) {
        return Role::Dependencies;
    }
    if matches!(word, "-include" | "--include") {
        return Role::Include;
    }
    role_by_prefix(word)
}

fn role_by_prefix(word: &str) -> Role {
    let any = |prefixes: &[&str]| prefixes.iter().any(|prefix| word.starts_with(prefix));
    let side_effects = [
        "-save-temps",
        "--save-temps",
        "-ftime-trace",
        "-fsave-optimization-record",
        "-foptimization-record-file",
        "-serialize-diagnostics",
        "--serialize-diagnostics",
        "-gsplit-dwarf",
        "-fprofile-",
        "-fcs-profile",
        "--coverage",
        "-coverage",
        "-ftest-coverage",
        "-fcoverage-mapping",
        "-fembed-bitcode",
        "-fproc-stat-report",
        "-dependency-file",
        "-Wl,-Map",
        "-Wl,--Map",
        "-Wl,--dependency-file",
        "-Wl,--reproduce",
    ];
    let lto = [
        "-flto",
        "-fuse-linker-plugin",
        "-fno-fat-lto-objects",
        "-ffat-lto-objects",
        "-fwhole-program-vtables",
        "-fsplit-lto-unit",
        "-funified-lto",
        "-fthinlto-index",
        "-fvirtual-function-elimination",
        "-Wl,-plugin-opt",
        "-Wl,-flto",
    ];
    let linker_words = [
        "-Xlinker",
        "-e",
        "-no-pie",
        "-nodefaultlibs",
        "-nolibc",
        "-nostartfiles",
        "-nostdlib",
        "-nostdlib++",
        "-pie",
        "-r",
        "-rdynamic",
        "-rpath",
        "-s",
        "-z",
    ];
    let linker = ["-T", "-u", "-shared", "--shared", "-static", "-fuse-ld", "--ld-path"];
    let compile_only = [
        "-D",
        "-U",
        "-I",
        "-i",
        "-O",
        "-g",
        "-W",
        "-w",
        "-std=",
        "-ansi",
        "-pedantic",
        "-Xclang",
        "-Xpreprocessor",
        "-P",
        "-C",
        "-A",
        "-cxx-isystem",
        "-nostdinc",
        "--define-macro",
        "--undefine-macro",
        "-trigraphs",
        "-undef",
        "-dump",
    ];
    match word {
        "-include-pch" => Role::Precompiled,
        _ if any(&side_effects) => Role::SideEffect,
        _ if any(&["-fsanitize", "-fno-sanitize"]) => Role::Sanitizer,
        _ if any(&lto) => Role::Lto,
        _ if linker_words.contains(&word) || word.starts_with("-Wl,") => Role::Linker,
        _ if any(&compile_only) => Role::CompileOnly,
        _ if any(&linker) => Role::Linker,
        _ => Role::Flag,
    }
}

/// `-M...`, also in the form that gcc's preprocessor takes. `-M` and `-MM` themselves choose the task.
fn is_dependency_flag(word: &str) -> bool {
    const EXACT: &[&str] = &["-MD", "-MMD", "-MP", "-MG", "-MV", "--write-dependencies", "--write-user-dependencies"];
    let joined = ["-MF", "-MT", "-MQ", "-MJ", "-Wp,-M"];
    EXACT.contains(&word) || joined.iter().any(|prefix| word.starts_with(prefix))
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

fn language_of_extension(path: &str) -> Language {
    match Path::new(path).extension().and_then(|extension| extension.to_str()).unwrap_or_default() {
        "c" | "i" | "ii" | "cc" | "cp" | "cxx" | "cpp" | "c++" | "C" | "CC" | "CPP" | "CXX" | "bc" | "ll" => {
            Language::Bitcode
        }
        "s" | "S" | "sx" | "asm" => Language::Assembly,
        "h" | "hh" | "hp" | "hpp" | "hxx" | "h++" | "H" => Language::Header,
        "m" | "M" | "mi" | "mm" | "mii" | "cu" | "cui" | "hip" | "cl" | "f" | "F" | "f90" | "F90" | "f95" => {
            Language::Unknown
        }
        _ => Language::Object,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> CommandLine {
        CommandLine::parse(&text.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    fn inputs(text: &str) -> Vec<(String, Language)> {
        parse(text).inputs().iter().map(|input| (input.path.clone(), input.language)).collect()
    }

    #[test]
    fn the_task_follows_the_mode_flags() {
        for (text, task) in [
            ("-c a.c", Task::Compile),
            ("a.c", Task::Link),
            ("a.o -lm", Task::Link),
            ("-shared a.o -o liba.so", Task::Link),
            ("-E a.c", Task::Other),
            ("-S a.c", Task::Other),
            ("-M a.c", Task::Other),
            ("-MM -c a.c", Task::Other),
            ("-MD -MP -MF a.d -c a.c", Task::Compile),
            ("-fsyntax-only a.c", Task::Other),
            ("--version", Task::Other),
            ("-v", Task::Other),
            ("-print-search-dirs", Task::Other),
            ("-x c-header a.h", Task::Other),
            ("a.h", Task::Other),
            ("-emit-llvm -c a.c", Task::Other),
        ] {
            assert_eq!(parse(text).task, task, "{text}");
        }
    }

    #[test]
    fn values_of_flags_are_not_inputs() {
        let text = "-I inc -D X -include a.h -isystem sys -MF d.d -MT t.o -Xclang -foo -Xlinker b.o -u sym -z now \
                    -T script.ld --param p=1 -arch x -target t -o out -L dir -l m -c a.c";
        assert_eq!(inputs(text), [("a.c".to_owned(), Language::Bitcode)]);
        assert_eq!(parse(text).output.as_deref(), Some("out"));
    }

    #[test]
    fn a_language_holds_until_the_next() {
        let expected = [("a", Language::Bitcode), ("b", Language::Assembly), ("c.o", Language::Object)];
        let expected = expected.map(|(path, language)| (path.to_owned(), language));
        assert_eq!(inputs("-x c a -xassembler b -x none c.o"), expected);
    }

    #[test]
    fn joined_outputs_are_understood() {
        assert_eq!(parse("-c a.c -oa.o").output.as_deref(), Some("a.o"));
        assert_eq!(parse("-c a.c --output=a.o").output.as_deref(), Some("a.o"));
        assert_eq!(parse("-c a.c").output, None);
    }

    #[test]
    fn link_time_optimisation_is_turned_off_for_the_user_too() {
        let given: Vec<OsString> =
            "-flto=thin -O2 -c a.c -fno-fat-lto-objects".split(' ').map(OsString::from).collect();
        let command_line = CommandLine::parse(&given);
        assert!(command_line.has_lto());
        assert_eq!(command_line.user_arguments(&given), ["-O2", "-c", "a.c"]);
    }

    #[test]
    fn flags_have_the_roles_we_act_on() {
        for (text, role) in [
            ("-fsanitize=address", Role::Sanitizer),
            ("--coverage", Role::SideEffect),
            ("-gsplit-dwarf", Role::SideEffect),
            ("-Wp,-MD,x.d", Role::Dependencies),
            ("-Wp,-D_FORTIFY_SOURCE=2", Role::CompileOnly),
            ("-Wl,--gc-sections", Role::Linker),
            ("-Wl,-Map=x.map", Role::SideEffect),
            ("-shared", Role::Linker),
            ("-static-libgcc", Role::Linker),
            ("-std=c99", Role::CompileOnly),
            ("-s", Role::Linker),
            ("-rdynamic", Role::Linker),
            ("-pthread", Role::Flag),
            ("-fPIC", Role::Flag),
            ("-m32", Role::Flag),
            ("-Wall", Role::CompileOnly),
            ("-O2", Role::CompileOnly),
        ] {
            assert_eq!(parse(text).arguments[0].role, role, "{text}");
        }
    }
}
