//! The cell, as seen from outside.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use rustix::fs::{Gid, Uid, fstatvfs};
use rustix::process::Pid;
use tempfile::TempDir;

use crate::area::Area;
use crate::available;
use crate::error::ConfineError;
use crate::helper::{self, report};
use crate::link::{Link, Service, Swept};
use crate::mounts::{self, Plan, kind};
use crate::settings::{Directory, Ended, Settings, Task};
use crate::wire::{self, Message};

/// How long a helper may take to make a cell.
const SETUP: Duration = Duration::from_secs(20);
/// The owner, outside, of what root of a cell owns.
const NOBODY: u32 = 65534;

/// What a reset did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// There was nothing to do.
    Clean,
    /// What had changed is again as it was.
    Restored,
    /// So much had changed that the cell was made anew: its services are gone, and the descriptor of its directory is
    /// another one.
    Renewed,
}

/// A confined place in which programs run. All that is in it ends when this is dropped.
#[derive(Debug)]
pub struct Cell {
    settings: Settings,
    confined: bool,
    link: Arc<Link>,
    /// The working directory.
    working: Area,
    /// The files that an input replaces.
    replaced: Option<Area>,
    /// Other places that can be written.
    others: Vec<Area>,
    /// The file system of all that is written.
    scratch: Option<OwnedFd>,
    path: PathBuf,
    without: Vec<String>,
    /// The working directory of an unconfined cell.
    _temporary: Option<TempDir>,
}

impl Cell {
    /// Makes a cell.
    pub fn start(settings: &Settings) -> Result<Cell, ConfineError> {
        let path = working_directory(settings)?;
        let plan = Plan { confined: true, settings: settings.clone(), directory: path };
        Cell::make(plan, None)
    }

    /// Makes a cell without walls, for who asks for it: programs run in a temporary directory, with limits of time,
    /// memory and file size, and what they leave behind is killed; but they reach all that we reach. Files outside the
    /// working directory cannot be replaced.
    pub fn unconfined(settings: &Settings) -> Result<Cell, ConfineError> {
        let temporary = TempDir::with_prefix("byway-").map_err(|source| wall("to make a directory", source))?;
        let directory = temporary.path().to_owned();
        let plan = Plan { confined: false, settings: settings.clone(), directory };
        Cell::make(plan, Some(temporary))
    }

    fn make(plan: Plan, temporary: Option<TempDir>) -> Result<Cell, ConfineError> {
        let Started { link, ready, owner } = start_helper(&plan)?;
        let Plan { settings, directory: path, confined } = plan;
        let parts = if confined { parts(ready, owner) } else { unconfined_parts(&settings, &path) };
        let mut parts = parts.map_err(|source| wall("to look into the cell", source))?;
        if parts.to_copy {
            parts.working.copy(settings.disk).map_err(|error| not_copied(&settings, &error))?;
        }
        if confined && available::landlock().is_err() {
            parts.without.push("Landlock: only mounts keep programs from writing".to_owned());
        }
        if confined && owner.is_none() && rustix::process::geteuid().is_root() {
            parts.without.push("a limit of processes: they run as root".to_owned());
        }
        let Parts { working, replaced, others, scratch, without, .. } = parts;
        let link = Arc::new(link);
        Ok(Cell { settings, confined, link, working, replaced, others, scratch, path, without, _temporary: temporary })
    }

