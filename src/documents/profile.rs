//! `profile`: the fields of `profile.md`, which every context begins with.
//!
//! Invariant: one field is changed and nothing else; a field that is there is found whatever the
//! case of its key. Must not know the parts of the profile in `profile/`, which are documents.

use super::KnowledgeError;
use crate::foreign::Foreign;
use crate::identity::{
    Blob, Document, Finding, RelPath, Stamp, calendar, kind::PROFILE, memory::stamp_of,
    templates::ASKED, validate, value::Value,
};
use crate::index::store::Store;
use crate::machine::{files, folder, oplog::OpVerb, zone};
use crate::merge::{
    ChangeSet,
    change::FileChange,
    fields::{self, NoField},
};
use crate::secrets::{self, Allowed};
use crate::workspace::{Error, ErrorKind, VerbError, Workspace, guard};
use serde::Serialize;
use std::path::PathBuf;

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Field {
    pub key: String,
    pub value: String,
}

/// The fields of a profile.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Report {
    pub fields: Vec<Field>,
    pub path: PathBuf,
}

/// What became of a field.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Changed {
    /// As it is written in the profile.
    pub key: String,
    pub before: Option<String>,
    pub after: Option<String>,
    pub path: PathBuf,
}

/// Why a field was not found or changed.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    #[error("your profile has no field `{key}`")]
    NoField { key: String, known: Vec<String> },
    #[error("your profile has several fields `{key}`; nothing was changed")]
    Several { key: String, path: String },
    #[error("`{key}` cannot be the name of a field")]
    Key { key: String },
    #[error("the value of a field is one line of text")]
    Value { key: String },
    #[error("`{value}` is not a time zone")]
    Zone { value: String },
}

impl VerbError for ProfileError {
    fn kind(&self) -> ErrorKind {
        match self {
            ProfileError::NoField { .. } => ErrorKind::NotFound,
            ProfileError::Several { .. } => ErrorKind::NeedsChoice,
            ProfileError::Key { .. } | ProfileError::Value { .. } | ProfileError::Zone { .. } => {
                ErrorKind::Invalid
            }
        }
    }
}

pub fn list(ws: &Workspace) -> Result<Report, Error> {
    let store = ws.identity()?;
    let (document, _) = read(store)?;
    Ok(Report { fields: all(&document), path: path_in(store) })
}

/// The values of a field: usually one.
pub fn get(ws: &Workspace, key: &str) -> Result<Vec<Field>, Error> {
    let fields = list(ws)?.fields;
    let (found, others): (Vec<Field>, Vec<Field>) =
        fields.into_iter().partition(|field| is_same(&field.key, key.trim()));
    if found.is_empty() {
        return Err(no_field(key, &others));
    }
    Ok(found)
}

pub fn set(ws: &Workspace, key: &str, value: &str, allowed: &Allowed) -> Result<Changed, Error> {
    let (key, value) = (key.trim(), value.trim());
    if !Foreign(key).is_seen_whole() {
        return Err(ProfileError::Key { key: key.to_owned() }.into());
    }
    if !Foreign(value).is_seen_whole() {
        return Err(ProfileError::Value { key: key.to_owned() }.into());
    }
    if calendar::names_zone(key) && !value.is_empty() && !zone::is_known(value) {
        return Err(ProfileError::Zone { value: value.to_owned() }.into());
    }
    let line = format!("{key}: {value}");
    guard::refuse_text(&line, &[], "", allowed, "Nothing was changed.")?;
    // The mark lets every later scan accept what was allowed here.
    let marked = secrets::marked_text(&line, allowed);
    let value = marked.strip_prefix(key).and_then(|rest| rest.strip_prefix(": "));
    change(ws, key, Some(value.unwrap_or_default().trim()))
}

pub fn unset(ws: &Workspace, key: &str) -> Result<Changed, Error> {
    change(ws, key.trim(), None)
}

