//! Pictures as pixels: SVG text in, RGB or PNG out, the same bytes on every machine.
//!
//! Nothing but the text decides the result: fonts are the two embedded ones (see `core/assets`), no system font is ever
//! used, and images or files that a document refers to are not loaded.

use crate::error::{Error, Result};
use crate::memory;
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{ImageHrefResolver, Options, Tree};
use std::sync::{Arc, OnceLock};

/// Family of the embedded fonts; weights 400 and 600. [`Svg`](crate::svg::Svg) asks for it first.
pub const FAMILY: &str = "Inter";

/// Largest width and height of a picture, in pixels.
pub const MAX_SIDE: u32 = 16_384;

/// Most pixels in one picture: 256 MiB at four bytes each while it is drawn.
pub const MAX_PIXELS: u64 = 1 << 26;

/// Memory that a picture may take while it is made: four bytes for the canvas, four for a pale group on its way there, and up to
/// eight for the copy that is written out as a file or as plain colours.
const BYTES_PER_PIXEL: usize = 16;

static REGULAR: &[u8] = include_bytes!("../assets/Inter-Regular.otf");
static SEMI_BOLD: &[u8] = include_bytes!("../assets/Inter-SemiBold.otf");

/// Pixels of a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue of each pixel, row by row from the top: an array of shape (height, width, 3).
    pub data: Vec<u8>,
}

/// Draws an SVG document on white: its own size, or `width` pixels wide in the same proportions.
///
/// # Errors
/// `Unreadable` if the text is not an SVG document with a size; `InvalidArgument` for a width of 0 or a picture beyond
/// [`MAX_SIDE`], [`MAX_PIXELS`] or what memory is free.
pub fn rgb(svg: &str, width: Option<u32>) -> Result<Image> {
    let pixmap = draw(svg, width)?;
    // White lies below everything, so every pixel is opaque and premultiplied colours are plain colours.
    let data = pixmap.data().as_chunks::<4>().0.iter().flat_map(|&[r, g, b, _]| [r, g, b]).collect();
    Ok(Image { width: pixmap.width() as usize, height: pixmap.height() as usize, data })
}

/// The same picture as a PNG file.
///
/// # Errors
/// As [`rgb`].
pub fn png(svg: &str, width: Option<u32>) -> Result<Vec<u8>> {
    draw(svg, width)?.encode_png().map_err(|error| unreadable(&error))
}

