//! Starting a helper, and what is said until its sandbox is ready.

use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::fs::{Gid, Uid};
use rustix::process::Pid;

use crate::error::ConfineError;
use crate::group::Group;
use crate::helper::{self, report};
use crate::link::Link;
use crate::mounts::Plan;
use crate::sandbox::wall;
use crate::wire::{self, Message};

/// How long a helper may take to make a sandbox.
const SETUP: Duration = Duration::from_secs(20);
/// The owner, outside, of what root of a sandbox owns.
const NOBODY: u32 = 65534;

/// A helper that has made a sandbox.
pub struct Started {
    /// Its socket.
    pub link: Link,
    /// What it made.
    pub ready: Message,
    /// Who owns, outside, what root of the sandbox owns.
    pub owner: Option<(Uid, Gid)>,
}

/// Executes ourselves again, as a helper.
pub fn start_helper(plan: &Plan, group: Option<&Group>) -> Result<Started, ConfineError> {
    let broken = |source| ConfineError::Helper { what: "cannot be started", source };
    let (socket, theirs) = UnixStream::pair().map_err(broken)?;
    let mut command = Command::new("/proc/self/exe");
    command.arg0("byway-sandbox").arg(helper::ARGUMENT).stdin(OwnedFd::from(theirs)).stdout(Stdio::null());
    // A terminal's signals are for us; the sandbox ends when we say so, or are gone.
    command.process_group(0);
    let child = command.spawn().map_err(broken)?;
    drop(command);
    let pid = Pid::from_child(&child);
    let link_socket = socket.try_clone().map_err(broken)?;
    let link = Link::new(link_socket, child);
    let talked = talk(&socket, plan, group, pid);
    match talked {
        Ok((ready, owner)) => Ok(Started { link, ready, owner }),
        Err(error) => {
            drop(socket);
            link.end();
            Err(error)
        }
    }
}

/// What is said before a sandbox is ready.
fn talk(
    socket: &UnixStream,
    plan: &Plan,
    group: Option<&Group>,
    pid: Pid,
) -> Result<(Message, Option<(Uid, Gid)>), ConfineError> {
    let silent = |source| ConfineError::Helper { what: "does not answer", source };
    socket.set_read_timeout(Some(SETUP)).map_err(silent)?;
    let files = group.map(Group::files).unwrap_or_default();
    wire::send(socket, &plan.to_message(), &files).map_err(silent)?;
    let mut owner = None;
    loop {
        let message = wire::receive(socket).map_err(silent)?;
        match message.number(0) {
            report::AWAY => {
                let is_swapped = helper::introduce(pid).map_err(|source| wall("to map users", source))?;
                owner = is_swapped.then(|| (Uid::from_raw(NOBODY), Gid::from_raw(NOBODY)));
                let numbers = vec![is_swapped.into()];
                wire::send(socket, &Message { numbers, ..Message::default() }, &[]).map_err(silent)?;
            }
            report::READY => {
                socket.set_read_timeout(None).map_err(silent)?;
                return Ok((message, owner));
            }
            _ => {
                let what = message.texts.first().map(|text| String::from_utf8_lossy(text).into_owned());
                let source = io::Error::from_raw_os_error(message.number(1) as i32);
                return Err(wall(what.unwrap_or_else(|| "to make a sandbox".to_owned()), source));
            }
        }
    }
}
