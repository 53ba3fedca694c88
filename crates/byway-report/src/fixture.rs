//! What surrounds a run of a test suite, and how it is set up elsewhere.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

use byway_input::Fixture;
use serde::{Deserialize, Serialize};

use crate::check::environment;
use crate::text::Text;

/// What surrounds a run besides its input, as a test suite had it. The paths of its files are absolute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoredFixture {
    /// The name that the program is called by.
    pub name: Vec<u8>,
    /// The working directory.
    pub directory: PathBuf,
    /// Variables of the environment, and those that must not be there.
    pub variables: Vec<(OsString, Option<OsString>)>,
    /// Whether these are all there are. If not, the others are up to the user.
    pub is_all: bool,
    /// Directories that are there, whatever is in them.
    pub directories: Vec<PathBuf>,
    /// Symbolic links, and where they lead.
    pub links: Vec<(PathBuf, PathBuf)>,
}

impl StoredFixture {
    /// What surrounds an input, for somebody with an environment of their own.
    pub fn around(fixture: &Fixture, own: &[(OsString, OsString)]) -> StoredFixture {
        let (variables, is_all) = environment::to_say(&fixture.environment, own);
        StoredFixture {
            name: fixture.name.as_ref().map(|name| name.as_bytes().to_vec()).unwrap_or_default(),
            directory: fixture.directory.clone().unwrap_or_else(|| PathBuf::from("/")),
            variables,
            is_all,
            directories: fixture.directories.clone(),
            links: fixture.links.clone(),
        }
    }
}

/// A fixture in `test.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct FixtureRecord {
    name: Text,
    directory: Text,
    variables: Vec<(Text, Option<Text>)>,
    is_all: bool,
    directories: Vec<Text>,
    links: Vec<(Text, Text)>,
}

impl From<&StoredFixture> for FixtureRecord {
    fn from(fixture: &StoredFixture) -> FixtureRecord {
        let text = |path: &PathBuf| Text::from(path.as_path());
        let value = |value: &OsString| Text::from(value.as_os_str());
        let variable = |(name, set): &(OsString, Option<OsString>)| (value(name), set.as_ref().map(value));
        FixtureRecord {
            name: Text(fixture.name.clone()),
            directory: text(&fixture.directory),
            variables: fixture.variables.iter().map(variable).collect(),
            is_all: fixture.is_all,
            directories: fixture.directories.iter().map(text).collect(),
            links: fixture.links.iter().map(|(path, target)| (text(path), text(target))).collect(),
        }
    }
}

impl From<&FixtureRecord> for StoredFixture {
    fn from(record: &FixtureRecord) -> StoredFixture {
        let variable = |(name, set): &(Text, Option<Text>)| (name.to_os_string(), set.as_ref().map(Text::to_os_string));
        StoredFixture {
            name: record.name.0.clone(),
            directory: record.directory.to_path(),
            variables: record.variables.iter().map(variable).collect(),
            is_all: record.is_all,
            directories: record.directories.iter().map(Text::to_path).collect(),
            links: record.links.iter().map(|(path, target)| (path.to_path(), target.to_path())).collect(),
        }
    }
}

/// The part of the file system that a fixture needs, which can be set up in any place: all below one directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// The directory that all is below.
    base: PathBuf,
    /// What may be named by an absolute path, longest first.
    known: Vec<PathBuf>,
    links: Vec<(PathBuf, PathBuf)>,
}

