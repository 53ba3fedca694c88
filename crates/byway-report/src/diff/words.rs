//! Differences for the terminal.

use std::fmt::Write;
use std::path::Path;

use super::outline::{Line, short_diff};
use super::{DiffStats, Difference, ProgramStats, ReachedChange};
use crate::remaining::thousands;

/// So many changes of a kind are listed.
const MOST_CHANGES: usize = 20;
/// So many changes of a difference are shown.
const MOST_HUNKS: usize = 5;

/// What the only input is called, if it is given on the command line.
pub const GIVEN: &str = "given";

/// Differences, and what was tried, with names from `root` on. The output directory is called `output`.
pub fn in_words(differences: &[Difference], stats: &DiffStats, root: &Path, output: &Path) -> String {
    let mut text = String::new();
    let (differences, suppressed): (Vec<_>, Vec<_>) = differences.iter().partition(|one| one.suppressed.is_none());
    for difference in &differences {
        let _ = one(&mut text, difference, root, output);
    }
    for program in &stats.programs {
        let _ = tried(&mut text, program, root);
    }
    if let Some(why) = &stats.ended {
        let _ = writeln!(text, "ended before all was tried: {why}");
    }
    let _ = match differences.len() {
        0 if !suppressed.is_empty() => writeln!(text, "no other difference was found in {:.1} s", stats.elapsed),
        0 => writeln!(text, "no difference was found in {:.1} s", stats.elapsed),
        count => {
            writeln!(
                text,
                "{} in {:.1} s: {}",
                number(count as u64, "difference"),
                stats.elapsed,
                classes(&differences)
            )
        }
    };
    if !suppressed.is_empty() {
        let _ = writeln!(text, "{} suppressed", number(suppressed.len() as u64, "difference"));
    }
    text
}

/// `1 regression, 2 unclassified`.
pub fn classes(differences: &[&Difference]) -> String {
    let mut counts: Vec<(super::Class, usize)> = Vec::new();
    for difference in differences {
        match counts.iter_mut().find(|(class, _)| *class == difference.class) {
            Some((_, count)) => *count += 1,
            None => counts.push((difference.class, 1)),
        }
    }
    counts.iter().map(|(class, count)| format!("{count} {class}")).collect::<Vec<_>>().join(", ")
}

/// A number of things.
pub fn number(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{} {thing}s", thousands(count as usize)) }
}

fn one(text: &mut String, difference: &Difference, root: &Path, output: &Path) -> std::fmt::Result {
    writeln!(text, "{}: {}", difference.class, headline(difference))?;
    for change in difference.changes.iter().take(MOST_HUNKS) {
        writeln!(text, "  {}, {}", change.place_from(root), change.what)?;
        marked(text, &change.hunk(), "    ")?;
    }
    if difference.changes.len() > MOST_HUNKS {
        writeln!(text, "  and {}", number((difference.changes.len() - MOST_HUNKS) as u64, "other change"))?;
    }
    writeln!(text, "  input: {}", difference.command)?;
    writeln!(text, "  {}", origin(difference))?;
    if let Some(place) = &difference.parts_at {
        writeln!(text, "  the versions part at {place}")?;
    }
    if !difference.sequence.is_empty() {
        writeln!(text, "  comes by {}", difference.sequence.join(", then "))?;
    }
    if !difference.masked.is_empty() {
        writeln!(text, "  varies from run to run, so only the rest was compared: {}", difference.masked.join(", "))?;
    }
    marked(text, &short_diff(difference), "    ")?;
    writeln!(
        text,
        "  seen on {}; run {}/run.sh\n",
        number(difference.count, "input"),
        output.join(&difference.input).display()
    )
}

/// What differs, in one line.
pub fn headline(difference: &Difference) -> String {
    let Difference { program, old, new, parts, .. } = difference;
    let parts = parts.join(", ");
    match old.ending == new.ending {
        true => format!("{program}: {parts} differs ({})", difference.kind),
        false => format!("{program}: {} instead of {} ({})", new.ending, old.ending, difference.kind),
    }
}

/// Where the input comes from.
pub fn origin(difference: &Difference) -> String {
    let seed = match &difference.seed {
        Some(seed) if seed == GIVEN => "the given run".to_owned(),
        Some(seed) => format!("test {seed}"),
        None => "from nothing".to_owned(),
    };
    match difference.changed.as_slice() {
        [] => format!("{seed}, as it is"),
        changed => format!("{seed} with {}; {}", changed.join("; "), difference.found),
    }
}

