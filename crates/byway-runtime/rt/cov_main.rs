//! Linked into the `cov` variant of a program, with `--wrap=main`: it is a fork server for who asks, each of whose runs counts
//! into the memory that came with the request.

#![no_std]
#![allow(unsafe_code)]

mod fork_server;
#[allow(dead_code)]
#[path = "../../byway-trace/src/layout.rs"]
mod layout;
mod request;
#[allow(dead_code)]
mod system_call;

use core::ffi::c_int;

use fork_server::Given;
use request::Strings;

unsafe extern "C" {
    fn __real_main(count: c_int, arguments: Strings, environment: Strings) -> c_int;
    fn byway_cov_count_into(file: c_int);
    static mut environ: Strings;
}

/// Called in place of `main`.
///
/// # Safety
/// The arguments are those of a `main`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_main(count: c_int, arguments: Strings, environment: Strings) -> c_int {
    // SAFETY: both lists end with a null pointer, as the C standard and POSIX say.
    unsafe {
        let mut given = Given { count, arguments, environment };
        fork_server::serve_if_asked(&mut given, |file| byway_cov_count_into(file as c_int));
        if given.environment != environment {
            environ = given.environment;
        }
        __real_main(given.count, given.arguments, given.environment)
    }
}
