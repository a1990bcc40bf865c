//! What became of the answers of a review, for a person.
//!
//! Invariant: says only what was carried out.

use super::stale;
use crate::agents;
use crate::cli::style::{Style, plural};
use crate::facts::review::AnswerReport;
use crate::foreign::{Said, said};
use std::collections::BTreeSet;

/// `placed` are the skills that agents here find since these answers.
pub(super) fn text(done: &AnswerReport, placed: &BTreeSet<String>, style: Style) -> Said {
    let mut text = Said::new();
    for kept in &done.kept {
        let id = kept.id.map_or("", |_| kept.handle.as_str());
        let from = kept.agent.as_deref().map(agents::title);
        let from = from.map_or_else(Said::new, |agent| said!(" (from {})", agent));
        let (mark, summary) = (style.learned("✓"), style.fit(&kept.summary, 30));
        text.push(said!("{} Saved fact {}{}: {}\n", mark, id, from, summary));
    }
    for kept in &done.joined {
        let id = kept.id.map_or("", |_| kept.handle.as_str());
        text.push(said!("{} Kept only fact {}: {}\n", style.edited("✓"), id, kept.summary));
    }
    for kept in &done.merged {
        let id = kept.id.map_or("", |_| kept.handle.as_str());
        text.push(said!("{} Merged into fact {}: {}\n", style.edited("✓"), id, kept.summary));
    }
    for kept in &done.forgotten {
        let id = kept.id.map_or("", |_| kept.handle.as_str());
        text.push(said!("{} Forgot fact {}: {}\n", style.forgotten("✓"), id, kept.summary));
    }
    text.push(stale::done(done, style));
    if done.project_only > 0 {
        let notes = plural(done.project_only, "note stays", "notes stay");
        text.push(said!("{} with the project.\n", notes));
    }
    if done.rejected > 0 {
        let count = plural(done.rejected, "proposal", "proposals");
        text.push(said!("{} rejected; you will not be asked again:\n", count));
        for one in &done.rejected_proposals {
            text.push(said!("  {}  {}\n", one.id, style.fit(&one.summary, 16)));
        }
    }
    if done.settled > 0 {
        let count = plural(done.settled, "merge", "merges");
        text.push(said!("{} settled; you will not be asked again.\n", count));
    }
    for name in &done.skills {
        let mark = style.learned("✓");
        let found = if placed.contains(name) { ", and find it from now on" } else { "" };
        text.push(said!(
            "{} Your agents on this laptop may use the skill {}{}.\n",
            mark,
            name,
            found
        ));
    }
    if done.undoable {
        text.push(said!("{}\n", style.dim("Undo: `co undo`.")));
    }
    text
}
