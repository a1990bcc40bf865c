//! One mapping of a YAML file, put in and taken out.
//!
//! Invariant: every other byte stays.

use super::Unfit;
use serde_json::Value;
use std::str::FromStr;
use yaml_edit::{Document, Mapping, MappingBuilder, SequenceBuilder};

/// A file that is open for changes.
pub struct Yaml {
    document: Document,
    has_crlf: bool,
}

impl Yaml {
    pub fn read(text: &str) -> Result<Yaml, Unfit> {
        let has_crlf = text.contains("\r\n");
        let unix = if has_crlf { text.replace("\r\n", "\n") } else { text.to_owned() };
        let unreadable = |why: String| Unfit::Unreadable { format: "YAML", why };
        let bare = if unix.trim().is_empty() { "{}\n" } else { unix.as_str() };
        let document = Document::from_str(bare).map_err(|error| unreadable(error.to_string()))?;
        let yaml = Yaml { document, has_crlf };
        let is_kept = unix.trim().is_empty() || yaml.text() == text;
        match is_kept && yaml.document.as_mapping().is_some() {
            true => Ok(yaml),
            false => Err(unreadable("it is no mapping, or has line ends of two kinds".to_owned())),
        }
    }

    pub fn text(&self) -> String {
        let text = self.document.to_string();
        if self.has_crlf { text.replace('\n', "\r\n") } else { text }
    }

    fn top(&self) -> Result<Mapping, Unfit> {
        self.document.as_mapping().ok_or_else(|| Unfit::Shape("the whole file".to_owned()))
    }

    fn group(&self, group: &str) -> Result<Option<Mapping>, Unfit> {
        let top = self.top()?;
        let is_there = top.keys().filter(|key| key.to_string().trim() == group).count();
        match (is_there, top.get_mapping(group)) {
            (2.., _) => Err(Unfit::Twice(group.to_owned())),
            (_, group) => Ok(group),
        }
    }

    /// A text of an entry, and of its list of texts.
    pub fn get(&self, group: &str, key: &str) -> Result<Option<Value>, Unfit> {
        let entry = self.group(group)?.and_then(|group| group.get_mapping(key));
        Ok(entry.map(|entry| {
            let text = |name: &str| {
                entry.get(name).and_then(|node| node.as_scalar().map(|text| text.as_string()))
            };
            let args = entry.get_sequence("args").map(|items| {
                let texts = items.values().filter_map(|node| Some(node.as_scalar()?.as_string()));
                texts.collect::<Vec<String>>()
            });
            serde_json::json!({ "cmd": text("cmd"), "args": args.unwrap_or_default() })
        }))
    }

    pub fn set(&self, group: &str, key: &str, value: &Value) -> Result<(), Unfit> {
        let shape = || Unfit::Shape(group.to_owned());
        let built = filled(MappingBuilder::new(), value).build_document();
        let entry = built.as_mapping().ok_or_else(shape)?;
        match self.group(group)? {
            Some(group) => group.set(key, entry),
            None => {
                let outer = MappingBuilder::new().mapping(key, |inner| filled(inner, value));
                let outer = outer.build_document();
                self.top()?.set(group, outer.as_mapping().ok_or_else(shape)?);
            }
        }
        Ok(())
    }

    pub fn remove(&self, group: &str, key: &str, made: &[&str]) -> Result<(), Unfit> {
        let Some(there) = self.group(group)? else { return Ok(()) };
        there.remove(key);
        if there.keys().next().is_none() && made.contains(&group) {
            self.top()?.remove(group);
        }
        Ok(())
    }
}

fn filled(empty: MappingBuilder, value: &Value) -> MappingBuilder {
    let pairs = value.as_object().into_iter().flatten();
    pairs.fold(empty, |built, (key, value)| match value {
        Value::Bool(value) => built.pair(key, *value),
        Value::Number(number) => built.pair(key, number.as_i64().unwrap_or_default()),
        Value::Array(items) => built.sequence(key, |list| {
            items.iter().filter_map(Value::as_str).fold(list, SequenceBuilder::item)
        }),
        Value::Object(_) => built.mapping(key, |inner| filled(inner, value)),
        Value::String(text) => built.pair(key, text.as_str()),
        Value::Null => built,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_was_there_stays() {
        for text in [
            "# mine\nGOOSE_MODEL: x # c\nextensions:\n  developer:\n    enabled: true\nother: 1\n",
            "a: 1\r\nextensions:\r\n    developer:\r\n        enabled: true\r\n",
            "a: 1\n",
        ] {
            let yaml = Yaml::read(text).expect("YAML");
            let entry = json!({"enabled": true, "cmd": "/co", "args": ["mcp"]});
            yaml.set("extensions", "co", &entry).expect("set");
            let after = yaml.text();
            let said = Yaml::read(&after).expect("YAML").get("extensions", "co");
            assert_eq!(said, Ok(Some(json!({"cmd": "/co", "args": ["mcp"]}))), "{after}");
            assert!(!after.replace("\r\n", "").contains('\n') || !text.contains('\r'));
            let made: &[&str] = if text.contains("extensions") { &[] } else { &["extensions"] };
            yaml.remove("extensions", "co", made).expect("removed");
            assert_eq!(yaml.text(), text);
        }
        assert!(Yaml::read("a: [1\n").is_err() || Yaml::read("- a\n").is_err());
    }
}
