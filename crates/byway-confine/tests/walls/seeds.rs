//! Places besides the working directory, and what an input brings to them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::fd::AsFd;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::{Cell, ConfineError, Reset, Settings, Task};

use crate::Test;
use crate::common::{Sentinel, assert_well, deeds, name, run, small};

pub const TESTS: &[Test] = &[
    ("a_place_can_be_written_and_is_not_changed", a_place_can_be_written_and_is_not_changed),
    ("places_may_be_in_places", places_may_be_in_places),
    ("what_is_brought_is_there_until_it_is_cleared", what_is_brought_is_there_until_it_is_cleared),
    ("what_is_hidden_comes_back_when_cleared", what_is_hidden_comes_back_when_cleared),
    ("a_directory_that_a_program_removes_comes_back_whole", a_directory_that_a_program_removes_comes_back_whole),
    ("a_renewed_cell_has_all_that_was_brought", a_renewed_cell_has_all_that_was_brought),
    ("a_program_is_started_in_the_directory_it_is_given", a_program_is_started_in_the_directory_it_is_given),
    ("a_directory_is_opened_as_programs_see_it", a_directory_is_opened_as_programs_see_it),
    ("some_directories_are_no_places", some_directories_are_no_places),
    ("what_belongs_to_others_is_replaced", what_belongs_to_others_is_replaced),
    ("another_input_does_not_renew_the_cell", another_input_does_not_renew_the_cell),
];

fn cell_over(places: &[&Path]) -> Cell {
    let places = places.iter().map(|place| place.to_path_buf()).collect();
    let cell = Cell::start(&Settings { places, ..small() }).unwrap();
    assert_eq!(cell.without(), <[String; 0]>::default());
    cell
}

/// What a program reads from a file; nothing if it cannot.
fn read(cell: &mut Cell, path: &Path) -> Option<String> {
    let seen = run(cell, &["cat", path.to_str().unwrap()]);
    (seen.code() != Some(99)).then_some(seen.output)
}

fn a_place_can_be_written_and_is_not_changed() {
    let (sentinel, other) = (Sentinel::new(), Sentinel::new());
    let place = sentinel.directory.path();
    let mut cell = cell_over(&[place]);
    for name in ["sub/file", "new"] {
        let path = place.join(name);
        let before = read(&mut cell, &path);
        assert_eq!(run(&mut cell, &["append", path.to_str().unwrap()]).code(), Some(1));
        assert_eq!(read(&mut cell, &path).unwrap(), format!("{}more", before.clone().unwrap_or_default()));
        assert_eq!(cell.reset().unwrap(), Reset::Restored);
        assert_eq!(read(&mut cell, &path), before);
    }
    assert_eq!(run(&mut cell, &["append", &format!("{}/file", other.path())]).code(), Some(0));
    sentinel.assert_unchanged();
    other.assert_unchanged();
    assert_well(&mut cell);
}

fn places_may_be_in_places() {
    let (sentinel, temporary) = (Sentinel::new(), tempfile::tempdir().unwrap());
    let (outer, inner) = (sentinel.directory.path(), sentinel.directory.path().join("sub"));
    fs::write(temporary.path().join("file"), "there").unwrap();
    let mut cell = cell_over(&[&inner, outer, &inner, temporary.path()]);
    for path in [outer.join("file"), inner.join("file"), temporary.path().join("file"), PathBuf::from("/tmp/new/er")] {
        let before = read(&mut cell, &path);
        cell.write(&path, b"other").unwrap();
        assert_eq!(read(&mut cell, &path).as_deref(), Some("other"));
        assert_eq!(run(&mut cell, &["append", path.to_str().unwrap()]).code(), Some(1));
        assert_eq!(cell.reset().unwrap(), Reset::Restored);
        assert_eq!(read(&mut cell, &path).as_deref(), Some("other"));
        assert_eq!(cell.clear().unwrap(), Reset::Restored);
        assert_eq!(read(&mut cell, &path), before);
    }
    assert_eq!(fs::read(temporary.path().join("file")).unwrap(), b"there");
    sentinel.assert_unchanged();
    assert_well(&mut cell);
}

