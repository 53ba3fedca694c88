//! Whenever byway is killed, what it has reported is there, nothing else is left behind, and the next one goes on.
//!
//! `BYWAY_KILLS` says how often it is killed. All of it is one test, since whatever this process finds among its descendants
//! must be what was killed.

mod common;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, set_child_subreaper, wait};
use serde_json::Value;

use common::Project;

/// How often it is killed if nobody says how often: twice in each command.
const KILLS: u64 = 12;
/// How long what was killed may take to be gone.
const PATIENCE: Duration = Duration::from_secs(60);

const SOURCE: &str = r#"
#include <stdio.h>
#include <string.h>

static int weigh(const unsigned char *text, int length) {
    int weights[8] = {1, 2, 3, 5, 7, 11, 13, 17};
    int sum = 0;
    for (int i = 0; i < length; i++) {
        if (text[i] == '#')
            sum += weights[text[i + 1] & 15];
        else if (text[i] >= 'a' && text[i] <= 'm')
            sum += 2;
        else if (text[i] == '%')
            sum /= text[i + 1] - '0';
    }
    return sum;
}

int main(int argc, char **argv) {
    unsigned char text[16] = {0};
    int length = fread(text, 1, 6, stdin);
    if (argc > 1 && strcmp(argv[1], "-v") == 0)
        printf("%d bytes\n", length);
    printf("%d\n", weigh(text, length));
    return 0;
}
"#;

const SUITE: &str = "./program < one; ./program -v < two; ./program < three";

/// A command that is killed, and where it writes to.
#[derive(Clone, Copy)]
struct Killed {
    words: &'static [&'static str],
    output: &'static str,
    /// Whether it goes on with what is there.
    resumes: bool,
}

const COMMANDS: [Killed; 6] = [
    Killed { words: &["record", "-o", "seeds", "--", "sh", "-c", SUITE], output: "seeds", resumes: false },
    Killed { words: &["reduce", "seeds-whole", "-o", "smaller"], output: "smaller", resumes: false },
    Killed {
        words: &["check", "--from", "seeds-whole", "--time", "60", "--max-distance", "1", "-o", "checked"],
        output: "checked",
        resumes: false,
    },
    Killed {
        words: &["explore", "program", "--sym-stdin", "4", "--time", "3", "-o", "explored"],
        output: "explored",
        resumes: true,
    },
    Killed {
        words: &[
            "eval",
            "seeds-whole",
            "--time",
            "0.2",
            "--search",
            "dfs",
            "--suites",
            "3",
            "--suite-size",
            "2",
            "-o",
            "measured",
        ],
        output: "measured",
        resumes: true,
    },
    Killed { words: &["build", "program", "--variant", "asan"], output: "built", resumes: false },
];

/// What was reported of something: names that must not go away.
type Reported = BTreeSet<String>;

struct Yard {
    project: Project,
}

impl Yard {
    fn new() -> Yard {
        let files = [("main.c", SOURCE), ("one", "ab#1"), ("two", "nz%2x"), ("three", "qq")];
        let project = Project::with(&files);
        fs::create_dir(project.path("tmp")).unwrap();
        project.run("byway-cc -g -O1 main.c -o program").ok();
        let yard = Yard { project };
        let begun = yard.begin(&["record", "-o", "seeds-whole", "--", "sh", "-c", SUITE]);
        assert!(begun.wait_with_output().unwrap().status.success());
        yard
    }

    fn path(&self, name: &str) -> PathBuf {
        self.project.path(name)
    }

    /// Starts byway; what it prints goes to a file, where it stays.
    fn begin(&self, words: &[&str]) -> std::process::Child {
        let mut command = self.project.command(env!("CARGO_BIN_EXE_byway"));
        command.args(words).env("TMPDIR", self.path("tmp"));
        if words[0] == "build" {
            command.env("BYWAY_CACHE", self.path("built"));
        }
        let printed = File::create(self.path("printed")).unwrap();
        command.stdout(printed).stderr(Stdio::null()).spawn().unwrap()
    }

