//! Versions of a little repository, built and kept.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;

use byway_versions::{Build, BuildPlace, Checkout, Commit, Occupied, Range, VersionsError};
use tempfile::TempDir;

static CALM: AtomicBool = AtomicBool::new(false);

/// A repository with three commits, each with another `text`, and a place to build them.
struct Fixture {
    directory: TempDir,
}

impl Fixture {
    fn new() -> Fixture {
        let fixture = Fixture { directory: tempfile::tempdir().unwrap() };
        fs::create_dir(fixture.repository()).unwrap();
        fixture.git(&["init", "-q", "-b", "main"]);
        for number in 1..=3 {
            fs::write(fixture.repository().join("text"), format!("version {number}\n")).unwrap();
            fixture.git(&["add", "text"]);
            fixture.git(&["commit", "-q", "-m", &format!("Version {number}")]);
            fixture.git(&["tag", &format!("v{number}")]);
        }
        fixture
    }

    fn repository(&self) -> PathBuf {
        self.directory.path().join("repository")
    }

    fn git(&self, arguments: &[&str]) -> String {
        git(&self.repository(), arguments)
    }

    fn checkout(&self) -> Checkout {
        Checkout::open(&self.repository()).unwrap()
    }

    fn place(&self) -> BuildPlace {
        let root = self.directory.path().join("versions");
        BuildPlace::open(&root, &self.checkout(), &CALM, || panic!("nobody else uses it")).unwrap()
    }

    fn resolve(&self, place: &BuildPlace, range: &str) -> Result<(Commit, Commit), VersionsError> {
        self.checkout().resolve(&Range::parse(range, None), &place.objects())
    }

    fn occupy(&self, place: &BuildPlace, commit: &Commit, command: &str) -> Result<Occupied, VersionsError> {
        place.occupy(&self.checkout(), commit, &build(command), &CALM)
    }

    /// Everything in the repository and its checkout.
    fn state(&self) -> String {
        let all = ["status", "stash list", "for-each-ref", "worktree list", "count-objects -v", "ls-files --stage"];
        all.iter().map(|command| self.git(&command.split(' ').collect::<Vec<_>>())).collect()
    }
}

fn git(directory: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    for name in ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"] {
        command.env(name, "somebody");
    }
    let output = command.args(["-c", "protocol.file.allow=always"]).args(arguments).current_dir(directory).output();
    let output = output.unwrap();
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn build(command: &str) -> Build {
    Build { command: command.to_owned(), compiler: "/bin/true".into() }
}

const BUILD: &str =
    "pwd > where; cp text made; echo building; command -v $CC > compilers; command -v $CXX >> compilers";

