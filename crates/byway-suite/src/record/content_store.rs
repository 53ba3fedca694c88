//! What is kept while a test command runs. If it can no longer be kept, the command goes on without us.

use std::collections::HashMap;
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::error::SuiteError;
use crate::store::SeedStore;
use crate::stored::{Hash, StoredProgram, StoredSeed};

/// What was changed later than this may change again without its times showing it.
const TICK: Duration = Duration::from_millis(100);

/// When two files have the same stamp, they have the same content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stamp {
    file: (u64, u64, u64),
    changed: [i64; 4],
}

impl Stamp {
    /// The stamp of a file.
    pub fn new(metadata: &Metadata) -> Stamp {
        Stamp {
            file: (metadata.dev(), metadata.ino(), metadata.len()),
            changed: [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()],
        }
    }

    /// Whether the file has been the same for a while.
    pub fn is_settled(&self) -> bool {
        let [_, _, seconds, nanoseconds] = self.changed;
        let changed = Duration::new(seconds.max(0) as u64, nanoseconds as u32);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        now > changed + TICK
    }
}

/// Where everything goes that is captured.
#[derive(Debug)]
pub struct ContentStore {
    inside: Mutex<Inside>,
}

#[derive(Debug)]
struct Inside {
    /// `None` when it is over.
    store: Option<SeedStore>,
    contents: HashMap<Stamp, Hash>,
    libraries: HashMap<Stamp, bool>,
    trouble: Option<SuiteError>,
}

impl ContentStore {
    /// A content store before its directory.
    pub fn new(store: SeedStore) -> ContentStore {
        let (contents, libraries) = (HashMap::new(), HashMap::new());
        ContentStore { inside: Mutex::new(Inside { store: Some(store), contents, libraries, trouble: None }) }
    }

    fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the content of a file as it is now.
    pub fn keep_file(&self, path: &Path, metadata: &Metadata) -> io::Result<Hash> {
        let stamp = Stamp::new(metadata);
        if let Some(hash) = self.inside().contents.get(&stamp) {
            return Ok(hash.clone());
        }
        let settled = stamp.is_settled();
        let content = fs::read(path)?;
        let hash = self.keep(&content)?;
        if settled {
            self.inside().contents.insert(stamp, hash.clone());
        }
        Ok(hash)
    }

    /// Keeps the rest of an open file, from an offset on.
    pub fn keep_rest(&self, file: &File, offset: u64, most: u64) -> io::Result<Option<Hash>> {
        let size = file.metadata()?.len().saturating_sub(offset);
        if size > most {
            return Ok(None);
        }
        let mut content = vec![0; size as usize];
        let mut done = 0;
        while done < content.len() {
            match file.read_at(&mut content[done..], offset + done as u64)? {
                0 => break,
                count => done += count,
            }
        }
        content.truncate(done);
        self.keep(&content).map(Some)
    }

    /// Keeps content.
    pub fn keep(&self, content: &[u8]) -> io::Result<Hash> {
        self.with(|store| store.keep(content))
    }

    /// Keeps a program.
    pub fn keep_program(&self, path: &Path, content: &[u8]) -> io::Result<StoredProgram> {
        self.with(|store| store.keep_program(path, content))
    }

    /// Keeps a seed.
    pub fn add(&self, seed: StoredSeed) {
        // What went wrong is said in the end.
        let _ = self.with(|store| store.add(seed));
    }

    fn with<T>(&self, act: impl FnOnce(&mut SeedStore) -> Result<T, SuiteError>) -> io::Result<T> {
        let mut inside = self.inside();
        let full = || io::Error::other("the seeds can no longer be written");
        if inside.trouble.is_some() {
            return Err(full());
        }
        let store = inside.store.as_mut().ok_or_else(full)?;
        act(store).map_err(|error| {
            inside.trouble = Some(error);
            full()
        })
    }

    /// Whether a file is a shared library.
    pub fn is_library(&self, path: &Path, metadata: &Metadata) -> bool {
        const SHARED: u8 = 3;
        let stamp = Stamp::new(metadata);
        if let Some(&known) = self.inside().libraries.get(&stamp) {
            return known;
        }
        let mut head = [0; 18];
        let read = File::open(path).and_then(|mut file| file.read_exact(&mut head));
        let is_library = read.is_ok() && head.starts_with(b"\x7fELF") && head[16] == SHARED;
        self.inside().libraries.insert(stamp, is_library);
        is_library
    }

    /// Closes it: the store, and what went wrong.
    pub fn close(&self) -> (Option<SeedStore>, Option<SuiteError>) {
        let mut inside = self.inside();
        (inside.store.take(), inside.trouble.take())
    }
}
