//! A drawing in pixels, by a font that comes with the program.

use crate::plot::SIZE;
use anyhow::{Context, Result};
use resvg::{tiny_skia, usvg};
use std::path::Path;

/// Pixels for one of the drawing: letters stay sharp on dense screens.
const SCALE: u32 = 2;

/// Writes an SVG of `SIZE` as PNG.
pub fn write(svg: &str, path: &Path) -> Result<()> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(dejavu::sans::regular().to_vec());
    fonts.set_sans_serif_family("DejaVu Sans");
    let tree = usvg::Tree::from_str(svg, &options)?;
    let mut pixels = tiny_skia::Pixmap::new(SIZE.0 * SCALE, SIZE.1 * SCALE).context("no pixels")?;
    let scale = tiny_skia::Transform::from_scale(SCALE as f32, SCALE as f32);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    pixels
        .save_png(path)
        .with_context(|| path.display().to_string())
}
