//! Exploring a program that does harm changes nothing, for whoever does it.

mod common;
#[path = "common/explore.rs"]
mod explore;
#[path = "../../byway-confine/tests/walls/place.rs"]
mod place;

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use common::{Project, Ran};
use explore::{OUTPUT, Subject, json, status};

/// Somebody without rights.
const NOBODY: &str = "65534";

/// A directory of files that matter, and somebody who listens.
struct Sentinel {
    directory: PathBuf,
    listener: TcpListener,
}

impl Sentinel {
    fn new(directory: &Path) -> Sentinel {
        let _ = fs::remove_dir_all(directory);
        fs::create_dir_all(directory).unwrap();
        fs::write(directory.join("file"), "it matters").unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Sentinel { directory: directory.to_owned(), listener }
    }

    fn arguments(&self) -> Vec<String> {
        let port = self.listener.local_addr().unwrap().port();
        vec!["--".to_owned(), self.directory.display().to_string(), port.to_string()]
    }

    #[track_caller]
    fn is_untouched(&self) {
        let names: Vec<_> = fs::read_dir(&self.directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["file"]);
        let file = self.directory.join("file");
        assert_eq!(fs::read_to_string(&file).unwrap(), "it matters");
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, 0o644);
        assert!(self.listener.accept().is_err(), "somebody connected");
    }
}

/// What the program did, by letter; whether it was confined is for it to say.
fn deeds(project: &Project) -> BTreeMap<String, Value> {
    let tests = explore::tests(&project.path(OUTPUT)).into_iter();
    tests.map(|(_, test)| (test["arguments"][2].as_str().unwrap().to_owned(), test)).collect()
}

#[track_caller]
fn is_stopped_and_reported(project: &Project, ran: &Ran) {
    assert!(ran.stdout.contains("nothing is left to try but what is listed below"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.code, Some(2), "{}", ran.stdout);
    let findings = json(&project.path(OUTPUT).join("findings.json"));
    let kinds: Vec<&str> = findings.as_array().unwrap().iter().map(|entry| entry["kind"].as_str().unwrap()).collect();
    assert!(kinds.contains(&"hang") && kinds.contains(&"out-of-memory") && kinds.len() == 2, "{kinds:?}");
    let deeds = deeds(project);
    // Who kills all processes that it sees does not reach what observes it.
    let missed = &json(&project.path(OUTPUT).join("stats.json"))["flips"]["missed"];
    assert_eq!(missed["broke what observes it"], Value::Null, "{missed}");
    for letter in ["c", "r", "t", "n", "m", "s", "f", "d", "a"] {
        assert!(deeds.contains_key(letter), "no test '{letter}': {:?}", deeds.keys());
    }
    assert_eq!(status(&deeds["s"]), Some(3), "it connected");
    assert_eq!(status(&deeds["d"]), Some(5), "it could fill the disk");
}

#[test]
fn a_harmful_program_is_stopped_and_changes_nothing() {
    let subject = Subject::named("harmful");
    let project = &subject.project;
    let outside = Sentinel::new(&place::place().join("sentinel"));
    let explore = |sentinel: &Sentinel| subject.explore_with(&sentinel.arguments()).ran;
    let ran = explore(&outside);
    outside.is_untouched();
    is_stopped_and_reported(project, &ran);
    for letter in ["c", "r", "t", "n", "m"] {
        assert_eq!(status(&deeds(project)[letter]), Some(3), "{letter}");
    }
    let harmful = explore::tests(&project.path(OUTPUT)).into_iter().find(|(_, test)| test["arguments"][2] == "r");
    project.run(&format!("byway replay {}", harmful.unwrap().0.display())).ok();
    outside.is_untouched();
    if rustix::process::geteuid().is_root() {
        as_somebody_else(project);
    }
    place::leave();
}

/// The same by a user without rights, in a directory for temporary files: there writing is fine, and comes to nothing.
fn as_somebody_else(project: &Project) {
    let inside = Sentinel::new(&project.path("sentinel"));
    project.run("cp bin/byway bin/byway-reader .").ok();
    project.run(&format!("chown -R {NOBODY}:{NOBODY} .")).ok();
    let user = format!("setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups");
    let options = "explore subject -o out --sym-arg 1 --run-timeout 1.5 --run-memory 512 --jobs 1";
    let ran = project.run(&format!("{user} ./byway {options} {}", inside.arguments().join(" ")));
    inside.is_untouched();
    is_stopped_and_reported(project, &ran);
}
