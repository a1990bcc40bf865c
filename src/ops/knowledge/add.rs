//! `knowledge add`: a file, a page of the web, or standard input as an article.
//!
//! Invariant: the original is kept byte for byte beside its text, unless it is text itself; where it
//! came from is said; what has no text, or a secret in it, is refused and leaves nothing behind.

use super::shelf::{self, Placed, Shelf};
use super::write::{self, Fields, Written};
use crate::extract::{Extracted, Format, Hints};
use crate::foreign::Foreign;
use crate::identity::{Blob, Document, RelPath, Stamp, kind::MAX_FILE_BYTES, value::Value};
use crate::knowledge::{Namespace, Topic, labels, original, topic::slug};
use crate::merge::change::{ChangeSet, FileChange};
use crate::ops::{
    Exit, Failure, guard,
    store::{Scope, Store},
};
use crate::secrets::{self, Allowed};
use crate::system::{
    Context, extractor,
    fetch::{self, FetchError, Reach},
    files, folder,
    oplog::Verb,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Request {
    pub source: Source,
    /// By default `articles/` and the title.
    pub topic: Option<String>,
    pub title: Option<String>,
    pub tags: Vec<String>,
    pub scope: Option<Scope>,
    pub reach: Reach,
    pub allowed: Allowed,
}

/// What is added.
#[derive(Clone, Debug)]
pub enum Source {
    File(PathBuf),
    Url(String),
    /// Standard input, with what it is called and where it came from, if somebody said so.
    Given {
        bytes: Vec<u8>,
        name: Option<String>,
        from: Option<String>,
    },
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub topic: Topic,
    pub title: String,
    pub written: Written,
    pub format: Format,
    /// In bytes.
    pub text: usize,
    pub scope: Scope,
    pub path: PathBuf,
    /// Where the original is.
    pub attachment: Option<PathBuf>,
    /// Pages of which next to nothing was read: they show a picture.
    pub pictures: Vec<u32>,
}

/// What was read, before it is a document.
struct Read {
    bytes: Vec<u8>,
    hints: Hints,
    source: String,
    /// Whether the source is somebody's name for it, and not the lack of one.
    is_named: bool,
    fetched: bool,
}

pub fn run(context: &Context, request: &Request) -> Result<Report, Failure> {
    let store = Store::to_write(context, request.scope)?;
    let read = read(context, request)?;
    let extracted =
        extractor::extract(&context.program, read.bytes.clone(), &read.hints).map_err(|error| {
            Failure::new(Exit::Refused, format!("{}: {error}; nothing was added", read.hints.name))
                .hint("`co knowledge write TOPIC -` takes a text that you bring yourself")
        })?;
    let text = write::text(&extracted.text)?;
    let text = secrets::marked_text(&text, &request.allowed);
    crate::ops::sync::recover(context);
    let _lock = store.lock()?;
    let title = title(request, &read, &extracted);
    let (topic, path, before) = place(&store, request, (&title, &text), &read)?;
    store.refuse_link(context, &path)?;
    let original = match extracted.format.is_text() {
        true => None,
        false => {
            let format = extracted.format;
            Some(place_of_original(&store, &topic, &read, format, before.as_ref())?)
        }
    };
    let attachment = original.as_ref().map(|(path, _)| path.clone());
    let known = write::names(&store);
    let known: Vec<&str> = known.iter().map(String::as_str).collect();
    let made = Made { title: &title, text: &text, attachment: attachment.as_ref(), known: &known };
    let mut document = filled(&topic, request, &read, &made, before.as_ref())?;
    let is_new_text =
        before.as_ref().is_none_or(|placed| document.write().as_bytes() != &placed.blob[..]);
    let mut files: Vec<FileChange> = original.and_then(|(_, change)| change).into_iter().collect();
    let text_changes = before.as_ref().is_some_and(|placed| placed.entry.text != text);
    if let Some(placed) = before.as_ref().filter(|_| text_changes) {
        refuse_edited(context, &store, placed)?;
    }
    let written = match &before {
        None => Written::Created,
        Some(_) if !is_new_text && files.is_empty() => Written::Unchanged,
        Some(_) => Written::Updated,
    };
    if written != Written::Unchanged {
        stamp(&mut document, context.now(), read.fetched, before.as_ref());
        let before = before.as_ref().map(|placed| placed.blob.clone());
        files.push(FileChange { path: path.clone(), before, after: Some(document.write().into()) });
        let change = ChangeSet::of(files);
        guard::refuse_change(&change, &request.allowed, "Nothing was added.")?;
        store.transaction(context, Verb::Add, topic.to_string()).run(&change)?;
    }
    Ok(Report {
        topic,
        title,
        written,
        format: extracted.format,
        text: text.len(),
        scope: store.scope,
        path: store.shown.join(path.as_str()),
        attachment: attachment.map(|path| store.shown.join(path.as_str())),
        pictures: extracted.pictures,
    })
}

fn read(context: &Context, request: &Request) -> Result<Read, Failure> {
    let limit = context.settings.knowledge.attachment_mib.saturating_mul(1024 * 1024);
    let limit = limit.min(MAX_FILE_BYTES);
    let too_large = || {
        let most = limit / 1024 / 1024;
        Failure::new(Exit::Refused, format!("it has more than {most} MiB; nothing was added"))
            .hint("every laptop would carry it; `knowledge.attachment_mib` in settings.json allows up to 64")
    };
    match &request.source {
        Source::File(path) => {
            let file = context.cwd.join(path);
            if !files::is_file(&file) {
                let what = if files::exists(&file) { "is no regular file" } else { "is not there" };
                return Err(Failure::new(Exit::NotFound, format!("{} {what}", path.display()))
                    .hint("name a file, a URL, or `-` for standard input"));
            }
            if files::size(&file) as u64 > limit {
                return Err(too_large());
            }
            let bytes = files::read(&file)?.unwrap_or_default();
            let name = name_of(path);
            Ok(Read {
                bytes,
                source: name.clone(),
                hints: Hints { name, content_type: None },
                fetched: false,
                is_named: true,
            })
        }
        Source::Url(url) => {
            let fetched =
                fetch::fetch(url, limit, request.reach).map_err(|error| not_fetched(&error))?;
            let path = fetched.url.split(['?', '#']).next().unwrap_or_default();
            let name = path.rsplit('/').next().unwrap_or_default().to_owned();
            let hints = Hints { name, content_type: fetched.content_type };
            Ok(Read {
                bytes: fetched.bytes,
                hints,
                source: fetched.url,
                fetched: true,
                is_named: true,
            })
        }
        Source::Given { bytes, .. } if bytes.len() as u64 > limit => Err(too_large()),
        Source::Given { bytes, name, from } => {
            let name = name.clone().unwrap_or_else(|| "standard input".to_owned());
            let source = from.clone().unwrap_or_else(|| "user".to_owned());
            let fetched = source.starts_with("http");
            Ok(Read {
                bytes: bytes.clone(),
                hints: Hints { name, content_type: None },
                source,
                fetched,
                is_named: from.is_some(),
            })
        }
    }
}

fn not_fetched(error: &FetchError) -> Failure {
    let exit = match error {
        FetchError::NoUrl(_) | FetchError::Login(_) => Exit::Usage,
        FetchError::Private { .. } | FetchError::TooLarge(_) => Exit::Refused,
        _ => Exit::Remote,
    };
    let hint = match error {
        FetchError::Private { .. } => "`--allow-private` asks it all the same",
        FetchError::Login(_) => "save the page to a file, and add that",
        _ => "save the page to a file and add that: `co knowledge add FILE`",
    };
    Failure::new(exit, format!("{error}; nothing was added")).hint(hint)
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// As given, else what the file calls itself, else its first heading, else its name.
fn title(request: &Request, read: &Read, extracted: &Extracted) -> String {
    let heading = || {
        let first = extracted.text.lines().find(|line| !line.trim().is_empty())?;
        first.strip_prefix("# ").map(|heading| heading.trim().to_owned())
    };
    let stem = || {
        read.hints
            .name
            .rsplit_once('.')
            .map_or(read.hints.name.clone(), |(stem, _)| stem.to_owned())
    };
    let title = request.title.clone().or_else(|| extracted.title.clone()).or_else(heading);
    let title = Foreign(&title.unwrap_or_else(stem)).line().into_owned();
    let end = title.char_indices().nth(200).map_or(title.len(), |(at, _)| at);
    title[..end].trim().to_owned()
}

type Place = (Topic, RelPath, Option<Placed>);

/// The article of the same page of the web, wherever it is now, else a topic that is free. A file's
/// name says too little: only who names the topic means the document that is there.
fn place(
    store: &Store,
    request: &Request,
    (title, text): (&str, &str),
    read: &Read,
) -> Result<Place, Failure> {
    if let Some(typed) = &request.topic {
        let topic = Topic::parse(typed)?;
        let (path, before) = shelf::find(store, &topic)?;
        let is_same = |placed: &Placed| {
            read.is_named && placed.entry.source.as_deref() == Some(read.source.as_str())
        };
        return match before.as_ref().is_none_or(is_same) {
            true => Ok((topic, path, before)),
            false => Err(Failure::new(
                Exit::Refused,
                format!("there is a document {topic} from elsewhere; nothing was added"),
            )
            .hint(format!("choose another topic, or `co knowledge delete {topic}` first"))),
        };
    }
    if read.fetched {
        let same = |placed: &Placed| placed.entry.source.as_deref() == Some(read.source.as_str());
        let known = Shelf::read(store.clone()).documents.into_iter().find(same);
        if let Some(placed) = known {
            return Ok((placed.entry.topic.clone(), placed.path.clone(), Some(placed)));
        }
    }
    let slug = slug(title);
    for number in 1.. {
        let name = if number == 1 { slug.clone() } else { format!("{slug}-{number}") };
        let topic = Topic::known(Namespace::Knowledge, &format!("articles/{name}"));
        let (path, before) = shelf::find(store, &topic)?;
        // The very same file again is no new article.
        let is_same = |placed: &Placed| read.is_named && is_from(store, placed, read, text);
        if before.as_ref().is_none_or(is_same) {
            return Ok((topic, path, before));
        }
    }
    unreachable!("because numbers do not end")
}

/// Refuses to replace a text that is not the one of its original: somebody worked on it.
fn refuse_edited(context: &Context, store: &Store, placed: &Placed) -> Result<(), Failure> {
    let Some(path) = placed.entry.attachment.as_deref().and_then(original) else { return Ok(()) };
    let Ok((bytes, _)) = folder::read_file(&path, &store.root.join(path.as_str())) else {
        return Ok(());
    };
    let hints = Hints { name: path.name().to_owned(), content_type: None };
    let was = extractor::extract(&context.program, bytes.to_vec(), &hints);
    if was.is_ok_and(|was| was.text.trim() == placed.entry.text.trim()) {
        return Ok(());
    }
    let topic = &placed.entry.topic;
    Err(Failure::new(
        Exit::Refused,
        format!("{topic} was changed since it was added; nothing was added"),
    )
    .hint("`--topic` adds it beside that, or delete that first"))
}

/// Whether a document was made of these very bytes.
fn is_from(store: &Store, placed: &Placed, read: &Read, text: &str) -> bool {
    let original = placed.entry.attachment.as_deref().and_then(original);
    let kept = original.and_then(|path| {
        let (blob, _) = folder::read_file(&path, &store.root.join(path.as_str())).ok()?;
        Some(blob[..] == read.bytes[..])
    });
    let is_text = || placed.entry.attachment.is_none() && placed.entry.text == text.trim();
    placed.entry.source.as_deref() == Some(read.source.as_str()) && kept.unwrap_or_else(is_text)
}

/// The path of the original, and its change if it is not there already: that of the document, else
/// one that nothing has.
fn place_of_original(
    store: &Store,
    topic: &Topic,
    read: &Read,
    format: Format,
    before: Option<&Placed>,
) -> Result<(RelPath, Option<FileChange>), Failure> {
    let own = before.and_then(|placed| original(placed.entry.attachment.as_deref()?));
    let ending = match format {
        Format::Pdf => "pdf",
        Format::Docx => "docx",
        Format::Epub => "epub",
        Format::Html | Format::Markdown | Format::Text | Format::Code => "html",
    };
    let name = topic.full().trim_start_matches("knowledge/").replace('/', "-");
    let name = name.strip_prefix("articles-").unwrap_or(&name).to_owned();
    let numbered = (1..).map(|number| {
        let number = if number == 1 { String::new() } else { format!("-{number}") };
        RelPath::known(&format!("knowledge/attachments/{name}{number}.{ending}"))
    });
    let after: Blob = read.bytes.clone().into();
    for path in own.clone().into_iter().chain(numbered) {
        let file = store.root.join(path.as_str());
        if !files::exists(&file) {
            return Ok((path.clone(), Some(FileChange { path, before: None, after: Some(after) })));
        }
        let there = folder::read_file(&path, &file).ok().map(|(blob, _)| blob);
        if there.as_ref() == Some(&after) {
            return Ok((path, None));
        }
        if there.is_some() && own.as_ref() == Some(&path) {
            return Ok((
                path.clone(),
                Some(FileChange { path, before: there, after: Some(after) }),
            ));
        }
    }
    unreachable!("because numbers do not end")
}

/// What becomes of a file.
struct Made<'a> {
    title: &'a str,
    text: &'a str,
    attachment: Option<&'a RelPath>,
    /// Names that other documents are about.
    known: &'a [&'a str],
}

