//! The YAML block at the top of a document, as lines that can be edited one key at a time.
//!
//! Invariant: joining the parts gives the text that was read; setting a key changes that key's
//! value and nothing else: order, comments, quotes and unknown keys stay byte for byte. Must not
//! know: what any key means.

use super::{
    block::{Fault, key_line},
    unquoted,
    value::{self, Value},
    yaml,
};
use std::ops::Range;

/// Larger frontmatter is not parsed.
pub const MAX_BYTES: usize = 64 * 1024;
/// What a fact has at most, as a rule.
const USUAL_KEYS: usize = 8;

/// A top-level key and everything below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Unquoted, even if the file quotes it.
    pub key: String,
    /// The lines as in the file, with their line endings.
    pub raw: String,
    /// Line of the key in the block, from 1; 0 for a key that [`Frontmatter::set`] added.
    pub line: usize,
    /// Where the key is in `raw`, with its quotes.
    name: Range<usize>,
    value: Value,
    /// Read, but never rewritten: an anchor, a tag, an alias, or `? key`.
    is_fixed: bool,
}

/// The block between the `---` lines.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Frontmatter {
    preamble: String,
    entries: Vec<Entry>,
    /// From a line `...` on.
    tail: String,
}

impl Frontmatter {
    /// Reads a block without its `---` lines.
    pub fn read(text: &str) -> Result<Frontmatter, Fault> {
        if text.len() > MAX_BYTES {
            return Err(Fault::TooLarge);
        }
        let front = match Frontmatter::by_lines(text) {
            Some(front) => front,
            None => Frontmatter::by_yaml(text).map_err(|fault| unquoted::explained(text, fault))?,
        };
        front.refuse_duplicates()?;
        Ok(front)
    }

    /// The usual form; `None` for everything that only a parser can judge.
    fn by_lines(text: &str) -> Option<Frontmatter> {
        let entries = Vec::with_capacity(USUAL_KEYS);
        let mut front = Frontmatter { entries, ..Frontmatter::default() };
        for (number, line) in lines(text).enumerate() {
            if let Some((name, key, rest)) = key_line(line) {
                let (key, raw, line) = (key.to_owned(), line.to_owned(), number + 1);
                let value = value::usual(rest)?;
                front.entries.push(Entry { key, raw, line, name, value, is_fixed: false });
                continue;
            }
            if !(line.trim().is_empty() || line.starts_with('#')) {
                return None;
            }
            let last = front.entries.last_mut();
            last.map_or(&mut front.preamble, |last| &mut last.raw).push_str(line);
        }
        Some(front)
    }

    /// Cut at the lines where a parser finds the keys.
    fn by_yaml(text: &str) -> Result<Frontmatter, Fault> {
        let pairs = yaml::read(text)?;
        let line_of = |at: usize| text[..at].rfind('\n').map_or(0, |end| end + 1);
        let starts: Vec<usize> = pairs.iter().map(|pair| line_of(pair.name.start)).collect();
        let Some(first) = starts.first() else {
            return Ok(Frontmatter { preamble: text.to_owned(), ..Frontmatter::default() });
        };
        // No value can contain such a line.
        let end = text.len() - end_mark(text);
        let mut front = Frontmatter {
            preamble: text[..*first].to_owned(),
            tail: text[end..].to_owned(),
            ..Frontmatter::default()
        };
        for (at, pair) in pairs.into_iter().enumerate() {
            let start = starts[at];
            let raw = text[start..starts.get(at + 1).copied().unwrap_or(end).max(start)].to_owned();
            let line = text[..start].matches('\n').count() + 1;
            let is_own = at == 0 || starts[at - 1] < start;
            if !is_own || raw.starts_with([' ', '\t']) {
                let message = format!("`{}` does not begin its line", pair.key);
                return Err(Fault::Invalid { line, message });
            }
            let is_explicit = raw.starts_with('?') && raw[1..].starts_with([' ', '\t', '\r', '\n']);
            front.entries.push(Entry {
                name: pair.name.start - start..pair.name.end - start,
                is_fixed: pair.is_fixed || is_explicit,
                key: pair.key,
                value: pair.value,
                raw,
                line,
            });
        }
        Ok(front)
    }

    fn refuse_duplicates(&self) -> Result<(), Fault> {
        for (at, entry) in self.entries.iter().enumerate() {
            if self.entries[..at].iter().any(|earlier| earlier.key == entry.key) {
                return Err(Fault::DuplicateKey { line: entry.line, key: entry.key.clone() });
            }
        }
        Ok(())
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        self.entry(key).map(|entry| &entry.value)
    }

