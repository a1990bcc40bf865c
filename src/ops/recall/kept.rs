//! Facts and documents that a server keeps ready between questions.
//!
//! Invariant: an answer is that of [`super::run`]: what is kept answers only where catalog, files and
//! settings are as they were. Between questions nobody is kept from writing.

use super::{Among, Patience, Report, Request, Searched, noted};
use crate::ops::{
    Failure,
    catalog::{Budget, Encoding},
    store::Store,
    sync,
};
use crate::system::{Context, settings::RecallSettings};
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::mpsc::{Receiver, Sender, channel},
    thread,
};

/// Asks a thread of its own, which keeps what it read; that is of one thread.
#[derive(Clone, Debug)]
pub struct Asking(Sender<Job>);

#[derive(Debug)]
struct Job {
    context: Context,
    request: Request,
    answer: Sender<Result<Report, Failure>>,
}

impl Default for Asking {
    fn default() -> Asking {
        let (ask, asked) = channel();
        thread::spawn(move || answer_all(&asked));
        Asking(ask)
    }
}

impl Asking {
    /// As [`super::run`].
    pub fn run(&self, context: &Context, request: &Request) -> Result<Report, Failure> {
        let (answer, answered) = channel();
        let job = Job { context: context.clone(), request: request.clone(), answer };
        let answered = self.0.send(job).ok().and_then(|()| answered.recv().ok());
        // A thread that died answers nobody any more.
        answered.unwrap_or_else(|| super::run(context, request))
    }
}

fn answer_all(asked: &Receiver<Job>) {
    let mut kept = None;
    while let Ok(Job { context, request, answer }) = asked.recv() {
        Encoding::of(&context, Budget::Blink).stay_ready();
        // Whoever asked may be gone.
        let _ = answer.send(answered(&mut kept, &context, &request));
    }
}

/// What was read, and for whom.
struct Kept {
    key: Key,
    searched: Searched,
}

fn answered(
    kept: &mut Option<Kept>,
    context: &Context,
    request: &Request,
) -> Result<Report, Failure> {
    let key = Key::of(context, &request.among)?;
    let ready = kept.take().filter(|kept| kept.key == key && kept.searched.wakes(context));
    let mut searched = match ready {
        Some(kept) => kept.searched,
        None => Searched::read(context, &request.among, Patience::OneQuestion)?,
    };
    let report = searched.answer(context, &request.query, request.limit);
    noted(context, &report);
    *kept = searched.rests().then_some(Kept { key, searched });
    Ok(report)
}

/// What an answer depends on beside the catalogs.
#[derive(PartialEq)]
struct Key {
    roots: Vec<PathBuf>,
    among: Among,
    settings: RecallSettings,
    /// Numbers that a sync gave to other facts.
    lost: BTreeSet<u64>,
}

impl Key {
    fn of(context: &Context, among: &Among) -> Result<Key, Failure> {
        let stores = Store::to_read(context, among.scope)?;
        let roots = stores.into_iter().map(|store| store.root).collect();
        let lost = sync::Last::read(&Store::at_identity(context)).lost_numbers(context.now());
        Ok(Key { roots, among: among.clone(), settings: context.settings.recall.clone(), lost })
    }
}
