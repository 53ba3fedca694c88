//! Parts of pages: lines of source, stacks, text of programs.

use std::path::Path;

use maud::{Markup, html};

use crate::check::source::SourceSpot;
use crate::finding::Frame;
use crate::remaining::{Remainder, thousands};

use super::coverage::SourceFiles;
use super::plain;

/// So many lines of source are shown before a place and behind it.
const AROUND: u32 = 3;
/// Text of programs is cut behind so many bytes.
const MOST_TEXT: usize = 1 << 14;

/// Text that a program wrote, under a heading.
pub fn text(heading: &str, text: &str) -> Markup {
    let end = text.char_indices().map(|(at, _)| at).take_while(|&at| at <= MOST_TEXT).last().unwrap_or(0);
    let shown = if text.len() > MOST_TEXT { &text[..end] } else { text };
    html! {
        @if !text.trim().is_empty() {
            details.part { summary { (heading) } pre { (plain(shown)) @if shown.len() < text.len() { "\n… " (thousands(text.len())) " bytes in all" } } }
        }
    }
}

/// The lines around a place.
pub fn source(what: &str, spot: &SourceSpot, root: &Path) -> Markup {
    let content = byway_file::read(&root.join(&spot.file), byway_file::INPUT).unwrap_or_default();
    let content = String::from_utf8_lossy(&content);
    let first = spot.line.saturating_sub(AROUND).max(1);
    let lines = content.lines().zip(1u32..).skip(first as usize - 1).take(2 * AROUND as usize + 1);
    let lines: Vec<(&str, u32)> = lines.take_while(|&(_, number)| number <= spot.line + AROUND).collect();
    html! {
        div.source {
            p { (what) " " code { (plain(&spot.described_from(root))) } }
            @if !lines.is_empty() {
                pre { @for (line, number) in lines {
                    span class=(if number == spot.line { "line at" } else { "line" }) { span.number { (number) } (marked(line, number, spot)) "\n" }
                } }
            }
        }
    }
}

/// A line with a mark at the column of the place.
fn marked(line: &str, number: u32, spot: &SourceSpot) -> Markup {
    let column = spot.column_in(Some(line)).filter(|_| number == spot.line).map(|column| column as usize - 1);
    match column.and_then(|column| line.char_indices().nth(column)) {
        Some((at, letter)) => {
            let end = at + letter.len_utf8();
            html! { (plain(&line[..at])) mark { (plain(&line[at..end])) } (plain(&line[end..])) }
        }
        None => html! { (plain(line)) },
    }
}

/// The calls that led to a place.
pub fn stack(frames: &[Frame], root: &Path) -> Markup {
    html! {
        @if frames.len() > 1 {
            details.part open[frames.len() <= 8] { summary { "Stack, " (frames.len()) " calls" } ol.stack start="0" { @for frame in frames {
                li { @match SourceSpot::of_frame(frame).filter(|_| frame.is_own()) {
                    Some(spot) => { code { (plain(&spot.described_from(root))) } }
                    None => { span.foreign { (plain(frame.function.as_deref().unwrap_or("?"))) } }
                } }
            } } }
        }
    }
}

/// What was left undone.
pub fn remaining(remainder: &Remainder, files: &SourceFiles<'_>, root: &Path) -> Markup {
    let list = remainder.list();
    html! {
        @if list.is_empty() { p { "Nothing." } } @else {
            ul { @for line in remainder.lines(root) { li { (plain(&line)) } } }
            details.part { summary { "All " (list.len()) " places" }
                table { thead { tr { th { "times" } th { "why" } th { "what" } th { "where" } } }
                    tbody { @for left in list.iter().take(500) { tr {
                        td.number { (thousands(left.count as usize)) }
                        td { (left.limit.why()) } td { (plain(&left.detail)) } td { (files.link_place(&left.place)) }
                    } } } }
                @if list.len() > 500 { p { "stats.json has all." } }
            }
        }
    }
}

/// A place with its path from a directory on.
pub fn from(place: &str, root: &Path) -> String {
    Path::new(place).strip_prefix(root).map_or(place.to_owned(), |below| below.display().to_string())
}

/// When what was found, as a picture: time to the right, distance upwards. Each point leads to what it is.
pub fn times(points: &[(String, f64, u32, crate::Level)], end: f64) -> Markup {
    let most = points.iter().map(|point| point.2).max().unwrap_or(0).max(1);
    let end = points.iter().map(|point| point.1).fold(end, f64::max).max(0.001);
    let x = |seconds: f64| 40.0 + 740.0 * seconds / end;
    let y = |distance: u32| 100.0 - 80.0 * f64::from(distance) / f64::from(most);
    html! {
        @if !points.is_empty() {
            svg.times viewBox="0 0 800 125" role="img" aria-label="When what was found, by distance" {
                line x1="40" y1="100" x2="780" y2="100" {}
                line x1="40" y1="20" x2="40" y2="100" {}
                text x="40" y="118" { "0 s" } text x="780" y="118" text-anchor="end" { (format!("{end:.1} s")) }
                text x="34" y="104" text-anchor="end" { "0" } text x="34" y="24" text-anchor="end" { (most) }
                @for (id, seconds, distance, level) in points.iter().take(2000) {
                    a href=(format!("#f-{id}")) { circle class=(level) cx=(format!("{:.1}", x(*seconds))) cy=(format!("{:.1}", y(*distance))) r="4" {
                        title { (format!("{seconds:.1} s, distance {distance}")) }
                    } }
                }
            }
        }
    }
}
