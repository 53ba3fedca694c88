//! The list of dependencies that clang writes for `make`.

/// The prerequisites of the first rule.
pub fn prerequisites(text: &str) -> Vec<String> {
    let Some((_target, text)) = text.split_once(": ") else { return Vec::new() };
    let mut paths = Vec::new();
    let mut path = String::new();
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, characters.peek()) {
            ('\\', Some('\n')) => {
                characters.next();
            }
            ('\\', Some(' ' | '#')) | ('$', Some('$')) => path.extend(characters.next()),
            (' ' | '\n', _) => paths.extend(Some(std::mem::take(&mut path)).filter(|path| !path.is_empty())),
            _ => path.push(character),
        }
    }
    paths.extend(Some(path).filter(|path| !path.is_empty()));
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_odd_characters_are_read_back() {
        let text = "a.o: a.c /usr/include/stdio.h \\\n  with\\ space.h d$$.h h\\#.h \\\n  back\\slash.h\n";
        let expected = ["a.c", "/usr/include/stdio.h", "with space.h", "d$.h", "h#.h", "back\\slash.h"];
        assert_eq!(prerequisites(text), expected);
    }
}
