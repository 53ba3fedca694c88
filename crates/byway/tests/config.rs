//! Options that are kept in a file, and the file that byway writes for a project.

mod common;

use std::fs;

use common::{Project, Ran};
use serde_json::Value;

const SOURCE: &str = "#include <stdio.h>
int main(int argc, char **argv) {
  int letter = getchar();
  return letter == 'x';
}
";

fn project() -> Project {
    let project = Project::with(&[("program.c", SOURCE), ("test.sh", "echo a | ./program")]);
    project.run("byway-cc -g -O0 program.c -o program").ok();
    project
}

fn stats(project: &Project, output: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(project.path(output).join("stats.json")).unwrap()).unwrap()
}

fn below(project: &Project, line: &str) -> Ran {
    let mut command = project.command(env!("CARGO_BIN_EXE_byway"));
    command.args(line.split(' ')).current_dir(project.path("sub/deep")).output().unwrap().into()
}

#[test]
fn what_the_file_says_is_as_if_it_was_typed_and_what_is_typed_wins() {
    let project = project();
    let file = "progress = 0\n[check]\ncommand = \"sh 'test.sh'\"\nmax-distance = 0\noutput = \"out\"\nunconfined = false\n\
                [explore]\nmax-runs = 1\n[explore.program.program]\nsym-args = [0, 1, 2]\n[explore.program.other]\nmax-runs = 7\n";
    project.write("byway.toml", file);
    project.write("sub/deep/x", "");
    project.run("byway check").ok();
    assert_eq!(stats(&project, "out")["command"], serde_json::json!(["sh", "test.sh"]));
    // Seeds that are typed exclude the command of the file; where they go is as the file says, wherever byway is called.
    let ran = below(&project, "check --from ../../out/seeds -o typed").ok();
    assert!(ran.stdout.contains("everything is in typed"), "{}", ran.stdout);
    below(&project, "check --from ../../out/seeds").ok();
    assert!(!project.path("sub/deep/out").exists() && project.path("out.old").exists());
    // One program's own options go before those of the command.
    let ran = project.run("byway explore program -o explored").ok();
    assert!(ran.stdout.contains("1 run, "), "{}", ran.stdout);
    let ran = project.run("byway explore program -o explored --max-runs 2").ok();
    assert!(ran.stdout.contains("2 runs, "), "{}", ran.stdout);
    // Another file.
    project.write("other.toml", "[explore]\nmax-runs = 3\n");
    let ran = project.run("byway explore program -o explored --sym-arg 1 --sym-stdin 2 --config other.toml").ok();
    assert!(ran.stdout.contains("3 runs, "), "{}", ran.stdout);
}

#[test]
fn what_the_file_cannot_say_is_an_error_with_a_suggestion() {
    let project = project();
    let says = |file: &str, text: &str| {
        project.write("byway.toml", file);
        project.run("byway explore program").fails(1, text);
    };
    says(
        "[check]\nmax-distanse = 1\n",
        "there is no option of byway check called max-distanse; did you mean max-distance?",
    );
    says("[chek]\ntime = 1\n", "there is no command called chek; did you mean check?");
    says("tme = 1\n", "there is no option called tme; did you mean time?");
    says("[explore.program.x]\nmax-run = 1\n", "did you mean max-runs?");
    says("[explore]\nresume = 1\n", "resume is a switch: true or false");
    says("[explore]\ntime = \"soon\"\n", "not a number of seconds");
    says("[explore\n", "byway.toml: TOML parse error");
    project.run("byway explore program --config nowhere.toml").fails(10, "nowhere.toml");
}

#[test]
fn a_new_file_has_the_test_command_of_the_project_and_can_be_used_at_once() {
    for (name, content, test) in [
        ("configure", "", "make check"),
        ("CMakeLists.txt", "", "ctest --test-dir build"),
        ("meson.build", "", "meson test -C build"),
        ("Makefile", "test: all\n\t./test\n", "make test"),
        ("makefile", "CHECK := 1\ncheck: all\n", "make check"),
    ] {
        let project = Project::with(&[(name, content)]);
        let ran = project.run("byway init").ok();
        assert!(ran.stdout.contains("byway-cc") && ran.stdout.contains("byway check\n"), "{}", ran.stdout);
        let file: toml::Table = fs::read_to_string(project.path("byway.toml")).unwrap().parse().unwrap();
        assert_eq!(file["check"]["command"].as_str(), Some(test), "{name}");
        // All that it names is there, also what is only a comment.
        let text = fs::read_to_string(project.path("byway.toml")).unwrap();
        let options = text
            .lines()
            .filter_map(|line| line.strip_prefix("# "))
            .filter(|line| line.contains(" = ") || line.starts_with('['));
        let all: Vec<&str> = options.collect();
        assert!(all.len() > 8, "{all:?}");
        let commented = text.lines().map(|line| match line.strip_prefix("# ") {
            Some(option) if option.contains(" = ") || option.starts_with('[') => option,
            _ => line,
        });
        let commented: String = commented.map(|line| format!("{line}\n")).collect();
        project.write("all.toml", commented);
        project.run("byway plan --tests 3 --config all.toml").ok();
        project.run("byway init").fails(1, "is there already");
        project.run("byway init --force").ok();
    }
    let ran = Project::new().run("byway init").ok();
    assert!(ran.stdout.contains("say in it how tests are run"), "{}", ran.stdout);
}

#[test]
fn manual_pages_and_completions_are_made_from_the_options() {
    let project = Project::new();
    project.run("byway manual man").ok();
    let page = fs::read_to_string(project.path("man/byway-check.1")).unwrap();
    assert!(page.contains("\\-\\-fail\\-on") && page.starts_with(".ie"), "{page}");
    for (shell, text) in [("bash", "--max-distance"), ("zsh", "--max-distance"), ("fish", "max-distance")] {
        assert!(project.run(&format!("byway completions {shell}")).ok().stdout.contains(text));
    }
}