    /// The words of a command, with what makes it go on if it can.
    fn words(&self, command: Killed) -> Vec<&'static str> {
        let mut words = command.words.to_vec();
        if command.words[0] == "build" {
            // What is whole would not be built again; what was left unfinished stays.
            let entries = list(&self.path("built")).into_iter().flat_map(|subject| list(&subject));
            entries.filter(|entry| !is_hidden(entry)).for_each(|entry| fs::remove_dir_all(entry).unwrap());
        }
        if command.resumes && self.path(command.output).join("byway.json").exists() {
            words.push("--resume");
        }
        words
    }

    /// Lets a command do all it does. How long that took.
    fn complete(&self, command: Killed) -> Duration {
        let begun = Instant::now();
        let status = self.begin(&self.words(command)).wait().unwrap();
        assert!(matches!(status.code(), Some(0 | 2)), "{:?}: {status}", command.words);
        self.nothing_is_left(command);
        begun.elapsed()
    }

    /// Kills a command after a part of the time that it takes; whether it was at work then.
    fn kill(&self, command: Killed, after: Duration) -> bool {
        // One earlier output is kept: what was put aside before makes way for it.
        let before = reported(&self.path(command.output));
        let mut child = self.begin(&self.words(command));
        thread::sleep(after);
        let _ = kill_process(Pid::from_child(&child), Signal::KILL);
        let was_at_work = child.wait().unwrap().code().is_none();
        self.nothing_is_left(command);
        let (printed, now) = (self.printed(), self.reported(command));
        let lost: Vec<_> = before.union(&printed).filter(|name| !now.contains(*name)).collect();
        assert!(lost.is_empty(), "{:?} after {after:?}: {lost:?} is lost", command.words);
        if command.resumes && !was_at_work {
            // It came to its end: the next one begins anew.
            fs::remove_dir_all(self.path(command.output)).unwrap();
        }
        was_at_work
    }

    /// The findings that were printed.
    fn printed(&self) -> Reported {
        let text = fs::read_to_string(self.path("printed")).unwrap();
        let ends = |character: char| !character.is_ascii_hexdigit();
        let findings = text.split("/findings/").skip(1).filter_map(|rest| rest.split(ends).next());
        findings.map(|id| format!("findings/{id}")).collect()
    }

    /// What is in the output of a command, or in what it has put aside for it.
    fn reported(&self, command: Killed) -> Reported {
        let aside = format!("{}.old", command.output);
        [command.output, &aside].into_iter().flat_map(|output| reported(&self.path(output))).collect()
    }

    /// The mounts that have to do with us; others on the machine may make some meanwhile.
    fn mounts(&self) -> Vec<String> {
        let (all, own) = (fs::read_to_string("/proc/self/mountinfo").unwrap(), self.path("").display().to_string());
        all.lines()
            .filter(|line| line.contains(own.trim_end_matches('/')) || line.contains("byway"))
            .map(str::to_owned)
            .collect()
    }

    /// No process, mount or temporary file is there any more.
    fn nothing_is_left(&self, command: Killed) {
        let begun = Instant::now();
        while let Some(process) = descendants().into_iter().next() {
            let _ = wait(WaitOptions::NOHANG);
            let name = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap_or_default();
            assert!(begun.elapsed() < PATIENCE, "{:?} left {process}: {name:?}", command.words);
            thread::sleep(Duration::from_millis(5));
        }
        let mounts = self.mounts();
        assert!(mounts.is_empty(), "{:?} left {mounts:?}", command.words);
        let files: Vec<_> = list(&self.path("tmp")).into_iter().chain(ours(Path::new("/dev/shm"))).collect();
        assert!(files.is_empty(), "{:?} left {files:?}", command.words);
    }
}

fn list(directory: &Path) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
}

/// What byway would call its own.
fn ours(directory: &Path) -> Vec<PathBuf> {
    list(directory).into_iter().filter(|path| path.to_string_lossy().contains("byway")).collect()
}

