//! `knowledge add`: files, folders of them, pages of the web, or standard input as documents.
//!
//! Invariant: the original is kept byte for byte beside its text, unless it is text itself; where it
//! came from is said, and the same source again updates its document. What has no text, or a secret in
//! it, is refused and leaves nothing behind; of several things it costs that one. One change set, one
//! undo.

mod place;
mod source;

pub use source::{LeftOut, Source};

use super::{
    shelf::Placed,
    write::{self, Fields, Written},
};
use crate::extract::{Extracted, Format};
use crate::foreign::Foreign;
use crate::identity::{Document, RelPath, Stamp, value::Value};
use crate::knowledge::{
    Topic, added, labels,
    links::{Following, Moves},
    names::Names,
};
use crate::merge::change::{ChangeSet, FileChange};
use crate::ops::{
    Exit, Failure, guard,
    store::{Scope, Store},
};
use crate::secrets::{self, Allowed};
use crate::system::{Context, fetch::Reach, oplog::Verb};
use place::{Place, Places, from_root};
use rayon::prelude::*;
use serde::Serialize;
use source::{Item, Read, Unread};
use std::{
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

#[derive(Clone, Debug)]
pub struct Request {
    pub sources: Vec<Source>,
    /// By default `articles/` and the title; of several things, the folder that they go into.
    pub topic: Option<String>,
    /// Of one thing.
    pub title: Option<String>,
    pub tags: Vec<String>,
    pub scope: Option<Scope>,
    pub reach: Reach,
    pub allowed: Allowed,
}

/// A document of something that was added.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Added {
    pub topic: Topic,
    pub title: String,
    pub written: Written,
    pub format: Format,
    /// In bytes.
    pub text: usize,
    pub path: PathBuf,
    /// Where the original is.
    pub attachment: Option<PathBuf>,
    /// Pages of which next to nothing was read: they show a picture.
    pub pictures: Vec<u32>,
    /// Parts that the file names and does not have: chapters of a book.
    pub missing: Vec<String>,
}

/// Something that was not added.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Failed {
    /// As it was named.
    pub name: String,
    pub message: String,
    #[serde(skip)]
    pub failure: Failure,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub scope: Scope,
    pub documents: Vec<Added>,
    /// Files of folders that are no documents.
    pub left_out: Vec<LeftOut>,
    pub failed: Vec<Failed>,
}

impl Report {
    /// Why some of it was not added; none where all was.
    pub fn failure(&self) -> Option<Failure> {
        const MOST: usize = 5;
        let first = self.failed.first()?;
        let named: Vec<&str> = self
            .failed
            .iter()
            .take(MOST)
            .map(|failed| failed.message.trim_end_matches('.'))
            .collect();
        let more = match self.failed.len().saturating_sub(MOST) {
            0 => String::new(),
            more => format!("; and {more} more"),
        };
        let rest = if self.documents.is_empty() { "" } else { "; the rest was added" };
        let failure = Failure::new(first.failure.exit, format!("{}{more}{rest}", named.join("; ")));
        let hint = first.failure.hints.first().cloned();
        Some(match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        })
    }
}

/// `moved` hears how many of how many things were read.
pub fn run(
    context: &Context,
    request: &Request,
    moved: &(dyn Fn(usize, usize) + Sync),
) -> Result<Report, Failure> {
    let store = Store::to_write(context, request.scope)?;
    let (items, mut left_out) = source::items(context, request)?;
    let (mut failed, mut reads) = (Vec::new(), Vec::new());
    for (item, read) in items.iter().zip(all_read(context, request, &items, moved)) {
        match read {
            Ok(read) => reads.push((item, read)),
            Err(Unread::LeftOut(why)) => leave_out(&mut left_out, why, &item.shown),
            Err(Unread::Failed(failure)) => failed.push(Failed::of(item, failure)),
        }
    }
    // Several things share no name.
    if items.len() > 1 && request.title.is_some() {
        let message = "--title names one document, and there are several; nothing was added";
        return Err(Failure::new(Exit::Usage, message).hint("omit --title"));
    }
    crate::ops::sync::recover(context);
    let _lock = store.lock()?;
    let made = make(context, request, &store, reads);
    let (mut files, mut documents) = (Vec::new(), Vec::new());
    for (item, made) in made {
        match made {
            Ok((document, changes)) => {
                files.extend(changes);
                documents.push(document);
            }
            Err(failure) => failed.push(Failed::of(item, failure)),
        }
    }
    if items.len() == 1
        && documents.is_empty()
        && let Some(failed) = failed.pop()
    {
        return Err(failed.failure);
    }
    if !files.is_empty() {
        let changed = documents.iter().filter(|one| one.written != Written::Unchanged);
        let topics: Vec<&Topic> = changed.map(|one| &one.topic).collect();
        let what = super::listed(&topics);
        store.transaction(context, Verb::Add, what).run(&ChangeSet::of(files))?;
    }
    Ok(Report { scope: store.scope, documents, left_out, failed })
}

