//! A process that waits for our answer, as it is at that moment.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use nix::sys::uio::{RemoteIoVec, process_vm_readv, process_vm_writev};
use nix::unistd::Pid;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};

/// Reading stops at such borders: what lies behind may not be there.
const PAGE: u64 = 4096;
/// The longest text that is read, and the most of them.
const LONGEST_TEXT: usize = 1 << 20;
const MOST_TEXTS: usize = 1 << 17;
/// How many texts are read at once, and how much of each at first.
const AT_ONCE: usize = 64;
const BEGINNING: usize = 128;

/// A process, or one of its threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Process(pub i32);

impl Process {
    /// Something the system tells of it.
    pub fn file(self, name: &str) -> PathBuf {
        PathBuf::from(format!("/proc/{}/{name}", self.0))
    }

    /// What one of its descriptors is open for.
    pub fn descriptor(self, number: i32) -> PathBuf {
        self.file(&format!("fd/{number}"))
    }

    /// Its working directory.
    pub fn directory(self) -> io::Result<PathBuf> {
        fs::read_link(self.file("cwd"))
    }

    /// A descriptor that stands for it, whatever happens to its number.
    pub fn open(self) -> io::Result<OwnedFd> {
        let pid = rustix::process::Pid::from_raw(self.0).ok_or(io::ErrorKind::NotFound)?;
        Ok(pidfd_open(pid, PidfdFlags::empty())?)
    }

    /// Some of its memory; less if not all is there.
    pub fn read(self, address: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < bytes.len() {
            let at = address.wrapping_add(done as u64);
            let length = ((PAGE - at % PAGE) as usize).min(bytes.len() - done);
            let remote = [RemoteIoVec { base: at as usize, len: length }];
            let local = &mut bytes[done..done + length];
            match process_vm_readv(Pid::from_raw(self.0), &mut [IoSliceMut::new(local)], &remote) {
                Ok(0) => break,
                Ok(count) => done += count,
                Err(_) if done > 0 => break,
                Err(error) => return Err(error.into()),
            }
        }
        Ok(done)
    }

