//! A command about a layer as an identity of its own says so, whatever it did.
//!
//! Invariant: the name stands once in front of the text, and as `layer` in the JSON. No hint about
//! a team's layer leads to the remote of the person's own identity. Must not know any verb.

use super::{failure::Failure, output::Output};
use crate::foreign::{Said, said};
use crate::hints;
use crate::identity::LayerName;
use crate::machine::Context;
use crate::workspace::Workspace;
use serde_json::{
    Value,
    value::{RawValue, to_raw_value},
};

/// Commands about what an identity has and went through.
const NAMING: &[&str] = &[
    "agent import",
    "agent notes",
    "identity check",
    "identity diff",
    "identity export",
    "identity import",
    "identity log",
    "identity redo",
    "identity restore",
    "identity sync",
    "identity undo",
    "review",
    "review accept",
    "review reject",
];

/// The result of a command, with the layer that it was about.
pub(super) fn named(
    result: Result<Output, Failure>,
    ws: &Workspace,
    verb: &str,
) -> Result<Output, Failure> {
    let Some(name) = ws.own_layer() else { return result };
    let result = result.map_err(|failure| about(failure, name, ws));
    if !NAMING.contains(&verb) {
        return result;
    }
    result.map(|mut output| {
        if output.exact.is_none() && !output.text.is_empty() {
            // What begins with a column has the name above it.
            let is_column = output.text.as_str().starts_with(' ');
            let gap = Said::from(if is_column { "\n" } else { " " });
            output.text = said!("{}:{}{}", name, gap, output.text);
        }
        let data = output.data;
        Output { data: Box::new(move || with_layer(data(), name)), ..output }
    })
}

/// The failure of a command about a team's layer.
pub(super) fn about(failure: Failure, name: LayerName, context: &Context) -> Failure {
    let is_of_team = context.instead() != Some(name);
    let hints = if is_of_team { hints::about_layer(failure.hints, name) } else { failure.hints };
    Failure { hints, ..failure }
}

/// The data of the command with the name, if it has keys.
fn with_layer(data: Box<RawValue>, name: LayerName) -> Box<RawValue> {
    match serde_json::from_str::<Value>(data.get()) {
        Ok(Value::Object(mut keys)) => {
            keys.insert("layer".to_owned(), Value::String(name.to_string()));
            to_raw_value(&keys).unwrap_or(data)
        }
        _ => data,
    }
}
