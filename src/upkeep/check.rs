//! `identity check`: reports problems file by file, and which of them `--fix` can repair.
//!
//! Invariant: checking changes nothing; fixing goes through sync's engine and can be undone.

use super::fix::{self, Fixed};
use crate::git::{self, Repo, Staying};
use crate::identity::{
    Blob, Code, Digests, Document, Finding, Ledger, Memory, RelPath, Severity, Snapshot, Stamp,
    check, conventions, current, duplicates,
    kind::{LEDGER, MEMORIES, PERSONALITY},
    personality, skill,
};
use crate::index::{self, CheckedStore, store::Store};
use crate::knowledge;
use crate::machine::{Context, cloud, files, folder::Reading};
use crate::merge::Decision;
use crate::recall::alike::Similar;
use crate::secrets::{self, Allowed};
use crate::sync;
use crate::workspace::{Error, ErrorKind, VerbError, Workspace};
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::{BTreeSet, HashSet},
    path::Path,
};

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Report only findings in these files and folders.
    pub paths: Vec<String>,
    /// Warnings also fail the check.
    pub strict: bool,
    pub fix: bool,
    pub scope: CheckScope,
    pub allowed: Allowed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CheckScope {
    #[default]
    Files,
    /// What the next `git commit` would commit.
    Staged,
    /// Every version in every commit.
    History,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub files: usize,
    pub findings: Vec<Finding>,
    /// Files that `--fix` changed.
    pub fixed: Vec<String>,
    /// How `--fix` resolved files that existed in two versions.
    pub decisions: Vec<Decision>,
    /// How many files have a finding that `--fix` can repair.
    pub to_fix: usize,
    pub passed: bool,
}

/// Why a check was not made.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    #[error("--fix repairs the whole identity, not single files")]
    FixOfPaths,
    #[error("the identity has no {path}")]
    NoPath { path: String },
}

impl VerbError for CheckError {
    fn kind(&self) -> ErrorKind {
        match self {
            CheckError::FixOfPaths => ErrorKind::Invalid,
            CheckError::NoPath { .. } => ErrorKind::NotFound,
        }
    }
}

/// The findings for the files of a store, without changing anything.
pub(crate) fn findings(ws: &Workspace, store: &Store) -> Result<Vec<Finding>, Error> {
    of_files(ws, store, &Allowed::default(), &CheckedStore::at_files(store))
}

pub fn run(ws: &Workspace, request: &Request) -> Result<Report, Error> {
    if request.fix && !request.paths.is_empty() {
        // Repairing one file may change another: a copy is merged into its original.
        return Err(CheckError::FixOfPaths.into());
    }
    // Staged files come from git's index, so the folder need not be a sound identity.
    let store = match request.scope {
        CheckScope::Staged => ws.identity_place(),
        CheckScope::Files | CheckScope::History => ws.identity()?,
    };
    let mut fixed = if request.fix { fix::repair(ws, store)? } else { Fixed::default() };
    let now = ws.now();
    let mut to_fix = 0;
    let (files, mut findings) = match request.scope {
        CheckScope::Files => {
            let checked_store = index::reading_closely(store, ws);
            let mut found = of_files(ws, store, &request.allowed, &checked_store)?;
            if !checked_store.all_loaded() {
                found = of_files(ws, store, &request.allowed, &CheckedStore::at_files(store))?;
            }
            let fixable = found.iter().filter(|finding| finding.fixable);
            to_fix = fixable.map(|finding| &finding.path).collect::<BTreeSet<_>>().len();
            (checked_store.reading.snapshot.len() + checked_store.reading.unreadable.len(), found)
        }
        CheckScope::Staged => staged(ws, now, &request.allowed)?,
        CheckScope::History => history(ws, now, &request.allowed)?,
    };
    let paths: Vec<String> = request.paths.iter().map(|path| below(store, path)).collect();
    for path in paths.iter().filter(|_| request.scope == CheckScope::Files) {
        let there = files::exists(&store.root.join(path.trim_start_matches("./")));
        if !there && !findings.iter().any(|finding| named(&finding.path, path)) {
            return Err(CheckError::NoPath { path: path.clone() }.into());
        }
    }
    findings
        .retain(|finding| paths.is_empty() || paths.iter().any(|path| named(&finding.path, path)));
    // Messages quote files, and file names are arbitrary: either may contain a secret.
    for finding in &mut findings {
        finding.message = secrets::redact(&finding.message).into_owned();
        finding.path = secrets::redact(&finding.path).into_owned();
    }
    for decision in &mut fixed.decisions {
        decision.why = secrets::redact(&decision.why).into_owned();
    }
    check::sort(&mut findings);
    let fails = |finding: &Finding| finding.severity == Severity::Error || request.strict;
    let passed = !findings.iter().any(fails);
    Ok(Report { files, findings, fixed: fixed.files, decisions: fixed.decisions, to_fix, passed })
}

