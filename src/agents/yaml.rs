//! Inserts and removes one mapping of a YAML file.
//!
//! Invariant: every other byte stays. Anchors and aliases on the path, and anything that a strict
//! parser does not read, are refused. An entry is read in Goose's form alone: `cmd`, `args`,
//! `envs`, `enabled`.

use super::{EditError, settings_edit::SettingsFile};
use granit_parser::Parser;
use serde_json::{Value, json};
use std::str::FromStr;
use yaml_edit::{Document, Mapping, MappingBuilder, SequenceBuilder, YamlNode};

/// A file that is open for changes.
pub struct Yaml {
    /// `None` if the file has no content: only comments, or no bytes at all.
    document: Option<Document>,
    unix: String,
    has_crlf: bool,
}

impl Yaml {
    pub fn read(text: &str) -> Result<Yaml, EditError> {
        let has_crlf = text.contains("\r\n");
        let unix = if has_crlf { text.replace("\r\n", "\n") } else { text.to_owned() };
        let unreadable = |why: &str| EditError::Unreadable { format: "YAML", why: why.to_owned() };
        if let Some(error) = Parser::new_from_str(&unix).find_map(Result::err) {
            let line = error.marker().line();
            return Err(unreadable(&format!("line {line}: it is not YAML")));
        }
        let says = |line: &str| !matches!(line.trim(), "" | "---") && !line.trim().starts_with('#');
        if !unix.lines().any(says) {
            return Ok(Yaml { document: None, unix, has_crlf });
        }
        let document =
            Document::from_str(&unix).map_err(|_| unreadable("it is not a single document"))?;
        if document.as_mapping().is_none() {
            return Err(EditError::Shape("the whole file".to_owned()));
        }
        let yaml = Yaml { document: Some(document), unix, has_crlf };
        if yaml.text() == text {
            Ok(yaml)
        } else {
            Err(unreadable("it mixes two kinds of line endings"))
        }
    }

    fn dressed(&self, unix: &str) -> String {
        if self.has_crlf { unix.replace('\n', "\r\n") } else { unix.to_owned() }
    }

    fn top(&self) -> Option<Mapping> {
        self.document.as_ref()?.as_mapping()
    }

    /// The mapping under a key that may occur at most once; `None` also if it is empty.
    fn group(&self, group: &str) -> Result<Option<Mapping>, EditError> {
        let Some(top) = self.top() else { return Ok(None) };
        let named = top.keys().filter(|key| key.to_string().trim() == group).count();
        if named > 1 {
            return Err(EditError::Twice(group.to_owned()));
        }
        // An anchor may be used elsewhere; an alias belongs to something else.
        let shape = || EditError::Shape(group.to_owned());
        let line = self.unix.lines().find(|line| line.starts_with(&format!("{group}:")));
        let value = line.and_then(|line| line.split_once(':')).map_or("", |(_, rest)| rest.trim());
        if value.starts_with(['&', '*', '!']) {
            return Err(shape());
        }
        match (named, top.get_mapping(group)) {
            (0, _) => Ok(None),
            (_, Some(mapping)) => Ok(Some(mapping)),
            // It is empty, or something else.
            _ if value.is_empty() && self.is_empty_below(group) => Ok(None),
            _ => Err(shape()),
        }
    }

    /// Whether no line belongs to a key.
    fn is_empty_below(&self, group: &str) -> bool {
        let mut below =
            self.unix.lines().skip_while(|line| !line.starts_with(&format!("{group}:"))).skip(1);
        let next = below.find(|line| !line.trim().is_empty() && !line.trim().starts_with('#'));
        next.is_none_or(|line| !line.starts_with([' ', '\t', '-']))
    }

    /// Returns the text if it can be read again.
    fn checked(&self, unix: &str) -> Result<String, EditError> {
        let text = self.dressed(unix);
        Yaml::read(&text).map(|_| text)
    }
}

impl SettingsFile for Yaml {
    fn text(&self) -> String {
        let text = self.document.as_ref().map_or_else(|| self.unix.clone(), ToString::to_string);
        self.dressed(&text)
    }

    fn entry(&self, group: &str, key: &str) -> Result<Option<Value>, EditError> {
        let Some(group) = self.group(group)? else { return Ok(None) };
        let Some(entry) = group.get_mapping(key) else {
            let is_there = group.keys().any(|name| name.to_string().trim() == key);
            return if is_there { Err(EditError::Shape(key.to_owned())) } else { Ok(None) };
        };
        let scalar = |node: YamlNode| node.as_scalar().map(|text| text.as_string());
        let text = |name: &str| entry.get(name).and_then(scalar);
        let args: Vec<String> = entry
            .get_sequence("args")
            .map_or_else(Vec::new, |items| items.values().filter_map(scalar).collect());
        let envs = entry.get_mapping("envs");
        let pairs = envs.iter().flat_map(Mapping::iter);
        let envs = pairs.filter_map(|(key, value)| Some((scalar(key)?, json!(scalar(value)?))));
        let envs: serde_json::Map<String, Value> = envs.collect();
        let enabled = text("enabled").is_none_or(|text| text != "false");
        Ok(Some(json!({ "cmd": text("cmd"), "args": args, "envs": envs, "enabled": enabled })))
    }

