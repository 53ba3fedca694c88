//! System calls that reach through the other walls.
//!
//! A socket file of the machine can be connected to even on a read-only file system and from another network, and some
//! kinds of sockets know no networks of their own. Memory that belongs to no process would neither be counted nor be gone
//! after a run.

use nix::libc::{self, sock_filter};

use crate::system;

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const IS: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;

/// Where the kernel has the number of the call, the architecture and the low half of the first argument.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const FIRST_ARGUMENT: u32 = if cfg!(target_endian = "big") { 20 } else { 16 };

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xc000_00b7;
/// On x86-64, the numbers of a second set of calls begin here.
const OTHER_NUMBERS: u32 = 0x4000_0000;

/// What a kernel without these would say: `ENOSYS`.
const ABSENT: [libc::c_long; 7] = [
    libc::SYS_io_uring_setup,
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
    libc::SYS_semget,
    libc::SYS_mq_open,
];
/// Sockets whose world is the cell's network, which has nobody in it.
const FAMILIES: [i32; 3] = [libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Installs the filter. With `spare_others`, a signal to all processes reaches nobody: it would end the services.
pub fn install(spare_others: bool) -> std::io::Result<()> {
    system::filter_system_calls(&filter(spare_others))
}

fn step(code: u32, operand: u32, jump_if: u8, jump_else: u8) -> sock_filter {
    sock_filter { code: code as u16, jt: jump_if, jf: jump_else, k: operand }
}

fn answer(error: i32) -> sock_filter {
    step(RETURN, libc::SECCOMP_RET_ERRNO | error as u32, 0, 0)
}

fn filter(spare_others: bool) -> Vec<sock_filter> {
    let allow = step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0);
    let mut filter = vec![
        step(LOAD, ARCHITECTURE, 0, 0),
        step(IS, NATIVE, 1, 0),
        answer(libc::ENOSYS),
        step(LOAD, NUMBER, 0, 0),
        step(AT_LEAST, OTHER_NUMBERS, 0, 1),
        answer(libc::ENOSYS),
    ];
    for number in ABSENT {
        filter.extend([step(IS, number as u32, 0, 1), answer(libc::ENOSYS)]);
    }
    if spare_others {
        let all = [step(LOAD, FIRST_ARGUMENT, 0, 0), step(IS, u32::MAX, 0, 1), answer(0), allow];
        filter.push(step(IS, libc::SYS_kill as u32, 0, all.len() as u8));
        filter.extend(all);
    }
    filter.extend([step(IS, libc::SYS_socket as u32, 1, 0), allow, step(LOAD, FIRST_ARGUMENT, 0, 0)]);
    for family in FAMILIES {
        filter.extend([step(IS, family as u32, 0, 1), allow]);
    }
    filter.push(answer(libc::EACCES));
    filter
}
