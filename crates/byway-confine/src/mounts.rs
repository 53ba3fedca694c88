//! What the file system looks like in a sandbox.
//!
//! Everything of the machine is there, read-only and without devices. What can be written are the *writable directories*: the working
//! directory, the places for temporary files, and the files that an input replaces. All that is written lands in one
//! tmpfs, the scratch, which has the size of [`SandboxSettings::disk`]. Over a directory whose content is to be seen lies an
//! overlay.

use std::ffi::{CString, OsStr};
use std::fmt::Write as _;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::{fs, io};

use rustix::fs::{CWD, Mode, OFlags, Stat, Timespec, Timestamps, fchmod, fstat, open};
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount, mount_bind, mount_change,
    mount_remount, move_mount, open_tree, unmount,
};

use crate::helper::{Failure, trying};
use crate::settings::{Directory, SandboxSettings};
use crate::wire::Message;
use crate::{cover, processes, system};

/// Where an empty working directory is.
pub const EMPTY: &str = "/tmp/byway";
/// Where the scratch is while the mounts are made.
const SCRATCH: &str = "/dev/scratch";
/// Where everybody may write; whether it is there or not, it is never copied.
pub const TEMPORARY: [&str; 2] = ["/tmp", "/var/tmp"];
/// Devices that give and take nothing of worth.
const DEVICES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];
/// A file takes at least this much of the scratch, so there is no use for more of them.
const BYTES_PER_FILE: u64 = 4096;
/// What we ourselves make.
const MIN_FILES: u64 = 64;
/// Nothing in such a mount has any power.
const HARMLESS: MountFlags = MountFlags::NOSUID.union(MountFlags::NODEV);

/// What the helper is told to make.
#[derive(Debug)]
pub struct Plan {
    /// Whether there are any walls.
    pub confined: bool,
    /// The settings.
    pub settings: SandboxSettings,
    /// Where programs run.
    pub directory: PathBuf,
}

impl Plan {
    /// As it is sent.
    pub fn to_message(&self) -> Message {
        let SandboxSettings { memory, processes, file_size, disk, .. } = self.settings;
        let is_copy = matches!(self.settings.directory, Directory::CopyOf(_));
        let numbers = vec![self.confined.into(), is_copy.into(), memory, processes.into(), file_size, disk];
        let numbers = numbers.into_iter().chain([self.settings.replaced.len() as u64]).collect();
        let SandboxSettings { replaced, places, .. } = &self.settings;
        let paths = std::iter::once(&self.directory).chain(replaced).chain(places);
        let texts = paths.map(|path| path.as_os_str().as_bytes().to_vec()).collect();
        Message { numbers, texts, ..Message::default() }
    }

    /// As it was received.
    pub fn from_message(message: Message) -> Plan {
        let (is_copy, numbers) = (message.number(1) != 0, &message.numbers);
        let limit = |index: usize| numbers.get(index).copied().unwrap_or_default();
        let (confined, memory, processes) = (limit(0) != 0, limit(2), limit(3) as u32);
        let (file_size, disk, replaced) = (limit(4), limit(5), limit(6) as usize);
        let mut paths = message.texts.into_iter().map(|text| PathBuf::from(std::ffi::OsString::from_vec(text)));
        let path = paths.next().unwrap_or_default();
        let directory = if is_copy { Directory::CopyOf(path.clone()) } else { Directory::Empty };
        let replaced = paths.by_ref().take(replaced).collect();
        let settings =
            SandboxSettings { directory, replaced, places: paths.collect(), memory, processes, file_size, disk };
        Plan { confined, settings, directory: path }
    }
}

/// What kind of writable directory it is, as it is sent.
pub mod kind {
    /// A directory of the scratch.
    pub const PLAIN: u64 = 0;
    /// An overlay: descriptors of its upper and lower directory follow.
    pub const OVERLAY: u64 = 1;
    /// A directory of the scratch to which the content is to be copied from the descriptor that follows.
    pub const TO_COPY: u64 = 2;
}

