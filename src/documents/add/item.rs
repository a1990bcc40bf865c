//! One item to be added, and how it is read: a file, a web page, standard input.
//!
//! Invariant: what cannot become a document is refused, or left out if nobody named it. Must not
//! know where its document goes.

use super::{
    error::AddError,
    report,
    request::{Request, Source},
};
use crate::extract::{Extracted, FileFormat, Hints};
use crate::foreign::Foreign;
use crate::identity::{RelPath, kind::MAX_FILE_BYTES};
use crate::machine::{
    Context,
    extractor::{self, ExtractError},
    fetch, files,
};
use crate::workspace::Error;
use std::path::{Path, PathBuf};

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
        self.file.as_deref().and_then(from_root).as_ref() == Some(file)
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

impl Item {
    pub(super) fn file(&self, context: &Context) -> Option<PathBuf> {
        match &self.source {
            Source::File(path) => Some(files::resolve(&context.cwd.join(path))),
            _ => None,
        }
    }

    pub(super) fn size(&self, context: &Context) -> usize {
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
            ExtractError::Empty if self.is_found => Unread::LeftOut(report::EMPTY.to_owned()),
            ExtractError::Nothing(_) if self.is_found => {
                Unread::LeftOut(report::OTHER_KINDS.to_owned())
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
            (true, None) if self.is_found => Err(Unread::LeftOut(report::PICTURES.to_owned())),
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

/// The path of a resolved file, relative to the root directory.
pub(super) fn from_root(file: &Path) -> Option<RelPath> {
    RelPath::new(file.to_str()?.trim_start_matches('/'))
}
