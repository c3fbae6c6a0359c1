//! A point an allocator: time against memory.

use crate::arms::OURS;
use crate::judge::Mean;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::path::Path;

const SIZE: (u32, u32) = (760, 520);

/// Draws `results/NAME.svg`, if there are means.
pub fn write(root: &Path, name: &str, means: &[Mean]) -> Result<()> {
    if means.is_empty() {
        return Ok(());
    }
    let path = root.join(format!("bench-native/results/{name}.svg"));
    draw(&path, means).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    println!("drawn in bench-native/results/{name}.svg");
    Ok(())
}

fn draw(path: &Path, means: &[Mean]) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let range = |of: fn(&Mean) -> f64| {
        let least = means.iter().map(of).fold(f64::INFINITY, f64::min);
        let most = means.iter().map(of).fold(0.0, f64::max);
        let margin = (most - least).max(0.1) * 0.15;
        (least - margin)..(most + margin * 1.6)
    };
    let mut chart = ChartBuilder::on(&area)
        .margin(16)
        .caption("CPU time and peak memory, glibc = 1", ("sans-serif", 20))
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(range(|mean| mean.memory), range(|mean| mean.time))?;
    chart
        .configure_mesh()
        .x_desc("peak memory (leaner to the left)")
        .y_desc("CPU time (faster below)")
        .axis_desc_style(("sans-serif", 15))
        .label_style(("sans-serif", 13))
        .draw()?;
    for mean in means {
        let (color, radius) = match mean.arm == OURS {
            true => (RGBColor(200, 40, 40), 7),
            false => (RGBColor(70, 90, 120), 5),
        };
        let point = (mean.memory, mean.time);
        chart.draw_series([Circle::new(point, radius, color.filled())])?;
        let style = ("sans-serif", 14).into_font().color(&color);
        chart
            .draw_series([EmptyElement::at(point) + Text::new(mean.arm.clone(), (9, -7), style)])?;
    }
    area.present()?;
    Ok(())
}
