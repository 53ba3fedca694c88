//! System calls that no library offers safely.
//!
//! This is the only part of the crate with `unsafe` code.
#![allow(unsafe_code)]

use std::ffi::CStr;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::Command;

use nix::libc;
use nix::unistd::{ForkResult, fork};
use rustix::process::{Pid, Signal};

/// Makes everything below a mount point read-only, without devices and without programs that change the user.
pub fn make_read_only(path: &CStr, recursive: bool) -> io::Result<()> {
    let attributes = libc::mount_attr {
        attr_set: libc::MOUNT_ATTR_RDONLY | libc::MOUNT_ATTR_NODEV | libc::MOUNT_ATTR_NOSUID,
        attr_clr: 0,
        propagation: 0,
        userns_fd: 0,
    };
    let flags = if recursive { libc::AT_RECURSIVE } else { 0 };
    let size = size_of_val(&attributes);
    // SAFETY: the path ends with a zero byte, and the attributes are as large as said.
    let result = unsafe {
        libc::syscall(libc::SYS_mount_setattr, libc::AT_FDCWD, path.as_ptr(), flags, &raw const attributes, size)
    };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Forks. In the child this is `None`.
///
/// Only for a process with one thread: the others would be missing in the child.
pub fn fork_single_threaded() -> io::Result<Option<Pid>> {
    // SAFETY: no other thread holds a lock.
    match unsafe { fork() }? {
        ForkResult::Child => Ok(None),
        ForkResult::Parent { child } => Ok(Pid::from_raw(child.as_raw())),
    }
}

/// Forks, and the child has a number of our choice. Fails with `EEXIST` if a process has it. In the child this is `None`.
///
/// Only for a process with one thread, as above, and with the rights of a first process.
pub fn fork_as(number: i32) -> io::Result<Option<Pid>> {
    // What the kernel's `clone_args` has: eleven numbers.
    let mut arguments = [0u64; 11];
    const EXIT_SIGNAL: usize = 4;
    const NUMBERS: usize = 8;
    arguments[EXIT_SIGNAL] = libc::SIGCHLD as u64;
    arguments[NUMBERS..][..2].copy_from_slice(&[&raw const number as u64, 1]);
    // SAFETY: without flags this is a fork, and no other thread holds a lock; the arguments are as large as said.
    let result = unsafe { libc::syscall(libc::SYS_clone3, arguments.as_ptr(), size_of_val(&arguments)) };
    match result {
        0 => Ok(None),
        1.. => Ok(Pid::from_raw(result as i32)),
        _ => Err(io::Error::last_os_error()),
    }
}

/// From now on we share the keys of the session with nobody who was there before.
pub fn leave_session_keys() {
    // SAFETY: no memory is involved; without a name the kernel makes a keyring of its own.
    unsafe { libc::syscall(libc::SYS_keyctl, libc::KEYCTL_JOIN_SESSION_KEYRING, std::ptr::null::<libc::c_char>()) };
}

/// Has the started process do something before it becomes the program.
///
/// Only for a process with one thread, where the child may do anything.
pub fn before_exec(command: &mut Command, action: impl FnMut() -> io::Result<()> + Send + Sync + 'static) {
    // SAFETY: with one thread no lock is held by a thread that does not exist in the child.
    unsafe { command.pre_exec(action) };
}

/// From now on the kernel asks this filter about each system call of ours.
pub fn filter_system_calls(filter: &[libc::sock_filter]) -> io::Result<()> {
    let program = libc::sock_fprog { len: filter.len() as u16, filter: filter.as_ptr().cast_mut() };
    // SAFETY: the kernel copies the filter, and only reads it.
    let result = unsafe { libc::prctl(libc::PR_SET_SECCOMP, libc::SECCOMP_MODE_FILTER, &raw const program) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// No program that we execute inherits any descriptor but the three first ones, whoever left them open.
pub fn inherit_nothing() -> io::Result<()> {
    let (first, last, flags) = (3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC);
    // SAFETY: descriptors stay open; only what happens to them at an exec changes.
    let result = unsafe { libc::syscall(libc::SYS_close_range, first, last, flags) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Signals all processes that there are besides us: only for the first process of a pid namespace.
pub fn signal_all(signal: Signal) {
    assert_eq!(std::process::id(), 1, "only the first process of a sandbox may do this");
    // SAFETY: no memory is involved; we are in a namespace of our own.
    unsafe { libc::kill(-1, signal.as_raw()) };
}
