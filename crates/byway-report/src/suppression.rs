//! Findings that somebody has looked at and accepted: a file of suppressions, and those of the sanitizers.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use serde::Deserialize;

use crate::diff::{ChangedLine, Difference, DifferenceKind};
use crate::error::ReportError;
use crate::finding::Finding;
use crate::standing::fingerprint;

/// One rule. All that it names must fit.
#[derive(Debug, Clone)]
pub struct Suppression {
    kind: Option<GlobMatcher>,
    file: Option<GlobMatcher>,
    function: Option<GlobMatcher>,
    /// A file or a function: the sanitizers do not tell them apart.
    place: Option<GlobMatcher>,
    fingerprint: Option<String>,
    reason: String,
    /// In words: what it names.
    described: String,
    /// Whether it names a kind that only differences have.
    is_of_differences: bool,
    is_used: bool,
}

/// All rules.
#[derive(Debug, Clone, Default)]
pub struct Suppressions(Vec<Suppression>);

/// A file of suppressions.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SuppressionFile {
    #[serde(default)]
    suppress: Vec<Entry>,
}

/// An entry of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    kind: Option<String>,
    file: Option<String>,
    function: Option<String>,
    fingerprint: Option<String>,
    reason: Option<String>,
}

impl Suppressions {
    /// Adds those of a file.
    pub fn add_file(&mut self, path: &Path) -> Result<(), ReportError> {
        let content = byway_file::read(path, byway_file::INPUT).map_err(ReportError::io("read", path))?;
        let wrong = |why: String| ReportError::Suppressions { path: path.to_owned(), why };
        let file: SuppressionFile =
            toml::from_str(&String::from_utf8_lossy(&content)).map_err(|error| wrong(error.to_string()))?;
        for (entry, number) in file.suppress.into_iter().zip(1..) {
            self.0.push(entry.compile().map_err(|why| wrong(format!("suppression {number}: {why}")))?);
        }
        Ok(())
    }

    /// Adds those of the sanitizers: a file that `suppressions=` in `ASAN_OPTIONS` or `UBSAN_OPTIONS` names.
    pub fn add_sanitizers(&mut self, options: &str) -> Result<(), ReportError> {
        for path in suppression_files(options) {
            let content = byway_file::read(&path, byway_file::INPUT).map_err(ReportError::io("read", &path))?;
            for (line, number) in String::from_utf8_lossy(&content).lines().zip(1..) {
                let reason = format!("{}:{number}", path.display());
                self.0.extend(of_sanitizer(line, reason));
            }
        }
        Ok(())
    }

    /// The reason of the first rule that fits a finding. `file` is its file, from the directory of the project.
    pub fn reason(&mut self, finding: &Finding, file: Option<&Path>, fingerprint: &str, id: &str) -> Option<String> {
        let rule = self.0.iter_mut().find(|rule| rule.fits(finding, file, [fingerprint, id]))?;
        rule.is_used = true;
        Some(rule.reason.clone())
    }

    /// Why a difference is accepted, if it is: by the first rule that fits the kind of difference and a change that it executes; or if
    /// all that differs are reports of the sanitizers, and each is accepted.
    pub fn reason_of(&mut self, difference: &Difference, root: &Path) -> Option<String> {
        if let Some(rule) = self.0.iter_mut().find(|rule| rule.fits_difference(difference, root)) {
            rule.is_used = true;
            return Some(rule.reason.clone());
        }
        let (old, new) = (&difference.old.findings, &difference.new.findings);
        let is_in = |all: &[Finding], finding: &Finding| all.iter().any(|one| one.id() == finding.id());
        let of_old = old.iter().filter(|finding| !is_in(new, finding));
        let of_new = new.iter().filter(|finding| !is_in(old, finding));
        let all: Vec<&Finding> = of_old.chain(of_new).collect();
        if difference.kind != DifferenceKind::Memory || difference.parts != ["sanitizers"] || all.is_empty() {
            return None;
        }
        let reasons: Option<Vec<String>> =
            all.into_iter().map(|finding| self.reason_of_finding(finding, root)).collect();
        reasons?.into_iter().next()
    }

    fn reason_of_finding(&mut self, finding: &Finding, root: &Path) -> Option<String> {
        let file = finding.file.as_deref().map(Path::new);
        let file = file.map(|file| file.strip_prefix(root).unwrap_or(file));
        self.reason(finding, file, &fingerprint(finding, root), &finding.id())
    }

    /// The rules about findings that fitted nothing, in words. Those of the sanitizers belong to other programs too.
    pub fn unused(&self) -> Vec<String> {
        self.unused_if(|rule| rule.place.is_none() && !rule.is_of_differences)
    }

