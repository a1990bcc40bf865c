//! Looks facts up in the index of their store, and takes in the files that co itself writes.
//!
//! Invariant: an answer names files, which the caller reads. For what a person names, each file of
//! facts is checked, so that one edited in place is known; in a store with more than
//! `recall.look_at` files, only the folders are. After a write, the index needs no comparison for
//! the next save, nor does a save that is only noted.

use super::{
    Freshness, IndexSpec,
    call_state::{CallState, Compared},
    database::{Content, Folder, FolderTimes, Index, IndexError, Stat, Unit, Writer},
    kept_out::kept_out,
    opening::open,
    recent::Note,
    refresh::{prepared, remove},
    rows::{Counts, Preparer, Texts, Vectors, memory, word_vector},
    store::Store,
};
use crate::identity::{
    ContentHash, FileChange, Memory, RelPath, Stamp, handle::Handle, kind::MEMORIES,
};
use crate::knowledge::Topic;
use crate::machine::{Context, files, folder::Listed};
use std::{collections::BTreeSet, rc::Rc};

/// The facts of a store, as its index has them.
pub(crate) struct FactIndex<'a> {
    context: &'a Context,
    spec: IndexSpec<'a>,
    pub(super) index: Rc<Index>,
    /// What was noted of the facts that were saved since it was written, where they were not taken
    /// in.
    recent: Vec<Note>,
    /// The same facts, where they were read.
    pub(super) saved: Vec<Memory>,
}

/// What the index knows of the facts of a store before one is saved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BeforeSave {
    /// Whether a fact has the text, or may have it.
    pub(crate) has_same: bool,
    /// The highest number; 0 if there is none.
    pub(crate) highest: u64,
}

