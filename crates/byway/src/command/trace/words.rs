//! The report in words.

use byway_trace::{Cause, EventKind};

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
    lines.extend(output_check(report));
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
    if let Some(said) = &report.said {
        text += &format!(": {said}");
    }
    if report.replaced {
        text += "; it became another program, which is not traced";
    }
    match report.children {
        0 => {}
        count => text += &format!("; its {} not traced", number_of(count as usize, "child is", "children are")),
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
    let bytes = number(report.input_bytes as usize, "symbolic byte");
    let sources = report.inputs.iter().filter(|input| input.bytes > 0);
    let sources: Vec<String> =
        sources.map(|input| format!("{} {}", input.name, thousands(input.bytes as usize))).collect();
    if sources.is_empty() { bytes } else { format!("{bytes}: {}", some_of(sources)) }
}

fn expressions(report: &Report) -> String {
    let mut text = number(report.nodes, "node");
    if report.snapshot_bytes > 0 {
        text += &format!(", {} of tables", number(report.snapshot_bytes as usize, "byte"));
    }
    text
}

fn branches(report: &Report) -> String {
    let branches = report.count(EventKind::Branch);
    let mut text = format!("{} symbolic, at {}", thousands(branches.events), number(branches.sites, "place"));
    let switches = report.count(EventKind::Switch);
    if switches.events > 0 {
        let events = number_of(switches.events, "switch", "switches");
        text += &format!("; {events}, at {}", number(switches.sites, "place"));
    }
    if report.repeated > 0 {
        text += &format!("; {} more say the same again", thousands(report.repeated as usize));
    }
    text
}

fn operations(report: &Report) -> String {
    let count = |kind: EventKind, one: &str, many: &str| number_of(report.count(kind).events, one, many);
    let operations = [
        count(EventKind::Access, "symbolic access", "symbolic accesses"),
        count(EventKind::Division, "divisor", "divisors"),
        count(EventKind::Length, "length", "lengths"),
        count(EventKind::Allocation, "size", "sizes"),
        count(EventKind::Overflow, "signed result", "signed results"),
        count(EventKind::Shift, "distance of a shift", "distances of shifts"),
        count(EventKind::ShiftBase, "shift to the left", "shifts to the left"),
        count(EventKind::Terminator, "end of a string", "ends of strings"),
    ];
    format!("{}; {} that can fail", operations.join(", "), number(report.count(EventKind::Visit).sites, "block"))
}

/// One line for each cause, and below it the places, or the functions.
fn lost(report: &Report) -> Vec<String> {
    if report.losses.is_empty() {
        return vec![line("lost", "nothing".to_owned())];
    }
    let total: u64 = report.losses.iter().map(|loss| loss.count).sum();
    let mut lines = vec![line("lost", number(total as usize, "time"))];
    for losses in report.losses.chunk_by(|one, other| one.cause == other.cause) {
        let cause = losses[0].cause;
        let count: u64 = losses.iter().map(|loss| loss.count).sum();
        lines.push(format!("  {:<16} {:>9}  {}", cause.name(), thousands(count as usize), cause.text()));
        let shown = losses.iter().take(SHOWN);
        lines.extend(shown.map(|loss| format!("    {:>24}  {}", thousands(loss.count as usize), place(loss))));
        if losses.len() > SHOWN {
            lines.push(format!("    {:>24}  and {} more", "", number(losses.len() - SHOWN, "place")));
        }
    }
    lines
}

fn place(loss: &LossReport) -> String {
    match &loss.function {
        Some(input) if loss.cause == Cause::UnseenInput => input.clone(),
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
    let (nodes, events) = (number(check.nodes, "node"), number(check.events, "event"));
    if check.mismatches == 0 {
        return vec![line("self-check", format!("{nodes} and {events} are worth what the run computed"))];
    }
    let wrong = thousands(check.mismatches);
    let mut lines = vec![line("self-check", format!("{wrong} of {nodes} and {events} are wrong"))];
    lines.extend(check.first.iter().map(|mismatch| format!("  {mismatch}")));
    lines
}

fn output_check(report: &Report) -> Vec<String> {
    let Some(check) = &report.output_check else { return Vec::new() };
    let bytes = number(check.bytes, "written byte");
    let missing = match check.missing {
        0 => String::new(),
        count => format!("; {} never left a buffer", number(count, "byte")),
    };
    if check.mismatches == 0 {
        return vec![line("outputs", format!("the expressions of {bytes} evaluate to what was written{missing}"))];
    }
    let wrong = thousands(check.mismatches);
    let mut lines = vec![line("outputs", format!("{wrong} of {bytes} differ from their expressions{missing}"))];
    lines.extend(check.first.iter().map(|mismatch| format!("  {mismatch}")));
    lines
}

fn number(count: usize, one: &str) -> String {
    number_of(count, one, &format!("{one}s"))
}

fn number_of(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

fn some_of(mut names: Vec<String>) -> String {
    if names.len() > SHOWN {
        let more = names.len() - SHOWN;
        names.truncate(SHOWN);
        names.push(format!("and {more} more"));
    }
    names.join(", ")
}
