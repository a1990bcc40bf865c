//! The calls that read.
//!
//! Invariant: nothing is changed, and nothing is recorded as read by an agent.

use super::call::{Arguments, Call, Data, data};
use crate::agents;
use crate::context::{LayerKind, layers::Assembled};
use crate::facts::{
    life, list, log, recall,
    review::{self, Among},
    show,
};
use crate::identity::StandingFilter;
use crate::index::store::Scope;
use crate::integrations::{agent::session, context as assembled};
use crate::transfer::diff;
use crate::upkeep::{revision, status};
use crate::workspace::{Error, asked::Within, named};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WatchCall {
    /// Whether a person did something since the last call.
    #[serde(rename = "active")]
    _active: bool,
}

impl Arguments for WatchCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let revision = revision::current(call.ws);
        let home = call.ws.home.display().to_string();
        let state = json!({
            "revision": revision,
            "read_only": call.is_read_only,
            "home": home,
            // Days on the page are the person's, whatever zone the browser is in.
            "zone": call.ws.calendar().zone_name(),
        });
        Ok(data(state))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StatusCall {}

impl Arguments for StatusCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        status::run(call.ws).map(data)
    }
}

#[derive(Serialize)]
struct Operations {
    operations: Vec<log::LogEntry>,
}

/// Operations, newest first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LogCall {
    limit: usize,
}

impl Arguments for LogCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        Ok(data(Operations { operations: log::run(call.ws, self.limit, Within::All)? }))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ListCall {
    #[serde(default)]
    which: Wanted,
    /// The most to list: pinned ones, then those learned last. A screen of them is there before
    /// thousands are.
    #[serde(default)]
    limit: Option<usize>,
}

/// Which facts the page shows.
#[derive(Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
enum Wanted {
    /// Those that hold now.
    #[default]
    Current,
    All,
}

impl From<Wanted> for StandingFilter {
    fn from(wanted: Wanted) -> StandingFilter {
        match wanted {
            Wanted::Current => StandingFilter::Current,
            Wanted::All => StandingFilter::All,
        }
    }
}

impl Arguments for ListCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let order = self.limit.map_or(list::Order::Usual, |_| list::Order::Recent);
        let (which, limit) = (self.which.into(), self.limit);
        let request = list::Request { which, limit, order, ..Default::default() };
        list::run(call.ws, &request).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecallCall {
    query: String,
    limit: usize,
    #[serde(default)]
    which: Wanted,
}

impl Arguments for RecallCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let kind = Some(recall::AnswerKind::Memory);
        let which = self.which.into();
        let among = recall::RecallFilter { kind, which, ..Default::default() };
        let request = recall::Request {
            query: self.query,
            limit: self.limit,
            among,
            tally: recall::Tally::Uncounted,
        };
        call.recall.run(call.ws, &request).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ShowCall {
    handle: String,
    scope: Scope,
}

impl Arguments for ShowCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let (store, placed) = show::find(call.ws, &self.handle, Some(self.scope))?;
        let shared = named::shared(call.ws, &placed);
        let held = show::held(call.ws, &store, &placed.memory);
        Ok(data(show::Report::of((&placed, held), shared, call.ws.calendar())))
    }
}

/// The most facts whose texts are asked for at once.
const MAX_TEXTS: usize = 200;

/// The whole texts of the facts that are looked at: a list has their beginnings. `null` for one
/// that is gone.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TextsCall {
    facts: Vec<Looked>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Looked {
    handle: String,
    scope: Scope,
}

impl Arguments for TextsCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let text = |fact: &Looked| {
            let (_, placed) = show::find(call.ws, &fact.handle, Some(fact.scope)).ok()?;
            Some(placed.memory.text().to_owned())
        };
        let texts: Vec<Option<String>> = self.facts.iter().take(MAX_TEXTS).map(text).collect();
        Ok(data(json!({ "texts": texts })))
    }
}

/// The history of one fact.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LifeCall {
    handle: String,
}

impl Arguments for LifeCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        life::run(call.ws, &self.handle).map(data)
    }
}

/// The laptop on which each fact was learned, by its origin.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LaptopsCall {}

impl Arguments for LaptopsCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        Ok(data(json!({ "laptops": call.laptops.of_facts(call.ws)? })))
    }
}

/// What importing an archive would change. It is read from the arguments, and is on no disk.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiffCall {
    name: String,
    /// In base64.
    archive: String,
}

impl Arguments for DiffCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let bytes = BASE64_STANDARD.decode(&self.archive).unwrap_or_default();
        let report = diff::of_archive(call.ws, &self.name, &bytes)?;
        let mut shown = report.json();
        shown["warnings"] = json!(report.warnings);
        Ok(data(shown))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReviewCall {}

impl Arguments for ReviewCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        Ok(data(json!({ "proposals": review::ask(call.ws, Among::Proposed)? })))
    }
}

/// Facts that may no longer hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StaleCall {}

impl Arguments for StaleCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        Ok(data(json!({ "proposals": review::list(call.ws, Among::Stale)? })))
    }
}

/// What an agent reads at the start of a session; without a name, any that co does not know.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AssembledCall {
    agent: Option<String>,
}

impl Arguments for AssembledCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        match self.agent.as_deref().and_then(agents::find) {
            Some(agent) => session::preview(call.ws, agent).map(|assembled| contents(&assembled)),
            None => layers(call, Vec::new()),
        }
    }
}

/// The part of it that says who the person is.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProfileCall {}

impl Arguments for ProfileCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        layers(call, vec![LayerKind::Profile])
    }
}

fn layers(call: &Call<'_>, layers: Vec<LayerKind>) -> Result<Data, Error> {
    let request = assembled::Request { layers, ..Default::default() };
    assembled::run(call.ws, &request).map(|assembled| contents(&assembled))
}

fn contents(assembled: &Assembled) -> Data {
    data(json!({ "text": assembled.text, "layers": assembled.accounts }))
}
