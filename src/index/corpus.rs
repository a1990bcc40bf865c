//! The texts of one unit of an index, facts or passages, as a corpus.
//!
//! Invariant: an index on disk and one in memory give the same answers. If a read of the index
//! fails, a flag is set and that answer is discarded. Must not know how texts are ranked.

use super::{
    Encoding, Opened, SearchMode,
    database::{Content, IndexError, Occurrence, Reads, Stat, Unit, name_of},
    model::Model,
    placed::{Place, PlacedTexts},
    positions::Positions,
    store::Store,
    texts,
    words::{
        Lexicon, counted_words, vectors_of, words_beginning_with, words_containing, words_near,
    },
};
use crate::machine::files;
use crate::recall::{
    Corpus,
    corpus::{self, Document, Ends, Posting, Words},
    cosines::Cosines,
    embed, may_hold,
    vectors::{Packed, Vectors},
    words_of,
};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::HashMap,
};

pub(crate) struct IndexCorpus {
    store: Store,
    opened: Opened,
    unit: Unit,
    /// In the order of the corpus.
    places: Vec<Place>,
    documents: Vec<Document>,
    positions: Positions,
    scope: Searched,
    /// Whether to ignore the endpoint's vectors and use the built-in ones.
    built_in: Cell<bool>,
    lexicon: OnceCell<Lexicon>,
    word_vectors: OnceCell<Vectors>,
    vectors: OnceCell<Vectors>,
    made_vectors: OnceCell<Vectors>,
    /// Whether the encoder is on.
    is_encoded: bool,
    encoded: OnceCell<Option<Vectors>>,
    /// The texts of files that were read so far, with the id of the first.
    texts: RefCell<HashMap<i64, (i64, Vec<texts::Text>)>>,
    /// Whether the vectors were compared with those of a question.
    is_asked: Cell<bool>,
    /// The same of the vectors of words.
    are_words_asked: Cell<bool>,
    failed: Cell<bool>,
}

/// Which texts of a file may hold a phrase.
struct MayHold {
    file: i64,
    /// The one that has more than its own bytes.
    labelled: Option<i64>,
    others: bool,
}

/// Which texts of a unit are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Searched {
    All,
    /// A filter leaves some out: their words are not counted.
    Some,
}

impl IndexCorpus {
    /// `texts` are in the order of the corpus.
    pub(super) fn new(
        (store, opened, unit): (&Store, &Opened, Unit),
        (texts, scope): (PlacedTexts, Searched),
        encoding: &Encoding<'_>,
    ) -> IndexCorpus {
        let PlacedTexts { documents, places } = texts;
        IndexCorpus {
            positions: Positions::of(&places),
            documents,
            store: store.clone(),
            opened: opened.clone(),
            unit,
            places,
            scope,
            built_in: Cell::new(false),
            lexicon: OnceCell::new(),
            word_vectors: OnceCell::new(),
            vectors: OnceCell::new(),
            made_vectors: OnceCell::new(),
            is_encoded: encoding.is_on(),
            encoded: OnceCell::new(),
            texts: RefCell::default(),
            is_asked: Cell::new(false),
            are_words_asked: Cell::new(false),
            failed: Cell::new(false),
        }
    }

    /// The file of a text.
    pub(super) fn file(&self, at: usize) -> i64 {
        self.places[at].file()
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// A file, as the index has it.
    pub(super) fn content(&self, file: i64) -> Option<Content> {
        self.tried(self.reads().content(file))
    }

    /// Whether a file differs from the index's copy. One that is as co just wrote it, too recently
    /// for its time to be trusted, is told by its bytes.
    pub(super) fn is_stale(&self, file: i64) -> bool {
        let Some(meta) = self.tried(self.reads().meta(file)) else { return true };
        let path = self.store.root.join(&meta.path);
        let Some(now) = Stat::of(&path) else { return true };
        let known = meta.stat;
        // Of an endpoint's, such a row may lack its vector.
        let is_trusted = self.opened.model.is_built_in() && Stat { modified: 0, ..now } == known;
        let has_same_bytes = || {
            let bytes = files::read(&path).ok().flatten();
            bytes.and_then(|bytes| name_of(&bytes)) == Some(meta.name)
        };
        now != known && !(is_trusted && has_same_bytes())
    }

    /// Whether a read of the index failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get()
    }

    pub(crate) fn mode(&self) -> SearchMode {
        self.opened.mode
    }

    /// The endpoint that made its vectors.
    pub(crate) fn endpoint(&self) -> Option<&Model> {
        Some(&self.opened.model).filter(|model| !model.is_built_in() && !self.built_in.get())
    }

