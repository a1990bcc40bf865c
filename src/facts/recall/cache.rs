//! Facts and documents that a server or a batch keeps loaded between questions.
//!
//! Invariant: an answer equals that of [`super::run`]: the cache is used only while index, files
//! and settings are unchanged. No lock is held between queries.

use super::{QueryLoad, RecallFilter, Report, Request, noted, session};
use crate::identity::Stamp;
use crate::index::search::SearchSession;
use crate::machine::{Context, settings::RecallSettings};
use crate::workspace::{Error, Workspace, last_sync::Last};
use std::{
    path::PathBuf,
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
    fn default() -> RecallWorker {
        let (ask, asked) = channel();
        thread::spawn(move || answer_all(&asked));
        RecallWorker(ask)
    }
}

impl RecallWorker {
    /// As [`super::run`].
    pub fn run(&self, ws: &Workspace, request: &Request) -> Result<Report, Error> {
        let (answer, answered) = channel();
        let job = Job { context: ws.context().clone(), request: request.clone(), answer };
        let answered = self.0.send(job).ok().and_then(|()| answered.recv().ok());
        // A thread that has died no longer answers.
        answered.unwrap_or_else(|| super::run(ws, request))
    }
}

fn answer_all(asked: &Receiver<Job>) {
    let mut cache = RecallCache::new(QueryLoad::OneQuestion);
    while let Ok(Job { context, request, answer }) = asked.recv() {
        let ws = Workspace::unrecovered(context);
        let report = cache.answer(&ws, &request);
        report.iter().for_each(|report| noted(&ws, request.tally, report));
        // The caller may no longer be waiting.
        let _ = answer.send(report);
    }
}

/// Answers many questions, and reloads only if something changed in between.
pub struct RecallCache {
    load: QueryLoad,
    kept: Option<CachedSearch>,
}

/// A loaded search, and the key that it is valid for.
struct CachedSearch {
    key: CacheKey,
    session: SearchSession,
}

impl RecallCache {
    pub fn new(load: QueryLoad) -> RecallCache {
        RecallCache { load, kept: None }
    }

    /// As [`super::run`], but does not record what was found.
    pub fn answer(&mut self, ws: &Workspace, request: &Request) -> Result<Report, Error> {
        super::refuse_empty(&request.query)?;
        // A batch goes on while others write.
        ws.forget_compared();
        let key = CacheKey::of(ws, &request.among)?;
        let is_current = |kept: &CachedSearch| kept.key == key && kept.session.is_unchanged(ws);
        let mut session = match self.kept.take().filter(is_current) {
            Some(kept) => kept.session,
            None => session(ws, &request.among, self.load)?,
        };
        let report = session.answer(ws, &request.query, request.limit);
        let is_kept = session.pause();
        self.kept = is_kept.then_some(CachedSearch { key, session });
        Ok(report)
    }
}

/// What an answer depends on besides the indexes and the files.
#[derive(PartialEq)]
struct CacheKey {
    roots: Vec<PathBuf>,
    among: RecallFilter,
    settings: RecallSettings,
    /// Numbers that a sync took from facts, and the facts' origins.
    moved: Vec<(u64, Stamp)>,
}

impl CacheKey {
    fn of(ws: &Workspace, among: &RecallFilter) -> Result<CacheKey, Error> {
        let stores = ws.to_read(among.scope)?;
        let roots: Vec<PathBuf> = stores.into_iter().map(|store| store.root).collect();
        let moved = Last::read(ws.identity_place()).moved(ws.now());
        let settings = ws.settings.recall.clone();
        Ok(CacheKey { roots, among: among.clone(), settings, moved })
    }
}
