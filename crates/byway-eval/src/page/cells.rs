//! How numbers are shown.

use maud::{Markup, html};

use crate::statistics::SIGNIFICANT;

/// A number with so many digits after the point, and commas between thousands.
pub fn number(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let mut shown = String::from(if value < 0.0 { "−" } else { "" });
    for (place, digit) in whole.char_indices() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown + rest
}

/// A share as percent.
pub fn percent(share: Option<f64>) -> String {
    share.map_or("–".to_owned(), |share| number(100.0 * share, 1))
}

/// A number, bold if it is the best, in italics if it is no significant difference.
pub fn marked(text: &str, is_best: bool, is_significant: bool) -> Markup {
    match (is_best, is_significant) {
        (true, true) => html! { b { (text) } },
        (true, false) => html! { i { b { (text) } } },
        (false, true) => html! { (text) },
        (false, false) => html! { i { (text) } },
    }
}

/// A p-value, in italics if it is no significant difference.
pub fn p_value(p: Option<f64>) -> Markup {
    let text = match p {
        None => "–".to_owned(),
        Some(p) if p < 0.001 => "< 0.001".to_owned(),
        Some(p) => format!("{p:.3}"),
    };
    marked(&text, false, is_significant(p))
}

/// Whether a difference is not taken for chance. One that is not known is.
pub fn is_significant(p: Option<f64>) -> bool {
    p.is_some_and(|p| p < SIGNIFICANT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(number(1234567.89, 1), "1,234,567.9");
        assert_eq!([number(999.0, 0), number(1000.0, 0), number(-1234.0, 0)], ["999", "1,000", "−1,234"]);
    }

    #[test]
    fn small_p_values_are_not_zero() {
        assert_eq!(p_value(Some(1e-9)).into_string(), "&lt; 0.001");
        assert_eq!(p_value(Some(0.5)).into_string(), "<i>0.500</i>");
    }
}
