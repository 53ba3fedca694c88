//! `byway trace`: run a program once, say what it computes from its input and what of that byway can follow.

mod events;
mod native;
mod outputs;
mod place;
mod report;
mod stdin;
mod words;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};

use byway_exec::{Argument, Extras, Run, Server, TracedRun};
use byway_trace::{SourceKind, Trace, smt2};
use byway_variant::{Variant, VariantKind, program_map};
use serde::Serialize;

use crate::command::trace::events::EventList;
use crate::command::trace::native::Time;
use crate::command::trace::outputs::KeptOutputs;
use crate::command::trace::place::Places;
use crate::command::trace::report::Report;
use crate::command::trace::stdin::Stdin;
use crate::command::{build_variant, open_subject, shown};
use crate::console::{self, Activity};
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::TraceFlags;

/// Runs the command.
pub fn run(flags: TraceFlags) -> Result<ExitCode, Error> {
    let cache = flags.cache.open()?;
    let subject = open_subject(&cache, &flags.program)?;
    if subject.is_shared_library() {
        return Err(Error::NotProgram { command: "trace", path: subject.path });
    }
    // A file that cannot be written is said before anything runs.
    let smt2_file = create(flags.smt2.as_deref())?;
    let output = create(flags.output.as_deref())?;
    let native = if flags.no_native { None } else { Some(build_variant(&cache, &subject, VariantKind::Native)?) };
    let variant = build_variant(&cache, &subject, VariantKind::Sym)?;
    let places = Places::new(program_map(&cache, &subject)?, &variant);

    let stdin = Stdin::ours().map_err(passing("standard input"))?;
    let outcome = run_traced(&flags, &variant, &stdin)?;
    let native = native_time(&flags, native.as_ref(), &stdin, &outcome)?;
    if let Some((path, file)) = smt2_file {
        let (trace, file) = (&outcome.trace, BufWriter::new(file));
        let written =
            if flags.assert_input { smt2::write_path_with_input(trace, file) } else { smt2::write_path(trace, file) };
        written.map_err(|source| Error::Write { path, source })?;
    }
    let _activity = Activity::new("looking at what it computed from its input".to_owned());
    let report = Report::new(flags.program.clone(), &outcome, native, &places);
    let list = flags.events.then_some(EventList { trace: &outcome.trace, places: &places });
    write_report(&flags, &report, list, output)?;
    Ok(verdict(&report))
}

fn create(path: Option<&Path>) -> Result<Option<(PathBuf, File)>, Error> {
    let Some(path) = path else { return Ok(None) };
    let file = File::create(path).map_err(|source| Error::Write { path: path.to_owned(), source })?;
    Ok(Some((path.to_owned(), file)))
}

fn passing(what: &'static str) -> impl Fn(io::Error) -> Error {
    move |source| Error::Pass { what, source }
}

/// Runs the traced program with our own input and output, under the name that the user gave.
fn run_traced(flags: &TraceFlags, variant: &Variant, stdin: &Stdin) -> Result<TracedRun, Error> {
    let _activity = Activity::unseen(format!("running {}", shown(&flags.program)));
    let name = flags.program.as_os_str();
    let mut server = Server::start(&variant.program, name, None)?;
    let directory = File::open(".").map_err(passing("the directory"))?;
    let input = stdin.first().map_err(passing("standard input"))?;
    let kept = match flags.outputs {
        true => Some(KeptOutputs::new().map_err(passing("standard output"))?),
        false => None,
    };
    let (stdout, stderr) = (io::stdout(), io::stderr());
    let [stdout, stderr] = kept.as_ref().map_or([stdout.as_fd(), stderr.as_fd()], KeptOutputs::files);
    let arguments = flags.arguments.iter().map(|argument| argument.as_os_str());
    let mut outcome = server.run(&Run {
        arguments: std::iter::once::<&OsStr>(name).chain(arguments).map(Argument::from).collect(),
        extras: Extras::default(),
        environment: None,
        stdin: input.as_fd(),
        stdout,
        stderr,
        directory: directory.as_fd(),
        symbolic: &flags.symbolic,
        visits: true,
        arithmetic: true,
        near: false,
        outputs: flags.outputs,
        repeats: false,
        limits: flags.limits.limits(),
        timeout: flags.timeout,
    })?;
    if let Some(kept) = &kept {
        outcome.outputs = Some(kept.pass_on().map_err(passing("standard output"))?);
    }
    Ok(outcome)
}

/// The time of the run without instrumentation, or why there is none.
fn native_time(
    flags: &TraceFlags,
    variant: Option<&Variant>,
    stdin: &Stdin,
    outcome: &TracedRun,
) -> Result<Result<Time, &'static str>, Error> {
    let Some(variant) = variant else { return Ok(Err("--no-native")) };
    if outcome.timed_out {
        return Ok(Err("the traced run did not end"));
    }
    let input = stdin.again(read_stdin(&outcome.trace)).map_err(passing("standard input"))?;
    let Some(input) = input else { return Ok(Err("its standard input is a terminal")) };
    let time = native::run(flags, variant, input);
    let time = time.map_err(|source| Error::Run { path: variant.program.clone(), source })?;
    Ok(time.ok_or("it did not end in time"))
}

fn read_stdin(trace: &Trace) -> bool {
    trace.inputs().iter().any(|input| input.kind == SourceKind::Stdin && input.bytes > 0)
}

/// The report and all events, as `--json` has them.
#[derive(Serialize)]
struct Everything<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<&'a EventList<'a>>,
}

fn write_report(
    flags: &TraceFlags,
    report: &Report,
    events: Option<EventList<'_>>,
    output: Option<(PathBuf, File)>,
) -> Result<(), Error> {
    let write = |out: &mut dyn Write| -> io::Result<()> {
        if flags.json {
            serde_json::to_writer_pretty(&mut *out, &Everything { report, events: events.as_ref() })?;
            return writeln!(out);
        }
        if let Some(events) = &events {
            events.write(out)?;
        }
        out.write_all(words::in_words(report).as_bytes())
    };
    match output {
        Some((path, file)) => {
            let mut out = BufWriter::new(file);
            write(&mut out).and_then(|()| out.flush()).map_err(|source| Error::Write { path, source })
        }
        None => {
            console::print_with(write);
            Ok(())
        }
    }
}

/// An expression that does not evaluate to what the program computed or wrote is a mistake of ours.
fn verdict(report: &Report) -> ExitCode {
    let (check, outputs) = (&report.self_check, &report.output_check);
    if check.mismatches > 0 {
        let first = check.first.first().map_or("", String::as_str);
        console::error(&format!(
            "{} expressions are not worth what the program computed; the first is {first}; this is a mistake in byway",
            check.mismatches
        ));
    }
    if let Some(outputs) = outputs.as_ref().filter(|outputs| outputs.mismatches > 0) {
        let first = outputs.first.first().map(ToString::to_string).unwrap_or_default();
        console::error(&format!(
            "{} written bytes differ from the values of their expressions; the first is {first}; this is a mistake in byway",
            outputs.mismatches
        ));
    }
    match check.mismatches + outputs.as_ref().map_or(0, |outputs| outputs.mismatches) {
        0 => ExitCode::Success,
        _ => ExitCode::Internal,
    }
}
