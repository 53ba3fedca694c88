//! Bytes as words of a shell.

/// Bytes that can stand in a script as they are.
pub fn readable(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok().filter(|text| !text.chars().any(char::is_control))
}

/// Text as a word of any POSIX shell.
pub fn literal(text: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-+=./:,@%".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) && !text.contains('=') {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A format of `printf` that prints these bytes. The first is never a plain `-`, which would begin an option.
pub fn octal(bytes: &[u8]) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b" _+=./:,@".contains(&byte);
    let mut format = String::new();
    for (index, &byte) in bytes.iter().enumerate() {
        match byte {
            byte if is_plain(byte) || (byte == b'-' && index > 0) => format.push(char::from(byte)),
            byte => format.push_str(&format!("\\{byte:03o}")),
        }
    }
    format
}

/// Lines that set a variable to any bytes but zero.
pub fn assign(name: &str, bytes: &[u8]) -> Vec<String> {
    match readable(bytes) {
        Some(text) => vec![format!("{name}={}", literal(text))],
        None => {
            // A substitution drops newlines at its end, so they stand behind it. Cutting off another character there would
            // be left to the shell's idea of letters, which goes wrong with bytes that are none.
            let end = bytes.iter().rposition(|&byte| byte != b'\n').map_or(0, |last| last + 1);
            let newlines = "\n".repeat(bytes.len() - end);
            vec![format!("{name}=$(printf '{}')'{newlines}'", octal(&bytes[..end]))]
        }
    }
}

/// Bytes as a word for people: as they would type it, with `$'\x1b'` where it cannot be typed. Nothing of it reaches the
/// terminal as it is.
pub fn shown(bytes: &[u8]) -> String {
    match readable(bytes) {
        Some(text) => literal(text),
        None => format!("$'{}'", bytes.escape_ascii().to_string().replace("\\\"", "\"")),
    }
}

/// A command line for people.
pub fn command<'a>(words: impl IntoIterator<Item = &'a [u8]>) -> String {
    words.into_iter().map(shown).collect::<Vec<String>>().join(" ")
}

/// Bytes as text in which nothing but text is left.
pub fn printable(bytes: &[u8]) -> String {
    match readable(bytes) {
        Some(text) => text.to_owned(),
        None => bytes.escape_ascii().to_string(),
    }
}
