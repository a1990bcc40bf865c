//! Inserts and removes one entry of a JSON file, with or without comments.
//!
//! Invariant: every other byte stays; a file that is not JSON, or has a duplicate key on the path,
//! is refused.

use super::{EditError, settings_edit::SettingsFile};
use jsonc_parser::{
    ParseOptions,
    cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode},
};
use serde_json::Value;

const BOM: char = '\u{feff}';

/// A file that is open for changes.
pub struct Json {
    root: CstRootNode,
    has_bom: bool,
}

impl Json {
    pub fn read(text: &str) -> Result<Json, EditError> {
        let has_bom = text.starts_with(BOM);
        let options = ParseOptions {
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            ..ParseOptions::default()
        };
        let bare = text.trim_start_matches(BOM);
        let bare = if bare.trim().is_empty() { "{}\n" } else { bare };
        let unreadable = |why: String| EditError::Unreadable { format: "JSON", why };
        let root = CstRootNode::parse(bare, &options).map_err(|error| {
            unreadable(error.to_string().lines().next().unwrap_or("").to_owned())
        })?;
        root.object_value_or_create()
            .ok_or_else(|| EditError::Shape("the whole file".to_owned()))?;
        Ok(Json { root, has_bom })
    }

    pub fn text(&self) -> String {
        let bom = if self.has_bom { String::from(BOM) } else { String::new() };
        bom + &self.root.to_string()
    }

    fn top(&self) -> Result<CstObject, EditError> {
        self.root.object_value().ok_or_else(|| EditError::Shape("the whole file".to_owned()))
    }

    /// The object at the end of a path; `None` if the path ends early.
    fn object(&self, path: &[&str]) -> Result<Option<CstObject>, EditError> {
        let mut object = self.top()?;
        for key in path {
            let Some(below) = only(&object, key)? else { return Ok(None) };
            object = below.as_object().ok_or_else(|| EditError::Shape((*key).to_owned()))?;
        }
        Ok(Some(object))
    }

    /// Like [`Json::object`], but creates what is missing.
    fn object_or_new(&self, path: &[&str]) -> Result<CstObject, EditError> {
        let mut object = self.top()?;
        for key in path {
            only(&object, key)?;
            let below = object.object_value_or_create(key);
            object = below.ok_or_else(|| EditError::Shape((*key).to_owned()))?;
        }
        Ok(object)
    }

    pub fn get(&self, path: &[&str], key: &str) -> Result<Option<Value>, EditError> {
        let Some(object) = self.object(path)? else { return Ok(None) };
        Ok(only(&object, key)?.and_then(|node| node.to_serde_value()))
    }

    pub fn set(&self, path: &[&str], key: &str, value: &Value) -> Result<(), EditError> {
        let object = self.object_or_new(path)?;
        only(&object, key)?;
        match object.get(key) {
            Some(there) => there.set_value(input(value)),
            None => drop(object.append(key, input(value))),
        }
        Ok(())
    }

    /// Removes a key, and any containers on the path that are then empty and were created by co.
    pub fn remove(&self, path: &[&str], key: &str, made: &[&str]) -> Result<(), EditError> {
        let Some(object) = self.object(path)? else { return Ok(()) };
        if let Some(there) = object.get(key) {
            there.remove();
        }
        self.prune(path, made)
    }

    /// Removes empty containers at the end of a path, if co created them.
    fn prune(&self, path: &[&str], made: &[&str]) -> Result<(), EditError> {
        for depth in (1..=path.len()).rev() {
            let (above, key) = (&path[..depth - 1], path[depth - 1]);
            let Some(object) = self.object(above)? else { continue };
            let Some(there) = object.get(key) else { continue };
            let is_empty = match there.value() {
                Some(node) if node.as_object().is_some() => {
                    node.as_object().is_some_and(|object| object.properties().is_empty())
                }
                Some(node) => node.as_array().is_some_and(|array| array.elements().is_empty()),
                None => false,
            };
            if !is_empty || !made.contains(&key) {
                return Ok(());
            }
            there.remove();
        }
        Ok(())
    }

    fn array(&self, path: &[&str], key: &str) -> Result<Option<CstArray>, EditError> {
        let Some(object) = self.object(path)? else { return Ok(None) };
        let Some(node) = only(&object, key)? else { return Ok(None) };
        node.as_array().map(Some).ok_or_else(|| EditError::Shape(key.to_owned()))
    }

    /// The items of an array, each with the list under a key, if it has one.
    pub fn items(&self, path: &[&str], key: &str) -> Result<Vec<Item>, EditError> {
        let Some(array) = self.array(path, key)? else { return Ok(Vec::new()) };
        let item = |node: CstNode| {
            let inner = node.as_object().and_then(|object| object.array_value(INNER));
            Item { inner: inner.map_or_else(Vec::new, |list| list.elements()), node }
        };
        Ok(array.elements().into_iter().map(item).collect())
    }

    /// Appends an item.
    pub fn push(&self, path: &[&str], key: &str, value: &Value) -> Result<(), EditError> {
        let object = self.object_or_new(path)?;
        only(&object, key)?;
        let array = object.array_value_or_create(key);
        array.ok_or_else(|| EditError::Shape(key.to_owned()))?.append(input(value));
        Ok(())
    }

