//! Which variables of a seed's environment are worth saying.
//!
//! Most of it is the user's own, and whoever runs the input again has one too; some of it nobody else should see. What a
//! test harness set is what differs from the environment in which byway runs. What is known to change what programs do
//! is always said, since it may differ on another machine. A harness that throws most of it away (`env -i`) wants an
//! environment of its own: then all of that is said, and there is nothing else.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// Variables with their values, and without one those that must not be there.
type Variables = Vec<(OsString, Option<OsString>)>;

/// What programs look at though nobody passes it on purpose.
const ALWAYS: [&str; 7] = ["LANG", "LANGUAGE", "TZ", "POSIXLY_CORRECT", "COLUMNS", "LINES", "TERM"];
/// What every shell, `make` and byway set for themselves.
const NEVER: [&str; 12] = [
    "_",
    "SHLVL",
    "PWD",
    "OLDPWD",
    "MAKEFLAGS",
    "MFLAGS",
    "MAKELEVEL",
    "MAKEOVERRIDES",
    "MAKE_TERMOUT",
    "MAKE_TERMERR",
    "ASAN_OPTIONS",
    "UBSAN_OPTIONS",
];

/// The variables to set, and those that must not be there; whether there is nothing else.
pub fn to_say(seed: &[(OsString, OsString)], own: &[(OsString, OsString)]) -> (Variables, bool) {
    let map = |all: &[(OsString, OsString)]| -> BTreeMap<OsString, OsString> { all.iter().cloned().collect() };
    let (seed, own) = (map(seed), map(own));
    let kept = own.keys().filter(|name| seed.contains_key(*name)).count();
    if kept < own.len() / 2 {
        let all = seed.into_iter().filter(|(name, _)| !is_never(name));
        return (all.map(|(name, value)| (name, Some(value))).collect(), true);
    }
    let always = ALWAYS.map(OsString::from);
    let mut names: Vec<&OsString> = seed.keys().chain(own.keys()).chain(&always).collect();
    names.sort();
    names.dedup();
    let is_said = |name: &OsStr| is_always(name) || seed.get(name) != own.get(name);
    let said = names.into_iter().filter(|name| !is_never(name) && is_said(name));
    (said.map(|name| (name.clone(), seed.get(name).cloned())).collect(), false)
}

fn is_always(name: &OsStr) -> bool {
    ALWAYS.iter().any(|always| name == *always) || name.as_encoded_bytes().starts_with(b"LC_")
}

/// Names that no shell can set are those of its own functions.
fn is_never(name: &OsStr) -> bool {
    let bytes = name.as_encoded_bytes();
    let is_name = bytes.iter().all(|&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_name = is_name && !bytes.is_empty() && !bytes[0].is_ascii_digit();
    !is_name || NEVER.iter().any(|never| name == *never) || bytes.starts_with(b"BYWAY_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(all: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        all.iter().map(|(name, value)| (name.into(), value.into())).collect()
    }

    #[test]
    fn what_the_harness_set_is_said_and_what_the_user_has_is_not() {
        let own = variables(&[("HOME", "/home/me"), ("TOKEN", "secret"), ("LC_ALL", "C"), ("EDITOR", "vi")]);
        let seed =
            [("HOME", "/home/me"), ("TOKEN", "secret"), ("LC_ALL", "C"), ("srcdir", "."), ("PWD", "/x"), ("f%%", "()")];
        let (said, is_all) = to_say(&variables(&seed), &own);
        assert!(!is_all);
        let shown: Vec<String> = said
            .iter()
            .filter_map(|(name, value)| Some(format!("{}={}", name.to_str()?, value.as_ref()?.to_str()?)))
            .collect();
        assert_eq!(shown, ["LC_ALL=C", "srcdir=."]);
        let unset: Vec<&OsString> = said.iter().filter(|(_, value)| value.is_none()).map(|(name, _)| name).collect();
        assert_eq!(unset, ["COLUMNS", "EDITOR", "LANG", "LANGUAGE", "LINES", "POSIXLY_CORRECT", "TERM", "TZ"]);
    }

    #[test]
    fn an_environment_of_its_own_is_said_as_a_whole() {
        let own = variables(&[("HOME", "/home/me"), ("TOKEN", "secret"), ("EDITOR", "vi"), ("PATH", "/bin")]);
        let (said, is_all) = to_say(&variables(&[("PATH", "/bin"), ("_", "/bin/x")]), &own);
        assert_eq!((said, is_all), (vec![("PATH".into(), Some("/bin".into()))], true));
    }
}
