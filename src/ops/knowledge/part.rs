//! The documents of one store, ready for search: read from files, or from the index.
//!
//! Invariant: both give the same results. Must not know how results are ranked.

use super::{list::Among, store_documents::PlacedDocument};
use crate::knowledge::{DocSummary, indexing};
use crate::ops::{
    index::{Documents, Encoding, IndexedDocument, SearchedDocuments},
    store::Store,
};
use crate::recall::{Collection, Corpus, article::Article, tokens, union::AsCorpus};
use crate::system::index::IndexError;

/// The documents of one store, or co's own.
pub(super) enum DocumentSource {
    /// Read from all files.
    Read {
        documents: Vec<(DocSummary, Option<PlacedDocument>)>,
        collection: Box<Collection>,
    },
    Indexed {
        store: Store,
        searched: Box<SearchedDocuments>,
    },
}

impl AsCorpus for DocumentSource {
    fn corpus(&self) -> &dyn Corpus {
        match self {
            DocumentSource::Read { collection, .. } => &**collection,
            DocumentSource::Indexed { searched, .. } => &**searched,
        }
    }
}

impl DocumentSource {
    pub(super) fn read(
        documents: Vec<(DocSummary, Option<PlacedDocument>)>,
        encoding: &Encoding<'_>,
    ) -> (DocumentSource, Vec<Article>) {
        let (mut candidates, mut articles) = (Vec::new(), Vec::new());
        for (entry, _) in &documents {
            let start = candidates.len() as u32;
            candidates.extend(indexing::chunks(entry));
            let chunks = start..candidates.len() as u32;
            let (path, created) = (indexing::path(entry), indexing::created(entry));
            articles.push(Article { chunks, path, created });
        }
        let is_of_co = documents.iter().all(|(_, placed)| placed.is_none());
        let texts: Vec<&str> = candidates.iter().map(|one| one.body.as_str()).collect();
        let encoded =
            if is_of_co { encoding.of_none(texts.len()) } else { encoding.of_texts(&texts) };
        let collection = Box::new(Collection::new(&candidates).with_encoded(encoded));
        (DocumentSource::Read { collection, documents }, articles)
    }

    pub(super) fn indexed(
        store: &Store,
        mut documents: Documents,
        among: &Among,
        encoding: &Encoding<'_>,
    ) -> Result<(DocumentSource, Vec<Article>), IndexError> {
        documents.retain(|document| {
            let has = |label: &str| document.has_label(label);
            document.topic().is_some_and(|topic| {
                document.meta.is_searched
                    && among.fits(&topic, document.meta.source.as_deref(), has)
            })
        });
        let searched = Box::new(documents.searched(encoding)?);
        let article = |(document, chunks): (&IndexedDocument, &std::ops::Range<u32>)| {
            let path =
                document.topic().map(|topic| topic.parts().flat_map(tokens::words).collect());
            let created = document.meta.created;
            Article { chunks: chunks.clone(), path: path.unwrap_or_default(), created }
        };
        let articles =
            searched.documents.document_files.iter().zip(&searched.runs).map(article).collect();
        Ok((DocumentSource::Indexed { store: store.clone(), searched }, articles))
    }

    pub(super) fn count(&self) -> usize {
        match self {
            DocumentSource::Read { documents, .. } => documents.len(),
            DocumentSource::Indexed { searched, .. } => searched.runs.len(),
        }
    }
}
