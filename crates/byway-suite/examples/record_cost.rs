//! What recording costs: runs a test command alone and recorded in turns, and prints how long each took.
//!
//! `cargo run --release -p byway-suite --example record_cost -- 5 sh tests.sh`

use std::env;
use std::ffi::OsString;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

use byway_suite::{RecordSettings, record, serve_if_asked};

fn main() -> ExitCode {
    serve_if_asked();
    let mut arguments = env::args_os().skip(1);
    let rounds = arguments.next().and_then(|rounds| rounds.to_str()?.parse::<u32>().ok());
    let (Some(rounds), command) = (rounds, arguments.collect::<Vec<OsString>>()) else { return usage() };
    let Some((program, rest)) = command.split_first() else { return usage() };
    let place = env::temp_dir().join(format!("record-cost-{}", std::process::id()));
    let mut ratios = Vec::new();
    for _ in 0..rounds {
        let (begun, before) = (Instant::now(), processor_time());
        let status = Command::new(program).args(rest).stdin(Stdio::null()).status();
        let (alone, alone_processor) = (begun.elapsed().as_secs_f64(), processor_time() - before);
        let before = processor_time();
        let recorded = record(&command, RecordSettings::new(place.clone()), &AtomicBool::new(false));
        let recorded_processor = processor_time() - before;
        let (Ok(status), Ok(recorded)) = (status, recorded) else { return usage() };
        let elapsed = recorded.elapsed.as_secs_f64();
        let (ratio, processor_ratio) = (elapsed / alone, recorded_processor / alone_processor);
        println!(
            "alone {alone:.3} s, processors {alone_processor:.3} s ({status}); recorded {elapsed:.3} s, processors \
             {recorded_processor:.3} s ({}), {} runs, {} seeds: {ratio:.3}, processors {processor_ratio:.3}",
            recorded.status,
            recorded.suite.runs,
            recorded.suite.seeds.len()
        );
        ratios.push((ratio, processor_ratio));
    }
    let median = |choose: fn(&(f64, f64)) -> f64| {
        let mut all: Vec<f64> = ratios.iter().map(choose).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    println!("median ratios: time {:.3}, processors {:.3}", median(|both| both.0), median(|both| both.1));
    let _ = std::fs::remove_dir_all(&place);
    let _ = std::fs::remove_dir_all(place.with_extension("old"));
    ExitCode::SUCCESS
}

/// Of us and of all processes that have ended, in seconds. On a busy machine this says more than a clock.
fn processor_time() -> f64 {
    let of = |who| getrusage(who).map_or(0.0, |usage| seconds(usage.user_time()) + seconds(usage.system_time()));
    of(UsageWho::RUSAGE_SELF) + of(UsageWho::RUSAGE_CHILDREN)
}

fn seconds(time: TimeVal) -> f64 {
    time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6
}

fn usage() -> ExitCode {
    eprintln!("usage: record_cost ROUNDS COMMAND...");
    ExitCode::FAILURE
}
