//! What the user sees besides results: errors, and that we are still at work.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::exit_code::ExitCode;

pub use byway_report::thousands;

/// Prints a result. A reader that has seen enough and closed its end is no error of ours.
pub fn print(text: &str) {
    print_with(|out| out.write_all(text.as_bytes()));
}

/// Prints a result that is too large for one text.
pub fn print_with(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) {
    let mut out = BufWriter::new(io::stdout().lock());
    let _ = write(&mut out).and_then(|()| out.flush());
}

/// Makes a panic, which is always a mistake of ours, end with its own exit code. Work that is contained only reports it.
pub fn explain_panics() {
    let print_panic = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if byway_engine::is_contained(panic) {
            return;
        }
        print_panic(panic);
        error("this is a mistake in byway; please report it with the command line and the lines above");
        std::process::exit(ExitCode::Internal as i32);
    }));
}

/// Reports an error.
pub fn error(message: &str) {
    eprintln!("byway: {message}");
}

/// How often lines that say what we are doing come, where there is no terminal.
static EVERY: OnceLock<Duration> = OnceLock::new();
/// If nobody says anything else.
const USUALLY: Duration = Duration::from_secs(10);
/// How often the line on a terminal changes.
const TICK: Duration = Duration::from_millis(200);

/// Sets how often lines come that say what we are doing; never, if that is nothing.
pub fn set_progress_interval(every: Duration) {
    let _ = EVERY.set(if every.is_zero() { Duration::MAX } else { every });
}

/// How often such lines come.
pub fn progress_interval() -> Duration {
    *EVERY.get_or_init(|| USUALLY)
}

/// Says what we are doing until it is dropped: on a terminal at once, elsewhere in a line every now and then.
pub struct Activity {
    /// Dropped first: then the thread ends.
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Activity {
    /// Begins to say it.
    pub fn new(message: String) -> Self {
        Activity::with(move || message.clone())
    }

    /// The same for work of which there is more to say with time.
    pub fn with(message: impl Fn() -> String + Send + 'static) -> Self {
        let style = ProgressStyle::with_template("{spinner} {msg} [{elapsed}]").expect("a valid template");
        let bar = ProgressBar::new_spinner().with_style(style);
        Activity::ticking(move |elapsed| match bar.is_hidden() {
            true => error(&format!("{} ({} s)", message(), elapsed.as_secs())),
            false => {
                bar.set_message(message());
                bar.tick();
            }
        })
    }

    /// In lines also on a terminal: what is done writes to it itself.
    pub fn in_lines(message: impl Fn() -> String + Send + 'static) -> Self {
        Activity::every(progress_interval(), move |elapsed| error(&format!("{} ({} s)", message(), elapsed.as_secs())))
    }

    fn ticking(say: impl Fn(Duration) + Send + 'static) -> Self {
        let is_terminal = io::stderr().is_terminal();
        Activity::every(if is_terminal { TICK } else { progress_interval() }, say)
    }

    fn every(period: Duration, say: impl Fn(Duration) + Send + 'static) -> Self {
        let (end, ended) = mpsc::channel();
        let begun = Instant::now();
        let thread = thread::spawn(move || {
            while ended.recv_timeout(period) == Err(RecvTimeoutError::Timeout) {
                say(begun.elapsed());
            }
        });
        Activity { end: Some(end), thread: Some(thread) }
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        self.end.take();
        // The thread has the line on the terminal, and removes it.
        self.thread.take().map(JoinHandle::join);
    }
}

/// Lines of sandboxes, the first column left-aligned, the others right-aligned, but for text that begins with a blank.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|sandbox| sandbox.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, sandbox) in row.iter().enumerate() {
            let width = widths[column];
            line += &match column {
                0 => format!("{sandbox:<width$}"),
                _ if sandbox.starts_with(' ') => format!("  {}", sandbox.trim_start()),
                _ => format!("  {sandbox:>width$}"),
            };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_owned(), "10".to_owned()], vec!["long".to_owned(), "5".to_owned()]];
        assert_eq!(table(&rows), "a     10\nlong   5\n");
    }
}
