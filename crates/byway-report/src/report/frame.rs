//! One line of a stack.

use crate::finding::Frame;

/// Names of the C library under which the sanitizers put functions of their own into the program.
const INTERCEPTED: [&str; 34] = [
    "malloc",
    "calloc",
    "realloc",
    "free",
    "memcpy",
    "memmove",
    "memset",
    "memcmp",
    "memchr",
    "strcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "strchr",
    "strrchr",
    "strstr",
    "strdup",
    "strndup",
    "strtol",
    "strtoll",
    "atoi",
    "atol",
    "atoll",
    "qsort",
    "qsort_r",
    "printf",
    "read",
    "abort",
];
/// How the names of the sanitizers' own functions begin.
const SANITIZERS: [&str; 6] = ["__asan", "__ubsan", "__sanitizer", "__interceptor", "___interceptor", "printf_common"];

/// Reads `#1 0x55e0 in main /src/x.c:6:73 <module>`; the module is there only if it was asked for.
pub fn read(line: &str) -> Option<Frame> {
    let (number, rest) = line.trim().strip_prefix('#')?.split_once(' ')?;
    number.parse::<u32>().ok()?;
    let rest = rest.trim_start().strip_prefix("0x")?;
    let rest = rest.trim_start_matches(|digit: char| digit.is_ascii_hexdigit()).trim();
    let (rest, module) = split_module(rest);
    let mut frame = match rest.strip_prefix("in ") {
        Some(rest) => with_function(rest),
        None => Frame::default(),
    };
    frame.module = module.or_else(|| offset_module(rest)).map(str::to_owned);
    Some(frame)
}

fn split_module(rest: &str) -> (&str, Option<&str>) {
    let split = rest.strip_suffix('>').and_then(|rest| rest.rsplit_once('<'));
    match split {
        Some((before, module)) => (before.trim_end(), Some(module).filter(|module| !module.is_empty())),
        None => (rest, None),
    }
}

/// The module of `(module+0x1234) (BuildId: 12)`, which stands where there is no source.
fn offset_module(rest: &str) -> Option<&str> {
    let (before, _) = rest.rsplit_once("+0x")?;
    before.rsplit_once('(').map(|split| split.1)
}

fn with_function(rest: &str) -> Frame {
    let (function, place) = split_function(rest);
    let mut frame = Frame { function: Some(function.to_owned()), ..Frame::default() };
    if place.starts_with('(') {
        return frame;
    }
    let (file, line, column) = split_place(place);
    (frame.file, frame.line, frame.column) = (Some(tidy(file)).filter(|file| !file.is_empty()), line, column);
    frame
}

/// Function and place are apart by a space, but names of C++ have spaces within their brackets.
fn split_function(rest: &str) -> (&str, &str) {
    let mut depth = 0;
    let mut end = rest.len();
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' | '<' => depth += 1,
            ')' | '>' => depth -= 1,
            ' ' if depth == 0 && !rest[..at].ends_with("operator") && !rest[at..].starts_with(" const ") => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    match rest.rsplit_once(" /") {
        // Operators of C++ can be brackets themselves.
        Some((function, place)) if end == rest.len() => (function, &rest[rest.len() - place.len() - 1..]),
        _ => (&rest[..end], rest[end..].trim_start()),
    }
}

/// Splits `file:line:column`; column, or both, may be missing.
pub fn split_place(place: &str) -> (&str, Option<u32>, Option<u32>) {
    let number = |text: &'_ str| -> Option<(usize, u32)> {
        let (before, digits) = text.rsplit_once(':')?;
        Some((before.len(), digits.parse().ok()?))
    };
    let Some((first_end, last)) = number(place) else { return (place, None, None) };
    match number(&place[..first_end]) {
        Some((end, line)) => (&place[..end], Some(line), Some(last)),
        None => (&place[..first_end], Some(last), None),
    }
}

/// One name for one file: `/src/lib/../x.c` is `/src/x.c`.
pub fn tidy(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|last| !last.is_empty() && *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a frame without source may be the program's own.
pub fn may_be_own(frame: &Frame) -> bool {
    let Some(name) = frame.function.as_deref() else { return false };
    let is_sanitizer = SANITIZERS.iter().any(|prefix| name.starts_with(prefix));
    !frame.is_in_system_module() && !INTERCEPTED.contains(&name) && !is_sanitizer
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(line: &str) -> String {
        let frame = read(line).unwrap();
        let text = |text: &Option<String>| text.clone().unwrap_or("-".to_owned());
        format!("{}|{}|{:?}|{}", text(&frame.function), text(&frame.file), frame.line, text(&frame.module))
    }

    #[test]
    fn frames_have_source_or_module() {
        assert_eq!(shown("    #0 0x5f in get /src/a b.c:5:41"), "get|/src/a b.c|Some(5)|-");
        assert_eq!(shown("    #0 0x5f in get /src/x.c:5 </bin/x>"), "get|/src/x.c|Some(5)|/bin/x");
        assert_eq!(shown("#12 0x5f in free (/src/x+0xcb) (BuildId: 79) </src/x>"), "free|-|None|/src/x");
        assert_eq!(shown("#12 0x5f in free (/src/x+0xcb) (BuildId: 79)"), "free|-|None|/src/x");
        assert_eq!(shown("    #1 0x7f  (/src/x+0x12)"), "-|-|None|/src/x");
        assert_eq!(shown("    #1 0x7f  (<unknown module>)"), "-|-|None|-");
    }

    #[test]
    fn names_of_cpp_have_spaces() {
        let line = "#0 0x5 in ns::f(int, std::pair<int, char const*>) const /src/x.cc:1:2";
        assert_eq!(shown(line), "ns::f(int, std::pair<int, char const*>) const|/src/x.cc|Some(1)|-");
        assert_eq!(shown("#0 0x5 in operator<(A, A) /src/x.cc:1"), "operator<(A, A)|/src/x.cc|Some(1)|-");
        assert_eq!(
            shown("#0 0x5 in operator new(unsigned long) /src/x.cc:1"),
            "operator new(unsigned long)|/src/x.cc|Some(1)|-"
        );
    }

    #[test]
    fn other_lines_are_no_frames() {
        for line in ["", "#", "#x 0x1 in f", "READ of size 1", "#1 in main", "# 0x1"] {
            assert_eq!(read(line), None, "{line}");
        }
    }

    #[test]
    fn paths_are_tidy() {
        assert_eq!(tidy("/src/lib/../x.c"), "/src/x.c");
        assert_eq!(tidy("./src//x.c"), "src/x.c");
        assert_eq!(tidy("../../x.c"), "../../x.c");
    }
}
