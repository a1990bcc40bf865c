//! Tells a person which files stay on this laptop because the identity's own `.gitignore` says so.
//!
//! Invariant: a sync names each of them once; whoever asks for the state hears of all.

use super::{SyncContext, last::Last};
use crate::identity::RelPath;
use crate::ops::Error;
use crate::system::{
    Context, SystemError, folder,
    git::{IgnoreRule, Repo, index::Difference},
};

/// How many of them are named where there is something else to say.
const NAMED: usize = 3;

/// The sentences about all files that rules of the identity keep on this laptop.
pub fn all_that_stay(context: &Context, repo: &Repo) -> Result<Vec<String>, Error> {
    let listed = folder::list(&context.identity.resolved, "").files;
    let difference = repo.compare(&listed).map_err(SystemError::from)?;
    Ok(of_difference(context, &difference))
}

/// The same, if the folder was compared already.
pub fn of_difference(context: &Context, difference: &Difference) -> Vec<String> {
    difference.kept_back().iter().map(|(path, rule)| stays(context, path, rule)).collect()
}

/// The first sentences, and how many more there are.
pub fn some_that_stay(all: &[String]) -> Vec<String> {
    let more = all.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("and {more} more: `co check` names them"));
    all.iter().take(NAMED).cloned().chain(more).collect()
}

/// The sentences about files that no sync has named.
pub(super) fn not_named_yet(
    cx: &SyncContext<'_>,
    ignored: &[(RelPath, IgnoreRule)],
) -> Vec<String> {
    if ignored.is_empty() {
        return Vec::new();
    }
    let last = Last::read(&cx.store);
    let new = ignored.iter().filter(|(path, _)| !last.has_named(path));
    new.map(|(path, rule)| stays(cx.ws, path, rule)).collect()
}

/// The sentence about a file that a rule keeps on this laptop.
pub fn stays(context: &Context, path: &RelPath, rule: &IgnoreRule) -> String {
    let IgnoreRule { file, line, pattern } = rule;
    let file = context.shown(file);
    format!("{path} stays on this laptop: {file}:{line} (`{pattern}`) ignores it")
}
