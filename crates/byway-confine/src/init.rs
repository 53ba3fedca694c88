//! The first process of a sandbox: it starts programs, waits for them, and kills what they leave behind.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nix::sys::resource::{UsageWho, getrusage};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open};

use crate::group::{Charged, Door};
use crate::mounts::Plan;
use crate::processes::Processes;
use crate::restrictions::Restrictions;
use crate::wire::{self, Message, request};
use crate::{seccomp, system};

/// How often the memory is looked at.
const TICK: Duration = Duration::from_millis(20);
/// How long a service may take to end after it was asked to.
const PATIENCE: Duration = Duration::from_millis(100);

/// The first process of a sandbox.
#[derive(Debug)]
pub struct Init {
    processes: Processes,
    restrictions: Restrictions,
    directory: PathBuf,
    memory: u64,
    /// Where the kernel counts the memory of programs, if it does.
    group: Option<Charged>,
    /// Whether something was killed for its memory since the last sweep.
    out_of_memory: bool,
}

/// What is to be run.
struct Program {
    command: Command,
    /// Where it is started, if not where all are.
    directory: Option<PathBuf>,
    /// What a service inherits.
    socket: Option<OwnedFd>,
    timeout: Option<Duration>,
}

impl Init {
    /// Prepares it.
    pub fn new(plan: &Plan, writable: Vec<PathBuf>, group: Vec<OwnedFd>) -> io::Result<Init> {
        let restrictions = Restrictions::new(&plan.settings, plan.confined, &writable)?;
        let (processes, memory) = (Processes::new(plan.confined), plan.settings.memory);
        std::env::set_current_dir(&plan.directory)?;
        // Older kernels say it only to processes whose memory is not hidden; then it is remembered.
        let _ = rustix::param::page_size();
        let directory = plan.directory.clone();
        let group = Charged::new(group, &plan.settings, &directory).filter(can_enter);
        Ok(Init { processes, restrictions, directory, memory, group, out_of_memory: false })
    }

    /// Whether the kernel counts the memory of programs.
    pub fn is_grouped(&self) -> bool {
        self.group.is_some()
    }

    /// Does what it is told until nobody tells it anything any more.
    pub fn serve(mut self, socket: &UnixStream) -> io::Result<()> {
        loop {
            if !readable(&[socket.as_fd()], self.processes.has_services().then_some(TICK))?[0] {
                self.processes.reap();
                self.look_at_memory();
                continue;
            }
            let message = match wire::receive(socket) {
                Ok(message) => message,
                Err(error) => {
                    self.end_everything();
                    return Err(error);
                }
            };
            let reply = self.answer(message, socket);
            let numbers = reply.unwrap_or_else(|error| vec![1, code(&error)]);
            wire::send(socket, &Message { numbers, ..Message::default() }, &[])?;
        }
    }

    /// Does one thing. The first number of the answer is 0 if it could be done.
    fn answer(&mut self, message: Message, socket: &UnixStream) -> io::Result<Vec<u64>> {
        let service = Pid::from_raw(message.number(1) as i32).ok_or(io::ErrorKind::InvalidInput);
        match message.number(0) {
            request::RUN => self.run(message, socket),
            request::SERVICE => self.start_service(message),
            request::SWEEP => {
                let killed = self.processes.sweep();
                self.end_of_run();
                Ok(vec![0, killed.into(), std::mem::take(&mut self.out_of_memory).into()])
            }
            request::STATUS => Ok(self.status(service?)),
            request::END => Ok(self.end_service(service?)),
            _ => Err(io::ErrorKind::InvalidInput.into()),
        }
    }

    fn run(&mut self, message: Message, socket: &UnixStream) -> io::Result<Vec<u64>> {
        let program = program(message, false)?;
        let timeout = program.timeout;
        self.end_of_run();
        self.out_of_memory = false;
        let cpu_before = cpu();
        let started = Instant::now();
        let pid = self.start(program)?;
        self.processes.current = Some((pid, None));
        let ended = pidfd_open(pid, PidfdFlags::empty())?;
        let timed_out = self.wait(&ended, socket, timeout.map(|timeout| started + timeout))?;
        let elapsed = started.elapsed();
        let left_behind = self.processes.sweep();
        let was_out_of_memory = self.out_of_memory;
        self.end_of_run();
        let status = self.processes.current.take().and_then(|(_, status)| status).unwrap_or(9);
        let cpu = cpu().saturating_sub(cpu_before);
        // The program itself is not left behind when it was killed.
        let left_behind = left_behind.saturating_sub((timed_out || was_out_of_memory).into());
        let flags = u64::from(timed_out) | u64::from(self.out_of_memory) << 1;
        let times = [cpu.as_micros() as u64, elapsed.as_micros() as u64];
        Ok(vec![0, status as u64, flags, times[0], times[1], left_behind.into()])
    }

