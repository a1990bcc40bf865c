//! `knowledge reindex`: refreshes or rebuilds the index, and computes all its vectors.
//!
//! Invariant: changes only the index; every question does the same implicitly, as far as time
//! allows.

use crate::identity::Finding;
use crate::index::{self, Encoded, database::IndexError, store::Scope};
use crate::machine::SystemError;
use crate::workspace::{Error, Workspace};
use serde::Serialize;
use std::{path::Path, time::Duration};

pub use crate::index::{Freshness, Refreshed, ReindexError};

#[derive(Clone, Debug)]
pub struct Request {
    pub scope: Option<Scope>,
    /// [`Freshness::Whole`] or [`Freshness::Anew`].
    pub freshness: Freshness,
}

/// What was done to the index of one store.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub scope: Scope,
    /// `None` if indexes are switched off.
    #[serde(flatten)]
    pub refreshed: Option<Refreshed>,
    pub vectors: Encoded,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub stores: Vec<Row>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

/// The current step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Reading,
    Encoding,
}

/// Fails if the index cannot be written. Calls `moved` with the amounts done and in total.
pub fn run(
    ws: &Workspace,
    request: &Request,
    moved: &dyn Fn(Step, usize, usize),
) -> Result<Report, Error> {
    let mut report = Report { stores: Vec::new(), findings: Vec::new() };
    for store in ws.to_read(request.scope)? {
        let reading = |done, of| moved(Step::Reading, done, of);
        let failed = |error| failed(error, &index::file_of(&store, ws));
        let opened = index::open(&store, ws, request.freshness, &reading).map_err(failed)?;
        let (refreshed, findings) =
            opened.map_or_else(Default::default, |one| (Some(one.refreshed), one.findings));
        report.findings.extend(findings);
        let encoding = |done, of| moved(Step::Encoding, done, of);
        let vectors = index::encode(&store, ws, None, &encoding).map_err(failed)?;
        index::bring_in_log(&store, ws);
        report.stores.push(Row { scope: store.scope, refreshed, vectors });
    }
    Ok(report)
}

/// Computes missing vectors for about `longest`; returns whether more are missing. For idle time.
pub fn encode_some(ws: &Workspace, longest: Duration) -> bool {
    let stores = ws.to_read(None).unwrap_or_default();
    stores.iter().any(|store| {
        let encoded = index::encode(store, ws, Some(longest), &|_, _| {});
        index::bring_in_log(store, ws);
        encoded.is_ok_and(|encoded| encoded.made > 0 && encoded.missing > 0)
    })
}

fn failed(error: IndexError, index: &Path) -> Error {
    match error {
        IndexError::System(error) => Error::from(error),
        error if error.is_busy() => SystemError::Busy { path: index.to_owned() }.into(),
        error => ReindexError(error).into(),
    }
}
