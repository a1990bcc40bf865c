//! Which personality is selected: the frontmatter says so, and a line in the body repeats it.
//!
//! Invariant: after [`agree`] both say the same; the one that a person changed wins, or the
//! frontmatter if both changed.

use super::{document::Document, value::Value};

const LINE: &str = "Selected:";

pub fn selected(document: &Document) -> Option<String> {
    document.get("selected").and_then(Value::text)
}

fn in_body(document: &Document) -> Option<&str> {
    let line = document.body().lines().find(|line| line.starts_with(LINE))?;
    Some(line[LINE.len()..].trim())
}

/// The field as a person may write it below the block, where it selects nothing.
const FIELD: &str = "selected:";

/// What a line of the text names that was meant as the field; `None` where there is the field.
pub fn misplaced(document: &Document) -> Option<&str> {
    if document.get("selected").is_some() {
        return None;
    }
    let line = document.body().lines().find(|line| line.starts_with(FIELD))?;
    Some(line[FIELD.len()..].trim()).filter(|name| !name.is_empty())
}

/// The text without such a line, which is none of its wishes.
pub fn without_misplaced(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with(FIELD)).collect()
}

/// The text without the line that repeats it.
pub fn unselected(text: &str) -> String {
    text.split_inclusive('\n').filter(|line| !line.starts_with(LINE)).collect()
}

/// `old` is the file before a person edited it, if known.
pub fn agree(document: &mut Document, old: Option<&Document>) {
    let Some(front) = selected(document) else { return };
    let body = in_body(document).map(str::to_owned);
    let Some(body) = body.filter(|body| *body != front) else { return };
    let front_is_old = old.is_some_and(|old| selected(old).as_ref() == Some(&front));
    let body_is_old = old.is_some_and(|old| in_body(old) == Some(&body));
    if front_is_old && !body_is_old && !body.is_empty() {
        document.set("selected", Value::Text(body));
        return;
    }
    let replaced = |line: &str| {
        if !line.starts_with(LINE) {
            return line.to_owned();
        }
        format!("{LINE} {front}{}", &line[line.trim_end().len()..])
    };
    let text: String = document.body().split_inclusive('\n').map(replaced).collect();
    document.set_body(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(front: &str, body: &str) -> Document {
        let text = format!("---\nselected: {front}\n---\n\n# Personality\n\nSelected: {body}\n");
        Document::read(text.as_bytes()).expect("valid")
    }

    fn agreed(front: &str, body: &str, old: &str) -> Document {
        let mut document = file(front, body);
        agree(&mut document, Some(&file(old, old)));
        document
    }

    #[test]
    fn whichever_was_changed_is_followed() {
        assert_eq!(agreed("calm", "brisk", "calm"), file("brisk", "brisk"));
        assert_eq!(agreed("brisk", "calm", "calm"), file("brisk", "brisk"));
        assert_eq!(agreed("brisk", "warm", "calm"), file("brisk", "brisk"));
        let mut unknown = file("brisk", "calm");
        agree(&mut unknown, None);
        assert_eq!(unknown, file("brisk", "brisk"));
    }

    #[test]
    fn the_field_below_the_block_is_seen() {
        let read = |text: &str| Document::read(text.as_bytes()).expect("valid");
        let below = read("---\nversion: 1\n---\n\n# Personality\n\nselected: warm\n");
        assert_eq!(misplaced(&below), Some("warm"));
        assert_eq!(misplaced(&read("selected: warm\n")), Some("warm"));
        assert_eq!(misplaced(&read("---\nselected: calm\n---\n\nselected: warm\n")), None);
        assert_eq!(misplaced(&read("# Personality\n\nSelected: warm\n")), None);
        assert_eq!(without_misplaced("Brief.\nselected: warm\nKind.\n"), "Brief.\nKind.\n");
    }
}
