//! Places besides the working directory, and what an input brings to them.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::os::fd::AsFd;
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::time::Duration;

use byway_confine::{ConfineError, ProcessSpec, Reset, Sandbox, SandboxSettings};

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

fn cell_over(places: &[&Path]) -> Sandbox {
    let places = places.iter().map(|place| place.to_path_buf()).collect();
    let sandbox = Sandbox::start(&SandboxSettings { places, ..small() }).unwrap();
    assert_eq!(sandbox.without(), <[String; 0]>::default());
    sandbox
}

/// What a program reads from a file; nothing if it cannot.
fn read(sandbox: &mut Sandbox, path: &Path) -> Option<String> {
    let seen = run(sandbox, &["cat", path.to_str().unwrap()]);
    (seen.code() != Some(99)).then_some(seen.output)
}

fn a_place_can_be_written_and_is_not_changed() {
    let (sentinel, other) = (Sentinel::new(), Sentinel::new());
    let place = sentinel.directory.path();
    let mut sandbox = cell_over(&[place]);
    for name in ["sub/file", "new"] {
        let path = place.join(name);
        let before = read(&mut sandbox, &path);
        assert_eq!(run(&mut sandbox, &["append", path.to_str().unwrap()]).code(), Some(1));
        assert_eq!(read(&mut sandbox, &path).unwrap(), format!("{}more", before.clone().unwrap_or_default()));
        assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
        assert_eq!(read(&mut sandbox, &path), before);
    }
    assert_eq!(run(&mut sandbox, &["append", &format!("{}/file", other.path())]).code(), Some(0));
    sentinel.assert_unchanged();
    other.assert_unchanged();
    assert_well(&mut sandbox);
}

fn places_may_be_in_places() {
    let (sentinel, temporary) = (Sentinel::new(), tempfile::tempdir().unwrap());
    let (outer, inner) = (sentinel.directory.path(), sentinel.directory.path().join("sub"));
    fs::write(temporary.path().join("file"), "there").unwrap();
    let mut sandbox = cell_over(&[&inner, outer, &inner, temporary.path()]);
    for path in [outer.join("file"), inner.join("file"), temporary.path().join("file"), PathBuf::from("/tmp/new/er")] {
        let before = read(&mut sandbox, &path);
        sandbox.write(&path, b"other").unwrap();
        assert_eq!(read(&mut sandbox, &path).as_deref(), Some("other"));
        assert_eq!(run(&mut sandbox, &["append", path.to_str().unwrap()]).code(), Some(1));
        assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
        assert_eq!(read(&mut sandbox, &path).as_deref(), Some("other"));
        assert_eq!(sandbox.clear().unwrap(), Reset::Restored);
        assert_eq!(read(&mut sandbox, &path), before);
    }
    assert_eq!(fs::read(temporary.path().join("file")).unwrap(), b"there");
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn what_is_brought_is_there_until_it_is_cleared() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut sandbox = cell_over(&[sentinel.directory.path()]);
    for round in 0..3 {
        let text = format!("text {round}");
        sandbox.write(&at("sub/file"), text.as_bytes()).unwrap();
        sandbox.write_as(&at("deep/er/file"), text.as_bytes(), 0o400).unwrap();
        sandbox.make_directory(&at("empty")).unwrap();
        sandbox.make_directory(&at("sub/new")).unwrap();
        sandbox.link(&at("deep/link"), OsStr::new("er/file")).unwrap();
        // As it is below: nothing is to be done.
        sandbox.write(&at("file"), b"content").unwrap();
        sandbox.link(&at("link"), OsStr::new("file")).unwrap();
        assert_eq!(sandbox.reset().unwrap(), Reset::Clean);
        for _ in 0..2 {
            assert_eq!(read(&mut sandbox, &at("sub/file")).unwrap(), text);
            assert_eq!(read(&mut sandbox, &at("deep/link")).unwrap(), text);
            assert_eq!(read(&mut sandbox, &at("link")).unwrap(), "content");
            let opened = sandbox.open_directory(&at("empty")).map(|_| ());
            assert!(opened.is_ok(), "{opened:?}");
            let status = rustix::fs::statat(
                sandbox.open_directory(&at("deep/er")).unwrap(),
                "file",
                rustix::fs::AtFlags::SYMLINK_NOFOLLOW,
            );
            assert_eq!(status.unwrap().st_mode & 0o7777, 0o400);
            run(&mut sandbox, &["delete", at("deep").to_str().unwrap()]);
            run(&mut sandbox, &["append", at("sub/new/file").to_str().unwrap()]);
            run(&mut sandbox, &["append", at("sub/file").to_str().unwrap()]);
            assert_eq!(read(&mut sandbox, &at("deep/link")), None);
            assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
        }
        assert_eq!(sandbox.clear().unwrap(), Reset::Restored);
        assert_eq!(read(&mut sandbox, &at("sub/file")).unwrap(), "content");
        assert_eq!(read(&mut sandbox, &at("deep/er/file")), None);
        assert_eq!(read(&mut sandbox, &at("empty")).as_deref(), Some(""));
        assert!(sandbox.open_directory(&at("sub/new")).is_err());
        assert_eq!(sandbox.clear().unwrap(), Reset::Clean);
    }
    assert!(sandbox.write(&at("../file"), b"").is_err());
    assert!(sandbox.write(Path::new("/etc/passwd"), b"").is_err());
    assert!(sandbox.hide(Path::new("/usr/bin")).is_err());
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn what_is_hidden_comes_back_when_cleared() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut sandbox = cell_over(&[sentinel.directory.path()]);
    for _ in 0..3 {
        for name in ["file", "link", "sub", "nothing", "no/where"] {
            sandbox.hide(&at(name)).unwrap();
        }
        assert_eq!(sandbox.reset().unwrap(), Reset::Clean);
        for _ in 0..2 {
            assert_eq!(read(&mut sandbox, &at("file")), None);
            assert_eq!(read(&mut sandbox, &at("sub/file")), None);
            assert_eq!(run(&mut sandbox, &["append", at("file").to_str().unwrap()]).code(), Some(1));
            assert_eq!(read(&mut sandbox, &at("file")).unwrap(), "more");
            assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
        }
        // In a directory that was hidden there is only what is brought.
        sandbox.write(&at("sub/other"), b"brought").unwrap();
        assert_eq!(read(&mut sandbox, &at("sub/other")).unwrap(), "brought");
        assert_eq!(read(&mut sandbox, &at("sub/file")), None);
        run(&mut sandbox, &["delete", at("sub").to_str().unwrap()]);
        assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
        assert_eq!(read(&mut sandbox, &at("sub/other")).unwrap(), "brought");
        assert_eq!(read(&mut sandbox, &at("sub/file")), None);
        assert_eq!(sandbox.clear().unwrap(), Reset::Restored);
        assert_eq!(read(&mut sandbox, &at("file")).unwrap(), "content");
        assert_eq!(read(&mut sandbox, &at("link")).unwrap(), "content");
        assert_eq!(read(&mut sandbox, &at("sub/file")).unwrap(), "content");
        assert_eq!(read(&mut sandbox, &at("sub/other")), None);
        assert_eq!(sandbox.clear().unwrap(), Reset::Clean);
    }
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn a_directory_that_a_program_removes_comes_back_whole() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut sandbox = cell_over(&[sentinel.directory.path()]);
    sandbox.write(&at("sub/brought"), b"brought").unwrap();
    run(&mut sandbox, &["delete", at("sub").to_str().unwrap()]);
    assert_eq!(sandbox.reset().unwrap(), Reset::Renewed);
    assert_eq!(read(&mut sandbox, &at("sub/brought")).unwrap(), "brought");
    assert_eq!(read(&mut sandbox, &at("sub/file")).unwrap(), "content");
    sentinel.assert_unchanged();
}

