//! A solver that is another program. It is not trusted: it may hang, die, lie or eat memory, and that costs one query.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::clock::Deadline;
use crate::evaluate::{keep_seed, satisfies};
use crate::pool::{Pool, Var};
use crate::query::{Answer, Query, Unknown};
use crate::smt::process::{AnswerBudget, NoLine, Process};
use crate::smt::reply::{self, Reply, Verdict};
use crate::smt::script::Script;

/// How a solver is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExternalSettings {
    /// The bytes of memory that it may use.
    pub memory: u64,
}

impl Default for ExternalSettings {
    fn default() -> Self {
        ExternalSettings { memory: 4 << 30 }
    }
}

/// What was done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ExternalStats {
    /// Queries.
    pub queries: u64,
    /// How often the program was started.
    pub starts: u64,
    /// Queries that it failed at, other than for lack of time.
    pub failures: u64,
    /// Bytes of scripts.
    pub bytes: u64,
    /// Time in all.
    pub time: Duration,
}

/// Why there is no external solver.
#[derive(Debug, Error)]
pub enum ExternalError {
    /// It does not exist.
    #[error(
        "there is no solver `{program}`: install the package {package}, or name another one with `--solver \"CMD\"`"
    )]
    NotFound {
        /// The program.
        program: String,
        /// The package that has it.
        package: String,
    },
    /// It cannot be run.
    #[error("the solver `{program}` cannot be run: {source}; name another one with `--solver \"CMD\"`")]
    Start {
        /// The program.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It is not a command.
    #[error(
        "`{0}` is not a command: `--solver` wants a program that reads SMT-LIB from its standard input, such as \"z3 -in\""
    )]
    Command(String),
}

/// The command of the solver to use when none is named: z3, if it is installed.
pub fn default_command() -> Option<&'static str> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).any(|folder| folder.join("z3").is_file()).then_some("z3 -in")
}

/// A solver that is another program.
pub struct External {
    command: Vec<String>,
    settings: ExternalSettings,
    /// Nothing after it failed, until the next query.
    process: Option<Process>,
    stats: ExternalStats,
}

/// What a solver may take to write down the values that it found.
const MODEL: Duration = Duration::from_millis(200);

impl External {
    /// Starts a solver. The command is split as a shell does it.
    pub fn new(command: &str, settings: ExternalSettings) -> Result<Self, ExternalError> {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| ExternalError::Command(command.to_owned()))?;
        let mut external = External { command: words, settings, process: None, stats: ExternalStats::default() };
        match external.start().err() {
            None => Ok(external),
            Some(source) => Err(start_error(&external.command[0], source)),
        }
    }

    /// What was done so far.
    pub fn stats(&self) -> ExternalStats {
        self.stats
    }

    /// Whether it is z3, which can be told a time limit, and is faster if everything is forgotten between queries.
    fn is_z3(&self) -> bool {
        Path::new(&self.command[0]).file_name().is_some_and(|name| name == "z3")
    }

    fn start(&mut self) -> io::Result<&mut Process> {
        let mut process = Process::start(&self.command, self.settings.memory)?;
        self.stats.starts += 1;
        if !self.is_z3() {
            process.send(b"(set-option :produce-models true)\n(set-logic QF_BV)\n".to_vec());
        }
        Ok(self.process.insert(process))
    }

    /// Answers a query. The budget is processor time: as much for writing the query down as for the solver.
    pub fn solve(&mut self, pool: &Pool, query: &Query<'_>, timeout: Duration) -> Answer {
        let start = Instant::now();
        self.stats.queries += 1;
        let deadline = Deadline::after(timeout);
        let answer = match self.script(pool, query, timeout, deadline) {
            Ok((script, declared)) => self.ask(pool, query, script, &declared, timeout, deadline),
            Err(_) => Ok(Answer::Unknown(Unknown::Time)),
        };
        let answer = answer.unwrap_or_else(|unknown| {
            self.process = None;
            self.stats.failures += u64::from(unknown != Unknown::Time);
            Answer::Unknown(unknown)
        });
        self.stats.time += start.elapsed();
        answer
    }

    /// What the solver says. After an error it has to be started anew.
    fn ask(
        &mut self,
        pool: &Pool,
        query: &Query<'_>,
        script: Vec<u8>,
        declared: &[Var],
        timeout: Duration,
        deadline: Deadline,
    ) -> Result<Answer, Unknown> {
        let is_z3 = self.is_z3();
        self.stats.bytes += script.len() as u64;
        let process = match &mut self.process {
            Some(process) => process,
            None => self.start().map_err(|error| Unknown::Solver(format!("the solver cannot be started: {error}")))?,
        };
        let budget = process.budget(timeout);
        process.send(script);
        let answer = match verdict(process, &budget)? {
            Verdict::Sat => {
                let budget = process.budget(MODEL);
                model(process, query, declared, &budget)?
            }
            Verdict::Unsat => return Ok(finish(process, is_z3, Answer::Unsat)),
            Verdict::Unknown if !budget.is_nearly_over(process) => {
                let unknown = Unknown::Solver("the solver says unknown".to_owned());
                return Ok(finish(process, is_z3, Answer::Unknown(unknown)));
            }
            Verdict::Unknown | Verdict::Timeout => {
                return Ok(finish(process, is_z3, Answer::Unknown(Unknown::Time)));
            }
        };
        if !satisfies(pool, query, &answer) {
            return Err(Unknown::Solver("the solver's model does not satisfy the query".to_owned()));
        }
        Ok(finish(process, is_z3, Answer::Sat(keep_seed(pool, query, answer, deadline))))
    }

    /// The script of a query, and the bytes that occur in it. z3 is told a limit of wall time, which is more than it has.
    fn script(
        &self,
        pool: &Pool,
        query: &Query<'_>,
        timeout: Duration,
        deadline: Deadline,
    ) -> io::Result<(Vec<u8>, Vec<Var>)> {
        let wall = AnswerBudget::wall(timeout).as_millis().max(1);
        let mut script = match self.is_z3() {
            true => format!("(reset)\n(set-option :timeout {wall})\n(set-logic QF_BV)\n"),
            false => "(push 1)\n".to_owned(),
        }
        .into_bytes();
        let declared = Script::until(pool, &mut script, deadline).query(query.constraints)?;
        script.extend(b"(check-sat)\n");
        Ok((script, declared))
    }
}

