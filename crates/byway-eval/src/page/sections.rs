//! The tables and pictures of a page.

use byway_reduce::Order;
use maud::{Markup, PreEscaped, html};

use super::cells::{is_significant, marked, number, p_value, percent};
use super::name;
use crate::analysis::{
    Coverage, Curve, Curves, Early, EarlyByOrder, Recommendation, Reduction, Summary, SummaryByOrder, Verdict,
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
pub fn reduction(reduction: &Reduction, seeds: usize) -> Markup {
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
pub fn coverage(rows: &[Coverage]) -> Markup {
    html! {
        h3 { "How much is discovered" }
        div.table { table {
            thead {
                tr { th {} th colspan="2" {} th colspan="2" { "original" } th colspan="2" { "reduced" } th {} }
                tr {
                    th { "strategy" } th { "seeds" } th { "suite" }
                    @for _ in Form::ALL { th { "mean" } th { "median" } }
                    th { "p" }
                }
            }
            tbody { @for row in rows { tr {
                td { (row.strategy) } td { (row.seeds) } td { (row.size) }
                (both(row))
                td { (p_value(row.p)) }
            } } }
        } }
        p.legend {
            "How many branches the seeds of a suite discover that none of its original seeds covers, over all suites. Seeds: of \
             how many seeds suites are drawn. Suite: how many of them a suite has. p: how likely original and reduced seeds \
             differ as much by chance."
        }
    }
}

/// The mean and the median of both forms.
fn both(row: &Coverage) -> Markup {
    html! { @for (mean, median) in means(row).into_iter().zip([row.before.median, row.after.median]) {
        td { (mean) }
        td { (number(median, 1)) }
    } }
}

/// The mean of both forms.
fn means(row: &Coverage) -> [Markup; 2] {
    let (before, after) = (row.before.mean, row.after.mean);
    let mean = |mean, other| marked(&number(mean, 2), mean > other, is_significant(row.p));
    [mean(before, after), mean(after, before)]
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
             discovers all that its seeds discover, near 0 if the last one does. Compare within a line. " (orders_legend())
            " In italics: no significant difference to random."
        }
    }
}

fn early_cell(cell: &EarlyByOrder) -> Markup {
    marked(&percent(cell.mean), cell.is_best, cell.against_random != Some(Verdict::NoDifference))
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
            "APBD over original and reduced seeds together. The best, better, worse: for how many programs and forms of their seeds \
             an order has the best mean, or differs significantly from random."
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
             Seeds are explored from one after the other. Besides random, the order with the best APBD is shown. All strategies \
             combined run at the same time, each on its own processor."
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
                th { "path reduction (%)" } th { "original" } th { "reduced" } th { "p" }
            } }
            tbody {
                @for (measured, analysis) in programs { @for row in &analysis.coverage { tr {
                    td { (name(measured)) } td { (row.strategy) } td { (row.seeds) }
                    td { @if let Some(reduction) = &analysis.reduction { (number(reduction.path_rate.median, 1)) } }
                    @for mean in means(row) { td { (mean) } }
                    td { (p_value(row.p)) }
                } } }
            }
        } }
        p.legend {
            "Path reduction: how much of its path a seed lost, the median of all seeds. Original, reduced: how many branches the \
             seeds of a suite discover that none of its original seeds covers, the mean of all suites."
        }
    }
}
