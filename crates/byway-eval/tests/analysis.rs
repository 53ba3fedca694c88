//! What made-up measurements come to is what they were made for.

mod synthetic;

use std::time::Instant;

use byway_eval::analysis::{Compared, Early, Significance, SuiteCoverage};
use byway_eval::{Analysis, AnalysisSettings, Explored, Form, Found, Measured, Spread, analyse};
use byway_reduce::Order;
use synthetic::{BUDGET, by_subpaths, measured, mixed};

fn settings() -> AnalysisSettings {
    AnalysisSettings { suites: 60, size: 10, seed: 1, ..AnalysisSettings::default() }
}

fn analysis() -> Analysis {
    analyse(&measured(40), &settings())
}

fn coverage<'a>(analysis: &'a Analysis, strategy: &str) -> &'a SuiteCoverage {
    analysis.coverage.iter().find(|row| row.strategy == strategy).unwrap()
}

fn compared(row: &SuiteCoverage, form: Form) -> &Compared {
    row.others.iter().find(|other| other.form == form).unwrap()
}

fn early<'a>(analysis: &'a Analysis, strategy: &str, form: Form) -> &'a Early {
    analysis.apbd.iter().find(|row| row.strategy == strategy && row.form == form).unwrap()
}

fn without(mut measured: Measured, strategy: &str, seeds: impl Fn(usize) -> bool) -> Measured {
    for (_, seed) in measured.seeds.iter_mut().enumerate().filter(|(number, _)| seeds(*number)) {
        seed.reduced.explored.remove(strategy);
    }
    measured
}

#[test]
fn reduction_is_that_of_each_seed() {
    let reduction = analysis().reduction.unwrap();
    assert_eq!(reduction.path_length_before, Spread { min: 10.0, median: 205.0, max: 400.0 });
    assert_eq!(reduction.path_length_after, Spread { min: 5.0, median: 102.5, max: 200.0 });
    assert_eq!(reduction.path_rate, Spread { min: 50.0, median: 50.0, max: 50.0 });
    assert_eq!((reduction.minimal, reduction.seconds.max, reduction.runs.min), (20, 1.0, 20.0));
}

#[test]
fn reduced_seeds_that_find_more_are_better() {
    let analysis = analysis();
    let dfs = coverage(&analysis, "dfs");
    let reduced = compared(dfs, Form::Reduced);
    assert_eq!((dfs.seeds, dfs.size, reduced.verdict), (40, 10, Some(Significance::Better)));
    let rate = reduced.center.mean / dfs.original.mean;
    assert!((1.9..=2.2).contains(&rate), "{rate}");
}

#[test]
fn the_same_finds_are_no_difference() {
    let analysis = analysis();
    for (strategy, count) in [("rps", 50.0), ("none", 0.0)] {
        let row = coverage(&analysis, strategy);
        assert_eq!((row.original.mean, row.others.len()), (count, 2));
        for other in &row.others {
            assert_eq!((other.center.mean, other.p), (count, Some(1.0)));
            assert_eq!(other.verdict, Some(Significance::NoDifference));
        }
    }
}

#[test]
fn combined_strategies_find_what_any_of_them_finds() {
    let analysis = analysis();
    let combined = coverage(&analysis, "combined");
    let reduced = |row| compared(row, Form::Reduced).center.mean;
    assert!(combined.original.mean >= 50.0 && reduced(combined) >= reduced(coverage(&analysis, "dfs")));
    assert_eq!(analysis.coverage.last(), Some(combined));
}

#[test]
fn lengths_of_subpaths_in_parts_find_what_each_finds_in_its_part_of_the_time() {
    let analysis = analyse(&by_subpaths(40), &settings());
    let names: Vec<&str> = analysis.coverage.iter().map(|row| row.strategy.as_str()).collect();
    assert_eq!(names[7..], ["subpath:1,2,4,8", "subpath:1+2+4+8", "combined"]);
    // Each has a quarter of ten seconds, and finds the branch that takes one second, not that which takes three.
    let parts = coverage(&analysis, "subpath:1+2+4+8");
    assert_eq!((parts.original.mean, coverage(&analysis, "subpath:2").original.mean), (4.0, 2.0));
    // A second that made seeds smaller leaves 2.25 s for each.
    assert_eq!(compared(parts, Form::Reduced).center.mean, 4.0);
    // It is no strategy that could be asked for.
    let chosen = analysis.recommendation.unwrap();
    assert!(!chosen.to_string().contains('+'), "{chosen}");
}

#[test]
fn the_seed_that_finds_all_is_best_first() {
    let analysis = analysis();
    for form in Form::ALL {
        let row = early(&analysis, "dfs", form);
        let sandbox = |order| row.orders.iter().find(|sandbox| sandbox.order == order).unwrap();
        // All is found by the first of ten.
        assert!((sandbox(Order::ShortestPath).mean.unwrap() - 0.95).abs() < 1e-9);
        assert_eq!(sandbox(Order::ShortestPath).against_random, Some(Significance::Better));
        assert!(sandbox(Order::ShortestPath).is_best && !sandbox(Order::Random).is_best);
        // All seeds cover the same: the other orders are random ones.
        assert_eq!(sandbox(Order::BranchTotal).against_random, Some(Significance::NoDifference));
        assert_eq!((sandbox(Order::Random).p, row.best()), (None, Some(Order::ShortestPath)));
    }
}

