//! Archives of identities: written deterministically, read without trusting them.
//!
//! Invariant: reading writes nothing and follows no symlink. The decoded size is bounded before
//! anything is kept. Only regular files and folders with portable names are accepted; a wrong size,
//! a link, a device or `.git` refuses the whole archive.

use super::{SystemError, error::At, files, gzip, names, process};
use crate::identity::{Blob, RelPath, Role, Snapshot, kind::MAX_FILE_BYTES, portable};
use rayon::prelude::*;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

const ROOT: &str = "co-identity-export";
pub const MANIFEST: &str = "manifest.md";
/// Decoded size, including headers.
pub const MAX_BYTES: u64 = 160 * 1024 * 1024;
pub const MAX_ENTRIES: usize = 20_000;
const MAX_NAME: u64 = 4 * 1024;
/// Bytes that are decoded at once.
const AT_ONCE: usize = 64 * 1024;
/// Files are compressed in blocks of about this size, each on one core.
const BLOCK: usize = 512 * 1024;
/// Blocks between two signs of progress.
const BLOCKS_AT_ONCE: usize = 16;
/// The size of a header and of the smallest content.
const RECORD: usize = 512;
/// What an archive ends with.
const END: [u8; 2 * RECORD] = [0; 2 * RECORD];

/// Why an archive is refused; nothing from it is used then.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    #[error("it is not a readable tar archive: {0}")]
    Unreadable(String),
    #[error("{0}")]
    TooLarge(String),
    #[error("it contains `{path}`: {why}")]
    Entry {
        /// Without control characters.
        path: String,
        why: String,
    },
}

#[derive(Clone, Debug, Default)]
pub struct Unpacked {
    pub snapshot: Snapshot,
    pub manifest: Option<String>,
}

/// Reads a file, or standard input for `-`. The inner error refuses the archive's content.
pub fn open(path: &Path) -> Result<Result<Unpacked, Refusal>, SystemError> {
    if path == Path::new("-") {
        return Ok(read(io::stdin().lock()));
    }
    let file = File::open(path).at("read", path)?;
    Ok(read(file))
}

pub fn read(input: impl Read) -> Result<Unpacked, Refusal> {
    let mut input = BufReader::new(input);
    let mut magic = [0; 2];
    let got =
        fill(&mut input, &mut magic).map_err(|error| Refusal::Unreadable(error.to_string()))?;
    let input = io::Cursor::new(magic[..got].to_vec()).chain(input);
    if magic == [0x1f, 0x8b] {
        let decoded = flate2::read::MultiGzDecoder::new(input);
        // Headers are small, and each call of the decoder has its cost.
        let limited = LimitedReader { inner: decoded, left: MAX_BYTES };
        read_tar(BufReader::with_capacity(AT_ONCE, limited))
    } else {
        read_tar(LimitedReader { inner: input, left: MAX_BYTES })
    }
}

fn fill(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    let mut at = 0;
    while at < buffer.len() {
        match input.read(&mut buffer[at..])? {
            0 => break,
            count => at += count,
        }
    }
    Ok(at)
}

/// Fails instead of reading more than `left` bytes.
struct LimitedReader<R> {
    inner: R,
    left: u64,
}

const TOO_MUCH: &str = "more than an identity can hold";

impl<R: Read> Read for LimitedReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other(TOO_MUCH));
        }
        let most = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.inner.read(&mut buffer[..most])?;
        self.left -= count as u64;
        Ok(count)
    }
}

fn broken(error: &io::Error) -> Refusal {
    if error.to_string().contains(TOO_MUCH) {
        return Refusal::TooLarge(format!(
            "it is larger than {} MiB when unpacked",
            MAX_BYTES / 1024 / 1024
        ));
    }
    // The library quotes what it could not read, which is the content of somebody's file.
    let text = process::plain(&error.to_string());
    let quoted = text.contains("numeric field") || text.lines().count() > 1;
    Refusal::Unreadable(if quoted {
        "its headers are invalid".into()
    } else {
        text.chars().take(120).collect()
    })
}

fn refuse(path: &str, why: impl Into<String>) -> Refusal {
    Refusal::Entry { path: process::plain(path).chars().take(200).collect(), why: why.into() }
}

fn read_tar(mut input: impl Read) -> Result<Unpacked, Refusal> {
    let found = read_entries(&mut input)?;
    // Reads to the end, because gzip has its checksum there.
    io::copy(&mut input, &mut io::sink()).map_err(|error| broken(&error))?;
    assemble(found)
}

