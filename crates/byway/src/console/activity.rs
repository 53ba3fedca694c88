//! What byway is doing, said to whoever waits for it.
//!
//! All [`Activity`]s of the process are in one list, and one thread, the heartbeat, says the innermost of them as soon as nothing was said
//! for a while. So no command is silent for long, whatever it waits for.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How often the line on a terminal changes.
const TICK: Duration = Duration::from_millis(200);

/// What to say of an activity that takes so long already; nothing, if there is nothing to say yet.
type Message = Arc<dyn Fn(Duration) -> String + Send + Sync>;

/// All activities of this process.
struct Doing {
    /// The innermost is the last.
    activities: Vec<Entry>,
    /// When anything was said.
    said: Instant,
    next: u64,
}

struct Entry {
    number: u64,
    begun: Instant,
    message: Message,
    /// Whether lines are printed also if there is a terminal, which shows nothing else of it.
    is_in_lines: bool,
}

fn doing() -> MutexGuard<'static, Doing> {
    static DOING: OnceLock<Mutex<Doing>> = OnceLock::new();
    let new = || Mutex::new(Doing { activities: Vec::new(), said: Instant::now(), next: 0 });
    DOING.get_or_init(new).lock().unwrap_or_else(PoisonError::into_inner)
}

/// Something was said.
pub fn note_said() {
    doing().said = Instant::now();
}

/// Begins to say what is being done whenever nothing was said for `every`.
pub fn start_heartbeat(every: Duration) {
    note_said();
    thread::spawn(move || {
        loop {
            let left = every.saturating_sub(doing().said.elapsed());
            if !left.is_zero() {
                thread::sleep(left);
                continue;
            }
            match innermost() {
                Some(line) => super::error(&line),
                None => note_said(),
            }
        }
    });
}

/// What is to be said of the innermost activity of which there is something to say.
fn innermost() -> Option<String> {
    let is_terminal = super::has_terminal();
    let entries: Vec<(Message, Instant)> = {
        let doing = doing();
        let wanted = doing.activities.iter().filter(|entry| entry.is_in_lines || !is_terminal);
        wanted.map(|entry| (Arc::clone(&entry.message), entry.begun)).collect()
    };
    entries.iter().rev().map(|(message, begun)| message(begun.elapsed())).find(|line| !line.is_empty())
}

/// Says what we are doing until it is dropped: on a terminal at once, elsewhere in a line every now and then.
pub struct Activity {
    number: u64,
    ticker: Option<Ticker>,
}

/// How an activity is shown on a terminal.
enum Terminal {
    /// As a line that changes.
    Line,
    /// By lines now and then, since what is done writes to it itself.
    Lines,
    /// Not at all.
    Nothing,
}

impl Activity {
    /// Begins to say it.
    pub fn new(message: String) -> Self {
        Activity::with(move || message.clone())
    }

    /// The same for work of which there is more to say with time.
    pub fn with(message: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Activity::begin(Arc::new(move |elapsed| timed(&message(), elapsed)), Terminal::Line)
    }

    /// In lines also on a terminal: what is done writes to it itself.
    pub fn in_lines(message: &'static str) -> Self {
        Activity::begin(Arc::new(move |elapsed| timed(message, elapsed)), Terminal::Lines)
    }

    /// Only where there is no terminal.
    pub fn unseen(message: String) -> Self {
        Activity::begin(Arc::new(move |elapsed| timed(&message, elapsed)), Terminal::Nothing)
    }

    /// Only where there is no terminal, and of which the message says all there is to say.
    pub fn telling(message: impl Fn() -> String + Send + Sync + 'static) -> Self {
        Activity::begin(Arc::new(move |_| message()), Terminal::Nothing)
    }

    fn begin(message: Message, terminal: Terminal) -> Self {
        let begun = Instant::now();
        let ticker = matches!(terminal, Terminal::Line).then(|| Ticker::start(Arc::clone(&message), begun)).flatten();
        let mut doing = doing();
        doing.next += 1;
        let number = doing.next;
        doing.activities.push(Entry { number, begun, message, is_in_lines: matches!(terminal, Terminal::Lines) });
        Activity { number, ticker }
    }
}

impl Drop for Activity {
    fn drop(&mut self) {
        doing().activities.retain(|entry| entry.number != self.number);
        self.ticker.take();
    }
}

fn timed(message: &str, elapsed: Duration) -> String {
    format!("{message} ({} s)", elapsed.as_secs())
}

/// A thread that has a line on the terminal.
struct Ticker {
    ended: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Nothing, if there is no terminal.
    fn start(message: Message, begun: Instant) -> Option<Ticker> {
        if !super::has_terminal() {
            return None;
        }
        let style = ProgressStyle::with_template("{spinner} {msg}").expect("a valid template");
        let bar = ProgressBar::new_spinner().with_style(style);
        let ended = Arc::new((Mutex::new(false), Condvar::new()));
        let seen = Arc::clone(&ended);
        let tick = move || {
            let (is_ended, changed) = &*seen;
            let mut guard = is_ended.lock().unwrap_or_else(PoisonError::into_inner);
            while !*guard {
                guard = changed.wait_timeout(guard, TICK).unwrap_or_else(PoisonError::into_inner).0;
                bar.set_message(message(begun.elapsed()));
                bar.tick();
            }
            bar.finish_and_clear();
        };
        Some(Ticker { ended, thread: Some(thread::spawn(tick)) })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        let (is_ended, changed) = &*self.ended;
        *is_ended.lock().unwrap_or_else(PoisonError::into_inner) = true;
        changed.notify_all();
        // The thread has the line on the terminal, and removes it.
        self.thread.take().map(JoinHandle::join);
    }
}