    /// The working directory as programs see it. From outside, what is in it can be opened relative to this.
    pub fn directory(&self) -> BorrowedFd<'_> {
        self.working.directory()
    }

    /// The name of the working directory, as programs see it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What this cell does without, since the machine does not have it.
    pub fn without(&self) -> &[String] {
        &self.without
    }

    /// Writes a file of an input: by a path relative to the working directory, or one of [`Settings::replaced`]. It is
    /// cheap if the file is already so. A reset keeps it.
    pub fn write(&mut self, path: &Path, content: &[u8]) -> io::Result<()> {
        if let Some(index) = self.settings.replaced.iter().position(|replaced| replaced == path) {
            let area = self.replaced.as_mut().ok_or(io::ErrorKind::Unsupported)?;
            return area.write(&mounts::replaced_name(index), content);
        }
        let path = self.inside(path)?;
        self.working.write(&path, content)
    }

    /// Removes a file that [`write`](Cell::write) wrote into the working directory.
    pub fn remove(&mut self, path: &Path) -> io::Result<()> {
        let path = self.inside(path)?;
        self.working.remove(&path)
    }

    fn inside(&self, path: &Path) -> io::Result<PathBuf> {
        let path = path.strip_prefix(&self.path).unwrap_or(path);
        let plain: PathBuf = path.components().collect();
        let plain = plain.strip_prefix(".").map(Path::to_owned).unwrap_or(plain);
        if plain.as_os_str().is_empty() || !mounts::is_plain(&plain) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a path in the working directory"));
        }
        Ok(plain)
    }

    /// Undoes what programs wrote. What [`write`](Cell::write) wrote is there again, as it was written.
    pub fn reset(&mut self) -> Result<Reset, ConfineError> {
        let mut changed = false;
        let areas = std::iter::once(&mut self.working).chain(&mut self.replaced).chain(&mut self.others);
        for area in areas {
            match area.reset() {
                Ok(is_changed) => changed |= is_changed,
                Err(error) => return self.renew(error),
            }
        }
        Ok(if changed { Reset::Restored } else { Reset::Clean })
    }

    /// Makes the cell anew, with the same files of inputs.
    fn renew(&mut self, why: io::Error) -> Result<Reset, ConfineError> {
        if !self.confined {
            return Err(ConfineError::Restore(why));
        }
        let mut cell = Cell::start(&self.settings)?;
        cell.working.take_over(&self.working).map_err(ConfineError::Restore)?;
        if let (Some(new), Some(old)) = (&mut cell.replaced, &self.replaced) {
            new.take_over(old).map_err(ConfineError::Restore)?;
        }
        *self = cell;
        Ok(Reset::Renewed)
    }

    /// Runs a program and waits for its end. All that it started is gone then.
    pub fn run(&mut self, task: &Task<'_>) -> Result<Ended, ConfineError> {
        let ended = self.link.run(task)?;
        Ok(Ended { disk_full: self.is_disk_full(), ..ended })
    }

    /// Starts a program that goes on, and inherits a socket whose number it finds in a variable of its environment.
    pub fn start_service(
        &mut self,
        task: &Task<'_>,
        socket: BorrowedFd<'_>,
        variable: &OsStr,
    ) -> Result<Service, ConfineError> {
        self.link.service(task, socket, variable)
    }

    /// A handle for who may have to end this cell while somebody waits for a run. A cell that is renewed has another.
    pub fn handle(&self) -> Handle {
        Handle(Arc::clone(&self.link))
    }

    /// Kills all processes in the cell but the services.
    pub fn sweep(&mut self) -> Result<Swept, ConfineError> {
        self.link.sweep()
    }

    /// Whether there is no space left for programs to write to.
    pub fn is_disk_full(&self) -> bool {
        let space = self.scratch.as_ref().and_then(|scratch| fstatvfs(scratch).ok());
        space.is_some_and(|space| space.f_bavail == 0 || space.f_ffree == 0)
    }
}

/// Ends a cell from elsewhere: who waits for a run in it hears that the cell is gone.
#[derive(Debug, Clone)]
pub struct Handle(Arc<Link>);

impl Handle {
    /// Ends the cell and all that is in it.
    pub fn end(&self) {
        self.0.end();
    }
}

impl Drop for Cell {
    fn drop(&mut self) {
        self.link.end();
    }
}

fn wall(what: impl Into<String>, source: io::Error) -> ConfineError {
    ConfineError::Wall { what: what.into(), source }
}

fn working_directory(settings: &Settings) -> Result<PathBuf, ConfineError> {
    let Directory::CopyOf(directory) = &settings.directory else { return Ok(PathBuf::from(mounts::EMPTY)) };
    let bad = |why: String| ConfineError::Directory { directory: directory.clone(), why };
    let path = directory.canonicalize().map_err(|error| bad(error.to_string()))?;
    let special = ["/dev", "/proc", "/sys"].iter().any(|special| path.starts_with(special));
    if path == Path::new("/") || special {
        return Err(bad("choose one that holds only what the programs need".to_owned()));
    }
    Ok(path)
}

