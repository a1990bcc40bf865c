//! Builds the document for one file or page: its text, its fields, and the frontmatter that it
//! carries over.
//!
//! Invariant: an edited text is never replaced, and the file's own frontmatter is not lost.

use super::{
    added_hashes::{AddedHashes, Sidecar},
    error::{AddError, BothChanged},
    item::{Read, from_root},
    place::{Destination, Places},
    report::Added,
    request::Request,
};
use crate::documents::{
    store_documents::{self, PlacedDocument},
    write::{self, Fields, Written},
};
use crate::extract::{Extracted, FileFormat};
use crate::foreign::Foreign;
use crate::identity::{ContentHash, Document, RelPath, Stamp, value::Value};
use crate::index::store::Store;
use crate::knowledge::{Namespace, Topic, added, links::Following, original};
use crate::machine::{Context, folder};
use crate::merge::change::{ChangeSet, FileChange};
use crate::secrets;
use crate::workspace::{Error, Oddities, guard};

/// The text of a future document, without the file's own frontmatter.
pub(super) struct Text {
    pub(super) title: String,
    /// Its links are rewritten once the document's place is known.
    pub(super) body: String,
    own: Document,
    /// The hash of the body before its links are rewritten.
    sum: ContentHash,
}

impl Text {
    pub(super) fn prepare(request: &Request, read: &Read) -> Result<Text, Error> {
        let text = write::text(&read.extracted.text)?;
        let text = secrets::marked_text(&text, &request.allowed);
        let own = match read.extracted.format {
            FileFormat::Markdown | FileFormat::Text => write::arrived(&text)?,
            _ => Document::new(&text),
        };
        let body = own.text().to_owned();
        let titled = own.get("title").and_then(Value::text).filter(|title| !title.is_empty());
        let title = title(request, read, titled, &body);
        let sum = Document::new(&body).hash();
        Ok(Text { title, body, own, sum })
    }

    /// The aliases in the file's own frontmatter.
    pub(super) fn aliases(&self) -> Vec<String> {
        self.own.get("aliases").and_then(Value::list).unwrap_or_default()
    }
}

/// The requested title, else the file's own, else its first heading, else its name.
fn title(request: &Request, read: &Read, own: Option<String>, text: &str) -> String {
    let Extracted { title, .. } = &read.extracted;
    let stem = || {
        let stem = read.name.rsplit_once('.').map(|(stem, _)| stem.to_owned());
        stem.unwrap_or_else(|| read.name.clone())
    };
    let title = request.title.clone().or(own).or_else(|| title.clone()).or_else(|| heading(text));
    let title = Foreign(&title.unwrap_or_else(stem)).line().into_owned();
    let end = title.char_indices().nth(200).map_or(title.len(), |(at, _)| at);
    title[..end].trim().to_owned()
}

fn heading(text: &str) -> Option<String> {
    let first = text.lines().find(|line| !line.trim().is_empty())?;
    first.strip_prefix("# ").map(|heading| heading.trim().to_owned())
}

/// What the documents of one run share.
pub(super) struct DocumentBuilder<'a> {
    pub(super) context: &'a Context,
    pub(super) request: &'a Request,
    pub(super) store: &'a Store,
    pub(super) following: Option<Following>,
    /// Names that other documents are about.
    pub(super) known: Vec<&'a str>,
}

