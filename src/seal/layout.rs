//! The remote's one branch: which files lie there under which names, and what they tell a stranger.
//!
//! Invariant: a name says no more than a number or nothing; a tree is surveyed as a whole and in
//! bounds before any of it is opened. Must not know: how trees and commits are read and written.

use super::names::KeyName;
use std::collections::{BTreeMap, BTreeSet};

/// The largest file of a pack: hosts take no larger ones without a word.
pub(super) const PART_MAX: usize = 50_000_000;
/// How many of them a pack can have.
pub(super) const PARTS_MAX: usize = 20;
/// How many key files are looked at.
const KEYS_MAX: usize = 256;
/// How many files are looked at.
const FILES_MAX: usize = 200_000;

/// Of whoever writes and commits there: none.
pub const NAME: &str = "";
/// Of them as well.
pub const EMAIL: &str = "";
/// What a commit there says: nothing.
pub const MESSAGE: &str = "";

/// What a person finds there: what this is, and how to open it without co.
pub const README: &str = include_str!("remote.md");
/// Where it lies.
pub const README_PATH: &str = "README.md";

/// A file of the remote's tree, as git lists it.
#[derive(Clone, Debug)]
pub struct Found<'a> {
    /// From the top, with `/`.
    pub path: &'a str,
    /// Of its blob.
    pub id: &'a str,
    /// Of its blob, in bytes.
    pub size: u64,
}

/// A file of a pack, or a key file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Blob {
    /// From the top, with `/`.
    pub path: String,
    /// Of its blob.
    pub id: String,
    /// In bytes.
    pub size: u64,
}

/// What lies on the remote. Other files there change nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Survey {
    /// By sequence, each with its parts in their order.
    pub packs: BTreeMap<u64, Vec<Blob>>,
    /// By name.
    pub keys: BTreeMap<KeyName, Blob>,
}

/// Why a tree is not that of a sealed remote, or not what became of the one before.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LayoutFault {
    /// More files than a sealed remote can have.
    #[error("the remote has more files than a sealed one can have")]
    TooManyFiles,
    /// A file that is too large to be looked at.
    #[error("{path} has {size} bytes, which is more than it can have")]
    TooBig {
        /// Of the file.
        path: String,
        /// In bytes.
        size: u64,
    },
    /// A part of a pack without those before it, or too many parts.
    #[error("parts of pack {0} are missing on the remote")]
    PartsMissing(u64),
    /// A pack between two others.
    #[error("pack {0} is missing on the remote")]
    PackMissing(u64),
    /// Packs that were there.
    #[error("the remote lost packs {first} to {last}")]
    Lost {
        /// The first of them.
        first: u64,
        /// The last of them.
        last: u64,
    },
    /// A pack whose file is another one now.
    #[error("pack {0} on the remote was replaced by another file")]
    Replaced(u64),
}

/// The path of a part of a pack; the first part is 0.
fn pack_path(sequence: u64, part: usize) -> String {
    let (high, middle, low) = (sequence / 10_000, sequence / 100 % 100, sequence % 100);
    let path = format!("packs/{high:02}/{middle:02}/{low:02}.age");
    if part == 0 { path } else { format!("{path}.{part:02}") }
}

/// The path of a key file.
pub fn key_path(name: &KeyName) -> String {
    format!("keys/{name}.age")
}

/// The files of a sealed pack, each with its path.
pub fn parts(sequence: u64, sealed: &[u8]) -> impl Iterator<Item = (String, &[u8])> {
    let paths = (0..).map(move |part| pack_path(sequence, part));
    paths.zip(sealed.chunks(PART_MAX))
}

/// A pack and its part, if a path is that of one.
fn pack_at(path: &str) -> Option<(u64, usize)> {
    let mut steps = path.strip_prefix("packs/")?.split('/');
    let (high, middle, name) = (steps.next()?, steps.next()?, steps.next()?);
    let (low, part) = name.split_once(".age")?;
    let part = part.strip_prefix('.').unwrap_or("0").parse().ok()?;
    let number = |text: &str| text.parse::<u32>().ok().map(u64::from);
    let sequence = number(high)? * 10_000 + number(middle)? * 100 + number(low)?;
    (sequence > 0 && pack_path(sequence, part) == path).then_some((sequence, part))
}

