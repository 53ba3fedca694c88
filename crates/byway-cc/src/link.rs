//! The record of a link: every item of its command line, and for every file whether it carries bitcode.

use std::path::{Path, PathBuf};

use byway_carrier::elf::{self, Carriage};
use byway_carrier::{Link, LinkItem, LinkOutput, archive};

use crate::clang::Driver;
use crate::command_line::{Argument, CommandLine, Input, Language, Role};
use crate::{environment, sanitizers};

const NOT_OURS: &str = "it was not compiled by byway-cc";
const ARCHIVE_MAGIC: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];

/// The record of the link that `command_line` describes and that made `output`.
pub fn describe(driver: Driver, command_line: &CommandLine, directory: &Path, output: &Path) -> Link {
    let items = Items::of(command_line, directory);
    Link {
        directory: directory.to_owned(),
        output: directory.join(output),
        kind: items.kind(),
        cxx: driver == Driver::Cxx,
        environment: environment(&["LIBRARY_PATH", "LD_RUN_PATH"]),
        items: items.items,
    }
}

/// The items of a link, made one after the other, since some flags concern only what follows them.
struct Items<'a> {
    directory: &'a Path,
    /// Where the command line has libraries looked for.
    search: Vec<PathBuf>,
    /// Whether libraries are looked for as static ones now.
    only_static: bool,
    /// Whether the link compiles assembly, and so needs flags for the preprocessor.
    assembles: bool,
    items: Vec<LinkItem>,
}

impl<'a> Items<'a> {
    fn of(command_line: &CommandLine, directory: &'a Path) -> Self {
        let search = command_line.arguments.iter().filter_map(|argument| match &argument.role {
            Role::LibraryPath(path) => Some(directory.join(path)),
            _ => None,
        });
        let static_program = |argument: &Argument| ["-static", "-static-pie"].contains(&argument.words[0].as_str());
        let only_static = command_line.arguments.iter().any(static_program);
        let assembles = command_line.inputs().iter().any(|input| input.language == Language::Assembly);
        let search = search.collect();
        let mut items = Items { directory, search, only_static, assembles, items: Vec::new() };
        for argument in &command_line.arguments {
            items.add(argument);
        }
        // Checks that are a part of the program need their runtime.
        let checks = sanitizers::checks(command_line);
        if !checks.is_empty() {
            items.items.push(LinkItem::Flag(checks));
        }
        for item in &mut items.items {
            if let LinkItem::Linker(words) = item {
                *words = without_files(words);
            }
        }
        items
    }

    fn add(&mut self, argument: &Argument) {
        let item = match &argument.role {
            Role::Input(input) => input_item(input, self.directory),
            Role::Library(name) => self.library(name),
            Role::LibraryPath(path) => LinkItem::Flag(vec![format!("-L{path}")]),
            Role::Linker | Role::Flag => LinkItem::Flag(argument.words.clone()),
            Role::CompileOnly if self.assembles => LinkItem::Flag(argument.words.clone()),
            Role::LinkerWords(words) => return self.add_words(words),
            _ => return,
        };
        self.items.push(item);
    }

    /// Words that follow each other can belong together, however they were given. There can be files among them.
    fn add_words(&mut self, words: &[String]) {
        for word in words {
            match word.as_str() {
                "-Bstatic" | "-dn" | "-non_shared" | "-static" => self.only_static = true,
                "-Bdynamic" | "-dy" | "-call_shared" => self.only_static = false,
                _ => {}
            }
            let item = if word.starts_with('-') || self.is_value() { None } else { self.file(word) };
            match (item, self.items.last_mut()) {
                (Some(item), _) => self.items.push(item),
                (None, Some(LinkItem::Linker(before))) => before.push(word.clone()),
                (None, _) => self.items.push(LinkItem::Linker(vec![word.clone()])),
            }
        }
    }

    /// Whether the next word for the linker is the value of an option that takes a library's name.
    fn is_value(&self) -> bool {
        let options =
            ["-dynamic-linker", "--dynamic-linker", "-plugin", "-soname", "-h", "-R", "--just-symbols", "-filter"];
        match self.items.last() {
            Some(LinkItem::Linker(words)) => words.last().is_some_and(|word| options.contains(&word.as_str())),
            _ => false,
        }
    }

    /// An object or library, if the word names one.
    fn file(&self, word: &str) -> Option<LinkItem> {
        match file_item(word, &self.directory.join(word)) {
            LinkItem::Plain { reason, .. } if reason != NOT_OURS => None,
            item => Some(item),
        }
    }

