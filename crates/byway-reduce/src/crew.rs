//! Something that is done with each seed, several at the same time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use byway_exec::{ExecError, Runner, RunnerConfig};
use byway_suite::Seed;

/// Does something with each seed of a program, `jobs` at the same time, until `stop`. What came of each, in the order of the
/// seeds: nothing for those that nobody came to.
pub fn each<R: Send, E: Send>(
    config: &RunnerConfig,
    seeds: &[Arc<Seed>],
    jobs: usize,
    stop: &(dyn Fn() -> bool + Sync),
    work: impl Fn(&mut Runner, &Arc<Seed>) -> Result<R, E> + Sync,
) -> Result<Vec<Option<Result<R, E>>>, ExecError> {
    let results: Vec<_> = seeds.iter().map(|_| Mutex::new(None)).collect();
    let next = AtomicUsize::new(0);
    let serve = || -> Result<(), ExecError> {
        let mut runner = None;
        while !stop() {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(seed) = seeds.get(number) else { break };
            let mut able = match runner.take() {
                Some(able) => able,
                None => Runner::new(config.clone(), seeds.iter().map(|seed| &*seed.input))?,
            };
            let result = work(&mut able, seed);
            // What went wrong with one seed may have spoilt the runner for others.
            runner = result.is_ok().then_some(able);
            *results[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..jobs.clamp(1, seeds.len().max(1))).map(|_| scope.spawn(serve)).collect();
        workers.into_iter().try_for_each(|worker| worker.join().expect("workers do not panic"))
    })?;
    Ok(results.into_iter().map(|result| result.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
}
