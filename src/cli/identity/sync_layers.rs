//! The layers in `co sync`: each is synced by itself, and has a report of its own.
//!
//! Invariant: one that fails or is offline holds up no other; the exit code is the worst. A layer
//! that this laptop may not write to is only fetched.

use super::sync_text;
use crate::cli::{
    failure::Failure,
    of_layer,
    output::{Ending, Output},
    progress::Steps,
    verb::Cli,
};
use crate::foreign::{Said, said};
use crate::git::interrupt;
use crate::identity::LayerName;
use crate::sync::{self, Direction, Phase, Report, Request};
use crate::transfer::layers as listed;
use crate::workspace::{Error, Workspace, layers};
use serde::Serialize;

/// What became of a layer.
pub(super) struct OfLayer {
    name: String,
    result: Result<Report, Failure>,
}

impl OfLayer {
    /// Why it is not in sync with its remote.
    pub(super) fn trouble(&self) -> Option<String> {
        let why = match &self.result {
            Ok(report) => report.not_met.as_ref()?.to_string(),
            Err(failure) => failure.message.clone(),
        };
        Some(format!("{}: {why}", self.name))
    }
}

/// The report of the identity, and those of the layers.
#[derive(Serialize)]
struct Synced {
    #[serde(flatten)]
    own: Option<Report>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layers: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    layer: String,
    #[serde(flatten)]
    report: Option<Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Syncs one identity, and shows its progress.
pub(super) fn one(cli: &Cli<'_>, ws: &Workspace, request: &Request) -> Result<Report, Error> {
    let steps = Steps::new(cli);
    let result = sync::run(ws, request, &|step| {
        // Without a terminal, nobody reads the outcome.
        if step == Phase::Pushing && cli.err.width.is_some() {
            interrupt::watch();
        }
        steps.at(step);
    });
    steps.end();
    result
}

/// Syncs the layers that this call may know of, one after the other.
pub(super) fn all(cli: &Cli<'_>, request: &Request) -> Vec<OfLayer> {
    let names = listed::to_sync(cli.ws).into_iter();
    let synced = |name: String| {
        let known = LayerName::new(&name);
        let about = |failure: Failure| match known {
            Some(known) => of_layer::about(failure, known, cli.ws),
            None => failure,
        };
        let result = synced(cli, &name, request).map_err(|error| about(Failure::from(error)));
        OfLayer { name, result }
    };
    names.map(synced).collect()
}

fn synced(cli: &Cli<'_>, name: &str, request: &Request) -> Result<Report, Error> {
    let ws = Workspace::open(layers::within(cli.ws, name)?);
    let direction = if layers::publishes(&ws) { Direction::Both } else { Direction::Fetch };
    one(cli, &ws, &Request { direction, ..request.clone() })
}

/// The output of a sync whose own part went well; `text` is what is said of that.
pub(super) fn beside(text: Said, own: Report, others: Vec<OfLayer>, cli: &Cli<'_>) -> Output {
    let (findings, warnings) = (own.findings.clone(), own.warnings.clone());
    let stayed = own.stayed_behind().map(Failure::from);
    let mut output = told(text, (Some(own), stayed), others, cli).skipped(&findings);
    output.warnings.extend(warnings);
    output
}

/// The output of a sync whose own part failed, while there are layers.
pub(super) fn without(failure: Failure, others: Vec<OfLayer>, cli: &Cli<'_>) -> Output {
    told(Said::new(), (None, Some(failure)), others, cli)
}

fn told(
    mut text: Said,
    (own, mut worst): (Option<Report>, Option<Failure>),
    others: Vec<OfLayer>,
    cli: &Cli<'_>,
) -> Output {
    let (mut rows, mut warnings) = (Vec::new(), Vec::new());
    for OfLayer { name, result } in others {
        let failure = match &result {
            Ok(report) => {
                let of_it = sync_text::synced(report, cli.style);
                text.push(said!("{}: {}", cli.style.strong(&name), of_it));
                warnings.extend(report.warnings.iter().map(|line| format!("{name}: {line}")));
                report.stayed_behind().map(Failure::from)
            }
            Err(failure) => Some(failure.clone()),
        };
        let error = result.as_ref().err().map(|failure| failure.message.clone());
        rows.push(Row { layer: name.clone(), report: result.ok(), error });
        let Some(failure) = failure else { continue };
        let failure = Failure { message: format!("{name}: {}", failure.message), ..failure };
        // The last line is about the worst; the others are not lost.
        match &worst {
            Some(known) if known.exit >= failure.exit => warnings.extend(whole(failure)),
            _ => warnings.extend(worst.replace(failure).into_iter().flat_map(whole)),
        }
    }
    let ending = worst.map_or(Ending::Done, Ending::Failed);
    let mut output = Output { ending, ..Output::done(text, Synced { own, layers: rows }) };
    output.warnings.extend(warnings);
    output
}

/// Of several files that were held back, the hints are what names them.
fn whole(failure: Failure) -> impl Iterator<Item = String> {
    [failure.message].into_iter().chain(failure.hints)
}
