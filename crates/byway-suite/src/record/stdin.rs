//! Standard input that can be read only once: we read it for the program, and give it what we read.
//!
//! Exactly what the program asks for is taken from the pipe: what it leaves is for whoever reads next.

use std::fs::File;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use nix::libc;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl};
use rustix::io::{Errno, ReadWriteFlags, preadv2};

use super::capture::{Capture, StdinSource, Stream};
use super::process::{Process, take_descriptor};
use super::supervisor::Supervisor;
use super::system::{Answer, Call, answer, is_waiting};

/// The most that is read at once.
const MOST: usize = 1 << 20;
/// How often we look whether a program that waits for input was sent a signal.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 10_000_000 };
/// What the kernel itself would say, so that a handler runs and the call is made again or fails, as the program wants it.
const RESTART: i32 = 512;

/// Where what is read goes to: pieces of memory.
type Pieces = Vec<(u64, usize)>;

/// Reads for a program. `None` if it will be answered later, or was.
pub fn read(supervisor: &Arc<Supervisor>, capture: &Arc<Capture>, call: &Call) -> Option<Answer> {
    // What makes no sense the kernel shall say itself.
    let Some(pieces) = pieces(call) else { return Some(Answer::Continue) };
    let most = pieces.iter().fold(0, |sum: usize, piece| sum.saturating_add(piece.1)).min(MOST);
    take(supervisor, capture, call, pieces, most)
}

/// Reads for a program that throws away what is left of its input, as `grep` does when it has seen enough. What it moves to
/// somewhere else we cannot follow.
pub fn drain(supervisor: &Arc<Supervisor>, capture: &Arc<Capture>, call: &Call) -> Result<Option<Answer>, NotFollowed> {
    let [_, offset, to, _, most, flags] = call.arguments;
    let is_null = std::fs::metadata(capture.process.descriptor(to as i32)).is_ok_and(|to| Some(to.rdev()) == null());
    if call.number != libc::SYS_splice || offset != 0 || !is_null || flags as u32 & libc::SPLICE_F_NONBLOCK != 0 {
        return Err(NotFollowed);
    }
    Ok(take(supervisor, capture, call, Pieces::new(), most.min(MOST as u64) as usize))
}

/// Input that goes where we do not follow it.
#[derive(Debug)]
pub struct NotFollowed;

fn take(
    supervisor: &Arc<Supervisor>,
    capture: &Arc<Capture>,
    call: &Call,
    pieces: Pieces,
    most: usize,
) -> Option<Answer> {
    let mut seen = capture.seen();
    let stream = match &mut seen.stdin {
        StdinSource::Stream(stream) => stream,
        StdinSource::Nothing if is_interesting(capture.process) => {
            seen.stdin = StdinSource::Unknown("standard input was a terminal or another device, which is not captured");
            return Some(Answer::Continue);
        }
        _ => return Some(Answer::Continue),
    };
    let file = match take_descriptor(&capture.handle, 0) {
        Ok(file) if file.metadata().is_ok_and(|metadata| (metadata.dev(), metadata.ino()) == stream.file) => file,
        // The program has put something else in its place, or it is closed.
        _ => return Some(Answer::Continue),
    };
    if most == 0 {
        return Some(Answer::Continue);
    }
    if !stream.owed.is_empty() {
        let count = stream.owed.len().min(most);
        let bytes: Vec<u8> = stream.owed.drain(..count).collect();
        drop(seen);
        return give(supervisor, capture, call, &pieces, bytes);
    }
    if stream.bytes.as_ref().is_some_and(|bytes| bytes.len() as u64 > supervisor.settings.limits.file) {
        seen.stdin = StdinSource::Unknown("standard input is too large to be kept");
        return Some(Answer::Continue);
    }
    drop(seen);
    let reader = Reader { file, pieces, most };
    match reader.try_read() {
        Ok(bytes) => give(supervisor, capture, call, &reader.pieces, bytes),
        Err(Errno::AGAIN | Errno::INTR) if reader.may_block() => {
            let (waiting, run, asked) = (supervisor.begin_wait(call), Arc::clone(capture), *call);
            let waits = thread::Builder::new().spawn(move || reader.wait(&waiting, &run, &asked));
            if waits.is_err() {
                capture.seen().stdin =
                    StdinSource::Unknown("there were too many programs that wait for standard input");
                return Some(Answer::Continue);
            }
            None
        }
        Err(error) => Some(Answer::Failed(error.raw_os_error())),
    }
}

