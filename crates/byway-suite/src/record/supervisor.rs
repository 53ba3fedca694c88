//! Who hears of system calls, and what is done about them.

use std::collections::HashMap;
use std::ops::Deref;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use byway_report::Ending;
use nix::libc;
use rustix::event::epoll;
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::capture::{Capture, STDIN, StdinSource};
use super::content_store::ContentStore;
use super::exec::{self, Exec};
use super::launch::SupervisedProcess;
use super::process::Process;
use super::programs::Programs;
use super::settings::RecordSettings;
use super::snapshot::Access;
use super::stdin;
use super::system::{self, Answer, Call};

/// How many threads are remembered. Numbers of processes come around again only after more.
const MOST_THREADS: usize = 10_000;

/// Everything that those who answer calls share.
#[derive(Debug)]
pub struct Supervisor {
    /// Where calls arrive.
    pub line: SupervisedProcess,
    /// What is to be recorded.
    pub settings: RecordSettings,
    /// Where it goes.
    pub contents: ContentStore,
    /// The programs that ran.
    pub programs: Programs,
    /// Tells when a captured process ends: its number.
    pub ends: OwnedFd,
    /// How many calls there were.
    pub calls: AtomicU64,
    /// Set when nothing more is to be captured.
    pub is_over: AtomicBool,
    live: AtomicUsize,
    /// How many reads wait for input.
    waits: AtomicUsize,
    runs: Mutex<Runs>,
    troubles: Mutex<HashMap<(PathBuf, String), u32>>,
}

/// A read that waits for input.
#[derive(Debug)]
pub struct BlockedRead {
    supervisor: Arc<Supervisor>,
    /// Where the call is kept.
    room: Option<usize>,
}

impl Deref for BlockedRead {
    type Target = Supervisor;

    fn deref(&self) -> &Supervisor {
        &self.supervisor
    }
}

impl Drop for BlockedRead {
    fn drop(&mut self) {
        if let Some(room) = self.room {
            self.line.pending.forget(room);
        }
        self.waits.fetch_sub(1, Ordering::Relaxed);
    }
}

#[derive(Debug, Default)]
struct Runs {
    /// The runs that are being captured, by the number of their process.
    captures: HashMap<i32, Arc<Capture>>,
    /// To which of them a thread belongs, if to any.
    threads: HashMap<i32, Option<i32>>,
}

impl Supervisor {
    /// Nobody was heard of yet.
    pub fn new(line: SupervisedProcess, settings: RecordSettings, contents: ContentStore, ends: OwnedFd) -> Supervisor {
        Supervisor {
            line,
            settings,
            contents,
            programs: Programs::default(),
            ends,
            calls: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            live: AtomicUsize::new(0),
            waits: AtomicUsize::new(0),
            runs: Mutex::default(),
            troubles: Mutex::default(),
        }
    }

    /// Answers calls, as receiver `number`, until there is nobody left who could make one.
    pub fn serve(self: &Arc<Self>, number: usize) {
        loop {
            match self.line.pending.receive(number, &self.line.listener) {
                Ok(Some(call)) => {
                    self.calls.fetch_add(1, Ordering::Relaxed);
                    if let Some(answer) = self.answer(&call) {
                        system::answer(&self.line.listener, call.id, answer);
                    }
                    self.line.pending.forget(number);
                }
                Ok(None) if !self.is_deserted() => {}
                _ => return,
            }
        }
    }

    /// Whether all processes that could make calls are gone.
    pub fn is_deserted(&self) -> bool {
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut ready = [PollFd::new(&self.line.listener, PollFlags::IN)];
        poll(&mut ready, Some(&now)).is_ok() && ready[0].revents().contains(PollFlags::HUP)
    }

    /// A call waits for input until this is dropped.
    pub fn begin_wait(self: &Arc<Self>, call: &Call) -> BlockedRead {
        self.waits.fetch_add(1, Ordering::Relaxed);
        BlockedRead { supervisor: Arc::clone(self), room: self.line.pending.keep(call) }
    }

    /// How many reads wait for input.
    pub fn waits(&self) -> usize {
        self.waits.load(Ordering::Relaxed)
    }

    /// How many runs are being captured.
    pub fn live(&self) -> usize {
        self.live.load(Ordering::Relaxed)
    }

