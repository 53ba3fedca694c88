//! `starts VARIANT N [--sandbox] [--visits] [--arithmetic] [ARGUMENT...]`: runs a `sym` variant N times through one fork server, and
//! prints the seconds it took; and on standard error what the first run left, and the median of the processor time.
//! With arguments, these and all files that the program reads are symbolic; without, nothing is.
//! With `--sandbox` the fork server is in a sandbox, which is reset after each run. For the others see [`byway_exec::Run`].

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::fs::File;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use byway_confine::{Sandbox, SandboxSettings};
use byway_exec::{Extras, Run, Server, Symbolic};
use byway_trace::TraceLimits;

fn main() -> Result<(), Box<dyn Error>> {
    byway_confine::serve_if_asked();
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let [variant, count, arguments @ ..] = words.as_slice() else {
        return Err("starts VARIANT N [--sandbox] [--visits] [--arithmetic] [ARGUMENT...]".into());
    };
    let (mut in_sandbox, mut visits, mut arithmetic, mut arguments) = (false, false, false, arguments);
    while let [first, rest @ ..] = arguments {
        match first.to_str() {
            Some("--sandbox") => in_sandbox = true,
            Some("--visits") => visits = true,
            Some("--arithmetic") => arithmetic = true,
            _ => break,
        }
        arguments = rest;
    }
    let count: u32 = count.to_str().ok_or("N is no number")?.parse()?;
    let variant = PathBuf::from(variant);
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let directory = File::open(".")?;
    let follow = !arguments.is_empty();
    let symbolic = Symbolic { arguments: follow, stdin: follow, files: follow, ..Symbolic::default() };
    let mut sandbox = if in_sandbox { Some(Sandbox::start(&SandboxSettings::default())?) } else { None };
    let mut server = match &mut sandbox {
        None => Server::start(&variant, variant.as_os_str(), None)?,
        Some(sandbox) => Server::start_in(sandbox, &variant, variant.as_os_str(), None, Duration::from_secs(60))?,
    };
    let (begin, mut times) = (Instant::now(), Vec::new());
    for number in 0..count {
        let outcome = server.run(&Run {
            arguments: std::iter::once(variant.as_os_str())
                .chain(arguments.iter().map(OsString::as_os_str))
                .map(Into::into)
                .collect(),
            extras: Extras::default(),
            environment: None,
            stdin: null.as_fd(),
            stdout: null.as_fd(),
            stderr: null.as_fd(),
            directory: sandbox.as_ref().map_or(directory.as_fd(), Sandbox::directory),
            symbolic: &symbolic,
            visits,
            arithmetic,
            near: false,
            outputs: false,
            repeats: false,
            limits: TraceLimits::default(),
            timeout: None,
        })?;
        if number == 0 {
            eprintln!(
                "{}; {} nodes, {} events",
                outcome.status,
                outcome.trace.node_count(),
                outcome.trace.events().len()
            );
        }
        times.push(outcome.cpu);
        if let Some(sandbox) = &mut sandbox {
            sandbox.reset()?;
        }
    }
    println!("{:.3}", begin.elapsed().as_secs_f64());
    times.sort();
    if let Some(median) = times.get(times.len() / 2) {
        eprintln!("{:.3} ms of CPU", median.as_secs_f64() * 1000.0);
    }
    Ok(())
}
