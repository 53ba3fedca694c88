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

/// How much longer than its processor time a solver may take, since others want the processor too.
const WAITING: u32 = 3;
/// How long a solver may take to say something, whatever its budget is.
const GRACE: Duration = Duration::from_millis(200);
/// How long nobody looks at what a solver has used.
const LOOK: Duration = Duration::from_millis(50);

/// What an answer may cost: processor time of the solver, and a multiple of that of wall time.
#[derive(Debug, Clone, Copy)]
pub struct AnswerBudget {
    /// What the solver will have used by then.
    processor: Duration,
    wall: Instant,
}

impl AnswerBudget {
    /// The wall time for so much processor time.
    pub fn wall(processor: Duration) -> Duration {
        processor.saturating_mul(WAITING).saturating_add(GRACE)
    }

    /// Whether so much is used up that a solver which gives up has lacked time.
    pub fn is_nearly_over(&self, process: &Process) -> bool {
        let left = self.wall.saturating_duration_since(Instant::now());
        process.time() + LOOK >= self.processor || left <= GRACE
    }

    /// How long to wait for a line before looking again.
    fn wait(&self, used: Duration) -> Duration {
        let wall = self.wall.saturating_duration_since(Instant::now());
        wall.min(self.processor.saturating_sub(used).max(TICK)).min(LOOK)
    }

    fn is_over(&self, used: Duration) -> bool {
        used >= self.processor || Instant::now() >= self.wall
    }
}

/// Linux counts processor time in these.
const TICK: Duration = Duration::from_millis(10);

/// The processor time in a line of `/proc/PID/stat`: the fields 14 to 17. The name of the program, field 2, may hold anything.
fn processor_time(stat: &str) -> Option<Duration> {
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(4).map(|field| field.parse::<u32>().ok());
    Some(TICK * ticks.collect::<Option<Vec<u32>>>()?.iter().sum())
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

    /// A budget that begins now.
    pub fn budget(&self, processor: Duration) -> AnswerBudget {
        AnswerBudget {
            processor: self.time().saturating_add(processor),
            wall: Instant::now() + AnswerBudget::wall(processor),
        }
    }

    /// The next line that it writes.
    pub fn line(&mut self, budget: &AnswerBudget) -> Result<String, NoLine> {
        loop {
            match self.lines.recv_timeout(budget.wait(self.time())) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) if budget.is_over(self.time()) => return Err(NoLine::Time),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(NoLine::Gone(self.end())),
            }
        }
    }

    /// The processor time that it and its children that ended have used; nothing if that cannot be seen.
    fn time(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        processor_time(&stat).unwrap_or_default()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_found_behind_any_name() {
        let stat = "7 (z3) 9) S 1 7 7 0 -1 4194304 100 0 0 0 150 20 3 2 20 0 1 0 500 1 1";
        assert_eq!(processor_time(stat), Some(Duration::from_millis(1750)));
        assert_eq!(processor_time(""), None);
    }
}
