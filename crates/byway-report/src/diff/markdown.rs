//! Differences for a pull request.

use std::fmt::Write;
use std::path::Path;

use super::outline::{Line, short_diff};
use super::words::{Silent, classes, efforts, headline, number, origin, silent};
use super::{DiffStats, Difference, ReachedChange};

/// So many differences are shown as a whole.
const MOST: usize = 20;
/// So many changes are listed.
const MOST_CHANGES: usize = 50;

/// Differences, and what was tried, as Markdown. Sources are named from `root` on.
pub fn markdown(differences: &[Difference], stats: &DiffStats, root: &Path) -> String {
    let mut text = String::new();
    let _ = write(&mut text, differences, stats, root);
    text
}

fn write(text: &mut String, differences: &[Difference], stats: &DiffStats, root: &Path) -> std::fmt::Result {
    let (differences, suppressed): (Vec<_>, Vec<_>) = differences.iter().partition(|one| one.suppressed.is_none());
    match differences.len() {
        0 => writeln!(text, "### byway diff: no difference found\n")?,
        count => {
            let count = number(count as u64, "difference");
            writeln!(text, "### byway diff: {count} ({})\n", classes(&differences))?;
        }
    }
    writeln!(text, "{} against {}.\n", code(&stats.new), code(&stats.old))?;
    for difference in differences.iter().take(MOST) {
        one(text, difference, root)?;
    }
    if differences.len() > MOST {
        writeln!(text, "{} not shown here.\n", number((differences.len() - MOST) as u64, "other difference"))?;
    }
    if !suppressed.is_empty() {
        writeln!(text, "{} suppressed.\n", number(suppressed.len() as u64, "difference"))?;
    }
    for program in &stats.programs {
        let changes = number(program.changes.len() as u64, "changed line");
        writeln!(text, "{}: {changes}; {}.\n", code(&program.program), efforts(program))?;
        let Silent { unreached, reached, unknown } = silent(program);
        list(text, "executed by no input", &unreached, root)?;
        list(text, "executed without a visible difference", &reached, root)?;
        list(text, "without a visible difference, and not known whether executed", &unknown, root)?;
    }
    if let Some(why) = &stats.ended {
        writeln!(text, "Ended before all was tried: {why}.")?;
    }
    Ok(())
}

fn one(text: &mut String, difference: &Difference, root: &Path) -> std::fmt::Result {
    writeln!(text, "#### {}: {}\n", difference.class, escaped(&headline(difference)))?;
    for change in &difference.changes {
        writeln!(text, "- {}, {}", code(&change.place_from(root)), change.what)?;
    }
    let hunks: Vec<Line> = difference.changes.iter().flat_map(|change| change.hunk()).collect();
    fenced(text, &hunks)?;
    writeln!(text, "Input: {} ({})\n", code(&difference.command), escaped(&origin(difference)))?;
    fenced(text, &short_diff(difference))
}

fn list(text: &mut String, what: &str, changes: &[&ReachedChange], root: &Path) -> std::fmt::Result {
    if changes.is_empty() {
        return Ok(());
    }
    let count = number(changes.len() as u64, "change");
    writeln!(text, "<details><summary>{count} {what}</summary>\n")?;
    for change in changes.iter().take(MOST_CHANGES) {
        writeln!(text, "- {}, {}", code(&change.line.place_from(root)), change.line.what)?;
    }
    if changes.len() > MOST_CHANGES {
        writeln!(text, "- and {}", number((changes.len() - MOST_CHANGES) as u64, "other"))?;
    }
    writeln!(text, "\n</details>\n")
}

/// Lines as a block that is shown as a diff. Nothing in them ends it.
fn fenced(text: &mut String, lines: &[Line]) -> std::fmt::Result {
    if lines.is_empty() {
        return Ok(());
    }
    let longest = lines.iter().map(|(_, line)| longest_run(line)).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(text, "\n{fence}diff")?;
    lines.iter().try_for_each(|(mark, line)| writeln!(text, "{}", format!("{mark} {line}").trim_end()))?;
    writeln!(text, "{fence}\n")
}

fn longest_run(line: &str) -> usize {
    line.split(|letter| letter != '`').map(str::len).max().unwrap_or(0)
}

/// Text as code, whatever is in it.
fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let blank = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{blank}{text}{blank}{fence}")
}

/// Text that is only text.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if "\\`*_{}[]<>#|~&".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(if letter.is_control() { ' ' } else { letter });
    }
    escaped
}
