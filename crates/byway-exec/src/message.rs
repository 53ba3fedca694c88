//! What is said over the socket.

use std::ffi::{OsStr, OsString};
use std::io::{self, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use bytemuck::Zeroable;
use byway_trace::layout::{FIXED, MAGIC, Reply, Request};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use crate::run::{Argument, Run};

/// What asks for a run: the request, and what follows it.
pub struct Asked {
    request: Request,
    follows: Vec<u8>,
}

impl Asked {
    /// As [`Request`] says; `None` if a name, a variable or a pattern has a zero byte within.
    pub fn new(run: &Run<'_>) -> Option<Asked> {
        let extras = &run.extras;
        let mut follows = Vec::new();
        rooms(&mut follows, &run.arguments);
        for object in &extras.objects {
            follows.extend((object.bytes.len() as u32).to_ne_bytes());
        }
        for file in &extras.files {
            follows.extend(one_more(file.size).to_ne_bytes());
        }
        for pattern in &run.symbolic.patterns {
            name(&mut follows, pattern)?;
        }
        texts(&mut follows, &run.arguments);
        for file in &extras.files {
            name(&mut follows, file.name)?;
        }
        variables(&mut follows, run.environment)?;
        for object in &extras.objects {
            name(&mut follows, object.name)?;
            follows.extend_from_slice(object.bytes);
        }
        let (least, most) = extras.argument_count.as_ref().map_or((0, 0), |range| (*range.start(), *range.end()));
        let request = Request {
            least,
            most,
            names: extras.files.len() as u32,
            objects: extras.objects.len() as u32,
            stdin_most: one_more(extras.stdin_size),
            patterns: run.symbolic.patterns.len() as u32,
            ..request(&run.arguments, run.environment, &follows)
        };
        Some(Asked { request, follows })
    }

    /// A run of which only arguments and environment matter; `None` if a variable has a zero byte within.
    pub fn plain(arguments: &[Argument<'_>], environment: Option<&[(OsString, OsString)]>) -> Option<Asked> {
        let mut follows = Vec::new();
        rooms(&mut follows, arguments);
        texts(&mut follows, arguments);
        variables(&mut follows, environment)?;
        let request = request(arguments, environment, &follows);
        Some(Asked { request, follows })
    }
}

fn request(arguments: &[Argument<'_>], environment: Option<&[(OsString, OsString)]>, follows: &[u8]) -> Request {
    Request {
        magic: MAGIC,
        arguments: arguments.len() as u32,
        bytes: follows.len() as u32,
        variables: one_more(environment.map(|environment| environment.len() as u32)),
        ..Request::zeroed()
    }
}

fn rooms(follows: &mut Vec<u8>, arguments: &[Argument<'_>]) {
    for argument in arguments {
        let fixed = if argument.fixed { FIXED } else { 0 };
        follows.extend((room(argument) as u32 | fixed).to_ne_bytes());
    }
}

fn texts(follows: &mut Vec<u8>, arguments: &[Argument<'_>]) {
    for argument in arguments {
        let end = follows.len() + room(argument) + 1;
        follows.extend_from_slice(argument.bytes());
        follows.resize(end, 0);
    }
}

/// A size that may be reached, as [`Request`] has it.
fn one_more(size: Option<u32>) -> u32 {
    size.map_or(0, |size| size.saturating_add(1))
}

fn room(argument: &Argument<'_>) -> usize {
    argument.room.max(argument.bytes().len())
}

fn name(follows: &mut Vec<u8>, name: &OsStr) -> Option<()> {
    if name.as_bytes().contains(&0) {
        return None;
    }
    follows.extend_from_slice(name.as_bytes());
    follows.push(0);
    Some(())
}

fn variables(follows: &mut Vec<u8>, environment: Option<&[(OsString, OsString)]>) -> Option<()> {
    for (variable, value) in environment.unwrap_or_default() {
        if variable.as_bytes().contains(&0) {
            return None;
        }
        follows.extend_from_slice(variable.as_bytes());
        follows.push(b'=');
        name(follows, value)?;
    }
    Some(())
}

/// Asks for a run: the request with the files attached to its first byte, then what follows it. All at once, so that the
/// other side wakes up once.
pub fn send(mut socket: &UnixStream, asked: &Asked, files: &[BorrowedFd<'_>; 5]) -> io::Result<()> {
    let request = bytemuck::bytes_of(&asked.request);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(5))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    assert!(control.push(SendAncillaryMessage::ScmRights(files)), "there is room for five files");
    let parts = [IoSlice::new(request), IoSlice::new(&asked.follows)];
    let sent = sendmsg(socket, &parts, &mut control, SendFlags::NOSIGNAL)?;
    socket.write_all(request.get(sent..).unwrap_or_default())?;
    socket.write_all(&asked.follows[sent.saturating_sub(request.len())..])
}

/// What a wait for a reply can end with.
#[derive(Debug)]
pub enum Heard {
    /// A reply.
    Reply(Reply),
    /// No reply before the time was up.
    Nothing,
    /// The other side is closed.
    End,
    /// Something that is no reply.
    Nonsense,
}

/// Waits for a reply, for some time or for ever.
pub fn receive(mut socket: &UnixStream, patience: Option<Duration>) -> io::Result<Heard> {
    let deadline = patience.and_then(|patience| Instant::now().checked_add(patience));
    let mut bytes = [0; size_of::<Reply>()];
    let mut received = 0;
    while received < bytes.len() {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            return Ok(Heard::Nothing);
        }
        socket.set_read_timeout(left)?;
        match socket.read(&mut bytes[received..]) {
            Ok(0) => return Ok(Heard::End),
            Ok(count) => received += count,
            Err(error) => match error.kind() {
                io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {}
                io::ErrorKind::ConnectionReset => return Ok(Heard::End),
                _ => return Err(error),
            },
        }
    }
    let reply: Reply = bytemuck::pod_read_unaligned(&bytes);
    Ok(if reply.magic == MAGIC { Heard::Reply(reply) } else { Heard::Nonsense })
}
