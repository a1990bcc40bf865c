//! The tool that saves a fact: the verb, and what its answer says of older facts.
//!
//! Invariant: a model is told of at most a few facts that the new one may replace, and judges
//! itself; nothing is replaced without its second call.

use super::{
    arguments::{SaveMemory, ScopeName},
    failure::Failure,
    tools::{Arguments, Call, notes},
};
use crate::display::{memories, oddities};
use crate::facts::{
    remember::{self, Remembered},
    save,
    timing::TypedTimes,
};
use crate::foreign::{Said, said, unquoted};
use crate::index::store::Scope;

/// The facts that a new one may replace: the model can judge, and call again.
fn may_replace(report: &save::Report) -> Said {
    let old = &report.may_replace;
    if old.is_empty() {
        return Said::new();
    }
    let lines = old.iter().map(|old| said!("- {}: \"{}\"\n", old.handle, old.summary));
    let handles: Vec<String> = old.iter().map(|old| format!("\"{}\"", old.handle)).collect();
    let again = said!(
        "If it does, call save_memory again with the same content and replaces: [{}].\n",
        handles.join(", ")
    );
    Said::from("It may replace:\n") + lines.collect::<Said>() + again
}

impl Arguments for SaveMemory {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let scope = self.scope.map(|name| match name {
            ScopeName::Identity => Scope::Identity,
            ScopeName::Project => Scope::Project,
        });
        let valid_until = self.valid_until.filter(|until| !until.trim().is_empty());
        let times =
            TypedTimes { until: valid_until, replaces: self.replaces, ..TypedTimes::default() };
        let is_timed = !times.is_empty();
        let request = save::Request {
            text: unquoted(&self.content).into_owned(),
            tags: self.tags,
            scope,
            times,
            ..Default::default()
        };
        let report = match remember::run(call.ws, &request)? {
            Remembered::Saved(report) => report,
            Remembered::Answered => {
                return Ok(Said::from("Not saved: the user has already answered this.\n"));
            }
            Remembered::Waits { why } => {
                let waits = said!("Not saved yet: {}. The user decides with `co review`.\n", why);
                let left = is_timed.then_some("valid_until and replaces are not kept with it");
                return Ok(waits + notes(left.map(str::to_owned)));
            }
        };
        let mut text = memories::saved(&report, "forget_memory") + memories::location(&report);
        text.push(memories::timed(&report));
        text.push(may_replace(&report));
        let own_tags = memories::own_tags(&report.brought.own_tags).filter(|_| !report.known);
        text.extend(own_tags.map(|own| said!("Note: {}\n", own)));
        text.push(notes(memories::left_out(&report.brought.left_out, &report.fact)));
        text.push(notes(oddities(&report.brought.oddities)));
        if !report.undoable {
            text.push("The operation log cannot be written: undo will not know about this one.\n");
        }
        Ok(text)
    }
}
