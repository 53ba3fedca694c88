//! Files in the sandbox: what inputs bring, what programs write, and that a reset undoes it.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use byway_confine::{ConfineError, Directory, Reset, Sandbox, SandboxSettings};

use crate::Test;
use crate::common::{Sentinel, assert_well, run, small};

pub const TESTS: &[Test] = &[
    ("an_input_is_there_after_every_reset", an_input_is_there_after_every_reset),
    ("a_copy_is_as_it_was_after_every_reset", a_copy_is_as_it_was_after_every_reset),
    ("a_copy_without_walls_is_restored_too", a_copy_without_walls_is_restored_too),
    ("a_copy_of_a_temporary_directory_is_one", a_copy_of_a_temporary_directory_is_one),
    ("cells_do_not_disturb_each_other", cells_do_not_disturb_each_other),
    ("this_machine_has_all_that_is_needed", this_machine_has_all_that_is_needed),
    ("a_file_outside_can_be_replaced", a_file_outside_can_be_replaced),
    ("temporary_files_are_gone_after_a_reset", temporary_files_are_gone_after_a_reset),
    ("whatever_is_done_to_a_directory_is_undone", whatever_is_done_to_a_directory_is_undone),
    ("a_link_does_not_lead_a_reset_out", a_link_does_not_lead_a_reset_out),
    ("the_root_is_no_working_directory", the_root_is_no_working_directory),
    ("what_it_costs", what_it_costs),
];

fn an_input_is_there_after_every_reset() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    assert_eq!(run(&mut sandbox, &["where"]).output, "/tmp/byway\n");
    sandbox.write(Path::new("a"), b"one").unwrap();
    sandbox.write(Path::new("deep/er/b"), b"two").unwrap();
    assert_eq!(sandbox.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut sandbox, &["cat", "a"]).output, "one");
    assert_eq!(run(&mut sandbox, &["cat", "/tmp/byway/deep/er/b"]).output, "two");
    assert_eq!(sandbox.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut sandbox, &["append", "a"]).code(), Some(1));
    assert_eq!(run(&mut sandbox, &["cat", "a"]).output, "onemore");
    assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut sandbox, &["cat", "a"]).output, "one");
    run(&mut sandbox, &["remove", "."]);
    assert_eq!(run(&mut sandbox, &["cat", "deep/er/b"]).code(), Some(99));
    assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut sandbox, &["cat", "deep/er/b"]).output, "two");
    sandbox.remove(Path::new("a")).unwrap();
    assert_eq!(sandbox.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut sandbox, &["cat", "a"]).code(), Some(99));
    assert!(sandbox.write(Path::new("../a"), b"").is_err());
    assert!(sandbox.write(Path::new("/etc/passwd"), b"").is_err());
    assert_well(&mut sandbox);
}

fn a_copy_is_as_it_was_after_every_reset() {
    let sentinel = Sentinel::new();
    let directory = Directory::CopyOf(sentinel.directory.path().to_owned());
    let mut sandbox = Sandbox::start(&SandboxSettings { directory, ..small() }).unwrap();
    assert_eq!(sandbox.without(), <[String; 0]>::default());
    let there = format!("{}/sub/file", sentinel.path());
    assert_eq!(run(&mut sandbox, &["where"]).output.trim_end(), sentinel.path());
    for _ in 0..3 {
        assert_eq!(run(&mut sandbox, &["append", &there]).code(), Some(1));
        assert_eq!(run(&mut sandbox, &["append", "new"]).code(), Some(1));
        assert_eq!(run(&mut sandbox, &["cat", "sub/file"]).output, "contentmore");
        assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
        assert_eq!(run(&mut sandbox, &["cat", &there]).output, "content");
        assert_eq!(run(&mut sandbox, &["cat", "new"]).code(), Some(99));
        assert_eq!(sandbox.reset().unwrap(), Reset::Clean);
    }
    sandbox.write(Path::new("input"), b"brought").unwrap();
    run(&mut sandbox, &["remove", "."]);
    sandbox.reset().unwrap();
    assert_eq!(run(&mut sandbox, &["cat", &there]).output, "content");
    assert_eq!(run(&mut sandbox, &["cat", "input"]).output, "brought");
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn a_copy_without_walls_is_restored_too() {
    let sentinel = Sentinel::new();
    let directory = Directory::CopyOf(sentinel.directory.path().to_owned());
    let settings = SandboxSettings { directory, ..small() };
    let mut sandbox = Sandbox::unconfined(&settings).unwrap();
    assert_eq!(sandbox.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut sandbox, &["append", "sub/file"]).code(), Some(1));
    assert_eq!(run(&mut sandbox, &["remove", "."]).code(), Some(5));
    assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut sandbox, &["cat", "sub/file"]).output, "content");
    assert_eq!(run(&mut sandbox, &["cat", "link"]).output, "content");
    sentinel.assert_unchanged();
    let refused = Sandbox::unconfined(&SandboxSettings { disk: 4096, ..settings });
    assert!(matches!(refused, Err(ConfineError::Directory { .. })));
}

