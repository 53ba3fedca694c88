//! A file as KLEE's `ktest-tool` prints it.

use std::fmt;

use crate::ktest::{KTest, Object};

impl KTest {
    /// What `ktest-tool` prints for a file of this name.
    pub fn shown<'a>(&'a self, path: &'a str) -> impl fmt::Display + 'a {
        Shown { ktest: self, path: Some(path) }
    }
}

impl fmt::Display for KTest {
    /// As [`KTest::shown`] has it, without the name of the file.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        Shown { ktest: self, path: None }.fmt(formatter)
    }
}

struct Shown<'a> {
    ktest: &'a KTest,
    path: Option<&'a str>,
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let KTest { arguments, objects, .. } = self.ktest;
        if let Some(path) = self.path {
            writeln!(formatter, "ktest file : {}", quoted(path.as_bytes()))?;
        }
        let arguments: Vec<String> = arguments.iter().map(|argument| quoted(argument)).collect();
        writeln!(formatter, "args       : [{}]", arguments.join(", "))?;
        writeln!(formatter, "num objects: {}", objects.len())?;
        let width = objects.len().saturating_sub(1).max(1).to_string().len();
        for (number, object) in objects.iter().enumerate() {
            for (key, text) in lines(object) {
                writeln!(formatter, "object {number:width$}: {key:4}: {text}")?;
            }
        }
        Ok(())
    }
}

/// What is told of an object.
fn lines(object: &Object) -> Vec<(&'static str, String)> {
    let bytes = &object.bytes;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut lines = vec![
        ("name", format!("'{}'", String::from_utf8_lossy(&object.name))),
        ("size", bytes.len().to_string()),
        ("data", format!("b{}", quoted(bytes))),
        ("hex", format!("0x{hex}")),
    ];
    if let Some((signed, unsigned)) = numbers(bytes) {
        lines.extend([("int", signed.to_string()), ("uint", unsigned.to_string())]);
    }
    let visible = |&byte: &u8| if byte == b' ' || byte.is_ascii_graphic() { byte.into() } else { '.' };
    lines.push(("text", bytes.iter().map(visible).collect()));
    lines
}

/// The bytes as a number, with and without a sign, if they can be one.
fn numbers(bytes: &[u8]) -> Option<(i64, u64)> {
    if !matches!(bytes.len(), 1 | 2 | 4 | 8) {
        return None;
    }
    let unsigned = bytes.iter().rev().fold(0, |number: u64, &byte| number << 8 | u64::from(byte));
    let unused = 64 - 8 * bytes.len() as u32;
    Some(((unsigned << unused) as i64 >> unused, unsigned))
}

/// A literal as Python writes it.
fn quoted(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = String::from(quote);
    for &byte in bytes {
        match byte {
            b'\\' => text += "\\\\",
            b'\n' => text += "\\n",
            b'\r' => text += "\\r",
            b'\t' => text += "\\t",
            _ if char::from(byte) == quote => text.extend(['\\', quote]),
            b' '..=b'~' => text.push(byte.into()),
            _ => text += &format!("\\x{byte:02x}"),
        }
    }
    text.push(quote);
    text
}
