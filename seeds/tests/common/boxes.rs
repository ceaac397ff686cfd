//! Where the texts of a picture are, measured with the fonts that pictures are drawn with.

use resvg::usvg::fontdb::Database;
use resvg::usvg::{Group, Node, Options, Rect, TextChunk, Tree};
use std::sync::{Arc, OnceLock};

/// A text with the box of its lines, and how many shapes are drawn before it.
struct Text {
    words: String,
    place: Rect,
    after: usize,
}

/// Texts, and the boxes of shapes that cover what lies below them.
#[derive(Default)]
struct Picture {
    texts: Vec<Text>,
    shapes: Vec<Rect>,
}

fn fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_font_data(include_bytes!("../../../core/assets/Inter-Regular.otf").to_vec());
        fonts.load_font_data(include_bytes!("../../../core/assets/Inter-SemiBold.otf").to_vec());
        fonts.set_sans_serif_family("Inter");
        Arc::new(fonts)
    };
    Arc::clone(FONTS.get_or_init(load))
}

fn collect(group: &Group, picture: &mut Picture) {
    for node in group.children() {
        match node {
            Node::Group(inner) => collect(inner, picture),
            Node::Text(text) => {
                let words = text.chunks().iter().map(TextChunk::text).collect();
                let after = picture.shapes.len();
                picture.texts.push(Text { words, place: text.abs_bounding_box(), after });
            }
            // More than a line, which crosses a thing out.
            Node::Path(path) if path.fill().is_some() && path.data().len() > 2 => {
                picture.shapes.push(path.abs_bounding_box());
            }
            Node::Path(_) | Node::Image(_) => {}
        }
    }
}

/// Asserts that every text lies in the picture and on its card, and that neither another text nor a shape covers it. Returns how many
/// there are.
pub(crate) fn texts_are_apart(svg: &str) -> usize {
    let options = Options { font_family: "Inter".into(), fontdb: fonts(), ..Options::default() };
    let tree = Tree::from_str(svg, &options).expect("a picture");
    let mut picture = Picture::default();
    collect(tree.root(), &mut picture);
    let Picture { texts, shapes } = picture;
    let (width, height) = (tree.size().width(), tree.size().height());
    for Text { words, place, .. } in &texts {
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
    for Text { words, place, after } in &texts {
        let (x, y) = ((place.left() + place.right()) / 2.0, (place.top() + place.bottom()) / 2.0);
        // A card, a label, a panel: higher things are grounds.
        let around = |shape: &&Rect| {
            (shape.left()..shape.right()).contains(&x)
                && (shape.top()..shape.bottom()).contains(&y)
                && (0.8 * place.height()..300.0).contains(&shape.height())
        };
        if let Some(card) = shapes[..*after].iter().rfind(around) {
            let inside = card.left() <= place.left() + 0.5 && place.right() <= card.right() + 0.5;
            assert!(inside, "`{words}` leaves its card: {place:?}, {card:?}");
        }
        for shape in &shapes[*after..] {
            let wide = shape.right().min(place.right()) - shape.left().max(place.left());
            let high = shape.bottom().min(place.bottom()) - shape.top().max(place.top());
            assert!(
                wide <= 2.0 || high <= 0.3 * place.height(),
                "`{words}` is covered: {place:?}, {shape:?}"
            );
        }
    }
    texts.len()
}
