//! Watching an exploration: progress, memory, and what is written down meanwhile.

use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use byway_confine::Handle;
use byway_coverage::Ratio;
use byway_engine::{layers, resident_memory};
use byway_report::{Covered, Stats};

use super::{CHECKPOINT, GRACE, PROGRESS, Shared, Stop, lock};

impl Shared<'_> {
    /// Reports progress and writes it down until all workers have ended.
    pub(super) fn watch(&self, progress: &mut impl FnMut(&Stats), is_done: impl Fn() -> bool) {
        let (mut written, mut shown, mut stopping) = (Instant::now(), Instant::now(), None);
        while !is_done() {
            thread::sleep(Duration::from_millis(10));
            if self.interrupted.load(Ordering::Relaxed) {
                self.end(Ok(Stop::Interrupted));
            }
            // All workers may be waiting for runs.
            if self.is_time_over() {
                self.end(Ok(Stop::Budget("time")));
            }
            if self.is_urgent() && stopping.get_or_insert_with(Instant::now).elapsed() > GRACE {
                let cells: Vec<_> = lock(&self.cells).iter_mut().filter_map(Option::take).collect();
                Handle::end_all(cells);
            }
            if shown.elapsed() < PROGRESS {
                continue;
            }
            shown = Instant::now();
            self.watch_memory();
            let stats = self.stats();
            if written.elapsed() >= CHECKPOINT {
                let _ = lock(&self.store).checkpoint(&stats);
                written = Instant::now();
            }
            progress(&stats);
        }
    }

    /// Whether somebody waits for us to stop. When all is tried, what runs may come to its end.
    fn is_urgent(&self) -> bool {
        let stop = lock(&self.stop);
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        interrupted || matches!(&*stop, Some(Err(_) | Ok(Stop::Mistake | Stop::Budget("time" | "memory"))))
    }

    fn watch_memory(&self) {
        let Some(limit) = self.settings.budget.memory else { return };
        if resident_memory().is_some_and(|bytes| bytes > limit) {
            self.end(Ok(Stop::Budget("memory")));
        }
    }

    /// The numbers of this moment.
    pub(super) fn stats(&self) -> Stats {
        let (kept, found) = {
            let store = lock(&self.store);
            (store.kept(), store.findings().len())
        };
        let state = lock(&self.state);
        let covered = |(covered, total): (usize, usize)| Covered { covered: covered as u64, total: total as u64 };
        let before = &self.settings.before;
        let counts = state.frontier().tree().counts();
        let coverage = state.frontier().coverage();
        let ratio = |ratio: Ratio| covered((ratio.hit, ratio.total));
        let files = state.covered().files();
        let mut remaining = state.explorer().remaining();
        remaining.extend(&state.tally.remaining);
        Stats {
            strategy: self.settings.search.search.to_string(),
            seed: self.settings.search.seed,
            elapsed: self.elapsed(),
            runs: before.runs + state.tally.runs,
            running: before.running + state.tally.running.as_secs_f64(),
            paths: counts.runs - counts.repeated,
            pendings: state.frontier().pending_count() as u64,
            kept: kept as u64,
            findings: found as u64,
            layers: layers(state.context().solver.stats()),
            flips: state.tally.flips.clone(),
            lines: ratio(state.covered().line_ratio()),
            branches: ratio(state.covered().branch_ratio()),
            blocks: covered(coverage.covered()),
            coverage: state.tally.coverage.clone(),
            lost: state.tally.lost.clone(),
            remaining,
            sees_input: state.tally.sight.sees(),
            median_query: state.context().solver.stats().median().as_secs_f64(),
            cross_checked: state.context().solver.stats().cross_checked,
            changed_bytes: state.tally.changed_bytes,
            files: files.into_iter().map(|(path, of)| (path.display().to_string(), ratio(of))).collect(),
            operations: state.explorer().operations().answers(),
            concretizations: state.explorer().concretizations(),
            ..Stats::default()
        }
    }
}
