//! What is said over the socket.

use std::io::{self, IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use byway_trace::layout::{MAGIC, Reply, Request};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags, sendmsg};

use crate::run::Run;

/// The pattern and the arguments, each ended by a zero byte; `None` if one has such a byte within.
pub fn texts(run: &Run<'_>) -> Option<Vec<u8>> {
    let mut texts = Vec::new();
    for text in std::iter::once(run.symbolic.pattern.as_os_str()).chain(run.arguments.iter().copied()) {
        if text.as_bytes().contains(&0) {
            return None;
        }
        texts.extend_from_slice(text.as_bytes());
        texts.push(0);
    }
    Some(texts)
}

/// Asks for a run: the request with the files attached to its first byte, then the texts. All at once, so that the other
/// side wakes up once.
pub fn send(mut socket: &UnixStream, arguments: usize, texts: &[u8], files: &[BorrowedFd<'_>; 5]) -> io::Result<()> {
    let request = Request { magic: MAGIC, arguments: arguments as u32, bytes: texts.len() as u32 };
    let request = bytemuck::bytes_of(&request);
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(5))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    assert!(control.push(SendAncillaryMessage::ScmRights(files)), "there is room for five files");
    let parts = [IoSlice::new(request), IoSlice::new(texts)];
    let sent = sendmsg(socket, &parts, &mut control, SendFlags::NOSIGNAL)?;
    socket.write_all(request.get(sent..).unwrap_or_default())?;
    socket.write_all(&texts[sent.saturating_sub(request.len())..])
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
