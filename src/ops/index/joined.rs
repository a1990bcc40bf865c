//! Several stores as one corpus; each is answered by its index or by a file scan.
//!
//! Invariant: query and texts use vectors of the same embedding model.

use super::{SearchMode, StoreCorpus, model::Model};
use crate::ops::store::PlacedFact;
use crate::recall::{
    Corpus,
    corpus::{Document, Posting, Word},
    embed,
    union::{AsCorpus, Union},
    vectors::{Packed, Vectors},
};
use crate::system::Context;
use std::cell::{Cell, OnceCell};

/// The stores as one corpus.
pub(in crate::ops) struct JointCorpus {
    all: Union<StoreCorpus>,
    /// Vectors of the built-in table, for texts whose vectors came from an endpoint.
    made_vectors: OnceCell<Vectors>,
    built_in: Cell<bool>,
}

impl AsCorpus for StoreCorpus {
    fn corpus(&self) -> &dyn Corpus {
        StoreCorpus::corpus(self)
    }
}

impl JointCorpus {
    pub(in crate::ops) fn new(parts: Vec<StoreCorpus>) -> JointCorpus {
        let (made_vectors, built_in) = (OnceCell::new(), Cell::new(false));
        JointCorpus { all: Union::new(parts), made_vectors, built_in }
    }

    fn parts(&self) -> &[StoreCorpus] {
        self.all.parts()
    }

    /// The vector of a question, by the model that all parts share, and why that is not the model
    /// of the settings.
    pub(in crate::ops) fn asked(&self, context: &Context, text: &str) -> (Packed, Option<String>) {
        let endpoints: Option<Vec<&Model>> =
            self.parts().iter().map(StoreCorpus::endpoint).collect();
        let endpoint = endpoints.and_then(|all| all.into_iter().next());
        // After falling back to the built-in table, keeps using it.
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
        self.parts().iter().for_each(StoreCorpus::use_built_in);
        self.built_in.set(true);
        (embed::embed(text).packed(), problem)
    }

    pub(in crate::ops) fn placed(&self, at: usize) -> Option<PlacedFact> {
        let (part, at) = self.all.within(at);
        part.placed(at)
    }

    pub(in crate::ops) fn is_stale(&self, at: usize) -> bool {
        let (part, at) = self.all.within(at);
        part.is_stale(at)
    }

    /// How many facts of the same scope share a document's number, whether or not they are asked.
    pub(in crate::ops) fn sharing(&self, at: usize) -> usize {
        let (part, at) = self.all.within(at);
        let Some(number) = part.number(at) else { return 0 };
        let same = self.parts().iter().filter(|other| other.scope() == part.scope());
        same.map(|part| part.numbered(number)).sum()
    }

    /// Whether a read of an index failed.
    pub(in crate::ops) fn has_failed(&self) -> bool {
        self.parts().iter().any(StoreCorpus::has_failed)
    }

    /// The highest search mode among the stores.
    pub(in crate::ops) fn mode(&self) -> SearchMode {
        self.parts().iter().map(StoreCorpus::mode).max().unwrap_or(SearchMode::Scan)
    }
}

impl Corpus for JointCorpus {
    fn documents(&self) -> &[Document] {
        self.all.documents()
    }

    fn words(&self) -> &[Word] {
        self.all.words()
    }

    fn word_vectors(&self) -> &Vectors {
        self.all.word_vectors()
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        self.all.postings(stem)
    }

    fn vectors(&self) -> &Vectors {
        if self.all.only().is_none() && self.built_in.get() {
            self.made_vectors.get_or_init(|| self.all.joined_vectors())
        } else {
            self.all.vectors()
        }
    }

    fn encoded(&self) -> Option<&Vectors> {
        self.all.encoded()
    }

    fn lower(&self, documents: &[u32]) -> Vec<String> {
        self.all.lower(documents)
    }
}
