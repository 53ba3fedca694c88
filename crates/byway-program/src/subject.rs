//! The files a subject is made of, and what they carry.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use byway_carrier::elf::{self, ElfError};
use byway_carrier::{Absent, FrameError, Link, LinkItem, LinkOutput, Module, Record};
use byway_map::SubjectId;
use byway_snapshot::{BuildFiles, ContentHash, LinkedFile, ProgramSnapshot, SnapshotStore, SourceTexts};
use thiserror::Error;

use crate::dynamic::{self, shared_name};
use crate::restore;
use crate::tool::tool_fingerprint;

/// A program or shared library built by `byway-cc`, with the shared libraries of its own build that it is linked with.
#[derive(Debug)]
pub struct Subject {
    /// The file, absolute.
    pub path: PathBuf,
    /// The translation units with bitcode, in the order of the link.
    pub modules: Vec<Module>,
    /// The translation units without bitcode.
    pub absent: Vec<Absent>,
    /// How the file was linked; `None` if something else than `byway-cc` did that.
    pub link: Option<Link>,
    /// Objects that were linked without any record, and why they have none.
    pub plain: Vec<(PathBuf, String)>,
    /// The shared libraries it was linked with that carry bitcode themselves.
    pub libraries: Vec<Subject>,
    /// The hash of its records, of all other files that a variant is linked from, and of byway itself.
    pub id: SubjectId,
    /// What was kept of it, and of its tree.
    pub kept: Kept,
}

/// What is known of a program besides its records.
#[derive(Debug, Default)]
pub struct Kept {
    /// What it was built from; `None` if nobody kept it.
    pub snapshot: Option<ProgramSnapshot>,
    /// The files of the tree, which is that of another version now, each with what is taken for it.
    pub replaced: Vec<(PathBuf, PathBuf)>,
    /// Whether the tree is that of this program, so that all of it may be kept.
    is_in_its_tree: bool,
    /// The content of the program's file.
    content: Option<ContentHash>,
    /// The files that it is linked with, besides its objects.
    linked: Vec<LinkedFile>,
}

/// Why a file is no subject.
#[derive(Debug, Error)]
pub enum SubjectError {
    /// The file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// It is not an ELF file at all.
    #[error("{path} is not an ELF file{hint}")]
    NotElf {
        /// The file.
        path: PathBuf,
        /// What it seems to be and what to do, or nothing.
        hint: String,
    },
    /// It is an ELF file, but not one we can work with.
    #[error("{path}: {reason}")]
    BadElf {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// It was not built by `byway-cc`.
    #[error("{path} carries no bitcode; build it with byway-cc (for example: make clean && make CC=byway-cc)")]
    NoBitcode {
        /// The file.
        path: PathBuf,
    },
    /// Its section cannot be read.
    #[error("{path}: {source}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with the section.
        source: FrameError,
    },
}

impl Kept {
    /// The files of the tree that are others now than those that are taken for them.
    pub fn changed(&self) -> Vec<&Path> {
        let read = |path: &Path| byway_file::read(path, byway_file::PROGRAM).ok();
        let differs = |(tree, kept): &&(PathBuf, PathBuf)| read(tree) != read(kept);
        self.replaced.iter().filter(differs).map(|(tree, _)| tree.as_path()).collect()
    }
}

impl Subject {
    /// Reads the subject at `path`, with its tree as it is now.
    pub fn open(path: &Path) -> Result<Subject, SubjectError> {
        Self::open_with(path, None, &mut BTreeSet::new())
    }

    /// Reads the subject at `path`. If its tree is that of another version by now, what is kept takes its place.
    pub fn open_kept(path: &Path, store: &SnapshotStore) -> Result<Subject, SubjectError> {
        Self::open_with(path, Some(store), &mut BTreeSet::new())
    }

