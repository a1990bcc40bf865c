//! The calls about documents.
//!
//! Invariant: a text that came meanwhile is not overwritten unseen, and a new document takes no
//! place that another has.

use super::call::{Arguments, Call, Data, data};
use crate::documents::{
    KnowledgeError, edit, list as documents, related, search, show as document, write,
};
use crate::index::store::Scope;
use crate::knowledge::Topic;
use crate::secrets::Allowed;
use crate::workspace::Error;
use serde::Deserialize;
use serde_json::json;

/// Tokens of the texts of all results together: the page shows the part that matches.
const SHOWN_TOKENS: usize = 2_000;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentsCall {}

impl Arguments for DocumentsCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        documents::run(call.ws, &documents::Among::default(), call.docs).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DocumentCall {
    topic: String,
    /// Two places may have the same topic.
    #[serde(default)]
    scope: Option<Scope>,
}

impl Arguments for DocumentCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        document::run(call.ws, &self.topic, self.scope, call.docs).map(data)
    }
}

/// All that is connected with a document.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RelatedCall {
    topic: String,
}

impl Arguments for RelatedCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let request = related::Request { what: self.topic, ..Default::default() };
        related::run(call.ws, &request).map(data)
    }
}

/// The documents that answer a question.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchCall {
    query: String,
    limit: usize,
}

impl Arguments for SearchCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let request = search::Request {
            query: self.query,
            limit: self.limit,
            among: documents::Among::default(),
            token_budget: Some(SHOWN_TOKENS),
        };
        search::run(call.ws, &request, call.docs).map(data)
    }
}

/// A document to edit: its text, and the hash that tells it from a later one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenedCall {
    topic: String,
    scope: Scope,
}

impl Arguments for OpenedCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let opened = edit::open(call.ws, &self.topic, Some(self.scope))?;
        Ok(data(json!({ "text": opened.text, "hash": opened.hash })))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditDocumentCall {
    topic: String,
    scope: Scope,
    text: String,
    /// The hash of the text that the person changed.
    based_on: String,
}

impl Arguments for EditDocumentCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let opened = edit::Opened {
            topic: Topic::parse(&self.topic)?,
            scope: self.scope,
            text: String::new(),
            hash: self.based_on,
        };
        let request = edit::Request { opened, text: self.text, allowed: Allowed::default() };
        edit::run(call.ws, &request).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AddDocumentCall {
    topic: String,
    text: String,
}

impl Arguments for AddDocumentCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let scope = Some(call.ws.to_write(None)?.scope);
        let request =
            write::Request { topic: self.topic, content: self.text, scope, ..Default::default() };
        let topic = write::place(call.ws, &request)?.to_string();
        if let Ok(known) = document::run(call.ws, &topic, scope, &[]) {
            return Err(KnowledgeError::Exists { topic: known.topic.to_string() }.into());
        }
        write::run(call.ws, &request).map(data)
    }
}