/// Writes a field, or removes it.
fn change(ws: &Workspace, key: &str, value: Option<&str>) -> Result<Changed, Error> {
    let store = ws.identity()?;
    let write = ws.write(store)?;
    let (mut document, before) = read(store)?;
    let had = all(&document);
    let of_it: Vec<&Field> = had.iter().filter(|field| is_same(&field.key, key)).collect();
    if of_it.len() > 1 {
        let path = ws.shown(&path_in(store));
        return Err(ProfileError::Several { key: key.to_owned(), path }.into());
    }
    let was = of_it.first().map(|field| field.value.clone());
    let named = of_it.first().map_or_else(|| usual(key), |field| field.key.clone());
    let is_it = |one: &str| is_same(one, key);
    let body = match value {
        Some(value) => {
            fields::set(document.body(), (named.as_str(), value), is_it).map_err(|why| {
                let key = key.to_owned();
                match why {
                    NoField::Key => ProfileError::Key { key },
                    NoField::Value => ProfileError::Value { key },
                }
            })?
        }
        None => fields::without(document.body(), is_it).ok_or_else(|| no_field(key, &had))?,
    };
    let changed =
        Changed { key: named, before: was, after: value.map(str::to_owned), path: path_in(store) };
    if changed.before == changed.after {
        return Ok(changed);
    }
    document.set_body(body);
    stamp(&mut document, ws.now(), before.is_none())?;
    let after = Some(document.write().into());
    let file = FileChange { path: RelPath::known(PROFILE), before, after };
    let operation = write.operation(OpVerb::Write, what(&changed));
    operation.apply(&ChangeSet::of(vec![file]))?;
    Ok(changed)
}

/// The line in the log.
fn what(changed: &Changed) -> String {
    let Changed { key, before, after, .. } = changed;
    let shown = |value: &Option<String>| value.clone().unwrap_or_else(|| "none".to_owned());
    format!("{PROFILE}, {key}: {} → {}", shown(before), shown(after))
}

fn path_in(store: &Store) -> PathBuf {
    RelPath::known(PROFILE).below(&store.shown)
}

/// The profile and its bytes; a new one where there is none.
fn read(store: &Store) -> Result<(Document, Option<Blob>), Error> {
    let (path, file) = (RelPath::known(PROFILE), store.root.join(PROFILE));
    if !files::exists(&file) {
        return Ok((Document::new("\n# Profile\n"), None));
    }
    let unreadable =
        |finding: Finding| KnowledgeError::Unreadable { path: finding.path, why: finding.message };
    let (blob, _) = folder::read_file(&path, &file).map_err(unreadable)?;
    let document = Document::read(&blob).map_err(|broken| unreadable(broken.finding(&path)))?;
    Ok((document, Some(blob)))
}

fn all(document: &Document) -> Vec<Field> {
    let field = |field: fields::Field| Field { key: field.key, value: field.value };
    fields::all(document.body()).into_iter().map(field).collect()
}

/// Whether two keys mean one field.
fn is_same(one: &str, other: &str) -> bool {
    one.to_lowercase() == other.to_lowercase()
        || (calendar::names_zone(one) && calendar::names_zone(other))
}

/// A new key as `init` writes it, if it is one of those.
fn usual(key: &str) -> String {
    let known = ASKED.into_iter().find(|known| is_same(known, key));
    known.unwrap_or(key).to_owned()
}

fn no_field(key: &str, known: &[Field]) -> Error {
    let known = known.iter().map(|field| field.key.clone()).collect();
    ProfileError::NoField { key: key.trim().to_owned(), known }.into()
}

/// A later stamp, which wins a merge; and the checksum, if there is one.
fn stamp(document: &mut Document, now: Stamp, is_new: bool) -> Result<(), Error> {
    validate::changeable(document, "updated")?;
    let before = stamp_of(document, "updated");
    let now = before.map_or(now, |before| now.max(before.plus(Stamp::SECOND)));
    if is_new {
        document.set("version", Value::Int(1));
    }
    document.set("updated", Value::Text(now.to_string()));
    if is_new || document.get("checksum").is_some() {
        document.set_checksum();
    }
    Ok(())
}
