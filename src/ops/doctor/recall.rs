//! The catalog, and the vectors in it.

use super::{Area, Check};
use crate::ops::{
    catalog::{self, Standing},
    store::Store,
};
use crate::system::Context;

pub(super) fn all(context: &Context) -> Vec<Check> {
    let mut checks = Vec::new();
    for store in Store::to_read(context, None).unwrap_or_default() {
        let file = context.shown(&catalog::file_of(&store, context));
        let reindex = "co knowledge reindex";
        checks.push(match catalog::standing(&store, context) {
            Standing::Off => {
                let message = "no catalog is kept; every question reads all files";
                Check::warning(Area::Recall, message, "co config unset recall.catalog")
            }
            Standing::Missing => {
                Check::ok(Area::Recall, format!("{file} is made by the first question"))
            }
            Standing::Unusable => {
                let message = format!("{file} cannot be used; it is made anew");
                Check::warning(Area::Recall, message, reindex)
            }
            Standing::Good { facts, unencoded } => {
                let vectors = match unencoded {
                    0 => String::new(),
                    unencoded => format!("; texts without a vector yet: {unencoded}"),
                };
                Check::ok(Area::Recall, format!("{file}; facts in it: {facts}{vectors}"))
            }
        });
    }
    if let Some(problem) = catalog::problem(context) {
        checks.push(Check::error(Area::Recall, problem, "co config get recall.embedder"));
    }
    checks
}
