//! Linked into the `sym` variant: computes expressions beside the program, and serves as its fork server.
//!
//! The instrumented program keeps a label for every value that may depend on the input. While all labels are 0 it runs on
//! its own. Where one is not, it calls the functions here whose names begin with `byway_sym_`. Models of library functions
//! call those of `models/byway.h`.
//!
//! Nothing here may disturb the program: no allocation from its heap, no change of `errno`, no output, no panic. All
//! memory is mapped at fixed places, only when a run is traced; alone, the program gets a zeroed map of tags and that is all.

#![no_std]
#![allow(unsafe_code, static_mut_refs)]

#[path = "sym/arithmetic.rs"]
mod arithmetic;
#[path = "sym/blocks.rs"]
mod blocks;
#[path = "sym/bounds.rs"]
mod bounds;
#[path = "sym/calls.rs"]
mod calls;
#[path = "sym/conditional.rs"]
mod conditional;
#[path = "sym/events.rs"]
mod events;
#[path = "sym/given.rs"]
mod given;
#[path = "sym/inputs.rs"]
mod inputs;
#[allow(dead_code)]
#[path = "../../byway-trace/src/layout.rs"]
mod layout;
#[path = "sym/libraries.rs"]
mod libraries;
#[path = "sym/memory.rs"]
mod memory;
#[path = "sym/models.rs"]
mod models;
#[path = "sym/nodes.rs"]
mod nodes;
#[path = "sym/objects.rs"]
mod objects;
#[path = "sym/outputs.rs"]
mod outputs;
#[path = "sym/ranges.rs"]
mod ranges;
mod request;
#[path = "sym/server.rs"]
mod server;
#[path = "sym/shadow.rs"]
mod shadow;
#[path = "sym/snapshots.rs"]
mod snapshots;
#[path = "sym/spans.rs"]
mod spans;
#[path = "sym/state.rs"]
mod state;
#[path = "sym/streams.rs"]
mod streams;
#[path = "sym/strings.rs"]
mod strings;
#[path = "sym/substitute.rs"]
mod substitute;
#[path = "sym/system.rs"]
mod system;
#[allow(dead_code)]
mod system_call;
#[path = "sym/table.rs"]
mod table;
#[path = "sym/unseen.rs"]
mod unseen;
