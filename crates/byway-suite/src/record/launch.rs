//! Starting the test command under the filter.
//!
//! The filter must be installed by the process itself, so our own program is executed again to do that and then to become
//! the test command. Before, it leaves a guard behind: a process that holds the listener too, and lets all calls pass when
//! we are gone. Otherwise these would fail in whatever outlives us.

use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, exit};

use nix::sys::wait::waitpid;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use rustix::{fs, stdio};

use super::pending::Pending;
use super::system::{self, Answer};
use super::{filter, probe};
use crate::error::SuiteError;

/// The argument by which the launcher knows what it is.
const ARGUMENT: &str = "--be-the-launcher-of-byway";

/// A test command that was started.
#[derive(Debug)]
pub struct Launched {
    /// The command itself.
    pub child: Child,
    /// Says nothing and closes when the command has begun, or says the error.
    begun: UnixStream,
}

/// What connects us with a test command and all that come from it.
#[derive(Debug)]
pub struct SupervisedProcess {
    /// Where their calls arrive.
    pub listener: OwnedFd,
    /// The calls that were received, which the guard answers when we cannot.
    pub pending: Pending,
    /// As long as this is open, the guard does nothing.
    _guard: UnixStream,
}

impl Launched {
    /// Waits until the command has begun. Somebody must answer calls meanwhile.
    pub fn wait_for_begin(&mut self) -> io::Result<()> {
        let mut error = [0; 4];
        match self.begun.read_exact(&mut error) {
            Ok(()) => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(error))),
            Err(_) => Ok(()),
        }
    }
}

/// Starts a command. `quiet`: the places where the C library opens files for itself.
pub fn launch(command: &[OsString], quiet: &[u32]) -> Result<(Launched, SupervisedProcess), SuiteError> {
    let ours = |source| SuiteError::Machine { what: "start the test command", source };
    let (begun, to_launcher) = UnixStream::pair().map_err(ours)?;
    let (guard, to_guard) = UnixStream::pair().map_err(ours)?;
    // Only copies are inherited, and only by the launcher.
    let inherited = [&to_launcher, &to_guard].map(|socket| rustix::io::dup(socket).map_err(io::Error::from));
    let [launcher_end, guard_end] = inherited;
    let (launcher_end, guard_end) = (launcher_end.map_err(ours)?, guard_end.map_err(ours)?);
    let numbers = [&launcher_end, &guard_end].map(|end| end.as_raw_fd().to_string());
    let quiet = quiet.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let itself = env::current_exe().map_err(ours)?;
    let mut child = Command::new(itself).arg(ARGUMENT).args(numbers).arg(quiet).args(command).spawn().map_err(ours)?;
    drop((launcher_end, guard_end, to_launcher, to_guard));
    let listener = match receive_descriptor(&begun) {
        Ok(Some(listener)) => listener,
        told => {
            let _ = child.wait();
            let source = told.err().unwrap_or_else(|| io::ErrorKind::UnexpectedEof.into());
            return Err(SuiteError::NoFilter { source });
        }
    };
    send_descriptor(&guard, listener.as_fd()).map_err(ours)?;
    let pending = Pending::new().map_err(ours)?;
    send_descriptor(&guard, pending.file()).map_err(ours)?;
    Ok((Launched { child, begun }, SupervisedProcess { listener, pending, _guard: guard }))
}

/// Becomes a launcher, and does not return, if this process was started to be one. Call it first in `main`, before there
/// are threads.
pub fn serve_if_asked() {
    let mut arguments = env::args_os().skip(1);
    probe::serve_if_asked();
    if arguments.next().as_deref() == Some(OsStr::new(ARGUMENT)) {
        exit(serve(arguments.collect()).map_or(1, |()| 0));
    }
}

