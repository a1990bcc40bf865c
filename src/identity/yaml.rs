//! Parses the YAML of a frontmatter block when the line reader does not know its form.
//!
//! Invariant: a scalar keeps its text as typed: `007` and `yes` are text here, whatever a schema
//! makes of them. Aliases are refused, because a few of them can expand to millions of nodes. Must
//! not know: what any key means.

use super::{frontmatter::Fault, value::Value};
use granit_parser::{Event, Parser, ScalarStyle};

pub type Pair = (String, Value);

/// Reads a block mapping, with its keys in order.
pub fn read(text: &str) -> Result<Vec<Pair>, Fault> {
    let mut events = Events { parser: Parser::new_from_str(text), line: 1 };
    match events.next()? {
        Node::Map => {}
        Node::End => return Ok(Vec::new()),
        _ => return Err(events.fault("expected `key: value` lines")),
    }
    let mut pairs = Vec::new();
    loop {
        let key = match events.next()? {
            Node::Scalar(key, _) => key,
            Node::Close => break,
            _ => return Err(events.fault("a key must be plain text")),
        };
        let value = match events.next()? {
            Node::Scalar(text, quoted) => scalar(text, quoted),
            Node::List => events.list()?,
            Node::Map => {
                events.skip()?;
                Value::Other
            }
            Node::Close | Node::End => return Err(events.fault("a key has no value")),
        };
        pairs.push((key, value));
    }
    match events.next()? {
        Node::End => Ok(pairs),
        _ => Err(events.fault("a second document follows the first")),
    }
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
    Map,
    /// The end of a list or mapping.
    Close,
    End,
}

struct Events<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    line: usize,
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
            return Ok(match event {
                Event::Scalar(text, style, ..) => {
                    Node::Scalar(text.into_owned(), style != ScalarStyle::Plain)
                }
                Event::SequenceStart(..) => Node::List,
                Event::MappingStart(..) => Node::Map,
                Event::SequenceEnd | Event::MappingEnd => Node::Close,
                Event::Alias(_) | Event::UnresolvedAlias(_) => {
                    return Err(self.fault("aliases (`*name`) are not read; write the value out"));
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
                Node::List | Node::Map => {
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
                Node::List | Node::Map => depth += 1,
                Node::Close => depth -= 1,
                Node::Scalar(..) => {}
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
        read(text).ok()?.into_iter().next().map(|(_, value)| value)
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
        assert!(read("a: &a [1]\nb: [*a, *a]\n").is_err());
        assert!(read("- a\n").is_err());
        assert!(read("a: [b\n").is_err());
        assert!(read(&format!("a: {}", "[".repeat(60_000))).is_err());
        assert!(read("").is_ok_and(|pairs| pairs.is_empty()));
    }
}