    /// Waits for the program; true if its time was up.
    fn wait(&mut self, ended: &OwnedFd, socket: &UnixStream, deadline: Option<Instant>) -> io::Result<bool> {
        loop {
            let left = deadline.map_or(TICK, |deadline| deadline.saturating_duration_since(Instant::now()).min(TICK));
            let is_ready = readable(&[ended.as_fd(), socket.as_fd()], Some(left))?;
            if is_ready[1] {
                // Nobody asks for anything while a program runs: who asked is gone.
                self.end_everything();
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if is_ready[0] {
                return Ok(false);
            }
            if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                return Ok(true);
            }
            self.look_at_memory();
            if self.out_of_memory {
                return Ok(false);
            }
        }
    }

    /// Kills what has too much memory: programs first, the services if it is theirs.
    fn look_at_memory(&mut self) {
        let is_over = self.group.as_mut().is_some_and(|group| group.has_killed() || group.is_over());
        if !is_over && !self.have_processes_too_much() {
            return;
        }
        self.out_of_memory = true;
        self.processes.sweep();
        if self.have_processes_too_much() {
            self.kill_services();
        }
    }

    fn have_processes_too_much(&self) -> bool {
        self.processes.memory(self.memory, self.group.is_some()) > self.memory
    }

    /// What is charged from now on is charged for other programs. The kernel may have been faster than we.
    fn end_of_run(&mut self) {
        if let Some(group) = &mut self.group {
            self.out_of_memory |= group.has_killed();
            group.begin_anew();
        }
    }

    fn start(&mut self, program: Program) -> io::Result<Pid> {
        let Program { mut command, socket, directory, .. } = program;
        let mut restrictions = self.restrictions.for_process(self.processes.services.len())?;
        command.current_dir(directory.as_ref().unwrap_or(&self.directory));
        let is_service = socket.is_some();
        // A program that signals everybody means its own.
        let spare_others = is_service || self.processes.has_services();
        let mut door = self.group.as_ref().map(Charged::door).transpose()?;
        system::before_exec(&mut command, move || {
            door.as_mut().map_or(Ok(()), Door::enter)?;
            if let Some(socket) = &socket {
                fcntl_setfd(socket, FdFlags::empty())?;
            }
            restrictions.close(spare_others)
        });
        match is_service && self.processes.is_alone {
            true => start_reserved(command),
            false => Ok(Pid::from_child(&command.spawn()?)),
        }
    }

    fn start_service(&mut self, message: Message) -> io::Result<Vec<u64>> {
        let program = program(message, true)?;
        let pid = self.start(program)?;
        self.processes.services.insert(pid, None);
        Ok(vec![0, pid.as_raw_nonzero().get() as u64])
    }

    /// A service's status, if it ended.
    fn status(&mut self, service: Pid) -> Vec<u64> {
        self.processes.reap();
        match self.processes.services.get(&service) {
            Some(None) => vec![0, 0, 0],
            Some(Some(status)) => vec![0, 1, *status as u64],
            None => vec![0, 1, 9],
        }
    }

    /// Lets a service end by itself, then kills it.
    fn end_service(&mut self, service: Pid) -> Vec<u64> {
        let deadline = Instant::now() + PATIENCE;
        while self.status(service)[1] == 0 {
            if Instant::now() > deadline {
                let _ = kill_process(service, Signal::KILL);
            }
            std::thread::sleep(Duration::from_micros(200));
        }
        let status = self.status(service);
        self.processes.services.remove(&service);
        self.processes.sweep();
        status
    }

    fn kill_services(&mut self) {
        for (pid, _) in self.processes.services.iter().filter(|(_, ended)| ended.is_none()) {
            let _ = kill_process(*pid, Signal::KILL);
        }
    }

    /// A pid namespace ends with us; without one we must see to it.
    fn end_everything(&mut self) {
        if self.processes.is_alone {
            return;
        }
        self.kill_services();
        self.processes.services.clear();
        self.processes.sweep();
    }
}

