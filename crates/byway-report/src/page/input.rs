//! An input as text and in hexadecimal digits, with what changed marked.

use std::path::Path;

use byway_input::ConcreteInput;
use maud::{Markup, html};

use crate::check::InputChange;
use crate::shell;

/// So many bytes stand in a line.
const WIDTH: usize = 16;
/// So many lines of a source are shown.
const MOST_LINES: usize = 24;

/// An input, with the bytes that differ from the test's.
pub fn markup(input: &ConcreteInput, changes: &[InputChange]) -> Markup {
    let directory = input.fixture.directory.as_deref().unwrap_or(Path::new("/"));
    let files: Vec<(String, &[u8])> = input
        .files
        .iter()
        .map(|(path, file)| (crate::check::from_directory(path, directory), file.content.as_slice()))
        .collect();
    let of = |source: &str| -> Vec<&InputChange> { changes.iter().filter(|change| change.source == source).collect() };
    let stdin = input.stdin.as_deref().filter(|stdin| !stdin.is_empty() || !of("stdin").is_empty());
    html! {
        @if !input.arguments.is_empty() { div.input { p { "Arguments" } ol.arguments { @for (text, number) in input.texts().zip(1..) {
            @let changed = of(&format!("argv[{number}]"));
            li { code class=(if changed.is_empty() { "" } else { "changed" }) { (shell::shown(text)) }
                @if let Some((before, _)) = changed.first().and_then(|change| change.whole.as_ref()) { " was " code { (shell::shown(before)) } } }
        } } } }
        @if let Some(stdin) = stdin { (bytes("Standard input", stdin, &of("stdin"))) }
        @for (name, content) in &files { (bytes(name, content, &of(name))) }
    }
}

/// The bytes of one source: the lines with changes and those next to them, or the first.
fn bytes(name: &str, content: &[u8], changes: &[&InputChange]) -> Markup {
    let is_changed = |at: usize| {
        changes.iter().any(|change| (change.offset as usize..change.offset as usize + change.to.len()).contains(&at))
    };
    let lines = content.len().div_ceil(WIDTH);
    let has_change = |line: usize| (line * WIDTH..(line + 1) * WIDTH).any(is_changed);
    let is_near = |line: &usize| (line.saturating_sub(1)..=line + 1).any(has_change);
    let mut shown: Vec<usize> = (0..lines).filter(is_near).take(MOST_LINES).collect();
    if shown.is_empty() {
        shown = (0..lines.min(MOST_LINES / 4)).collect();
    }
    let removed = changes.iter().any(|change| change.from.len() > change.to.len());
    html! {
        div.input {
            p { (super::plain(name)) ", " (content.len()) " bytes" @if !changes.is_empty() { ", " mark { "changed" } } @if removed { ", cut" } }
            pre.hex { @for (position, &line) in shown.iter().enumerate() {
                @if position > 0 && shown[position - 1] + 1 != line { "…\n" }
                (row(content, line, &is_changed)) "\n"
            } @if shown.last().is_some_and(|&last| last + 1 < lines) { "…" } }
        }
    }
}

fn row(content: &[u8], line: usize, is_changed: &dyn Fn(usize) -> bool) -> Markup {
    let range = line * WIDTH..content.len().min((line + 1) * WIDTH);
    let letter = |byte: u8| if byte == b' ' || byte.is_ascii_graphic() { char::from(byte) } else { '·' };
    let gap = "   ".repeat(WIDTH - range.len());
    html! {
        span.offset { (format!("{:06x}", line * WIDTH)) } "  "
        @for at in range.clone() { @if is_changed(at) { mark { (format!("{:02x}", content[at])) } } @else { (format!("{:02x}", content[at])) } " " }
        (gap) " "
        @for at in range { @if is_changed(at) { mark { (letter(content[at])) } } @else { (letter(content[at])) } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_bytes_are_marked_as_text_and_as_digits() {
        let change =
            InputChange { source: "stdin".to_owned(), offset: 1, from: vec![b'x'], to: vec![b'<'], whole: None };
        let shown = bytes("Standard input", b"a<c", &[&change]).into_string();
        assert!(shown.contains("61 <mark>3c</mark> 63 "), "{shown}");
        assert!(shown.contains("a<mark>&lt;</mark>c"), "{shown}");
    }
}
