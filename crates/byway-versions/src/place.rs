//! The one path at which all versions are built.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::build::{Build, Built, Invocation, environment};
use crate::checkout::{Checkout, Commit};
use crate::error::{VersionsError, file};

/// The version of `build.json`.
const FORMAT: u32 = 1;
/// How many versions of a repository are kept: those that were used last.
const KEPT: usize = 16;
/// How often we look whether the place is free.
const LOOK: Duration = Duration::from_millis(100);

/// A directory with one path at which every version of a repository is built. One command at a time uses it.
#[derive(Debug)]
pub struct BuildPlace {
    root: PathBuf,
    lock: File,
}

/// A version that is at the place.
#[derive(Debug, Clone)]
pub struct Occupied {
    /// What it is.
    pub commit: Commit,
    /// Where it is as long as no other version is there: the same path for all versions.
    pub tree: PathBuf,
    /// Where it is when another version is there.
    pub kept: PathBuf,
    /// Whether it had been built before.
    pub was_kept: bool,
    /// What its build command printed.
    pub log: PathBuf,
    own: PathBuf,
}

impl Occupied {
    /// Where the seeds of a test command are kept.
    pub fn seeds(&self, command: &str) -> PathBuf {
        let id = blake3::hash(command.as_bytes()).to_hex();
        self.own.join(format!("tests-{}", &id[..16]))
    }

    /// Where its programs stay, at their paths from the tree, whatever version is at the place.
    pub fn programs(&self) -> PathBuf {
        self.own.join("programs")
    }

    /// Makes a program of the tree stay.
    pub fn keep(&self, program: &Path) -> Result<PathBuf, VersionsError> {
        let (from, to) = (self.tree.join(program), self.programs().join(program));
        if !to.is_file() {
            let parent = to.parent().expect("it is in a directory");
            fs::create_dir_all(parent).map_err(file(parent))?;
            fs::hard_link(&from, &to).or_else(|_| fs::copy(&from, &to).map(drop)).map_err(file(&to))?;
        }
        Ok(to)
    }
}

impl BuildPlace {
    /// The place of a repository below `root`. Waits until it is free; `waiting` is called if it is not.
    pub fn open(
        root: &Path,
        checkout: &Checkout,
        interrupted: &AtomicBool,
        waiting: impl FnOnce(),
    ) -> Result<BuildPlace, VersionsError> {
        let repository = checkout.repository();
        let id = blake3::hash(repository.as_os_str().as_encoded_bytes()).to_hex();
        let root = root.join(&id[..16]);
        for directory in ["kept", "objects"] {
            fs::create_dir_all(root.join(directory)).map_err(file(&root))?;
        }
        // The names of both sides of what is compared must not differ by links.
        let root = root.canonicalize().map_err(file(&root))?;
        let path = root.join("lock");
        let lock = File::options().create(true).truncate(false).write(true).read(true).open(&path);
        let lock = lock.map_err(file(&path))?;
        wait_for(&lock, interrupted, waiting).map_err(|error| error.unwrap_or_else(file(&path)))?;
        Ok(BuildPlace { root, lock })
    }

    /// git's objects of working trees.
    pub fn objects(&self) -> PathBuf {
        self.root.join("objects")
    }

    /// Brings a version to the place: one that is kept, or else it is checked out and built.
    pub fn occupy(
        &self,
        checkout: &Checkout,
        commit: &Commit,
        build: &Build,
        interrupted: &AtomicBool,
    ) -> Result<Occupied, VersionsError> {
        let key = build.key(commit, &checkout.below)?;
        let own = self.own(&key);
        let tree = self.root.join("src");
        let was_kept = self.is_built(&key) && (own.join("tree").is_dir() || self.occupant().as_ref() == Some(&key));
        let occupied =
            Occupied { commit: commit.clone(), log: own.join("log"), kept: own.join("tree"), tree, was_kept, own };
        if was_kept {
            self.bring(&key, &occupied)?;
        } else {
            self.make(checkout, build, &key, &occupied, interrupted)?;
        }
        Ok(occupied)
    }

    /// Moves a version that is kept to the place.
    fn bring(&self, key: &str, occupied: &Occupied) -> Result<(), VersionsError> {
        let json = self.own(key).join("build.json");
        // The time of its last use.
        let _ = File::options().append(true).open(&json).and_then(|file| file.set_modified(SystemTime::now()));
        if self.occupant().as_deref() == Some(key) && occupied.tree.is_dir() {
            return Ok(());
        }
        self.vacate()?;
        self.set_occupant(key)?;
        fs::rename(&occupied.kept, &occupied.tree).map_err(file(&occupied.kept))
    }

