//! `context`: what an agent reads when a session starts, from the identity and the current project.

mod reader;
mod selected;
mod teams;

use super::handoff;
use crate::context::layers::{self, Assembled, Body, Layer, LayerKind, LayerSource, Markup};
use crate::documents;
use crate::facts::recall;
use crate::foreign::{Said, said};
use crate::identity::{Calendar, Kind, Memory, RelPath, StandingFilter, kind::CONTEXT};
use crate::index::{self, HeldFacts, Shown, store::Store};
use crate::secrets;
use crate::sync::notes;
use crate::workspace::{Error, ErrorKind, Workspace};
use reader::{LayerReader, owner_of_facts};
use selected::Selection;
use std::{borrow::Cow, cmp::Reverse};

/// A one-line fact of at most this many bytes is included whole, any other as its summary.
const MAX_FACT_LEN: usize = 400;

#[derive(Clone, Debug, Default)]
pub struct Request {
    pub format: Markup,
    /// Cut to about this many tokens.
    pub token_budget: Option<usize>,
    /// Only these layers; all when empty.
    pub layers: Vec<LayerKind>,
    pub system_reminder: bool,
    /// Notes that were just written to the folder of the asking agent.
    pub arrived: Vec<notes::Exchanged>,
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Assembled, Error> {
    let mut reader = LayerReader { ws, layers: Vec::new(), warnings: Vec::new() };
    let identity = ws.identity();
    let identity = match identity {
        Err(error) if error.kind() == ErrorKind::Refused => return Err(error),
        identity => identity,
    };
    let teams = teams::read_here(ws)?;
    let own = identity.as_ref().ok().copied().filter(|_| !reader.is_of_team_alone());
    let selection = reader.selection(&teams, own);
    reader.read_selection(&selection, own);
    if !reader.is_of_team_alone() {
        reader.read_system();
        reader.read_identity(own, &selection);
    }
    let projects = reader.read_projects();
    let own: Vec<&Store> = own.into_iter().collect();
    reader.read_teams(&teams, own.first().copied());
    let here = reader.read_here();
    let beside = own.iter().copied().chain(&here);
    let stores: Vec<&Store> = teams.iter().chain(beside).chain(projects).collect();
    let held = HeldFacts::of_stores(&stores, StandingFilter::Current, ws);
    for team in &teams {
        reader.read_memories(LayerKind::TeamMemories, &[team], &held);
    }
    reader.read_memories(LayerKind::Memories, &own, &held);
    if let Some(here) = &here {
        reader.read_memories(LayerKind::Memories, &[here], &held);
    }
    for project in projects.iter().rev() {
        reader.read_memories(LayerKind::ProjectMemories, &[project], &held);
    }
    if let Some(store) = own.first() {
        reader.layers.extend(handoff::layer(ws, store));
        reader.layers.extend(notes::other_agents::layers(ws, store, &request.arrived));
    }
    reader.read_index(&stores);
    if let (Err(error), true) = (identity, reader.layers.is_empty() && projects.is_empty()) {
        return Err(error);
    }
    let LayerReader { mut layers, mut warnings, .. } = reader;
    layers.retain(|layer| request.layers.is_empty() || request.layers.contains(&layer.kind));
    let mut assembled = layers::assemble(&layers, request.format, request.token_budget);
    warnings.append(&mut assembled.warnings);
    assembled.warnings = warnings;
    if request.system_reminder && !assembled.text.is_empty() {
        assembled.text = crate::context::system_reminder(assembled.text, request.format);
    }
    Ok(assembled)
}

impl<'a> LayerReader<'a> {
    /// Also reads what older versions of co left outside the identity.
    fn read_identity(&mut self, store: Option<&Store>, selection: &Selection) {
        if let Some(store) = store {
            for kind in LayerKind::ALL {
                for source in kind.sources() {
                    match *source {
                        LayerSource::File(path) => self.one(kind, store, path),
                        LayerSource::Folder(folder, of) => self.folder(kind, store, folder, of),
                        LayerSource::AlwaysIncluded => self.included(kind, store),
                    }
                }
            }
        }
        if selection.is_enforced() {
            self.leave_out_selection();
        } else {
            self.legacy_personality();
        }
        self.legacy_context();
    }

    /// Reads the nearest project last: later text takes precedence.
    fn read_projects(&mut self) -> &'a [Store] {
        if self.ws.only.is_some() {
            return &[];
        }
        let projects = self.ws.projects().unwrap_or_else(|error| {
            self.warnings.push(format!("a project was left out: {error}"));
            &[]
        });
        for project in projects.iter().rev() {
            self.one(LayerKind::ProjectKnowledge, project, CONTEXT);
            self.one(LayerKind::ProjectInstructions, project, "instructions.md");
        }
        projects
    }