    pub fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key == key)
    }

    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// In place if the key exists, else at the end; a value that co cannot read is left alone.
    pub fn set(&mut self, key: &str, value: Value) {
        let eol = self.line_end();
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.key == key) {
            if !entry.is_changeable() {
                return;
            }
            let (comment, tail) = entry.keepsakes();
            // The key stays as it was typed, with its quotes and the blanks before the colon.
            let key = &entry.raw[..entry.colon() + 1];
            entry.raw = format!("{key} {}{comment}{eol}{tail}", value.written());
            entry.value = value;
            return;
        }
        let written = written_key(key);
        let raw = format!("{written}: {}{eol}", value.written());
        let (key, name) = (key.to_owned(), 0..written.len());
        self.push_raw(Entry { key, raw, line: 0, name, value, is_fixed: false });
    }

    /// Appends an entry from another file, lines included.
    pub fn push_raw(&mut self, entry: Entry) {
        let eol = self.line_end();
        let last = self.entries.last_mut().map_or(&mut self.preamble, |last| &mut last.raw);
        if !last.is_empty() && !last.ends_with('\n') {
            last.push_str(eol);
        }
        self.entries.push(entry);
    }

    pub fn replace_raw(&mut self, entry: Entry) {
        match self.entries.iter_mut().find(|known| known.key == entry.key) {
            Some(known) => *known = entry,
            None => self.push_raw(entry),
        }
    }

    pub fn remove(&mut self, key: &str) {
        self.entries.retain(|entry| entry.key != key || entry.is_fixed);
    }

    fn line_end(&self) -> &'static str {
        let crlf = self.entries.iter().any(|entry| entry.raw.ends_with("\r\n"));
        if crlf { "\r\n" } else { "\n" }
    }

    pub(super) fn len(&self) -> usize {
        let entries = self.entries.iter().map(|entry| entry.raw.len()).sum::<usize>();
        self.preamble.len() + entries + self.tail.len()
    }

    pub fn write(&self) -> String {
        let mut text = self.preamble.clone();
        for entry in &self.entries {
            text.push_str(&entry.raw);
        }
        text.push_str(&self.tail);
        text
    }
}

impl Entry {
    /// The same value under another key.
    pub fn called(&self, key: &str) -> Entry {
        let written = written_key(key);
        let mut entry = Entry { key: key.to_owned(), ..self.clone() };
        entry.raw.replace_range(self.name.clone(), &written);
        entry.name = self.name.start..self.name.start + written.len();
        entry
    }

    /// Whether co can write another value without touching anything else.
    pub fn is_changeable(&self) -> bool {
        !self.is_fixed && self.value != Value::Other
    }

    fn colon(&self) -> usize {
        self.name.end + self.raw[self.name.end..].find(':').unwrap_or(0)
    }

    /// What follows the key and its colon.
    fn rest(&self) -> &str {
        self.raw.get(self.colon() + 1..).unwrap_or_default()
    }

    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The first line of the value as typed, for messages.
    pub fn shown(&self) -> &str {
        self.rest().trim_start().lines().next().unwrap_or_default().trim_end()
    }

    /// Kept when the value is replaced: the comment on the key's line, and those below the value.
    fn keepsakes(&self) -> (String, String) {
        let mut lines: Vec<&str> = self.rest().split_inclusive('\n').collect();
        let first = if lines.is_empty() { "" } else { lines.remove(0) };
        let of_value = lines
            .iter()
            .rposition(|line| !(line.trim().is_empty() || line.starts_with('#')))
            .map_or(0, |at| at + 1);
        // Between the items of a list; in other values, `#` can be text.
        let is_comment = |line: &&&str| {
            line.trim_start().starts_with('#') && matches!(self.value, Value::List(_))
        };
        let between = lines[..of_value].iter().filter(is_comment);
        let tail: String = between.chain(&lines[of_value..]).copied().collect();
        let first = first.trim_end_matches(['\n', '\r']);
        let comment = match first.trim_start() {
            alone if alone.starts_with('#') => format!("  {}", alone.trim_end()),
            value if of_value == 0 => value::trailing_comment(value.trim_end()).to_owned(),
            _ => String::new(),
        };
        (comment, tail)
    }
}

