//! A finding in all its parts.

use std::path::Path;

use maud::{Markup, html};

use crate::check::source::SourceSpot;
use crate::finding::Finding;
use crate::standing::Standing;

use super::{parts, plain};

/// What is wrong: places, stack, object.
pub fn what(finding: &Finding, root: &Path) -> Markup {
    let object = finding.object.as_ref();
    let notes = object.map(|object| [("Allocated", &object.allocated), ("Freed", &object.freed)]);
    let notes = notes.into_iter().flatten().filter_map(|(what, stack)| Some((what, SourceSpot::of_stack(stack)?)));
    html! {
        @if let Some(spot) = SourceSpot::of_finding(finding) { (parts::source("At", &spot, root)) }
        @for then in &finding.then { p { "then " code { (plain(&parts::from(then, root))) } } }
        @for other in &finding.also { p { "also " code { (plain(&other.to_string())) } } }
        @for before in &finding.behind { p { "behind " code { (plain(before)) } } }
        @for (what, spot) in notes { (parts::source(what, &spot, root)) }
        (parts::stack(&finding.stack, root))
    }
}

/// Why a finding does not count, if it does not.
pub fn aside(standing: &Standing) -> Option<String> {
    match standing {
        Standing { suppressed: Some(reason), .. } => Some(format!("suppressed: {reason}")),
        Standing { known: true, .. } => Some("in the baseline".to_owned()),
        _ => None,
    }
}

/// Where a finding is, in a line.
pub fn place(finding: &Finding, root: &Path) -> String {
    SourceSpot::of_finding(finding).map(|spot| spot.described_from(root)).unwrap_or_default()
}
