//! Memory that programs take without any process having it: page tables, shared memory that is not mapped in, buffers.

use std::collections::HashMap;
use std::fs;

use rustix::process::Pid;

/// A socket holds at most this much in each direction, unless the machine is set up otherwise.
const BUFFER: u64 = 212_992;
/// So many sockets are not counted.
const FEW_SOCKETS: u64 = 64;

/// The bytes that a line of a file of the kernel says.
pub fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_ascii_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes * 1024)
}

fn read(pid: Pid, name: &str) -> String {
    fs::read_to_string(format!("/proc/{}/{name}", pid.as_raw_nonzero())).unwrap_or_default()
}

/// The page tables of these processes, in bytes.
pub fn page_tables(pids: impl Iterator<Item = Pid>) -> u64 {
    pids.filter_map(|pid| kilobytes(&read(pid, "status"), "VmPTE:")).sum()
}

/// The shared memory without a name that these processes reserved, in bytes: what was written there stays although no process
/// has it mapped in, and the kernel does not say how much that is.
pub fn shared(pids: impl Iterator<Item = Pid>) -> u64 {
    let mut objects = HashMap::new();
    for text in pids.map(|pid| read(pid, "maps")) {
        for (object, size) in text.lines().filter_map(of_line) {
            let known = objects.entry(object).or_insert(0);
            *known = size.max(*known);
        }
    }
    objects.values().sum()
}

/// An object of shared memory, and how far it is mapped.
fn of_line(line: &str) -> Option<(u64, u64)> {
    line.ends_with("/dev/zero (deleted)").then_some(())?;
    let mut fields = line.split_ascii_whitespace();
    let (first, last) = fields.next()?.split_once('-')?;
    let offset = u64::from_str_radix(fields.nth(1)?, 16).ok()?;
    let number = |text| u64::from_str_radix(text, 16).ok();
    Some((fields.nth(1)?.parse().ok()?, offset + number(last)? - number(first)?))
}

/// The buffers of all sockets of the sandbox, as full as they can be.
pub fn socket_buffers() -> u64 {
    let text = fs::read_to_string("/proc/self/net/sockstat").unwrap_or_default();
    let used = text.lines().find_map(|line| line.strip_prefix("sockets: used ")?.trim().parse::<u64>().ok());
    used.unwrap_or_default().saturating_sub(FEW_SOCKETS) * BUFFER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shared_memory_is_found_in_the_maps_of_a_process() {
        let line = "7f0000000000-7f0000200000 rw-s 00001000 00:01 1234    /dev/zero (deleted)";
        assert_eq!(of_line(line), Some((1234, 0x20_1000)));
        assert_eq!(of_line("7f0000000000-7f0000200000 rw-s 00000000 00:01 1234    /memfd:x (deleted)"), None);
        assert_eq!(kilobytes("VmRSS: 12 kB\nVmPTE:     44 kB\n", "VmPTE:"), Some(44 * 1024));
    }
}
