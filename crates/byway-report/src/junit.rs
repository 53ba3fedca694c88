//! Reports in the format of JUnit.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A test.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// What came of it.
    pub outcome: TestOutcome,
}

/// What came of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TestOutcome {
    /// All is well.
    Passed,
    /// It was not run, or not all of it; why.
    Skipped(String),
    /// It shows something.
    Failed {
        /// In one line.
        message: String,
        /// Which kind of failure.
        kind: String,
        /// All of it.
        body: String,
    },
}

/// The report of several suites, by name.
pub fn report(name: &str, suites: &BTreeMap<String, Vec<Case>>) -> String {
    let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n".to_owned();
    let all: Vec<&Case> = suites.values().flatten().collect();
    let _ = writeln!(text, "<testsuites name=\"{}\" {}>", escaped(name), totals(&all));
    for (suite, cases) in suites {
        let totals = totals(&cases.iter().collect::<Vec<_>>());
        let _ = writeln!(text, "  <testsuite name=\"{}\" {totals}>", escaped(suite));
        for case in cases {
            let _ = case.write(&mut text, suite);
        }
        text.push_str("  </testsuite>\n");
    }
    text.push_str("</testsuites>\n");
    text
}

fn totals(cases: &[&Case]) -> String {
    let failures = cases.iter().filter(|case| matches!(case.outcome, TestOutcome::Failed { .. })).count();
    let skipped = cases.iter().filter(|case| matches!(case.outcome, TestOutcome::Skipped(_))).count();
    let seconds = cases.iter().fold(0.0, |all, case| all + case.seconds);
    let tests = cases.len();
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\"")
}

impl Case {
    fn write(&self, text: &mut String, suite: &str) -> std::fmt::Result {
        let (name, seconds) = (escaped(&self.name), self.seconds);
        write!(text, "    <testcase name=\"{name}\" classname=\"{}\" time=\"{seconds:.3}\"", escaped(suite))?;
        match &self.outcome {
            TestOutcome::Passed => writeln!(text, "/>"),
            TestOutcome::Skipped(why) => {
                writeln!(text, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escaped(why))
            }
            TestOutcome::Failed { message, kind, body } => {
                let (message, kind, body) = (escaped(message), escaped(kind), escaped(body));
                let failure = format!("<failure message=\"{message}\" type=\"{kind}\">{body}</failure>");
                writeln!(text, ">\n      {failure}\n    </testcase>")
            }
        }
    }
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