fn of_files(
    ws: &Workspace,
    store: &Store,
    allowed: &Allowed,
    checked_store: &CheckedStore,
) -> Result<Vec<Finding>, Error> {
    let (CheckedStore { reading, before, .. }, now) = (checked_store, ws.now());
    let mut findings = reading.findings.clone();
    findings.extend(gone(ws, reading));
    let checked = check_snapshot(&reading.snapshot, now, allowed, before);
    findings.extend(checked.findings);
    findings.extend(near_duplicates(store, ws, &checked.memories, before));
    let repo = ws.repo().ok().flatten();
    findings.extend(repo.as_deref().and_then(cloud_repository));
    findings.extend(repo.as_ref().and_then(|repo| nested_repository(ws, repo)));
    // Only a person can decide whether two texts are one fact.
    if findings.iter().any(|finding| finding.code != Code::NearDuplicate) {
        let after = fix::plan(ws, store, reading, before)?;
        let left = check_snapshot(&after.snapshot, now, allowed, before);
        mark_fixable(&mut findings, &reading.snapshot, &left.findings);
    }
    // Only a person can change the rule, or describe a personality.
    findings.extend(nobody_selected(ws, &reading.snapshot));
    findings.extend(repo.iter().flat_map(|repo| kept_back(ws, repo, reading)));
    Ok(findings)
}

/// A finding is fixable if it is gone from the result of `--fix`.
fn mark_fixable(findings: &mut [Finding], here: &Snapshot, left: &[Finding]) {
    let left: HashSet<(Code, &str)> =
        left.iter().map(|finding| (finding.code, finding.path.as_str())).collect();
    for finding in findings {
        let is_read = RelPath::new(&finding.path).is_some_and(|path| here.get(&path).is_some());
        let is_mended = finding.code != Code::NearDuplicate
            && !left.contains(&(finding.code, finding.path.as_str()));
        finding.fixable = is_read && is_mended;
    }
}

/// A selected personality that neither the identity nor this laptop describes, or one that is
/// selected where nothing is.
fn nobody_selected(context: &Context, here: &Snapshot) -> Option<Finding> {
    let path = RelPath::known(PERSONALITY);
    let document = Document::read(here.get(&path)?).ok()?;
    let is_described = |file: RelPath| {
        here.get(&file).is_some() || files::exists(&context.config_dir.join(file.as_str()))
    };
    let lacks = |name: &str| {
        let file = format!("personality/{name}.md");
        let is_there = RelPath::new(&file).is_some_and(is_described);
        (!is_there).then(|| format!("there is no {file}"))
    };
    let finding = |message: String| Finding::new(Code::PersonalityMissing, &path, message);
    if let Some(name) = personality::misplaced(&document) {
        let lacks = lacks(name).map_or_else(String::new, |lacks| format!(", and {lacks}"));
        return Some(finding(format!(
            "`selected: {name}` selects nothing below the `---` block; move it into that{lacks}"
        )));
    }
    let name = personality::selected(&document).filter(|name| !name.is_empty())?;
    let message = format!("selected: {name}, but {}", lacks(&name)?);
    Some(finding(message).at(document.line_of("selected")).field("selected"))
}