fn read_entries(input: impl Read) -> Result<Vec<(String, Vec<u8>)>, Refusal> {
    let mut archive = tar::Archive::new(input);
    let mut found: Vec<(String, Vec<u8>)> = Vec::new();
    let mut long_name: Option<String> = None;
    // Raw entries: otherwise the library reads long names and extensions whole, regardless of size.
    let entries = archive.entries().map_err(|error| broken(&error))?.raw(true);
    for (count, entry) in entries.enumerate() {
        if count >= MAX_ENTRIES {
            return Err(Refusal::TooLarge(format!("it has more than {MAX_ENTRIES} entries")));
        }
        let mut entry = entry.map_err(|error| broken(&error))?;
        let size = entry.header().size().map_err(|error| broken(&error))?;
        let short = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            tar::EntryType::GNULongName => long_name = Some(gnu_name(&mut entry, size)?),
            tar::EntryType::XHeader => long_name = pax_name(&mut entry, size)?.or(long_name),
            tar::EntryType::XGlobalHeader => {
                pax_name(&mut entry, size)?;
            }
            kind @ (tar::EntryType::Regular | tar::EntryType::Directory) => {
                let name = match long_name.take() {
                    Some(name) => name,
                    None if std::str::from_utf8(&entry.path_bytes()).is_err() => {
                        return Err(refuse(&short, "its name is not UTF-8"));
                    }
                    None => short,
                };
                let folder = kind == tar::EntryType::Directory || name.ends_with('/');
                if let Some(name) = sound(&name, folder)? {
                    if folder && size > 0 {
                        return Err(refuse(&name, "a folder with content"));
                    }
                    if !folder {
                        let bytes = contents(&mut entry, &name, size)?;
                        found.push((name, bytes));
                    }
                }
            }
            other => {
                return Err(refuse(
                    &short,
                    format!(
                        "{}; identities can contain only regular files and folders",
                        kind_of(other)
                    ),
                ));
            }
        }
    }
    Ok(found)
}

fn kind_of(kind: tar::EntryType) -> &'static str {
    match kind {
        tar::EntryType::Symlink | tar::EntryType::Link | tar::EntryType::GNULongLink => "a link",
        tar::EntryType::Char | tar::EntryType::Block => "a device",
        tar::EntryType::Fifo => "a pipe",
        tar::EntryType::GNUSparse => "a sparse file",
        _ => "an entry of an unknown type",
    }
}

fn gnu_name(entry: &mut impl Read, size: u64) -> Result<String, Refusal> {
    let bytes = short_text(entry, size)?;
    let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8(name.to_vec())
        .map_err(|_| refuse(&String::from_utf8_lossy(name), "its name is not UTF-8"))
}

/// The path in an extended header; a header that sets sizes or sparse files is refused.
fn pax_name(entry: &mut impl Read, size: u64) -> Result<Option<String>, Refusal> {
    let bytes = short_text(entry, size)?;
    let mut name = None;
    for extension in tar::PaxExtensions::new(&bytes) {
        let extension = extension.map_err(|error| broken(&error))?;
        match extension.key() {
            Ok("path") => {
                let text = extension.value().map_err(|_| refuse("?", "its name is not UTF-8"))?;
                name = Some(text.to_owned());
            }
            Ok(key @ ("size" | "linkpath")) => {
                return Err(refuse("?", format!("an extended header that sets `{key}`")));
            }
            Ok(key) if key.starts_with("GNU.sparse") => return Err(refuse("?", "a sparse file")),
            _ => {}
        }
    }
    Ok(name)
}

fn short_text(entry: &mut impl Read, size: u64) -> Result<Vec<u8>, Refusal> {
    if size > MAX_NAME {
        return Err(refuse("?", "a name or extended header of more than 4 KiB"));
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(|error| broken(&error))?;
    Ok(bytes)
}

/// `None` for entries that are skipped.
fn sound(name: &str, folder: bool) -> Result<Option<String>, Refusal> {
    let trimmed = name.strip_prefix("./").unwrap_or(name).trim_end_matches('/');
    if folder && (trimmed.is_empty() || trimmed == ".") {
        return Ok(None);
    }
    let path = RelPath::new(trimmed).ok_or_else(|| {
        refuse(name, "the name points outside or cannot be stored on some systems")
    })?;
    names::sound_name(trimmed).map_err(|why| refuse(name, why))?;
    if portable::is_litter(&path) {
        return Ok(None);
    }
    Ok(Some(trimmed.to_owned()))
}

fn contents(entry: &mut impl Read, name: &str, size: u64) -> Result<Vec<u8>, Refusal> {
    if size > MAX_FILE_BYTES {
        return Err(too_large(name, size, MAX_FILE_BYTES));
    }
    // Exactly the announced size: a growing buffer could take twice as much.
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or(0));
    entry.read_to_end(&mut bytes).map_err(|error| broken(&error))?;
    if bytes.len() as u64 != size {
        return Err(refuse(name, "the archive ends in the middle of this file"));
    }
    Ok(bytes)
}