fn what_is_brought_is_there_until_it_is_cleared() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut cell = cell_over(&[sentinel.directory.path()]);
    for round in 0..3 {
        let text = format!("text {round}");
        cell.write(&at("sub/file"), text.as_bytes()).unwrap();
        cell.write_as(&at("deep/er/file"), text.as_bytes(), 0o400).unwrap();
        cell.make_directory(&at("empty")).unwrap();
        cell.make_directory(&at("sub/new")).unwrap();
        cell.link(&at("deep/link"), OsStr::new("er/file")).unwrap();
        // As it is below: nothing is to be done.
        cell.write(&at("file"), b"content").unwrap();
        cell.link(&at("link"), OsStr::new("file")).unwrap();
        assert_eq!(cell.reset().unwrap(), Reset::Clean);
        for _ in 0..2 {
            assert_eq!(read(&mut cell, &at("sub/file")).unwrap(), text);
            assert_eq!(read(&mut cell, &at("deep/link")).unwrap(), text);
            assert_eq!(read(&mut cell, &at("link")).unwrap(), "content");
            let opened = cell.open_directory(&at("empty")).map(|_| ());
            assert!(opened.is_ok(), "{opened:?}");
            let status = rustix::fs::statat(
                cell.open_directory(&at("deep/er")).unwrap(),
                "file",
                rustix::fs::AtFlags::SYMLINK_NOFOLLOW,
            );
            assert_eq!(status.unwrap().st_mode & 0o7777, 0o400);
            run(&mut cell, &["delete", at("deep").to_str().unwrap()]);
            run(&mut cell, &["append", at("sub/new/file").to_str().unwrap()]);
            run(&mut cell, &["append", at("sub/file").to_str().unwrap()]);
            assert_eq!(read(&mut cell, &at("deep/link")), None);
            assert_eq!(cell.reset().unwrap(), Reset::Restored);
        }
        assert_eq!(cell.clear().unwrap(), Reset::Restored);
        assert_eq!(read(&mut cell, &at("sub/file")).unwrap(), "content");
        assert_eq!(read(&mut cell, &at("deep/er/file")), None);
        assert_eq!(read(&mut cell, &at("empty")).as_deref(), Some(""));
        assert!(cell.open_directory(&at("sub/new")).is_err());
        assert_eq!(cell.clear().unwrap(), Reset::Clean);
    }
    assert!(cell.write(&at("../file"), b"").is_err());
    assert!(cell.write(Path::new("/etc/passwd"), b"").is_err());
    assert!(cell.hide(Path::new("/usr/bin")).is_err());
    sentinel.assert_unchanged();
    assert_well(&mut cell);
}

fn what_is_hidden_comes_back_when_cleared() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut cell = cell_over(&[sentinel.directory.path()]);
    for _ in 0..3 {
        for name in ["file", "link", "sub", "nothing", "no/where"] {
            cell.hide(&at(name)).unwrap();
        }
        assert_eq!(cell.reset().unwrap(), Reset::Clean);
        for _ in 0..2 {
            assert_eq!(read(&mut cell, &at("file")), None);
            assert_eq!(read(&mut cell, &at("sub/file")), None);
            assert_eq!(run(&mut cell, &["append", at("file").to_str().unwrap()]).code(), Some(1));
            assert_eq!(read(&mut cell, &at("file")).unwrap(), "more");
            assert_eq!(cell.reset().unwrap(), Reset::Restored);
        }
        // In a directory that was hidden there is only what is brought.
        cell.write(&at("sub/other"), b"brought").unwrap();
        assert_eq!(read(&mut cell, &at("sub/other")).unwrap(), "brought");
        assert_eq!(read(&mut cell, &at("sub/file")), None);
        run(&mut cell, &["delete", at("sub").to_str().unwrap()]);
        assert_eq!(cell.reset().unwrap(), Reset::Restored);
        assert_eq!(read(&mut cell, &at("sub/other")).unwrap(), "brought");
        assert_eq!(read(&mut cell, &at("sub/file")), None);
        assert_eq!(cell.clear().unwrap(), Reset::Restored);
        assert_eq!(read(&mut cell, &at("file")).unwrap(), "content");
        assert_eq!(read(&mut cell, &at("link")).unwrap(), "content");
        assert_eq!(read(&mut cell, &at("sub/file")).unwrap(), "content");
        assert_eq!(read(&mut cell, &at("sub/other")), None);
        assert_eq!(cell.clear().unwrap(), Reset::Clean);
    }
    sentinel.assert_unchanged();
    assert_well(&mut cell);
}

