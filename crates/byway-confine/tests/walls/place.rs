//! A directory for tests that is in no special place.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tempfile::TempDir;

/// A variable with a directory for the tests, instead of the one that cargo made.
pub const PLACE: &str = "BYWAY_WALLS_PLACE";

/// Places that are special in a sandbox: everybody may write there.
const SPECIAL: [&str; 3] = ["/tmp", "/var/tmp", "/dev"];

/// A directory that is in no special place, wherever this project lies.
pub fn place() -> PathBuf {
    static ELSEWHERE: OnceLock<TempDir> = OnceLock::new();
    let is_special = |path: &Path| {
        let path = path.canonicalize().unwrap();
        SPECIAL.iter().any(|special| path.starts_with(special))
    };
    let usual = std::env::var_os(PLACE).map_or(PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from);
    if !is_special(&usual) {
        return usual;
    }
    let make = || {
        let homes = [Some("/opt".into()), Some("/srv".into()), std::env::var_os("HOME")].into_iter().flatten();
        let mut homes = homes.map(PathBuf::from).filter(|home| home.is_dir() && !is_special(home));
        let made = homes.find_map(|home| TempDir::with_prefix_in("byway-walls-", home).ok());
        made.expect("a directory outside of /tmp in which we may write; name one with BYWAY_WALLS_PLACE")
    };
    ELSEWHERE.get_or_init(make).path().to_owned()
}

/// Removes what was made outside of this project. What is static is never dropped.
pub fn leave() {
    let path = place();
    if path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"byway-walls-")) {
        let _ = fs::remove_dir_all(path);
    }
}
