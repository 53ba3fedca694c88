//! What the line says that shows how a check is doing.

use byway_check::CheckProgress;

use crate::command::count;

/// The numbers of this moment.
pub fn line(progress: &CheckProgress) -> String {
    let phase = match progress.distance {
        0 => "following seeds".to_owned(),
        distance => format!("exploring at distance {distance}"),
    };
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    let left = progress.left.map(|left| format!("  {:.0} s left", left.as_secs_f64())).unwrap_or_default();
    let (confirmed, unconfirmed) = progress.findings;
    let more = if unconfirmed > 0 { format!(" (and {unconfirmed} unconfirmed)") } else { String::new() };
    format!(
        "{phase}: {} of {}  {}  {:.0} runs/s  {}{more}{left}",
        progress.seeds.0,
        count(progress.seeds.1, "seed"),
        count(progress.checks as usize, "check"),
        progress.runs as f64 / seconds,
        count(confirmed, "finding"),
    )
}
