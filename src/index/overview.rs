//! What `status` says of the files of a store: how many facts there are, how many of them hold, and
//! which secrets are named. From its index where that has a file as it is, else from the file.
//!
//! Invariant: equals reading every file, and looks at none that git has just compared. Must not
//! know which secrets this laptop has.

use super::{
    HeldFacts, IndexSpec, TimedCount,
    database::{Index, IndexError, Stat, Stats, Unit},
    documents,
    fact_index::unit_of,
    kept_out::kept_out,
    read::newest,
    rows,
    store::Store,
};
use crate::git::index::Difference;
use crate::identity::StandingFilter;
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
    pub(crate) timed: TimedCount,
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
    let compared = index.as_ref().and_then(|index| {
        let before = Compared::as_before(index, listed, seen);
        before.or_else(|| Compared::with(index, listed, seen).ok())
    });
    if let (Some(index), Some(compared)) = (index, compared) {
        let is_enough = compared.is_whole || spec.is_coarse(&index);
        if is_enough && spec.has_same_folders(&index) {
            if let Some(stamp) = compared.as_git
                && let Ok(Some(writer)) = spec.try_update()
            {
                // If that fails, the next status compares them again.
                let _ = writer.put_as_git(&index, stamp);
            }
            let (others, reads) = (kept_out(store, &index), index.reads(Unit::Facts));
            let facts = reads.count_texts() + others.len();
            // Few identities have a fact that says when it holds.
            let is_timeless = reads.timed().is_ok_and(|timed| timed.is_empty())
                && others.iter().all(|memory| memory.times.is_none());
            drop(index);
            let timed = if is_timeless { TimedCount::default() } else { timed(store, context) };
            return Overview { facts, timed, secrets: compared.names(listed) };
        }
    }
    // No index is open now, which would block the writer.
    let held = HeldFacts::of_stores(&[store], StandingFilter::All, context);
    let (_, facts) = newest(store, (context, &held), &[], |_| true);
    let secrets = named_secrets(store, context, listed, seen);
    Overview { facts, timed: held.counts(store), secrets }
}

fn timed(store: &Store, context: &Context) -> TimedCount {
    HeldFacts::of_stores(&[store], StandingFilter::All, context).counts(store)
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
struct Compared<'a> {
    /// Of each file in the listing, whether what it names is among `names`.
    is_known: Vec<bool>,
    names: BTreeSet<String>,
    /// Whether each file of the index is as the index has it.
    is_whole: bool,
    /// The stamp of git's index, if that has the same files, each as this index has it, and that is
    /// not noted yet.
    as_git: Option<&'a str>,
}

impl<'a> Compared<'a> {
    fn without_index(listed: &[Listed]) -> Compared<'a> {
        let is_known = vec![false; listed.len()];
        Compared { is_known, names: BTreeSet::new(), is_whole: false, as_git: None }
    }

    /// Without a look at each row, if both indexes are those of when they had the same files, and
    /// git's has each file as it is.
    fn as_before(
        index: &Index,
        listed: &[Listed],
        seen: Option<&'a Difference>,
    ) -> Option<Compared<'a>> {
        let (then, version) = index.reads(Unit::Facts).as_git().ok()??;
        if seen?.as_in_index() != Some(then.as_str()) || version != index.version() {
            return None;
        }
        let is_known = listed.iter().map(|file| unit_of(&file.path).is_some()).collect();
        let mut all = Compared { is_known, is_whole: true, ..Compared::without_index(&[]) };
        all.take_names(index, listed).ok()?;
        Some(all)
    }

    fn with(
        index: &Index,
        listed: &[Listed],
        seen: Option<&'a Difference>,
    ) -> Result<Compared<'a>, IndexError> {
        let mut all = Compared { is_whole: true, ..Compared::without_index(listed) };
        let mut places = InTurn::new(listed, |file| file.path.as_str());
        let (mut of_git, mut is_as_git) = (seen.map(Difference::stats), true);
        let mut stats = Stats::default();
        index.reads(Unit::Facts).each_file(|path, row| {
            let seen = of_git.as_mut().and_then(|of_git| of_git.get(path));
            let is_same = seen == Some(as_git_has_it(&row));
            is_as_git &= is_same;
            let mut is_as = |file: &Listed| is_same || stats.of(&file.file) == Some(row);
            // A row that was too recent to be trusted has no time.
            let place = places.place(path).filter(|_| row.modified != 0);
            match place.filter(|place| is_as(&listed[*place])) {
                Some(place) => all.is_known[place] = true,
                None => all.is_whole = false,
            }
            true
        })?;
        let stamp = seen.and_then(Difference::as_in_index);
        let has_each =
            |(file, is_known): (&Listed, &bool)| *is_known == unit_of(&file.path).is_some();
        let has_all = || listed.iter().zip(&all.is_known).all(has_each);
        all.as_git = stamp.filter(|_| is_as_git && all.is_whole && has_all());
        all.take_names(index, listed)?;
        Ok(all)
    }

    /// Takes in what the known files name, as the index has it.
    fn take_names(&mut self, index: &Index, listed: &[Listed]) -> Result<(), IndexError> {
        let mut places = InTurn::new(listed, |file| file.path.as_str());
        for unit in Unit::ALL {
            for path in index.reads(unit).other_paths()? {
                if let Some(place) = places.place(&path) {
                    self.is_known[place] = false;
                }
            }
            for meta in index.reads(unit).naming_secrets()? {
                let place = places.place(&meta.path).filter(|place| self.is_known[*place]);
                let Some(place) = place else { continue };
                let digest = match unit {
                    Unit::Facts => rows::of_memory(&meta.facts).map(|(.., digest)| digest),
                    Unit::Documents => documents::digest(&meta.facts),
                };
                match digest {
                    Some(digest) => self.names.extend(digest.secrets),
                    None => self.is_known[place] = false,
                }
            }
        }
        Ok(())
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

/// A stat in the form of `git::difference::Stats`.
pub(super) fn as_git_has_it(stat: &Stat) -> [i64; 4] {
    // Of size and inode, git keeps 32 bits.
    const KEPT: i64 = 0xffff_ffff;
    [stat.size & KEPT, stat.modified, stat.changed, stat.inode & KEPT]
}
