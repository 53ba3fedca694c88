//! Linking a variant the way its program was linked.

use std::path::{Path, PathBuf};

use byway_carrier::{Link, LinkItem, archive, elf};
use byway_program::{Subject, shared_name};

use crate::cache::Cache;
use crate::error::VariantError;
use crate::toolchain::{CLANG, ToolCall, Tools};

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
    /// The words that link `output`. Tools that are at work already do not see all that they name.
    pub fn arguments(&self, cache: &Cache, output: &Path) -> Result<Vec<String>, VariantError> {
        let mut arguments = vec!["-Qunused-arguments".to_owned(), "-w".to_owned()];
        if self.subject.everything().iter().any(|part| part.link.as_ref().is_some_and(|link| link.cxx)) {
            arguments.push("--driver-mode=g++".to_owned());
        }
        arguments.extend(self.flags.iter().cloned());
        match &self.subject.link {
            Some(link) => arguments.extend(self.items(cache, link, &mut Vec::new())?),
            None => arguments.extend(self.object_arguments()),
        }
        if self.libraries == Libraries::Folded && !self.subject.libraries.is_empty() {
            // What plugins and dlsym found in the libraries they now find in the program.
            arguments.push("-rdynamic".to_owned());
        }
        arguments.extend(["-o".to_owned(), text(output)]);
        Ok(arguments)
    }

    /// Links `output`, with these words.
    pub fn link(&self, tools: &mut Tools, arguments: Vec<String>, output: &Path) -> Result<(), VariantError> {
        let directory = self.subject.link.as_ref().map(|link| link.directory.as_path());
        let directory = directory.filter(|directory| directory.is_dir()).unwrap_or(Path::new("/"));
        let environment = self.subject.link.as_ref().map(|link| &link.environment);
        let what = format!("linking {}", self.subject.name());
        tools.run(&ToolCall { what, tool: CLANG, directory, environment, arguments })?;
        tools.deliver(output)
    }

    fn object_arguments(&self) -> Vec<String> {
        self.objects.iter().map(|object| text(object)).collect()
    }

    /// `folded` are the libraries whose needs are on the command line already.
    fn items(&self, cache: &Cache, link: &Link, folded: &mut Vec<PathBuf>) -> Result<Vec<String>, VariantError> {
        let mut arguments = Vec::new();
        let mut placed = false;
        for item in &link.items {
            let carrying = match item {
                LinkItem::Source(_) | LinkItem::Carrying { .. } => true,
                LinkItem::Archive { carrying, .. } => *carrying > 0,
                _ => false,
            };
            if carrying && !std::mem::replace(&mut placed, true) {
                arguments.extend(self.object_arguments());
            }
            arguments.extend(self.item(cache, link, item, folded)?);
        }
        if !placed {
            arguments.splice(0..0, self.object_arguments());
        }
        Ok(arguments)
    }

    fn item(
        &self,
        cache: &Cache,
        link: &Link,
        item: &LinkItem,
        folded: &mut Vec<PathBuf>,
    ) -> Result<Vec<String>, VariantError> {
        Ok(match item {
            // A sanitizer's runtime is a shared affair.
            LinkItem::Flag(words) if self.sanitizes() && words[0].starts_with("-static") => Vec::new(),
            LinkItem::Flag(words) => words.iter().map(|word| with_origin(word, link)).collect(),
            LinkItem::Linker(words) => self.linker_words(words, link),
            LinkItem::Source(_) | LinkItem::Carrying { .. } => Vec::new(),
            LinkItem::Plain { path, .. } | LinkItem::Reasoned(path) => vec![existing(&link.resolve(path))?],
            LinkItem::Archive { path, carrying: 0, .. } => vec![existing(path)?],
            LinkItem::Archive { path, .. } if self.may_need_more(link, path) => vec![text(path)],
            LinkItem::Archive { plain, .. } if plain.is_empty() => Vec::new(),
            LinkItem::Archive { path, .. } => vec![self.plain_members(cache, path)?],
            LinkItem::Shared { argument, path } => self.shared(cache, argument, path, folded)?,
            LinkItem::Library(argument) => vec![argument.clone()],
        })
    }

    fn sanitizes(&self) -> bool {
        matches!(self.libraries, Libraries::In(_))
    }

    fn linker_words(&self, words: &[String], link: &Link) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut words = words.iter().peekable();
        while let Some(word) = words.next() {
            // The sanitizers' runtime leaves symbols open in libraries.
            if self.sanitizes() && ["--no-undefined", "-no-undefined", "-zdefs"].contains(&word.as_str()) {
                continue;
            }
            if self.sanitizes() && word == "--enable-new-dtags" {
                continue;
            }
            if self.sanitizes() && word == "-z" && words.peek().is_some_and(|next| *next == "defs") {
                words.next();
                continue;
            }
            arguments.extend(["-Xlinker".to_owned(), with_origin(word, link)]);
        }
        arguments
    }

    /// Whether a static library with bitcode is linked again as it is. A sanitizer build inlines less than the program's
    /// own build did, so it can need external copies of inline functions from members that the program did without.
    fn may_need_more(&self, link: &Link, path: &Path) -> bool {
        let mut words = link.items.iter().filter_map(|item| match item {
            LinkItem::Linker(words) => Some(words),
            _ => None,
        });
        let whole = words.any(|words| words.iter().any(|word| word == "--whole-archive"));
        self.sanitizes() && !whole && path.is_file()
    }

    /// A library of only those members that carry no bitcode; the others are in our objects.
    fn plain_members(&self, cache: &Cache, path: &Path) -> Result<String, VariantError> {
        existing(path)?;
        let unreadable = |source| VariantError::Unreadable { path: path.to_owned(), source };
        let library = elf::read(path).map_err(unreadable)?;
        let directory = tempfile::tempdir_in(self.scratch)
            .map_err(|source| VariantError::Cache { path: self.scratch.to_owned(), source })?
            .keep();
        let mut arguments = vec!["qcs".to_owned(), text(&directory.join("plain.a"))];
        let copied = archive::for_each_member(path, &library, |member| {
            if !member.carries() {
                let object = directory.join(format!("{}.o", arguments.len()));
                std::fs::write(&object, member.data)?;
                arguments.push(text(&object));
            }
            Ok(())
        });
        copied.map_err(unreadable)?;
        let mut tools = Tools::new(cache, &directory)?;
        let what = "copying a static library".to_owned();
        tools.run(&ToolCall { what, tool: "ar", directory: &directory, environment: None, arguments })?;
        tools.deliver(&directory.join("plain.a"))?;
        Ok(text(&directory.join("plain.a")))
    }

    fn shared(
        &self,
        cache: &Cache,
        argument: &str,
        path: &Path,
        folded: &mut Vec<PathBuf>,
    ) -> Result<Vec<String>, VariantError> {
        let library = path.canonicalize().ok().and_then(|path| self.library_at(&path));
        match (library, self.libraries) {
            (None, _) if argument.starts_with("-l") => Ok(vec![argument.to_owned()]),
            (None, _) => Ok(vec![existing(path)?]),
            (Some(_), Libraries::In(directory)) => {
                Ok(vec![format!("-L{}", directory.display()), format!("-l:{}", shared_name(path))])
            }
            (Some(library), Libraries::Folded) if folded.contains(&library.path) => Ok(Vec::new()),
            (Some(library), Libraries::Folded) => {
                folded.push(library.path.clone());
                self.needs_of(cache, library, folded)
            }
        }
    }

    fn library_at(&self, path: &Path) -> Option<&Subject> {
        self.subject.everything().into_iter().skip(1).find(|library| library.path == path)
    }

    /// What a folded library itself was linked with.
    fn needs_of(
        &self,
        cache: &Cache,
        library: &Subject,
        folded: &mut Vec<PathBuf>,
    ) -> Result<Vec<String>, VariantError> {
        let Some(link) = &library.link else { return Ok(Vec::new()) };
        let mut arguments = Vec::new();
        for item in &link.items {
            match item {
                LinkItem::Flag(words) => arguments.extend(needed_flag(words, link)),
                LinkItem::Linker(words) => arguments.extend(needed_paths(words, link)),
                item => arguments.extend(self.item(cache, link, item, folded)?),
            }
        }
        Ok(arguments)
    }
}

/// A flag of a library's link, if its code needs it wherever it is linked.
fn needed_flag(words: &[String], link: &Link) -> Vec<String> {
    match words[0].strip_prefix("-L") {
        Some(directory) => vec![format!("-L{}", link.resolve(directory).display())],
        None if words[0] == "-pthread" || words[0].starts_with("-fopenmp") => words.to_vec(),
        None => Vec::new(),
    }
}

/// Where a library's own libraries are found at run time.
fn needed_paths(words: &[String], link: &Link) -> Vec<String> {
    let mut arguments = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let next = words.get(index + 1);
        let path = match word.split_once('=') {
            Some(("-rpath" | "--rpath", path)) => Some(path),
            None if word == "-rpath" || word == "--rpath" => next.map(String::as_str),
            _ => None,
        };
        arguments.extend(path.map(|path| format!("-Wl,-rpath,{}", with_origin(path, link))));
    }
    arguments
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