    /// Of the facts that hold the pinned ones first, then the most recalled, then the newest, as
    /// many as the layer's budget allows.
    fn read_memories(&mut self, kind: LayerKind, stores: &[&Store], held: &HeldFacts) {
        let (budget, _) = kind.budget();
        let calendar = self.ws.calendar();
        let recalled = recall::most_recalled(self.ws);
        let (mut shown, mut count) = (Vec::new(), 0);
        for store in stores {
            let mut bytes = 0;
            let reading = (self.ws.context(), held);
            let (found, of) = index::newest(store, reading, &recalled, |one| {
                bytes += line_of(one, calendar).as_str().len();
                bytes > budget
            });
            shown.extend(found);
            count += of;
        }
        let place = |memory: &Memory| {
            recalled.iter().position(|hash_prefix| *hash_prefix == memory.hash.hash_prefix())
        };
        shown.sort_by_cached_key(|Shown { memory, .. }| {
            let recalled = place(memory).unwrap_or(usize::MAX);
            // Ties are in the order of the index.
            let hash_prefix = (memory.hash.hash_prefix().cast_signed(), memory.path.clone());
            (!memory.pinned, recalled, Reverse(memory.latest()), hash_prefix)
        });
        let (mut rows, mut bytes) = (Vec::new(), 0);
        let (mut pinned, mut often, mut newest) = (0, 0, 0);
        for one in &shown {
            let row = line_of(one, calendar);
            bytes += row.as_str().len();
            if bytes > budget {
                break;
            }
            rows.push(row);
            match (one.memory.pinned, place(&one.memory)) {
                (true, _) => pinned += 1,
                (false, Some(_)) => often += 1,
                (false, None) => newest += 1,
            }
        }
        if rows.is_empty() {
            return;
        }
        let often = if often > 0 { format!("{often} recalled, ") } else { String::new() };
        let note = format!("{pinned} pinned, {often}{newest} newest of {count}");
        self.layers.push(Layer {
            kind,
            file: note,
            project: stores.last().and_then(|store| owner_of_facts(store)),
            body: Body::Rows(rows, count),
            notes: Vec::new(),
        });
    }

    /// The documents that match the most called tools.
    fn read_index(&mut self, stores: &[&Store]) {
        let hot = documents::hot::index(self.ws, stores);
        if hot.is_empty() {
            return;
        }
        let rows: Vec<Said> = hot.iter().map(documents::hot::row).collect();
        self.layers.push(Layer {
            kind: LayerKind::KnowledgeIndex,
            file: format!("{} topics", rows.len()),
            project: None,
            body: Body::Rows(rows, hot.len()),
            notes: Vec::new(),
        });
    }

    /// Whether a layer has content: a template's bare headings do not count.
    fn has(&self, kind: LayerKind) -> bool {
        let says = |layer: &Layer| match &layer.body {
            Body::Text(text) => !layers::without_bare_headings(text).is_empty(),
            Body::Rows(rows, _) => !rows.is_empty(),
        };
        self.layers.iter().filter(|layer| layer.kind == kind).any(says)
    }

    /// Until `init` adopts it, the context file of older versions is read from its old place.
    fn legacy_context(&mut self) {
        if self.reads_laptop() && !self.has(LayerKind::GlobalKnowledge) {
            let file = self.ws.config_dir.join(CONTEXT);
            self.file(LayerKind::GlobalKnowledge, &RelPath::known(CONTEXT), &file, None);
        }
    }

    /// Documents outside the profile that are marked for every context.
    fn included(&mut self, kind: LayerKind, store: &Store) {
        for path in documents::always_included(store, self.ws) {
            if path.kind() != Kind::ProfilePart {
                self.file(kind, &path, &store.root.join(path.as_str()), Some(store));
            }
        }
    }
}

/// A fact as the context shows it.
fn line_of(shown: &Shown, calendar: &Calendar) -> Said {
    let text = shown.memory.text();
    let is_short = text.lines().count() == 1 && text.len() <= MAX_FACT_LEN;
    let line = match (is_short, shown.is_plain) {
        (true, true) => Cow::Borrowed(text),
        (true, false) => secrets::redact(text),
        (false, _) => Cow::Borrowed(shown.summary.as_str()),
    };
    let mut head = said!("- {}", shown.memory.day(calendar));
    for mark in &shown.marks {
        head.push(said!(", {}", mark));
    }
    said!("{}: {}\n", head, line)
}
