//! `memory recall`: which memories answer a question. Reads both scopes; needs no database and no
//! writable disk.

use super::{
    Failure,
    indexed::{self, Joined, Opened, Part},
    named::{self, Shared},
    store::{Placed, Scope, Store},
    sync,
};
use crate::identity::{Finding, memory::Facts};
use crate::recall::{Asked, Corpus, Hit, Parts, Query, Searcher, Signals, dates, near, score};
use crate::system::{Context, index::IndexError, settings::RecallSettings, usage};
use jiff::civil::Date;
use serde::Serialize;
use std::{cmp::Reverse, collections::BTreeSet, path::PathBuf};

pub use super::indexed::{Look, Rung};

pub const DEFAULT_LIMIT: usize = 5;
/// How many facts are named when none answers.
const NEAREST: usize = 3;
/// How many facts a context shows because they were recalled.
const MOST_RECALLED: usize = 10;
/// For how long that counts, in microseconds: eight weeks.
const WEEKS: i64 = 8 * 7 * 24 * 60 * 60 * 1_000_000;

#[derive(Clone, Debug)]
pub struct Request {
    /// The words, phrases in quotes, `OR`, `-word`.
    pub query: String,
    pub limit: usize,
    pub among: Among,
}

/// Which facts are searched.
#[derive(Clone, Debug, Default)]
pub struct Among {
    pub scope: Option<Scope>,
    /// Facts that have all of these tags, whatever their case.
    pub tags: Vec<String>,
    /// Facts that were learned on this day or later.
    pub since: Option<Date>,
    /// Facts that this one said: `user-told`, an agent.
    pub source: Option<String>,
}

impl Among {
    /// Whether nothing but the scope was asked for.
    pub(super) fn is_all(&self) -> bool {
        self.tags.is_empty() && self.since.is_none() && self.source.is_none()
    }

