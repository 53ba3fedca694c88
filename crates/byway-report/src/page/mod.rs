//! `index.html`: what was found, as a page to look at.
//!
//! It is one file that asks for nothing else. The body of a result is a template until it is unfolded: a browser lays out a thousand
//! lines at once, but not a thousand bodies. All that programs and inputs say is text in it: maud escapes it, [`plain`] takes out what
//! a browser would obey or hide, and the page's own policy allows no script but its own. A [`Page`] is made of [`Item`]s and
//! sections; [`check`], [`explore`] and [`diff`] make them of what is in an output directory.

mod check;
mod coverage;
mod diff;
mod explore;
mod graph;
mod hunks;
mod input;
mod item;
mod layers;
mod parts;
mod throttle;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::disk;
use crate::error::ReportError;
use crate::level::Level;

pub use check::CheckPage;
pub use throttle::PageThrottle;

/// The name of the page.
const NAME: &str = "index.html";
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// Something that was found.
pub struct Item {
    /// What it is known by; a link leads to it.
    pub id: String,
    /// Its level.
    pub level: Level,
    /// What is said in place of the level: a class of differences.
    pub label: String,
    /// What kind it is.
    pub kind: String,
    /// What is wrong, in a line.
    pub headline: String,
    /// Where.
    pub place: String,
    /// From how far away, if that was counted.
    pub distance: Option<u32>,
    /// When it was found, in seconds.
    pub seconds: f64,
    /// Why it does not count, if it does not.
    pub aside: Option<String>,
    /// All that is known of it.
    pub body: Markup,
}

/// A page.
pub struct Page {
    /// What it is about: `byway check`.
    pub title: String,
    /// What there is to say in a line each.
    pub facts: Vec<(&'static str, String)>,
    /// What was found, the worst first.
    pub items: Vec<Item>,
    /// What is said besides, each under a heading.
    pub sections: Vec<(&'static str, Markup)>,
}

impl Page {
    /// The page as text.
    fn render(&self) -> String {
        let nonce = nonce();
        let policy = format!(
            "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'"
        );
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy);
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    title { (plain(&self.title)) }
                    style nonce=(nonce) { (PreEscaped(STYLE)) }
                }
                body {
                    header {
                        h1 { (plain(&self.title)) }
                        dl.facts { @for (name, value) in &self.facts { div { dt { (name) } dd { (plain(value)) } } } }
                    }
                    nav { @for (name, _) in &self.sections { a href=(format!("#{}", anchor(name))) { (name) } " " } }
                    main { (self.list()) @for (name, markup) in &self.sections { section id=(anchor(name)) { h2 { (name) } (markup) } } }
                    script nonce=(nonce) { (PreEscaped(SCRIPT)) }
                }
            }
        };
        page.into_string()
    }

    fn list(&self) -> Markup {
        let count = |level: Level| self.items.iter().filter(|item| item.level == level && item.aside.is_none()).count();
        html! {
            section #findings {
                h2 { (self.items.len()) " " (if self.items.len() == 1 { "result" } else { "results" }) }
                @if !self.items.is_empty() {
                    form.tools role="search" {
                        label { "Filter " input #filter type="search" placeholder="kind, file, function, test ( / )" autocomplete="off"; }
                        @for level in Level::ALL {
                            label { input type="checkbox" name="level" value=(level) checked; " " (level) " (" (count(level)) ")" }
                        }
                        label { input type="checkbox" name="aside" value="aside"; " suppressed and known" }
                        label { "Sort by " select #sort {
                            option value="order" { "level, distance" }
                            option value="seconds" { "time" }
                            option value="place" { "place" }
                            option value="kind" { "kind" }
                        } }
                        output #shown {}
                    }
                    p.hint { "Keys: / filter, j and k next and previous, Enter unfold, x unfold or fold all." }
                }
                noscript { p { "What is below unfolds by a script of this page: allow it, or read findings.json." } }
                ol #list { @for (order, item) in self.items.iter().enumerate() { (item.markup(order)) } }
            }
        }
    }
}

