//! Texts as they arrive from people, agents and other programs: without byte order mark, with LF,
//! and apart from the labels that they bring along.
//!
//! Invariant: the only place that knows of byte order marks, line ends and a text's own
//! frontmatter; what has passed once passes unchanged.

use super::{
    document::{Broken, Document},
    frontmatter::Fault,
    hash::canonical_trim,
    value::Value,
};
use std::borrow::Cow;

/// A text's frontmatter is meant as one, and cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unread {
    /// In the text, from 1.
    pub line: usize,
    pub message: String,
}

/// Without byte order marks at the beginning, and with LF line ends.
pub fn plain(typed: &str) -> Cow<'_, str> {
    let text = typed.trim_start_matches('\u{feff}');
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A document with its own labels: those of its frontmatter, else a first line `tags: a, b`.
pub fn document(typed: &str) -> Result<Document, Unread> {
    let text = plain(typed);
    let text = text.trim_start_matches(['\u{feff}', '\n']);
    match Document::read(text.as_bytes()) {
        Ok(own) if own.front().is_some() => Ok(own),
        Ok(_) => Ok(tagged(text)),
        // A rule of dashes begins a text as well.
        Err(_) if !begins_as_frontmatter(text) => Ok(Document::new(text)),
        Err(broken) => Err(unread(broken)),
    }
}

/// A text whose first line is `tags: a, b`: that line becomes its frontmatter.
fn tagged(text: &str) -> Document {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let tags = first.trim_end().strip_prefix("tags:").filter(|_| !canonical_trim(rest).is_empty());
    let Some(tags) = tags else { return Document::new(text) };
    let tags = tags.trim().trim_start_matches('[').trim_end_matches(']').split(',');
    let tags = tags.map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty());
    let mut document = Document::new(rest);
    document.set("tags", Value::List(tags.collect()));
    document
}

fn begins_as_frontmatter(text: &str) -> bool {
    let mut lines = text.lines();
    let is_open = lines.next().is_some_and(|line| line.trim_end() == "---");
    let first = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    is_open && first.is_some_and(|line| line.contains(": ") || line.trim_end().ends_with(':'))
}

fn unread(broken: Broken) -> Unread {
    let (line, message) = match broken {
        Broken::Front(Fault::Invalid { line, message }) => (line, message),
        Broken::Front(Fault::DuplicateKey { line, key }) => {
            (line, format!("`{key}` is duplicated"))
        }
        Broken::TooLarge | Broken::Front(Fault::TooLarge) => (1, "it is too large".to_owned()),
        Broken::Unclosed => (1, "its closing `---` line is missing".to_owned()),
        Broken::NotUtf8 => (1, "it is not UTF-8".to_owned()),
    };
    Unread { line: line + 1, message }
}

/// Keys by which frontmatter is known as such in a fact, where a text may well begin with dashes.
const TELLING: &[&str] =
    &["tags", "title", "name", "description", "type", "metadata", "created", "id", "aliases"];

/// A fact with its own tags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fact {
    pub text: String,
    pub tags: Vec<String>,
    /// Keys of its frontmatter that a fact does not have.
    pub left_out: Vec<String>,
}

pub fn fact(typed: &str) -> Fact {
    let text = plain(typed);
    let start =
        text.trim_start_matches(|letter: char| letter == '\u{feff}' || letter.is_whitespace());
    let own = Document::read(start.as_bytes()).ok();
    let own = own
        .filter(|own| TELLING.iter().any(|key| own.get(key).is_some()) && !own.text().is_empty());
    let Some(own) = own else { return Fact { text: text.into_owned(), ..Fact::default() } };
    let keys = own.front().map_or(&[][..], |front| front.entries()).iter();
    Fact {
        text: own.text().to_owned(),
        tags: own.get("tags").and_then(Value::list).unwrap_or_default(),
        left_out: keys.map(|entry| entry.key.clone()).filter(|key| key != "tags").collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_same_whatever_it_was_saved_with() {
        for typed in ["a\nb", "\u{feff}a\nb", "a\r\nb", "\u{feff}\u{feff}a\rb", "\u{feff}a\r\nb"] {
            assert_eq!(plain(typed), "a\nb", "{typed:?}");
        }
        assert_eq!(plain("a\u{feff}b"), "a\u{feff}b");
    }

    #[test]
    fn labels_are_taken_off_a_document_and_dashes_are_not() {
        for typed in [
            "---\ntitle: Tea\ntags: [a, b]\n---\n\nText\n",
            "\u{feff}---\r\ntitle: Tea\r\ntags:\r\n  - a\r\n  - b\r\n---\r\nText\r\n",
            "\n\n---\ntags: a, b\ntitle: Tea\n---\nText",
        ] {
            let own = document(typed).expect("read");
            assert_eq!((own.text(), own.front().is_some()), ("Text", true), "{typed:?}");
            assert_eq!(own.get("title").and_then(Value::text).as_deref(), Some("Tea"));
        }
        let tags = |typed| document(typed).expect("read").get("tags").and_then(Value::list);
        assert_eq!(tags("tags: a, b\nText"), Some(vec!["a".into(), "b".into()]));
        assert_eq!(tags("tags: [a,b]\nText"), Some(vec!["a".into(), "b".into()]));
        for text in
            ["tags: a", "---\n\nA rule\n\n---\n", "---\nText", "--- a: b", "a\n---\nb: c\n---"]
        {
            assert_eq!(document(text).expect("text").body(), text);
        }
        for broken in ["---\na: [\n---\nText", "---\na: 1\na: 2\n---\nText", "---\na: 1\nText"] {
            assert!(document(broken).is_err(), "{broken:?}");
        }
    }

    #[test]
    fn a_fact_keeps_its_tags_and_names_what_it_cannot_keep() {
        let own = fact("\u{feff}---\r\ntitle: X\r\ntags: [a]\r\npinned: true\r\n---\r\nLikes tea");
        assert_eq!((own.text.as_str(), own.tags.as_slice()), ("Likes tea", &["a".to_owned()][..]));
        assert_eq!(own.left_out, ["title", "pinned"]);
        assert_eq!(fact(&own.text), Fact { text: own.text.clone(), ..Fact::default() });
        for text in ["---\nNote: x\n---\ny", "---\n\nx\n\n---", "tags: a\nb", "Likes tea"] {
            assert_eq!(fact(text), Fact { text: text.to_owned(), ..Fact::default() });
        }
    }
}
