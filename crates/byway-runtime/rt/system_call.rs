//! System calls, made directly: a program may define functions of its own called `open` or `read`.

use core::arch::asm;

#[cfg(target_arch = "x86_64")]
mod numbers {
    pub const READ: usize = 0;
    pub const CLOSE: usize = 3;
    pub const LSEEK: usize = 8;
    pub const MMAP: usize = 9;
    pub const OPENAT: usize = 257;
}

#[cfg(target_arch = "aarch64")]
mod numbers {
    pub const READ: usize = 63;
    pub const CLOSE: usize = 57;
    pub const LSEEK: usize = 62;
    pub const MMAP: usize = 222;
    pub const OPENAT: usize = 56;
}

pub use numbers::*;

/// # Safety
/// As for the call that `number` stands for. The result is negative if it failed.
pub unsafe fn call(number: usize, arguments: [usize; 6]) -> isize {
    let result: isize;
    let [a, b, c, d, e, f] = arguments;
    // SAFETY: the kernel's calling convention.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        asm!("syscall", inlateout("rax") number as isize => result, in("rdi") a, in("rsi") b, in("rdx") c,
            in("r10") d, in("r8") e, in("r9") f, out("rcx") _, out("r11") _, options(nostack));
    }
    // SAFETY: the kernel's calling convention.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        asm!("svc 0", inlateout("x0") a as isize => result, in("x1") b, in("x2") c, in("x3") d, in("x4") e, in("x5") f,
            in("x8") number, options(nostack));
    }
    result
}
