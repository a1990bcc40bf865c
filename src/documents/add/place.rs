//! Where an added item goes: to the existing document of the same source, else to a free topic, and
//! where its original goes.
//!
//! Invariant: never takes the place of a document from another source.

use super::{
    error::AddError,
    item::{Read, from_root},
    request::Request,
};
use crate::documents::store_documents::{self, PlacedDocument, StoreDocuments};
use crate::extract::Hints;
use crate::identity::{Blob, Document, RelPath};
use crate::index::store::Store;
use crate::knowledge::{Namespace, Topic, added, names::Names, original, topic::slug};
use crate::machine::{Context, extractor, files, folder};
use crate::merge::change::FileChange;
use crate::workspace::Error;
use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// A document's path, the document that is there already, and where its original goes.
pub(super) struct Destination {
    pub(super) topic: Topic,
    pub(super) path: RelPath,
    pub(super) before: Option<PlacedDocument>,
    pub(super) original: Option<RelPath>,
}

/// A source file, relative to the root directory, and what it became.
pub(super) struct SourceFile {
    pub(super) file: RelPath,
    pub(super) document: RelPath,
    pub(super) original: Option<RelPath>,
    pub(super) aliases: Vec<String>,
}

/// The places in a store, some of which are taken while items are added.
pub(super) struct Places<'a> {
    context: &'a Context,
    pub(super) store: &'a Store,
    index: OnceCell<DocumentIndex>,
    taken: BTreeSet<String>,
    originals: BTreeSet<RelPath>,
}

