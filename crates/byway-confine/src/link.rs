//! Our side of a sandbox's socket.

use std::ffi::OsStr;
use std::io;
use std::net::Shutdown;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::ConfineError;
use crate::helper::report;
use crate::settings::{Ended, ProcessSpec};
use crate::wire::{self, Message, request};

/// How long a sandbox may take to end by itself.
const FAREWELL: Duration = Duration::from_secs(10);

/// The helper behind a sandbox.
#[derive(Debug)]
pub struct Link {
    socket: UnixStream,
    /// Held from a question to its answer.
    asking: Mutex<()>,
    helper: Mutex<Child>,
}

impl Link {
    /// Of a helper that is ready.
    pub fn new(socket: UnixStream, helper: Child) -> Link {
        Link { socket, asking: Mutex::new(()), helper: Mutex::new(helper) }
    }

    /// Asks for something, and hears the answer. The outer error is ours, the inner one what the sandbox said.
    fn ask(&self, message: &Message, files: &[BorrowedFd<'_>]) -> Result<io::Result<Message>, ConfineError> {
        let lost = |source| ConfineError::Helper { what: "is gone", source };
        let _asking = self.asking.lock().unwrap_or_else(PoisonError::into_inner);
        wire::send(&self.socket, message, files).map_err(lost)?;
        let answer = wire::receive(&self.socket).map_err(lost)?;
        match answer.number(0) {
            0 => Ok(Ok(answer)),
            report::MISTAKE => {
                let text = answer.texts.first().map(|text| String::from_utf8_lossy(text).into_owned());
                Err(ConfineError::Mistake(text.unwrap_or_default()))
            }
            _ => Ok(Err(io::Error::from_raw_os_error(answer.number(1) as i32))),
        }
    }

    fn ask_simply(&self, numbers: Vec<u64>) -> Result<Message, ConfineError> {
        let answer = self.ask(&Message { numbers, ..Message::default() }, &[])?;
        answer.map_err(|source| ConfineError::Helper { what: "cannot do what it should", source })
    }

    /// Runs a program and waits for it.
    pub fn run(&self, task: &ProcessSpec<'_>) -> Result<Ended, ConfineError> {
        let message = message(request::RUN, task, None)?;
        let answer =
            self.ask(&message, &[task.stdin, task.stdout, task.stderr])?.map_err(|source| start(task, source))?;
        let flags = answer.number(2);
        Ok(Ended {
            status: ExitStatus::from_raw(answer.number(1) as i32),
            timed_out: flags & 1 != 0,
            out_of_memory: flags & 2 != 0,
            disk_full: false,
            left_behind: answer.number(5) as u32,
            cpu: Duration::from_micros(answer.number(3)),
            elapsed: Duration::from_micros(answer.number(4)),
        })
    }

    /// Starts a program that inherits a socket.
    pub fn service(
        self: &Arc<Self>,
        task: &ProcessSpec<'_>,
        socket: BorrowedFd<'_>,
        variable: &OsStr,
    ) -> Result<Service, ConfineError> {
        let message = message(request::SERVICE, task, Some(variable))?;
        let answer = self.ask(&message, &[task.stdin, task.stdout, task.stderr, socket])?;
        let answer = answer.map_err(|source| start(task, source))?;
        Ok(Service { link: self.clone(), process: answer.number(1) })
    }

    /// Kills all but the services.
    pub fn sweep(&self) -> Result<Swept, ConfineError> {
        let answer = self.ask_simply(vec![request::SWEEP])?;
        Ok(Swept { killed: answer.number(1) as u32, out_of_memory: answer.number(2) != 0 })
    }

    /// Has the sandbox end. Whoever waits for an answer hears that there is none.
    pub fn cut(&self) {
        let _ = self.socket.shutdown(Shutdown::Both);
    }

    /// Ends the sandbox, and waits until all that was in it is gone.
    pub fn end(&self) {
        self.cut();
        let mut helper = self.helper.lock().unwrap_or_else(PoisonError::into_inner);
        let deadline = Instant::now() + FAREWELL;
        while matches!(helper.try_wait(), Ok(None)) {
            if Instant::now() > deadline {
                let _ = helper.kill();
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
}

fn start(task: &ProcessSpec<'_>, source: io::Error) -> ConfineError {
    ConfineError::Start { program: task.program.to_owned(), source }
}

fn message(request: u64, task: &ProcessSpec<'_>, variable: Option<&OsStr>) -> Result<Message, ConfineError> {
    let timeout = task.timeout.map_or(0, |timeout| timeout.as_micros().clamp(1, u64::MAX.into()) as u64);
    let mut texts = vec![task.program.as_os_str().as_bytes().to_vec()];
    // An empty text is no directory.
    texts.push(task.directory.map_or_else(Vec::new, |directory| directory.as_os_str().as_bytes().to_vec()));
    texts.extend(task.arguments.iter().map(|argument| argument.as_bytes().to_vec()));
    let mut add = |name: &OsStr, value: &OsStr| texts.push([name.as_bytes(), b"=", value.as_bytes()].concat());
    match task.environment {
        Some(environment) => environment.iter().for_each(|(name, value)| add(name, value)),
        None => std::env::vars_os().for_each(|(name, value)| add(&name, &value)),
    }
    texts.extend(variable.map(|variable| variable.as_bytes().to_vec()));
    if texts.iter().any(|text| text.contains(&0)) {
        return Err(ConfineError::ZeroByte);
    }
    Ok(Message { numbers: vec![request, timeout, task.arguments.len() as u64], texts, ..Message::default() })
}

/// What a sweep found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Swept {
    /// How many processes were killed.
    pub killed: u32,
    /// Whether something was killed for its memory since the last sweep.
    pub out_of_memory: bool,
}

/// A program in a sandbox that goes on while others are run. It ends when this is dropped, or the sandbox.
#[derive(Debug)]
pub struct Service {
    link: Arc<Link>,
    process: u64,
}

impl Service {
    /// How it ended, if it did.
    pub fn status(&self) -> Result<Option<ExitStatus>, ConfineError> {
        let answer = self.link.ask_simply(vec![request::STATUS, self.process])?;
        Ok((answer.number(1) != 0).then(|| ExitStatus::from_raw(answer.number(2) as i32)))
    }

    /// Kills everything in the sandbox but the services: what a run of this service left behind, or the run itself. It is
    /// the service that waits for its own children.
    pub fn sweep(&self) -> Result<Swept, ConfineError> {
        self.link.sweep()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // If the sandbox is gone, so is the service.
        let _ = self.link.ask_simply(vec![request::END, self.process]);
    }
}
