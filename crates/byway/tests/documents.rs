//! What the documents say is there, and the examples for build servers do what they say.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::Project;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The documents for users, by name.
fn documents() -> Vec<(String, String)> {
    let paths = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    paths.push(root().join("README.md"));
    paths.iter().map(|path| (path.display().to_string(), fs::read_to_string(path).unwrap())).collect()
}

/// The words of a text that begin with two dashes.
fn options(text: &str) -> BTreeSet<&str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || "-=".contains(letter)));
    let names = words.filter_map(|word| word.strip_prefix("--")).map(|word| word.split('=').next().unwrap());
    names.filter(|name| name.starts_with(|letter: char| letter.is_ascii_lowercase())).collect()
}

/// Options of other programs in the documents.
const OTHERS: [&str; 12] = [
    "body-file",
    "example",
    "max-memory",
    "max-solver-time",
    "max-time",
    "only-output-states-covering-new",
    "orphan-handling",
    "output-dir",
    "release",
    "seed-file",
    "write-smt2s",
    "yes",
];

#[test]
fn every_option_that_a_document_names_is_there() {
    let project = Project::new();
    project.run("byway manual man").ok();
    let pages =
        fs::read_dir(project.path("man")).unwrap().map(|entry| fs::read_to_string(entry.unwrap().path()).unwrap());
    let pages = pages.collect::<String>().replace("\\-", "-");
    let pages = ["\\fB", "\\fI", "\\fR"].iter().fold(pages, |pages, font| pages.replace(font, " "));
    let known = options(&pages);
    for (name, text) in documents() {
        let unknown: Vec<&str> =
            options(&text).into_iter().filter(|option| !known.contains(option) && !OTHERS.contains(option)).collect();
        assert!(unknown.is_empty(), "{name}: {unknown:?}");
    }
}

#[test]
fn every_command_has_its_place_in_the_documents_and_every_link_leads_somewhere() {
    let all: String = documents().into_iter().map(|(_, text)| text).collect();
    let help = Project::new().run("byway help").ok().stdout;
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names: Vec<&str> = names.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(names.len() > 15, "{names:?}");
    for name in names.into_iter().filter(|&name| name != "help") {
        let is_named = ["byway ", "`"].iter().any(|before| all.contains(&format!("{before}{name}")));
        assert!(is_named, "no document has {name}");
    }
    for (name, text) in documents() {
        for target in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let file = target.split('#').next().unwrap();
            let is_there =
                file.is_empty() || file.starts_with("http") || Path::new(&name).parent().unwrap().join(file).exists();
            assert!(is_there, "{name}: {target}");
        }
    }
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 150);
}

/// The commands of an example for a build server that are not about installing byway.
fn commands(text: &str, heading: &str) -> Vec<String> {
    let example = text.split(&format!("## {heading}\n")).nth(1).unwrap().split("```").nth(1).unwrap();
    let lines = example.lines().map(|line| line.trim_start().trim_start_matches("- "));
    let ours = lines.filter(|line| line.starts_with("make ") || line.starts_with("byway "));
    ours.map(str::to_owned).collect()
}

#[test]
fn the_examples_for_build_servers_find_what_is_wrong_with_the_demo_and_then_only_what_is_new() {
    let text = fs::read_to_string(root().join("docs/ci.md")).unwrap();
    let (github, gitlab) = (commands(&text, "GitHub Actions"), commands(&text, "GitLab"));
    assert_eq!(github, gitlab);
    assert_eq!(github.len(), 2, "{github:?}");
    let project = Project::new();
    project.shell(&format!("cp -r '{}/examples/meter/.' .", root().display())).ok();
    project.shell(&github[0]).ok();
    // Nobody here has five minutes: the file that a project may have says so, for what is not typed.
    let check = github[1].replace("--time 300", "--time 20 --max-distance 0 --reduce 0");
    let ran = project.shell(&check);
    assert_eq!(ran.code, Some(2), "{}{}", ran.stdout, ran.stderr);
    for path in ["byway.out/report.sarif", "byway.out/junit.xml", "byway.out/index.html"] {
        assert!(project.path(path).is_file() && text.contains(path.split('/').next().unwrap()), "{path}");
    }
    project.run("byway baseline").ok();
    // What is in the cache is not built again, and what is known does not count.
    let again = project.shell(&check.replace("byway check", "byway check --baseline byway.baseline.json"));
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    assert!(!again.stderr.contains("building"), "{}", again.stderr);
}
