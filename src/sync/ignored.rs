//! Tells a person which files stay on this laptop because a rule of git's says so.
//!
//! Invariant: a sync names each of them once; whoever asks for the state hears of all.

use super::context::SyncContext;
use crate::git::{IgnoreRule, Repo, Staying, index::Difference};
use crate::machine::{Context, folder};
use crate::workspace::{Error, last_sync::Last};

/// How many of them are named where there is something else to say.
const NAMED: usize = 3;

/// The sentences about all files that rules keep on this laptop.
pub fn all_that_stay(context: &Context, repo: &Repo) -> Result<Vec<String>, Error> {
    let listed = folder::list(&context.identity.resolved, "").files;
    let difference = repo.compare(&listed)?;
    Ok(of_difference(context, &difference))
}

/// The same, if the folder was compared already.
pub fn of_difference(context: &Context, difference: &Difference) -> Vec<String> {
    difference.staying.iter().map(|one| stays(context, one)).collect()
}

/// The first sentences, and how many more there are.
pub fn some_that_stay(all: &[String]) -> Vec<String> {
    let more = all.len().saturating_sub(NAMED);
    let more = (more > 0).then(|| format!("and {more} more: `co check` names them"));
    all.iter().take(NAMED).cloned().chain(more).collect()
}

/// The sentences about files that no sync has named.
pub(super) fn not_named_yet(cx: &SyncContext<'_>, ignored: &[Staying]) -> Vec<String> {
    if ignored.is_empty() {
        return Vec::new();
    }
    let last = Last::read(&cx.store);
    let new = ignored.iter().filter(|one| !last.has_named(&one.path));
    new.map(|one| stays(cx.ws, one)).collect()
}

/// The sentence about a file that a rule keeps on this laptop, or several in an ignored folder.
pub fn stays(context: &Context, staying: &Staying) -> String {
    let Staying { path, files, rule: IgnoreRule { file, line, pattern } } = staying;
    let file = context.shown(file);
    if *files == 1 {
        return format!("{path} stays on this laptop: {file}:{line} (`{pattern}`) ignores it");
    }
    format!("{files} files in {path} stay on this laptop: {file}:{line} (`{pattern}`) ignores them")
}
