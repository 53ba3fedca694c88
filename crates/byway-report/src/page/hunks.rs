//! What changed between two versions, as hunks, with what executed each line.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use maud::{Markup, html};

use crate::demangle::demangled;
use crate::diff::{ProgramStats, ReachedChange};
use crate::executed::CoveredTexts;
use crate::remaining::thousands;

use super::coverage::SourceFiles;
use super::{parts, plain};

/// So many lines are shown before a change and behind it.
const AROUND: u32 = 2;
/// So many changes are shown.
const MOST: usize = 1000;

/// Changes near each other in one function.
struct Hunk<'a> {
    /// The function or variable.
    name: &'a str,
    /// The file of the new version.
    file: PathBuf,
    /// The changes, by line of the new version.
    changes: Vec<&'a ReachedChange>,
}

/// A line of a hunk.
struct HunkLine<'a> {
    mark: char,
    /// The line in the version that it is of.
    number: u32,
    text: String,
    /// What executes it, if it is changed.
    change: Option<&'a ReachedChange>,
}

/// The changes of a program.
pub fn markup(program: &ProgramStats, files: &SourceFiles<'_>, texts: &CoveredTexts, root: &Path) -> Markup {
    html! {
        @for hunk in hunks(&program.changes[..program.changes.len().min(MOST)]) { (hunk.markup(files, texts, root)) }
        @if program.changes.len() > MOST { p { "stats.json has all " (thousands(program.changes.len())) " changes." } }
    }
}

/// Where a change is in the new version; what was removed, where that goes on, or where it was.
fn place(change: &ReachedChange) -> (&Path, u32) {
    let line = &change.line;
    line.new.as_ref().map_or((line.file.as_path(), line.line), |(file, line)| (file.as_path(), *line))
}

fn hunks(changes: &[ReachedChange]) -> Vec<Hunk<'_>> {
    let mut sorted: Vec<&ReachedChange> = changes.iter().collect();
    sorted.sort_by_key(|change| (place(change), change.line.what != "removed", change.line.line));
    let mut hunks: Vec<Hunk<'_>> = Vec::new();
    for change in sorted {
        let (file, line) = place(change);
        let is_near = |hunk: &Hunk<'_>| {
            let last = hunk.changes.last().map_or(0, |last| place(last).1);
            hunk.file == file && hunk.name == change.line.name && line <= last.saturating_add(2 * AROUND + 1)
        };
        match hunks.last_mut().filter(|hunk| is_near(hunk)) {
            Some(hunk) => hunk.changes.push(change),
            None => hunks.push(Hunk { name: &change.line.name, file: file.to_owned(), changes: vec![change] }),
        }
    }
    hunks
}

impl Hunk<'_> {
    fn markup(&self, files: &SourceFiles<'_>, texts: &CoveredTexts, root: &Path) -> Markup {
        let (first, last) = (place(self.changes[0]).1, place(self.changes[self.changes.len() - 1]).1);
        let title = parts::from(&format!("{}:{first} in {}", self.file.display(), demangled(self.name)), root);
        let text = files.text(&self.file, texts);
        html! {
            div.hunk {
                h4 { (files.link(&self.file, first, &title)) }
                pre { @for line in self.lines((first, last), text.as_deref()) { (line.markup()) } }
                ul { @for (what, lines) in self.executions() { li { (lines.join(", ")) ": " (what) } } }
            }
        }
    }

    /// The changed lines, with those around them if the text of the new version is there.
    fn lines(&self, (first, last): (u32, u32), text: Option<&str>) -> Vec<HunkLine<'_>> {
        let around = first.saturating_sub(AROUND).max(1)..=last.saturating_add(AROUND);
        let context: BTreeMap<u32, &str> = match text {
            Some(text) => (1..).zip(text.lines()).filter(|(number, _)| around.contains(number)).collect(),
            None => BTreeMap::new(),
        };
        let is_new =
            |number: u32| self.changes.iter().any(|change| change.line.what != "removed" && place(change).1 == number);
        let unchanged =
            |(&number, &text): (&u32, &&str)| HunkLine { mark: ' ', number, text: text.to_owned(), change: None };
        let (mut lines, mut done) = (Vec::new(), 0);
        for change in &self.changes {
            let at = place(change).1;
            lines.extend(context.range(done..at).filter(|(number, _)| !is_new(**number)).map(unchanged));
            done = done.max(at);
            lines.extend(changed(change, at));
        }
        lines.extend(context.range(done..).filter(|(number, _)| !is_new(**number)).map(unchanged));
        lines
    }

    /// What executes the lines: each way once, with the lines that are executed that way.
    fn executions(&self) -> Vec<(Markup, Vec<String>)> {
        let mut all: Vec<(String, Markup, Vec<String>)> = Vec::new();
        for change in &self.changes {
            let what = executed(change);
            let mark = if change.line.what == "removed" { "-" } else { "" };
            let line = format!("{mark}{}", change.line.line);
            let key = what.clone().into_string();
            match all.iter_mut().find(|(known, ..)| *known == key) {
                Some((.., lines)) if lines.contains(&line) => {}
                Some((.., lines)) => lines.push(line),
                None => all.push((key, what, vec![line])),
            }
        }
        all.into_iter().map(|(_, what, lines)| (what, lines)).collect()
    }
}

