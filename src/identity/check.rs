//! Finds what is wrong with an identity: one pure pass over a snapshot.
//!
//! A memory that `MemoryMeta::is_sound` accepts is not checked again: a new check on memories must
//! be added there as well, and must raise its `EDITION`.
//!
//! Invariant: every finding names a file, and where possible line and field; one bad file never
//! hides another.

pub use super::markers::marker_line;
use super::{
    blob::Blob,
    conventions,
    digest::Digests,
    document::Document,
    finding::{Code, Finding, Severity},
    kind::{Form, Kind},
    ledger::Ledger,
    memory::{FACT_KEYS, Memory, TAGS, Unusable},
    path::RelPath,
    stamp::Stamp,
    times,
    value::Value,
};
use crate::secrets::{self, Allowed};

/// How far ahead of the clock, in microseconds, a stamp may be before it is reported: one day.
const FUTURE: i64 = 86_400 * Stamp::SECOND;

/// The newest form of a versioned file.
const VERSION: i64 = 1;

/// By path, then line: the order in which findings are shown.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| (&a.path, a.line, a.code).cmp(&(&b.path, b.line, b.code)));
}

/// Also returns the memory, if the file is one, for `duplicates::check`.
pub fn check_file(
    path: &RelPath,
    blob: &Blob,
    now: Stamp,
    allowed: &Allowed,
) -> (Vec<Finding>, Option<Memory>) {
    let form = path.form();
    if let Some(line) = (form != Form::Opaque).then(|| marker_line(blob)).flatten() {
        let message = format!(
            "git's conflict markers start at line {line}; --fix joins both sides, or keep the \
             lines you want and remove the markers"
        );
        let mut findings = vec![Finding::new(Code::ConflictMarkers, path, message).at(line)];
        findings.extend(
            secrets::scan_file(path.as_str(), blob, allowed)
                .iter()
                .map(|secret| Finding::of_secret(path, secret)),
        );
        return (findings, None);
    }
    let (mut findings, memory) = check_form(form, path, blob, now);
    if form != Form::Opaque {
        findings.extend(conventions::check_text(path, blob));
    }
    findings.extend(
        secrets::scan_file(path.as_str(), blob, allowed)
            .iter()
            .map(|secret| Finding::of_secret(path, secret)),
    );
    (findings, memory)
}

/// Like [`check_file`], for a file that may have been checked before.
pub fn check_again(
    path: &RelPath,
    blob: &Blob,
    now: Stamp,
    allowed: &Allowed,
    before: &Digests,
) -> (Vec<Finding>, Option<Memory>) {
    let digest = before.get(path, blob).filter(|digest| digest.is_sound);
    if digest.is_some_and(|digest| digest.latest.is_none_or(|latest| !is_future(latest, now))) {
        return (Vec::new(), path.is_memory().then(|| Memory::read(path, blob).ok()).flatten());
    }
    check_file(path, blob, now, allowed)
}

/// Problems with its fields only.
pub fn check_fields(path: &RelPath, blob: &Blob, now: Stamp) -> Vec<Finding> {
    check_form(path.form(), path, blob, now).0
}

fn is_future(stamp: Stamp, now: Stamp) -> bool {
    stamp > now.plus(FUTURE)
}

fn check_form(
    form: Form,
    path: &RelPath,
    blob: &Blob,
    now: Stamp,
) -> (Vec<Finding>, Option<Memory>) {
    match form {
        Form::Memory => check_memory(path, blob, now),
        Form::Versioned => (check_versioned(path, blob, now), None),
        Form::Loose => (check_loose(path, blob, now), None),
        Form::Ledger => (check_ledger(path, blob), None),
        Form::Foreign | Form::Opaque => (Vec::new(), None),
    }
}

