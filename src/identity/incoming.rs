//! Texts as they arrive from people, agents and other programs: without byte order mark, with LF,
//! and apart from the labels that they bring along.
//!
//! Invariant: a text from outside passes here before it is a fact or a document; what has passed
//! once passes unchanged. Files that are there already may have been written by other programs:
//! their readers see past a byte order mark themselves.

use super::{
    block::Fault,
    document::{Broken, Document},
    frontmatter::{Entry, Frontmatter},
    hash::canonical_trim,
    label_lines::{self, TELLING},
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

/// Without the blanks and marks before its first letter.
fn from_first_letter(text: &str) -> &str {
    text.trim_start_matches(|letter: char| letter == '\u{feff}' || letter.is_whitespace())
}

/// Keys that other programs write above a text, beside the telling ones.
const FAMILIAR: &[&str] = &[
    "abstract",
    "alias",
    "alwaysapply",
    "applyto",
    "attendees",
    "author",
    "authors",
    "categories",
    "category",
    "date",
    "entities",
    "excerpt",
    "globs",
    "keywords",
    "language",
    "layout",
    "modified",
    "participants",
    "permalink",
    "project",
    "related",
    "source",
    "status",
    "subtitle",
    "summary",
    "topics",
    "updated",
    "url",
];

/// A document with its own labels: those of its frontmatter, else tags on its first lines. A block
/// that is no mapping stays in the text (see [`kept_block`]), and so does one that is a sentence.
pub fn document(typed: &str) -> Result<Document, Unread> {
    let text = plain(typed);
    let text = text.trim_start_matches(['\u{feff}', '\n']);
    let start = from_first_letter(text);
    match Document::arriving(start) {
        Ok(own) if own.front().is_some_and(are_labels) => Ok(with_tags_key(own)),
        Ok(_) => Ok(tagged(text)),
        // A rule of dashes begins a text as well.
        Err(Broken::Unclosed) if !opens_labels(start) => Ok(Document::new(text)),
        Err(_) if !begins_as_frontmatter(start) => Ok(Document::new(text)),
        Err(broken) => Err(unread(broken)),
    }
}

/// A heading between two rules is a comment to YAML, and would be lost.
fn are_labels(front: &Frontmatter) -> bool {
    match front.entries() {
        [] => front.write().trim().is_empty(),
        [only] => !is_sentence(only),
        _ => true,
    }
}

/// `Note: prose with a colon.`
fn is_sentence(only: &Entry) -> bool {
    let mut known = TELLING.iter().chain(FAMILIAR);
    if known.any(|key| only.key.eq_ignore_ascii_case(key)) {
        return false;
    }
    let Value::Text(text) = only.value() else { return false };
    let ends = ['.', '!', '?', '…', '。', '！', '？'];
    text.split_whitespace().count() > 2 || text.ends_with(ends) || text.contains(['，', '、'])
}

/// Whether the lines below a first rule are meant as labels, although no second rule closes them:
/// the very next line looks like a label, or the first line of text below it has a telling key.
fn opens_labels(text: &str) -> bool {
    let mut lines = text.lines().skip(1);
    let Some(next) = lines.next() else { return false };
    let is_skipped = |line: &str| line.trim().is_empty() || line.starts_with('#');
    if !is_skipped(next) {
        return label_lines::key(next).is_some();
    }
    let first = lines.find(|line| !is_skipped(line)).and_then(label_lines::key);
    first.is_some_and(label_lines::is_telling)
}

/// With the key `tags` in place of `Tags` and any other spelling, and the tags of all of them.
fn with_tags_key(mut own: Document) -> Document {
    let entries = own.front().map_or(&[][..], Frontmatter::entries).iter();
    let spelt = entries.filter(|entry| label_lines::is_tags_key(&entry.key));
    let (spelt, fixed): (Vec<Entry>, Vec<Entry>) = spelt.cloned().partition(Entry::is_changeable);
    let kept = spelt.iter().find(|entry| entry.key == "tags").or(spelt.first());
    let is_fixed = fixed.iter().any(|entry| entry.key == "tags");
    let Some(kept) = kept.filter(|_| !is_fixed) else { return own };
    let mut all: Vec<String> = Vec::new();
    for tag in spelt.iter().filter_map(|entry| entry.value().list()).flatten() {
        if !all.contains(&tag) {
            all.push(tag);
        }
    }
    for entry in spelt.iter().filter(|entry| entry.key != "tags") {
        own.front_mut().remove(&entry.key);
    }
    if kept.key != "tags" {
        own.front_mut().push_raw(kept.called("tags"));
    }
    if spelt.len() > 1 {
        own.set("tags", Value::List(all));
    }
    own
}

/// A text whose first lines are tags: they become its frontmatter.
fn tagged(text: &str) -> Document {
    let own = label_lines::tagged(text).filter(|own| !canonical_trim(own.rest).is_empty());
    let Some(own) = own else { return Document::new(text) };
    let mut document = Document::new(own.rest);
    document.set("tags", Value::List(own.tags));
    document
}

/// What to say of a text that still begins with a block of labels.
pub fn kept_block(text: &str) -> Option<&'static str> {
    label_lines::begins_with_block(text).then_some(
        "the text begins with a `---` block, which was kept as text; if it is meant as labels, \
         write each as `key: value` on its own line",
    )
}

fn begins_as_frontmatter(text: &str) -> bool {
    let mut lines = text.lines();
    let is_open = lines.next().is_some_and(|line| line.trim_end() == "---");
    let first = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    // JSON is no YAML mapping, and a link no key.
    let first = first.filter(|line| !line.trim_start().starts_with(['{', '[']));
    is_open && first.is_some_and(|line| line.contains(": ") || line.trim_end().ends_with(':'))
}

