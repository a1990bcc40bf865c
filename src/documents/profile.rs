//! `profile`: the fields of `profile.md`, which every context begins with.
//!
//! Invariant: one field is changed and nothing else; a field that is there is found whatever the
//! case of its key. Of several profiles that are read together, the nearest decides a field, but
//! what a team may enforce here is decided by that. Must not know the parts of the profile in
//! `profile/`, which are documents.

use super::KnowledgeError;
use crate::foreign::Foreign;
use crate::identity::{
    Blob, Document, Finding, LayerName, RelPath, Stamp, calendar, kind::PROFILE, memory::stamp_of,
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
    /// The team's layer that it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<LayerName>,
}

/// One of the profiles that are read together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranked {
    pub fields: Vec<Field>,
    /// Of a team's layer that may enforce it here, and it says so.
    pub is_enforced: bool,
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
    Zone {
        value: String,
        /// The zone that a person may have meant.
        meant: Option<String>,
    },
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

/// The fields that are read here: what a team enforces, then the person's own, then what only a
/// team has.
pub fn list(ws: &Workspace) -> Result<Report, Error> {
    let store = ws.identity()?;
    let (document, _) = read(store)?;
    let teams = if ws.only.is_some() { Vec::new() } else { ws.layers() };
    if teams.is_empty() {
        return Ok(Report { fields: all(&document), path: path_in(store) });
    }
    let ranked = ranked(ws, &teams, Some(store));
    let order = |at: usize| match (ranked[at].is_enforced, at == teams.len()) {
        (true, _) => (0, at),
        (false, true) => (1, at),
        (false, false) => (2, ranked.len() - at),
    };
    let mut places: Vec<usize> = (0..ranked.len()).collect();
    places.sort_by_key(|at| order(*at));
    let fields = places.into_iter().flat_map(|at| {
        let is_read = |field: &&Field| !is_decided(&ranked, at, &field.key);
        ranked[at].fields.iter().filter(is_read).cloned().collect::<Vec<_>>()
    });
    Ok(Report { fields: fields.collect(), path: path_in(store) })
}

/// The profiles that are read together, from far to near; one that cannot be read has no fields.
pub fn ranked(ws: &Workspace, teams: &[Store], own: Option<&Store>) -> Vec<Ranked> {
    let of = |store: &Store| {
        let file = store.root.join(PROFILE);
        let is_open = !(store.refuses_links() && store.leads_out(&file));
        let document = is_open.then(|| read(store).ok()).flatten().map(|(document, _)| document);
        let layer = store.scope.layer();
        let says = |document: &Document| {
            document.get("enforced").and_then(Value::truth) == Some(true)
                && layer.is_some_and(|name| ws.enforces(name))
        };
        let is_enforced = document.as_ref().is_some_and(says);
        let fields = document.as_ref().map(all).unwrap_or_default();
        let fields = fields.into_iter().map(|field| Field { layer, ..field }).collect();
        Ranked { fields, is_enforced }
    };
    teams.iter().chain(own).map(of).collect()
}

/// Whether another profile decides this field: a nearer one, or one farther away that is enforced.
fn is_decided(ranked: &[Ranked], at: usize, key: &str) -> bool {
    let has = |one: &Ranked| one.fields.iter().any(|field| is_same(&field.key, key));
    let by_far = ranked[..at].iter().any(|one| one.is_enforced && has(one));
    by_far || (!ranked[at].is_enforced && ranked[at + 1..].iter().any(has))
}

/// The text of a profile without the fields that another one decides.
pub fn undecided(ranked: &[Ranked], at: usize, text: &str) -> String {
    let mut left = text.to_owned();
    while let Some(fewer) = fields::without(&left, |key| is_decided(ranked, at, key)) {
        left = fewer;
    }
    left
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
        let meant = zone::ending_in(value);
        return Err(ProfileError::Zone { value: value.to_owned(), meant }.into());
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
    let was = before.as_ref().map_or_else(String::new, |was| format!(" (was {was})"));
    match after {
        // No arrow: an undo names this as well, and goes the other way.
        Some(now) => format!("{PROFILE}, {key}: {now}{was}"),
        None => format!("{PROFILE}, {key} removed{was}"),
    }
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
    let field = |field: fields::Field| Field { key: field.key, value: field.value, layer: None };
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

#[cfg(test)]
mod tests {
    use super::*;

    fn one(is_enforced: bool, fields: &[(&str, &str)]) -> Ranked {
        let field = |(key, value): &(&str, &str)| Field {
            key: (*key).to_owned(),
            value: (*value).to_owned(),
            layer: None,
        };
        Ranked { fields: fields.iter().map(field).collect(), is_enforced }
    }

    #[test]
    fn the_nearest_decides_unless_one_farther_away_is_enforced() {
        let far = [("Editor", "vim"), ("Company", "Acme")];
        let near = [("editor", "nano"), ("Team", "Ops")];
        let own = [("Editor", "emacs")];
        for (enforced, decided) in [
            ([false, false, false], ["Editor", "editor", ""]),
            ([true, false, false], ["", "editor", "Editor"]),
            ([false, true, false], ["Editor", "", "Editor"]),
            ([true, true, false], ["", "editor", "Editor"]),
        ] {
            let all = [one(enforced[0], &far), one(enforced[1], &near), one(enforced[2], &own)];
            for (at, expected) in decided.into_iter().enumerate() {
                let keys = all[at].fields.iter().map(|field| field.key.as_str());
                let found: Vec<&str> = keys.filter(|key| is_decided(&all, at, key)).collect();
                let expected: Vec<&str> =
                    [expected].into_iter().filter(|one| !one.is_empty()).collect();
                assert_eq!(found, expected, "{enforced:?} {at}");
            }
        }
        let all = [one(false, &far), one(false, &own)];
        let left = undecided(&all, 0, "# Profile\n\n- Editor: vim\n- Company: Acme\n\nWe ship.\n");
        assert!(
            left.contains("Acme") && left.contains("We ship.") && !left.contains("vim"),
            "{left}"
        );
    }
}
