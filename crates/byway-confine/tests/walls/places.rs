//! Files in the cell: what inputs bring, what programs write, and that a reset undoes it.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use byway_confine::{Cell, ConfineError, Directory, Reset, Settings};

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
    let mut cell = Cell::start(&small()).unwrap();
    assert_eq!(run(&mut cell, &["where"]).output, "/tmp/byway\n");
    cell.write(Path::new("a"), b"one").unwrap();
    cell.write(Path::new("deep/er/b"), b"two").unwrap();
    assert_eq!(cell.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut cell, &["cat", "a"]).output, "one");
    assert_eq!(run(&mut cell, &["cat", "/tmp/byway/deep/er/b"]).output, "two");
    assert_eq!(cell.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut cell, &["append", "a"]).code(), Some(1));
    assert_eq!(run(&mut cell, &["cat", "a"]).output, "onemore");
    assert_eq!(cell.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut cell, &["cat", "a"]).output, "one");
    run(&mut cell, &["remove", "."]);
    assert_eq!(run(&mut cell, &["cat", "deep/er/b"]).code(), Some(99));
    assert_eq!(cell.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut cell, &["cat", "deep/er/b"]).output, "two");
    cell.remove(Path::new("a")).unwrap();
    assert_eq!(cell.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut cell, &["cat", "a"]).code(), Some(99));
    assert!(cell.write(Path::new("../a"), b"").is_err());
    assert!(cell.write(Path::new("/etc/passwd"), b"").is_err());
    assert_well(&mut cell);
}

fn a_copy_is_as_it_was_after_every_reset() {
    let sentinel = Sentinel::new();
    let directory = Directory::CopyOf(sentinel.directory.path().to_owned());
    let mut cell = Cell::start(&Settings { directory, ..small() }).unwrap();
    assert_eq!(cell.without(), <[String; 0]>::default());
    let there = format!("{}/sub/file", sentinel.path());
    assert_eq!(run(&mut cell, &["where"]).output.trim_end(), sentinel.path());
    for _ in 0..3 {
        assert_eq!(run(&mut cell, &["append", &there]).code(), Some(1));
        assert_eq!(run(&mut cell, &["append", "new"]).code(), Some(1));
        assert_eq!(run(&mut cell, &["cat", "sub/file"]).output, "contentmore");
        assert_eq!(cell.reset().unwrap(), Reset::Restored);
        assert_eq!(run(&mut cell, &["cat", &there]).output, "content");
        assert_eq!(run(&mut cell, &["cat", "new"]).code(), Some(99));
        assert_eq!(cell.reset().unwrap(), Reset::Clean);
    }
    cell.write(Path::new("input"), b"brought").unwrap();
    run(&mut cell, &["remove", "."]);
    cell.reset().unwrap();
    assert_eq!(run(&mut cell, &["cat", &there]).output, "content");
    assert_eq!(run(&mut cell, &["cat", "input"]).output, "brought");
    sentinel.assert_unchanged();
    assert_well(&mut cell);
}

fn a_copy_without_walls_is_restored_too() {
    let sentinel = Sentinel::new();
    let directory = Directory::CopyOf(sentinel.directory.path().to_owned());
    let settings = Settings { directory, ..small() };
    let mut cell = Cell::unconfined(&settings).unwrap();
    assert_eq!(cell.reset().unwrap(), Reset::Clean);
    assert_eq!(run(&mut cell, &["append", "sub/file"]).code(), Some(1));
    assert_eq!(run(&mut cell, &["remove", "."]).code(), Some(5));
    assert_eq!(cell.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut cell, &["cat", "sub/file"]).output, "content");
    assert_eq!(run(&mut cell, &["cat", "link"]).output, "content");
    sentinel.assert_unchanged();
    let refused = Cell::unconfined(&Settings { disk: 4096, ..settings });
    assert!(matches!(refused, Err(ConfineError::Directory { .. })));
}

fn a_copy_of_a_temporary_directory_is_one() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("file"), "there").unwrap();
    let directory = Directory::CopyOf(outside.path().to_owned());
    let mut cell = Cell::start(&Settings { directory, ..small() }).unwrap();
    assert_eq!(run(&mut cell, &["append", "file"]).code(), Some(1));
    assert_eq!(run(&mut cell, &["cat", outside.path().join("file").to_str().unwrap()]).output, "theremore");
    assert_eq!(cell.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut cell, &["cat", "file"]).output, "there");
    assert_eq!(std::fs::read(outside.path().join("file")).unwrap(), b"there");
    assert_well(&mut cell);
}

