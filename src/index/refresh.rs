//! Brings an index up to date with the files of its store.
//!
//! Invariant: changes are found by a stat of the files, first without and then under the write
//! lock; a refresh writes only if something changed.

use super::{
    Budget, Encoding, Freshness, IndexSpec, Opened, Refreshed, SearchMode,
    call_state::CallState,
    database::{Content, FileRow, Index, IndexError, Searchable, Stat, Stats, Unit, Writer},
    documents,
    encoding::EncodedAtOnce,
    rows::{self, Counts, Prepared, Preparer, Preparers, Texts, Vectors, word_vector},
    texts::{self, Text},
};
use crate::identity::{Blob, Document, Finding, Memory, RelPath};
use crate::machine::{
    files,
    folder::{self, Listed, Listing},
};
use crate::recall::{tokens::Stems, words_of};
use rayon::prelude::*;
use std::{
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

/// The index of 1.0.0, which makes it anew if it is used again.
const OLDER: [&str; 3] = ["catalog.db", "catalog.seal", "catalog.lock"];

/// Batch sizes: files that are in memory at once, and files that a thread reads in turn; a document
/// is as large as many facts.
fn batch(unit: Unit) -> (usize, usize) {
    match unit {
        Unit::Facts => (512, 64),
        Unit::Documents => (16, 2),
    }
}

/// What a refresh found and did.
#[derive(Default)]
struct RefreshRun {
    /// For an index to which nothing is added later.
    encodes: Option<EncodedAtOnce>,
    folders: Vec<(String, Stat)>,
    findings: Vec<Finding>,
    done: Refreshed,
    /// Why some texts have no vector from the endpoint.
    problem: Option<String>,
}

/// Files of a unit that are new or changed since they were indexed.
struct New<'a> {
    unit: Unit,
    files: Vec<&'a Listed>,
    counts: Counts,
}

/// Progress: files done, files in total.
struct Progress<'a> {
    done: usize,
    all: usize,
    moved: &'a dyn Fn(usize, usize),
}

impl Progress<'_> {
    fn step(&mut self) {
        self.done += 1;
        (self.moved)(self.done, self.all);
    }
}