    /// The rules about differences that fitted nothing, in words.
    pub fn unused_of_differences(&self) -> Vec<String> {
        self.unused_if(|rule| rule.is_of_differences)
    }

    fn unused_if(&self, is_wanted: impl Fn(&Suppression) -> bool) -> Vec<String> {
        let unused = self.0.iter().filter(|rule| !rule.is_used && is_wanted(rule));
        unused.map(|rule| format!("{} ({})", rule.described, rule.reason)).collect()
    }
}

impl Entry {
    fn compile(self) -> Result<Suppression, String> {
        let Entry { kind, file, function, fingerprint, reason } = self;
        let reason = reason.filter(|reason| !reason.trim().is_empty());
        let reason = reason.ok_or("it has no reason: say why this finding is accepted, reason = \"...\"")?;
        let parts = [("kind", &kind), ("file", &file), ("function", &function), ("fingerprint", &fingerprint)];
        let named = parts.iter().filter_map(|(name, value)| Some(format!("{name} {}", value.as_ref()?)));
        let described = named.collect::<Vec<String>>().join(", ");
        if described.is_empty() {
            return Err("it names nothing: give a kind, file, function or fingerprint".to_owned());
        }
        let is_of_differences =
            kind.as_deref().is_some_and(|kind| OF_DIFFERENCES.iter().any(|only| only.name() == kind));
        let pattern = |text: Option<String>| text.map(|text| glob(&text)).transpose();
        Ok(Suppression {
            is_of_differences,
            kind: pattern(kind)?,
            file: pattern(file)?,
            function: pattern(function)?,
            place: None,
            fingerprint,
            reason,
            described,
            is_used: false,
        })
    }
}

fn glob(text: &str) -> Result<GlobMatcher, String> {
    let glob = GlobBuilder::new(text).literal_separator(false).backslash_escape(true).build();
    glob.map(|glob| glob.compile_matcher()).map_err(|error| error.to_string())
}

impl Suppression {
    fn fits(&self, finding: &Finding, file: Option<&Path>, names: [&str; 2]) -> bool {
        let is_like = |pattern: &Option<GlobMatcher>, text: Option<&str>| {
            pattern.as_ref().is_none_or(|pattern| text.is_some_and(|text| pattern.is_match(text)))
        };
        let absolute = finding.file.as_deref();
        let is_in = |pattern: &GlobMatcher| {
            file.is_some_and(|file| pattern.is_match(file)) || absolute.is_some_and(|file| pattern.is_match(file))
        };
        let is_called = |pattern: &GlobMatcher| {
            finding.stack.iter().filter_map(|frame| frame.function.as_deref()).any(|name| pattern.is_match(name))
                || finding.function.as_deref().is_some_and(|name| pattern.is_match(name))
        };
        is_like(&self.kind, Some(&finding.kind))
            && self.file.as_ref().is_none_or(is_in)
            && is_like(&self.function, finding.function.as_deref())
            && self.place.as_ref().is_none_or(|place| is_in(place) || is_called(place))
            && self.fingerprint.as_deref().is_none_or(|print| names.contains(&print))
    }

    /// The sanitizers' own rules say nothing of differences. A file and a function must be those of one change.
    fn fits_difference(&self, difference: &Difference, root: &Path) -> bool {
        let is_at = |change: &ChangedLine| {
            let file = change.file.strip_prefix(root).unwrap_or(&change.file);
            self.file.as_ref().is_none_or(|pattern| pattern.is_match(file) || pattern.is_match(&change.file))
                && self.function.as_ref().is_none_or(|pattern| pattern.is_match(&change.name))
        };
        self.place.is_none()
            && self.kind.as_ref().is_none_or(|pattern| pattern.is_match(difference.kind.name()))
            && self.fingerprint.as_ref().is_none_or(|print| *print == difference.id)
            && (self.file.is_none() && self.function.is_none() || difference.changes.iter().any(is_at))
    }
}

/// The kinds of differences that are no kinds of findings.
const OF_DIFFERENCES: [DifferenceKind; 6] = [
    DifferenceKind::Crash,
    DifferenceKind::Memory,
    DifferenceKind::Exit,
    DifferenceKind::Output,
    DifferenceKind::File,
    DifferenceKind::Stderr,
];

/// The files that options of the sanitizers name.
fn suppression_files(options: &str) -> Vec<PathBuf> {
    let words = options.split([':', ',', ' ', '\n', '\t']);
    let named = words.filter_map(|word| word.strip_prefix("suppressions="));
    let paths = named.map(|path| path.trim_matches(['"', '\'']));
    paths.filter(|path| !path.is_empty()).map(PathBuf::from).collect()
}

