//! Whatever is in the journal of a measurement, going on with it ends, with an error or with a page.

mod synthetic;

use std::fs;
use std::time::Duration;

use byway_damage::{Damage, Meter, Read, change_text};
use byway_eval::{AnalysisSettings, Conditions, EvalError, ExperimentJournal, Measured, analyse, page, tables::tables};
use byway_input::{ConcreteInput, Fixture};
use byway_suite::{Executable, Seed};
use serde_json::{Value, json};

#[global_allocator]
static METER: Meter = Meter;

fn seed(name: &str) -> Seed {
    let fixture = Fixture { name: Some("f".into()), directory: Some("/".into()), ..Fixture::default() };
    Seed {
        name: name.to_owned(),
        executable: Executable { path: "/bin/f".into(), copy: "/bin/f".into() },
        input: ConcreteInput { fixture: fixture.into(), ..ConcreteInput::default() }.into(),
        missing: Vec::new(),
        ending: None,
        stdout: Vec::new(),
        stderr: Vec::new(),
        elapsed: Duration::ZERO,
        times: 1,
        origin: None,
    }
}

fn conditions() -> Conditions {
    Conditions { flags: vec![("--time".to_owned(), "10".to_owned())], build: "this".to_owned() }
}

/// The identifier that a seed has in a journal.
fn id(seed: &Seed) -> Value {
    serde_json::to_value(byway_eval::SeedId::of(seed)).unwrap()
}

/// The journal of what was made up.
fn journal(seeds: &[Seed], measured: &Measured) -> String {
    let mut lines = vec![json!({"what": "conditions", "flags": [["--time", "10"]], "build": "this"})];
    for (seed, known) in seeds.iter().zip(&measured.seeds) {
        let mut plain = known.clone();
        plain.original.explored.clear();
        plain.reduced.explored.clear();
        let input = json!({"arguments": ["f"], "stdin": "x", "files": [["a", "b"]]});
        lines.push(json!({"what": "reduced", "id": id(seed), "input": input, "seed": plain}));
        for (form, version) in [("original", &known.original), ("reduced", &known.reduced)] {
            for (strategy, explored) in &version.explored {
                lines.push(json!({"what": "explored", "id": id(seed), "form": form, "strategy": strategy, "explored": explored}));
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn known(journal: &ExperimentJournal, seeds: &[Seed], whole: &Measured) -> Result<Measured, EvalError> {
    let seeds = seeds.iter().map(|seed| journal.measured(seed, &whole.strategies, whole.branches));
    Ok(Measured { seeds: seeds.filter_map(Result::transpose).collect::<Result<_, _>>()?, ..whole.clone() })
}

#[test]
fn a_damaged_journal_is_refused_or_harmless() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    drop(ExperimentJournal::create(&out, &conditions()).unwrap());
    let place = out.join("eval.jsonl");
    let mut whole = synthetic::measured(4);
    for version in whole.seeds.iter_mut().flat_map(|seed| [&mut seed.original, &mut seed.reduced]) {
        version.branches.truncate(5);
        version.explored.values_mut().for_each(|explored| explored.found.truncate(4));
    }
    let seeds: Vec<Seed> = whole.seeds.iter().map(|measured| seed(&measured.name)).collect();
    let files = vec![journal(&seeds, &whole).into_bytes()];
    let settings = AnalysisSettings { suites: 3, size: 2, ..AnalysisSettings::default() };
    let damage =
        Damage { name: "eval journals", files, change: &change_text, cases: 200, memory: 16 << 20, factor: 64 };
    let mut number = 0u32;
    damage.read(|file| {
        fs::write(&place, file).unwrap();
        let journal = ExperimentJournal::resume(&out, &conditions());
        let measured = journal.and_then(|journal| known(&journal, &seeds, &whole));
        number += u32::from(measured.is_ok());
        if let Ok(measured) = &measured
            && number.is_multiple_of(8)
        {
            let all = [(measured.clone(), analyse(measured, &settings))];
            let _ = page(&all);
            tables(&all).unwrap();
        }
        Read::from(&measured)
    });
}

#[test]
fn a_branch_that_the_program_does_not_have_is_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("out");
    drop(ExperimentJournal::create(&out, &conditions()).unwrap());
    let mut whole = synthetic::measured(2);
    whole.seeds[1].reduced.branches.push(u32::MAX);
    let seeds: Vec<Seed> = whole.seeds.iter().map(|measured| seed(&measured.name)).collect();
    fs::write(out.join("eval.jsonl"), journal(&seeds, &whole)).unwrap();
    let journal = ExperimentJournal::resume(&out, &conditions()).unwrap();
    let error = known(&journal, &seeds, &whole).unwrap_err().to_string();
    assert!(error.contains("branch 4294967295 of a program with 2000"), "{error}");
}
