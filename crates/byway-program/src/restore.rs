//! The files that a program is linked from: those of its tree, or those that it was linked with when it was first seen.
//!
//! A tree belongs to the program that it would make: what lies where the program was linked has the program's content. If
//! something else lies there, the tree is that of another version, and what is kept of the program's own counts.

use std::path::{Path, PathBuf};

use byway_carrier::{Link, LinkItem};
use byway_snapshot::ProgramSnapshot;

/// Options of linkers whose value is a name or a place, and no file that they read.
const NOT_FILES: [&str; 9] =
    ["soname", "h", "rpath", "rpath-link", "dynamic-linker", "entry", "undefined", "wrap", "defsym"];

/// Whether the tree that a program was linked in is still that of this program, which lies at `path`.
pub fn is_of(link: &Link, path: &Path, program: &[u8]) -> bool {
    let Ok(output) = link.output.canonicalize() else { return false };
    let has_length = || output.metadata().is_ok_and(|data| data.len() == program.len() as u64);
    let has_content = || byway_file::read(&output, byway_file::PROGRAM).is_ok_and(|content| content == program);
    output == path || (has_length() && has_content())
}

/// Has a link use what is kept: the files of the tree, each with what is taken for it.
pub fn restore(link: &mut Link, snapshot: &ProgramSnapshot) -> Vec<(PathBuf, PathBuf)> {
    let mut replaced = Vec::new();
    let directory = link.directory.clone();
    let mut kept = |path: &Path| {
        let kept = snapshot.linked(path)?;
        replaced.push((path.to_owned(), kept.clone()));
        Some(kept)
    };
    for item in &mut link.items {
        match item {
            LinkItem::Plain { path, .. } | LinkItem::Reasoned(path) => {
                if let Some(kept) = kept(&directory.join(&*path)) {
                    *path = text(&kept);
                }
            }
            LinkItem::Archive { path, .. } | LinkItem::Shared { path, .. } => {
                if let Some(kept) = kept(path) {
                    *path = kept;
                }
            }
            LinkItem::Flag(words) | LinkItem::Linker(words) => {
                for (index, begin) in files_in(words) {
                    if let Some(kept) = kept(&directory.join(&words[index][begin..])) {
                        words[index].replace_range(begin.., &text(&kept));
                    }
                }
            }
            LinkItem::Source(_) | LinkItem::Carrying { .. } | LinkItem::Library(_) => {}
        }
    }
    replaced
}

/// The files besides its records that an item of a link depends on: objects without bitcode, libraries, and what flags name
/// (as version scripts).
pub fn files_of(link: &Link, item: &LinkItem) -> Vec<PathBuf> {
    match item {
        LinkItem::Plain { path, .. } | LinkItem::Reasoned(path) => vec![link.resolve(path)],
        LinkItem::Archive { path, .. } => vec![path.clone()],
        LinkItem::Flag(words) | LinkItem::Linker(words) => {
            let named = files_in(words).into_iter().map(|(index, begin)| link.resolve(&words[index][begin..]));
            named.filter(|path| path.is_file()).collect()
        }
        _ => Vec::new(),
    }
}

/// Where words may name a file: which word, and where in it.
fn files_in(words: &[String]) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    let mut before = "";
    for (index, word) in words.iter().enumerate() {
        let named = |option: &str| !NOT_FILES.contains(&option.trim_start_matches('-'));
        match word.split_once('=') {
            Some((option, _)) if word.starts_with('-') && named(option) => places.push((index, option.len() + 1)),
            None if word.starts_with("-T") && word.len() > 2 => places.push((index, 2)),
            None if !word.starts_with('-') && named(before) => places.push((index, 0)),
            _ => {}
        }
        before = word;
    }
    places
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
