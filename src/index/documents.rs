//! Knowledge documents of one store in its index: one row per passage.
//!
//! Invariant: as for facts: the files are the source of truth, index and file scan give the same
//! answers, and a failed index read sets a flag.

use super::{
    Encoding, Freshness, Opened,
    corpus::{IndexCorpus, Searched},
    database::{self, FileMeta, IndexError, Reads, Searchable, TextRow, Unit},
    open,
    placed::PlacedTexts,
    rows::{Prepared, Preparer, Stemmed, Texts, packed},
    store::Store,
    texts::entry_of,
};
use crate::identity::{ContentHash, Digest, Finding, RelPath};
use crate::knowledge::{self, DocSummary, Topic, indexing};
use crate::machine::{
    Context,
    folder::{self, Listed},
};
use crate::recall::{Corpus, union::AsCorpus};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// What the index stores of a document besides its bytes: the fields for filters and lists.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct DocMeta {
    /// The first, so that it can be read alone.
    in_context: InContext,
    /// Whether search includes it.
    pub(crate) is_searched: bool,
    pub(crate) labels: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) source: Option<String>,
    /// In microseconds since 1970.
    pub(crate) created: i64,
}

/// What a context has to know of each document.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct InContext {
    /// Whether every context includes it.
    is_always: bool,
    prompt_order: Option<i64>,
}

impl DocMeta {
    fn of(entry: &DocSummary) -> DocMeta {
        DocMeta {
            in_context: InContext {
                is_always: entry.is_always_included(),
                prompt_order: entry.prompt_order,
            },
            is_searched: entry.is_searched(),
            labels: entry.labels().map(str::to_owned).collect(),
            tags: entry.tags.clone(),
            source: entry.source.clone(),
            created: indexing::created(entry),
        }
    }

    fn of_packed(packed: &[u8]) -> Option<DocMeta> {
        Some(postcard::take_from_bytes(packed).ok()?.0)
    }

    /// Whether it has a label, ignoring case.
    pub(crate) fn has_label(&self, wanted: &str) -> bool {
        let wanted = wanted.to_lowercase();
        self.labels.iter().any(|label| label.to_lowercase() == wanted)
    }
}

/// The stored findings for a document.
pub(super) fn digest(packed: &[u8]) -> Option<Digest> {
    Some(postcard::from_bytes::<(DocMeta, Digest)>(packed).ok()?.1)
}

/// Reads one file. One that is not a document becomes a row without words.
pub(super) fn prepared(preparer: &mut Preparer, listed: &Listed) -> Result<Prepared, Finding> {
    let (blob, stat) = folder::read_and_stat(&listed.path, &listed.file)?;
    let (row, is_sound) = preparer.row(listed, stat, &blob)?;
    let entry = DocSummary::read(&listed.path, &blob).filter(|_| !row.is_kept_out());
    let Some(Ok(entry)) = entry else {
        return Ok(Prepared { row, ..Prepared::default() });
    };
    let digest = knowledge::check::digest(&listed.path, &blob, &entry, is_sound);
    let names_secrets = !digest.secrets.is_empty();
    let facts = packed(&(DocMeta::of(&entry), digest));
    let (mut searchable, mut texts) = (Vec::new(), Vec::new());
    // Documents that every context includes are listed, but not searched.
    let chunks = if entry.is_searched() { indexing::chunks(&entry) } else { Vec::new() };
    for chunk in chunks {
        let Stemmed { body, tags, length } = preparer.stemmed(&chunk.body, &chunk.tags);
        let row = TextRow {
            created: chunk.created,
            hash_prefix: chunk.hash_prefix,
            text: ContentHash::of_body(&chunk.body).hash_prefix(),
            length,
            ..TextRow::default()
        };
        let vector = preparer.vector(&chunk.body);
        searchable.push(Searchable { row, body, tags, vector, encoded: None });
        if preparer.texts() == Texts::Kept {
            texts.push(chunk.body);
        }
    }
    Ok(Prepared { row: database::FileRow { facts, names_secrets, searchable, ..row }, texts })
}

