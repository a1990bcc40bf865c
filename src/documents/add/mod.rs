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
mod item;
mod place;
mod report;
mod request;
mod source;

use super::write::{self, Written};
use crate::identity::RelPath;
use crate::knowledge::{
    Namespace, Topic,
    links::{Following, Moves},
    names::Names,
};
use crate::machine::{Context, oplog::OpVerb};
use crate::merge::change::{ChangeSet, FileChange};
use crate::workspace::{Error, Workspace};
use added_hashes::AddedHashes;
use document::{DocumentBuilder, Text};
use item::{Item, Read, Unread, from_root};
use place::{Destination, Places, SourceFile};

pub use error::AddError;
use rayon::prelude::*;
pub use report::{Added, Failed, LeftOut, Report};
pub use request::{Request, Source};
use std::sync::Arc;
use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

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
            Err(Unread::Failed(failure)) => failed.push(Failed::of(&item.shown, failure)),
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
            Err(error) => failed.push(Failed::of(&item.shown, error)),
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