impl<'a> FactIndex<'a> {
    /// For a save: no file came or went. One that was edited in place goes unnoticed until the next
    /// sync, which merges equal texts. `None` if there is no index and none can be created.
    pub(crate) fn for_save(store: &'a Store, context: &'a Context) -> Option<FactIndex<'a>> {
        let spec = IndexSpec::of(store, context);
        if let Some(index) = spec.open_as_is().ok()?
            && let Some(recent) = spec.facts_since(&index)
        {
            return Some(FactIndex {
                context,
                spec,
                index: Rc::new(index),
                recent,
                saved: Vec::new(),
            });
        }
        FactIndex::compared(context, spec)
    }

    /// For what is said of a new fact, which does not wait until what was saved is in the index: as
    /// it is, with what was saved since. `None` if a file came, went or changed otherwise; in a
    /// store with more than `recall.look_at` files, only the folders and the saved files are looked
    /// at.
    pub(crate) fn with_saved(store: &'a Store, context: &'a Context) -> Option<FactIndex<'a>> {
        let spec = IndexSpec::of(store, context);
        let index = spec.open_as_is().ok()??;
        let recent = spec.facts_since(&index)?;
        if !spec.is_coarse(&index) && !spec.has_facts_as_they_are(&index) {
            return None;
        }
        let saved = spec.saved_all(&recent)?;
        Some(FactIndex { context, spec, index: Rc::new(index), recent, saved })
    }

    /// For what a person names: with the facts that were saved since, where these are few. `None`
    /// if the files have to be read: without an index, and if one of them is not in it.
    pub(crate) fn for_lookup(store: &'a Store, context: &'a Context) -> Option<FactIndex<'a>> {
        let spec = IndexSpec::of(store, context);
        // Building one costs more than reading the files once.
        let index = spec.open_for_lookup()?;
        let recent = spec.recent_of_lookup(&index);
        let saved = recent.as_deref().and_then(|recent| spec.saved_all(recent));
        let index = match recent.zip(saved) {
            Some((recent, saved)) => {
                FactIndex { context, spec, index: Rc::new(index), recent, saved }
            }
            None => {
                // An open read would block the writer.
                drop(index);
                FactIndex::compared(context, spec)?
            }
        };
        CallState::of(context).set_compared(store, Compared::Facts);
        CallState::of(context).set_facts_at(store, index.index.version());
        // Files that cannot be read, or whose name is a secret, leave no folders behind.
        let folders = index.index.reads(Unit::Facts).folders().ok()?;
        (!folders.is_empty()).then_some(index)
    }

    fn without_saved(context: &'a Context, spec: IndexSpec<'a>, index: Rc<Index>) -> FactIndex<'a> {
        FactIndex { context, spec, index, recent: Vec::new(), saved: Vec::new() }
    }

    /// Whether it is of this store.
    pub(crate) fn is_of(&self, store: &Store) -> bool {
        self.spec.store.root == store.root
    }

    /// Whether only the folders are looked at.
    pub(crate) fn is_coarse(&self) -> bool {
        self.spec.is_coarse(&self.index)
    }

    /// After a stat of each file.
    fn compared(context: &'a Context, spec: IndexSpec<'a>) -> Option<FactIndex<'a>> {
        let opened = open(spec.store, context, Freshness::Whole, &|_, _| {}).ok()??;
        Some(FactIndex::without_saved(context, spec, opened.index))
    }

    /// Reads every file that changed unnoticed into the index.
    pub(crate) fn compared_with_files(self) -> Option<FactIndex<'a>> {
        let FactIndex { context, spec, index, .. } = self;
        // On a network file system, an open read would block the writer.
        drop(index);
        FactIndex::compared(context, spec)
    }

    /// Whether no fact says when it holds, or which one it replaces.
    pub(crate) fn is_timeless(&self) -> bool {
        self.index.reads(Unit::Facts).timed().is_ok_and(|timed| timed.is_empty())
            && self.saved.iter().all(|fact| fact.times.is_none())
            && kept_out(self.spec.store, &self.index).iter().all(|fact| fact.times.is_none())
    }

    /// What a save of this text needs to know.
    pub(crate) fn before_save(&self, hash: &ContentHash) -> Option<BeforeSave> {
        let reads = self.index.reads(Unit::Facts);
        let (found, highest) = reads.with_hash_prefix_and_highest(hash.hash_prefix()).ok()?;
        let memories: Option<Vec<Memory>> = found.into_iter().map(memory).collect();
        let has_same = memories?.iter().any(|memory| memory.hash == *hash);
        // Whether their text is the same as well, the files tell.
        let may_be_recent = self.recent.iter().any(|note| note.hash_prefix == hash.hash_prefix());
        let highest = self.recent.iter().filter_map(|note| note.number).fold(highest, u64::max);
        Some(BeforeSave { has_same: has_same || may_be_recent, highest })
    }

    /// The files that may contain what a handle names.
    pub(crate) fn files_named(&self, handle: &Handle) -> Option<Vec<RelPath>> {
        let reads = self.index.reads(Unit::Facts);
        let found = match handle {
            Handle::Id(number) | Handle::IdAndHash(number, _) => reads.paths_numbered(*number),
            Handle::Hash(digits) => reads.paths_with_hash(hash_prefixes(digits)?),
        };
        self.with_others(found, |memory| handle.names(memory))
    }

    /// The files of the facts that were learned at one of these times.
    pub(crate) fn files_created(&self, at: &BTreeSet<Stamp>) -> Option<Vec<RelPath>> {
        let micros: BTreeSet<i64> = at.iter().map(|at| at.micros()).collect();
        let found = self.index.reads(Unit::Facts).paths_created_at(&micros);
        self.with_others(found, |memory| at.contains(&memory.created))
    }

    /// With those of the facts that were saved since, and those with a suspected secret, of which
    /// the index knows only that they are there.
    fn with_others(
        &self,
        found: Result<Vec<String>, IndexError>,
        is_wanted: impl Fn(&Memory) -> bool,
    ) -> Option<Vec<RelPath>> {
        let others = self.index.reads(Unit::Facts).others().ok()?;
        let kept_out = others.into_iter().filter(Content::is_kept_out).map(|other| other.path);
        let saved = self.saved.iter().filter(|memory| is_wanted(memory));
        let saved = saved.map(|memory| memory.path.clone());
        Some(
            found
                .ok()?
                .into_iter()
                .chain(kept_out)
                .filter_map(|path| RelPath::new(&path))
                .chain(saved)
                .collect(),
        )
    }
}

