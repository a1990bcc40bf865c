//! Schemas of the tools, generated from the types of their arguments.
//!
//! Invariant: short, because every session of every agent pays for them: no word that is useless to
//! a model.

use rmcp::model::JsonObject;
use schemars::{JsonSchema, generate::SchemaSettings};
use serde_json::{Value, json};

/// The argument that every tool takes besides its own.
pub const PROJECT: &str = "project";

pub fn for_arguments<A: JsonSchema>() -> JsonObject {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
    });
    let mut schema = settings.into_generator().into_root_schema_for::<A>().to_value();
    shorten(&mut schema);
    let mut object = match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    };
    // An argument that is not here would be refused.
    object.insert("additionalProperties".to_owned(), json!(false));
    let properties = object.entry("properties").or_insert_with(|| json!({}));
    properties[PROJECT] = json!({
        "type": "string",
        "description": "Its folder, if another",
    });
    object
}

/// Removes titles, formats, empty defaults and nullability.
fn shorten(value: &mut Value) {
    let Value::Object(object) = value else { return };
    for word in ["title", "format", "minimum", "additionalProperties"] {
        object.remove(word);
    }
    if object.get("default").is_some_and(is_nothing) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(values)) = object.get_mut("enum") {
        values.retain(|value| !value.is_null());
    }
    // The description of a struct is for readers of the code.
    if object.contains_key("properties") {
        object.remove("description");
    }
    if let Some(Value::Object(properties)) = object.get_mut("properties") {
        properties.values_mut().for_each(shorten);
    }
    if let Some(items) = object.get_mut("items") {
        shorten(items);
    }
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value == &json!([]) || value == &json!("")
}
