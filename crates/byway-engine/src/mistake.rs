//! Mistakes of ours that cost one piece of work, not everything that was done before.
//!
//! A panic is always a mistake of ours. Work that is [`contain`]ed may panic: what it did not finish is given up, and what
//! the panic said is kept, so that it can be reported with all that was found. The panic hook of the program asks
//! [`is_contained`] whether it may end the process.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};

use thiserror::Error;

/// What a panic said, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("a mistake in byway: {0}")]
pub struct Mistake(pub String);

thread_local! {
    static IS_CONTAINED: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Does some work. If it panics, what it shares with others may be half done: the caller must not rely on it.
pub fn contain<T>(work: impl FnOnce() -> T) -> Result<T, Mistake> {
    let before = IS_CONTAINED.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CONTAINED.set(before);
    done.map_err(|payload| Mistake(SAID.take().unwrap_or_else(|| payload_text(&*payload))))
}

/// Whether a panic of this thread is contained. For the panic hook: what the panic said is then noted.
pub fn is_contained(panic: &PanicHookInfo<'_>) -> bool {
    let is_contained = IS_CONTAINED.get();
    if is_contained {
        let place = panic.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        SAID.set(Some(format!("{}{place}", payload_text(panic.payload()))));
    }
    is_contained
}

/// In builds for tests, panics where work on what `BYWAY_REHEARSE` names begins: so it is seen what a mistake costs.
pub fn rehearse(name: &str) {
    if cfg!(debug_assertions) && std::env::var("BYWAY_REHEARSE").is_ok_and(|named| named == name) {
        panic!("rehearsed for {name}");
    }
}

fn payload_text(payload: &(dyn std::any::Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_panics_is_given_up_and_named() {
        assert_eq!(contain(|| 7), Ok(7));
        let mistake = contain(|| -> u32 { panic!("no row {}", 3) }).unwrap_err();
        assert!(mistake.to_string().contains("no row 3"), "{mistake}");
        // Containing one does not contain what comes after it.
        assert!(!IS_CONTAINED.get());
    }
}
