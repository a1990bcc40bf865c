//! The one way to ask: opens the indexes of some stores, asks their facts and documents, and asks
//! again if what was found is out of date.
//!
//! Invariant: a file that changed since it was read is read again before it is an answer; if an
//! index fails it is made anew, and if that does not help, one is made in memory.

use super::{
    Among, Answer, DocumentSearch, NEAREST, Passage, QueryLoad, Question, RecallFilter, Report,
    SearchMode, SearchedStores,
    facts::FactSearch,
    merged::{MergedHit, merged},
};
use crate::identity::{Calendar, FactView};
use crate::index::{
    Budget, Encoding, Freshness, IndexCorpus, Opened, ReindexError, Sources, Wanted,
    database::Unit, store::Store,
};
use crate::knowledge::DocSummary;
use crate::machine::Context;
use crate::recall::{Hit, Query, Ranked, article, embed, question};

/// What is searched.
#[derive(Clone)]
struct What {
    stores: SearchedStores,
    facts: Option<RecallFilter>,
    /// With co's own documents.
    documents: Option<(Among, Vec<DocSummary>)>,
}

/// Which vectors a search compares besides the encoder's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Vectors {
    AsSet,
    /// The endpoint of the settings failed.
    BuiltIn,
}

/// Facts and documents loaded for any number of questions.
pub(crate) struct SearchSession {
    what: What,
    budget: Budget,
    sources: Sources,
    vectors: Vectors,
    facts: Option<FactSearch>,
    documents: Option<DocumentSearch>,
}

impl SearchSession {
    pub(crate) fn read(
        context: &Context,
        stores: SearchedStores,
        among: &RecallFilter,
        load: QueryLoad,
    ) -> Result<SearchSession, ReindexError> {
        let only = among.only.as_ref().map(|only| only.topics.clone());
        let of_documents = Among { scope: among.scope, only, ..Among::default() };
        let what = What {
            stores,
            facts: among.facts().then(|| among.clone()),
            documents: among.documents().then_some((of_documents, Vec::new())),
        };
        let budget = match load {
            QueryLoad::OneQuestion => Budget::Blink,
            QueryLoad::Many => Budget::All,
        };
        SearchSession::opened(context, what, Some(Freshness::Usual), (budget, Vectors::AsSet))
    }

    /// For documents alone; `own` are co's.
    pub(crate) fn of_documents(
        context: &Context,
        stores: Vec<Store>,
        among: &Among,
        own: &[DocSummary],
    ) -> Result<SearchSession, ReindexError> {
        let documents = Some((among.clone(), own.to_vec()));
        let stores = SearchedStores { stores, ..SearchedStores::default() };
        let what = What { stores, facts: None, documents };
        SearchSession::opened(
            context,
            what,
            Some(Freshness::Usual),
            (Budget::Blink, Vectors::AsSet),
        )
    }

    fn opened(
        context: &Context,
        what: What,
        freshness: Option<Freshness>,
        (budget, vectors): (Budget, Vectors),
    ) -> Result<SearchSession, ReindexError> {
        let mut units = Vec::new();
        units.extend(what.facts.as_ref().map(|_| Unit::Facts));
        units.extend(what.documents.as_ref().map(|_| Unit::Documents));
        let wanted = Wanted { units: &units, look: freshness, budget };
        let sources = Sources::open(context, &what.stores.stores, wanted)?;
        let (facts, documents) = (None, None);
        let mut session = SearchSession { what, budget, sources, vectors, facts, documents };
        session.load(context, freshness);
        Ok(session)
    }

    /// Reads the texts of the opened indexes; of new ones in memory if that fails.
    fn load(&mut self, context: &Context, freshness: Option<Freshness>) {
        let encoding = Encoding::of(context, self.budget);
        let sources = &self.sources;
        let (facts, lost) = (self.what.facts.as_ref(), &self.what.stores.lost);
        let facts = facts
            .map(|among| FactSearch::of(context, sources, (among, lost), &encoding))
            .transpose();
        let documents = self.what.documents.as_ref();
        let documents = documents
            .map(|(among, own)| DocumentSearch::of(sources, among, own, &encoding))
            .transpose();
        match (facts, documents) {
            (Ok(facts), Ok(documents)) => (self.facts, self.documents) = (facts, documents),
            // The stores existed a moment ago; if they are gone, nothing is found.
            (Err(_), _) | (_, Err(_)) if freshness.is_some() => {
                let next = (freshness == Some(Freshness::Usual)).then_some(Freshness::Anew);
                self.read_again(context, next);
            }
            (Err(_), _) | (_, Err(_)) => {}
        }
        if self.vectors == Vectors::BuiltIn {
            self.corpora().for_each(IndexCorpus::use_built_in);
        } else if self.corpora().any(|one| one.endpoint().is_some()) {
            self.documents.iter().for_each(DocumentSearch::leave_own_to_words);
        }
    }

