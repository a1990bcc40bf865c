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
/// What people write where there are no tags.
const NO_TAGS: &[&str] = &["none", "n/a", "null"];
/// How many lines of a block with a telling key may be something other than labels.
const OTHER_LINES: usize = 3;

/// The tags at the top of a text, and the text below them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tagged<'a> {
    pub tags: Vec<String>,
    pub rest: &'a str,
}

/// A first line `tags: a, b` or `Tags: [a, b]`, or `tags:` and a list below it. A line whose value
/// is anything but tags is text: "tags: are how git marks releases"; so is one that may go on in
/// the next line.
pub fn tagged(text: &str) -> Option<Tagged<'_>> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    let (key, value) = first.split_once(':')?;
    if !is_tags_key(key) {
        return None;
    }
    match value.trim() {
        "" => items(rest),
        value => in_line(value, Below::of(rest)).map(|tags| Tagged { tags, rest }),
    }
}

pub(super) fn is_tags_key(key: &str) -> bool {
    key.eq_ignore_ascii_case("tags")
}

/// How a text goes on below its tags.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Below {
    /// After a blank line, with a heading, a list or another label, or not at all.
    Apart,
    /// With the beginning of a sentence.
    Sentence,
    /// With what may be the rest of a sentence that was broken there.
    Rest,
}

impl Below {
    fn of(text: &str) -> Below {
        let line = text.lines().next().unwrap_or_default().trim();
        let marks = ["# ", "## ", "### ", "- ", "* ", "+ ", "> ", "|", "```", "~~~"];
        let is_numbered = line.split_once(". ").is_some_and(|(number, _)| {
            !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
        });
        let is_marked = is_numbered || marks.iter().any(|mark| line.starts_with(mark));
        match line.chars().find(|letter| letter.is_alphanumeric()) {
            None => Below::Apart,
            Some(_) if is_marked || key(line).is_some() => Below::Apart,
            Some(first) if first.is_uppercase() => Below::Sentence,
            Some(_) => Below::Rest,
        }
    }
}

fn in_line(value: &str, below: Below) -> Option<Vec<String>> {
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let words = match (inner, below) {
        (Some(_), _) => WORDS_IN_BRACKETS,
        (None, Below::Apart) => WORDS,
        (None, Below::Sentence) => 1,
        // Only quotes tell tags from words.
        (None, Below::Rest) => 0,
    };
    let is_broken = inner.is_none() && below != Below::Apart && value.ends_with(',');
    if is_broken || NO_TAGS.iter().any(|none| value.eq_ignore_ascii_case(none)) {
        return None;
    }
    let parts = inner.unwrap_or(value).split(',').map(str::trim).filter(|part| !part.is_empty());
    let tags: Option<Vec<Vec<String>>> = parts.map(|part| tags_in(part, words)).collect();
    let tags = tags?.concat();
    (inner.is_some() || !tags.is_empty()).then_some(tags)
}

/// The list below `tags:`; a blank line instead means that there are none.
fn items(below: &str) -> Option<Tagged<'_>> {
    let (mut tags, mut rest) = (Vec::new(), below);
    loop {
        let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
        let line = line.trim();
        let Some(item) = line.strip_prefix("- ").or_else(|| line.strip_prefix("* ")) else { break };
        tags.extend(tags_in(item.trim(), WORDS)?);
        rest = behind;
    }
    let is_blank = rest.lines().next().is_none_or(|line| line.trim().is_empty());
    let is_list = !tags.is_empty() && Below::of(rest) != Below::Rest;
    (is_blank || is_list).then_some(Tagged { tags, rest })
}

/// A tag of at most so many words, apart from its quotes; or words that are all marked as tags.
fn tags_in(written: &str, words: usize) -> Option<Vec<String>> {
    let quoted = ['"', '\'']
        .into_iter()
        .find_map(|quote| written.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote)));
    let words = quoted.map_or(words, |_| WORDS_IN_BRACKETS);
    let inner = quoted.unwrap_or(written).trim();
    let is_marked = inner.split_whitespace().any(|word| behind_hash(word).is_some());
    let marked: Option<Vec<&str>> = inner.split_whitespace().map(behind_hash).collect();
    match marked.filter(|marked| !marked.is_empty()) {
        Some(marked) => marked.into_iter().map(|word| tag(word, 1)).collect(),
        // `#beer is what I like`
        None if is_marked && quoted.is_none() => None,
        // `3 left`
        None if words < WORDS_IN_BRACKETS && counts(inner) => None,
        None => tag(inner, words).map(|tag| vec![tag]),
    }
}

