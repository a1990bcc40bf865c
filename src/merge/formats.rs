//! Whether a text is of its format: JSON by its first letter, TOML and YAML by the file's name.
//!
//! Invariant: a merge by lines that would break a format is found before anybody reads it: each
//! side may add the same key, or a line that needs a comma. Must not know: what any key means.

use crate::identity::{RelPath, yaml};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::{collections::HashSet, fmt};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Json,
    Toml,
    Yaml,
}

impl Format {
    fn of(path: &RelPath, text: &str) -> Option<Format> {
        let ending = path.name().rsplit_once('.').map_or("", |(_, ending)| ending);
        match ending.to_ascii_lowercase().as_str() {
            "toml" => Some(Format::Toml),
            "yaml" | "yml" => Some(Format::Yaml),
            _ => text.trim_start().starts_with(['{', '[']).then_some(Format::Json),
        }
    }

    fn holds(self, text: &str) -> bool {
        match self {
            Format::Json => serde_json::from_str::<KeysOnce>(text).is_ok(),
            Format::Toml => text.parse::<toml_edit::DocumentMut>().is_ok(),
            Format::Yaml => yaml::has_keys_once(text),
        }
    }
}

/// Whether the merged text lost the format that a side has.
pub(super) fn breaks(path: &RelPath, sides: [&str; 2], merged: &str) -> bool {
    let of_side = |side: &str| Format::of(path, side).filter(|format| format.holds(side));
    sides.into_iter().filter_map(of_side).any(|format| !format.holds(merged))
}

/// JSON of which no object has a key twice.
struct KeysOnce;

impl<'de> Deserialize<'de> for KeysOnce {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<KeysOnce, D::Error> {
        deserializer.deserialize_any(KeysOnce)
    }
}

impl<'de> Visitor<'de> for KeysOnce {
    type Value = KeysOnce;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E: Error>(self) -> Result<KeysOnce, E> {
        Ok(self)
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<KeysOnce, E> {
        Ok(self)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<KeysOnce, E> {
        Ok(self)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<KeysOnce, E> {
        Ok(self)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<KeysOnce, E> {
        Ok(self)
    }

    fn visit_str<E: Error>(self, _: &str) -> Result<KeysOnce, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<KeysOnce, A::Error> {
        while items.next_element::<KeysOnce>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<KeysOnce, A::Error> {
        let mut keys: HashSet<String> = HashSet::new();
        while let Some(key) = pairs.next_key::<String>()? {
            if !keys.insert(key) {
                return Err(A::Error::custom("a key twice"));
            }
            pairs.next_value::<KeysOnce>()?;
        }
        Ok(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_merge_may_not_break_the_format() {
        let breaks = |name: &str, good: &str, merged: &str| {
            let path = RelPath::known(&format!("knowledge/{name}"));
            assert!(!breaks(&path, [good, good], good), "{name}");
            breaks(&path, [good, "no { format: ["], merged)
        };
        assert!(breaks("m.json", "{\"a\": 1}", "{\"a\": 1 \"b\": 2}"));
        assert!(breaks("m.json", "{\"a\": [1, {\"b\": 2}]}", "{\"a\": [1, {\"b\": 2, \"b\": 3}]}"));
        assert!(breaks("notebook.ipynb", "[null, true, -1, 0.5, \"x\"]", "[null true]"));
        assert!(!breaks("m.json", "{\"a\": 1}", "{\"a\": {\"a\": 1}, \"b\": 2}"));
        assert!(breaks("t.toml", "[x]\na = 1\n", "[x]\na = 1\na = 2\n"));
        assert!(!breaks("t.toml", "[x]\na = 1\n", "[x]\na = 1\n[y]\na = 2\n"));
        assert!(breaks("k.yaml", "a: 1\n", "a: 1\na: 2\n"));
        assert!(breaks("k.yml", "---\na:\n  - b: 1\n", "---\na:\n  - b: 1\n    b: 2\n"));
        assert!(!breaks("k.yaml", "a: 1\n", "a: {a: 1}\nb: [a, a]\n---\na: 1\n"));
        assert!(!breaks("m.csv", "a,1\n", "a,1\na,1\n"));
        assert!(!breaks("lines.jsonl", "{\"a\": 1}\n{\"a\": 2}\n", "{\"a\": 1}\n{\"a\": 3}\n{}\n"));
    }
}