fn too_large(name: &str, size: u64, most: u64) -> Refusal {
    refuse(
        name,
        format!("{size} bytes; the limit for this kind of file is {} MiB", most / 1024 / 1024),
    )
}

/// Strips the top folder and refuses names that collide on some file system.
fn assemble(found: Vec<(String, Vec<u8>)>) -> Result<Unpacked, Refusal> {
    let top = common_top(&found);
    let mut unpacked = Unpacked::default();
    let mut folded: BTreeMap<String, String> = BTreeMap::new();
    let mut files: Vec<(RelPath, Blob)> = Vec::new();
    for (name, bytes) in found {
        let inner = top.as_ref().and_then(|top| name.strip_prefix(top.as_str())).unwrap_or(&name);
        if inner == MANIFEST {
            unpacked.manifest = Some(String::from_utf8_lossy(&bytes).into_owned());
            continue;
        }
        let path = RelPath::new(inner)
            .ok_or_else(|| refuse(&name, "a file where a folder is expected"))?;
        if path.role() == Role::Git {
            continue;
        }
        if let Some(why) = portable::refused(&path) {
            return Err(refuse(&name, why));
        }
        if bytes.len() as u64 > path.row().limit {
            return Err(too_large(&name, bytes.len() as u64, path.row().limit));
        }
        if let Some(other) = folded.insert(path.folded(), name.clone()) {
            return Err(refuse(
                &name,
                format!("it and `{}` are the same file on some systems", process::plain(&other)),
            ));
        }
        files.push((path, bytes.into()));
    }
    let mut last_folder = None;
    for (path, _) in &files {
        if last_folder.replace(path.folder()) == Some(path.folder()) {
            continue;
        }
        let above =
            path.as_str().match_indices('/').map(|(at, _)| path.as_str()[..at].to_lowercase());
        if let Some(other) = above.into_iter().find_map(|folder| folded.get(&folder)) {
            return Err(refuse(
                path.as_str(),
                format!("`{}` is both a file and a folder", process::plain(other)),
            ));
        }
    }
    if let Some((path, why)) = portable::git_metadata(files.iter().map(|(path, _)| path)).first() {
        return Err(refuse(path.as_str(), *why));
    }
    if files.is_empty() {
        return Err(Refusal::Unreadable("it contains no files of an identity".into()));
    }
    unpacked.snapshot = files.into_iter().collect();
    Ok(unpacked)
}

/// The one folder that contains everything, with a `/`, unless it is itself part of an identity.
fn common_top(found: &[(String, Vec<u8>)]) -> Option<String> {
    let (first, _) = found.first()?.0.split_once('/')?;
    let top = format!("{first}/");
    (!portable::is_of_layout(first) && found.iter().all(|(name, _)| name.starts_with(&top)))
        .then_some(top)
}

/// Written whole or not at all; the same files give the same bytes. `each` is called once per file.
pub fn write(
    path: &Path,
    files: &[(String, Blob)],
    each: &mut dyn FnMut(),
) -> Result<(), SystemError> {
    let bytes = pack(files, each).at("write", path)?;
    files::write(path, &bytes)
}

type Named = (String, Blob);

fn pack(files: &[Named], each: &mut dyn FnMut()) -> io::Result<Vec<u8>> {
    let mut member = gzip::Member::begin();
    for blocks in blocks(files).chunks(BLOCKS_AT_ONCE) {
        let part = |block: &&[Named]| gzip::Part::of(&entries(block)?);
        let parts: Vec<gzip::Part> = blocks.par_iter().map(part).collect::<io::Result<_>>()?;
        for part in &parts {
            member.push(part);
        }
        blocks.iter().flat_map(|block| block.iter()).for_each(|_| each());
    }
    member.end(&END)
}

/// The files in stretches of [`BLOCK`] bytes, or of one file that is larger.
fn blocks(files: &[Named]) -> Vec<&[Named]> {
    let mut size = 0;
    let belongs = |(_, bytes): &Named, _: &Named| {
        size += RECORD + bytes.len();
        let fits = size < BLOCK;
        if !fits {
            size = 0;
        }
        fits
    };
    files.chunk_by(belongs).collect()
}

/// The files as a stretch of an archive, without its end.
fn entries(files: &[Named]) -> io::Result<Vec<u8>> {
    let most = |(_, bytes): &Named| 2 * RECORD + bytes.len();
    let mut builder = tar::Builder::new(Vec::with_capacity(files.iter().map(most).sum()));
    builder.mode(tar::HeaderMode::Deterministic);
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_cksum();
        builder.append_data(&mut header, format!("{ROOT}/{name}"), &bytes[..])?;
    }
    Ok(std::mem::take(builder.get_mut()))
}