    fn runs(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that something was not captured.
    pub fn trouble(&self, program: &Path, why: impl Into<String>) {
        let mut troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        *troubles.entry((program.to_owned(), why.into())).or_insert(0) += 1;
    }

    /// What was not captured, why, and how often.
    pub fn troubles(&self) -> Vec<(PathBuf, String, u32)> {
        let troubles = self.troubles.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<_> = troubles.iter().map(|((path, why), times)| (path.clone(), why.clone(), *times)).collect();
        all.sort();
        all
    }

    /// What becomes of a call. `None` if it will be answered later, or was.
    fn answer(self: &Arc<Self>, call: &Call) -> Option<Answer> {
        if self.is_over.load(Ordering::Relaxed) {
            return Some(Answer::Continue);
        }
        let [first, second, third, fourth, ..] = call.arguments;
        match call.number {
            libc::SYS_execve => {
                let directory = libc::AT_FDCWD;
                exec::look(self, call, &Exec { directory, path: first, arguments: second, environment: third });
                return Some(Answer::Continue);
            }
            libc::SYS_execveat => {
                let directory = first as i32;
                exec::look(self, call, &Exec { directory, path: second, arguments: third, environment: fourth });
                return Some(Answer::Continue);
            }
            _ => {}
        }
        let Some(capture) = self.capture_of(call.thread) else { return Some(Answer::Continue) };
        if !capture.is_running() {
            self.forget(&capture);
            return Some(Answer::Continue);
        }
        match call.number {
            libc::SYS_read | libc::SYS_readv => return stdin::read(self, &capture, call),
            libc::SYS_write | libc::SYS_writev => self.output(&capture, call),
            libc::SYS_exit_group => capture.seen().exit = Some((first & 0xff) as i32),
            libc::SYS_splice | libc::SYS_sendfile => match stdin::drain(self, &capture, call) {
                Ok(answer) => return answer,
                Err(stdin::NotFollowed) => self.moved(&capture),
            },
            libc::SYS_getdents64 => self.listed(&capture, first as i32),
            libc::SYS_openat => self.opened(&capture, call, first as i32, second, third as i32),
            libc::SYS_openat2 => {
                let mut flags = [0; 8];
                let _ = Process(call.thread).read(third, &mut flags);
                self.opened(&capture, call, first as i32, second, u64::from_ne_bytes(flags) as i32);
            }
            #[cfg(target_arch = "x86_64")]
            libc::SYS_open => self.opened(&capture, call, libc::AT_FDCWD, first, second as i32),
            _ => {}
        }
        Some(Answer::Continue)
    }

    /// The run that a thread belongs to.
    fn capture_of(&self, thread: i32) -> Option<Arc<Capture>> {
        if self.live() == 0 {
            return None;
        }
        let runs = self.runs();
        if let Some(capture) = runs.captures.get(&thread) {
            return Some(capture.clone());
        }
        if let Some(process) = runs.threads.get(&thread) {
            return process.and_then(|process| runs.captures.get(&process).cloned());
        }
        drop(runs);
        let family = Process(thread).family()?;
        let mut runs = self.runs();
        let capture = runs.captures.get(&family.process.0).cloned();
        if runs.threads.len() > MOST_THREADS {
            runs.threads.clear();
        }
        runs.threads.insert(thread, capture.is_some().then_some(family.process.0));
        let parent = runs.captures.get(&family.parent.0).filter(|_| capture.is_none()).cloned();
        // Who looks at its files may take long, and others must not wait for that.
        drop(runs);
        if let Some(parent) = parent {
            parent.seen().has_children = true;
        }
        capture
    }

    /// Captures a run from now on.
    pub fn begin(&self, capture: Capture) {
        let (number, capture) = (capture.process.0, Arc::new(capture));
        let mut runs = self.runs();
        let data = epoll::EventData::new_u64(number as u64);
        if let Err(error) = epoll::add(&self.ends, &capture.handle, data, epoll::EventFlags::IN) {
            self.trouble(&capture.program(), format!("its end cannot be waited for: {error}"));
            return;
        }
        if runs.captures.insert(number, capture).is_none() {
            self.live.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The run of a process.
    pub fn capture(&self, process: i32) -> Option<Arc<Capture>> {
        self.runs().captures.get(&process).cloned()
    }

    /// All runs that are being captured.
    pub fn captures(&self) -> Vec<Arc<Capture>> {
        self.runs().captures.values().cloned().collect()
    }

    /// Ends a run, and makes a seed of it.
    pub fn end(&self, capture: &Arc<Capture>, ending: Option<Ending>) {
        if !self.forget(capture) {
            return;
        }
        if capture.seen().has_children {
            self.trouble(&capture.program(), "it made processes of its own, which are not followed");
        }
        if let Ok(seed) = capture.seed(ending, &self.contents) {
            self.contents.add(seed);
        }
    }

    /// Captures a run no longer. False if it was not.
    fn forget(&self, capture: &Arc<Capture>) -> bool {
        let mut runs = self.runs();
        let number = capture.process.0;
        if !runs.captures.get(&number).is_some_and(|known| Arc::ptr_eq(known, capture)) {
            return false;
        }
        runs.captures.remove(&number);
        runs.threads.retain(|_, process| *process != Some(number));
        self.live.fetch_sub(1, Ordering::Relaxed);
        let _ = epoll::delete(&self.ends, &capture.handle);
        true
    }

    /// A run opens something.
    fn opened(&self, capture: &Capture, call: &Call, directory: i32, path: u64, flags: i32) {
        let thread = Process(call.thread);
        let path = thread.text(path).and_then(|path| thread.resolve(directory, &path));
        let Ok(path) = path else { return };
        if [STDIN, "/dev/fd/0", "/proc/self/fd/0"].iter().any(|stdin| path == Path::new(stdin)) {
            return self.moved(capture);
        }
        capture.seen().files.look(&path, Access::Opened(flags), &self.settings, &self.contents);
    }

    /// A run reads a directory.
    fn listed(&self, capture: &Capture, descriptor: i32) {
        if let Ok(path) = std::fs::read_link(capture.process.descriptor(descriptor)) {
            capture.seen().files.list(&path, &self.settings, &self.contents);
        }
    }

    /// A run takes its standard input in a way that we cannot follow.
    fn moved(&self, capture: &Capture) {
        let mut seen = capture.seen();
        if matches!(seen.stdin, StdinSource::Stream(_)) {
            seen.stdin = StdinSource::Unknown("standard input was a pipe, and read in another way than with read");
        }
    }

    /// A run writes.
    fn output(&self, capture: &Capture, call: &Call) {
        let [descriptor, address, count, ..] = call.arguments;
        let thread = Process(call.thread);
        let pieces = match call.number {
            libc::SYS_writev => thread.pieces(address, count).unwrap_or_default(),
            _ => vec![(address, count as usize)],
        };
        let mut seen = capture.seen();
        let output = &mut seen.output[usize::from(descriptor as u32 == 2)];
        for (address, length) in pieces {
            let before = output.len();
            output.resize(before + length.min(self.settings.limits.output - before), 0);
            let read = thread.read(address, &mut output[before..]).unwrap_or(0);
            output.truncate(before + read);
        }
    }
}
