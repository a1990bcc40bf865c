//! Exports in the zip archive in which they are downloaded.
//!
//! Invariant: names in an archive are compared and shown, never used as paths; all that is unpacked
//! together is bounded, however much the archive claims. Must not know: what an entry says.

use super::reading::{Reason, Unreadable};
use crate::identity::memory;
use crate::unzip::{Fault, Unzip};
use std::io::{BufReader, Read, Seek};

/// How many bytes show that a file is a zip archive.
pub const BEGINNING: usize = 4;
/// The largest export in MiB: the text of a file, or all members that are read.
pub const MAX: u64 = 256;
/// Members that are read.
const MAX_SAVED: usize = 500;
/// Members whose names are looked at.
const MAX_MEMBERS: usize = 100_000;

#[derive(Debug)]
pub struct Member {
    /// Its path in the archive.
    pub name: String,
    /// What it says; or why it is not read.
    pub text: Result<String, Reason>,
}

/// What is in an archive: each of its files is in one of the two lists.
#[derive(Debug, Default)]
pub struct Export {
    pub members: Vec<Member>,
    /// Files that are not text, by kind.
    pub attachments: Vec<Attachments>,
}

/// Attachments of one kind, which are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attachments {
    pub reason: Reason,
    pub count: usize,
    /// The first names, redacted; more are a `…`.
    pub names: String,
}

/// How many attachments are named.
const NAMED: usize = 3;

/// Kinds of attachments, with their endings.
const KINDS: &[(&str, &[&str])] = &[
    (
        "pictures",
        &[
            "png", "jpg", "jpeg", "gif", "webp", "heic", "heif", "avif", "svg", "bmp", "tif",
            "tiff", "ico",
        ],
    ),
    ("PDFs", &["pdf"]),
    (
        "audio recordings",
        &["mp3", "wav", "m4a", "ogg", "oga", "opus", "flac", "aac", "weba", "amr"],
    ),
    ("videos", &["mp4", "mov", "webm", "mkv", "avi", "m4v", "mpg", "mpeg", "3gp"]),
    (
        "office documents",
        &["docx", "doc", "odt", "rtf", "pptx", "ppt", "odp", "xlsx", "xls", "ods", "epub"],
    ),
    (OTHER, &[]),
];
const OTHER: &str = "other files";

/// What a member is, by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// With memories, or what was saved in conversations.
    Saved,
    Other,
    Page,
    /// Pictures and other uploads, by the name of their kind.
    Attachment(&'static str),
}

/// Whether a file that begins like this is a zip archive, even an empty one.
pub fn is_archive(begins: &[u8]) -> bool {
    begins.starts_with(b"PK\x03\x04") || begins.starts_with(b"PK\x05\x06")
}

impl From<Fault> for Unreadable {
    fn from(fault: Fault) -> Unreadable {
        match fault {
            Fault::Encrypted => Unreadable::Encrypted,
            Fault::TooLarge(limit) => Unreadable::TooLarge(limit),
            Fault::Damaged(why) => Unreadable::Zip(why),
        }
    }
}

/// The parts of an export: those with memories are read.
pub fn read(input: impl Read + Seek) -> Result<Export, Unreadable> {
    let mut zip = Unzip::new(BufReader::new(input), MAX)?;
    let parts = parts(&zip);
    if !parts.iter().any(|(_, _, part)| matches!(part, Part::Saved | Part::Page)) {
        return Err(Unreadable::OtherZip);
    }
    if parts.iter().filter(|(_, _, part)| *part == Part::Saved).count() > MAX_SAVED {
        return Err(Unreadable::ManyParts(MAX_SAVED));
    }
    let attachments = attachments(&parts);
    let mut members = Vec::new();
    for (at, name, part) in parts {
        let text = match part {
            Part::Attachment(_) => continue,
            Part::Other => Err(Reason::OtherPart),
            Part::Page => Err(Reason::Page),
            Part::Saved => {
                String::from_utf8(zip.read(at)?).map_err(|_| Reason::Broken("not UTF-8".to_owned()))
            }
        };
        members.push(Member { name, text });
    }
    Ok(Export { members, attachments })
}

