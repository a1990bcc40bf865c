//! The one layer that a call names, and the way to the person's own identity that it may not name.
//!
//! Invariant: `me` and the folder of the person's own identity are refused where another identity
//! stands in for it, whatever names them: an option, a tool's argument, a path. Must not know any
//! verb.

use super::{LayerError, scope};
use crate::identity::{Scope, layers::Undecided};
use crate::machine::{Context, files};
use crate::workspace::Error;
use std::path::Path;

/// The same call about the layer that was named alone: `me`, or `all` for what is read here
/// anyway. Its layers are known.
pub fn confined(context: Context, name: &str) -> Result<Context, Error> {
    match name {
        "all" => Ok(context),
        "me" => match context.instead() {
            Some(name) => Err(LayerError::NoMe { name }.into()),
            None => Ok(context.confined(Scope::Identity)),
        },
        name => {
            let only = scope(&context, name)?;
            Ok(context.confined(only))
        }
    }
}

/// Refuses a path into the person's own identity where another stands in for it, or into what co
/// keeps beside it, and a folder that has either: what is in one comes to the other by no verb. The
/// other way round, the person names a layer that they may read.
pub fn refuse_own(context: &Context, path: &Path) -> Result<(), Error> {
    let Some(name) = context.instead() else { return Ok(()) };
    let path = files::resolve(path);
    let own = files::resolve(&context.own_identity());
    // With the texts that were changed.
    let kept = files::resolve(&context.config_dir).join("local");
    let meets = |folder: &Path| path.starts_with(folder) || folder.starts_with(&path);
    if !meets(&own) && !meets(&kept) {
        return Ok(());
    }
    let folder = context.shown(&context.cwd);
    Err(LayerError::Undecided { why: Undecided::NamesMe(name), folder }.into())
}
