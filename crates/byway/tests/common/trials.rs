//! Each C subject is a test of its own name, and what its comments say can be set to what was seen.
//!
//! A test binary of subjects has a `main` that calls [`run`] with the tests of its subjects ([`of_subjects`]) and of its functions
//! ([`facts`](crate::facts)).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use super::subjects;

/// If this variable is set, comments of subjects are rewritten to what was seen. `scripts/bless` sets it.
const BLESS: &str = "BYWAY_BLESS";

/// How often a subject is rewritten at most: lines that come or go move others, which comments may name.
const MOST_REWRITINGS: usize = 3;

/// Something that is not as a subject says.
#[derive(Debug)]
pub struct Problem {
    what: String,
    /// What would make it right, if it is the comments that may be wrong.
    edits: Vec<Edit>,
}

/// A change of a subject's comments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Edit {
    /// There is one comment `// KEY: TEXT`, or none without a text.
    Key(&'static str, Option<String>),
    /// There is a comment `// KEY: TEXT` for each text.
    Keys(&'static str, Vec<String>),
    /// This stands behind `//~` on the line of this number, or nothing does.
    Mark(usize, Option<String>),
}

impl Problem {
    /// A problem that goes away with other comments.
    pub fn of_comments(what: impl Into<String>, edits: impl IntoIterator<Item = Edit>) -> Problem {
        Problem { what: what.into(), edits: edits.into_iter().collect() }
    }
}

impl<T: Into<String>> From<T> for Problem {
    fn from(what: T) -> Problem {
        Problem { what: what.into(), edits: Vec::new() }
    }
}

/// The tests of functions, by their names. A function that is not listed is dead code, which clippy refuses.
#[macro_export]
macro_rules! facts {
    ($($name:ident),* $(,)?) => {
        vec![$(libtest_mimic::Trial::test(stringify!($name), || { $name(); Ok(()) })),*]
    };
}

/// Runs those of the tests that the command line asks for.
pub fn run(tests: impl IntoIterator<Item = Vec<Trial>>) -> ExitCode {
    let tests = tests.into_iter().flatten().collect();
    libtest_mimic::run(&Arguments::from_args(), tests).exit_code()
}

/// A test for each C subject of a kind that `is_one` accepts by its name; `fact` stands behind the name, if there are several tests of
/// one subject.
pub fn of_subjects(
    kind: &str,
    fact: Option<&str>,
    is_one: impl Fn(&str) -> bool,
    check: fn(&Path) -> Vec<Problem>,
) -> Vec<Trial> {
    let test = |path: PathBuf| {
        let stem = path.file_stem()?.to_str()?.to_owned();
        let name = fact.map_or(stem.clone(), |fact| format!("{stem}::{fact}"));
        is_one(&stem).then(|| Trial::test(name, move || verdict(&path, check)))
    };
    let tests: Vec<Trial> = subjects(kind).into_iter().filter_map(test).collect();
    assert!(!tests.is_empty(), "there are no subjects of kind {kind}");
    tests
}

/// Checks a subject, with other comments if these are to be rewritten.
pub fn verdict(path: &Path, check: fn(&Path) -> Vec<Problem>) -> Result<(), Failed> {
    let mut problems = check(path);
    if std::env::var_os(BLESS).is_some() {
        for _ in 0..MOST_REWRITINGS {
            let edits: Vec<&Edit> = problems.iter().flat_map(|problem| &problem.edits).collect();
            if edits.is_empty() {
                break;
            }
            let source = fs::read_to_string(path)?;
            fs::write(path, rewritten(&source, &edits))?;
            problems = check(path);
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    let lines: Vec<String> = problems.into_iter().map(|problem| problem.what).collect();
    Err(format!("{}:\n{}", path.display(), lines.join("\n")).into())
}

/// A source with other comments. Marks come first, since they are at the lines that were seen.
pub fn rewritten(source: &str, edits: &[&Edit]) -> String {
    let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
    for edit in edits {
        if let Edit::Mark(number, text) = edit
            && let Some(line) = number.checked_sub(1).and_then(|index| lines.get_mut(index))
        {
            let code = line.split_once("//~").map_or(line.as_str(), |(code, _)| code).trim_end();
            *line = text.as_ref().map_or(code.to_owned(), |text| format!("{code} //~ {text}"));
        }
    }
    for edit in edits {
        match edit {
            Edit::Key(key, text) => set_keys(&mut lines, key, text.as_slice()),
            Edit::Keys(key, texts) => set_keys(&mut lines, key, texts),
            Edit::Mark(..) => {}
        }
    }
    lines.join("\n") + "\n"
}

/// Puts comments where one with this key is, or behind the comments that the source begins with.
fn set_keys(lines: &mut Vec<String>, key: &str, texts: &[String]) {
    let prefix = format!("// {key}:");
    let first = lines.iter().position(|line| line.starts_with(&prefix));
    lines.retain(|line| !line.starts_with(&prefix));
    let head = lines.iter().take_while(|line| line.starts_with("//")).count();
    let at = first.unwrap_or(head).min(lines.len());
    lines.splice(at..at, texts.iter().map(|text| format!("{prefix} {text}")));
}
