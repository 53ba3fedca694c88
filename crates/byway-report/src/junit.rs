//! Reports in the format of JUnit.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// A test.
#[derive(Debug, Clone, PartialEq)]
pub struct Case {
    /// What it is called.
    pub name: String,
    /// How long it took.
    pub seconds: f64,
    /// What came of it.
    pub outcome: TestOutcome,
    /// What else there is to say.
    pub output: String,
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

/// The report of several suites, by name. What XML cannot say is left out.
pub fn report(name: &str, suites: &BTreeMap<String, Vec<Case>>) -> String {
    let mut report = Report::new(name);
    for (name, cases) in suites {
        let mut suite = TestSuite::new(allowed(name));
        suite.set_time(seconds(cases.iter().map(|case| case.seconds).sum()));
        suite.add_test_cases(cases.iter().map(|case| case.written(name)));
        report.add_test_suite(suite);
    }
    report.set_time(seconds(suites.values().flatten().map(|case| case.seconds).sum()));
    report.to_string().expect("a text takes all that is written to it")
}

/// Text without the two characters that XML excludes and the writer does not.
fn allowed(text: &str) -> String {
    text.replace(['\u{fffe}', '\u{ffff}'], "")
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or_default()
}

impl Case {
    fn written(&self, suite: &str) -> TestCase {
        let mut status = match &self.outcome {
            TestOutcome::Passed => TestCaseStatus::success(),
            TestOutcome::Skipped(_) => TestCaseStatus::skipped(),
            TestOutcome::Failed { .. } => TestCaseStatus::non_success(NonSuccessKind::Failure),
        };
        match &self.outcome {
            TestOutcome::Passed => {}
            TestOutcome::Skipped(why) => drop(status.set_message(allowed(why))),
            TestOutcome::Failed { message, kind, body } => {
                status.set_message(allowed(message)).set_type(allowed(kind)).set_description(allowed(body));
            }
        }
        let mut case = TestCase::new(allowed(&self.name), status);
        case.set_classname(suite).set_time(seconds(self.seconds));
        if !self.output.is_empty() {
            case.set_system_out(allowed(&self.output));
        }
        case
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_xml() {
        let body = "</failure><a href=\"x\">&\u{1}\u{ffff}]]>\n".to_owned();
        let outcome = TestOutcome::Failed { message: "\"&<".into(), kind: "'".into(), body };
        let case = Case { name: "<\u{0}>".into(), seconds: f64::NAN, outcome, output: "]]>".into() };
        let text = report("\"", &BTreeMap::from([("&".to_owned(), vec![case])]));
        assert!(text.chars().all(|letter| letter >= ' ' && letter != '\u{ffff}' || letter == '\n'), "{text}");
        assert_eq!(
            (text.matches("<failure").count(), text.matches("</failure>").count(), text.matches("<a").count()),
            (1, 1, 0)
        );
    }
}
