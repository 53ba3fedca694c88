//! From inputs on which versions seem to differ to differences: confirmed, made small, one for each cause.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use byway_change::SequenceNode;
use byway_input::ConcreteInput;
use byway_reduce::{TestAnswer, ddmin};
use byway_report::InputChange;
use byway_report::diff::{DiffStore, Difference, Found, Observation, id};

use crate::cause::{DifferenceCause, parting};
use crate::classify::Golden;
use crate::compare::Part;
use crate::confirm::Confirmed;
use crate::edits::Edits;
use crate::error::DiffError;
use crate::gather::{DiffContext, SuspectedDifference, Trial, are_same};
use crate::lab::{Lab, PATIENCE, Side};

/// A difference is made small for at most this time, whatever is left.
const SHRINKING: Duration = Duration::from_secs(10);
/// When time is over, inputs that seem to differ are run again for so long: the clock has to show something else.
const GRACE: Duration = Duration::from_millis(1200);
/// So often the golden version is run, if its runs may vary.
const GOLDEN_RUNS: usize = 3;

/// The differences so far, by cause.
#[derive(Default)]
pub struct Settled {
    /// The id of the difference, and how complex its input is.
    known: BTreeMap<DifferenceCause, (String, usize)>,
    /// The causes of inputs as they were found: those that were made smaller may have lost some.
    seen: BTreeMap<DifferenceCause, DifferenceCause>,
    /// How many inputs showed each.
    counts: BTreeMap<DifferenceCause, u64>,
}

/// A difference that is about to be kept.
struct Settling {
    trial: Trial,
    confirmed: Confirmed,
    cause: DifferenceCause,
}

