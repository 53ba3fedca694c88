//! A solver that hangs, dies, lies or talks nonsense costs one query.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use byway_solve::smt::{External, ExternalError, ExternalSettings, default_command};
use byway_solve::{Answer, Expr, Op, Pool, Query, Unknown, Var};
use tempfile::TempDir;

const SOON: Duration = Duration::from_secs(2);

/// b0 == 65 and b1 < b0
fn constraints(pool: &mut Pool) -> Vec<Expr> {
    let (a, b) = (pool.make_byte(Var(0)), pool.make_byte(Var(1)));
    vec![pool.equals(a, 65), pool.binary(Op::Ult, b, a)]
}

fn ask(external: &mut External, timeout: Duration) -> Answer {
    let mut pool = Pool::new();
    let constraints = constraints(&mut pool);
    let vars = [Var(0), Var(1), Var(7)];
    external.solve(&pool, &Query { constraints: &constraints, vars: &vars, seed: &|var| var.0 as u8 }, timeout)
}

fn answered() -> Answer {
    Answer::Sat(vec![(Var(0), 65), (Var(1), 1), (Var(7), 7)])
}

/// A solver that is a script. `$n` counts how often it was started.
fn fake(folder: &TempDir, script: &str) -> External {
    fake_within(folder, script, ExternalSettings::default())
}

fn fake_within(folder: &TempDir, script: &str, settings: ExternalSettings) -> External {
    let path = folder.path().join("fake");
    let count = "n=$(($(cat \"$0.n\" 2>/dev/null || echo 0) + 1)); echo $n > \"$0.n\"";
    // Another process writes it: while one of ours has it open for writing, a process that another test starts has it too, and
    // it cannot be executed.
    let mut writer = Command::new("sh");
    writer.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(&path).stdin(Stdio::piped());
    let mut writer = writer.spawn().unwrap();
    write!(writer.stdin.take().unwrap(), "#!/bin/sh\n{count}\n{script}\n").unwrap();
    assert!(writer.wait().unwrap().success());
    External::new(path.to_str().unwrap(), settings).unwrap()
}

/// Replies well to every query.
const GOOD: &str = "while read -r line; do case $line in
    *check-sat*) echo sat ;;
    *get-value*) printf '((b0 #b01000001)\\n (b1 (_ bv64 8)))\\n' ;;
esac; done";

/// The first process is bad, the next one good.
fn only_first(bad: &str) -> String {
    format!("if [ $n = 1 ]; then\n{bad}\nexit; fi\n{GOOD}")
}

/// What a bad solver costs: one query, for which it gives this reason.
fn costs_one_query(bad: &str) -> Unknown {
    let folder = TempDir::new().unwrap();
    let mut external = fake(&folder, &only_first(bad));
    let Answer::Unknown(unknown) = ask(&mut external, SOON) else { panic!("{bad} is no answer") };
    assert_eq!(ask(&mut external, Duration::from_secs(5)), answered(), "after {bad}");
    assert_eq!(external.stats().starts, 2);
    unknown
}

fn complaint(bad: &str) -> String {
    match costs_one_query(bad) {
        Unknown::Solver(text) => text,
        other => panic!("{bad} is {other:?}"),
    }
}

#[test]
fn a_good_solver_is_started_once() {
    let folder = TempDir::new().unwrap();
    let mut external = fake(&folder, GOOD);
    for _ in 0..5 {
        assert_eq!(ask(&mut external, Duration::from_secs(5)), answered());
    }
    assert_eq!((external.stats().starts, external.stats().queries), (1, 5));
}

#[test]
fn a_solver_that_hangs_is_killed() {
    assert_eq!(costs_one_query("sleep 1000"), Unknown::Time);
    assert_eq!(costs_one_query("while :; do :; done"), Unknown::Time);
    assert_eq!(
        costs_one_query("while read -r line; do case $line in *check-sat*) echo sat;; esac; done"),
        Unknown::Time
    );
}

#[test]
fn a_solver_that_is_slow_is_waited_for() {
    let folder = TempDir::new().unwrap();
    let mut external = fake(&folder, &GOOD.replace("echo sat", "sleep 2.5; echo sat"));
    assert_eq!(ask(&mut external, Duration::from_secs(10)), answered());
}

#[test]
fn a_solver_that_crashes_says_how() {
    assert!(complaint("kill -SEGV $$").contains("signal: 11"));
    assert!(complaint("echo no licence >&2; exit 3").contains("exit status: 3): no licence"));
}

#[test]
fn nonsense_is_no_answer() {
    assert_eq!(complaint("echo maybe; sleep 50"), "the solver says maybe");
    assert!(complaint("echo '(error \"line 3: what?\")'; sleep 50").contains("line 3: what?"));
    assert!(complaint("head -c 100000 /dev/zero; echo; sleep 50").contains("the solver says"));
    assert!(complaint("read -r line; echo sat; echo '((b0 #x4x) (b1 #x00))'; sleep 50").contains("#x4x"));
    assert_eq!(complaint("yes nonsense"), "the solver says nonsense");
}

#[test]
fn a_model_that_is_wrong_is_found_out() {
    let lie = GOOD.replace("01000001", "01000010");
    assert_eq!(complaint(&lie), "the solver's model does not satisfy the query");
}

#[test]
fn unknown_is_an_answer() {
    let folder = TempDir::new().unwrap();
    let mut external = fake(&folder, "while read -r line; do case $line in *check-sat*) echo unknown;; esac; done");
    assert!(matches!(ask(&mut external, Duration::from_secs(5)), Answer::Unknown(Unknown::Solver(_))));
    assert_eq!(external.stats().starts, 1);
}

#[test]
fn memory_is_limited() {
    let folder = TempDir::new().unwrap();
    let hungry = only_first("x=a; while :; do x=$x$x; done");
    let mut external = fake_within(&folder, &hungry, ExternalSettings { memory: 100 << 20 });
    assert!(matches!(ask(&mut external, Duration::from_secs(20)), Answer::Unknown(Unknown::Solver(_))));
    assert_eq!(ask(&mut external, Duration::from_secs(5)), answered());
}

#[test]
fn a_solver_that_does_not_exist_is_an_error_that_helps() {
    let message = |command: &str| External::new(command, ExternalSettings::default()).err().unwrap().to_string();
    assert!(message("no-such-solver -in").contains("install the package no-such-solver"));
    assert!(message("/etc/passwd").contains("--solver"));
    for command in ["", "z3 'unclosed"] {
        assert!(matches!(External::new(command, ExternalSettings::default()), Err(ExternalError::Command(_))));
    }
}

#[test]
fn z3_answers_in_both_ways() {
    if default_command().is_none() {
        eprintln!("z3 is not installed: nothing is asked of it");
        return;
    }
    let mut z3 = External::new("z3 -in", ExternalSettings::default()).unwrap();
    let folder = TempDir::new().unwrap();
    let link = folder.path().join("another-name");
    std::os::unix::fs::symlink(which("z3"), &link).unwrap();
    // Under another name, it is a solver like all others.
    let mut other = External::new(&format!("{} -in", link.display()), ExternalSettings::default()).unwrap();
    for _ in 0..3 {
        for external in [&mut z3, &mut other] {
            assert_eq!(ask(external, Duration::from_secs(10)), answered());
        }
    }
    assert_eq!((z3.stats().starts, other.stats().starts), (1, 1));
}

fn which(program: &str) -> std::path::PathBuf {
    let path = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|path| Path::new(path).exists()).unwrap()
}
