//! The YAML block at the top of a document, as lines that can be edited one key at a time.
//!
//! Invariant: joining the parts gives the text that was read; setting a key changes that key's
//! value and nothing else: order, comments, quotes and unknown keys stay byte for byte. Must not
//! know: what any key means.

use super::{
    value::{self, Value},
    yaml,
};

/// Larger frontmatter is not parsed.
pub const MAX_BYTES: usize = 64 * 1024;

/// Lines are counted from 1 within the block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Not valid YAML, or not a mapping in block form.
    Invalid { line: usize, message: String },
    /// A key occurs twice; `line` is the second occurrence.
    DuplicateKey { line: usize, key: String },
    /// Larger than [`MAX_BYTES`].
    TooLarge,
}

/// A top-level key and everything below it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Unquoted, even if the file quotes it.
    pub key: String,
    /// The lines as in the file, with their line endings.
    pub raw: String,
    /// Line of the key in the block, from 1; 0 for a key that [`Frontmatter::set`] added.
    pub line: usize,
    value: Value,
}

/// The block between the `---` lines.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Frontmatter {
    preamble: String,
    entries: Vec<Entry>,
}

impl Frontmatter {
    /// Reads a block without its `---` lines.
    pub fn read(text: &str) -> Result<Frontmatter, Fault> {
        if text.len() > MAX_BYTES {
            return Err(Fault::TooLarge);
        }
        let mut front = Frontmatter::default();
        let mut all_usual = true;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            if let Some((key, rest)) = key_line(line) {
                let read = value::usual(rest);
                all_usual &= read.is_some();
                let value = read.unwrap_or(Value::Null);
                front.entries.push(Entry {
                    key: key.to_owned(),
                    raw: line.to_owned(),
                    line: number + 1,
                    value,
                });
                continue;
            }
            let idle = line.trim().is_empty() || line.starts_with('#');
            all_usual &= idle;
            match front.entries.last_mut() {
                Some(entry) => entry.raw.push_str(line),
                None if idle => front.preamble.push_str(line),
                None => {
                    return Err(Fault::Invalid {
                        line: number + 1,
                        message: "expected `key: value`".into(),
                    });
                }
            }
        }
        front.refuse_duplicates()?;
        if !all_usual {
            front.values_from_yaml(text)?;
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

    fn values_from_yaml(&mut self, text: &str) -> Result<(), Fault> {
        let mut pairs = yaml::read(text)?.into_iter();
        for entry in &mut self.entries {
            let pair = pairs.next().filter(|(key, _)| *key == entry.key);
            let (_, value) = pair.ok_or_else(|| Fault::Invalid {
                line: entry.line,
                message: format!("`{}` is not read as a key of its own", entry.key),
            })?;
            entry.value = value;
        }
        match pairs.next() {
            Some((key, _)) => Err(Fault::Invalid {
                line: 1,
                message: format!("`{key}` is not written as `key: value` on a line of its own"),
            }),
            None => Ok(()),
        }
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
            if entry.value == Value::Other {
                return;
            }
            let (comment, tail) = entry.keepsakes();
            entry.raw = format!("{key}: {}{comment}{eol}{tail}", value.written());
            entry.value = value;
            return;
        }
        let raw = format!("{key}: {}{eol}", value.written());
        self.push_raw(Entry { key: key.to_owned(), raw, line: 0, value });
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
        self.entries.retain(|entry| entry.key != key);
    }

    fn line_end(&self) -> &'static str {
        let crlf = self.entries.iter().any(|entry| entry.raw.ends_with("\r\n"));
        if crlf { "\r\n" } else { "\n" }
    }

    pub(super) fn len(&self) -> usize {
        self.preamble.len() + self.entries.iter().map(|entry| entry.raw.len()).sum::<usize>()
    }

    pub fn write(&self) -> String {
        let mut text = self.preamble.clone();
        for entry in &self.entries {
            text.push_str(&entry.raw);
        }
        text
    }
}

impl Entry {
    /// The same value under another key.
    pub fn called(&self, key: &str) -> Entry {
        let raw = self.raw.replacen(&self.key, key, 1);
        Entry { key: key.to_owned(), raw, ..self.clone() }
    }

    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The first line of the value as typed, for messages.
    pub fn shown(&self) -> &str {
        let first = self.raw.lines().next().unwrap_or_default();
        key_line(first).map_or("", |(_, rest)| rest.trim())
    }

    /// Kept when the value is replaced: the comment on the key's line, and those below the value.
    fn keepsakes(&self) -> (String, String) {
        let mut lines: Vec<&str> = self.raw.split_inclusive('\n').collect();
        let first = lines.remove(0);
        let of_value = lines
            .iter()
            .rposition(|line| !(line.trim().is_empty() || line.starts_with('#')))
            .map_or(0, |at| at + 1);
        let tail = lines[of_value..].concat();
        let rest = key_line(first).map_or("", |(_, rest)| rest);
        let comment = if of_value == 0 { value::trailing_comment(rest.trim()) } else { "" };
        (comment.to_owned(), tail)
    }
}

/// `key: rest` at column 0; the key may be quoted.
fn key_line(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end_matches(['\n', '\r']);
    let (key, rest) = match line.chars().next()? {
        quote @ ('"' | '\'') => {
            let end = line[1..].find(quote)? + 1;
            (&line[1..end], line[end + 1..].strip_prefix(':')?)
        }
        first if first.is_alphanumeric() || first == '_' => {
            let at = line.find(": ").or_else(|| line.strip_suffix(':').map(str::len))?;
            (&line[..at], &line[at + 1..])
        }
        _ => return None,
    };
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || "_-. ".contains(c));
    (plain && (rest.is_empty() || rest.starts_with(' '))).then_some((key, rest))
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
    fn faults_name_their_line() {
        let line = |text: &str| match Frontmatter::read(text) {
            Err(Fault::Invalid { line, .. } | Fault::DuplicateKey { line, .. }) => Some(line),
            _ => None,
        };
        assert_eq!(line("id: 1\nid: 2\n"), Some(2));
        assert_eq!(line("- a\n"), Some(1));
        assert!(line("id: 1\ntags: [a, b\n").is_some());
        assert!(line("{a: 1}\n").is_some());
        assert_eq!(Frontmatter::read(&"a".repeat(70_000)), Err(Fault::TooLarge));
    }
}
