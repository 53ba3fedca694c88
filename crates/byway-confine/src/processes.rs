//! The processes of a sandbox, as its first process sees them.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait, waitpid};

use crate::{seccomp, system, unseen};

/// How long processes are killed one by one.
const QUICK: Duration = Duration::from_millis(5);
/// How long killing may take before services are killed as well.
const PATIENCE: Duration = Duration::from_secs(2);

/// A process that is not the first one.
#[derive(Debug, Clone, Copy)]
struct Process {
    pid: Pid,
    parent: i32,
    is_zombie: bool,
}

/// The processes of a sandbox.
#[derive(Debug)]
pub struct Processes {
    /// Whether all processes we see are in the sandbox.
    pub is_alone: bool,
    /// The services, and how they ended if they did.
    pub services: HashMap<Pid, Option<i32>>,
    /// The program that is run, and how it ended if it did.
    pub current: Option<(Pid, Option<i32>)>,
}

impl Processes {
    /// Processes of a sandbox with a pid namespace, or of an unconfined one.
    pub fn new(is_alone: bool) -> Processes {
        Processes { is_alone, services: HashMap::new(), current: None }
    }

    /// Notes which processes ended. False if there are none any more.
    pub fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) => self.note(pid, status.as_raw()),
                Ok(None) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }

    fn note(&mut self, pid: Pid, status: i32) {
        if let Some(ended) = self.services.get_mut(&pid) {
            *ended = Some(status);
        } else if let Some((_, ended)) = self.current.as_mut().filter(|(current, _)| *current == pid) {
            *ended = Some(status);
        }
    }

    /// Whether a service runs.
    pub fn has_services(&self) -> bool {
        self.services.values().any(Option::is_none)
    }

    /// Kills all processes but the services, and says how many there were.
    pub fn sweep(&mut self) -> u32 {
        // Orphans become our children: without children there is no process at all.
        if !self.reap() {
            return 0;
        }
        let (begun, mut killed) = (Instant::now(), HashMap::new());
        loop {
            let strays = self.strays();
            if strays.is_empty() {
                return killed.len() as u32;
            }
            killed.extend(strays.iter().map(|stray| (stray.pid, ())));
            match begun.elapsed() {
                _ if self.is_alone && !self.has_services() => system::signal_all(Signal::KILL),
                elapsed if self.is_alone && elapsed > PATIENCE => system::signal_all(Signal::KILL),
                elapsed if self.is_alone && elapsed > QUICK => self.kill_all_that_fork(),
                _ => kill(&strays, Signal::KILL),
            }
            std::thread::sleep(Duration::from_micros(100));
            self.reap();
        }
    }

    /// Kills what makes new processes faster than we find them: when all stand still, there are no new ones.
    fn kill_all_that_fork(&mut self) {
        system::signal_all(Signal::STOP);
        kill(&self.strays(), Signal::KILL);
        let running = self.services.iter().filter(|(_, ended)| ended.is_none());
        for (service, _) in running {
            let _ = kill_process(*service, Signal::CONT);
        }
    }

    /// All processes but the services, and but those that have ended and are known to a service.
    fn strays(&mut self) -> Vec<Process> {
        self.reap();
        let mut strays = self.all();
        let me = getpid().as_raw_nonzero().get();
        strays.retain(|stray| self.services.get(&stray.pid).is_none_or(Option::is_some));
        strays.retain(|stray| !stray.is_zombie || (self.is_alone && stray.parent == me));
        strays
    }

    fn all(&self) -> Vec<Process> {
        let me = getpid();
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        let others = pids.filter_map(Pid::from_raw).filter(|pid| *pid != me);
        let all: Vec<_> = others.filter_map(look_at).collect();
        if self.is_alone { all } else { descendants(all, me.as_raw_nonzero().get()) }
    }

    /// The memory that all processes have together, in bytes: exactly if it seems to be more than `limit`. What no process has
    /// is estimated, unless somebody else counts it.
    pub fn memory(&self, limit: u64, is_rest_counted: bool) -> u64 {
        let all = self.all();
        let page = rustix::param::page_size() as u64;
        let quick: u64 = all.iter().filter_map(|process| resident(process.pid)).sum::<u64>() * page;
        let pids = || all.iter().map(|process| process.pid);
        let (tables, shared) = match is_rest_counted {
            true => (0, 0),
            false => (unseen::page_tables(pids()), unseen::shared(pids())),
        };
        let sockets = if self.is_alone && !is_rest_counted { unseen::socket_buffers() } else { 0 };
        if quick + tables + shared + sockets <= limit {
            return quick + tables + shared + sockets;
        }
        // What is mapped of shared memory is counted with the processes.
        let (own, mapped) = pids().filter_map(proportional).fold((0, 0), |sum, next| (sum.0 + next.0, sum.1 + next.1));
        own + tables + sockets + shared.saturating_sub(mapped)
    }
}

fn kill(processes: &[Process], signal: Signal) {
    for process in processes {
        let _ = kill_process(process.pid, signal);
    }
}

/// Uses up the numbers of processes that are for services.
pub fn skip_reserved() -> io::Result<()> {
    const LAST: &str = "/proc/sys/kernel/ns_last_pid";
    if fs::write(LAST, (seccomp::FIRST_FREE - 1).to_string()).is_ok() {
        return Ok(());
    }
    // A kernel without this file counts the processes that there were.
    loop {
        match system::fork_single_threaded()? {
            None => std::process::exit(0),
            Some(child) => {
                waitpid(Some(child), WaitOptions::empty())?;
                if child.as_raw_nonzero().get() as u32 >= seccomp::FIRST_FREE - 1 {
                    return Ok(());
                }
            }
        }
    }
}

/// Those who come from a process, at whatever distance.
fn descendants(all: Vec<Process>, ancestor: i32) -> Vec<Process> {
    let parents: HashMap<i32, i32> =
        all.iter().map(|process| (process.pid.as_raw_nonzero().get(), process.parent)).collect();
    let is_descendant = |process: &Process| {
        let mut at = process.parent;
        for _ in 0..parents.len() {
            match parents.get(&at) {
                _ if at == ancestor => return true,
                Some(&parent) => at = parent,
                None => return false,
            }
        }
        at == ancestor
    };
    all.into_iter().filter(is_descendant).collect()
}

/// The state and the parent are behind the name, which may have anything in it.
fn look_at(pid: Pid) -> Option<Process> {
    let text = fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?;
    let end = text.iter().rposition(|&byte| byte == b')')?;
    let rest = String::from_utf8_lossy(&text[end + 1..]);
    let mut fields = rest.split_ascii_whitespace();
    let state = fields.next()?;
    Some(Process { pid, parent: fields.next()?.parse().ok()?, is_zombie: matches!(state, "Z" | "X") })
}

/// Pages, where shared ones count for each process.
fn resident(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{}/statm", pid.as_raw_nonzero())).ok()?;
    text.split_ascii_whitespace().nth(1)?.parse().ok()
}

/// Bytes, where shared pages count once, and how many of them are of shared memory.
fn proportional(pid: Pid) -> Option<(u64, u64)> {
    let read = || -> io::Result<String> { fs::read_to_string(format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero())) };
    let text = match read() {
        Ok(text) => text,
        Err(_) => return resident(pid).map(|pages| (pages * rustix::param::page_size() as u64, 0)),
    };
    Some((unseen::kilobytes(&text, "Pss:")?, unseen::kilobytes(&text, "Pss_Shmem:").unwrap_or_default()))
}
