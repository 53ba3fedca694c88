//! Which lines were executed, by file and in the source.

use std::path::Path;
use std::sync::Arc;

use maud::{Markup, html};

use crate::executed::{CoveredTexts, ExecutedBy, FileLines, LineCounts, LineCoverage};
use crate::remaining::thousands;

use super::{parts, plain};

/// The page has so many bytes of sources: what a browser loads without being noticed.
const MOST_TEXT: usize = 4 << 20;
/// So many files are listed.
const MOST_FILES: usize = 2000;

/// The files with code, as the page lists them.
pub struct SourceFiles<'a> {
    root: &'a Path,
    coverage: &'a LineCoverage,
    files: Vec<(&'a String, &'a FileLines)>,
}

impl<'a> SourceFiles<'a> {
    /// The project's own files come first; what is left out is of the system or of large libraries.
    pub fn new(coverage: &'a LineCoverage, root: &'a Path) -> SourceFiles<'a> {
        let (own, others): (Vec<_>, Vec<_>) = coverage.files().partition(|(name, _)| Path::new(name).starts_with(root));
        SourceFiles { root, coverage, files: own.into_iter().chain(others).take(MOST_FILES).collect() }
    }

    /// Where the page has a line, for a link. Nothing if it does not list the file.
    pub fn target(&self, file: &Path, line: u32) -> Option<String> {
        let name = file.to_str()?;
        self.coverage.file(name).filter(|_| self.files.iter().any(|(known, _)| *known == name))?;
        Some(format!("#{}.L{line}", id(name)))
    }

    /// The file that a path is the end of, if it is the end of one only.
    fn named<'p>(&self, path: &'p Path) -> &'p Path
    where
        'a: 'p,
    {
        let mut fitting =
            self.files.iter().map(|(name, _)| Path::new(name.as_str())).filter(|name| name.ends_with(path));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => only,
            _ => path,
        }
    }

    /// A place as text, with a link to the line if the page has it.
    pub fn link(&self, file: &Path, line: u32, text: &str) -> Markup {
        let text = html! { code { (plain(text)) } };
        match self.target(file, line) {
            Some(target) => html! { a href=(target) { (text) } },
            None => text,
        }
    }

    /// The same for a place: `file.c:12:3 in function`; the column and the function may be missing.
    pub fn link_place(&self, place: &str) -> Markup {
        let text = parts::from(place, self.root);
        match file_and_line(place.split(" in ").next().unwrap_or(place)) {
            Some((file, line)) => self.link(self.named(Path::new(file)), line, &text),
            None => html! { code { (plain(&text)) } },
        }
    }

    /// The text of a file, if it is the one that the lines are of.
    pub fn text(&self, file: &Path, texts: &CoveredTexts) -> Option<Arc<str>> {
        let name = file.to_str()?;
        texts.get(name, self.coverage.file(name)?)
    }

    /// Which runs executed a line.
    pub fn executed(&self, file: &Path, line: u32) -> Option<ExecutedBy> {
        self.coverage.file(file.to_str()?)?.of(line)
    }

    /// The table of files, and each file with the runs that executed its lines. `runs` says which runs came first: those of tests, or
    /// that of the first input.
    pub fn section(&self, texts: &CoveredTexts, runs: &str) -> Markup {
        let SourceFiles { root, coverage, files } = self;
        let all = coverage.files().fold(LineCounts::default(), |sum, (_, file)| sum.and(file.counts()));
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
                        @for (name, file) in files { (row(Some(name), &parts::from(name, root), file.counts())) }
                    }
                }
                @if coverage.files().count() > files.len() { p { "coverage.json has all files." } }
                div.files { @for (name, file) in files { (source(name, &parts::from(name, root), (file, texts.get(name, file).as_deref()), &mut room)) } }
            }
        }
    }
}

/// The parts of `file.c:12` or `file.c:12:3`.
fn file_and_line(place: &str) -> Option<(&str, u32)> {
    let (rest, last) = place.rsplit_once(':')?;
    let last = last.parse().ok()?;
    let with_column = rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    Some(with_column.unwrap_or((rest, last)))
}

/// What names a file on the page, whatever other files there are.
fn id(name: &str) -> String {
    format!("c-{}", &blake3::hash(name.as_bytes()).to_hex()[..10])
}

/// A line of the table, with a bar that has the three parts.
fn row(path: Option<&str>, name: &str, counts: LineCounts) -> Markup {
    let share = |part: usize| 100.0 * part as f64 / counts.all().max(1) as f64;
    let (tests, byway) = (share(counts.tests), share(counts.byway));
    html! { tr {
        td { @if let Some(path) = path { a href=(format!("#{}", id(path))) { code { (plain(name)) } } } @else { (name) } }
        @for count in [counts.all(), counts.tests, counts.byway, counts.nothing] { td.number { (thousands(count)) } }
        td { svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label=(format!("{tests:.0} %, {byway:.0} % by byway only")) {
            rect.by-nothing x="0" y="0" width="100" height="8" {}
            rect.by-tests x="0" y="0" width=(format!("{tests:.2}")) height="8" {}
            rect.by-byway x=(format!("{tests:.2}")) y="0" width=(format!("{byway:.2}")) height="8" {}
        } }
    } }
}

/// A file, unfolded when somebody wants to see it.
fn source(path: &str, name: &str, (file, text): (&FileLines, Option<&str>), room: &mut usize) -> Markup {
    let fits = text.filter(|text| text.len() <= *room);
    *room -= fits.map_or(0, str::len);
    html! {
        details.file id=(id(path)) {
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
    fn a_place_has_a_file_and_a_line_and_maybe_a_column() {
        assert_eq!(file_and_line("/a:b/c.c:12"), Some(("/a:b/c.c", 12)));
        assert_eq!(file_and_line("/a/c.c:12:3"), Some(("/a/c.c", 12)));
        assert_eq!((file_and_line("/a/c.c"), file_and_line("distance 3")), (None, None));
    }

    #[test]
    fn a_line_says_which_runs_executed_it_and_is_never_markup() {
        let shown = numbered("puts(\"<script>\");", 7, Some(ExecutedBy::Byway)).into_string();
        assert_eq!(
            shown,
            "<span class=\"line by-byway\"><span class=\"number\">7 B</span>puts(&quot;&lt;script&gt;&quot;);\n</span>"
        );
    }
}
