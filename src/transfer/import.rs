//! `identity import`: merges another identity into this one, after a preview.
//!
//! Invariant: only what was shown, or the part that a person agreed to, is applied. The operation
//! is logged before the first file changes, so that one undo also reverts an interrupted import.

use super::{
    diff::{self, Report},
    source::{Current, Incoming, Source},
};
use crate::identity::{ContentHash, Memory, templates};
use crate::index::store::Store;
use crate::machine::{files, folder, oplog::OpVerb};
use crate::merge::{
    change::{ChangeSet, Meaning},
    import::{ImportItem, ImportMode},
};
use crate::secrets::Allowed;
use crate::sync;
use crate::workspace::{
    Error, ErrorKind, Progress, VerbError, Workspace, guard, recognise,
    transaction::{self, Put, Unrecorded},
};
use serde::Serialize;
use std::{collections::BTreeSet, path::Path};

#[derive(Clone, Debug)]
pub struct Request {
    /// An archive, a folder, or `-` for standard input.
    pub source: String,
    pub mode: ImportMode,
    pub allowed: Allowed,
}

/// The newest export in a folder, by the names that `export` gives.
pub fn newest_export(folder: &Path) -> Option<String> {
    let is_export = |name: &String| name.starts_with("co-identity") && name.ends_with(".tar.gz");
    let names = files::names(folder).into_iter().filter(is_export);
    names.max_by_key(|name| (files::mtime(&folder.join(name)), name.clone()))
}

pub struct Plan {
    pub report: Report,
    current: Current,
    store: Store,
    allowed: Allowed,
    /// Facts that a person rejected before.
    rejected: BTreeSet<ContentHash>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ImportReport {
    pub meaning: Meaning,
    /// Files written, moved or removed.
    pub files: usize,
    /// All memories of the identity afterwards.
    pub memories: usize,
}

/// Why nothing was imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    #[error("the identity has changed since this was shown; nothing was written")]
    Changed,
    #[error("an import asks before it writes, but there is no terminal to ask on")]
    NeedsAgreement,
}

impl VerbError for ImportError {
    fn kind(&self) -> ErrorKind {
        match self {
            ImportError::Changed => ErrorKind::Busy,
            ImportError::NeedsAgreement => ErrorKind::NeedsChoice,
        }
    }
}

pub fn plan(ws: &Workspace, request: &Request) -> Result<Plan, Error> {
    // On a new laptop the import creates the identity.
    recognise::refuse_folder(ws, &ws.identity.resolved)?;
    let store = ws.identity_place();
    let source = Source::importable(ws, &request.source)?;
    let (report, current) = diff::of_import(ws, store, &request.source, &source, request.mode)?;
    planned(store.clone(), request, report, current)
}

/// As [`plan`], for a source that was read already.
pub(super) fn plan_of(
    ws: &Workspace,
    request: &Request,
    incoming: Incoming,
) -> Result<Plan, Error> {
    let store = ws.identity()?;
    let (report, current) = diff::of_incoming(ws, store, &request.source, incoming, request.mode)?;
    planned(store.clone(), request, report, current)
}

fn planned(
    store: Store,
    request: &Request,
    mut report: Report,
    current: Current,
) -> Result<Plan, Error> {
    recognise::refuse_other(&request.source, report.proposal.after.paths())?;
    report.warnings.extend(guard::warnings(&report.proposal.change, &request.allowed));
    let (allowed, rejected) = (request.allowed.clone(), BTreeSet::new());
    Ok(Plan { report, current, store, allowed, rejected })
}

impl Plan {
    /// The parts that a person can accept or decline.
    pub fn items(&self) -> Vec<ImportItem> {
        self.report.proposal.items()
    }

    pub fn only(mut self, agreed: &[ImportItem]) -> Plan {
        self.report.proposal = self.report.proposal.only(agreed);
        self.report.meaning =
            self.report.proposal.change.meaning_from(&self.report.proposal.before);
        self
    }

    pub(crate) fn with_rejected(self, rejected: BTreeSet<ContentHash>) -> Plan {
        Plan { rejected, ..self }
    }

    /// Whether it is a new fact that a person rejected before.
    pub fn is_rejected(&self, item: &ImportItem) -> bool {
        let files = self.report.proposal.change.files.iter();
        let files = files.filter(|file| item.paths.contains(&file.path));
        let mut facts =
            files.filter_map(|file| Memory::read(&file.path, file.after.as_ref()?).ok());
        !self.rejected.is_empty() && facts.any(|fact| self.rejected.contains(&fact.hash))
    }

    pub fn is_empty(&self) -> bool {
        self.report.is_empty()
    }

    /// The facts that it would add.
    pub fn new_facts(&self) -> Vec<Memory> {
        let files = self.report.proposal.change.files.iter();
        let new = files.filter(|file| file.before.is_none() && file.path.is_memory());
        new.filter_map(|file| Memory::read(&file.path, file.after.as_ref()?).ok()).collect()
    }
}

/// Refuses new secrets; fails with `ErrorKind::Busy` if a file changed since the plan was made.
pub fn apply(ws: &Workspace, plan: &Plan, progress: &Progress<'_>) -> Result<ImportReport, Error> {
    guard::refuse_change(&plan.report.proposal.change, &plan.allowed, "Nothing was imported.")?;
    let after = &plan.report.proposal.after;
    let new = !files::is_dir(&plan.store.root);
    let write = ws.write(&plan.store)?;
    if new {
        let attributes = templates::GIT_ATTRIBUTES.as_bytes().to_vec().into();
        let file = plan.store.root.join(".gitattributes");
        transaction::put(Unrecorded::Beginning, &file, Put::New(&attributes))?;
    } else if folder::read(&plan.store.root).snapshot != plan.current.read {
        return Err(ImportError::Changed.into());
    }
    let change = ChangeSet::between(&plan.current.read, after);
    plan.current.refuse_closed(change.files.iter().map(|file| &file.path))?;
    sync::refuse_clashes(&plan.store.root, &plan.current.read, after)?;
    write.operation(OpVerb::Import, plan.report.source.clone()).apply_between(
        &plan.current.read,
        after,
        progress,
    )?;
    Ok(ImportReport {
        meaning: plan.report.meaning.clone(),
        files: plan.report.proposal.change.files.len(),
        memories: after.memories().len(),
    })
}

pub fn needs_agreement() -> Error {
    ImportError::NeedsAgreement.into()
}
