//! `starts VARIANT N [cell]`: runs a `sym` variant N times through one fork server, and prints the seconds it took. With
//! `cell`, the fork server is in a cell, and the cell is reset after each run.

use std::env;
use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::AsFd;
use std::path::PathBuf;
use std::time::Instant;

use byway_confine::{Cell, Settings};
use byway_run::{Run, Server, Symbolic};
use byway_trace::Limits;

fn main() -> Result<(), Box<dyn Error>> {
    byway_confine::serve_if_asked();
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let [variant, count, cell @ ..] = arguments.as_slice() else { return Err("starts VARIANT N [cell]".into()) };
    let count: u32 = count.to_str().ok_or("N is no number")?.parse()?;
    let variant = PathBuf::from(variant);
    let null = File::options().read(true).write(true).open("/dev/null")?;
    let directory = File::open(".")?;
    let mut cell = if cell.is_empty() { None } else { Some(Cell::start(&Settings::default())?) };
    let mut server = match &mut cell {
        None => Server::start(&variant, variant.as_os_str(), None)?,
        Some(cell) => Server::start_in(cell, &variant, variant.as_os_str(), None)?,
    };
    let begin = Instant::now();
    for _ in 0..count {
        let outcome = server.run(&Run {
            arguments: vec![variant.as_os_str(), OsStr::new("argument")],
            stdin: null.as_fd(),
            stdout: null.as_fd(),
            stderr: null.as_fd(),
            directory: cell.as_ref().map_or(directory.as_fd(), Cell::directory),
            symbolic: &Symbolic::default(),
            limits: Limits::default(),
            timeout: None,
        })?;
        if !outcome.status.success() {
            return Err(format!("the program ended with {}", outcome.status).into());
        }
        if let Some(cell) = &mut cell {
            cell.reset()?;
        }
    }
    println!("{:.3}", begin.elapsed().as_secs_f64());
    Ok(())
}
