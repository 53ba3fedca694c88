//! A sandbox in which the files of an input are laid out.

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use byway_confine::{Reset, Sandbox};
use byway_input::{ConcreteInput, FileMap, Fixture, InputFile, SymbolicFiles, is_of_machine};

use crate::error::ExecError;
use crate::options::SandboxOptions;
use crate::places::places;
use crate::run::Symbolic;

/// A sandbox, and what is laid out in it.
#[derive(Debug)]
pub struct PreparedSandbox {
    pub inner: Sandbox,
    unconfined: bool,
    laid_out: Option<(Arc<Fixture>, FileMap)>,
    /// The names of the files that are laid out, as patterns.
    patterns: Vec<OsString>,
}

/// Whether services of the sandbox are still there.
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

impl PreparedSandbox {
    /// A sandbox in which all these inputs can be laid out.
    pub fn new<'a>(
        options: &SandboxOptions,
        inputs: impl IntoIterator<Item = &'a ConcreteInput>,
    ) -> Result<PreparedSandbox, ExecError> {
        let sandbox = match options.unconfined {
            true => Sandbox::unconfined(&options.settings)?,
            false => {
                let places = options.settings.places.iter().cloned().chain(places(inputs)).collect();
                Sandbox::start(&byway_confine::SandboxSettings { places, ..options.settings.clone() })?
            }
        };
        Ok(PreparedSandbox { inner: sandbox, unconfined: options.unconfined, laid_out: None, patterns: Vec::new() })
    }

    /// Lays out an input, and undoes what runs wrote.
    pub fn prepare(&mut self, input: &ConcreteInput) -> Result<Services, ExecError> {
        let fixture = &input.fixture;
        let same = self.laid_out.take().filter(|(laid_out, _)| Arc::ptr_eq(laid_out, fixture));
        let is_new = same.is_none();
        let (services, before) = match same {
            Some((_, files)) => (self.inner.reset()?.into(), files),
            None => {
                let services = self.inner.clear()?.into();
                self.lay_out(fixture)?;
                (services, FileMap::default())
            }
        };
        let mut has_other_names = is_new;
        for (path, _) in before.changed_from(&input.files).filter(|(path, _)| input.files.get(path).is_none()) {
            let removed = self.inner.remove(&self.name(fixture, path));
            removed.map_err(|error| bad(fixture, path, "cannot be removed", &error))?;
            has_other_names = true;
        }
        for (path, file) in input.files.changed_from(&before) {
            self.write(fixture, path, file)?;
            has_other_names |= before.get(path).is_none();
        }
        if has_other_names {
            self.patterns = self.names_as_patterns(input);
        }
        self.laid_out = Some((Arc::clone(fixture), input.files.clone()));
        Ok(services)
    }

    /// Writes a file that is none of the input's; the next input does not find it.
    pub fn write_beside(&mut self, fixture: &Fixture, path: &Path, content: Vec<u8>) -> Result<(), ExecError> {
        let file = InputFile::from(content);
        self.write(fixture, path, &file)?;
        if let Some((_, files)) = &mut self.laid_out {
            files.insert(path.to_owned(), file);
        }
        Ok(())
    }

    fn names_as_patterns(&self, input: &ConcreteInput) -> Vec<OsString> {
        let paths = input.files.iter().map(|(path, _)| path);
        let paths = paths.filter(|path| !self.unconfined || !is_of_machine(path));
        let names = paths.map(|path| self.inner.path().join(self.name(&input.fixture, path)));
        names.map(|name| Symbolic::pattern_of(name.as_os_str())).collect()
    }

    /// The files that are symbolic, as patterns.
    pub fn patterns(&self, fixture: &Fixture, files: SymbolicFiles) -> Vec<OsString> {
        match files {
            SymbolicFiles::None => Vec::new(),
            SymbolicFiles::OfInput => self.patterns.clone(),
            SymbolicFiles::InDirectory => {
                let mut pattern = Symbolic::pattern_of(self.directory_path(fixture).as_os_str());
                pattern.push("/*");
                vec![pattern]
            }
        }
    }

    /// The working directory of an input, as programs see it.
    pub fn directory(&self, fixture: &Fixture) -> Result<OwnedFd, ExecError> {
        let Some(directory) = &fixture.directory else {
            return self.inner.directory().try_clone_to_owned().map_err(ExecError::Machine);
        };
        let opened = self.inner.open_directory(&self.name(fixture, directory));
        opened.map_err(|error| bad(fixture, directory, "is no directory to run in", &error))
    }

    /// The same by name.
    pub fn directory_path(&self, fixture: &Fixture) -> PathBuf {
        match &fixture.directory {
            Some(directory) => self.inner.path().join(self.name(fixture, directory)),
            None => self.inner.path().to_owned(),
        }
    }

    /// What a file that programs saw is called in the input, if that is another name.
    pub fn path_in_input(&self, fixture: &Fixture, path: &Path) -> Option<PathBuf> {
        let is_moved = self.unconfined && fixture.directory.is_some();
        let inner = path.strip_prefix(self.inner.path()).ok().filter(|_| is_moved)?;
        Some(Path::new("/").join(inner))
    }

    fn lay_out(&mut self, fixture: &Fixture) -> Result<(), ExecError> {
        for path in &fixture.absent {
            let name = self.name(fixture, path);
            // What cannot be hidden belongs to the machine, or holds what other inputs need.
            ignore(self.inner.hide(&name), || true).map_err(|error| bad(fixture, path, "cannot be hidden", &error))?;
        }
        for path in fixture.directories.iter().chain(&fixture.directory) {
            let name = self.name(fixture, path);
            let made = self.inner.make_directory(&name);
            ignore(made, || path.is_dir()).map_err(|error| bad(fixture, path, "cannot be made", &error))?;
        }
        for (path, target) in &fixture.links {
            let made = self.inner.link(&self.name(fixture, path), target.as_os_str());
            let is_so = || std::fs::read_link(path).is_ok_and(|there| there == *target);
            ignore(made, is_so).map_err(|error| bad(fixture, path, "cannot be made", &error))?;
        }
        Ok(())
    }

    fn write(&mut self, fixture: &Fixture, path: &Path, file: &InputFile) -> Result<(), ExecError> {
        let name = self.name(fixture, path);
        let written = match file.mode {
            Some(mode) => self.inner.write_as(&name, &file.content, mode),
            None => self.inner.write(&name, &file.content),
        };
        let is_so = || byway_file::read(path, byway_file::INPUT).is_ok_and(|there| there == *file.content);
        ignore(written, is_so).map_err(|error| bad(fixture, path, "cannot be written", &error))
    }

    /// What a path is called in the sandbox. Without walls, all but what belongs to the machine is below a temporary directory,
    /// so that relative paths lead to it.
    fn name(&self, fixture: &Fixture, path: &Path) -> PathBuf {
        let Some(directory) = &fixture.directory else { return path.to_owned() };
        let path = directory.join(path);
        match path.strip_prefix("/") {
            Ok(inner) if self.unconfined && !is_of_machine(&path) && !path.starts_with(self.inner.path()) => {
                inner.to_owned()
            }
            _ => path,
        }
    }
}

/// What cannot be laid out need not be if it is there already, outside.
fn ignore(done: io::Result<()>, is_there: impl FnOnce() -> bool) -> io::Result<()> {
    done.or_else(|error| if error.kind() == io::ErrorKind::InvalidInput && is_there() { Ok(()) } else { Err(error) })
}

fn bad(fixture: &Fixture, path: &Path, what: &str, error: &io::Error) -> ExecError {
    ExecError::Input { label: fixture.label.clone(), why: format!("{} {what}: {error}", path.display()) }
}
