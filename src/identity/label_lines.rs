//! Lines in a text that are meant as labels, outside of frontmatter that can be read.
//!
//! Invariant: a sentence is never a label; what may be either stays text. Must not know: where a
//! text comes from, and what becomes of it.

use crate::foreign::Foreign;

/// Keys by which frontmatter is known as such where a text may well begin with dashes.
pub(super) const TELLING: &[&str] =
    &["tags", "title", "name", "description", "type", "metadata", "created", "id", "aliases"];

/// In letters; a longer one is a sentence.
const LONGEST_TAG: usize = 40;
/// Of a tag between commas, or in a list: a third word may already say something.
const WORDS: usize = 2;
/// Of a tag in brackets or quotes, which no sentence has.
const WORDS_IN_BRACKETS: usize = 4;
/// So many lines that are no labels may stand in a block with a telling key.
const OTHER_LINES: usize = 3;

/// The tags at the top of a text, and the text below them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tagged<'a> {
    pub tags: Vec<String>,
    pub rest: &'a str,
}

/// A first line `tags: a, b` or `Tags: [a, b]`, or `tags:` and a list below it. A line whose value
/// is anything but tags is text: "tags: are how git marks releases".
pub fn tagged(text: &str) -> Option<Tagged<'_>> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (key, value) = first.split_once(':')?;
    if !is_tags_key(key) {
        return None;
    }
    match value.trim() {
        "" => items(rest),
        value => in_line(value).map(|tags| Tagged { tags, rest }),
    }
}

pub(super) fn is_tags_key(key: &str) -> bool {
    key.eq_ignore_ascii_case("tags")
}

fn in_line(value: &str) -> Option<Vec<String>> {
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let words = if inner.is_some() { WORDS_IN_BRACKETS } else { WORDS };
    let parts = inner.unwrap_or(value).split(',').map(str::trim).filter(|part| !part.is_empty());
    let tags: Option<Vec<String>> = parts.map(|part| tag(part, words)).collect();
    tags.filter(|tags| inner.is_some() || !tags.is_empty())
}

/// The list below `tags:`; a blank line instead means that there are none.
fn items(below: &str) -> Option<Tagged<'_>> {
    let (mut tags, mut rest) = (Vec::new(), below);
    loop {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim();
        let Some(item) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) else { break };
        tags.push(tag(item.trim(), WORDS)?);
        rest = behind;
    }
    let is_blank = rest.lines().next().is_none_or(|line| line.trim().is_empty());
    (is_blank || !tags.is_empty()).then_some(Tagged { tags, rest })
}

/// A tag of at most so many words, apart from its quotes.
fn tag(written: &str, words: usize) -> Option<String> {
    let quoted = ['"', '\'']
        .into_iter()
        .find_map(|quote| written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)));
    let words = quoted.map_or(words, |_| WORDS_IN_BRACKETS);
    let tag = quoted.unwrap_or(written).trim();
    let is_sentence = |letter: char| "!?;\"[]{}…。、，；：！？".contains(letter);
    let is_tag = (1..=words).contains(&tag.split_whitespace().count())
        && tag.chars().count() <= LONGEST_TAG
        && !tag.chars().all(|letter| letter.is_ascii_punctuation())
        && !tag.ends_with(['.', ':'])
        && !tag.contains(": ")
        && !tag.contains(is_sentence)
        && Foreign(tag).is_seen_whole();
    is_tag.then(|| tag.to_owned())
}

/// Whether a text begins with a `---` block that is meant as labels, be it YAML or not. Two rules
/// with prose between them are ordinary Markdown: there, a blank line stands before the second one,
/// or few of the lines are labels.
pub fn begins_with_block(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_end);
    if lines.next() != Some("---") {
        return false;
    }
    let mut block = Block::default();
    for line in lines {
        match line {
            "---" => return block.is_labels(),
            _ if line.starts_with("```") || line.starts_with("~~~") => return false,
            _ => block.add(line),
        }
    }
    false
}

/// What was seen between two `---` lines.
#[derive(Default)]
struct Block {
    labels: usize,
    /// Those of the labels with a telling key.
    telling: usize,
    items: usize,
    other: usize,
    ends_blank: bool,
}