impl IndexSpec<'_> {
    pub(super) fn opened(
        &self,
        index: Index,
        refreshed: Refreshed,
        mut findings: Vec<Finding>,
    ) -> Result<Opened, IndexError> {
        for unit in Unit::ALL {
            for other in index.reads(unit).others()? {
                findings.extend(self.finding(unit, &other));
            }
        }
        findings.sort_by(|a, b| a.path.cmp(&b.path));
        let mode = if index.is_in_memory() { SearchMode::Scan } else { SearchMode::Index };
        let (index, model) = (Rc::new(index), self.model.clone());
        Ok(Opened { index, refreshed, findings, model, mode, problem: None })
    }

    /// The finding for a file that is not a document. A secret in the file takes precedence.
    fn finding(&self, unit: Unit, content: &Content) -> Option<Finding> {
        let path = RelPath::new(&content.path)?;
        if !content.is_kept_out() {
            return fault(unit, &path, &Blob::from(content.bytes.as_slice()));
        }
        let read = folder::read_file(&path, &self.store.root.join(path.as_str()));
        let broken = read.ok().and_then(|(blob, _)| fault(unit, &path, &blob));
        broken.or_else(|| Some(rows::kept_out(&path)))
    }

    /// `None` if it has to be rebuilt.
    pub(super) fn refresh(
        &self,
        index: Index,
        moved: &dyn Fn(usize, usize),
    ) -> Result<Option<Opened>, IndexError> {
        if let Some(opened) = self.only_unreadable(index)? {
            return Ok(Some(opened));
        }
        let Some(writer) = self.update()? else { return Ok(None) };
        let before = writer.reads(Unit::Facts).count();
        let listings = self.listings();
        let mut change = RefreshRun::default();
        let mut new = Vec::new();
        for (unit, listing) in &listings {
            new.push(change.compared(&writer, *unit, &listing.files)?);
            change.folders.extend(listing.folders.iter().cloned());
            change.findings.extend(listing.findings.iter().cloned());
        }
        self.insert(&writer, new, &mut change, moved)?;
        let after = writer.reads(Unit::Facts).count();
        change.done.added = (after + change.done.removed).saturating_sub(before);
        self.finished(writer, change).map(Some)
    }

    /// Returns the index unchanged if only unreadable files differ. Else it is closed, because what
    /// reads it keeps others from writing.
    fn only_unreadable(&self, index: Index) -> Result<Option<Opened>, IndexError> {
        // Unreadable files are only recorded as an empty list of folders.
        if !index.reads(Unit::Facts).folders()?.is_empty() {
            return Ok(None);
        }
        let mut findings = Vec::new();
        for (unit, listing) in self.listings() {
            let known: BTreeMap<String, Stat> = index.reads(unit).files()?.into_iter().collect();
            let there: BTreeSet<&str> =
                listing.files.iter().map(|listed| listed.path.as_str()).collect();
            if !known.keys().all(|path| there.contains(path.as_str())) {
                return Ok(None);
            }
            let mut stats = Stats::default();
            let mut is_known = |listed: &&Listed| {
                let known = known.get(listed.path.as_str());
                known.is_some_and(|known| stats.of(&listed.file) == Some(*known))
            };
            let unreadable = |listed: &Listed| {
                let is_new = !known.contains_key(listed.path.as_str());
                folder::read_file(&listed.path, &listed.file).err().filter(|_| is_new)
            };
            let new = listing.files.iter().filter(|listed| !is_known(listed));
            let unread: Option<Vec<Finding>> = new.map(unreadable).collect();
            let Some(unread) = unread else { return Ok(None) };
            findings.extend(listing.findings.into_iter().chain(unread));
        }
        if findings.is_empty() {
            return Ok(None);
        }
        let refreshed = self.counted(|unit| index.reads(unit).count_document_files());
        self.opened(index, refreshed, findings).map(Some)
    }

    pub(super) fn build(
        &self,
        look: Freshness,
        moved: &dyn Fn(usize, usize),
    ) -> Result<Option<Opened>, IndexError> {
        let writer = Writer::anew(&self.file, &self.key, &CallState::of(self.context).call)?;
        // Another co may have built it while this one waited for the lock.
        let made = if look == Freshness::Anew { None } else { self.open()? };
        if let Some(index) = made.filter(|index| self.is_fresh(index, look)) {
            drop(writer);
            let refreshed = self.counted(|unit| index.reads(unit).count_document_files());
            return self.opened(index, refreshed, Vec::new()).map(Some);
        }
        self.remove_older();
        self.filled(writer, None, moved).map(Some)
    }

    /// An index that lasts as long as it is held, with the encoder's vectors if the budget allows.
    pub(super) fn in_memory(&self, budget: Budget) -> Result<Opened, IndexError> {
        let writer = Writer::in_memory(&self.key)?;
        // Who waited in vain for an index that has them does not wait for others to be made.
        let encodes = EncodedAtOnce::within(Encoding::of(self.context, budget))
            .filter(|_| !CallState::of(self.context).call.has_waited());
        let opened = self.filled(writer, encodes, &|_, _| {})?;
        let refreshed = Refreshed { rebuilt: false, ..opened.refreshed };
        Ok(Opened { refreshed, ..opened })
    }

    /// Reads every file into an empty index.
    fn filled(
        &self,
        writer: Writer,
        encodes: Option<EncodedAtOnce>,
        moved: &dyn Fn(usize, usize),
    ) -> Result<Opened, IndexError> {
        let listings = self.listings();
        let mut change = RefreshRun { encodes, ..RefreshRun::default() };
        let mut new = Vec::new();
        for (unit, listing) in &listings {
            let files = listing.files.iter().collect();
            new.push(New { unit: *unit, files, counts: Counts::default() });
            change.folders.extend(listing.folders.iter().cloned());
            change.findings.extend(listing.findings.iter().cloned());
        }
        self.insert(&writer, new, &mut change, moved)?;
        change.done.rebuilt = true;
        change.done.added = writer.reads(Unit::Facts).count();
        self.finished(writer, change)
    }

    /// Deletes the index of an earlier version.
    fn remove_older(&self) {
        let folder = self.file.parent().unwrap_or(&self.store.state);
        for name in OLDER {
            let _ = files::discard(&folder.join(name));
            let _ = files::discard(&self.store.state.join(name));
        }
    }

    fn finished(&self, writer: Writer, change: RefreshRun) -> Result<Opened, IndexError> {
        let RefreshRun { folders, findings, done, problem, .. } = change;
        let counted = self.counted(|unit| writer.reads(unit).count_document_files());
        let done = Refreshed { files: counted.files, articles: counted.articles, ..done };
        let done = Refreshed { file: self.file.clone(), ..done };
        // After unreadable files, no folders are stored, so that the next query looks again.
        let folders = if findings.is_empty() { folders.as_slice() } else { &[] };
        let index = writer.finish(folders, &word_vector)?;
        let opened = self.opened(index, done, findings)?;
        Ok(Opened { problem: problem.or(opened.problem.clone()), ..opened })
    }

    pub(super) fn counted(&self, count: impl Fn(Unit) -> usize) -> Refreshed {
        let (files, articles) = (count(Unit::Facts), count(Unit::Documents));
        Refreshed { file: self.file.clone(), files, articles, ..Refreshed::default() }
    }

    /// The files that belong in an index.
    fn listings(&self) -> [(Unit, Listing); 2] {
        let facts = self.store.memory_listing();
        [(Unit::Facts, facts), (Unit::Documents, self.store.document_listing())]
    }

    fn insert(
        &self,
        writer: &Writer,
        new: Vec<New<'_>>,
        change: &mut RefreshRun,
        moved: &dyn Fn(usize, usize),
    ) -> Result<(), IndexError> {
        let all = new.iter().map(|new| new.files.len()).sum();
        let mut progress = Progress { done: 0, all, moved };
        // An endpoint is asked for many vectors at once.
        let asks = !self.model.is_built_in();
        let vectors = if asks { Vectors::Left } else { Vectors::Kept };
        let is_read_again = asks || change.encodes.is_some();
        let texts = if is_read_again { Texts::Kept } else { Texts::Dropped };
        let preparers = Preparers::new(vectors, texts, self.context.now());
        for mut new in new {
            let (some, together) = batch(new.unit);
            for some in new.files.chunks(some) {
                let prepared = some.par_chunks(together).flat_map_iter(|listed| {
                    preparers.with(|preparer| {
                        let prepared = |listed: &&Listed| prepared(new.unit, preparer, listed);
                        listed.iter().map(prepared).collect::<Vec<_>>()
                    })
                });
                let mut prepared: Vec<Result<Prepared, Finding>> = prepared.collect();
                if asks {
                    change.problem = self.ask_for_vectors(&mut prepared).or(change.problem.take());
                }
                if let Some(encodes) = &mut change.encodes {
                    encodes.fill(prepared.iter_mut().flatten());
                }
                for (listed, one) in some.iter().zip(prepared) {
                    progress.step();
                    match one {
                        Ok(prepared) => writer.insert(new.unit, prepared.row)?,
                        // Deleted since the listing, for example by a forget.
                        Err(_) if !files::exists(&listed.file) => {}
                        Err(finding) => change.findings.push(finding),
                    }
                }
                writer.flush()?;
            }
            preparers.give_counts(&mut new.counts);
            writer.count_words(new.unit, new.counts.words());
        }
        Ok(())
    }

    /// Returns why the endpoint made none. Rows without a vector are read again next time.
    fn ask_for_vectors(&self, prepared: &mut [Result<Prepared, Finding>]) -> Option<String> {
        let (mut texts, mut places): (Vec<&str>, Vec<&mut Searchable>) = Default::default();
        let mut stats: Vec<&mut Stat> = Vec::new();
        for Prepared { row, texts: of_file } in prepared.iter_mut().flatten() {
            let FileRow { searchable, stat, .. } = row;
            texts.extend(of_file.iter().map(String::as_str));
            stats.extend((!searchable.is_empty()).then_some(stat));
            places.extend(searchable);
        }
        match self.model.vectors(self.context, &texts) {
            Ok(vectors) => {
                for (place, vector) in places.into_iter().zip(vectors) {
                    place.vector = Some(vector.to_bytes());
                }
                None
            }
            Err(error) => {
                stats.into_iter().for_each(|stat| stat.modified = 0);
                Some(error.to_string())
            }
        }
    }
}

