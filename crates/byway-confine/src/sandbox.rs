//! The sandbox, as seen from outside.

use std::ffi::OsStr;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::fs::{Mode, OFlags, ResolveFlags, fstatvfs, open, openat2};
use rustix::io::Errno;
use tempfile::TempDir;

use crate::available;
use crate::cover;
use crate::error::ConfineError;
use crate::group::Group;
use crate::link::{Link, Service, Swept};
use crate::mounts::{self, Plan};
use crate::parts::{Parts, parts, unconfined_parts};
use crate::settings::{Directory, Ended, ProcessSpec, SandboxSettings};
use crate::start::{Started, start_helper};
use crate::writable::{PathChange, WritableDirectory};

/// With more than these to look at after every run, a new sandbox is cheaper.
const MAX_KNOWN: usize = 4096;

/// What a reset did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reset {
    /// There was nothing to do.
    Clean,
    /// What had changed is again as it was.
    Restored,
    /// So much had changed that the sandbox was made anew: its services are gone, and the descriptor of its directory is
    /// another one.
    Renewed,
}

/// A confined place in which programs run. All that is in it ends when this is dropped.
#[derive(Debug)]
pub struct Sandbox {
    settings: SandboxSettings,
    confined: bool,
    link: Arc<Link>,
    handle: Handle,
    /// The working directory.
    working: WritableDirectory,
    /// The files that an input replaces.
    replaced: Option<WritableDirectory>,
    /// Other places that can be written, and where they are.
    others: Vec<(PathBuf, WritableDirectory)>,
    /// The root as programs see it. Without walls it is everybody's.
    root: Option<OwnedFd>,
    /// The file system of all that is written.
    scratch: Option<OwnedFd>,
    path: PathBuf,
    without: Vec<String>,
    /// Where the memory of programs is counted, or why it is not.
    group: Result<Group, String>,
    /// The working directory of an unconfined sandbox.
    _temporary: Option<TempDir>,
}

impl Sandbox {
    /// Makes a sandbox.
    pub fn start(settings: &SandboxSettings) -> Result<Sandbox, ConfineError> {
        let directory = working_directory(settings)?;
        let places = settings.places.iter().map(|place| place_of(place)).collect::<Result<_, _>>()?;
        let settings = SandboxSettings { places, ..settings.clone() };
        Sandbox::make(Plan { confined: true, settings, directory }, None)
    }

    /// Makes a sandbox without walls, for who asks for it: programs run in a temporary directory, with limits of time,
    /// memory and file size, and what they leave behind is killed; but they reach all that we reach. Files outside the
    /// working directory cannot be replaced.
    pub fn unconfined(settings: &SandboxSettings) -> Result<Sandbox, ConfineError> {
        let temporary = TempDir::with_prefix("byway-").map_err(|source| wall("to make a directory", source))?;
        let directory = temporary.path().canonicalize().map_err(|source| wall("to find a directory", source))?;
        let plan = Plan { confined: false, settings: settings.clone(), directory };
        Sandbox::make(plan, Some(temporary))
    }

    fn make(plan: Plan, temporary: Option<TempDir>) -> Result<Sandbox, ConfineError> {
        let group = Group::new(&plan.settings);
        let Started { link, ready, owner } = start_helper(&plan, group.as_ref().ok())?;
        let Plan { settings, directory: path, confined } = plan;
        let is_grouped = ready.number(1) != 0;
        let parts = if confined { parts(ready, owner) } else { unconfined_parts(&settings, &path) };
        let group = if is_grouped { group } else { group.and(Err("programs cannot be moved to a cgroup".to_owned())) };
        let mut parts = parts.map_err(|source| wall("to look into the sandbox", source))?;
        let others = parts.others.iter_mut().filter(|(place, _)| settings.places.contains(place));
        let writables =
            std::iter::once((&path, &mut parts.working)).chain(others.map(|(place, writable)| (&*place, writable)));
        for (place, writable) in writables.filter(|(place, _)| parts.to_copy.contains(place)) {
            writable.copy(settings.disk).map_err(|error| not_copied(place, settings.disk, &error))?;
        }
        if confined && available::landlock().is_err() {
            parts.without.push("Landlock: only mounts keep programs from writing".to_owned());
        }
        if confined && owner.is_none() && rustix::process::geteuid().is_root() {
            parts.without.push("a limit of processes: they run as root".to_owned());
        }
        let Parts { working, replaced, others, scratch, root, without, .. } = parts;
        let (link, _temporary) = (Arc::new(link), temporary);
        let handle = Handle::new(&link);
        Ok(Sandbox {
            settings,
            confined,
            link,
            handle,
            working,
            replaced,
            others,
            root,
            scratch,
            path,
            without,
            group,
            _temporary,
        })
    }

