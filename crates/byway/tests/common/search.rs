//! A search for inputs, as simple as one can be: every branch of every run is turned, once, by z3.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{Read, Seek, Write};
use std::ops::RangeInclusive;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use byway_exec::{Argument, Extras, NamedFile, NamedObject, Run, Server, Symbolic, TracedRun};
use byway_trace::layout::event;
use byway_trace::{Cause, Ending, SourceKind, Trace, TraceLimits, self_check, smt2};

/// The input of a run.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Input {
    pub arguments: Vec<OsString>,
    pub stdin: Vec<u8>,
    /// Files in the directory of the run.
    pub files: Vec<(String, Vec<u8>)>,
    /// The objects that the last run asked for, with their names.
    pub objects: Vec<(OsString, Vec<u8>)>,
}

/// A search for inputs.
pub struct Search {
    pub server: Server,
    /// How long each argument may be.
    pub room: usize,
    /// How large standard input and each named file may be, if their sizes depend on the input.
    pub size: Option<u32>,
    pub count: Option<RangeInclusive<u32>>,
    /// Names that a path might be.
    pub names: Vec<String>,
    pub most_runs: usize,
    /// How many runs there were.
    pub runs: usize,
    /// What runs printed.
    pub lines: BTreeSet<String>,
    /// How runs ended that did not end as programs do.
    pub endings: Vec<Ending>,
    /// Causes of losses that a subject must declare.
    pub losses: BTreeSet<String>,
    pub problems: Vec<String>,
}

impl Search {
    pub fn new(variant: &Path) -> Search {
        Search {
            server: Server::start(variant, OsStr::new("subject"), None).unwrap(),
            room: 0,
            size: None,
            count: None,
            names: Vec::new(),
            most_runs: 100,
            runs: 0,
            lines: BTreeSet::new(),
            endings: Vec::new(),
            losses: BTreeSet::new(),
            problems: Vec::new(),
        }
    }

    /// Runs until all lines were printed, or nothing new is found.
    pub fn run(&mut self, first: Input, lines: &[String]) {
        let (mut queue, mut seen) = (VecDeque::from([first]), HashSet::new());
        let mut ways = Ways::new();
        while let Some(input) = queue.pop_front() {
            if self.runs >= self.most_runs || lines.iter().all(|line| self.lines.contains(line)) {
                return;
            }
            if seen.insert(input.clone()) {
                let outcome = self.run_once(&input);
                queue.extend(others(&input, &outcome.trace, &mut ways));
            }
        }
    }

    /// Runs the program once.
    pub fn run_once(&mut self, input: &Input) -> TracedRun {
        self.runs += 1;
        let directory = tempfile::tempdir().unwrap();
        for (name, content) in &input.files {
            fs::write(directory.path().join(name), content).unwrap();
        }
        let (mut stdin, mut stdout) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
        stdin.write_all(&input.stdin).unwrap();
        stdin.rewind().unwrap();
        let symbolic = Symbolic { arguments: true, stdin: true, files: true, ..Symbolic::default() };
        let arguments = input.arguments.iter().map(|text| Argument::with_room(text, self.room));
        let outcome = self.server.run(&Run {
            arguments: std::iter::once(OsStr::new("subject").into()).chain(arguments).collect(),
            extras: Extras {
                argument_count: self.count.clone(),
                files: self.names.iter().map(|name| NamedFile { name: OsStr::new(name), size: self.size }).collect(),
                stdin_size: self.size,
                objects: input.objects.iter().map(|(name, bytes)| NamedObject { name, bytes }).collect(),
            },
            environment: None,
            stdin: stdin.as_fd(),
            stdout: stdout.as_fd(),
            stderr: File::options().write(true).open("/dev/null").unwrap().as_fd(),
            directory: File::open(directory.path()).unwrap().as_fd(),
            symbolic: &symbolic,
            limits: TraceLimits::default(),
            visits: false,
            arithmetic: false,
            near: false,
            outputs: false,
            repeats: false,
            timeout: Some(Duration::from_secs(20)),
        });
        let outcome = outcome.unwrap();
        let mut text = String::new();
        stdout.rewind().unwrap();
        stdout.read_to_string(&mut text).unwrap();
        self.lines.extend(text.lines().map(str::to_owned));
        self.note(&outcome);
        outcome
    }

    fn note(&mut self, outcome: &TracedRun) {
        let check = self_check(&outcome.trace);
        if !check.is_clean() {
            self.problems.push(format!("self-check: {:?}", check.first.first()));
        }
        if outcome.timed_out {
            self.problems.push("a run takes too long".to_owned());
        }
        let undeclared = |cause: &Cause| matches!(cause, Cause::Model | Cause::Unmodelled);
        let causes = outcome.trace.losses().map(|loss| loss.cause).filter(undeclared);
        self.losses.extend(causes.map(|cause| cause.name().to_owned()));
        if outcome.trace.ending() != Ending::Ordinary {
            self.endings.push(outcome.trace.ending());
        }
    }
}

/// The decisions up to a place: the site, where the program called it from, which way it went. The last one went no way yet.
type Decisions = Vec<(u32, u32, Option<u64>)>;
/// Which ways were taken or tried at the end of each path.
type Ways = HashMap<Decisions, BTreeSet<u64>>;