/// Whether processes of the sandbox can be moved to its group.
fn can_enter(group: &Charged) -> bool {
    let Ok(mut door) = group.door() else { return false };
    match system::fork_single_threaded() {
        Ok(None) => std::process::exit(door.enter().is_err().into()),
        Ok(Some(child)) => {
            let ended = rustix::process::waitpid(Some(child), rustix::process::WaitOptions::empty());
            ended.ok().flatten().is_some_and(|(_, status)| status.exit_status() == Some(0))
        }
        Err(_) => false,
    }
}

/// Starts a program under a number by which the filter knows that it is none of a run.
fn start_reserved(mut command: Command) -> io::Result<Pid> {
    let (mut told, mut tell) = UnixStream::pair()?;
    for number in 2..seccomp::FIRST_FREE {
        match system::fork_as(number as i32) {
            Ok(None) => {
                let error = command.exec();
                let _ = tell.write_all(&(code(&error) as i32).to_ne_bytes());
                std::process::exit(1);
            }
            Ok(Some(pid)) => {
                drop(tell);
                let mut error = [0; 4];
                // Executing closes the other end.
                return match told.read_exact(&mut error) {
                    Ok(()) => Err(io::Error::from_raw_os_error(i32::from_ne_bytes(error))),
                    Err(_) => Ok(pid),
                };
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(rustix::io::Errno::AGAIN.into())
}

/// The number of an error; some are our own and have none.
fn code(error: &io::Error) -> u64 {
    error.raw_os_error().unwrap_or(rustix::io::Errno::INVAL.raw_os_error()) as u64
}

/// The processor time of all processes that ended so far.
fn cpu() -> Duration {
    let Ok(usage) = getrusage(UsageWho::RUSAGE_CHILDREN) else { return Duration::ZERO };
    let time = usage.user_time() + usage.system_time();
    Duration::from_secs(time.tv_sec() as u64) + Duration::from_micros(time.tv_usec() as u64)
}

/// Which of these can be read, or are at their end.
fn readable(files: &[std::os::fd::BorrowedFd<'_>], patience: Option<Duration>) -> io::Result<Vec<bool>> {
    let mut polled: Vec<_> = files.iter().map(|file| PollFd::from_borrowed_fd(*file, PollFlags::IN)).collect();
    let patience = patience.and_then(|patience| Timespec::try_from(patience).ok());
    match poll(&mut polled, patience.as_ref()) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error.into()),
    }
    Ok(polled.iter().map(|file| !file.revents().is_empty()).collect())
}

/// The numbers are the request, the timeout in microseconds, the number of arguments; the texts are the program, its
/// directory (empty: the usual one), its arguments, then its environment, and for a service last the name of the variable that has the socket's number.
fn program(message: Message, is_service: bool) -> io::Result<Program> {
    let bad = || io::Error::from(io::ErrorKind::InvalidInput);
    let (timeout, count) = (message.number(1), message.number(2) as usize);
    let mut files = message.files.into_iter();
    let mut texts = message.texts.into_iter().map(OsString::from_vec);
    let mut command = Command::new(texts.next().ok_or_else(bad)?);
    let directory = texts.next().filter(|text| !text.is_empty()).map(PathBuf::from);
    command.arg0(texts.next().ok_or_else(bad)?).env_clear();
    command.args(texts.by_ref().take(count.saturating_sub(1)));
    let mut variables: Vec<_> = texts.collect();
    let (stdin, stdout, stderr) = (files.next(), files.next(), files.next());
    command.stdin(stdin.map_or_else(Stdio::null, Stdio::from));
    command.stdout(stdout.map_or_else(Stdio::null, Stdio::from)).stderr(stderr.map_or_else(Stdio::null, Stdio::from));
    let socket = files.next().filter(|_| is_service);
    if let Some(socket) = &socket {
        command.env(variables.pop().ok_or_else(bad)?, socket.as_raw_fd().to_string());
    }
    for variable in variables {
        let text = variable.into_vec();
        let split = text.iter().skip(1).position(|&byte| byte == b'=').ok_or_else(bad)? + 1;
        let value = text[split + 1..].to_vec();
        command.env(OsString::from_vec(text[..split].to_vec()), OsString::from_vec(value));
    }
    Ok(Program { command, directory, socket, timeout: (timeout > 0).then(|| Duration::from_micros(timeout)) })
}