/// The metadata of each document in a store, from its index if there is one.
pub(crate) fn document_metas(store: &Store, context: &Context) -> Vec<(RelPath, DocMeta)> {
    if let Ok(Some(opened)) = open(store, context, Freshness::Usual, &|_, _| {})
        && let Ok(files) = opened.index.reads(Unit::Documents).document_files()
    {
        let meta =
            |file: &FileMeta| Some((RelPath::new(&file.path)?, DocMeta::of_packed(&file.facts)?));
        if let Some(metas) = files.iter().map(meta).collect::<Option<Vec<_>>>() {
            return metas;
        }
    }
    metas_of_files(store)
}

/// The documents of a store that every context includes, each with its place in the prompt if it
/// says one; from its index if there is one.
pub(crate) fn always_included(store: &Store, context: &Context) -> Vec<(RelPath, Option<i64>)> {
    if let Ok(Some(opened)) = open(store, context, Freshness::Usual, &|_, _| {})
        && let Some(included) = included(&opened)
    {
        return included;
    }
    let metas = metas_of_files(store).into_iter();
    let included = metas.filter(|(_, meta)| meta.in_context.is_always);
    included.map(|(path, meta)| (path, meta.in_context.prompt_order)).collect()
}

fn included(opened: &Opened) -> Option<Vec<(RelPath, Option<i64>)>> {
    let (mut included, mut is_whole) = (Vec::new(), true);
    // Hot: of the others, nothing is copied.
    let of_document = |path: &str, facts: &[u8]| match postcard::take_from_bytes(facts) {
        Ok((InContext { is_always: true, prompt_order }, _)) => match RelPath::new(path) {
            Some(path) => included.push((path, prompt_order)),
            None => is_whole = false,
        },
        Ok(_) => {}
        Err(_) => is_whole = false,
    };
    opened.index.reads(Unit::Documents).each_document(of_document).ok()?;
    is_whole.then_some(included)
}

fn metas_of_files(store: &Store) -> Vec<(RelPath, DocMeta)> {
    let meta = |listed: &Listed| {
        let (blob, _) = folder::read_file(&listed.path, &listed.file).ok()?;
        let entry = DocSummary::read(&listed.path, &blob)?.ok()?;
        Some((listed.path.clone(), DocMeta::of(&entry)))
    };
    store.document_listing().files.iter().filter_map(meta).collect()
}

/// A document that is searched.
pub(crate) struct IndexedDocument {
    file: i64,
    path: RelPath,
    /// In microseconds since 1970.
    pub(crate) created: i64,
    /// Its packed metadata.
    facts: Vec<u8>,
}

impl IndexedDocument {
    pub(crate) fn topic(&self) -> Option<Topic> {
        Topic::of(&self.path)
    }

    /// What a filter looks at, which takes longer than all the rest.
    pub(crate) fn meta(&self) -> Option<DocMeta> {
        DocMeta::of_packed(&self.facts)
    }
}

/// The documents that are searched, by the ids of their files, each with the run of its passages,
/// of which it has at least one; their ids follow each other.
fn indexed(
    reads: &Reads<'_>,
    texts: &PlacedTexts,
) -> Result<Vec<(IndexedDocument, Range<u32>)>, IndexError> {
    let (mut files, mut start) = (Vec::new(), 0);
    for passages in texts.places.chunk_by(|a, b| a.file() == b.file()) {
        files.push((passages[0].file(), start..start + passages.len() as u32));
        start += passages.len() as u32;
    }
    files.sort_by_key(|(file, _)| *file);
    let ids: Vec<i64> = files.iter().map(|(file, _)| *file).collect();
    let mut found: Vec<Option<(IndexedDocument, Range<u32>)>> = Vec::with_capacity(ids.len());
    reads.each_document_of(&ids, |path, facts| {
        let (file, run) = files[found.len()].clone();
        let (path, facts) = (RelPath::new(path), facts.to_vec());
        let created = texts.documents[run.start as usize].created;
        found.push(path.map(|path| (IndexedDocument { file, path, created, facts }, run)));
    })?;
    let documents: Option<Vec<_>> = found.into_iter().collect();
    documents.ok_or(IndexError::Damaged("the path of a document"))
}