    /// Checks a version out at the place and builds it.
    fn make(
        &self,
        checkout: &Checkout,
        build: &Build,
        key: &str,
        occupied: &Occupied,
        interrupted: &AtomicBool,
    ) -> Result<(), VersionsError> {
        self.vacate()?;
        let own = self.own(key);
        remove(&own)?;
        fs::create_dir_all(&own).map_err(file(&own))?;
        self.set_occupant(key)?;
        checkout.check_out(&occupied.commit, &occupied.tree, &self.objects())?;
        self.place_tools(&build.compiler)?;
        let directory = occupied.tree.join(&checkout.below);
        let (command, lock) = (build.command.as_str(), &self.lock);
        let environment = self.environment();
        let invocation = Invocation { command, directory: &directory, environment, log: &occupied.log, lock };
        let status = invocation.run(interrupted)?;
        if !status.success() {
            return Err(VersionsError::Build {
                commit: occupied.commit.title.clone(),
                status,
                command: command.to_owned(),
                end: invocation.end_of_log(),
                log: occupied.log.clone(),
            });
        }
        let built = Built { version: FORMAT, commit: occupied.commit.clone(), command: command.to_owned() };
        write(&own.join("build.json"), &serde_json::to_vec_pretty(&built).expect("it is plain data"))?;
        self.prune(key)
    }

    /// Puts what is at the place back to where it is kept. What is half built goes.
    fn vacate(&self) -> Result<(), VersionsError> {
        let tree = self.root.join("src");
        match self.occupant() {
            Some(key) if self.is_built(&key) && tree.is_dir() => {
                let kept = self.own(&key).join("tree");
                remove(&kept)?;
                fs::rename(&tree, &kept).map_err(file(&tree))
            }
            _ => remove(&tree),
        }
    }

    /// Removes the versions whose last use is longest ago.
    fn prune(&self, current: &str) -> Result<(), VersionsError> {
        let kept = self.root.join("kept");
        let used = |path: &Path| fs::metadata(path.join("build.json")).and_then(|file| file.modified()).ok();
        let entries = fs::read_dir(&kept).map_err(file(&kept))?.flatten();
        let mut all: Vec<_> = entries.map(|entry| (used(&entry.path()), entry.path())).collect();
        all.sort();
        let too_many = all.len().saturating_sub(KEPT);
        let old = all.into_iter().filter(|(_, path)| path.file_name().is_some_and(|name| name != current));
        old.take(too_many).try_for_each(|(_, path)| remove(&path))
    }

    /// The variables that build and test commands are given.
    pub fn environment(&self) -> Vec<(&'static str, OsString)> {
        environment(&self.tools())
    }

    fn tools(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// Makes the directory with `byway-cc` and `byway-c++`.
    fn place_tools(&self, compiler: &Path) -> Result<(), VersionsError> {
        let tools = self.tools();
        remove(&tools)?;
        fs::create_dir(&tools).map_err(file(&tools))?;
        for name in ["byway-cc", "byway-c++"] {
            symlink(compiler, tools.join(name)).map_err(file(&tools))?;
        }
        Ok(())
    }

    fn own(&self, key: &str) -> PathBuf {
        self.root.join("kept").join(key)
    }

    fn is_built(&self, key: &str) -> bool {
        let path = self.own(key).join("build.json");
        let built = byway_file::read(&path, byway_file::INPUT).ok();
        let built: Option<Built> = built.and_then(|json| serde_json::from_slice(&json).ok());
        built.is_some_and(|built| built.version == FORMAT)
    }

    /// The key of what is at the place. It is one that we wrote: a name without directories.
    fn occupant(&self) -> Option<String> {
        let key = fs::read_to_string(self.root.join("occupant")).ok()?;
        let is_key = |byte: u8| byte.is_ascii_hexdigit() || byte == b'-';
        (!key.is_empty() && key.bytes().all(is_key)).then_some(key)
    }

    fn set_occupant(&self, key: &str) -> Result<(), VersionsError> {
        write(&self.root.join("occupant"), key.as_bytes())
    }
}

fn wait_for(
    lock: &File,
    interrupted: &AtomicBool,
    waiting: impl FnOnce(),
) -> Result<(), Result<VersionsError, io::Error>> {
    let mut waiting = Some(waiting);
    loop {
        match flock(lock, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => return Ok(()),
            Err(Errno::WOULDBLOCK) if interrupted.load(Ordering::Relaxed) => {
                return Err(Ok(VersionsError::Interrupted));
            }
            Err(Errno::WOULDBLOCK) => {}
            Err(error) => return Err(Err(error.into())),
        }
        if let Some(waiting) = waiting.take() {
            waiting();
        }
        thread::sleep(LOOK);
    }
}

/// Writes a file so that it is there whole or not at all.
fn write(path: &Path, content: &[u8]) -> Result<(), VersionsError> {
    let parent = path.parent().expect("it is in a directory");
    let mut scratch = tempfile::NamedTempFile::new_in(parent).map_err(file(parent))?;
    io::Write::write_all(&mut scratch, content).map_err(file(path))?;
    scratch.persist(path).map_err(|error| file(path)(error.error))?;
    Ok(())
}

/// Removes a directory with all that is in it, if it is there. Builds may leave directories that cannot be written to.
fn remove(path: &Path) -> Result<(), VersionsError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            make_writable(path);
            fs::remove_dir_all(path).map_err(file(path))
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(file(path)(error)),
        _ => Ok(()),
    }
}

fn make_writable(directory: &Path) {
    use std::os::unix::fs::PermissionsExt;
    let _ = fs::set_permissions(directory, fs::Permissions::from_mode(0o700));
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let directories = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    directories.for_each(|entry| make_writable(&entry.path()));
}
