//! The hashes of the files of a cache entry.
//!
//! A program of the cache judges others: one with a changed byte finds what is not there. So each entry has a list of its
//! files with their hashes, which is checked when a command first uses the entry.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The list, in its entry. It does not list itself.
const SUMS: &str = ".byway-sums";

type Sums = BTreeMap<String, String>;

/// Writes the list of an entry that is complete.
pub fn write(entry: &Path) -> io::Result<()> {
    let mut sums = Sums::new();
    add(entry, "", &mut sums)?;
    fs::write(entry.join(SUMS), serde_json::to_vec(&sums).expect("names and hashes are plain data"))
}

/// Whether everything in an entry is as it was written, and nothing else is there.
pub fn hold(entry: &Path) -> bool {
    let read = || -> io::Result<bool> {
        let listed: Sums = serde_json::from_slice(&byway_file::read(&entry.join(SUMS), byway_file::DESCRIPTION)?)?;
        let mut there = Sums::new();
        add(entry, "", &mut there)?;
        Ok(listed == there)
    };
    read().unwrap_or(false)
}

fn add(directory: &Path, prefix: &str, sums: &mut Sums) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        match entry.file_type()? {
            kind if kind.is_dir() => add(&entry.path(), &format!("{name}/"), sums)?,
            _ if name == SUMS => {}
            _ => {
                let content = byway_file::read(&entry.path(), byway_file::PROGRAM)?;
                sums.insert(name, blake3::hash(&content).to_hex().to_string());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_any_kind_is_noticed() {
        let directory = tempfile::tempdir().unwrap();
        let entry = directory.path();
        fs::create_dir(entry.join("lib")).unwrap();
        fs::write(entry.join("program"), "code").unwrap();
        fs::write(entry.join("lib/library"), "more code").unwrap();
        assert!(!hold(entry));
        write(entry).unwrap();
        assert!(hold(entry));
        fs::write(entry.join("lib/library"), "more cope").unwrap();
        assert!(!hold(entry));
        fs::write(entry.join("lib/library"), "more code").unwrap();
        fs::write(entry.join("lib/another"), "").unwrap();
        assert!(!hold(entry));
        fs::remove_file(entry.join("lib/another")).unwrap();
        fs::remove_file(entry.join("program")).unwrap();
        assert!(!hold(entry));
        fs::write(entry.join("program"), "code").unwrap();
        assert!(hold(entry));
        fs::write(entry.join(SUMS), "{").unwrap();
        assert!(!hold(entry));
    }
}
