//! `starts VARIANT N`: runs a `sym` variant N times through one fork server, and prints the seconds it took.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Instant;

use byway_run::{Extras, Run, Server, Symbolic};
use byway_trace::Limits;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let [variant, count] = arguments.as_slice() else { return Err("starts VARIANT N".into()) };
    let count: u32 = count.to_str().ok_or("N is no number")?.parse()?;
    let variant = PathBuf::from(variant);
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let directory = File::open(".")?;
    let mut server = Server::start(&variant, variant.as_os_str(), None)?;
    let begin = Instant::now();
    for _ in 0..count {
        let outcome = server.run(&Run {
            arguments: vec![variant.as_os_str().into(), OsStr::new("argument").into()],
            extras: Extras::default(),
            stdin: null.as_fd(),
            stdout: null.as_fd(),
            stderr: null.as_fd(),
            directory: directory.as_fd(),
            symbolic: &Symbolic::default(),
            limits: Limits::default(),
            timeout: None,
        })?;
        if !outcome.status.success() {
            return Err(format!("the program ended with {}", outcome.status).into());
        }
    }
    println!("{:.3}", begin.elapsed().as_secs_f64());
    Ok(())
}
