//! The documents of one store, or co's own, ready for search.
//!
//! Invariant: both give the same kind of answer. Must not know how results are ranked.

use super::Among;
use crate::identity::RelPath;
use crate::index::{
    DocumentCorpus, Encoding, IndexedDocument, Opened,
    database::IndexError,
    store::{Scope, Store},
};
use crate::knowledge::{DocSummary, indexing};
use crate::recall::{Collection, Corpus, article::Article, union::AsCorpus};
use std::path::PathBuf;

pub(super) enum DocumentSource {
    /// co's own documents, which are in no store.
    Own {
        documents: Vec<DocSummary>,
        collection: Box<Collection>,
    },
    Stored(Box<DocumentCorpus>),
}

impl AsCorpus for DocumentSource {
    fn corpus(&self) -> &dyn Corpus {
        match self {
            DocumentSource::Own { collection, .. } => &**collection,
            DocumentSource::Stored(stored) => stored.corpus(),
        }
    }
}

impl DocumentSource {
    pub(super) fn own(
        documents: Vec<DocSummary>,
        encoding: &Encoding<'_>,
    ) -> (DocumentSource, Vec<Article>) {
        let (mut candidates, mut articles) = (Vec::new(), Vec::new());
        for entry in &documents {
            let start = candidates.len() as u32;
            candidates.extend(indexing::chunks(entry));
            let chunks = start..candidates.len() as u32;
            let (path, created) = (entry.topic.below().to_owned(), indexing::created(entry));
            articles.push(Article { chunks, path, created });
        }
        let encoded = encoding.of_none(candidates.len());
        let collection = Box::new(Collection::new(&candidates).with_encoded(encoded));
        (DocumentSource::Own { documents, collection }, articles)
    }

    pub(super) fn stored(
        of_store: (&Store, &Opened),
        among: &Among,
        encoding: &Encoding<'_>,
    ) -> Result<(DocumentSource, Vec<Article>), IndexError> {
        let fits = |document: &IndexedDocument| {
            let (topic, meta) = (document.topic()?, document.meta()?);
            let has = |label: &str| meta.has_label(label);
            Some(among.fits(&topic, meta.source.as_deref(), has))
        };
        let is_wanted =
            |document: &IndexedDocument| among.fits_all() || fits(document) == Some(true);
        let stored = DocumentCorpus::of(of_store, is_wanted, encoding)?;
        let article = |(document, chunks): (&IndexedDocument, &std::ops::Range<u32>)| {
            let path = document.topic().map(|topic| topic.below().to_owned());
            let (path, created) = (path.unwrap_or_default(), document.created);
            Article { chunks: chunks.clone(), path, created }
        };
        let articles = stored.documents().map(article).collect();
        Ok((DocumentSource::Stored(Box::new(stored)), articles))
    }

    pub(super) fn count(&self) -> usize {
        match self {
            DocumentSource::Own { documents, .. } => documents.len(),
            DocumentSource::Stored(stored) => stored.documents().len(),
        }
    }

    /// A document, and its place; co's own documents have none.
    pub(super) fn entry(&self, at: usize) -> Option<(DocSummary, Option<(Scope, PathBuf)>)> {
        match self {
            DocumentSource::Own { documents, .. } => Some((documents.get(at)?.clone(), None)),
            DocumentSource::Stored(stored) => {
                let (entry, path): (DocSummary, &RelPath) = stored.entry(at)?;
                let store = stored.passages().store();
                Some((entry, Some((store.scope, path.below(&store.shown)))))
            }
        }
    }
}
