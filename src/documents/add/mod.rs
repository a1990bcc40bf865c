//! `knowledge add`: adds files, folders, web pages or standard input as documents.
//!
//! Invariant: the original is kept byte for byte with its text, unless it is text itself. Its
//! source is recorded, and adding the same source again updates its document. An item without text,
//! or with a secret, is refused and leaves nothing behind, without affecting the other items. One
//! change set, one undo.

mod added_hashes;
mod document;
mod error;
mod folder;
mod place;
mod source;

use super::write::{self, Written};
use crate::extract::{FileFormat, Omitted};
use crate::identity::RelPath;
use crate::index::store::Scope;
use crate::knowledge::{
    Namespace, Topic,
    links::{Following, Moves},
    names::Names,
};
use crate::machine::{Context, fetch::AddressPolicy, oplog::OpVerb};
use crate::merge::change::{ChangeSet, FileChange};
use crate::secrets::{Allowed, Sample};
use crate::workspace::{Error, Workspace};
use added_hashes::AddedHashes;
use document::{DocumentBuilder, Text};
use place::{Destination, Places, SourceFile, from_root};
use source::{Item, Read, Unread};
pub use source::{LeftOut, Source};

pub use error::AddError;
use rayon::prelude::*;
use serde::Serialize;
use std::sync::Arc;
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

#[derive(Clone, Debug)]
pub struct Request {
    pub sources: Vec<Source>,
    /// Defaults to `articles/` and the title; for several items, the folder that they go into.
    pub topic: Option<String>,
    /// For a single item only.
    pub title: Option<String>,
    pub tags: Vec<String>,
    /// What a single picture shows.
    pub caption: Option<String>,
    pub scope: Option<Scope>,
    pub reach: AddressPolicy,
    pub allowed: Allowed,
}

/// The document of an added item.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Added {
    pub topic: Topic,
    pub title: String,
    pub written: Written,
    pub format: FileFormat,
    /// Size in bytes.
    pub text: usize,
    pub path: PathBuf,
    /// Where the original is.
    pub attachment: Option<PathBuf>,
    /// Pages with next to no text, probably because they show an image.
    pub pictures: Vec<u32>,
    /// Parts that the file refers to but does not contain: chapters of a book.
    pub missing: Vec<String>,
    /// Pictures that the text shows and that are not in the store, as the text names them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_shown: Vec<String>,
    /// How many more there are.
    #[serde(skip_serializing_if = "is_none")]
    pub more_not_shown: usize,
    /// Labels of the file's own that co does not know.
    #[serde(skip)]
    pub own_labels: Vec<String>,
    /// What to say of a block of labels that was kept as text.
    #[serde(skip)]
    pub kept_block: Option<&'static str>,
    /// Values of vendors' documentation that were let through.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub samples: Vec<Sample>,
    /// What the file contains that is not in the text: comments, charts.
    pub omitted: BTreeSet<Omitted>,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// An item that was not added.
#[derive(Clone, Debug, Serialize)]
pub struct Failed {
    /// As it was given.
    pub name: String,
    pub message: String,
    #[serde(skip)]
    pub error: Arc<Error>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub scope: Scope,
    pub documents: Vec<Added>,
    /// Files in folders that were skipped.
    pub left_out: Vec<LeftOut>,
    /// Documents whose files in these folders are gone; the documents stay.
    pub gone: Vec<Topic>,
    pub failed: Vec<Failed>,
}

impl Report {
    /// Why some items were not added; `None` if all were.
    pub fn error(&self) -> Option<Error> {
        let is_new = |one: &Added| one.written != Written::Unchanged;
        let failed: Vec<Arc<Error>> =
            self.failed.iter().map(|failed| Arc::clone(&failed.error)).collect();
        let of = failed.len() + self.documents.len();
        let is_rest_added = self.documents.iter().any(is_new);
        let error = AddError::NotAdded { failed, of, is_rest_added };
        (!self.failed.is_empty()).then(|| error.into())
    }
}

/// Calls `moved` with the number of items read, and the total.
pub fn run(
    ws: &Workspace,
    request: &Request,
    moved: &(dyn Fn(usize, usize) + Sync),
) -> Result<Report, Error> {
    let store = ws.to_write(request.scope)?;
    let (items, mut left_out) = source::items(ws, request)?;
    refuse_odd(request, &items)?;
    let (mut failed, mut reads) = (Vec::new(), Vec::new());
    for (item, read) in items.iter().zip(all_read(ws, request, &items, moved)) {
        match read {
            Ok(read) => reads.push((item, read)),
            Err(Unread::LeftOut(why)) => leave_out(&mut left_out, why, &item.shown),
            Err(Unread::Failed(failure)) => failed.push(Failed::of(item, failure)),
        }
    }
    let write = ws.write(&store)?;
    let mut places = Places::new(ws, &store);
    let mut seen = AddedHashes::read(&store);
    let folders = source::folders(ws, request);
    let made = make((ws, request), &mut places, &folders, (&mut seen, reads));
    let gone = places.gone(&folders);
    let (mut files, mut documents) = (Vec::new(), Vec::new());
    for (item, made) in made {
        match made {
            Ok((document, changes)) => {
                files.extend(changes);
                documents.push(document);
            }
            Err(error) => failed.push(Failed::of(item, error)),
        }
    }
    if items.len() == 1
        && documents.is_empty()
        && let Some(failed) = failed.pop()
    {
        return Err(Arc::into_inner(failed.error).expect("because nothing else holds it"));
    }
    if !files.is_empty() {
        let changed = documents.iter().filter(|one| one.written != Written::Unchanged);
        let topics: Vec<Topic> = changed.map(|one| one.topic.clone()).collect();
        let what = super::listed(&topics);
        write.operation(OpVerb::Add, what).apply(&ChangeSet::of(files))?;
    }
    seen.write();
    Ok(Report { scope: store.scope, documents, left_out, gone, failed })
}