    /// Uses the vectors of the built-in table from now on.
    pub(crate) fn use_built_in(&self) {
        self.built_in.set(true);
    }

    /// Lets go of the texts that a question read, so that a server does not end up with all.
    pub(crate) fn forget_texts(&self) {
        self.texts.take();
    }

    fn reads(&self) -> Reads<'_> {
        self.opened.index.reads(self.unit)
    }

    /// The result, or `None`; a failure is recorded in `failed`.
    fn tried<T>(&self, result: Result<T, IndexError>) -> Option<T> {
        if result.is_err() {
            self.failed.set(true);
        }
        result.ok()
    }

    /// Calls `each` with a text, read from the index's copy of its file.
    fn with_text<T: Default>(&self, place: Place, each: impl FnOnce(&texts::Text) -> T) -> T {
        let mut known = self.texts.borrow_mut();
        let (first, texts) = known.entry(place.file()).or_insert_with(|| {
            let content = self.content(place.file());
            content
                .map(|content| (content.first, texts::of(self.unit, &content)))
                .unwrap_or_default()
        });
        let at = place.id().checked_sub(*first).and_then(|at| usize::try_from(at).ok());
        at.and_then(|at| texts.get(at)).map(each).unwrap_or_default()
    }

    /// Which texts of a file may hold a phrase, told from its bytes, which are neither checked nor
    /// taken apart for it. What is kept of a fact has its tags as they are; the first passage of a
    /// document has labels as well.
    fn may_hold(&self, file: i64, phrase: &str) -> MayHold {
        let may = |first: i64, facts: &[u8], bytes: &[u8]| match self.unit {
            Unit::Facts => (None, may_hold(bytes, phrase) || may_hold(facts, phrase)),
            Unit::Documents => (Some(first), may_hold(bytes, phrase)),
        };
        let said = self.tried(self.reads().with_bytes(file, may));
        let (labelled, others) = said.unwrap_or((None, true));
        MayHold { file, labelled, others }
    }

    /// Calls `put` with the vectors of the static table or an endpoint.
    fn each_vector(&self, put: impl FnMut(usize, &[u8])) {
        let mut found = 0;
        self.tried(self.reads().each_vector(self.counted(&mut found, put)));
        // An endpoint may have failed to make some.
        if self.opened.model.is_built_in() && found < self.places.len() {
            self.failed.set(true);
        }
    }

    /// Calls `put` with the encoder's vectors; `None` unless every text has one.
    fn each_encoded(&self, put: impl FnMut(usize, &[u8])) -> Option<()> {
        let is_whole = self.reads().count_unencoded() == 0;
        if !self.is_encoded || (self.scope == Searched::All && !is_whole) {
            return None;
        }
        let mut found = 0;
        self.tried(self.reads().each_encoded(self.counted(&mut found, put)));
        let has_all = found == self.places.len();
        if is_whole && !has_all {
            self.failed.set(true);
        }
        has_all.then_some(())
    }

    /// Calls `put` with positions for ids, and counts the calls.
    fn counted(
        &self,
        found: &mut usize,
        mut put: impl FnMut(usize, &[u8]),
    ) -> impl FnMut(i64, &[u8]) {
        move |id, bytes| {
            if let Some(at) = self.positions.of_id(id) {
                put(at as usize, bytes);
                *found += 1;
            }
        }
    }

    /// Most processes ask one question, for which vectors need not be kept.
    fn is_first_question(&self) -> bool {
        !self.is_asked.replace(true)
    }

    fn kept_vectors(&self) -> Vectors {
        let mut vectors = Vectors::empty(self.places.len());
        self.each_vector(|at, bytes| vectors.put_bytes(at, bytes));
        vectors
    }

    fn kept_encoded(&self) -> Option<Vectors> {
        let mut vectors = Vectors::empty(self.places.len());
        self.each_encoded(|at, bytes| vectors.put_bytes(at, bytes))?;
        Some(vectors)
    }

    /// Whether to take words from those that are, or have to be, all known.
    fn has_words(&self) -> bool {
        self.scope == Searched::Some || self.lexicon.get().is_some()
    }

    fn lexicon(&self) -> &Lexicon {
        self.lexicon.get_or_init(|| match self.scope {
            Searched::All => self.tried(Lexicon::read(&self.reads())).unwrap_or_default(),
            Searched::Some => Lexicon::from(counted_words(self.places.iter().map(|place| {
                self.with_text(*place, |text| words_of(&text.body, &text.tags).concat())
            }))),
        })
    }

    fn has_own_model(&self) -> bool {
        self.opened.model.is_built_in() || !self.built_in.get()
    }

    fn made_vectors(&self) -> Vectors {
        let mut embedder = embed::BuiltIn::default();
        let mut of =
            |place: &Place| self.with_text(*place, |text| embedder.vector(&text.body).packed());
        self.places.iter().map(&mut of).collect()
    }
}

