//! A point an allocator: time against memory, as a vector drawing.

use crate::arms::OURS;
use crate::judge::Mean;
use crate::labels;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::fs;
use std::ops::Range;
use std::path::Path;

pub const SIZE: (u32, u32) = (840, 600);
const GREY: RGBColor = RGBColor(185, 185, 185);

/// Draws `results/NAME.svg`, and `.png` where the driver was built to, if there are means.
pub fn write(root: &Path, name: &str, means: &[Mean]) -> Result<()> {
    if means.is_empty() {
        return Ok(());
    }
    let mut svg = String::new();
    draw(&mut svg, means).map_err(|error| anyhow!("{name}.svg: {error}"))?;
    let path = root.join("bench-native/results").join(name);
    fs::write(path.with_extension("svg"), &svg)?;
    #[cfg(feature = "png")]
    crate::pixels::write(&svg, &path.with_extension("png"))?;
    println!("drawn in bench-native/results/{name}.svg");
    Ok(())
}

fn draw(svg: &mut String, means: &[Mean]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let memory = around(means.iter().map(|mean| mean.memory));
    let time = around(means.iter().map(|mean| mean.time));
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption("CPU time and peak memory, glibc = 1", ("sans-serif", 20))
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(
            // Half as much and twice as much lie equally far from 1.
            memory.clone().log_scale().with_key_points(marks(&memory)),
            time.clone().log_scale().with_key_points(marks(&time)),
        )?;
    let ratio = |value: &f64| format!("{}", (value * 1e4).round() / 1e4);
    chart
        .configure_mesh()
        .x_desc("peak memory / glibc's   (← leaner)")
        .y_desc("CPU time / glibc's   (← faster)")
        .x_label_formatter(&ratio)
        .y_label_formatter(&ratio)
        .bold_line_style(RGBColor(225, 225, 225))
        .light_line_style(TRANSPARENT)
        .axis_desc_style(("sans-serif", 15))
        .label_style(("sans-serif", 13))
        .draw()?;
    let of_glibc = [
        [(memory.start, 1.0), (memory.end, 1.0)],
        [(1.0, time.start), (1.0, time.end)],
    ];
    for line in of_glibc {
        chart.draw_series([PathElement::new(line, GREY)])?;
    }
    let points: Vec<(i32, i32)> = means
        .iter()
        .map(|mean| chart.backend_coord(&(mean.memory, mean.time)))
        .collect();
    let (x, y) = chart.plotting_area().get_pixel_range();
    let names: Vec<&str> = means.iter().map(|mean| mean.arm.as_str()).collect();
    for (at, label) in labels::place(&points, &names, (x, y))
        .into_iter()
        .enumerate()
    {
        let (color, radius) = match names[at] == OURS {
            true => (RGBColor(200, 40, 40), 7),
            false => (RGBColor(70, 90, 120), 5),
        };
        if label.far {
            area.draw(&PathElement::new([points[at], label.near_point()], GREY))?;
        }
        area.draw(&Circle::new(points[at], radius, color.filled()))?;
        let style = ("sans-serif", labels::HEIGHT)
            .into_font()
            .color(&color)
            .pos(Pos::new(HPos::Center, VPos::Center));
        area.draw(&Text::new(names[at], label.center, style))?;
    }
    area.present()?;
    Ok(())
}

/// From the least to the most and 1, with a margin.
fn around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) = values.fold((1.0f64, 1.0f64), |(a, b), value| {
        (a.min(value), b.max(value))
    });
    let margin = (most / least).max(1.1).powf(0.15);
    least / margin..most * margin
}

/// Round ratios within the range, as dense as there is room for.
fn marks(range: &Range<f64>) -> Vec<f64> {
    let steps = |step: f64| {
        (1..=(2.0 / step) as i32)
            .map(|n| f64::from(n) * step)
            .collect()
    };
    let coarse = [
        0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0,
    ];
    let gap = (range.end / range.start).powf(1.0 / 15.0);
    let mut last = Vec::new();
    for list in [
        steps(0.02),
        steps(0.05),
        steps(0.1),
        coarse.to_vec(),
        (-6..=10).map(|n| 2f64.powi(n)).collect(),
    ] {
        last = list
            .into_iter()
            .filter(|mark| range.contains(mark))
            .collect();
        if last.windows(2).all(|pair| pair[1] / pair[0] >= gap) {
            break;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `cargo test --features png`, and then look at plot-test.png in the directory for temporary
    /// files.
    #[test]
    fn draws_points_that_lie_close() {
        let means: Vec<Mean> = [
            ("glibc", 1.0, 1.0),
            ("mimalloc-v2", 0.79, 1.21),
            ("mimalloc-v3", 0.8, 1.2),
            ("jemalloc", 0.94, 0.98),
            ("snmalloc", 0.81, 1.22),
            ("rpmalloc", 0.9, 1.7),
            ("tcmalloc", 0.83, 1.6),
            ("tcmalloc-gperf", 0.86, 1.19),
            ("lohalloc", 0.77, 0.96),
        ]
        .map(|(arm, time, memory)| Mean {
            arm: arm.to_owned(),
            time,
            memory,
        })
        .into();
        let mut svg = String::new();
        draw(&mut svg, &means).unwrap();
        assert!(svg.contains("rpmalloc"));
        #[cfg(feature = "png")]
        crate::pixels::write(&svg, &std::env::temp_dir().join("plot-test.png")).unwrap();
    }

    #[test]
    fn marks_are_round_and_few() {
        assert_eq!(marks(&(0.45..2.2)), [0.5, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0]);
        assert_eq!(marks(&(0.3..30.0)), [0.5, 1.0, 2.0, 4.0, 8.0, 16.0]);
    }
}
