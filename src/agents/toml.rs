//! Inserts and removes one table of a TOML file.
//!
//! Invariant: every other byte stays; a file whose bytes the parser would not reproduce is refused.

use super::{EditError, inline, settings_edit::SettingsFile};
use serde_json::Value;
use toml_edit::{Array, DocumentMut, InlineTable, Item, TableLike};

/// A file that is open for changes.
pub struct Toml {
    document: DocumentMut,
    /// The text without a byte order mark and with LF line endings, as the parser needs it.
    unix: String,
    has_bom: bool,
    has_crlf: bool,
    /// Whether the last line has no line ending, which the parser adds.
    is_open: bool,
}

const BOM: char = '\u{feff}';

impl Toml {
    pub fn read(text: &str) -> Result<Toml, EditError> {
        let (has_bom, has_crlf) = (text.starts_with(BOM), text.contains("\r\n"));
        let bare = text.trim_start_matches(BOM);
        let unix = if has_crlf { bare.replace("\r\n", "\n") } else { bare.to_owned() };
        let unreadable = |why: String| EditError::Unreadable { format: "TOML", why };
        // The line that the message quotes may contain a key.
        let document: DocumentMut = unix.parse().map_err(|error: toml_edit::TomlError| {
            let line = error.span().map(|span| unix[..span.start].lines().count().max(1));
            let line = line.map_or_else(String::new, |line| format!("line {line}: "));
            unreadable(format!("{line}{}", error.message()))
        })?;
        let is_open = !unix.is_empty() && !unix.ends_with('\n');
        let toml = Toml { document, unix, has_bom, has_crlf, is_open };
        if toml.text() == text {
            Ok(toml)
        } else {
            Err(unreadable("it mixes two kinds of line endings".to_owned()))
        }
    }

    fn dressed(&self, unix: &str) -> String {
        let bom = if self.has_bom { String::from(BOM) } else { String::new() };
        bom + &if self.has_crlf { unix.replace('\n', "\r\n") } else { unix.to_owned() }
    }

    fn above(&self, group: &str) -> Result<Option<&dyn TableLike>, EditError> {
        let Some(item) = self.document.get(group) else { return Ok(None) };
        item.as_table_like().map(Some).ok_or_else(|| EditError::Shape(group.to_owned()))
    }
}

impl SettingsFile for Toml {
    fn text(&self) -> String {
        let text = self.document.to_string();
        let text = if self.is_open { text.strip_suffix('\n').unwrap_or(&text) } else { &text };
        self.dressed(text)
    }

    fn entry(&self, group: &str, key: &str) -> Result<Option<Value>, EditError> {
        let Some(above) = self.above(group)? else { return Ok(None) };
        let table = above.get(key).and_then(Item::as_table_like);
        Ok(table.map(|table| {
            let pairs = table.iter().map(|(key, item)| (key.to_owned(), value_of(item)));
            Value::Object(pairs.collect())
        }))
    }

    fn with_entry(&self, group: &str, key: &str, value: &Value) -> Result<String, EditError> {
        let above = self.above(group)?;
        if above.is_some_and(|above| above.contains_key(key)) {
            return Err(EditError::Shape(format!("{group}.{key}")));
        }
        if inline::is_inline(self.document.get(group)) {
            let shape = || EditError::Shape(group.to_owned());
            let entry = format!("{key} = {}", toml_of(value));
            let after = inline::with_first(&self.unix, group, &entry).ok_or_else(shape)?;
            let after = self.dressed(&after);
            return Toml::read(&after).map(|_| after);
        }
        let mut table = format!("[{group}.{key}]\n");
        for (key, value) in value.as_object().into_iter().flatten() {
            table.push_str(&format!("{key} = {}\n", toml_of(value)));
        }
        let gap = match self.unix.as_str() {
            "" => "",
            text if text.ends_with('\n') => "\n",
            _ => "\n\n",
        };
        let after = self.dressed(&format!("{}{gap}{table}", self.unix));
        Toml::read(&after).map(|_| after)
    }

