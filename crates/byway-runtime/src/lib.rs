//! What is linked into variants.
//!
//! The sources are under `rt/`, one file for each variant: Rust without its standard library, since they become part of
//! somebody else's program. They call the C library at most, and must not panic. The build script compiles
//! them to objects, which are embedded here, so that an installed `byway` needs no files beside it.

pub mod layout;

/// The object for the `cov` variant: puts the counters where byway can read them.
pub const COV: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cov.o"));
/// The object for the `cov` variant of a program, besides [`COV`]: makes it a fork server for who asks. Needs `--wrap=main`.
pub const COV_MAIN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/cov_main.o"));

/// The object for the `asan` variant: gives the program its arguments and environment in exact-size heap blocks.
pub const ASAN: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/asan.o"));

/// The object for the `sym` variant: expressions, events, and the fork server.
pub const SYM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/sym.o"));

/// Models of library functions for the `sym` variant, as bitcode.
pub const MODELS: &[&[u8]] = include!(concat!(env!("OUT_DIR"), "/models.rs"));