/// A word marked as a tag, without its mark; `#934` is the number of something.
fn behind_hash(word: &str) -> Option<&str> {
    let inner = word.strip_prefix(['#', '＃'])?;
    let is_word = inner.chars().any(char::is_alphabetic) && !inner.contains(['#', '＃']);
    is_word.then_some(inner)
}

/// Whether it begins with a number of what follows.
fn counts(text: &str) -> bool {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let is_number = first.starts_with(char::is_numeric) && !first.contains(char::is_alphabetic);
    is_number && rest.contains(char::is_alphabetic)
}

fn tag(tag: &str, words: usize) -> Option<String> {
    let is_sentence = |letter: char| "!?;\"[]{}…。、，；：！？".contains(letter);
    let is_tag = (1..=words).contains(&tag.split_whitespace().count())
        && tag.chars().count() <= LONGEST_TAG
        && !tag.chars().all(|letter| letter.is_ascii_punctuation())
        && !tag.ends_with(['.', ':', ','])
        && !tag.contains(": ")
        && !tag.contains(is_sentence)
        && Foreign(tag).is_seen_whole();
    is_tag.then(|| tag.to_owned())
}

/// Whether a text begins with a `---` block that is meant as labels, be it YAML or not. Two rules
/// with prose between them are ordinary Markdown: there, a blank line stands before the second one,
/// or few of the lines are labels.
pub(super) fn begins_with_block(text: &str) -> bool {
    block(text).is_some_and(|block| block.is_labels()) || braced(text).is_some()
}

/// The same where a text may well begin with rules: only a telling key says that it is one.
pub(super) fn begins_with_telling_block(text: &str) -> bool {
    let keys = |inner: &str| {
        let parts = inner.split(['{', ',', '\n']).filter_map(|part| part.split_once(':'));
        parts.map(|(key, _)| key.trim().trim_matches(['"', '\'']).to_owned()).collect::<Vec<_>>()
    };
    block(text).is_some_and(|block| block.telling > 0 && block.is_labels())
        || braced(text).is_some_and(|inner| keys(inner).iter().any(|key| is_telling(key)))
}

pub(super) fn is_telling(key: &str) -> bool {
    TELLING.contains(&key) || is_tags_key(key)
}

/// A block whose labels are in braces, as in JSON.
fn braced(text: &str) -> Option<&str> {
    let (open, below) = text.split_once('\n')?;
    let is_mark = |line: &&str| line.trim_end() == "---";
    let end: usize =
        below.split_inclusive('\n').take_while(|line| !is_mark(line)).map(str::len).sum();
    let inner = below[..end].trim();
    let is_braced = inner.starts_with('{') && inner.ends_with('}') && inner.contains(':');
    (is_mark(&open) && end < below.len() && is_braced).then_some(inner)
}

fn block(text: &str) -> Option<Block> {
    let mut lines = text.lines().map(str::trim_end);
    if lines.next() != Some("---") {
        return None;
    }
    let mut block = Block::default();
    for line in lines {
        match line {
            "---" => return Some(block),
            _ if line.starts_with("```") || line.starts_with("~~~") => return None,
            _ => block.add(line),
        }
    }
    None
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
            self.telling += usize::from(is_telling(key));
        } else if !is_indented {
            self.other += 1;
        }
    }

    fn is_labels(&self) -> bool {
        let is_close = !self.ends_blank;
        match self.other {
            // A single `Note: x` is prose as well.
            0 => self.telling > 0 || (self.labels > 1 && is_close),
            other => {
                let is_telling = self.telling > 0 && other <= OTHER_LINES;
                is_close && (self.labels > other || is_telling)
            }
        }
    }
}

