//! `secret set|get|list|rm|status`: values in this laptop's keyring, references in the identity.
//!
//! Invariant: a value goes only from the person to the keyring, and from there to the one who asked
//! for it; no other report contains one.

use crate::index::{self, CheckedStore, store::Store};
use crate::machine::{
    Context, files, folder,
    keyring::{self, KeyringError, Unlock, Value},
    secret::{failed, listed, stored_as},
};
use crate::secrets::{
    self,
    reference::{self, references},
};
use crate::workspace::{Error, ErrorKind, VerbError, Workspace};
use serde::Serialize;

pub use crate::machine::secret::{Origin, SecretError, get, sound_name};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum size of a value, in bytes.
const MAX_VALUE: usize = 64 * 1024;

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stored {
    pub name: String,
    pub replaced: bool,
    /// The environment also has a value, which takes precedence.
    pub overridden: bool,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SecretRow {
    pub name: String,
    /// The program that stored it, if known.
    pub program: Option<String>,
    pub modified: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Need {
    pub name: String,
    /// `None` if it is missing, or if the keyring is unavailable.
    pub origin: Option<Origin>,
    /// False if the keyring is unavailable.
    pub missing: bool,
    /// Where it is referenced: `FILE:LINE`.
    pub places: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Status {
    /// The names that the identity, the project and the settings reference.
    pub needs: Vec<Need>,
    /// Names in the keyring that nothing references.
    pub unused: Vec<String>,
    /// Why the keyring is unavailable.
    #[serde(serialize_with = "in_words")]
    pub problem: Option<SecretError>,
}

fn in_words<S: serde::Serializer>(
    problem: &Option<SecretError>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    problem.as_ref().map(SecretError::to_string).serialize(serializer)
}

impl Status {
    pub fn missing(&self) -> Vec<&str> {
        self.needs.iter().filter(|need| need.missing).map(|need| need.name.as_str()).collect()
    }
}

impl VerbError for SecretError {
    fn kind(&self) -> ErrorKind {
        match self {
            SecretError::Name { .. }
            | SecretError::LooksLikeSecret
            | SecretError::Empty { .. }
            | SecretError::TooLong { .. } => ErrorKind::Invalid,
            SecretError::NotHere { .. } | SecretError::NotInKeyring { .. } => ErrorKind::NotFound,
            SecretError::Keyring { source, .. } => match source {
                KeyringError::NoBus | KeyringError::NoService | KeyringError::NoCollection => {
                    ErrorKind::NotSetUp
                }
                KeyringError::Locked => ErrorKind::NeedsChoice,
                KeyringError::Silent(_) | KeyringError::Failed(_) => ErrorKind::Other,
            },
        }
    }
}

pub fn set(context: &Context, name: &str, value: Vec<u8>) -> Result<Stored, Error> {
    sound_name(name)?;
    if !secrets::hits(name.as_bytes()).is_empty() {
        return Err(SecretError::LooksLikeSecret.into());
    }
    let value = trimmed(value);
    if value.is_empty() {
        return Err(SecretError::Empty { name: name.to_owned() }.into());
    }
    if value.len() > MAX_VALUE {
        return Err(SecretError::TooLong { limit: MAX_VALUE }.into());
    }
    let before = keyring::set(&stored_as(context, name), Value::new(value), Unlock::on(context))
        .map_err(|error| failed(error, Some(name)))?;
    Ok(Stored {
        name: name.to_owned(),
        replaced: before > 0,
        overridden: context.env(&reference::variable(name)).is_some(),
    })
}

/// Removes the trailing newline that a pipe or an editor adds.
fn trimmed(mut value: Vec<u8>) -> Vec<u8> {
    if value.last() == Some(&b'\n') {
        value.pop();
        if value.last() == Some(&b'\r') {
            value.pop();
        }
    }
    value
}

/// Names only, never a value.
pub fn list(context: &Context) -> Result<Vec<SecretRow>, Error> {
    let entries = listed(context).map_err(|error| failed(error, None))?;
    Ok(entries
        .into_iter()
        .map(|entry| SecretRow {
            name: entry.name,
            program: entry.program,
            modified: entry.modified.map(|at| at.to_string()),
        })
        .collect())
}

/// Removes every entry of a name; returns how many there were.
pub fn remove(context: &Context, name: &str) -> Result<usize, Error> {
    sound_name(name)?;
    let removed = keyring::remove(&stored_as(context, name), Unlock::on(context));
    match removed.map_err(|error| failed(error, Some(name)))? {
        0 => Err(SecretError::NotInKeyring { name: name.to_owned() }.into()),
        count => Ok(count),
    }
}

pub fn status(ws: &Workspace) -> Result<Status, Error> {
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    // What a team's files name is no need of this laptop's.
    let own = |store: &Store| !store.is_of_others();
    for store in ws.to_read(None)?.into_iter().filter(own) {
        collect(&index::reading(&store, ws), &mut needs);
    }
    if let Ok(Some(text)) = files::read_text(&ws.settings_file()) {
        for (line, name) in references(&text) {
            needs.entry(name.to_owned()).or_default().push(format!("settings.json:{line}"));
        }
    }
    let (stored, error) = match listed(ws) {
        Ok(entries) => (entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>(), None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let known = error.as_ref().is_none_or(KeyringError::is_absent);
    let problem = error.map(|error| failed(error, needs.keys().next().map(String::as_str)));
    let unused = stored.iter().filter(|name| !needs.contains_key(*name)).cloned().collect();
    let need = |(name, places): (String, Vec<String>)| {
        let in_environment = ws.env(&reference::variable(&name)).map(|_| Origin::Environment);
        let origin = in_environment.or(stored.contains(&name).then_some(Origin::Keyring));
        Need { missing: origin.is_none() && known, name, origin, places }
    };
    let needs = needs.into_iter().map(need).collect();
    Ok(Status { needs, unused, problem })
}

fn collect(checked_store: &CheckedStore, needs: &mut BTreeMap<String, Vec<String>>) {
    let CheckedStore { reading, before, .. } = checked_store;
    for (path, blob) in reading.snapshot.iter() {
        if !before.may_name_secrets(path, blob) || !reference::occurs(blob) {
            continue;
        }
        for (line, name) in references(&String::from_utf8_lossy(blob)) {
            needs.entry(name.to_owned()).or_default().push(format!("{path}:{line}"));
        }
    }
}

/// The names in files and those in the settings, except those set in the environment.
fn with_settings(context: &Context, mut names: BTreeSet<String>) -> Vec<String> {
    let settings = &context.settings;
    let embedder = settings.recall.embedder.as_ref().and_then(|embedder| embedder.key.as_deref());
    let of_settings = [settings.sync.password.as_deref(), embedder];
    let named = of_settings.into_iter().flatten().filter_map(reference::only).map(str::to_owned);
    names.extend(named);
    names.into_iter().filter(|name| context.env(&reference::variable(name)).is_none()).collect()
}

/// The names that identity and settings reference, except those set in the environment. Read from
/// the files.
pub(crate) fn needed_by_files(ws: &Workspace) -> Vec<String> {
    let mut needs = BTreeMap::new();
    if let Ok(store) = ws.identity() {
        collect(&CheckedStore::at_files(store), &mut needs);
    }
    with_settings(ws, needs.into_keys().collect())
}

/// Those that this laptop lacks; none if the keyring is locked, because then it is unknown.
pub fn lacking(ws: &Workspace) -> Vec<String> {
    let named = |store: &Store| {
        let listed = folder::list(&store.root, "").files;
        index::named_secrets(store, ws, &listed, None)
    };
    lacking_of(ws, ws.identity().map(named).unwrap_or_default())
}

/// As [`lacking`], if the files of the identity name these.
pub(crate) fn lacking_of(context: &Context, named: BTreeSet<String>) -> Vec<String> {
    not_stored(context, with_settings(context, named))
}

fn not_stored(context: &Context, needed: Vec<String>) -> Vec<String> {
    if needed.is_empty() {
        return Vec::new();
    }
    let stored: Vec<String> = match listed(context) {
        Ok(entries) => entries.into_iter().map(|entry| entry.name).collect(),
        Err(error) if error.is_absent() => Vec::new(),
        Err(_) => return Vec::new(),
    };
    needed.into_iter().filter(|name| !stored.contains(name)).collect()
}