/// The inputs that go another way than a run did, one for each decision that is new.
fn others(input: &Input, trace: &Trace, ways: &mut Ways) -> Vec<Input> {
    let mut script = Vec::new();
    smt2::write_path(trace, &mut script).unwrap();
    let script = String::from_utf8(script).unwrap();
    let (mut path, mut found) = (Decisions::new(), Vec::new());
    for (index, event) in trace.events().iter().enumerate() {
        let is_branch = event.kind == event::BRANCH;
        let way = match event.kind {
            event::BRANCH => event.flag.into(),
            event::SWITCH => event.a,
            _ => continue,
        };
        path.push((event.site, event.extra, None));
        let known = ways.entry(path.clone()).or_default();
        let is_new = known.insert(way);
        // A branch has one other way; of a switch nobody knows how many it has.
        if !is_branch || (is_new && known.insert(1 - way)) {
            found.extend(solve(&script, index, known).map(|values| changed(input, trace, &values)));
        }
        path.last_mut().unwrap().2 = Some(way);
    }
    found
}

/// The bytes of an input that goes the same way up to an event, and there none that is known.
fn solve(script: &str, event: usize, known: &BTreeSet<u64>) -> Option<BTreeMap<String, u8>> {
    let mut text = String::new();
    let mut names = Vec::new();
    for line in script.lines().filter(|line| *line != "(check-sat)") {
        if let Some(name) = line.strip_prefix("(declare-const |").and_then(|rest| rest.split_once('|')) {
            names.push(name.0.to_owned());
        }
        let number = line.rsplit_once("; event ").and_then(|(_, rest)| rest.split_once(':')?.0.parse::<usize>().ok());
        match number {
            Some(number) if number > event => continue,
            Some(number) if number == event => {
                let condition = line.strip_prefix("(assert ")?.rsplit_once(") ; event")?.0;
                text += &format!("(assert (not {condition}))\n");
                if let Some((term, literal)) = condition.rsplit_once(" #x") {
                    let digits = literal.trim_end_matches(')').len();
                    for value in known {
                        let value = format!("{value:0digits$x}");
                        let value = &value[value.len() - digits..];
                        text += &format!("(assert (not {term} #x{value})))\n");
                    }
                }
            }
            _ => text += &format!("{line}\n"),
        }
    }
    text += "(check-sat)\n(get-value (";
    names.iter().for_each(|name| text += &format!("|{name}| "));
    text += "))\n";
    let mut solver = Command::new("z3").args(["-T:10", "-in"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let solver = solver.as_mut().unwrap();
    solver.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let mut answer = String::new();
    solver.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    solver.wait().unwrap();
    let values = answer.strip_prefix("sat\n")?;
    let value = |name: &String| {
        let (_, rest) = values.split_once(&format!("(|{name}| #x"))?;
        Some((name.clone(), u8::from_str_radix(rest.get(..2)?, 16).ok()?))
    };
    Some(names.iter().filter_map(value).collect())
}

/// An input with other bytes.
fn changed(input: &Input, trace: &Trace, values: &BTreeMap<String, u8>) -> Input {
    let mut other = input.clone();
    let set = |bytes: &mut Vec<u8>, name: &str, count: u32| {
        for offset in 0..count as usize {
            if let Some(&value) = values.get(&format!("{name}[{offset}]")) {
                bytes.resize(bytes.len().max(offset + 1), 0);
                bytes[offset] = value;
            }
        }
    };
    for source in trace.inputs() {
        let index = source.index as usize;
        match source.kind {
            SourceKind::Argument => {
                let argument = &mut other.arguments[index - 1];
                let mut bytes = std::mem::take(argument).into_vec();
                set(&mut bytes, &source.name, source.bytes);
                let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
                *argument = OsStr::from_bytes(&bytes[..end]).to_owned();
            }
            SourceKind::Stdin => set(&mut other.stdin, &source.name, source.bytes),
            SourceKind::Object => {
                if other.objects.len() <= index {
                    other.objects.resize(index + 1, Default::default());
                }
                let object = &mut other.objects[index];
                object.0 = source.name.clone().into();
                object.1.resize(source.bytes as usize, 0);
                set(&mut object.1, &source.name, source.bytes);
            }
            SourceKind::ArgumentCount => {
                if let Some(&count) = values.get("argc[0]") {
                    other.arguments.resize(count.into(), OsString::new());
                }
            }
            SourceKind::File => {
                if let Some(file) = named(&mut other, &source.name) {
                    set(file, &source.name, source.bytes);
                }
            }
            SourceKind::Size => {
                let of = &trace.inputs()[index];
                let byte = |offset: u32| values.get(&format!("{}[{offset}]", source.name)).copied();
                if let (Some(low), Some(high)) = (byte(0), byte(1)) {
                    let size = usize::from(low) | usize::from(high) << 8;
                    match of.kind {
                        SourceKind::Stdin => other.stdin.resize(size, 0),
                        _ => named(&mut other, &of.name).into_iter().for_each(|file| file.resize(size, 0)),
                    }
                }
            }
            SourceKind::Environment => {}
        }
    }
    other
}

fn named<'a>(input: &'a mut Input, path: &str) -> Option<&'a mut Vec<u8>> {
    let name = Path::new(path).file_name()?;
    input.files.iter_mut().find(|(file, _)| OsStr::new(file) == name).map(|(_, content)| content)
}
