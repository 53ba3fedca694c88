//! The reports in a text, one after the other.

/// Who reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tool {
    /// AddressSanitizer.
    Address,
    /// UndefinedBehaviorSanitizer.
    Undefined,
    /// LeakSanitizer: not what we look for.
    Leak,
}

/// One report: from its headline to its summary.
#[derive(Debug)]
pub struct Section<'a> {
    /// Who reports.
    pub tool: Tool,
    /// What comes before the headline on its line: for undefined behaviour, the place.
    pub place: &'a str,
    /// The headline, without the name of the tool.
    pub headline: &'a str,
    /// The lines behind it, without the summary.
    pub lines: Vec<&'a str>,
    /// What the summary says, if there is one.
    pub summary: Option<&'a str>,
}

/// What begins a report. Where a program has not ended its line, this is not at the beginning.
const BEGINNINGS: [(&str, Tool); 4] = [
    ("==ERROR: AddressSanitizer: ", Tool::Address),
    ("==AddressSanitizer: ", Tool::Address),
    (": runtime error: ", Tool::Undefined),
    ("==ERROR: LeakSanitizer: ", Tool::Leak),
];

impl Section<'_> {
    /// Whether the program ends with this report.
    pub fn is_fatal(&self) -> bool {
        self.tool == Tool::Address
    }
}

/// All reports in a text.
pub fn sections(text: &str) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut open = false;
    for line in text.lines() {
        if let Some(section) = begin(line) {
            sections.push(section);
            open = true;
        } else if let Some(section) = sections.last_mut().filter(|_| open) {
            match line.split_once("SUMMARY: ").and_then(|summary| summary.1.split_once("Sanitizer: ")) {
                Some((_, summary)) => (section.summary, open) = (Some(summary), false),
                None => section.lines.push(line),
            }
        }
    }
    sections
}

fn begin(line: &str) -> Option<Section<'_>> {
    let found = BEGINNINGS.iter().find_map(|&(text, tool)| Some((line.split_once(text)?, tool)));
    let ((place, headline), tool) = found?;
    // What AddressSanitizer says of itself is no error of the program, but for the limit of memory.
    if line.contains("==AddressSanitizer: ") && !headline.starts_with("hard rss limit") {
        return None;
    }
    Some(Section { tool, place, headline, lines: Vec::new(), summary: None })
}