    fn set(&mut self, path: &[&str], key: &str, value: &str) -> Result<(), EditError> {
        let shape = |name: &str| EditError::Shape(name.to_owned());
        let mut table: &mut dyn TableLike = self.document.as_table_mut();
        for name in path {
            let below = table
                .entry(name)
                .or_insert_with(|| Item::Value(toml_edit::Value::InlineTable(InlineTable::new())));
            table = below.as_table_like_mut().ok_or_else(|| shape(name))?;
        }
        table.insert(key, Item::Value(value.into()));
        Ok(())
    }

    fn unset(&mut self, path: &[&str], key: &str) -> Result<(), EditError> {
        let mut table: &mut dyn TableLike = self.document.as_table_mut();
        for name in path {
            match table.get_mut(name).and_then(Item::as_table_like_mut) {
                Some(below) => table = below,
                None => return Ok(()),
            }
        }
        table.remove(key);
        Ok(())
    }

    fn without_entry(
        mut self: Box<Self>,
        group: &str,
        key: &str,
        made: &[&str],
    ) -> Result<String, EditError> {
        let lines = without_lines(&self.unix, &format!("{group}.{key}"));
        let pair = inline::without(&self.unix, group, key);
        if let Some(above) = self.document.get_mut(group).and_then(Item::as_table_like_mut) {
            above.remove(key);
            if above.is_empty() && made.contains(&group) {
                self.document.remove(group);
            }
        }
        // Removes lines if the result means the same: then other people's comments stay.
        let wanted = without_empty(value_of(self.document.as_item()));
        let says_so = |text: &String| {
            let read = text.parse::<DocumentMut>().ok();
            read.is_some_and(|read| without_empty(value_of(read.as_item())) == wanted)
        };
        Ok(match lines.filter(says_so).or_else(|| pair.filter(says_so)) {
            Some(text) => self.dressed(&text),
            None => self.text(),
        })
    }
}

/// A table that contains nothing means nothing.
fn without_empty(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let kept = object.into_iter().map(|(key, value)| (key, without_empty(value)));
            Value::Object(
                kept.filter(|(_, value)| value != &Value::Object(Default::default())).collect(),
            )
        }
        value => value,
    }
}

/// The text without the lines of a table that has its own header, and of its subtables. Comments
/// above the next header belong to that one.
fn without_lines(text: &str, name: &str) -> Option<String> {
    let (own, inner) = (format!("[{name}]"), format!("[{name}."));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let start = lines.iter().position(|line| line.trim() == own)?;
    let is_next = |line: &&str| {
        let line = line.trim_start();
        line.starts_with('[') && !line.starts_with(&inner)
    };
    let next = lines[start + 1..].iter().position(is_next).map_or(lines.len(), |at| start + 1 + at);
    let is_between = |line: &str| line.trim().is_empty() || line.trim().starts_with('#');
    let mut end = next;
    while end > start + 1 && is_between(lines[end - 1]) {
        end -= 1;
    }
    // The blank line that separates it.
    let start = if start > 0 && lines[start - 1].trim().is_empty() { start - 1 } else { start };
    Some(lines[..start].iter().chain(&lines[end..]).copied().collect())
}

fn toml_of(value: &Value) -> toml_edit::Value {
    match value {
        Value::Bool(value) => (*value).into(),
        Value::Number(number) => number.as_i64().unwrap_or_default().into(),
        Value::Array(items) => {
            toml_edit::Value::Array(items.iter().map(toml_of).collect::<Array>())
        }
        Value::Object(object) => {
            let pairs = object.iter().map(|(key, value)| (key.clone(), toml_of(value)));
            toml_edit::Value::InlineTable(pairs.collect::<InlineTable>())
        }
        Value::String(text) => text.as_str().into(),
        Value::Null => "".into(),
    }
}

