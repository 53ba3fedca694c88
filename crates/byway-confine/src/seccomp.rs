//! The filter that the kernel asks about each system call of a program.
//!
//! A socket file of the machine can be connected to even on a read-only file system and from another network, and some
//! kinds of sockets know no networks of their own. Memory that belongs to no process would neither be counted nor be gone
//! after a run. What holds the runs, the first process and the fork servers, has the numbers below [`FIRST_FREE`], so the
//! filter knows it.

use nix::libc::{self, c_long, sock_filter};

use crate::calls::{ALLOWED, ON_PROCESSES, PRIVILEGED};
use crate::system;

/// The first number of a process that is a program's own. Those below are the first process and the services.
pub const FIRST_FREE: u32 = 32;

const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
const AND: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
const IS: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
const HAS_ANY: u32 = libc::BPF_JMP | libc::BPF_JSET | libc::BPF_K;
const AT_LEAST: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
const ABOVE: u32 = libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K;
const RETURN: u32 = libc::BPF_RET | libc::BPF_K;

/// Where the kernel has the number of the call and the architecture.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;

#[cfg(target_arch = "x86_64")]
const NATIVE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const NATIVE: u32 = 0xc000_00b7;
/// On x86-64, the numbers of a second set of calls begin here.
const OTHER_NUMBERS: u32 = 0x4000_0000;

/// Sockets whose world is the sandbox's network, which has nobody in it.
const FAMILIES: [i32; 2] = [libc::AF_INET, libc::AF_INET6];
/// Pairs that stay with each other: a datagram can be sent to any other socket.
const PAIRS: [i32; 2] = [libc::SOCK_STREAM, libc::SOCK_SEQPACKET];
/// What the kind of a socket is besides its flags.
const KIND: u32 = 0xf;
/// A child in namespaces of its own, or one that its grandparent has to wait for.
const STRANGE_CHILDREN: i32 = libc::CLONE_NEWNS
    | libc::CLONE_NEWCGROUP
    | libc::CLONE_NEWUTS
    | libc::CLONE_NEWIPC
    | libc::CLONE_NEWUSER
    | libc::CLONE_NEWPID
    | libc::CLONE_NEWNET
    | libc::CLONE_PARENT;
/// Requests that type for the user, or that choose a process to be signalled.
const IOCTLS: [u32; 4] = [libc::TIOCSTI as u32, libc::TIOCLINUX as u32, 0x8901, 0x8902];
const F_SETOWN_EX: i32 = 15;
const PRIO_USER: i32 = 2;
const IOPRIO_WHO_USER: i32 = 3;

/// The filters of all programs, made once.
pub struct Filters {
    usual: Vec<sock_filter>,
    sparing_others: Vec<sock_filter>,
}

impl Default for Filters {
    fn default() -> Filters {
        Filters { usual: filter(false), sparing_others: filter(true) }
    }
}

impl std::fmt::Debug for Filters {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Filters of {} steps", self.usual.len())
    }
}

impl Filters {
    /// Has the kernel ask a filter from now on. With `spare_others`, a signal to all processes reaches nobody: it would end
    /// the services.
    pub fn install(&self, spare_others: bool) -> std::io::Result<()> {
        system::filter_system_calls(if spare_others { &self.sparing_others } else { &self.usual })
    }
}

fn step(code: u32, operand: u32, jump_if: u8, jump_else: u8) -> sock_filter {
    sock_filter { code: code as u16, jt: jump_if, jf: jump_else, k: operand }
}

fn allow() -> sock_filter {
    step(RETURN, libc::SECCOMP_RET_ALLOW, 0, 0)
}

fn answer(error: i32) -> sock_filter {
    step(RETURN, libc::SECCOMP_RET_ERRNO | error as u32, 0, 0)
}

/// The low and the high half of an argument.
fn halves(index: u32) -> [sock_filter; 2] {
    let at = 16 + 8 * index;
    let [low, high] = if cfg!(target_endian = "big") { [at + 4, at] } else { [at, at + 4] };
    [step(LOAD, low, 0, 0), step(LOAD, high, 0, 0)]
}

/// The low half of an argument: the kernel looks at no more of those that we look at.
fn argument(index: u32) -> sock_filter {
    halves(index)[0]
}

/// Returns if what was loaded is one of these.
fn if_one_of<T: Copy>(values: &[T], number: impl Fn(T) -> u32, then: sock_filter) -> Vec<sock_filter> {
    values.iter().flat_map(|&value| [step(IS, number(value), 0, 1), then]).collect()
}

/// Returns if what was loaded names, as a process or as a group, what holds the runs. The number of all processes is that of
/// the first group too.
fn if_reserved(then: sock_filter, is_all_a_group: bool) -> Vec<sock_filter> {
    let first_group = 0u32.wrapping_sub(FIRST_FREE - 1);
    let unless_all = if is_all_a_group { vec![] } else { vec![step(IS, u32::MAX, 1, 0)] };
    let skip = unless_all.len() as u8;
    let mut steps = vec![
        step(IS, 0, 3 + skip, 0),
        step(AT_LEAST, FIRST_FREE, 0, 1 + skip),
        step(AT_LEAST, first_group, 0, 1 + skip),
    ];
    steps.extend(unless_all);
    steps.push(then);
    steps
}

