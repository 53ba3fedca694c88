//! What the comments of a subject under `tests/subjects/sym` say.
#![allow(dead_code)]

use std::fs;
use std::path::Path;

/// A subject, and what is expected of it.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct SymSubject {
    /// Its file name.
    pub name: String,
    pub source: String,
    /// Further words for the compiler.
    pub flags: Vec<String>,
    pub arguments: Vec<String>,
    pub stdin: Option<Vec<u8>>,
    /// Files in the directory of the run.
    pub files: Vec<(String, Vec<u8>)>,
    /// The causes of the losses that must appear.
    pub loses: Vec<String>,
    /// Lines, each with what is to happen on it.
    pub marks: Vec<(u64, Mark)>,
}

/// What is to happen on a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// An event of this kind.
    Event(&'static str),
    /// An event of this kind in which this is so.
    Such(&'static str, &'static str, bool),
    /// No event of this kind.
    No(&'static str),
    /// No symbolic branch or switch.
    NotSymbolic,
}

/// The marks by the words that stand for them.
const MARKS: [(&str, Mark); 21] = [
    ("symbolic", Mark::Event("branch")),
    ("not symbolic", Mark::NotSymbolic),
    ("switch", Mark::Event("switch")),
    ("access", Mark::Event("access")),
    ("division", Mark::Event("division")),
    ("length", Mark::Event("length")),
    ("allocation", Mark::Event("allocation")),
    ("overflow", Mark::Event("overflow")),
    ("shift", Mark::Event("shift")),
    ("terminator", Mark::Event("terminator")),
    ("reach", Mark::Such("access", "constant", true)),
    ("signed division", Mark::Such("division", "signed", true)),
    ("read length", Mark::Such("length", "write", false)),
    ("written length", Mark::Such("length", "write", true)),
    ("stack allocation", Mark::Such("allocation", "stack", true)),
    ("no division", Mark::No("division")),
    ("no length", Mark::No("length")),
    ("no overflow", Mark::No("overflow")),
    ("no reach", Mark::No("access")),
    ("no shift", Mark::No("shift")),
    ("no terminator", Mark::No("terminator")),
];

impl Mark {
    fn parse(text: &str) -> Result<Mark, String> {
        let known = MARKS.iter().find(|(words, _)| *words == text);
        known.map(|(_, mark)| *mark).ok_or_else(|| format!("nobody knows what '//~ {text}' means"))
    }

    /// The words that stand for it.
    pub fn words(self) -> Option<&'static str> {
        MARKS.iter().find(|(_, mark)| *mark == self).map(|(words, _)| *words)
    }

    /// Whether something must have been seen for it to hold.
    pub fn is_seen(self) -> bool {
        matches!(self, Mark::Event(_) | Mark::Such(..))
    }

    /// What holds where this mark does not, if words for it exist.
    pub fn opposite(self) -> Option<Mark> {
        let mark = match self {
            Mark::Event("branch") => Mark::NotSymbolic,
            Mark::Event(kind) => Mark::No(kind),
            Mark::No(kind) => Mark::Event(kind),
            Mark::NotSymbolic => Mark::Event("branch"),
            Mark::Such(..) => return None,
        };
        mark.words().map(|_| mark)
    }
}

impl SymSubject {
    pub fn read(path: &Path) -> Result<SymSubject, String> {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        Self::parse(&name, &fs::read_to_string(path).map_err(|error| error.to_string())?)
    }

    pub fn parse(name: &str, source: &str) -> Result<SymSubject, String> {
        let mut subject = SymSubject { name: name.to_owned(), source: source.to_owned(), ..SymSubject::default() };
        for (line, number) in source.lines().zip(1..) {
            if let Some((_, marks)) = line.split_once("//~") {
                for mark in marks.split(',') {
                    let mark = Mark::parse(mark.trim()).map_err(|error| format!("{name}:{number}: {error}"))?;
                    subject.marks.push((number, mark));
                }
            } else if let Some((key, text)) = line.strip_prefix("// ").and_then(|comment| comment.split_once(':')) {
                let text = text.strip_prefix(' ').unwrap_or(text);
                subject.set(key, text).map_err(|error| format!("{name}:{number}: {error}"))?;
            }
        }
        // It would be content with a run of which nothing was seen.
        if !subject.marks.is_empty()
            && subject.loses.is_empty()
            && !subject.marks.iter().any(|(_, mark)| mark.is_seen())
        {
            return Err(format!("{name}: it says what is not seen; it must also say something that is, or is lost"));
        }
        Ok(subject)
    }

    /// Takes a line `// KEY: TEXT`; other comments are comments.
    fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        let words = || text.split_whitespace().map(str::to_owned);
        match key {
            "flags" => self.flags.extend(words()),
            "args" => {
                for word in words() {
                    let word = String::from_utf8(unescape(&word)?).map_err(|error| error.to_string())?;
                    self.arguments.push(word);
                }
            }
            "stdin" => self.stdin = Some(unescape(text)?),
            "loses" => self.loses.extend(text.split([',', ' ']).filter(|word| !word.is_empty()).map(cause)),
            _ => {
                if let Some(file) = key.strip_prefix("file ") {
                    self.files.push((file.trim().to_owned(), unescape(text)?));
                }
            }
        }
        Ok(())
    }
}

/// Causes as JSON names them; the layout's way of writing them is understood, too.
fn cause(word: &str) -> String {
    word.to_lowercase().replace('_', "-")
}

/// Text with `\n`, `\t`, `\\`, `\0` and `\xNN` in it.
fn unescape(text: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
            continue;
        }
        let (byte, length) = match rest {
            [b'n', ..] => (b'\n', 1),
            [b't', ..] => (b'\t', 1),
            [b'r', ..] => (b'\r', 1),
            [b'\\', ..] => (b'\\', 1),
            [b'0', ..] => (0, 1),
            [b'x', high, low, ..] => {
                let digits = [*high, *low];
                let digits = std::str::from_utf8(&digits).map_err(|error| error.to_string())?;
                (u8::from_str_radix(digits, 16).map_err(|error| format!("\\x{digits}: {error}"))?, 3)
            }
            _ => return Err(format!("'{text}' has an escape that nobody knows")),
        };
        bytes.push(byte);
        rest = &rest[length..];
    }
    Ok(bytes)
}
