//! Pages and tables show what was measured, whatever it is called.

mod synthetic;

use byway_eval::tables::tables;
use byway_eval::{Analysis, AnalysisSettings, Measured, analyse, page};
use synthetic::measured;

fn analysed(measured: Measured) -> (Measured, Analysis) {
    let settings = AnalysisSettings { suites: 20, size: 5, ..AnalysisSettings::default() };
    let analysis = analyse(&measured, &settings);
    (measured, analysis)
}

/// A table of the set.
fn table(programs: &[(Measured, Analysis)], name: &str) -> String {
    tables(programs).unwrap().into_iter().find(|(file, _)| *file == name).unwrap().1
}

/// What a reader sees of a page, without its style and pictures.
fn text(page: &str) -> String {
    let mut text = String::new();
    let body = page.split_once("<body>").unwrap().1;
    for piece in body.split("<svg").flat_map(|piece| piece.rsplit("</svg>").next()) {
        for part in piece.split('<') {
            let (tag, shown) = part.split_once('>').unwrap_or(("", part));
            let is_line = ["/tr", "/p", "/h1", "/h2", "/h3", "/li", "/figcaption", "/figure"].contains(&tag);
            text.push_str(if is_line { "\n" } else { "" });
            text.push_str(if tag == "/td" || tag == "/th" { " | " } else { "" });
            text.push_str(shown);
        }
    }
    text
}

#[test]
fn a_page_says_it_all() {
    insta::assert_snapshot!(text(&page(&[analysed(measured(12))])));
}

#[test]
fn names_are_escaped() {
    let odd = r#"<script>alert("&")</script>"#;
    let mut odd_one = measured(12);
    odd_one.program = odd.into();
    odd_one.strategies.push(odd.to_owned());
    for seed in &mut odd_one.seeds {
        for version in [&mut seed.original, &mut seed.reduced] {
            let explored = version.explored["dfs"].clone();
            version.explored.insert(odd.to_owned(), explored);
        }
    }
    let mut left_out = odd_one.clone();
    left_out.strategies.push("<b>never tried</b>".to_owned());
    let page = page(&[analysed(odd_one), analysed(left_out)]);
    assert!(!page.contains("<script") && !page.contains("<b>never"));
    assert!(page.contains("&lt;script&gt;alert(&quot;&amp;&quot;)"));
}

#[test]
fn a_page_needs_nothing_else() {
    let page = page(&[analysed(measured(12))]);
    assert!(!page.contains("<script") && !page.contains("<link") && !page.contains("src="));
    assert_eq!(page.matches("<svg").count(), 4);
}

#[test]
fn pages_of_nothing_say_so() {
    assert!(page(&[]).contains("Nothing was measured."));
    for (count, words) in [(0, "there are none"), (1, "there is 1")] {
        assert!(page(&[analysed(measured(count))]).contains(words));
    }
}

#[test]
fn several_programs_are_summarized() {
    let page = page(&[analysed(measured(12)), analysed(measured(9))]);
    assert!(page.contains("All programs"));
}

#[test]
fn tables_have_a_line_for_each_thing() {
    let programs = [analysed(measured(12)), analysed(measured(9))];
    let lines = |name| table(&programs, name).lines().count();
    assert_eq!(lines("reduction.csv"), 1 + 12 + 9);
    assert_eq!(lines("coverage.csv"), 1 + 2 * 4 * 3);
    assert_eq!(lines("apbd.csv"), 1 + 2 * 4 * 3 * 5);
    // What finds nothing has no best order.
    assert_eq!(lines("curves.csv"), 1 + 2 * (3 * 5 + 3) * 101);
}

#[test]
fn tables_have_as_many_cells_as_names() {
    let programs = [analysed(measured(12))];
    for (name, text) in tables(&programs).unwrap() {
        let sandboxes: Vec<usize> = text.lines().map(|line| line.split(',').count()).collect();
        assert!(sandboxes.iter().all(|&count| count == sandboxes[0]), "{name}: {sandboxes:?}");
    }
}

#[test]
fn names_in_tables_are_quoted() {
    let mut odd = measured(2);
    odd.seeds[0].name = "a,\"b\"\nc".to_owned();
    assert!(table(&[analysed(odd)], "reduction.csv").contains("\"a,\"\"b\"\"\nc\""));
}

#[test]
fn tables_without_programs_have_names_only() {
    assert!(tables(&[]).unwrap().iter().all(|(_, text)| text.lines().count() == 1));
}
