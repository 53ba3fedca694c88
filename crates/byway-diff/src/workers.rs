//! Something that is done with each of several things, a few at the same time, each worker with a lab of its own. Labs are kept for who
//! needs one next: to make one takes longer than most runs.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use byway_exec::ExecError;
use byway_input::ConcreteInput;

use crate::error::DiffError;
use crate::lab::Lab;
use crate::request::{Options, ProgramPair};

/// A pair of versions, and what it needs to be run.
pub struct RunnablePair<'a> {
    /// The versions.
    pub pair: &'a ProgramPair,
    /// How they are run.
    pub options: &'a Options,
    /// All inputs have their files where these have them.
    pub inputs: &'a [&'a ConcreteInput],
    /// Labs that nobody works in.
    spare: Mutex<Vec<Lab<'a>>>,
}

impl<'a> RunnablePair<'a> {
    /// A pair with no lab so far.
    pub fn new(pair: &'a ProgramPair, options: &'a Options, inputs: &'a [&'a ConcreteInput]) -> RunnablePair<'a> {
        RunnablePair { pair, options, inputs, spare: Mutex::default() }
    }

    /// A lab: a spare one, or a new one.
    pub fn lab(&self) -> Result<Lab<'a>, ExecError> {
        let spare = self.spare.lock().expect("workers do not panic").pop();
        spare.map_or_else(|| Lab::new(self.pair, self.options, self.inputs.iter().copied()), Ok)
    }

    /// Keeps a lab for others. It is as good as a new one.
    pub fn spare(&self, lab: Lab<'a>) {
        self.spare.lock().expect("workers do not panic").push(lab);
    }

    /// Does something with each item until `stop`. What came of each, in their order; nothing for those that nobody came to.
    /// What fails with one may have spoilt the lab, so the next gets another.
    pub fn each<T: Sync, R: Send>(
        &self,
        items: &[T],
        stop: &(dyn Fn() -> bool + Sync),
        work: impl Fn(&mut Lab<'a>, &T) -> Result<R, DiffError> + Sync,
    ) -> Result<Vec<Option<Result<R, DiffError>>>, DiffError> {
        let results: Vec<Mutex<Option<Result<R, DiffError>>>> = items.iter().map(|_| Mutex::new(None)).collect();
        let next = AtomicUsize::new(0);
        let serve = || -> Result<(), DiffError> {
            let mut lab = None;
            while !stop() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(number) else { break };
                let mut able = match lab.take() {
                    Some(able) => able,
                    None => self.lab()?,
                };
                let result = work(&mut able, item);
                lab = result.is_ok().then_some(able);
                *results[number].lock().expect("workers do not panic") = Some(result);
            }
            if let Some(lab) = lab {
                self.spare(lab);
            }
            Ok(())
        };
        thread::scope(|scope| {
            let count = self.options.jobs.clamp(1, items.len().max(1));
            let workers: Vec<_> = (0..count).map(|_| scope.spawn(serve)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
        })?;
        Ok(results.into_iter().map(|result| result.into_inner().expect("workers do not panic")).collect())
    }
}
