//! What a person types for a fact, wherever a command takes one.
//!
//! Invariant: `last` is looked up once, before a question or an editor: what is learned meanwhile
//! does not change which fact is meant. Must not know: the verbs.

use super::{failure::Failure, verb::Cli};
use crate::facts::last;
use crate::index::store::Scope;
use crate::workspace::named::{self, FactRef};

/// Whether it names a fact; anything else is text.
pub(super) fn is_handle(typed: &str) -> bool {
    last::is_meant(typed) || FactRef::parse(typed).is_some()
}

/// The handle that it stands for; of text, the text.
pub(super) fn meant(cli: &Cli<'_>, typed: String, scope: Option<Scope>) -> Result<String, Failure> {
    if !last::is_meant(&typed) {
        return Ok(typed);
    }
    Ok(named::view(cli.ws, &last::find(cli.ws, scope)?).handle)
}

/// The same for several.
pub(super) fn all_meant(
    cli: &Cli<'_>,
    typed: Vec<String>,
    scope: Option<Scope>,
) -> Result<Vec<String>, Failure> {
    typed.into_iter().map(|typed| meant(cli, typed, scope)).collect()
}
