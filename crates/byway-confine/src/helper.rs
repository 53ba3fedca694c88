//! The helper: our own program, executed again to become a sandbox.
//!
//! It leaves for namespaces of its own. Who it is there, only a process outside may say, so it asks the one that started
//! it. Then it makes the first process of the sandbox, and remains to see it end.

use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::process::exit;

use nix::sched::{CloneFlags, unshare};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{
    DumpableBehavior, Pid, PidfdFlags, Signal, WaitOptions, kill_process, pidfd_open, set_child_subreaper,
    set_dumpable_behavior, set_parent_process_death_signal, waitpid,
};
use rustix::thread::{set_thread_groups, set_thread_res_gid, set_thread_res_uid};
use rustix::{fs, stdio};

use crate::init::Init;
use crate::mounts::{self, Made, Plan};
use crate::system;
use crate::wire::{self, Message};

/// How long the first process may take to end by itself.
const FAREWELL: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// The argument by which a helper knows what it is.
pub const ARGUMENT: &str = "--be-the-sandbox-of-byway";

/// What the helper says while it sets up: the first number of its messages.
pub mod report {
    /// It has left for its namespaces.
    pub const AWAY: u64 = 1;
    /// The sandbox is ready.
    pub const READY: u64 = 2;
    /// It cannot go on; the texts say why, the second number is the error.
    pub const FAILED: u64 = 3;
    /// It made a mistake; the text says which.
    pub const MISTAKE: u64 = 4;
}

/// Something that the machine did not let us do.
#[derive(Debug)]
pub struct Failure {
    /// What we tried.
    pub what: String,
    /// What the operating system said.
    pub source: io::Error,
}

/// Says what was tried, if it fails.
pub fn trying<T, E: Into<io::Error>>(what: impl Into<String>, result: Result<T, E>) -> Result<T, Failure> {
    result.map_err(|error| Failure { what: what.into(), source: error.into() })
}

/// Becomes a sandbox, and does not return, if this process was started to be one. Call it first in `main`, before there
/// are threads.
pub fn serve_if_asked() {
    if env::args_os().nth(1).as_deref() == Some(OsStr::new(ARGUMENT)) {
        exit(serve().map_or(1, |()| 0));
    }
}

fn serve() -> io::Result<()> {
    let socket = UnixStream::from(take_descriptors()?);
    report_mistakes(socket.try_clone()?);
    let mut message = wire::receive(&socket)?;
    let group = std::mem::take(&mut message.files);
    let plan = Plan::from_message(message);
    match become_cell(&socket, &plan, group) {
        Ok(()) => Ok(()),
        Err(failure) => {
            let code = failure.source.raw_os_error().unwrap_or_default() as u64;
            let texts = vec![failure.what.into_bytes()];
            wire::send(&socket, &Message { numbers: vec![report::FAILED, code], texts, ..Message::default() }, &[])
        }
    }
}

/// The socket is our standard input; nothing that we start may inherit it, or anything else of who started us.
fn take_descriptors() -> io::Result<OwnedFd> {
    system::inherit_nothing()?;
    let socket = rustix::io::fcntl_dupfd_cloexec(stdio::stdin(), 3)?;
    let null = fs::open("/dev/null", fs::OFlags::RDWR | fs::OFlags::CLOEXEC, fs::Mode::empty())?;
    stdio::dup2_stdin(&null)?;
    stdio::dup2_stdout(&null)?;
    stdio::dup2_stderr(&null)?;
    Ok(socket)
}

/// A mistake of ours is told to who started us: there is no standard error.
fn report_mistakes(socket: UnixStream) {
    std::panic::set_hook(Box::new(move |mistake| {
        let texts = vec![mistake.to_string().into_bytes()];
        let _ = wire::send(&socket, &Message { numbers: vec![report::MISTAKE], texts, ..Message::default() }, &[]);
    }));
}

