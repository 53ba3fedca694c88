//! Which system calls we hear of.

use nix::libc::{self, c_long, sock_filter};

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const IS: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const AND: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;

/// Where the kernel has the number of the call, the architecture and the low halves of the arguments.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const INSTRUCTION: u32 = if cfg!(target_endian = "big") { 12 } else { 8 };
const ARGUMENTS: u32 = if cfg!(target_endian = "big") { 20 } else { 16 };
/// The part of an address that is the same in all processes: within a page.
pub const PLACE: u32 = 0xfff;

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xc000_00b7;
/// On x86-64, the numbers of a second set of calls begin here.
const OTHER_NUMBERS: u32 = 0x4000_0000;

/// Calls that are always heard of.
const ALWAYS: [c_long; 4] = [libc::SYS_execve, libc::SYS_execveat, libc::SYS_openat2, libc::SYS_getdents64];
/// Calls that open a file, and which argument says how.
#[cfg(target_arch = "x86_64")]
const OPENS: &[(c_long, u32)] = &[(libc::SYS_openat, 2), (libc::SYS_open, 1)];
#[cfg(not(target_arch = "x86_64"))]
const OPENS: &[(c_long, u32)] = &[(libc::SYS_openat, 2)];
/// What was in such a file does not matter.
const OVERWRITE: u32 = (libc::O_WRONLY | libc::O_CREAT | libc::O_TRUNC) as u32;
/// How the C library opens files for itself, and others may too.
const INTERNAL: u32 = (libc::O_RDONLY | libc::O_CLOEXEC) as u32;

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

fn allow() -> sock_filter {
    step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0)
}

fn notify() -> sock_filter {
    step(RETURN, libc::SECCOMP_RET_USER_NOTIF, 0, 0)
}

/// The filter. `with_exit`: also the end of a process. `quiet`: the places where the C library opens files for itself.
pub fn filter(with_exit: bool, quiet: &[u32]) -> Vec<sock_filter> {
    let mut filter = begin();
    for (number, argument, descriptors) in WITH_DESCRIPTOR {
        let mut look = vec![step(LOAD, ARGUMENTS + 8 * argument, 0, 0)];
        for &descriptor in descriptors {
            look.extend([step(IS, descriptor, 0, 1), notify()]);
        }
        look.push(allow());
        only_for(&mut filter, number, look);
    }
    for &(number, argument) in OPENS {
        let mut look = vec![step(LOAD, ARGUMENTS + 8 * argument, 0, 0), step(IS, OVERWRITE, 0, 1), allow()];
        look.extend([step(IS, INTERNAL, 1, 0), notify(), step(LOAD, INSTRUCTION, 0, 0), step(AND, PLACE, 0, 0)]);
        for &place in quiet {
            look.extend([step(IS, place, 0, 1), allow()]);
        }
        look.push(notify());
        only_for(&mut filter, number, look);
    }
    let exit = with_exit.then_some(libc::SYS_exit_group);
    for number in ALWAYS.into_iter().chain(exit) {
        only_for(&mut filter, number, vec![notify()]);
    }
    filter.push(allow());
    filter
}

/// A filter that only sends files that are opened the way the C library does it.
pub fn opens() -> Vec<sock_filter> {
    let mut filter = begin();
    let look = vec![step(LOAD, ARGUMENTS + 16, 0, 0), step(IS, INTERNAL, 0, 1), notify(), allow()];
    only_for(&mut filter, libc::SYS_openat, look);
    filter.push(allow());
    filter
}

/// Programs for another kind of processor are none that carry bitcode.
fn begin() -> Vec<sock_filter> {
    vec![
        step(LOAD, ARCHITECTURE, 0, 0),
        step(IS, NATIVE, 1, 0),
        allow(),
        step(LOAD, NUMBER, 0, 0),
        step(AT_LEAST, OTHER_NUMBERS, 0, 1),
        allow(),
    ]
}

fn only_for(filter: &mut Vec<sock_filter>, number: c_long, look: Vec<sock_filter>) {
    filter.push(step(IS, number as u32, 0, look.len() as u8));
    filter.extend(look);
}