fn a_directory_that_a_program_removes_comes_back_whole() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut cell = cell_over(&[sentinel.directory.path()]);
    cell.write(&at("sub/brought"), b"brought").unwrap();
    run(&mut cell, &["delete", at("sub").to_str().unwrap()]);
    assert_eq!(cell.reset().unwrap(), Reset::Renewed);
    assert_eq!(read(&mut cell, &at("sub/brought")).unwrap(), "brought");
    assert_eq!(read(&mut cell, &at("sub/file")).unwrap(), "content");
    sentinel.assert_unchanged();
}

fn a_renewed_cell_has_all_that_was_brought() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut cell = cell_over(&[sentinel.directory.path()]);
    cell.hide(&at("sub")).unwrap();
    cell.write_as(&at("sub/brought"), b"brought", 0o600).unwrap();
    cell.link(&at("new/link"), OsStr::new("../file")).unwrap();
    cell.hide(&at("empty")).unwrap();
    cell.make_directory(&at("bare")).unwrap();
    cell.write(Path::new("here"), b"here").unwrap();
    cell.write(Path::new("/var/tmp/there"), b"there").unwrap();
    // A pipe cannot be made again.
    run(&mut cell, &["delete", at("fifo").to_str().unwrap()]);
    assert_eq!(cell.reset().unwrap(), Reset::Renewed);
    assert_eq!(read(&mut cell, &at("sub/brought")).unwrap(), "brought");
    assert_eq!(read(&mut cell, &at("sub/file")), None);
    assert_eq!(read(&mut cell, &at("new/link")).unwrap(), "content");
    assert_eq!(read(&mut cell, &at("empty")), None);
    assert!(cell.open_directory(&at("bare")).is_ok());
    assert_eq!(read(&mut cell, Path::new("here")).unwrap(), "here");
    assert_eq!(read(&mut cell, Path::new("/var/tmp/there")).unwrap(), "there");
    let handle = cell.handle();
    run(&mut cell, &["delete", at("fifo").to_str().unwrap()]);
    assert_eq!(cell.clear().unwrap(), Reset::Renewed);
    assert_eq!(read(&mut cell, Path::new("here")), None);
    assert_eq!(read(&mut cell, &at("sub/file")).unwrap(), "content");
    sentinel.assert_unchanged();
    assert_well(&mut cell);
    handle.end();
    assert!(cell.sweep().is_err());
}

fn a_program_is_started_in_the_directory_it_is_given() {
    let sentinel = Sentinel::new();
    let mut cell = cell_over(&[sentinel.directory.path()]);
    let brought = sentinel.directory.path().join("new/one");
    cell.make_directory(&brought).unwrap();
    let null = File::open("/dev/null").unwrap();
    for directory in [brought.as_path(), Path::new("/usr"), Path::new("/")] {
        let output = tempfile::tempfile().unwrap();
        let task = Task {
            program: deeds(),
            arguments: [name(), "where"].map(OsStr::new).to_vec(),
            environment: None,
            directory: Some(directory),
            stdin: null.as_fd(),
            stdout: output.as_fd(),
            stderr: output.as_fd(),
            timeout: Some(Duration::from_secs(20)),
        };
        cell.run(&task).unwrap();
        let mut text = [0; 1000];
        let count = std::os::unix::fs::FileExt::read_at(&output, &mut text, 0).unwrap();
        assert_eq!(String::from_utf8_lossy(&text[..count]).trim_end(), directory.to_str().unwrap());
        let gone = Task { directory: Some(Path::new("/nowhere")), ..task };
        assert!(matches!(cell.run(&gone), Err(ConfineError::Start { .. })));
    }
    sentinel.assert_unchanged();
}