/// What a sync would stop for: facts, or all files, that are gone without a `forget`. A repository
/// that cannot be read does not stop the check.
fn gone(ws: &Workspace, reading: &Reading) -> Option<Finding> {
    let finding = |code, path: &str, message: String| Finding {
        path: path.into(),
        ..Finding::new(code, &RelPath::known("identity"), message)
    };
    if reading.snapshot.is_empty() && reading.unreadable.is_empty() {
        let repo = ws.repo().ok()??;
        let committed = repo.paths_in(repo.head().ok()?).ok()?.len();
        let what = format!(
            "every file is missing, but the last commit has {committed}: is a disk not mounted? {}",
            sync::BRING_BACK
        );
        return (committed > 0).then(|| finding(Code::Unreadable, ".", what));
    }
    let gone = sync::gone_by_hand(ws, || reading.clone(), |path| reading.has(path)).ok()??;
    Some(finding(Code::FactsGone, MEMORIES, format!("{}; {}", gone.described(), gone.hint())))
}

/// A path relative to the identity's folder, if it is absolute.
fn below(store: &Store, path: &str) -> String {
    let absolute = Path::new(path);
    let within = [&store.root, &store.shown].into_iter().find_map(|root| {
        let below = files::resolve(absolute);
        below.strip_prefix(root).or_else(|_| absolute.strip_prefix(root)).ok().map(Path::to_owned)
    });
    match within.filter(|_| absolute.is_absolute()) {
        Some(below) => below.to_string_lossy().into_owned(),
        None => path.to_owned(),
    }
}

/// `wanted` is the file itself or a folder above it, or is in a folder that was found.
fn named(path: &str, wanted: &str) -> bool {
    let wanted = wanted.trim_start_matches("./").trim_end_matches('/');
    let is_above = path
        .strip_prefix(wanted)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/') || wanted.is_empty());
    is_above || (path.ends_with('/') && wanted.starts_with(path))
}

/// The findings, and the memories that could be read.
struct Checked {
    findings: Vec<Finding>,
    memories: Vec<Memory>,
}

/// Does not look for near-duplicates.
fn check_snapshot(snapshot: &Snapshot, now: Stamp, allowed: &Allowed, before: &Digests) -> Checked {
    let check =
        |(path, blob): &(&RelPath, &Blob)| check::check_again(path, blob, now, allowed, before);
    let files: Vec<(&RelPath, &Blob)> = snapshot.iter().collect();
    let checked: Vec<(Vec<Finding>, Option<Memory>)> = files.par_iter().map(check).collect();
    let (mut findings, mut memories) = (Vec::new(), Vec::new());
    for (found, memory) in checked {
        findings.extend(found);
        memories.extend(memory);
    }
    let of_paths = conventions::check_paths(snapshot.paths(), |path| snapshot.get(path).cloned());
    // A conflict copy is reported once, not again as a duplicate.
    memories.retain(|memory| {
        !of_paths
            .iter()
            .any(|finding| finding.code == Code::CloudCopy && finding.path == memory.path.as_str())
    });
    findings.extend(of_paths);
    findings.extend(duplicates::check(&memories));
    let ledger = snapshot.get(&RelPath::known(LEDGER)).map(|blob| Ledger::read(blob));
    findings.extend(current::check(&memories, &ledger.unwrap_or_default()));
    findings.extend(knowledge::check::check(snapshot, before));
    findings.extend(skill::check(snapshot));
    Checked { findings, memories }
}