impl Corpus for IndexCorpus {
    fn documents(&self) -> &[Document] {
        &self.documents
    }

    fn words(&self) -> &Words {
        &self.lexicon().words
    }

    fn frequency(&self, word: &str) -> Option<u32> {
        if self.has_words() {
            return self.words().frequency(word);
        }
        self.tried(self.reads().frequency(word)).flatten()
    }

    fn beginning_with(&self, text: &str) -> Words {
        if self.has_words() {
            return self.words().with_prefix(text);
        }
        self.tried(words_beginning_with(&self.reads(), text)).unwrap_or_default()
    }

    fn containing(&self, text: &str) -> Words {
        if self.has_words() {
            return self.words().with(text);
        }
        self.tried(words_containing(&self.reads(), text)).unwrap_or_default()
    }

    fn near_words(&self, with: &[Packed], least: f32) -> Vec<Vec<(String, f32)>> {
        // Most processes ask once, for which nothing need be kept.
        if self.scope == Searched::All && !self.are_words_asked.replace(true) {
            let near = self.tried(words_near(&self.reads(), with, least));
            return near.unwrap_or_else(|| vec![Vec::new(); with.len()]);
        }
        let vectors = self.word_vectors.get_or_init(|| match self.scope {
            Searched::All => {
                let kept = self.lexicon().vectors(&self.reads());
                self.tried(kept).unwrap_or_else(|| Vectors::empty(self.words().count()))
            }
            Searched::Some => vectors_of(self.words()),
        });
        with.iter().map(|with| self.words().near(vectors, with, least)).collect()
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        let found = self.tried(self.reads().occurrences(stem)).unwrap_or_default();
        let posting = |Occurrence { id, frequency, in_tags }: Occurrence| {
            Some(Posting { at: self.positions.of_id(id)?, frequency, in_tags })
        };
        let mut postings: Vec<Posting> = found.into_iter().filter_map(posting).collect();
        postings.sort_unstable_by_key(|posting| posting.at);
        postings
    }

    fn vectors(&self) -> &Vectors {
        if self.has_own_model() {
            self.vectors.get_or_init(|| self.kept_vectors())
        } else {
            self.made_vectors.get_or_init(|| self.made_vectors())
        }
    }

    fn encoded(&self) -> Option<&Vectors> {
        self.encoded.get_or_init(|| self.kept_encoded()).as_ref()
    }

    fn cosines(&self, with: &Packed) -> Vec<f32> {
        let is_read = !self.has_own_model() || self.vectors.get().is_some();
        if is_read || !self.is_first_question() {
            return self.vectors().cosines(with);
        }
        let mut cosines = Cosines::new(with, self.places.len());
        self.each_vector(|at, bytes| cosines.put_bytes(at, bytes));
        cosines.found()
    }

    fn encoded_cosines(&self, with: &Packed) -> Option<Vec<f32>> {
        if self.encoded.get().is_some() || !self.is_first_question() {
            return Some(self.encoded()?.cosines(with));
        }
        let mut cosines = Cosines::new(with, self.places.len());
        self.each_encoded(|at, bytes| cosines.put_bytes(at, bytes))?;
        Some(cosines.found())
    }

    fn holding(&self, documents: &[u32], phrase: &str, ends: Ends) -> Vec<bool> {
        let mut known: Option<MayHold> = None;
        let holds = |at: &u32| {
            let place = self.places[*at as usize];
            // The passages of a document follow each other.
            let of_file = known.take().filter(|known| known.file == place.file());
            let may = of_file.unwrap_or_else(|| self.may_hold(place.file(), phrase));
            let may_hold = may.others || may.labelled == Some(place.id());
            known = Some(may);
            let holds = |text: &texts::Text| {
                corpus::has_phrase(&corpus::lower(&text.body, &text.tags), phrase, ends)
            };
            may_hold && self.with_text(place, holds)
        };
        documents.iter().map(holds).collect()
    }

    fn bodies(&self, documents: &[u32]) -> Vec<String> {
        let body = |at: &u32| self.with_text(self.places[*at as usize], |text| text.body.clone());
        documents.iter().map(body).collect()
    }
}