#[test]
fn what_finds_nothing_is_neither_early_nor_late() {
    let analysis = analysis();
    for sandbox in &early(&analysis, "none", Form::Reduced).orders {
        assert_eq!((sandbox.suites, sandbox.mean, sandbox.p, sandbox.is_best), (0, None, None, false));
    }
}

#[test]
fn a_summary_counts_all_forms() {
    let analysis = analysis();
    let dfs = analysis.summary.iter().find(|row| row.strategy == "dfs").unwrap();
    let shortest = dfs.orders.iter().find(|sandbox| sandbox.order == Order::ShortestPath).unwrap();
    assert_eq!((shortest.best, shortest.better, shortest.worse), (3, 3, 0));
    assert!((shortest.center.unwrap().mean - 0.95).abs() < 1e-9 && shortest.deviation.unwrap() < 1e-9);
}

#[test]
fn a_curve_starts_at_nothing_and_ends_at_the_coverage() {
    let analysis = analysis();
    let row = coverage(&analysis, "dfs");
    let curves = &analysis.curves[0].curves;
    let what: Vec<(Form, Order)> = curves.iter().map(|curve| (curve.form, curve.order)).collect();
    let (random, shortest) = (Order::Random, Order::ShortestPath);
    let in_random = Form::ALL.map(|form| (form, random));
    assert_eq!(what[..3], in_random);
    assert_eq!(what[3..], [(Form::Original, shortest), (Form::Shorter, shortest)]);
    for curve in curves {
        let (first, last) = (curve.points[0], curve.points.last().unwrap());
        assert_eq!((first.seconds, first.branches, last.seconds), (0.0, 0.0, 10.0 * BUDGET));
        let is_original = curve.form == Form::Original;
        let total = if is_original { row.original.mean } else { compared(row, curve.form).center.mean };
        assert!((last.branches - total).abs() < 1e-9);
    }
    // All is found at 2 seconds from the shortest seed, or at 3 if it first had to be made smaller.
    assert_eq!((curves[3].points[1].branches, curves[4].points[2].branches), (0.0, 0.0));
    assert!(curves[3].points[2].branches > 0.0 && curves[4].points[3].branches > 0.0);
}

#[test]
fn what_is_best_is_recommended() {
    let recommendation = analysis().recommendation.unwrap();
    let (coverage, area) = (recommendation.coverage, recommendation.area);
    assert_eq!((coverage.chosen.strategy.as_str(), coverage.chosen.form), ("dfs", Form::Reduced));
    assert_eq!((area.chosen.strategy.as_str(), area.chosen.form), ("dfs", Form::Reduced));
    assert_eq!((coverage.chosen.order, area.chosen.order), (None, Some(Order::ShortestPath)));
    assert!(!area.plain.unwrap().may_be_as_good());
    // All paths get shorter: it is the same.
    let next = area.next.unwrap();
    assert!(next.may_be_as_good() && next.candidate.form == Form::Shorter);
}

#[test]
fn smaller_seeds_are_best_where_their_path_is_shorter() {
    let analysis = analyse(&mixed(40), &settings());
    let dfs = coverage(&analysis, "dfs");
    let [reduced, shorter] = [Form::Reduced, Form::Shorter].map(|form| compared(dfs, form));
    assert_eq!(shorter.verdict, Some(Significance::Better));
    assert!(shorter.center.mean > reduced.center.mean && shorter.center.mean > dfs.original.mean);
    let recommendation = analysis.recommendation.unwrap();
    assert_eq!((recommendation.coverage.chosen.form, recommendation.area.chosen.form), (Form::Shorter, Form::Shorter));
}

#[test]
fn seeds_as_they_are_lose_the_time_in_which_they_were_made_smaller() {
    // No path is shorter, and one second of ten is lost.
    let explored = |seconds: [f64; 3]| {
        let found = seconds.into_iter().zip(1000..).map(|(seconds, branch)| Found { seconds, branch }).collect();
        Explored { found, ..Explored::default() }
    };
    let mut measured = measured(4);
    for seed in &mut measured.seeds {
        seed.reduced.path_length = seed.original.path_length;
        seed.original.explored.insert("dfs".to_owned(), explored([8.0, 9.0, 9.5]));
        seed.reduced.branches.push(1500);
    }
    let analysis = analyse(&measured, &AnalysisSettings { size: 2, ..settings() });
    let dfs = coverage(&analysis, "dfs");
    // What the smaller seeds cover does not count: they are not used.
    assert_eq!((dfs.original.mean, compared(dfs, Form::Shorter).center.mean), (3.0, 2.0));
    let curves = &analysis.curves[0].curves;
    // A point has 0.2 seconds.
    let branches = |curve: usize, point: usize| curves[curve].points[point].branches;
    assert_eq!((branches(0, 39), branches(0, 40)), (0.0, 1.0));
    assert_eq!((curves[2].form, branches(2, 44), branches(2, 45)), (Form::Shorter, 0.0, 1.0));
}