fn check_memory(path: &RelPath, blob: &Blob, now: Stamp) -> (Vec<Finding>, Option<Memory>) {
    let memory = match Memory::read(path, blob) {
        Ok(memory) => memory,
        Err(unusable) => return (vec![located(unusable.finding(path), &unusable, blob)], None),
    };
    // Fast path: nearly all memories are sound.
    if memory.is_sound() && !is_future(memory.latest(), now) {
        return (Vec::new(), Some(memory));
    }
    let document = memory.document();
    let mut findings = Vec::new();
    let field = |code: Code, key: &str, message: String| {
        Finding::new(code, path, message).at(document.line_of(key)).field(key)
    };
    if document.get("id").is_none() {
        findings.push(missing(path, "id", "sync assigns the next free number"));
    } else if memory.id.is_none() {
        let message = format!("id: {} is not a number; write e.g. `id: 12`", document.shown("id"));
        findings.push(field(Code::FieldType, "id", message));
    }
    findings.extend(check_stamp(path, &document, "created", now));
    findings.extend(check_stamp(path, &document, "updated", now));
    findings.extend(FACT_KEYS.iter().filter_map(|key| key.check(path, &document)));
    findings.extend(times::check(path, &document));
    findings.extend(check_sum(path, &document));
    if document.text().is_empty() {
        findings.push(Finding::new(Code::EmptyBody, path, "the fact has no text"));
    }
    (findings, Some(memory))
}

/// Only the document knows the line of a bad `created`.
fn located(finding: Finding, unusable: &Unusable, blob: &Blob) -> Finding {
    match (unusable, Document::read(blob)) {
        (Unusable::BadCreated(_), Ok(document)) => finding.at(document.line_of("created")),
        _ => finding,
    }
}

fn check_versioned(path: &RelPath, blob: &Blob, now: Stamp) -> Vec<Finding> {
    let document = match Document::read(blob) {
        Ok(document) => document,
        Err(broken) => return vec![broken.finding(path)],
    };
    if document.front().is_none() {
        let message = "no frontmatter; start the file with `---`, `version: 1`, `updated: \
            2026-11-20T09:00:00Z`, `---`";
        let mut finding = Finding::new(Code::FrontmatterMissing, path, message).at(1);
        if path.kind() == Kind::Context {
            finding.severity = Severity::Warning;
        }
        return vec![finding];
    }
    let mut findings = Vec::new();
    match document.get("version") {
        None => findings.push(missing(path, "version", "write `version: 1`")),
        Some(Value::Int(version)) if *version > VERSION => {
            let message = format!(
                "version: {version} is newer than what this co knows; update co, or write \
                 `version: {VERSION}` if you chose the number yourself"
            );
            findings.push(
                Finding::new(Code::VersionNewer, path, message)
                    .at(document.line_of("version"))
                    .field("version"),
            );
        }
        Some(Value::Int(_)) => {}
        Some(_) => {
            let message = format!(
                "version: {} is not a whole number; write `version: 1`",
                document.shown("version")
            );
            findings.push(
                Finding::new(Code::FieldType, path, message)
                    .at(document.line_of("version"))
                    .field("version"),
            );
        }
    }
    if document.get("updated").is_none() {
        findings.push(missing(path, "updated", "write e.g. `updated: 2026-11-20T09:00:00Z`"));
    }
    findings.extend(check_stamp(path, &document, "updated", now));
    findings.extend(check_sum(path, &document));
    findings
}

fn check_loose(path: &RelPath, blob: &Blob, now: Stamp) -> Vec<Finding> {
    let document = match Document::read(blob) {
        Ok(document) => document,
        Err(broken) => return vec![broken.finding(path)],
    };
    let stamps = ["created", "updated", "fetched"]
        .into_iter()
        .filter_map(|key| check_stamp(path, &document, key, now));
    let mut findings: Vec<Finding> = stamps.collect();
    findings.extend(TAGS.check(path, &document));
    findings.extend(check_sum(path, &document));
    findings
}

fn check_ledger(path: &RelPath, blob: &Blob) -> Vec<Finding> {
    let strange = Ledger::read(blob);
    let message = "not a valid ledger line (`- <created> sha256:<hash> <stamp>`); it is kept, but \
        forgets nothing";
    strange
        .strange()
        .iter()
        .map(|(line, _)| Finding::new(Code::LedgerLine, path, message).at(*line))
        .collect()
}

fn missing(path: &RelPath, field: &str, advice: &str) -> Finding {
    Finding::new(Code::FieldMissing, path, format!("`{field}` is missing; {advice}"))
        .at(1)
        .field(field)
}