fn read(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn both_versions_are_built_at_the_same_path() {
    let fixture = Fixture::new();
    let (place, before) = (fixture.place(), fixture.state());
    let (old, new) = fixture.resolve(&place, "v1..v2").unwrap();
    let old = fixture.occupy(&place, &old, BUILD).unwrap();
    let where_old = read(old.tree.join("where"));
    assert_eq!(read(old.tree.join("made")), "version 1\n");
    let new = fixture.occupy(&place, &new, BUILD).unwrap();
    assert_eq!(read(new.tree.join("made")), "version 2\n");
    assert_eq!(read(new.tree.join("where")), where_old);
    assert_eq!(read(old.kept.join("made")), "version 1\n");
    assert_eq!(read(&old.log), "building\n");
    let compilers = read(new.tree.join("compilers"));
    assert!(
        compilers.lines().map(|line| line.rsplit('/').next().unwrap()).eq(["byway-cc", "byway-c++"]),
        "{compilers}"
    );
    assert_eq!(fixture.state(), before);
}

#[test]
fn what_was_built_is_kept_by_commit_and_command() {
    let fixture = Fixture::new();
    let place = fixture.place();
    let (old, new) = fixture.resolve(&place, "v1..v2").unwrap();
    assert!(!fixture.occupy(&place, &old, BUILD).unwrap().was_kept);
    assert!(!fixture.occupy(&place, &new, BUILD).unwrap().was_kept);
    for commit in [&new, &old, &old, &new] {
        let occupied = fixture.occupy(&place, commit, BUILD).unwrap();
        assert!(occupied.was_kept);
        assert_eq!(read(occupied.tree.join("made")), read(occupied.tree.join("text")));
    }
    assert!(!fixture.occupy(&place, &new, "cp text other").unwrap().was_kept);
}

#[test]
fn a_version_that_was_half_built_is_built_again() {
    let fixture = Fixture::new();
    let place = fixture.place();
    let (old, new) = fixture.resolve(&place, "v1..v2").unwrap();
    let failed = fixture.occupy(&place, &new, "touch half; false").unwrap_err().to_string();
    assert!(failed.contains("Version 2") && failed.contains("log"), "{failed}");
    let occupied = fixture.occupy(&place, &old, BUILD).unwrap();
    // As a killed command leaves it: something is there, and nothing says that it was built.
    fs::remove_file(occupied.log.with_file_name("build.json")).unwrap();
    fs::write(occupied.tree.join("half"), "").unwrap();
    let occupied = fixture.occupy(&place, &old, BUILD).unwrap();
    assert!(!occupied.was_kept && !occupied.tree.join("half").exists());
    assert!(!fixture.occupy(&place, &new, BUILD).unwrap().tree.join("half").exists());
}

#[test]
fn a_failed_build_names_the_commit_and_shows_the_end_of_its_log() {
    let fixture = Fixture::new();
    let place = fixture.place();
    let (_, new) = fixture.resolve(&place, "v1..v2").unwrap();
    let message = fixture.occupy(&place, &new, "seq 1 100; exit 3").unwrap_err().to_string();
    assert!(message.contains("Version 2 failed (exit status: 3): seq 1 100; exit 3\n  86\n"), "{message}");
}

#[test]
fn one_revision_is_compared_with_the_working_tree() {
    let fixture = Fixture::new();
    let place = fixture.place();
    assert_eq!(fixture.resolve(&place, "v1").unwrap().1, fixture.checkout().commit("HEAD").unwrap());
    fs::write(fixture.repository().join("text"), "not committed\n").unwrap();
    let before = fixture.state();
    let (_, new) = fixture.resolve(&place, "v1").unwrap();
    assert_eq!(fixture.resolve(&place, "v1").unwrap().1, new, "the same files are the same commit");
    let occupied = fixture.occupy(&place, &new, BUILD).unwrap();
    assert_eq!(read(occupied.tree.join("made")), "not committed\n");
    assert_eq!(fixture.state(), before);
}

#[test]
fn three_dots_begin_where_both_parted() {
    let fixture = Fixture::new();
    let place = fixture.place();
    fixture.git(&["checkout", "-q", "-b", "topic", "v2"]);
    fixture.git(&["commit", "-q", "--allow-empty", "-m", "Topic"]);
    let (old, new) = fixture.resolve(&place, "main...topic").unwrap();
    assert!(old.title.ends_with("Version 2") && new.title.ends_with("Topic"), "{old:?} {new:?}");
}

#[test]
fn unknown_revisions_and_shallow_clones_are_named() {
    let fixture = Fixture::new();
    let place = fixture.place();
    let message = fixture.resolve(&place, "v1..nowhere").unwrap_err().to_string();
    assert_eq!(message, "nowhere is no commit of this repository");
    let shallow = fixture.directory.path().join("shallow");
    let url = format!("file://{}", fixture.repository().display());
    git(fixture.directory.path(), &["clone", "-q", "--depth", "1", &url, shallow.to_str().unwrap()]);
    let checkout = Checkout::open(&shallow).unwrap();
    let message = checkout.commit("HEAD~1").unwrap_err().to_string();
    assert!(message.contains("git fetch --unshallow"), "{message}");
    // What there is of it can be built.
    let occupied = place.occupy(&checkout, &checkout.commit("HEAD").unwrap(), &build(BUILD), &CALM).unwrap();
    assert_eq!(read(occupied.tree.join("made")), "version 3\n");
}

#[test]
fn outside_of_a_checkout_it_is_said_what_to_do() {
    let directory = tempfile::tempdir().unwrap();
    let message = Checkout::open(directory.path()).unwrap_err().to_string();
    assert!(message.ends_with("is in no git checkout: run byway diff there, or name two programs"), "{message}");
}

#[test]
fn a_build_finds_tags_submodules_and_its_own_directory() {
    let fixture = Fixture::new();
    let other = Fixture::new();
    let url = other.repository();
    fixture.git(&["submodule", "--quiet", "add", url.to_str().unwrap(), "part"]);
    fs::create_dir(fixture.repository().join("below")).unwrap();
    fs::write(fixture.repository().join("below/file"), "").unwrap();
    fixture.git(&["add", "below"]);
    fixture.git(&["commit", "-q", "-m", "A submodule"]);
    let checkout = Checkout::open(&fixture.repository().join("below")).unwrap();
    let command = build("pwd; git describe --tags; cat ../part/text");
    let place = fixture.place();
    let occupied = place.occupy(&checkout, &checkout.commit("HEAD").unwrap(), &command, &CALM).unwrap();
    let log = read(&occupied.log);
    let lines: Vec<&str> = log.lines().collect();
    assert!(lines[0].ends_with("src/below") && lines[1].starts_with("v3-1-g") && lines[2] == "version 3", "{log}");
}

#[test]
fn a_submodule_that_is_not_here_is_named() {
    let (fixture, other) = (Fixture::new(), Fixture::new());
    fixture.git(&["submodule", "--quiet", "add", other.repository().to_str().unwrap(), "part"]);
    fixture.git(&["commit", "-q", "-m", "A submodule"]);
    fs::remove_dir_all(fixture.repository().join(".git/modules")).unwrap();
    let commit = fixture.checkout().commit("HEAD").unwrap();
    let message = fixture.occupy(&fixture.place(), &commit, BUILD).unwrap_err().to_string();
    assert!(message.contains("needs the submodule part"), "{message}");
}

#[test]
fn an_interrupted_build_ends_with_all_its_processes() {
    let fixture = Fixture::new();
    let place = fixture.place();
    let (_, new) = fixture.resolve(&place, "v1..v2").unwrap();
    let interrupted = AtomicBool::new(true);
    let command = build("sleep 1000 & echo $! > child; wait");
    let ended = place.occupy(&fixture.checkout(), &new, &command, &interrupted);
    assert!(matches!(ended, Err(VersionsError::Interrupted)), "{ended:?}");
}