impl RefreshRun {
    /// Removes rows of deleted or changed files, and returns the files to be read.
    fn compared<'a>(
        &mut self,
        writer: &Writer,
        unit: Unit,
        listed: &'a [Listed],
    ) -> Result<New<'a>, IndexError> {
        let known: BTreeMap<String, Stat> = writer.reads(unit).files()?.into_iter().collect();
        let there: BTreeSet<&str> = listed.iter().map(|listed| listed.path.as_str()).collect();
        let mut counts = Counts::default();
        for path in known.keys().filter(|path| !there.contains(path.as_str())) {
            remove(writer, unit, path, &mut counts)?;
            self.done.removed += 1;
        }
        let (mut files, mut stats) = (Vec::new(), Stats::default());
        for listed in listed {
            let now = stats.of(&listed.file);
            let before = known.get(listed.path.as_str());
            if now.is_some() && before == now.as_ref() {
                continue;
            }
            files.push(listed);
            let Some(before) = before else { continue };
            remove(writer, unit, listed.path.as_str(), &mut counts)?;
            // A row stored with time 0 was too recent to be trusted: its file is read again, which
            // is not a change if all else is the same.
            let is_same = now.is_some_and(|now| Stat { modified: 0, ..now } == *before);
            self.done.changed += usize::from(!is_same);
        }
        Ok(New { unit, files, counts })
    }
}

