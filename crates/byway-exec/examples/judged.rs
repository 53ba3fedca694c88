//! `judged VARIANT N [--alone] [--sandbox] [ARGUMENT...]`: runs an `asan` variant N times through one fork server, or each time as a
//! process of its own, and prints the seconds it took. With `--sandbox` in a sandbox, which is reset after each run.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use byway_confine::{ProcessSpec, Sandbox, SandboxSettings};
use byway_exec::{PlainRun, PlainServer};

fn main() -> Result<(), Box<dyn Error>> {
    byway_confine::serve_if_asked();
    let words: Vec<OsString> = env::args_os().skip(1).collect();
    let [variant, count, rest @ ..] = words.as_slice() else {
        return Err("judged VARIANT N [--alone] [--sandbox] [ARGUMENT...]".into());
    };
    let has = |flag: &str| rest.iter().any(|word| word == flag);
    let (alone, in_sandbox) = (has("--alone"), has("--sandbox"));
    let arguments = rest.iter().map(OsString::as_os_str).filter(|word| *word != "--alone" && *word != "--sandbox");
    let arguments: Vec<&OsStr> = std::iter::once(variant.as_os_str()).chain(arguments).collect();
    let (count, variant): (u32, _) = (count.to_str().ok_or("N is no number")?.parse()?, PathBuf::from(variant));
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let here = File::open(".")?;
    let mut sandbox = if in_sandbox { Some(Sandbox::start(&SandboxSettings::default())?) } else { None };
    let mut server = match &mut sandbox {
        _ if alone => None,
        None => Some(PlainServer::start(&variant, variant.as_os_str(), None)?),
        Some(sandbox) => {
            Some(PlainServer::start_in(sandbox, &variant, variant.as_os_str(), None, Duration::from_secs(60))?)
        }
    };
    let begin = Instant::now();
    for _ in 0..count {
        match (&mut server, &mut sandbox) {
            (Some(server), sandbox) => {
                let run = PlainRun {
                    arguments: arguments.clone(),
                    environment: None,
                    stdin: null.as_fd(),
                    stdout: null.as_fd(),
                    stderr: null.as_fd(),
                    counters: None,
                    directory: sandbox.as_ref().map_or(here.as_fd(), Sandbox::directory),
                    timeout: None,
                };
                server.run(&run)?;
            }
            (None, Some(sandbox)) => {
                let task = ProcessSpec {
                    program: &variant,
                    arguments: arguments.clone(),
                    environment: None,
                    directory: None,
                    stdin: null.as_fd(),
                    stdout: null.as_fd(),
                    stderr: null.as_fd(),
                    timeout: None,
                };
                sandbox.run(&task)?;
            }
            (None, None) => {
                let mut command = Command::new(&variant);
                command.args(&arguments[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
                command.status()?;
            }
        }
        if let Some(sandbox) = &mut sandbox {
            sandbox.reset()?;
        }
    }
    println!("{:.3}", begin.elapsed().as_secs_f64());
    Ok(())
}
