//! What belongs to the machine, not to those who test.

use std::path::Path;

/// Where the machine has its own.
const SYSTEM: [&str; 15] = [
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/proc", "/sys", "/dev", "/bin", "/sbin", "/run", "/boot",
    "/nix", "/gnu",
];

/// Whether a path belongs to the machine.
pub fn is_of_machine(path: &Path) -> bool {
    SYSTEM.iter().any(|system| path.starts_with(system))
}