impl<'a> Places<'a> {
    pub(super) fn new(context: &'a Context, store: &'a Store) -> Places<'a> {
        let (taken, originals) = (BTreeSet::new(), BTreeSet::new());
        Places { context, store, index: OnceCell::new(), taken, originals }
    }

    fn index(&self) -> &DocumentIndex {
        self.index.get_or_init(|| DocumentIndex::read(self.context, self.store))
    }

    /// The names that links use for the store's files.
    pub(super) fn names(&self) -> Names {
        self.index().stored.names()
    }

    /// The source files of the existing documents.
    pub(super) fn came_from(&self) -> Vec<SourceFile> {
        let DocumentIndex { stored, by_file, .. } = self.index();
        let from = |(file, at): (&RelPath, &Vec<usize>)| {
            let placed = &stored.documents[at[0]];
            let (file, document) = (file.clone(), placed.path.clone());
            let aliases = placed.entry.aliases.clone();
            SourceFile { file, document, original: original_of(placed), aliases }
        };
        by_file.iter().map(from).collect()
    }

    /// The documents whose source files in these folders are gone.
    pub(super) fn gone(&self, folders: &[PathBuf]) -> Vec<Topic> {
        if folders.is_empty() {
            return Vec::new();
        }
        let DocumentIndex { stored, by_file, .. } = self.index();
        let is_gone = |(file, _): &(&RelPath, &Vec<usize>)| {
            let file = Path::new("/").join(file.as_str());
            folders.iter().any(|folder| file.starts_with(folder)) && !files::exists(&file)
        };
        let topic = |at: &usize| stored.documents[*at].entry.topic.clone();
        by_file.iter().filter(is_gone).flat_map(|(_, at)| at.iter().map(topic)).collect()
    }

    /// The destination of one item. For several items, or those of a folder, the typed topic is the
    /// folder that they go into.
    pub(super) fn take(
        &mut self,
        request: &Request,
        below: Option<&str>,
        (title, text): (&str, &str),
        read: &Read,
    ) -> Result<Destination, Error> {
        let mut place = match (&request.topic, below) {
            (Some(typed), None) => self.typed(typed, read)?,
            _ => match self.same_source(request, read) {
                Some(place) => place,
                None => self.free(below, (title, text), read)?,
            },
        };
        self.store.refuse_link(self.context, &place.path)?;
        self.taken.insert(place.path.folded());
        place.original = self.original(&place, read);
        Ok(place)
    }

    fn typed(&self, typed: &str, read: &Read) -> Result<Destination, Error> {
        let topic = Topic::parse(typed)?;
        let (path, before) = store_documents::find(self.store, &topic)?;
        if before.is_none() {
            topic.for_new_file()?;
        }
        let is_same = |placed: &PlacedDocument| {
            // A document with a `file` field declares its own source, which is not where it was
            // added from.
            let is_source =
                placed.entry.file.is_none() && placed.entry.source.as_ref() == Some(&read.source);
            let of_file = || file_of(self.context, placed).is_some_and(|file| read.is_of(&file));
            read.is_named && (is_source || of_file())
        };
        if before.as_ref().is_none_or(is_same) {
            Ok(Destination { topic, path, before, original: None })
        } else {
            Err(AddError::FromElsewhere { topic }.into())
        }
    }

    /// The existing document of the same file or page, wherever it is now.
    fn same_source(&self, request: &Request, read: &Read) -> Option<Destination> {
        if read.file.is_none() && !read.fetched {
            return None;
        }
        let within = request.topic.as_deref().map(|typed| {
            let typed = typed.trim_matches('/');
            format!("knowledge/{}/", typed.strip_prefix("knowledge/").unwrap_or(typed))
        });
        let is_within = |placed: &&PlacedDocument| {
            let path = placed.path.as_str();
            within.as_ref().is_none_or(|folder| path.starts_with(folder))
        };
        let is_free = |placed: &&PlacedDocument| !self.taken.contains(&placed.path.folded());
        let mut known = self.index().made_from(read).filter(is_within);
        let placed = known.find(is_free)?.clone();
        let (topic, path) = (placed.entry.topic.clone(), placed.path.clone());
        Some(Destination { topic, path, before: Some(placed), original: None })
    }

    /// The first topic that is free, or that was made from the same bytes.
    fn free(
        &self,
        below: Option<&str>,
        (title, text): (&str, &str),
        read: &Read,
    ) -> Result<Destination, Error> {
        let name = below.map_or_else(|| format!("articles/{}", slug(title)), str::to_owned);
        for number in 1.. {
            let name = if number == 1 { name.clone() } else { format!("{name}-{number}") };
            let topic = match below {
                Some(_) => Topic::parse(&name)?,
                None => Topic::known(Namespace::Knowledge, &name),
            };
            let (path, before) = self.find(&topic)?;
            if before.is_none() {
                topic.for_new_file()?;
            }
            let is_same =
                |placed: &PlacedDocument| read.is_named && self.is_made_of(placed, read, text);
            if !self.taken.contains(&path.folded()) && before.as_ref().is_none_or(is_same) {
                return Ok(Destination { topic, path, before, original: None });
            }
        }
        unreachable!("because numbers do not end")
    }

    /// As [`store_documents::find`], but uses the index once it is loaded, instead of scanning the
    /// folder for each item.
    fn find(&self, topic: &Topic) -> Result<(RelPath, Option<PlacedDocument>), Error> {
        let Some(index) = self.index.get() else {
            return store_documents::find(self.store, topic);
        };
        let path = topic.file().ok_or_else(|| store_documents::read_only(topic))?;
        let there = index.by_path.get(&path.folded()).and_then(Topic::of);
        match there {
            Some(there) => store_documents::find(self.store, &there),
            None if files::exists(&self.store.root.join(path.as_str())) => {
                store_documents::find(self.store, topic)
            }
            None => Ok((path, None)),
        }
    }

    /// Whether a document was made from these bytes.
    fn is_made_of(&self, placed: &PlacedDocument, read: &Read, text: &str) -> bool {
        let kept = original_of(placed).and_then(|path| {
            let (blob, _) = folder::read_file(&path, &self.store.root.join(path.as_str())).ok()?;
            Some(blob[..] == read.bytes[..])
        });
        let is_text = || placed.entry.attachment.is_none() && placed.entry.text == text.trim();
        placed.entry.source.as_ref() == Some(&read.source) && kept.unwrap_or_else(is_text)
    }

    /// The path of an original: the document's existing path, else a free one.
    fn original(&mut self, place: &Destination, read: &Read) -> Option<RelPath> {
        let ending = read.extracted.format.ending()?;
        let own = place
            .before
            .as_ref()
            .and_then(original_of)
            .filter(|path| path.as_str().ends_with(&format!(".{ending}")));
        let name = place.topic.full().trim_start_matches("knowledge/").replace('/', "-");
        let name = name.strip_prefix("articles-").unwrap_or(&name).to_owned();
        // Within the limits of file systems, less a number and the extension.
        let name = name[name.ceil_char_boundary(name.len().saturating_sub(200))..].to_owned();
        let numbered = (1..).map(|number| {
            let number = if number == 1 { String::new() } else { format!("-{number}") };
            RelPath::known(&format!("knowledge/attachments/{name}{number}.{ending}"))
        });
        for path in own.clone().into_iter().chain(numbered) {
            if self.originals.contains(&path) {
                continue;
            }
            let file = self.store.root.join(path.as_str());
            let there = folder::read_file(&path, &file).ok().map(|(blob, _)| blob);
            let is_of_others = self.is_named_by_others(&path, &place.path);
            let is_same = there.as_ref().is_some_and(|blob| blob[..] == read.bytes[..]);
            let is_own = there.is_some() && own.as_ref() == Some(&path);
            if !is_of_others && (!files::exists(&file) || is_same || is_own) {
                self.originals.insert(path.clone());
                return Some(path);
            }
        }
        unreachable!("because numbers do not end")
    }

    /// The change that writes an original, if it is not there already.
    pub(super) fn original_change(&self, place: &Destination, read: &Read) -> Option<FileChange> {
        let path = place.original.as_ref()?;
        let file = self.store.root.join(path.as_str());
        let before = folder::read_file(path, &file).ok().map(|(blob, _)| blob);
        let after: Blob = read.bytes.clone().into();
        let is_same = before.as_ref() == Some(&after);
        (!is_same).then(|| FileChange { path: path.clone(), before, after: Some(after) })
    }

    /// The original that an item's document will have: the present one, if it is the same file and
    /// so stays.
    pub(super) fn shown(&self, place: &Destination, read: &Read) -> Option<RelPath> {
        let before = place.before.as_ref();
        let had = before.and_then(original_of);
        let is_another = had.is_some() && had != place.original;
        let stays = is_another && before.is_some_and(|placed| self.kept(placed, read));
        if stays { had } else { place.original.clone() }
    }

    /// Whether a document other than this one names an original.
    pub(super) fn is_named_by_others(&self, original: &RelPath, document: &RelPath) -> bool {
        let named_by = self.index().by_original.get(original);
        named_by.is_some_and(|those| those.iter().any(|of| of != document))
    }

    /// Whether a document's original equals the file byte for byte, or neither is needed.
    pub(super) fn kept(&self, placed: &PlacedDocument, read: &Read) -> bool {
        let path = original_of(placed);
        match (read.extracted.format.ending(), path) {
            (None, None) => true,
            (Some(_), Some(path)) => {
                let file = self.store.root.join(path.as_str());
                folder::read_file(&path, &file).is_ok_and(|(blob, _)| blob[..] == read.bytes[..])
            }
            _ => false,
        }
    }

    /// Whether the text was edited since it was added.
    pub(super) fn is_edited(&self, placed: &PlacedDocument) -> bool {
        let document = Document::read(&placed.blob).ok();
        if let Some(is_as_added) = document.as_ref().and_then(added::is_as_added) {
            return !is_as_added;
        }
        // Without a hash, compares with the original's text; without that, assumes an edit.
        let Some(path) = original_of(placed) else { return true };
        let Ok((bytes, _)) = folder::read_file(&path, &self.store.root.join(path.as_str())) else {
            return true;
        };
        let hints = Hints { name: path.name().to_owned(), content_type: None };
        let was = extractor::extract(&self.context.program, &bytes, &hints);
        was.is_ok_and(|was| was.text.trim() != placed.entry.text.trim())
    }
}

