//! The list of layers in settings.json: other identities, and where each is read.
//!
//! Invariant: a list that is not sound is a fault as a whole, never a shorter list: an identity
//! that stands in for the person's own must not vanish by a typing error. Must not know: what is
//! active where.

use crate::identity::{LayerName, layers as places};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A layer, as settings.json names it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LayerSettings {
    pub name: String,
    /// Patterns of its places; everywhere if there is none.
    #[serde(rename = "for", skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<String>,
    /// Whether it stands in for the person's own identity in its places.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub instead: bool,
    /// Whether this laptop may write to it, and push.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub write: bool,
    /// Whether its rules come before what is nearer.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub enforce: bool,
    /// Its folder, if it is not below `layers/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl LayerSettings {
    /// The name, in the one form that it may have.
    pub fn layer_name(&self) -> Option<LayerName> {
        LayerName::new(&self.name)
    }
}

/// What the value must be.
pub(super) const EXPECTED: &str = "a list such as [{\"name\": \"work\", \"for\": \
    [\"~/work/**\"], \"instead\": true, \"write\": true}], with each name once, and `for` beside \
    `instead`";

const KEYS: &[&str] = &["name", "for", "instead", "write", "enforce", "path"];

/// Whether all of it can be used.
pub(super) fn are_sound(value: &Value) -> bool {
    let Some(rows) = value.as_array() else { return false };
    let has_known_keys = |row: &Value| {
        let object = row.as_object();
        object.is_some_and(|object| object.keys().all(|key| KEYS.contains(&key.as_str())))
    };
    if !rows.iter().all(has_known_keys) {
        return false;
    }
    let Ok(layers) = serde_json::from_value::<Vec<LayerSettings>>(value.clone()) else {
        return false;
    };
    let is_sound = |layer: &LayerSettings| {
        layer.layer_name().is_some()
            && (!layer.instead || !layer.places.is_empty())
            && layer.places.iter().all(|place| places::read(place).is_ok())
    };
    let is_once =
        |layer: &LayerSettings| layers.iter().filter(|other| other.name == layer.name).count() == 1;
    layers.iter().all(|layer| is_sound(layer) && is_once(layer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_list_is_used_whole_or_not_at_all() {
        for sound in [
            json!([]),
            json!([{ "name": "acme" }]),
            json!([{ "name": "work", "for": ["~/work"], "instead": true }, { "name": "acme" }]),
        ] {
            assert!(are_sound(&sound), "{sound}");
        }
        for other in [
            json!({}),
            json!(["acme"]),
            json!([{}]),
            json!([{ "name": "Acme" }]),
            json!([{ "name": "acme" }, { "name": "acme" }]),
            json!([{ "name": "work", "instead": true }]),
            json!([{ "name": "work", "for": "~/work" }]),
            json!([{ "name": "work", "for": ["work"], "instead": true }]),
            json!([{ "name": "work", "fro": ["~/work"] }]),
            json!([{ "name": "work", "for": ["~/work"], "instead": "yes" }]),
        ] {
            assert!(!are_sound(&other), "{other}");
        }
    }
}