fn a_directory_is_opened_as_programs_see_it() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut cell = cell_over(&[sentinel.directory.path()]);
    let write = |cell: &Cell, path: &Path| -> std::io::Result<()> {
        let directory = cell.open_directory(path)?;
        let flags = rustix::fs::OFlags::CREATE | rustix::fs::OFlags::WRONLY;
        Ok(rustix::fs::openat(directory, "written", flags, rustix::fs::Mode::from(0o644)).map(|_| ())?)
    };
    write(&cell, &at("sub")).unwrap();
    assert_eq!(read(&mut cell, &at("sub/written")).unwrap(), "");
    // What cannot be written by programs cannot be written so either.
    assert!(write(&cell, Path::new("/")).is_err());
    assert!(write(&cell, at("..").as_path()).is_err());
    // A link leads to where it would lead a program.
    cell.link(&at("out"), OsStr::new("/../../tmp")).unwrap();
    write(&cell, &at("out")).unwrap();
    assert!(read(&mut cell, Path::new("/tmp/written")).is_some() && !Path::new("/tmp/written").exists());
    sentinel.assert_unchanged();
}

fn some_directories_are_no_places() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
    for place in [Path::new("/"), Path::new("/proc/self"), Path::new("/nowhere"), file.path()] {
        let refused = Cell::start(&Settings { places: vec![place.to_owned()], ..small() });
        assert!(matches!(refused, Err(ConfineError::Directory { .. })), "{refused:?}");
    }
}

/// A directory of files that do not belong, or not wholly, to an ordinary user.
pub fn make_what_is_foreign(place: &Path) {
    const NOBODY: Option<u32> = Some(65534);
    let foreign = place.join("foreign");
    let owners = [("", NOBODY, NOBODY), ("root", None, None), ("group", NOBODY, None)];
    for (name, user, group) in owners {
        let directory = foreign.join(name);
        fs::create_dir(&directory).unwrap();
        fs::write(directory.join("theirs"), "content").unwrap();
        fs::write(directory.join("group's"), "content").unwrap();
        chown(directory.join("group's"), NOBODY, None).unwrap();
        chown(&directory, user, group).unwrap();
    }
}

fn what_belongs_to_others_is_replaced() {
    let place = crate::common::place().join("foreign");
    // Root has it made before it starts these tests as another user; nobody else can make files that belong to others.
    if rustix::process::getuid().is_root() || !place.exists() {
        println!("skipped: there are no files that belong to others");
        return;
    }
    let mut cell = cell_over(&[&place]);
    for _ in 0..2 {
        for name in ["theirs", "group's"] {
            let path = place.join(name);
            cell.write_as(&path, b"other", 0o640).unwrap();
            assert_eq!(read(&mut cell, &path).unwrap(), "other");
            assert_eq!(run(&mut cell, &["append", path.to_str().unwrap()]).code(), Some(1));
            assert_eq!(cell.reset().unwrap(), Reset::Restored);
            assert_eq!(read(&mut cell, &path).unwrap(), "other");
            assert_eq!(cell.clear().unwrap(), Reset::Restored);
            assert_eq!(read(&mut cell, &path).unwrap(), "content");
        }
        for (directory, whose) in [("root", "somebody else"), ("group", "a group that is not our own")] {
            let directory = place.join(directory);
            let expected = format!("{} belongs to {whose}", directory.display());
            for name in ["theirs", "group's", "new", "new/er"] {
                let error = cell.write(&directory.join(name), b"other").unwrap_err();
                assert_eq!(error.to_string(), expected);
                cell.clear().unwrap();
            }
            assert_eq!(cell.make_directory(&directory.join("new")).unwrap_err().to_string(), expected);
            assert_eq!(cell.hide(&directory.join("theirs")).unwrap_err().to_string(), expected);
            // What is so already is not written.
            cell.clear().unwrap();
            cell.write(&directory.join("theirs"), b"content").unwrap();
        }
    }
    assert_well(&mut cell);
}

fn another_input_does_not_renew_the_cell() {
    const FILES: usize = 20;
    let sentinel = Sentinel::new();
    let mut cell = cell_over(&[sentinel.directory.path()]);
    for _ in 0..10 {
        for index in 0..FILES {
            let path = sentinel.directory.path().join(format!("dir/{index}"));
            cell.write(&path, b"some content").unwrap();
        }
        assert_ne!(cell.clear().unwrap(), Reset::Renewed);
    }
}
