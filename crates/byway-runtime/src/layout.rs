//! The file that holds the counters of a `cov` variant: one page of header, then a `u64` for each block.

/// Names the file for the variant to count into. The program itself never sees the variable.
pub const VARIABLE: &core::ffi::CStr = c"BYWAY_COVERAGE";

/// Where the counters begin, and the unit in which they are mapped: the largest page a kernel may have.
pub const PAGE: usize = if cfg!(target_arch = "aarch64") { 65536 } else { 4096 };

/// What every such file begins with; the last byte is the version of the layout.
pub const MAGIC: [u8; 8] = *b"bywaycv\x01";

/// The beginning of the file.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header {
    /// [`MAGIC`]
    pub magic: [u8; 8],
    /// Which program the counters belong to.
    pub id: [u8; 16],
    /// How many counters there are.
    pub blocks: u64,
}

/// The bytes that `blocks` counters take, in whole pages.
pub const fn counter_bytes(blocks: u64) -> usize {
    (blocks as usize * 8).next_multiple_of(PAGE)
}