/// The existing documents, with indexes by path, original and source.
struct DocumentIndex {
    stored: StoreDocuments,
    /// Each document by its case-folded path.
    by_path: BTreeMap<String, RelPath>,
    /// The documents that refer to each original.
    by_original: BTreeMap<RelPath, Vec<RelPath>>,
    by_file: BTreeMap<RelPath, Vec<usize>>,
    by_source: BTreeMap<String, Vec<usize>>,
}

impl DocumentIndex {
    fn read(context: &Context, store: &Store) -> DocumentIndex {
        let stored = StoreDocuments::read(store.clone());
        let (mut by_file, mut by_source) = (BTreeMap::new(), BTreeMap::new());
        let mut by_original = BTreeMap::new();
        let by_path = stored.texts().map(|(path, _)| (path.folded(), path.clone())).collect();
        for (at, placed) in stored.documents.iter().enumerate() {
            if let Some(path) = original_of(placed) {
                by_original.entry(path).or_insert_with(Vec::new).push(placed.path.clone());
            }
            if !added::is_added(&placed.document()) {
                continue;
            }
            // A source next to a `file` field is declared by the page, not where it was added from.
            if let (Some(source), None) = (&placed.entry.source, &placed.entry.file) {
                by_source.entry(source.clone()).or_insert_with(Vec::new).push(at);
            }
            if let Some(file) = file_of(context, placed) {
                by_file.entry(file).or_insert_with(Vec::new).push(at);
            }
        }
        DocumentIndex { stored, by_path, by_original, by_file, by_source }
    }

    /// The documents that were made from a file or page.
    fn made_from(&self, read: &Read) -> impl Iterator<Item = &PlacedDocument> {
        let file = read.file.as_deref().and_then(from_root);
        let of_file = file.and_then(|file| self.by_file.get(&file));
        let of_source = self.by_source.get(&read.source);
        let all = of_file.into_iter().chain(of_source).flatten();
        all.map(|at| &self.stored.documents[*at])
    }
}

/// Where a document says that its original is.
fn original_of(placed: &PlacedDocument) -> Option<RelPath> {
    placed.entry.attachment.as_deref().and_then(original)
}

/// The file that a document was made from, if recorded.
fn file_of(context: &Context, placed: &PlacedDocument) -> Option<RelPath> {
    let source = placed.entry.file.as_deref().or(placed.entry.source.as_deref())?;
    let is_path = source.starts_with("~/") || source.starts_with('/');
    is_path.then(|| from_root(&context.typed_path(source)))?
}