/// A line of such a file: `signed-integer-overflow:hash.c`, `interceptor_via_fun:parse`.
fn of_sanitizer(line: &str, reason: String) -> Option<Suppression> {
    let line = line.trim();
    let (what, pattern) = line.split_once(':').filter(|_| !line.starts_with('#'))?;
    let kind = match what {
        // Of AddressSanitizer: whatever a library function reports.
        "interceptor_via_fun" | "interceptor_name" => None,
        // Of LeakSanitizer and others, or of libraries: nothing that byway reports.
        "leak" | "odr_violation" | "interceptor_via_lib" | "alloc_dealloc_mismatch" => return None,
        "undefined" => None,
        kind => Some(glob(kind).ok()?),
    };
    let place = glob(&as_glob(pattern)).ok();
    place.as_ref()?;
    let described = line.to_owned();
    Some(Suppression {
        kind,
        file: None,
        function: None,
        place,
        fingerprint: None,
        reason,
        described,
        is_of_differences: false,
        is_used: false,
    })
}

/// The sanitizers look for a part of the text, unless it begins with `^` or ends with `$`; only `*` has a meaning.
fn as_glob(pattern: &str) -> String {
    let (begin, pattern) = pattern.strip_prefix('^').map_or(("*", pattern), |rest| ("", rest));
    let (end, pattern) = pattern.strip_suffix('$').map_or(("*", pattern), |rest| ("", rest));
    let mut text = begin.to_owned();
    for letter in pattern.chars() {
        if "?[]{}\\!".contains(letter) {
            text.push('\\');
        }
        text.push(letter);
    }
    text + end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(kind: &str, file: &str, function: &str) -> Finding {
        let (kind, file, function) = (kind.to_owned(), Some(file.to_owned()), Some(function.to_owned()));
        Finding { kind, file, function, ..Finding::default() }
    }

    fn read(text: &str) -> Result<Suppressions, String> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("s.toml");
        std::fs::write(&path, text).unwrap();
        let mut all = Suppressions::default();
        all.add_file(&path).map_err(|error| error.to_string())?;
        Ok(all)
    }

    #[test]
    fn all_that_a_rule_names_must_fit() {
        let rules = "[[suppress]]\nkind = 'pointer-*'\nfile = 'src/*.c'\nreason = 'old'\n\
                     [[suppress]]\nfingerprint = 'abc'\nreason = 'known'\n";
        let mut all = read(rules).unwrap();
        let mut reason = |kind: &str, file: &str, print: &str| {
            all.reason(&finding(kind, &format!("/home/{file}"), "f"), Some(Path::new(file)), print, "id")
        };
        assert_eq!(reason("pointer-overflow", "src/a.c", "x").as_deref(), Some("old"));
        assert_eq!(reason("pointer-overflow", "lib/a.c", "x"), None);
        assert_eq!(reason("shift-base", "src/a.c", "x"), None);
        assert_eq!(all.unused(), ["fingerprint abc (known)"]);
    }

    #[test]
    fn a_rule_needs_a_reason_and_something_to_name() {
        assert!(read("[[suppress]]\nkind = 'null'\n").unwrap_err().contains("no reason"));
        assert!(read("[[suppress]]\nreason = 'why'\n").unwrap_err().contains("names nothing"));
        assert!(read("[[suppress]]\nkinds = 'null'\nreason = 'x'\n").unwrap_err().contains("kinds"));
        assert!(read("[[suppress]]\nkind = '['\nreason = 'x'\n").is_err());
    }

    #[test]
    fn what_the_sanitizers_suppress_is_suppressed() {
        let rule = |line: &str| of_sanitizer(line, "u:1".to_owned());
        let fits = |line: &str, kind: &str| {
            let finding = finding(kind, "/src/hash.c", "mix");
            rule(line).is_some_and(|rule| rule.fits(&finding, Some(Path::new("hash.c")), ["", ""]))
        };
        assert!(fits("signed-integer-overflow:hash.c", "signed-integer-overflow"));
        assert!(fits("undefined:^mix$", "shift-base"));
        assert!(!fits("signed-integer-overflow:hash.c", "shift-base") && !fits("undefined:^ix$", "shift-base"));
        assert!(rule("# shift:x").is_none() && rule("leak:x").is_none());
        assert_eq!(suppression_files("halt_on_error=0:suppressions=a/b.txt"), [PathBuf::from("a/b.txt")]);
    }
}