    fn corpora(&self) -> impl Iterator<Item = &IndexCorpus> {
        let facts = self.facts.iter().flat_map(FactSearch::corpora);
        facts.chain(self.documents.iter().flat_map(DocumentSearch::corpora))
    }

    /// Lets the next question see what others wrote; `false` if this search cannot be kept for it:
    /// an endpoint that failed may answer by then.
    pub(crate) fn pause(&mut self) -> bool {
        self.sources.notes.clear();
        self.corpora().for_each(IndexCorpus::forget_texts);
        // Pauses each, even if another one failed.
        let failed = self.sources.stores.iter().filter(|(_, opened)| opened.pause().is_err());
        let is_whole = self.sources.problem.is_none() && self.vectors == Vectors::AsSet;
        failed.count() == 0 && is_whole
    }

    /// Whether nothing changed since the pause, by a write or by time.
    pub(crate) fn is_unchanged(&self, context: &Context) -> bool {
        let is_unchanged = |(store, opened): &(Store, Opened)| opened.is_unchanged(store, context);
        self.sources.stores.iter().all(is_unchanged)
            && self.facts.as_ref().is_none_or(|facts| facts.is_as_held(context))
    }

    pub(crate) fn answer(&mut self, context: &Context, query: &str, limit: usize) -> Report {
        let text = question::cut(query);
        self.asked(context, text, |session, question, problem| {
            session.answered(context, (text, question, problem), limit)
        })
    }

    /// All documents that match, best first, and why the vectors are not from the model of the
    /// settings.
    pub(crate) fn document_hits(
        &mut self,
        context: &Context,
        query: &str,
    ) -> (Ranked<article::Hit>, Option<String>) {
        self.asked(context, question::cut(query), |session, question, problem| {
            let problem = problem.or_else(|| session.sources.problem.clone());
            let Some(documents) = &session.documents else {
                return ((Ranked::default(), problem), false);
            };
            let ranked = documents.ranked(context, question, usize::MAX);
            let is_stale = ranked.hits.iter().any(|hit| documents.is_stale(hit.at));
            ((ranked, problem), is_stale)
        })
    }

    pub(crate) fn documents(&self) -> Option<&DocumentSearch> {
        self.documents.as_ref()
    }

    /// Asks until what is found is as the files are; `ask` also says whether it is not.
    fn asked<T>(
        &mut self,
        context: &Context,
        text: &str,
        ask: impl Fn(&SearchSession, &Question, Option<String>) -> (T, bool),
    ) -> T {
        let encoding = Encoding::of(context, self.budget);
        let mut question = Question::encode(text, &encoding);
        let mut problem = None;
        for attempt in 0.. {
            // An endpoint that failed is not asked again.
            problem = self.set_vector(context, &mut question).or(problem);
            let (answer, is_stale) = ask(self, &question, problem.clone());
            let has_failed = self.corpora().any(IndexCorpus::has_failed);
            let next = match attempt {
                _ if !is_stale && !has_failed => return answer,
                0 if is_stale => Some(Freshness::Whole),
                0 => Some(Freshness::Anew),
                1 if has_failed => None,
                _ => return answer,
            };
            self.read_again(context, next);
        }
        unreachable!("because the third answer is given whatever it is")
    }

    fn read_again(&mut self, context: &Context, freshness: Option<Freshness>) {
        let (what, how) = (self.what.clone(), (self.budget, self.vectors));
        // The stores existed a moment ago; if they are gone, nothing is found.
        (self.facts, self.documents) = (None, None);
        let notes = std::mem::take(&mut self.sources.notes);
        if let Ok(again) = SearchSession::opened(context, what, freshness, how) {
            *self = again;
        }
        self.sources.notes = [notes, std::mem::take(&mut self.sources.notes)].concat();
    }

