//! Any bytes in JSON.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Bytes that are mostly text. In JSON they are a string if they can be read as one, and `{"hex": "..."}` if not; nothing
/// is lost.
#[derive(Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Text(pub Vec<u8>);

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Encoded<S> {
    Text(S),
    Bytes { hex: String },
}

impl Text {
    /// As a name of a file.
    pub fn to_path(&self) -> PathBuf {
        PathBuf::from(self.to_os_string())
    }

    /// As the operating system has it.
    pub fn to_os_string(&self) -> OsString {
        OsString::from_vec(self.0.clone())
    }
}

impl From<&[u8]> for Text {
    fn from(bytes: &[u8]) -> Text {
        Text(bytes.to_vec())
    }
}

impl From<&OsStr> for Text {
    fn from(text: &OsStr) -> Text {
        Text(text.as_bytes().to_vec())
    }
}

impl From<&Path> for Text {
    fn from(path: &Path) -> Text {
        Text::from(path.as_os_str())
    }
}

impl fmt::Debug for Text {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "\"{}\"", self.0.escape_ascii())
    }
}

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match readable(&self.0) {
            Some(text) => Encoded::Text(text).serialize(serializer),
            None => Encoded::<&str>::Bytes { hex: to_hex(&self.0) }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Text, D::Error> {
        match Encoded::<String>::deserialize(deserializer)? {
            Encoded::Text(text) => Ok(Text(text.into_bytes())),
            Encoded::Bytes { hex } => {
                from_hex(&hex).map(Text).ok_or_else(|| D::Error::custom("not hexadecimal digits"))
            }
        }
    }
}

/// UTF-8, without control characters but for those that text has.
fn readable(bytes: &[u8]) -> Option<&str> {
    let is_fine = |letter: char| !letter.is_control() || "\n\r\t".contains(letter);
    std::str::from_utf8(bytes).ok().filter(|text| text.chars().all(is_fine))
}

/// As hexadecimal digits.
pub fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Back from hexadecimal digits.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_readable() {
        assert_eq!(serde_json::to_string(&Text(b"-c3-5,\n".to_vec())).unwrap(), r#""-c3-5,\n""#);
        assert_eq!(serde_json::to_string(&Text(vec![b'a', 0xff])).unwrap(), r#"{"hex":"61ff"}"#);
        assert_eq!(serde_json::to_string(&Text(vec![1, 0])).unwrap(), r#"{"hex":"0100"}"#);
    }

    #[test]
    fn half_a_byte_is_refused() {
        assert!(serde_json::from_str::<Text>(r#"{"hex":"61f"}"#).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_come_back(bytes: Vec<u8>) {
            let text = Text(bytes);
            let json = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(serde_json::from_str::<Text>(&json).unwrap(), text);
        }
    }
}