fn not_copied(settings: &Settings, error: &io::Error) -> ConfineError {
    let directory = match &settings.directory {
        Directory::CopyOf(directory) => directory.clone(),
        Directory::Empty => PathBuf::new(),
    };
    let why = format!("it cannot be copied: {error} (at most {} bytes may be in it)", settings.disk);
    ConfineError::Directory { directory, why }
}

/// What a cell consists of.
struct Parts {
    working: Area,
    replaced: Option<Area>,
    others: Vec<Area>,
    scratch: Option<OwnedFd>,
    without: Vec<String>,
    to_copy: bool,
}

fn unconfined_parts(settings: &Settings, path: &Path) -> io::Result<Parts> {
    let lower = match &settings.directory {
        Directory::CopyOf(directory) => Some(File::open(directory)?.into()),
        Directory::Empty => None,
    };
    let to_copy = lower.is_some();
    let working = Area::new(File::open(path)?.into(), None, lower, None)?;
    Ok(Parts { working, replaced: None, others: Vec::new(), scratch: None, without: Vec::new(), to_copy })
}

/// Takes the descriptors of a cell apart.
fn parts(ready: Message, owner: Option<(Uid, Gid)>) -> io::Result<Parts> {
    let missing = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let mut files = ready.files.into_iter();
    let mut file = || files.next().ok_or_else(missing);
    let scratch = Some(file()?);
    let kinds = &ready.numbers[1..];
    let mut areas = Vec::new();
    for kind in kinds {
        let directory = file()?;
        let upper = (*kind == kind::OVERLAY).then(&mut file).transpose()?;
        let lower = (*kind != kind::PLAIN).then(&mut file).transpose()?;
        areas.push(Area::new(directory, upper, lower, owner)?);
    }
    let without = ready.texts.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    let to_copy = kinds.first() == Some(&kind::TO_COPY);
    let mut areas = areas.into_iter();
    let working = areas.next().ok_or_else(missing)?;
    let replaced = areas.next();
    Ok(Parts { working, replaced, others: areas.collect(), scratch, without, to_copy })
}

struct Started {
    link: Link,
    ready: Message,
    owner: Option<(Uid, Gid)>,
}

/// Executes ourselves again, as a helper.
fn start_helper(plan: &Plan) -> Result<Started, ConfineError> {
    let broken = |source| ConfineError::Helper { what: "cannot be started", source };
    let (socket, theirs) = UnixStream::pair().map_err(broken)?;
    let mut command = Command::new("/proc/self/exe");
    command.arg0("byway-cell").arg(helper::ARGUMENT).stdin(OwnedFd::from(theirs)).stdout(Stdio::null());
    // A terminal's signals are for us; the cell ends when we say so, or are gone.
    command.process_group(0);
    let child = command.spawn().map_err(broken)?;
    drop(command);
    let pid = Pid::from_child(&child);
    let link_socket = socket.try_clone().map_err(broken)?;
    let link = Link::new(link_socket, child);
    let talked = talk(&socket, plan, pid);
    match talked {
        Ok((ready, owner)) => Ok(Started { link, ready, owner }),
        Err(error) => {
            drop(socket);
            link.end();
            Err(error)
        }
    }
}

/// What is said before a cell is ready.
fn talk(socket: &UnixStream, plan: &Plan, pid: Pid) -> Result<(Message, Option<(Uid, Gid)>), ConfineError> {
    let silent = |source| ConfineError::Helper { what: "does not answer", source };
    socket.set_read_timeout(Some(SETUP)).map_err(silent)?;
    wire::send(socket, &plan.to_message(), &[]).map_err(silent)?;
    let mut owner = None;
    loop {
        let message = wire::receive(socket).map_err(silent)?;
        match message.number(0) {
            report::AWAY => {
                let is_swapped = helper::introduce(pid).map_err(|source| wall("to map users", source))?;
                owner = is_swapped.then(|| (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY)));
                let numbers = vec![is_swapped.into()];
                wire::send(socket, &Message { numbers, ..Message::default() }, &[]).map_err(silent)?;
            }
            report::READY => {
                socket.set_read_timeout(None).map_err(silent)?;
                return Ok((message, owner));
            }
            _ => {
                let what = message.texts.first().map(|text| String::from_utf8_lossy(text).into_owned());
                let source = io::Error::from_raw_os_error(message.number(1) as i32);
                return Err(wall(what.unwrap_or_else(|| "to make a cell".to_owned()), source));
            }
        }
    }
}
