//! What `status` says of the files of a store: how many facts there are, and which secrets are
//! named. From its index where that has a file as it is, else from the file.
//!
//! Invariant: equals reading every file, and looks at none that git has just compared. Must not
//! know which secrets this laptop has.

use super::{
    HeldFacts, IndexSpec,
    database::{Index, IndexError, Stat, Unit},
    documents,
    read::{kept_out, newest},
    rows,
    store::Store,
};
use crate::git::index::Difference;
use crate::identity::Which;
use crate::machine::{
    Context,
    folder::{self, Listed},
    in_turn::InTurn,
};
use crate::secrets::reference;
use rayon::prelude::*;
use std::collections::BTreeSet;

pub(crate) struct Overview {
    /// Facts that can be read.
    pub(crate) facts: usize,
    /// The names of the secrets in all files.
    pub(crate) secrets: BTreeSet<String>,
}

/// Of these files of a store, sorted by path. One that was not seen a moment ago is looked at.
/// Makes the index or brings it up to date where that is needed.
pub(crate) fn overview(
    store: &Store,
    context: &Context,
    listed: &[Listed],
    seen: Option<&Difference>,
) -> Overview {
    let spec = IndexSpec::of(store, context);
    let index = spec.open_if_possible();
    let compared = index.as_ref().and_then(|index| Compared::with(index, listed, seen).ok());
    if let (Some(index), Some(compared)) = (index, compared) {
        let is_large = index.reads(Unit::Facts).count() > spec.settings.look_at;
        if (compared.is_whole || is_large) && spec.has_same_folders(&index) {
            let facts = index.reads(Unit::Facts).count_texts() + kept_out(store, &index).len();
            return Overview { facts, secrets: compared.names(listed) };
        }
    }
    // No index is open now, which would block the writer.
    let all = HeldFacts::of_stores(&[store], Which::All, context);
    let (_, facts) = newest(store, (context, &all), &[], |_| true);
    Overview { facts, secrets: named_secrets(store, context, listed, seen) }
}

/// The names of the secrets in these files of a store, sorted by path. Makes no index, and brings
/// none up to date.
pub(crate) fn named_secrets(
    store: &Store,
    context: &Context,
    listed: &[Listed],
    seen: Option<&Difference>,
) -> BTreeSet<String> {
    let index = IndexSpec::of(store, context).open_if_possible();
    let compared = index.and_then(|index| Compared::with(&index, listed, seen).ok());
    compared.unwrap_or_else(|| Compared::without_index(listed)).names(listed)
}

/// The files of a listing beside an index.
struct Compared {
    /// Of each file in the listing, whether what it names is among `names`.
    is_known: Vec<bool>,
    names: BTreeSet<String>,
    /// Whether each file of the index is as the index has it.
    is_whole: bool,
}

impl Compared {
    fn without_index(listed: &[Listed]) -> Compared {
        Compared { is_known: vec![false; listed.len()], names: BTreeSet::new(), is_whole: false }
    }

    fn with(
        index: &Index,
        listed: &[Listed],
        seen: Option<&Difference>,
    ) -> Result<Compared, IndexError> {
        let mut all = Compared { is_whole: true, ..Compared::without_index(listed) };
        let mut places = InTurn::new(listed, |file| file.path.as_str());
        let mut stats = seen.map(Difference::stats);
        index.reads(Unit::Facts).each_file(|path, row| {
            let seen = stats.as_mut().and_then(|stats| stats.get(path));
            let is_as = |file: &Listed| {
                seen == Some(as_git_has_it(&row)) || Stat::of(&file.file) == Some(row)
            };
            // A row that was too recent to be trusted has no time.
            let place = places.place(path).filter(|_| row.modified != 0);
            match place.filter(|place| is_as(&listed[*place])) {
                Some(place) => all.is_known[place] = true,
                None => all.is_whole = false,
            }
            true
        })?;
        for unit in Unit::ALL {
            for path in index.reads(unit).other_paths()? {
                if let Some(place) = places.place(&path) {
                    all.is_known[place] = false;
                }
            }
            for meta in index.reads(unit).naming_secrets()? {
                let place = places.place(&meta.path).filter(|place| all.is_known[*place]);
                let Some(place) = place else { continue };
                let digest = match unit {
                    Unit::Facts => rows::of_memory(&meta.facts).map(|(.., digest)| digest),
                    Unit::Documents => documents::digest(&meta.facts),
                };
                match digest {
                    Some(digest) => all.names.extend(digest.secrets),
                    None => all.is_known[place] = false,
                }
            }
        }
        Ok(all)
    }

    /// Reads the files that are not known.
    fn names(self, listed: &[Listed]) -> BTreeSet<String> {
        /// With fewer files, starting threads costs more than it saves.
        const MANY: usize = 64;
        let names = |file: &&Listed| -> Vec<String> {
            let read = folder::read_file(&file.path, &file.file);
            read.map(|(blob, _)| reference::names(&blob)).unwrap_or_default()
        };
        let files = listed.iter().zip(self.is_known);
        let unknown: Vec<&Listed> =
            files.filter(|(_, is_known)| !is_known).map(|(file, _)| file).collect();
        let mut all = self.names;
        if unknown.len() < MANY {
            all.extend(unknown.iter().flat_map(names));
        } else {
            all.par_extend(unknown.par_iter().flat_map_iter(names));
        }
        all
    }
}

/// A stat in the form of `Stats` of the index of git.
pub(super) fn as_git_has_it(stat: &Stat) -> [i64; 4] {
    // Of size and inode, git keeps 32 bits.
    const KEPT: i64 = 0xffff_ffff;
    [stat.size & KEPT, stat.modified, stat.changed, stat.inode & KEPT]
}