    fn with_entry(&self, group: &str, key: &str, value: &Value) -> Result<String, EditError> {
        let shape = || EditError::Shape(group.to_owned());
        match self.group(group)? {
            Some(there) => {
                let built = filled(MappingBuilder::new(), value).build_document();
                there.set(key, built.as_mapping().ok_or_else(shape)?);
            }
            None => {
                let whole = MappingBuilder::new()
                    .mapping(group, |outer| outer.mapping(key, |inner| filled(inner, value)));
                let whole = whole.build_document();
                match self.top() {
                    Some(top) => {
                        let whole = whole.as_mapping().ok_or_else(shape)?;
                        top.set(group, whole.get_mapping(group).ok_or_else(shape)?);
                    }
                    None => {
                        let gap = if self.unix.is_empty() || self.unix.ends_with('\n') {
                            ""
                        } else {
                            "\n"
                        };
                        let text = whole.to_string();
                        return self.checked(&format!("{}{gap}{}\n", self.unix, text.trim_end()));
                    }
                }
            }
        }
        let text = self.document.as_ref().map(ToString::to_string).unwrap_or_default();
        self.checked(&text)
    }

    fn set(&mut self, path: &[&str], key: &str, value: &str) -> Result<(), EditError> {
        let mut mapping = self.top();
        for name in path {
            mapping = mapping.and_then(|mapping| mapping.get_mapping(name));
        }
        mapping.ok_or_else(|| EditError::Shape(path.join(".")))?.set(key, value);
        Ok(())
    }

    fn unset(&mut self, path: &[&str], key: &str) -> Result<(), EditError> {
        let mut mapping = self.top();
        for name in path {
            mapping = mapping.and_then(|mapping| mapping.get_mapping(name));
        }
        if let Some(mapping) = mapping {
            mapping.remove(key);
        }
        Ok(())
    }

    fn without_entry(
        self: Box<Self>,
        group: &str,
        key: &str,
        made: &[&str],
    ) -> Result<String, EditError> {
        if let Some(there) = self.group(group)? {
            there.remove(key);
            let is_empty = there.keys().next().is_none();
            if let (true, Some(top)) = (is_empty && made.contains(&group), self.top()) {
                top.remove(group);
            }
        }
        Ok(self.text())
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

    #[test]
    fn what_was_there_stays() {
        for text in [
            "# mine\nGOOSE_MODEL: x # c\nextensions:\n  developer:\n    enabled: true\nother: 1\n",
            "a: 1\r\nextensions:\r\n    developer:\r\n        enabled: true\r\n",
            "a: 1\n",
            "# only a comment\n",
            "",
        ] {
            let yaml = Yaml::read(text).expect("YAML");
            let entry = json!({"enabled": true, "cmd": "/co", "args": ["mcp"], "envs": {"A": "b"}});
            let after = yaml.with_entry("extensions", "co", &entry).expect("set");
            let mut yaml = Yaml::read(&after).expect("YAML");
            assert_eq!(yaml.entry("extensions", "co"), Ok(Some(entry)), "{after}");
            assert!(!after.replace("\r\n", "").contains('\n') || !text.contains('\r'));
            assert!(text.lines().all(|line| after.contains(line)), "{after}");
            yaml.set(&["extensions", "co"], "cmd", "/new").expect("set");
            let there = yaml.entry("extensions", "co").expect("there").expect("there");
            assert_eq!(there["cmd"], "/new");
            let made: &[&str] = if text.contains("extensions") { &[] } else { &["extensions"] };
            let text_after =
                Box::new(yaml).without_entry("extensions", "co", made).expect("removed");
            assert!(text.trim().is_empty() || text.starts_with('#') || text_after == text);
        }
    }

    #[test]
    fn nothing_is_guessed() {
        for odd in [
            "d: &d\n  dev: {enabled: true}\nextensions: *d\n",
            "extensions: []\n",
            "extensions:\n  - a\n",
            "extensions: x\n",
            "extensions:\n  co: 1\n",
            "extensions: &e\n  a: 1\nz: *e\n",
            "extensions:\n\ta: 1\n",
            "a: [1\n",
            "- a\n",
        ] {
            let tried = Yaml::read(odd).and_then(|yaml| match yaml.entry("extensions", "co")? {
                Some(_) => Ok(String::new()),
                None => yaml.with_entry("extensions", "co", &json!({"cmd": "/co"})),
            });
            assert!(tried.is_err(), "{odd:?}: {tried:?}");
        }
        let yaml = Yaml::read("extensions:\nother: 1\n").expect("YAML");
        assert!(yaml.with_entry("extensions", "co", &json!({"cmd": "/co"})).is_ok());
    }
}