/// What was made.
#[derive(Debug, Default)]
pub struct Made {
    /// The kinds of the writable directories, and where each is: the working directory, the replaced files (nowhere), then the others.
    pub writables: Vec<(u64, PathBuf)>,
    /// The scratch, the root as it is seen in the sandbox, then for each writable directory its directory and what goes with its kind.
    pub files: Vec<OwnedFd>,
    /// What the sandbox does without.
    pub without: Vec<String>,
    /// Where programs may write.
    writable: Vec<PathBuf>,
}

impl Made {
    fn add(&mut self, mut others: Made) {
        self.writables.append(&mut others.writables);
        self.files.append(&mut others.files);
        self.without.append(&mut others.without);
        self.writable.append(&mut others.writable);
    }

    /// Where programs may write.
    pub fn writable(&self) -> Vec<PathBuf> {
        let devices = DEVICES.iter().map(|name| Path::new("/dev").join(name)).chain([PathBuf::from("/dev/pts")]);
        self.writable.iter().cloned().chain(devices).collect()
    }
}

/// Makes the file system of the sandbox. We are the first process in it.
pub fn make(plan: &Plan) -> Result<Made, Failure> {
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    trying("to make the mounts private", mount_change("/", private))?;
    let (lowers, devices, points) = (Lowers::open(plan)?, devices(), cover::mount_points());
    trying("to make everything read-only", system::make_read_only(c"/", true))?;
    trying("to mount /dev", mount("tmpfs", "/dev", "tmpfs", HARMLESS, c"size=64k,mode=755"))?;
    make_scratch(plan.settings.disk)?;
    make_proc()?;
    let mut made = Made::default();
    let (empty, _) = new_directory("none")?;
    if let Some((path, error)) = cover::cover(&points, &empty) {
        made.without.push(format!("a cover of {} ({error}): locks on files there are seen outside", path.display()));
    }
    made.files.push(trying("to open the scratch", directory(Path::new(SCRATCH)))?);
    made.files.push(trying("to open the root", directory(Path::new("/")))?);
    writables(plan, &lowers, &points, &mut made)?;
    fill_dev(devices, &mut made)?;
    // What lies there is reached through the writable directories only, from now on.
    trying("to hide the scratch", unmount(SCRATCH, UnmountFlags::DETACH))?;
    let _ = fs::remove_dir(SCRATCH);
    trying("to make /dev read-only", system::make_read_only(c"/dev", false))?;
    Ok(made)
}

fn make_scratch(size: u64) -> Result<(), Failure> {
    let data = CString::new(format!("size={size},nr_inodes={},mode=755", MIN_FILES + size / BYTES_PER_FILE));
    let (data, flags) = (data.expect("only digits"), HARMLESS | MountFlags::NOATIME);
    trying("to make a directory", fs::create_dir(SCRATCH))?;
    trying("to mount the scratch", mount("tmpfs", SCRATCH, "tmpfs", flags, data.as_c_str()))
}

fn make_proc() -> Result<(), Failure> {
    let flags = HARMLESS | MountFlags::NOEXEC;
    trying("to mount /proc", mount("proc", "/proc", "proc", flags, c""))?;
    trying("to reserve numbers of processes", processes::skip_reserved())?;
    // In a namespace within this one, a program would have all rights.
    trying("to forbid namespaces", fs::write("/proc/sys/user/max_user_namespaces", "0"))?;
    trying("to make /proc read-only", mount_remount("/proc", flags | MountFlags::RDONLY, c""))
}

/// The directories and files that lie below, as they are before anything is mounted on them.
struct Lowers {
    working: Option<OwnedFd>,
    /// The places for temporary files, and those of the settings.
    places: Vec<(PathBuf, OwnedFd)>,
    replaced: Vec<OwnedFd>,
}

