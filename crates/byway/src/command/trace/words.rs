//! The report in words.

use byway_trace::EventKind;

use crate::command::trace::native::Time;
use crate::command::trace::report::{LossReport, Report};
use crate::console::thousands;

/// How many sources, places or functions are listed; `--json` has them all.
const SHOWN: usize = 8;

/// The report, line by line.
pub fn in_words(report: &Report) -> String {
    let mut lines = vec![
        line("ended", ended(report)),
        line("time", time(report)),
        line("input", input(report)),
        line("expressions", expressions(report)),
        line("branches", branches(report)),
        line("operations", operations(report)),
    ];
    lines.extend(lost(report));
    lines.push(line("limits", limits(report)));
    lines.extend(self_check(report));
    lines.join("\n") + "\n"
}

fn line(name: &str, text: String) -> String {
    format!("{name:<12} {text}")
}

fn ended(report: &Report) -> String {
    let mut text = report.status.to_string();
    if report.timed_out {
        text += ", killed since its time was up";
    }
    if report.replaced {
        text += ", after it became another program, which is not traced";
    }
    match report.children {
        0 => {}
        1 => text += ", after it made a child, which is not traced",
        count => text += &format!(", after it made {} children, which are not traced", thousands(count as usize)),
    }
    text
}

fn time(report: &Report) -> String {
    let seconds = |time: &Time| format!("{:.3} s", time.cpu_seconds);
    let instrumented = seconds(&report.instrumented);
    match (&report.native, report.native_skipped) {
        (Some(native), _) => {
            let ratio = report.ratio.map_or(String::new(), |ratio| format!(", {ratio:.1} times as long"));
            format!("{} natively, {instrumented} traced{ratio}", seconds(native))
        }
        (None, Some(why)) => format!("{instrumented} traced (not run natively: {why})"),
        (None, None) => format!("{instrumented} traced"),
    }
}

fn input(report: &Report) -> String {
    let bytes = format!("{} symbolic bytes", thousands(report.input_bytes as usize));
    let sources = report.inputs.iter().filter(|input| input.bytes > 0);
    let sources: Vec<String> =
        sources.map(|input| format!("{} {}", input.name, thousands(input.bytes as usize))).collect();
    if sources.is_empty() { bytes } else { format!("{bytes}: {}", some_of(sources)) }
}

fn expressions(report: &Report) -> String {
    let mut text = format!("{} nodes", thousands(report.nodes));
    if report.snapshot_bytes > 0 {
        text += &format!(", {} bytes of tables", thousands(report.snapshot_bytes as usize));
    }
    text
}

fn branches(report: &Report) -> String {
    let branches = report.count(EventKind::Branch);
    let mut text = format!("{} symbolic, at {} places", thousands(branches.events), thousands(branches.sites));
    let switches = report.count(EventKind::Switch);
    if switches.events > 0 {
        text += &format!("; {} switches, at {} places", thousands(switches.events), thousands(switches.sites));
    }
    if report.repeated > 0 {
        text += &format!("; {} more say the same again", thousands(report.repeated as usize));
    }
    text
}

fn operations(report: &Report) -> String {
    let count = |kind: EventKind, one: &str, many: &str| {
        let events = report.count(kind).events;
        format!("{} symbolic {}", thousands(events), if events == 1 { one } else { many })
    };
    let visited = thousands(report.count(EventKind::Visit).sites);
    format!(
        "{}, {}, {}, {}; {visited} blocks that can fail",
        count(EventKind::Access, "access", "accesses"),
        count(EventKind::Division, "divisor", "divisors"),
        count(EventKind::Length, "length", "lengths"),
        count(EventKind::Allocation, "allocation", "allocations"),
    )
}

/// One line for each cause, and below it the places, or the functions.
fn lost(report: &Report) -> Vec<String> {
    if report.losses.is_empty() {
        return vec![line("lost", "nothing".to_owned())];
    }
    let total: u64 = report.losses.iter().map(|loss| loss.count).sum();
    let mut lines = vec![line("lost", format!("{} times", thousands(total as usize)))];
    for losses in report.losses.chunk_by(|one, other| one.cause == other.cause) {
        let cause = losses[0].cause;
        let count: u64 = losses.iter().map(|loss| loss.count).sum();
        lines.push(format!("  {:<16} {:>9}  {}", cause.name(), thousands(count as usize), cause.text()));
        let shown = losses.iter().take(SHOWN);
        lines.extend(shown.map(|loss| format!("    {:>23}  {}", thousands(loss.count as usize), place(loss))));
        if losses.len() > SHOWN {
            lines.push(format!("    {:>23}  and {} more places", "", thousands(losses.len() - SHOWN)));
        }
    }
    lines
}

fn place(loss: &LossReport) -> String {
    match &loss.function {
        Some(function) => format!("{function}, {}", loss.place),
        None => loss.place.to_string(),
    }
}

fn limits(report: &Report) -> String {
    if report.limits_reached.is_empty() {
        return "none reached".to_owned();
    }
    let names: Vec<&str> = report.limits_reached.iter().map(|cause| cause.name()).collect();
    format!("reached: {}", names.join(", "))
}

fn self_check(report: &Report) -> Vec<String> {
    let check = &report.self_check;
    let (nodes, events) = (thousands(check.nodes), thousands(check.events));
    if check.mismatches == 0 {
        return vec![line("self-check", format!("{nodes} nodes and {events} events are worth what the run computed"))];
    }
    let wrong = thousands(check.mismatches);
    let mut lines = vec![line("self-check", format!("{wrong} of {nodes} nodes and {events} events are wrong"))];
    lines.extend(check.first.iter().map(|mismatch| format!("  {mismatch}")));
    lines
}

fn some_of(mut names: Vec<String>) -> String {
    if names.len() > SHOWN {
        let more = names.len() - SHOWN;
        names.truncate(SHOWN);
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}
