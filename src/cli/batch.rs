//! `--batch`: queries from standard input, answers on standard output, one JSON object per line.
//!
//! Invariant: each answer is written before the next query is read; an invalid line ends the run
//! and is reported by number.

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
        let answer = answer(&asked)?;
        output::answer(&answer)?;
    }
    Ok(Output::unbroken(Said::new(), json!({})))
}