impl Lowers {
    fn open(plan: &Plan) -> Result<Lowers, Failure> {
        let working = match &plan.settings.directory {
            Directory::Empty => None,
            Directory::CopyOf(path) => Some(trying(format!("to open {}", path.display()), directory(path))?),
        };
        let temporary =
            TEMPORARY.iter().filter_map(|path| Some((PathBuf::from(path), directory(Path::new(path)).ok()?)));
        let mut places: Vec<_> = temporary.collect();
        for path in &plan.settings.places {
            if *path != plan.directory && places.iter().all(|(place, _)| place != path) {
                places.push((path.clone(), trying(format!("to open {}", path.display()), directory(path))?));
            }
        }
        let file = |path: &PathBuf| {
            let opened = open(path, OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty());
            trying(format!("to open {}", path.display()), opened)
        };
        let replaced = plan.settings.replaced.iter().map(file).collect::<Result<_, _>>()?;
        Ok(Lowers { working, places, replaced })
    }
}

fn directory(path: &Path) -> rustix::io::Result<OwnedFd> {
    open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())
}

fn writables(plan: &Plan, lowers: &Lowers, points: &[PathBuf], made: &mut Made) -> Result<(), Failure> {
    let mut others = Made::default();
    let places = lowers.places.iter().map(|(path, lower)| (path.as_path(), lower));
    let mut places: Vec<_> = places.filter(|(path, _)| *path != plan.directory).collect();
    places.extend(lowers.working.iter().map(|lower| (plan.directory.as_path(), lower)));
    // One may be in another; the outer one is mounted first.
    places.sort_by_key(|(path, _)| path.components().count());
    for (index, (path, lower)) in places.into_iter().enumerate() {
        let made = if path == plan.directory { &mut *made } else { &mut others };
        area_over(lower, &index.to_string(), path, points, made)?;
    }
    if lowers.working.is_none() {
        empty_area("empty", &plan.directory, 0o755, made)?;
    }
    replaced(plan, lowers, made)?;
    empty_area("shm", Path::new("/dev/shm"), 0o1777, &mut others)?;
    made.add(others);
    Ok(())
}

/// A new directory of the scratch.
fn new_directory(name: &str) -> Result<(PathBuf, OwnedFd), Failure> {
    let path = Path::new(SCRATCH).join(name);
    trying("to make a directory", fs::create_dir(&path))?;
    let file = trying("to open the scratch", directory(&path))?;
    Ok((path, file))
}

/// A writable directory with nothing in it.
fn empty_area(name: &str, path: &Path, mode: u32, made: &mut Made) -> Result<(), Failure> {
    let (scratch, file) = new_directory(name)?;
    // It may be there already.
    let _ = fs::create_dir(path);
    trying("to open up a directory", fchmod(&file, Mode::from(mode)))?;
    trying(format!("to mount {}", path.display()), mount_bind(&scratch, path))?;
    made.writables.push((kind::PLAIN, path.to_owned()));
    made.files.push(trying("to open a directory", directory(path))?);
    made.writable.push(path.to_owned());
    Ok(())
}

/// A writable directory over a directory that is seen through it.
fn area_over(lower: &OwnedFd, name: &str, path: &Path, points: &[PathBuf], made: &mut Made) -> Result<(), Failure> {
    let (scratch, upper) = new_directory(name)?;
    imitate(upper.as_fd(), &trying("to look at a directory", fstat(lower))?);
    match overlay(name, path, &scratch, lower) {
        Ok(()) => {
            made.writables.push((kind::OVERLAY, path.to_owned()));
            made.files.push(trying("to open a directory", directory(path))?);
        }
        Err(error) => {
            let name = path.display();
            let why = match cover::mounted_below(points, path) {
                Some(point) => format!("something is mounted at {}", point.display()),
                None => error.to_string(),
            };
            made.without.push(format!("an overlay on {name} ({why}): its content is copied, or missing"));
            trying(format!("to mount {name}"), mount_bind(&scratch, path))?;
            made.writables.push((kind::TO_COPY, path.to_owned()));
        }
    }
    made.files.push(upper);
    made.files.push(trying("to keep a directory", lower.try_clone())?);
    made.writable.push(path.to_owned());
    Ok(())
}

