//! Parses the YAML of a frontmatter block when the line reader does not know its form, and checks
//! that of other files.
//!
//! Invariant: a scalar keeps its text as typed: `007` and `yes` are text here, whatever a schema
//! makes of them. Aliases are carried and never followed, because a few of them can expand to
//! millions of nodes. Must not know: what any key means.

use super::{block::Fault, value::Value};
use granit_parser::{Event, Parser, ScalarStyle, StructureStyle};
use std::{collections::HashSet, ops::Range};

pub struct Pair {
    /// Its text; of a list, a mapping or an alias, its source.
    pub key: String,
    pub value: Value,
    /// Where the key is in the text, with its quotes.
    pub name: Range<usize>,
    /// Whether it has an anchor or a tag, or is an alias: other parts may depend on it.
    pub(super) is_fixed: bool,
}

/// Reads a block mapping, with its keys in order.
pub fn read(text: &str) -> Result<Vec<Pair>, Fault> {
    let parser = Parser::new_from_str(text);
    let mut events = Events { parser, line: 1, span: 0..0, is_fixed: false };
    match events.next()? {
        Node::Map(StructureStyle::Block) => {}
        Node::Map(StructureStyle::Flow) => {
            return Err(events.fault("it is one `{…}`; write each `key: value` on its own line"));
        }
        Node::End => return Ok(Vec::new()),
        _ => return Err(events.fault("expected `key: value` lines")),
    }
    let mut pairs = Vec::new();
    loop {
        events.is_fixed = false;
        let node = events.next()?;
        let start = events.span.start;
        let written = match node {
            Node::Scalar(key, _) => Some(key),
            Node::Close => break,
            Node::List | Node::Map(_) => {
                events.skip()?;
                None
            }
            Node::Alias => None,
            Node::End => return Err(events.fault("a mapping is never closed")),
        };
        // The end of a collection is where the next token begins.
        let source = text.get(start..events.span.end.max(start)).unwrap_or_default().trim_end();
        let name = start..start + source.len();
        let key = written.unwrap_or_else(|| source.to_owned());
        let value = match events.next()? {
            Node::Scalar(text, quoted) => scalar(text, quoted),
            Node::List => events.list()?,
            Node::Map(_) => {
                events.skip()?;
                Value::Other
            }
            Node::Alias => Value::Other,
            Node::Close | Node::End => return Err(events.fault("a key has no value")),
        };
        pairs.push(Pair { key, value, name, is_fixed: events.is_fixed });
    }
    match events.next()? {
        Node::End => Ok(pairs),
        _ => Err(events.fault("a second document follows the first")),
    }
}

/// A list or a mapping that is being read.
enum Open {
    List,
    Map { keys: HashSet<String>, is_at_key: bool },
}

/// Whether a text is YAML, of one document or several, in which no mapping has a key twice.
pub fn has_keys_once(text: &str) -> bool {
    let mut parser = Parser::new_from_str(text);
    let mut open: Vec<Open> = Vec::new();
    while let Some(event) = parser.next_event() {
        let Ok((event, _)) = event else { return false };
        let key = match &event {
            Event::Scalar(text, ..) => Some(text.to_string()),
            Event::SequenceStart(..)
            | Event::MappingStart(..)
            | Event::Alias(..)
            | Event::UnresolvedAlias(..) => None,
            Event::SequenceEnd | Event::MappingEnd => {
                open.pop();
                continue;
            }
            _ => continue,
        };
        if let Some(Open::Map { keys, is_at_key }) = open.last_mut() {
            if *is_at_key && key.is_some_and(|key| !keys.insert(key)) {
                return false;
            }
            *is_at_key = !*is_at_key;
        }
        match event {
            Event::SequenceStart(..) => open.push(Open::List),
            Event::MappingStart(..) => {
                open.push(Open::Map { keys: HashSet::new(), is_at_key: true });
            }
            _ => {}
        }
    }
    true
}

fn scalar(text: String, quoted: bool) -> Value {
    match Value::number(&text) {
        _ if !quoted && Value::is_null(&text) => Value::Null,
        Some(number) if !quoted => Value::Int(number),
        _ => Value::Text(text),
    }
}