fn a_renewed_cell_has_all_that_was_brought() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut sandbox = cell_over(&[sentinel.directory.path()]);
    sandbox.hide(&at("sub")).unwrap();
    sandbox.write_as(&at("sub/brought"), b"brought", 0o600).unwrap();
    sandbox.link(&at("new/link"), OsStr::new("../file")).unwrap();
    sandbox.hide(&at("empty")).unwrap();
    sandbox.make_directory(&at("bare")).unwrap();
    sandbox.write(Path::new("here"), b"here").unwrap();
    sandbox.write(Path::new("/var/tmp/there"), b"there").unwrap();
    // A pipe cannot be made again.
    run(&mut sandbox, &["delete", at("fifo").to_str().unwrap()]);
    assert_eq!(sandbox.reset().unwrap(), Reset::Renewed);
    assert_eq!(read(&mut sandbox, &at("sub/brought")).unwrap(), "brought");
    assert_eq!(read(&mut sandbox, &at("sub/file")), None);
    assert_eq!(read(&mut sandbox, &at("new/link")).unwrap(), "content");
    assert_eq!(read(&mut sandbox, &at("empty")), None);
    assert!(sandbox.open_directory(&at("bare")).is_ok());
    assert_eq!(read(&mut sandbox, Path::new("here")).unwrap(), "here");
    assert_eq!(read(&mut sandbox, Path::new("/var/tmp/there")).unwrap(), "there");
    let handle = sandbox.handle();
    run(&mut sandbox, &["delete", at("fifo").to_str().unwrap()]);
    assert_eq!(sandbox.clear().unwrap(), Reset::Renewed);
    assert_eq!(read(&mut sandbox, Path::new("here")), None);
    assert_eq!(read(&mut sandbox, &at("sub/file")).unwrap(), "content");
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
    handle.end();
    assert!(sandbox.sweep().is_err());
}

