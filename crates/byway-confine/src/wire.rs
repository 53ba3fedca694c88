//! Messages between us and the first process of a sandbox: numbers, texts and descriptors.

use std::io::{self, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags,
    recvmsg, sendmsg,
};

/// How many descriptors a message can have: as many as the kernel takes.
pub const MAX_FILES: usize = 253;
/// The largest message that is believed.
const MAX_BYTES: u64 = 64 << 20;

/// One message.
#[derive(Debug, Default)]
pub struct Message {
    /// Its numbers; what they mean depends on who sends it.
    pub numbers: Vec<u64>,
    /// Its texts, without zero bytes.
    pub texts: Vec<Vec<u8>>,
    /// Its descriptors, when received.
    pub files: Vec<OwnedFd>,
}

impl Message {
    /// The number at an index, or zero.
    pub fn number(&self, index: usize) -> u64 {
        self.numbers.get(index).copied().unwrap_or_default()
    }

    fn encode(&self) -> Vec<u8> {
        let text_bytes: usize = self.texts.iter().map(|text| text.len() + 1).sum();
        let head = [self.numbers.len() as u64, text_bytes as u64];
        let mut bytes: Vec<u8> = head.iter().chain(&self.numbers).flat_map(|number| number.to_ne_bytes()).collect();
        for text in &self.texts {
            bytes.extend_from_slice(text);
            bytes.push(0);
        }
        bytes
    }
}

/// Sends a message with descriptors.
pub fn send(mut socket: &UnixStream, message: &Message, files: &[BorrowedFd<'_>]) -> io::Result<()> {
    let bytes = message.encode();
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FILES))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !files.is_empty() && !control.push(SendAncillaryMessage::ScmRights(files)) {
        return Err(io::Error::other("too many descriptors in a message"));
    }
    let sent = sendmsg(socket, &[IoSlice::new(&bytes)], &mut control, SendFlags::NOSIGNAL)?;
    socket.write_all(&bytes[sent..])
}

/// Receives a message; an error of kind `UnexpectedEof` if the other side is gone.
pub fn receive(mut socket: &UnixStream) -> io::Result<Message> {
    let mut head = [0; 16];
    let (received, files) = receive_head(socket, &mut head)?;
    socket.read_exact(&mut head[received..])?;
    let number = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
    let (count, text_bytes) = (number(&head[..8]), number(&head[8..]));
    if count > MAX_BYTES / 8 || text_bytes > MAX_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = vec![0; (count * 8 + text_bytes) as usize];
    socket.read_exact(&mut bytes)?;
    let (numbers, texts) = bytes.split_at(count as usize * 8);
    let mut texts: Vec<_> = texts.split(|&byte| byte == 0).map(<[u8]>::to_vec).collect();
    // Behind the last zero byte there is nothing.
    texts.pop();
    Ok(Message { numbers: numbers.chunks(8).map(number).collect(), texts, files })
}

fn receive_head(socket: &UnixStream, head: &mut [u8]) -> io::Result<(usize, Vec<OwnedFd>)> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FILES))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = rustix::io::retry_on_intr(|| {
        recvmsg(socket.as_fd(), &mut [IoSliceMut::new(head)], &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    if received.bytes == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let mut files = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(received) = message {
            files.extend(received);
        }
    }
    Ok((received.bytes, files))
}

/// What a sandbox can be asked for: the first number of a message to it.
pub mod request {
    /// Run a program and wait for it.
    pub const RUN: u64 = 1;
    /// Start a program and let it be.
    pub const SERVICE: u64 = 2;
    /// Kill all but the services.
    pub const SWEEP: u64 = 3;
    /// How a service ended, if it did.
    pub const STATUS: u64 = 4;
    /// End a service.
    pub const END: u64 = 5;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_arrives_as_it_was_sent() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let message = Message {
            numbers: vec![1, u64::MAX],
            texts: vec![b"a".to_vec(), Vec::new(), b"bc".to_vec()],
            files: vec![],
        };
        send(&ours, &message, &[ours.as_fd()]).unwrap();
        let received = receive(&theirs).unwrap();
        assert_eq!((received.numbers, received.texts), (message.numbers, message.texts));
        assert_eq!(received.files.len(), 1);
    }
}
