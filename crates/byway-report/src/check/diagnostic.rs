//! A finding for people, on the terminal.

use std::io::IsTerminal;
use std::path::Path;

use crate::finding::{Finding, Frame, ObjectUse};

use super::source::SourceSpot;
use super::{CheckEntry, InputChange};

/// So many calls are shown, and so many changes.
const CALLS: usize = 4;
const CHANGES: usize = 8;
/// Lines of source that are longer are cut.
const WIDTH: usize = 120;

/// How findings are shown.
#[derive(Debug, Clone, Copy)]
pub struct DiagnosticStyle<'a> {
    /// The output directory, as the user named it.
    pub output: &'a Path,
    /// Paths below it are named from there.
    pub root: &'a Path,
    /// Whether there are colours.
    pub colours: bool,
}

impl DiagnosticStyle<'_> {
    /// Whether there should be colours in what is written there.
    pub fn colours_on(stream: &impl IsTerminal) -> bool {
        let is_plain = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        stream.is_terminal() && !is_plain && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
    }

    fn paint(&self, colour: Colour, text: &str) -> String {
        if self.colours { format!("\x1b[{}m{text}\x1b[0m", colour as u8) } else { text.to_owned() }
    }
}

/// Colours, bold ones.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Colour {
    Bold = 1,
    Red = 91,
    Green = 92,
    Yellow = 93,
    Blue = 94,
    Cyan = 96,
}

/// What a maintainer wants to know of a finding: what is wrong, where, with which object, which test shows it, what in its
/// input was changed, and what to run.
pub fn diagnostic(entry: &CheckEntry, look: &DiagnosticStyle<'_>) -> String {
    let mut page = Page::new(entry, look);
    let (level, colour) = if entry.confirmed { ("error", Colour::Red) } else { ("warning", Colour::Yellow) };
    let finding = &entry.finding;
    let title = look.paint(colour, &format!("{level}[{}]", finding.kind));
    page.line(&format!("{title}{}", look.paint(Colour::Bold, &format!(": {}", finding.message))));
    page.spot(SourceSpot::of_finding(finding).as_ref());
    page.facts(calls(&finding.stack, look.root));
    let root = format!("{}/", look.root.display());
    page.facts(finding.then.iter().map(|then| format!("then: {}", then.replace(&root, ""))));
    page.facts(uses(finding, look.root));
    page.facts(finding.behind.iter().map(|report| format!("behind: {}", report.replace(&root, ""))));
    if let Some(object) = &finding.object {
        page.note("the object was allocated here", &object.allocated);
        page.note("it was freed here", &object.freed);
    }
    page.way(entry);
    page.help(entry);
    page.text
}

struct Page<'a> {
    text: String,
    look: &'a DiagnosticStyle<'a>,
    /// The width of numbers of lines.
    margin: usize,
}

impl<'a> Page<'a> {
    fn new(entry: &CheckEntry, look: &'a DiagnosticStyle<'a>) -> Page<'a> {
        let object = entry.finding.object.as_ref();
        let stacks = object.into_iter().flat_map(|object| [&object.allocated, &object.freed]);
        let spots =
            stacks.filter_map(|stack| SourceSpot::of_stack(stack)).chain(SourceSpot::of_finding(&entry.finding));
        let widest = spots.map(|spot| spot.line.to_string().len()).max().unwrap_or(1);
        Page { text: String::new(), look, margin: widest }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Something at the margin, and what stands beside it.
    fn beside(&mut self, number: &str, mark: &str, text: &str) {
        let margin = self.margin;
        let left = self.look.paint(Colour::Blue, &format!("{number:>margin$} {mark}"));
        self.line(&format!("{left} {text}"));
    }

    /// A place, and its line of source if it is there.
    fn spot(&mut self, spot: Option<&SourceSpot>) {
        let Some(spot) = spot else { return };
        let (margin, root) = (self.margin, self.look.root);
        let arrow = self.look.paint(Colour::Blue, &format!("{:margin$}-->", ""));
        self.line(&format!("{arrow} {}", spot.described_from(root)));
        let Some(source) = spot.text(root) else { return };
        self.beside("", "|", "");
        self.beside(&spot.line.to_string(), "|", &shown(&source));
        if let Some(column) = spot.column_in(Some(&source)) {
            let before = shown(&source.chars().take(column as usize - 1).collect::<String>()).chars().count();
            let caret = self.look.paint(Colour::Red, "^");
            self.beside("", "|", &format!("{:before$}{caret}", ""));
        }
    }

    fn facts(&mut self, facts: impl IntoIterator<Item = String>) {
        facts.into_iter().for_each(|fact| self.beside("", "=", &fact));
    }