/// Whether standard input is something that can be read, and is neither a file nor nothing.
fn is_interesting(process: Process) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let metadata = std::fs::metadata(process.descriptor(0));
    metadata.is_ok_and(|metadata| metadata.file_type().is_char_device() && Some(metadata.rdev()) != null())
}

/// What `/dev/null` is.
fn null() -> Option<u64> {
    std::fs::metadata("/dev/null").map(|null| null.rdev()).ok()
}

fn pieces(call: &Call) -> Option<Pieces> {
    let [_, address, count, ..] = call.arguments;
    match call.number {
        libc::SYS_readv => Process(call.thread).pieces(address, count).ok(),
        _ => Some(vec![(address, count.min(MOST as u64) as usize)]),
    }
}

/// Hands over what was read.
fn give(supervisor: &Supervisor, capture: &Capture, call: &Call, pieces: &Pieces, bytes: Vec<u8>) -> Option<Answer> {
    let process = Process(call.thread);
    let mut seen = capture.seen();
    // What was read is the program's, also if nobody wants to know it any more.
    let mut unkept = Stream::default();
    let stream = if let StdinSource::Stream(stream) = &mut seen.stdin { stream } else { &mut unkept };
    let mut rest = bytes.as_slice();
    for &(address, length) in pieces {
        let (now, later) = rest.split_at(length.min(rest.len()));
        if process.write(address, now).ok() != Some(now.len()) {
            // The program cannot have it there, but may ask again.
            stream.owed.splice(0..0, bytes);
            return Some(Answer::Failed(libc::EFAULT));
        }
        rest = later;
    }
    let all = stream.bytes.get_or_insert_default();
    let before = all.len();
    all.extend_from_slice(&bytes);
    if !answer(&supervisor.line.listener, call.id, Answer::Done(bytes.len() as i64)) {
        all.truncate(before);
        stream.owed.splice(0..0, bytes);
    }
    None
}

/// A read in the making.
struct Reader {
    file: File,
    pieces: Pieces,
    most: usize,
}

impl Reader {
    fn may_block(&self) -> bool {
        fcntl_getfl(&self.file).is_ok_and(|flags| !flags.contains(OFlags::NONBLOCK))
    }

    /// Reads what is there now.
    fn try_read(&self) -> Result<Vec<u8>, Errno> {
        let mut bytes = vec![0; self.most];
        let now = Timespec { tv_sec: 0, tv_nsec: 0 };
        let mut ready = [PollFd::new(&self.file, PollFlags::IN)];
        if poll(&mut ready, Some(&now))? == 0 {
            return Err(Errno::AGAIN);
        }
        let mut buffers = [std::io::IoSliceMut::new(&mut bytes)];
        let count = match preadv2(&self.file, &mut buffers, u64::MAX, ReadWriteFlags::NOWAIT) {
            // Not every kernel can do this with every kind of file.
            Err(Errno::OPNOTSUPP) => rustix::io::read(&self.file, &mut bytes)?,
            count => count?,
        };
        bytes.truncate(count);
        Ok(bytes)
    }

    /// Reads when there is something, unless the program is to do something else first, or nobody wants to know it any more.
    fn wait(self, supervisor: &Supervisor, capture: &Capture, call: &Call) {
        let verdict = loop {
            let mut ready = [PollFd::new(&self.file, PollFlags::IN)];
            let _ = poll(&mut ready, Some(&LOOK));
            if !is_waiting(&supervisor.line.listener, call) {
                return;
            }
            if supervisor.is_over.load(Ordering::Relaxed) {
                break Some(Answer::Continue);
            }
            match self.try_read() {
                Ok(bytes) => break give(supervisor, capture, call, &self.pieces, bytes),
                Err(Errno::AGAIN | Errno::INTR) => {}
                Err(error) => break Some(Answer::Failed(error.raw_os_error())),
            }
            if Process(call.thread).has_signal() {
                break Some(Answer::Failed(RESTART));
            }
        };
        if let Some(verdict) = verdict {
            answer(&supervisor.line.listener, call.id, verdict);
        }
    }
}
