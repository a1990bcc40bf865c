//! `co context`: what an agent reads at the start of a session, and what it costs.

mod cost;
mod documents;
mod reading;
