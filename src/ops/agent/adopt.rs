//! `agent import`: imports what agents already know into the identity, after a preview.
//!
//! Invariant: only proposals that were shown are imported; forgotten facts stay forgotten; facts
//! known here, in the same or other words, are skipped; a secret is held back and reported by its
//! rule. One undo reverts the import, which never changes the agents' files.

use super::places;
use crate::adopt::{self, Proposal, ProposedAs, SourceForm};
use crate::agents::{Agent, HERE, ImportSource};
use crate::identity::{
    Document, Ledger, Memory, RelPath, Snapshot, Stamp, incoming,
    kind::{LEDGER, PROFILE},
    manifest::Manifest,
    memory, slug,
    value::Value,
};
use crate::merge::import::How;
use crate::ops::agent::AgentError;
use crate::ops::{Error, catalog, guard, import, source::Incoming, store::Store};
use crate::recall::similar;
use crate::secrets::Allowed;
use crate::system::{Context, files};
use serde::Serialize;
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Agent names; if empty, all agents that have something to import.
    pub agents: Vec<String>,
    /// A file or folder of another program, instead of agents.
    pub from: Option<PathBuf>,
    pub allowed: Allowed,
    pub alike: Alike,
}

/// How to treat a proposal that is nearly the same as an existing fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Alike {
    /// It is reported, and not proposed.
    #[default]
    LeftOut,
    Taken,
}

pub struct Adoption {
    pub plan: import::Plan,
    pub found: Vec<ImportedFile>,
    /// What is not proposed, and why.
    pub left: Vec<Left>,
    /// Files that could not be read, and why.
    pub unread: Vec<String>,
}

/// A file and the number of proposals found in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ImportedFile {
    /// The agent or other program.
    pub source: String,
    pub file: PathBuf,
    pub proposals: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Left {
    pub text: String,
    pub why: String,
    /// Whether it was left out because it resembles an existing fact, and can still be taken.
    pub is_alike: bool,
}

/// Limits on the files read from a folder, and on the size of each.
const MAX_FILES: usize = 2_000;
const MAX_BYTES: usize = 1024 * 1024;
/// How deep to descend into a folder that a person gave.
const DEPTH: usize = 6;

const NEW_TRAIT: &str = "---\nversion: 1\n---\n\n# Communication Style\n";

/// A file that may contain proposals.
struct Candidate {
    source: String,
    file: PathBuf,
}

pub fn plan(context: &Context, request: &Request) -> Result<Adoption, Error> {
    let candidates = match &request.from {
        Some(path) => named_by_person(context, path)?,
        None => of_agents(context, &request.agents)?,
    };
    let store = Store::identity(context)?;
    let mut gathered = Collected::default();
    for candidate in &candidates {
        gathered.file(context, candidate, request);
    }
    let is_read = !gathered.all.is_empty() || !gathered.left.is_empty();
    if let (Some(_), false, Some(why)) = (&request.from, is_read, gathered.unread.first()) {
        let more = gathered.unread.len() - 1;
        return Err(AgentError::Unreadable { why: why.clone(), more }.into());
    }
    let (here, _) = store.memories();
    let here: Vec<Memory> = here.into_iter().map(|placed| placed.memory).collect();
    let mut snapshot = Snapshot::default();
    for memory in gathered.new_memories(context, &store, &here, request.alike) {
        snapshot.put(memory.path.clone(), memory.blob.clone());
    }
    gathered.put_fields(&mut snapshot);
    gathered.put_traits(context, &store, &mut snapshot)?;
    let mut sources: Vec<&str> = gathered.found.iter().map(|found| found.source.as_str()).collect();
    sources.dedup();
    let import = import::Request {
        source: if sources.is_empty() { "agents".to_owned() } else { sources.join(", ") },
        how: How::Merge,
        allowed: request.allowed.clone(),
    };
    let incoming = Incoming { snapshot, manifest: Manifest::default(), warnings: Vec::new() };
    let plan = import::plan_of(context, &import, incoming)?;
    let Collected { found, left, unread, .. } = gathered;
    Ok(Adoption { plan, found, left, unread })
}

fn of_agents(context: &Context, names: &[String]) -> Result<Vec<Candidate>, Error> {
    let agents: Vec<&'static Agent> = match names {
        [] => crate::agents::ALL.iter().collect(),
        names => super::named(names)?,
    };
    let mut candidates: Vec<Candidate> = Vec::new();
    for agent in agents {
        // Project rules are taken as the person's own only if the agent was given by name.
        let meant = |known: &&ImportSource| !names.is_empty() || known.place.otherwise != HERE;
        for known in agent.import_sources.iter().filter(meant) {
            let files = files_of(&places::of(context, &known.place), known);
            candidates.extend(
                files.into_iter().map(|file| Candidate { source: agent.name.to_owned(), file }),
            );
        }
    }
    // A file that several agents read is read once.
    let mut seen = BTreeSet::new();
    candidates.retain(|candidate| seen.insert(files::resolve(&candidate.file)));
    if candidates.is_empty() {
        return Err(AgentError::NothingKept.into());
    }
    Ok(candidates)
}

