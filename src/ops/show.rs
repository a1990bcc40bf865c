//! `memory show`, and how a handle finds its memory.
//!
//! Invariant: an ambiguous handle is answered with all candidates, never with a guess.

use super::{
    Exit, Failure,
    named::{self, Named, Shared},
    store::{Placed, Scope, Store},
};
use crate::system::Context;

/// The one memory that a handle names; for several, [`Exit::Declined`] with the candidates.
pub fn find(
    context: &Context,
    text: &str,
    scope: Option<Scope>,
) -> Result<(Store, Placed), Failure> {
    let named = Named::parse(text).ok_or_else(|| {
        Failure::new(Exit::Usage, format!("`{text}` names no memory")).hint(
            "a memory is named by its number (`12`, `p12` in a project), `12-3fa9` or `sha256:3fa9…`; `co \
                list` shows them",
        )
    })?;
    let mut found = Vec::new();
    for store in Store::to_read(context, scope)? {
        let (memories, _) = store.memories();
        found.extend(
            memories
                .into_iter()
                .filter(|placed| named.names(placed))
                .map(|placed| (store.clone(), placed)),
        );
    }
    named.settle(&mut found, |(store, _)| store.scope);
    named::with_moved(context, &named, &mut found);
    match found.len() {
        0 => Err(Failure::new(Exit::NotFound, format!("there is no memory {text}"))
            .hint("`co list` shows what is there")),
        1 => Ok(found.remove(0)),
        _ => Err(ambiguous(text, found.iter().map(|(_, placed)| placed))),
    }
}

pub fn ambiguous<'a>(text: &str, candidates: impl Iterator<Item = &'a Placed>) -> Failure {
    let asked = text.trim().parse::<u64>().ok();
    // A fact by another number had this one here, until a sync gave it away.
    let was =
        |placed: &Placed| asked.filter(|asked| placed.memory.id.is_some_and(|id| id != *asked));
    let line = |placed: &Placed| {
        let handle = named::of(&placed.memory, placed.scope, Shared::Yes);
        let before = was(placed).map_or_else(String::new, |was| {
            format!("  (was {was} on this laptop, until a sync renumbered it)")
        });
        format!("{handle}  {}{before}", placed.memory.summary())
    };
    let candidates: Vec<&Placed> = candidates.collect();
    let why = match candidates.iter().any(|placed| was(placed).is_some()) {
        true => "is the number of another memory since a sync, so it may mean either",
        false => "names several memories",
    };
    let message = format!("`{text}` {why}; nothing was changed");
    let mut failure = Failure::new(Exit::Declined, message);
    failure.hints = candidates.into_iter().map(line).collect();
    failure.hint("say which one with its handle")
}