fn become_cell(socket: &UnixStream, plan: &Plan, group: Vec<OwnedFd>) -> Result<(), Failure> {
    if !plan.confined {
        trying("to look after orphans", set_child_subreaper(Some(rustix::process::getpid())))?;
        return serve_cell(socket, plan, Made::default(), group);
    }
    leave(socket)?;
    match trying("to make the first process", system::fork_single_threaded())? {
        Some(first) => trying("to wait for the first process", see_to_end(first, socket)),
        None => {
            trying("to end with the helper", set_parent_process_death_signal(Some(Signal::KILL)))?;
            let made = mounts::make(plan)?;
            serve_cell(socket, plan, made, group)
        }
    }
}

/// Waits for the first process. When nobody talks to it any more it has to end, whatever it does.
fn see_to_end(first: Pid, socket: &UnixStream) -> io::Result<()> {
    let ended = pidfd_open(first, PidfdFlags::empty())?;
    let until = |patience: Option<&Timespec>, with_socket: bool| {
        let mut files = vec![PollFd::new(&ended, PollFlags::IN)];
        files.extend(with_socket.then(|| PollFd::new(socket, PollFlags::empty())));
        retry_on_intr(|| poll(&mut files, patience)).map(|ready| ready > 0)
    };
    until(None, true)?;
    if !until(Some(&FAREWELL), false)? {
        let _ = kill_process(first, Signal::KILL);
    }
    waitpid(Some(first), WaitOptions::empty())?;
    Ok(())
}

/// Into namespaces of our own.
fn leave(socket: &UnixStream) -> Result<(), Failure> {
    let spaces = CloneFlags::CLONE_NEWUSER
        | CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    trying("to make namespaces", unshare(spaces))?;
    system::leave_session_keys();
    let away = Message { numbers: vec![report::AWAY], ..Message::default() };
    trying("to report", wire::send(socket, &away, &[]))?;
    let answer = trying("to hear who we are", wire::receive(socket))?;
    if answer.number(0) == 0 {
        return Ok(());
    }
    // Root of the sandbox is nobody outside: only then the number of processes is limited.
    let (user, group) = (fs::Uid::ROOT, fs::Gid::ROOT);
    trying("to leave our groups", set_thread_groups(&[]))?;
    trying("to change the group", set_thread_res_gid(group, group, group))?;
    trying("to change the user", set_thread_res_uid(user, user, user))?;
    Ok(())
}

fn serve_cell(socket: &UnixStream, plan: &Plan, made: Made, group: Vec<OwnedFd>) -> Result<(), Failure> {
    let files: Vec<_> = made.files.iter().map(AsFd::as_fd).collect();
    let paths = made.writables.iter().map(|(_, path)| path.as_os_str().as_bytes().to_vec());
    let texts = paths.chain(made.without.iter().map(|text| text.clone().into_bytes())).collect();
    let init = trying("to prepare the first process", Init::new(plan, made.writable(), group))?;
    let head = [report::READY, init.is_grouped().into()];
    let numbers = head.into_iter().chain(made.writables.iter().map(|(kind, _)| *kind)).collect();
    trying("to report", wire::send(socket, &Message { numbers, texts, ..Message::default() }, &files))?;
    if plan.confined {
        // Programs can neither read our memory nor take our descriptors.
        trying("to hide our memory", set_dumpable_behavior(DumpableBehavior::NotDumpable))?;
    }
    // An error here means that who started us is gone.
    let _ = init.serve(socket);
    exit(0)
}

/// The maps of users and groups: root and nobody change places, so that root's files can be read with the rights of
/// root, but what runs is nobody's.
pub const SWAPPED: &str = "0 65534 1\n1 1 65533\n65534 0 1\n65535 65535 4294901760\n";

/// Says who a helper is, from outside. True if root and nobody changed places.
pub fn introduce(helper: Pid) -> io::Result<bool> {
    let file = |name| format!("/proc/{}/{name}", helper.as_raw_nonzero());
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    if user.is_root() && std::fs::write(file("uid_map"), SWAPPED).is_ok() {
        std::fs::write(file("gid_map"), SWAPPED)?;
        return Ok(true);
    }
    std::fs::write(file("setgroups"), "deny")?;
    std::fs::write(file("uid_map"), format!("{0} {0} 1", user.as_raw()))?;
    std::fs::write(file("gid_map"), format!("{0} {0} 1", group.as_raw()))?;
    Ok(false)
}
