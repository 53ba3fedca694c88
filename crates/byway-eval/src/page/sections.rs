//! The tables and pictures of a page.

use byway_reduce::Order;
use maud::{Markup, PreEscaped, html};

use super::cells::{is_significant, marked, number, p_value, percent};
use super::name;
use crate::analysis::{
    Compared, Curve, Curves, Early, EarlyByOrder, Recommendation, Significance, SizesReduced, SuiteCoverage, Summary,
    SummaryByOrder,
};
use crate::curve::{colour, most, picture};
use crate::statistics::Spread;
use crate::{Analysis, Form, Measured};

/// What was best.
pub fn recommendation(recommendation: &Recommendation) -> Markup {
    html! {
        h3 { "What we would choose" }
        div.advice {
            p { "In the end, most is discovered with " (recommendation.coverage) }
            p { "Over all the time, most is discovered with " (recommendation.area) }
            @if !recommendation.not_compared.is_empty() {
                p { "Not compared, since explored from other seeds: " (recommendation.not_compared.join(", ")) "." }
            }
        }
    }
}

/// How much smaller seeds are made.
pub fn reduction(reduction: &SizesReduced, seeds: usize) -> Markup {
    let rows: [(&str, &Spread, usize); 8] = [
        ("path length, original", &reduction.path_length_before, 0),
        ("path length, reduced", &reduction.path_length_after, 0),
        ("path reduction (%)", &reduction.path_rate, 2),
        ("bytes, original", &reduction.bytes_before, 0),
        ("bytes, reduced", &reduction.bytes_after, 0),
        ("bytes reduction (%)", &reduction.bytes_rate, 2),
        ("seconds", &reduction.seconds, 2),
        ("runs", &reduction.runs, 0),
    ];
    html! {
        h3 { "How much smaller the seeds are" }
        div.table { table {
            thead { tr { th {} th { "min" } th { "median" } th { "max" } } }
            tbody {
                @for (what, spread, digits) in rows {
                    tr { td { (what) } @for value in [spread.min, spread.median, spread.max] { td { (number(value, digits)) } } }
                }
            }
        } }
        p.legend {
            "The path length is how many branches a seed's run executes. Reduction is how much of it, or of its bytes, each seed \
             lost. Seconds and runs are what it took to make a seed smaller. Of " (reduction.minimal) " of " (seeds)
            " seeds, nothing more can be left out."
        }
    }
}

/// How much is discovered.
pub fn coverage(rows: &[SuiteCoverage]) -> Markup {
    html! {
        h3 { "How much is discovered" }
        div.table { table {
            thead {
                tr {
                    th {} th colspan="2" {} th colspan="2" { (Form::Original) }
                    @for form in &Form::ALL[1..] { th colspan="3" { (form) } }
                }
                tr {
                    th { "strategy" } th { "seeds" } th { "suite" } th { "mean" } th { "median" }
                    @for _ in &Form::ALL[1..] { th { "mean" } th { "median" } th { "p" } }
                }
            }
            tbody { @for row in rows { tr {
                td { (row.strategy) } td { (row.seeds) } td { (row.size) }
                td { (original_mean(row)) } td { (number(row.original.median, 1)) }
                @for other in &row.others {
                    td { (other_mean(row, other)) } td { (number(other.center.median, 1)) } td { (p_value(other.p)) }
                }
            } } }
        } }
        p.legend {
            "How many branches the seeds of a suite discover that none of its original seeds covers, over all suites. Seeds: of \
             how many seeds suites are drawn. Suite: how many of them a suite has. p: how likely seeds in this form differ as much \
             from original ones by chance. " (forms_legend()) " In italics: no significant difference to original."
        }
    }
}

fn original_mean(row: &SuiteCoverage) -> Markup {
    marked(&number(row.original.mean, 2), is_best(row, row.original.mean), true)
}

fn other_mean(row: &SuiteCoverage, other: &Compared) -> Markup {
    marked(&number(other.center.mean, 2), is_best(row, other.center.mean), is_significant(other.p))
}

/// Whether no form has a better mean. If all have the same, none is the best.
fn is_best(row: &SuiteCoverage, mean: f64) -> bool {
    let means = || row.others.iter().map(|other| other.center.mean).chain([row.original.mean]);
    means().all(|other| mean >= other) && means().any(|other| mean > other)
}

fn forms_legend() -> &'static str {
    "Original: as they are. Reduced: made smaller. Shorter: made smaller if that makes their path shorter, otherwise as they are."
}

