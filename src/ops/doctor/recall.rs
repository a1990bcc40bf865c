//! Checks the catalog, and the vectors in it.

use super::{Area, Check, Remedy};
use crate::ops::{
    catalog::{self, CatalogStatus},
    store::Store,
};
use crate::system::Context;

pub(super) fn all(context: &Context) -> Vec<Check> {
    let mut checks = Vec::new();
    for store in Store::to_read(context, None).unwrap_or_default() {
        let file = context.shown(&catalog::file_of(&store, context));
        checks.push(match catalog::standing(&store, context) {
            CatalogStatus::Off => {
                Check::ok(Area::Recall, "the catalog is switched off (`recall.catalog`)")
            }
            CatalogStatus::Missing => {
                Check::ok(Area::Recall, format!("{file} will be built by the first search"))
            }
            // After a restart, written by another version, or damaged: all repair themselves.
            CatalogStatus::Unusable => {
                let message = format!("{file} is out of date; the next search rebuilds it");
                Check::ok(Area::Recall, message)
            }
            CatalogStatus::Good { facts, unencoded } => {
                let vectors = match unencoded {
                    0 => String::new(),
                    unencoded => format!("; texts without a vector yet: {unencoded}"),
                };
                Check::ok(Area::Recall, format!("{file}; facts: {facts}{vectors}"))
            }
        });
    }
    if let Some(problem) = catalog::problem(context) {
        checks.push(Check::error(
            Area::Recall,
            problem,
            Remedy::command("co config get recall.embedder"),
        ));
    }
    checks
}