fn unread(broken: Broken) -> Unread {
    let (line, message) = match broken {
        Broken::Front(Fault::Invalid { line, message }) => (line, message),
        Broken::Front(Fault::DuplicateKey { line, key }) => {
            (line, format!("`{key}` is duplicated"))
        }
        Broken::TooLarge | Broken::Front(Fault::TooLarge) => (1, "it is too large".to_owned()),
        Broken::Unclosed => {
            let why = "it begins with `---` as if labels followed, but no second `---` closes them";
            (0, why.to_owned())
        }
        Broken::NotUtf8 => (1, "it is not UTF-8".to_owned()),
    };
    Unread { line: line + 1, message }
}

/// A fact with its own tags.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Fact {
    pub text: String,
    pub tags: Vec<String>,
    /// Keys of its frontmatter that were not kept.
    pub left_out: Vec<String>,
}

pub fn fact(typed: &str) -> Fact {
    let text = plain(typed);
    let start = from_first_letter(&text);
    let own = Document::arriving(start).ok().map(with_tags_key);
    let own = own
        .filter(|own| TELLING.iter().any(|key| own.get(key).is_some()) && !own.text().is_empty());
    let Some(own) = own else {
        let tagged = tagged_fact(start);
        return tagged.unwrap_or_else(|| Fact { text: text.into_owned(), ..Fact::default() });
    };
    let keys = own.front().map_or(&[][..], |front| front.entries()).iter();
    // A fact is not pinned unless somebody pins it.
    let is_kept = |key: &str| {
        key == "tags" || key == "pinned" && own.get("pinned").and_then(Value::truth) == Some(false)
    };
    Fact {
        text: own.text().to_owned(),
        tags: own.get("tags").and_then(Value::list).unwrap_or_default(),
        left_out: keys.map(|entry| entry.key.clone()).filter(|key| !is_kept(key)).collect(),
    }
}

/// A fact is short, so a blank line must part it from its tags.
fn tagged_fact(text: &str) -> Option<Fact> {
    let own = label_lines::tagged(text).filter(|own| !own.tags.is_empty())?;
    let below = canonical_trim(own.rest);
    let is_apart = own.rest.lines().next().is_some_and(|line| line.trim().is_empty());
    (is_apart && !below.is_empty()).then(|| Fact {
        text: below.to_owned(),
        tags: own.tags,
        left_out: Vec::new(),
    })
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
        let front = |typed: &str| document(typed).expect("read").front().map(Frontmatter::write);
        assert_eq!(front("---\nTags:\n- a\nx: 1\n---\nText"), Some("x: 1\ntags:\n- a\n".into()));
        for (spelt, wanted) in [
            ("Tags: [a]\ntags: [b]", "tags: [a, b]\n"),
            ("tags: [b] # mine\nTags: [a, b]", "tags: [b, a] # mine\n"),
            ("Tags: a\nx: 1\nTAGS:\n- b", "x: 1\ntags: [a, b]\n"),
            ("tags:\nTags: [a]", "tags: [a]\n"),
            ("Tags: {a: 1}\ntags: [b]", "Tags: {a: 1}\ntags: [b]\n"),
            ("Tags: [b]\ntags: {a: 1}", "Tags: [b]\ntags: {a: 1}\n"),
        ] {
            assert_eq!(front(&format!("---\n{spelt}\n---\nText")), Some(wanted.into()), "{spelt}");
        }
        assert_eq!(front(" \n\t---\na: 1\n---\nText"), Some("a: 1\n".into()));
        for text in [
            "tags: a",
            "---\n\nA rule\n\n---\n",
            "---\nText",
            "--- a: b",
            "a\n---\nb: c\n---",
            "---\n# A heading\n---\nText",
            "---\n! x\ntitle: Tea\n---\nText",
            "---\n...\n---\nText",
            "---\nNote: prose with a colon.\n---\nText",
            "---\nNote: remember the tea\n---\nText",
            "---\nSee here: Ann likes tea\n---\nText",
            "---\n备注: 我喜欢，乌龙茶\n---\nText",
            "---\n{\"title\": \"Tea\"}\n---\nText",
            "---\n\nNote: a rule above\n\nText",
            "---\nThe tea, see here: hot\nText",
            "tags: are how git marks releases, and I never move them\nText",
            "Tags: signed,\nannotated ones only are what I use.",
            "tags: rolling releases\nare what I prefer",
            "Tags: none\n\nText",
        ] {
            assert_eq!(document(text).expect("text").body(), text);
        }
        for labels in ["mood: calm", "author: J. R. R. Tolkien", "Note: 3", "Note: a b c.\nx: 1"] {
            let own = document(&format!("---\n{labels}\n---\nText")).expect("read");
            assert_eq!((own.text(), own.front().is_some()), ("Text", true), "{labels}");
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
        for typed in [
            "tags: a, b\n\nLikes tea",
            "Tags:\n- a\n- b\n\nLikes tea\n",
            "---\nTags: [a, b]\n---\nLikes tea",
            "---\nTags: [a]\ntags: [b]\n---\nLikes tea",
        ] {
            let own = fact(typed);
            assert_eq!((own.text.as_str(), own.tags.join("|").as_str()), ("Likes tea", "a|b"));
        }
        for text in ["---\nNote: x\n---\ny", "---\n\nx\n\n---", "tags: a\nb", "Likes tea"] {
            assert_eq!(fact(text), Fact { text: text.to_owned(), ..Fact::default() });
        }
    }
}
