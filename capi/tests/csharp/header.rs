//! Reads `include/playmat.h`, which is regular because cbindgen wrote it.

/// A named number.
pub(crate) struct Constant {
    pub(crate) name: String,
    /// As the header has it: an integer, or `SIZE_MAX`.
    pub(crate) value: String,
    pub(crate) doc: String,
}

/// An enum, with its entries as name, number and documentation.
pub(crate) struct Enum {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) entries: Vec<(String, i32, String)>,
}

/// A C type with a name: a field or a parameter.
pub(crate) struct Variable {
    /// Without `const` and `struct`: `PlaymatGame`, `size_t`, `char`.
    pub(crate) ty: String,
    /// How many stars stand behind the type.
    pub(crate) stars: usize,
    pub(crate) name: String,
    /// The length of a field that is an array, as the header has it.
    pub(crate) len: Option<String>,
    pub(crate) doc: String,
}

pub(crate) struct Struct {
    pub(crate) name: String,
    pub(crate) doc: String,
    pub(crate) fields: Vec<Variable>,
}

pub(crate) struct Function {
    pub(crate) result: Variable,
    pub(crate) parameters: Vec<Variable>,
    pub(crate) doc: String,
}

/// Everything that the header declares.
#[derive(Default)]
pub(crate) struct Header {
    pub(crate) constants: Vec<Constant>,
    pub(crate) enums: Vec<Enum>,
    /// Types that only pointers go to: handles.
    pub(crate) opaque: Vec<String>,
    pub(crate) structs: Vec<Struct>,
    pub(crate) functions: Vec<Function>,
}

impl Header {
    /// Reads a header; panics at a declaration that it does not understand.
    pub(crate) fn parse(text: &str) -> Header {
        let mut header = Header::default();
        let mut lines = text.lines().skip_while(|line| !line.contains("#include <stdint.h>"));
        let mut doc = String::new();
        while let Some(line) = lines.next() {
            if let Some(start) = line.trim().strip_prefix("/**") {
                doc = comment(start, &mut lines);
            } else if let Some(rest) = line.strip_prefix("#define ") {
                let (name, value) = rest.split_once(' ').expect("a constant has a value");
                let (name, value) = (name.to_owned(), value.trim().to_owned());
                header.constants.push(Constant { name, value, doc: std::mem::take(&mut doc) });
            } else if let Some(name) = line.strip_prefix("enum ") {
                let doc = std::mem::take(&mut doc);
                header.enums.push(Enum { name: name.to_owned(), doc, entries: entries(&mut lines) });
            } else if let Some(rest) = line.strip_prefix("typedef struct ") {
                let doc = std::mem::take(&mut doc);
                match rest.strip_suffix(" {") {
                    Some(name) => {
                        header.structs.push(Struct {
                            name: name.to_owned(),
                            doc,
                            fields: fields(&mut lines),
                        });
                    }
                    None => header.opaque.push(rest.split(' ').next().unwrap_or_default().to_owned()),
                }
            } else if line.contains('(') && !line.starts_with([' ', '#', '/', '}']) {
                let mut all = line.to_owned();
                while !all.ends_with(';') {
                    all.push(' ');
                    all.push_str(lines.next().expect("a declaration ends").trim());
                }
                header.functions.push(function(&all, std::mem::take(&mut doc)));
            }
        }
        header
    }
}

/// The text of a comment whose first line has been begun, lines joined, paragraphs apart.
fn comment<'a>(start: &str, lines: &mut impl Iterator<Item = &'a str>) -> String {
    if let Some(whole) = start.strip_suffix("*/") {
        return whole.trim().to_owned();
    }
    let mut paragraphs = vec![start.trim().to_owned()];
    for line in lines.map(str::trim).take_while(|&line| line != "*/") {
        let said = line.trim_start_matches('*').trim();
        match paragraphs.last_mut() {
            Some(last) if !said.is_empty() => *last = format!("{last} {said}").trim().to_owned(),
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs.join("\n")
}

fn entries<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Vec<(String, i32, String)> {
    let (mut found, mut doc) = (Vec::new(), String::new());
    while let Some(line) = lines.next() {
        let line = line.trim();
        if let Some(start) = line.strip_prefix("/**") {
            doc = comment(start, lines);
        } else if let Some((name, number)) = line.trim_end_matches(',').split_once(" = ") {
            let number = number.parse().expect("an enum holds numbers");
            found.push((name.to_owned(), number, std::mem::take(&mut doc)));
        } else if line == "};" {
            break;
        }
    }
    found
}

fn fields<'a>(lines: &mut impl Iterator<Item = &'a str>) -> Vec<Variable> {
    let (mut found, mut doc) = (Vec::new(), String::new());
    while let Some(line) = lines.next() {
        let line = line.trim();
        if let Some(start) = line.strip_prefix("/**") {
            doc = comment(start, lines);
        } else if line.starts_with('}') {
            break;
        } else {
            let field = line.strip_suffix(';').expect("a field ends");
            found.push(Variable { doc: std::mem::take(&mut doc), ..variable(field) });
        }
    }
    found
}

/// `const uint8_t *const *states`, `char name[PLAYMAT_NAME_SIZE]`.
fn variable(text: &str) -> Variable {
    let (text, len) = match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((text, len)) => (text, Some(len.to_owned())),
        None => (text, None),
    };
    let spaced = text.replace('*', " * ");
    let words = spaced.split_whitespace().filter(|&word| word != "const" && word != "struct");
    let (stars, words): (Vec<_>, Vec<_>) = words.partition(|&word| word == "*");
    let [ty, name] = words[..] else { panic!("not a type and a name: `{text}`") };
    let (ty, name) = (ty.to_owned(), name.to_owned());
    Variable { ty, stars: stars.len(), name, len, doc: String::new() }
}

fn function(text: &str, doc: String) -> Function {
    let (head, rest) = text.split_once('(').expect("a function has parameters");
    let list = rest.strip_suffix(");").expect("a declaration ends");
    let parameters = if list == "void" { Vec::new() } else { list.split(',').map(variable).collect() };
    Function { result: variable(head), parameters, doc }
}