fn start_error(program: &str, source: io::Error) -> ExternalError {
    let program = program.to_owned();
    if source.kind() != io::ErrorKind::NotFound {
        return ExternalError::Start { program, source };
    }
    let package = Path::new(&program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    ExternalError::NotFound { program, package }
}

/// Leaves a solver as it was before the query.
fn finish(process: &mut Process, is_z3: bool, answer: Answer) -> Answer {
    if !is_z3 {
        process.send(b"(pop 1)\n".to_vec());
    }
    answer
}

fn line(process: &mut Process, budget: &AnswerBudget) -> Result<String, Unknown> {
    process.line(budget).map_err(|no_line| match no_line {
        NoLine::Time => Unknown::Time,
        NoLine::Gone(how) => Unknown::Solver(how),
    })
}

fn verdict(process: &mut Process, budget: &AnswerBudget) -> Result<Verdict, Unknown> {
    loop {
        let line = line(process, budget)?;
        match reply::verdict(&line) {
            Reply::Verdict(verdict) => return Ok(verdict),
            Reply::Remark => {}
            Reply::Nonsense => return Err(nonsense(&line)),
        }
    }
}

fn nonsense(text: &str) -> Unknown {
    let short: String = text.chars().take(200).collect();
    Unknown::Solver(format!("the solver says {short}"))
}

/// The values of the bytes of a query. Those that do not occur stay what they were.
fn model(
    process: &mut Process,
    query: &Query<'_>,
    declared: &[Var],
    budget: &AnswerBudget,
) -> Result<Vec<(Var, u8)>, Unknown> {
    let mut values = if declared.is_empty() { Vec::new() } else { values(process, declared, budget)? };
    values.sort_unstable();
    let value = |&var: &Var| match values.binary_search_by_key(&var, |&(var, _)| var) {
        Ok(found) => (var, values[found].1),
        Err(_) => (var, (query.seed)(var)),
    };
    Ok(query.vars.iter().map(value).collect())
}

fn values(process: &mut Process, declared: &[Var], budget: &AnswerBudget) -> Result<Vec<(Var, u8)>, Unknown> {
    let names: Vec<String> = declared.iter().map(|var| format!("b{}", var.0)).collect();
    process.send(format!("(get-value ({}))\n", names.join(" ")).into_bytes());
    let mut text = String::new();
    while !reply::is_complete(&text) {
        text += &line(process, budget)?;
        text.push('\n');
    }
    reply::bytes(&text).ok_or_else(|| nonsense(&text))
}