    /// Gives the question its vector, of the model that made those of the texts; returns why that
    /// is not the model of the settings.
    fn set_vector(&mut self, context: &Context, question: &mut Question) -> Option<String> {
        let endpoints: Option<Vec<_>> = self.corpora().map(IndexCorpus::endpoint).collect();
        let endpoint = endpoints.and_then(|all| all.into_iter().next());
        let made = endpoint.map(|model| model.vectors(context, &[&question.query.text]));
        let problem = match made {
            Some(Ok(vectors)) => {
                if let Some(vector) = vectors.into_iter().next() {
                    question.vector = vector;
                    question.is_by_endpoint = true;
                    return None;
                }
                None
            }
            Some(Err(error)) => Some(error.to_string()),
            None => None,
        };
        question.vector = embed::embed(&question.query.text).packed();
        question.is_by_endpoint = false;
        if self.vectors == Vectors::AsSet && self.corpora().any(|one| one.endpoint().is_some()) {
            self.vectors = Vectors::BuiltIn;
            self.load(context, None);
        }
        problem
    }

    /// The results, and whether the file of one has changed since.
    fn answered(
        &self,
        context: &Context,
        (text, question, problem): (&str, &Question, Option<String>),
        limit: usize,
    ) -> (Report, bool) {
        let asked = question.asked(context);
        let facts = self.facts.as_ref().map(|facts| facts.ranked(question, &asked, limit));
        let documents =
            self.documents.as_ref().map(|documents| documents.ranked(context, question, limit));
        let (mut facts, mut documents) = (facts.unwrap_or_default(), documents.unwrap_or_default());
        facts.yield_to(&documents);
        documents.yield_to(&facts);
        let found = merged(&facts, &documents, limit);
        let is_stale = found.iter().any(|found| self.is_stale(found));
        let calendar = context.calendar();
        let results: Vec<Answer> =
            found.iter().filter_map(|found| self.found(found, calendar)).collect();
        let (nearest, nearest_documents) = if results.is_empty() {
            let facts = self.nearest(&question.query, &facts, calendar);
            (facts, self.documents.as_ref().map_or_else(Vec::new, |all| all.nearest(&documents)))
        } else {
            (Vec::new(), Vec::new())
        };
        let is_unquoted = (facts.is_unquoted && !facts.hits.is_empty())
            || (documents.is_unquoted && !documents.hits.is_empty());
        let findings = self.facts.iter().flat_map(|facts| facts.findings.clone());
        let of_documents = self.documents.iter().flat_map(DocumentSearch::findings);
        let report = Report {
            query: text.to_owned(),
            count: results.len(),
            unquoted: is_unquoted && !results.is_empty(),
            exact: !question.query.required.is_empty() && !is_unquoted && !results.is_empty(),
            results,
            nearest,
            nearest_documents,
            searched: self.facts.as_ref().map_or(0, FactSearch::count),
            documents: self.documents.as_ref().map_or(0, DocumentSearch::count),
            not_held: self.facts.as_ref().map_or(0, FactSearch::count_not_held),
            mode: self.mode(),
            trust: facts.trust,
            trust_in_documents: documents.trust,
            notes: self.sources.notes.clone(),
            problem: problem.or_else(|| self.sources.problem.clone()),
            findings: findings.chain(of_documents).collect(),
        };
        (report, is_stale)
    }

    /// The highest search mode among the stores.
    fn mode(&self) -> SearchMode {
        let facts = self.facts.iter().flat_map(FactSearch::corpora);
        facts.map(IndexCorpus::mode).max().unwrap_or(SearchMode::Scan)
    }

    fn nearest(&self, query: &Query, ranked: &Ranked<Hit>, calendar: &Calendar) -> Vec<FactView> {
        let Some(facts) = &self.facts else { return Vec::new() };
        // What is spelt like the words may be what is excluded.
        if query.excluded.is_empty() {
            let spelt = facts.spelt_like(&query.text, NEAREST, calendar);
            if !spelt.is_empty() {
                return spelt;
            }
        }
        ranked.nearest.iter().take(NEAREST).filter_map(|hit| facts.view(hit.at, calendar)).collect()
    }

    fn is_stale(&self, found: &MergedHit) -> bool {
        match (found, &self.facts, &self.documents) {
            (MergedHit::Fact(hit), Some(facts), _) => facts.is_stale(hit.at),
            (MergedHit::Document(hit), _, Some(documents)) => documents.is_stale(hit.at),
            _ => false,
        }
    }

    fn found(&self, found: &MergedHit, calendar: &Calendar) -> Option<Answer> {
        match found {
            MergedHit::Fact(hit) => self.facts.as_ref()?.found(hit, calendar).map(Answer::Memory),
            MergedHit::Document(hit) => {
                let answer = self.documents.as_ref()?.found(hit)?;
                Some(Answer::Document(Passage::of(answer, hit, calendar)))
            }
        }
    }
}