/// What `split_inclusive('\n')` gives, fast: every line above a text comes from here.
pub(super) fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let end = memchr::memchr(b'\n', rest.as_bytes()).map_or(rest.len(), |at| at + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// The bytes from a line `...` on.
fn end_mark(text: &str) -> usize {
    let mut left = text.len();
    for line in text.split_inclusive('\n') {
        if line.trim_end() == "..." {
            return left;
        }
        left -= line.len();
    }
    0
}

/// A key as written before `: `.
fn written_key(key: &str) -> String {
    let line = format!("{key}: x");
    let is_plain = key_line(&line).is_some_and(|(_, read, _)| read == key);
    if is_plain { key.to_owned() } else { serde_json::Value::from(key).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# mine\nid: 12 # the id\ncreated: 2026-02-09T14:30:00Z\n# about \
        tags\ntags:\n  - a\n  - b\nmood: {x: [1, 2]}\r\n";

    #[test]
    fn one_key_changes_and_nothing_else() {
        let mut front = Frontmatter::read(TEXT).expect("valid");
        assert_eq!(front.write(), TEXT);
        assert_eq!(front.get("tags").and_then(Value::list), Some(vec!["a".into(), "b".into()]));
        front.set("id", Value::Int(45));
        front.set("tags", Value::List(vec!["c".into()]));
        front.set("updated", Value::Text("2026-03-01T00:00:00Z".into()));
        let expected = TEXT.replace("12", "45").replace("tags:\n  - a\n  - b\n", "tags: [c]\r\n")
            + "updated: 2026-03-01T00:00:00Z\r\n";
        assert_eq!(front.write().replace("\r\n", "\n"), expected.replace("\r\n", "\n"));
    }

    #[test]
    fn lines_keep_their_ends() {
        for text in ["", "\n", "a", "a\n", "a\nb", "\n\na\r\n\n", "é\nß"] {
            let expected: Vec<&str> = text.split_inclusive('\n').collect();
            assert_eq!(lines(text).collect::<Vec<&str>>(), expected, "{text:?}");
        }
    }

    #[test]
    fn faults_name_their_line() {
        let line = |text: &str| match Frontmatter::read(text) {
            Err(Fault::Invalid { line, .. } | Fault::DuplicateKey { line, .. }) => Some(line),
            _ => None,
        };
        assert_eq!(line("id: 1\nid: 2\n"), Some(2));
        assert_eq!(line("- a\n"), Some(1));
        assert!(line("id: 1\ntags: [a, b\n").is_some());
        assert!(line("{a: 1}\n").is_some());
        // A key that a blank or a tab indents: another key below it would not belong to it.
        assert!(line(" a: [1]\n").is_some() && line("\ta: q\"\n").is_some());
        assert_eq!(Frontmatter::read(&"a".repeat(70_000)), Err(Fault::TooLarge));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(3_000))]

        /// Of lines such as people and programs write: whatever is read is written back, and a
        /// new value changes nothing else.
        #[test]
        fn what_is_read_is_written_back_and_edited_alone(
            lines in proptest::collection::vec("(a|b b|😀|\"a: b\"|'c'|\\? k|: v|- i|  - i|  x: 1|#|  # c|&x d|\\*x|\\[e\\]|...|tags|)( ?: ?| :\t|: )?(1|yes|\\[x, y|\\]|\"q|q\"|\\||>|\\{m: 1\\}|!t v|&x|\\*x|\"é\" # c|)(\n|\r\n)", 0..7)
        ) {
            let text = lines.concat();
            let Ok(front) = Frontmatter::read(&text) else { return Ok(()) };
            proptest::prop_assert_eq!(&front.write(), &text);
            let mut edited = front.clone();
            edited.set("tags", Value::List(vec!["z".to_owned()]));
            let again = Frontmatter::read(&edited.write());
            proptest::prop_assert!(again.is_ok(), "{:?} after {:?}: {:?}", edited.write(), text, again);
            let again = again.expect("because it was just checked");
            let is_fixed = front.entry("tags").is_some_and(|entry| !entry.is_changeable());
            if !is_fixed {
                proptest::prop_assert_eq!(again.get("tags").and_then(Value::list), Some(vec!["z".to_owned()]));
            }
            for entry in front.entries().iter().filter(|entry| entry.key != "tags") {
                proptest::prop_assert_eq!(again.get(&entry.key), Some(entry.value()), "{}", entry.key);
            }
        }
    }
}
