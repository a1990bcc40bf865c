//! Search: ranks memories and documents for a query (BM25, embeddings, sessions, dates).
//!
//! Invariant: pure; no query, however hostile, is an error; one scorer for every size, so that
//! ranking does not jump when a collection grows. Must not know: where the texts come from.

pub mod alike;
pub mod article;
pub mod articles;
mod collection;
pub mod corpus;
pub mod cosines;
pub mod dates;
pub mod embed;
pub mod encoder;
mod expand;
mod in_path;
mod languages;
mod neighbours;
mod phrases;
mod postings;
pub mod query;
pub mod question;
#[cfg(test)]
mod recipe;
mod repair;
mod same_language;
pub mod score;
mod searcher;
mod session;
mod session_score;
mod silence;
mod slot;
pub mod spelling;
mod terms;
mod together;
pub mod tokens;
mod trust;
pub mod union;
pub mod vectors;
pub mod word_hash;
mod wordpiece;

pub use collection::{Candidate, Collection, words_of};
pub use corpus::Corpus;
pub use phrases::may_hold;
pub use query::Query;
pub use score::{CoverageParts, Hit, Parts, SWITCHES, Signals};
pub use searcher::{Ranked, SearchParams, Searcher};
pub use trust::{RELEVANT, Trust};
