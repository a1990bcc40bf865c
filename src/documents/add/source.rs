//! The sources of added documents and how they are read: files, folders, web pages, standard input.
//!
//! Invariant: each source is read once, however often it is given.

use super::{Request, error::AddError, folder};
use crate::extract::{Extracted, FileFormat, Hints};
use crate::foreign::Foreign;
use crate::identity::{RelPath, kind::MAX_FILE_BYTES};
use crate::knowledge::topic::slug;
use crate::machine::{
    Context,
    extractor::{self, ExtractError},
    fetch, files,
};
use crate::workspace::Error;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// What to add.
#[derive(Clone, Debug)]
pub enum Source {
    /// A file or a folder.
    File(PathBuf),
    Url(String),
    /// Standard input, with its name and origin if given.
    Given {
        bytes: Vec<u8>,
        name: Option<String>,
        from: Option<String>,
    },
}

/// Files of a folder that were skipped for the same reason.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LeftOut {
    pub why: String,
    pub count: usize,
    /// One of them.
    pub example: String,
}

/// One source to read.
pub(super) struct Item {
    pub(super) source: Source,
    /// For messages, as a person would refer to it.
    pub(super) shown: String,
    /// Its topic, from its place in the folder or among the other files.
    pub(super) below: Option<String>,
    /// Whether it was found in a given folder, and not given itself.
    pub(super) is_found: bool,
}

/// A source that was read, before it becomes a document.
pub(super) struct Read {
    pub(super) bytes: Vec<u8>,
    pub(super) name: String,
    /// Where it came from: `~/notes/plan.md`, a URL, `user`.
    pub(super) source: String,
    /// The file, with symlinks resolved.
    pub(super) file: Option<PathBuf>,
    /// Whether `source` identifies one thing, and is not just a placeholder.
    pub(super) is_named: bool,
    pub(super) fetched: bool,
    pub(super) extracted: Extracted,
}

impl Read {
    pub(super) fn is_of(&self, file: &RelPath) -> bool {
        self.file.as_deref().and_then(super::from_root).as_ref() == Some(file)
    }
}

/// Why a source is not read.
pub(super) enum Unread {
    LeftOut(String),
    Failed(Error),
}

impl From<Error> for Unread {
    fn from(error: Error) -> Unread {
        Unread::Failed(error)
    }
}

/// Limits on the number of files and on their bytes: every laptop has to carry them.
const MAX_FILES: usize = 10_000;
const MAX_BYTES: usize = 1024 * 1024 * 1024;

/// Everything to be read, in order, and what was skipped in folders.
pub(super) fn items(
    context: &Context,
    request: &Request,
) -> Result<(Vec<Item>, Vec<LeftOut>), Error> {
    let (mut items, mut left_out) = (Vec::new(), BTreeMap::new());
    let above = common_folder(context, &request.sources);
    for source in &request.sources {
        let Source::File(path) = source else {
            let shown = match source {
                Source::Url(url) => url.clone(),
                Source::Given { from: Some(from), .. } => from.clone(),
                _ => "standard input".to_owned(),
            };
            items.push(Item { source: source.clone(), shown, below: None, is_found: false });
            continue;
        };
        if path.as_os_str().is_empty() {
            return Err(AddError::EmptyName.into());
        }
        let file = files::resolve(&context.cwd.join(path));
        if files::is_dir(&file) {
            folder::found(context, request, &file, (&mut items, &mut left_out))?;
            continue;
        }
        let base = request.topic.as_deref().filter(|_| request.sources.len() > 1);
        let below = above.as_deref().and_then(|above| {
            let parts = folder::parts(file.strip_prefix(above).ok()?);
            Some(format!("{}/{}", base.unwrap_or("articles"), parts))
        });
        let named = || base.map(|base| format!("{base}/{}", slug(&stem(path))));
        let below = below.or_else(named);
        items.push(Item { source: source.clone(), shown: shown(path), below, is_found: false });
    }
    // A file given twice, or together with its folder, is read once.
    let mut known = BTreeSet::new();
    items.retain(|item| item.file(context).is_none_or(|file| known.insert(file)));
    let bytes: usize = items.iter().map(|item| item.size(context)).sum();
    if items.len() > MAX_FILES || bytes > MAX_BYTES {
        return Err(AddError::TooMany { files: items.len(), bytes }.into());
    }
    let left_out = left_out.into_iter();
    let left_out = left_out.map(|(why, (count, example))| LeftOut { why, count, example });
    Ok((items, left_out.collect()))
}

/// The given folders, with symlinks resolved.
pub(super) fn folders(context: &Context, request: &Request) -> Vec<PathBuf> {
    let folder = |source: &Source| match source {
        Source::File(path) => Some(files::resolve(&context.cwd.join(path))),
        _ => None,
    };
    request.sources.iter().filter_map(folder).filter(|folder| files::is_dir(folder)).collect()
}