fn files_of(place: &Path, known: &ImportSource) -> Vec<PathBuf> {
    if known.depth == 0 {
        return if files::is_file(place) { vec![place.to_owned()] } else { Vec::new() };
    }
    let mut found = Vec::new();
    walk(place, known.depth, known.endings, &mut found);
    found
}

fn walk(folder: &Path, depth: usize, endings: &[&str], found: &mut Vec<PathBuf>) {
    for name in files::names(folder) {
        let path = folder.join(&name);
        if found.len() >= MAX_FILES || name.starts_with('.') {
            continue;
        }
        if files::is_dir(&path) && !files::is_link(&path) && depth > 1 {
            walk(&path, depth - 1, endings, found);
        } else if endings.iter().any(|ending| name.ends_with(ending)) && files::is_file(&path) {
            found.push(path);
        }
    }
}

fn named_by_person(context: &Context, path: &Path) -> Result<Vec<Candidate>, Error> {
    let path = context.cwd.join(path);
    if !files::exists(&path) {
        return Err(AgentError::NoPath { path: context.shown(&path) }.into());
    }
    let mut found = Vec::new();
    if files::is_dir(&path) {
        walk(&path, DEPTH, &[".md", ".mdc", ".json", ".txt"], &mut found);
    } else if files::is_file(&path) {
        found.push(path.clone());
    }
    if found.is_empty() {
        return Err(AgentError::NothingIn { path: context.shown(&path) }.into());
    }
    let name =
        path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(found.into_iter().map(|file| Candidate { source: name.clone(), file }).collect())
}

/// A proposal with its source and time.
struct SourcedProposal {
    proposal: Proposal,
    source: String,
    at: Stamp,
}

#[derive(Default)]
struct Collected {
    all: Vec<SourcedProposal>,
    found: Vec<ImportedFile>,
    left: Vec<Left>,
    unread: Vec<String>,
}

impl Collected {
    fn file(&mut self, context: &Context, candidate: &Candidate, request: &Request) {
        let file = &candidate.file;
        let name = file.to_string_lossy();
        let is_export = name.ends_with(".json");
        if files::size(file) > MAX_BYTES && !is_export {
            self.unread.push(format!("{}: larger than 1 MiB", context.shown(file)));
            return;
        }
        let text = match files::read_text(file) {
            Ok(text) => incoming::plain(&text.unwrap_or_default()).into_owned(),
            Err(error) => return self.unread.push(error.to_string()),
        };
        let form = match adopt::form_of(&name, &text) {
            // Only a file that a person gave is read as another program's notes.
            SourceForm::Note if request.from.is_none() => SourceForm::Markdown,
            form => form,
        };
        match adopt::read(form, &text) {
            Ok(proposals) => self.proposals(context, candidate, proposals, &request.allowed),
            Err(why) => self.unread.push(format!("{}: {why}", context.shown(file))),
        }
    }

    fn proposals(
        &mut self,
        context: &Context,
        candidate: &Candidate,
        proposals: Vec<Proposal>,
        allowed: &Allowed,
    ) {
        let read = files::mtime(&candidate.file).unwrap_or_else(|| context.now());
        let mut count = 0;
        for proposal in proposals {
            let tags: Vec<&str> = proposal.tags.iter().map(String::as_str).collect();
            if let Err(error) = guard::refuse_text(&proposal.text, &tags, "", allowed, "") {
                let file = context.shown(&candidate.file);
                let why = error.clause();
                self.left.push(Left { text: file, why, is_alike: false });
                continue;
            }
            // Distinct creation times keep the facts of one file apart.
            let at = proposal.at.unwrap_or(read);
            let at = Stamp::from_micros(at.micros() + self.all.len() as i64);
            self.all.push(SourcedProposal { proposal, source: candidate.source.clone(), at });
            count += 1;
        }
        if count > 0 {
            let (source, file) = (candidate.source.clone(), candidate.file.clone());
            self.found.push(ImportedFile { source, file, proposals: count });
        }
    }

