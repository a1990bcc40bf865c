//! `propose`: offers facts and documents to a team's layer, as a branch of its repository.
//!
//! Invariant: only what was named leaves, with its labels and nothing that says which agent or
//! project it came from; the scanner reads each. The layer's own branch and files stay as they are,
//! unless this laptop may write to the layer: then it is saved there.

use crate::documents::{
    offered::{self, OfferedDocument},
    write,
};
use crate::facts::{save, show};
use crate::git::{Id, install, propose as push};
use crate::identity::{
    ContentHash, FileChange, LayerName, Memory, RelPath, Scope, Snapshot, Stamp, memory, slug,
};
use crate::secrets::Allowed;
use crate::sync;
use crate::workspace::{
    Error, ErrorKind, VerbError, Workspace, guard, layers, login, named::FactRef,
};
use serde::Serialize;
use std::collections::BTreeSet;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Handles of facts, and topics of documents.
    pub handles: Vec<String>,
    /// The layer.
    pub to: String,
    pub allowed: Allowed,
}

/// A fact as others will read it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Offered {
    pub text: String,
    pub tags: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    pub layer: LayerName,
    pub facts: Vec<Offered>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<OfferedDocument>,
    /// The new branch; `None` if all is saved in the layer at once.
    pub branch: Option<String>,
    #[serde(skip)]
    allowed: Allowed,
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    pub plan: Plan,
    /// What the server says about opening a request.
    pub addresses: Vec<String>,
}

/// Why nothing was proposed.
#[derive(Debug, thiserror::Error)]
pub enum ProposeError {
    #[error("the layer {layer} already has {what}")]
    Known { layer: LayerName, what: String },
    #[error("the layer {layer} already has {topic}")]
    KnownDocument { layer: LayerName, topic: String },
    #[error("the repository of the layer {layer} has a branch {branch} already")]
    Waits { layer: LayerName, branch: String },
    #[error("the layer {layer} has no remote to propose to")]
    NoRemote { layer: LayerName },
    #[error("the remote of the layer {layer} is sealed, and has no branches")]
    Sealed { layer: LayerName },
}

impl VerbError for ProposeError {
    fn kind(&self) -> ErrorKind {
        match self {
            ProposeError::Known { .. }
            | ProposeError::KnownDocument { .. }
            | ProposeError::Waits { .. } => ErrorKind::Invalid,
            ProposeError::NoRemote { .. } => ErrorKind::NotSetUp,
            ProposeError::Sealed { .. } => ErrorKind::Refused,
        }
    }
}

/// What would be shared; writes nothing.
pub fn plan(ws: &Workspace, request: &Request) -> Result<Plan, Error> {
    let found = layers::find(ws, &request.to)?;
    let unknown = || layers::LayerError::Unknown { name: request.to.clone() };
    let name = found.layer_name().ok_or_else(unknown)?;
    let writes = found.write || found.instead;
    let there = ws.layer(name)?;
    let known: BTreeSet<ContentHash> =
        there.memories().0.into_iter().map(|placed| placed.memory.hash).collect();
    let (mut facts, mut documents): (Vec<Offered>, Vec<OfferedDocument>) = Default::default();
    for handle in &request.handles {
        if FactRef::parse(handle).is_none() {
            let found = offered::find(ws, handle, (&there, &request.allowed))?;
            let known = || ProposeError::KnownDocument { layer: name, topic: handle.clone() };
            let document = found.ok_or_else(known)?;
            if !documents.iter().any(|one| one.topic == document.topic) {
                documents.push(document);
            }
            continue;
        }
        let (_, placed) = show::find(ws, handle, None)?;
        let memory = &placed.memory;
        if known.contains(&memory.hash) {
            return Err(ProposeError::Known { layer: name, what: memory.summary() }.into());
        }
        let (text, tags) = (memory.text().to_owned(), memory.tags.clone());
        let beside: Vec<&str> = tags.iter().map(String::as_str).collect();
        guard::refuse_text(&text, &beside, "", &request.allowed, "Nothing was proposed.")?;
        let offered = Offered { text, tags };
        if !facts.contains(&offered) {
            facts.push(offered);
        }
    }
    let mut plan =
        Plan { layer: name, facts, documents, branch: None, allowed: request.allowed.clone() };
    plan.branch = (!writes).then(|| format!("co/{}/{}", who(ws), plain(&plan.first())));
    Ok(plan)
}

