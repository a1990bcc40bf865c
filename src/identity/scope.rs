//! Where a fact is kept: in the identity, in a project, or in a layer that others write, too.
//!
//! Invariant: the identity travels with the person; a project's facts stay with the project, a
//! layer's with the layer. The name of a layer can be typed in front of a number, and is neither a
//! number nor a word for another place.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use std::fmt;

#[derive(Clone, Copy, PartialEq, Hash, Eq, PartialOrd, Ord, Debug)]
pub enum Scope {
    Identity,
    /// `.co-cli/` of the current project.
    Project,
    /// A team's identity, beside the person's own.
    Layer(LayerName),
}

const IDENTITY: &str = "identity";
const PROJECT: &str = "project";

impl Scope {
    /// The layer, if it is one.
    pub fn layer(self) -> Option<LayerName> {
        match self {
            Scope::Layer(name) => Some(name),
            Scope::Identity | Scope::Project => None,
        }
    }

    /// How far it is from where a person works: of two with one name, the lower is meant.
    pub fn distance(self) -> u8 {
        match self {
            Scope::Project => 0,
            Scope::Identity => 1,
            Scope::Layer(_) => 2,
        }
    }

    /// How it is named on the command line and in lists.
    pub fn word(&self) -> &str {
        match self {
            Scope::Identity => IDENTITY,
            Scope::Project => PROJECT,
            Scope::Layer(name) => name.as_str(),
        }
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl<'de> Deserialize<'de> for Scope {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scope, D::Error> {
        let word = String::deserialize(deserializer)?;
        match word.as_str() {
            IDENTITY => Ok(Scope::Identity),
            PROJECT => Ok(Scope::Project),
            other => LayerName::new(other)
                .map(Scope::Layer)
                .ok_or_else(|| D::Error::unknown_variant(other, &[IDENTITY, PROJECT])),
        }
    }
}

/// The word for what is read on one laptop only.
pub const HERE: &str = "here";

/// The folder of an identity with the parts of laptops, by their names.
pub const HOSTS: &str = "hosts";

/// The longest name of a layer.
const LONGEST: usize = 32;

/// The name of a layer, such as `acme`: small letters, digits and hyphens.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LayerName {
    letters: [u8; LONGEST],
    length: u8,
}

impl LayerName {
    /// `None` for anything that has another form.
    pub fn new(text: &str) -> Option<LayerName> {
        let is_plain =
            |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        let begins = text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase());
        if !begins || text.len() > LONGEST || text.ends_with('-') || !text.bytes().all(is_plain) {
            return None;
        }
        let mut letters = [0; LONGEST];
        letters[..text.len()].copy_from_slice(text.as_bytes());
        Some(LayerName { letters, length: u8::try_from(text.len()).ok()? })
    }

    /// This laptop's part of the identity, which is read like a layer.
    pub fn here() -> LayerName {
        LayerName::new(HERE).expect("because it has the form of a name")
    }

    pub fn as_str(&self) -> &str {
        let letters = &self.letters[..usize::from(self.length)];
        std::str::from_utf8(letters).expect("because it has plain letters")
    }
}

impl fmt::Display for LayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for LayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl Serialize for LayerName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_can_be_typed_before_a_number() {
        for name in ["acme", "a", "acme-2", "w0rk", &"x".repeat(32)] {
            assert_eq!(LayerName::new(name).expect(name).as_str(), name);
        }
        for other in ["", "Acme", "2acme", "-a", "a-", "a/b", "a b", "ä", &"x".repeat(33)] {
            assert_eq!(LayerName::new(other), None, "{other}");
        }
    }

    #[test]
    fn a_scope_is_a_word_in_json() {
        let acme = Scope::Layer(LayerName::new("acme").expect("a name"));
        for (scope, word) in
            [(Scope::Identity, "identity"), (Scope::Project, "project"), (acme, "acme")]
        {
            let json = format!("\"{word}\"");
            assert_eq!(serde_json::to_string(&scope).expect("json"), json);
            assert_eq!(serde_json::from_str::<Scope>(&json).expect("a scope"), scope);
        }
        assert!(serde_json::from_str::<Scope>("\"No such\"").is_err());
    }
}
