//! `knowledge edit`: the text of a document, for an editor and back.
//!
//! Invariant: a text that came meanwhile is not overwritten unseen; the document stays where it is,
//! and keeps its labels unless the new text brings its own. Must not know: the editor.

use super::{
    show,
    store_documents::{self, PlacedDocument},
    write::{self, Edited},
};
use crate::index::store::{Scope, Store};
use crate::knowledge::Topic;
use crate::secrets::Allowed;
use crate::workspace::{Error, Workspace};

/// A document in an editor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opened {
    pub topic: Topic,
    pub scope: Scope,
    pub text: String,
    /// The hash of that text, to notice another one.
    pub hash: String,
}

#[derive(Clone, Debug)]
pub struct Request {
    /// What was opened, or what the person agreed to replace since.
    pub opened: Opened,
    /// The new text.
    pub text: String,
    pub allowed: Allowed,
}

/// Opens a document; one that cannot be changed is refused before anything is typed.
pub fn open(ws: &Workspace, topic: &str, scope: Option<Scope>) -> Result<Opened, Error> {
    let (store, placed) = show::find(ws, &Topic::parse(topic)?, scope)?;
    store_documents::refuse_locked(&placed)?;
    Ok(opened(&store, &placed))
}

/// The same document as it is now.
pub fn again(ws: &Workspace, before: &Opened) -> Result<Opened, Error> {
    let (store, placed) = show::find(ws, &before.topic, Some(before.scope))?;
    Ok(opened(&store, &placed))
}

fn opened(store: &Store, placed: &PlacedDocument) -> Opened {
    Opened {
        topic: placed.entry.topic.clone(),
        scope: store.scope,
        // As editors leave a text.
        text: format!("{}\n", placed.entry.text.trim_end()),
        hash: placed.document().hash().to_string(),
    }
}

pub fn run(ws: &Workspace, request: &Request) -> Result<write::Report, Error> {
    let Request { opened, text, allowed } = request;
    let (store, placed) = show::find(ws, &opened.topic, Some(opened.scope))?;
    let now = placed.entry.text.as_str();
    let request = write::Request {
        topic: opened.topic.full(),
        content: text.clone(),
        scope: Some(opened.scope),
        allowed: allowed.clone(),
        ..write::Request::default()
    };
    write::carried_out(ws, &request, Some(&Edited { store: &store, now, based_on: &opened.hash }))
}