/// The first and the last hash prefix that begin with these hexadecimal digits.
fn hash_prefixes(digits: &str) -> Option<(u64, u64)> {
    const DIGITS: usize = 16;
    let digits = digits.get(..digits.len().min(DIGITS))?;
    let end = |fill: &str| {
        u64::from_str_radix(&format!("{digits}{}", fill.repeat(DIGITS - digits.len())), 16).ok()
    };
    Some((end("0")?, end("f")?))
}

fn is_as_listed(store: &Store, folder: &Folder) -> bool {
    folder.is_as_listed(Stat::of(&store.root.join(&folder.path)))
}

/// With more files, a comparison of the whole store costs less than taking in each.
pub(super) const FEW: usize = 16;

/// An index that was up to date before some files of its store were written.
pub(crate) struct BeforeWrite<'a> {
    spec: IndexSpec<'a>,
    paths: Vec<(Unit, RelPath)>,
    /// The files that were noted before, to be taken in with these.
    noted: Vec<(Unit, RelPath)>,
    /// Whether the times told of every change until then.
    noted_exactly: bool,
    /// Of what is only noted.
    note: Option<Note>,
}

impl<'a> BeforeWrite<'a> {
    /// Of an index whose folders are as they are now.
    pub(super) fn of(spec: IndexSpec<'a>, paths: Vec<(Unit, RelPath)>) -> BeforeWrite<'a> {
        BeforeWrite { spec, paths, noted: Vec::new(), noted_exactly: true, note: None }
    }

    /// `None` if the next query has to compare the files anyway. To be called under the write lock.
    pub(crate) fn look(
        store: &'a Store,
        context: &'a Context,
        change: &[FileChange],
    ) -> Option<BeforeWrite<'a>> {
        let paths: Vec<(Unit, RelPath)> = change
            .iter()
            .filter_map(|file| Some((unit_of(&file.path)?, file.path.clone())))
            .collect();
        if paths.is_empty() || paths.len() > FEW {
            return None;
        }
        let spec = IndexSpec::of(store, context);
        if let Some(note) = spec.note_of(change) {
            return Some(BeforeWrite { note: Some(note), ..BeforeWrite::of(spec, paths) });
        }
        let index = spec.open_as_is().ok()??;
        let has_facts = paths.iter().any(|(_, path)| path.folder() == MEMORIES);
        let noted = if has_facts { spec.recent(&index)? } else { Vec::new() };
        let folders = index.reads(Unit::Facts).folders().ok()?;
        let is_listed = |(_, path): &(Unit, RelPath)| {
            let mut folders = folders.iter().filter(|folder| folder.path == path.folder());
            // The notes lead to how the folder of facts is now.
            folders.any(|folder| folder.path == MEMORIES || is_as_listed(store, folder))
        };
        let is_known = paths.iter().all(is_listed);
        let is_told = |folder: &Folder| folder.times != FolderTimes::Doubtful;
        let noted_exactly = folders.iter().all(is_told) && noted.iter().all(|note| note.is_exact);
        let noted = noted.iter().filter_map(|note| Some((Unit::Facts, RelPath::new(&note.path)?)));
        let noted = noted.collect();
        is_known.then(|| BeforeWrite { noted, noted_exactly, ..BeforeWrite::of(spec, paths) })
    }

    /// Takes in what was written, or notes it. If that fails, the next query compares the files.
    pub(crate) fn done(mut self) {
        let note = self.note.take();
        if note.is_none_or(|note| self.spec.put_note(note).is_ok_and(|is_noted| !is_noted)) {
            let _ = self.take_in();
        }
    }

