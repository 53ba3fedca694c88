//! What was measured and what it comes to, as tables: for a spreadsheet, or for other statistics.
//!
//! Each is comma-separated text with a line that names its columns. All programs are in the same tables.

use std::io;
use std::iter;
use std::path::Path;

use csv::Writer;

use crate::analysis::rate;
use crate::{Analysis, Form, Measured};

/// The tables, each with its file's name.
pub fn tables(programs: &[(Measured, Analysis)]) -> csv::Result<[(&'static str, String); 4]> {
    Ok([
        ("reduction.csv", reduction(programs)?),
        ("coverage.csv", coverage(programs)?),
        ("apbd.csv", apbd(programs)?),
        ("curves.csv", curves(programs)?),
    ])
}

/// Writes all tables to files of a directory.
pub fn write_tables(directory: &Path, programs: &[(Measured, Analysis)]) -> io::Result<()> {
    for (name, text) in tables(programs)? {
        std::fs::write(directory.join(name), text)?;
    }
    Ok(())
}

/// A line for each seed.
fn reduction(programs: &[(Measured, Analysis)]) -> csv::Result<String> {
    let mut table = Writer::from_writer(Vec::new());
    table.write_record([
        "program",
        "seed",
        "path_length_before",
        "path_length_after",
        "path_rate_percent",
        "bytes_before",
        "bytes_after",
        "bytes_rate_percent",
        "seconds",
        "runs",
        "minimal",
    ])?;
    for (measured, _) in programs {
        for seed in &measured.seeds {
            table.serialize((
                measured.program.to_string_lossy(),
                &seed.name,
                (seed.original.path_length, seed.reduced.path_length, rate(seed, |version| version.path_length)),
                (seed.original.bytes, seed.reduced.bytes, rate(seed, |version| version.bytes)),
                (seed.reducing, seed.runs, seed.is_minimal),
            ))?;
        }
    }
    text(table)
}

/// A line for each strategy and form of the seeds.
fn coverage(programs: &[(Measured, Analysis)]) -> csv::Result<String> {
    let mut table = Writer::from_writer(Vec::new());
    table.write_record([
        "program",
        "strategy",
        "form",
        "seeds",
        "suite_size",
        "mean",
        "median",
        "p_against_original",
    ])?;
    for (measured, analysis) in programs {
        for row in &analysis.coverage {
            let others = row.others.iter().map(|other| (other.form, other.center, other.p));
            for (form, center, p) in iter::once((Form::Original, row.original, None)).chain(others) {
                table.serialize((
                    measured.program.to_string_lossy(),
                    (&row.strategy, form, row.seeds, row.size),
                    (center.mean, center.median, p),
                ))?;
            }
        }
    }
    text(table)
}

/// A line for each strategy, form of the seeds, and order.
fn apbd(programs: &[(Measured, Analysis)]) -> csv::Result<String> {
    let mut table = Writer::from_writer(Vec::new());
    table.write_record(["program", "strategy", "form", "order", "suites", "apbd_mean", "p_against_random", "best"])?;
    for (measured, analysis) in programs {
        for row in &analysis.apbd {
            for sandbox in &row.orders {
                table.serialize((
                    measured.program.to_string_lossy(),
                    (&row.strategy, row.form, sandbox.order.name()),
                    (sandbox.suites, sandbox.mean, sandbox.p, sandbox.is_best),
                ))?;
            }
        }
    }
    text(table)
}

/// A line for each point of each curve.
fn curves(programs: &[(Measured, Analysis)]) -> csv::Result<String> {
    let mut table = Writer::from_writer(Vec::new());
    table.write_record(["program", "strategy", "form", "order", "seconds", "branches"])?;
    for (measured, analysis) in programs {
        for curves in &analysis.curves {
            for curve in &curves.curves {
                for point in &curve.points {
                    table.serialize((
                        measured.program.to_string_lossy(),
                        (&curves.strategy, curve.form, curve.order.name()),
                        (point.seconds, point.branches),
                    ))?;
                }
            }
        }
    }
    text(table)
}

fn text(table: Writer<Vec<u8>>) -> csv::Result<String> {
    let bytes = table.into_inner().map_err(|error| csv::Error::from(error.into_error()))?;
    Ok(String::from_utf8(bytes).expect("all sandboxes are text"))
}
