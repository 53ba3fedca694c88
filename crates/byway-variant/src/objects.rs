//! Objects for the sanitizers, which programs share.
//!
//! `ROOT/KEY/object.o`, where the key is made of all that the object is made of. An object is copied out of the store before it is used, so
//! nothing refers to the store, and an object that was removed is only compiled again. All objects together have at most so many bytes:
//! those that were not used for the longest time go first, and one that somebody copies at the moment stays.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use rustix::fs::{FlockOperation, flock};

use crate::{cache, sums};

/// The file of an object in its entry.
const OBJECT: &str = "object.o";
/// The bytes of all objects together.
const LIMIT: u64 = 2 << 30;

/// Shared objects, below one directory.
#[derive(Debug, Clone)]
pub struct ObjectStore {
    root: PathBuf,
    limit: u64,
    /// How many bytes this process has put there since it last looked whether there are too many.
    put: Arc<AtomicU64>,
}

impl ObjectStore {
    /// The objects below this directory, which need not be there yet.
    pub fn new(root: PathBuf) -> ObjectStore {
        ObjectStore { root, limit: LIMIT, put: Arc::default() }
    }

    /// Copies an object to `to`; `false` if it is not there, or is not what was put there.
    pub fn take(&self, key: &str, to: &Path) -> bool {
        let entry = self.root.join(key);
        let Ok(directory) = File::open(&entry) else { return false };
        // Who makes room leaves what is locked. It may have been faster: then there is nothing to copy any more.
        let _ = flock(&directory, FlockOperation::LockShared);
        let is_taken = sums::hold(&entry) && fs::copy(entry.join(OBJECT), to).is_ok();
        match is_taken {
            // Used now: others go before it. If that cannot be noted, it only goes sooner.
            true => drop(directory.set_modified(SystemTime::now())),
            false => drop(fs::remove_file(to)),
        }
        is_taken
    }

    /// Keeps a copy of an object that was made, in place of what may be there.
    pub fn put(&self, key: &str, from: &Path) -> io::Result<()> {
        fs::create_dir_all(&self.root)?;
        let (scratch, _at_work) = cache::begin(&self.root, key)?;
        let bytes = fs::copy(from, scratch.path().join(OBJECT))?;
        sums::write(scratch.path())?;
        cache::put(scratch, &self.root.join(key), sums::hold)?;
        // A store is looked through now and then, since that takes longer than to compile a small object.
        match self.put.fetch_add(bytes, Ordering::Relaxed) + bytes > self.limit / 16 {
            true => self.make_room(),
            false => Ok(()),
        }
    }

    /// Removes what was not used for the longest time, if there is too much.
    pub fn make_room(&self) -> io::Result<()> {
        if self.put.swap(0, Ordering::Relaxed) == 0 {
            return Ok(());
        }
        // One at a time: two would remove twice as much.
        let _turn = cache::turn(&self.root)?;
        let mut entries: Vec<_> = fs::read_dir(&self.root)?.flatten().filter_map(|entry| entry_of(&entry)).collect();
        let mut bytes: u64 = entries.iter().map(|(_, size, _)| size).sum();
        if bytes <= self.limit {
            return Ok(());
        }
        entries.sort();
        for (_, size, entry) in entries {
            // Down to three quarters, so that this is not done each time.
            if bytes <= self.limit / 4 * 3 {
                break;
            }
            if remove(&entry)? {
                bytes -= size;
            }
        }
        Ok(())
    }
}

/// When an object was last used, its size, and where it is; nothing for what is just being made.
fn entry_of(entry: &DirEntry) -> Option<(SystemTime, u64, PathBuf)> {
    if entry.file_name().as_encoded_bytes().starts_with(b".") {
        return None;
    }
    let used = entry.metadata().and_then(|data| data.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let path = entry.path();
    let size = fs::metadata(path.join(OBJECT)).map_or(0, |data| data.len());
    Some((used, size, path))
}

/// Removes an object, unless somebody copies it at the moment.
fn remove(entry: &Path) -> io::Result<bool> {
    let Ok(directory) = File::open(entry) else { return Ok(false) };
    if flock(&directory, FlockOperation::NonBlockingLockExclusive).is_err() {
        return Ok(false);
    }
    cache::remove_whole(entry)?;
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;

    fn store(directory: &Path, limit: u64) -> ObjectStore {
        ObjectStore { limit, ..ObjectStore::new(directory.join("objects")) }
    }

    /// Puts an object of 1000 bytes, last used so many seconds ago.
    fn put(store: &ObjectStore, key: &str, ago: u64) {
        let made = store.root.with_file_name(format!("made-{key}"));
        fs::write(&made, key.repeat(1000)).unwrap();
        store.put(key, &made).unwrap();
        let used = SystemTime::now() - Duration::from_secs(ago);
        let _ = File::open(store.root.join(key)).map(|entry| entry.set_modified(used).unwrap());
    }

    fn there(store: &ObjectStore) -> Vec<String> {
        let names = fs::read_dir(&store.root).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn what_was_not_used_for_the_longest_time_goes_first_and_what_is_in_use_stays() {
        let directory = tempfile::tempdir().unwrap();
        // So large that nothing is removed before the test wants it.
        let roomy = store(directory.path(), 1 << 20);
        for (key, ago) in [("a", 50), ("b", 40), ("c", 30), ("d", 20), ("e", 10)] {
            put(&roomy, key, ago);
        }
        let copy = directory.path().join("copy");
        assert!(roomy.take("b", &copy));
        assert_eq!(fs::read(&copy).unwrap(), "b".repeat(1000).as_bytes());
        let in_use = File::open(roomy.root.join("c")).unwrap();
        flock(&in_use, FlockOperation::LockShared).unwrap();
        let full = ObjectStore { limit: 4000, put: Arc::new(1.into()), ..roomy };
        full.make_room().unwrap();
        assert_eq!(there(&full), ["b", "c", "e"]);
        let gone = directory.path().join("gone");
        assert!(!full.take("a", &gone) && !gone.exists());
    }

    #[test]
    fn a_damaged_object_is_put_again() {
        let directory = tempfile::tempdir().unwrap();
        let store = store(directory.path(), LIMIT);
        put(&store, "a", 0);
        fs::write(store.root.join("a").join(OBJECT), "x").unwrap();
        let copy = directory.path().join("copy");
        assert!(!store.take("a", &copy));
        put(&store, "a", 0);
        assert!(store.take("a", &copy));
        assert_eq!(there(&store), ["a"]);
    }

    #[test]
    fn who_takes_puts_and_makes_room_at_the_same_time_sees_whole_objects_only() {
        let directory = tempfile::tempdir().unwrap();
        let work = |worker: usize| {
            // Each is a process of its own as far as the store is concerned.
            let store = store(directory.path(), 4000);
            for round in 0..200 {
                let key = ["a", "b", "c", "d", "e", "f", "g"][(worker + round * (worker + 1)) % 7];
                let copy = directory.path().join(format!("copy-{worker}"));
                match store.take(key, &copy) {
                    true => assert_eq!(fs::read(&copy).unwrap(), key.repeat(1000).as_bytes()),
                    false => {
                        fs::write(&copy, key.repeat(1000)).unwrap();
                        store.put(key, &copy).unwrap();
                    }
                }
            }
            store.make_room().unwrap();
        };
        thread::scope(|scope| (0..4).for_each(|worker| drop(scope.spawn(move || work(worker)))));
        assert!(there(&store(directory.path(), 4000)).iter().all(|name| name.len() == 1));
    }
}