impl Item {
    fn markup(&self, order: usize) -> Markup {
        let distance = self.distance.map(|distance| format!("distance {distance}"));
        html! {
            li id=(format!("f-{}", self.id)) data-level=(self.level) data-order=(order) data-seconds=(format!("{:.3}", self.seconds))
                data-place=(plain(&self.place)) data-kind=(plain(&self.kind)) data-aside=(self.aside.is_some()) hidden[self.aside.is_some()] {
                details {
                    summary {
                        span class=(format!("level {}", self.level)) { (plain(&self.label)) }
                        " " span.kind { (plain(&self.kind)) } " " span.headline { (plain(&self.headline)) }
                        " " span.place { (plain(&self.place)) }
                        @if let Some(distance) = distance { " " span.distance { (distance) } }
                        @if let Some(aside) = &self.aside { " " span.aside { (plain(aside)) } }
                    }
                    template { div.body { a.link href=(format!("#f-{}", self.id)) title="link to this" { "#" (self.id) } (self.body) } }
                }
            }
        }
    }
}

/// The page of what is in an output directory, made again. Sources are named from `root`.
pub fn write(directory: &Path, root: &Path) -> Result<PathBuf, ReportError> {
    let page = match () {
        () if directory.join("differences.json").is_file() => diff::read(directory, root)?,
        () if directory.join("journal.jsonl").is_file() => explore::read(directory, root)?,
        () if directory.join("findings.json").is_file() => check::read(directory, root)?,
        () => return Err(ReportError::NoTests { path: directory.to_owned() }),
    };
    save(directory, &page)
}

/// Writes a page.
fn save(directory: &Path, page: &Page) -> Result<PathBuf, ReportError> {
    let path = directory.join(NAME);
    disk::write(&path, page.render().as_bytes())?;
    Ok(path)
}

pub(crate) use diff::{DiffContent, DiffPage};
pub(crate) use explore::page as explore_page;

/// Writes the page that is made of parts.
pub(crate) fn save_page(directory: &Path, page: &Page) -> Result<(), ReportError> {
    save(directory, page).map(drop)
}

/// What only scripts of this page know: nobody who wrote a file before it did.
fn nonce() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seed = format!("{} {}", now.as_nanos(), std::process::id());
    blake3::hash(seed.as_bytes()).to_hex()[..24].to_owned()
}

/// The name of a heading in a link.
fn anchor(heading: &str) -> String {
    heading
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '-' })
        .collect()
}

/// Text in which nothing is hidden, and nothing goes the other way.
pub fn plain(text: &str) -> String {
    let is_text = |letter: char| {
        let is_order =
            matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        (!letter.is_control() || matches!(letter, '\n' | '\t')) && !is_order
    };
    if text.chars().all(is_text) {
        return text.to_owned();
    }
    text.chars()
        .map(|letter| if is_text(letter) { letter.to_string() } else { letter.escape_default().to_string() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_says_is_never_markup() {
        let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\u{202e}\u{1b}[2J";
        let item = Item {
            id: "0".to_owned(),
            level: Level::Error,
            label: "error".to_owned(),
            kind: hostile.to_owned(),
            headline: hostile.to_owned(),
            place: format!("\"{hostile}"),
            distance: None,
            seconds: 0.0,
            aside: None,
            body: parts::text("what", hostile),
        };
        let page = Page {
            title: hostile.to_owned(),
            facts: vec![("fact", hostile.to_owned())],
            items: vec![item],
            sections: Vec::new(),
        };
        let page = page.render();
        assert_eq!(page.matches("<script").count(), 1);
        assert_eq!(page.matches("<img").count(), 0);
        assert!(!page.contains('\u{202e}') && !page.contains('\u{1b}'));
        assert!(page.contains("\\u{202e}") && page.contains("&lt;img src=x"));
    }
}
