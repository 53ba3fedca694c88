//! LLVM at work on bitcode that somebody else may have made, in a process of its own.
//!
//! LLVM trusts bitcode: a module that was changed on the way can end the process that reads it. So another program, `byway-reader`,
//! reads, links and rewrites modules, in a sandbox; what it makes comes back on its standard output. If it dies, that is an error.
//! No other program of byway is linked with LLVM, whose library takes longer to load than most commands take to run.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus};

use byway_carrier::Module;
use byway_confine::{ProcessSpec, Sandbox};
use byway_map::SubjectId;
use byway_program::{Kept, Subject, reader};

use crate::error::VariantError;
use crate::job::{Answer, Files, Job, request, short, split};
use crate::toolchain;

/// Enough of what LLVM says when it dies.
const MAX_WORDS: u64 = 4096;

/// The version of LLVM that the reader has.
pub fn llvm_version() -> io::Result<String> {
    let said = Command::new(reader()?).arg("--version").output()?;
    match said.status.success() {
        true => Ok(String::from_utf8_lossy(&said.stdout).trim().to_owned()),
        false => Err(io::Error::other(String::from_utf8_lossy(&said.stderr).trim().to_owned())),
    }
}

/// Has a reader do a job.
pub fn read(job: &Job, subject: &Subject) -> Result<Files, VariantError> {
    let cannot = |source| VariantError::NoReader { source };
    let mut input = tempfile::tempfile().map_err(cannot)?;
    request(&mut input, job, subject).and_then(|()| input.rewind()).map_err(cannot)?;
    let (mut output, mut words) = (tempfile::tempfile().map_err(cannot)?, tempfile::tempfile().map_err(cannot)?);
    let status = run(job, &input, &output, &words).map_err(cannot)?;
    if !status.success() {
        let mut said = String::new();
        let _ = words.rewind().and_then(|()| words.take(MAX_WORDS).read_to_string(&mut said));
        return Err(VariantError::Crashed { name: subject.name(), how: how(status), said: said.trim().to_owned() });
    }
    let mut content = Vec::new();
    output.rewind().and_then(|()| output.read_to_end(&mut content)).map_err(cannot)?;
    let (answer, mut rest) = split::<Answer>(&content).map_err(cannot)?;
    if let Some((fault, message)) = answer.fault {
        return Err(VariantError::Reader { fault, message });
    }
    let mut files = Files::new();
    for (name, length) in answer.files {
        let (file, behind) = rest.split_at_checked(length).ok_or_else(|| cannot(short()))?;
        files.push((name, file.to_vec()));
        rest = behind;
    }
    Ok(files)
}

fn how(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => format!("signal {signal}"),
        (None, code) => format!("exit code {}", code.unwrap_or_default()),
    }
}

/// Runs a reader in a sandbox; where there are none, in a process of its own at least.
fn run(job: &Job, input: &File, output: &File, words: &File) -> io::Result<ExitStatus> {
    let program = reader()?;
    let directory = match job {
        Job::Cov(canonical) | Job::Sym { canonical, .. } => Some(canonical.as_path()),
        Job::Canonical | Job::Code | Job::Instructions | Job::Asan => None,
    };
    let Ok(mut sandbox) = Sandbox::start(&toolchain::settings(directory)) else {
        let mut command = Command::new(program);
        command.stdin(input.try_clone()?).stdout(output.try_clone()?).stderr(words.try_clone()?);
        return command.status();
    };
    let task = ProcessSpec {
        program: &program,
        arguments: vec![program.as_os_str()],
        environment: None,
        directory: None,
        stdin: input.as_fd(),
        stdout: output.as_fd(),
        stderr: words.as_fd(),
        timeout: Some(toolchain::TIMEOUT),
    };
    Ok(sandbox.run(&task).map_err(io::Error::other)?.status)
}

/// A subject of one module alone.
pub fn alone(path: &Path, module: &Module) -> Subject {
    let (path, id) = (path.to_owned(), SubjectId::from_bytes([0; 16]));
    let (absent, plain, libraries) = (Vec::new(), Vec::new(), Vec::new());
    Subject { path, modules: vec![module.clone()], absent, link: None, plain, libraries, id, kept: Kept::default() }
}