fn value_of(item: &Item) -> Value {
    let of = |value: &toml_edit::Value| value_of(&Item::Value(value.clone()));
    if let Some(text) = item.as_str() {
        return Value::from(text);
    }
    if let Some(array) = item.as_array() {
        return array.iter().map(of).collect();
    }
    if let Some(table) = item.as_table_like() {
        let pairs = table.iter().map(|(key, item)| (key.to_owned(), value_of(item)));
        return Value::Object(pairs.collect());
    }
    if let Some(tables) = item.as_array_of_tables() {
        return tables.iter().map(|table| value_of(&Item::Table(table.clone()))).collect();
    }
    if item.is_float() || item.is_datetime() {
        return Value::from(item.to_string().trim());
    }
    let number = item.as_integer().map(Value::from);
    number.or_else(|| item.as_bool().map(Value::from)).unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_there_stays() {
        for text in [
            "# mine\nmodel = \"x\"   # c\n\n[mcp_servers.a]\ncommand = 'b'\n\n[tui]\na=1\n",
            "model = \"x\"\r\n[mcp_servers.a]\r\ncommand=\"b\"\r\n",
            "[mcp_servers]\n",
            "",
            "model = \"x\"",
            "# only a comment\n",
            "\u{feff}model = 1\n",
        ] {
            let toml = Toml::read(text).expect("TOML");
            let entry = json!({"command": "/co", "args": ["mcp"], "env": {"A": "b"}});
            let after = toml.with_entry("mcp_servers", "co", &entry).expect("set");
            assert!(after.starts_with(text), "{after}");
            let mut toml = Toml::read(&after).expect("TOML");
            assert_eq!(toml.entry("mcp_servers", "co"), Ok(Some(entry)));
            toml.set(&["mcp_servers", "co"], "command", "/new").expect("set");
            toml.set(&["mcp_servers", "co", "env"], "B", "c").expect("set");
            let there = toml.entry("mcp_servers", "co").expect("there").expect("there");
            assert_eq!(there["command"], "/new");
            assert_eq!(there["env"], json!({"A": "b", "B": "c"}));
            let made: &[&str] = if text.contains("mcp_servers") { &[] } else { &["mcp_servers"] };
            let set = Toml::read(&toml.text()).expect("TOML");
            assert_eq!(
                Box::new(set).without_entry("mcp_servers", "co", made).expect("TOML").trim_end(),
                text.trim_end()
            );
        }
    }

    #[test]
    fn comments_of_others_stay() {
        let text = "# a\n[x]\nb = 1\n\n[mcp_servers.co]\ncommand = \"/co\"\n\n[mcp_servers.co.env]\nA = \"b\"\n\n# of y\n[y]\nc = 2\n";
        let without = Box::new(Toml::read(text).expect("TOML"))
            .without_entry("mcp_servers", "co", &[])
            .expect("TOML");
        assert_eq!(without, "# a\n[x]\nb = 1\n\n# of y\n[y]\nc = 2\n");
    }

    #[test]
    fn tables_of_others_stay_however_they_are_written() {
        for text in [
            "[mcp_servers.co]\ncommand = \"/co\"\n  [tui]\n  theme = \"dark\"\n",
            "note = \"\"\"\n[mcp_servers.co]\nno table\n\"\"\"\n[mcp_servers.co]\ncommand = \"/co\"\n[tui]\ntheme = \"dark\"\n",
            "[mcp_servers.co]\ncommand = \"/co\"\n[tui]\ntheme = \"dark\"\n[mcp_servers.co.env]\nA = \"b\"\n",
        ] {
            let without = Box::new(Toml::read(text).expect("TOML"))
                .without_entry("mcp_servers", "co", &[])
                .expect("TOML");
            let toml = Toml::read(&without).expect("TOML");
            assert_eq!(toml.entry("mcp_servers", "co"), Ok(None), "{without}");
            assert!(without.contains("theme = \"dark\""), "{without}");
            assert_eq!(text.contains("no table"), without.contains("no table"), "{without}");
        }
    }

    #[test]
    fn nothing_is_guessed() {
        assert!(Toml::read("a = ").is_err());
        assert!(Toml::read("a = 1\r\nb = 2\n").is_err());
        for odd in ["mcp_servers = 3\n", "[mcp_servers]\nco = 1\n"] {
            let toml = Toml::read(odd).expect("TOML");
            assert!(toml.with_entry("mcp_servers", "co", &json!({})).is_err(), "{odd}");
        }
        let error = Toml::read("a = 1\nTOKEN = \"sk-SECRET\n").map(|_| ()).expect_err("open");
        assert!(
            !error.to_string().contains("SECRET") && error.to_string().contains("line 2"),
            "{error}"
        );
    }
}
