//! Seeds that are made smaller cover what they covered, and nothing of them can be left out; seeds are put in order.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;

use byway_input::ConcreteInput;
use byway_suite::{Seed, Suite};
use common::Project;
use serde_json::Value;

/// Adds, multiplies and fails: what its input says, in lines of which most are alike.
const SUBJECT: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long sum, product = 1;

static void line(const char *text, int loud) {
  if (text[0] == '#')
    return;
  long number = strtol(text + 1, NULL, 10);
  if (text[0] == '+')
    sum += number;
  else if (text[0] == '*')
    product *= number;
  else if (text[0] == '!')
    abort();
  else
    exit(3);
  if (loud)
    printf("%ld %ld\n", sum, product);
}

int main(int count, char **words) {
  int loud = 0;
  FILE *file = stdin;
  for (int i = 1; i < count; i++)
    if (!strcmp(words[i], "-v"))
      loud = 1;
    else if (words[i][0] != '-')
      file = fopen(words[i], "r");
  if (!file)
    return 2;
  char text[100];
  while (fgets(text, sizeof text, file))
    line(text, loud);
  printf("%ld %ld\n", sum, product);
  return 0;
}
"#;

const TESTS: &str = "seq 1 50 | sed 's/^/+/' | ./subject
(seq 1 50 | sed 's/^/+/'; seq 1 9 | sed 's/^/*/'; echo '# the end') | ./subject -q
printf '+1\\n+2\\n# loud\\n*30\\n' > numbers; ./subject -v -x numbers
printf '+1\\n+2\\n# it breaks\\n!\\n+9\\n' | ./subject
printf '+1\\n+2\\n?\\n' | ./subject
./subject nowhere
true
";

fn project() -> Project {
    let project = Project::with(&[("subject.c", SUBJECT), ("test.sh", TESTS)]);
    project.run("byway-cc -O1 -g subject.c -o subject").ok();
    project.run("byway record -o seeds -- sh test.sh").ok();
    project
}

/// What a run of a seed covers, and how it ends, by another way than seeds are reduced: a new process for each.
fn covered(project: &Project, seed: &Seed) -> (BTreeSet<u64>, bool) {
    if let Some(bytes) = &seed.input.stdin {
        fs::write(project.path("input"), bytes).unwrap();
    }
    for (path, file) in seed.input.files.iter() {
        fs::write(path, &*file.content).unwrap();
    }
    let words: Vec<_> = seed.input.texts().map(|word| format!("'{}'", std::str::from_utf8(word).unwrap())).collect();
    let input = if seed.input.stdin.is_none() { "/dev/null" } else { "input" };
    let ran = project.shell(&format!("byway coverage subject --json -o report -- {} <{input}", words.join(" ")));
    let report: Value = serde_json::from_slice(&fs::read(project.path("report")).unwrap()).unwrap();
    let files = report["files"].as_object().unwrap();
    let lines = files.values().next().unwrap()["lines"].as_object().unwrap();
    let executed = lines.iter().filter(|(_, count)| count.as_u64() > Some(0)).map(|(line, _)| line.parse().unwrap());
    (executed.collect(), ran.code == Some(0))
}

fn without_one(seed: &Seed) -> Vec<Seed> {
    let mut others = Vec::new();
    let with = |input: ConcreteInput| Seed { input: Arc::new(input), ..seed.clone() };
    if let Some(bytes) = &seed.input.stdin {
        for index in 0..bytes.len() {
            let rest = [&bytes[..index], &bytes[index + 1..]].concat();
            others.push(with(ConcreteInput { stdin: Some(rest), ..(*seed.input).clone() }));
        }
    }
    for index in 0..seed.input.arguments.len() {
        let mut other = (*seed.input).clone();
        other.arguments.remove(index);
        others.push(with(other));
    }
    others
}

