//! Capturing what a test command does.
//!
//! The command and everything it starts run under a filter of system calls (seccomp) that sends some of them to us before
//! they are done: programs that are executed, files that are opened, standard input that is read, output that is
//! written. We look at the process meanwhile, and then let the kernel go on. Neither a library in the programs nor a
//! debugger's interface is needed, so it does not matter how they are linked, what their environment is, and who
//! starts them.

mod capture;
mod content_store;
mod exec;
mod filter;
mod launch;
mod pending;
mod probe;
mod process;
mod programs;
mod settings;
mod snapshot;
mod stdin;
mod supervisor;
mod system;

use std::env;
use std::ffi::OsString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use byway_report::Ending;
use rustix::event::{Timespec, epoll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use crate::error::SuiteError;
use crate::store::SeedStore;
use crate::suite::{NotCaptured, Suite};

pub use launch::serve_if_asked;
pub use settings::{CaptureLimits, RecordSettings};

use content_store::ContentStore;
use launch::launch;
use supervisor::Supervisor;

/// How many calls are looked at at the same time.
const WATCHERS: usize = 3;
/// How often we look whether we are to stop.
const LOOK: Duration = Duration::from_millis(50);
/// How long nobody must have made a call after the command has ended, and how long we wait for that.
const QUIET: Duration = Duration::from_millis(200);
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the command may take to end after it was asked to.
const FAREWELL: Duration = Duration::from_secs(5);

/// What a test command did.
#[derive(Debug)]
pub struct Recorded {
    /// How it ended.
    pub status: ExitStatus,
    /// How long it took.
    pub elapsed: Duration,
    /// Its seeds.
    pub suite: Suite,
    /// What kept us from writing more seeds, if anything did.
    pub trouble: Option<SuiteError>,
    /// Whether nothing was captured, and the seeds that were there before are back in their place.
    pub is_put_back: bool,
}

/// Runs a test command as it always runs, and captures what it does. When `interrupted` is set, the command is asked to end.
///
/// The calling program's `main` must begin with [`serve_if_asked`].
pub fn record(
    command: &[OsString],
    settings: RecordSettings,
    interrupted: &AtomicBool,
) -> Result<Recorded, SuiteError> {
    find(command)?;
    let store = SeedStore::create(&settings.directory, command)?;
    let machine = |source: io::Error| SuiteError::Machine { what: "watch the test command", source };
    let ends = epoll::create(epoll::CreateFlags::CLOEXEC).map_err(|error| machine(error.into()))?;
    let quiet = probe::places();
    let begun = Instant::now();
    let (mut launched, line) = launch(command, &quiet)?;
    system::wake_up_here(&line.listener);
    let supervisor = Arc::new(Supervisor::new(line, settings, ContentStore::new(store), ends));
    for number in 0..WATCHERS {
        let supervisor = Arc::clone(&supervisor);
        thread::spawn(move || supervisor.serve(number));
    }
    if let Err(source) = launched.wait_for_begin() {
        let _ = launched.child.wait();
        return Err(SuiteError::NoCommand { command: command[0].clone(), source });
    }
    let status = wait(&supervisor, &mut launched.child, interrupted).map_err(machine)?;
    let elapsed = begun.elapsed();
    wait_for_quiet(&supervisor);
    close(&supervisor, status, elapsed)
}

/// Fails if a command is not there. [`record`] begins with this; who has to prepare something for it asks before.
pub fn find(command: &[OsString]) -> Result<(), SuiteError> {
    let nothing = || SuiteError::NoCommand {
        command: command.first().cloned().unwrap_or_default(),
        source: io::Error::from_raw_os_error(nix::libc::ENOENT),
    };
    let program = command.first().ok_or_else(nothing)?;
    if program.as_bytes().contains(&b'/') {
        return if Path::new(program).exists() { Ok(()) } else { Err(nothing()) };
    }
    let path = env::var_os("PATH").unwrap_or_else(|| "/bin:/usr/bin".into());
    let found = env::split_paths(&path).any(|directory| directory.join(program).is_file());
    if found { Ok(()) } else { Err(nothing()) }
}

/// Waits for the command, and for the runs that end meanwhile.
fn wait(supervisor: &Supervisor, child: &mut Child, interrupted: &AtomicBool) -> io::Result<ExitStatus> {
    let pid = Pid::from_child(child);
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    epoll::add(&supervisor.ends, &process, epoll::EventData::new_u64(u64::MAX), epoll::EventFlags::IN)?;
    let mut asked = None;
    loop {
        end_runs(supervisor, LOOK);
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        match asked {
            None if interrupted.load(Ordering::Relaxed) => {
                let _ = kill_process(pid, Signal::TERM);
                asked = Some(Instant::now());
            }
            Some(when) if when.elapsed() > FAREWELL => child.kill()?,
            _ => {}
        }
    }
}

/// Makes seeds of the runs that have ended, or waits for one to end.
fn end_runs(supervisor: &Supervisor, timeout: Duration) {
    let timeout = Timespec { tv_sec: 0, tv_nsec: timeout.as_nanos() as i64 };
    let mut events = [epoll::Event { flags: epoll::EventFlags::empty(), data: epoll::EventData::new_u64(0) }; 64];
    let count = epoll::wait(&supervisor.ends, &mut events, Some(&timeout)).unwrap_or(0);
    for event in &events[..count] {
        if let Some(capture) = supervisor.capture(event.data.u64() as i32) {
            supervisor.end(&capture, capture.ending());
        }
    }
}

/// What the command left behind may have something to end. Daemons go on without us.
fn wait_for_quiet(supervisor: &Supervisor) {
    let begun = Instant::now();
    let (mut calls, mut since) = (supervisor.calls.load(Ordering::Relaxed), Instant::now());
    while !(supervisor.is_deserted() && supervisor.live() == 0) && since.elapsed() < QUIET && begun.elapsed() < PATIENCE
    {
        end_runs(supervisor, Duration::from_millis(10));
        let now = supervisor.calls.load(Ordering::Relaxed);
        if now != calls {
            (calls, since) = (now, Instant::now());
        }
    }
    for capture in supervisor.captures() {
        let program = capture.program();
        supervisor.end(&capture, None);
        supervisor
            .trouble(&program, "it still ran when the test command had ended: what it does later is not captured");
    }
    supervisor.is_over.store(true, Ordering::Relaxed);
    // A call that was received can be answered by nobody else when we are gone.
    while supervisor.waits() > 0 && begun.elapsed() < 2 * PATIENCE {
        thread::sleep(Duration::from_millis(1));
    }
}

fn close(supervisor: &Supervisor, status: ExitStatus, elapsed: Duration) -> Result<Recorded, SuiteError> {
    let plain = supervisor.programs.plain().into_iter().map(|(what, why, times)| (what, why.to_owned(), times));
    let not_captured = plain.chain(supervisor.troubles()).map(|(what, why, times)| NotCaptured { what, why, times });
    let (store, mut trouble) = supervisor.contents.close();
    let finished = store.map(|store| store.finish(Some(Ending::new(status, false)), elapsed, not_captured.collect()));
    let (suite, is_put_back) = match finished {
        Some(Ok(finished)) => finished,
        unfinished => {
            if let Some(Err(error)) = unfinished {
                trouble.get_or_insert(error);
            }
            (Suite::open(&supervisor.settings.directory)?, false)
        }
    };
    Ok(Recorded { status, elapsed, suite, trouble, is_put_back })
}
