//! A small writer of SVG: escaped text, numbers with at most two decimals, so that equal pictures are equal bytes.

use std::fmt::Write;

/// An SVG document being written. Coordinates are in pixels, y down.
#[derive(Clone, Debug)]
pub struct Svg {
    body: String,
    width: f64,
    height: f64,
}

/// Where a text is anchored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// x is the left end.
    Start,
    /// x is the middle.
    Middle,
    /// x is the right end.
    End,
}

impl Svg {
    /// An empty picture of this size.
    pub fn new(width: f64, height: f64) -> Svg {
        Svg { body: String::new(), width, height }
    }

    /// A filled rectangle; `style` holds further attributes, e.g. `stroke="#000" rx="3"`.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str, style: &str) {
        let (x, y, width, height) = (Num(x), Num(y), Num(width), Num(height));
        let fill = escape(fill);
        self.tag(
            format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{fill}""#),
            style,
        );
    }

    /// A rectangle with round corners of this radius and an edge of this colour and width.
    pub fn framed(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        fill: &str,
        radius: f64,
        (edge, thick): (&str, f64),
    ) {
        let style = format!(r#"rx="{}" stroke="{edge}" stroke-width="{}""#, Num(radius), Num(thick));
        self.rect(x, y, width, height, fill, &style);
    }

    /// The dashed edge of a place where no card lies.
    pub fn dashed(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), radius: f64, edge: &str) {
        let radius = Num(radius);
        let style = format!(r#"rx="{radius}" stroke="{edge}" stroke-width="1.5" stroke-dasharray="5 4""#);
        self.rect(x, y, width, height, "none", &style);
    }

    /// The head of a card in one colour: round at its two upper corners, with this radius.
    pub fn band(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), radius: f64, fill: &str) {
        let (r, side, bottom, across) = (radius, height - radius, y + height, width - 2.0 * radius);
        let d = format!("M{x} {bottom}v-{side}a{r} {r} 0 0 1 {r}-{r}h{across}a{r} {r} 0 0 1 {r} {r}v{side}z");
        self.path(&d, fill, "");
    }

    /// A circle.
    pub fn circle(&mut self, x: f64, y: f64, radius: f64, fill: &str, style: &str) {
        let (x, y, radius, fill) = (Num(x), Num(y), Num(radius), escape(fill));
        self.tag(format_args!(r#"<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}""#), style);
    }

    /// A line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, width: f64) {
        let (x1, y1, x2, y2) = (Num(from.0), Num(from.1), Num(to.0), Num(to.1));
        let (stroke, width) = (escape(stroke), Num(width));
        self.tag(
            format_args!(
                r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{stroke}" stroke-width="{width}""#
            ),
            "",
        );
    }

    /// A filled polygon.
    pub fn polygon(&mut self, points: &[(f64, f64)], fill: &str, style: &str) {
        let mut list = String::new();
        for &(x, y) in points {
            let _ = write!(list, "{},{} ", Num(x), Num(y));
        }
        self.tag(format_args!(r#"<polygon points="{}" fill="{}""#, list.trim_end(), escape(fill)), style);
    }

    /// A path by its `d` attribute.
    pub fn path(&mut self, d: &str, fill: &str, style: &str) {
        self.tag(format_args!(r#"<path d="{}" fill="{}""#, escape(d), escape(fill)), style);
    }

    /// A text whose baseline starts, centres or ends at (x, y).
    pub fn text(&mut self, at: (f64, f64), size: f64, anchor: Anchor, fill: &str, bold: bool, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let weight = if bold { r#" font-weight="600""# } else { "" };
        let _ = writeln!(
            self.body,
            r#"<text x="{}" y="{}" font-size="{}" text-anchor="{anchor}" fill="{}"{weight}>{}</text>"#,
            Num(at.0),
            Num(at.1),
            Num(size),
            escape(fill),
            escape(text)
        );
    }

    /// A text in a font of this size and of at most this width, both in pixels. A wider text is smaller. It is cut and ends with `…` if it
    /// would be smaller than [`SMALLEST`] of the size.
    pub fn fitted(
        &mut self,
        at: (f64, f64),
        (size, width): (f64, f64),
        anchor: Anchor,
        (fill, bold): (&str, bool),
        text: &str,
    ) {
        // A font that stands in for Inter may be wider: a text shrinks a little before it must.
        let mean = if bold { 0.61 } else { 0.56 } * text.chars().count() as f64;
        let size = (width / text_width(text, 1.0, bold).max(mean)).max(SMALLEST * size).min(size);
        self.text(at, size, anchor, fill, bold, &cut(text, (size, bold), width));
    }

    /// Opens a group moved by (x, y); close it with [`Svg::end_group`].
    pub fn begin_group(&mut self, x: f64, y: f64) {
        let _ = writeln!(self.body, r#"<g transform="translate({} {})">"#, Num(x), Num(y));
    }

    /// Opens a group whose attributes hold for everything in it, e.g. `transform="scale(2)"` or
    /// `fill="none" stroke="#000"`; close it with [`Svg::end_group`].
    pub fn begin_style(&mut self, style: &str) {
        let _ = writeln!(self.body, "<g {style}>");
    }

    /// Closes the last group.
    pub fn end_group(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// The whole document.
    pub fn finish(self) -> String {
        let (width, height) = (Num(self.width), Num(self.height));
        format!(
            concat!(
                r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" "#,
                r#"viewBox="0 0 {width} {height}" font-family="Inter,'Segoe UI',Roboto,'Helvetica Neue',sans-serif">"#,
                "\n{body}</svg>\n"
            ),
            width = width,
            height = height,
            body = self.body
        )
    }

    fn tag(&mut self, tag: std::fmt::Arguments<'_>, style: &str) {
        let space = if style.is_empty() { "" } else { " " };
        let _ = writeln!(self.body, "{tag}{space}{style}/>");
    }
}

/// How much of its size a text of [`Svg::fitted`] keeps.
pub const SMALLEST: f64 = 0.64;

/// Widths of ` ` to `~` in bold, in hundredths of the font's size.
#[rustfmt::skip]
const WIDTHS: [u8; 95] = [
    25, 31, 40, 64, 65, 84, 66, 21, 39, 39, 54, 67, 30, 47, 29, 38, 67, 48, 62, 65, 67, 63, 65, 59, 65, 65, 29, 30, 67, 67, 67, 54,
    100, 72, 66, 74, 72, 61, 59, 75, 74, 27, 56, 68, 57, 91, 74, 77, 64, 78, 65, 65, 66, 73, 72, 101, 69, 70, 65, 39, 38, 39, 48, 47,
    50, 57, 63, 58, 63, 59, 38, 63, 61, 26, 26, 57, 26, 90, 61, 61, 62, 62, 40, 55, 38, 61, 58, 84, 56, 58, 56, 39, 36, 39, 67,
];

/// Width of a text in pixels, in the font that pictures ask for first. Letters beyond ASCII are estimated.
pub fn text_width(text: &str, size: f64, bold: bool) -> f64 {
    let letter = |c: char| match c {
        ' '..='~' => WIDTHS[c as usize - 32],
        '\u{a0}' => WIDTHS[0],
        // Other alphabets and punctuation; mathematical signs.
        ..'\u{2190}' | '\u{2200}'..'\u{2300}' => 70,
        _ => 105,
    };
    let all: u32 = text.chars().map(|c| u32::from(letter(c))).sum();
    f64::from(all) / 100.0 * size * if bold { 1.0 } else { 0.98 }
}

/// A text of at most this width in a font of this size, bold or not. A wider one is cut and ends with `…`.
pub fn cut(text: &str, (size, bold): (f64, bool), width: f64) -> String {
    if text_width(text, size, bold) <= width {
        return text.into();
    }
    let mut left = text.to_string();
    while left.pop().is_some() {
        let cut = format!("{}…", left.trim_end());
        if text_width(&cut, size, bold) <= width {
            return cut;
        }
    }
    String::new()
}

/// A text in at most `most` lines, broken at spaces, of at most this width in a font of this size, bold or not. A line can be wider if it
/// is one word or the last line, which holds all that is left: [`cut`] them.
pub fn lines(text: &str, (size, bold): (f64, bool), width: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let full = lines.len() == most;
        if let Some(line) = lines.last_mut() {
            let longer = format!("{line} {word}");
            if full || text_width(&longer, size, bold) <= width {
                *line = longer;
                continue;
            }
        }
        lines.push(word.into());
    }
    lines
}

/// Size and lines of a text of at most `most` lines: up to a fifth smaller if it needs more, and cut if that is not enough.
pub fn fitted_lines(text: &str, (size, bold): (f64, bool), width: f64, most: usize) -> (f64, Vec<String>) {
    let sizes = [1.0, 0.9, 0.8].map(|part| part * size);
    let split = |size: f64| lines(text, (size, bold), width, most);
    let fits = |size: &f64| split(*size).iter().all(|line| text_width(line, *size, bold) <= width);
    let size = sizes.into_iter().find(fits).unwrap_or(sizes[2]);
    (size, split(size).iter().map(|line| cut(line, (size, bold), width)).collect())
}

/// A number with at most two decimals.
struct Num(f64);

impl std::fmt::Display for Num {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        let text = text.trim_end_matches('0').trim_end_matches('.');
        f.write_str(if text == "-0" { "0" } else { text })
    }
}

/// Text that is safe between tags and in attributes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c if c < ' ' && c != '\n' => {}
            c => out.push(c),
        }
    }
    out
}

/// A finished picture with a small caption in its upper left corner, legible on dark and on light; unchanged without one.
pub(crate) fn captioned(mut picture: String, caption: &str) -> String {
    if !caption.is_empty()
        && let Some(end) = picture.rfind("</svg>")
    {
        let caption = escape(caption);
        let text = format!("<text x=\"14\" y=\"13\" font-size=\"12\" fill=\"#8a8a8a\">{caption}</text>\n");
        picture.insert_str(end, &text);
    }
    picture
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_numbers_are_short() {
        let mut svg = Svg::new(10.0, 20.5);
        svg.rect(0.0, 1.0 / 3.0, 2.0, 2.0, "#fff", "");
        svg.text((1.0, 2.0), 9.0, Anchor::Middle, "#000", false, "a < \"b\"");
        let text = svg.finish();
        assert!(text.contains(r##"<rect x="0" y="0.33" width="2" height="2" fill="#fff"/>"##), "{text}");
        assert!(text.contains(">a &lt; &quot;b&quot;</text>") && text.contains(r#"height="20.5""#));
    }

    /// Size and words of the only text.
    fn fitted(text: &str, width: f64) -> (f64, String) {
        let mut svg = Svg::new(9.0, 9.0);
        svg.fitted((0.0, 0.0), (10.0, width), Anchor::Start, ("#000", false), text);
        let drawn = svg.finish();
        let (_, rest) = drawn.split_once("font-size=\"").expect("a text");
        let (size, rest) = rest.split_once('"').expect("a size");
        let words = rest.split_once('>').and_then(|(_, rest)| rest.split_once('<')).expect("words").0;
        (size.parse().expect("a number"), words.into())
    }

    #[test]
    fn wide_texts_shrink_and_are_then_cut() {
        assert_eq!(fitted("ten little", 60.0), (10.0, "ten little".into()));
        // Ten letters of the mean width.
        assert_eq!(fitted("ten little", 50.4), (9.0, "ten little".into()));
        assert_eq!(fitted("ten little", 24.0), (6.4, "ten litt…".into()));
        // Without a space before the sign.
        assert_eq!(fitted("ten little", 17.0), (6.4, "ten…".into()));
        assert_eq!(fitted("ten little", 1.0), (6.4, String::new()));
        // The same number of wide letters.
        let (size, words) = fitted("WWWWWWWWWW", 60.0);
        assert!(size < 6.5 && words.ends_with("W…") && text_width(&words, size, false) <= 60.0, "{words}");
        assert_eq!(fitted("", 5.0), (10.0, String::new()));
    }

    #[test]
    fn lines_break_at_spaces_and_the_last_one_holds_the_rest() {
        let split = |text: &str, most: usize| lines(text, (10.0, true), 60.0, most).join("|");
        assert_eq!(split("one two three four five", 9), "one two|three four|five");
        assert_eq!(split("one two three four five", 2), "one two|three four five");
        assert_eq!(split("an indivisible word", 9), "an|indivisible|word");
        assert_eq!(split("", 2), "");
    }

    #[test]
    fn lines_shrink_together_and_are_then_cut() {
        let fitted = |text: &str, most: usize| {
            let (size, lines) = fitted_lines(text, (10.0, true), 60.0, most);
            (size, lines.join("|"))
        };
        assert_eq!(fitted("one two three four", 2), (10.0, "one two|three four".into()));
        assert_eq!(fitted("one two three", 1), (8.0, "one two three".into()));
        assert_eq!(fitted("three four ab", 1), (9.0, "three four ab".into()));
        assert_eq!(fitted("one two three four five", 2), (8.0, "one two three|four five".into()));
        assert_eq!(fitted("one two three four five six", 1), (8.0, "one two three…".into()));
    }
}
