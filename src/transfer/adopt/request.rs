//! What is to be imported, and how to treat what is known here.
//!
//! Invariant: unless a person asks for more, what is known or was answered here is left out.

use crate::secrets::Allowed;
use std::path::PathBuf;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Agent names; if empty, all agents that have something to import.
    pub agents: Vec<String>,
    /// A file or folder of another program, instead of agents.
    pub from: Option<PathBuf>,
    pub allowed: Allowed,
    pub alike: Alike,
    pub answered: Answered,
}

/// How to treat a proposal that is nearly the same as an existing fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Alike {
    /// It is reported, and not proposed.
    #[default]
    LeftOut,
    Taken,
}

/// How to treat a proposal that a person answered in a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Answered {
    /// It is reported, and not proposed.
    #[default]
    LeftOut,
    /// It is proposed, for a person who chooses fact by fact.
    Offered,
}