#[test]
fn what_is_covered_still_is_and_nothing_more_can_be_left_out() {
    let project = project();
    let ran = project.run("byway reduce seeds -o smaller --json").ok();
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(report[0]["seeds"].as_array().unwrap().iter().all(|seed| seed["minimal"] == true), "{report}");
    let (before, after) =
        (Suite::open(&project.path("seeds")).unwrap(), Suite::open(&project.path("smaller")).unwrap());
    assert_eq!(before.seeds.len(), 6);
    for seed in &after.seeds {
        let origin = before.seeds.iter().find(|other| Some(&other.name) == seed.origin.as_ref()).unwrap();
        let ((lines, status), (needed, expected)) = (covered(&project, seed), covered(&project, origin));
        assert!(lines.is_superset(&needed), "{}: {lines:?}, {needed:?}", seed.name);
        assert_eq!(status, expected, "{}", seed.name);
        for other in without_one(seed) {
            let (lines, status) = covered(&project, &other);
            assert!(
                !lines.is_superset(&needed) || status != expected,
                "{:?} can be {:?} {lines:?} {needed:?}",
                (&seed.input.arguments, &seed.input.stdin),
                (&other.input.arguments, &other.input.stdin)
            );
        }
    }
    let inputs: Vec<_> = after.seeds.iter().map(|seed| seed.input.stdin.clone()).collect();
    assert_eq!(inputs[0], Some(b"+".to_vec()));
    assert_eq!(after.seeds[2].input.arguments, [&b"-v"[..], b"numbers"], "-x does nothing");
    assert!(ran.stderr.is_empty(), "{}", ran.stderr);
}

#[test]
fn the_same_comes_out_whoever_works_and_when_time_is_over_what_was_found() {
    let project = project();
    let inputs = |options: &str| -> Vec<_> {
        project.run(&format!("byway reduce seeds -o smaller {options}")).ok();
        let seeds = Suite::open(&project.path("smaller")).unwrap().seeds;
        seeds
            .into_iter()
            .map(|seed| (seed.origin, seed.input.arguments.clone(), seed.input.stdin.clone(), seed.input.files.clone()))
            .collect()
    };
    let all = inputs("--jobs 1");
    assert_eq!(all, inputs("--jobs 3"));
    let none = inputs("--time 0.000001");
    assert_eq!(none.len(), 6);
    let seeds = Suite::open(&project.path("seeds")).unwrap().seeds;
    assert!(
        none.iter()
            .zip(&seeds)
            .all(|(reduced, seed)| reduced.1 == seed.input.arguments && reduced.2 == seed.input.stdin)
    );
    // Branches need more than lines do.
    let length = |inputs: &[(_, _, Option<Vec<u8>>, _)]| inputs[1].2.as_ref().map_or(0, Vec::len);
    let branches: Vec<(_, _, Option<Vec<u8>>, _)> = inputs("--keep branch");
    assert!(length(&branches) >= length(&all));
}

#[test]
fn seeds_are_put_in_order() {
    let project = project();
    let ranked = |order: &str| -> Vec<Value> {
        let ran = project.run(&format!("byway rank seeds --json --order {order}")).ok();
        serde_json::from_str(&ran.stdout).unwrap()
    };
    let numbers =
        |order: &str, key: &str| -> Vec<u64> { ranked(order).iter().map(|seed| seed[key].as_u64().unwrap()).collect() };
    assert!(numbers("bt", "branches").is_sorted_by(|a, b| a >= b));
    assert!(numbers("sp", "path_length").is_sorted());
    let additional = numbers("ba", "additional");
    assert!(additional[0] >= additional[1]);
    for order in ["random", "bt", "ba", "fpf", "sp"] {
        let names: BTreeSet<String> = ranked(order).iter().map(|seed| seed["seed"].to_string()).collect();
        assert_eq!(names.len(), 6, "{order}");
    }
    assert!(project.run("byway rank seeds").ok().stdout.contains("6 seeds, "));
}

/// Characters that are left out, and a switch with two cases that do the same.
const LABELS: &str = r#"
#include <stdio.h>

int main(void) {
  int c;
  while ((c = getchar()) == ' ')
    ;
  for (; c != EOF; c = getchar())
    switch (c) {
    case 'a':
    case 'b':
      putchar('1');
      break;
    default:
      putchar('2');
    }
  return 0;
}
"#;

