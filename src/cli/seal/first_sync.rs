//! What is said of the sync with which a remote begins to be sealed, or no longer is.
//!
//! Invariant: what stayed behind on this laptop is named, as by `co sync`. Must not know which of
//! both it was.

use crate::cli::{output::Output, verb::Cli};
use crate::foreign::{Said, said};
use crate::sync;
use serde::Serialize;

/// How a laptop that has nothing of it yet joins at this URL.
pub(super) fn join(cli: &Cli<'_>, url: &str) -> Said {
    match cli.ws.own_layer() {
        Some(name) => said!("On a laptop without that layer: `co layer add {} {}`.", name, url),
        None => said!("On a new laptop: `co init {}`.", url),
    }
}

/// What the repository has.
pub(super) fn content(cli: &Cli<'_>) -> Said {
    match cli.ws.own_layer() {
        Some(name) => said!("the layer {}", name),
        None => Said::from("the identity"),
    }
}

/// The command with which a laptop that has it follows to this URL.
pub(super) fn follow(cli: &Cli<'_>, url: &str) -> Said {
    match cli.ws.own_layer() {
        Some(name) => said!("co identity remote {} --layer {}", url, name),
        None => said!("co identity remote {}", url),
    }
}

/// The output of such a verb: `text`, and what the sync of its report warns of.
pub(super) fn reported<R: Serialize + 'static>(
    text: Said,
    report: R,
    of: impl Fn(&R) -> &sync::Report,
) -> Output {
    let sync = of(&report);
    let ending = sync.stayed_behind().into();
    let (findings, warnings) = (sync.findings.clone(), sync.warnings.clone());
    let output = Output { ending, ..Output::done(text, report) };
    let mut output = output.skipped(&findings);
    output.warnings.extend(warnings);
    output
}
