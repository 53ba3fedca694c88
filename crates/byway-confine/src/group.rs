//! A control group of the kernel (cgroup v2) for the programs of a sandbox: there, all memory counts that they take, also that
//! of the kernel and memory that no process has mapped in.
//!
//! A group can be made beside our own, if the directory they are in is ours (root, or a user whose session manager hands
//! it over), or in our own, if that hands its memory on already. The first process of the sandbox is not in the group: when the
//! kernel kills for memory, that one has to see it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crate::settings::SandboxSettings;

/// What else may be charged to a group, such as programs that begin, before the kernel kills.
const SLACK: u64 = 64 << 20;
/// How often a group is tried to be removed: the kernel takes a while to forget processes.
const TRIES: u32 = 50;
/// How the names of our groups begin; the number of the process that made it follows.
const PREFIX: &str = "byway-";
/// The files of a group, in the order in which they are handed on, and whether they are written.
#[rustfmt::skip]
const FILES: [(&str, bool); 5] = [
    ("cgroup.procs", true), ("memory.max", true), ("memory.current", false), ("memory.stat", false), ("memory.events", false),
];

/// A group, as who made it sees it. It is removed when this is dropped, if all in it have ended.
#[derive(Debug)]
pub struct Group {
    path: PathBuf,
    files: Vec<OwnedFd>,
}

impl Group {
    /// Makes a group for programs that may take so much memory, or says why there can be none.
    pub fn new(settings: &SandboxSettings) -> Result<Group, String> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let parent = parent()?;
        remove_leftovers(&parent);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = parent.join(format!("{PREFIX}{}-{number}", std::process::id()));
        let cannot = |what: &str, error: io::Error| format!("{what} {}: {error}", path.display());
        fs::create_dir(&path).map_err(|error| cannot("cannot make", error))?;
        let mut group = Group { path: path.clone(), files: Vec::new() };
        // Otherwise too much memory is only moved to a disk. Where there is no swapping there is no such file.
        let _ = fs::write(path.join("memory.swap.max"), "0");
        fs::write(path.join("memory.max"), room(settings).to_string())
            .map_err(|error| cannot("cannot limit", error))?;
        for (name, is_written) in FILES {
            let file = File::options().read(!is_written).write(is_written).open(path.join(name));
            group.files.push(file.map_err(|error| cannot("cannot use", error))?.into());
        }
        Ok(group)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What the first process of a sandbox needs of it.
    pub fn files(&self) -> Vec<BorrowedFd<'_>> {
        self.files.iter().map(AsFd::as_fd).collect()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for _ in 0..TRIES {
            match fs::remove_dir(&self.path) {
                Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                _ => return,
            }
        }
    }
}

/// Removes the groups of processes that were killed. None in which something runs can be removed.
fn remove_leftovers(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split('-').next());
        if maker.is_some_and(|maker| maker.parse::<u32>().is_ok() && !Path::new("/proc").join(maker).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

/// A directory of groups in which we may make one whose memory counts.
fn parent() -> Result<PathBuf, String> {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let own = own_group(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))?;
    let beside = own.parent().filter(|parent| parent.join("cgroup.procs").exists());
    let mut why = format!("the memory controller is not that of {}", own.display());
    for candidate in beside.into_iter().chain([own.as_path()]) {
        match prepare(candidate) {
            Ok(()) => return Ok(candidate.to_owned()),
            Err(error) => why = error,
        }
    }
    Err(why)
}

/// Sees to it that groups in this one have their memory counted, and that we may make some.
fn prepare(parent: &Path) -> Result<(), String> {
    let name = parent.display();
    let has = |file: &str| {
        let text = fs::read_to_string(parent.join(file)).unwrap_or_default();
        text.split_ascii_whitespace().any(|controller| controller == "memory")
    };
    if !has("cgroup.controllers") {
        return Err(format!("{name} has no memory controller"));
    }
    if !has("cgroup.subtree_control") {
        let enabled = fs::write(parent.join("cgroup.subtree_control"), "+memory");
        enabled.map_err(|error| format!("{name} does not hand on its memory controller: {error}"))?;
    }
    // Whoever is moved comes from our own group: this must be allowed where both are.
    let may_move = File::options().write(true).open(parent.join("cgroup.procs"));
    may_move.map(drop).map_err(|error| format!("{name} is not ours: {error}"))
}

/// The directory of our own group.
fn own_group(mounts: &str, groups: &str) -> Result<PathBuf, String> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::")).ok_or("this machine has no cgroup v2")?;
    // Of the fields of a mount, the fourth is what of the file system is mounted, the fifth where.
    let mut found = mounts.lines().filter_map(|line| {
        let (fields, kind) = line.split_once(" - ")?;
        let mut fields = fields.split(' ').skip(3);
        kind.starts_with("cgroup2 ").then_some((fields.next()?, fields.next()?))
    });
    let (root, point) = found.next().ok_or("no cgroup v2 is mounted")?;
    let inside = Path::new(path).strip_prefix(root).map_err(|_| "our cgroup is not mounted".to_owned())?;
    Ok(Path::new(point).join(inside))
}

