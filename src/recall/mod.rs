//! Recall: which memories answer a question.
//!
//! Invariant: pure; no query, however hostile, is an error; one scorer for every size, so that
//! ranking does not jump when a collection grows. Must not know: where the texts come from.

pub mod near;
pub mod query;
pub mod score;
pub mod similar;
pub mod tokens;

pub use query::Query;
pub use score::{Candidate, rank};