impl Failed {
    fn of(item: &Item, failure: Failure) -> Failed {
        let message = failure.message.clone();
        Failed { name: item.shown.clone(), message, failure }
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

type MadeOf<'a> = (&'a Item, Result<(Added, Vec<FileChange>), Failure>);

/// The documents, and the files that change for them.
fn make<'a>(
    context: &Context,
    request: &Request,
    store: &Store,
    reads: Vec<(&'a Item, Read)>,
) -> Vec<MadeOf<'a>> {
    let mut places = Places::of(context, store);
    let mut placed: Vec<(&Item, Result<(Read, Text, Place), Failure>)> = Vec::new();
    for (item, read) in reads {
        let text = Text::of(request, &read);
        let place = text.and_then(|text| {
            let below = item.below.as_deref();
            let place = places.take(request, below, (&text.title, &text.body), &read)?;
            Ok((read, text, place))
        });
        placed.push((item, place));
    }
    let following = following(&places, &placed);
    let known = write::names(store);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let maker = Maker { context, request, store, following, known };
    let make = |(item, placed): (&'a Item, Result<(Read, Text, Place), Failure>)| {
        let made = placed.and_then(|(read, text, place)| {
            maker.made(&mut places, &read, text, place).map_err(|failure| {
                let named = failure.message.contains(&item.shown);
                let message = match named {
                    true => failure.message.clone(),
                    false => format!("{}: {}", item.shown, failure.message),
                };
                Failure { message, ..failure }
            })
        });
        (item, made)
    };
    placed.into_iter().map(make).collect()
}

/// How the links of files follow to the documents that are made of them.
fn following(
    places: &Places<'_>,
    placed: &[(&Item, Result<(Read, Text, Place), Failure>)],
) -> Option<Following> {
    let from = |(_, placed): &(&Item, Result<(Read, Text, Place), Failure>)| {
        let (read, _, place) = placed.as_ref().ok()?;
        Some((from_root(read.file.as_deref()?)?, place.path.clone()))
    };
    let new: Moves = placed.iter().filter_map(from).collect();
    if new.is_empty() {
        return None;
    }
    let (names, mut moves) = places.came_from();
    let unnamed = |path: &RelPath| (path.clone(), Vec::new());
    moves.extend(new.clone());
    let before = Names::of(moves.keys().map(unnamed));
    let after = names.with(new.values().map(unnamed));
    Some(Following::into_others(moves, before, after))
}

/// The text of a document to be, without the frontmatter that the file has itself.
struct Text {
    title: String,
    body: String,
    own: Document,
}

impl Text {
    fn of(request: &Request, read: &Read) -> Result<Text, Failure> {
        let text = write::text(&read.extracted.text)?;
        let text = secrets::marked_text(&text, &request.allowed);
        let is_markdown = read.extracted.format == Format::Markdown;
        let own = is_markdown.then(|| Document::read(text.as_bytes()).ok()).flatten();
        let own = own.filter(|own| own.front().is_some()).unwrap_or_else(|| Document::new(&text));
        let body = own.text().to_owned();
        let body = if body.is_empty() { text } else { body };
        let titled = own.get("title").and_then(Value::text).filter(|title| !title.is_empty());
        let title = title(request, read, titled, &body);
        Ok(Text { title, body, own })
    }
}

/// As given, else what the file calls itself, else its first heading, else its name.
fn title(request: &Request, read: &Read, own: Option<String>, text: &str) -> String {
    let Extracted { title, .. } = &read.extracted;
    let heading = || {
        let first = text.lines().find(|line| !line.trim().is_empty())?;
        first.strip_prefix("# ").map(|heading| heading.trim().to_owned())
    };
    let stem = || {
        let stem = read.name.rsplit_once('.').map(|(stem, _)| stem.to_owned());
        stem.unwrap_or_else(|| read.name.clone())
    };
    let title = request.title.clone().or(own).or_else(|| title.clone()).or_else(heading);
    let title = Foreign(&title.unwrap_or_else(stem)).line().into_owned();
    let end = title.char_indices().nth(200).map_or(title.len(), |(at, _)| at);
    title[..end].trim().to_owned()
}

/// What all documents are made with.
struct Maker<'a> {
    context: &'a Context,
    request: &'a Request,
    store: &'a Store,
    following: Option<Following>,
    /// Names that other documents are about.
    known: Vec<&'a str>,
}