    fn note(&mut self, what: &str, stack: &[Frame]) {
        let Some(spot) = SourceSpot::of_stack(stack) else { return };
        let note = self.look.paint(Colour::Green, "note");
        self.line(&format!("{note}: {what}"));
        self.spot(Some(&spot));
    }

    /// Which test, and what was changed.
    fn way(&mut self, entry: &CheckEntry) {
        let note = self.look.paint(Colour::Green, "note");
        let distance = entry.distance;
        let depth = match (entry.shown_depth(), entry.depth_is_known) {
            (Some(depth), _) => format!(", depth {depth}"),
            (None, false) => format!(", depth at least {}", entry.depth),
            (None, true) => String::new(),
        };
        let how = match entry.changes.iter().map(InputChange::bytes).sum::<usize>() {
            0 => "as it is".to_owned(),
            1 => "with 1 byte changed".to_owned(),
            count => format!("with {count} bytes changed"),
        };
        self.line(&format!("{note}: {} shows it {how} (distance {distance}{depth})", entry.test()));
        self.facts([format!("test: {}", entry.seed_command)]);
        self.facts(others(entry));
        self.facts(entry.changes.iter().take(CHANGES).map(|change| format!("{change}{}", in_letters(change))));
        let more = entry.changes.len().saturating_sub(CHANGES);
        self.facts((more > 0).then(|| format!("and {more} more")));
        if entry.confirmed {
            self.facts([format!("without sanitizers: {}", entry.ending)]);
        } else {
            let why = entry.why.as_deref().unwrap_or("the sanitizers did not see it");
            self.facts([format!("unconfirmed: {why}")]);
        }
    }

    /// What to run.
    fn help(&mut self, entry: &CheckEntry) {
        let help = self.look.paint(Colour::Cyan, "help");
        self.line(&format!("{help}: run {}", entry.reproduction(self.look.output, self.look.root)));
    }
}

/// The other places where a freed object is used.
fn uses(finding: &Finding, root: &Path) -> Vec<String> {
    let line = |place: &ObjectUse| {
        let place = ObjectUse { file: place.file.as_deref().map(|file| named_from(file, root)), ..place.clone() };
        format!("also: {place}")
    };
    let mut lines: Vec<String> = finding.also.iter().take(CALLS).map(line).collect();
    let more = finding.also.len().saturating_sub(CALLS);
    lines.extend((more > 0).then(|| format!("and {more} more places")));
    lines
}

fn named_from(file: &str, root: &Path) -> String {
    Path::new(file).strip_prefix(root).map_or(file.to_owned(), |path| path.display().to_string())
}

/// How many tests show it besides.
fn others(entry: &CheckEntry) -> Option<String> {
    let more = entry.tests.len().checked_sub(1).filter(|&more| more > 0)?;
    let farthest = entry.tests.iter().map(|near| near.distance).max().unwrap_or_default();
    let tests = if more == 1 { "test shows" } else { "tests show" };
    Some(format!("{more} more {tests} it, up to distance {farthest}{}", least_depth(entry)))
}

/// Which test has a smaller depth than the one that is shown.
fn least_depth(entry: &CheckEntry) -> String {
    let is_less = |&depth: &u32| entry.shown_depth().is_none_or(|shown| depth < shown);
    let Some(near) = entry.nearest() else { return String::new() };
    near.depth.filter(is_less).map_or(String::new(), |depth| format!("; {} has depth {depth}", near.test))
}

/// The calls that led there, innermost first, but for the one where it happens.
fn calls(stack: &[Frame], root: &Path) -> Vec<String> {
    let own: Vec<SourceSpot> = stack.iter().filter(|frame| frame.is_own()).filter_map(SourceSpot::of_frame).collect();
    let line = |spot: &SourceSpot| format!("called from {}", spot.described_from(root));
    let mut lines: Vec<String> = own.iter().skip(1).take(CALLS).map(line).collect();
    let more = own.len().saturating_sub(1 + CALLS);
    lines.extend((more > 0).then(|| format!("and {more} more calls")));
    lines
}

/// A line of source with spaces for tabs, and nothing that a terminal would obey.
fn shown(line: &str) -> String {
    let mut shown = String::new();
    for letter in line.chars().take(WIDTH) {
        match letter {
            '\t' => shown.push_str("    "),
            letter if letter.is_control() => shown.push('?'),
            letter => shown.push(letter),
        }
    }
    shown
}

/// Bytes of text are easier to read as such.
fn in_letters(change: &InputChange) -> String {
    let is_text = |bytes: &[u8]| bytes.iter().all(|&byte| byte == b' ' || byte.is_ascii_graphic());
    let is_short = change.from.len().max(change.to.len()) <= 16;
    if change.whole.is_some() || !is_short || !is_text(&change.from) || !is_text(&change.to) {
        return String::new();
    }
    let letters = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(" (\"{}\" -> \"{}\")", letters(&change.from), letters(&change.to))
}
