//! Saves a fact for an agent with its provenance, or queues it as a proposal for the person.
//!
//! Invariant: if a person wants to be asked, or the text appears in something that others wrote (a
//! project, a page, another agent's note), it becomes a fact only after the person agrees. A fact
//! saved to a project is not checked.

use super::{
    review::{
        self,
        queue::{self, Put, Queued},
    },
    save,
};
use crate::agents;
use crate::identity::{
    ContentHash, Document, Kind, kind,
    provenance::{Agreed, Provenance},
    text, validate,
};
use crate::index::store::{Scope, Store};
use crate::machine::{Context, files, folder};
use crate::recall::alike::opposed;
use crate::sync::notes::{WorkTree, overview};
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, guard};

/// The outcome for a fact.
#[derive(Clone, PartialEq, Debug)]
pub enum Remembered {
    Saved(Box<save::Report>),
    Waits {
        why: String,
    },
    /// The user has already answered this proposal.
    Answered,
}

impl Remembered {
    fn saved(report: save::Report) -> Remembered {
        Remembered::Saved(Box::new(report))
    }
}

/// Why nothing that an agent proposed was saved.
#[derive(Debug, thiserror::Error)]
pub enum RememberError {
    #[error("{why}; nothing was saved")]
    Hidden { why: String },
    #[error("too many proposals are waiting for the user; nothing was saved")]
    TooMany,
}

impl VerbError for RememberError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refused
    }
}

/// A text with fewer words appears in many texts by chance.
const FEWEST: usize = 4;

/// Fails like [`save::run`], whether the fact is saved or queued.
pub fn run(ws: &Workspace, request: &save::Request) -> Result<Remembered, Error> {
    let store = ws.to_write(request.scope)?;
    if store.scope == Scope::Project {
        return save::run(ws, request).map(Remembered::saved);
    }
    let (request, own) = request.arrived();
    refuse_unseen(&request.text)?;
    let hash = ContentHash::of_body(&validate::text(&request.text)?);
    if review::is_rejected(&store, hash) {
        return Ok(Remembered::Answered);
    }
    let around = WorkTree::around(ws, &ws.cwd);
    let provenance = provenance(ws, &around);
    let asks = &ws.settings.agents.remember.ask;
    let is_asked = |agent: &String| asks.iter().any(|name| name == agent || name == "*");
    let why = if provenance.agent.as_ref().is_some_and(is_asked) {
        Some("the user wants to be asked first".to_owned())
    } else {
        source_of(ws, &store, &around, &request.text)
    };
    if let Some(why) = why {
        return wait(ws, &store, &request, &provenance, why);
    }
    let provenance = Provenance { agreed: Some(Agreed::Auto), ..provenance };
    let request = save::Request { provenance, ..request };
    let report = save::run_arrived(ws, &request)?;
    Ok(Remembered::saved(report.with(own)))
}

fn refuse_unseen(text: &str) -> Result<(), Error> {
    let Some(why) = text::unseen_in_words(text) else { return Ok(()) };
    Err(RememberError::Hidden { why }.into())
}

fn wait(
    ws: &Workspace,
    store: &Store,
    request: &save::Request,
    from: &Provenance,
    why: String,
) -> Result<Remembered, Error> {
    let text = validate::text(&request.text)?;
    let tags = validate::tags(&request.tags)?;
    let beside: Vec<&str> = request.tags.iter().map(String::as_str).collect();
    guard::refuse_text(&text, &beside, "", &request.allowed, "Nothing was saved.")?;
    let hash = ContentHash::of_body(&text);
    let (memories, _) = store.memories();
    if memories.iter().any(|placed| placed.memory.hash == hash) {
        return save::run_arrived(ws, request).map(Remembered::saved);
    }
    let queued = Queued { why: Some(why.clone()), ..Queued::of(&text, &tags, from, ws.now()) };
    let why = match queue::put(store, &queued)? {
        Put::New => why,
        Put::Waiting => "it is already in the queue".to_owned(),
        Put::Answered => {
            return Ok(Remembered::Answered);
        }
        Put::Full => {
            return Err(RememberError::TooMany.into());
        }
    };
    Ok(Remembered::Waits { why })
}

/// The caller, its session and its project.
fn provenance(context: &Context, around: &WorkTree) -> Provenance {
    let Some(caller) = &context.caller else { return Provenance::default() };
    let agent = agents::client(&caller.client).map_or(caller.client.as_str(), |agent| agent.name);
    let named = context.settings.agents.project_names;
    let project = around.named(context).filter(|_| named);
    let session = Some(caller.session.clone()).filter(|session| !session.is_empty());
    Provenance { agent: Some(agent.to_owned()), session, project, agreed: None }
}

/// Describes somebody else's text that contains the same words.
fn source_of(ws: &Workspace, store: &Store, around: &WorkTree, text: &str) -> Option<String> {
    let plain = |text: &str| opposed::words(text).join(" ");
    let wanted = plain(text);
    if wanted.split(' ').count() < FEWEST {
        return None;
    }
    let says = |text: &str| plain(text).contains(&wanted);
    for (agent, found) in overview::of_project(store, &around.project) {
        if found.iter().any(|(_, note)| says(&note.text)) {
            return Some(format!("the same words are in a note of {agent}"));
        }
    }
    for project in ws.projects().unwrap_or_default() {
        let reading = folder::read(&project.root);
        let mut texts = reading.snapshot.iter().filter(|(path, _)| path.name().ends_with(".md"));
        if let Some((path, _)) = texts.find(|(_, blob)| says(&String::from_utf8_lossy(blob))) {
            return Some(format!("the same words are in .co-cli/{path} of the project"));
        }
    }
    let listing = store.document_listing();
    for file in listing.files.into_iter().filter(|file| file.path.kind() == Kind::Article) {
        let bytes = files::read(&file.file).ok().flatten().unwrap_or_default();
        let is_theirs = bytes.len() <= kind::MAX_MEMORY_BYTES as usize
            && Document::read(&bytes).is_ok_and(|document| says(document.text()));
        if is_theirs {
            return Some(format!("the same words are in {}", file.path));
        }
    }
    None
}