fn filled(
    topic: &Topic,
    request: &Request,
    read: &Read,
    made: &Made<'_>,
    before: Option<&Placed>,
) -> Result<Document, Failure> {
    let fields = Fields {
        title: Some(made.title.to_owned()),
        source: Some(read.source.clone()),
        tags: (!request.tags.is_empty()).then(|| request.tags.clone()),
        ..Fields::default()
    };
    let mut document =
        write::filled(topic, made.text, &write::sound(&fields)?, before, made.known)?;
    if let Some(path) = made.attachment {
        let below = path.as_str().trim_start_matches("knowledge/").to_owned();
        document.set("attachment", Value::Text(below));
    }
    // An article is reference material, whatever it is about.
    let says = labels::read(topic, made.text, made.known);
    if document.get("type") == says.kind.map(|kind| Value::Text(kind.to_owned())).as_ref()
        && before.is_none()
    {
        document.set("type", Value::Text("reference".to_owned()));
    }
    Ok(document)
}

fn stamp(document: &mut Document, now: Stamp, fetched: bool, before: Option<&Placed>) {
    let text = || Value::Text(now.with_offset());
    if fetched {
        document.set("fetched", text());
    }
    match before {
        None => document.set("created", text()),
        Some(_) => document.set("updated", text()),
    }
}
