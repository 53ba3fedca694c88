//! The record of a link: every item of its command line, and for every file whether it carries bitcode.

use std::path::{Path, PathBuf};

use byway_carrier::elf::{self, Carriage};
use byway_carrier::{Link, LinkItem, LinkOutput, archive};

use crate::clang::Driver;
use crate::command_line::{Argument, CommandLine, Input, Language, Role};
use crate::options;

const ARCHIVE_MAGIC: [&[u8]; 2] = [b"!<arch>\n", b"!<thin>\n"];

/// The record of the link that `command_line` describes and that made `output`.
pub fn describe(driver: Driver, command_line: &CommandLine, directory: &Path, output: &Path) -> Link {
    let search = Search::new(command_line, directory);
    Link {
        directory: directory.to_owned(),
        output: directory.join(output),
        kind: kind(command_line),
        cxx: driver == Driver::Cxx,
        items: command_line.arguments.iter().filter_map(|argument| item(argument, directory, &search)).collect(),
    }
}

fn kind(command_line: &CommandLine) -> LinkOutput {
    let has =
        |flags: &[&str]| command_line.arguments.iter().any(|argument| flags.contains(&argument.words[0].as_str()));
    if has(&["-shared", "--shared"]) {
        LinkOutput::Shared
    } else if has(&["-r", "-Wl,-r", "-Wl,--relocatable"]) {
        LinkOutput::Relocatable
    } else {
        LinkOutput::Executable
    }
}

fn item(argument: &Argument, directory: &Path, search: &Search) -> Option<LinkItem> {
    match &argument.role {
        Role::Input(input) => Some(input_item(input, directory)),
        Role::Library(name) => Some(search.library(name)),
        Role::Linker => {
            let words: Option<Vec<String>> =
                argument.words.iter().map(|word| options::without_linker_files(word)).collect();
            words.map(LinkItem::Flag)
        }
        Role::Flag | Role::LibraryPath(_) => Some(LinkItem::Flag(argument.words.clone())),
        _ => None,
    }
}

fn input_item(input: &Input, directory: &Path) -> LinkItem {
    if input.language != Language::Object {
        return LinkItem::Source(input.path.clone());
    }
    file_item(&input.path, &directory.join(&input.path))
}

/// What the file at `path`, named `argument` on the command line, is to a link.
fn file_item(argument: &str, path: &Path) -> LinkItem {
    let plain = |reason: String| LinkItem::Plain { path: argument.to_owned(), reason };
    let data = match elf::map(path) {
        Ok(data) => data,
        Err(error) => return plain(error.to_string()),
    };
    if ARCHIVE_MAGIC.iter().any(|magic| data.starts_with(magic)) {
        return archive_item(argument, path);
    }
    if is_shared(&data) {
        return LinkItem::Shared { argument: argument.to_owned(), path: path.to_owned() };
    }
    match elf::carriage(&data) {
        Carriage::Bitcode => LinkItem::Carrying(argument.to_owned()),
        Carriage::Reasons => LinkItem::Reasoned(argument.to_owned()),
        Carriage::Nothing if data.starts_with(b"\x7fELF") => plain("it was not compiled by byway-cc".to_owned()),
        Carriage::Nothing => plain("it is no ELF object".to_owned()),
    }
}

fn archive_item(argument: &str, path: &Path) -> LinkItem {
    let (mut carrying, mut plain) = (0, Vec::new());
    let visited = archive::for_each_member(path, |member| {
        if member.carries() {
            carrying += 1;
        } else {
            plain.push(member.name);
        }
        Ok(())
    });
    match visited {
        Ok(()) => LinkItem::Archive { argument: argument.to_owned(), path: path.to_owned(), carrying, plain },
        Err(error) => LinkItem::Plain { path: argument.to_owned(), reason: error.to_string() },
    }
}

fn is_shared(data: &[u8]) -> bool {
    const ET_DYN: u8 = 3;
    data.starts_with(b"\x7fELF") && data.get(16) == Some(&ET_DYN)
}

/// The linker's search for `-lNAME` in the directories that the command line gives.
struct Search {
    directories: Vec<PathBuf>,
    only_static: bool,
}

impl Search {
    fn new(command_line: &CommandLine, directory: &Path) -> Self {
        let directories = command_line.arguments.iter().filter_map(|argument| match &argument.role {
            Role::LibraryPath(path) => Some(directory.join(path)),
            _ => None,
        });
        let only_static = command_line.arguments.iter().any(|argument| argument.words[0] == "-static");
        Search { directories: directories.collect(), only_static }
    }

    fn library(&self, name: &str) -> LinkItem {
        let argument = format!("-l{name}");
        let names = match name.strip_prefix(':') {
            Some(exact) => vec![exact.to_owned()],
            None if self.only_static => vec![format!("lib{name}.a")],
            None => vec![format!("lib{name}.so"), format!("lib{name}.a")],
        };
        let candidates = self.directories.iter().flat_map(|directory| names.iter().map(|name| directory.join(name)));
        match candidates.into_iter().find(|path| path.is_file()) {
            Some(path) => match file_item(&argument, &path) {
                // A linker script, or something else only the linker understands.
                LinkItem::Plain { .. } => LinkItem::Library(argument),
                item => item,
            },
            None => LinkItem::Library(argument),
        }
    }
}
