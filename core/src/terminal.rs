//! Text for a terminal: what [`Show::draw_text`](crate::show::Show::draw_text) needs to keep lines short.

use std::fmt::Write;

/// Most columns of a line.
pub const COLUMNS: usize = 100;

/// Writes a text in lines of at most [`COLUMNS`], broken between words; lines after the first begin with `indent`. What the text
/// begins with is kept as it is.
pub fn wrap(out: &mut String, text: &str, indent: &str) {
    let lead = text.len() - text.trim_start().len();
    let words: Vec<&str> = text[lead..].split(' ').collect();
    wrap_parts(out, &text[..lead], indent, &words, " ");
}

/// Writes parts with a separator between them, after `first`, in lines of at most [`COLUMNS`]; lines after the first begin with
/// `indent`. A part is broken, between its words or anywhere, only if it does not fit into a line of its own.
pub fn wrap_parts(out: &mut String, first: &str, indent: &str, parts: &[impl AsRef<str>], between: &str) {
    let width = |text: &str| text.chars().count();
    let mut line = first.to_string();
    let mut is_fresh = true;
    for (i, part) in parts.iter().enumerate() {
        let (part, more) = (part.as_ref(), if i + 1 < parts.len() { between } else { "" });
        if !is_fresh && width(&line) + width(part) + width(more.trim_end()) > COLUMNS {
            end(out, &mut line, indent);
        }
        for piece in pieces(part, COLUMNS - width(indent)) {
            if width(&line) + width(&piece) > COLUMNS {
                end(out, &mut line, indent);
            }
            line.push_str(&piece);
        }
        if width(&line) + width(more.trim_end()) > COLUMNS {
            end(out, &mut line, indent);
        }
        line.push_str(more);
        is_fresh = false;
    }
    end(out, &mut line, "");
}

/// Ends a line and begins the next one.
fn end(out: &mut String, line: &mut String, indent: &str) {
    let _ = writeln!(out, "{}", line.trim_end());
    *line = indent.into();
}

/// A part that fits as it is; of a longer one its words, each with the space after it, longer words in pieces.
fn pieces(part: &str, most: usize) -> Vec<String> {
    if part.chars().count() <= most {
        return vec![part.into()];
    }
    let mut pieces = Vec::new();
    for word in part.split_inclusive(' ') {
        let letters: Vec<char> = word.chars().collect();
        pieces.extend(letters.chunks(most.max(1)).map(|piece| piece.iter().collect::<String>()));
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(first: &str, indent: &str, parts: &[&str], between: &str) -> Vec<String> {
        let mut out = String::new();
        wrap_parts(&mut out, first, indent, parts, between);
        out.lines().map(String::from).collect()
    }

    #[test]
    fn parts_stay_whole_where_they_fit() {
        let (long, short) = ("a b ".repeat(20), "x y".to_string());
        let found = parts("  row ", "      ", &[long.trim_end(), &short, &short], " | ");
        assert_eq!(found, [format!("  row {long}| x y | x y")]);
        let found = parts("  row ", "      ", &[long.trim_end(), long.trim_end(), &short], " | ");
        assert_eq!(found, [format!("  row {long}|"), format!("      {long}| x y")]);
    }

    #[test]
    fn no_line_is_longer_than_the_limit() {
        let (words, letters) = ("word ".repeat(60), "w".repeat(230));
        for given in [vec![words.as_str()], vec![&letters], vec!["a", &words, "b", &letters, "c"]] {
            for (first, indent) in [("", ""), ("  first   ", "          ")] {
                let found = parts(first, indent, &given, ", ");
                assert!(found.iter().all(|line| line.chars().count() <= COLUMNS), "{found:?}");
                let letters = |text: &str| text.chars().filter(|c| c.is_alphabetic()).count();
                let kept: usize = found.iter().map(|line| letters(line)).sum();
                assert_eq!(kept, letters(first) + given.iter().map(|part| letters(part)).sum::<usize>());
            }
        }
        let mut out = String::new();
        wrap(&mut out, &format!("   lead {words}"), "     ");
        assert!(out.starts_with("   lead word") && out.contains("\n     word"), "{out}");
        assert!(out.lines().all(|line| line.chars().count() <= COLUMNS && line.trim_end() == line), "{out}");
    }

    #[test]
    fn no_parts_give_an_empty_line() {
        assert_eq!(parts("", "  ", &[], ", "), [""]);
    }
}