fn near_duplicates(
    store: &Store,
    context: &Context,
    memories: &[Memory],
    before: &Digests,
) -> Vec<Finding> {
    let finding = |pair: Similar| {
        let other = pair.other_id.map_or_else(|| pair.other_path.clone(), |id| id.to_string());
        let message = format!(
            "says nearly the same as {other} \"{}\" ({:.2}); forget one of the two if they are the \
             same fact",
            pair.other, pair.score
        );
        Some(Finding::new(Code::NearDuplicate, &RelPath::new(&pair.path)?, message))
    };
    let pairs = index::alike(store, context, memories, before);
    pairs.into_iter().filter_map(finding).collect()
}

/// Checks the files in git's index that differ from the last commit.
fn staged(ws: &Workspace, now: Stamp, allowed: &Allowed) -> Result<(usize, Vec<Finding>), Error> {
    let repo = sync::repository(ws)?;
    // `git commit FILE` uses its own index; the index of another repository is ignored.
    let index = ws.env("GIT_INDEX_FILE").map(|path| files::resolve(&ws.cwd.join(path)));
    let index = index.filter(|index| index.starts_with(files::resolve(repo.git_dir())));
    let staged = repo.staged(index.as_deref())?;
    let committed = repo.snapshot(repo.head()?)?;
    let changed = |path: &str| {
        RelPath::new(path).is_some_and(|path| staged.get(&path) != committed.get(&path))
    };
    let nothing = Digests::default();
    let Checked { mut findings, memories } = check_snapshot(&staged, now, allowed, &nothing);
    findings.extend(near_duplicates(ws.identity_place(), ws, &memories, &nothing));
    findings.retain(|finding| changed(&finding.path));
    let files = staged.iter().filter(|(path, blob)| committed.get(path) != Some(blob)).count();
    Ok((files, findings))
}

fn history(ws: &Workspace, now: Stamp, allowed: &Allowed) -> Result<(usize, Vec<Finding>), Error> {
    let repo = sync::repository(ws)?;
    let versions = repo.every_version()?;
    let check = |(commit, path, blob): &(git::Id, RelPath, Blob)| -> Vec<Finding> {
        let (mut findings, _) = check::check_file(path, blob, now, allowed);
        findings.extend(conventions::check_paths(std::iter::once(path), |_| None));
        let at = |finding: Finding| Finding {
            path: format!("{}:{}", git::short(*commit), finding.path),
            fixable: false,
            ..finding
        };
        findings.into_iter().map(at).collect()
    };
    Ok((versions.len(), versions.par_iter().flat_map_iter(check).collect()))
}

/// Files that never reach another laptop, because a rule ignores them.
fn kept_back(context: &Context, repo: &Repo, reading: &Reading) -> Vec<Finding> {
    let found = |one: Staying| {
        let message = sync::stays(context, &one);
        let finding = Finding::new(Code::Ignored, &RelPath::known("ignored"), message);
        Finding { path: one.path, ..finding }
    };
    let staying = repo.staying(reading.snapshot.paths()).unwrap_or_default();
    staying.into_iter().map(found).collect()
}

/// A repository inside another one that records, or would record, nothing but its commit.
fn nested_repository(context: &Context, repo: &Repo) -> Option<Finding> {
    let (stops, message) = sync::nested(context, repo)?;
    let severity = if stops { Severity::Error } else { Severity::Warning };
    Some(Finding {
        severity,
        path: ".git".into(),
        ..Finding::new(Code::NestedRepository, &RelPath::known("git"), message)
    })
}

/// A repository inside a folder that a cloud service syncs gets damaged sooner or later.
fn cloud_repository(repo: &Repo) -> Option<Finding> {
    let service = cloud::service_of(&repo.root)?;
    let message = format!(
        "the repository is in a folder that {service} syncs; sync through git, or keep .git \
         outside that folder"
    );
    Some(Finding {
        path: ".git".into(),
        ..Finding::new(Code::GitInCloud, &RelPath::known("git"), message)
    })
}
