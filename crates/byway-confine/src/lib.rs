//! Confines programs.
//!
//! A [`Sandbox`] is a place in which programs run that are given inputs nobody has looked at. What they do stays in it: the
//! whole file system is there, but read-only; the working directory and the places for temporary files can be written,
//! but what is written lands in a small file system of the sandbox; there is no network and no other process; time, memory,
//! processes and space are limited. [`Sandbox::reset`] undoes what a run wrote.
//!
//! Behind a sandbox is a helper: our own program, executed again. It makes the namespaces and the mounts, and then becomes
//! the first process of the sandbox, which starts programs as it is told over a socket and kills what they leave behind. If
//! we end, the socket closes, the helper ends, and with it everything in the sandbox. So `main` must begin with
//! [`serve_if_asked`].

mod available;
mod calls;
mod cover;
mod entry;
mod error;
mod group;
mod helper;
mod init;
mod link;
mod mounts;
mod parts;
mod processes;
mod restrictions;
mod sandbox;
mod seccomp;
mod settings;
mod start;
mod system;
mod unseen;
mod wire;
mod writable;

pub use available::{Offer, available};
pub use error::ConfineError;
pub use helper::serve_if_asked;
pub use link::{Service, Swept};
pub use sandbox::{Handle, Reset, Sandbox};
pub use settings::{Directory, Ended, ProcessSpec, SandboxSettings};
pub use writable::PathChange;
