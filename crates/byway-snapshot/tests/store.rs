//! What is kept, what is noticed, and what goes.

use std::fs;
use std::path::{Path, PathBuf};

use byway_carrier::Dependency;
use byway_snapshot::{BuildFiles, ContentHash, LinkedFile, SnapshotStore, SourceTexts};
use tempfile::TempDir;

/// A tree with a source and a library, and a store.
struct Tree {
    directory: TempDir,
    store: SnapshotStore,
}

impl Tree {
    fn new() -> Tree {
        let directory = tempfile::tempdir().unwrap();
        let store = SnapshotStore::new(directory.path().join("store"));
        Tree { directory, store }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn source(&self, name: &str, content: &[u8]) -> Dependency {
        fs::write(self.path(name), content).unwrap();
        Dependency::of(self.path(name)).unwrap()
    }

    fn linked(&self, name: &str, content: &[u8]) -> LinkedFile {
        fs::write(self.path(name), content).unwrap();
        LinkedFile { path: self.path(name), name: name.to_owned(), content: ContentHash::of(content) }
    }
}

fn program(number: u8) -> ContentHash {
    ContentHash::of(&[number])
}

fn flip(path: &Path) {
    let mut content = fs::read(path).unwrap();
    content[0] ^= 1;
    fs::write(path, content).unwrap();
}

#[test]
fn what_is_kept_is_there_after_the_tree_changed() {
    let tree = Tree::new();
    let (source, linked) = (tree.source("a.c", b"old\n"), tree.linked("lib.a", b"members"));
    let files = BuildFiles { sources: vec![&source], linked: vec![linked.clone()] };
    tree.store.keep(program(1), &files).unwrap();
    fs::write(tree.path("a.c"), "new\n").unwrap();
    fs::remove_file(tree.path("lib.a")).unwrap();
    let snapshot = tree.store.snapshot(program(1)).unwrap();
    assert!(snapshot.has(&files));
    assert_eq!(fs::read(snapshot.source(&source).unwrap()).unwrap(), b"old\n");
    let kept = snapshot.linked(&linked.path).unwrap();
    assert_eq!((fs::read(&kept).unwrap().as_slice(), kept.file_name().unwrap()), (&b"members"[..], "lib.a".as_ref()));
    let texts = SourceTexts::of([&snapshot]);
    assert_eq!(texts.read(&tree.path("x/../a.c")).as_deref(), Some("old\n"));
    assert_eq!(SourceTexts::default().read(&tree.path("a.c")).as_deref(), Some("new\n"));
    assert_eq!(texts.read(Path::new("a.c")), None);
    // Another program has nothing of it.
    assert!(tree.store.snapshot(program(2)).is_none());
    let other = tree.store.keep(program(2), &BuildFiles { sources: vec![&source], linked: vec![linked] }).unwrap();
    assert!(other.source(&source).is_none());
}

#[test]
fn a_source_that_is_not_what_its_record_says_is_not_kept() {
    let tree = Tree::new();
    let source = tree.source("a.c", b"old");
    let guess = Dependency(source.0.clone(), source.1 + 1);
    let snapshot = tree.store.keep(program(1), &BuildFiles { sources: vec![&guess], linked: Vec::new() }).unwrap();
    assert!(snapshot.source(&guess).is_none() && snapshot.source(&source).is_none());
}

#[test]
fn what_is_damaged_is_absent_and_kept_again_if_it_is_there() {
    let tree = Tree::new();
    let (source, linked) = (tree.source("a.c", b"old"), tree.linked("lib.a", b"members"));
    let files = BuildFiles { sources: vec![&source], linked: vec![linked.clone()] };
    let kept = tree.store.keep(program(1), &files).unwrap();
    flip(&kept.source(&source).unwrap());
    flip(&kept.linked(&linked.path).unwrap());
    // Another process looks.
    let store = SnapshotStore::new(tree.store.root().to_owned());
    let snapshot = store.snapshot(program(1)).unwrap();
    assert_eq!(SourceTexts::of([&snapshot]).read(&source.0).as_deref(), Some("old"));
    assert!(snapshot.source(&source).is_none() && snapshot.linked(&linked.path).is_none());
    let again = store.keep(program(1), &files).unwrap();
    assert_eq!(fs::read(again.source(&source).unwrap()).unwrap(), b"old");
    assert_eq!(fs::read(again.linked(&linked.path).unwrap()).unwrap(), b"members");
    flip(&store.root().join("programs").join(program(1).to_string()));
    assert!(store.snapshot(program(1)).is_none());
}

#[test]
fn what_was_not_used_for_the_longest_time_goes_first() {
    const LIMIT: u64 = 100_000;
    let tree = Tree::new();
    let store = tree.store.clone().with_limit(LIMIT);
    let common = tree.source("common.h", &[b'c'; 1000]);
    let mut sources = Vec::new();
    for number in 0..10 {
        let source = tree.source(&format!("{number}.c"), &[number; 20_000]);
        store.keep(program(number), &BuildFiles { sources: vec![&common, &source], linked: Vec::new() }).unwrap();
        sources.push(source);
        // The first stays in use.
        store.snapshot(program(0)).unwrap();
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let size = |path: &PathBuf| fs::metadata(path).unwrap().len();
    let all: Vec<PathBuf> = files(&store.root().join("content"));
    assert!(all.iter().map(size).sum::<u64>() <= LIMIT, "{all:?}");
    for number in [0, 9] {
        let snapshot = store.snapshot(program(number)).unwrap();
        assert!(snapshot.source(&sources[usize::from(number)]).is_some() && snapshot.source(&common).is_some());
    }
    assert!(store.snapshot(program(1)).is_none());
}

#[test]
fn one_program_does_not_fill_the_store() {
    let tree = Tree::new();
    let store = tree.store.clone().with_limit(40_000);
    let (large, small) = (tree.source("large.c", &[1; 20_000]), tree.source("small.c", &[2; 2000]));
    let files = BuildFiles { sources: vec![&large, &small], linked: vec![tree.linked("lib.a", &[3; 20_000])] };
    let snapshot = store.keep(program(1), &files).unwrap();
    assert!(snapshot.source(&large).is_none() && snapshot.linked(&tree.path("lib.a")).is_none());
    assert!(snapshot.source(&small).is_some());
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}
