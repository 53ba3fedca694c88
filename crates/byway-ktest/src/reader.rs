//! Reading numbers and texts of a file, none of which can be trusted.

use crate::error::KTestError;

/// A place in a file.
pub struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub fn new(bytes: &'a [u8], at: usize) -> Self {
        Reader { bytes, at }
    }

    /// How many bytes follow.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], KTestError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or(KTestError::End { what, at: self.bytes.len() })?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// Four bytes, the highest first.
    pub fn number(&mut self, what: &'static str) -> Result<u32, KTestError> {
        let bytes = self.take(4, what)?;
        Ok(u32::from_be_bytes(bytes.try_into().expect("four bytes were taken")))
    }

    /// A number, and as many bytes.
    pub fn text(&mut self, what: &'static str) -> Result<Vec<u8>, KTestError> {
        let length = self.number(what)?;
        Ok(self.take(length as usize, what)?.to_vec())
    }

    /// A number, and as many items. No memory is taken for items that are not there.
    pub fn list<T>(
        &mut self,
        what: &'static str,
        item: impl Fn(&mut Self, &'static str) -> Result<T, KTestError>,
    ) -> Result<Vec<T>, KTestError> {
        let count = self.number(what)?;
        (0..count).map(|_| item(self, what)).collect()
    }
}
