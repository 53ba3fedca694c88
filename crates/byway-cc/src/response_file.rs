//! `@file` arguments, as GNU tools and clang read them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Nested deeper than this, a response file surely names itself.
const MAX_DEPTH: usize = 16;

/// The arguments with every readable `@file` replaced by its content.
pub fn expand(arguments: Vec<String>) -> Vec<String> {
    expand_to_depth(arguments, MAX_DEPTH)
}

fn expand_to_depth(arguments: Vec<String>, depth: usize) -> Vec<String> {
    let mut expanded = Vec::with_capacity(arguments.len());
    for argument in arguments {
        let content = argument.strip_prefix('@').and_then(|path| std::fs::read(Path::new(path)).ok());
        match content {
            Some(content) if depth > 0 => {
                let words = tokenize(&String::from_utf8_lossy(&content));
                expanded.extend(expand_to_depth(words, depth - 1));
            }
            _ => expanded.push(argument),
        }
    }
    expanded
}

/// The arguments as the text of a response file.
pub fn write(arguments: &[impl AsRef<OsStr>]) -> Vec<u8> {
    let mut text = Vec::new();
    for argument in arguments {
        for &byte in argument.as_ref().as_bytes() {
            if byte.is_ascii_whitespace() || b"\\\"'".contains(&byte) {
                text.push(b'\\');
            }
            text.push(byte);
        }
        if argument.as_ref().is_empty() {
            text.extend_from_slice(b"\"\"");
        }
        text.push(b'\n');
    }
    text
}

/// GNU quoting: single and double quotes, and a backslash before any character.
fn tokenize(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut token: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, quote) {
            ('\\', _) => {
                if let Some(next) = characters.next() {
                    token.get_or_insert_default().push(next);
                }
            }
            (_, Some(open)) if character == open => quote = None,
            (_, Some(_)) => token.get_or_insert_default().push(character),
            ('"' | '\'', None) => {
                quote = Some(character);
                token.get_or_insert_default();
            }
            (_, None) if character.is_whitespace() => tokens.extend(token.take()),
            (_, None) => token.get_or_insert_default().push(character),
        }
    }
    tokens.extend(token);
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_are_read_as_gnu_tools_read_them() {
        let text = "-DA=\"b c\" 'it is' a\\ b\n\t\"\" -DQ=\\\"x\\\"";
        assert_eq!(tokenize(text), ["-DA=b c", "it is", "a b", "", "-DQ=\"x\""]);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let arguments = ["-DA=\"b c\"", "it's", "", "back\\slash", "line\nbreak"];
        assert_eq!(tokenize(&String::from_utf8(write(&arguments)).unwrap()), arguments);
    }

    #[test]
    fn files_may_name_files_and_a_missing_one_stays_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let inner = directory.path().join("inner");
        let outer = directory.path().join("outer");
        std::fs::write(&inner, "-c a.c").unwrap();
        std::fs::write(&outer, format!("-O2 @{}", inner.display())).unwrap();
        let arguments = vec![format!("@{}", outer.display()), "@missing".to_owned()];
        assert_eq!(expand(arguments), ["-O2", "-c", "a.c", "@missing"]);
    }

    #[test]
    fn a_file_that_names_itself_ends() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("self");
        let argument = format!("@{}", path.display());
        std::fs::write(&path, &argument).unwrap();
        assert_eq!(expand(vec![argument.clone()]), [argument]);
    }
}