/// What a change takes away and adds. `at`: where it is in the new version.
fn changed(change: &ReachedChange, at: u32) -> Vec<HunkLine<'_>> {
    let line = &change.line;
    let old_line = line.old.as_ref().map_or(line.line, |(_, line)| *line);
    let own = |mark, number, text: &str| HunkLine { mark, number, text: text.to_owned(), change: Some(change) };
    match (line.old_source.as_deref(), line.new_source.as_deref()) {
        (Some(old), Some(new)) if old.trim() == new.trim() => vec![own('~', at, new)],
        (old, new) => {
            let (old, new) = (old.map(|old| own('-', old_line, old)), new.map(|new| own('+', at, new)));
            old.into_iter().chain(new).collect()
        }
    }
}

/// How many inputs execute a change, and what they show.
fn executed(change: &ReachedChange) -> Markup {
    let inputs =
        |count: u64, what: &str| format!("{} {what}{}", thousands(count as usize), if count == 1 { "" } else { "s" });
    html! {
        @match change.reached {
            None => { "unknown whether an input executes it" }
            Some(0) => { span.by-nothing { "executed by no input" } }
            Some(all) => {
                "executed by "
                @if change.given > 0 { span.by-tests { (inputs(change.given, "test")) } }
                @if change.given > 0 && all > change.given { " and " }
                @if all > change.given { span.by-byway { (inputs(all - change.given, "input")) } " that byway made" }
                @if let Some(first) = &change.first { ", first by " code { (plain(first)) } }
            }
        }
        @for id in &change.differences { ", " a href=(format!("#f-{id}")) { (id) } }
        @if change.differences.is_empty() && change.reached.is_some_and(|reached| reached > 0) { ", without a visible difference" }
    }
}

impl HunkLine<'_> {
    fn markup(&self) -> Markup {
        let what = match self.mark {
            '-' => "removed",
            '+' => "added",
            '~' => "moved",
            _ => "context",
        };
        let by = match self.change.map(|change| (change.reached, change.given)) {
            Some((Some(0), _)) => " by-nothing",
            Some((Some(_), 0)) => " by-byway",
            Some((Some(_), _)) => " by-tests",
            Some((None, _)) | None => "",
        };
        html! { span class=(format!("line {what}{by}")) { span.number { (self.number) } (self.mark) " " (plain(&self.text)) "\n" } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::ChangedLine;

    fn change(
        what: &str,
        line: u32,
        at: u32,
        sources: (Option<&str>, Option<&str>),
        reached: Option<u64>,
    ) -> ReachedChange {
        let line = ChangedLine {
            what: what.to_owned(),
            name: "main".to_owned(),
            file: "/p/a.c".into(),
            line,
            old: None,
            new: Some(("/p/a.c".into(), at)),
            old_source: sources.0.map(str::to_owned),
            new_source: sources.1.map(str::to_owned),
        };
        ReachedChange {
            line,
            reached,
            given: u64::from(reached.is_some_and(|all| all > 1)),
            ..ReachedChange::default()
        }
    }

    fn shown(hunk: &Hunk<'_>, text: &str) -> Vec<String> {
        let (first, last) = (place(hunk.changes[0]).1, place(hunk.changes[hunk.changes.len() - 1]).1);
        hunk.lines((first, last), Some(text))
            .iter()
            .map(|line| format!("{}{} {}", line.mark, line.number, line.text))
            .collect()
    }

    #[test]
    fn changes_near_each_other_are_one_hunk_with_the_lines_around_them() {
        let changes = [
            change("changed", 4, 4, (Some("old"), Some("four")), Some(2)),
            change("removed", 9, 6, (Some("gone"), None), Some(1)),
            change("added", 20, 20, (None, Some("twenty")), Some(0)),
        ];
        let text: String = (1..=22).map(|number| format!("l{number}\n")).collect();
        let hunks = hunks(&changes);
        assert_eq!(hunks.len(), 2);
        assert_eq!(
            shown(&hunks[0], &text),
            [" 2 l2", " 3 l3", "-4 old", "+4 four", " 5 l5", "-9 gone", " 6 l6", " 7 l7", " 8 l8"]
        );
        assert_eq!(shown(&hunks[1], &text), [" 18 l18", " 19 l19", "+20 twenty", " 21 l21", " 22 l22"]);
    }

    #[test]
    fn a_change_says_what_executes_it() {
        let said = |reached| executed(&change("added", 1, 1, (None, Some("x")), reached)).into_string();
        assert!(said(Some(0)).contains("executed by no input"));
        assert!(said(Some(1)).contains("1 input</span> that byway made") && !said(Some(1)).contains("test"));
        assert!(said(Some(3)).contains("1 test</span> and <span class=\"by-byway\">2 inputs</span> that byway made"));
        assert!(said(None).contains("unknown"));
    }
}