    /// The working directory as programs see it. From outside, what is in it can be opened relative to this.
    pub fn directory(&self) -> BorrowedFd<'_> {
        self.working.directory()
    }

    /// The name of the working directory, as programs see it.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What this sandbox does without, since the machine does not have it.
    pub fn without(&self) -> &[String] {
        &self.without
    }

    /// The control group in which the kernel counts the memory of programs, or why there is none: then it is watched.
    pub fn memory_group(&self) -> Result<&Path, &str> {
        self.group.as_ref().map(Group::path).map_err(String::as_str)
    }

    /// A directory as programs see it.
    pub fn open_directory(&self, path: &Path) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Some(root) = &self.root else { return Ok(open(self.path.join(path), flags, Mode::empty())?) };
        // Links that programs made lead nowhere but into the sandbox.
        let resolve = ResolveFlags::IN_ROOT | ResolveFlags::NO_MAGICLINKS;
        Ok(openat2(root, self.path.join(path), flags, Mode::empty(), resolve)?)
    }

    /// Writes a file of an input: by a path relative to the working directory, by an absolute one in a place that can be
    /// written, or one of [`SandboxSettings::replaced`]. It is cheap if the file is already so. A reset keeps it.
    pub fn write(&mut self, path: &Path, content: &[u8]) -> io::Result<()> {
        self.write_with(path, content, None)
    }

    /// The same with permissions.
    pub fn write_as(&mut self, path: &Path, content: &[u8], mode: u32) -> io::Result<()> {
        self.write_with(path, content, Some(mode))
    }

    fn write_with(&mut self, path: &Path, content: &[u8], mode: Option<u32>) -> io::Result<()> {
        if let Some(index) = self.settings.replaced.iter().position(|replaced| replaced == path) {
            let writable = self.replaced.as_mut().ok_or(io::ErrorKind::Unsupported)?;
            return writable.write(&mounts::replaced_name(index), content, mode);
        }
        self.change(path, |writable, path| writable.write(path, content, mode))
    }

    /// Makes a directory of an input, and those that lead to it.
    pub fn make_directory(&mut self, path: &Path) -> io::Result<()> {
        self.change(path, |writable, path| writable.make_directory(path))
    }

    /// Makes a symbolic link of an input.
    pub fn link(&mut self, path: &Path, target: &OsStr) -> io::Result<()> {
        self.change(path, |writable, path| writable.link(path, target))
    }

    /// Has nothing be at a path, whatever is there outside.
    pub fn hide(&mut self, path: &Path) -> io::Result<()> {
        self.change(path, |writable, path| writable.hide(path))
    }

    /// Undoes what these did at a path.
    pub fn remove(&mut self, path: &Path) -> io::Result<()> {
        let (writable, path) = self.inside(path)?;
        writable.remove(&path)
    }

    fn change(
        &mut self,
        path: &Path,
        change: impl FnOnce(&mut WritableDirectory, &Path) -> io::Result<()>,
    ) -> io::Result<()> {
        let (writable, inner) = self.inside(path)?;
        let changed = change(writable, &inner);
        let depth = inner.components().count();
        changed.map_err(|error| whose(self.path.join(path).ancestors().take(depth).skip(1), error))
    }

    /// Whether a path is in a place that can be written.
    pub fn is_writable(&self, path: &Path) -> bool {
        let places = std::iter::once(&self.path).chain(self.others.iter().map(|(place, _)| place));
        path.is_relative() || places.into_iter().any(|place| path.starts_with(place))
    }

    /// The innermost place that a path is in, and the path there.
    fn inside(&mut self, path: &Path) -> io::Result<(&mut WritableDirectory, PathBuf)> {
        let absolute = self.path.join(path);
        let places = std::iter::once((&self.path, &mut self.working));
        let others = self.others.iter_mut().map(|(place, writable)| (&*place, writable));
        let within = places.chain(others).filter(|(place, _)| absolute.starts_with(place));
        let innermost = within.max_by_key(|(place, _)| place.components().count());
        let bad = || io::Error::new(io::ErrorKind::InvalidInput, "not a path in a place that can be written");
        let (place, writable) = innermost.ok_or_else(bad)?;
        let plain: PathBuf = absolute.strip_prefix(place).map_err(|_| bad())?.components().collect();
        if plain.as_os_str().is_empty() || !mounts::is_plain(&plain) {
            return Err(bad());
        }
        Ok((writable, plain))
    }

    fn writables(&mut self) -> impl Iterator<Item = &mut WritableDirectory> {
        let others = self.others.iter_mut().map(|(_, writable)| writable);
        std::iter::once(&mut self.working).chain(&mut self.replaced).chain(others)
    }

    /// Shows all that programs changed since the last [`reset`](Cell::reset) in the places that they can write, by the paths
    /// under which programs find them.
    pub fn each_change(&self, see: &mut dyn FnMut(&Path, PathChange) -> io::Result<()>) -> io::Result<()> {
        let others = self.others.iter().map(|(place, writable)| (place, writable));
        for (place, writable) in std::iter::once((&self.path, &self.working)).chain(others) {
            writable.each_change(&mut |path, change| see(&place.join(path), change))?;
        }
        Ok(())
    }

    /// Undoes what programs wrote. What [`write`](Cell::write) and its like did is so again.
    pub fn reset(&mut self) -> Result<Reset, ConfineError> {
        let reset = self.writables().try_fold(false, |changed, writable| Ok(writable.reset()? || changed));
        match reset {
            Ok(true) => Ok(Reset::Restored),
            Ok(false) => Ok(Reset::Clean),
            Err(error) => self.renew(error),
        }
    }

    /// Undoes what programs wrote, and all that [`write`](Cell::write) and its like did.
    pub fn clear(&mut self) -> Result<Reset, ConfineError> {
        let too_large = self.writables().any(|writable| writable.size() > MAX_KNOWN);
        let cleared = match too_large {
            true => Err(io::Error::other("too much was changed")),
            false => self.writables().try_fold(false, |changed, writable| Ok(writable.reset_and_clear()? || changed)),
        };
        match cleared {
            Ok(true) => Ok(Reset::Restored),
            Ok(false) => Ok(Reset::Clean),
            Err(error) if !self.confined => Err(ConfineError::Restore(error)),
            Err(_) => {
                let sandbox = Sandbox::start(&self.settings)?;
                Ok(self.become_it(sandbox))
            }
        }
    }

    /// Makes the sandbox anew, with the same files of inputs.
    fn renew(&mut self, why: io::Error) -> Result<Reset, ConfineError> {
        if !self.confined {
            return Err(ConfineError::Restore(why));
        }
        let mut sandbox = Sandbox::start(&self.settings)?;
        for (new, old) in sandbox.writables().zip(self.writables()) {
            new.take_over(old).map_err(ConfineError::Restore)?;
        }
        Ok(self.become_it(sandbox))
    }

    /// Another sandbox takes our place, and ends by the same handles.
    fn become_it(&mut self, mut sandbox: Sandbox) -> Reset {
        self.handle.follow(&sandbox.link);
        sandbox.handle = self.handle.clone();
        *self = sandbox;
        Reset::Renewed
    }

    /// Runs a program and waits for its end. All that it started is gone then.
    pub fn run(&mut self, task: &ProcessSpec<'_>) -> Result<Ended, ConfineError> {
        let ended = self.link.run(task).map_err(|error| self.explained(error))?;
        Ok(Ended { disk_full: self.is_disk_full(), ..ended })
    }

    /// Starts a program that goes on, and inherits a socket whose number it finds in a variable of its environment.
    pub fn start_service(
        &mut self,
        task: &ProcessSpec<'_>,
        socket: BorrowedFd<'_>,
        variable: &OsStr,
    ) -> Result<Service, ConfineError> {
        self.link.service(task, socket, variable).map_err(|error| self.explained(error))
    }

    /// Says it if what is not found may be outside, where this sandbox has no view of.
    fn explained(&self, error: ConfineError) -> ConfineError {
        match error {
            ConfineError::Start { program, source }
                if source.kind() == io::ErrorKind::NotFound && !self.without.is_empty() =>
            {
                let without = self.without.join(", without ");
                let why = format!(
                    "{source}: it, or its directory, may be missing in the sandbox, which was made without {without}; \
                     unmount that, or use other directories"
                );
                ConfineError::Start { program, source: io::Error::new(io::ErrorKind::NotFound, why) }
            }
            error => error,
        }
    }

    /// A handle for who may have to end this sandbox while somebody waits for a run.
    pub fn handle(&self) -> Handle {
        self.handle.clone()
    }

    /// Kills all processes in the sandbox but the services.
    pub fn sweep(&mut self) -> Result<Swept, ConfineError> {
        self.link.sweep()
    }

    /// Whether there is no space left for programs to write to.
    pub fn is_disk_full(&self) -> bool {
        let space = self.scratch.as_ref().and_then(|scratch| fstatvfs(scratch).ok());
        space.is_some_and(|space| space.f_bavail == 0 || space.f_ffree == 0)
    }
}

