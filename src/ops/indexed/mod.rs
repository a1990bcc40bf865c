//! The index of a store, brought up to date before it is asked.
//!
//! Invariant: files are the truth. Without a database, with a damaged one, or on a disk that cannot
//! be written, the caller reads the files instead; nothing here fails a command.

mod corpus;
mod joined;
mod read;
mod rows;

pub(super) use corpus::Part;
pub(super) use joined::Joined;
pub(super) use read::{memories, near, newest, reading, vectors};

use super::store::{Scope, Store};
use crate::identity::{Blob, Finding, Memory, RelPath, memory::Facts};
use crate::system::{
    Context, files,
    folder::{self, Listed, Listing},
    index::{Content, EDITION, Index, IndexError, Stat, Writer},
    settings::RecallSettings,
};
use rayon::prelude::*;
use rows::{Prepared, Preparer, Vectors};
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::PathBuf,
};

/// Files that are read before they are written into the index.
const SOME: usize = 1_024;
/// Files that share what is remembered of words.
const TOGETHER: usize = 256;

/// What answers a question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Rung {
    /// All files are read.
    Scan,
    /// The index finds words; vectors are made when asked for.
    Words,
    /// The index finds words and keeps vectors.
    Hybrid,
}

/// How closely the files are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// As the settings say: folders, and of few files each.
    Usual,
    /// Each file.
    Whole,
    /// The index is made anew.
    Anew,
}

/// What was done to an index.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Refreshed {
    pub file: PathBuf,
    /// Facts in the index.
    pub files: usize,
    /// Whether it was made anew.
    pub rebuilt: bool,
    pub added: usize,
    pub changed: usize,
    pub removed: usize,
}

impl Refreshed {
    /// For the log, as the seeds word it.
    pub fn note(&self) -> Option<String> {
        let memories = if self.files == 1 { "memory" } else { "memories" };
        let count = self.files;
        self.rebuilt.then(|| format!("Rebuilt knowledge index ({count} {memories}, 0 articles)"))
    }
}

pub(super) struct Opened {
    pub(super) index: Index,
    pub(super) rung: Rung,
    pub(super) refreshed: Refreshed,
    /// Files that could not be read.
    pub(super) findings: Vec<Finding>,
}

/// Where a store's index is, and what it has to be of.
struct Place<'a> {
    store: &'a Store,
    settings: &'a RecallSettings,
    file: PathBuf,
    version: String,
}

impl Place<'_> {
    fn of<'a>(store: &'a Store, context: &'a Context) -> Place<'a> {
        let root = store.root.display();
        let version =
            format!("co {} index {EDITION}.{}\n{root}", env!("CARGO_PKG_VERSION"), Facts::EDITION);
        Place { store, settings: &context.settings.recall, file: file_of(store, context), version }
    }

    fn key(&self, vectors: Vectors) -> String {
        format!("{}\nvectors {vectors:?}", self.version)
    }

    fn wanted(&self, files: usize) -> Vectors {
        if files < self.settings.vectors_from { Vectors::Left } else { Vectors::Kept }
    }

    fn open(&self) -> Option<(Index, Vectors)> {
        let open = |vectors| Some((Index::open(&self.file, &self.key(vectors))?, vectors));
        [Vectors::Kept, Vectors::Left].into_iter().find_map(open)
    }
}

/// `local/knowledge.db` for the identity of this laptop; others have theirs with their caches.
fn file_of(store: &Store, context: &Context) -> PathBuf {
    let name = "knowledge.db";
    match store.scope == Scope::Identity && context.is_usual_identity() {
        true => context.config_dir.join("local").join(name),
        false => store.state.join(name),
    }
}

/// The index of a store, up to date. None when there are too few files for one. An error only says
/// why there is no index: whoever wants an answer reads the files.
pub(super) fn open(
    store: &Store,
    context: &Context,
    look: Look,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    let place = Place::of(store, context);
    // A second time when another co changed it in between.
    for _ in 0..2 {
        match place.open().filter(|_| look != Look::Anew) {
            Some((index, vectors)) if place.is_fresh(&index, look) => {
                if index.reads().count()? < place.settings.index_from {
                    return Ok(None);
                }
                let (file, files) = (place.file.clone(), index.reads().count_documents()?);
                let refreshed = Refreshed { file, files, ..Refreshed::default() };
                return place.opened(index, vectors, refreshed, Vec::new()).map(Some);
            }
            Some((index, vectors)) => {
                drop(index);
                if let Some(opened) = place.refresh(vectors, moved)? {
                    return Ok(Some(opened));
                }
            }
            None => return place.build(moved),
        }
    }
    Ok(None)
}

/// As [`open`], with a look at each file, but only where there is an index.
fn open_existing(store: &Store, context: &Context) -> Option<Opened> {
    let place = Place::of(store, context);
    let (index, vectors) = place.open()?;
    if place.is_fresh(&index, Look::Whole) {
        return place.opened(index, vectors, Refreshed::default(), Vec::new()).ok();
    }
    drop(index);
    place.refresh(vectors, &|_, _| {}).ok()?
}

