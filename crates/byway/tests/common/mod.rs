//! What the end-to-end tests share: a scratch directory with the compiled programs of this workspace at hand.
#![allow(dead_code)]

pub mod trials;

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A directory to compile in, with a cache of its own.
pub struct Project {
    directory: TempDir,
}

/// What a command printed and how it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

impl Ran {
    /// Demands success.
    #[track_caller]
    pub fn ok(self) -> Ran {
        assert_eq!(self.code, Some(0), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// Demands an exit code and a text on standard error, and that nobody panicked.
    #[track_caller]
    pub fn fails(self, code: i32, text: &str) -> Ran {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        assert!(self.stderr.contains(text), "no {text:?} in:\n{}", self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ran { stdout: text(&output.stdout), stderr: text(&output.stderr), code: output.status.code() }
    }
}

impl Project {
    pub fn new() -> Project {
        let project = Project { directory: tempfile::tempdir().unwrap() };
        fs::create_dir(project.path("bin")).unwrap();
        for name in ["byway-cc", "byway-c++"] {
            symlink(env!("CARGO_BIN_EXE_byway-cc"), project.path("bin").join(name)).unwrap();
        }
        // For scripts: the path of the program may have spaces in it.
        for (name, program) in
            [("byway", env!("CARGO_BIN_EXE_byway")), ("byway-reader", env!("CARGO_BIN_EXE_byway-reader"))]
        {
            symlink(program, project.path("bin").join(name)).unwrap();
        }
        project
    }

    /// A project with files.
    pub fn with(files: &[(&str, &str)]) -> Project {
        let project = Project::new();
        for (name, content) in files {
            project.write(name, content);
        }
        project
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Writes a script that can be executed, by another process: while ours has a file open for writing, a process that another test
    /// starts at that moment has it open too, and nobody can execute it.
    pub fn write_script(&self, name: &str, content: &str) {
        let mut command = self.command("sh");
        command.args(["-c", "cat > \"$0\" && chmod 755 \"$0\"", name]).stdin(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(content.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
    }

    /// A command in the project's directory.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var("PATH").unwrap_or_default();
        command.current_dir(self.directory.path()).stdin(Stdio::null());
        command.env("PATH", format!("{}:{path}", self.path("bin").display()));
        command.env("BYWAY_CACHE", self.path("cache")).env("LC_ALL", "C");
        command
    }

    /// Runs a command line of words without spaces.
    pub fn run(&self, line: &str) -> Ran {
        let mut words = line.split_whitespace();
        let program = words.next().unwrap();
        let program = if program == "byway" { env!("CARGO_BIN_EXE_byway") } else { program };
        self.command(program).args(words).output().unwrap_or_else(|error| panic!("{line}: {error}")).into()
    }

    /// Runs a script in `sh`.
    pub fn shell(&self, script: &str) -> Ran {
        self.command("sh").args(["-e", "-c", script]).output().unwrap().into()
    }

    /// Builds a variant and returns its path.
    #[track_caller]
    pub fn variant(&self, program: &str, kind: &str) -> PathBuf {
        self.run(&format!("byway build {program} --variant {kind}")).ok().stdout.trim_end().into()
    }

    /// What `doctor --json` says of a program.
    #[track_caller]
    pub fn doctor(&self, program: &str) -> serde_json::Value {
        let ran = self.run(&format!("byway doctor --json {program}"));
        serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}: {ran:?}"))
    }

    /// The file names of the modules with bitcode, and of what has none with the reason.
    #[track_caller]
    pub fn carried(&self, program: &str) -> (Vec<String>, Vec<(String, String)>) {
        let report = self.doctor(program);
        let name = |path: &serde_json::Value| path.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
        let modules = report["program"]["modules"].as_array().unwrap();
        let missing = report["program"]["missing"].as_array().unwrap();
        let reason = |entry: &serde_json::Value| entry["reason"].as_str().unwrap().to_owned();
        (
            modules.iter().map(|module| name(&module["source"])).collect(),
            missing.iter().map(|entry| (name(&entry["file"]), reason(entry))).collect(),
        )
    }
}

/// The test subjects of a kind, as paths.
pub fn subjects(kind: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/subjects").join(kind);
    let mut paths: Vec<PathBuf> = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

/// A subject's source and what its comments say.
pub struct Expectations {
    pub source: String,
}

impl Expectations {
    pub fn read(path: &Path) -> Self {
        Expectations { source: fs::read_to_string(path).unwrap() }
    }

    /// The rest of the line `// KEY: ...`, as words.
    pub fn words(&self, key: &str) -> Option<Vec<String>> {
        let prefix = format!("// {key}:");
        let line = self.source.lines().find_map(|line| line.strip_prefix(&prefix))?;
        Some(line.split_whitespace().map(str::to_owned).collect())
    }

    /// The lines with `//~`: number, and what stands behind it.
    pub fn marks(&self) -> Vec<(usize, &str)> {
        let lines = self.source.lines().zip(1..);
        lines.filter_map(|(line, number)| Some((number, line.split_once("//~")?.1.trim()))).collect()
    }
}
