//! The calls that read.
//!
//! Invariant: nothing is changed, and nothing is recorded as read by an agent.

use super::{Arguments, Call, Data, data};
use crate::agents;
use crate::context::LayerKind;
use crate::ops::{
    Error,
    agent::session,
    context as assembled, diff,
    knowledge::{list as documents, show as document},
    list, log, recall,
    review::{self, Among},
    revision, show, status,
    store::Scope,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Watch {
    /// Whether a person did something since the last call.
    #[serde(rename = "active")]
    _active: bool,
}

impl Arguments for Watch {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let revision = revision::of(call.context);
        Ok(data(json!({ "revision": revision, "read_only": call.is_read_only })))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Status {}

impl Arguments for Status {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        status::run(call.context).map(data)
    }
}

#[derive(Serialize)]
struct Operations {
    operations: Vec<log::LogEntry>,
}

/// Operations, newest first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Log {
    limit: usize,
}

impl Arguments for Log {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        Ok(data(Operations { operations: log::run(call.context, self.limit)? }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct List {}

impl Arguments for List {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        list::run(call.context, &list::Request::default()).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Recall {
    query: String,
    limit: usize,
}

impl Arguments for Recall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let kind = Some(recall::AnswerKind::Memory);
        let among = recall::RecallFilter { kind, ..Default::default() };
        let request = recall::Request { query: self.query, limit: self.limit, among };
        call.recall.run(call.context, &request).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Show {
    handle: String,
    scope: Scope,
}

impl Arguments for Show {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let (_, placed) = show::find(call.context, &self.handle, Some(self.scope))?;
        Ok(data(show::Report::of(&placed)))
    }
}

/// The history of one fact.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Life {
    handle: String,
}

impl Arguments for Life {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        log::life(call.context, &self.handle).map(data)
    }
}

/// The laptop on which each fact was learned, by its origin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Laptops {}

impl Arguments for Laptops {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        Ok(data(json!({ "laptops": log::laptops(call.context)? })))
    }
}

/// What importing an archive would change. It is read from the arguments, and is on no disk.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Diff {
    name: String,
    /// In base64.
    archive: String,
}

impl Arguments for Diff {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let bytes = BASE64_STANDARD.decode(&self.archive).unwrap_or_default();
        let report = diff::of_archive(call.context, &self.name, &bytes)?;
        let mut data = report.json();
        data["warnings"] = json!(report.warnings);
        Ok(super::data(data))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Review {}

impl Arguments for Review {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        Ok(data(json!({ "proposals": review::list(call.context, Among::Proposed)? })))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Documents {}

impl Arguments for Documents {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        documents::run(call.context, &documents::Among::default(), call.docs).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    topic: String,
}

impl Arguments for Document {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        document::run(call.context, &self.topic, None, call.docs).map(data)
    }
}

/// What an agent reads at the start of a session; without a name, any that co does not know.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Assembled {
    agent: Option<String>,
}

impl Arguments for Assembled {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let Some(agent) = &self.agent else { return layers(call, Vec::new()) };
        let Some(agent) = agents::find(agent) else { return layers(call, Vec::new()) };
        let assembled = session::preview(call.context, agent)?;
        Ok(data(json!({ "text": assembled.text, "layers": assembled.accounts })))
    }
}

/// The part of it that says who the person is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Profile {}

impl Arguments for Profile {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        layers(call, vec![LayerKind::Profile])
    }
}

fn layers(call: &Call<'_>, layers: Vec<LayerKind>) -> Result<Data, Error> {
    let request = assembled::Request { layers, ..Default::default() };
    let assembled = assembled::run(call.context, &request)?;
    Ok(data(json!({ "text": assembled.text, "layers": assembled.accounts })))
}
