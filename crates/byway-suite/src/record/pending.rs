//! The calls that were received and not answered yet, in memory that the guard has too.
//!
//! The kernel hands out a call once. If we are killed before we answer it, nobody else hears of it, and who made it would
//! wait for ever: so the guard answers what it finds here.
#![allow(unsafe_code)]

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::{MmapOptions, MmapRaw};
use nix::libc::seccomp_notif;
use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

use super::system::{self, Answer, Call};

/// How many calls can be pending; beyond that they are, but not here.
const ROOMS: usize = 1024;
/// How many of them belong to one who receives calls, each to another.
const RECEIVERS: usize = 8;

/// The calls. All zero where there is none.
#[derive(Debug)]
pub struct Pending {
    file: OwnedFd,
    memory: MmapRaw,
}

impl Pending {
    /// None yet.
    pub fn new() -> io::Result<Pending> {
        let file = memfd_create("byway-pending", MemfdFlags::CLOEXEC)?;
        ftruncate(&file, (ROOMS * size_of::<seccomp_notif>()) as u64)?;
        Pending::open(file)
    }

    /// Those of somebody else.
    pub fn open(file: OwnedFd) -> io::Result<Pending> {
        let memory = MmapOptions::new().len(ROOMS * size_of::<seccomp_notif>()).map_raw(&file)?;
        Ok(Pending { file, memory })
    }

    /// What somebody else opens.
    pub fn file(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }

    fn room(&self, number: usize) -> *mut seccomp_notif {
        assert!(number < ROOMS);
        // SAFETY: the memory is as large as all rooms.
        unsafe { self.memory.as_mut_ptr().cast::<seccomp_notif>().add(number) }
    }

    fn id(&self, number: usize) -> &AtomicU64 {
        // SAFETY: the identifier is there for as long as the memory, aligned, and only looked at as here once it is set.
        unsafe { AtomicU64::from_ptr(&raw mut (*self.room(number)).id) }
    }

    /// Waits for the next call, as receiver `number`, whose last call is not pending any more. `None` if there is nothing
    /// to be had at the moment.
    pub fn receive(&self, number: usize, listener: impl AsFd) -> io::Result<Option<Call>> {
        assert!(number < RECEIVERS);
        // SAFETY: the room is this receiver's alone. The kernel writes there, so that there is no moment in which a call was
        // received and is not here.
        unsafe { system::receive_into(listener, self.room(number)) }
    }

    /// The last call of a receiver was answered, or is kept elsewhere.
    pub fn forget(&self, number: usize) {
        self.id(number).store(0, Ordering::SeqCst);
    }

    /// Keeps a call that will be answered later: where, if there is room.
    pub fn keep(&self, call: &Call) -> Option<usize> {
        let take =
            |&number: &usize| self.id(number).compare_exchange(0, call.id, Ordering::SeqCst, Ordering::SeqCst).is_ok();
        (RECEIVERS..ROOMS).find(take)
    }

    /// Lets all calls pass that are pending.
    pub fn let_pass(&self, listener: impl AsFd) {
        for number in 0..ROOMS {
            let id = self.id(number).load(Ordering::SeqCst);
            if id != 0 {
                system::answer(&listener, id, Answer::Continue);
            }
        }
    }
}
