//! Places that stay the same when lines move: by what stands there, not by its number.

use std::collections::HashMap;
use std::path::Path;

use byway_snapshot::SourceTexts;
use serde::{Deserialize, Serialize};

/// A place in a source file, by what its line says.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The line, without the white space around it.
    pub text: String,
    /// The column in that, from 1 on; 0 if it is not known.
    pub column: u32,
    /// How many lines between the beginning of the function and this one say the same.
    pub ordinal: u32,
}

/// How lines begin that are no definition of a function, though they stand where one could.
const STATEMENTS: [&str; 9] = ["if", "for", "while", "switch", "return", "else", "do", "case", "#"];

/// Source files that were looked at.
#[derive(Debug, Default)]
pub struct Sources {
    texts: SourceTexts,
    files: HashMap<String, Option<Vec<String>>>,
}

impl Sources {
    /// Those of one program.
    pub fn new(texts: &SourceTexts) -> Sources {
        Sources { texts: texts.clone(), files: HashMap::new() }
    }

    /// The lines of a file.
    fn lines(&mut self, file: &str) -> Option<&[String]> {
        let read = || Some(self.texts.read(Path::new(file))?.lines().map(str::to_owned).collect());
        self.files.entry(file.to_owned()).or_insert_with(read).as_deref()
    }

    /// What a line says.
    pub fn line(&mut self, file: &str, line: u32) -> Option<&str> {
        let line = self.lines(file)?.get((line as usize).checked_sub(1)?)?;
        Some(line.as_str())
    }

    /// The anchor of a place; `None` if there is no such line, or nothing on it.
    pub fn anchor(&mut self, file: &str, line: u32, column: Option<u32>, function: Option<&str>) -> Option<Anchor> {
        let lines = self.lines(file)?;
        let at = (line as usize).checked_sub(1)?;
        let text = lines.get(at)?;
        let trimmed = text.trim();
        let indent = text.len() - text.trim_start().len();
        let begin = function.and_then(|name| lines[..at].iter().rposition(|line| defines(line, name))).unwrap_or(0);
        let ordinal = lines[begin..at].iter().filter(|line| line.trim() == trimmed).count() as u32;
        let column = column.map_or(0, |column| column.saturating_sub(indent as u32));
        (!trimmed.is_empty()).then(|| Anchor { text: trimmed.to_owned(), column, ordinal })
    }
}

/// Whether a function of this name seems to begin on a line. If it does not, or its beginning is not found, lines are only
/// counted from elsewhere: two places have different anchors all the same.
fn defines(line: &str, function: &str) -> bool {
    let name = function.split('(').next().unwrap_or(function);
    let is_definition = line.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_')
        && !line.trim_end().ends_with(';')
        && !STATEMENTS.iter().any(|word| begins_with_word(line, word));
    is_definition
        && line.match_indices(name).any(|(at, _)| {
            let is_whole = !line[..at].ends_with(|letter: char| letter.is_alphanumeric() || letter == '_');
            is_whole && line[at + name.len()..].trim_start().starts_with('(')
        })
}

fn begins_with_word(line: &str, word: &str) -> bool {
    line.strip_prefix(word)
        .is_some_and(|rest| !rest.starts_with(|letter: char| letter.is_alphanumeric() || letter == '_'))
}

/// Whether two columns of a line are in the same expression without operators, such as `table[index].member`.
pub fn is_same_operand(line: &str, first: u32, second: u32) -> bool {
    let (from, to) = (first.min(second).saturating_sub(1) as usize, first.max(second).saturating_sub(1) as usize);
    let Some(between) = line.get(from..to.min(line.len())) else { return true };
    let mut depth = 0;
    let mut before = ' ';
    for letter in between.chars() {
        match letter {
            '[' | '(' => depth += 1,
            // The first of both is inside of the other.
            ']' | ')' if depth == 0 => return false,
            ']' | ')' => depth -= 1,
            '>' if before == '-' => {}
            '-' => {}
            '+' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>' | '=' | '!' | '?' | ':' | ',' | ';' if depth == 0 => {
                return false;
            }
            _ if before == '-' && depth == 0 => return false,
            _ => {}
        }
        before = letter;
    }
    depth == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "static int half(int n);\n\nint half(int n) {\n  int a = 8 / n;\n  if (half(n - 1))\n    n--;\n\ta = a / n;\n  a = a / n;\nout:\n  return a;\n}\n\nint third(int n) {\n  int a = 8 / n;\n}\n";

    fn anchor(source: &str, line: u32, function: &str) -> Option<Anchor> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.c");
        std::fs::write(&path, source).unwrap();
        Sources::default().anchor(path.to_str().unwrap(), line, Some(9), Some(function))
    }

    #[test]
    fn an_anchor_stays_when_lines_move() {
        let moved = format!("// One more line.\nint a = 8 / n;\n{SOURCE}");
        for (line, function) in [(4, "half"), (7, "half"), (8, "half"), (14, "third")] {
            let before = anchor(SOURCE, line, function);
            assert!(before.is_some());
            assert_eq!(before, anchor(&moved, line + 2, function));
        }
    }

    #[test]
    fn the_same_line_twice_in_a_function_is_two_places() {
        let [first, second] = [7, 8].map(|line| anchor(SOURCE, line, "half").unwrap());
        assert_eq!((first.text.as_str(), first.ordinal, second.ordinal), ("a = a / n;", 0, 1));
        // A tab is one column, as two spaces are two.
        assert_eq!((first.column, second.column), (8, 7));
    }

    #[test]
    fn where_nothing_is_there_is_no_anchor() {
        assert_eq!(anchor(SOURCE, 2, "half"), None);
        assert_eq!(anchor(SOURCE, 99, "half"), None);
        assert_eq!(anchor(SOURCE, 0, "half"), None);
        assert_eq!(Sources::default().anchor("x.c", 1, None, None), None);
    }

    #[test]
    fn an_operand_ends_at_an_operator() {
        let line = "s->v[i + 1].x = t[j].y + w[k];";
        let column = |text: &str| line.find(text).unwrap() as u32 + 1;
        assert!(is_same_operand(line, column("s->"), column("= t")));
        assert!(is_same_operand(line, column("t[j"), column("y +")));
        assert!(!is_same_operand(line, column("t[j"), column("w[k")));
        assert!(!is_same_operand(line, column("i + 1"), column("x =")));
    }
}
