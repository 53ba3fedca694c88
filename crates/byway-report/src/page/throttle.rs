//! How often a page is written.

use std::time::{Duration, Instant};

/// A page that takes long to write is written so many times less often.
const SHARE: u32 = 10;

/// When a page was last written, and how long that took.
#[derive(Debug, Default)]
pub struct PageThrottle {
    written: Option<(Instant, Duration)>,
}

impl PageThrottle {
    /// Whether it was just written.
    pub fn is_early(&self) -> bool {
        self.written.is_some_and(|(when, took)| when.elapsed() < took * SHARE)
    }

    /// Writes the page, unless it was just written. At the end it is written in any case.
    pub fn write<E>(&mut self, is_end: bool, write: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
        if self.is_early() && !is_end {
            return Ok(());
        }
        let begun = Instant::now();
        write()?;
        self.written = Some((begun, begun.elapsed()));
        Ok(())
    }
}