fn attachments(parts: &[(usize, String, Part)]) -> Vec<Attachments> {
    let of_kind = |kind: &'static str| {
        let is_it = |part: &&(usize, String, Part)| part.2 == Part::Attachment(kind);
        let count = parts.iter().filter(is_it).count();
        let first = parts.iter().filter(is_it).take(NAMED);
        let mut names: Vec<String> = first.map(|(_, name, _)| memory::summary(name)).collect();
        if count > NAMED {
            names.push("…".to_owned());
        }
        Attachments { reason: Reason::Attachments(kind), count, names: names.join(", ") }
    };
    let kinds = KINDS.iter().map(|(kind, _)| of_kind(kind));
    kinds.filter(|attachments| attachments.count > 0).collect()
}

/// Whether it is an archive that [`read`] reads.
pub fn is_export(input: impl Read + Seek) -> bool {
    let zip = Unzip::new(BufReader::new(input), MAX);
    zip.is_ok_and(|zip| parts(&zip).iter().any(|(_, _, part)| *part == Part::Saved))
}

fn parts<R: Read + Seek>(zip: &Unzip<R>) -> Vec<(usize, String, Part)> {
    let is_file = |(_, name): &(usize, String)| !name.ends_with(['/', '\\']);
    let files = zip.names().into_iter().filter(is_file).take(MAX_MEMBERS);
    let parts = files.map(|(at, name)| {
        let part = part(&name);
        (at, name, part)
    });
    parts.collect()
}

fn part(name: &str) -> Part {
    let path = name.to_lowercase();
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default();
    let Some((stem, ending)) = file.rsplit_once('.') else {
        return Part::Attachment(OTHER);
    };
    let is_saved = matches!(stem, "memories" | "memory") || stem.starts_with("conversations");
    match ending {
        "json" | "jsonl" if is_saved || path.contains("gemini") => Part::Saved,
        "html" if path.contains("gemini") => Part::Page,
        "json" | "jsonl" | "html" | "htm" | "md" | "txt" | "csv" => Part::Other,
        _ => {
            let kind = KINDS.iter().find(|(_, endings)| endings.contains(&ending));
            Part::Attachment(kind.map_or(OTHER, |(kind, _)| *kind))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use zip::{ZipWriter, write::SimpleFileOptions};

    fn zip(files: &[(&str, &str)]) -> Cursor<Vec<u8>> {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in files {
            zip.start_file(*name, SimpleFileOptions::default()).expect("a member");
            zip.write_all(text.as_bytes()).expect("written");
        }
        zip.finish().expect("an archive")
    }

    #[test]
    fn what_is_saved_is_read_and_the_rest_named() {
        let export = zip(&[
            ("user.json", "{}"),
            ("../../conversations-001.json", "[]"),
            ("a/picture.png", "x"),
            ("a/TALK.M4A", "x"),
            ("file-a1b2", "x"),
            ("b.png", "x"),
            ("c.jpeg", "x"),
            ("d.webp", "x"),
        ]);
        assert!(is_export(export.clone()));
        let Export { members: found, attachments } = read(export).expect("an export");
        let told = attachments.iter().map(|one| (one.reason.to_string(), one.count, &*one.names));
        let told: Vec<(String, usize, &str)> = told.collect();
        let names = "a/picture.png, b.png, c.jpeg, …";
        let wanted = [
            ("pictures are not read".to_owned(), 4, names),
            ("audio recordings are not read".to_owned(), 1, "a/TALK.M4A"),
            ("other files are not read".to_owned(), 1, "file-a1b2"),
        ];
        assert_eq!(told, wanted);
        let names: Vec<&str> = found.iter().map(|member| member.name.as_str()).collect();
        assert_eq!(names, ["user.json", "../../conversations-001.json"]);
        assert_eq!(found[0].text, Err(Reason::OtherPart));
        assert_eq!(found[1].text, Ok("[]".to_owned()));
    }

    #[test]
    fn many_parts_are_refused() {
        let names: Vec<String> =
            (0..=MAX_SAVED).map(|at| format!("conversations-{at}.json")).collect();
        let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "[]")).collect();
        let count = |files: &[(&str, &str)]| read(zip(files)).map(|found| found.members.len());
        assert_eq!(count(&files), Err(Unreadable::ManyParts(MAX_SAVED)));
        assert_eq!(count(&files[1..]), Ok(MAX_SAVED));
    }

    #[test]
    fn any_other_archive_is_none() {
        let other = zip(&[("word/document.xml", "<x/>")]);
        assert!(!is_export(other.clone()));
        assert_eq!(read(other).map(|_| ()), Err(Unreadable::OtherZip));
        let cut = Cursor::new(b"PK\x03\x04 cut".to_vec());
        assert!(matches!(read(cut), Err(Unreadable::Zip(_))));
    }
}