    pub(super) fn has(&self, facts: &Facts) -> bool {
        let tagged = |wanted: &String| {
            facts.tags.iter().any(|tag| tag.to_lowercase() == wanted.to_lowercase())
        };
        let late = |since: Date| {
            dates::date_of(facts.created.micros()).is_some_and(|learned| learned >= since)
        };
        let said = |source: &String| facts.source.as_ref() == Some(source);
        self.tags.iter().all(tagged)
            && self.since.is_none_or(late)
            && self.source.as_ref().is_none_or(said)
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer {
    pub id: Option<u64>,
    /// Names it uniquely: `12`, or `12-3fa9` where memories share the number.
    pub handle: String,
    pub content: String,
    pub tags: Vec<String>,
    /// In UTC, as every stamp of a report.
    pub created: String,
    /// The day it was learned, as its file says: in the zone of whoever wrote it.
    #[serde(skip)]
    pub date: String,
    pub path: PathBuf,
    pub scope: Scope,
    pub hash: String,
    /// Comparable only within one query.
    pub score: f64,
    /// What each signal gave to the score.
    pub signals: Parts,
    #[serde(skip)]
    tie: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Near {
    pub handle: String,
    pub summary: String,
}

/// The answers, best first.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub query: String,
    pub count: usize,
    pub results: Vec<Answer>,
    /// Without an answer: the facts with words that are spelt most like the query's.
    pub nearest: Vec<Near>,
    /// How many facts were searched.
    pub searched: usize,
    /// What found them.
    pub rung: Rung,
    /// What was done to the index, or why there is none.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// Why the vectors are not those of the model in the settings.
    #[serde(skip)]
    pub problem: Option<String>,
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

pub fn run(context: &Context, request: &Request) -> Result<Report, Failure> {
    let mut searched = Searched::read(context, &request.among, Look::Usual)?;
    let report = searched.answer(context, &request.query, request.limit);
    let ties: Vec<u64> = report.results.iter().map(|answer| answer.tie).collect();
    usage::note(&recalled(context), &ties, context.now().micros());
    Ok(report)
}

/// Where it is noted what questions found.
fn recalled(context: &Context) -> PathBuf {
    Store::at_identity(context).state.join("recalled")
}

/// The facts that questions of the last weeks found more than once, by
/// [`ContentHash::tie`](crate::identity::ContentHash::tie), most often first.
pub(super) fn most_recalled(context: &Context) -> Vec<u64> {
    let counts = usage::counts(&recalled(context), context.now().micros() - WEEKS);
    let mut often: Vec<(u64, u32)> = counts.into_iter().filter(|(_, count)| *count > 1).collect();
    often.sort_by_key(|(tie, count)| (Reverse(*count), *tie));
    often.into_iter().take(MOST_RECALLED).map(|(tie, _)| tie).collect()
}

/// Facts that are ready for any number of questions.
pub struct Searched {
    among: Among,
    searcher: Searcher<Joined>,
    /// Numbers that another fact had until a sync gave them away.
    lost: BTreeSet<u64>,
    findings: Vec<Finding>,
    notes: Vec<String>,
    problem: Option<String>,
}

impl Searched {
    pub fn read(context: &Context, among: &Among, look: Look) -> Result<Searched, Failure> {
        Searched::from(context, among, &|store| indexed::open(store, context, look, &|_, _| {}))
    }

    /// Without any index.
    fn scanned(context: &Context, among: &Among) -> Result<Searched, Failure> {
        Searched::from(context, among, &|_| Ok(None))
    }

    fn from(
        context: &Context,
        among: &Among,
        open: &dyn Fn(&Store) -> Result<Option<Opened>, IndexError>,
    ) -> Result<Searched, Failure> {
        let (mut parts, mut findings, mut notes) = (Vec::new(), Vec::new(), Vec::new());
        let mut problem = indexed::problem(context);
        for store in Store::to_read(context, among.scope)? {
            let indexed = open(&store).and_then(|opened| {
                let Some(opened) = opened else { return Ok(None) };
                notes.extend(opened.refreshed.note());
                problem = opened.problem.clone().or(problem.take());
                Part::indexed(store.clone(), opened, among).map(Some)
            });
            let read = indexed.unwrap_or_else(|error| {
                notes.push(format!("{error}; all files are read instead"));
                None
            });
            let (part, bad) = read.unwrap_or_else(|| Part::read(store, among));
            parts.push(part);
            findings.extend(bad);
        }
        findings.sort_by(|a, b| a.path.cmp(&b.path));
        let searcher = Searcher::new(Joined::new(parts));
        let lost = sync::Last::read(&Store::at_identity(context)).lost_numbers(context.now());
        Ok(Searched { among: among.clone(), searcher, lost, findings, notes, problem })
    }

    /// Looks again where an answer's file was changed in its place, and reads the files where the
    /// index cannot answer.
    pub fn answer(&mut self, context: &Context, query: &str, limit: usize) -> Report {
        let (report, is_stale) = self.answered(context, query, limit);
        if !is_stale && !self.searcher.corpus().has_trouble() {
            return report;
        }
        // An index that cannot answer is made anew; where that does not help, the files are read.
        let look = if is_stale { Look::Whole } else { Look::Anew };
        self.read_again(|among| Searched::read(context, among, look));
        let (report, _) = self.answered(context, query, limit);
        if !self.searcher.corpus().has_trouble() {
            return report;
        }
        self.read_again(|among| Searched::scanned(context, among));
        self.answered(context, query, limit).0
    }

    fn read_again(&mut self, read: impl Fn(&Among) -> Result<Searched, Failure>) {
        // Nobody writes an index that is being read.
        self.searcher = Searcher::new(Joined::new(Vec::new()));
        // The stores were there a moment ago; without them nothing is found.
        if let Ok(again) = read(&self.among) {
            let notes = [std::mem::take(&mut self.notes), again.notes].concat();
            *self = Searched { notes, ..again };
        }
    }

    /// The answers, and whether a file of theirs is no longer what was searched.
    fn answered(&self, context: &Context, query: &str, limit: usize) -> (Report, bool) {
        let parsed = Query::parse(query);
        let (vector, problem) = self.searcher.corpus().asked(context, &parsed.meant);
        let settings = &context.settings.recall;
        let meant = settings.embedder.as_ref().and_then(|embedder| embedder.meant);
        let asked = Asked {
            vector,
            meant: meant.map_or(score::MEANT, |hundredths| f64::from(hundredths) / 100.0),
            signals: signals(&context.settings.recall),
            today: dates::date_of(context.now().micros()).unwrap_or_default(),
        };
        let corpus = self.searcher.corpus();
        let hits = self.searcher.rank(&parsed, &asked, limit);
        let is_stale = hits.iter().any(|hit| corpus.is_stale(hit.at));
        let results: Vec<Answer> = hits.iter().filter_map(|hit| self.found(hit)).collect();
        let nearest = match results.is_empty() {
            true => near::spelt_like(query, corpus, NEAREST),
            false => Vec::new(),
        };
        let near = |at: usize| {
            let placed = corpus.placed(at)?;
            Some(Near { handle: self.handle(at, &placed), summary: placed.memory.summary() })
        };
        let report = Report {
            query: query.to_owned(),
            count: results.len(),
            results,
            nearest: nearest.into_iter().filter_map(near).collect(),
            searched: corpus.documents().len(),
            rung: corpus.rung(),
            notes: self.notes.clone(),
            problem: problem.or_else(|| self.problem.clone()),
            findings: self.findings.clone(),
        };
        (report, is_stale)
    }

    fn handle(&self, at: usize, placed: &Placed) -> String {
        let was_another = placed.scope == Scope::Identity
            && placed.memory.id.is_some_and(|id| self.lost.contains(&id));
        let shared = Shared::from(was_another || self.searcher.corpus().sharing(at) > 1);
        named::of(&placed.memory, placed.scope, shared)
    }

    fn found(&self, hit: &Hit) -> Option<Answer> {
        let placed = self.searcher.corpus().placed(hit.at)?;
        Some(Answer {
            handle: self.handle(hit.at, &placed),
            id: placed.memory.id,
            content: placed.memory.text().to_owned(),
            tags: placed.memory.tags.clone(),
            created: placed.memory.created.to_string(),
            date: placed.memory.date(),
            scope: placed.scope,
            hash: placed.memory.hash.to_string(),
            score: (hit.score * 1000.0).round() / 1000.0,
            signals: hit.parts,
            tie: placed.memory.hash.tie(),
            path: placed.file,
        })
    }
}

fn signals(settings: &RecallSettings) -> Signals {
    let RecallSettings { meaning, context, dates, repair, expansion, .. } = *settings;
    Signals { meaning, context, dates, repair, expansion }
}