    /// Writes to its memory.
    pub fn write(self, address: u64, bytes: &[u8]) -> io::Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let remote = [RemoteIoVec { base: address as usize, len: bytes.len() }];
        Ok(process_vm_writev(Pid::from_raw(self.0), &[IoSlice::new(bytes)], &remote)?)
    }

    /// The text at an address, up to its zero byte.
    pub fn text(self, address: u64) -> io::Result<Vec<u8>> {
        let mut text = Vec::new();
        let mut piece = [0; 256];
        loop {
            let at = address.wrapping_add(text.len() as u64);
            let length = piece.len().min((PAGE - at % PAGE) as usize);
            let count = self.read(at, &mut piece[..length])?;
            match piece[..count].iter().position(|&byte| byte == 0) {
                Some(end) => {
                    text.extend_from_slice(&piece[..end]);
                    return Ok(text);
                }
                None => text.extend_from_slice(&piece[..count]),
            }
            if count == 0 || text.len() > LONGEST_TEXT {
                return Err(io::ErrorKind::InvalidData.into());
            }
        }
    }

    /// The texts of a list that ends with a null pointer, such as the arguments of a program.
    pub fn texts(self, address: u64) -> io::Result<Vec<OsString>> {
        let pointers = if address == 0 { Vec::new() } else { self.pointers(address)? };
        let mut texts = Vec::with_capacity(pointers.len());
        for some in pointers.chunks(AT_ONCE) {
            let beginnings = self.beginnings(some)?;
            for (&pointer, beginning) in some.iter().zip(beginnings) {
                let text = match beginning.iter().position(|&byte| byte == 0) {
                    Some(end) => beginning[..end].to_vec(),
                    None => self.text(pointer)?,
                };
                texts.push(OsString::from_vec(text));
            }
        }
        Ok(texts)
    }

    /// The pointers up to a null pointer.
    fn pointers(self, address: u64) -> io::Result<Vec<u64>> {
        let (mut pointers, mut piece) = (Vec::new(), [0; 512]);
        while pointers.len() < MOST_TEXTS {
            let at = address + 8 * pointers.len() as u64;
            let length = piece.len().min((PAGE - at % PAGE) as usize).max(8);
            let count = self.read(at, &mut piece[..length])?;
            if count < 8 {
                break;
            }
            for pointer in piece[..count].chunks_exact(8) {
                match u64::from_ne_bytes(pointer.try_into().expect("eight bytes")) {
                    0 => return Ok(pointers),
                    pointer => pointers.push(pointer),
                }
            }
        }
        Err(io::ErrorKind::InvalidData.into())
    }

    /// What is at some addresses, each as far as a text mostly goes, with one system call.
    fn beginnings(self, pointers: &[u64]) -> io::Result<Vec<Vec<u8>>> {
        let length = |pointer: u64| BEGINNING.min((PAGE - pointer % PAGE) as usize);
        let remote: Vec<RemoteIoVec> =
            pointers.iter().map(|&pointer| RemoteIoVec { base: pointer as usize, len: length(pointer) }).collect();
        let mut bytes = vec![0; remote.iter().map(|piece| piece.len).sum()];
        let read = process_vm_readv(Pid::from_raw(self.0), &mut [IoSliceMut::new(&mut bytes)], &remote)?;
        if read < bytes.len() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut rest = bytes.as_slice();
        let take = |piece: &RemoteIoVec| {
            let (now, later) = rest.split_at(piece.len);
            rest = later;
            now.to_vec()
        };
        Ok(remote.iter().map(take).collect())
    }

    /// The pieces of memory that a list such as that of `readv` names.
    pub fn pieces(self, address: u64, count: u64) -> io::Result<Vec<(u64, usize)>> {
        let mut bytes = vec![0; 16 * count.min(1024) as usize];
        let read = self.read(address, &mut bytes)?;
        let number = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
        Ok(bytes[..read].chunks_exact(16).map(|pair| (number(&pair[..8]), number(&pair[8..]) as usize)).collect())
    }

    /// What a path means to it, with `directory` the descriptor of a directory or `AT_FDCWD`. The links on the way stay.
    pub fn resolve(self, directory: i32, path: &[u8]) -> io::Result<PathBuf> {
        let path = Path::new(std::ffi::OsStr::from_bytes(path));
        if path.is_absolute() {
            return Ok(path.to_owned());
        }
        let base = match directory {
            nix::libc::AT_FDCWD => self.directory()?,
            number => fs::read_link(self.descriptor(number))?,
        };
        Ok(if path.as_os_str().is_empty() { base } else { base.join(path) })
    }

    /// What its `status` says: the process that a thread belongs to, and its parent.
    pub fn family(self) -> Option<Parentage> {
        let status = fs::read(self.file("status")).ok()?;
        let status = String::from_utf8_lossy(&status);
        let number = |name: &str| status.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok();
        Some(Parentage { process: Process(number("Tgid:")?), parent: Process(number("PPid:")?) })
    }

    /// Whether there is a signal that it would handle if it did not wait for us.
    pub fn has_signal(self) -> bool {
        let Ok(status) = fs::read(self.file("status")) else { return true };
        let status = String::from_utf8_lossy(&status);
        let set = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            line.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or(0)
        };
        (set("SigPnd:") | set("ShdPnd:")) & !set("SigBlk:") != 0
    }

    /// How it ended, as `wait` says it, if its parent has not heard it yet.
    pub fn exit_status(self) -> Option<i32> {
        let text = fs::read(self.file("stat")).ok()?;
        let end = text.iter().rposition(|&byte| byte == b')')?;
        let rest = String::from_utf8_lossy(&text[end + 1..]);
        let mut fields = rest.split_ascii_whitespace();
        if !matches!(fields.next()?, "Z" | "X") {
            return None;
        }
        fields.last()?.parse().ok()
    }

    /// The program that it is, as the device and inode of its file.
    pub fn executable(self) -> io::Result<(u64, u64)> {
        use std::os::unix::fs::MetadataExt;
        let metadata = fs::metadata(self.file("exe"))?;
        Ok((metadata.dev(), metadata.ino()))
    }
}

/// To whom a thread belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parentage {
    /// Its process.
    pub process: Process,
    /// The parent of that.
    pub parent: Process,
}

/// A copy of a descriptor of a process.
pub fn take_descriptor(process: &OwnedFd, number: i32) -> io::Result<File> {
    Ok(File::from(pidfd_getfd(process, number, PidfdGetfdFlags::empty())?))
}
