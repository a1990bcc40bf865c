//! `identity check`: what is wrong, file by file, and what `--fix` can mend.
//!
//! Invariant: checking changes nothing; fixing goes through the same engine as sync and can be taken back.

use super::{Failure, store::Store, sync};
use crate::identity::{
    Blob, Code, Document, Finding, Kind, Memory, RelPath, Severity, Snapshot, Stamp, check,
    memory::{self, Unusable},
    value::Value,
};
use crate::merge::{change::ChangeSet, ids, tidy};
use crate::system::{Machine, folder, git::Repo};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// What to check.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Only findings in files whose path begins with one of these.
    pub paths: Vec<String>,
    /// Warnings fail as well.
    pub strict: bool,
    /// Mend what can be mended first.
    pub fix: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// How many files were looked at.
    pub files: usize,
    /// What is wrong, in path order.
    pub findings: Vec<Finding>,
    /// Files that `--fix` changed.
    pub fixed: Vec<String>,
    /// Whether the identity passes.
    pub passed: bool,
}

/// Checks an identity.
///
/// # Errors
/// When there is no identity, or a fix cannot be written.
pub fn run(machine: &Machine, request: &Request) -> Result<Report, Failure> {
    let store = Store::identity(machine)?;
    sync::recover(machine);
    let fixed = if request.fix { fix(machine, &store)? } else { Vec::new() };
    let reading = folder::read(&store.root);
    let mut findings = reading.findings;
    let now = machine.now();
    let files: Vec<(&RelPath, &Blob)> = reading.snapshot.iter().collect();
    let checked: Vec<(Vec<Finding>, Option<Memory>)> = files.par_iter().map(|(path, blob)| check::check_file(path, blob, now)).collect();
    let mut memories = Vec::new();
    for (found, memory) in checked {
        findings.extend(found);
        memories.extend(memory);
    }
    findings.extend(check::check_together(&memories));
    findings.extend(cloud_repository(machine));
    findings.retain(|finding| request.paths.is_empty() || request.paths.iter().any(|path| finding.path.starts_with(path.trim_start_matches("./"))));
    check::sort(&mut findings);
    let fails = |finding: &Finding| finding.severity == Severity::Error || request.strict;
    let passed = !findings.iter().any(fails);
    Ok(Report { files: files.len() + reading.unreadable.len(), findings, fixed, passed })
}

/// A repository inside a folder that a cloud service syncs is damaged sooner or later.
fn cloud_repository(machine: &Machine) -> Option<Finding> {
    const CLOUDS: &[&str] = &["Dropbox", "iCloud Drive", "Mobile Documents", "OneDrive", "Google Drive", "Nextcloud", "Syncthing"];
    let repo = Repo::discover(machine).ok().flatten()?;
    let cloud = CLOUDS.iter().find(|cloud| repo.root.iter().any(|part| part.to_string_lossy().starts_with(*cloud)))?;
    let message = format!("the repository lies in a folder that {cloud} syncs; sync through git, or keep .git outside of it");
    Some(Finding { path: ".git".into(), ..Finding::new(Code::GitInCloud, &RelPath::known("git"), message) })
}

fn fix(machine: &Machine, store: &Store) -> Result<Vec<String>, Failure> {
    let _lock = store.lock()?;
    let reading = folder::read(&store.root);
    let now = machine.now();
    let mended: Snapshot = reading.snapshot.iter().map(|(path, blob)| (path.clone(), mend(path, blob, &reading.mtimes, now))).collect();
    let settled = tidy::tidy(&mended, &mended, tidy::Hand { now, mtimes: &reading.mtimes }).snapshot;
    let result = ids::assign(&settled, &Snapshot::default()).snapshot;
    let change = ChangeSet::between(&reading.snapshot, &result);
    if change.is_empty() {
        return Ok(Vec::new());
    }
    sync::refuse_mass_deletion(&reading.snapshot, &result)?;
    sync::write_files(&store.root, &reading.snapshot, &result)?;
    store.note(machine, "fix", format!("{} files", change.files.len()), &change);
    Ok(change.files.iter().map(|file| file.path.to_string()).collect())
}

/// One file with what can be mended without asking: frontmatter for a memory that has none, zones for stamps, a checksum that fits.
fn mend(path: &RelPath, blob: &Blob, mtimes: &BTreeMap<RelPath, Stamp>, now: Stamp) -> Blob {
    let mtime = mtimes.get(path).copied().unwrap_or(now).min(now);
    if check::marker_line(blob).is_some() {
        return blob.clone();
    }
    let unfinished = path.kind() == Kind::Memory && matches!(Memory::read(path, blob), Err(Unusable::NoFrontmatter));
    let Ok(mut document) = Document::read(blob) else { return blob.clone() };
    if unfinished {
        let text = document.text().to_owned();
        let created = mtime.with_fraction(document.hash().fraction());
        return memory::new_file(0, created, &[], "user-told", &text).replacen("id: 0\n", "", 1).into_bytes().into();
    }
    let mut changed = false;
    for key in ["created", "updated", "fetched"] {
        let read = document.get(key).and_then(Value::text).and_then(|text| Stamp::parse(&text));
        if let Some(read) = read.filter(|read| !read.zoned) {
            document.set(key, Value::Text(read.stamp.with_offset()));
            changed = true;
        }
    }
    let wrong = document.get("checksum").is_some() && document.checksum_holds() != Some(true);
    if wrong {
        let hash = document.hash();
        document.set("checksum", Value::Text(hash.to_string()));
        let last = memory::stamp_of(&document, "updated").or(memory::stamp_of(&document, "created")).unwrap_or(Stamp::EPOCH);
        document.set("updated", Value::Text(mtime.max(last.plus(Stamp::SECOND)).to_string()));
        changed = true;
    }
    if changed { document.write().into_bytes().into() } else { blob.clone() }
}
