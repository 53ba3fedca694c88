//! The process of a fork server, and what is said to it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use byway_confine::{ProcessSpec, Sandbox, Service, Swept};
use byway_trace::layout::{Reply, VARIABLE};
use rustix::fs::{MemfdFlags, memfd_create};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, kill_process};

use crate::error::RunError;
use crate::message::{self, Asked, Heard};

/// How long a variant outside a sandbox may take to set itself up. Its constructors run before that, so this is much.
const SETUP: Duration = Duration::from_secs(60);
/// How long the fork server may take to make a process if that may run for ever, or to see that one was killed.
const REACTION: Duration = Duration::from_secs(2);
/// How much of what a server says is quoted.
const MAX_SAID: usize = 400;
/// How long the fork server may take to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// Held while a server is started.
static STARTING: Mutex<()> = Mutex::new(());

/// A variant that waits for runs. It ends when this is dropped.
#[derive(Debug)]
pub struct Connection {
    program: PathBuf,
    process: Process,
    /// Closed before we wait for the process to end.
    socket: Option<UnixStream>,
    /// The standard error of the server, which is none of ours.
    words: File,
}

/// How a run ended.
#[derive(Debug)]
pub struct RunEnded {
    /// The process.
    pub status: ExitStatus,
    /// Whether it was killed since its time was up.
    pub timed_out: bool,
    /// Whether it was killed since it had too much memory.
    pub out_of_memory: bool,
    /// The processor time it took.
    pub cpu: Duration,
    /// The time from its beginning to its end.
    pub elapsed: Duration,
    /// Whether there was a process at all.
    has_begun: bool,
}

impl RunEnded {
    /// An error if there was no process.
    pub fn begun(self, program: &Path) -> Result<RunEnded, RunError> {
        match self.has_begun {
            true => Ok(self),
            false => Err(RunError::NoProcess { program: program.to_owned() }),
        }
    }
}

/// The process of a server.
#[derive(Debug)]
enum Process {
    /// A child of ours.
    Child(Child),
    /// A service of a sandbox.
    Service(Service),
}

impl Process {
    /// How it ended, if it did.
    fn status(&mut self) -> io::Result<Option<ExitStatus>> {
        match self {
            Process::Child(child) => child.try_wait(),
            Process::Service(service) => service.status().map_err(io::Error::other),
        }
    }
}

impl Connection {
    /// Starts a variant under a name (what the library functions that print the program's name print), with an
    /// environment or else with ours.
    pub fn start(
        program: &Path,
        name: &OsStr,
        environment: Option<&[(OsString, OsString)]>,
    ) -> Result<(Connection, Reply), RunError> {
        let failed = |source: io::Error| RunError::Start { program: program.to_owned(), source };
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let mut command = Command::new(program);
        if let Some(environment) = environment {
            command.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
        }
        // While the socket can be inherited no other server may be started: as long as that one lived, we would not
        // notice the end of this one.
        let starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        fcntl_setfd(&theirs, FdFlags::empty()).map_err(|error| failed(error.into()))?;
        let variable = VARIABLE.to_str().expect("a plain name");
        command.arg0(name).env(variable, theirs.as_raw_fd().to_string());
        let words = words().map_err(failed)?;
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(words.try_clone().map_err(failed)?);
        let process = command.spawn().map_err(failed)?;
        drop(theirs);
        drop(starting);
        let process = Process::Child(process);
        Connection { program: program.to_owned(), process, socket: Some(socket), words }.set_up(SETUP)
    }

    /// Starts a variant in a sandbox, where all its runs are then. It may take some time to get to its `main`.
    pub fn start_in(
        sandbox: &mut Sandbox,
        program: &Path,
        name: &OsStr,
        environment: Option<&[(OsString, OsString)]>,
        patience: Duration,
    ) -> Result<(Connection, Reply), RunError> {
        let failed = |source: io::Error| RunError::Start { program: program.to_owned(), source };
        let (socket, theirs) = UnixStream::pair().map_err(failed)?;
        let null = File::options().read(true).write(true).open("/dev/null").map_err(failed)?;
        let words = words().map_err(failed)?;
        let task = ProcessSpec {
            program,
            arguments: vec![name],
            environment,
            directory: None,
            stdin: null.as_fd(),
            stdout: null.as_fd(),
            stderr: words.as_fd(),
            timeout: None,
        };
        let variable = VARIABLE.to_str().expect("a plain name");
        let service = sandbox.start_service(&task, theirs.as_fd(), OsStr::new(variable))?;
        drop(theirs);
        let process = Process::Service(service);
        Connection { program: program.to_owned(), process, socket: Some(socket), words }.set_up(patience)
    }

