//! Why a command failed, and with which exit code.

use std::io;
use std::path::PathBuf;

use byway_check::CheckError;
use byway_confine::ConfineError;
use byway_coverage::CounterError;
use byway_diff::DiffError;
use byway_eval::EvalError;
use byway_exec::{ExecError, RunError};
use byway_explore::ExploreError;
use byway_ktest::KTestError;
use byway_program::SubjectError;
use byway_report::ReportError;
use byway_solve::smt::ExternalError;
use byway_suite::SuiteError;
use byway_trace::TraceError;
use byway_variant::{Fault, VariantError};
use byway_versions::VersionsError;
use thiserror::Error;

use crate::exit_code::ExitCode;

/// Why a command failed.
#[derive(Debug, Error)]
pub enum Error {
    /// The program is no subject.
    #[error(transparent)]
    Subject(#[from] SubjectError),
    /// A variant could not be built.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The counters cannot be used.
    #[error(transparent)]
    Counters(#[from] CounterError),
    /// A file cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A shared library is to be run.
    #[error("{path} is a shared library; run byway {command} with a program that uses it")]
    NotProgram {
        /// The command that runs programs.
        command: &'static str,
        /// The library.
        path: PathBuf,
    },
    /// The variant cannot be run.
    #[error("cannot run {path}: {source}")]
    Run {
        /// The variant.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// Our own standard input, output or directory cannot be handed to the program.
    #[error("cannot pass {what} on to the program: {source}")]
    Pass {
        /// What it is.
        what: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
    /// The `sym` variant cannot be run.
    #[error(transparent)]
    Trace(#[from] RunError),
    /// The program of a test is not where it was.
    #[error("{path}, the program that the tests are for, is not there: build it, or name another build with --with")]
    Gone {
        /// Where it was.
        path: PathBuf,
    },
    /// Programs cannot be confined.
    #[error(transparent)]
    Confine(#[from] ConfineError),
    /// A file cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// A `.ktest` file is none.
    #[error("{path}: {source}")]
    KTest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: KTestError,
    },
    /// The command line asks for what there is not.
    #[error("{0}")]
    Ask(String),
    /// Two versions, or a version and seeds, have no program in common.
    #[error("{0}")]
    NothingInCommon(String),
    /// Answers are to be checked, and there is nobody to ask.
    #[error("--cross-check needs another solver: install the Debian package z3, or name one with --solver")]
    NoSolver,
    /// The external solver cannot be started.
    #[error(transparent)]
    Solver(#[from] ExternalError),
    /// The output directory cannot be used.
    #[error(transparent)]
    Report(#[from] ReportError),
    /// Seeds cannot be captured, imported or read.
    #[error(transparent)]
    Suite(#[from] SuiteError),
    /// The check cannot go on.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// Seeds cannot be run.
    #[error(transparent)]
    Exec(#[from] ExecError),
    /// The measurement cannot go on.
    #[error(transparent)]
    Eval(#[from] EvalError),
    /// The comparison cannot go on.
    #[error(transparent)]
    Diff(#[from] DiffError),
    /// The exploration cannot go on.
    #[error(transparent)]
    Explore(#[from] ExploreError),
    /// There are no two versions.
    #[error(transparent)]
    Versions(#[from] VersionsError),
}

impl Error {
    /// The exit code for this error.
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Error::Subject(error) => of_subject(error),
            Error::Variant(error) => of_variant(error),
            Error::NotProgram { .. } => ExitCode::Usage,
            Error::Counters(_) | Error::Write { .. } | Error::Run { .. } | Error::Pass { .. } => ExitCode::File,
            Error::Trace(error) => of_run(error),
            Error::Ask(_) | Error::NoSolver | Error::Solver(_) => ExitCode::Usage,
            Error::NothingInCommon(_) => ExitCode::NothingCaptured,
            Error::Report(_) | Error::Confine(_) => ExitCode::File,
            Error::Gone { .. } | Error::Read { .. } | Error::KTest { .. } => ExitCode::File,
            Error::Explore(error) => of_exploration(error),
            Error::Check(error) => of_check(error),
            Error::Exec(error) | Error::Eval(EvalError::Exec(error)) => of_exec(error),
            Error::Eval(EvalError::Other { .. } | EvalError::Nothing { .. }) => ExitCode::Usage,
            Error::Eval(EvalError::Report(_) | EvalError::NoSuchBranch { .. }) => ExitCode::File,
            Error::Suite(error) => of_suite(error),
            Error::Versions(error) => of_versions(error),
            Error::Diff(DiffError::Exec(error)) => of_exec(error),
            Error::Diff(DiffError::Explore(error)) => of_exploration(error),
            Error::Diff(DiffError::Report(_) | DiffError::Temporary(_)) => ExitCode::File,
        }
    }
}

fn of_subject(error: &SubjectError) -> ExitCode {
    match error {
        SubjectError::Unreadable { .. } => ExitCode::File,
        SubjectError::NotElf { .. } | SubjectError::BadElf { .. } => ExitCode::NotElf,
        SubjectError::NoBitcode { .. } => ExitCode::NoBitcode,
        SubjectError::Damaged { .. } => ExitCode::Damaged,
    }
}

fn of_suite(error: &SuiteError) -> ExitCode {
    match error {
        SuiteError::NoCommand { .. } | SuiteError::Fraction(_) => ExitCode::Usage,
        SuiteError::NoBitcode { .. } => ExitCode::NoBitcode,
        SuiteError::NoSeeds { .. } | SuiteError::NoDirectory { .. } | SuiteError::NoInputs => ExitCode::NothingCaptured,
        SuiteError::NoFilter { .. } | SuiteError::Machine { .. } | SuiteError::KTest { .. } => ExitCode::File,
        SuiteError::Foreign { .. } | SuiteError::Incomplete { .. } | SuiteError::Report(_) => ExitCode::File,
        SuiteError::Damaged { .. } => ExitCode::Damaged,
    }
}

fn of_versions(error: &VersionsError) -> ExitCode {
    match error {
        VersionsError::NoCheckout(_) | VersionsError::UnknownRevision { .. } => ExitCode::Usage,
        VersionsError::NoMergeBase { .. } | VersionsError::NoSubmodule { .. } => ExitCode::Usage,
        VersionsError::Build { .. } => ExitCode::Build,
        VersionsError::Interrupted => ExitCode::Interrupted,
        VersionsError::NoGit(_) | VersionsError::Git { .. } | VersionsError::File { .. } => ExitCode::File,
    }
}

fn of_check(error: &CheckError) -> ExitCode {
    match error {
        CheckError::Exec(error) => of_exec(error),
        _ => ExitCode::File,
    }
}

fn of_exec(error: &ExecError) -> ExitCode {
    match error {
        ExecError::Run(error) => of_run(error),
        _ => ExitCode::File,
    }
}

fn of_exploration(error: &ExploreError) -> ExitCode {
    match error {
        ExploreError::Exec(error) => of_exec(error),
        ExploreError::Disagreement(_) => ExitCode::Internal,
        ExploreError::Report(_) | ExploreError::Machine(_) => ExitCode::File,
    }
}

fn of_run(error: &RunError) -> ExitCode {
    match error {
        RunError::ZeroByte => ExitCode::Usage,
        RunError::Start { .. } | RunError::NoProcess { .. } | RunError::NotBegun { .. } => ExitCode::File,
        RunError::Trace(TraceError::Memory { .. }) => ExitCode::File,
        RunError::NotStarted { .. } | RunError::Silent { .. } | RunError::Gone { .. } | RunError::Foreign { .. } => {
            ExitCode::Run
        }
        RunError::Cell(_) | RunError::Socket { .. } | RunError::Trace(_) => ExitCode::Run,
    }
}

fn of_variant(error: &VariantError) -> ExitCode {
    match error {
        VariantError::NoCacheDirectory => ExitCode::Cache,
        VariantError::NoReader { .. } => ExitCode::File,
        VariantError::NoModules => ExitCode::NoBitcode,
        error => match error.fault() {
            Fault::Foreign => ExitCode::ForeignBitcode,
            Fault::Damaged => ExitCode::Damaged,
            Fault::Build => ExitCode::Build,
            Fault::Internal => ExitCode::Internal,
            Fault::Cache => ExitCode::Cache,
        },
    }
}
