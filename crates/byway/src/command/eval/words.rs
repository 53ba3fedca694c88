//! What a measurement came to, in words.

use byway_eval::analysis::{Early, Significance, SizesReduced, SuiteCoverage};
use byway_eval::{Analysis, Form, Measured, Spread};

use crate::command::count;
use crate::console::{table, thousands};

/// The report on standard output.
pub fn in_words(all: &[(Measured, Analysis)]) -> String {
    all.iter().map(|(measured, analysis)| program(measured, analysis)).collect()
}

fn program(measured: &Measured, analysis: &Analysis) -> String {
    let name = measured.program.file_name().unwrap_or_default().to_string_lossy();
    let (seeds, suites) = (count(measured.seeds.len(), "seed"), count(analysis.settings.suites, "suite"));
    let (size, budget) = (analysis.settings.size.min(measured.seeds.len()), measured.budget);
    let mut text = format!("{name}: {seeds}, {budget} s each; {suites} of {size}, drawn at random\n");
    analysis.notes.iter().for_each(|note| text += &format!("{note}\n"));
    if let Some(reduction) = &analysis.reduction {
        text += &format!("\nmade smaller ({} minimal):\n{}", reduction.minimal, smaller(reduction));
    }
    if !analysis.coverage.is_empty() {
        text += &format!("\nbranches discovered, mean:\n{}", discovered(&analysis.coverage));
        text += &format!("\nhow early, APBD in percent (+ better, - worse than random):\n{}", early(&analysis.apbd));
    }
    if let Some(recommendation) = &analysis.recommendation {
        text += &format!("\n{recommendation}\n");
    }
    text + "\n"
}

fn smaller(reduction: &SizesReduced) -> String {
    let heading = ["", "path length", "reduced", "rate %", "bytes", "reduced", "s", "runs"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for (place, name) in ["min", "median", "max"].into_iter().enumerate() {
        let of = |spread: &Spread| [spread.min, spread.median, spread.max][place];
        let whole = |spread: &Spread| thousands(of(spread) as usize);
        rows.push(vec![
            name.to_owned(),
            whole(&reduction.path_length_before),
            whole(&reduction.path_length_after),
            format!("{:.2}", of(&reduction.path_rate)),
            whole(&reduction.bytes_before),
            whole(&reduction.bytes_after),
            format!("{:.2}", of(&reduction.seconds)),
            whole(&reduction.runs),
        ]);
    }
    table(&rows)
}

fn discovered(coverage: &[SuiteCoverage]) -> String {
    let Some(first) = coverage.first() else { return String::new() };
    let heading = first.others.iter().flat_map(|other| [other.form.to_string(), "p".to_owned()]);
    let mut rows: Vec<Vec<String>> =
        vec![["strategy".to_owned(), Form::Original.to_string()].into_iter().chain(heading).collect()];
    for row in coverage {
        let others = row.others.iter().flat_map(|other| {
            [format!("{:.1}", other.center.mean), other.p.map_or("-".to_owned(), |p| format!("{p:.3}"))]
        });
        rows.push([row.strategy.clone(), format!("{:.1}", row.original.mean)].into_iter().chain(others).collect());
    }
    table(&rows)
}

fn early(rows: &[Early]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let orders = first.orders.iter().map(|order| order.order.to_string());
    let mut lines: Vec<Vec<String>> =
        vec![["strategy", "seeds"].map(str::to_owned).into_iter().chain(orders).collect()];
    for row in rows {
        let sandboxes = row.orders.iter().map(|order| {
            let sign = match order.against_random {
                Some(Significance::Better) => "+",
                Some(Significance::Worse) => "-",
                _ => " ",
            };
            order.mean.map_or("-".to_owned(), |mean| format!("{:.1}{sign}", 100.0 * mean))
        });
        lines.push([row.strategy.clone(), row.form.to_string()].into_iter().chain(sandboxes).collect());
    }
    table(&lines)
}
