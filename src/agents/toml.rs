//! One table of a TOML file, put in and taken out.
//!
//! Invariant: every other byte stays; a file whose bytes the parser would not give back is refused.

use super::Unfit;
use serde_json::Value;
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike};

/// A file that is open for changes.
pub struct Toml {
    document: DocumentMut,
    /// Windows' line ends, which the parser takes out.
    has_crlf: bool,
}

impl Toml {
    pub fn read(text: &str) -> Result<Toml, Unfit> {
        let has_crlf = text.contains("\r\n");
        let unix = if has_crlf { text.replace("\r\n", "\n") } else { text.to_owned() };
        let unreadable = |why: String| Unfit::Unreadable { format: "TOML", why };
        let document: DocumentMut =
            unix.parse().map_err(|error: toml_edit::TomlError| unreadable(error.to_string()))?;
        let toml = Toml { document, has_crlf };
        match toml.text() == text {
            true => Ok(toml),
            false => Err(unreadable("line ends of two kinds".to_owned())),
        }
    }

    pub fn text(&self) -> String {
        let text = self.document.to_string();
        if self.has_crlf { text.replace('\n', "\r\n") } else { text }
    }

    fn above(&self, group: &str) -> Result<Option<&dyn TableLike>, Unfit> {
        let Some(item) = self.document.get(group) else { return Ok(None) };
        item.as_table_like().map(Some).ok_or_else(|| Unfit::Shape(group.to_owned()))
    }

    pub fn get(&self, group: &str, key: &str) -> Result<Option<Value>, Unfit> {
        let Some(above) = self.above(group)? else { return Ok(None) };
        let table = above.get(key).and_then(Item::as_table_like);
        Ok(table.map(|table| {
            let pairs = table.iter().map(|(key, item)| (key.to_owned(), value_of(item)));
            Value::Object(pairs.collect())
        }))
    }

    /// What is in the table beside what is set stays.
    pub fn set(&mut self, group: &str, key: &str, value: &Value) -> Result<(), Unfit> {
        self.above(group)?;
        let above = self.document.entry(group).or_insert_with(|| {
            let mut table = Table::new();
            table.set_implicit(true);
            Item::Table(table)
        });
        let above = above.as_table_like_mut().ok_or_else(|| Unfit::Shape(group.to_owned()))?;
        if above.get(key).is_none_or(|item| item.as_table_like().is_none()) {
            let mut table = Table::new();
            table.decor_mut().set_prefix("\n");
            above.insert(key, Item::Table(table));
        }
        let table = above.get_mut(key).and_then(Item::as_table_like_mut);
        let table = table.ok_or_else(|| Unfit::Shape(key.to_owned()))?;
        for (key, value) in value.as_object().into_iter().flatten() {
            table.insert(key, Item::Value(toml_of(value)));
        }
        Ok(())
    }

    /// Takes a table out, and the one around it if nothing else is in it and co made it.
    pub fn remove(&mut self, group: &str, key: &str, made: &[&str]) {
        let Some(above) = self.document.get_mut(group).and_then(Item::as_table_like_mut) else {
            return;
        };
        above.remove(key);
        if above.is_empty() && made.contains(&group) {
            self.document.remove(group);
        }
    }
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
        ] {
            let mut toml = Toml::read(text).expect("TOML");
            let entry = json!({"command": "/co", "args": ["mcp"], "env": {"A": "b"}});
            toml.set("mcp_servers", "co", &entry).expect("set");
            let after = toml.text();
            assert_eq!(Toml::read(&after).expect("TOML").get("mcp_servers", "co"), Ok(Some(entry)));
            assert!(text.lines().all(|line| after.contains(line)), "{after}");
            let made: &[&str] = if text.contains("mcp_servers") { &[] } else { &["mcp_servers"] };
            toml.remove("mcp_servers", "co", made);
            assert_eq!(toml.text(), text);
        }
    }

    #[test]
    fn nothing_is_guessed() {
        assert!(Toml::read("a = ").is_err());
        assert!(Toml::read("a = 1\r\nb = 2\n").is_err());
        let mut toml = Toml::read("mcp_servers = 3\n").expect("TOML");
        assert!(toml.set("mcp_servers", "co", &json!({})).is_err());
    }
}
