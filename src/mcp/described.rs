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
    let reads = tool.effect == Effect::Reads;
    let hints = ToolAnnotations::new().read_only(reads).open_world(false);
    // Of what only reads, no client asks whether it destroys.
    let hints = if reads { hints } else { hints.destructive(tool.effect == Effect::Changes) };
    let mut schema = (tool.schema)();
    if has_layers
        && tool.group != Group::Work
        && let Some(Value::Object(properties)) = schema.get_mut("properties")
    {
        let layer = json!({
            "type": "string",
            "description": "A team's name, or me",
        });
        properties.insert(LAYER.to_owned(), layer);
    }
    rmcp::model::Tool::new(tool.name, tool.description, Arc::new(schema))
        .with_title(tool.title)
        .with_annotations(hints)
}