/// The common parent of files in several folders.
fn common_folder(context: &Context, sources: &[Source]) -> Option<PathBuf> {
    let folder = |source: &Source| match source {
        Source::File(path) => {
            let file = files::resolve(&context.cwd.join(path));
            (!files::is_dir(&file)).then(|| file.parent().map(Path::to_owned))?
        }
        _ => None,
    };
    let folders: Vec<PathBuf> = sources.iter().filter_map(folder).collect();
    let first = folders.first()?;
    if folders.iter().all(|folder| folder == first) {
        return None;
    }
    first.ancestors().find(|above| folders.iter().all(|f| f.starts_with(above))).map(Path::to_owned)
}

pub(super) fn stem(path: &Path) -> String {
    path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

impl Item {
    fn file(&self, context: &Context) -> Option<PathBuf> {
        match &self.source {
            Source::File(path) => Some(files::resolve(&context.cwd.join(path))),
            _ => None,
        }
    }

    fn size(&self, context: &Context) -> usize {
        match &self.source {
            Source::File(path) => files::size(&context.cwd.join(path)),
            Source::Url(_) => 0,
            Source::Given { bytes, .. } => bytes.len(),
        }
    }

    /// Reads the source, and extracts its text.
    pub(super) fn read(&self, context: &Context, request: &Request) -> Result<Read, Unread> {
        let (read, content_type) = self.bytes(context, request)?;
        let hints = Hints { name: read.name.clone(), content_type };
        let extracted = extractor::extract(&context.program, &read.bytes, &hints);
        let extracted = extracted.map_err(|error| match error {
            ExtractError::Empty if self.is_found => Unread::LeftOut("empty".to_owned()),
            ExtractError::Nothing(_) if self.is_found => {
                Unread::LeftOut("of other kinds".to_owned())
            }
            error => {
                Unread::Failed(AddError::NoText { file: self.shown.clone(), source: error }.into())
            }
        })?;
        if self.is_found && extracted.format == FileFormat::Code {
            return Err(Unread::LeftOut("code".to_owned()));
        }
        let extracted = self.captioned(extracted, request)?;
        // The original of a text is not kept, so its bytes are freed: many files may be waiting.
        let bytes = if extracted.format.ending().is_some() { read.bytes } else { Vec::new() };
        Ok(Read { extracted, bytes, ..read })
    }

    /// A picture is found by its caption, or by what it says of itself.
    fn captioned(&self, mut extracted: Extracted, request: &Request) -> Result<Extracted, Unread> {
        let file = || self.shown.clone();
        match (extracted.format.is_picture(), &request.caption) {
            (true, Some(caption)) => {
                extracted.text.clone_from(caption);
                Ok(extracted)
            }
            (true, None) if self.is_found => Err(Unread::LeftOut("pictures".to_owned())),
            // A drawing may say what it shows.
            (true, None) if !extracted.text.is_empty() => Ok(extracted),
            (true, None) => Err(Unread::Failed(AddError::NoCaption { file: file() }.into())),
            (false, Some(_)) => {
                Err(Unread::Failed(AddError::CaptionOfText { file: file() }.into()))
            }
            (false, None) => Ok(extracted),
        }
    }

    fn bytes(&self, context: &Context, request: &Request) -> Result<(Read, Option<String>), Error> {
        let limit = context.settings.knowledge.attachment_mib.saturating_mul(1024 * 1024);
        let limit = limit.min(MAX_FILE_BYTES);
        let too_large = || AddError::TooLarge { file: self.shown.clone(), limit };
        let empty = Read {
            bytes: Vec::new(),
            name: String::new(),
            source: String::new(),
            file: None,
            is_named: true,
            fetched: false,
            extracted: Extracted::default(),
        };
        match &self.source {
            Source::File(path) => {
                let file = files::resolve(&context.cwd.join(path));
                if !files::is_file(&file) {
                    let is_there = files::exists(&file);
                    let file = self.shown.clone();
                    let error = if is_there {
                        AddError::NotRegular { file }
                    } else {
                        AddError::NoFile { file }
                    };
                    return Err(error.into());
                }
                if files::size(&file) as u64 > limit {
                    return Err(too_large().into());
                }
                let bytes = files::read(&file)?.unwrap_or_default();
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                let source = context.shown(&file);
                if !Foreign(&source).is_seen_whole() {
                    return Err(AddError::InvisibleName { file: self.shown.clone() }.into());
                }
                Ok((Read { bytes, name, source, file: Some(file), ..empty }, None))
            }
            Source::Url(url) => {
                let fetched = fetch::fetch(url, limit, request.reach).map_err(AddError::Fetch)?;
                let path = fetched.url.split(['?', '#']).next().unwrap_or_default();
                let name = path.rsplit('/').next().unwrap_or_default().to_owned();
                let (bytes, source) = (fetched.bytes, fetched.url);
                let read = Read { bytes, name, source, fetched: true, ..empty };
                Ok((read, fetched.content_type))
            }
            Source::Given { bytes, .. } if bytes.len() as u64 > limit => Err(too_large().into()),
            Source::Given { bytes, name, from } => {
                let name = name.clone().unwrap_or_else(|| "standard input".to_owned());
                let source = from.clone().unwrap_or_else(|| "user".to_owned());
                let (fetched, is_named) = (source.starts_with("http"), from.is_some());
                let bytes = bytes.clone();
                Ok((Read { bytes, name, source, fetched, is_named, ..empty }, None))
            }
        }
    }
}
