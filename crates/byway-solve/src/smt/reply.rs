//! What solvers reply.

use crate::pool::Var;

/// The reply to `(check-sat)`, if a line is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Sat,
    Unsat,
    Unknown,
    Timeout,
}

/// What a line means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    Verdict(Verdict),
    /// Nothing to do with the query.
    Remark,
    /// An error, or what no solver says.
    Nonsense,
}

/// What a line before the verdict means.
pub fn verdict(line: &str) -> Reply {
    match line.trim() {
        "sat" => Reply::Verdict(Verdict::Sat),
        "unsat" => Reply::Verdict(Verdict::Unsat),
        "unknown" => Reply::Verdict(Verdict::Unknown),
        "timeout" => Reply::Verdict(Verdict::Timeout),
        "" | "success" | "unsupported" => Reply::Remark,
        comment if comment.starts_with(';') => Reply::Remark,
        _ => Reply::Nonsense,
    }
}

/// The words and parentheses of a text.
fn tokens(text: &str) -> Vec<String> {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    spaced.split_whitespace().map(str::to_owned).collect()
}

/// Whether as many parentheses are closed as are opened.
pub fn is_complete(text: &str) -> bool {
    let count = |wanted: char| text.chars().filter(|&c| c == wanted).count();
    !text.trim().is_empty() && count('(') == count(')')
}

/// The bytes in a reply to `(get-value ...)`: `((b1 #x41) (b2 (_ bv66 8)) ...)`.
pub fn bytes(text: &str) -> Option<Vec<(Var, u8)>> {
    let tokens = tokens(text);
    let words: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let mut rest = words.strip_prefix(&["("])?.strip_suffix(&[")"])?;
    let mut bytes = Vec::new();
    while !rest.is_empty() {
        let (name, value, more) = match rest {
            ["(", name, "(", "_", value, "8", ")", ")", more @ ..] => {
                (name, value.strip_prefix("bv")?.parse().ok()?, more)
            }
            ["(", name, value, ")", more @ ..] => (name, byte(value)?, more),
            _ => return None,
        };
        bytes.push((Var(name.strip_prefix('b')?.parse().ok()?), value));
        rest = more;
    }
    Some(bytes)
}

fn byte(text: &str) -> Option<u8> {
    match (text.strip_prefix("#x"), text.strip_prefix("#b")) {
        (Some(digits), _) => u8::from_str_radix(digits, 16).ok(),
        (_, Some(digits)) => u8::from_str_radix(digits, 2).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_in_all_their_forms() {
        let text = "((b1 #x41)\n (b2 #b01000010) (b30 (_ bv67 8)))";
        assert_eq!(bytes(text), Some(vec![(Var(1), 0x41), (Var(2), 0x42), (Var(30), 67)]));
        assert_eq!(bytes("()"), Some(Vec::new()));
    }

    #[test]
    fn what_is_not_a_value_is_not_read() {
        for text in
            ["", "sat", "((b1 #x411))", "((b1 #xzz))", "((b1 (_ bv256 8)))", "((x1 #x41))", "((b1 #x41)", "(b1)"]
        {
            assert_eq!(bytes(text), None, "{text}");
        }
        assert!(is_complete("((b1 #x41))") && !is_complete("((b1 #x41)") && !is_complete(" "));
    }

    #[test]
    fn remarks_are_passed_over() {
        for line in ["", "success", "unsupported", "; ignoring"] {
            assert_eq!(verdict(line), Reply::Remark);
        }
        assert_eq!(verdict("(error \"line 1\")"), Reply::Nonsense);
        assert_eq!(verdict("unsat\r"), Reply::Verdict(Verdict::Unsat));
    }
}