impl Plan {
    /// What it is called by.
    fn first(&self) -> String {
        let fact = self.facts.first().map(|fact| fact.text.lines().next().unwrap_or_default());
        let topic = || self.documents.first().map(|document| document.topic.to_string());
        fact.map(str::to_owned).or_else(topic).unwrap_or_default()
    }
}

/// Who proposes, as a part of a branch's name.
fn who(ws: &Workspace) -> String {
    plain(&install::user_name().unwrap_or_else(|| ws.host.clone()))
}

/// A part of a branch's name, of letters that every server takes.
fn plain(text: &str) -> String {
    let slug: String = slug::slug(text)
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
        .collect();
    let slug = slug.trim_matches('-');
    if slug.is_empty() { "facts".to_owned() } else { slug.to_owned() }
}

pub fn apply(ws: &Workspace, plan: &Plan) -> Result<Report, Error> {
    let Some(branch) = &plan.branch else {
        for fact in &plan.facts {
            let request = save::Request {
                text: fact.text.clone(),
                tags: fact.tags.clone(),
                scope: Some(Scope::Layer(plan.layer)),
                allowed: plan.allowed.clone(),
                ..save::Request::default()
            };
            save::run(ws, &request)?;
        }
        for document in &plan.documents {
            let request = write::Request {
                topic: document.topic.to_string(),
                content: document.text.clone(),
                fields: document.fields.clone(),
                scope: Some(Scope::Layer(plan.layer)),
                allowed: plan.allowed.clone(),
            };
            write::run(ws, &request)?;
        }
        return Ok(Report { plan: plan.clone(), addresses: Vec::new() });
    };
    let there = Workspace::open(layers::within(ws, plan.layer.as_str())?);
    let repo = there.repo()?.ok_or_else(|| sync::no_repository(&there))?;
    let upstream = repo.branch(&there.settings.sync)?;
    if upstream.sealed {
        return Err(ProposeError::Sealed { layer: plan.layer }.into());
    }
    let no_remote = || ProposeError::NoRemote { layer: plan.layer };
    let remote = upstream.remote.as_deref().ok_or_else(no_remote)?;
    let base: Id = repo.ref_id(&upstream.tracking).ok_or_else(no_remote)?;
    let there_now = repo.snapshot(Some(base))?;
    let mut files = files(&there_now, &plan.facts, ws.now());
    for document in &plan.documents {
        let path = document.topic.file();
        let before = path.and_then(|path| there_now.get(&path).cloned());
        let before = before.as_ref().map(|blob| (Scope::Layer(plan.layer), blob));
        files.extend(offered::file(document, before, ws.now())?);
    }
    let tree = repo.write_tree(Some(repo.tree_of(base)?), &files)?;
    let message = format!("Propose: {}\n", plan.first());
    let commit = repo.commit(tree, &[base], &message, &[])?;
    let url = repo.real_url(remote).unwrap_or_default();
    let access = login::access(&there, &url)?;
    let pushed = push(&repo, remote, (&format!("refs/heads/{branch}"), commit), &access)?;
    let waits = || ProposeError::Waits { layer: plan.layer, branch: branch.clone() };
    let addresses = pushed.ok_or_else(waits)?;
    Ok(Report { plan: plan.clone(), addresses })
}

/// The files of new facts, beside those that the layer has.
fn files(there: &Snapshot, facts: &[Offered], now: Stamp) -> Vec<FileChange> {
    let paths: BTreeSet<RelPath> = there.paths().cloned().collect();
    let ids = there.iter().filter(|(path, _)| path.is_memory());
    let ids = ids.filter_map(|(path, blob)| Memory::read(path, blob).ok()?.id);
    let mut id = ids.max().unwrap_or(0);
    let mut files = Vec::new();
    for (fact, at) in facts.iter().zip(0_i64..) {
        id += 1;
        while paths.contains(&slug::memory_path(id, &fact.text)) {
            id += 1;
        }
        let created = Stamp::from_micros(now.micros() + at);
        let text = memory::new_file(id, created, &fact.tags, "user-told", &fact.text);
        let path = slug::memory_path(id, &fact.text);
        files.push(FileChange { path, before: None, after: Some(text.into_bytes().into()) });
    }
    files
}
