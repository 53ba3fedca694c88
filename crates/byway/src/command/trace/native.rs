//! The run without instrumentation, for its time.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use byway_variant::Variant;
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde::Serialize;

use crate::flags::TraceFlags;

/// The time a run took.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Time {
    /// Processor time, user and system.
    pub cpu_seconds: f64,
    /// From its beginning to its end.
    pub elapsed_seconds: f64,
}

impl Time {
    /// The time of a run.
    pub fn new(cpu: Duration, elapsed: Duration) -> Time {
        Time { cpu_seconds: cpu.as_secs_f64(), elapsed_seconds: elapsed.as_secs_f64() }
    }
}

/// Runs the variant, what it prints goes nowhere. `None` if it was killed since its time was up.
pub fn run(flags: &TraceFlags, variant: &Variant, stdin: OwnedFd) -> io::Result<Option<Time>> {
    let before = children()?;
    let start = Instant::now();
    let mut command = Command::new(&variant.program);
    command.arg0(&flags.program).args(&flags.arguments);
    let mut child = command.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    // Our own copy of the input's end must be gone, or a pipe that nobody reads stays full.
    drop(command);
    let in_time = wait(&mut child, flags.timeout)?;
    let elapsed = start.elapsed();
    let time = Time::new(children()?.saturating_sub(before), elapsed);
    Ok(in_time.then_some(time))
}

/// Waits for the end, and brings it about when the time is up: then the answer is false.
fn wait(child: &mut Child, timeout: Option<Duration>) -> io::Result<bool> {
    let mut in_time = true;
    if let Some(timeout) = timeout {
        let process = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
        let timeout = Timespec::try_from(timeout).ok();
        in_time = poll(&mut [PollFd::new(&process, PollFlags::IN)], timeout.as_ref())? > 0;
        if !in_time {
            child.kill()?;
        }
    }
    child.wait()?;
    Ok(in_time)
}

/// The processor time of all children that have ended.
fn children() -> io::Result<Duration> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let time = |time: TimeVal| Duration::new(time.tv_sec().max(0) as u64, time.tv_usec().max(0) as u32 * 1000);
    Ok(time(usage.user_time()) + time(usage.system_time()))
}
