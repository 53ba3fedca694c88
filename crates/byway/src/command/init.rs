//! `byway init`: a `byway.toml` for this project, with comments.

use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::config::NAME;
use crate::console;
use crate::error::Error;
use crate::exit_code::ExitCode;
use crate::flags::InitFlags;

/// How a project is built with byway-cc, and how its tests are run.
struct Found {
    /// What there is: `configure`, `CMakeLists.txt`.
    what: &'static str,
    build: String,
    test: String,
}

/// Runs the command.
pub fn run(flags: InitFlags) -> Result<ExitCode, Error> {
    let here = env::current_dir().map_err(|source| Error::Pass { what: "the directory", source })?;
    let path = here.join(NAME);
    if path.exists() && !flags.force {
        return Err(Error::Ask(format!("{NAME} is there already: change it, or write a new one with --force")));
    }
    let found = find(&here);
    fs::write(&path, text(found.as_ref())).map_err(|source| Error::Write { path, source })?;
    let next = match &found {
        Some(found) => format!(
            "{NAME} is written, for the {} of this project\nbuild it:  {}\ncheck it:  byway check\n",
            found.what, found.build
        ),
        None => format!(
            "{NAME} is written; there is no configure, CMakeLists.txt, meson.build or Makefile here: say in it how tests are run\n"
        ),
    };
    console::print(&next);
    Ok(ExitCode::Success)
}

/// The first build system that is there.
fn find(directory: &Path) -> Option<Found> {
    let has = |name: &str| directory.join(name).is_file();
    let found = |what, build: &str, test: String| Some(Found { what, build: build.to_owned(), test });
    let cc = "CC=byway-cc CXX=byway-c++";
    match () {
        () if has("configure") => found("configure", &format!("./configure {cc} && make"), make_test(directory)),
        () if has("configure.ac") => {
            found("configure.ac", &format!("autoreconf -i && ./configure {cc} && make"), "make check".to_owned())
        }
        () if has("CMakeLists.txt") => {
            let compilers = "-DCMAKE_C_COMPILER=byway-cc -DCMAKE_CXX_COMPILER=byway-c++";
            let build = format!("cmake -S . -B build {compilers} && cmake --build build");
            found("CMakeLists.txt", &build, "ctest --test-dir build".to_owned())
        }
        () if has("meson.build") => {
            let build = format!("{cc} meson setup build && ninja -C build");
            found("meson.build", &build, "meson test -C build".to_owned())
        }
        () if has("Makefile") || has("makefile") || has("GNUmakefile") => {
            found("Makefile", "make CC=byway-cc CXX=byway-c++", make_test(directory))
        }
        () => None,
    }
}

/// The target of a makefile that runs tests. Before `configure` ran, that is the template it is made of.
fn make_test(directory: &Path) -> String {
    let files = ["GNUmakefile", "makefile", "Makefile", "Makefile.in", "Makefile.am"];
    let texts: Vec<String> = files.iter().filter_map(|name| fs::read_to_string(directory.join(name)).ok()).collect();
    let has = |target: &str| texts.iter().any(|text| text.lines().any(|line| is_rule(line, target)));
    let target = if has("check") || !has("test") { "check" } else { "test" };
    format!("make {target}")
}

/// Whether a line of a makefile begins the rule of a target.
fn is_rule(line: &str, target: &str) -> bool {
    let is_assignment = line.contains(":=") || line.contains("::=");
    let mut targets = line.split_once(':').filter(|_| !line.starts_with(['\t', '#', '.'])).map(|split| split.0);
    targets.take().is_some_and(|names| !is_assignment && names.split_whitespace().any(|name| name == target))
}

fn text(found: Option<&Found>) -> String {
    let mut text = String::new();
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let build = found.map_or("make CC=byway-cc CXX=byway-c++", |found| &found.build);
    let test = found.map_or("make check", |found| &found.test);
    let _ = write!(
        text,
        "# Options of byway: a table for each command, with the names of its options (byway COMMAND --help).\n\
         # What is typed wins. Files are named from this directory.\n\
         # Build with:  {build}\n\n\
         # jobs = 2                    # for all commands\n\n\
         [check]\n\
         # What runs the tests; byway check alone then is enough.\n\
         command = {}\n\
         # time = 600                  # seconds, without running tests and building\n\
         # max-distance = 10           # how many branches away from the paths of tests\n\
         # fail-on = \"error\"           # or warning, note\n\
         # suppressions = [\"byway.suppressions.toml\"]\n\
         # baseline = \"byway.baseline.json\"   # byway baseline writes it\n\
         # only = [\"program\"]          # check only these programs; skip = [...] leaves some out\n\n\
         [diff]\n\
         # How a commit is built; CC is byway-cc and CXX byway-c++ there.\n\
         # build = {}\n\
         # test = {}\n\n\
         # [explore.program.NAME]      # for one program\n\
         # sym-args = [0, 2, 4]\n",
        quoted(test),
        quoted(build),
        quoted(test),
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_of_makefiles_are_rules() {
        assert!(is_rule("check: all", "check") && is_rule("all check : x", "check"));
        for line in ["check := 1", "\tcheck: x", "# check: x", ".PHONY: check", "checks: x"] {
            assert!(!is_rule(line, "check"), "{line}");
        }
    }
}
