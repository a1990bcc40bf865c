//! The facts that a person names, for the verbs that take several.
//!
//! Invariant: `last` is looked up once, before anything is changed. Must not know what becomes of
//! the facts.

use crate::cli::{args::scope, complete, failure::Failure, handle, verb::Cli};
use crate::index::store::Scope;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `HANDLE…` and `--scope`.
#[derive(Args, Debug)]
pub struct Handles {
    /// Its number (`12`), `12-3fa9`, `sha256:3fa9…`, or `last`: the one learned last here
    #[arg(required = true, value_name = "HANDLE", add = ArgValueCandidates::new(complete::handles))]
    handles: Vec<String>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub(super) scope: Option<Scope>,
}

impl Handles {
    /// The handles that they stand for.
    pub(super) fn meant(self, cli: &Cli<'_>) -> Result<Vec<String>, Failure> {
        handle::all_meant(cli, self.handles, self.scope)
    }
}
