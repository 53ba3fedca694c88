//! System calls that no library offers safely.
//!
//! This and `pending` are the only parts of the crate with `unsafe` code.
#![allow(unsafe_code)]

use std::io;
use std::mem::zeroed;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd, RawFd};

use nix::libc::{self, seccomp_notif, seccomp_notif_resp, sock_filter};
use nix::unistd::{ForkResult, fork};

/// A system call that waits for our answer.
#[derive(Debug, Clone, Copy)]
pub struct Call {
    /// Names it in the answer.
    pub id: u64,
    /// The thread that makes it.
    pub thread: i32,
    /// Its number.
    pub number: libc::c_long,
    /// Its arguments.
    pub arguments: [u64; 6],
    /// The address of the instruction behind it.
    pub place: u64,
}

/// What a system call that was stopped comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Let the kernel do what was asked for.
    Continue,
    /// It was done: the result.
    Done(i64),
    /// It failed with this error.
    Failed(i32),
}

/// From now on the kernel asks this filter about each system call of ours and of all that come from us; the descriptor
/// is where those arrive that the filter sends to a listener.
///
/// Without the right to do it, we give up the right to gain rights by executing programs.
pub fn listen(filter: &[sock_filter]) -> io::Result<OwnedFd> {
    // Once we have received a call, only a fatal signal interrupts it: no other call may fail with `EINTR` because of us.
    let flags = libc::SECCOMP_FILTER_FLAG_NEW_LISTENER;
    let patient = flags | libc::SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV;
    match install(filter, patient) {
        Err(error) if error.raw_os_error() == Some(libc::EACCES) => {
            nix::sys::prctl::set_no_new_privs()?;
            listen(filter)
        }
        // A kernel before 5.19.
        Err(error) if error.raw_os_error() == Some(libc::EINVAL) => install(filter, flags),
        listener => listener,
    }
}

fn install(filter: &[sock_filter], flags: libc::c_ulong) -> io::Result<OwnedFd> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the filter, and only reads it.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, libc::SECCOMP_SET_MODE_FILTER, flags, &raw const program) };
    if result < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made the descriptor for us.
    Ok(unsafe { OwnedFd::from_raw_fd(result as RawFd) })
}

/// Asks the kernel to run us on the processor of the one who waits for us: it does nothing else meanwhile. Older kernels
/// cannot, and are slower.
pub fn wake_up_here(listener: impl AsFd) {
    const SYNC_WAKE_UP: u64 = 1;
    let listener = listener.as_fd().as_raw_fd();
    // SAFETY: this takes a number, and no memory.
    unsafe { libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SET_FLAGS, SYNC_WAKE_UP) };
}

/// Waits for the next call. `None` if there is nothing to be had at the moment, such as when its process was killed.
pub fn receive(listener: impl AsFd) -> io::Result<Option<Call>> {
    // SAFETY: the structure is made of numbers, and the kernel wants it zeroed.
    let mut notice: seccomp_notif = unsafe { zeroed() };
    // SAFETY: it is ours.
    unsafe { receive_into(listener, &raw mut notice) }
}

/// Waits for the next call, which the kernel writes to a place of the caller's choice.
///
/// # Safety
/// The place is valid, and nobody else uses it.
pub unsafe fn receive_into(listener: impl AsFd, place: *mut seccomp_notif) -> io::Result<Option<Call>> {
    let listener = listener.as_fd().as_raw_fd();
    // SAFETY: the place is valid; the kernel wants zeros, and fills the structure, which is of the size that the number of the
    // request says.
    let result = unsafe {
        place.write_bytes(0, 1);
        libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_RECV, place)
    };
    if result < 0 {
        let error = io::Error::last_os_error();
        return match error.raw_os_error() {
            Some(libc::EINTR | libc::ENOENT) => Ok(None),
            _ => Err(error),
        };
    }
    // SAFETY: the place is valid.
    let notice = unsafe { place.read() };
    let data = notice.data;
    Ok(Some(Call {
        id: notice.id,
        thread: notice.pid as i32,
        number: data.nr.into(),
        arguments: data.args,
        place: data.instruction_pointer,
    }))
}

/// Answers a call. False if nobody waits for the answer any more.
pub fn answer(listener: impl AsFd, call: u64, answer: Answer) -> bool {
    let (flags, val, error) = match answer {
        Answer::Continue => (libc::SECCOMP_USER_NOTIF_FLAG_CONTINUE as u32, 0, 0),
        Answer::Done(result) => (0, result, 0),
        Answer::Failed(error) => (0, 0, -error),
    };
    let mut response = seccomp_notif_resp { id: call, val, error, flags };
    let listener = listener.as_fd().as_raw_fd();
    // SAFETY: the kernel reads the structure, which is of the size that the number of the request says.
    unsafe { libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut response) == 0 }
}

/// Whether the process still waits for our answer: if so, its number still means that process.
pub fn is_waiting(listener: impl AsFd, call: &Call) -> bool {
    let id = call.id;
    let listener = listener.as_fd().as_raw_fd();
    // SAFETY: the kernel reads the number.
    unsafe { libc::ioctl(listener, libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw const id) == 0 }
}

/// What `wait` said of a process to its parent, some time ago. `None` if the parent has not asked yet, or the kernel (before
/// 6.15) does not tell.
pub fn exit_status(process: impl AsFd) -> Option<i32> {
    // SAFETY: the structure is made of numbers.
    let mut info: libc::pidfd_info = unsafe { zeroed() };
    info.mask = libc::PIDFD_INFO_EXIT.into();
    let process = process.as_fd().as_raw_fd();
    // SAFETY: the kernel fills the structure, which is of the size that the number of the request says.
    let result = unsafe { libc::ioctl(process, libc::PIDFD_GET_INFO, &raw mut info) };
    let told = result == 0 && info.mask & u64::from(libc::PIDFD_INFO_EXIT) != 0;
    told.then_some(info.exit_code)
}

/// Forks. In the child this is `None`.
///
/// Only for a process with one thread: the others would be missing in the child.
pub fn fork_single_threaded() -> io::Result<Option<nix::unistd::Pid>> {
    // SAFETY: no other thread holds a lock.
    match unsafe { fork() }? {
        ForkResult::Child => Ok(None),
        ForkResult::Parent { child } => Ok(Some(child)),
    }
}

/// Ends the process, and does nothing else.
pub fn exit_at_once(code: i32) -> ! {
    // SAFETY: this does not return, and runs none of our code.
    unsafe { libc::_exit(code) }
}

/// Closes all descriptors from the third on but for one.
pub fn close_all_but(kept: impl AsFd) {
    let kept = kept.as_fd().as_raw_fd() as u32;
    for (first, last) in [(3, kept.saturating_sub(1)), (kept + 1, u32::MAX)] {
        if first <= last {
            // SAFETY: only for a process that was forked to do one thing, with one descriptor.
            unsafe { libc::syscall(libc::SYS_close_range, first, last, 0) };
        }
    }
}

/// A descriptor that we were started with.
pub fn inherited(number: RawFd) -> OwnedFd {
    assert!(number > 2, "standard descriptors belong to the program");
    // SAFETY: whoever started us made it for us, and nothing else here knows of it.
    unsafe { OwnedFd::from_raw_fd(number) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_are_as_the_kernel_has_them() {
        assert_eq!((size_of::<seccomp_notif>(), size_of::<seccomp_notif_resp>()), (80, 24));
    }
}
