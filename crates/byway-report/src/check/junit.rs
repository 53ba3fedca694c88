//! `junit.xml`: the seeds as tests, for whatever shows the results of tests.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use crate::shell;

use super::source::Spot;
use super::{CheckEntry, JunitCase};

/// The file, in a directory `output`, with names from `root`. `report_of` is what the sanitizers wrote of a finding.
pub fn report(
    cases: &[JunitCase],
    findings: &[CheckEntry],
    root: &Path,
    output: &Path,
    report_of: impl Fn(&CheckEntry) -> String,
) -> String {
    let mut suites: BTreeMap<String, Vec<Case<'_>>> = BTreeMap::new();
    for case in cases {
        let program = case.program.strip_prefix(root).unwrap_or(&case.program);
        let shows = |entry: &&CheckEntry| entry.confirmed && entry.seed == case.seed;
        let findings = findings.iter().filter(shows).collect();
        let suite = suites.entry(shell::printable(program.as_os_str().as_encoded_bytes())).or_default();
        suite.push(Case { case, findings });
    }
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let all: Vec<&Case<'_>> = suites.values().flatten().collect();
    let _ = writeln!(text, "<testsuites name=\"byway check\" {}>", totals(&all));
    for (program, cases) in &suites {
        let totals = totals(&cases.iter().collect::<Vec<_>>());
        let _ = writeln!(text, "  <testsuite name=\"{}\" {totals}>", escaped(program));
        for case in cases {
            let _ = case.write(&mut text, program, (root, output), &report_of);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

struct Case<'a> {
    case: &'a JunitCase,
    findings: Vec<&'a CheckEntry>,
}

fn totals(cases: &[&Case<'_>]) -> String {
    let failures = cases.iter().filter(|case| !case.findings.is_empty()).count();
    let skipped = cases.iter().filter(|case| case.is_skipped()).count();
    let seconds = cases.iter().fold(0.0, |all, case| all + case.case.seconds);
    let tests = cases.len();
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\"")
}

impl Case<'_> {
    fn is_skipped(&self) -> bool {
        self.case.skipped.is_some() && self.findings.is_empty()
    }

    fn write(
        &self,
        text: &mut String,
        program: &str,
        places: (&Path, &Path),
        report_of: impl Fn(&CheckEntry) -> String,
    ) -> std::fmt::Result {
        let (name, seconds) = (escaped(&self.case.seed), self.case.seconds);
        write!(text, "    <testcase name=\"{name}\" classname=\"{}\" time=\"{seconds:.3}\"", escaped(program))?;
        match (self.findings.as_slice(), &self.case.skipped) {
            ([], None) => writeln!(text, "/>"),
            ([], Some(why)) => writeln!(text, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(why)),
            (findings, _) => {
                writeln!(text, ">\n{}\n    </testcase>", failure(findings, places, report_of))
            }
        }
    }
}

/// One element for all findings of a seed: some readers take no more.
fn failure(
    findings: &[&CheckEntry],
    (root, output): (&Path, &Path),
    report_of: impl Fn(&CheckEntry) -> String,
) -> String {
    let line = |entry: &&CheckEntry| {
        let changed = if entry.changed.is_empty() { "as it is".to_owned() } else { entry.changed.join("; ") };
        let finding = &entry.finding;
        let place =
            Spot::of_finding(finding).map(|spot| format!(" at {}", spot.described_from(root))).unwrap_or_default();
        format!("{}{place}: {} ({changed})", finding.kind, finding.message)
    };
    let kinds: Vec<&str> = findings.iter().map(|entry| entry.finding.kind.as_str()).collect();
    let lines: Vec<String> = findings.iter().map(line).collect();
    let body = |entry: &&CheckEntry| {
        format!("{}\nreproduce: {}\n{}", line(entry), entry.reproduction(output, root), report_of(entry))
    };
    let bodies: Vec<String> = findings.iter().map(body).collect();
    let (message, kinds, body) = (lines.join("; "), kinds.join(" "), bodies.join("\n"));
    format!(
        "      <failure message=\"{}\" type=\"{}\">{}</failure>",
        escaped(&message),
        escaped(&kinds),
        escaped(&body)
    )
}

/// Text in XML. What XML cannot say becomes a question mark.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            '\r' => {}
            letter if letter < ' ' || matches!(letter, '\u{7f}' | '\u{fffe}' | '\u{ffff}') => escaped.push('?'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_xml() {
        assert_eq!(escaped("<a href=\"x\">&\u{1}\u{ffff}'\n"), "&lt;a href=&quot;x&quot;&gt;&amp;??'\n");
    }
}