/// The key of a line `key: value`, a single word.
pub(super) fn key(line: &str) -> Option<&str> {
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
    fn a_line_of_tags_is_a_label() {
        fn read(text: &str) -> Option<(String, &str)> {
            tagged(text).map(|own| (own.tags.join("|"), own.rest))
        }
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
            ("tags: #beer #wine\nText", "beer|wine"),
            ("Tags: #beer, #wine\nText", "beer|wine"),
            ("tags: [#beer #wine, ale]\nText", "beer|wine|ale"),
            ("tags: \"#beer #food/wine\"\nText", "beer|food/wine"),
            ("tags:\n- #beer\n- #wine\nText", "beer|wine"),
            ("tags: ＃茶 #3d\nText", "茶|3d"),
            ("tags: [3 little birds]\nText", "3 little birds"),
            ("tags: []\nText", ""),
        ] {
            assert_eq!(read(text), Some((tags.to_owned(), "Text")), "{text:?}");
        }
        assert_eq!(read("tags:\n\nText"), Some((String::new(), "\nText")));
        for below in
            ["\ntext", "# text", "- text", "1. text", "> text", "| text |", "*Text*", "a: b"]
        {
            let text = format!("tags: a, b\n{below}");
            assert_eq!(read(&text), Some(("a|b".to_owned(), below)), "{text:?}");
        }
        for value in ["[a, b]", "'a', \"b\"", "\n- a\n- 'b'\n"] {
            assert!(read(&format!("tags: {value}\n\ntext")).is_some(), "{value:?}");
        }
        assert!(read("tags: two words, b\n\ntext").is_some());
        assert!(read("tags: 3d printing, 2026\n\ntext").is_some());
        assert!(read("tags: #beer #wine\nand cheese").is_some());
    }

    #[test]
    fn what_may_be_a_sentence_is_no_line_of_tags() {
        for text in [
            "tags: are how git marks releases, and I never move them\nText",
            "Tags: signed ones only.\nText",
            "tags: sure!\nText",
            "tags: we sign them\nText",
            "tags:\n- are never moved by anyone\n- are signed\n\nText",
            "tags:\nthe way git marks releases\n",
            "tags: a, see: b\nText",
            "tags: 我喜欢，乌龙茶\nText",
            "Tags: signed,\nannotated ones only are what I use.",
            "Tags: signed,\nAnnotated and nothing else.",
            "tags: signed, annotated\nand never moved",
            "tags: signed\n`git tag -s` makes them",
            "tags: rolling releases\nare what I prefer",
            "tags: rolling releases\nI prefer them",
            "tags: v1\n2 of them are signed",
            "tags: 标签\n我喜欢乌龙茶",
            "tags:\n- signed\n- annotated\nare what I use",
            "tags:\n- signed,\n- annotated\n\nText",
            "Tags: none\n\nText",
            "Tags: 3 left\n\nText",
            "tags: wine, 2 bottles\n\nText",
            "tags: 3.5 stars\n\nText",
            "tags:\n- 12 bottles\n- wine\n\nText",
            "Tags: #beer rocks\n\nText",
            "Tags: #beer #wine.\n\nText",
            "tags: N/A\nText",
            "tags: -\n\nText",
            "tagged: a\nText",
            "my tags: a\nText",
            "tags\nText",
        ] {
            assert_eq!(tagged(text), None, "{text:?}");
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
            "# only\nmood: calm\nsize: 2",
            "Note: remember\nOther: thing",
            "\ntitle: Tea\n",
            "{\n  \"title\": \"Tea\",\n  \"tags\": [\"a\"]\n}",
            "{\"mood\": \"calm\"}",
            "{\n  \"mood\": \"calm\",\n  \"size\": 2\n}",
            "{mood: calm}",
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
            "Note: remember the tea",
            "\nNote: x",
            "# A heading\nNote: x",
            "- a\nNote: x",
            "- a\n- b",
            "> a quote",
            "# A heading",
            "! x",
            "{a placeholder}",
            "[a link](x.md)",
            "https://example.org",
            "```yaml\ntitle: Tea\n```",
            "Some prose,\nmore of it,\nand a\nNote: on tea",
            "One line.\nTwo lines.\nThree lines.\nFour lines.\ntitle: Tea",
        ] {
            assert!(!begins_with_block(&format!("---\n{prose}\n---\nText")), "{prose}");
        }
        for (block, is_telling) in [
            ("a: x\nb: y", false),
            ("a: x\ntags: y", true),
            ("Tags: y", true),
            ("x\ny", false),
            ("{\"a\":1,\"title\":\"x\"}", true),
            ("{\"a\": \"title\"}", false),
        ] {
            let text = format!("---\n{block}\n---\nText");
            assert_eq!(begins_with_telling_block(&text), is_telling, "{block}");
        }
        for text in ["---\ntitle: Tea\n", "Text\n---\ntitle: Tea\n---\n", "----\na: b\n---\n", ""] {
            assert!(!begins_with_block(text), "{text:?}");
        }
    }
}
