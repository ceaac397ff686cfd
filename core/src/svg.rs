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
}