impl Block {
    fn add(&mut self, line: &str) {
        self.ends_blank = line.is_empty();
        let is_indented = line.starts_with([' ', '\t']);
        // An indented line belongs to the label or the item above it.
        let is_below = is_indented && self.labels + self.items > 0;
        if line.is_empty() || line.starts_with('#') || is_below {
            return;
        }
        if line.starts_with('-') {
            self.items += 1;
        } else if let Some(key) = key(line) {
            self.labels += 1;
            self.telling += usize::from(TELLING.contains(&key) || is_tags_key(key));
        } else if !is_indented {
            self.other += 1;
        }
    }

    fn is_labels(&self) -> bool {
        let is_close = !self.ends_blank;
        match self.other {
            0 => self.telling > 0 || (self.labels > 0 && is_close),
            other => {
                let is_telling = self.telling > 0 && other <= OTHER_LINES;
                is_close && (self.labels > other || is_telling)
            }
        }
    }
}

/// The key of a line `key: value`, a single word.
fn key(line: &str) -> Option<&str> {
    let (key, value) = line.trim_start().split_once(':')?;
    let key = key.trim_matches(['"', '\'']);
    let is_word = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let is_key = !key.is_empty() && key.chars().all(is_word);
    (is_key && (value.is_empty() || value.starts_with([' ', '\t']))).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_tags_is_a_label_and_a_sentence_is_not() {
        let read = |text| tagged(text).map(|own| (own.tags.join("|"), own.rest));
        for (text, tags) in [
            ("tags: a, b\nText", "a|b"),
            ("Tags: a, b\nText", "a|b"),
            ("TAGS: [a, two words]\nText", "a|two words"),
            ("tags: \"two words\", 'c++'\nText", "two words|c++"),
            ("tags:a\nText", "a"),
            ("tags:\n- a\n- b\nText", "a|b"),
            ("Tags:\n  - a\n  - \"b c\"\nText", "a|b c"),
            ("tags: [state of the art, node.js]\nText", "state of the art|node.js"),
            ("tags: 茶, 🍵, #934\nText", "茶|🍵|#934"),
            ("tags: []\nText", ""),
        ] {
            assert_eq!(read(text), Some((tags.to_owned(), "Text")), "{text:?}");
        }
        assert_eq!(read("tags:\n\nText"), Some((String::new(), "\nText")));
        for text in [
            "tags: are how git marks releases, and I never move them\nText",
            "Tags: signed ones only.\nText",
            "tags: sure!\nText",
            "tags: we sign them\nText",
            "tags:\n- are never moved by anyone\n- are signed\n\nText",
            "tags:\nthe way git marks releases\n",
            "tags: a, see: b\nText",
            "tags: 我喜欢，乌龙茶\nText",
            "tagged: a\nText",
            "my tags: a\nText",
            "tags\nText",
        ] {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_block_of_labels_is_told_from_prose_between_rules() {
        for block in [
            "! x\ntitle: Tea",
            "> folded\ntitle: Tea\ntags: [a]",
            "[a, b\ntitle: Tea",
            "A plain line\ntags: [a]",
            "- a\n- b\ntitle: Tea",
            "|\n  x\ntitle: Tea",
            "# only\nmood: calm",
            "\ntitle: Tea\n",
            "{\n  \"title\": \"Tea\",\n  \"tags\": [\"a\"]\n}",
            "mood: calm\nsize: 2\nan odd line",
            "Tags:\n  - a",
        ] {
            assert!(begins_with_block(&format!("---\n{block}\n---\nText")), "{block}");
        }
        for prose in [
            "",
            "A plain line",
            "\nSome prose.\n",
            "\nSome prose.\n\ntitle: a word in it\n",
            "\nNote: remember the tea\n",
            "- a\n- b",
            "> a quote",
            "# A heading",
            "! x",
            "[a link](x.md)",
            "https://example.org",
            "```yaml\ntitle: Tea\n```",
            "Some prose,\nmore of it,\nand a\nNote: on tea",
            "One line.\nTwo lines.\nThree lines.\nFour lines.\ntitle: Tea",
        ] {
            assert!(!begins_with_block(&format!("---\n{prose}\n---\nText")), "{prose}");
        }
        for text in ["---\ntitle: Tea\n", "Text\n---\ntitle: Tea\n---\n", "----\na: b\n---\n", ""] {
            assert!(!begins_with_block(text), "{text:?}");
        }
    }
}