    /// The facts that are not yet known here, in the same or other words.
    fn new_memories(
        &mut self,
        context: &Context,
        store: &Store,
        here: &[Memory],
        alike: Alike,
    ) -> Vec<Memory> {
        let first = here.iter().filter_map(|memory| memory.id).max().unwrap_or(0) + 1;
        let mut seen: BTreeSet<_> = here.iter().map(|memory| memory.hash).collect();
        let mut new: Vec<Memory> = Vec::new();
        let ledger = files::read(&store.root.join(LEDGER)).ok().flatten();
        let ledger = ledger.map(|bytes| Ledger::read(&bytes)).unwrap_or_default();
        for gained in self.all.iter().filter(|gained| gained.proposal.what == ProposedAs::Fact) {
            let Proposal { text, tags, .. } = &gained.proposal;
            let id = first + new.len() as u64;
            let tags = crate::identity::validate::tags(tags).unwrap_or_default();
            let file = memory::new_file(id, gained.at, &tags, &gained.source, text);
            let path = slug::memory_path(id, text);
            let Ok(memory) = Memory::read(&path, &file.into_bytes().into()) else { continue };
            if !seen.insert(memory.hash) {
                continue;
            }
            // A forgotten fact stays forgotten, even if a newer file repeats it.
            match ledger.of_text(memory.hash) {
                Some(stamp) => {
                    let why = format!("forgotten here on {}", context.calendar().day(stamp));
                    self.left.push(Left { text: memory.summary(), why, is_alike: false });
                }
                None => new.push(memory),
            }
        }
        if alike == Alike::Taken {
            return new;
        }
        self.leave_out_alike(context, store, here, new)
    }

    /// Leaves out facts that nearly repeat an existing fact or each other.
    fn leave_out_alike(
        &mut self,
        context: &Context,
        store: &Store,
        here: &[Memory],
        mut new: Vec<Memory>,
    ) -> Vec<Memory> {
        let vectors = catalog::vectors(store, context);
        let known: Vec<&Memory> = here.iter().collect();
        let fresh: Vec<&Memory> = new.iter().collect();
        let mut alike = similar::nearest(&fresh, &known, &vectors);
        let by_age = similar::by_age(&new);
        alike.extend(similar::described(&by_age, &similar::pairs(&by_age, &vectors)));
        for pair in &alike {
            let Some(memory) = new.iter().find(|memory| memory.path.as_str() == pair.path) else {
                continue;
            };
            let other = if here.iter().any(|known| known.path.as_str() == pair.other_path) {
                pair.other_id.map_or_else(String::new, |id| format!("{id} "))
            } else {
                String::new()
            };
            let why = format!("similar to {other}\"{}\"", pair.other);
            self.left.push(Left { text: memory.summary(), why, is_alike: true });
        }
        let gone: BTreeSet<&str> = alike.iter().map(|pair| pair.path.as_str()).collect();
        new.retain(|memory| !gone.contains(memory.path.as_str()));
        new
    }

    /// As a minimal profile that loses to anything a person has set.
    fn put_fields(&self, snapshot: &mut Snapshot) {
        let mut lines = String::new();
        let mut seen = BTreeSet::new();
        for gained in &self.all {
            if let ProposedAs::Field(key) = &gained.proposal.what
                && seen.insert(key.clone())
            {
                lines.push_str(&format!("- {key}: {}\n", gained.proposal.text));
            }
        }
        if lines.is_empty() {
            return;
        }
        let text =
            format!("---\nversion: 1\nupdated: {}\n---\n\n# Profile\n\n{lines}", Stamp::EPOCH);
        snapshot.put(RelPath::known(PROFILE), text.into_bytes());
    }

    /// Appends them to the trait's existing text.
    fn put_traits(
        &mut self,
        context: &Context,
        store: &Store,
        snapshot: &mut Snapshot,
    ) -> Result<(), Error> {
        let names: BTreeSet<&str> = self
            .all
            .iter()
            .filter_map(|gained| match gained.proposal.what {
                ProposedAs::Trait(name) => Some(name),
                _ => None,
            })
            .collect();
        for name in names {
            let path = RelPath::known(&format!("traits/{name}.md"));
            let there = files::read(&store.root.join(path.as_str()))?;
            let there = there.unwrap_or_else(|| NEW_TRAIT.as_bytes().to_vec());
            let Ok(mut document) = Document::read(&there) else {
                self.unread.push(format!("{path} cannot be read; `co check` says why"));
                continue;
            };
            let mut body = document.text().trim_end().to_owned();
            let before = body.len();
            let lines =
                self.all.iter().filter(|gained| gained.proposal.what == ProposedAs::Trait(name));
            for gained in lines {
                let line = format!("- {}", gained.proposal.text.replace('\n', " "));
                if !body.lines().any(|known| known == line) {
                    let gap = if body.lines().last().is_some_and(|last| last.starts_with('-')) {
                        "\n"
                    } else {
                        "\n\n"
                    };
                    body.push_str(&format!("{gap}{line}"));
                }
            }
            if body.len() == before {
                continue;
            }
            document.set_body(format!("\n{body}\n"));
            document.set("updated", Value::Text(context.now().to_string()));
            document.set_checksum();
            snapshot.put(path, document.write().into_bytes());
        }
        Ok(())
    }
}