impl Place<'_> {
    fn opened(
        &self,
        index: Index,
        vectors: Vectors,
        refreshed: Refreshed,
        mut findings: Vec<Finding>,
    ) -> Result<Opened, IndexError> {
        for other in index.reads().others()? {
            findings.extend(finding(&other));
        }
        let rung = if vectors == Vectors::Kept { Rung::Hybrid } else { Rung::Words };
        Ok(Opened { index, rung, refreshed, findings })
    }

    /// Whether nothing changed since it was written, as far as it is looked at.
    fn is_fresh(&self, index: &Index, look: Look) -> bool {
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
    fn refresh(
        &self,
        vectors: Vectors,
        moved: &dyn Fn(usize, usize),
    ) -> Result<Option<Opened>, IndexError> {
        if let Some(opened) = self.only_unreadable(vectors)? {
            return Ok(Some(opened));
        }
        let Some(writer) = Writer::update(&self.file, &self.key(vectors))? else {
            return Ok(None);
        };
        let Listing { files: listed, mut findings, folders, .. } = self.store.memory_listing();
        if listed.len() < self.settings.index_from {
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
        findings.extend(insert(&writer, &new, vectors, &mut words, moved)?);
        writer.count_words(&words, rows::word_vector)?;
        done.added = (writer.reads().count()? + done.removed).saturating_sub(known.len());
        done.files = writer.reads().count_documents()?;
        writer.finish(trusted(&folders, &findings))?;
        self.reopened(vectors, done, findings)
    }

    /// The index as it is, where nothing but files that cannot be read tells the folder from it:
    /// they are looked at each time, and are no reason to write.
    fn only_unreadable(&self, vectors: Vectors) -> Result<Option<Opened>, IndexError> {
        let Some(index) = Index::open(&self.file, &self.key(vectors)) else { return Ok(None) };
        let Listing { files: listed, mut findings, .. } = self.store.memory_listing();
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
        let (file, files) = (self.file.clone(), index.reads().count_documents()?);
        let refreshed = Refreshed { file, files, ..Refreshed::default() };
        self.opened(index, vectors, refreshed, findings).map(Some)
    }

    fn build(&self, moved: &dyn Fn(usize, usize)) -> Result<Option<Opened>, IndexError> {
        let Listing { files: listed, mut findings, folders, .. } = self.store.memory_listing();
        if listed.len() < self.settings.index_from {
            return Ok(None);
        }
        let vectors = self.wanted(listed.len());
        let writer = Writer::anew(&self.file, &self.key(vectors))?;
        let mut words = HashMap::new();
        let all: Vec<&Listed> = listed.iter().collect();
        findings.extend(insert(&writer, &all, vectors, &mut words, moved)?);
        writer.count_words(&words, rows::word_vector)?;
        let files = writer.reads().count_documents()?;
        writer.finish(trusted(&folders, &findings))?;
        let file = self.file.clone();
        let done = Refreshed { file, files, rebuilt: true, added: files, ..Refreshed::default() };
        self.reopened(vectors, done, findings)
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

    fn remove(
        &self,
        writer: &Writer,
        path: &str,
        words: &mut HashMap<String, i64>,
    ) -> Result<(), IndexError> {
        if let Some(memory) = memory(writer.reads().content_at(path)?) {
            let [body, tags] = crate::recall::words_of(memory.text(), &memory.tags);
            rows::count(words, body, -1);
            rows::count(words, tags, -1);
        }
        writer.remove(path)
    }
}

/// Folders in which something could not be read are looked at each time.
fn trusted<'a>(folders: &'a [(String, Stat)], findings: &[Finding]) -> &'a [(String, Stat)] {
    if findings.is_empty() { folders } else { &[] }
}

fn insert(
    writer: &Writer,
    listed: &[&Listed],
    vectors: Vectors,
    words: &mut HashMap<String, i64>,
    moved: &dyn Fn(usize, usize),
) -> Result<Vec<Finding>, IndexError> {
    let (mut findings, mut done) = (Vec::new(), 0);
    for some in listed.chunks(SOME) {
        let prepared = some.par_chunks(TOGETHER).flat_map_iter(|listed| {
            let mut preparer = Preparer::new(vectors);
            listed.iter().map(|listed| preparer.read(listed)).collect::<Vec<_>>()
        });
        let prepared: Vec<Result<Prepared, Finding>> = prepared.collect();
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
                Err(finding) => findings.push(finding),
            }
        }
    }
    Ok(findings)
}

/// The memory that a row keeps.
pub(super) fn memory(content: Content) -> Option<Memory> {
    memory_of(&content.path, content.bytes, &content.facts)
}

fn memory_of(path: &str, bytes: Vec<u8>, facts: &[u8]) -> Option<Memory> {
    let blob = Blob::known(bytes, rows::facts(facts)?)?;
    Some(Memory { path: RelPath::new(path)?, blob })
}

/// Why a file is no memory.
fn finding(content: &Content) -> Option<Finding> {
    let path = RelPath::new(&content.path)?;
    let blob = Blob::from(content.bytes.as_slice());
    Memory::read(&path, &blob).err().map(|unusable| unusable.finding(&path))
}
