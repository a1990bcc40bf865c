//! `knowledge reindex`: the catalog brought up to date, or made anew, and all its vectors made.
//!
//! Invariant: touches nothing but the catalog; every question does the same by itself, as far as it
//! has time.

pub use super::error::ReindexError;
use super::{
    Error,
    catalog::{self, Encoded},
    store::{Scope, Store},
};
use crate::identity::Finding;
use crate::system::{Context, catalog::CatalogError};
use serde::Serialize;
use std::time::Duration;

pub use super::catalog::{Freshness, Refreshed};

#[derive(Clone, Debug)]
pub struct Request {
    pub scope: Option<Scope>,
    /// [`Freshness::Whole`] or [`Freshness::Anew`].
    pub look: Freshness,
}

/// What became of the catalog of one store.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub scope: Scope,
    /// None where it is switched off.
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

/// What is being done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Reading,
    Encoding,
}

/// Fails where the catalog cannot be written. `moved` hears how much of a step is done, and of how much.
pub fn run(
    context: &Context,
    request: &Request,
    moved: &dyn Fn(Step, usize, usize),
) -> Result<Report, Error> {
    let mut report = Report { stores: Vec::new(), findings: Vec::new() };
    for store in Store::to_read(context, request.scope)? {
        let reading = |done, of| moved(Step::Reading, done, of);
        let opened = catalog::open(&store, context, request.look, &reading).map_err(failed)?;
        let (refreshed, findings) =
            opened.map_or_else(Default::default, |one| (Some(one.refreshed), one.findings));
        report.findings.extend(findings);
        let encoding = |done, of| moved(Step::Encoding, done, of);
        let vectors = catalog::encode(&store, context, None, &encoding).map_err(failed)?;
        report.stores.push(Row { scope: store.scope, refreshed, vectors });
    }
    Ok(report)
}

/// Makes vectors of texts that have none, for about so long; whether there are more. For who has time.
pub fn encode_some(context: &Context, longest: Duration) -> bool {
    let stores = Store::to_read(context, None).unwrap_or_default();
    stores.iter().any(|store| {
        let encoded = catalog::encode(store, context, Some(longest), &|_, _| {});
        encoded.is_ok_and(|encoded| encoded.made > 0 && encoded.missing > 0)
    })
}

fn failed(error: CatalogError) -> Error {
    match error {
        CatalogError::System(error) => Error::from(error),
        error => ReindexError(error).into(),
    }
}