fn cells_do_not_disturb_each_other() {
    let work = |number: u32| {
        let mut cell = Cell::start(&small()).unwrap();
        for round in 0..5 {
            let content = format!("{number} {round}");
            cell.write(Path::new("file"), content.as_bytes()).unwrap();
            assert_eq!(run(&mut cell, &["daemon"]).ended.left_behind, 1);
            assert_eq!(run(&mut cell, &["cat", "file"]).output, content);
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
    let mut cell = Cell::start(&Settings { replaced: vec![path.clone()], ..small() }).unwrap();
    let name = path.to_str().unwrap();
    assert_eq!(run(&mut cell, &["cat", name]).output, "content");
    cell.write(&path, b"other").unwrap();
    assert_eq!(run(&mut cell, &["cat", name]).output, "other");
    assert_eq!(run(&mut cell, &["append", name]).code(), Some(1));
    assert_eq!(run(&mut cell, &["cat", name]).output, "othermore");
    assert_eq!(cell.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut cell, &["cat", name]).output, "other");
    sentinel.assert_unchanged();
    assert_well(&mut cell);
}

fn temporary_files_are_gone_after_a_reset() {
    let outside = tempfile::tempdir().unwrap();
    let file = outside.path().join("file");
    std::fs::write(&file, "there").unwrap();
    let mut cell = Cell::start(&small()).unwrap();
    assert_eq!(run(&mut cell, &["cat", file.to_str().unwrap()]).output, "there");
    assert_eq!(run(&mut cell, &["append", file.to_str().unwrap()]).code(), Some(1));
    for path in ["/tmp/new-file", "/var/tmp/new-file", "/dev/shm/new-file"] {
        assert_eq!(run(&mut cell, &["append", path]).code(), Some(1));
        assert!(!Path::new(path).exists());
        cell.reset().unwrap();
        assert_eq!(run(&mut cell, &["cat", path]).code(), Some(99));
    }
    assert_eq!(run(&mut cell, &["cat", file.to_str().unwrap()]).output, "there");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "there");
    assert_well(&mut cell);
}

fn whatever_is_done_to_a_directory_is_undone() {
    let mut cell = Cell::start(&small()).unwrap();
    let before = look(&cell);
    for _ in 0..2 {
        let seen = run(&mut cell, &["shuffle"]);
        assert_eq!(seen.code(), Some(8), "{}", seen.output);
        assert_eq!(cell.reset().unwrap(), Reset::Restored);
        assert_eq!(look(&cell), before);
    }
    let outside = tempfile::tempdir_in(crate::common::place()).unwrap();
    std::fs::write(outside.path().join("x"), "x").unwrap();
    let directory = Directory::CopyOf(outside.path().to_owned());
    let mut cell = Cell::start(&Settings { directory, ..small() }).unwrap();
    let before = look(&cell);
    assert_eq!(run(&mut cell, &["shuffle"]).code(), Some(8));
    run(&mut cell, &["remove", "."]);
    assert_ne!(cell.reset().unwrap(), Reset::Clean);
    assert_eq!(look(&cell), before);
}

/// The names, modes and times in the working directory.
fn look(cell: &Cell) -> Vec<String> {
    let directory = format!("/proc/self/fd/{}/", fd(cell));
    let output = Command::new("ls").args(["-laR", "--time-style=full-iso"]).arg(directory).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    // The directory above is none of ours.
    text.lines().skip(1).filter(|line| !line.ends_with(" ..")).map(str::to_owned).collect()
}

fn a_link_does_not_lead_a_reset_out() {
    let sentinel = Sentinel::new();
    let mut cell = Cell::start(&small()).unwrap();
    cell.write(Path::new("sub/file"), b"input").unwrap();
    run(&mut cell, &["remove", "."]);
    std::os::unix::fs::symlink(sentinel.path(), format!("/proc/self/fd/{}/sub", fd(&cell))).unwrap();
    assert_eq!(cell.reset().unwrap(), Reset::Restored);
    assert_eq!(run(&mut cell, &["cat", "sub/file"]).output, "input");
    std::fs::remove_file(format!("/proc/self/fd/{}/sub/file", fd(&cell))).unwrap();
    let to = format!("{}/file", sentinel.path());
    std::os::unix::fs::symlink(to, format!("/proc/self/fd/{}/sub/file", fd(&cell))).unwrap();
    cell.write(Path::new("sub/file"), b"other").unwrap();
    sentinel.assert_unchanged();
}

fn fd(cell: &Cell) -> i32 {
    use std::os::fd::AsRawFd;
    cell.directory().as_raw_fd()
}

fn the_root_is_no_working_directory() {
    let refused = Cell::start(&Settings { directory: Directory::CopyOf("/".into()), ..small() });
    assert!(matches!(refused, Err(ConfineError::Directory { .. })));
}

fn what_it_costs() {
    let started = Instant::now();
    let mut cell = Cell::start(&small()).unwrap();
    println!("a cell: {:?}", started.elapsed());
    cell.write(Path::new("input"), b"input").unwrap();
    let time = |what: &str, count: u32, action: &mut dyn FnMut()| {
        let started = Instant::now();
        (0..count).for_each(|_| action());
        println!("{what}: {:?}", started.elapsed() / count);
    };
    time("a reset with nothing to do", 1000, &mut || assert_eq!(cell.reset().unwrap(), Reset::Clean));
    time("a sweep with nothing to do", 1000, &mut || assert_eq!(cell.sweep().unwrap().killed, 0));
    time("a run", 100, &mut || assert_eq!(run(&mut cell, &["nothing"]).code(), Some(0)));
    time("a run that writes, and a reset", 100, &mut || {
        run(&mut cell, &["append", "input"]);
        assert_eq!(cell.reset().unwrap(), Reset::Restored);
    });
    time("a new cell", 10, &mut || drop(Cell::start(&small()).unwrap()));
}
