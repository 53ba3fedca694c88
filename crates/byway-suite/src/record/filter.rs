//! Which system calls we hear of.

use nix::libc::{self, c_long, sock_filter};

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const IS: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;

/// Where the kernel has the number of the call, the architecture and the low halves of the arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = if cfg!(target_endian = "big") { 20 } else { 16 };

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xc000_00b7;
/// On x86-64, the numbers of a second set of calls begin here.
const OTHER_NUMBERS: u32 = 0x4000_0000;

/// Calls that are always heard of.
#[cfg(target_arch = "x86_64")]
const ALWAYS: &[c_long] = &[libc::SYS_execve, libc::SYS_execveat, libc::SYS_open, libc::SYS_openat, libc::SYS_openat2];
#[cfg(not(target_arch = "x86_64"))]
const ALWAYS: &[c_long] = &[libc::SYS_execve, libc::SYS_execveat, libc::SYS_openat, libc::SYS_openat2];

/// Calls that are heard of if an argument is one of these descriptors: the call, which argument, the descriptors.
const WITH_DESCRIPTOR: [(c_long, u32, &[u32]); 6] = [
    (libc::SYS_read, 0, &[0]),
    (libc::SYS_readv, 0, &[0]),
    (libc::SYS_write, 0, &[1, 2]),
    (libc::SYS_writev, 0, &[1, 2]),
    (libc::SYS_splice, 0, &[0]),
    (libc::SYS_sendfile, 1, &[0]),
];

fn step(code: u32, operand: u32, jump_if: u8, jump_else: u8) -> sock_filter {
    sock_filter { code: code as u16, jt: jump_if, jf: jump_else, k: operand }
}

/// The filter. `with_exit`: also the end of a process.
pub fn filter(with_exit: bool) -> Vec<sock_filter> {
    let allow = step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0);
    let notify = step(RETURN, libc::SECCOMP_RET_USER_NOTIF, 0, 0);
    // Programs for another kind of processor are none that carry bitcode.
    let mut filter = vec![
        step(LOAD, ARCHITECTURE, 0, 0),
        step(IS, NATIVE, 1, 0),
        allow,
        step(LOAD, NUMBER, 0, 0),
        step(AT_LEAST, OTHER_NUMBERS, 0, 1),
        allow,
    ];
    for (number, argument, descriptors) in WITH_DESCRIPTOR {
        let mut look = vec![step(LOAD, ARGUMENTS + 8 * argument, 0, 0)];
        for &descriptor in descriptors {
            look.extend([step(IS, descriptor, 0, 1), notify]);
        }
        look.push(allow);
        filter.push(step(IS, number as u32, 0, look.len() as u8));
        filter.extend(look);
    }
    let exit = with_exit.then_some(libc::SYS_exit_group);
    for number in ALWAYS.iter().copied().chain(exit) {
        filter.extend([step(IS, number as u32, 0, 1), notify]);
    }
    filter.push(allow);
    filter
}
