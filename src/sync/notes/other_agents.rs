//! Context layers with notes that other agents wrote about the current project.
//!
//! Invariant: an agent is not shown its own notes, except those that arrived after it read its
//! index; notes of another project are never shown. Each note is one line, without secrets.

use super::{overview, places::WorkTree, report::Exchanged, sharing::is_excluded};
use crate::agents;
use crate::context::layers::{Body, Layer, LayerKind};
use crate::foreign::{Said, said};
use crate::identity::{Calendar, kind::NOTES, note::Note};
use crate::index::store::Store;
use crate::machine::{Context, files};
use crate::secrets;
use std::cmp::Reverse;

/// Maximum characters of a note; the rest is cut.
const MAX_LEN: usize = 400;

/// A layer for each agent with notes about the current project, and one for notes that just arrived
/// in the folder of the asking agent.
pub fn layers(context: &Context, store: &Store, arrived: &[Exchanged]) -> Vec<Layer> {
    // Most identities have no notes, and need not determine the project.
    if !files::is_dir(&store.root.join(NOTES)) {
        return Vec::new();
    }
    let project = WorkTree::around(context, &context.cwd).project;
    if is_excluded(context, &project) {
        return Vec::new();
    }
    let reader = reader(context);
    let of_others = overview::of_project(store, &project);
    let of_others = of_others.into_iter().filter(|(kept, _)| Some(agents::writer(kept)) != reader);
    let layer = |file: String, notes: &mut Vec<(String, Note)>| {
        notes.sort_by_key(|(file, note)| (Reverse(note.modified), file.clone()));
        notes.retain(|(_, note)| !note.says().is_empty());
        let rows: Vec<Said> = notes.iter().map(|(_, note)| row(note, context.calendar())).collect();
        let body = Body::Rows(rows, notes.len());
        let project = Some(project.short().to_owned());
        Layer { kind: LayerKind::AgentNotes, file, project, body, notes: Vec::new() }
    };
    let told = of_others
        .map(|(agent, mut notes)| layer(format!("by {}", agents::title(&agent)), &mut notes));
    let mut told: Vec<Layer> = told.collect();
    // The agents that it starts read theirs.
    let mine = arrived.iter().filter(|one| one.kept == one.agent && Some(one.agent) == reader);
    for one in mine.filter(|one| one.is_here && !one.arrived.is_empty()) {
        let read = |name: &String| {
            let bytes = files::read(&one.folder.join(name)).ok()??;
            Some((name.clone(), Note::lenient(&bytes)))
        };
        let mut notes: Vec<(String, Note)> = one.arrived.iter().filter_map(read).collect();
        let file = "your own, just brought here,".to_owned();
        told.push(layer(file, &mut notes));
    }
    told
}

/// The asking agent, by its name in the table.
fn reader(context: &Context) -> Option<&'static str> {
    agents::client(&context.caller.as_ref()?.client).map(|agent| agent.name)
}

fn row(note: &Note, calendar: &Calendar) -> Said {
    let words: Vec<&str> = note.text.split_whitespace().collect();
    let text = if words.is_empty() { note.says() } else { words.join(" ") };
    let text = secrets::redact(&text);
    let short: String = text.chars().take(MAX_LEN).collect();
    let more = if short.len() < text.len() { " …" } else { "" };
    let day = |at| format!("{}: ", calendar.day_in_file(at));
    let at = note.modified.map_or_else(String::new, day);
    said!("- {}{}{}\n", at, short, more)
}