    fn take_in(&self) -> Result<(), IndexError> {
        let spec = &self.spec;
        let Some(writer) = spec.try_update()? else { return Ok(()) };
        let folders: BTreeSet<&str> = self.paths.iter().map(|(_, path)| path.folder()).collect();
        let root = &spec.store.root;
        // A folder that is gone is found by the next query.
        let now = |folder: &str| Stat::of(&files::resolve(&root.join(folder))).unwrap_or_default();
        let folders: Vec<(&str, Stat)> =
            folders.into_iter().map(|folder| (folder, now(folder))).collect();
        let exact =
            |(_, path): &(Unit, RelPath)| spec.times_after(path.as_str()) == FolderTimes::Exact;
        let are_exact = self.noted_exactly && self.paths.iter().all(exact);
        let times = if are_exact { FolderTimes::Exact } else { FolderTimes::Doubtful };
        let all: BTreeSet<&(Unit, RelPath)> = self.noted.iter().chain(&self.paths).collect();
        if spec.put_rows(&writer, all)? {
            writer.finish_written(&folders, times, &word_vector)?;
        }
        Ok(())
    }

    /// Takes in files that were edited in place, so that the folders are as they were listed.
    /// Returns whether all were taken in; else none was.
    pub(super) fn take_in_edited(&self) -> Result<bool, IndexError> {
        let spec = &self.spec;
        let Some(writer) = spec.try_update()? else { return Ok(false) };
        let is_whole = spec.put_rows(&writer, &self.paths)?;
        if is_whole {
            writer.finish_as_listed(&word_vector)?;
        }
        Ok(is_whole)
    }
}

impl IndexSpec<'_> {
    /// Puts these files into the index as they are now. Returns whether each could be read: nothing
    /// is to be published otherwise, so that the next query finds one that cannot.
    pub(super) fn put_rows<'p>(
        &self,
        writer: &Writer,
        paths: impl IntoIterator<Item = &'p (Unit, RelPath)>,
    ) -> Result<bool, IndexError> {
        // Vectors from an endpoint are left to the next query: a write does not wait.
        let is_endpoint = !self.model.is_built_in();
        let vectors = if is_endpoint { Vectors::Left } else { Vectors::Kept };
        let mut preparer = Preparer::new(vectors, Texts::Dropped, self.context.now());
        for (unit, path) in paths {
            let mut counts = Counts::default();
            if writer.reads(*unit).has(path.as_str())? {
                remove(writer, *unit, path.as_str(), &mut counts)?;
            }
            let listed = Listed { path: path.clone(), file: self.store.root.join(path.as_str()) };
            if files::exists(&listed.file) {
                let Ok(mut prepared) = prepared(*unit, &mut preparer, &listed) else {
                    return Ok(false);
                };
                if is_endpoint {
                    prepared.row.stat.modified = 0;
                }
                writer.insert(*unit, prepared.row)?;
                preparer.give_counts(&mut counts);
            }
            writer.count_words(*unit, counts.words());
        }
        Ok(true)
    }
}

/// `None` for a file that is not in the index.
pub(super) fn unit_of(path: &RelPath) -> Option<Unit> {
    if path.is_memory() {
        return Some(Unit::Facts);
    }
    Topic::of(path).map(|_| Unit::Documents)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_begin_every_prefix_between_the_ends() {
        assert_eq!(hash_prefixes("3fa9"), Some((0x3fa9_0000_0000_0000, 0x3fa9_ffff_ffff_ffff)));
        assert_eq!(hash_prefixes("ffff").map(|(_, last)| last), Some(u64::MAX));
        let whole = "0123456789abcdef0123";
        assert_eq!(hash_prefixes(whole), Some((0x0123_4567_89ab_cdef, 0x0123_4567_89ab_cdef)));
    }
}