fn serve(arguments: Vec<OsString>) -> io::Result<()> {
    let [begun, guard, quiet, program, rest @ ..] = arguments.as_slice() else { return Ok(()) };
    let number = |text: &OsString| text.to_str().and_then(|text| text.parse().ok()).unwrap_or(-1);
    let (mut begun, guard) =
        (UnixStream::from(system::inherited(number(begun))), UnixStream::from(system::inherited(number(guard))));
    for socket in [&begun, &guard] {
        fcntl_setfd(socket, FdFlags::CLOEXEC)?;
    }
    let quiet: Vec<u32> = quiet.to_string_lossy().split(',').filter_map(|place| place.parse().ok()).collect();
    let ends_are_told = leave_guard(&guard)?;
    drop(guard);
    let listener = match system::listen(&filter::filter(!ends_are_told, &quiet)) {
        Ok(listener) => listener,
        Err(error) => return begun.write_all(&error.raw_os_error().unwrap_or_default().to_ne_bytes()),
    };
    send_descriptor(&begun, listener.as_fd())?;
    drop(listener);
    let error = Command::new(program).args(rest).exec();
    begun.write_all(&error.raw_os_error().unwrap_or_default().to_ne_bytes())
}

/// Makes the guard, which is nobody's child. On the way we see whether this kernel tells how processes ended, also after
/// their parents have heard it.
fn leave_guard(socket: &UnixStream) -> io::Result<bool> {
    if let Some(between) = system::fork_single_threaded()? {
        let pid = Pid::from_raw(between.as_raw()).expect("the number of a process");
        let process = pidfd_open(pid, PidfdFlags::empty());
        let _ = waitpid(between, None);
        return Ok(process.is_ok_and(|process| system::exit_status(process).is_some()));
    }
    if let Ok(None) = system::fork_single_threaded() {
        let _ = stand_guard(socket);
    }
    system::exit_at_once(0)
}

/// Waits for the listener, then for the end of the one who answers, then lets everything pass until nobody is left.
fn stand_guard(mut socket: &UnixStream) -> io::Result<()> {
    rustix::process::setsid()?;
    env::set_current_dir("/")?;
    system::close_all_but(socket);
    let null = fs::open("/dev/null", fs::OFlags::RDWR, fs::Mode::empty())?;
    stdio::dup2_stdin(&null)?;
    stdio::dup2_stdout(&null)?;
    stdio::dup2_stderr(&null)?;
    let Some(listener) = receive_descriptor(socket)? else { return Ok(()) };
    let pending = receive_descriptor(socket)?;
    let _ = socket.read(&mut [0]);
    if let Some(pending) = pending.and_then(|file| Pending::open(file).ok()) {
        pending.let_pass(&listener);
    }
    loop {
        let mut ready = [PollFd::new(&listener, PollFlags::IN)];
        match poll(&mut ready, None) {
            Err(rustix::io::Errno::INTR) => continue,
            result => result?,
        };
        if !ready[0].revents().contains(PollFlags::IN) {
            return Ok(());
        }
        if let Some(call) = system::receive(&listener)? {
            system::answer(&listener, call.id, Answer::Continue);
        }
    }
}

/// Sends a descriptor.
pub fn send_descriptor(socket: &UnixStream, descriptor: BorrowedFd<'_>) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    let descriptors = [descriptor];
    assert!(control.push(SendAncillaryMessage::ScmRights(&descriptors)), "there is room for one");
    sendmsg(socket, &[IoSlice::new(&[0])], &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Receives a descriptor: `None` if the other side is gone; an error if it says so.
pub fn receive_descriptor(socket: &UnixStream) -> io::Result<Option<OwnedFd>> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut bytes = [0; 4];
    let received = rustix::io::retry_on_intr(|| {
        recvmsg(socket, &mut [IoSliceMut::new(&mut bytes)], &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(mut descriptors) = message {
            return Ok(descriptors.next());
        }
    }
    match received.bytes {
        4 => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(bytes))),
        _ => Ok(None),
    }
}
