//! Where the C library opens files for itself.
//!
//! Most files that processes open are the machine's: shared libraries and locales, opened by the C library and its loader.
//! These do it in a few places of their own, which no program's call comes by. A filter sees from which place a call
//! comes, so once the places are known, most calls need not be answered: they were two thirds of all in a shell script.
//! A process of ours finds out, before the test command begins. Addresses differ from process to process, but not within
//! a page.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio, exit};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{FdFlags, fcntl_setfd};

use super::filter::{self, PLACE};
use super::launch::{receive_descriptor, send_descriptor};
use super::process::Process;
use super::system::{self, Answer};

/// The argument by which such a process knows what it is.
const ARGUMENT: &str = "--be-the-probe-of-byway";
/// What it opens as programs do.
const OURS: &str = "/dev/null";
/// How long it may take.
const PATIENCE: Duration = Duration::from_secs(3);

/// The places, as addresses within a page. None if they cannot be found: then there is more to answer, and nothing else.
pub fn places() -> Vec<u32> {
    probe().unwrap_or_default()
}

fn probe() -> io::Result<Vec<u32>> {
    let (socket, theirs) = UnixStream::pair()?;
    let inherited = rustix::io::dup(&theirs)?;
    let mut command = Command::new(env::current_exe()?);
    command.arg(ARGUMENT).arg(inherited.as_raw_fd().to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    drop((theirs, inherited));
    let places = receive_descriptor(&socket).map(|listener| listener.map(listen).unwrap_or_default());
    // If it took too long, it waits for an answer that does not come.
    let _ = child.kill();
    child.wait()?;
    places
}

/// Hears what the process opens, and from where.
fn listen(listener: OwnedFd) -> Vec<u32> {
    let (mut places, mut programs_own) = (Vec::new(), Vec::new());
    let deadline = Instant::now() + PATIENCE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: left.subsec_nanos().into() };
        let mut ready = [PollFd::new(&listener, PollFlags::IN)];
        if !matches!(poll(&mut ready, Some(&left)), Ok(1)) || !ready[0].revents().contains(PollFlags::IN) {
            break;
        }
        let Ok(Some(call)) = system::receive(&listener) else { continue };
        let path = Process(call.thread).text(call.arguments[1]).unwrap_or_default();
        let path = String::from_utf8_lossy(&path).into_owned();
        let place = call.place as u32 & PLACE;
        if path == OURS {
            programs_own.push(place);
        } else if path.contains("/ld.so.cache") || path.contains("/libc.so") || path.contains("/locale/") {
            places.push(place);
        }
        system::answer(&listener, call.id, Answer::Continue);
    }
    places.sort_unstable();
    places.dedup();
    places.retain(|place| !programs_own.contains(place));
    // Without the first there is nothing to tell them apart by.
    if programs_own.is_empty() { Vec::new() } else { places }
}

/// Opens a file, and becomes a program that uses locales, if this process was started to do that.
pub fn serve_if_asked() {
    let mut arguments = env::args_os().skip(1);
    if arguments.next().as_deref() != Some(OsStr::new(ARGUMENT)) {
        return;
    }
    let number = arguments.next().and_then(|number| number.to_str()?.parse().ok()).unwrap_or(-1);
    let socket = UnixStream::from(system::inherited(number));
    let serve = || -> io::Result<()> {
        fcntl_setfd(&socket, FdFlags::CLOEXEC)?;
        send_descriptor(&socket, system::listen(&filter::opens())?.as_fd())?;
        drop(File::open(OURS)?);
        Err(Command::new("env").arg("true").env("LC_ALL", "C.UTF-8").exec())
    };
    exit(i32::from(serve().is_err()))
}