/// When the kernel kills: what a run may have in memory and in files, which are in memory too.
fn room(settings: &SandboxSettings) -> u64 {
    settings.memory.saturating_add(settings.disk).saturating_add(SLACK)
}

/// A group, as the first process of a sandbox sees it.
#[derive(Debug)]
pub struct Charged {
    processes: File,
    limit: File,
    current: File,
    statistics: File,
    events: File,
    memory: u64,
    room: u64,
    /// A directory in the file system of all that is written: files are not memory of the programs.
    directory: PathBuf,
    /// What was charged before the programs that run now began: what is kept of earlier runs, such as traces.
    base: Option<i64>,
    /// What was charged when the kernel was last told a limit.
    limited: u64,
    /// How often the kernel killed something.
    kills: u64,
}

impl Charged {
    /// Of the files that were handed over; `None` if there are none.
    pub fn new(files: Vec<OwnedFd>, settings: &SandboxSettings, directory: &Path) -> Option<Charged> {
        let mut files = files.into_iter().map(File::from);
        let mut next = || files.next();
        let (processes, limit, current) = (next()?, next()?, next()?);
        let (statistics, events) = (next()?, next()?);
        let (memory, room, directory) = (settings.memory, room(settings), directory.to_owned());
        let (base, limited, kills) = (None, 0, 0);
        Some(Charged { processes, limit, current, statistics, events, memory, room, directory, base, limited, kills })
    }

    /// How a process that is about to become a program enters the group.
    pub fn door(&self) -> io::Result<Door> {
        Ok(Door(self.processes.try_clone()?))
    }

    /// The programs that run from now on are others.
    pub fn begin_anew(&mut self) {
        self.base = None;
    }

    /// Whether the kernel has killed a program since somebody last asked.
    pub fn has_killed(&mut self) -> bool {
        let kills = value_in(&content(&self.events), "oom_kill").unwrap_or(self.kills);
        std::mem::replace(&mut self.kills, kills) < kills
    }

    /// Whether the programs have more than they may.
    pub fn is_over(&mut self) -> bool {
        let Ok(current) = content(&self.current).trim().parse::<u64>() else { return false };
        match self.base {
            None => {
                self.base = Some(self.used(current));
                self.limit_from(current);
                false
            }
            // It is little work to see that it is not much.
            Some(base) if current as i64 - base <= self.memory as i64 => false,
            Some(base) => self.used(current) - base > self.memory as i64,
        }
    }

    /// Of what is charged, what is neither in files of the sandbox nor given up by the kernel when it needs it.
    fn used(&self, current: u64) -> i64 {
        let text = content(&self.statistics);
        let cached =
            ["inactive_file", "active_file", "slab_reclaimable"].iter().filter_map(|name| value_in(&text, name));
        let space = rustix::fs::statvfs(&self.directory).ok();
        let written = space.map_or(0, |space| space.f_blocks.saturating_sub(space.f_bfree) * space.f_frsize);
        current as i64 - cached.sum::<u64>() as i64 - written as i64
    }

    fn limit_from(&mut self, current: u64) {
        if current.abs_diff(self.limited) >= SLACK / 4 {
            let limit = current.saturating_add(self.room);
            let _ = self.limit.write_all_at(limit.to_string().as_bytes(), 0);
            self.limited = current;
        }
    }
}

/// The way into a group.
#[derive(Debug)]
pub struct Door(File);

impl Door {
    /// The process that calls this is in the group from now on, with all that it starts.
    pub fn enter(&mut self) -> io::Result<()> {
        self.0.write_all(b"0")
    }
}

/// The files of a kernel are made anew for who reads from their beginning.
fn content(file: &File) -> String {
    let mut bytes = vec![0; 1 << 14];
    let read = file.read_at(&mut bytes, 0).unwrap_or_default();
    String::from_utf8_lossy(&bytes[..read]).into_owned()
}

/// The value of a line with a name.
fn value_in(text: &str, name: &str) -> Option<u64> {
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_group_is_found_where_it_is_mounted() {
        let mounts = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n";
        let own = own_group(mounts, "0::/user.slice/a.scope\n").unwrap();
        assert_eq!(own, Path::new("/sys/fs/cgroup/user.slice/a.scope"));
        let in_part = mounts.replace(" / ", " /user.slice ");
        assert_eq!(own_group(&in_part, "0::/user.slice/b\n").unwrap(), Path::new("/sys/fs/cgroup/b"));
        assert!(own_group(&in_part, "0::/system.slice/b\n").is_err());
        assert!(own_group("", "0::/\n").is_err());
        assert!(own_group(mounts, "4:memory:/\n").is_err());
    }

    #[test]
    fn values_have_their_whole_name() {
        let text = "oom 3\noom_kill 2\noom_group_kill 1\n";
        assert_eq!((value_in(text, "oom_kill"), value_in(text, "oom")), (Some(2), Some(3)));
        assert_eq!(value_in(text, "kill"), None);
    }
}