/// Ends a sandbox from elsewhere: who waits for a run in it hears that the sandbox is gone. It stays that of a sandbox that is renewed.
#[derive(Debug, Clone)]
pub struct Handle(Arc<Mutex<Ends>>);

#[derive(Debug)]
struct Ends {
    link: Arc<Link>,
    is_ended: bool,
}

impl Handle {
    fn new(link: &Arc<Link>) -> Handle {
        Handle(Arc::new(Mutex::new(Ends { link: link.clone(), is_ended: false })))
    }

    fn lock(&self) -> MutexGuard<'_, Ends> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the sandbox and all that is in it.
    pub fn end(&self) {
        self.cut().end();
    }

    /// Ends several sandboxes at the same time.
    pub fn end_all(handles: impl IntoIterator<Item = Handle>) {
        let links: Vec<_> = handles.into_iter().map(|handle| handle.cut()).collect();
        links.iter().for_each(|link| link.end());
    }

    /// Has the sandbox end, without waiting for it.
    fn cut(&self) -> Arc<Link> {
        let mut ends = self.lock();
        ends.is_ended = true;
        ends.link.cut();
        ends.link.clone()
    }

    /// A sandbox is in the place of the one before.
    fn follow(&self, link: &Arc<Link>) {
        let is_ended = {
            let mut ends = self.lock();
            ends.link = link.clone();
            ends.is_ended
        };
        if is_ended {
            link.end();
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.link.end();
    }
}

pub(crate) fn wall(what: impl Into<String>, source: io::Error) -> ConfineError {
    ConfineError::Wall { what: what.into(), source }
}

fn working_directory(settings: &SandboxSettings) -> Result<PathBuf, ConfineError> {
    match &settings.directory {
        Directory::Empty => Ok(PathBuf::from(mounts::EMPTY)),
        Directory::CopyOf(directory) => place_of(directory),
    }
}

/// A directory over which something can be laid, by its own name.
fn place_of(directory: &Path) -> Result<PathBuf, ConfineError> {
    let bad = |why: String| ConfineError::Directory { directory: directory.to_owned(), why };
    let path = directory.canonicalize().map_err(|error| bad(error.to_string()))?;
    let special = ["/dev", "/proc", "/sys"].iter().any(|special| path.starts_with(special));
    if path == Path::new("/") || special {
        return Err(bad("choose one that holds only what the programs need".to_owned()));
    }
    if !path.is_dir() {
        return Err(bad("it is no directory".to_owned()));
    }
    Ok(path)
}

fn not_copied(directory: &Path, limit: u64, error: &io::Error) -> ConfineError {
    let points = cover::mount_points();
    let mounted = cover::mounted_below(&points, directory).map_or_else(String::new, |point| {
        format!(
            "something is mounted at {}, so it has to be copied; unmount that, or choose another directory: ",
            point.display()
        )
    });
    let why = format!("{mounted}it cannot be copied: {error} (at most {limit} bytes may be in it)");
    ConfineError::Directory { directory: directory.to_owned(), why }
}

/// Says it if something cannot be changed since one of the directories it is in is not ours: an overlay cannot copy what
/// belongs to somebody whom the sandbox does not know.
fn whose<'a>(mut directories: impl Iterator<Item = &'a Path>, error: io::Error) -> io::Error {
    let is_unknown = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::OVERFLOW) => true,
        Some(Errno::ACCESS) => false,
        _ => return error,
    };
    let (user, group) = (rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw());
    let of = |directory: &Path| {
        let there = std::fs::symlink_metadata(directory).ok()?;
        let whose = match () {
            () if there.uid() != user => "somebody else",
            () if is_unknown && there.gid() != group => "a group that is not our own",
            () => return None,
        };
        Some(format!("{} belongs to {whose}", directory.display()))
    };
    let why = directories.find_map(of);
    why.map_or(error, |why| io::Error::new(io::ErrorKind::PermissionDenied, why))
}
