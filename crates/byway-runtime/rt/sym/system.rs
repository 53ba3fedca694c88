//! The few things asked of the kernel, without `errno`.

use crate::system_call::{self, call};

const PROT_READ_WRITE: usize = 3;
const MAP_PRIVATE: usize = 2;
const MAP_SHARED: usize = 1;
const MAP_FIXED: usize = 0x10;
const MAP_FIXED_NOREPLACE: usize = 0x10_0000;
const MAP_ANONYMOUS: usize = 0x20;
const MAP_NORESERVE: usize = 0x4000;
const MADV_DONTDUMP: usize = 16;
const MADV_HUGEPAGE: usize = 14;
/// From this size on, large pages save more than they waste.
const LARGE: usize = 4 << 20;
const SEEK_CUR: usize = 1;

/// Zeroed memory that takes room only where it is touched; 0 if there is none.
pub unsafe fn reserve(size: usize) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { reserve_with_large_pages(size, 0) }
}

/// The same for what is used from its beginning, and seldom to its end: its first pages are small.
pub unsafe fn reserve_gradually(size: usize) -> usize {
    // SAFETY: as promised by the caller.
    unsafe { reserve_with_large_pages(size, LARGE) }
}

unsafe fn reserve_with_large_pages(size: usize, from: usize) -> usize {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    // SAFETY: new memory at a place of the kernel's choice.
    let address = unsafe { call(system_call::MMAP, [0, size, PROT_READ_WRITE, flags, usize::MAX, 0]) };
    if address < 0 {
        return 0;
    }
    if size >= from + LARGE {
        // SAFETY: advice only.
        unsafe { call(system_call::MADVISE, [address as usize + from, size - from, MADV_HUGEPAGE, 0, 0, 0]) };
    }
    address as usize
}

/// The same at a fixed place, which must be free.
pub unsafe fn reserve_at(address: usize, size: usize) -> bool {
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    // SAFETY: the kernel refuses a place that is in use.
    unsafe {
        let got = call(system_call::MMAP, [address, size, PROT_READ_WRITE, flags, usize::MAX, 0]);
        if got != address as isize {
            return false;
        }
        call(system_call::MADVISE, [address, size, MADV_DONTDUMP, 0, 0, 0]);
    }
    true
}

/// Asks for the pages of a range before they are written.
pub unsafe fn populate(address: usize, size: usize) {
    const PAGE: usize = 4096;
    const MADV_POPULATE_WRITE: usize = 23;
    let start = address & !(PAGE - 1);
    let end = (address + size).next_multiple_of(PAGE);
    // SAFETY: changes nothing but when pages come; an old kernel refuses, and they come one by one.
    unsafe { call(system_call::MADVISE, [start, end - start, MADV_POPULATE_WRITE, 0, 0, 0]) };
}

/// Gives memory back.
pub unsafe fn release(address: usize, size: usize) {
    // SAFETY: promised by the caller: nobody uses it any more.
    unsafe { call(system_call::MUNMAP, [address, size, 0, 0, 0, 0]) };
}

/// Maps a part of a file at a fixed place, over what is there.
pub unsafe fn share_at(address: usize, size: usize, file: i32, offset: usize) -> bool {
    let flags = MAP_SHARED | MAP_FIXED;
    let arguments = [address, size, PROT_READ_WRITE, flags, file as usize, offset];
    // SAFETY: promised by the caller: the place is ours.
    unsafe { call(system_call::MMAP, arguments) == address as isize }
}

/// Where in its file a descriptor is; negative if it cannot be told.
pub unsafe fn position(file: i32) -> i64 {
    // SAFETY: changes nothing.
    unsafe { call(system_call::LSEEK, [file as usize, 0, SEEK_CUR, 0, 0, 0]) as i64 }
}

/// What is known of an open file.
pub struct Status {
    pub device: u64,
    pub inode: u64,
    pub regular: bool,
    pub size: u64,
}

/// Asks about an open file.
pub unsafe fn status(file: i32) -> Option<Status> {
    const AT_EMPTY_PATH: usize = 0x1000;
    let mut stat = [0u64; 18];
    let empty = c"".as_ptr() as usize;
    // SAFETY: `struct stat` has 144 bytes on x86-64 and 128 on AArch64.
    let result =
        unsafe { call(system_call::FSTATAT, [file as usize, empty, stat.as_mut_ptr() as usize, AT_EMPTY_PATH, 0, 0]) };
    // The mode follows the number of links on x86-64, and comes before it on AArch64.
    let mode = if cfg!(target_arch = "x86_64") { stat[3] as u32 } else { stat[2] as u32 };
    let regular = mode & 0o170000 == 0o100000;
    (result == 0).then_some(Status { device: stat[0], inode: stat[1], regular, size: stat[6] })
}

/// The path of an open file into `buffer`; its length, or 0.
pub unsafe fn path_of(file: i32, buffer: *mut u8, size: usize) -> usize {
    let mut name = *b"/proc/self/fd/\0\0\0\0\0\0\0\0\0\0\0\0";
    let mut digits = 0;
    let mut rest = file;
    while rest > 0 || digits == 0 {
        digits += 1;
        rest /= 10;
    }
    let mut rest = file;
    let mut index = digits;
    while index > 0 {
        index -= 1;
        // SAFETY: at most ten digits fit.
        unsafe { *name.as_mut_ptr().add(14 + index) = b'0' + (rest % 10) as u8 };
        rest /= 10;
    }
    const AT_FDCWD: usize = -100isize as usize;
    // SAFETY: the name ends with a zero, the buffer is as large as said.
    let length =
        unsafe { call(system_call::READLINKAT, [AT_FDCWD, name.as_ptr() as usize, buffer as usize, size, 0, 0]) };
    if length < 0 { 0 } else { length as usize }
}