fn a_program_is_started_in_the_directory_it_is_given() {
    let sentinel = Sentinel::new();
    let mut sandbox = cell_over(&[sentinel.directory.path()]);
    let brought = sentinel.directory.path().join("new/one");
    sandbox.make_directory(&brought).unwrap();
    let null = File::open("/dev/null").unwrap();
    for directory in [brought.as_path(), Path::new("/usr"), Path::new("/")] {
        let output = tempfile::tempfile().unwrap();
        let task = ProcessSpec {
            program: deeds(),
            arguments: [name(), "where"].map(OsStr::new).to_vec(),
            environment: None,
            directory: Some(directory),
            stdin: null.as_fd(),
            stdout: output.as_fd(),
            stderr: output.as_fd(),
            timeout: Some(Duration::from_secs(20)),
        };
        sandbox.run(&task).unwrap();
        let mut text = [0; 1000];
        let count = std::os::unix::fs::FileExt::read_at(&output, &mut text, 0).unwrap();
        assert_eq!(String::from_utf8_lossy(&text[..count]).trim_end(), directory.to_str().unwrap());
        let gone = ProcessSpec { directory: Some(Path::new("/nowhere")), ..task };
        assert!(matches!(sandbox.run(&gone), Err(ConfineError::Start { .. })));
    }
    sentinel.assert_unchanged();
}

fn a_directory_is_opened_as_programs_see_it() {
    let sentinel = Sentinel::new();
    let at = |name: &str| sentinel.directory.path().join(name);
    let mut sandbox = cell_over(&[sentinel.directory.path()]);
    let write = |sandbox: &Sandbox, path: &Path| -> std::io::Result<()> {
        let directory = sandbox.open_directory(path)?;
        let flags = rustix::fs::OFlags::CREATE | rustix::fs::OFlags::WRONLY;
        Ok(rustix::fs::openat(directory, "written", flags, rustix::fs::Mode::from(0o644)).map(|_| ())?)
    };
    write(&sandbox, &at("sub")).unwrap();
    assert_eq!(read(&mut sandbox, &at("sub/written")).unwrap(), "");
    // What cannot be written by programs cannot be written so either.
    assert!(write(&sandbox, Path::new("/")).is_err());
    assert!(write(&sandbox, at("..").as_path()).is_err());
    // A link leads to where it would lead a program.
    sandbox.link(&at("out"), OsStr::new("/../../tmp")).unwrap();
    write(&sandbox, &at("out")).unwrap();
    assert!(read(&mut sandbox, Path::new("/tmp/written")).is_some() && !Path::new("/tmp/written").exists());
    sentinel.assert_unchanged();
}

fn some_directories_are_no_places() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::set_permissions(file.path(), fs::Permissions::from_mode(0o644)).unwrap();
    for place in [Path::new("/"), Path::new("/proc/self"), Path::new("/nowhere"), file.path()] {
        let refused = Sandbox::start(&SandboxSettings { places: vec![place.to_owned()], ..small() });
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
    let mut sandbox = cell_over(&[&place]);
    for _ in 0..2 {
        for name in ["theirs", "group's"] {
            let path = place.join(name);
            sandbox.write_as(&path, b"other", 0o640).unwrap();
            assert_eq!(read(&mut sandbox, &path).unwrap(), "other");
            assert_eq!(run(&mut sandbox, &["append", path.to_str().unwrap()]).code(), Some(1));
            assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
            assert_eq!(read(&mut sandbox, &path).unwrap(), "other");
            assert_eq!(sandbox.clear().unwrap(), Reset::Restored);
            assert_eq!(read(&mut sandbox, &path).unwrap(), "content");
        }
        for (directory, whose) in [("root", "somebody else"), ("group", "a group that is not our own")] {
            let directory = place.join(directory);
            let expected = format!("{} belongs to {whose}", directory.display());
            for name in ["theirs", "group's", "new", "new/er"] {
                let error = sandbox.write(&directory.join(name), b"other").unwrap_err();
                assert_eq!(error.to_string(), expected);
                sandbox.clear().unwrap();
            }
            assert_eq!(sandbox.make_directory(&directory.join("new")).unwrap_err().to_string(), expected);
            assert_eq!(sandbox.hide(&directory.join("theirs")).unwrap_err().to_string(), expected);
            // What is so already is not written.
            sandbox.clear().unwrap();
            sandbox.write(&directory.join("theirs"), b"content").unwrap();
        }
    }
    assert_well(&mut sandbox);
}

fn another_input_does_not_renew_the_cell() {
    const FILES: usize = 20;
    let sentinel = Sentinel::new();
    let mut sandbox = cell_over(&[sentinel.directory.path()]);
    for _ in 0..10 {
        for index in 0..FILES {
            let path = sentinel.directory.path().join(format!("dir/{index}"));
            sandbox.write(&path, b"some content").unwrap();
        }
        assert_ne!(sandbox.clear().unwrap(), Reset::Renewed);
    }
}
