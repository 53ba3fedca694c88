//! Which findings fail a check: levels, suppressions, a baseline, what the sanitizers themselves leave out.

mod common;

use std::fs;

use common::{Project, Ran};
use serde_json::Value;

/// An index that leaves its array, a sum that overflows and harms nobody, and a test that divides by zero as it is.
const SOURCE: &str = "#include <stdio.h>
static int table[8];
static int sum(int a, int b) {
  return a + b;
}
int main(int argc, char **argv) {
  int first = getchar(), large = 0x7fffff80;
  if (first == '0')
    return 1 / (argc - 1);
  large = sum(large, first);
  volatile int got = table[first & 15];
  return large == 0;
}
";
/// Byte 8 of `table` is the first that is outside.
const TESTS: &str = "printf a | ./program; printf 0 | ./program; true";

fn project() -> Project {
    let project = Project::with(&[("program.c", SOURCE), ("test.sh", TESTS)]);
    project.run("byway-cc -g -O0 program.c -o program").ok();
    project.run("byway record -q -o seeds -- sh test.sh").ok();
    project
}

fn check(project: &Project, options: &str) -> Ran {
    project.run(&format!("byway check --from seeds --max-distance 0 --reduce 0 --time 20 {options}"))
}

fn json(project: &Project, path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(project.path(path)).unwrap()).unwrap()
}

/// Level and kind of each finding.
fn findings(project: &Project) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let all = json(project, "byway.out/findings.json");
    all.as_array().unwrap().iter().map(|found| (text(&found["level"]), text(&found["kind"]))).collect()
}

const EXPECTED: [(&str, &str); 3] =
    [("error", "integer-divide-by-zero"), ("error", "bounds"), ("warning", "signed-integer-overflow")];

#[test]
fn findings_have_levels_which_all_reports_say_and_which_decide_the_exit_code() {
    let project = project();
    let ran = check(&project, "").fails(2, "");
    assert_eq!(findings(&project), EXPECTED.map(|(level, kind)| (level.to_owned(), kind.to_owned())));
    // A test that fails as it is says so first.
    let own = "error[integer-divide-by-zero]: your test already shows this: division by zero";
    for line in [own, "error[bounds]: index ", "warning[signed-integer-overflow]: "] {
        assert!(ran.stdout.contains(line), "no {line:?} in\n{}", ran.stdout);
    }
    assert!(ran.stdout.contains("3 findings (2 errors, 1 warning), 0 unconfirmed"), "{}", ran.stdout);
    let list = ran.stdout.split("findings, the worst first:\n").nth(1).unwrap();
    let kinds: Vec<&str> = list.lines().take(3).map(|line| line.trim().split(' ').next().unwrap()).collect();
    assert_eq!(kinds, EXPECTED.map(|(level, kind)| format!("{level}[{kind}]")), "{list}");

    let sarif = json(&project, "byway.out/report.sarif");
    let levels = sarif["runs"][0]["results"].as_array().unwrap().iter().map(|result| result["level"].clone());
    assert_eq!(levels.collect::<Vec<_>>(), EXPECTED.map(|(level, _)| Value::from(level)));
    let junit = fs::read_to_string(project.path("byway.out/junit.xml")).unwrap();
    assert_eq!(junit.matches("<failure").count(), 2, "{junit}");
    assert!(junit.contains("<system-out>warning: signed-integer-overflow at program.c:4:"), "{junit}");

    // Without what is an error the warning alone fails only who wants it to.
    project.write("errors.toml", SUPPRESS_ERRORS);
    check(&project, "--suppressions errors.toml").ok();
    check(&project, "--suppressions errors.toml --fail-on warning").fails(2, "");
    check(&project, "--fail-on fatal").fails(1, "");
}

const SUPPRESS_ERRORS: &str = "[[suppress]]
kind = \"integer-*\"
file = \"program.c\"
reason = \"the test wants it\"
[[suppress]]
kind = \"bounds\"
function = \"main\"
reason = \"never so far\"
[[suppress]]
kind = \"null\"
reason = \"fits nothing\"
";

#[test]
fn what_a_file_or_the_build_accepts_does_not_count() {
    let project = project();
    project.write("s.toml", SUPPRESS_ERRORS);
    let ran = check(&project, "--suppressions s.toml").ok();
    assert!(ran.stdout.contains("2 findings suppressed\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("suppression without a finding: kind null (fits nothing)\n"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("error["), "{}", ran.stdout);
    let sarif = json(&project, "byway.out/report.sarif");
    let result = &sarif["runs"][0]["results"][0];
    assert_eq!(result["suppressions"][0]["justification"], "the test wants it", "{result}");

    project.write("wrong.toml", "[[suppress]]\nkind = \"null\"\n");
    check(&project, "--suppressions wrong.toml").fails(10, "it has no reason");

    // The sanitizers' own.
    project.write("ubsan.txt", "# why\nsigned-integer-overflow:program.c\nbounds:main\n");
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.args("check --from seeds --max-distance 0 --reduce 0 --time 20 --fail-on warning".split(' '));
    let ran: Ran = command.env("UBSAN_OPTIONS", "suppressions=ubsan.txt").output().unwrap().into();
    assert!(ran.fails(2, "").stdout.contains("1 finding (1 error), 0 unconfirmed\n2 findings suppressed\n"));

    // The build's own.
    project.run("byway-cc -g -O0 -fno-sanitize=signed-integer-overflow program.c -o program").ok();
    project.run("byway record -q -o seeds -- sh test.sh").ok();
    check(&project, "").fails(2, "");
    assert_eq!(findings(&project).into_iter().filter(|(level, _)| level == "warning").count(), 0);
}

#[test]
fn only_what_a_baseline_does_not_have_counts_also_when_lines_have_moved() {
    let project = project();
    check(&project, "").fails(2, "");
    let ran = project.run("byway baseline -o known.json").ok();
    assert_eq!(ran.stdout, "3 findings in known.json\n");
    fs::copy(project.path("byway.out/report.sarif"), project.path("known.sarif")).unwrap();
    fs::copy(project.path("byway.out/findings.json"), project.path("findings.json")).unwrap();
    // Other lines above, and one defect less.
    let moved = SOURCE.replace("static int table[8]", "\n\n\nstatic int table[16]");
    project.write("program.c", moved);
    project.run("byway-cc -g -O0 program.c -o program").ok();
    project.run("byway record -q -o seeds -- sh test.sh").ok();
    for baseline in ["known.json", "known.sarif", "findings.json"] {
        let ran = check(&project, &format!("--fail-on warning --baseline {baseline}")).ok();
        assert!(ran.stdout.contains("2 findings in the baseline\n"), "{baseline}: {}", ran.stdout);
        let gone = "1 finding of the baseline not found this time:\n  bounds at ";
        assert!(ran.stdout.contains(gone), "{baseline}: {}", ran.stdout);
    }
    let sarif = json(&project, "byway.out/report.sarif");
    assert_eq!(sarif["runs"][0]["results"][0]["baselineState"], "unchanged");
    project.write("known.json", "{\"format\": \"byway.baseline\", \"version\": 1, \"findings\": []}");
    check(&project, "--baseline known.json").fails(2, "");
    check(&project, "--baseline program.c").fails(10, "program.c is damaged");
    check(&project, "--baseline byway.out/stats.json").fails(10, "is no baseline");
}
