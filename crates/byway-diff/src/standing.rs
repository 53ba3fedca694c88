//! What says only where a version stands: the directory it lies in, and the lines of statements that moved.
//!
//! Both versions run under the same name in the same directory, but they lie in different places, and messages of theirs may
//! say so: by the path of the program, or by the file and line of an assertion. Texts of a version are rewritten to what the
//! new version would say.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use byway_change::Change;

/// How texts of a version are rewritten.
#[derive(Debug, Clone, Default)]
pub struct Standing {
    /// The directory of the version, and that of the new one.
    roots: Option<(Vec<u8>, Vec<u8>)>,
    /// The names of source files in which statements moved.
    files: BTreeSet<Vec<u8>>,
    /// Where they moved: file and line, before and after.
    lines: HashMap<(Vec<u8>, u32), u32>,
}

impl Standing {
    /// Of a version whose program is at a path, seen from the new one. `moved` are the statements that only stand elsewhere.
    pub fn new(program: &Path, new: &Path, moved: &[Change]) -> Standing {
        let mut standing = Standing { roots: roots(program, new), ..Standing::default() };
        for change in moved {
            let (Some(old), Some(new)) = (&change.old, &change.new) else { continue };
            let (Some(file), true) = (old.file.file_name(), old.file.file_name() == new.file.file_name()) else {
                continue;
            };
            let file = file.as_bytes().to_vec();
            standing.files.insert(file.clone());
            standing.lines.insert((file, old.line), new.line);
        }
        standing
    }

    /// A text as the new version would say it.
    pub fn rewritten<'a>(&self, text: &'a [u8]) -> Cow<'a, [u8]> {
        let mut text = Cow::Borrowed(text);
        if let Some((own, new)) = &self.roots
            && let Some(moved) = with_root(&text, own, new)
        {
            text = Cow::Owned(moved);
        }
        for file in &self.files {
            if let Some(moved) = self.with_lines(&text, file) {
                text = Cow::Owned(moved);
            }
        }
        text
    }

    /// `file.c:12` where `file.c:13` is meant.
    fn with_lines(&self, text: &[u8], file: &[u8]) -> Option<Vec<u8>> {
        let mut moved = None;
        for (at, _) in text.windows(file.len()).enumerate().rev().filter(|(_, window)| *window == file) {
            let digits_at = at + file.len() + 1;
            if text.get(digits_at - 1) != Some(&b':') {
                continue;
            }
            let digits: Vec<u8> = text[digits_at..].iter().copied().take_while(u8::is_ascii_digit).take(9).collect();
            let line = std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse().ok());
            if let Some(to) = line.and_then(|line| self.lines.get(&(file.to_vec(), line))) {
                let text = moved.get_or_insert_with(|| text.to_vec());
                text.splice(digits_at..digits_at + digits.len(), to.to_string().into_bytes());
            }
        }
        moved
    }
}

/// The directories in which two versions of a program lie, if it is below them by the same path.
fn roots(one: &Path, other: &Path) -> Option<(Vec<u8>, Vec<u8>)> {
    let (one, other) = (one.components().collect::<Vec<_>>(), other.components().collect::<Vec<_>>());
    let same = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let root = |path: &[std::path::Component<'_>]| path[..path.len() - same].iter().collect::<PathBuf>();
    let (one, other) = (root(&one), root(&other));
    let is_place = |path: &PathBuf| path.components().count() > 1;
    (one != other && is_place(&one) && is_place(&other))
        .then(|| (one.as_os_str().as_bytes().to_vec(), other.as_os_str().as_bytes().to_vec()))
}

/// The text with one directory in place of another, where that stands as a whole.
fn with_root(text: &[u8], own: &[u8], new: &[u8]) -> Option<Vec<u8>> {
    let is_name = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(byte));
    let (mut moved, mut done, mut at) = (Vec::new(), 0, 0);
    while at + own.len() <= text.len() {
        if text[at..].starts_with(own) && !is_name(text.get(at + own.len())) {
            moved.extend_from_slice(&text[done..at]);
            moved.extend_from_slice(new);
            at += own.len();
            done = at;
        } else {
            at += 1;
        }
    }
    (done > 0).then(|| {
        moved.extend_from_slice(&text[done..]);
        moved
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use byway_change::{ChangeKind, ChangedEntity, VersionLine};

    use super::*;

    /// A statement that only moved.
    pub(crate) fn moved(old: u32, new: u32) -> Change {
        let place = |line| Some(VersionLine { file: "/b/x/tool.c".into(), line, blocks: Vec::new() });
        let (kind, subject) = (ChangeKind::Changed, ChangedEntity::Statement);
        Change { kind, subject, name: "main".to_owned(), old: place(old), new: place(new) }
    }

    #[test]
    fn the_directory_of_a_version_is_not_compared() {
        let standing = Standing::new(Path::new("/b/old/src/tool"), Path::new("/b/new/src/tool"), &[]);
        let rewritten = |text: &str| String::from_utf8(standing.rewritten(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(rewritten("/b/old/src/tool: /b/old, /b/older"), "/b/new/src/tool: /b/new, /b/older");
    }

    #[test]
    fn lines_of_statements_that_moved_are_not_compared() {
        let standing = Standing::new(Path::new("/b/tool"), Path::new("/b/tool"), &[moved(12, 13), moved(13, 14)]);
        let text = "tool.c:12: x, tool.c:13, tool.c:120, tool.cc:12";
        let rewritten = String::from_utf8(standing.rewritten(text.as_bytes()).into_owned()).unwrap();
        assert_eq!(rewritten, "tool.c:13: x, tool.c:14, tool.c:120, tool.cc:12");
    }
}
