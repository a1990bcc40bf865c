//! A fact's number on the screen.

use crate::foreign::{Said, said};
use crate::ops::store::Scope;

/// The number of a fact in the form that verbs accept, preceded by a blank; empty without one.
pub(super) fn number(id: Option<u64>, scope: Scope) -> Said {
    let prefix = if scope == Scope::Project { "p" } else { "" };
    id.map_or_else(Said::new, |id| said!(" {}{}", prefix, id))
}