impl DiffContext<'_> {
    /// Confirms what was gathered, and keeps one input for each cause. `kept` is called when there is one more.
    pub fn settle(
        &self,
        settled: &mut Settled,
        store: &mut DiffStore,
        stop: &(dyn Fn() -> bool + Sync),
        kept: &mut dyn FnMut(&mut DiffStore) -> Result<(), DiffError>,
    ) -> Result<(), DiffError> {
        let candidates = self.gathered().take();
        if candidates.is_empty() {
            return Ok(());
        }
        let late = self.deadline.max(Instant::now()) + GRACE;
        let must_end = || stop() || Instant::now() >= late;
        let confirmed = self.site.each(&candidates, &must_end, |lab, candidate| {
            let Some(confirmed) = self.confirm(lab, candidate)? else { return Ok(None) };
            let parting = parting(lab, self.site.pair, &candidate.trial.input);
            Ok(Some((confirmed, parting)))
        })?;
        let mut lab = self.site.lab()?;
        for (candidate, result) in candidates.into_iter().zip(confirmed) {
            let (confirmed, parting) = match result {
                Some(Ok(Some(confirmed))) => confirmed,
                Some(Ok(None)) => continue,
                // A run that broke its lab, or time that is over.
                Some(Err(_)) | None => {
                    self.gathered().unsettled += 1;
                    continue;
                }
            };
            let cause = DifferenceCause { kind: confirmed.kind, changes: candidate.reached.clone(), parting };
            if let Some(known) = settled.seen.get(&cause) {
                *settled.counts.entry(known.clone()).or_default() += 1;
                continue;
            }
            let settling = Settling { trial: candidate.trial.clone(), confirmed, cause: cause.clone() };
            let smaller = match self.smaller(&mut lab, &candidate, settling, &must_end) {
                Ok(smaller) => smaller,
                Err(DiffError::Exec(_)) => {
                    self.gathered().unsettled += 1;
                    lab = self.site.lab()?;
                    continue;
                }
                Err(error) => return Err(error),
            };
            settled.seen.insert(cause, smaller.cause.clone());
            self.keep(&mut lab, settled, store, smaller)?;
            kept(store)?;
        }
        self.site.spare(lab);
        for (cause, (id, _)) in &settled.known {
            store.note_count(id, settled.counts.get(cause).copied().unwrap_or(1));
        }
        Ok(store.write()?)
    }

    /// The same difference with as few changed bytes as show it.
    fn smaller(
        &self,
        lab: &mut Lab<'_>,
        candidate: &SuspectedDifference,
        settling: Settling,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Settling, DiffError> {
        let edits = Edits::new(&candidate.trial.base.input, &candidate.trial.input);
        if edits.len() == 0 || stop() {
            return Ok(settling);
        }
        let end = Instant::now() + SHRINKING;
        let minimum = ddmin(edits.len(), 1, |tried| {
            if stop() || Instant::now() >= end {
                return vec![TestAnswer::OutOfTime];
            }
            let shows = self.shows(lab, &edits.with(tried[0].iter()), &settling);
            vec![if shows { TestAnswer::Holds } else { TestAnswer::Fails }]
        });
        let input = edits.with(minimum.kept.into_iter());
        // It is only taken if it still shows what it showed.
        let Ok(confirmed) = self.repeat(lab, &input, None, settling.confirmed.old.len())? else { return Ok(settling) };
        if confirmed.kind != settling.confirmed.kind {
            return Ok(settling);
        }
        let reach = self.targets.reach(lab, &input)?;
        let changes = reach.map(|reach| reach.changes).unwrap_or_default();
        let parting = parting(lab, self.site.pair, &input);
        let trial = Trial { input, ..settling.trial };
        Ok(Settling { trial, cause: DifferenceCause { kind: confirmed.kind, changes, parting }, confirmed })
    }

    /// Whether an input shows the same kind of difference, and executes some of the same changes and no others: another change may show
    /// the same kind, and this one would be lost.
    fn shows(&self, lab: &mut Lab<'_>, input: &ConcreteInput, wanted: &Settling) -> bool {
        let rounds = if wanted.confirmed.comparison.masked.is_empty() { 1 } else { 2 };
        let shown = self.repeat_briefly(lab, input, rounds, wanted);
        shown.unwrap_or(false)
    }

    fn repeat_briefly(
        &self,
        lab: &mut Lab<'_>,
        input: &ConcreteInput,
        rounds: usize,
        wanted: &Settling,
    ) -> Result<bool, DiffError> {
        let Settling { confirmed: wanted, cause, .. } = wanted;
        let reach = self.targets.reach(lab, input)?;
        let is_of_others = reach.as_ref().is_some_and(|reach| !reach.changes.is_subset(&cause.changes));
        if !self.targets.may_differ(reach.as_ref()) || is_of_others {
            return Ok(false);
        }
        let (mut old, mut new) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            for (side, runs) in [(Side::Old, &mut old), (Side::New, &mut new)] {
                runs.push(lab.native(side, input, self.site.options.run_timeout)?.behaviour);
            }
        }
        let mut comparison = self.compare(lab, input, (&old, &new))?;
        if wanted.comparison.parts.contains(&Part::Sanitizers) && lab.can_judge() {
            let (before, after) = self.judge(lab, input, false)?;
            if !are_same(&before, &after) {
                comparison.parts.insert(Part::Sanitizers);
            }
        }
        Ok(comparison.kind(old[0].ending, new[0].ending) == Some(wanted.kind))
    }

    /// Keeps a difference, unless a simpler one with the same cause is known.
    fn keep(
        &self,
        lab: &mut Lab<'_>,
        settled: &mut Settled,
        store: &mut DiffStore,
        settling: Settling,
    ) -> Result<(), DiffError> {
        *settled.counts.entry(settling.cause.clone()).or_default() += 1;
        let changed = byway_report::changes(&settling.trial.base.input.trimmed(), &settling.trial.input.trimmed());
        let complexity = changed.iter().map(InputChange::bytes).sum();
        if settled.known.get(&settling.cause).is_some_and(|(_, known)| *known <= complexity) {
            return Ok(());
        }
        let golden = self.golden(lab, &settling.trial.input)?;
        let mut difference = self.describe(&settling, golden.as_ref(), changed);
        difference.sequence = self.sequence(lab, &settling.trial.input);
        let Settling { trial, confirmed, cause } = settling;
        let golden = golden.as_ref().map(|golden| &golden.runs[0]);
        let id = store.found(difference, &trial.input, [Some(&confirmed.old[0]), Some(&confirmed.new[0]), golden])?;
        settled.known.insert(cause, (id, complexity));
        Ok(())
    }

    /// A difference as it is reported.
    fn describe(&self, settling: &Settling, golden: Option<&Golden>, changed: Vec<InputChange>) -> Difference {
        let Settling { trial, confirmed, cause } = settling;
        let pair = self.site.pair;
        let lines: Vec<_> = cause.changes.iter().map(|&change| self.lines[change].clone()).collect();
        let is_given = trial.base.name != NOTHING;
        let words = |parts: &BTreeSet<Part>| parts.iter().map(ToString::to_string).collect();
        let observed = |golden: &Golden| Observation::new(&golden.runs[0], golden.findings.clone().unwrap_or_default());
        Difference {
            id: id(&pair.name, cause.kind, &lines, cause.parting.as_ref().map(|parting| parting.key.as_str())),
            kind: cause.kind,
            class: self.class(confirmed, golden),
            program: pair.name.clone(),
            old_program: pair.old.variants.native.clone(),
            new_program: pair.new.variants.native.clone(),
            changes: lines,
            parts_at: cause.parting.as_ref().map(|parting| parting.place.clone()),
            sequence: Vec::new(),
            seed: is_given.then(|| trial.base.name.clone()),
            changed: changed.iter().map(InputChange::to_string).collect(),
            found: if changed.is_empty() && is_given { Found::Given } else { trial.found },
            changed_bytes: changed,
            input: String::new(),
            command: String::new(),
            count: 1,
            parts: words(&confirmed.comparison.parts),
            masked: words(&confirmed.comparison.masked),
            old: Observation::new(&confirmed.old[0], confirmed.findings.0.clone()),
            new: Observation::new(&confirmed.new[0], confirmed.findings.1.clone()),
            golden: golden.map(observed),
            confirmed: true,
            suppressed: None,
            first_seen: 0.0,
        }
    }

    /// The changed lines and interaction locations that an input comes by, in the user's lines.
    fn sequence(&self, lab: &mut Lab<'_>, input: &ConcreteInput) -> Vec<String> {
        let Some(sequences) = &self.sequences else { return Vec::new() };
        let Some(trace) = lab.trace(Side::New, input) else { return Vec::new() };
        let nodes = sequences.lines(&trace).into_iter();
        let place = |node: &SequenceNode| {
            let name = node.file.file_name().unwrap_or(node.file.as_os_str()).to_string_lossy();
            format!("{name}:{} in {}", node.line, node.function)
        };
        nodes.map(place).collect()
    }

    fn golden(&self, lab: &mut Lab<'_>, input: &ConcreteInput) -> Result<Option<Golden>, DiffError> {
        if !lab.has(Side::Golden) {
            return Ok(None);
        }
        let times = if self.varies.load(std::sync::atomic::Ordering::Relaxed) { GOLDEN_RUNS } else { 1 };
        let timeout = self.site.options.run_timeout * PATIENCE;
        let runs: Result<Vec<_>, _> =
            (0..times).map(|_| Ok::<_, DiffError>(lab.native(Side::Golden, input, timeout)?.behaviour)).collect();
        let findings = match lab.can_judge() && lab.can_judge_golden() {
            true => Some(lab.findings(Side::Golden, input, true)?),
            false => None,
        };
        Ok(Some(Golden { runs: runs?, findings }))
    }
}

/// What an input is made of that nobody gave.
pub const NOTHING: &str = "nothing";
