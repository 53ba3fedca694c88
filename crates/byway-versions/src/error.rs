//! Why there are no two versions to compare.

use std::io;
use std::path::PathBuf;
use std::process::ExitStatus;

use thiserror::Error;

/// Why there are no two versions to compare.
#[derive(Debug, Error)]
pub enum VersionsError {
    /// git is not installed.
    #[error("cannot run git: {0}; install the Debian package git")]
    NoGit(io::Error),
    /// The current directory is in no checkout.
    #[error("{0} is in no git checkout: run byway diff there, or name two programs")]
    NoCheckout(PathBuf),
    /// There is no such commit.
    #[error("{revision} is no commit of this repository{hint}")]
    UnknownRevision {
        /// What was typed.
        revision: String,
        /// What to do about it, or nothing.
        hint: &'static str,
    },
    /// Two commits have no common ancestor.
    #[error("{old} and {new} have no common ancestor{hint}")]
    NoMergeBase {
        /// The old side of the range.
        old: String,
        /// The new side of the range.
        new: String,
        /// What to do about it, or nothing.
        hint: &'static str,
    },
    /// git said no.
    #[error("git {command} failed: {message}")]
    Git {
        /// Its arguments.
        command: String,
        /// What it printed.
        message: String,
    },
    /// A submodule cannot be had.
    #[error(
        "{commit} needs the submodule {name}, which is not in this checkout: run git submodule update --init first"
    )]
    NoSubmodule {
        /// The version that needs it.
        commit: String,
        /// Its name.
        name: String,
    },
    /// The build command failed.
    #[error("building {commit} failed ({status}): {command}\n{end}byway: all of it is in {log}")]
    Build {
        /// The version.
        commit: String,
        /// How the command ended.
        status: ExitStatus,
        /// The command.
        command: String,
        /// The last lines it printed.
        end: String,
        /// Everything it printed.
        log: PathBuf,
    },
    /// The user has interrupted it.
    #[error("interrupted")]
    Interrupted,
    /// A file cannot be read or written.
    #[error("cannot use {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
}

/// Makes an error of a file out of what the operating system said.
pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> VersionsError {
    let path = path.into();
    move |source| VersionsError::File { path, source }
}