    fn kind(&self) -> LinkOutput {
        let words: Vec<&str> = self
            .items
            .iter()
            .flat_map(|item| match item {
                LinkItem::Flag(words) | LinkItem::Linker(words) => words.iter().map(String::as_str).collect(),
                _ => Vec::new(),
            })
            .collect();
        let has = |flags: &[&str]| flags.iter().any(|flag| words.contains(flag));
        if has(&["-shared", "--shared", "-Bshareable"]) {
            LinkOutput::Shared
        } else if has(&["-r", "--relocatable", "-i"]) {
            LinkOutput::Relocatable
        } else {
            LinkOutput::Executable
        }
    }

    /// The linker's search for `-lNAME` in the directories that the command line gives.
    fn library(&self, name: &str) -> LinkItem {
        let argument = format!("-l{name}");
        let names = match name.strip_prefix(':') {
            Some(exact) => vec![exact.to_owned()],
            None if self.only_static => vec![format!("lib{name}.a")],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        let mut candidates = self.search.iter().flat_map(|directory| names.iter().map(|name| directory.join(name)));
        match candidates.find(|path| path.is_file()) {
            Some(path) => match file_item(&argument, &path) {
                // A linker script, or something else only the linker understands.
                LinkItem::Plain { .. } => LinkItem::Library(argument),
                item => item,
            },
            None => LinkItem::Library(argument),
        }
    }
}

/// Words for the linker without those that would write over the user's own files when a variant is linked.
fn without_files(words: &[String]) -> Vec<String> {
    let options = ["-Map", "--Map", "--dependency-file", "--out-implib", "--reproduce", "--cref-file"];
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if options.contains(&word.as_str()) {
            words.next();
        } else if !options.iter().any(|option| word.strip_prefix(option).is_some_and(|rest| rest.starts_with('='))) {
            kept.push(word.clone());
        }
    }
    kept
}

fn input_item(input: &Input, directory: &Path) -> LinkItem {
    match input.language {
        Language::Object => file_item(&input.path, &directory.join(&input.path)),
        Language::Bitcode => LinkItem::Source(input.path.clone()),
        // There is no bitcode to take its place: it is compiled again.
        _ => LinkItem::Reasoned(input.path.clone()),
    }
}

/// What the file at `path`, named `argument` on the command line, is to a link.
fn file_item(argument: &str, path: &Path) -> LinkItem {
    let plain = |reason: String| LinkItem::Plain { path: argument.to_owned(), reason };
    let data = match elf::read(path) {
        Ok(data) => data,
        Err(error) => return plain(error.to_string()),
    };
    if ARCHIVE_MAGIC.iter().any(|magic| data.starts_with(magic)) {
        return archive_item(argument, path, &data);
    }
    if is_shared(&data) {
        return LinkItem::Shared { argument: argument.to_owned(), path: path.to_owned() };
    }
    match elf::carriage(&data) {
        Carriage::Bitcode(modules) => LinkItem::Carrying { path: argument.to_owned(), modules },
        Carriage::Reasons => LinkItem::Reasoned(argument.to_owned()),
        Carriage::Nothing if data.starts_with(b"\x7fELF") => plain(NOT_OURS.to_owned()),
        Carriage::Nothing => plain("it is no ELF object".to_owned()),
    }
}

fn archive_item(argument: &str, path: &Path, library: &[u8]) -> LinkItem {
    let (mut carrying, mut plain) = (0, Vec::new());
    let visited = archive::for_each_member(path, library, |member| {
        if member.carries() {
            carrying += 1;
        } else {
            plain.push(member.name);
        }
        Ok(())
    });
    match visited {
        Ok(()) => LinkItem::Archive { path: path.to_owned(), carrying, plain },
        Err(error) => LinkItem::Plain { path: argument.to_owned(), reason: error.to_string() },
    }
}

fn is_shared(data: &[u8]) -> bool {
    const ET_DYN: u8 = 3;
    data.starts_with(b"\x7fELF") && data.get(16) == Some(&ET_DYN)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn items(text: &str) -> Vec<LinkItem> {
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        Items::of(&CommandLine::parse(&words), Path::new("/nowhere")).items
    }

    fn linker(words: &[&str]) -> LinkItem {
        LinkItem::Linker(words.iter().map(|&word| word.to_owned()).collect())
    }

    #[test]
    fn words_for_the_linker_are_one_list_however_they_are_given() {
        let text = "-Wl,-z,relro,-z -Xlinker defs -z now -Wl,--as-needed";
        assert_eq!(items(text), [linker(&["-z", "relro", "-z", "defs", "-z", "now", "--as-needed"])]);
    }

    #[test]
    fn files_that_a_linker_writes_are_left_out() {
        assert_eq!(items("-Wl,--gc-sections,-Map=x.map"), [linker(&["--gc-sections"])]);
        assert_eq!(items("-Wl,-Map,x.map,-O1 -Xlinker -Map -Xlinker y.map"), [linker(&["-O1"])]);
    }
}
