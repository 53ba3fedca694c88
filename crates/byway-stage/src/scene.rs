//! A cell in which the files of a seed are laid out.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_confine::{Cell, Reset};
use byway_exec::Symbolic;
use byway_suite::{Seed, is_of_machine};

use crate::error::StageError;
use crate::given::Given;
use crate::places::places;
use crate::runner::Site;

/// A cell, and what is laid out in it.
#[derive(Debug)]
pub struct Scene {
    pub cell: Cell,
    unconfined: bool,
    loaded: Option<Arc<Seed>>,
    /// Files that are other than in the seed.
    changed: Vec<PathBuf>,
    /// The names of the seed's files, as patterns.
    patterns: Vec<OsString>,
}

/// Whether services of the cell are still there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Services {
    Remain,
    Gone,
}

impl From<Reset> for Services {
    fn from(reset: Reset) -> Services {
        if reset == Reset::Renewed { Services::Gone } else { Services::Remain }
    }
}

impl Scene {
    /// A cell in which all these seeds can be laid out.
    pub fn new(site: &Site, seeds: &[Arc<Seed>]) -> Result<Scene, StageError> {
        let cell = match site.unconfined {
            true => Cell::unconfined(&site.cell)?,
            false => {
                let places = site.cell.places.iter().cloned().chain(places(seeds)).collect();
                Cell::start(&byway_confine::Settings { places, ..site.cell.clone() })?
            }
        };
        let unconfined = site.unconfined;
        Ok(Scene { cell, unconfined, loaded: None, changed: Vec::new(), patterns: Vec::new() })
    }

    /// Lays out a seed, in the place of the one before.
    pub fn load(&mut self, seed: &Arc<Seed>) -> Result<Services, StageError> {
        if self.loaded.as_ref().is_some_and(|loaded| Arc::ptr_eq(loaded, seed)) {
            return Ok(Services::Remain);
        }
        self.loaded = None;
        self.changed.clear();
        let services = self.cell.clear()?.into();
        self.lay_out(seed)?;
        let files = seed.files.iter().filter(|file| !self.unconfined || !is_of_machine(&file.path));
        let names = files.map(|file| self.cell.path().join(self.name(&file.path)));
        self.patterns = names.map(|name| Symbolic::pattern_of(name.as_os_str())).collect();
        self.loaded = Some(Arc::clone(seed));
        Ok(services)
    }

    /// Lays out an input, and undoes what runs wrote.
    pub fn prepare(&mut self, given: &Given) -> Result<Services, StageError> {
        let loaded = self.load(&given.seed)?;
        let reset = self.cell.reset()?.into();
        for path in std::mem::take(&mut self.changed) {
            if !given.files.contains_key(&path) {
                self.change(&given.seed, &path, None)?;
            }
        }
        for (path, content) in &given.files {
            self.change(&given.seed, path, Some(content))?;
            self.changed.push(path.clone());
        }
        Ok(if [loaded, reset].contains(&Services::Gone) { Services::Gone } else { Services::Remain })
    }

    /// Which files of the loaded seed are symbolic: all, or without walls those that are laid out.
    pub fn patterns(&self) -> &[OsString] {
        &self.patterns
    }

    /// The directory of the loaded seed, as programs see it.
    pub fn directory(&self, seed: &Seed) -> Result<OwnedFd, StageError> {
        let opened = self.cell.open_directory(&self.name(&seed.directory));
        opened.map_err(|error| bad(seed, &seed.directory, "is no directory to run in", &error))
    }

    /// The same by name.
    pub fn directory_path(&self, seed: &Seed) -> PathBuf {
        self.cell.path().join(self.name(&seed.directory))
    }

    /// What a file that programs saw is called in the seed, if that is another name.
    pub fn path_in_seed(&self, path: &Path) -> Option<PathBuf> {
        let inner = path.strip_prefix(self.cell.path()).ok().filter(|_| self.unconfined)?;
        Some(Path::new("/").join(inner))
    }

    fn lay_out(&mut self, seed: &Seed) -> Result<(), StageError> {
        for path in &seed.absent {
            let name = self.name(path);
            // What cannot be hidden belongs to the machine, or holds what other seeds need.
            ignore(self.cell.hide(&name), || true).map_err(|error| bad(seed, path, "cannot be hidden", &error))?;
        }
        for path in seed.directories.iter().chain([&seed.directory]) {
            let name = self.name(path);
            let made = self.cell.make_directory(&name);
            ignore(made, || path.is_dir()).map_err(|error| bad(seed, path, "cannot be made", &error))?;
        }
        for (path, target) in &seed.links {
            let made = self.cell.link(&self.name(path), target.as_os_str());
            let is_so = || std::fs::read_link(path).is_ok_and(|there| there == *target);
            ignore(made, is_so).map_err(|error| bad(seed, path, "cannot be made", &error))?;
        }
        for file in &seed.files {
            let written = self.cell.write_as(&self.name(&file.path), &file.content, file.mode);
            let is_so = || byway_file::read(&file.path, byway_file::INPUT).is_ok_and(|there| *there == *file.content);
            ignore(written, is_so).map_err(|error| bad(seed, &file.path, "cannot be written", &error))?;
        }
        Ok(())
    }

    /// Makes a file another, or again what it is in the seed.
    fn change(&mut self, seed: &Seed, path: &Path, content: Option<&[u8]>) -> Result<(), StageError> {
        let name = self.name(path);
        let file = seed.files.iter().find(|file| file.path == path);
        let changed = match (content.or(file.map(|file| &*file.content)), file) {
            (Some(content), Some(file)) => self.cell.write_as(&name, content, file.mode),
            (Some(content), None) => self.cell.write(&name, content),
            (None, _) => self.cell.remove(&name),
        };
        changed.map_err(|error| bad(seed, path, "cannot be written", &error))
    }

    /// What a path is called in the cell. Without walls, all but what belongs to the machine is below a temporary directory,
    /// so that relative paths lead to it.
    fn name(&self, path: &Path) -> PathBuf {
        match path.strip_prefix("/") {
            Ok(inner) if self.unconfined && !is_of_machine(path) => inner.to_owned(),
            _ => path.to_owned(),
        }
    }
}

/// What cannot be laid out need not be if it is there already, outside.
fn ignore(done: io::Result<()>, is_there: impl FnOnce() -> bool) -> io::Result<()> {
    done.or_else(|error| if error.kind() == io::ErrorKind::InvalidInput && is_there() { Ok(()) } else { Err(error) })
}

fn bad(seed: &Seed, path: &Path, what: &str, error: &io::Error) -> StageError {
    StageError::Seed { seed: seed.name.clone(), why: format!("{} {what}: {error}", path.display()) }
}