/// Whether something has no final name yet. The sums of what is in the cache have one that nobody is to stumble over.
fn is_hidden(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_string_lossy();
    name.starts_with('.') && name != ".byway-sums"
}

/// The processes that this one has made, directly or not; what lost its parent is a child of this one.
fn descendants() -> Vec<i32> {
    let parent = |process: i32| -> Option<i32> {
        let status = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        status.rsplit(')').next()?.split_whitespace().nth(1)?.parse().ok()
    };
    let all = list(Path::new("/proc")).into_iter().filter_map(|path| path.file_name()?.to_str()?.parse().ok());
    let own = getpid().as_raw_nonzero().get();
    let is_ours = |&process: &i32| std::iter::successors(parent(process), |&up| parent(up)).any(|up| up == own);
    all.filter(is_ours).collect()
}

/// All that an output directory says is there: it is, and can be read.
fn reported(output: &Path) -> Reported {
    let mut all = Reported::new();
    for path in list(output) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match name.as_str() {
            _ if name.starts_with('.') => {}
            "findings" | "unconfirmed" | "tests" => {
                for entry in list(&path).into_iter().filter(|entry| !is_hidden(entry)) {
                    json(&entry.join("test.json"));
                    all.insert(format!("{name}/{}", entry.file_name().unwrap().to_string_lossy()));
                }
            }
            "eval.jsonl" => {
                let journal = fs::read_to_string(&path).unwrap();
                let whole = journal.split_inclusive('\n').filter(|line| line.ends_with('\n'));
                all.extend(whole.map(|line| serde_json::from_str::<Value>(line).unwrap().to_string()));
            }
            _ if name.ends_with(".seed.json") => {
                seed_is_whole(output, &json(&path));
                all.insert(name);
            }
            _ if name.ends_with(".json") => drop(json(&path)),
            _ => {}
        }
    }
    all
}

/// What a seed says that it has is there.
fn seed_is_whole(seeds: &Path, seed: &Value) {
    let contents = seed["files"].as_array().unwrap().iter().map(|file| &file["content"]).chain([&seed["stdin"]]);
    for content in contents.filter_map(Value::as_str) {
        let data = fs::read(seeds.join("data").join(content)).unwrap();
        assert_eq!(blake3::hash(&data).to_hex().as_str(), content);
    }
}

fn json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Numbers that look random and are the same every time.
fn random(seed: &mut u64) -> u64 {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    *seed
}

#[test]
fn whenever_byway_is_killed_nothing_is_lost_or_left_behind() {
    let kills = std::env::var("BYWAY_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
    set_child_subreaper(Some(getpid())).unwrap();
    let yard = Yard::new();
    let durations = COMMANDS.map(|command| yard.complete(command));
    let whole = COMMANDS.map(|command| yard.reported(command));
    let (mut seed, mut at_work) = (0x9e37_79b9_7f4a_7c15, 0);
    for number in 0..kills {
        let place = number as usize % COMMANDS.len();
        let part = (random(&mut seed) % 1000) as u32;
        at_work += u64::from(yard.kill(COMMANDS[place], durations[place] * part / 1000));
    }
    eprintln!("killed {at_work} times at work, of {kills}");
    assert!(at_work > kills / 4, "it was over before it was killed, but for {at_work} times of {kills}");
    for (command, whole) in COMMANDS.into_iter().zip(&whole) {
        yard.complete(command);
        let now = yard.reported(command);
        // How far one gets that goes on depends on the time that it has had.
        let missing: Vec<_> = whole.difference(&now).filter(|_| !command.resumes).collect();
        assert!(missing.is_empty(), "{:?}: {missing:?} is missing in the end", command.words);
        let left: Vec<_> = hidden(&yard.path(command.output));
        assert!(left.is_empty(), "{:?} left {left:?}", command.words);
    }
}

/// What has no final name, at any depth.
fn hidden(directory: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in list(directory) {
        if path.is_dir() && !path.is_symlink() {
            all.extend(hidden(&path));
        }
        all.extend(is_hidden(&path).then_some(path));
    }
    all
}