    /// Waits for the first sign of life.
    fn set_up(mut self, patience: Duration) -> Result<(Connection, Reply), RunError> {
        match self.reply("starting", Some(patience))? {
            Some(ready) => Ok((self, ready)),
            None => Err(RunError::NotStarted { program: self.program.clone(), patience, said: self.said() }),
        }
    }

    /// The variant.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// Asks for a run and waits for its end. The files are those of [`byway_trace::layout::Request`].
    pub fn run(
        &mut self,
        asked: &Asked,
        files: &[BorrowedFd<'_>; 5],
        timeout: Option<Duration>,
    ) -> Result<RunEnded, RunError> {
        match message::send(self.socket(), asked, files) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(self.gone("asked for a run")),
            asked => asked.map_err(|source| self.socket_error(source))?,
        }
        let begun = self.reply("asked for a run", Some(timeout.unwrap_or(REACTION)))?;
        let begun = begun.ok_or_else(|| self.silent("asked for a run"))?;
        let started = Instant::now();
        let (ended, timed_out) = self.wait(begun.process, timeout)?;
        let elapsed = started.elapsed();
        let Swept { out_of_memory, .. } = self.sweep()?;
        let (status, cpu) = (ExitStatus::from_raw(ended.status), Duration::from_micros(ended.cpu));
        Ok(RunEnded { status, timed_out, out_of_memory, cpu, elapsed, has_begun: begun.process > 0 })
    }

    /// Kills what a run left behind. Only in a sandbox it can be found.
    fn sweep(&self) -> Result<Swept, RunError> {
        match &self.process {
            Process::Child(_) => Ok(Swept::default()),
            Process::Service(service) => Ok(service.sweep()?),
        }
    }

    /// Kills a run. It may have ended just now.
    fn kill(&self, process: i32) -> Result<(), RunError> {
        match &self.process {
            Process::Service(service) => drop(service.sweep()?),
            Process::Child(_) => {
                if let Some(process) = Pid::from_raw(process).filter(|_| process > 1) {
                    let _ = kill_process(process, Signal::KILL);
                }
            }
        }
        Ok(())
    }

    /// Waits for the end of a run, and brings it about when the time is up.
    fn wait(&mut self, process: i32, timeout: Option<Duration>) -> Result<(Reply, bool), RunError> {
        if let Some(reply) = self.reply("running", timeout)? {
            return Ok((reply, false));
        }
        self.kill(process)?;
        let reply = self.reply("killing a run", Some(REACTION))?;
        reply.map(|reply| (reply, true)).ok_or_else(|| self.silent("killing a run"))
    }

    /// The next reply; `None` if there is none in that time.
    fn reply(&mut self, doing: &'static str, patience: Option<Duration>) -> Result<Option<Reply>, RunError> {
        match message::receive(self.socket(), patience).map_err(|source| self.socket_error(source))? {
            Heard::Reply(reply) => Ok(Some(reply)),
            Heard::Nothing => Ok(None),
            Heard::End => Err(self.gone(doing)),
            Heard::Nonsense => Err(RunError::Foreign { program: self.program.clone() }),
        }
    }

    fn socket(&self) -> &UnixStream {
        self.socket.as_ref().expect("open until we are dropped")
    }

    fn socket_error(&self, source: io::Error) -> RunError {
        RunError::Socket { program: self.program.clone(), source }
    }

    fn silent(&self, doing: &'static str) -> RunError {
        RunError::Silent { program: self.program.clone(), doing }
    }

    fn gone(&mut self, doing: &'static str) -> RunError {
        let status = self.ended(FAREWELL);
        RunError::Gone { program: self.program.clone(), doing, status, said: self.said() }
    }

    /// The beginning of what the server said, in one line.
    fn said(&self) -> String {
        let mut bytes = vec![0; MAX_SAID];
        let read = self.words.read_at(&mut bytes, 0).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes[..read]).into_owned();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// How the server ended, if it does within some time.
    fn ended(&mut self, patience: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + patience;
        let mut pause = Duration::from_micros(100);
        loop {
            match self.process.status() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {}
                _ => return None,
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

/// A file for what a server says.
fn words() -> io::Result<File> {
    Ok(memfd_create("stderr", MemfdFlags::CLOEXEC)?.into())
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.socket = None;
        // A sandbox ends its services itself.
        let has_ended = matches!(self.process, Process::Service(_)) || self.ended(FAREWELL).is_some();
        if let (Process::Child(child), false) = (&mut self.process, has_ended) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
