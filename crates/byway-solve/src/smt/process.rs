//! A solver's process. Whatever it does, nobody waits for it longer than they want to.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};

/// Lines that are longer than this are not an answer.
const LINE: u64 = 1 << 20;
/// How much of what it says on its error output is kept.
const COMPLAINT: usize = 500;

/// Why there is no line.
#[derive(Debug)]
pub enum NoLine {
    /// It says nothing in time.
    Time,
    /// It is gone; this is how, and what it complained about.
    Gone(String),
}

/// A process that reads scripts and writes lines.
pub struct Process {
    child: Child,
    scripts: Sender<Vec<u8>>,
    lines: Receiver<String>,
    complaint: Arc<Mutex<String>>,
    /// Who hears it.
    listener: JoinHandle<()>,
}

impl Process {
    /// Starts a program, with no more memory than so many bytes.
    pub fn start(command: &[String], memory: u64) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own: what it starts ends with it, and Ctrl-C is for us to handle.
        let mut child = command.process_group(0).spawn()?;
        limit_memory(&child, memory);
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let complaint = Arc::<Mutex<String>>::default();
        let kept = Arc::clone(&complaint);
        let listener = thread::spawn(move || keep_complaint(stderr, &kept));
        Ok(Process { child, scripts: writer(stdin), lines: reader(stdout), complaint, listener })
    }

    /// Sends it a script. That it does not read it shows in the answer.
    pub fn send(&mut self, script: Vec<u8>) {
        self.scripts.send(script).ok();
    }

    /// The next line that it writes.
    pub fn line(&mut self, deadline: Instant) -> Result<String, NoLine> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Timeout) => Err(NoLine::Time),
            Err(RecvTimeoutError::Disconnected) => Err(NoLine::Gone(self.end())),
        }
    }

    /// How it ended, and what it complained about.
    fn end(&mut self) -> String {
        // Whoever closes the output is about to end, or has gone mad.
        let mut ended = self.child.try_wait();
        for _ in 0..200 {
            if !matches!(ended, Ok(None)) && self.listener.is_finished() {
                break;
            }
            thread::sleep(Duration::from_millis(5));
            ended = self.child.try_wait();
        }
        let how = match ended {
            Ok(Some(status)) => format!("the solver ended ({status})"),
            _ => "the solver closed its output".to_owned(),
        };
        match self.complaint.lock() {
            Ok(complaint) if !complaint.trim().is_empty() => format!("{how}: {}", complaint.trim()),
            _ => how,
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let group = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw);
        // It may be gone already.
        group.map(|group| kill_process_group(group, Signal::KILL));
        self.child.wait().ok();
    }
}

fn limit_memory(child: &Child, memory: u64) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // Without a limit it works as well.
    prlimit(pid, Resource::As, Rlimit { current: Some(memory), maximum: Some(memory) }).ok();
}

fn writer(mut stdin: impl Write + Send + 'static) -> Sender<Vec<u8>> {
    let (sender, scripts) = mpsc::channel::<Vec<u8>>();
    thread::spawn(move || {
        for script in scripts {
            if stdin.write_all(&script).and_then(|()| stdin.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

fn reader(stdout: impl Read + Send + 'static) -> Receiver<String> {
    // A solver that never stops talking is not listened to any further.
    let (sender, lines) = mpsc::sync_channel(1024);
    thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        loop {
            let mut line = Vec::new();
            match stdout.by_ref().take(LINE).read_until(b'\n', &mut line) {
                Ok(0) | Err(_) => return,
                Ok(_) => {}
            }
            if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                return;
            }
        }
    });
    lines
}

fn keep_complaint(mut stderr: impl Read, kept: &Mutex<String>) {
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = stderr.read(&mut buffer) {
        let Ok(mut kept) = kept.lock() else { return };
        let room = COMPLAINT.saturating_sub(kept.len()).min(count);
        kept.push_str(&String::from_utf8_lossy(&buffer[..room]));
    }
}
