//! The catalog, and the vectors in it.

use super::{Area, Check, Mend};
use crate::ops::{
    catalog::{self, Standing},
    store::Store,
};
use crate::system::Context;

pub(super) fn all(context: &Context) -> Vec<Check> {
    let mut checks = Vec::new();
    for store in Store::to_read(context, None).unwrap_or_default() {
        let file = context.shown(&catalog::file_of(&store, context));
        checks.push(match catalog::standing(&store, context) {
            Standing::Off => Check::ok(Area::Recall, "no catalog is kept (`recall.catalog`)"),
            Standing::Missing => {
                Check::ok(Area::Recall, format!("{file} is made by the first question"))
            }
            // After a restart, with another version, or damaged: all mend themselves.
            Standing::Unusable => {
                let message = format!("{file} is out of date; the next question makes it anew");
                Check::ok(Area::Recall, message)
            }
            Standing::Good { facts, unencoded } => {
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
            Mend::command("co config get recall.embedder"),
        ));
    }
    checks
}