pub(super) fn remove(
    writer: &Writer,
    unit: Unit,
    path: &str,
    counts: &mut Counts,
) -> Result<(), IndexError> {
    let (content, stems) = (writer.reads(unit).content_at(path)?, Stems::default());
    let words_of_text = |text: Text| words_of(&text.body, &text.tags).concat();
    let words: Vec<Vec<String>> =
        texts::of(unit, &content).into_iter().map(words_of_text).collect();
    let stems_of = |words: &Vec<String>| -> BTreeSet<String> {
        words.iter().map(|word| stems.stem(word)).collect()
    };
    writer.remove(unit, path, &words.iter().map(stems_of).collect::<Vec<_>>())?;
    words.iter().for_each(|some| counts.add(&some.join(" "), -1));
    Ok(())
}

pub(super) fn prepared(
    unit: Unit,
    preparer: &mut Preparer,
    listed: &Listed,
) -> Result<Prepared, Finding> {
    match unit {
        Unit::Facts => preparer.read(listed),
        Unit::Documents => documents::prepared(preparer, listed),
    }
}

/// The finding for a file that is not a document.
fn fault(unit: Unit, path: &RelPath, blob: &Blob) -> Option<Finding> {
    match unit {
        Unit::Facts => Memory::read(path, blob).err().map(|unusable| unusable.finding(path)),
        Unit::Documents => Document::read(blob).err().map(|broken| broken.finding(path)),
    }
}