impl Maker<'_> {
    fn made(
        &self,
        places: &mut Places<'_>,
        read: &Read,
        mut text: Text,
        place: Place,
    ) -> Result<(Added, Vec<FileChange>), Failure> {
        let from = read.file.as_deref().and_then(from_root);
        if let (Some(following), Some(from)) = (&self.following, from) {
            let followed = following.text(&text.body, &from, &place.path);
            text.body = followed.unwrap_or(text.body);
        }
        if let Some(placed) = place.before.as_ref().filter(|placed| places.is_edited(placed)) {
            let is_new = placed.entry.text.trim() != text.body.trim();
            let last = added::sum(&placed.document());
            let same = Document::new(&text.body).hash();
            return match is_new && last != Some(same) {
                false => {
                    Ok((self.added(read, &text, &place, Written::Unchanged, None), Vec::new()))
                }
                true => Err(edited(&placed.entry.topic)),
            };
        }
        let original = places.original(&place, read);
        let attachment = original.as_ref().map(|(path, _)| path.clone());
        let mut document = self.document(read, &text, &place, attachment.as_ref())?;
        let mut files: Vec<FileChange> =
            original.and_then(|(_, change)| change).into_iter().collect();
        let before = place.before.as_ref();
        let is_new_text =
            before.is_none_or(|placed| document.write().as_bytes() != &placed.blob[..]);
        let written = match before {
            None => Written::Created,
            Some(_) if !is_new_text && files.is_empty() => Written::Unchanged,
            Some(_) => Written::Updated,
        };
        if written != Written::Unchanged {
            stamp(&mut document, self.context.now(), read, before);
            let before = before.map(|placed| placed.blob.clone());
            let after = Some(document.write().into());
            files.push(FileChange { path: place.path.clone(), before, after });
        }
        let change = ChangeSet::of(files.clone());
        guard::refuse_change(&change, &self.request.allowed, "It was not added.")?;
        Ok((self.added(read, &text, &place, written, attachment), files))
    }

    fn added(
        &self,
        read: &Read,
        text: &Text,
        place: &Place,
        written: Written,
        attachment: Option<RelPath>,
    ) -> Added {
        let shown = |path: &RelPath| self.store.shown.join(path.as_str());
        Added {
            topic: place.topic.clone(),
            title: text.title.clone(),
            written,
            format: read.extracted.format,
            text: text.body.len(),
            path: shown(&place.path),
            attachment: attachment.as_ref().map(shown),
            pictures: read.extracted.pictures.clone(),
            missing: read.extracted.missing.clone(),
        }
    }

    fn document(
        &self,
        read: &Read,
        text: &Text,
        place: &Place,
        attachment: Option<&RelPath>,
    ) -> Result<Document, Failure> {
        let own = &text.own;
        let tags = own.get("tags").and_then(Value::list).unwrap_or_default();
        let had = place.before.as_ref().map_or_else(Vec::new, |placed| {
            placed.document().get("tags").and_then(Value::list).unwrap_or_default()
        });
        let mut all = self.request.tags.clone();
        all.extend(had.into_iter().chain(tags));
        let mut united: Vec<String> = Vec::new();
        all.into_iter().for_each(|tag| {
            if !united.contains(&tag) {
                united.push(tag);
            }
        });
        // A clipped page says itself where it came from.
        let own_source = own.get("source").and_then(Value::text).filter(|text| !text.is_empty());
        let source = own_source.clone().unwrap_or_else(|| read.source.clone());
        let fields = Fields {
            title: Some(text.title.clone()),
            source: Some(source),
            tags: (!united.is_empty()).then_some(united),
            ..Fields::default()
        };
        let (topic, before) = (&place.topic, place.before.as_ref());
        let fields = write::sound(&fields)?;
        let mut document = write::filled(topic, &text.body, &fields, before, &self.known)?;
        if own_source.is_some() {
            document.set(added::FILE, Value::Text(read.source.clone()));
        }
        if let Some(path) = attachment {
            let below = path.as_str().trim_start_matches("knowledge/").to_owned();
            document.set("attachment", Value::Text(below));
        }
        // An article is reference material, whatever it is about.
        let says = labels::read(topic, &text.body, &self.known);
        if document.get("type") == says.kind.map(|kind| Value::Text(kind.to_owned())).as_ref()
            && before.is_none()
        {
            document.set("type", Value::Text("reference".to_owned()));
        }
        match before {
            None => added::carry(own, &mut document),
            Some(_) => added::carry_new(own, &mut document),
        }
        added::mark(&mut document);
        Ok(document)
    }
}

fn edited(topic: &Topic) -> Failure {
    let message = format!("{topic} was changed since it was added; it was not updated");
    Failure::new(Exit::Refused, message).hint("`--topic` adds it beside that, or delete that first")
}

fn stamp(document: &mut Document, now: Stamp, read: &Read, before: Option<&Placed>) {
    let text = || Value::Text(now.with_offset());
    if read.fetched {
        document.set("fetched", text());
    }
    match before {
        Some(_) => document.set("updated", text()),
        None if document.get("created").is_some() => {}
        None => document.set("created", text()),
    }
}
