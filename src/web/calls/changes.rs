//! The calls that change something: one operation each.
//!
//! Invariant: a fact is changed only if it is still the one that the person saw.

use super::call::{Arguments, Call, Data, data};
use crate::facts::{
    confirm, edit, forget, pin,
    review::{self, Among, Answer, Proposal},
    save,
    timing::TypedTimes,
};
use crate::index::store::Scope;
use crate::integrations::skills;
use crate::undo;
use crate::workspace::Error;
use serde::Deserialize;
use serde_json::json;

/// What a person typed about the time of a fact; what is left out stays as it is.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Times {
    from: Option<String>,
    until: Option<String>,
    check_after: Option<String>,
    /// The handles of the facts that it replaces.
    replaces: Vec<String>,
}

impl From<Times> for TypedTimes {
    fn from(typed: Times) -> TypedTimes {
        let Times { from, until, check_after, replaces } = typed;
        TypedTimes { from, until, check_after, replaces }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LearnCall {
    text: String,
    tags: Vec<String>,
    #[serde(default)]
    times: Times,
}

impl Arguments for LearnCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let request = save::Request {
            text: self.text,
            tags: self.tags,
            times: self.times.into(),
            ..Default::default()
        };
        let report = save::run(call.ws, &request)?;
        let mut said = json!(report);
        if report.counts_again {
            said["counts_again"] = json!(true);
        }
        Ok(data(said))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EditCall {
    handle: String,
    scope: Scope,
    text: String,
    tags: Vec<String>,
    /// The hash of the text that the person changed.
    based_on: String,
    #[serde(default)]
    times: Times,
}

impl Arguments for EditCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let request = edit::Request {
            handle: self.handle,
            scope: Some(self.scope),
            text: Some(self.text),
            based_on: Some(self.based_on),
            tags: Some(self.tags),
            times: self.times.into(),
            ..Default::default()
        };
        edit::run(call.ws, &request).map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PinCall {
    handle: String,
    scope: Scope,
    pinned: bool,
}

impl Arguments for PinCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let pin = if self.pinned { pin::Pin::On } else { pin::Pin::Off };
        pin::run(call.ws, &pin::Request { handle: self.handle, scope: Some(self.scope), pin })
            .map(data)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ForgetCall {
    handle: String,
    scope: Scope,
}

impl Arguments for ForgetCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let request = forget::Request { what: self.handle.clone(), scope: Some(self.scope) };
        let plan = forget::plan(call.ws, &request)?;
        if plan.count() != 1 {
            return Err(plan.ambiguous(&self.handle));
        }
        let again = forget::again(call.ws, &plan);
        let mut report = json!({ "forgotten": forget::apply(call.ws, &plan)? });
        if !again.is_empty() {
            report["counts_again"] = json!(again);
        }
        Ok(data(report))
    }
}

/// A person says that a fact still holds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfirmCall {
    handle: String,
    scope: Scope,
}

impl Arguments for ConfirmCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let request = confirm::Request { handles: vec![self.handle], scope: Some(self.scope) };
        let confirmed = confirm::run(call.ws, &request)?;
        Ok(data(json!({ "memories": confirmed })))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AcceptCall {
    id: String,
    /// In these words, instead of the proposed ones.
    text: Option<String>,
}

impl Arguments for AcceptCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        answer(call, (Among::Proposed, &self.id), Answer::Accept(self.text))
    }
}

/// All proposals that the person saw, but for skills: those are answered one by one.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AcceptAllCall {
    ids: Vec<String>,
}

impl Arguments for AcceptAllCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let is_meant =
            |proposal: &Proposal| self.ids.contains(&proposal.id) && !proposal.is_skill();
        let meant = review::list(call.ws, Among::Proposed)?.into_iter().filter(is_meant);
        let answers: Vec<(Proposal, Answer)> =
            meant.map(|proposal| (proposal, Answer::Accept(None))).collect();
        let done = review::apply(call.ws, &answers)?;
        skills::follow(call.ws);
        Ok(data(done))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RejectCall {
    id: String,
}

impl Arguments for RejectCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        answer(call, (Among::Proposed, &self.id), Answer::Reject)
    }
}

/// What a person says of a fact that may no longer hold.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CheckedCall {
    id: String,
    said: Said,
    /// Since when it is over, or what replaces it.
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Said {
    /// It is still true; of two facts, the newer one replaces the older.
    Yes,
    /// Of two facts, both hold.
    No,
    OverSince,
    ReplacedBy,
    Forget,
}

impl Arguments for CheckedCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let said = match self.said {
            Said::Yes => Answer::Accept(None),
            Said::No => Answer::Reject,
            Said::OverSince => review::over_since(call.ws, &self.text)?,
            Said::ReplacedBy => review::replaced_by(call.ws, &self.text)?,
            Said::Forget => Answer::Forget,
        };
        answer(call, (Among::Stale, &self.id), said)
    }
}

fn answer(call: &Call<'_>, (among, id): (Among, &str), answer: Answer) -> Result<Data, Error> {
    let proposals = review::list(call.ws, among)?;
    // One that was answered elsewhere in the meantime is answered.
    let Some(meant) = proposals.into_iter().find(|proposal| proposal.id == id) else {
        return Ok(data(json!({ "answered_before": true })));
    };
    let done = review::apply(call.ws, &[(meant, answer)])?;
    skills::follow(call.ws);
    Ok(data(done))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoCall {
    op: Option<u64>,
}

impl Arguments for UndoCall {
    fn run(self, call: &Call<'_>) -> Result<Data, Error> {
        let plan = undo::plan(call.ws, &undo::Request { op: self.op, ..Default::default() })?;
        let warnings = undo::apply(call.ws, &plan)?;
        skills::follow(call.ws);
        let mut report = json!(plan);
        report["warnings"] = json!(warnings);
        Ok(data(report))
    }
}