/// What is done for one call: the steps end with an answer.
fn on_call(call: c_long, steps: Vec<sock_filter>) -> Vec<sock_filter> {
    let length = u8::try_from(steps.len()).expect("few steps");
    std::iter::once(step(IS, call as u32, 0, length)).chain(steps).collect()
}

fn on_process(call: c_long, index: u32, spare_others: bool) -> Vec<sock_filter> {
    let mut steps = Vec::new();
    if call == libc::SYS_prlimit64 {
        // Who gives no new limit only looks.
        let [low, high] = halves(2);
        steps.extend([low, step(IS, 0, 0, 3), high, step(IS, 0, 0, 1), allow()]);
    }
    steps.push(argument(index));
    if call == libc::SYS_kill && spare_others {
        steps.extend(if_one_of(&[u32::MAX], |all| all, answer(0)));
    }
    steps.extend(if_reserved(answer(libc::EPERM), false));
    steps.push(allow());
    on_call(call, steps)
}

/// A lease delays who opens a file. Who owns a file is signalled about it.
fn on_fcntl() -> Vec<sock_filter> {
    let mut owner = vec![argument(2)];
    owner.extend(if_reserved(answer(libc::EPERM), true));
    let mut steps = vec![argument(1)];
    steps.extend(if_one_of(&[libc::F_SETLEASE], |command| command as u32, answer(libc::EINVAL)));
    steps.extend(if_one_of(&[F_SETOWN_EX], |command| command as u32, answer(libc::EPERM)));
    steps.push(step(IS, libc::F_SETOWN as u32, 0, owner.len() as u8));
    steps.extend(owner);
    steps.push(allow());
    on_call(libc::SYS_fcntl, steps)
}

fn on_ioctl() -> Vec<sock_filter> {
    let mut steps = vec![argument(1)];
    steps.extend(if_one_of(&IOCTLS, |request| request, answer(libc::EPERM)));
    steps.push(allow());
    on_call(libc::SYS_ioctl, steps)
}

fn on_children(call: c_long) -> Vec<sock_filter> {
    let strange = step(HAS_ANY, STRANGE_CHILDREN as u32, 0, 1);
    on_call(call, vec![argument(0), strange, answer(libc::EPERM), allow()])
}

/// A priority, of a process, a group or all processes of a user.
fn on_priority(call: c_long, of_user: i32) -> Vec<sock_filter> {
    let mut steps = vec![argument(0)];
    steps.extend(if_one_of(&[of_user], |whose| whose as u32, answer(libc::EPERM)));
    steps.push(argument(1));
    steps.extend(if_reserved(answer(libc::EPERM), false));
    steps.push(allow());
    on_call(call, steps)
}

fn on_sockets() -> Vec<sock_filter> {
    let mut socket = vec![argument(0)];
    socket.extend(if_one_of(&FAMILIES, |family| family as u32, allow()));
    // Of the kernel, only the network is asked.
    let netlink = [argument(2), step(IS, libc::NETLINK_ROUTE as u32, 0, 1), allow()];
    socket.push(step(IS, libc::AF_NETLINK as u32, 0, netlink.len() as u8));
    socket.extend(netlink);
    socket.push(answer(libc::EACCES));
    let mut pair = vec![argument(0), step(IS, libc::AF_UNIX as u32, 1, 0), answer(libc::EOPNOTSUPP)];
    pair.extend([argument(1), step(AND, KIND, 0, 0)]);
    pair.extend(if_one_of(&PAIRS, |kind| kind as u32, allow()));
    pair.push(answer(libc::EACCES));
    [on_call(libc::SYS_socket, socket), on_call(libc::SYS_socketpair, pair)].concat()
}

/// Returns if the call is one of these. They are in order, so what is below the next ones is none of them.
fn allowed() -> Vec<sock_filter> {
    let mut numbers: Vec<u32> = ALLOWED.iter().flat_map(|calls| calls.iter().map(|&call| call as u32)).collect();
    numbers.sort_unstable();
    let mut steps = Vec::new();
    for range in numbers.chunk_by(|one, next| *next == one + 1) {
        let (first, last) = (range[0], range[range.len() - 1]);
        steps.extend([step(AT_LEAST, first, 1, 0), answer(libc::ENOSYS), step(ABOVE, last, 1, 0), allow()]);
    }
    steps
}

