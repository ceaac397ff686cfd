//! Contents that a game refuses: what is found in a text, and tables of changes with what is found in each.

use super::cases;
use playmat_core::env::ConfiguredGame;
use playmat_core::error::{Error, Finding};
use playmat_core::show::Show;
use serde_json::{Map, Value};

/// What is found in a content text under these options, a JSON object; nothing if the game takes it.
///
/// # Panics
/// If the options are refused for another reason.
#[track_caller]
pub fn findings<G: Show>(content: &str, options: &Value) -> Vec<Finding> {
    let mut options = options.as_object().cloned().unwrap_or_else(Map::new);
    options.insert("content".into(), content.into());
    match ConfiguredGame::<G>::new(&options) {
        Ok(_) => Vec::new(),
        Err(Error::Content { findings, .. }) => findings,
        Err(error) => panic!("{error}"),
    }
}

/// A content with one part changed, and what must be found in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The line of the table, for messages.
    pub case: String,
    /// The changed content.
    pub text: String,
    /// Where the finding stands, from 1; without a column anywhere in the line of the change.
    pub line: usize,
    /// The column, if the table marks it.
    pub column: Option<usize>,
    /// A part of what is said.
    pub message: String,
}

impl Change {
    /// The first finding that says it, at its place.
    ///
    /// # Panics
    /// If there is none.
    pub fn expect_in(&self, found: &[Finding]) {
        let said = found.iter().find(|finding| finding.message.contains(&self.message));
        let said = said.unwrap_or_else(|| panic!("{}\nis not said: {found:#?}", self.case));
        assert_eq!(
            (said.line, self.column.unwrap_or(said.column)),
            (self.line, said.column),
            "{}",
            self.case
        );
        assert!(said.column > 0, "{}: {said}", self.case);
    }
}

/// The changes of a table. A case is `part | new part | what is said`: the part of the content whose first place is changed, what takes its
/// place, and a part of a finding. In the new part `^` marks where the finding stands; `\n` is a line break in both.
///
/// ```
/// use playmat_conformance::testing::changes;
///
/// let content = "name = \"g\"\n[[card]]\nid = \"ace\"\ncopies = 2\n";
/// let table = r#"
///     // Too many.
///     copies = 2 | copies = ^99 | 99; allowed: 1 to 9
///     "#;
/// let [change] = &changes(content, table)[..] else { panic!("one case") };
/// assert!(change.text.ends_with("id = \"ace\"\ncopies = 99\n"));
/// assert_eq!((change.line, change.column), (4, Some(10)));
/// ```
///
/// # Panics
/// If a case has other than three fields, or its part is not in the content.
#[track_caller]
pub fn changes(content: &str, table: &str) -> Vec<Change> {
    let change = |case: String| {
        let fields: Vec<String> = case.split('|').map(|field| field.trim().replace("\\n", "\n")).collect();
        let [part, new, message] = &fields[..] else { panic!("a case has three fields: {case}") };
        let at = content.find(part.as_str()).unwrap_or_else(|| panic!("`{part}` is not in the content"));
        let mark = new.find('^');
        let new = new.replacen('^', "", 1);
        let before = format!("{}{}", &content[..at], &new[..mark.unwrap_or(0)]);
        let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
        Change {
            text: content.replacen(part.as_str(), &new, 1),
            line: before.matches('\n').count() + 1,
            column: mark.map(|_| column),
            message: message.clone(),
            case,
        }
    };
    cases(table).into_iter().map(change).collect()
}

/// Asserts that the game refuses each change of a table of [`changes`], with the finding at its place, and returns all findings of each.
///
/// # Panics
/// If a change is not refused so.
#[track_caller]
pub fn refused_changes<G: Show>(content: &str, options: &Value, table: &str) -> Vec<Vec<Finding>> {
    let refused = |change: Change| {
        let found = findings::<G>(&change.text, options);
        change.expect_in(&found);
        found
    };
    changes(content, table).into_iter().map(refused).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: &str = "name = \"g\"\n[[card]]\nid = \"ace\"\nforbids = [\"ö\"]\n[[card]]\nid = \"ace\"\n";

    #[test]
    fn a_table_has_a_case_a_line_and_lines_that_go_on() {
        let table = r#"
            id = "ace" | id = ^"" | `id` is empty

            // The first of two.
            forbids = ["ö"]\n[[card]]
                | forbids = ["ö", ^"x"]\n[[card]]
                | no type is called `x`
            name = "g" | title = "G" | `name` is missing
            "#;
        let found = changes(CONTENT, table);
        let places: Vec<_> = found.iter().map(|change| (change.line, change.column)).collect();
        assert_eq!(places, [(3, Some(6)), (4, Some(17)), (1, None)]);
        assert_eq!(found[0].text, CONTENT.replacen("\"ace\"", "\"\"", 1));
        assert!(found[1].text.contains("[\"ö\", \"x\"]\n[[card]]\nid"));
        assert_eq!(found[2].message, "`name` is missing");
    }

    #[test]
    fn a_finding_is_expected_at_its_place() {
        let change = &changes(CONTENT, "id = \"ace\" | id = ^\"\" | is empty")[0];
        let at = |line, column, message: &str| Finding { line, column, message: message.into() };
        change.expect_in(&[at(1, 1, "other"), at(3, 6, "`id` is empty")]);
        for wrong in [at(3, 7, "`id` is empty"), at(4, 6, "`id` is empty"), at(3, 6, "`id` is long")] {
            std::panic::catch_unwind(|| change.expect_in(&[wrong])).expect_err("another finding");
        }
    }

    #[test]
    #[should_panic(expected = "`colour` is not in the content")]
    fn a_part_must_be_there() {
        changes(CONTENT, "colour | color | x");
    }

    #[test]
    #[should_panic(expected = "a case has three fields: a | b")]
    fn a_case_has_three_fields() {
        changes(CONTENT, "a | b");
    }
}
