//! What the records of a program may make us do.
//!
//! A program from elsewhere brings the command lines that it was built with. Some options make clang or the linker execute
//! what they name (plugins, other linkers, response files that hide these), others name files. So the words of a record are
//! compared with lists of what compiling and linking may say, and a file that is there must be in the build tree, in the
//! toolchain, or beside the program.

use std::path::{Component, Path, PathBuf};

use byway_carrier::{Dependency, Link, LinkItem, Module, Record, elf};
use byway_program::Subject;

use crate::error::VariantError;

/// Where the machine has its compilers, headers and libraries.
const TOOLCHAIN: [&str; 8] = ["/usr", "/lib", "/lib32", "/lib64", "/bin", "/opt", "/nix/store", "/gnu/store"];
/// The variables that a record may set.
const VARIABLES: [&str; 5] = ["LIBRARY_PATH", "LD_RUN_PATH", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"];

/// How options for the compiler's driver may begin.
#[rustfmt::skip]
const DRIVER: &[&str] = &[
    "--define-macro", "--include", "--language", "--library-directory", "--param", "--rtlib", "--shared", "--std", "--stdlib",
    "--target", "--undefine-macro", "--unwindlib", "-A", "-C", "-D", "-E", "-F", "-G", "-H", "-I", "-L", "-O", "-P", "-Q", "-T", "-U", "-W", "-X",
    "-ansi", "-b", "-c", "-d", "-e", "-f", "-g", "-i", "-l", "-m", "-no", "-p", "-r", "-s", "-t", "-u", "-v", "-w", "-x", "-z",
];
/// Options that begin as one of these, and yet execute something or write files.
#[rustfmt::skip]
const NOT_DRIVER: &[&str] = &[
    "-fplugin", "-fpass-plugin", "-ccc-", "-wrapper", "-specs", "-save-temps", "-coverage", "-serialize-diagnostics", "-dependency", "-fmodules-cache-path",
    "-fcrash-diagnostics-dir", "-ftime-trace", "-fprofile", "-fno-integrated-as", "-fproc-stat-report", "-index-store", "-resource-dir",
];
/// How options that `-Xclang` hands on may begin.
const FRONT_END: &[&str] = &["+", "-D", "-O", "-W", "-disable-", "-f", "-g", "-include", "-m", "-target-", "-w"];
/// Options for the linker, without the dashes they begin with, that execute something or write files.
#[rustfmt::skip]
const NOT_LINKER: &[&str] = &[
    "plugin", "Map", "dependency-file", "out-implib", "reproduce", "cref-file", "o", "output", "thinlto", "lto-", "load-pass-plugin",
    "print-archive-stats", "print-symbol-order", "time-trace", "vfs", "remap-inputs", "chroot", "why-extract", "dump",
];

const EXECUTES: &str = "it makes the compiler or the linker execute or write something";

/// Whether the records of a program and of its libraries say only what they may say.
pub fn check(subject: &Subject) -> Result<(), VariantError> {
    for part in subject.everything() {
        let tree = Tree::of(part);
        part.modules.iter().try_for_each(|module| tree.check_module(module))?;
        part.link.iter().try_for_each(|link| tree.check_link(link))?;
    }
    Ok(())
}

/// The directories that the files of a part may be in.
struct Tree {
    program: PathBuf,
    roots: Vec<PathBuf>,
    /// What is kept of the program's own tree.
    kept: Vec<PathBuf>,
}

impl Tree {
    fn of(part: &Subject) -> Tree {
        let mut roots: Vec<PathBuf> = part.path.parent().map(Path::to_owned).into_iter().collect();
        if let Some(link) = part.link.as_ref().filter(|link| is_local(part, link)) {
            let modules = part.modules.iter().map(|module| module.directory.as_path());
            roots.extend(modules.chain([link.directory.as_path()]).chain(link.output.parent()).map(root_of));
        }
        // What byway-cc offers to all programs is ours.
        roots.extend(TOOLCHAIN.iter().map(PathBuf::from).chain(byway_cc::header_directory()));
        let roots = roots.into_iter().filter_map(|root| root.canonicalize().ok()).collect();
        let kept = part.kept.replaced.iter().filter_map(|(_, kept)| kept.canonicalize().ok()).collect();
        Tree { program: part.path.clone(), roots, kept }
    }

    fn refuse<T>(&self, word: &str, why: &'static str) -> Result<T, VariantError> {
        Err(VariantError::Refused { path: self.program.clone(), word: word.to_owned(), why })
    }

    /// What is not there can do nothing.
    fn check_path(&self, directory: &Path, path: &str) -> Result<(), VariantError> {
        let Ok(path) = directory.join(path).canonicalize() else { return Ok(()) };
        match self.roots.iter().any(|root| path.starts_with(root)) || self.kept.contains(&path) {
            true => Ok(()),
            false => self.refuse(&path.to_string_lossy(), "it is neither in the build tree nor in the toolchain"),
        }
    }

    fn check_variables<'a>(
        &self,
        directory: &Path,
        variables: impl Iterator<Item = (&'a String, &'a String)>,
    ) -> Result<(), VariantError> {
        for (name, value) in variables {
            if !VARIABLES.contains(&name.as_str()) {
                return self.refuse(name, "a record may not set this variable");
            }
            value.split(':').filter(|path| !path.is_empty()).try_for_each(|path| self.check_path(directory, path))?;
        }
        Ok(())
    }

    fn check_module(&self, module: &Module) -> Result<(), VariantError> {
        self.check_variables(&module.directory, module.environment.iter())?;
        let Some((input, flags)) = module.arguments.split_last() else { return Ok(()) };
        // A source that is what the record says is no secret of this machine: whoever built the program has read it.
        let source = module.directory.join(input).canonicalize();
        let is_source =
            |of: &Dependency| source.as_ref().is_ok_and(|path| of.0.canonicalize().is_ok_and(|of| of == *path));
        if !module.dependencies.iter().any(|of| is_source(of) && of.holds()) {
            self.check_path(&module.directory, input)?;
        }
        self.check_words(&module.directory, flags)
    }

    fn check_link(&self, link: &Link) -> Result<(), VariantError> {
        let directory = link.directory.as_path();
        self.check_variables(directory, link.environment.iter())?;
        for item in &link.items {
            match item {
                LinkItem::Flag(words) => self.check_words(directory, words)?,
                LinkItem::Linker(words) => {
                    words.iter().try_for_each(|word| self.check_linker_word(directory, word))?;
                }
                LinkItem::Plain { path, .. } | LinkItem::Reasoned(path) => self.check_path(directory, path)?,
                LinkItem::Archive { path, .. } | LinkItem::Shared { path, .. } => {
                    self.check_path(directory, &path.to_string_lossy())?;
                }
                LinkItem::Library(argument) if !argument.starts_with("-l") => {
                    return self.refuse(argument, "this is no library");
                }
                LinkItem::Library(_) | LinkItem::Source(_) | LinkItem::Carrying { .. } => {}
            }
        }
        Ok(())
    }

    /// Words for the compiler's driver, each with its value if it has one.
    fn check_words(&self, directory: &Path, words: &[String]) -> Result<(), VariantError> {
        let mut before = "";
        for word in words {
            match before {
                "-Xclang" if word.starts_with('-') && !FRONT_END.iter().any(|begin| word.starts_with(begin)) => {
                    return self.refuse(word, EXECUTES);
                }
                // Options of LLVM itself, one of which loads plugins.
                "-mllvm" if word.trim_start_matches('-').starts_with("load") => return self.refuse(word, EXECUTES),
                "-mllvm" => {}
                "-Xlinker" | "-Wl" | "--for-linker" => self.check_linker_word(directory, word)?,
                _ => self.check_driver_word(directory, word)?,
            }
            before = word;
        }
        Ok(())
    }

    fn check_driver_word(&self, directory: &Path, word: &str) -> Result<(), VariantError> {
        if word.starts_with('@') {
            return self.refuse(word, EXECUTES);
        }
        if !word.starts_with('-') {
            return self.check_path(directory, word);
        }
        if let Some(linker) = word.strip_prefix("-fuse-ld=").or_else(|| word.strip_prefix("--ld-path=")) {
            return match !linker.contains('/') || is_toolchain(linker) {
                true => Ok(()),
                false => self.refuse(word, EXECUTES),
            };
        }
        if word.strip_prefix("-mllvm=").is_some_and(|option| option.trim_start_matches('-').starts_with("load")) {
            return self.refuse(word, EXECUTES);
        }
        if let Some(words) = word.strip_prefix("-Wl,") {
            return words.split(',').try_for_each(|word| self.check_linker_word(directory, word));
        }
        let begins = |list: &[&str]| list.iter().any(|begin| word.starts_with(begin));
        if !begins(DRIVER) || begins(NOT_DRIVER) {
            return self.refuse(word, EXECUTES);
        }
        let joined = ["-I", "-L", "-T", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot"];
        let path = joined.iter().find_map(|option| word.strip_prefix(option)).filter(|path| !path.is_empty());
        path.map_or(Ok(()), |path| self.check_path(directory, path.trim_start_matches('=')))
    }

    fn check_linker_word(&self, directory: &Path, word: &str) -> Result<(), VariantError> {
        let name = word.trim_start_matches('-');
        let (name, value) = name.split_once('=').unwrap_or((name, ""));
        let is_option = word.starts_with('-');
        let one_letter = |bad: &&str| bad.len() == 1 && name == *bad;
        let is_bad = NOT_LINKER.iter().any(|bad| one_letter(bad) || (bad.len() > 1 && name.starts_with(bad)));
        if word.starts_with('@') || (is_option && is_bad) {
            return self.refuse(word, EXECUTES);
        }
        match () {
            () if !is_option => self.check_path(directory, word),
            () if word.starts_with("-L") || word.starts_with("-T") => self.check_path(directory, &word[2..]),
            // Where the program looks when it runs is no file of the link.
            () if value.is_empty() || name.starts_with("rpath") || name == "dynamic-linker" => Ok(()),
            () => self.check_path(directory, value),
        }
    }
}

fn is_toolchain(path: &str) -> bool {
    let path = Path::new(path).canonicalize().unwrap_or_else(|_| path.into());
    TOOLCHAIN.iter().any(|root| path.starts_with(root))
}

/// Whether a program was built where it says: it lies there, or what lies there was built in the same place.
fn is_local(part: &Subject, link: &Link) -> bool {
    if link.output.canonicalize().is_ok_and(|output| output == part.path) {
        return true;
    }
    let there = byway_file::read(&link.output, byway_file::PROGRAM).ok();
    let records = there
        .and_then(|data| elf::section(&data).ok().flatten())
        .and_then(|section| byway_carrier::decode(&section).ok());
    let same = |record: &Record| matches!(record, Record::Link(other) if other.directory == link.directory && other.output == link.output);
    records.is_some_and(|records| records.iter().any(same))
}

/// What CMake, configure and meson leave at the top of the directory that is built in; below it they may build in many.
const TOPS: [&str; 3] = ["CMakeCache.txt", "config.status", "build.ninja"];

/// A build tree: sources often lie beside the directory that is built in. The top of the file system is none.
fn root_of(directory: &Path) -> PathBuf {
    let depth = |path: &Path| path.components().filter(|part| matches!(part, Component::Normal(_))).count();
    let is_top = |directory: &&Path| TOPS.iter().any(|name| directory.join(name).is_file());
    let directory = directory.ancestors().take_while(|above| depth(above) >= 2).find(is_top).unwrap_or(directory);
    let parent = directory.parent().unwrap_or(directory);
    if depth(parent) >= 2 { parent.to_owned() } else { directory.to_owned() }
}
