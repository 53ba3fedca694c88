//! A page that shows what was measured, and what it comes to.
//!
//! It is one file that needs no others, and no scripts. Maud escapes all names.

mod cells;
mod sections;

use std::io;
use std::path::Path;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::analysis::{Early, summarize};
use crate::{Analysis, Measured};

/// The page, as HTML: a section for each program, and one for all of them if there are several.
pub fn page(programs: &[(Measured, Analysis)]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Smaller seeds in a good order" }
                style { (PreEscaped(include_str!("style.css"))) }
            }
            body {
                h1 { "Smaller seeds in a good order" }
                (introduction())
                @if programs.is_empty() { p { "Nothing was measured." } }
                @if programs.len() > 1 { (all(programs)) }
                @for (measured, analysis) in programs { (program(measured, analysis)) }
            }
        }
    };
    page.into_string()
}

/// Writes the page to a file.
pub fn write_page(path: &Path, programs: &[(Measured, Analysis)]) -> io::Result<()> {
    std::fs::write(path, page(programs))
}

fn introduction() -> Markup {
    html! {
        p {
            "Symbolic execution started from each seed, as it is and made smaller, by each strategy, always for the same time. \
             Random suites of the seeds say how many branches are discovered, how early, and whether that may be chance. Seeds \
             are compared in three forms:"
        }
        ul {
            li { b { "original" } ": each seed is explored from as it is." }
            li { b { "reduced" } ": each seed is made smaller, which is part of its time, and then explored from." }
            li {
                b { "shorter" } ": each seed is made smaller, which is part of its time, and then explored from if its path got \
                 shorter; otherwise, it is explored from as it is, in the time that is left."
            }
        }
        p {
            "The best is " b { "bold" } ". What is no significant difference (p ≥ 0.05, by Wilcoxon's rank sum test) is "
            i { "in italics" } ". Suites share seeds: p says whether other suites of these seeds would differ, not whether other \
             seeds would."
        }
    }
}

fn all(programs: &[(Measured, Analysis)]) -> Markup {
    let early: Vec<&[Early]> = programs.iter().map(|(_, analysis)| analysis.apbd.as_slice()).collect();
    html! {
        section {
            h2 { "All programs" }
            (sections::overview(programs))
            (sections::summary(&summarize(&early)))
        }
    }
}

fn program(measured: &Measured, analysis: &Analysis) -> Markup {
    html! {
        section {
            h2 { (name(measured)) }
            (what(measured, analysis))
            (notes(&analysis.notes))
            @if let Some(recommendation) = &analysis.recommendation { (sections::recommendation(recommendation)) }
            @if let Some(reduction) = &analysis.reduction { (sections::reduction(reduction, analysis.seeds)) }
            @if !analysis.coverage.is_empty() {
                (sections::coverage(&analysis.coverage))
                (sections::early(&analysis.apbd))
                (sections::summary(&analysis.summary))
                (sections::curves(&analysis.curves))
            }
        }
    }
}

/// How a program is called: its file's name.
fn name(measured: &Measured) -> String {
    measured.program.file_name().unwrap_or(measured.program.as_os_str()).to_string_lossy().into_owned()
}

fn what(measured: &Measured, analysis: &Analysis) -> Markup {
    let settings = &analysis.settings;
    html! {
        p {
            code { (measured.program.to_string_lossy()) } " has " (measured.branches) " outcomes of branches and "
            (analysis.seeds) " seeds. Each seed had " (cells::number(measured.budget, 1)) " seconds for each of the strategies "
            (measured.strategies.join(", ")) ". There are " (settings.suites) " suites of at most " (settings.size)
            " seeds, drawn at random from the number " (settings.seed) "."
        }
    }
}

fn notes(notes: &[String]) -> Markup {
    html! {
        @if !notes.is_empty() {
            div.notes {
                p { "To be noted:" }
                ul { @for note in notes { li { (note) } } }
            }
        }
    }
}
