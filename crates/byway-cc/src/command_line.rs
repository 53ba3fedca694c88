//! What a compiler command line asks for.
//!
//! [`CommandLine`] is the list of its [`Argument`]s, each with the [`Role`] it plays, and what follows from them: the
//! [`Purpose`], the sources and the output. Only the distinctions that the wrapper acts on are made; every flag without a
//! role of its own is a [`Role::Flag`] and is handed on.

use std::ffi::OsString;

use crate::{options, response_file};

/// A parsed command line.
#[derive(Debug)]
pub struct CommandLine {
    /// The arguments in order, response files expanded.
    pub arguments: Vec<Argument>,
    /// What is to be made.
    pub task: Purpose,
    /// The value of `-o`.
    pub output: Option<String>,
    /// Whether every argument was valid UTF-8.
    pub utf8: bool,
}

/// What the command makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
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
    Include(String),
    /// A precompiled header used in place of a header that is named too.
    Precompiled,
    /// Something that writes further files or collects a profile: ours to leave out when we compile again.
    SideEffect,
    /// A sanitizer; see [`crate::sanitizers`].
    Sanitizer,
    /// Link-time optimisation, which would leave no native code to append to.
    Lto,
    /// `-lNAME`
    Library(String),
    /// `-LDIR`
    LibraryPath(String),
    /// A flag of the driver's for linking.
    Linker,
    /// Words handed on to the linker (`-Wl,`, `-Xlinker`, `-z`).
    LinkerWords(Vec<String>),
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
        let expanded = response_file::expand(words);
        let utf8 = utf8 && expanded.iter().all(|word| !word.contains(char::REPLACEMENT_CHARACTER));
        let mut command_line = CommandLine { utf8, ..Self::of_words(expanded) };
        command_line.task = command_line.find_task();
        command_line
    }

    fn of_words(words: Vec<String>) -> Self {
        let mut command_line = CommandLine { arguments: Vec::new(), task: Purpose::Other, output: None, utf8: true };
        let mut explicit = None;
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            if word == "--" {
                break;
            }
            let value = if options::takes_value(&word) { words.next() } else { None };
            if let Some(language) = options::language_set(&word, value.as_deref()) {
                explicit = Some(language).filter(|language| language != "none");
            }
            if let Some(output) = options::output_of(&word, value.as_deref()) {
                command_line.output = Some(output);
            }
            let role = options::role_of(&word, value.as_deref(), &explicit);
            command_line.arguments.push(Argument { words: [Some(word), value].into_iter().flatten().collect(), role });
        }
        // What follows `--` are files, whatever they look like.
        let files = words.map(|word| Argument { role: options::input(&word, &explicit), words: vec![word] });
        command_line.arguments.extend(files);
        command_line
    }

    fn find_task(&self) -> Purpose {
        let words = || self.arguments.iter().map(|argument| argument.words[0].as_str());
        let inputs = self.inputs();
        if inputs.is_empty() || words().any(options::makes_something_else) {
            return Purpose::Other;
        }
        if inputs.iter().any(|input| input.language == Language::Header) {
            return Purpose::Other;
        }
        if words().any(|word| matches!(word, "-c" | "--compile")) { Purpose::Compile } else { Purpose::Link }
    }

    /// The files on the command line.
    pub fn inputs(&self) -> Vec<&Input> {
        let inputs = self.arguments.iter().map(|argument| match &argument.role {
            Role::Input(input) => Some(input),
            _ => None,
        });
        inputs.flatten().collect()
    }

    /// The arguments for the user's own command: what was given, but objects are made without link-time optimisation.
    pub fn user_arguments(&self, given: &[OsString]) -> Vec<OsString> {
        if !self.drops_lto() {
            return given.to_vec();
        }
        let kept = self.arguments.iter().filter(|argument| argument.role != Role::Lto);
        kept.flat_map(|argument| argument.words.iter().map(OsString::from)).collect()
    }

    /// Whether link-time optimisation was asked for and is turned off: it would leave no native object to append to. A link
    /// keeps it, since there may be objects from elsewhere that need it, and so do sanitizers that depend on it.
    pub fn drops_lto(&self) -> bool {
        let lto = self.arguments.iter().any(|argument| argument.role == Role::Lto);
        let needed = self.arguments.iter().any(|argument| argument.words[0].contains("-fsanitize=cfi"));
        lto && !needed && self.task == Purpose::Compile && self.utf8
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
            ("-c a.c", Purpose::Compile),
            ("a.c", Purpose::Link),
            ("a.o -lm", Purpose::Link),
            ("-shared a.o -o liba.so", Purpose::Link),
            ("-E a.c", Purpose::Other),
            ("-S a.c", Purpose::Other),
            ("-M a.c", Purpose::Other),
            ("-MM -c a.c", Purpose::Other),
            ("-MD -MP -MF a.d -c a.c", Purpose::Compile),
            ("-fsyntax-only a.c", Purpose::Other),
            ("--version", Purpose::Other),
            ("-v", Purpose::Other),
            ("-print-search-dirs", Purpose::Other),
            ("-x c-header a.h", Purpose::Other),
            ("a.h", Purpose::Other),
            ("-emit-llvm -c a.c", Purpose::Other),
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
    fn what_follows_two_dashes_are_files() {
        assert_eq!(inputs("-c -- -odd.c"), [("-odd.c".to_owned(), Language::Bitcode)]);
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
        assert!(command_line.drops_lto());
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
            ("-Wl,--gc-sections,-O1", Role::LinkerWords(vec!["--gc-sections".to_owned(), "-O1".to_owned()])),
            ("-Xlinker -Map", Role::LinkerWords(vec!["-Map".to_owned()])),
            ("-includea.h", Role::Include("a.h".to_owned())),
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
