//! `co recall`: questions, and which facts and documents answer them.

mod embedder;
mod passages;
mod questions;
mod search;
mod told_apart;