fn filter(spare_others: bool) -> Vec<sock_filter> {
    let mut filter = vec![
        step(LOAD, ARCHITECTURE, 0, 0),
        step(IS, NATIVE, 1, 0),
        answer(libc::ENOSYS),
        step(LOAD, NUMBER, 0, 0),
        step(AT_LEAST, OTHER_NUMBERS, 0, 1),
        answer(libc::ENOSYS),
    ];
    // The kernel remembers which calls are always allowed; the filter runs for the others, most often for the first of these.
    filter.extend([on_fcntl(), on_ioctl(), on_children(libc::SYS_clone), on_children(libc::SYS_unshare)].concat());
    filter.extend(on_sockets());
    filter.extend(ON_PROCESSES.iter().flat_map(|&(call, index)| on_process(call, index, spare_others)));
    filter.extend(on_priority(libc::SYS_setpriority, PRIO_USER));
    filter.extend(on_priority(libc::SYS_ioprio_set, IOPRIO_WHO_USER));
    // All that a program writes is in memory; the disks of the machine are none of its business.
    filter.extend(if_one_of(&[libc::SYS_sync], |call| call as u32, answer(0)));
    filter.extend(if_one_of(PRIVILEGED, |call| call as u32, answer(libc::EPERM)));
    filter.extend(allowed());
    filter.push(answer(libc::ENOSYS));
    filter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the filter says to a call: what the kernel would do with these few steps.
    fn asked(call: c_long, arguments: [u64; 6], spare_others: bool) -> u32 {
        let word = |offset: u32| match offset {
            NUMBER => call as u32,
            ARCHITECTURE => NATIVE,
            _ => (arguments[(offset as usize - 16) / 8] >> (offset % 8 * 8)) as u32,
        };
        let (filter, mut at, mut value) = (filter(spare_others), 0, 0);
        loop {
            let now = filter[at];
            at += 1;
            let jump = |is_so: bool| usize::from(if is_so { now.jt } else { now.jf });
            match u32::from(now.code) {
                LOAD => value = word(now.k),
                AND => value &= now.k,
                IS => at += jump(value == now.k),
                HAS_ANY => at += jump(value & now.k != 0),
                AT_LEAST => at += jump(value >= now.k),
                ABOVE => at += jump(value > now.k),
                _ => return now.k,
            }
        }
    }

    const ALLOW: u32 = libc::SECCOMP_RET_ALLOW;

    fn error(error: i32) -> u32 {
        libc::SECCOMP_RET_ERRNO | error as u32
    }

    #[test]
    fn what_is_on_the_list_is_allowed_and_nothing_else() {
        let special = ON_PROCESSES.iter().map(|(call, _)| *call).chain([
            libc::SYS_fcntl,
            libc::SYS_ioctl,
            libc::SYS_clone,
            libc::SYS_unshare,
            libc::SYS_socket,
            libc::SYS_socketpair,
            libc::SYS_setpriority,
            libc::SYS_ioprio_set,
            libc::SYS_sync,
        ]);
        let special: Vec<_> = special.collect();
        for call in (0..600).filter(|call| !special.contains(call)) {
            let expected = match call {
                _ if ALLOWED.iter().any(|calls| calls.contains(&call)) => ALLOW,
                _ if PRIVILEGED.contains(&call) => error(libc::EPERM),
                _ => error(libc::ENOSYS),
            };
            assert_eq!(asked(call, [0; 6], false), expected, "{call}");
        }
        assert_eq!(asked(0x4000_0001, [0; 6], false), error(libc::ENOSYS));
    }

    #[test]
    fn what_holds_the_runs_is_out_of_reach() {
        let pid = |pid: i32| u64::from(pid as u32);
        for &(call, index) in ON_PROCESSES {
            let of = |who: i32| {
                let mut arguments = [7; 6];
                arguments[index as usize] = pid(who);
                asked(call, arguments, false)
            };
            for who in [1, 2, 31, -2, -31] {
                assert_eq!(of(who), error(libc::EPERM), "{call} of {who}");
            }
            for who in [0, 32, 300, 40000, -1, -32, -40000] {
                assert_eq!(of(who), ALLOW, "{call} of {who}");
            }
        }
        assert_eq!(asked(libc::SYS_kill, [pid(-1), 9, 0, 0, 0, 0], true), error(0));
        assert_eq!(asked(libc::SYS_prlimit64, [1, 7, 0, 99, 0, 0], false), ALLOW);
        assert_eq!(asked(libc::SYS_prlimit64, [1, 7, 1 << 40, 99, 0, 0], false), error(libc::EPERM));
        assert_eq!(asked(libc::SYS_fcntl, [3, libc::F_SETOWN as u64, pid(-1), 0, 0, 0], false), error(libc::EPERM));
        assert_eq!(asked(libc::SYS_fcntl, [3, libc::F_SETOWN as u64, 300, 0, 0, 0], false), ALLOW);
    }

    #[test]
    fn only_the_low_half_of_a_number_counts_as_it_does_for_the_kernel() {
        let request = libc::TIOCSTI | 0x123 << 32;
        assert_eq!(asked(libc::SYS_ioctl, [0, request, 0, 0, 0, 0], false), error(libc::EPERM));
        assert_eq!(asked(libc::SYS_kill, [1 << 32 | 1, 9, 0, 0, 0, 0], false), error(libc::EPERM));
    }
}