enum Node {
    /// The text, and whether it was quoted or a block scalar.
    Scalar(String, bool),
    List,
    Map(StructureStyle),
    Alias,
    /// The end of a list or mapping.
    Close,
    End,
}

struct Events<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    line: usize,
    /// Where the last node is, in bytes.
    span: Range<usize>,
    /// Whether an anchor, a tag or an alias was read.
    is_fixed: bool,
}

impl Events<'_> {
    fn next(&mut self) -> Result<Node, Fault> {
        loop {
            let Some(event) = self.parser.next_event() else { return Ok(Node::End) };
            let (event, span) = event.map_err(|error| Fault::Invalid {
                line: error.marker().line().max(1),
                message: error.info(),
            })?;
            self.line = span.start.line().max(1);
            self.span = span.byte_range().unwrap_or_default();
            return Ok(match event {
                Event::Scalar(text, style, anchor, tag) => {
                    self.is_fixed |= anchor != 0 || tag.is_some();
                    Node::Scalar(text.into_owned(), style != ScalarStyle::Plain)
                }
                Event::SequenceStart(_, anchor, tag) => {
                    self.is_fixed |= anchor != 0 || tag.is_some();
                    Node::List
                }
                Event::MappingStart(style, anchor, tag) => {
                    self.is_fixed |= anchor != 0 || tag.is_some();
                    Node::Map(style)
                }
                Event::SequenceEnd | Event::MappingEnd => Node::Close,
                Event::Alias(_) | Event::UnresolvedAlias(_) => {
                    self.is_fixed = true;
                    Node::Alias
                }
                _ => continue,
            });
        }
    }

    fn fault(&self, message: &str) -> Fault {
        Fault::Invalid { line: self.line, message: message.to_owned() }
    }

    /// A list that contains anything but scalars is [`Value::Other`].
    fn list(&mut self) -> Result<Value, Fault> {
        let mut items = Vec::new();
        let mut plain = true;
        loop {
            match self.next()? {
                Node::Scalar(text, quoted) if quoted || !text.is_empty() => items.push(text),
                // An empty item: `- `.
                Node::Scalar(..) => {}
                Node::Alias => plain = false,
                Node::List | Node::Map(_) => {
                    plain = false;
                    self.skip()?;
                }
                Node::Close => break,
                Node::End => return Err(self.fault("a list is never closed")),
            }
        }
        Ok(if plain { Value::List(items) } else { Value::Other })
    }

    /// Skips to the end of the collection just opened.
    fn skip(&mut self) -> Result<(), Fault> {
        let mut depth = 1;
        while depth > 0 {
            match self.next()? {
                Node::List | Node::Map(_) => depth += 1,
                Node::Close => depth -= 1,
                Node::Scalar(..) | Node::Alias => {}
                Node::End => return Err(self.fault("a list or mapping is never closed")),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Option<Value> {
        read(text).ok()?.into_iter().next().map(|pair| pair.value)
    }

    #[test]
    fn scalars_keep_their_text() {
        let list = |items: &[&str]| Value::List(items.iter().map(|&item| item.into()).collect());
        assert_eq!(
            value("tags: [y, 007, 1.10, null, 'a, b']"),
            Some(list(&["y", "007", "1.10", "null", "a, b"]))
        );
        assert_eq!(value("tags:\n  - yes\n  - 0x10\n"), Some(list(&["yes", "0x10"])));
        assert_eq!(value("id: 12"), Some(Value::Int(12)));
        assert_eq!(value("id: '12'"), Some(Value::Text("12".into())));
        assert_eq!(value("id: ~"), Some(Value::Null));
        assert_eq!(value("tags: [a, {b: c}]"), Some(Value::Other));
        assert_eq!(value("mood: {x: [1, 2]}"), Some(Value::Other));
    }

    #[test]
    fn what_explodes_is_refused() {
        let bomb = read("a: &a [1]\nb: [*a, *a]\n").expect("read, and not followed");
        assert!(bomb[0].is_fixed && bomb[1].value == Value::Other);
        assert!(read("a: *nobody\n").is_err());
        assert!(read("- a\n").is_err());
        assert!(read("a: [b\n").is_err());
        assert!(read(&format!("a: {}", "[".repeat(60_000))).is_err());
        assert!(read("").is_ok_and(|pairs| pairs.is_empty()));
    }
}