    /// Removes an array if it is empty, and empty containers around it if co created them.
    pub(super) fn prune_array(
        &self,
        path: &[&str],
        key: &str,
        made: &[&str],
    ) -> Result<(), EditError> {
        let whole: Vec<&str> = path.iter().copied().chain([key]).collect();
        self.prune(&whole, made)
    }
}

impl SettingsFile for Json {
    fn text(&self) -> String {
        Json::text(self)
    }

    fn entry(&self, group: &str, key: &str) -> Result<Option<Value>, EditError> {
        self.get(&[group], key)
    }

    fn with_entry(&self, group: &str, key: &str, value: &Value) -> Result<String, EditError> {
        Json::set(self, &[group], key, value)?;
        Ok(self.text())
    }

    fn set(&mut self, path: &[&str], key: &str, value: &str) -> Result<(), EditError> {
        let value = match self.get(path, key)? {
            Some(Value::Array(words)) => {
                [value.into()].into_iter().chain(words.into_iter().skip(1)).collect()
            }
            _ => Value::from(value),
        };
        Json::set(self, path, key, &value)
    }

    fn unset(&mut self, path: &[&str], key: &str) -> Result<(), EditError> {
        self.remove(path, key, &[])
    }

    fn without_entry(
        self: Box<Self>,
        group: &str,
        key: &str,
        made: &[&str],
    ) -> Result<String, EditError> {
        self.remove(&[group], key, made)?;
        Ok(self.text())
    }
}

/// The key of a list within an item.
const INNER: &str = "hooks";

pub struct Item {
    node: CstNode,
    inner: Vec<CstNode>,
}

impl Item {
    pub fn value(&self) -> Value {
        self.node.to_serde_value().unwrap_or(Value::Null)
    }

    /// The contents of its list.
    pub fn inner(&self) -> Vec<Value> {
        self.inner.iter().map(|node| node.to_serde_value().unwrap_or(Value::Null)).collect()
    }

    /// Sets one string of the item; its comments and everything else stay.
    pub fn set(&self, key: &str, text: &str) {
        set(&self.node, key, text);
    }

    pub(super) fn set_inner(&self, at: usize, key: &str, text: &str) {
        if let Some(node) = self.inner.get(at) {
            set(node, key, text);
        }
    }

    pub fn remove(self) {
        self.node.remove();
    }

    pub(super) fn remove_inner(&self, at: usize) {
        if let Some(node) = self.inner.get(at) {
            node.clone().remove();
        }
    }
}

fn set(node: &CstNode, key: &str, text: &str) {
    if let Some(property) = node.as_object().and_then(|object| object.get(key)) {
        property.set_value(CstInputValue::String(text.to_owned()));
    }
}

/// The value of a key that may occur at most once.
fn only(object: &CstObject, key: &str) -> Result<Option<CstNode>, EditError> {
    let properties = object.properties();
    let mut named = properties.iter().filter(|one| one.decoded_name().as_deref() == Some(key));
    match (named.next(), named.next()) {
        (Some(_), Some(_)) => Err(EditError::Twice(key.to_owned())),
        (one, _) => Ok(one.and_then(|property| property.value())),
    }
}

fn input(value: &Value) -> CstInputValue {
    match value {
        Value::Null => CstInputValue::Null,
        Value::Bool(value) => CstInputValue::Bool(*value),
        Value::Number(number) => CstInputValue::Number(number.to_string()),
        Value::String(text) => CstInputValue::String(text.clone()),
        Value::Array(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Value::Object(object) => CstInputValue::Object(
            object.iter().map(|(key, value)| (key.clone(), input(value))).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn with(text: &str) -> String {
        let json = Json::read(text).expect("JSON");
        json.set(&["mcpServers"], "co", &json!({"command": "co", "args": ["mcp"]})).expect("set");
        json.text()
    }

    #[test]
    fn what_was_there_stays() {
        let text = "// mine\r\n{\r\n\t\"b\": 1, // one\r\n\t\"mcpServers\": {\r\n\t\t\"x\": {}\r\n\t},\r\n\t\"a\": [1,2]\r\n}\r\n";
        let after = with(text);
        assert!(
            after.contains("// one\r\n") && !after.replace("\r\n", "").contains('\n'),
            "{after:?}"
        );
        assert!(after.starts_with("// mine\r\n{\r\n\t\"b\": 1"), "{after:?}");
        let json = Json::read(&after).expect("JSON");
        json.remove(&["mcpServers"], "co", &[]).expect("removed");
        assert_eq!(json.text(), text);
    }

    #[test]
    fn a_new_file_is_readable() {
        assert_eq!(
            with(""),
            "{\n  \"mcpServers\": {\n    \"co\": {\n      \"command\": \"co\",\n      \"args\": [\"mcp\"]\n    }\n  }\n}\n"
        );
    }

    #[test]
    fn nothing_is_guessed() {
        for (bad, why) in [
            ("{\"a\": }", "JSON"),
            ("[]", "whole"),
            ("{\"mcpServers\": []}", "mcpServers"),
            ("{\"mcpServers\": {}, \"mcpServers\": {}}", "twice"),
        ] {
            let json = Json::read(bad);
            let error = match json {
                Err(error) => error,
                Ok(json) => json.set(&["mcpServers"], "co", &json!(1)).expect_err(bad),
            };
            assert!(error.to_string().contains(why), "{bad}: {error}");
        }
    }
}
