//! Our standard input, for a program that is run twice: of the same kind, and with the same content.

use std::fs::File;
use std::io::{self, Read, Write, pipe};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use rustix::fs::{FileType, SeekFrom, fstat, seek};

/// Our standard input.
pub enum Stdin {
    /// A terminal or another device, passed on as it is.
    Device,
    /// A file, read again from where it was.
    File {
        /// Where it was.
        position: u64,
    },
    /// A pipe or a socket: both runs get a pipe, the second with what the first was given.
    Pipe {
        /// What has been read so far.
        content: Arc<Mutex<Vec<u8>>>,
    },
}

impl Stdin {
    /// What our standard input is.
    pub fn ours() -> io::Result<Stdin> {
        let stdin = io::stdin();
        let kind = FileType::from_raw_mode(fstat(&stdin)?.st_mode);
        Ok(match kind {
            FileType::RegularFile => Stdin::File { position: seek(&stdin, SeekFrom::Current(0))? },
            FileType::Fifo | FileType::Socket => Stdin::Pipe { content: Arc::default() },
            _ => Stdin::Device,
        })
    }

    /// For the first run. A pipe is filled as we are given its content; whoever writes to us need not come to an end.
    pub fn first(&self) -> io::Result<OwnedFd> {
        let Stdin::Pipe { content } = self else { return duplicate() };
        let (reader, mut writer) = pipe()?;
        let mut ours = File::from(duplicate()?);
        let content = Arc::clone(content);
        // The thread may wait for our input for ever; it ends with us.
        thread::spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            while let Ok(count @ 1..) = ours.read(&mut buffer) {
                content.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(&buffer[..count]);
                if writer.write_all(&buffer[..count]).is_err() {
                    break;
                }
            }
        });
        Ok(reader.into())
    }

    /// For the second run. `None` if the first has taken what cannot be had again.
    pub fn again(&self, first_read_it: bool) -> io::Result<Option<OwnedFd>> {
        match self {
            Stdin::Device if first_read_it && rustix::termios::isatty(io::stdin()) => Ok(None),
            Stdin::Device => duplicate().map(Some),
            Stdin::File { position } => {
                seek(io::stdin(), SeekFrom::Start(*position))?;
                duplicate().map(Some)
            }
            Stdin::Pipe { content } => {
                let (reader, mut writer) = pipe()?;
                let content = content.lock().unwrap_or_else(PoisonError::into_inner).clone();
                thread::spawn(move || writer.write_all(&content));
                Ok(Some(reader.into()))
            }
        }
    }
}

fn duplicate() -> io::Result<OwnedFd> {
    io::stdin().as_fd().try_clone_to_owned()
}
