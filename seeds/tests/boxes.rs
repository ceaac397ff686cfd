//! Where the texts of a picture are, measured with the fonts that pictures are drawn with.

use resvg::usvg::fontdb::Database;
use resvg::usvg::{Group, Node, Options, Rect, TextChunk, Tree};
use std::sync::{Arc, OnceLock};

/// A text with the box of its lines.
struct Text {
    words: String,
    place: Rect,
}

fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(include_bytes!("../../core/assets/Inter-Regular.otf").to_vec());
        fonts.load_font_data(include_bytes!("../../core/assets/Inter-SemiBold.otf").to_vec());
        fonts.set_sans_serif_family("Inter");
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}

fn collect(group: &Group, found: &mut Vec<Text>) {
    for node in group.children() {
        match node {
            Node::Group(inner) => collect(inner, found),
            Node::Text(text) => {
                let words = text.chunks().iter().map(TextChunk::text).collect();
                found.push(Text { words, place: text.abs_bounding_box() });
            }
            _ => {}
        }
    }
}

/// Asserts that every text lies in the picture, and that no two of them cover each other. Returns how many there are.
pub(crate) fn texts_are_apart(svg: &str) -> usize {
    let options = Options { font_family: "Inter".into(), fontdb: fonts(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).expect("a picture");
    let mut texts = Vec::new();
    collect(tree.root(), &mut texts);
    let (width, height) = (tree.size().width(), tree.size().height());
    for Text { words, place } in &texts {
        let inside =
            place.left() >= 0.0 && place.right() <= width && place.top() >= 0.0 && place.bottom() <= height;
        assert!(inside, "`{words}` is cut: {place:?} in a picture of {width} x {height}");
    }
    for (i, a) in texts.iter().enumerate() {
        for b in &texts[i + 1..] {
            // The box of a line is higher than its letters.
            let slack = 0.2 * (a.place.height().min(b.place.height()));
            let wide = a.place.right().min(b.place.right()) - a.place.left().max(b.place.left());
            let high = a.place.bottom().min(b.place.bottom()) - a.place.top().max(b.place.top());
            let apart = wide <= 0.5 || high <= slack.max(0.5) + 0.15 * a.place.height().max(b.place.height());
            assert!(apart, "`{}` and `{}` cover each other: {:?}, {:?}", a.words, b.words, a.place, b.place);
        }
    }
    texts.len()
}