fn a_copy_of_a_temporary_directory_is_one() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("file"), "there").unwrap();
    let directory = Directory::CopyOf(outside.path().to_owned());
    let mut sandbox = Sandbox::start(&SandboxSettings { directory, ..small() }).unwrap();
    assert_eq!(run(&mut sandbox, &["append", "file"]).code(), Some(1));
    assert_eq!(run(&mut sandbox, &["cat", outside.path().join("file").to_str().unwrap()]).output, "theremore");
    assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut sandbox, &["cat", "file"]).output, "there");
    assert_eq!(std::fs::read(outside.path().join("file")).unwrap(), b"there");
    assert_well(&mut sandbox);
}

fn cells_do_not_disturb_each_other() {
    let work = |number: u32| {
        let mut sandbox = Sandbox::start(&small()).unwrap();
        for round in 0..5 {
            let content = format!("{number} {round}");
            sandbox.write(Path::new("file"), content.as_bytes()).unwrap();
            assert_eq!(run(&mut sandbox, &["daemon"]).ended.left_behind, 1);
            assert_eq!(run(&mut sandbox, &["cat", "file"]).output, content);
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|number| drop(scope.spawn(move || work(number)))));
}

fn this_machine_has_all_that_is_needed() {
    for (what, offer) in byway_confine::available() {
        assert!(offer.is_ok(), "{what}: {offer:?}");
    }
}

fn a_file_outside_can_be_replaced() {
    let sentinel = Sentinel::new();
    let path = sentinel.directory.path().join("sub/file");
    let mut sandbox = Sandbox::start(&SandboxSettings { replaced: vec![path.clone()], ..small() }).unwrap();
    let name = path.to_str().unwrap();
    assert_eq!(run(&mut sandbox, &["cat", name]).output, "content");
    sandbox.write(&path, b"other").unwrap();
    assert_eq!(run(&mut sandbox, &["cat", name]).output, "other");
    assert_eq!(run(&mut sandbox, &["append", name]).code(), Some(1));
    assert_eq!(run(&mut sandbox, &["cat", name]).output, "othermore");
    assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut sandbox, &["cat", name]).output, "other");
    sentinel.assert_unchanged();
    assert_well(&mut sandbox);
}

fn temporary_files_are_gone_after_a_reset() {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("file");
    std::fs::write(&file, "there").unwrap();
    let mut sandbox = Sandbox::start(&small()).unwrap();
    assert_eq!(run(&mut sandbox, &["cat", file.to_str().unwrap()]).output, "there");
    assert_eq!(run(&mut sandbox, &["append", file.to_str().unwrap()]).code(), Some(1));
    for path in ["/tmp/new-file", "/var/tmp/new-file", "/dev/shm/new-file"] {
        assert_eq!(run(&mut sandbox, &["append", path]).code(), Some(1));
        assert!(!Path::new(path).exists());
        sandbox.reset().unwrap();
        assert_eq!(run(&mut sandbox, &["cat", path]).code(), Some(99));
    }
    assert_eq!(run(&mut sandbox, &["cat", file.to_str().unwrap()]).output, "there");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "there");
    assert_well(&mut sandbox);
}

