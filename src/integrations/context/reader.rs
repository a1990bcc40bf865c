//! Reads files as layers of a context.
//!
//! Invariant: a file that cannot be read is left out and reported, and stops nothing. Must not know
//! which files a context has.

use crate::context::layers::{Body, Layer, LayerKind};
use crate::git;
use crate::identity::{
    Blob, Code, Document, Finding, Kind, LayerName, RelPath, check, kind::Form, personality,
    scope::HERE,
};
use crate::index::store::{Scope, Store};
use crate::knowledge::{DocSummary, placement};
use crate::machine::{files, folder};
use crate::secrets;
use crate::workspace::Workspace;
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};

/// The layers that were read so far.
pub(super) struct LayerReader<'a> {
    pub(super) ws: &'a Workspace,
    pub(super) layers: Vec<Layer>,
    pub(super) warnings: Vec<String>,
}

impl LayerReader<'_> {
    pub(super) fn one(&mut self, kind: LayerKind, store: &Store, path: &str) {
        self.file(kind, &RelPath::known(path), &store.root.join(path), Some(store));
    }

    pub(super) fn folder(&mut self, kind: LayerKind, store: &Store, below: &str, wanted: Kind) {
        let listed = folder::list(&store.root, below).files;
        let mut files: Vec<(i64, RelPath, PathBuf)> = Vec::new();
        for file in listed.into_iter().filter(|file| file.path.kind() == wanted) {
            let blob = files::read(&file.file).ok().flatten().map(|bytes| Blob::from(&bytes[..]));
            let entry = blob.and_then(|blob| DocSummary::read(&file.path, &blob)?.ok());
            if entry.as_ref().is_some_and(|entry| !entry.is_always_included()) {
                continue;
            }
            let order = entry.and_then(|entry| entry.prompt_order);
            let order = order.unwrap_or_else(|| placement::usual_order(file.path.stem()));
            files.push((order, file.path, file.file));
        }
        files.sort();
        for (_, path, file) in files {
            self.file(kind, &path, &file, Some(store));
        }
    }

    /// Unreadable fields are reported, but do not leave the text out.
    fn warn_of_fields(&mut self, name: &str, path: &RelPath, blob: &Blob) {
        if path.form() != Form::Versioned {
            return;
        }
        let findings = check::check_fields(path, blob, self.ws.now());
        let invalid = |finding: &&Finding| {
            matches!(
                finding.code,
                Code::FieldType | Code::StampInvalid | Code::FieldMissing | Code::VersionNewer
            )
        };
        let warning = |finding: &Finding| format!("in {name}: {}", finding.message);
        self.warnings.extend(findings.iter().filter(invalid).map(warning));
    }

    /// Whether a file was edited on this laptop and not yet synced.
    fn is_edited_here(&self, path: &RelPath, file: &Path, store: Option<&Store>) -> bool {
        let is_of_identity = store.is_some_and(|store| store.scope == Scope::Identity);
        let Ok(Some(repo)) = self.ws.repo() else { return false };
        let committed = repo.committed(path).ok().flatten();
        let there = files::read(file).ok().flatten().and_then(|bytes| git::blob_id(&bytes));
        is_of_identity && there.is_some() && committed != there
    }

    /// A bad file is left out and reported.
    pub(super) fn file(
        &mut self,
        kind: LayerKind,
        path: &RelPath,
        file: &Path,
        store: Option<&Store>,
    ) {
        if !files::exists(file) {
            return;
        }
        if store.is_some_and(|store| store.refuses_links() && store.leads_out(file)) {
            let name = self.ws.shown(file);
            self.warnings
                .push(format!("left out: {name} is a link that points outside the project"));
            return;
        }
        let name = match store {
            Some(store) => match store.scope {
                Scope::Identity => format!("identity/{path}"),
                Scope::Layer(name) => format!("{name}/{path}"),
                Scope::Project => format!(".co-cli/{path}"),
            },
            None => self.ws.shown(file),
        };
        let read = folder::read_file(path, file).map_err(|finding| finding.message);
        let document = read.and_then(|(blob, _)| {
            self.warn_of_fields(&name, path, &blob);
            Document::read(&blob).map_err(|broken| broken.finding(path).message)
        });
        match document {
            Err(message) => self.warnings.push(format!("left out: {name}: {message}")),
            Ok(mut document) => {
                let mut notes = Vec::new();
                if path.kind() == Kind::Personality {
                    personality::agree(&mut document, None);
                }
                // What was edited here, the next sync takes in: that is no fault.
                if document.checksum_holds() == Some(false)
                    && !self.is_edited_here(path, file, store)
                {
                    self.warnings.push(format!(
                        "⚠ {name} may have sync conflicts\n  (content doesn't match checksum — \
                         edited on another machine?)\n  Run `co identity check` to review."
                    ));
                    notes.push("checksum does not match".to_owned());
                }
                if kind != LayerKind::System
                    && document.front().is_some_and(|front| front.get("version").is_none())
                    && path.as_str() != "instructions.md"
                {
                    notes.push("frontmatter has no version".to_owned());
                }
                let body = Body::Text(text_of(path, &document, store).into_owned());
                let project = store.and_then(owner_of);
                self.layers.push(Layer { kind, file: name, project, body, notes });
            }
        }
    }
}

/// Its text; secrets that others left in their files are sent nowhere, as those in facts.
fn text_of<'a>(path: &RelPath, document: &'a Document, store: Option<&Store>) -> Cow<'a, str> {
    let text = if store.is_some_and(Store::is_of_others) {
        secrets::redact(document.text())
    } else {
        Cow::Borrowed(document.text())
    };
    let is_misplaced =
        path.kind() == Kind::Personality && personality::misplaced(document).is_some();
    if is_misplaced { Cow::Owned(personality::without_misplaced(&text)) } else { text }
}

/// Whose facts those of a store are: unlike a file, these do not show where they lie.
pub(super) fn owner_of_facts(store: &Store) -> Option<String> {
    let is_here = store.scope == Scope::Layer(LayerName::here());
    if is_here { Some(HERE.to_owned()) } else { owner_of(store) }
}

/// The name by which an agent knows a project, which is that of its folder, or a layer.
fn owner_of(store: &Store) -> Option<String> {
    match store.scope {
        Scope::Identity => None,
        Scope::Layer(name) => Some(name.to_string()).filter(|_| !store.is_part()),
        Scope::Project => Some(store.shown.parent()?.file_name()?.to_string_lossy().into_owned()),
    }
}