/// The documents of one store that are searched, with their passages as a corpus.
pub(crate) struct DocumentCorpus {
    /// By path.
    documents: Vec<IndexedDocument>,
    /// The range of passages of each document.
    runs: Vec<Range<u32>>,
    passages: IndexCorpus,
}

impl AsCorpus for DocumentCorpus {
    fn corpus(&self) -> &dyn Corpus {
        &self.passages
    }
}

impl DocumentCorpus {
    pub(crate) fn of(
        (store, opened): (&Store, &Opened),
        keep: impl Fn(&IndexedDocument) -> bool,
        encoding: &Encoding<'_>,
    ) -> Result<DocumentCorpus, IndexError> {
        let reads = opened.index.reads(Unit::Documents);
        let texts = PlacedTexts::read(&reads, |_| true)?;
        let mut found = indexed(&reads, &texts)?;
        let all = found.len();
        found.retain(|(document, _)| keep(document));
        let scope = if found.len() < all { Searched::Some } else { Searched::All };
        found.sort_by(|(a, _), (b, _)| a.path.as_str().cmp(b.path.as_str()));
        let (documents, runs): (Vec<IndexedDocument>, Vec<Range<u32>>) = found
            .into_iter()
            .map(|(document, run)| (IndexedDocument { facts: Vec::new(), ..document }, run))
            .unzip();
        let texts = (texts.of_runs(&runs), scope);
        let mut past = 0;
        let moved = |run: Range<u32>| {
            let start = past;
            past += run.end - run.start;
            start..past
        };
        let runs = runs.into_iter().map(moved).collect();
        let of_unit = (store, opened, Unit::Documents);
        let passages = IndexCorpus::new(of_unit, texts, encoding);
        Ok(DocumentCorpus { documents, runs, passages })
    }

    pub(crate) fn passages(&self) -> &IndexCorpus {
        &self.passages
    }

    /// The documents, with the range of passages of each.
    pub(crate) fn documents(
        &self,
    ) -> impl ExactSizeIterator<Item = (&IndexedDocument, &Range<u32>)> {
        self.documents.iter().zip(&self.runs)
    }

    /// A document, read from the index's copy of its file, and its path.
    pub(crate) fn entry(&self, at: usize) -> Option<(DocSummary, &RelPath)> {
        let IndexedDocument { file, path, .. } = &self.documents[at];
        Some((entry_of(&self.passages.content(*file)?)?, path))
    }

    /// Whether its file differs from the index's copy.
    pub(crate) fn is_stale(&self, at: usize) -> bool {
        self.passages.is_stale(self.documents[at].file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_context_has_to_know_is_read_without_the_rest() {
        for is_always in [true, false] {
            for prompt_order in [None, Some(0), Some(-3), Some(i64::MAX)] {
                let in_context = InContext { is_always, prompt_order };
                let (labels, tags) = (vec!["a".to_owned()], vec!["b".to_owned(), String::new()]);
                let source = Some("c".to_owned());
                let meta = DocMeta {
                    in_context,
                    is_searched: !is_always,
                    labels,
                    tags,
                    source,
                    created: 7,
                };
                let bytes = packed(&meta);
                let (read, _) = postcard::take_from_bytes::<InContext>(&bytes).expect("the start");
                assert_eq!(read, in_context);
                assert_eq!(DocMeta::of_packed(&bytes), Some(meta));
            }
        }
    }
}