/// How early branches are discovered.
pub fn early(rows: &[Early]) -> Markup {
    let orders: Vec<Order> = rows.first().map_or(Vec::new(), |row| row.orders.iter().map(|cell| cell.order).collect());
    html! {
        h3 { "How early it is discovered" }
        div.table { table {
            thead { tr { th { "strategy" } @for order in &orders { th { (order) } } } }
            @for form in Form::ALL { tbody {
                tr { th scope="rowgroup" colspan=(orders.len() + 1) { (form) " seeds" } }
                @for row in rows.iter().filter(|row| row.form == form) {
                    tr { td { (row.strategy) } @for cell in &row.orders { td { (early_cell(cell)) } } }
                }
            } }
        } }
        p.legend {
            "The average percentage of branches discovered (APBD, %) over all suites: near 100 if the first seed of a suite \
             discovers all that its seeds discover, near 0 if the last one does. Compare within a line. " (forms_legend()) " "
            (orders_legend())
            " In italics: no significant difference to random."
        }
    }
}

fn early_cell(cell: &EarlyByOrder) -> Markup {
    marked(&percent(cell.mean), cell.is_best, cell.against_random != Some(Significance::NoDifference))
}

fn orders_legend() -> &'static str {
    "Random: any order. bt: most branches first. ba: most additional branches first. fpf: furthest point first. sp: shortest \
     path first."
}

/// How early branches are discovered on the whole.
pub fn summary(rows: &[Summary]) -> Markup {
    type Row = (&'static str, fn(&SummaryByOrder) -> String);
    let lines: [Row; 6] = [
        ("median (%)", |cell| percent(cell.center.map(|center| center.median))),
        ("mean (%)", |cell| percent(cell.center.map(|center| center.mean))),
        ("standard deviation (%)", |cell| percent(cell.deviation)),
        ("the best", |cell| cell.best.to_string()),
        ("better than random", |cell| versus_random(cell, cell.better)),
        ("worse than random", |cell| versus_random(cell, cell.worse)),
    ];
    html! {
        h3 { "Orders on the whole" }
        div.table { table {
            @for row in rows {
                tbody {
                    tr { th scope="rowgroup" { (row.strategy) } @for cell in &row.orders { th { (cell.order) } } }
                    @for (what, show) in lines { tr { td { (what) } @for cell in &row.orders { td { (show(cell)) } } } }
                }
            }
        } }
        p.legend {
            "APBD over original, reduced and shorter seeds together. The best, better, worse: for how many programs and forms of \
             their seeds an order has the best mean, or differs significantly from random."
        }
    }
}

fn versus_random(cell: &SummaryByOrder, count: usize) -> String {
    if cell.order == Order::Random { "–".to_owned() } else { count.to_string() }
}

/// How many branches are discovered when.
pub fn curves(all: &[Curves]) -> Markup {
    let most = most(all);
    html! {
        h3 { "When it is discovered" }
        div.curves {
            @for curves in all {
                figure {
                    figcaption { (curves.strategy) }
                    @if let Some(svg) = picture(curves, most) { (PreEscaped(svg)) }
                    @for curve in &curves.curves { (key(curve)) }
                }
            }
        }
        p.legend {
            "How many branches that no original seed of the suite covers are discovered by a time, on average over all suites. \
             Seeds are explored from one after the other. Besides random, the order with the best APBD is shown for original and \
             shorter seeds. " (forms_legend()) " All strategies combined run at the same time, each on its own processor. Lengths of \
             subpaths with a + between run one after the other, each for an equal part of the time."
        }
    }
}

fn key(curve: &Curve) -> Markup {
    let colour = colour(curve.form, curve.order);
    let style = format!("--colour: rgb({}, {}, {})", colour.0, colour.1, colour.2);
    html! { span.key style=(style) { (curve.form) ", " (curve.order) } " " }
}

/// How much is discovered from all programs.
pub fn overview(programs: &[(Measured, Analysis)]) -> Markup {
    html! {
        h3 { "How much is discovered" }
        div.table { table {
            thead { tr {
                th { "program" } th { "strategy" } th { "seeds" }
                th { "path reduction (%)" } th { (Form::Original) } @for form in &Form::ALL[1..] { th { (form) } th { "p" } }
            } }
            tbody {
                @for (measured, analysis) in programs { @for row in &analysis.coverage { tr {
                    td { (name(measured)) } td { (row.strategy) } td { (row.seeds) }
                    td { @if let Some(reduction) = &analysis.reduction { (number(reduction.path_rate.median, 1)) } }
                    td { (original_mean(row)) }
                    @for other in &row.others { td { (other_mean(row, other)) } td { (p_value(other.p)) } }
                } } }
            }
        } }
        p.legend {
            "Path reduction: how much of its path a seed lost, the median of all seeds. Original, reduced, shorter: how many \
             branches the seeds of a suite discover that none of its original seeds covers, the mean of all suites. "
            (forms_legend()) " p: how likely seeds in this form differ as much from original ones by chance. In italics: no \
             significant difference to original."
        }
    }
}
