//! Linking a variant the way its program was linked.

use std::path::{Path, PathBuf};
use std::process::Command;

use byway_carrier::{Link, LinkItem, LinkOutput, archive};
use byway_program::Subject;

use crate::elf_names::shared_name;
use crate::error::VariantError;
use crate::toolchain;

/// What to do with the shared libraries that carry bitcode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Libraries<'a> {
    /// Their code is in our objects already.
    Folded,
    /// They have been built anew into this directory.
    In(&'a Path),
}

/// A link to be done again with other objects.
pub struct Relink<'a> {
    /// What was linked.
    pub subject: &'a Subject,
    /// The objects that take the place of all that carried bitcode.
    pub objects: Vec<PathBuf>,
    /// What became of the shared libraries.
    pub libraries: Libraries<'a>,
    /// Flags of the variant's own.
    pub flags: Vec<String>,
    /// A directory for what has to be made on the way.
    pub scratch: &'a Path,
}

impl Relink<'_> {
    /// Links `output`.
    pub fn link(&self, output: &Path) -> Result<(), VariantError> {
        let mut arguments = vec!["-Qunused-arguments".to_owned(), "-w".to_owned()];
        if self.subject.everything().iter().any(|part| part.link.as_ref().is_some_and(|link| link.cxx)) {
            arguments.push("--driver-mode=g++".to_owned());
        }
        match &self.subject.link {
            Some(link) => arguments.extend(self.items(link)?),
            None => arguments.extend(self.object_arguments()),
        }
        arguments.extend(self.flags.iter().cloned());
        arguments.extend(["-o".to_owned(), text(output)]);
        let directory = self.subject.link.as_ref().map(|link| link.directory.as_path());
        let directory = directory.filter(|directory| directory.is_dir()).unwrap_or(Path::new("/"));
        let what = format!("linking {}", self.subject.name());
        toolchain::clang(&what, directory, &arguments)
    }

    fn object_arguments(&self) -> Vec<String> {
        self.objects.iter().map(|object| text(object)).collect()
    }

    fn items(&self, link: &Link) -> Result<Vec<String>, VariantError> {
        let mut arguments = Vec::new();
        let mut placed = false;
        for item in &link.items {
            let carrying = match item {
                LinkItem::Source(_) | LinkItem::Carrying(_) => true,
                LinkItem::Archive { carrying, .. } => *carrying > 0,
                _ => false,
            };
            if carrying && !std::mem::replace(&mut placed, true) {
                arguments.extend(self.object_arguments());
            }
            arguments.extend(self.item(link, item)?);
        }
        if !placed {
            arguments.splice(0..0, self.object_arguments());
        }
        Ok(arguments)
    }

    fn item(&self, link: &Link, item: &LinkItem) -> Result<Vec<String>, VariantError> {
        Ok(match item {
            LinkItem::Flag(words) if self.drops(words) => Vec::new(),
            LinkItem::Flag(words) => words.iter().map(|word| with_origin(word, link)).collect(),
            LinkItem::Source(_) | LinkItem::Carrying(_) => Vec::new(),
            LinkItem::Plain { path, .. } | LinkItem::Reasoned(path) => vec![existing(&link.resolve(path))?],
            LinkItem::Archive { argument, carrying: 0, .. } => vec![argument.clone()],
            LinkItem::Archive { argument, path, .. } if self.may_need_more(link, path) => vec![argument.clone()],
            LinkItem::Archive { plain, .. } if plain.is_empty() => Vec::new(),
            LinkItem::Archive { path, .. } => vec![self.plain_members(path)?],
            LinkItem::Shared { argument, path } => self.shared(argument, path)?,
            LinkItem::Library(argument) => vec![argument.clone()],
        })
    }

    /// Flags that a sanitizer build cannot have: its runtime is a shared affair with symbols left open.
    fn drops(&self, words: &[String]) -> bool {
        let sanitized = matches!(self.libraries, Libraries::In(_));
        let dropped = ["-static", "-static-pie", "-Wl,-z,defs", "-Wl,--no-undefined", "-Wl,-no-undefined"];
        sanitized && (dropped.contains(&words[0].as_str()) || words == ["-z", "defs"])
    }

    /// Whether a static library with bitcode is linked again as it is. A sanitizer build inlines less than the program's
    /// own build did, so it can need external copies of inline functions from members that the program did without.
    fn may_need_more(&self, link: &Link, path: &Path) -> bool {
        let mut flags = link.items.iter().filter_map(|item| match item {
            LinkItem::Flag(words) => Some(words),
            _ => None,
        });
        let whole = flags.any(|words| words.iter().any(|word| word.contains("--whole-archive")));
        matches!(self.libraries, Libraries::In(_)) && !whole && path.is_file()
    }

    /// A library of only those members that carry no bitcode; the others are in our objects.
    fn plain_members(&self, path: &Path) -> Result<String, VariantError> {
        existing(path)?;
        let directory = tempfile::tempdir_in(self.scratch)
            .map_err(|source| VariantError::Cache { path: self.scratch.to_owned(), source })?
            .keep();
        let mut arguments = vec!["qcs".to_owned(), text(&directory.join("plain.a"))];
        let copied = archive::for_each_member(path, |member| {
            if !member.carries() {
                let object = directory.join(format!("{}.o", arguments.len()));
                std::fs::write(&object, member.data)?;
                arguments.push(text(&object));
            }
            Ok(())
        });
        copied.map_err(|source| VariantError::Unreadable { path: path.to_owned(), source })?;
        toolchain::run("copying a static library", Command::new("ar").args(&arguments))?;
        Ok(text(&directory.join("plain.a")))
    }

    fn shared(&self, argument: &str, path: &Path) -> Result<Vec<String>, VariantError> {
        let library = path.canonicalize().ok().and_then(|path| self.library_at(&path));
        match (library, self.libraries) {
            (None, _) if argument.starts_with("-l") => Ok(vec![argument.to_owned()]),
            (None, _) => Ok(vec![existing(path)?]),
            (Some(_), Libraries::In(directory)) => {
                Ok(vec![format!("-L{}", directory.display()), format!("-l:{}", shared_name(path))])
            }
            (Some(library), Libraries::Folded) => self.needs_of(library),
        }
    }

    fn library_at(&self, path: &Path) -> Option<&Subject> {
        self.subject.everything().into_iter().skip(1).find(|library| library.path == path)
    }

    /// What a folded library itself was linked with.
    fn needs_of(&self, library: &Subject) -> Result<Vec<String>, VariantError> {
        let Some(link) = &library.link else { return Ok(Vec::new()) };
        let mut arguments = Vec::new();
        for item in &link.items {
            match item {
                LinkItem::Flag(words) if !is_need(words) => {}
                LinkItem::Flag(words) => arguments.extend(words.iter().map(|word| absolute_search(word, link))),
                item => arguments.extend(self.item(link, item)?),
            }
        }
        Ok(arguments)
    }
}

/// Flags of a library's link that its code needs wherever it is linked.
fn is_need(words: &[String]) -> bool {
    words[0].starts_with("-L") && words.len() == 1 || words[0] == "-pthread" || words[0].starts_with("-fopenmp")
}

fn absolute_search(word: &str, link: &Link) -> String {
    match word.strip_prefix("-L") {
        Some(directory) => format!("-L{}", link.resolve(directory).display()),
        None => word.to_owned(),
    }
}

/// `$ORIGIN` means where the program is; the variant is elsewhere.
fn with_origin(word: &str, link: &Link) -> String {
    let origin = link.output.parent().unwrap_or(Path::new("/")).display().to_string();
    word.replace("${ORIGIN}", &origin).replace("$ORIGIN", &origin)
}

fn existing(path: &Path) -> Result<String, VariantError> {
    if path.exists() { Ok(text(path)) } else { Err(VariantError::Gone { path: path.to_owned() }) }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Whether the subject was linked as a shared library.
pub fn is_shared(subject: &Subject) -> bool {
    subject.link.as_ref().is_some_and(|link| link.kind == LinkOutput::Shared)
}
