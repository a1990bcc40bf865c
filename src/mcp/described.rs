//! The tools as a client reads about them.
//!
//! Invariant: what is of no use on this laptop costs no session a word. Must not know: what a tool
//! does.

use super::{
    place::LAYER,
    tools::{Effect, Group, Tool},
};
use rmcp::model::ToolAnnotations;
use serde_json::{Value, json};
use std::sync::Arc;

/// A tool as described to a client; with layers on this laptop, also the argument for them.
pub fn described(tool: &Tool, has_layers: bool) -> rmcp::model::Tool {
    let hints = ToolAnnotations::new()
        .read_only(tool.effect == Effect::Reads)
        .destructive(tool.effect == Effect::Changes)
        .open_world(false);
    let hints = if tool.effect == Effect::Reads { hints } else { hints.idempotent(true) };
    let mut schema = (tool.schema)();
    if has_layers
        && tool.group != Group::Work
        && let Some(Value::Object(properties)) = schema.get_mut("properties")
    {
        let layer = json!({
            "type": "string",
            "description": "One layer alone: the name of a team's, or me",
        });
        properties.insert(LAYER.to_owned(), layer);
    }
    rmcp::model::Tool::new(tool.name, tool.description, Arc::new(schema))
        .with_title(tool.title)
        .with_annotations(hints)
}
