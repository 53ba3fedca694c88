//! The `sym` variant behaves as the program does, and follows what the subjects under `tests/subjects/sym` do.

mod common;
#[path = "common/sym.rs"]
mod sym;

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use common::trials::{self, Edit, Problem};
use common::{Project, Ran};
use serde_json::Value;
use sym::{Mark, SymSubject};

/// Where the path is written to.
const PATH: &str = "path.smt2";

fn main() -> ExitCode {
    trials::run([trials::of_subjects("sym", None, |_| true, check)])
}

/// What is wrong with a subject.
fn check(path: &Path) -> Vec<Problem> {
    let runs = SymSubject::read(path).and_then(|subject| Ok((Runs::of(&subject)?, subject)));
    match runs {
        Ok((runs, subject)) => runs.failures(&subject),
        Err(error) => vec![error.into()],
    }
}

/// What a run printed and how it ended.
#[derive(Debug, PartialEq, Eq)]
struct Behaviour {
    stdout: String,
    stderr: String,
    code: Option<i64>,
    signal: Option<i64>,
}

/// The runs of one subject.
struct Runs {
    native: Behaviour,
    /// The `sym` variant, without anybody who observes it.
    alone: Behaviour,
    traced: Behaviour,
    /// What `byway trace` says.
    report: Value,
    /// The same with `--outputs`.
    written: Behaviour,
    /// What it says of the written bytes.
    output_check: Value,
    /// What a solver says of the path and this input.
    solved: String,
}

impl Runs {
    fn of(subject: &SymSubject) -> Result<Runs, String> {
        let project = Project::with(&[(&subject.name, &subject.source)]);
        let flags = subject.flags.join(" ");
        succeeded(project.run(&format!("byway-cc -O1 -g {} -o subject {flags}", subject.name)))?;
        let program = project.path("subject");
        let native = run(&project, subject, "native", project.command(&program));
        let built = succeeded(project.run("byway build subject --variant sym"))?;
        let mut variant = project.command(built.stdout.trim_end());
        variant.arg0(&program);
        let alone = run(&project, subject, "alone", variant);
        let smt2 = format!("--events --smt2 {}", project.path(PATH).display());
        let (traced, report) = trace(&project, subject, &program, ("traced", &smt2))?;
        let (written, mut written_report) = trace(&project, subject, &program, ("written", "--outputs"))?;
        let output_check = written_report["output_check"].take();
        let solved = solve(&fs::read_to_string(project.path(PATH)).map_err(|error| error.to_string())?, subject);
        Ok(Runs { native, alone, traced, report, written, output_check, solved })
    }

    fn failures(&self, subject: &SymSubject) -> Vec<Problem> {
        let mut failures: Vec<Problem> = Vec::new();
        for (how, behaviour) in
            [("alone", &self.alone), ("traced", &self.traced), ("traced with its outputs", &self.written)]
        {
            if *behaviour != self.native {
                failures.push(format!("differs {how}:\n  natively {:?}\n  now      {behaviour:?}", self.native).into());
            }
        }
        failures.extend(self.mark_failures(subject));
        failures.extend(self.loss_failures(subject));
        if self.report["self_check"]["mismatches"] != 0 {
            failures.push(format!("self-check: {}", self.report["self_check"]["first"]).into());
        }
        if self.output_check["mismatches"] != 0 {
            failures.push(format!("written bytes: {}", self.output_check["first"]).into());
        }
        if self.solved != "sat" {
            failures.push(format!("the input does not satisfy the path: {}", self.solved).into());
        }
        failures
    }

    fn mark_failures(&self, subject: &SymSubject) -> Vec<Problem> {
        let failure = |&(line, mark): &(u64, Mark)| {
            let what = match mark {
                _ if self.holds(subject, line, mark) => return None,
                Mark::Event(kind) => format!("no {kind}"),
                Mark::Such(kind, key, value) => format!("no {kind} where {key} is {value}"),
                Mark::No(kind) => format!("has {kind}"),
                Mark::NotSymbolic => "is symbolic".to_owned(),
            };
            let edit = Edit::Mark(line as usize, self.seen_on(subject, line));
            Some(Problem::of_comments(format!("line {line}: {what}"), [edit]))
        };
        subject.marks.iter().filter_map(failure).collect()
    }

    /// Whether what a mark says is so.
    fn holds(&self, subject: &SymSubject, line: u64, mark: Mark) -> bool {
        let events = self.report["events"].as_array().map_or(&[][..], Vec::as_slice);
        let on_such = |kind: &str, such: &dyn Fn(&Value) -> bool| {
            // A branch in a library function's model is not the line's own.
            let own = |event: &Value| !matches!(kind, "branch" | "switch") || event["model"].is_null();
            let here = |event: &Value| event["line"] == line && is_file(&event["file"], &subject.name);
            events.iter().any(|event| event["kind"] == kind && here(event) && own(event) && such(event))
        };
        let on = |kind: &str| on_such(kind, &|_| true);
        match mark {
            Mark::Event(kind) => on(kind),
            Mark::Such(kind, key, value) => on_such(kind, &|event| event[key] == value),
            Mark::No(kind) => !on(kind),
            Mark::NotSymbolic => !on("branch") && !on("switch"),
        }
    }

