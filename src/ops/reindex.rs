//! `knowledge reindex`: the search index brought up to date, or made anew.
//!
//! Invariant: touches nothing but the index; every question does the same by itself.

use super::{
    Exit, Failure, indexed,
    store::{Scope, Store},
};
use crate::identity::Finding;
use crate::system::{Context, index::IndexError};
use serde::Serialize;

pub use super::indexed::{Look, Refreshed, Rung};

#[derive(Clone, Debug)]
pub struct Request {
    pub scope: Option<Scope>,
    /// [`Look::Whole`] or [`Look::Anew`].
    pub look: Look,
}

/// What became of the index of one store.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub scope: Scope,
    pub rung: Rung,
    /// None where there are too few files for an index.
    #[serde(flatten)]
    pub refreshed: Option<Refreshed>,
    #[serde(flatten)]
    pub few: Option<Few>,
}

/// Why there is no index.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Few {
    pub files: usize,
    /// As the settings say.
    pub index_from: usize,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub stores: Vec<Row>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// Fails where the index cannot be written. `moved` hears how many files are done, and of how many.
pub fn run(
    context: &Context,
    request: &Request,
    moved: &dyn Fn(usize, usize),
) -> Result<Report, Failure> {
    let mut report = Report { stores: Vec::new(), findings: Vec::new() };
    for store in Store::to_read(context, request.scope)? {
        let opened = indexed::open(&store, context, request.look, moved).map_err(failed)?;
        report.stores.push(match opened {
            None => {
                let (files, findings) = store.memory_files();
                report.findings.extend(findings);
                let below = context.settings.recall.index_from;
                let few = Few { files: files.len(), index_from: below };
                Row { scope: store.scope, rung: Rung::Scan, refreshed: None, few: Some(few) }
            }
            Some(opened) => {
                report.findings.extend(opened.findings);
                let (rung, refreshed) = (opened.rung, Some(opened.refreshed));
                Row { scope: store.scope, rung, refreshed, few: None }
            }
        });
        // Of few documents there is nothing to say.
        if let Some(opened) =
            indexed::open_shelf(&store, context, request.look, moved).map_err(failed)?
        {
            report.findings.extend(opened.findings);
            let (rung, refreshed) = (opened.rung, Some(opened.refreshed));
            report.stores.push(Row { scope: store.scope, rung, refreshed, few: None });
        }
    }
    Ok(report)
}

fn failed(error: IndexError) -> Failure {
    match error {
        IndexError::System(error) => Failure::from(error),
        IndexError::Sql(_) => Failure::new(Exit::Other, format!("{error} cannot be written"))
            .hint("recall works without it, only slower"),
    }
}
