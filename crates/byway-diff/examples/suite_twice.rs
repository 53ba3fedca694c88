//! How long it takes to run the seeds of a program natively in two versions: what `byway diff` of two versions without a change
//! is measured against.
//!
//! `suite_twice SEEDS OLD NEW`

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use byway_exec::{Executor, RunOptions, SandboxOptions, Variants};
use byway_suite::Suite;

fn main() {
    byway_confine::serve_if_asked();
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [seeds, old, new] = words.as_slice() else { panic!("suite_twice SEEDS OLD NEW") };
    let suite = Suite::open(Path::new(seeds)).expect("seeds");
    let programs = [old, new].map(|path| std::path::absolute(path).expect("a path"));
    let name = programs[1].file_name();
    let inputs: Vec<_> =
        suite.seeds.iter().filter(|seed| seed.executable.path.file_name() == name).map(|seed| &seed.input).collect();
    let begun = Instant::now();
    let next = AtomicUsize::new(0);
    let work = |programs: &[PathBuf]| {
        let mut executor =
            Executor::new(&SandboxOptions::default(), inputs.iter().map(|input| &***input)).expect("a sandbox");
        let ids: Vec<_> = programs.iter().map(|path| executor.program(Variants::of(path.clone()))).collect();
        let options = RunOptions { observe_files: true, ..RunOptions::default() };
        while let Some(input) = inputs.get(next.fetch_add(1, Ordering::Relaxed)) {
            ids.iter().for_each(|&id| drop(executor.native(id, input, &options)));
        }
    };
    let jobs = std::thread::available_parallelism().map_or(1, Into::into);
    std::thread::scope(|scope| (0..jobs).for_each(|_| drop(scope.spawn(|| work(&programs)))));
    println!("{} seeds, each in both versions: {:.2} s", inputs.len(), begun.elapsed().as_secs_f64());
}