fn whatever_is_done_to_a_directory_is_undone() {
    let mut sandbox = Sandbox::start(&small()).unwrap();
    let before = look(&sandbox);
    for _ in 0..2 {
        let seen = run(&mut sandbox, &["shuffle"]);
        assert_eq!(seen.code(), Some(8), "{}", seen.output);
        assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
        assert_eq!(look(&sandbox), before);
    }
    let outside = tempfile::tempdir_in(crate::common::place()).unwrap();
    std::fs::write(outside.path().join("x"), "x").unwrap();
    let directory = Directory::CopyOf(outside.path().to_owned());
    let mut sandbox = Sandbox::start(&SandboxSettings { directory, ..small() }).unwrap();
    let before = look(&sandbox);
    assert_eq!(run(&mut sandbox, &["shuffle"]).code(), Some(8));
    run(&mut sandbox, &["remove", "."]);
    assert_ne!(sandbox.reset().unwrap(), Reset::Clean);
    assert_eq!(look(&sandbox), before);
}

/// The names, modes and times in the working directory.
fn look(sandbox: &Sandbox) -> Vec<String> {
    let directory = format!("/proc/self/fd/{}/", fd(sandbox));
    let output = Command::new("ls").args(["-laR", "--time-style=full-iso"]).arg(directory).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // The directory above is none of ours.
    text.lines().skip(1).filter(|line| !line.ends_with(" ..")).map(str::to_owned).collect()
}

fn a_link_does_not_lead_a_reset_out() {
    let sentinel = Sentinel::new();
    let mut sandbox = Sandbox::start(&small()).unwrap();
    sandbox.write(Path::new("sub/file"), b"input").unwrap();
    run(&mut sandbox, &["remove", "."]);
    std::os::unix::fs::symlink(sentinel.path(), format!("/proc/self/fd/{}/sub", fd(&sandbox))).unwrap();
    assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut sandbox, &["cat", "sub/file"]).output, "input");
    std::fs::remove_file(format!("/proc/self/fd/{}/sub/file", fd(&sandbox))).unwrap();
    let to = format!("{}/file", sentinel.path());
    std::os::unix::fs::symlink(to, format!("/proc/self/fd/{}/sub/file", fd(&sandbox))).unwrap();
    sandbox.write(Path::new("sub/file"), b"other").unwrap();
    sentinel.assert_unchanged();
}

fn fd(sandbox: &Sandbox) -> i32 {
    use std::os::fd::AsRawFd;
    sandbox.directory().as_raw_fd()
}

fn the_root_is_no_working_directory() {
    let refused = Sandbox::start(&SandboxSettings { directory: Directory::CopyOf("/".into()), ..small() });
    assert!(matches!(refused, Err(ConfineError::Directory { .. })));
}

fn what_it_costs() {
    let started = Instant::now();
    let mut sandbox = Sandbox::start(&small()).unwrap();
    println!("a sandbox: {:?}", started.elapsed());
    sandbox.write(Path::new("input"), b"input").unwrap();
    let time = |what: &str, count: u32, action: &mut dyn FnMut()| {
        let started = Instant::now();
        (0..count).for_each(|_| action());
        println!("{what}: {:?}", started.elapsed() / count);
    };
    time("a reset with nothing to do", 1000, &mut || assert_eq!(sandbox.reset().unwrap(), Reset::Clean));
    time("a sweep with nothing to do", 1000, &mut || assert_eq!(sandbox.sweep().unwrap().killed, 0));
    time("a run", 100, &mut || assert_eq!(run(&mut sandbox, &["nothing"]).code(), Some(0)));
    time("a run that writes, and a reset", 100, &mut || {
        run(&mut sandbox, &["append", "input"]);
        assert_eq!(sandbox.reset().unwrap(), Reset::Restored);
    });
    time("a new sandbox", 10, &mut || drop(Sandbox::start(&small()).unwrap()));
}