fn overlay(name: &str, path: &Path, upper: &Path, lower: &OwnedFd) -> io::Result<()> {
    let work = Path::new(SCRATCH).join(format!("{name}-work"));
    fs::create_dir(&work)?;
    let mut data = String::new();
    // A name may have commas and colons in it, a number has not.
    let _ = write!(data, "lowerdir=/proc/self/fd/{},", lower.as_raw_fd());
    let _ = write!(data, "upperdir={},workdir={},userxattr", upper.display(), work.display());
    let data = CString::new(data)?;
    Ok(mount(
        "overlay",
        path,
        "overlay",
        MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOATIME,
        data.as_c_str(),
    )?)
}

/// A directory that looks like another one, as far as we may.
fn imitate(directory: std::os::fd::BorrowedFd<'_>, model: &Stat) {
    let (user, group) = (rustix::fs::Uid::from_raw(model.st_uid), rustix::fs::Gid::from_raw(model.st_gid));
    let _ = rustix::fs::fchown(directory, Some(user), Some(group));
    let _ = rustix::fs::fchmod(directory, Mode::from_raw_mode(model.st_mode));
    let time = Timespec { tv_sec: model.st_mtime, tv_nsec: model.st_mtime_nsec as _ };
    let _ = rustix::fs::futimens(directory, &Timestamps { last_access: time, last_modification: time });
}

/// The files that an input replaces, with their content so far.
fn replaced(plan: &Plan, lowers: &Lowers, made: &mut Made) -> Result<(), Failure> {
    let directory_path = Path::new(SCRATCH).join("replaced");
    trying("to make a directory", fs::create_dir(&directory_path))?;
    for (index, (path, lower)) in plan.settings.replaced.iter().zip(&lowers.replaced).enumerate() {
        let file = directory_path.join(index.to_string());
        let copied = (|| {
            let lower = lower.try_clone()?;
            let mode = Mode::from_raw_mode(fstat(&lower)?.st_mode);
            let mut copy = fs::File::create(&file)?;
            io::copy(&mut fs::File::from(lower), &mut copy)?;
            rustix::fs::fchmod(&copy, mode)?;
            mount_bind(&file, path)?;
            io::Result::Ok(())
        })();
        trying(format!("to replace {}", path.display()), copied)?;
        made.writable.push(path.clone());
    }
    made.writables.push((kind::PLAIN, PathBuf::new()));
    made.files.push(trying("to open a directory", directory(&directory_path))?);
    Ok(())
}

/// Devices of the machine, before its /dev is gone and devices are forbidden.
fn devices() -> Vec<(&'static str, OwnedFd)> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
    let device = |name| Some((name, open_tree(CWD, Path::new("/dev").join(name), flags).ok()?));
    DEVICES.into_iter().filter_map(device).collect()
}

/// What programs expect in /dev.
fn fill_dev(devices: Vec<(&'static str, OwnedFd)>, made: &mut Made) -> Result<(), Failure> {
    for (name, device) in devices {
        let path = Path::new("/dev").join(name);
        trying("to make a file", fs::File::create(&path))?;
        let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH;
        trying(format!("to mount /dev/{name}"), move_mount(device.as_fd(), c"", CWD, &path, flags))?;
    }
    let links =
        [("fd", "/proc/self/fd"), ("stdin", "fd/0"), ("stdout", "fd/1"), ("stderr", "fd/2"), ("ptmx", "pts/ptmx")];
    for (name, target) in links {
        trying("to make a link", std::os::unix::fs::symlink(target, Path::new("/dev").join(name)))?;
    }
    trying("to make a directory", fs::create_dir("/dev/pts"))?;
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    if let Err(error) = mount("devpts", "/dev/pts", "devpts", flags, c"newinstance,ptmxmode=0666,mode=620") {
        made.without.push(format!("terminals of its own ({error})"));
    }
    Ok(())
}

/// Whether a path leads upwards, or nowhere.
pub fn is_plain(path: &Path) -> bool {
    use std::path::Component::{CurDir, Normal};
    path.components().all(|part| matches!(part, Normal(_) | CurDir)) && !path.as_os_str().as_bytes().contains(&0)
}

/// The name of a replaced file in its writable directory.
pub fn replaced_name(index: usize) -> PathBuf {
    PathBuf::from(OsStr::new(&index.to_string()))
}
