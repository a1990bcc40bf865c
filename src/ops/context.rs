//! `context`: what an agent reads at the start of a session, from the identity and the project it
//! works in.

use super::{Failure, store::Store};
use crate::context::layers::{self, Assembled, Format, Layer, LayerKind};
use crate::identity::{
    Blob, Code, Document, Finding, Kind, RelPath, check,
    kind::{CONTEXT, Form, PERSONALITY, PROFILE},
    personality,
    value::Value,
};
use crate::secrets::Allowed;
use crate::system::{Context, files, folder};
use std::path::{Path, PathBuf};

/// What the context should be like.
#[derive(Clone, Debug, Default)]
pub struct Request {
    pub format: Format,
    /// Cut to about this many tokens.
    pub token_budget: Option<usize>,
    /// Only these layers.
    pub layers: Vec<LayerKind>,
    /// Wrap in `<system-reminder>`.
    pub system_reminder: bool,
}

/// Reads the layers and puts them together.
///
/// # Errors
/// When there is neither an identity nor a project.
pub fn run(context: &Context, request: &Request) -> Result<Assembled, Failure> {
    let stores = Store::to_read(context, None)?;
    let mut reader = Reader { context, layers: Vec::new(), warnings: Vec::new() };
    if let Some(identity) = stores.iter().find(|store| store.scope == super::store::Scope::Identity)
    {
        reader.read_identity(identity);
    }
    if let Some(project) = Store::project(context) {
        reader.one(LayerKind::ProjectKnowledge, &project, CONTEXT);
        reader.one(LayerKind::ProjectInstructions, &project, "instructions.md");
    }
    let Reader { mut layers, mut warnings, .. } = reader;
    layers.retain(|layer| request.layers.is_empty() || request.layers.contains(&layer.kind));
    let mut assembled = layers::assemble(&layers, request.format, request.token_budget);
    warnings.append(&mut assembled.warnings);
    assembled.warnings = warnings;
    if request.system_reminder && !assembled.text.is_empty() {
        assembled.text = layers::system_reminder(&assembled.text);
    }
    Ok(assembled)
}

struct Reader<'a> {
    context: &'a Context,
    layers: Vec<Layer>,
    warnings: Vec<String>,
}

impl Reader<'_> {
    fn read_identity(&mut self, store: &Store) {
        self.file(
            LayerKind::System,
            &RelPath::known("system.md"),
            &self.context.config_dir.join("system.md"),
            None,
        );
        self.one(LayerKind::Personality, store, PERSONALITY);
        self.legacy_personality();
        self.one(LayerKind::Profile, store, PROFILE);
        self.folder(LayerKind::Profile, store, "profile/", Kind::ProfilePart);
        self.one(LayerKind::GlobalKnowledge, store, CONTEXT);
        self.legacy_context();
        self.folder(LayerKind::Traits, store, "traits/", Kind::Trait);
    }

    fn has(&self, kind: LayerKind) -> bool {
        self.layers.iter().any(|layer| layer.kind == kind)
    }

    /// Until `init` adopts it, the context file of older versions is read where it was.
    fn legacy_context(&mut self) {
        if !self.has(LayerKind::GlobalKnowledge) {
            let file = self.context.config_dir.join(CONTEXT);
            self.file(LayerKind::GlobalKnowledge, &RelPath::known(CONTEXT), &file, None);
        }
    }

    /// Until `init` adopts it, the personality of older versions is read from the settings.
    fn legacy_personality(&mut self) {
        let named = self.context.settings.personality.clone();
        if let (false, Some(name)) = (self.has(LayerKind::Personality), named) {
            let file = self.context.shown(&self.context.settings_file());
            self.layers.push(Layer {
                kind: LayerKind::Personality,
                file,
                body: format!("# Personality\n\nSelected: {name}"),
                notes: Vec::new(),
            });
        }
    }

    fn one(&mut self, kind: LayerKind, store: &Store, path: &str) {
        self.file(kind, &RelPath::known(path), &store.root.join(path), Some(store));
    }

    fn folder(&mut self, kind: LayerKind, store: &Store, below: &str, wanted: Kind) {
        let listed = folder::list(&store.root, below).files;
        let mut files: Vec<(i64, RelPath, PathBuf)> = Vec::new();
        for file in listed.into_iter().filter(|file| file.path.kind() == wanted) {
            let order = files::read(&file.file)
                .ok()
                .flatten()
                .and_then(|bytes| prompt_order(&bytes))
                .unwrap_or(i64::MAX);
            files.push((order, file.path, file.file));
        }
        files.sort();
        for (_, path, file) in files {
            self.file(kind, &path, &file, Some(store));
        }
    }

    /// Fields that cannot be read are no reason to leave a text out, but one to say so.
    fn warn_of_fields(&mut self, name: &str, path: &RelPath, blob: &Blob) {
        if path.form() != Form::Versioned {
            return;
        }
        let (findings, _) = check::check_file(path, blob, self.context.now(), &Allowed::default());
        let invalid =
            |finding: &&Finding| matches!(finding.code, Code::FieldType | Code::StampInvalid);
        let warning = |finding: &Finding| format!("{name}: {}", finding.message);
        self.warnings.extend(findings.iter().filter(invalid).map(warning));
    }

    /// Reads one file; a bad one costs itself and is named.
    fn file(&mut self, kind: LayerKind, path: &RelPath, file: &Path, store: Option<&Store>) {
        if !files::exists(file) {
            return;
        }
        let name = match store {
            Some(store) if store.scope == super::store::Scope::Identity => {
                format!("identity/{path}")
            }
            Some(_) => format!(".co-cli/{path}"),
            None => self.context.shown(file),
        };
        let read = folder::read_file(path, file).map_err(|finding| finding.message);
        let document = read.and_then(|(blob, _)| {
            self.warn_of_fields(&name, path, &blob);
            Document::read(&blob).map_err(|broken| broken.finding(path).message)
        });
        match document {
            Err(message) => self.warnings.push(format!("{name}: {message}; it is left out")),
            Ok(mut document) => {
                let mut notes = Vec::new();
                if kind == LayerKind::Personality {
                    personality::agree(&mut document, None);
                }
                if document.checksum_holds() == Some(false) {
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
                let body = layers::without_control(document.text());
                self.layers.push(Layer { kind, file: name, body, notes });
            }
        }
    }
}

fn prompt_order(bytes: &[u8]) -> Option<i64> {
    let document = Document::read(bytes).ok()?;
    match document.get("promptOrder")? {
        Value::Int(order) => Some(*order),
        _ => None,
    }
}