fn key_at(path: &str) -> Option<KeyName> {
    KeyName::parse(path.strip_prefix("keys/")?.strip_suffix(".age")?)
}

/// Whether a file of this path can only be a pack or a key file.
pub fn is_own(path: &str) -> bool {
    pack_at(path).is_some() || key_at(path).is_some()
}

impl Survey {
    /// Of a tree's files.
    pub fn of<'a>(files: impl IntoIterator<Item = Found<'a>>) -> Result<Survey, LayoutFault> {
        let mut survey = Survey::default();
        let mut parts = BTreeMap::new();
        for (count, file) in files.into_iter().enumerate() {
            if count >= FILES_MAX {
                return Err(LayoutFault::TooManyFiles);
            }
            if let Some(part) = pack_at(file.path) {
                parts.insert(part, bounded(&file, PART_MAX)?);
            } else if let Some(name) = key_at(file.path) {
                survey.keys.insert(name, bounded(&file, super::key_file::KEY_FILE_MAX)?);
            }
        }
        if survey.keys.len() > KEYS_MAX {
            return Err(LayoutFault::TooManyFiles);
        }
        survey.put_together(parts)?;
        Ok(survey)
    }

    fn put_together(&mut self, parts: BTreeMap<(u64, usize), Blob>) -> Result<(), LayoutFault> {
        let mut before = None;
        for ((sequence, part), blob) in parts {
            if before.is_some_and(|before| sequence > before + 1) {
                return Err(LayoutFault::PackMissing(sequence - 1));
            }
            let pack = self.packs.entry(sequence).or_default();
            let is_whole =
                |blob: &Blob| usize::try_from(blob.size).is_ok_and(|size| size == PART_MAX);
            if pack.len() != part || part >= PARTS_MAX || !pack.last().is_none_or(is_whole) {
                return Err(LayoutFault::PartsMissing(sequence));
            }
            pack.push(blob);
            before = Some(sequence);
        }
        Ok(())
    }

    /// The first and the last pack.
    pub fn ends(&self) -> Option<(u64, u64)> {
        Some((*self.packs.first_key_value()?.0, *self.packs.last_key_value()?.0))
    }

    /// Which packs are new since the tree that was taken last. All are, where none of that tree's
    /// packs is left and later ones are there: `chain::accept` says whether the first of them
    /// replaces the others rightly.
    pub fn since(&self, taken: Option<&Survey>) -> Result<BTreeSet<u64>, LayoutFault> {
        let all = || self.packs.keys().copied();
        let Some((taken, (first, last))) = taken.and_then(|taken| Some((taken, taken.ends()?)))
        else {
            return Ok(all().collect());
        };
        if self.ends().is_some_and(|(start, _)| start > last) {
            return Ok(all().collect());
        }
        let is_gone = |sequence: &u64| !self.packs.contains_key(sequence);
        let mut gone = (first..=last).filter(is_gone);
        if let Some(first) = gone.next() {
            return Err(LayoutFault::Lost { first, last: gone.next_back().unwrap_or(first) });
        }
        let ids = |pack: &[Blob]| pack.iter().map(|part| part.id.clone()).collect::<Vec<_>>();
        for (sequence, pack) in &taken.packs {
            if self.packs.get(sequence).is_none_or(|own| ids(own) != ids(pack)) {
                return Err(LayoutFault::Replaced(*sequence));
            }
        }
        Ok(all().filter(|sequence| *sequence > last).collect())
    }
}

fn bounded(file: &Found<'_>, most: usize) -> Result<Blob, LayoutFault> {
    let path = file.path.to_owned();
    if usize::try_from(file.size).is_ok_and(|size| size <= most) {
        return Ok(Blob { path, id: file.id.to_owned(), size: file.size });
    }
    Err(LayoutFault::TooBig { path, size: file.size })
}

#[cfg(test)]
mod tests;