#[test]
fn labels_and_empty_bodies_are_statements() {
    let project = Project::with(&[("subject.c", LABELS)]);
    project.run("byway-cc -O1 -g subject.c -o subject").ok();
    project.write("test.sh", "printf '   xabyab' | ./subject");
    project.run("byway record -o seeds -- sh test.sh").ok();
    project.run("byway reduce seeds -o smaller").ok();
    let seeds = Suite::open(&project.path("smaller")).unwrap().seeds;
    let bytes = seeds[0].input.stdin.as_ref().unwrap();
    let mut letters = bytes.to_vec();
    letters.sort_unstable();
    assert!(matches!(&letters[..], [b' ', b'a', b'b', b'x' | b'y']), "{:?}", bytes.escape_ascii().to_string());
}

/// Divides by all signs but one.
const SIGNS: &str = r#"
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  int sum = 0, *result = &sum;
  for (int c; (c = getchar()) != EOF;)
    if (c == '!')
      result = NULL;
    else
      sum += 1000 / (c - '!');
  printf("%d\n", *result);
  return 0;
}
"#;

#[test]
fn a_check_explores_around_smaller_seeds_and_puts_them_in_order() {
    let project = Project::with(&[("subject.c", SIGNS), ("test.sh", "printf 'manyletters' | ./subject")]);
    project.run("byway-cc -O1 -g subject.c -o subject").ok();
    project.run("byway record -o seeds -- sh test.sh").ok();
    let ran = project.run("byway check --from seeds --reduce 0.5 --order sp --time 60 --max-distance 1");
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    // Of all signs one is left, and becomes a `!`.
    assert!(ran.stdout.contains("test 0001-subject, made smaller, shows it with 1 byte changed"), "{}", ran.stdout);
    assert!(ran.stdout.contains("everything up to the greatest distance was explored"), "{}", ran.stdout);
    let stats: Value = serde_json::from_slice(&fs::read(project.path("byway.out/stats.json")).unwrap()).unwrap();
    let times = stats["programs"].as_object().unwrap().values().next().unwrap()["times"].as_array().unwrap().clone();
    assert_eq!(times.len(), 1);
    project.run("byway replay byway.out").ok();
}

#[test]
fn random_changes_come_first_and_their_seeds_are_checked() {
    let project = Project::with(&[("subject.c", SUBJECT)]);
    project.run("byway-cc -O1 -g subject.c -o subject").ok();
    // One line of a sum: the rest is for random changes to find, the `!` that aborts too.
    let ran = project.shell(
        "printf '+1\\n' > input; byway check --warm-up 20 --max-distance 0 --time 30 -- sh -c './subject < input'",
    );
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("made of 0001-subject, shows it"), "{}", ran.stdout);
    // What they took is part of all times.
    let (_, changes) = ran.stderr.split_once("random changes of subject: ").expect(&ran.stderr);
    let (_, spent) = changes.split_once(" in ").unwrap();
    let spent: f64 = spent.split(' ').next().unwrap().parse().unwrap();
    let read = |name: &str| -> Value {
        serde_json::from_slice(&fs::read(project.path("byway.out").join(name)).unwrap()).unwrap()
    };
    let (findings, stats) = (read("findings.json"), read("stats.json"));
    let first = findings.as_array().unwrap().iter().map(|finding| finding["first_seen"].as_f64().unwrap());
    let first = first.fold(f64::INFINITY, f64::min);
    assert!(spent <= first + 0.05 && first <= stats["elapsed"].as_f64().unwrap(), "{spent} s, {findings}");
    project.run("byway replay byway.out").ok();
}

#[test]
fn mistakes_are_explained() {
    let project = project();
    project.run("byway check --from seeds --reduce 1").fails(1, "not a number from 0 to less than 1");
    project.run("byway rank seeds --order best").fails(1, "there are random, bt");
    project.run("byway reduce seeds --keep lines").fails(1, "neither statement nor branch");
    project.run("byway reduce nowhere").fails(5, "nowhere");
    project.run("byway reduce seeds -o subject.c").fails(10, "subject.c is not a directory");
}