    fn open_with(
        path: &Path,
        store: Option<&SnapshotStore>,
        seen: &mut BTreeSet<PathBuf>,
    ) -> Result<Subject, SubjectError> {
        let unreadable = |source| SubjectError::Unreadable { path: path.to_owned(), source };
        let path = path.canonicalize().map_err(unreadable)?;
        let data = byway_file::read(&path, byway_file::PROGRAM).map_err(unreadable)?;
        let section = match elf::section(&data) {
            Ok(Some(section)) => section,
            Ok(None) => return Err(SubjectError::NoBitcode { path }),
            Err(ElfError::NotElf) => return Err(SubjectError::NotElf { hint: script_hint(&path, &data), path }),
            Err(error) => return Err(SubjectError::BadElf { reason: error.to_string(), path }),
        };
        let records =
            byway_carrier::decode(&section).map_err(|source| SubjectError::Damaged { path: path.clone(), source })?;
        seen.insert(path.clone());
        let mut subject = Self::of_records(path, records);
        if let Some(store) = store {
            subject.recall(store, &data);
        }
        subject.libraries = subject.open_libraries(&dynamic::needed(&data), store, seen)?;
        subject.identify(&section);
        Ok(subject)
    }

    /// Looks for what is kept of it, and has its link use that if the tree is another one's.
    fn recall(&mut self, store: &SnapshotStore, data: &[u8]) {
        let content = ContentHash::of(data);
        self.kept.content = Some(content);
        self.kept.snapshot = store.snapshot(content);
        let Some(link) = &mut self.link else { return };
        self.kept.is_in_its_tree = restore::is_of(link, &self.path, data);
        if let Some(snapshot) = self.kept.snapshot.as_ref().filter(|_| !self.kept.is_in_its_tree) {
            self.kept.replaced = restore::restore(link, snapshot);
            self.plain = plain_inputs(link);
        }
    }

    /// Keeps what it, and each of its libraries, was built from.
    pub fn keep(&mut self, store: &SnapshotStore) -> io::Result<()> {
        if let Some(content) = self.kept.content.filter(|_| !self.is_kept()) {
            self.kept.snapshot = Some(store.keep(content, &self.build_files())?);
        }
        self.libraries.iter_mut().try_for_each(|library| library.keep(store))
    }

    /// Whether all that it, and each of its libraries, was built from is kept, as far as it is there.
    pub fn is_all_kept(&self) -> bool {
        self.everything().iter().all(|part| part.is_kept())
    }

    fn is_kept(&self) -> bool {
        self.kept.snapshot.as_ref().is_some_and(|snapshot| snapshot.has(&self.build_files()))
    }