/// A part of a text that may name files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Piece<'a> {
    /// As it is.
    Text(&'a [u8]),
    /// A path, from the tree's directory on: empty, or with a slash first.
    Below(&'a [u8]),
}

impl Tree {
    /// The tree of a fixture with these files.
    pub fn new<'a>(fixture: &StoredFixture, files: impl IntoIterator<Item = &'a Path>) -> Tree {
        let mut tree = Tree { base: PathBuf::new(), known: Vec::new(), links: fixture.links.clone() };
        let directory = tree.resolve(&fixture.directory);
        let mut base = directory.clone();
        let mut known = vec![fixture.directory.clone(), directory];
        let files: Vec<PathBuf> = files.into_iter().map(|path| fixture.directory.join(path)).collect();
        let in_directories = files.iter().chain(fixture.links.iter().map(|(path, _)| path));
        let directories =
            in_directories.filter_map(|path| path.parent()).chain(fixture.directories.iter().map(|d| &**d));
        for directory in directories {
            let resolved = tree.resolve(directory);
            base = common(&base, &resolved);
            known.extend([directory.to_owned(), resolved]);
        }
        known.extend(files.iter().map(|path| tree.resolve(path)));
        known.extend(files);
        known.retain(|path| path.components().count() > 2);
        known.sort_by_key(|path| std::cmp::Reverse(path.as_os_str().len()));
        known.dedup();
        (tree.base, tree.known) = (base, known);
        tree
    }

    /// The directory that all is below.
    pub fn base(&self) -> &Path {
        &self.base
    }

    /// A path, from the tree's directory on, if it lies there.
    pub fn below(&self, path: &Path) -> Option<PathBuf> {
        self.resolve(path).strip_prefix(&self.base).map(Path::to_owned).ok()
    }

    /// A symbolic link, from the tree's directory on; what it links to is not looked at.
    pub fn below_link(&self, path: &Path) -> Option<PathBuf> {
        Some(self.below(path.parent()?)?.join(path.file_name()?))
    }

    /// Where a path leads, by the links of the fixture.
    fn resolve(&self, path: &Path) -> PathBuf {
        let mut rest: Vec<Component<'_>> = path.components().rev().collect();
        let mut followed = 0;
        let mut resolved = PathBuf::from("/");
        while let Some(component) = rest.pop() {
            match component {
                Component::ParentDir => {
                    resolved.pop();
                }
                Component::Normal(name) => resolved.push(name),
                _ => continue,
            }
            let target = self.links.iter().find(|(path, _)| *path == resolved).map(|(_, target)| target);
            if let Some(target) = target.filter(|_| followed < MOST_LINKS) {
                followed += 1;
                resolved.pop();
                if target.is_absolute() {
                    resolved = PathBuf::from("/");
                }
                rest.extend(target.components().rev());
            }
        }
        resolved
    }

    /// The pieces of a text, of which some are paths in the tree.
    pub fn pieces<'a>(&self, text: &'a [u8]) -> Vec<Piece<'a>> {
        let mut pieces = Vec::new();
        let (mut start, mut at) = (0, 0);
        while at < text.len() {
            match self.path_at(text, at) {
                Some(length) => {
                    pieces.push(Piece::Text(&text[start..at]));
                    at += self.base_length();
                    let end = at + length - self.base_length();
                    pieces.push(Piece::Below(&text[at..end]));
                    (start, at) = (end, end);
                }
                None => at += 1,
            }
        }
        pieces.push(Piece::Text(&text[start..]));
        pieces.retain(|piece| *piece != Piece::Text(b""));
        pieces
    }

    /// The text with the tree's directory elsewhere.
    pub fn moved(&self, text: &[u8], to: &Path) -> Vec<u8> {
        let of = |piece: Piece<'_>| match piece {
            Piece::Text(text) => text.to_vec(),
            Piece::Below(path) => [to.as_os_str().as_bytes(), path].concat(),
        };
        self.pieces(text).into_iter().flat_map(of).collect()
    }

    fn base_length(&self) -> usize {
        let base = self.base.as_os_str().len();
        if base == 1 { 0 } else { base }
    }

    /// The length of the known path that stands here.
    fn path_at(&self, text: &[u8], at: usize) -> Option<usize> {
        let is_start = match &text[..at] {
            [] | [b'-', _] => true,
            [.., before] => !before.is_ascii_alphanumeric() && !b"/._-+~".contains(before),
        };
        let stands = |path: &&PathBuf| {
            let rest = text[at..].strip_prefix(path.as_os_str().as_bytes());
            rest.is_some_and(|rest| rest.first().is_none_or(|next| b"/:;,= '\")\n".contains(next)))
        };
        let known = self.known.iter().filter(|path| path.starts_with(&self.base));
        known.filter(|_| is_start).find(stands).map(|path| path.as_os_str().len())
    }
}

/// Whether a variable says where programs and their parts are found: that is not part of a tree.
pub fn is_search(name: &OsStr) -> bool {
    name.as_bytes().ends_with(b"PATH")
}

/// As many links are followed as the kernel would.
const MOST_LINKS: usize = 40;

fn common(one: &Path, other: &Path) -> PathBuf {
    one.components().zip(other.components()).take_while(|(one, other)| one == other).map(|(part, _)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(directory: &str, files: &[&str], links: &[(&str, &str)]) -> Tree {
        let links = links.iter().map(|(path, target)| (path.into(), target.into())).collect();
        let fixture = StoredFixture { directory: directory.into(), links, ..StoredFixture::default() };
        Tree::new(&fixture, files.iter().map(Path::new))
    }

    fn moved(tree: &Tree, text: &str) -> String {
        String::from_utf8(tree.moved(text.as_bytes(), Path::new("/R"))).unwrap()
    }

    #[test]
    fn the_tree_is_no_larger_than_it_must() {
        assert_eq!(tree("/src/tests", &["/src/tests/a", "/src/tests/b/c"], &[]).base(), Path::new("/src/tests"));
        assert_eq!(tree("/src/tests", &["/src/data/a"], &[]).base(), Path::new("/src"));
        assert_eq!(tree("/src/tests", &["/tmp/x/a"], &[]).base(), Path::new("/"));
    }

    #[test]
    fn absolute_paths_follow_the_tree() {
        let tree = tree("/src/tests", &["/src/data/a.txt"], &[]);
        assert_eq!(moved(&tree, "/src/data/a.txt"), "/R/data/a.txt");
        assert_eq!(moved(&tree, "--in=/src/tests/x:/src/data"), "--in=/R/tests/x:/R/data");
        assert_eq!(moved(&tree, "-I/src/data"), "-I/R/data");
        for other in ["/src/data2/a", "a/src/data", "/usr/src/data", "/src", ""] {
            assert_eq!(moved(&tree, other), other);
        }
    }

    #[test]
    fn a_tree_of_everything_moves_too() {
        let tree = tree("/src/tests", &["/tmp/x/a"], &[]);
        assert_eq!(moved(&tree, "/tmp/x/out"), "/R/tmp/x/out");
        assert_eq!(moved(&tree, "/src/tests"), "/R/src/tests");
    }

    #[test]
    fn files_lie_where_links_lead() {
        let tree = tree("/src/tests", &["/src/tests/link/a"], &[("/src/tests/link", "../data"), ("/src/x", "/src/x")]);
        assert_eq!(tree.base(), Path::new("/src"));
        assert_eq!(tree.below(Path::new("/src/tests/link/a")), Some("data/a".into()));
        assert_eq!(tree.below_link(Path::new("/src/tests/link")), Some("tests/link".into()));
        assert_eq!(tree.below(Path::new("/src/x")), Some("x".into()));
        assert_eq!(tree.below(Path::new("/usr")), None);
    }
}
