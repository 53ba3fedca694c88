//! Ends the process if a case does not end.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use crate::SECONDS;

/// How often it is looked.
const PAUSE: Duration = Duration::from_millis(200);

/// What a thread is at.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// The number of the case.
    pub case: AtomicU64,
    /// Whether there are no more.
    pub done: AtomicBool,
}

/// Looks after the cases until all are done. A case that has taken too much processor time for too long ends the process.
pub(crate) fn watch(name: &str, progress: &Progress) {
    let (mut case, mut begun) = (u64::MAX, 0.0);
    while !progress.done.load(Ordering::Relaxed) {
        let (now, spent) = (progress.case.load(Ordering::Relaxed), processor_seconds());
        if now != case {
            (case, begun) = (now, spent);
        } else if spent - begun > 2.0 * SECONDS {
            eprintln!("{name}: case {case} does not end; BYWAY_FUZZ_FIRST={case} begins with it");
            std::process::abort();
        }
        thread::sleep(PAUSE);
    }
}

/// The processor time of the process.
fn processor_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}