#[test]
fn what_may_be_chance_is_said() {
    let mut measured = measured(40);
    measured.strategies.retain(|name| name == "rps");
    let recommendation = analyse(&measured, &settings()).recommendation.unwrap();
    assert_eq!(recommendation.coverage.chosen.form, Form::Original);
    let text = recommendation.to_string();
    assert!(text.contains("rps from reduced seeds: 50.0 branches, which is no significant difference"), "{text}");
}

#[test]
fn seeds_that_a_strategy_lacks_are_left_out_for_it() {
    let analysis = analyse(&without(measured(40), "dfs", |number| number < 5), &settings());
    assert_eq!((coverage(&analysis, "dfs").seeds, coverage(&analysis, "rps").seeds), (35, 40));
    assert_eq!(coverage(&analysis, "combined").seeds, 35);
    assert_eq!(analysis.notes, ["dfs is compared by 35 of 40 seeds: the others were not explored from by it."]);
    assert_eq!(analysis.recommendation.unwrap().not_compared, ["dfs"]);
}

#[test]
fn a_strategy_without_two_seeds_is_left_out() {
    let analysis = analyse(&without(measured(40), "dfs", |number| number > 0), &settings());
    let names: Vec<&str> = analysis.coverage.iter().map(|row| row.strategy.as_str()).collect();
    assert_eq!(names, ["rps", "none", "combined"]);
    assert!(analysis.notes[0].starts_with("dfs is left out"));
}

#[test]
fn too_few_seeds_are_said() {
    for count in [0, 1] {
        let analysis = analyse(&measured(count), &settings());
        assert!(analysis.coverage.is_empty() && analysis.apbd.is_empty() && analysis.recommendation.is_none());
        assert_eq!((analysis.notes.len(), analysis.reduction.is_some()), (1, count == 1));
    }
}

#[test]
fn suites_of_all_seeds_have_no_p_value() {
    let analysis = analyse(&measured(8), &settings());
    let dfs = coverage(&analysis, "dfs");
    assert!(dfs.size == 8 && dfs.others.iter().all(|other| other.p.is_none() && other.verdict.is_none()));
    assert_eq!(analysis.notes.len(), 1);
    assert!(analysis.recommendation.unwrap().to_string().contains("there is one suite only"));
}

#[test]
fn suites_have_half_of_few_seeds() {
    let sizes = [0, 1, 2, 40, 199, 1000].map(|seeds| AnalysisSettings::for_seeds(seeds).size);
    assert_eq!(sizes, [1, 1, 1, 20, 99, 100]);
}

#[test]
fn the_same_seed_gives_the_same_analysis() {
    let json = |seed| serde_json::to_string(&analyse(&measured(40), &AnalysisSettings { seed, ..settings() })).unwrap();
    assert!(json(1) == json(1) && json(1) != json(2));
}

#[test]
fn odd_settings_do_no_harm() {
    let analysis = analyse(&measured(3), &AnalysisSettings { suites: 0, size: 0, seed: u64::MAX, orders: vec![] });
    assert_eq!(analysis.settings, AnalysisSettings { suites: 1, size: 1, seed: u64::MAX, orders: vec![Order::Random] });
    assert_eq!(analysis.curves[0].curves.len(), 3);
}

/// `cargo test --release -p byway-eval --test analysis -- --ignored --nocapture` says how long it takes.
#[test]
#[ignore = "measures time"]
fn many_seeds_take_a_moment() {
    let measured = large();
    let start = Instant::now();
    let analysis = analyse(&measured, &AnalysisSettings::for_seeds(500));
    println!("{} rows after {:?}", analysis.apbd.len(), start.elapsed());
}

/// 500 seeds that cover 4000 of 20000 branches each, and find up to 1000 by each of five strategies.
fn large() -> Measured {
    let mut large = measured(500);
    large.strategies = ["a", "b", "c", "d", "e"].map(str::to_owned).to_vec();
    for (number, seed) in (0..).zip(&mut large.seeds) {
        for version in [&mut seed.original, &mut seed.reduced] {
            version.branches = (0..4000).map(|branch| branch * (number % 3 + 1)).collect();
            let found = |branch| Found { seconds: 5.0, branch: branch * 13 % 20_000 };
            let all: Vec<Found> = (number * 10..number * 10 + 1000).map(found).collect();
            let explored = Explored { found: all, ..version.explored["dfs"].clone() };
            version.explored = large.strategies.iter().map(|name| (name.clone(), explored.clone())).collect();
        }
    }
    large
}
