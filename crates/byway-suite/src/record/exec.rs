//! A process is about to become another program.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use nix::libc;

use super::capture::{Capture, Start};
use super::process::Process;
use super::programs::{ExecutedFile, ExecutedKind};
use super::supervisor::Supervisor;
use super::system::{self, Call};
use crate::stored::StoredProgram;

/// How many interpreters of interpreters the kernel follows.
const MOST_INTERPRETERS: usize = 4;

/// What a process asks for, as addresses in its memory.
#[derive(Debug, Clone, Copy)]
pub struct Exec {
    /// What the path is relative to.
    pub directory: i32,
    /// The file.
    pub path: u64,
    /// The arguments.
    pub arguments: u64,
    /// The environment.
    pub environment: u64,
}

/// A script that is executed: what the kernel puts before its arguments.
struct Script {
    interpreter: PathBuf,
    argument: Option<Vec<u8>>,
    path: OsString,
}

/// Looks at what a process is about to become.
pub fn look(supervisor: &Supervisor, call: &Call, exec: &Exec) {
    let thread = Process(call.thread);
    let Ok(path) = thread.text(exec.path) else { return };
    let place = place(thread, exec.directory, OsStr::from_bytes(&path));
    let Some(program) = supervisor.programs.look(&place, &supervisor.contents) else { return };
    if let Some(capture) = supervisor.capture(call.thread) {
        supervisor.end(&capture, None);
    }
    let mut scripts = Vec::new();
    let Some(program) = interpreter(supervisor, thread, program, OsStr::from_bytes(&path), &mut scripts) else {
        return;
    };
    match &program.kind {
        ExecutedKind::Ours(stored) => {
            let start = start(thread, exec, stored, program.file, &scripts);
            let process = thread.family().map_or(thread, |family| family.process);
            match start.and_then(|start| Capture::begin(process, start, &supervisor.settings, &supervisor.contents)) {
                Ok(capture) if system::is_waiting(&supervisor.line.listener, call) => supervisor.begin(capture),
                Ok(_) => {}
                Err(error) => supervisor.trouble(&program.path, format!("its process cannot be looked at: {error}")),
            }
        }
        ExecutedKind::Plain(why) if program.path.starts_with(&supervisor.settings.tree) => {
            supervisor.programs.count(&program.path, why);
        }
        _ => {}
    }
}

/// Where a path leads for us. By way of the process even what has no name any more can be found.
fn place(thread: Process, directory: i32, path: &OsStr) -> PathBuf {
    match directory {
        libc::AT_FDCWD => thread.file("cwd").join(path),
        number if path.is_empty() => thread.descriptor(number),
        number => thread.descriptor(number).join(path),
    }
}

/// The program that the kernel runs: a script's interpreter, or its interpreter's.
fn interpreter(
    supervisor: &Supervisor,
    thread: Process,
    mut program: ExecutedFile,
    path: &OsStr,
    scripts: &mut Vec<Script>,
) -> Option<ExecutedFile> {
    let mut path = path.to_owned();
    for _ in 0..MOST_INTERPRETERS {
        let ExecutedKind::Script(interpreter, argument) = &program.kind else { return Some(program) };
        let script = Script { interpreter: interpreter.clone(), argument: argument.clone(), path };
        path = interpreter.clone().into_os_string();
        program = supervisor.programs.look(&place(thread, libc::AT_FDCWD, &path), &supervisor.contents)?;
        scripts.push(script);
    }
    None
}

/// What the program will be started with.
fn start(
    thread: Process,
    exec: &Exec,
    program: &StoredProgram,
    file: (u64, u64),
    scripts: &[Script],
) -> io::Result<Start> {
    let mut arguments = thread.texts(exec.arguments)?;
    for script in scripts {
        let argument = script.argument.as_deref().map(|argument| OsStr::from_bytes(argument).to_owned());
        let before = [Some(script.interpreter.clone().into_os_string()), argument, Some(script.path.clone())];
        let replaced = usize::from(!arguments.is_empty());
        arguments.splice(..replaced, before.into_iter().flatten());
    }
    let environment = thread.texts(exec.environment)?;
    Ok(Start { program: program.clone(), file, arguments, environment })
}