fn draw(svg: &str, width: Option<u32>) -> Result<Pixmap> {
    let options = Options {
        font_family: FAMILY.to_owned(),
        fontdb: fonts(),
        image_href_resolver: ImageHrefResolver {
            resolve_data: Box::new(|_, _, _| None),
            resolve_string: Box::new(|_, _| None),
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|error| unreadable(&error))?;
    let size = tree.size();
    let scale = width.map_or(1.0, |width| width as f32 / size.width());
    let (wide, high) =
        (width.map_or_else(|| pixels(size.width()), u64::from), pixels(size.height() * scale).max(1));
    check_size(wide, high)?;
    memory::check("width", wide as usize, usize::try_from(wide * high).ok().map(|n| n * BYTES_PER_PIXEL))?;
    let mut pixmap = Pixmap::new(wide as u32, high as u32)
        .ok_or_else(|| Error::argument("width", format!("no memory for {wide} x {high} pixels")))?;
    pixmap.fill(Color::WHITE);
    let stretch = Transform::from_scale(wide as f32 / size.width(), high as f32 / size.height());
    resvg::render(&tree, stretch, &mut pixmap.as_mut());
    Ok(pixmap)
}

/// A length in whole pixels; `as` saturates, so absurd lengths stay large and are refused by `check_size`.
fn pixels(length: f32) -> u64 {
    length.round() as u64
}

fn check_size(wide: u64, high: u64) -> Result<()> {
    let side = u64::from(MAX_SIDE);
    if (1..=side).contains(&wide) && (1..=side).contains(&high) && wide * high <= MAX_PIXELS {
        return Ok(());
    }
    Err(Error::argument(
        "width",
        format!(
            "the picture would have {wide} x {high} pixels; allowed are 1 to {MAX_SIDE} each way and \
             {MAX_PIXELS} in all"
        ),
    ))
}

fn unreadable(error: &dyn std::fmt::Display) -> Error {
    Error::Unreadable { what: "SVG", message: error.to_string() }
}

/// The embedded fonts, parsed once per process.
fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        for data in [REGULAR, SEMI_BOLD] {
            fonts.load_font_source(Source::Binary(Arc::new(data)));
        }
        fonts.set_sans_serif_family(FAMILY);
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::svg::{Anchor, Svg, text_width};

    /// A white card with one text in its middle.
    fn card(text: &str, bold: bool) -> String {
        let mut svg = Svg::new(120.0, 40.0);
        svg.text((60.0, 26.0), 16.0, Anchor::Middle, "#000", bold, text);
        svg.finish()
    }

    /// How much ink lies on the white ground, and in which columns.
    fn ink(image: &Image) -> (u64, Option<usize>, Option<usize>) {
        let mut column = vec![0u64; image.width];
        for (i, pixel) in image.data.as_chunks::<3>().0.iter().enumerate() {
            column[i % image.width] += u64::from(255 - pixel[1]);
        }
        let first = column.iter().position(|&c| c > 0);
        let last = column.iter().rposition(|&c| c > 0);
        (column.iter().sum(), first, last)
    }

    #[test]
    fn text_leaves_ink_where_it_belongs() {
        let blank = rgb(&card("", false), None).expect("a blank card");
        assert_eq!((blank.width, blank.height, blank.data.len()), (120, 40, 120 * 40 * 3));
        assert_eq!(ink(&blank).0, 0);
        let (amount, first, last) = ink(&rgb(&card("Mountain 12", false), None).expect("a text"));
        let (first, last) = (first.expect("ink"), last.expect("ink"));
        assert!(amount > 20_000, "{amount}");
        assert!(first > 5 && last < 115 && first.abs_diff(119 - last) <= 2, "{first} {last}");
    }

    #[test]
    fn texts_are_as_wide_as_they_are_measured() {
        for text in [
            "Milliliter filling",
            "WWW mmm @@@",
            "THE QUICK FOX",
            "Player 10 (you), 27 points",
            "Über ≥ 12 – x",
        ] {
            for bold in [false, true] {
                let mut svg = Svg::new(900.0, 80.0);
                svg.text((20.0, 60.0), 50.0, Anchor::Start, "#000", bold, text);
                let (_, first, last) = ink(&rgb(&svg.finish(), None).expect("a text"));
                let wide = last.expect("ink") as f64 - first.expect("ink") as f64;
                let measured = text_width(text, 50.0, bold);
                // Half a letter's room beside the ink.
                assert!(
                    wide < measured + 3.0 && wide > 0.93 * measured - 9.0,
                    "{text}: {wide}, not {measured}"
                );
            }
        }
    }

    #[test]
    fn bold_uses_its_own_font_face() {
        let thin = ink(&rgb(&card("Mountain", false), None).expect("thin")).0;
        let bold = ink(&rgb(&card("Mountain", true), None).expect("bold")).0;
        assert!(bold * 10 > thin * 11, "{thin} {bold}");
    }

    #[test]
    fn every_documented_character_has_a_glyph() {
        for c in ('!'..='~').chain("ÄÖÜäöüß×·–—‘’“”…←→↑↓−≈≠≤≥■□▲▼◆◇○●★☆♥✓✗".chars())
        {
            let image = rgb(&card(&c.to_string(), false), None).expect("one character");
            assert!(ink(&image).0 > 100, "{c:?} leaves no ink");
        }
    }

    #[test]
    fn the_image_has_the_requested_size() {
        let svg = card("x", false);
        let double = rgb(&svg, Some(240)).expect("twice the size");
        assert_eq!((double.width, double.height), (240, 80));
        let tiny = rgb(&svg, Some(1)).expect("one pixel");
        assert_eq!((tiny.width, tiny.height, tiny.data.len()), (1, 1, 3));
    }

    #[test]
    fn equal_texts_give_equal_bytes() {
        assert_eq!(rgb(&card("abc", true), Some(300)), rgb(&card("abc", true), Some(300)));
        let file = png(&card("abc", true), None).expect("a PNG");
        assert_eq!(file, png(&card("abc", true), None).expect("the same PNG"));
        assert_eq!(file[..8], *b"\x89PNG\r\n\x1a\n");
    }

    #[test]
    fn invalid_images_are_refused() {
        for bad in [
            "",
            "hello",
            "<svg",
            "<p>hello</p>",
            "<svg xmlns='http://www.w3.org/2000/svg' width='0' height='5'/>",
        ] {
            let error = rgb(bad, None).expect_err(bad);
            assert_eq!(error.code(), "unreadable", "{bad}: {error}");
        }
    }

    #[test]
    fn absurd_sizes_are_refused() {
        let svg = card("x", false);
        for width in [0, MAX_SIDE + 1, u32::MAX] {
            assert_eq!(rgb(&svg, Some(width)).expect_err("a bad width").code(), "invalid_argument");
        }
        let tall = "<svg xmlns='http://www.w3.org/2000/svg' width='1' height='100000'/>";
        assert_eq!(rgb(tall, None).expect_err("too tall").code(), "invalid_argument");
        let large = "<svg xmlns='http://www.w3.org/2000/svg' width='1e30' height='1e30'/>";
        assert_eq!(rgb(large, None).expect_err("too large").code(), "invalid_argument");
    }

    #[test]
    fn files_are_never_read() {
        let file = std::env::temp_dir().join(format!("playmat-raster-{}.svg", std::process::id()));
        let black =
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><rect width='9' height='9'/></svg>";
        std::fs::write(&file, black).expect("a temporary file");
        let svg = format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><image width='9' height='9' href='{}'/></svg>",
            file.display()
        );
        let image = rgb(&svg, None);
        std::fs::remove_file(&file).expect("the temporary file is ours");
        assert!(ink(&rgb(black, None).expect("black")).0 > 0);
        assert_eq!(ink(&image.expect("a blank picture")).0, 0);
    }
}
