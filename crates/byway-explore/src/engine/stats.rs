//! What an exploration came to, in numbers.

use byway_coverage::Ratio;
use byway_engine::layers;
use byway_report::{Covered, ExploreStats};

use super::{Shared, lock};

impl Shared<'_> {
    /// The numbers of this moment.
    pub(super) fn stats(&self) -> ExploreStats {
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
        remaining.extend(&state.counters.remaining);
        ExploreStats {
            strategy: self.settings.search.search.to_string(),
            seed: self.settings.search.seed,
            elapsed: self.elapsed(),
            runs: before.runs + state.counters.runs,
            running: before.running + state.counters.running.as_secs_f64(),
            paths: counts.runs - counts.repeated,
            pendings: state.frontier().pending_count() as u64,
            kept: kept as u64,
            findings: found as u64,
            layers: layers(state.context().solver.stats()),
            flips: state.counters.flips.clone(),
            lines: ratio(state.covered().line_ratio()),
            branches: ratio(state.covered().branch_ratio()),
            blocks: covered(coverage.covered()),
            coverage: state.counters.coverage.clone(),
            lost: state.counters.lost.clone(),
            remaining,
            sees_input: state.counters.sight.sees(),
            median_query: state.context().solver.stats().median().as_secs_f64(),
            cross_checked: state.context().solver.stats().cross_checked,
            changed_bytes: state.counters.changed_bytes,
            files: files.into_iter().map(|(path, of)| (path.display().to_string(), ratio(of))).collect(),
            operations: state.explorer().operations().answers(),
            concretizations: state.explorer().concretizations(),
            ..ExploreStats::default()
        }
    }
}
