//! `--layer NAME`: the one place that a command reads or writes.
//!
//! Invariant: a command about facts and documents works on the named part of what is here anyway;
//! any other works on the named layer as on an identity of its own. Must not know what a layer
//! contains.

use super::{
    failure::{Exit, Failure},
    verb::Needs,
};
use crate::context::LayerKind;
use crate::machine::Context;
use crate::workspace::layers;

/// Commands about facts and documents, wherever these are, besides all of `co memory`.
const OF_STORES: &[&str] = &[
    "context",
    "knowledge add",
    "knowledge delete",
    "knowledge edit",
    "knowledge list",
    "knowledge move",
    "knowledge related",
    "knowledge search",
    "knowledge show",
    "knowledge tree",
    "knowledge write",
];

/// The part of a context with this name.
pub(super) fn kind(name: &str) -> Option<LayerKind> {
    LayerKind::ALL.into_iter().find(|kind| kind.name() == name)
}

/// The kinds among what was typed for a context.
pub(super) fn kinds(typed: &[String]) -> Vec<LayerKind> {
    typed.iter().filter_map(|name| kind(name)).collect()
}

/// Whether a command works where it is not known whose place it is.
pub(super) fn is_open(verb: &str, needs: Needs) -> bool {
    matches!(needs, Needs::Nothing | Needs::Later) || verb.starts_with("layer")
}

/// The context for a command, confined to the layer that a person named.
pub(super) fn chosen(context: Context, typed: &[String], verb: &str) -> Result<Context, Failure> {
    let is_kind = |name: &&String| verb == "context" && kind(name).is_some();
    let mut names = typed.iter().filter(|name| !is_kind(name));
    let Some(name) = names.next() else { return Ok(context) };
    if names.next().is_some() {
        return Err(Failure::new(Exit::Usage, "`--layer` names one layer here")
            .hint("without it, all that are read here are searched together"));
    }
    let context = layers::found(context);
    match name.as_str() {
        "all" | "me" => Ok(layers::confined(context, name)?),
        name if verb == "context" && layers::find(&context, name).is_err() => {
            let parts: Vec<&str> = LayerKind::ALL.into_iter().map(LayerKind::name).collect();
            Err(Failure::new(Exit::Usage, format!("there is no layer or part `{name}`"))
                .hint(format!("the parts of a context: {}", parts.join(", "))))
        }
        name if verb.starts_with("memory ") || OF_STORES.contains(&verb) => {
            Ok(layers::confined(context, name)?)
        }
        name => Ok(layers::within(&context, name)?),
    }
}
