//! Texts of several stores as one corpus, each on its own rung.
//!
//! Invariant: places count through the parts in their order; words and vectors of all are joined
//! only where there are several parts.

use super::{Part, Rung, model::Model};
use crate::ops::store::Placed;
use crate::recall::{
    Corpus,
    corpus::{Document, Posting, Word},
    embed,
    vectors::{Packed, Vectors},
};
use crate::system::Context;
use std::{
    cell::{Cell, OnceCell},
    collections::BTreeMap,
};

/// The parts as one corpus.
pub(in crate::ops) struct Joined {
    parts: Vec<Part>,
    documents: Vec<Document>,
    words: OnceCell<Vec<Word>>,
    word_vectors: OnceCell<Vectors>,
    vectors: OnceCell<Vectors>,
    made_vectors: OnceCell<Vectors>,
    built_in: Cell<bool>,
}

impl Joined {
    pub(in crate::ops) fn new(parts: Vec<Part>) -> Joined {
        let documents = parts.iter().flat_map(|part| part.corpus().documents()).copied().collect();
        Joined {
            parts,
            documents,
            words: OnceCell::new(),
            word_vectors: OnceCell::new(),
            vectors: OnceCell::new(),
            made_vectors: OnceCell::new(),
            built_in: Cell::new(false),
        }
    }

    /// The part of a document, and its place there.
    fn within(&self, at: usize) -> (&Part, usize) {
        let mut rest = at;
        for part in &self.parts {
            let length = part.corpus().documents().len();
            if rest < length {
                return (part, rest);
            }
            rest -= length;
        }
        unreachable!("because a place is only taken from the documents")
    }

    /// The vector of a question, by the model that all parts have; and why it is not that of the
    /// settings.
    pub(in crate::ops) fn asked(&self, context: &Context, text: &str) -> (Packed, Option<String>) {
        let endpoints: Option<Vec<&Model>> = self.parts.iter().map(Part::endpoint).collect();
        let endpoint = endpoints.and_then(|all| all.into_iter().next());
        // Once the built-in table stood in, it does so to the end.
        let endpoint = endpoint.filter(|_| !self.built_in.get());
        let made = endpoint.map(|model| model.vectors(context, &[text]));
        let problem = match made {
            Some(Ok(vectors)) => match vectors.into_iter().next() {
                Some(vector) => return (vector, None),
                None => None,
            },
            Some(Err(error)) => Some(error.to_string()),
            None => None,
        };
        self.parts.iter().for_each(Part::use_built_in);
        self.built_in.set(true);
        (embed::embed(text).packed(), problem)
    }

    fn only(&self) -> Option<&dyn Corpus> {
        match self.parts.as_slice() {
            [only] => Some(only.corpus()),
            _ => None,
        }
    }

    pub(in crate::ops) fn placed(&self, at: usize) -> Option<Placed> {
        let (part, at) = self.within(at);
        part.placed(at)
    }

    pub(in crate::ops) fn is_stale(&self, at: usize) -> bool {
        let (part, at) = self.within(at);
        part.is_stale(at)
    }

    /// How many documents of the same scope share a document's number.
    pub(in crate::ops) fn sharing(&self, at: usize) -> usize {
        let (part, at) = self.within(at);
        let Some(number) = part.number(at) else { return 0 };
        let same = self.parts.iter().filter(|other| other.scope() == part.scope());
        same.map(|part| part.numbered(number)).sum()
    }

    /// Whether an index could not answer.
    pub(in crate::ops) fn has_trouble(&self) -> bool {
        self.parts.iter().any(Part::has_trouble)
    }

    /// The highest rung among the stores.
    pub(in crate::ops) fn rung(&self) -> Rung {
        self.parts.iter().map(Part::rung).max().unwrap_or(Rung::Scan)
    }
}

impl Corpus for Joined {
    fn documents(&self) -> &[Document] {
        &self.documents
    }

    fn words(&self) -> &[Word] {
        if let Some(only) = self.only() {
            return only.words();
        }
        self.words.get_or_init(|| {
            let mut words: BTreeMap<&str, u32> = BTreeMap::new();
            for word in self.parts.iter().flat_map(|part| part.corpus().words()) {
                *words.entry(&word.text).or_default() += word.often;
            }
            let word = |(text, often): (&str, u32)| Word { text: text.to_owned(), often };
            words.into_iter().map(word).collect()
        })
    }

    fn word_vectors(&self) -> &Vectors {
        if let Some(only) = self.only() {
            return only.word_vectors();
        }
        self.word_vectors.get_or_init(|| {
            let mut embedder = embed::BuiltIn::default();
            self.words().iter().map(|word| embedder.vector(&word.text).packed()).collect()
        })
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        let (mut all, mut before) = (Vec::new(), 0);
        for part in &self.parts {
            let found = part.corpus().postings(stem).into_iter();
            all.extend(found.map(|posting| Posting { at: posting.at + before, ..posting }));
            before += part.corpus().documents().len() as u32;
        }
        all
    }

    fn vectors(&self) -> &Vectors {
        if let Some(only) = self.only() {
            return only.vectors();
        }
        let joined = if self.built_in.get() { &self.made_vectors } else { &self.vectors };
        joined.get_or_init(|| {
            let mut all = Vectors::default();
            self.parts.iter().for_each(|part| all.append(part.corpus().vectors()));
            all
        })
    }

    fn lower(&self, documents: &[u32]) -> Vec<String> {
        let lower = |at: &u32| {
            let (part, at) = self.within(*at as usize);
            part.corpus().lower(&[at as u32]).pop().unwrap_or_default()
        };
        documents.iter().map(lower).collect()
    }
}
