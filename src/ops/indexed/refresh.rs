//! Bringing an index up to date with the files of its store.
//!
//! Invariant: what changed is found by a look at the files, before and again under the lock of
//! writers; a refresh writes only where something changed.

use super::{
    Look, Opened, Place, Refreshed, Rung, What, documents, memory,
    rows::{self, Prepared, Preparer, Vectors},
};
use crate::identity::{Blob, Document, Finding, Memory, RelPath};
use crate::recall::words_of;
use crate::system::{
    files,
    folder::{self, Listed, Listing},
    index::{Content, Index, IndexError, Indexed, Shape, Stat, Writer},
};
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Files that are read before they are written into the index.
const SOME: usize = 1_024;
/// Files that share what is remembered of words.
const TOGETHER: usize = 256;

impl Place<'_> {
    pub(super) fn opened(
        &self,
        index: Index,
        vectors: Vectors,
        refreshed: Refreshed,
        mut findings: Vec<Finding>,
    ) -> Result<Opened, IndexError> {
        for other in index.reads().others()? {
            findings.extend(self.finding(&other));
        }
        let rung = if vectors == Vectors::Kept { Rung::Hybrid } else { Rung::Words };
        let model = self.model.clone();
        Ok(Opened { index, rung, refreshed, findings, model, problem: None })
    }

    /// Whether nothing changed since it was written, as far as it is looked at.
    pub(super) fn is_fresh(&self, index: &Index, look: Look) -> bool {
        let reads = index.reads();
        let same_folders = reads.folders().is_ok_and(|folders| {
            !folders.is_empty()
                && folders.iter().all(|(folder, modified)| {
                    let now = Stat::of(&self.store.root.join(folder));
                    now.is_some_and(|now| now.modified == *modified)
                })
        });
        let few = || reads.count().is_ok_and(|files| files <= self.settings.look_at);
        if !same_folders || (look == Look::Usual && !few()) {
            return same_folders;
        }
        let same = |(path, stat): &(String, Stat)| {
            Stat::of(&self.store.root.join(path)).is_some_and(|now| now == *stat)
        };
        reads.files().is_ok_and(|files| files.iter().all(same))
    }

    /// None when it has to be made anew.
    pub(super) fn refresh(
        &self,
        vectors: Vectors,
        moved: &dyn Fn(usize, usize),
    ) -> Result<Option<Opened>, IndexError> {
        if let Some(opened) = self.only_unreadable(vectors)? {
            return Ok(Some(opened));
        }
        let Some(writer) = Writer::update(&self.file, &self.key(vectors), self.shape())? else {
            return Ok(None);
        };
        let Listing { files: listed, mut findings, folders, .. } = self.listing();
        if listed.len() < self.index_from() {
            return Ok(None);
        }
        if self.wanted(listed.len()) != vectors {
            drop(writer);
            return self.build(moved);
        }
        let known: BTreeMap<String, Stat> = writer.reads().files()?.into_iter().collect();
        let there: BTreeSet<&str> = listed.iter().map(|listed| listed.path.as_str()).collect();
        let mut words = HashMap::new();
        let mut done = Refreshed { file: self.file.clone(), ..Refreshed::default() };
        for path in known.keys().filter(|path| !there.contains(path.as_str())) {
            self.remove(&writer, path, &mut words)?;
            done.removed += 1;
        }
        let is_new = |listed: &&Listed| {
            let now = Stat::of(&listed.file);
            now.is_none() || known.get(listed.path.as_str()) != now.as_ref()
        };
        let new: Vec<&Listed> = listed.iter().filter(is_new).collect();
        for listed in &new {
            let Some(before) = known.get(listed.path.as_str()) else { continue };
            self.remove(&writer, listed.path.as_str(), &mut words)?;
            // One that was too young to be trusted is read again, but is no change.
            let is_same = |now: Stat| Stat { modified: 0, ..now } == *before;
            done.changed += usize::from(!Stat::of(&listed.file).is_some_and(is_same));
        }
        let inserted = self.insert(&writer, &new, vectors, &mut words, moved)?;
        findings.extend(inserted.findings);
        writer.count_words(&words, rows::word_vector)?;
        done.added = (writer.reads().count()? + done.removed).saturating_sub(known.len());
        let counted = self.counted(&writer.reads())?;
        done = Refreshed { files: counted.files, articles: counted.articles, ..done };
        writer.finish(trusted(&folders, &findings))?;
        let opened = self.reopened(vectors, done, findings)?;
        Ok(opened.map(|opened| opened.with(inserted.problem)))
    }

    /// The index as it is, where nothing but files that cannot be read tells the folder from it:
    /// they are looked at each time, and are no reason to write.
    fn only_unreadable(&self, vectors: Vectors) -> Result<Option<Opened>, IndexError> {
        let Some(index) = Index::open(&self.file, &self.key(vectors)) else { return Ok(None) };
        // Only then were there any the last time.
        if !index.reads().folders()?.is_empty() {
            return Ok(None);
        }
        let Listing { files: listed, mut findings, .. } = self.listing();
        let known: BTreeMap<String, Stat> = index.reads().files()?.into_iter().collect();
        let there: BTreeSet<&str> = listed.iter().map(|listed| listed.path.as_str()).collect();
        let is_known = |listed: &&Listed| {
            let known = known.get(listed.path.as_str());
            known.is_some_and(|known| Stat::of(&listed.file) == Some(*known))
        };
        let new: Vec<&Listed> = listed.iter().filter(|listed| !is_known(listed)).collect();
        let unreadable = |listed: &&Listed| {
            let is_new = !known.contains_key(listed.path.as_str());
            folder::read_file(&listed.path, &listed.file).err().filter(|_| is_new)
        };
        let unread: Option<Vec<Finding>> = new.iter().map(unreadable).collect();
        let Some(unread) = unread else { return Ok(None) };
        findings.extend(unread);
        if findings.is_empty() || !known.keys().all(|path| there.contains(path.as_str())) {
            return Ok(None);
        }
        let refreshed = self.counted(&index.reads())?;
        self.opened(index, vectors, refreshed, findings).map(Some)
    }

    pub(super) fn build(&self, moved: &dyn Fn(usize, usize)) -> Result<Option<Opened>, IndexError> {
        let Listing { files: listed, mut findings, folders, .. } = self.listing();
        if listed.len() < self.index_from() {
            return Ok(None);
        }
        let vectors = self.wanted(listed.len());
        let writer = Writer::anew(&self.file, &self.key(vectors), self.shape())?;
        let mut words = HashMap::new();
        let all: Vec<&Listed> = listed.iter().collect();
        let inserted = self.insert(&writer, &all, vectors, &mut words, moved)?;
        findings.extend(inserted.findings);
        writer.count_words(&words, rows::word_vector)?;
        let counted = self.counted(&writer.reads())?;
        writer.finish(trusted(&folders, &findings))?;
        let added = counted.files + counted.articles;
        let done = Refreshed { rebuilt: true, added, ..counted };
        let opened = self.reopened(vectors, done, findings)?;
        Ok(opened.map(|opened| opened.with(inserted.problem)))
    }

    fn reopened(
        &self,
        vectors: Vectors,
        refreshed: Refreshed,
        findings: Vec<Finding>,
    ) -> Result<Option<Opened>, IndexError> {
        let index = Index::open(&self.file, &self.key(vectors));
        index.map(|index| self.opened(index, vectors, refreshed, findings)).transpose()
    }

    /// What an index holds.
    pub(super) fn counted(&self, reads: &Indexed<'_>) -> Result<Refreshed, IndexError> {
        let (files, articles) = match self.what {
            What::Facts => (reads.count_documents()?, 0),
            What::Documents => (0, reads.count_papers()?),
        };
        Ok(Refreshed { file: self.file.clone(), files, articles, ..Refreshed::default() })
    }

    /// The files that are indexed.
    fn listing(&self) -> Listing {
        match self.what {
            What::Facts => self.store.memory_listing(),
            What::Documents => self.store.document_listing(),
        }
    }

    fn shape(&self) -> Shape {
        match self.what {
            What::Facts => Shape::Files,
            What::Documents => Shape::Chunks,
        }
    }

    fn prepared(&self, preparer: &mut Preparer, listed: &Listed) -> Result<Prepared, Finding> {
        match self.what {
            What::Facts => preparer.read(listed),
            What::Documents => documents::prepared(preparer, listed),
        }
    }

    /// The words that a row was counted with.
    fn words_of(&self, content: Content) -> Vec<Vec<String>> {
        match self.what {
            What::Facts => memory(content)
                .map_or_else(Vec::new, |memory| words_of(memory.text(), &memory.tags).into()),
            What::Documents => documents::words(&content),
        }
    }

    /// Why a file is no document.
    fn finding(&self, content: &Content) -> Option<Finding> {
        let path = RelPath::new(&content.path)?;
        let blob = Blob::from(content.bytes.as_slice());
        match self.what {
            What::Facts => Memory::read(&path, &blob).err().map(|unusable| unusable.finding(&path)),
            What::Documents => Document::read(&blob).err().map(|broken| broken.finding(&path)),
        }
    }

    fn remove(
        &self,
        writer: &Writer,
        path: &str,
        words: &mut HashMap<String, i64>,
    ) -> Result<(), IndexError> {
        for some in self.words_of(writer.reads().content_at(path)?) {
            rows::count(words, some, -1);
        }
        writer.remove(path)
    }

    fn insert(
        &self,
        writer: &Writer,
        listed: &[&Listed],
        vectors: Vectors,
        words: &mut HashMap<String, i64>,
        moved: &dyn Fn(usize, usize),
    ) -> Result<Inserted, IndexError> {
        let (mut inserted, mut done) = (Inserted::default(), 0);
        // An endpoint is asked for many at once.
        let own = if self.model.is_built_in() { vectors } else { Vectors::Left };
        // A document is as much as many facts.
        let (some, together) = match self.what {
            What::Facts => (SOME, TOGETHER),
            What::Documents => (SOME / 8, TOGETHER / 16),
        };
        for some in listed.chunks(some) {
            let prepared = some.par_chunks(together).flat_map_iter(|listed| {
                let mut preparer = Preparer::new(own);
                listed.iter().map(|listed| self.prepared(&mut preparer, listed)).collect::<Vec<_>>()
            });
            let mut prepared: Vec<Result<Prepared, Finding>> = prepared.collect();
            if own != vectors {
                inserted.problem = self.ask_for_vectors(&mut prepared).or(inserted.problem);
            }
            for one in prepared {
                done += 1;
                moved(done, listed.len());
                match one {
                    Ok(prepared) => {
                        writer.insert(&prepared.row)?;
                        rows::count(words, prepared.words, 1);
                    }
                    // Gone since it was listed: somebody forgets facts meanwhile.
                    Err(_) if !files::exists(&listed[done - 1].file) => {}
                    Err(finding) => inserted.findings.push(finding),
                }
            }
        }
        Ok(inserted)
    }

    /// Why the endpoint made none. Rows without one are looked at again the next time.
    fn ask_for_vectors(&self, prepared: &mut [Result<Prepared, Finding>]) -> Option<String> {
        let mut rows: Vec<&mut Prepared> =
            prepared.iter_mut().flatten().filter(|one| !one.row.searchable.is_empty()).collect();
        let texts: Vec<String> = rows.iter().map(|one| one.text.clone()).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let asked = self.model.vectors(self.context, &texts);
        match asked {
            Ok(vectors) => {
                for (one, vector) in rows.iter_mut().zip(vectors) {
                    if let Some(searchable) = one.row.searchable.first_mut() {
                        searchable.vector = Some(vector.to_bytes());
                    }
                }
                None
            }
            Err(error) => {
                rows.iter_mut().for_each(|one| one.row.stat.modified = 0);
                Some(error.to_string())
            }
        }
    }
}

/// What came of files that were written into the index.
#[derive(Default)]
struct Inserted {
    findings: Vec<Finding>,
    problem: Option<String>,
}

impl Opened {
    fn with(self, problem: Option<String>) -> Opened {
        Opened { problem: problem.or(self.problem), ..self }
    }
}

/// Folders in which something could not be read are looked at each time.
fn trusted<'a>(folders: &'a [(String, Stat)], findings: &[Finding]) -> &'a [(String, Stat)] {
    if findings.is_empty() { folders } else { &[] }
}