fn check_stamp(path: &RelPath, document: &Document, key: &str, now: Stamp) -> Option<Finding> {
    let value = document.get(key)?;
    let text = value.text().unwrap_or_else(|| document.shown(key));
    let finding = match Stamp::parse(&text) {
        None => Finding::new(
            Code::StampInvalid,
            path,
            format!("{key}: \"{text}\" is not a timestamp; write e.g. 2026-11-20T09:00:00+01:00"),
        ),
        Some(read) if !read.zoned => Finding::new(
            Code::StampNoZone,
            path,
            format!(
                "{key}: {text} has no time zone and is read as UTC; write {}",
                read.stamp.with_offset()
            ),
        ),
        Some(read) if read.stamp > now.plus(FUTURE) => Finding::new(
            Code::StampFuture,
            path,
            format!("{key}: {text} is in the future; is a clock wrong?"),
        ),
        Some(_) => return None,
    };
    Some(finding.at(document.line_of(key)).field(key))
}

fn check_sum(path: &RelPath, document: &Document) -> Option<Finding> {
    document.get("checksum")?;
    let (code, message) = match document.checksum_holds() {
        Some(true) => return None,
        Some(false) => (
            Code::ChecksumMismatch,
            "content does not match its checksum: it was edited outside co; if you did that, the \
             next sync writes the new one",
        ),
        None => (
            Code::ChecksumInvalid,
            "the checksum is not a sha256; sync writes a new one when the text changes",
        ),
    };
    Some(Finding::new(code, path, message).at(document.line_of("checksum")).field("checksum"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{duplicates, snapshot::Snapshot};

    fn check(snapshot: &Snapshot, now: Stamp) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        let mut memories = Vec::new();
        for (path, blob) in snapshot.iter() {
            let (found, memory) = check_file(path, blob, now, &Allowed::default());
            findings.extend(found);
            memories.extend(memory);
        }
        findings
            .extend(conventions::check_paths(snapshot.paths(), |path| snapshot.get(path).cloned()));
        findings.extend(duplicates::check(&memories));
        sort(&mut findings);
        findings
    }

    fn codes(path: &str, text: &str) -> Vec<(&'static str, Option<usize>, Option<String>)> {
        let mut snapshot = Snapshot::default();
        snapshot.put(RelPath::known(path), text);
        let now = Stamp::parse("2026-11-21T00:00:00Z").expect("stamp").stamp;
        check(&snapshot, now).into_iter().map(|f| (f.code.as_str(), f.line, f.field)).collect()
    }

    #[test]
    fn each_fault_is_named_with_line_and_field() {
        let memory = |front: &str| {
            codes("knowledge/memories/001-x.md", &format!("---\n{front}---\n\nText.\n"))
        };
        let field = |name: &str| Some(name.to_owned());
        assert_eq!(memory("id: 1\ncreated: 2026-02-09T14:30:00Z\n"), vec![]);
        assert_eq!(
            memory("id: one\ncreated: 2026-02-09T14:30:00Z\n"),
            vec![("field-type", Some(2), field("id"))]
        );
        assert_eq!(
            memory("id: 1\ncreated: yesterday\n"),
            vec![("stamp-invalid", Some(3), field("created"))]
        );
        assert_eq!(
            memory("id: 1\ncreated: 2026-02-09T14:30:00\n"),
            vec![("stamp-no-zone", Some(3), field("created"))]
        );
        assert_eq!(
            memory("id: 1\ncreated: 2036-02-09T14:30:00Z\n"),
            vec![("stamp-future", Some(3), field("created"))]
        );
        assert_eq!(
            memory("id: 1\ncreated: 2026-02-09T14:30:00Z\nchecksum: 12\n"),
            vec![("checksum-invalid", Some(4), field("checksum"))]
        );
        assert_eq!(
            memory("id: 1\ncreated: 2026-02-09T14:30:00Z\ntags: {a: 1}\n"),
            vec![("field-type", Some(4), field("tags"))]
        );
        assert_eq!(codes("profile.md", "---\nversion: one\n---\n").len(), 2);
        assert_eq!(
            codes("profile.md", "# Profile\n"),
            vec![("frontmatter-missing", Some(1), None)]
        );
        assert_eq!(
            codes("traits/a.md", "<<<<<<< a\n=======\n>>>>>>> b\n"),
            vec![("conflict-markers", Some(1), None)]
        );
        assert_eq!(
            codes(
                "traits/a.md",
                "---\nversion: 1\nupdated: 2026-02-09T14:30:00Z\n---\n\nTitle\n=======\n"
            ),
            vec![]
        );
    }
}
