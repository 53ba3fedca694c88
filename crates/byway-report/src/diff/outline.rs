//! What a version did, as lines of text, and two of them as a diff.

use similar::{ChangeTag, TextDiff};

use super::{Difference, Observation, ObservedFile};
use crate::shell;

/// So many lines are shown around what differs.
const CONTEXT: usize = 2;
/// So long a line may be.
const WIDTH: usize = 200;
/// So many lines of a difference are shown.
pub const MOST_LINES: usize = 40;

/// A line of a diff: `-`, `+` or a blank, and the line.
pub type Line = (char, String);

/// Both behaviours of a difference as a diff.
pub fn diff(difference: &Difference) -> Vec<Line> {
    let (old, new) = (outline(&difference.old).join("\n"), outline(&difference.new).join("\n"));
    let diff = TextDiff::from_lines(&old, &new);
    let mut lines = Vec::new();
    for (number, group) in diff.grouped_ops(CONTEXT).iter().enumerate() {
        if number > 0 {
            lines.push((' ', "...".to_owned()));
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let mark = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            lines.push((mark, change.value().trim_end_matches('\n').to_owned()));
        }
    }
    lines
}

/// The same, not longer than somebody wants to read.
pub fn short_diff(difference: &Difference) -> Vec<Line> {
    let mut lines = diff(difference);
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push((' ', format!("... {more} more lines")));
    }
    lines
}

/// What a version did, in lines.
pub fn outline(observation: &Observation) -> Vec<String> {
    let mut lines = vec![observation.ending.clone()];
    section(&mut lines, "stdout", &observation.stdout.0, observation.stdout_size);
    section(&mut lines, "stderr", &observation.stderr.0, observation.stderr_size);
    for (path, file) in &observation.files {
        match file {
            ObservedFile::Written { content, size, mode } => {
                section(&mut lines, &format!("file {path}, mode {mode:o}"), &content.0, *size);
            }
            ObservedFile::Directory => lines.push(format!("directory {path}")),
            ObservedFile::Link { target } => lines.push(format!("link {path} -> {}", shell::printable(&target.0))),
            ObservedFile::Special => lines.push(format!("special file {path}")),
            ObservedFile::Removed => lines.push(format!("file {path} removed")),
        }
    }
    lines.extend(observation.findings.iter().map(|finding| format!("sanitizers: {}: {}", finding, finding.message)));
    lines
}

fn section(lines: &mut Vec<String>, name: &str, content: &[u8], size: u64) {
    if size == 0 {
        lines.push(format!("{name}: empty"));
        return;
    }
    let cut = if size > content.len() as u64 {
        format!(", the first {} of {size} bytes", content.len())
    } else {
        String::new()
    };
    lines.push(format!("{name}{cut}:"));
    let has_end = content.ends_with(b"\n");
    let body = content.strip_suffix(b"\n").unwrap_or(content);
    lines.extend(body.split(|&byte| byte == b'\n').map(|line| format!("  {}", shown(line))));
    if !has_end && cut.is_empty() {
        lines.push("  (no newline at the end)".to_owned());
    }
}

/// A line in which nothing but text is left.
fn shown(line: &[u8]) -> String {
    let text = match std::str::from_utf8(line) {
        Ok(text) if !text.chars().any(|letter| letter.is_control() && letter != '\t') => text.to_owned(),
        _ => line.escape_ascii().to_string(),
    };
    match text.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
