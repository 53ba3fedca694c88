//! What the user sees besides results: errors, and that we are still at work.

mod activity;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::time::Duration;

use crate::exit_code::ExitCode;

pub use activity::Activity;

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

/// Reports an error, or what is being done.
pub fn error(message: &str) {
    say(&format!("byway: {message}\n"));
}

/// Writes text to standard error as it is.
pub fn say(text: &str) {
    activity::note_said();
    // A reader that has closed its end is no error of ours.
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Whether somebody looks at what we say on a terminal.
pub fn has_terminal() -> bool {
    io::stderr().is_terminal()
}

/// Has a line printed whenever nothing was said for so long; never, if that is nothing.
pub fn start_heartbeat(every: Duration) {
    if !every.is_zero() {
        activity::start_heartbeat(every);
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
