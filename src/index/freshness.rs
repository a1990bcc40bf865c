//! Whether an index is as the files of its store are.
//!
//! Invariant: changes are found by the times of the folders, and by a stat of each file where there
//! are few or somebody wants to know. Writes nothing that an answer depends on.

use super::{
    Freshness, IndexSpec,
    call_state::{CallState, Compared},
    database::{Folder, FolderTimes, Index, Stat, Stats, Unit},
    fact_index::unit_of,
    recent::Note,
    store::Writers,
};
use crate::identity::{
    RelPath,
    kind::{MEMORIES, is_memory_name},
};
use crate::machine::folder as folders;
use std::{
    hash::{BuildHasher, RandomState},
    num::Wrapping,
    path::{Path, PathBuf},
};

impl IndexSpec<'_> {
    /// Whether nothing changed since it was written, as far as `look` checks.
    pub(super) fn is_fresh(&self, index: &Index, look: Freshness) -> bool {
        if !self.has_same_folders(index) {
            return false;
        }
        if look == Freshness::Usual && self.is_coarse(index) {
            return true;
        }
        let (mut is_same, mut stats, mut file) = (true, Stats::default(), PathBuf::new());
        let looked = index.reads(Unit::Facts).each_file(|path, stat| {
            file.clear();
            file.push(&self.store.root);
            file.push(path);
            is_same = stats.of(&file) == Some(stat);
            is_same
        });
        looked.is_ok() && is_same
    }

    /// Whether a usual look is at the folders alone, and at the files that are shown: where there
    /// are too many files, and where only git writes.
    pub(super) fn is_coarse(&self, index: &Index) -> bool {
        let is_large = index.reads(Unit::Facts).count() > self.settings.look_at;
        is_large || self.store.writers == Writers::Git
    }

    /// Whether nothing came to the folders of the store or left them.
    pub(super) fn has_same_folders(&self, index: &Index) -> bool {
        self.has_same_folders_since(index, &[])
    }

    /// As [`IndexSpec::has_same_folders`], where these folders, listed with these stats a moment
    /// ago, were found to have the facts that the index has. One that came since, at a time that
    /// does not tell, is found by the next look.
    pub(super) fn has_same_folders_since(&self, index: &Index, listed: &[(String, Stat)]) -> bool {
        self.are_same(index, &index.reads(Unit::Facts).folders().unwrap_or_default(), listed)
    }

    /// The facts that were saved since the index was written, if no other file came to the folder
    /// of facts or left it since. For a save, which does not wait for names to be compared: where
    /// the folder is doubtful, its files are counted.
    ///
    /// Each noted save is a doubt of its own: its times may not tell of a file that came right
    /// after it. To count at the end of a save would be too soon, because the clock has not moved
    /// on, so the next save counts. What came while a save wrote is found by the next question,
    /// which settles the folder; until then, its number may be given to another fact, as on two
    /// laptops.
    pub(super) fn facts_since(&self, index: &Index) -> Option<Vec<Note>> {
        let folders = self.folders_of_facts(index);
        let (own, below): (Vec<Folder>, Vec<Folder>) =
            folders.into_iter().partition(|folder| folder.path == MEMORIES);
        if !below.is_empty() && !self.are_as_listed(&below) {
            return None;
        }
        let recent = self.recent(index)?;
        let are_exact = own.iter().all(|folder| folder.times != FolderTimes::Doubtful)
            && recent.iter().all(|note| note.is_exact);
        (are_exact || self.has_as_many(index, recent.len())).then_some(recent)
    }

    /// As [`IndexSpec::facts_since`], for a handle: in a small store, a stat of each file counts as
    /// well. It is taken once a call, until that or somebody else may have written.
    pub(super) fn recent_of_lookup(&self, index: &Index) -> Option<Vec<Note>> {
        let state = CallState::of(self.context);
        let is_compared = state.is_compared(self.store, Compared::Facts)
            || (state.has_facts_at(self.store, index.version()) && self.has_folders_below(index));
        if is_compared {
            return self.recent(index);
        }
        let are_same = || self.is_coarse(index) || self.has_facts_as_they_are(index);
        self.facts_since(index).filter(|_| are_same())
    }

    /// What the times of the folders tell after this file was written, or deleted, just now.
    pub(super) fn times_after(&self, path: &str) -> FolderTimes {
        let file = self.store.root.join(path);
        let folder = file.parent().unwrap_or(&self.store.root);
        let is_exact = |path: &Path| Stat::of(path).is_some_and(|stat| stat.is_exact(folder));
        if is_exact(folder) || is_exact(&file) { FolderTimes::Exact } else { FolderTimes::Doubtful }
    }

    /// Whether each fact that the index has is the file that it was, by its stat.
    pub(super) fn has_facts_as_they_are(&self, index: &Index) -> bool {
        let (mut is_same, mut stats, mut file) = (true, Stats::default(), PathBuf::new());
        let looked = index.reads(Unit::Facts).each_file_of_unit(|path, row| {
            file.clear();
            file.push(&self.store.root);
            file.push(path);
            // A row that was too recent to be trusted has no time; its other fields are compared.
            let is_row = |now: Stat| row == now || row == Stat { modified: 0, ..now };
            is_same = stats.of(&file).is_some_and(is_row);
            is_same
        });
        looked.is_ok() && is_same
    }

    /// The folder of facts, and those below it, as they were listed.
    fn folders_of_facts(&self, index: &Index) -> Vec<Folder> {
        let mut folders = index.reads(Unit::Facts).folders().unwrap_or_default();
        folders.retain(|folder| folder.path.starts_with(MEMORIES));
        folders
    }

    /// Whether the times of the folders below that of facts are those of when they were listed.
    fn has_folders_below(&self, index: &Index) -> bool {
        let mut folders = self.folders_of_facts(index);
        folders.retain(|folder| folder.path != MEMORIES);
        folders.is_empty() || self.are_as_listed(&folders)
    }

    /// Whether the times of these folders are those of when they were listed; false without any.
    fn are_as_listed(&self, folders: &[Folder]) -> bool {
        let is_same = |folder: &Folder| {
            let now = Stat::of(&self.store.root.join(&folder.path));
            // The folder may be missing, as it was when it was listed.
            folder.is_as_listed(Some(now.unwrap_or_default()))
        };
        !folders.is_empty() && folders.iter().all(is_same)
    }

    /// Whether these folders have the files that the index has of them; false without any. The
    /// names in the folders of facts among `listed` were compared with it.
    fn are_same(&self, index: &Index, folders: &[Folder], listed: &[(String, Stat)]) -> bool {
        if !self.are_as_listed(folders) {
            return false;
        }
        let compared = |folder: &Folder| {
            let is_it =
                |(path, _): &&(String, Stat)| *path == folder.path && path.starts_with(MEMORIES);
            listed.iter().find(is_it).map(|(_, stat)| *stat)
        };
        // Somebody may have written at the moment that co did, which the times do not tell.
        let is_settled = |folder: &Folder| folder.times == FolderTimes::Settled;
        let doubtful: Vec<&Folder> = folders.iter().filter(|folder| !is_settled(folder)).collect();
        // Told before the names are read: while a time is that recent, a file may come unseen.
        let is_old = |folder: &&&Folder| match compared(folder) {
            // It has no time if it was that recent.
            Some(then) => folder.is_as_listed(Some(then)),
            None => {
                let now = Stat::of(&self.store.root.join(&folder.path)).unwrap_or_default();
                now.settled() == now
            }
        };
        let old: Vec<&str> =
            doubtful.iter().filter(is_old).map(|folder| folder.path.as_str()).collect();
        let has_same_names = |folder: &&Folder| {
            compared(folder).is_some() || self.has_same_names(index, &folder.path)
        };
        if !doubtful.iter().all(has_same_names) {
            return false;
        }
        if !old.is_empty()
            && let Ok(Some(writer)) = self.try_update()
        {
            // If that fails, the next question compares the names again.
            let _ = writer.settle(index, &old);
        }
        true
    }

    /// Whether the folder of facts has as many files of facts as the index, and these notes of
    /// others.
    fn has_as_many(&self, index: &Index, noted: usize) -> bool {
        let mut there = 0;
        let count = |name: &str| there += usize::from(is_memory_name(name));
        folders::each_name(&self.store.root.join(MEMORIES), count);
        index.reads(Unit::Facts).count_files() + noted == there
    }

    /// Whether a folder, given with a trailing `/`, has the files that the index has of it, by
    /// their names: their sums are compared, of numbers that no name can be made to have.
    fn has_same_names(&self, index: &Index, folder: &str) -> bool {
        let numbers = RandomState::new();
        let (mut known, mut there) = (Wrapping(0), Wrapping(0));
        let of_index = |path: &str| {
            let name = path.strip_prefix(folder).filter(|name| !name.contains('/'));
            known += Wrapping(name.map_or(0, |name| numbers.hash_one(name)));
        };
        let has_it = |name: &str| {
            // Hot: nearly all are facts.
            let is_fact = folder == MEMORIES && is_memory_name(name);
            is_fact
                || RelPath::new(&format!("{folder}{name}"))
                    .is_some_and(|path| unit_of(&path).is_some())
        };
        let of_folder = |name: &str| {
            there += Wrapping(if has_it(name) { numbers.hash_one(name) } else { 0 });
        };
        if index.reads(Unit::Facts).each_path_below(folder, of_index).is_err() {
            return false;
        }
        folders::each_name(&self.store.root.join(folder), of_folder);
        known == there
    }
}