    /// The marks of a line, but for those that do not hold their opposites.
    fn seen_on(&self, subject: &SymSubject, line: u64) -> Option<String> {
        let of_line = subject.marks.iter().filter(|(number, _)| *number == line).map(|(_, mark)| *mark);
        let holds = |mark: &Mark| self.holds(subject, line, *mark);
        let seen = of_line.filter_map(|mark| if holds(&mark) { Some(mark) } else { mark.opposite().filter(&holds) });
        let words: Vec<&str> = seen.filter_map(Mark::words).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    fn loss_failures(&self, subject: &SymSubject) -> Vec<Problem> {
        let losses = self.report["losses"].as_array().map_or(&[][..], Vec::as_slice);
        let lost: BTreeSet<&str> = losses.iter().filter_map(|loss| loss["cause"].as_str()).collect();
        let is_declared = |cause: &str| subject.loses.iter().any(|declared| declared == cause);
        let must_be_declared = |cause: &str| matches!(cause, "unmodelled" | "model");
        let missing = subject.loses.iter().filter(|cause| !lost.contains(cause.as_str()));
        let undeclared = losses
            .iter()
            .filter(|loss| loss["cause"].as_str().is_some_and(|cause| must_be_declared(cause) && !is_declared(cause)));
        let now: Vec<&str> =
            lost.iter().copied().filter(|cause| is_declared(cause) || must_be_declared(cause)).collect();
        let edit = Edit::Key("loses", (!now.is_empty()).then(|| now.join(" ")));
        let whats = missing.map(|cause| format!("does not lose {cause}"));
        let whats = whats.chain(undeclared.map(|loss| format!("loses {loss}")));
        whats.map(|what| Problem::of_comments(what, [edit.clone()])).collect()
    }
}

/// The first lines of what went wrong.
fn succeeded(ran: Ran) -> Result<Ran, String> {
    let first_lines = |text: &str| text.lines().take(3).collect::<Vec<_>>().join("\n  ");
    if ran.code == Some(0) { Ok(ran) } else { Err(first_lines(&ran.stderr)) }
}

fn is_file(path: &Value, name: &str) -> bool {
    path.as_str().is_some_and(|path| Path::new(path).file_name() == Some(OsStr::new(name)))
}

/// A directory with the subject's files, made anew for each run.
fn directory(project: &Project, subject: &SymSubject, name: &str) -> PathBuf {
    fs::create_dir(project.path(name)).unwrap();
    for (file, content) in &subject.files {
        project.write(&format!("{name}/{file}"), content);
    }
    project.path(name)
}

fn prepared<'a>(project: &Project, subject: &SymSubject, name: &str, command: &'a mut Command) -> &'a mut Command {
    let stdin = match &subject.stdin {
        Some(content) => {
            project.write("input", content);
            Stdio::from(File::open(project.path("input")).unwrap())
        }
        None => Stdio::null(),
    };
    command.args(&subject.arguments).current_dir(directory(project, subject, name)).stdin(stdin)
}

fn run(project: &Project, subject: &SymSubject, name: &str, mut command: Command) -> Behaviour {
    let output = prepared(project, subject, name, &mut command).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Behaviour {
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
        code: output.status.code().map(i64::from),
        signal: output.status.signal().map(i64::from),
    }
}

/// What `byway trace` says of a run in a directory of this name, with further options.
fn trace(
    project: &Project,
    subject: &SymSubject,
    program: &Path,
    (name, options): (&str, &str),
) -> Result<(Behaviour, Value), String> {
    let report = project.path("report.json");
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.arg("trace").arg(program).args(["--json", "--no-native", "--timeout", "60", "--output"]);
    command.arg(&report).args(options.split(' ')).arg("--");
    let ours = run(project, subject, name, command);
    let report = fs::read(report).map_err(|error| format!("byway trace: {error}: {ours:?}"))?;
    let report: Value = serde_json::from_slice(&report).map_err(|error| format!("byway trace: {error}: {ours:?}"))?;
    // A mistake of ours is in the report; what we print about it is not the program's.
    let stderr = if ours.code == Some(70) { without_ours(&ours.stderr) } else { ours.stderr };
    let behaviour = Behaviour {
        stdout: ours.stdout,
        stderr,
        code: report["exit_code"].as_i64(),
        signal: report["signal"].as_i64(),
    };
    Ok((behaviour, report))
}

fn without_ours(stderr: &str) -> String {
    stderr.split_inclusive('\n').filter(|line| !line.starts_with("byway: ")).collect()
}

/// What z3 says of a path if the input is that of the subject.
fn solve(path: &str, subject: &SymSubject) -> String {
    let mut script = path.replace("(check-sat)", "");
    let names =
        path.lines().filter_map(|line| line.strip_prefix("(declare-const |")?.split_once('|')).map(|(name, _)| name);
    for name in names {
        match input_byte(name, subject) {
            Some(byte) => script += &format!("(assert (= |{name}| #x{byte:02x}))\n"),
            None => return format!("there is no {name}"),
        }
    }
    script += "(check-sat)\n";
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join(PATH), script).unwrap();
    let output = Command::new("z3").arg("-T:60").arg(directory.path().join(PATH)).output().unwrap();
    String::from_utf8_lossy(&output.stdout).trim_end().to_owned()
}

/// The byte of the input that a name such as `argv[1][2]`, `stdin[3]` or `file[7]` stands for.
fn input_byte(name: &str, subject: &SymSubject) -> Option<u8> {
    let (source, offset) = name.strip_suffix(']')?.rsplit_once('[')?;
    let offset: usize = offset.parse().ok()?;
    let argument = source.strip_prefix("argv[").and_then(|rest| rest.strip_suffix(']')?.parse::<usize>().ok());
    if let Some(argument) = argument {
        let argument = subject.arguments.get(argument.checked_sub(1)?)?;
        // The end of an argument may be symbolic, too.
        return argument.bytes().chain([0]).nth(offset);
    }
    if source == "stdin" {
        return subject.stdin.as_ref()?.get(offset).copied();
    }
    let file_name = Path::new(source).file_name()?;
    let (_, content) = subject.files.iter().find(|(file, _)| Path::new(file).file_name() == Some(file_name))?;
    content.get(offset).copied()
}