/// Refuses options that make no sense for several items.
fn refuse_odd(request: &Request, items: &[Item]) -> Result<(), Error> {
    if items.len() > 1 && request.title.is_some() {
        return Err(AddError::TitleOfSeveral.into());
    }
    let is_folder = items.iter().any(|item| item.below.is_some());
    let is_one = items.len() == 1 && items.iter().all(|item| !item.is_found);
    if request.caption.is_some() && !is_one {
        return Err(AddError::CaptionOfSeveral.into());
    }
    let Some(typed) = request.topic.as_deref().filter(|_| is_folder) else { return Ok(()) };
    let folder = Topic::parse(&format!("{}/x", typed.trim_end_matches('/')))?;
    match folder.namespace() {
        Namespace::Knowledge => Ok(()),
        Namespace::Docs => Err(super::store_documents::read_only(&folder)),
        Namespace::Profile => Err(AddError::IntoProfile.into()),
    }
}

impl Failed {
    fn of(item: &Item, error: Error) -> Failed {
        let message = error.to_string();
        Failed { name: item.shown.clone(), message, error: Arc::new(error) }
    }
}

fn leave_out(left_out: &mut Vec<LeftOut>, why: String, example: &str) {
    match left_out.iter_mut().find(|known| known.why == why) {
        Some(known) => known.count += 1,
        None => left_out.push(LeftOut { why, count: 1, example: example.to_owned() }),
    }
}

fn all_read(
    context: &Context,
    request: &Request,
    items: &[Item],
    moved: &(dyn Fn(usize, usize) + Sync),
) -> Vec<Result<Read, Unread>> {
    let done = AtomicUsize::new(0);
    let read = |item: &Item| {
        let read = item.read(context, request);
        moved(done.fetch_add(1, Ordering::Relaxed) + 1, items.len());
        read
    };
    items.par_iter().map(read).collect()
}

/// An item with its text, and the destination of its document.
type Placement<'a> = (&'a Item, Result<(Read, Text, Destination), Error>);
type MadeOf<'a> = (&'a Item, Result<(Added, Vec<FileChange>), Error>);

/// The documents, and the file changes for them.
fn make<'a>(
    (context, request): (&Context, &Request),
    places: &mut Places<'_>,
    folders: &[PathBuf],
    (seen, reads): (&mut AddedHashes, Vec<(&'a Item, Read)>),
) -> Vec<MadeOf<'a>> {
    let store = places.store;
    let mut placed: Vec<Placement<'_>> = Vec::new();
    for (item, read) in reads {
        let text = Text::prepare(request, &read);
        let place = text.and_then(|text| {
            let below = item.below.as_deref();
            let place = places.take(request, below, (&text.title, &text.body), &read)?;
            Ok((read, text, place))
        });
        placed.push((item, place));
    }
    let folders = folders.iter().filter_map(|folder| from_root(folder)).collect();
    let following = following(places, &placed, folders);
    let known = write::names(store);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let maker = DocumentBuilder { context, request, store, following, known };
    let make = |(item, placed): Placement<'a>| {
        let made = placed.and_then(|(read, text, place)| {
            maker.made((&*places, &mut *seen), &read, text, &place).map_err(|error| {
                let is_named = error.to_string().contains(&item.shown);
                let source = Box::new(error);
                if is_named { *source } else { Error::In { file: item.shown.clone(), source } }
            })
        });
        (item, made)
    };
    placed.into_iter().map(make).collect()
}

/// Maps links between source files to links between their documents, and pictures to originals.
fn following(
    places: &Places<'_>,
    placed: &[Placement<'_>],
    folders: Vec<RelPath>,
) -> Option<Following> {
    let from = |(_, placed): &Placement<'_>| {
        let (read, text, place) = placed.as_ref().ok()?;
        let (file, document) = (from_root(read.file.as_deref()?)?, place.path.clone());
        let original = places.shown(place, read);
        Some(SourceFile { file, document, original, aliases: text.aliases() })
    };
    let new: Vec<SourceFile> = placed.iter().filter_map(from).collect();
    if new.is_empty() {
        return None;
    }
    let files: BTreeSet<&RelPath> = new.iter().map(|one| &one.file).collect();
    let mut known = places.came_from();
    known.retain(|one| !files.contains(&one.file));
    let all = || known.iter().chain(&new);
    let before = Names::from_files(all().map(|one| (one.file.clone(), one.aliases.clone())));
    let before = before.collected(folders);
    let moves: Moves = all().map(|one| (one.file.clone(), one.document.clone())).collect();
    let shown = |one: &SourceFile| Some((one.file.clone(), one.original.clone()?));
    let originals: Moves = all().filter_map(shown).collect();
    let documents = new.iter().map(|one| (one.document.clone(), one.aliases.clone()));
    let kept = new.iter().filter_map(|one| Some((one.original.clone()?, Vec::new())));
    let after = places.names().with(documents.chain(kept));
    Some(Following::into_others(moves, originals, before, after))
}