    fn build_files(&self) -> BuildFiles<'_> {
        let sources = self.modules.iter().flat_map(|module| &module.dependencies).collect();
        // Seen for the first time, there is nothing better than what is there now.
        let is_known = self.kept.snapshot.is_some() && !self.kept.is_in_its_tree;
        BuildFiles { sources, linked: if is_known { Vec::new() } else { self.kept.linked.clone() } }
    }

    /// The text of its sources, and of those of its libraries.
    pub fn source_texts(&self) -> SourceTexts {
        SourceTexts::of(self.everything().into_iter().filter_map(|part| part.kept.snapshot.as_ref()))
    }

    fn of_records(path: PathBuf, records: Vec<Record>) -> Subject {
        let (mut modules, mut absent, mut link, mut plain) = (Vec::new(), Vec::new(), None, Vec::new());
        for record in records {
            match record {
                Record::Module(module) => modules.push(module),
                Record::Absent(unit) => absent.push(unit),
                Record::Link(made) => {
                    plain.extend(plain_inputs(&made));
                    if made.kind != LinkOutput::Relocatable {
                        link = Some(made);
                    }
                }
            }
        }
        if let Some(link) = &link {
            modules = in_link_order(modules, &absent, link);
        }
        let id = SubjectId::from_bytes([0; 16]);
        Subject { path, modules, absent, link, plain, libraries: Vec::new(), id, kept: Kept::default() }
    }

    /// Those of the libraries on the command line that the file still needs: a linker drops what it finds unused.
    fn open_libraries(
        &mut self,
        needed: &[String],
        store: Option<&SnapshotStore>,
        seen: &mut BTreeSet<PathBuf>,
    ) -> Result<Vec<Subject>, SubjectError> {
        let mut libraries = Vec::new();
        for item in self.link.iter().flat_map(|link| &link.items) {
            let LinkItem::Shared { path: named, .. } = item else { continue };
            let Ok(path) = named.canonicalize() else {
                self.plain.push((named.clone(), "this shared library is gone".to_owned()));
                continue;
            };
            if seen.contains(&path) || !needed.contains(&shared_name(&path)) {
                continue;
            }
            match Subject::open_with(&path, store, seen) {
                Ok(library) => {
                    let content = library.kept.content.map(|content| linked_file(named, &library.path, content));
                    self.kept.linked.extend(content);
                    libraries.push(library);
                }
                Err(damaged @ SubjectError::Damaged { .. }) => return Err(damaged),
                // Somebody else's library.
                Err(_) => {}
            }
        }
        Ok(libraries)
    }

    fn identify(&mut self, section: &[u8]) {
        let mut hasher = blake3::Hasher::new();
        hasher.update(tool_fingerprint().as_bytes());
        hasher.update(section);
        if let Some(link) = &self.link {
            for file in link.items.iter().flat_map(|item| restore::files_of(link, item)) {
                // A file that is gone is noticed when a variant is linked.
                let content = ContentHash::of(&byway_file::read(&file, byway_file::PROGRAM).unwrap_or_default());
                hasher.update(content.bytes());
                self.kept.linked.push(linked_file(&file, &file, content));
            }
        }
        for library in &self.libraries {
            hasher.update(&library.id.bytes());
        }
        let mut id = [0; 16];
        hasher.finalize_xof().fill(&mut id);
        self.id = SubjectId::from_bytes(id);
    }

    /// The subject's own modules and those of its libraries.
    pub fn all_modules(&self) -> Vec<&Module> {
        self.everything().into_iter().flat_map(|subject| &subject.modules).collect()
    }

    /// The subject itself and, transitively, its libraries.
    pub fn everything(&self) -> Vec<&Subject> {
        let libraries = self.libraries.iter().flat_map(Subject::everything);
        std::iter::once(self).chain(libraries).collect()
    }

    /// Whether it was linked as a shared library.
    pub fn is_shared_library(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.kind == LinkOutput::Shared)
    }

    /// The name it was linked under; a copy of the file may have another.
    pub fn name(&self) -> String {
        let output = self.link.as_ref().map_or(&self.path, |link| &link.output);
        output.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The modules in the order in which their code was linked. The records of sources that the link command compiled itself
/// follow those that the linker took from objects.
fn in_link_order(modules: Vec<Module>, absent: &[Absent], link: &Link) -> Vec<Module> {
    let is_absent = |source: &str| absent.iter().any(|absent| absent.source == source);
    let is_compiled = |item: &LinkItem| matches!(item, LinkItem::Source(source) if !is_absent(source));
    let sources = link.items.iter().filter(|item| is_compiled(item)).count();
    let in_objects = |item: &LinkItem| if let LinkItem::Carrying { modules, .. } = item { *modules } else { 0 };
    let from_objects = link.items.iter().map(in_objects).fold(0, usize::saturating_add);
    let Some(linked) = modules.len().checked_sub(sources) else { return modules };
    let mut from_archives = linked.saturating_sub(from_objects);

    let mut modules = modules;
    let mut compiled = modules.split_off(linked).into_iter();
    let mut linked = modules.into_iter();
    let mut ordered = Vec::new();
    for item in &link.items {
        match item {
            item if is_compiled(item) => ordered.extend(compiled.next()),
            LinkItem::Carrying { modules, .. } => ordered.extend(linked.by_ref().take(*modules)),
            // Which members were linked is not recorded; the first library stands for all.
            LinkItem::Archive { carrying, .. } if *carrying > 0 => {
                ordered.extend(linked.by_ref().take(std::mem::take(&mut from_archives)));
            }
            _ => {}
        }
    }
    ordered.extend(linked.chain(compiled));
    ordered
}

fn linked_file(named: &Path, path: &Path, content: ContentHash) -> LinkedFile {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    LinkedFile { path: named.to_owned(), name, content }
}

fn plain_inputs(link: &Link) -> Vec<(PathBuf, String)> {
    let plain = link.items.iter().filter_map(|item| match item {
        LinkItem::Plain { path, reason } => Some((link.resolve(path), reason.clone())),
        _ => None,
    });
    plain.collect()
}

/// What a file that is not an ELF file seems to be.
fn script_hint(path: &Path, data: &[u8]) -> String {
    let text = String::from_utf8_lossy(&data[..data.len().min(4096)]);
    if text.starts_with("#!") && text.contains("libtool") {
        let directory = path.parent().unwrap_or(Path::new(""));
        let program = directory.join(".libs").join(path.file_name().unwrap_or_default());
        return format!("; it is a libtool wrapper script, the program is {}", program.display());
    }
    if text.starts_with("#!") { "; it is a script".to_owned() } else { String::new() }
}