fn marked(text: &mut String, lines: &[Line], indent: &str) -> std::fmt::Result {
    lines.iter().try_for_each(|(mark, line)| writeln!(text, "{indent}{}", format!("{mark} {line}").trim_end()))
}

/// What was tried with a program, and which changes it did not show.
fn tried(text: &mut String, program: &ProgramStats, root: &Path) -> std::fmt::Result {
    writeln!(
        text,
        "{}: {}; {}",
        program.program,
        number(program.changes.len() as u64, "changed line"),
        efforts(program)
    )?;
    for (input, why) in program.skipped.iter().take(MOST_CHANGES) {
        writeln!(text, "  {input} was not compared: {why}")?;
    }
    for (part, inputs) in &program.masked {
        let inputs = number(*inputs, "input");
        writeln!(text, "  {part} varies from run to run on {inputs}; what varies was not compared")?;
    }
    for (part, inputs) in &program.positions {
        let inputs = number(*inputs, "input");
        writeln!(
            text,
            "  {part} says on {inputs} where statements stand (__LINE__ and the like); that was not compared"
        )?;
    }
    if program.put_off > 0 {
        let inputs = number(program.put_off, "made input");
        writeln!(text, "  {inputs} differed as simpler ones do, in kind and in executed changes: not run again")?;
    }
    if program.unconfirmed > 0 {
        let inputs = number(program.unconfirmed, "input");
        writeln!(text, "  {inputs} differed once and not again: not reported")?;
    }
    if program.unsettled > 0 {
        let inputs = number(program.unsettled, "input");
        writeln!(text, "  {inputs} seemed to differ and could not be run again in time: not reported")?;
    }
    let Silent { unreached, reached, unknown } = silent(program);
    list(text, "no input executed", &unreached, root)?;
    list(text, "executed without a visible difference", &reached, root)?;
    list(text, "not known whether an input executed it, without a visible difference", &unknown, root)
}

/// What was tried, in words.
pub fn efforts(program: &ProgramStats) -> String {
    let tried = &program.tried;
    let mut all = vec![number(tried.given, "given input")];
    if tried.random > 0 {
        let compared = thousands(tried.random_compared as usize);
        all.push(format!("{} ({compared} compared)", number(tried.random, "random change")));
    }
    let explored = tried.new_explored + tried.old_explored;
    if explored > 0 {
        let compared = thousands(tried.explored_compared as usize);
        let (new, old) = (thousands(tried.new_explored as usize), thousands(tried.old_explored as usize));
        all.push(format!("{new} paths of the new and {old} of the old version ({compared} compared)"));
    }
    if tried.joint_queries > 0 {
        let inputs = number(tried.joint_inputs, "input");
        let unanswered = tried.joint_queries - tried.joint_refuted - tried.joint_inputs;
        let unanswered = match unanswered {
            0 => String::new(),
            count => format!(", {} without an answer", thousands(count as usize)),
        };
        let queries = match tried.joint_queries {
            1 => "1 query".to_owned(),
            count => format!("{} queries", thousands(count as usize)),
        };
        all.push(format!("{queries} about both versions ({inputs}{unanswered})"));
    }
    all.join(", ")
}

/// The changes without a difference.
pub struct Silent<'a> {
    /// No input executed them.
    pub unreached: Vec<&'a ReachedChange>,
    /// Inputs executed them.
    pub reached: Vec<&'a ReachedChange>,
    /// Nothing counts what inputs execute.
    pub unknown: Vec<&'a ReachedChange>,
}

/// The changes of a program without a difference.
pub fn silent(program: &ProgramStats) -> Silent<'_> {
    let quiet = || program.changes.iter().filter(|change| change.differences.is_empty());
    Silent {
        unreached: quiet().filter(|change| change.reached == Some(0)).collect(),
        reached: quiet().filter(|change| change.reached.is_some_and(|inputs| inputs > 0)).collect(),
        unknown: quiet().filter(|change| change.reached.is_none()).collect(),
    }
}

fn list(text: &mut String, what: &str, changes: &[&ReachedChange], root: &Path) -> std::fmt::Result {
    for change in changes.iter().take(MOST_CHANGES) {
        writeln!(text, "  {what}: {}, {}{}", change.line.place_from(root), change.line.what, inputs(change))?;
    }
    if changes.len() > MOST_CHANGES {
        writeln!(text, "  {what}: {}", number((changes.len() - MOST_CHANGES) as u64, "other change"))?;
    }
    Ok(())
}

/// How many inputs execute a change.
fn inputs(change: &ReachedChange) -> String {
    match change.reached {
        None => String::new(),
        Some(0) => String::new(),
        Some(count) => format!(", by {}", number(count, "input")),
    }
}
