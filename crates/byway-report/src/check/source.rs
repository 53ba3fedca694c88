//! Lines of source, to be shown.

use std::path::{Path, PathBuf};

use crate::finding::{Finding, Frame, ObjectUse};

/// A place in the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceSpot {
    /// The file, as the debug information has it.
    pub file: PathBuf,
    /// The line.
    pub line: u32,
    /// The column.
    pub column: Option<u32>,
    /// The function.
    pub function: Option<String>,
}

impl SourceSpot {
    /// Where a finding is.
    pub fn of_finding(finding: &Finding) -> Option<SourceSpot> {
        let (file, line) = (finding.file.as_ref()?, finding.line.filter(|&line| line > 0)?);
        Some(SourceSpot { file: file.into(), line, column: finding.column, function: finding.function.clone() })
    }

    /// Where a call is.
    pub fn of_frame(frame: &Frame) -> Option<SourceSpot> {
        let (file, line) = (frame.file.as_ref()?, frame.line.filter(|&line| line > 0)?);
        Some(SourceSpot { file: file.into(), line, column: frame.column, function: frame.function.clone() })
    }

    /// Where an object is used.
    pub fn of_use(place: &ObjectUse) -> Option<SourceSpot> {
        let (file, line) = (place.file.as_ref()?, place.line.filter(|&line| line > 0)?);
        Some(SourceSpot { file: file.into(), line, column: place.column, function: place.function.clone() })
    }

    /// The first of these calls that is in the program's own sources.
    pub fn of_stack(stack: &[Frame]) -> Option<SourceSpot> {
        stack.iter().filter(|frame| frame.is_own()).find_map(SourceSpot::of_frame)
    }

    /// The file, from `root` on if it is below it.
    pub fn named_from(&self, root: &Path) -> &Path {
        self.file.strip_prefix(root).unwrap_or(&self.file)
    }

    /// `cut.c:267:5 in set_fields`.
    pub fn described_from(&self, root: &Path) -> String {
        let column = self.column.map(|column| format!(":{column}")).unwrap_or_default();
        let function = self.function.as_deref().map(|name| format!(" in {name}")).unwrap_or_default();
        format!("{}:{}{column}{function}", self.named_from(root).display(), self.line)
    }

    /// The line of source, if it is there to be read.
    pub fn text(&self, root: &Path) -> Option<String> {
        let source = byway_file::read(&root.join(&self.file), byway_file::INPUT).ok()?;
        let line = source.split(|&byte| byte == b'\n').nth(self.line as usize - 1)?;
        Some(String::from_utf8_lossy(line).trim_end().to_owned()).filter(|line| !line.is_empty())
    }

    /// The column in letters; compilers count bytes.
    pub fn column_in(&self, text: Option<&str>) -> Option<u32> {
        let column = self.column.filter(|&column| column > 0)?;
        let before = text.and_then(|text| text.as_bytes().get(..column as usize - 1));
        let letters = before.map(|bytes| String::from_utf8_lossy(bytes).chars().count() as u32);
        Some(letters.map_or(column, |letters| letters + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_letters() {
        let spot = |column: u32| SourceSpot { file: "x.c".into(), line: 1, column: Some(column), function: None };
        let text = Some("\"\u{e4}\" + x");
        assert_eq!(
            [spot(1), spot(6), spot(99), spot(0)].map(|spot| spot.column_in(text)),
            [Some(1), Some(5), Some(99), None]
        );
        assert_eq!(spot(6).column_in(None), Some(6));
    }
}
