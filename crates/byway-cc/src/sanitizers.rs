//! The sanitizers that a user's command line asks for.
//!
//! AddressSanitizer and what `undefined` stands for are in the `asan` variant in any case, and not in the others. A check of
//! UndefinedBehaviorSanitizer's that is named itself, or that belongs to another of its groups, is a part of the program as
//! it was built: it is in the bitcode, and in all variants, where its failure is a branch like any other.

use crate::command_line::{CommandLine, Role};

/// The checks of UndefinedBehaviorSanitizer that can be named, and its groups apart from `undefined`.
#[rustfmt::skip]
const CHECKS: &[&str] = &[
    "alignment", "array-bounds", "bool", "bounds", "builtin", "enum", "float-cast-overflow", "float-divide-by-zero", "implicit-conversion",
    "implicit-bitfield-conversion", "implicit-integer-arithmetic-value-change", "implicit-integer-conversion", "implicit-integer-sign-change",
    "implicit-integer-truncation", "implicit-signed-integer-truncation", "implicit-unsigned-integer-truncation", "integer",
    "integer-divide-by-zero", "local-bounds", "nonnull-attribute", "null", "nullability", "nullability-arg", "nullability-assign",
    "nullability-return", "object-size", "pointer-overflow", "return", "returns-nonnull-attribute", "shift", "shift-base",
    "shift-exponent", "signed-integer-overflow", "unreachable", "unsigned-integer-overflow", "unsigned-shift-base", "vla-bound",
];
/// What the `asan` variant has in any case.
const IN_ASAN: [&str; 3] = ["address", "undefined", "leak"];

/// The flags for the checks that are a part of the program; none if there are none.
pub fn checks(command_line: &CommandLine) -> Vec<String> {
    let kept: Vec<String> = words(command_line).filter_map(kept).collect();
    let any = kept.iter().any(|word| word.starts_with("-fsanitize="));
    if any { kept } else { Vec::new() }
}

/// What the user's build keeps sanitizers from looking at: the `asan` variant holds to it. A check that is named again later counts.
pub fn exceptions(command_line: &CommandLine) -> Vec<String> {
    let (mut off, mut lists): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
    for word in words(command_line) {
        let Some((option, names)) = word.split_once('=') else { continue };
        let mut names = names.split(',');
        match option {
            "-fno-sanitize" => off.extend(names),
            "-fsanitize" if names.clone().any(|name| ["all", "undefined"].contains(&name)) => {
                off.retain(|name| ["address"].contains(name) && !names.clone().any(|on| on == "address"));
            }
            "-fsanitize" => off.retain(|name| !names.any(|on| on == *name)),
            "-fsanitize-ignorelist" | "-fsanitize-blacklist" => lists.push(word.to_owned()),
            _ => {}
        }
    }
    let off = (!off.is_empty()).then(|| format!("-fno-sanitize={}", off.join(",")));
    lists.into_iter().chain(off).collect()
}

/// What is to be said of sanitizers that are no part of the program's variants.
pub fn notes(command_line: &CommandLine) -> Vec<String> {
    let asked = words(command_line).filter_map(|word| word.strip_prefix("-fsanitize="));
    let names = asked.flat_map(|list| list.split(',')).filter(|name| !CHECKS.contains(name));
    let note = |name: &str| match IN_ASAN.contains(&name) {
        true => format!("-fsanitize={name} is in the asan variant only"),
        false => format!("-fsanitize={name} is in no variant"),
    };
    let mut notes: Vec<String> = names.map(note).collect();
    notes.dedup();
    notes
}

fn words(command_line: &CommandLine) -> impl Iterator<Item = &str> {
    let sanitizers = command_line.arguments.iter().filter(|argument| argument.role == Role::Sanitizer);
    sanitizers.map(|argument| argument.words[0].as_str())
}

/// A flag with those of its checks that are kept.
fn kept(word: &str) -> Option<String> {
    const LISTS: [&str; 4] = ["-fsanitize", "-fno-sanitize", "-fsanitize-trap", "-fno-sanitize-trap"];
    const RECOVERY: [&str; 2] = ["-fsanitize-recover", "-fno-sanitize-recover"];
    let (option, list) = word.split_once('=').unwrap_or((word, "all"));
    if !LISTS.contains(&option) && !RECOVERY.contains(&option) {
        return None;
    }
    let names: Vec<&str> = list.split(',').filter(|name| CHECKS.contains(name) || is_all(option, name)).collect();
    (!names.is_empty()).then(|| format!("{option}={}", names.join(",")))
}

/// Whether an option that says how failures go means all checks.
fn is_all(option: &str, name: &str) -> bool {
    !option.ends_with("sanitize") && ["all", "undefined"].contains(&name)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::*;

    fn parse(text: &str) -> CommandLine {
        CommandLine::parse(&text.split_whitespace().map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn checks_that_are_named_stay() {
        let text =
            "-c a.c -fsanitize=address,bool -fsanitize=undefined -fno-sanitize-recover=all -fsanitize-coverage=edge";
        assert_eq!(checks(&parse(text)), ["-fsanitize=bool", "-fno-sanitize-recover=all"]);
        let text = "-c a.c -fsanitize=integer -fno-sanitize=shift,address -fsanitize-trap";
        assert_eq!(checks(&parse(text)), ["-fsanitize=integer", "-fno-sanitize=shift", "-fsanitize-trap=all"]);
        assert!(checks(&parse("-c a.c -fsanitize=address,undefined -fsanitize-recover=all")).is_empty());
    }

    #[test]
    fn what_the_build_excepts_is_excepted_unless_it_is_named_again() {
        let of = |text: &str| exceptions(&parse(&format!("-c a.c {text}")));
        assert_eq!(of("-fno-sanitize=shift,null"), ["-fno-sanitize=shift,null"]);
        assert_eq!(of("-fsanitize=undefined -fno-sanitize=shift"), ["-fno-sanitize=shift"]);
        assert!(of("-fno-sanitize=shift -fsanitize=undefined").is_empty());
        assert!(of("-fno-sanitize=shift -fsanitize=shift").is_empty());
        assert_eq!(
            of("-fno-sanitize=all -fsanitize-ignorelist=l.txt"),
            ["-fsanitize-ignorelist=l.txt", "-fno-sanitize=all"]
        );
    }

    #[test]
    fn what_the_variants_have_or_not_is_said() {
        let said = notes(&parse("-c a.c -fsanitize=address,bool,thread"));
        assert_eq!(said, ["-fsanitize=address is in the asan variant only", "-fsanitize=thread is in no variant"]);
    }
}