impl DocumentBuilder<'_> {
    pub(super) fn made(
        &self,
        (places, seen): (&Places<'_>, &mut AddedHashes),
        read: &Read,
        mut text: Text,
        place: &Destination,
    ) -> Result<(Added, Vec<FileChange>), Error> {
        self.refuse_secrets(&text)?;
        let from = read.file.as_deref().and_then(from_root);
        if let (Some(following), Some(from)) = (&self.following, from) {
            let followed = following.text(&text.body, &from, &place.path);
            text.body = followed.unwrap_or(text.body);
        }
        if let Some(placed) = place.before.as_ref().filter(|_| read.file.is_some()) {
            let of_document = added::sum(&placed.document());
            match seen.side(&read.source, text.sum, of_document) {
                Sidecar::Here => {}
                Sidecar::There => return self.relabelled(read, &text, place, placed),
                Sidecar::Both => {
                    return Err(not_updated(&placed.entry.topic, BothChanged::OnAnotherLaptop));
                }
            }
        }
        if let Some(placed) = place.before.as_ref().filter(|placed| places.is_edited(placed)) {
            // The document already has this text, or the file has not changed since it was added:
            // the edited text stays, and that is not an error.
            let is_known = placed.document().hash() == Document::new(&text.body).hash()
                || added::sum(&placed.document()) == Some(text.sum);
            return if is_known {
                self.relabelled(read, &text, place, placed)
            } else {
                Err(not_updated(&placed.entry.topic, BothChanged::ByHand))
            };
        }
        // Compares hashes, because a move may have rewritten the links since.
        let is_same = |placed: &&PlacedDocument| {
            added::sum(&placed.document()) == Some(text.sum)
                && places.kept(placed, read)
                && !self.shows_more(&text.body, placed)
        };
        if let Some(placed) = place.before.as_ref().filter(is_same) {
            seen.note(&read.source, text.sum);
            return self.relabelled(read, &text, place, placed);
        }
        place.before.as_ref().map_or(Ok(()), store_documents::refuse_locked)?;
        let attachment = place.original.as_ref();
        let mut document = self.document(read, &text, place, attachment)?;
        let mut files: Vec<FileChange> = places.original_change(place, read).into_iter().collect();
        let before = place.before.as_ref();
        let is_new_text =
            before.is_none_or(|placed| document.write().as_bytes() != &placed.blob[..]);
        let written = match before {
            None => Written::Created,
            Some(_) if !is_new_text && files.is_empty() => Written::Unchanged,
            Some(_) => Written::Updated,
        };
        if written != Written::Unchanged {
            stamp(&mut document, self.context.now(), (read, &place.topic), before);
            let before = before.map(|placed| placed.blob.clone());
            let after = Some(document.write().into());
            files.push(FileChange { path: place.path.clone(), before, after });
        }
        files.extend(self.left_behind(places, place, attachment));
        self.refuse_change(&files)?;
        if read.file.is_some() {
            seen.note(&read.source, text.sum);
        }
        let added = self.added(read, (&text, &document), place, written, attachment);
        Ok((added, files))
    }

    /// Whether a text now shows a picture that its document does not: one that was added since.
    fn shows_more(&self, text: &str, placed: &PlacedDocument) -> bool {
        let Some(following) = &self.following else { return false };
        let shown = |text: &str| following.shown_pictures(text, &placed.path);
        let now = shown(text);
        now > 0 && now > shown(placed.document().text())
    }

    /// The document with its text kept, and the requested title and tags.
    fn relabelled(
        &self,
        read: &Read,
        text: &Text,
        place: &Destination,
        placed: &PlacedDocument,
    ) -> Result<(Added, Vec<FileChange>), Error> {
        let mut document = placed.document();
        let fields = Fields {
            title: self.request.title.clone(),
            tags: (!self.request.tags.is_empty()).then(|| self.tags(&text.own, place)),
            ..Fields::default()
        };
        let Fields { title, tags, .. } = write::sound(&fields)?;
        let labels = [("title", title.map(Value::Text)), ("tags", tags.map(Value::List))];
        for (key, value) in labels {
            if let Some(value) = value.filter(|value| document.get(key) != Some(value)) {
                document.set(key, value);
            }
        }
        if document.write().as_bytes() == &placed.blob[..] {
            let added = self.added(read, (text, &document), place, Written::Unchanged, None);
            return Ok((added, Vec::new()));
        }
        stamp(&mut document, self.context.now(), (read, &place.topic), Some(placed));
        let (before, after) = (Some(placed.blob.clone()), Some(document.write().into()));
        let files = vec![FileChange { path: place.path.clone(), before, after }];
        self.refuse_change(&files)?;
        Ok((self.added(read, (text, &document), place, Written::Updated, None), files))
    }

    /// The document's previous original, if it has another one now and no other document uses it.
    fn left_behind(
        &self,
        places: &Places<'_>,
        place: &Destination,
        now: Option<&RelPath>,
    ) -> Option<FileChange> {
        let had = original(place.before.as_ref()?.entry.attachment.as_deref()?)?;
        if now == Some(&had) || places.is_named_by_others(&had, &place.path) {
            return None;
        }
        let (blob, _) = folder::read_file(&had, &self.store.root.join(had.as_str())).ok()?;
        Some(FileChange { path: had, before: Some(blob), after: None })
    }

    fn refuse_change(&self, files: &[FileChange]) -> Result<(), Error> {
        let change = ChangeSet::of(files.to_vec());
        guard::refuse_change(&change, &self.request.allowed, "It was not added.")
    }

    /// Also finds secrets hidden by invisible characters or YAML escapes.
    fn refuse_secrets(&self, text: &Text) -> Result<(), Error> {
        let mut beside = added::values(&text.own);
        beside.push(text.title.clone());
        let beside: Vec<&str> = beside.iter().map(String::as_str).collect();
        let allowed = &self.request.allowed;
        guard::refuse_text(&text.body, &beside, "", allowed, "It was not added.")
    }

    /// The requested tags and the document's own; if it has none, the file's.
    fn tags(&self, own: &Document, place: &Destination) -> Vec<String> {
        let had = place.before.as_ref().map(|placed| tags(&placed.document()));
        let had = had.filter(|had| !had.is_empty()).unwrap_or_else(|| tags(own));
        let mut united = self.request.tags.clone();
        for tag in had {
            if !united.contains(&tag) {
                united.push(tag);
            }
        }
        united
    }

    /// The requested title, else the document's own if it is not its old heading, else the text's.
    fn title(&self, text: &Text, before: Option<&PlacedDocument>) -> String {
        let own = before.filter(|placed| {
            let said = heading(&placed.entry.text);
            let title = placed.document().get("title").and_then(Value::text);
            title.is_some() && title != said && self.request.title.is_none()
        });
        own.map_or_else(|| text.title.clone(), |placed| placed.entry.name.clone())
    }

    fn added(
        &self,
        read: &Read,
        (text, document): (&Text, &Document),
        place: &Destination,
        written: Written,
        attachment: Option<&RelPath>,
    ) -> Added {
        let shown = |path: &RelPath| path.below(&self.store.shown);
        let following = self.following.as_ref().filter(|_| read.file.is_some());
        let not_shown = following.map(|all| all.missing_pictures(document.text(), &place.path));
        let not_shown = not_shown.unwrap_or_default();
        // Only a new document takes them.
        let own = place.before.is_none().then(|| added::unknown_labels(&text.own, None));
        Added {
            topic: place.topic.clone(),
            title: document.get("title").and_then(Value::text).unwrap_or_default(),
            written,
            format: read.extracted.format,
            text: text.body.len(),
            path: shown(&place.path),
            attachment: attachment.map(shown),
            pictures: read.extracted.pictures.clone(),
            missing: read.extracted.missing.clone(),
            not_shown: not_shown.named,
            more_not_shown: not_shown.others,
            own_labels: own.unwrap_or_default(),
            oddities: Oddities::of("", &text.body),
            omitted: read.extracted.omitted.clone(),
        }
    }

    fn document(
        &self,
        read: &Read,
        text: &Text,
        place: &Destination,
        attachment: Option<&RelPath>,
    ) -> Result<Document, Error> {
        let own = &text.own;
        let tags = self.tags(own, place);
        // A clipped page declares its own source.
        let own_source = own.get("source").filter(|source| **source != Value::Null);
        let source = own_source.and_then(Value::text).unwrap_or_else(|| read.source.clone());
        let fields = Fields {
            title: Some(self.title(text, place.before.as_ref())),
            source: Some(source),
            tags: (!tags.is_empty()).then_some(tags),
            ..Fields::default()
        };
        let (topic, before) = (&place.topic, place.before.as_ref());
        let fields = write::sound(&fields)?;
        let mut document = write::filled(topic, &text.body, &fields, before, &self.known)?;
        if let Some(entry) = own.front().and_then(|front| front.entry("source")) {
            document.front_mut().replace_raw(entry.clone());
            document.set(added::FILE, Value::Text(read.source.clone()));
        }
        if attachment.is_none() {
            document.front_mut().remove("attachment");
        }
        if let Some(path) = attachment {
            let below = path.as_str().trim_start_matches("knowledge/").to_owned();
            document.set("attachment", Value::Text(below));
        }
        if before.is_none() {
            // An article is reference material, whatever its subject.
            document.set("type", Value::Text("reference".to_owned()));
            added::carry(own, &mut document);
        }
        added::mark(&mut document, text.sum);
        Ok(document)
    }
}

/// The tags of a field.
fn tags(document: &Document) -> Vec<String> {
    document.get("tags").and_then(Value::list).unwrap_or_default()
}

/// The error for a document whose text is not replaced by the file's.
fn not_updated(topic: &Topic, why: BothChanged) -> Error {
    AddError::NotUpdated { topic: topic.clone(), why }.into()
}

fn stamp(
    document: &mut Document,
    now: Stamp,
    (read, topic): (&Read, &Topic),
    before: Option<&PlacedDocument>,
) {
    let text = || Value::Text(now.with_offset());
    if read.fetched {
        document.set("fetched", text());
    }
    if topic.namespace() == Namespace::Profile && document.get("version").is_none() {
        document.set("version", Value::Int(1));
        document.set("updated", text());
    }
    match before {
        Some(_) => document.set("updated", text()),
        None if document.get("created").is_some() => {}
        None => document.set("created", text()),
    }
}
