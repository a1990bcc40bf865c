//! The secrets that the files of a store name: from its index where that has the file as it is, else
//! from the file.
//!
//! Invariant: equals reading every file. Makes no index, and brings none up to date. Must not know
//! which secrets this laptop has.

use super::{IndexSpec, documents, rows};
use crate::identity::RelPath;
use crate::ops::store::Store;
use crate::secrets::reference;
use crate::system::{
    Context,
    folder::{self, Listed},
    index::{FileMeta, Stat, Unit},
};
use rayon::prelude::*;
use std::collections::{BTreeSet, HashMap};

/// Stats that were taken a moment ago, in the form of
/// [`Difference::stats`](crate::system::git::index::Difference::stats).
pub(in crate::ops) type Stats<'a> = HashMap<&'a RelPath, [i64; 4]>;

/// The names in these files of a store. One without a stat is looked at.
pub(in crate::ops) fn named_secrets(
    store: &Store,
    context: &Context,
    listed: &[Listed],
    stats: &Stats<'_>,
) -> BTreeSet<String> {
    let known = known(store, context).unwrap_or_default();
    let names = |file: &Listed| -> Vec<String> {
        if let Some((stat, names)) = known.get(file.path.as_str())
            && is_current(file, stat, stats)
        {
            return names.clone();
        }
        let read = folder::read_file(&file.path, &file.file);
        read.map(|(blob, _)| reference::names(&blob)).unwrap_or_default()
    };
    listed.par_iter().flat_map_iter(names).collect()
}

/// What the index has of each file, unless it was too recent to be trusted.
fn known(store: &Store, context: &Context) -> Option<HashMap<String, (Stat, Vec<String>)>> {
    let index = IndexSpec::of(store, context).open().ok()??;
    let mut known = HashMap::new();
    for unit in Unit::ALL {
        let names = |meta: FileMeta| {
            let digest = match unit {
                Unit::Facts => rows::of_memory(&meta.facts)?.2,
                Unit::Documents => documents::digest(&meta.facts)?,
            };
            (meta.stat.modified != 0).then_some((meta.path, (meta.stat, digest.secrets)))
        };
        let metas = index.reads(unit).metas().ok()?;
        known.par_extend(metas.into_par_iter().filter_map(names));
    }
    Some(known)
}

fn is_current(file: &Listed, row: &Stat, stats: &Stats<'_>) -> bool {
    stats.get(&file.path) == Some(&as_git_has_it(row)) || Stat::of(&file.file).as_ref() == Some(row)
}

/// A stat in the form of [`Stats`].
pub(super) fn as_git_has_it(stat: &Stat) -> [i64; 4] {
    // Of size and inode, git keeps 32 bits.
    const KEPT: i64 = 0xffff_ffff;
    [stat.size & KEPT, stat.modified, stat.changed, stat.inode & KEPT]
}
