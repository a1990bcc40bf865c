//! Recall: which memories answer a question.
//!
//! Invariant: pure; no query, however hostile, is an error; one scorer for every size, so that
//! ranking does not jump when a collection grows. Must not know: where the texts come from.

mod around;
pub mod collection;
pub mod dates;
pub mod embed;
mod expand;
pub mod near;
pub mod query;
mod repair;
pub mod score;
mod session;
pub mod similar;
pub mod tokens;
mod wordpiece;

pub use collection::{Candidate, Collection};
pub use query::Query;
pub use score::{Hit, Parts, Signals, rank};
