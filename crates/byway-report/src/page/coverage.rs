//! Which lines were executed, by file and in the source.

use std::path::Path;

use maud::{Markup, html};

use crate::executed::{CoveredTexts, ExecutedBy, FileLines, LineCounts, LineCoverage};
use crate::remaining::thousands;

use super::{parts, plain};

/// The page has so many bytes of sources: what a browser loads without being noticed.
const MOST_TEXT: usize = 4 << 20;
/// So many files are listed.
const MOST_FILES: usize = 2000;

/// The table of files, and each file with the runs that executed its lines. `runs` says which runs came first: those of tests, or that of
/// the first input.
pub fn section(coverage: &LineCoverage, texts: &CoveredTexts, runs: &str, root: &Path) -> Markup {
    let files: Vec<(&String, &FileLines)> = coverage.files().collect();
    let all = files.iter().fold(LineCounts::default(), |sum, (_, file)| sum.and(file.counts()));
    // The project's own files first; what is left out is of the system or of large libraries.
    let (own, others): (Vec<_>, Vec<_>) = files.iter().partition(|(name, _)| Path::new(name).starts_with(root));
    let files: Vec<(&String, &FileLines)> = own.into_iter().chain(others).copied().take(MOST_FILES).collect();
    let mut room = MOST_TEXT;
    html! {
        @if files.is_empty() { p { "No run was followed yet." } } @else {
            p { "Lines with code, by the runs that executed them: "
                span.by-tests { "T" } " " (runs) ", " span.by-byway { "B" } " only inputs that byway made, " span.by-nothing { "–" } " none. "
                "Runs that byway followed are counted, not those that only the sanitizers judged." }
            table.coverage {
                thead { tr { th { "file" } th { "lines" } th { (runs) } th { "byway only" } th { "none" } th {} } }
                tbody {
                    (row(None, "all files", all))
                    @for (number, (name, file)) in files.iter().enumerate() { (row(Some(number), &parts::from(name, root), file.counts())) }
                }
            }
            @if coverage.files().count() > MOST_FILES { p { "coverage.json has all files." } }
            div.files { @for (number, (name, file)) in files.iter().enumerate() { (source(number, &parts::from(name, root), file, texts.get(name, file).as_deref(), &mut room)) } }
        }
    }
}

/// A line of the table, with a bar that has the three parts.
fn row(number: Option<usize>, name: &str, counts: LineCounts) -> Markup {
    let share = |part: usize| 100.0 * part as f64 / counts.all().max(1) as f64;
    let (tests, byway) = (share(counts.tests), share(counts.byway));
    html! { tr {
        td { @if let Some(number) = number { a href=(format!("#c-{number}")) { code { (plain(name)) } } } @else { (name) } }
        @for count in [counts.all(), counts.tests, counts.byway, counts.nothing] { td.number { (thousands(count)) } }
        td { svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=(format!("{tests:.0} %, {byway:.0} % by byway only")) {
            rect.by-nothing x="0" y="0" width="100" height="8" {}
            rect.by-tests x="0" y="0" width=(format!("{tests:.2}")) height="8" {}
            rect.by-byway x=(format!("{tests:.2}")) y="0" width=(format!("{byway:.2}")) height="8" {}
        } }
    } }
}

/// A file, unfolded when somebody wants to see it.
fn source(number: usize, name: &str, file: &FileLines, text: Option<&str>, room: &mut usize) -> Markup {
    let fits = text.filter(|text| text.len() <= *room);
    *room -= fits.map_or(0, str::len);
    html! {
        details.file id=(format!("c-{number}")) {
            summary { code { (plain(name)) } }
            @match fits {
                Some(text) => template { pre.lines { @for (line, number) in text.lines().zip(1..) { (numbered(line, number, file.of(number))) } } },
                None if text.is_some() => p { "It is not shown: this page would become too large." },
                None => p { "It is not shown: it could not be read, or has changed since." },
            }
        }
    }
}

fn numbered(line: &str, number: u32, by: Option<ExecutedBy>) -> Markup {
    let (class, mark) = match by {
        Some(ExecutedBy::Tests) => ("line by-tests", "T"),
        Some(ExecutedBy::Byway) => ("line by-byway", "B"),
        Some(ExecutedBy::Nothing) => ("line by-nothing", "–"),
        None => ("line", " "),
    };
    html! { span class=(class) { span.number { (number) " " (mark) } (plain(line)) "\n" } }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_which_runs_executed_it_and_is_never_markup() {
        let shown = numbered("puts(\"<script>\");", 7, Some(ExecutedBy::Byway)).into_string();
        assert_eq!(
            shown,
            "<span class=\"line by-byway\"><span class=\"number\">7 B</span>puts(&quot;&lt;script&gt;&quot;);\n</span>"
        );
    }
}
