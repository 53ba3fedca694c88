//! Pictures of how many branches are discovered when.
//!
//! A picture is SVG that is part of a page. The page's style says how its text and lines look in the dark.

use byway_reduce::Order;
use plotters::prelude::*;

use crate::Form;
use crate::analysis::{Curve, Curves};

const SIZE: (u32, u32) = (560, 320);
const LINE: u32 = 2;
const FONT: (&str, u32) = ("sans-serif", 15);

/// The colour of a line. All of them can be seen on white and on black.
pub fn colour(form: Form, order: Order) -> RGBColor {
    match (form, order) {
        (Form::Original, Order::Random) => RGBColor(0x8a, 0x8f, 0x98),
        (Form::Reduced, Order::Random) => RGBColor(0x2f, 0x86, 0xd6),
        (Form::Shorter, Order::Random) => RGBColor(0xb8, 0x5c, 0xd6),
        (Form::Original, _) => RGBColor(0xdb, 0x84, 0x0a),
        (Form::Reduced, _) => RGBColor(0x1b, 0xa3, 0xb8),
        (Form::Shorter, _) => RGBColor(0x2a, 0xa1, 0x5f),
    }
}

/// Most branches that any of these discovers.
pub fn most(all: &[Curves]) -> f64 {
    let curves = all.iter().flat_map(|curves| &curves.curves);
    curves.filter_map(|curve| curve.points.last()).map(|last| last.branches).fold(0.0, f64::max)
}

/// The curves of a strategy, as SVG. `most` is how far the axis of branches goes. Without a line there is no picture.
pub fn picture(curves: &Curves, most: f64) -> Option<String> {
    let duration = curves.curves.first()?.points.last()?.seconds;
    let mut svg = String::new();
    // Writing to a text does not fail.
    draw(&mut svg, &curves.curves, duration, most).ok()?;
    Some(svg)
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(svg: &mut String, curves: &[Curve], duration: f64, most: f64) -> Drawn {
    let (unit, seconds) = unit(duration);
    // Axes without a length cannot be drawn.
    let (right, top) = (positive(duration / seconds), positive(most * 1.05));
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    let mut chart = ChartBuilder::on(&root)
        .margin(8)
        .margin_right(16)
        .x_label_area_size(42)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..right, 0.0..top)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(format!("time ({unit})"))
        .y_desc("new branches")
        .x_labels(6)
        .y_labels(6)
        .x_label_formatter(&|x| short(*x))
        .y_label_formatter(&|y| short(*y))
        .label_style(FONT)
        .axis_desc_style(FONT)
        .draw()?;
    for curve in curves {
        let points = curve.points.iter().map(|point| (point.seconds / seconds, point.branches));
        let style = colour(curve.form, curve.order).stroke_width(LINE);
        chart.draw_series(LineSeries::new(points, style))?;
    }
    root.present()?;
    Ok(())
}

/// The unit in which a duration is easy to read, and how many seconds it has.
fn unit(duration: f64) -> (&'static str, f64) {
    match duration {
        ..300.0 => ("seconds", 1.0),
        ..10_800.0 => ("minutes", 60.0),
        _ => ("hours", 3600.0),
    }
}

fn positive(length: f64) -> f64 {
    if length > 0.0 { length } else { 1.0 }
}

/// A number without zeros that say nothing.
fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Point;

    fn curves(points: &[(f64, f64)]) -> Curves {
        let point = |&(seconds, branches): &(f64, f64)| Point { seconds, branches };
        let curve = Curve { form: Form::Reduced, order: Order::Random, points: points.iter().map(point).collect() };
        Curves { strategy: "dfs".to_owned(), curves: vec![curve] }
    }

    #[test]
    fn a_picture_has_its_line_and_units() {
        let picture = picture(&curves(&[(0.0, 0.0), (600.0, 10.0)]), 10.0).unwrap();
        assert!(picture.starts_with("<svg"));
        for text in ["time (minutes)", "new branches", "#2F86D6"] {
            assert!(picture.contains(text), "{text} is not in {picture}");
        }
    }

    #[test]
    fn nothing_that_is_discovered_in_no_time_is_drawn_too() {
        assert!(picture(&curves(&[(0.0, 0.0), (0.0, 0.0)]), 0.0).is_some());
        assert_eq!(picture(&curves(&[]), 0.0), None);
    }

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, 0.5, 20.0, 1.25].map(short), ["0", "0.5", "20", "1.25"]);
    }
}
