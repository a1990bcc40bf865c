//! What is wrong with documents beside what is wrong with any file.
//!
//! Invariant: warnings only: a document that has one is read, found and merged like any other.

use super::{Entry, links, original, patterns};
use crate::identity::{Blob, Code, Digest, Digests, Document, Finding, RelPath, Snapshot, memory};
use std::collections::BTreeSet;

/// Labels that say nothing, originals and linked files that are not there.
pub fn check(snapshot: &Snapshot, before: &Digests) -> Vec<Finding> {
    let there = |path: &RelPath| snapshot.get(path).is_some();
    let is_there = |path: &String| RelPath::new(path).is_some_and(|path| there(&path));
    let is_known = |path: &RelPath, blob: &Blob| {
        let digest = before.get(path, blob);
        digest.is_some_and(|digest| digest.is_sound && digest.needs.iter().all(is_there))
    };
    let documents = snapshot.iter().filter_map(|(path, blob)| {
        if is_known(path, blob) {
            return None;
        }
        let entry = Entry::read(path, blob)?.ok()?;
        Some((path, blob, entry))
    });
    let of = |(path, blob, entry): (&RelPath, &Blob, Entry)| {
        let mut findings = labels(path, blob, &entry);
        findings.extend(attachment(path, &entry, there));
        findings.extend(broken_links(path, blob, there));
        findings
    };
    documents.flat_map(of).collect()
}

/// What a check of a document depends on: whether its labels say something, and the files that it says
/// are there.
pub fn digest(path: &RelPath, blob: &Blob, entry: &Entry, is_sound: bool) -> Digest {
    let original = entry.attachment.as_deref().map(original);
    let is_sound = is_sound && labels(path, blob, entry).is_empty() && original != Some(None);
    let text = std::str::from_utf8(blob).unwrap_or_default();
    let linked =
        links::linked(text, path).into_iter().filter(|(range, _)| is_path(&text[range.clone()]));
    let needed = original.flatten().into_iter().chain(linked.map(|(_, file)| file));
    let needs: BTreeSet<String> = needed.map(|file| file.to_string()).collect();
    let document = Document::read(blob).ok();
    let stamp = |key: &str| memory::stamp_of(document.as_ref()?, key);
    let latest = ["created", "updated", "fetched"].into_iter().filter_map(stamp).max();
    Digest { latest, needs: needs.into_iter().collect(), ..Digest::of(blob, is_sound) }
}

fn labels(path: &RelPath, blob: &Blob, entry: &Entry) -> Vec<Finding> {
    let Ok(document) = Document::read(blob) else { return Vec::new() };
    let fields = [
        ("type", &entry.kind, patterns::KINDS),
        ("status", &entry.status, patterns::STATUSES),
        ("temporal", &entry.temporal, patterns::TIMES),
    ];
    let finding = |(key, value, known): (&str, &Option<String>, &[&str])| {
        let value = value.as_deref().filter(|value| !known.contains(value))?;
        let message = format!("{key}: {value} is none of {}", known.join(", "));
        let finding = Finding::new(Code::LabelUnknown, path, message);
        Some(finding.at(document.line_of(key)).field(key))
    };
    fields.into_iter().filter_map(finding).collect()
}

fn attachment(path: &RelPath, entry: &Entry, there: impl Fn(&RelPath) -> bool) -> Option<Finding> {
    let named = entry.attachment.as_deref()?;
    let message = match original(named) {
        Some(file) if there(&file) => return None,
        Some(file) => format!("its original {file} is not there"),
        None => format!("attachment: {named} is no path below attachments/"),
    };
    Some(Finding::new(Code::AttachmentMissing, path, message).field("attachment"))
}

/// A topic in double brackets may be one that is yet to be written; a path is one that was.
fn is_path(target: &str) -> bool {
    target.contains(".md") || target.contains('/') && target.contains('.')
}

fn broken_links(path: &RelPath, blob: &Blob, there: impl Fn(&RelPath) -> bool) -> Vec<Finding> {
    let Ok(text) = std::str::from_utf8(blob) else { return Vec::new() };
    let lines: Vec<usize> = memchr::memchr_iter(b'\n', text.as_bytes()).collect();
    let broken = links::linked(text, path)
        .into_iter()
        .filter(|(range, file)| is_path(&text[range.clone()]) && !there(file));
    let finding = |(range, file): (std::ops::Range<usize>, RelPath)| {
        let line = lines.partition_point(|end| *end < range.start) + 1;
        Finding::new(Code::LinkBroken, path, format!("links to {file}, which is not there"))
            .at(line)
    };
    broken.map(finding).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_originals_and_links() {
        let files = [
            (
                "knowledge/a.md",
                "---\ntype: poem\nstatus: active\nattachment: attachments/x.pdf\n---\n\n[b](b.md) [c](c.md) [[later]]\n",
            ),
            (
                "knowledge/b.md",
                "---\nattachment: attachments/b.pdf\n---\n\n![p](attachments/b.pdf) [web](https://x.org/y.md)\n",
            ),
            ("knowledge/attachments/b.pdf", "%PDF"),
        ];
        let snapshot: Snapshot =
            files.iter().map(|(path, text)| (RelPath::known(path), Blob::from(*text))).collect();
        let found: Vec<(&str, String, Option<usize>)> = check(&snapshot, &Digests::default())
            .into_iter()
            .map(|finding| (finding.code.as_str(), finding.path, finding.line))
            .collect();
        let at = |code, line| (code, "knowledge/a.md".to_owned(), line);
        assert_eq!(
            found,
            [
                at("label-unknown", Some(2)),
                at("attachment-missing", None),
                at("link-broken", Some(7))
            ]
        );
    }
}
