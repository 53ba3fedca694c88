//! A tree that must not change, and programs to run beside it.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use byway_confine::{Ended, ProcessSpec, Sandbox, SandboxSettings};
use tempfile::TempDir;

pub use crate::place::{PLACE, place};

/// The compiled programs, once for all tests.
pub fn deeds() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| compile("deeds", &[]))
}

/// The same programs with AddressSanitizer.
pub fn sanitized_deeds() -> PathBuf {
    compile("sanitized-deeds", &["-fsanitize=address"])
}

/// The table of attempts, compiled.
pub fn attempts() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| compile_source("attempts.c", include_str!("attempts.c"), "attempts", &[]))
}

fn compile(name: &str, options: &[&str]) -> PathBuf {
    compile_source("deeds.c", include_str!("deeds.c"), name, options)
}

fn compile_source(source_name: &str, text: &str, name: &str, options: &[&str]) -> PathBuf {
    let (source, program) = (place().join(source_name), place().join(name));
    fs::write(&source, text).unwrap();
    let mut command = Command::new("clang-19");
    command.args(["-w", "-g"]).args(options).arg(source).arg("-o").arg(&program);
    assert!(command.status().unwrap().success());
    program
}

/// What a program printed and how it ended.
pub struct Seen {
    pub ended: Ended,
    pub output: String,
}

impl Seen {
    /// Its exit code.
    pub fn code(&self) -> Option<i32> {
        self.ended.status.code()
    }
}

/// Runs a deed in a sandbox.
pub fn run(sandbox: &mut Sandbox, words: &[&str]) -> Seen {
    run_for(sandbox, words, Duration::from_secs(20))
}

pub fn run_for(sandbox: &mut Sandbox, words: &[&str], timeout: Duration) -> Seen {
    let null = File::open("/dev/null").unwrap();
    run_with(sandbox, words, timeout, &null)
}

pub fn run_with(sandbox: &mut Sandbox, words: &[&str], timeout: Duration, stdin: &File) -> Seen {
    run_program(sandbox, deeds(), words, timeout, stdin)
}

pub fn run_program(sandbox: &mut Sandbox, program: &Path, words: &[&str], timeout: Duration, stdin: &File) -> Seen {
    let mut output = tempfile::tempfile().unwrap();
    let task = ProcessSpec {
        program,
        arguments: std::iter::once(name()).chain(words.iter().copied()).map(OsStr::new).collect(),
        environment: None,
        directory: None,
        stdin: stdin.as_fd(),
        stdout: output.as_fd(),
        stderr: output.as_fd(),
        timeout: Some(timeout),
    };
    let ended = sandbox.run(&task).unwrap();
    let mut text = String::new();
    output.rewind().unwrap();
    output.read_to_string(&mut text).unwrap();
    Seen { ended, output: text }
}

/// A sandbox with small limits.
pub fn small() -> SandboxSettings {
    SandboxSettings {
        memory: 200 << 20,
        processes: 20,
        file_size: 8 << 20,
        disk: 16 << 20,
        ..SandboxSettings::default()
    }
}

/// A directory with all kinds of files in it, and how it looks.
pub struct Sentinel {
    pub directory: TempDir,
    before: BTreeMap<PathBuf, String>,
}

impl Sentinel {
    pub fn new() -> Sentinel {
        let directory = TempDir::new_in(place()).unwrap();
        let at = |name| directory.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        for file in ["file", "sub/file", "empty"] {
            fs::write(at(file), if file == "empty" { "" } else { "content" }).unwrap();
        }
        symlink("file", at("link")).unwrap();
        assert!(Command::new("mkfifo").arg(at("fifo")).status().unwrap().success());
        let before = look(directory.path());
        Sentinel { directory, before }
    }

    pub fn path(&self) -> &str {
        self.directory.path().to_str().unwrap()
    }

    #[track_caller]
    pub fn assert_unchanged(&self) {
        assert_eq!(look(self.directory.path()), self.before);
    }
}

/// Everything that can be seen of a tree.
pub fn look(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        let status = fs::symlink_metadata(&path).unwrap();
        let content = if status.is_file() { fs::read_to_string(&path).unwrap() } else { String::new() };
        let (mode, owner, size) = (status.mode(), (status.uid(), status.gid()), status.len());
        let times = (status.mtime(), status.mtime_nsec(), status.ctime(), status.ctime_nsec());
        if status.is_dir() {
            all.extend(look(&path));
        }
        all.insert(path, format!("{mode:o} {owner:?} {size} {times:?} {content}"));
    }
    all
}

/// A variable with the name of our deeds, for who is started by us.
pub const NAME: &str = "BYWAY_WALLS_NAME";

/// What our deeds are called: others may run these tests at the same time.
pub fn name() -> &'static str {
    static NAMED: OnceLock<String> = OnceLock::new();
    NAMED.get_or_init(|| std::env::var(NAME).unwrap_or_else(|_| format!("deeds-{}", std::process::id())))
}

/// The processes on this machine that run a deed of ours.
pub fn left_over() -> Vec<String> {
    let own = format!("{}\0", name());
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let name = fs::read_to_string(entry.ok()?.path().join("cmdline")).ok()?;
        name.starts_with(&own).then_some(name)
    });
    processes.collect()
}

/// The sandbox still works, and nothing of what ran in it is left.
#[track_caller]
pub fn assert_well(sandbox: &mut Sandbox) {
    assert_eq!(left_over(), Vec::<String>::new());
    sandbox.reset().unwrap();
    let seen = run(sandbox, &["nothing"]);
    assert_eq!((seen.code(), seen.output.as_str()), (Some(0), ""));
}
