//! What the line says that shows how a check is doing.

use byway_check::CheckProgress;

use crate::command::count;

/// The numbers of this moment, and what is being built.
pub fn line(progress: &CheckProgress, building: &str) -> String {
    let (awaited, programs) = progress.awaited;
    if awaited == programs {
        return building.to_owned();
    }
    let building = if building.is_empty() { String::new() } else { format!("; {building}") };
    let phase = match progress.distance {
        0 => "following tests".to_owned(),
        distance => format!("exploring at distance {distance}"),
    };
    let seconds = progress.elapsed.as_secs_f64().max(1e-3);
    let left = progress.left.map(|left| format!("  {:.0} s left", left.as_secs_f64())).unwrap_or_default();
    let (confirmed, unconfirmed) = progress.findings;
    let more = if unconfirmed > 0 { format!(" (and {unconfirmed} unconfirmed)") } else { String::new() };
    format!(
        "{phase}: {} of {}  {}  {:.0} runs/s  {}{more}{left}{building}",
        progress.seeds.0,
        count(progress.seeds.1, "seed"),
        count(progress.checks as usize, "check"),
        progress.runs as f64 / seconds,
        count(confirmed, "finding"),
    )
}
