//! Facts and documents that a server or a batch keeps loaded between questions.
//!
//! Invariant: an answer equals that of [`super::run`]: the cache is used only while index, files
//! and settings are unchanged. No lock is held between queries.

use super::{
    QueryLoad, RecallFilter, Report, Request, SearchSession, noted, searched::CacheValidity,
};
use crate::identity::Stamp;
use crate::ops::workspace::Workspace;
use crate::ops::{
    Error,
    index::{Budget, Encoding},
    sync::Last,
};
use crate::system::{Context, folder, index::Stat, settings::RecallSettings};
use std::{
    path::{Path, PathBuf},
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

/// Sends queries to a dedicated thread, because the cached search cannot leave its thread.
#[derive(Clone, Debug)]
pub struct RecallWorker(Sender<Job>);

#[derive(Debug)]
struct Job {
    context: Context,
    request: Request,
    answer: Sender<Result<Report, Error>>,
}

impl Default for RecallWorker {
    /// Answers in half the time, for some 20 MB of prepared weights.
    fn default() -> RecallWorker {
        RecallWorker::with(|context| Encoding::of(context, Budget::Blink).prepack())
    }
}

impl RecallWorker {
    /// For questions as a person types them.
    pub fn sparing_memory() -> RecallWorker {
        RecallWorker::with(|_| {})
    }

    fn with(prepare: fn(&Context)) -> RecallWorker {
        let (ask, asked) = channel();
        thread::spawn(move || answer_all(&asked, prepare));
        RecallWorker(ask)
    }

    /// As [`super::run`].
    pub fn run(&self, ws: &Workspace, request: &Request) -> Result<Report, Error> {
        let (answer, answered) = channel();
        let job = Job { context: ws.context().clone(), request: request.clone(), answer };
        let answered = self.0.send(job).ok().and_then(|()| answered.recv().ok());
        // A thread that has died no longer answers.
        answered.unwrap_or_else(|| super::run(ws, request))
    }
}

fn answer_all(asked: &Receiver<Job>, prepare: fn(&Context)) {
    let mut cache = RecallCache::new(QueryLoad::OneQuestion);
    while let Ok(Job { context, request, answer }) = asked.recv() {
        let ws = Workspace::unrecovered(context);
        prepare(&ws);
        let report = cache.answer(&ws, &request);
        report.iter().for_each(|report| noted(&ws, request.tally, report));
        // The caller may no longer be waiting.
        let _ = answer.send(report);
    }
}

/// Answers many questions, and reloads only if something changed in between.
pub struct RecallCache {
    load: QueryLoad,
    /// Whether the last answer was read from files at least in part.
    scans: bool,
    kept: Option<CachedSearch>,
}

/// A loaded search, and the key that it is valid for.
struct CachedSearch {
    key: CacheKey,
    searched: SearchSession,
}

impl RecallCache {
    pub fn new(load: QueryLoad) -> RecallCache {
        RecallCache { load, scans: false, kept: None }
    }

    /// As [`super::run`], but does not record what was found.
    pub fn answer(&mut self, ws: &Workspace, request: &Request) -> Result<Report, Error> {
        // A batch goes on while others write.
        ws.forget_compared();
        let files = if self.scans { FileStamps::Listed } else { FileStamps::Indexed };
        let key = CacheKey::of(ws, &request.among, files)?;
        let is_current = |kept: &CachedSearch| {
            kept.key == key && !key.is_young() && kept.searched.is_unchanged(ws)
        };
        let mut searched = match self.kept.take().filter(is_current) {
            Some(kept) => kept.searched,
            None => SearchSession::read(ws, &request.among, self.load)?,
        };
        let report = searched.answer(ws, &request.query, request.limit);
        let is_kept = match searched.release() {
            CacheValidity::ByIndexes => true,
            // Only a listing made before the files were read can show whether they changed since.
            CacheValidity::ByFiles => self.scans && self.load == QueryLoad::Many,
            CacheValidity::Unknown => false,
        };
        self.scans = searched.scans();
        self.kept = is_kept.then_some(CachedSearch { key, searched });
        Ok(report)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum FileStamps {
    Indexed,
    Listed,
}

/// What an answer depends on besides the indexes.
#[derive(PartialEq)]
struct CacheKey {
    roots: Vec<PathBuf>,
    among: RecallFilter,
    settings: RecallSettings,
    /// Numbers that a sync took from facts, and the facts' origins.
    moved: Vec<(u64, Stamp)>,
    /// The listed files, if a store has no index to detect changes.
    files: Vec<(PathBuf, Option<Stat>)>,
}

impl CacheKey {
    /// Whether a file changed so recently that another change might go unnoticed.
    fn is_young(&self) -> bool {
        self.files.iter().any(|(_, stat)| stat.is_none_or(|stat| stat.modified == 0))
    }

    fn of(ws: &Workspace, among: &RecallFilter, files: FileStamps) -> Result<CacheKey, Error> {
        let stores = ws.to_read(among.scope)?;
        let roots: Vec<PathBuf> = stores.into_iter().map(|store| store.root).collect();
        let moved = Last::read(ws.identity_place()).moved(ws.now());
        let files = match files {
            FileStamps::Indexed => Vec::new(),
            FileStamps::Listed => roots.iter().flat_map(|root| listed(root)).collect(),
        };
        let settings = ws.settings.recall.clone();
        Ok(CacheKey { roots, among: among.clone(), settings, moved, files })
    }
}

fn listed(root: &Path) -> Vec<(PathBuf, Option<Stat>)> {
    let files = folder::list(root, "").files.into_iter();
    let with_stat = |listed: folder::Listed| {
        let stat = Stat::of(&listed.file).map(Stat::settled);
        (listed.file, stat)
    };
    files.map(with_stat).collect()
}
