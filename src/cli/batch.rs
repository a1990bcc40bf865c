//! `--batch`: queries from standard input, answers on standard output, one JSON object per line.
//!
//! Invariant: each answer is written before the next query is read; a question that cannot be
//! answered is an `error` in its line; a line that is none ends the run and is reported by number.

use super::{
    failure::{Exit, Failure},
    output::{self, Output},
};
use crate::foreign::Said;
use crate::machine::terminal;

use serde::Deserialize;
use serde_json::{Value, json};

/// One line of input.
#[derive(Deserialize)]
pub(super) struct BatchQuery {
    #[serde(default)]
    pub(super) qid: Value,
    pub(super) query: String,
    pub(super) limit: Option<usize>,
}

pub(super) fn answered(
    mut answer: impl FnMut(&BatchQuery) -> Result<Value, Failure>,
) -> Result<Output, Failure> {
    let mut number = 0;
    while let Some(line) = terminal::line() {
        number += 1;
        if line.is_empty() {
            continue;
        }
        let asked: BatchQuery = serde_json::from_str(&line).map_err(|error| {
            let message = format!("line {number}, `{line}`, is not a question: {error}");
            Failure::new(Exit::Usage, message)
                .hint(r#"one per line, e.g. {"qid": 1, "query": "which test runner?", "limit": 5}"#)
        })?;
        let answer = match answer(&asked) {
            // A program that asks for nothing once has its other questions answered.
            Err(failure) if failure.exit == Exit::Usage => {
                json!({ "qid": asked.qid, "ids": [], "results": [], "error": failure.message })
            }
            answer => answer?,
        };
        output::answer(&answer)?;
    }
    Ok(Output::unbroken(Said::new(), json!({})))
}
