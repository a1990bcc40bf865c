//! `secret set|get|list|rm|status`: values in this laptop's keyring, references in the identity.
//!
//! Invariant: a value goes from the person to the keyring, and from there to whoever asked for it,
//! nowhere else; no other report has one.

use super::{
    Exit, Failure,
    catalog::{self, Looked},
    store::Store,
};
use crate::secrets::{
    self,
    reference::{self, references},
};
use crate::system::{
    Context, files,
    keyring::{self, Entry, KEEPER, Keeper, KeyringError, Unlock, Value},
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The longest value, in bytes.
pub const MAX_VALUE: usize = 64 * 1024;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// `CO_SECRET_NAME`, which wins.
    Environment,
    Keyring,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stored {
    pub name: String,
    pub replaced: bool,
    /// The environment has a value as well, which wins.
    pub overridden: bool,
}

#[derive(Debug)]
pub struct Got {
    pub name: String,
    pub origin: Origin,
    pub value: Value,
    /// For instance entries of several programs that differ.
    pub warnings: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub name: String,
    /// The program that stored it, where known.
    pub program: Option<String>,
    pub modified: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Need {
    pub name: String,
    /// `None` when it is missing, or when the keyring could not be asked.
    pub origin: Option<Origin>,
    /// False when the keyring could not be asked.
    pub missing: bool,
    /// Where it is mentioned: `FILE:LINE`.
    pub places: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    /// The names that the identity, the project and the settings mention.
    pub needs: Vec<Need>,
    /// Names in the keyring that nobody mentions.
    pub unused: Vec<String>,
    /// Why the keyring could not be asked.
    pub problem: Option<String>,
    pub hints: Vec<String>,
}

impl Status {
    pub fn missing(&self) -> Vec<&str> {
        self.needs.iter().filter(|need| need.missing).map(|need| need.name.as_str()).collect()
    }
}

pub fn sound_name(name: &str) -> Result<(), Failure> {
    if reference::is_name(name) {
        return Ok(());
    }
    Err(Failure::new(Exit::Usage, format!("`{name}` cannot name a secret")).hint(
        "letters, digits, `-`, `_` and `.`, at most 100, beginning with a letter or digit: \
            `co secret set staging-token`",
    ))
}

pub fn set(context: &Context, name: &str, value: Vec<u8>) -> Result<Stored, Failure> {
    sound_name(name)?;
    if !secrets::hits(name.as_bytes()).is_empty() {
        return Err(Failure::new(
            Exit::Usage,
            "the name looks like a secret itself; nothing was stored",
        )
        .hint("the name comes first, the value is asked for: `co secret set staging-token`"));
    }
    let value = trimmed(value);
    if value.is_empty() {
        return Err(Failure::new(Exit::Usage, "the value is empty; nothing was stored")
            .hint(format!("`co secret rm {name}` removes a secret")));
    }
    if value.len() > MAX_VALUE {
        return Err(Failure::new(
            Exit::Usage,
            format!("the value has more than {MAX_VALUE} bytes; nothing was stored"),
        )
        .hint("a keyring holds passwords, tokens and keys; keep files in a password store"));
    }
    let before = keyring::set(name, Value::new(value), Unlock::on(context))
        .map_err(|error| failure(&error, Some(name)))?;
    Ok(Stored {
        name: name.to_owned(),
        replaced: before > 0,
        overridden: context.env(&reference::variable(name)).is_some(),
    })
}

/// Removes the line end that a pipe or an editor adds.
fn trimmed(mut value: Vec<u8>) -> Vec<u8> {
    if value.last() == Some(&b'\n') {
        value.pop();
        if value.last() == Some(&b'\r') {
            value.pop();
        }
    }
    value
}

pub fn get(context: &Context, name: &str) -> Result<Got, Failure> {
    sound_name(name)?;
    if let Some(value) = context.env(&reference::variable(name)) {
        let value = Value::new(value.as_bytes().to_vec());
        return Ok(Got {
            name: name.to_owned(),
            origin: Origin::Environment,
            value,
            warnings: Vec::new(),
        });
    }
    let entries =
        keyring::get(name, Unlock::on(context)).map_err(|error| failure(&error, Some(name)))?;
    let warnings = differing(name, &entries);
    let value =
        entries.into_iter().next().and_then(|entry| entry.value).ok_or_else(|| missing(name))?;
    Ok(Got { name: name.to_owned(), origin: Origin::Keyring, value, warnings })
}

fn missing(name: &str) -> Failure {
    Failure::new(Exit::NotFound, format!("there is no secret `{name}` on this laptop"))
        .hint(format!("`co secret set {name}` stores one; in CI set {}", reference::variable(name)))
}

/// Several programs stored the same name: the newest value counts, with a warning.
fn differing(name: &str, entries: &[Entry]) -> Vec<String> {
    let first = entries.first().and_then(|entry| entry.value.as_ref());
    if entries.iter().all(|entry| entry.value.as_ref() == first) {
        return Vec::new();
    }
    let who = |entry: &Entry| {
        let program = entry.program.as_deref().unwrap_or("unnamed program");
        entry.modified.map_or(program.to_owned(), |at| format!("{program} ({at})"))
    };
    let all: Vec<String> = entries.iter().map(who).collect();
    vec![format!(
        "the keyring has {} entries for {name}, with different values: {}; the first one was \
         taken. `co secret set {name}` makes them one",
        entries.len(),
        all.join(", ")
    )]
}

/// Names only, never a value.
pub fn list() -> Result<Vec<Row>, Failure> {
    let entries = keyring::list().map_err(|error| failure(&error, None))?;
    Ok(entries
        .into_iter()
        .map(|entry| Row {
            name: entry.name,
            program: entry.program,
            modified: entry.modified.map(|at| at.to_string()),
        })
        .collect())
}

/// Removes every entry of a name; returns how many there were.
pub fn remove(context: &Context, name: &str) -> Result<usize, Failure> {
    sound_name(name)?;
    match keyring::remove(name, Unlock::on(context)).map_err(|error| failure(&error, Some(name)))? {
        0 => {
            Err(Failure::new(Exit::NotFound, format!("there is no secret `{name}` in the keyring"))
                .hint("`co secret list` shows the names"))
        }
        count => Ok(count),
    }
}

pub fn status(context: &Context) -> Result<Status, Failure> {
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for store in Store::to_read(context, None)? {
        collect(&catalog::reading(&store, context), &mut needs);
    }
    if let Ok(Some(text)) = files::read_text(&context.settings_file()) {
        for (line, name) in references(&text) {
            needs.entry(name.to_owned()).or_default().push(format!("settings.json:{line}"));
        }
    }
    let (stored, error) = match keyring::list() {
        Ok(entries) => (entries.into_iter().map(|entry| entry.name).collect::<Vec<_>>(), None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let known = error.as_ref().is_none_or(KeyringError::is_absent);
    let problem = error.map(|error| failure(&error, needs.keys().next().map(String::as_str)));
    let unused = stored.iter().filter(|name| !needs.contains_key(*name)).cloned().collect();
    let need = |(name, places): (String, Vec<String>)| {
        let in_environment = context.env(&reference::variable(&name)).map(|_| Origin::Environment);
        let origin = in_environment.or(stored.contains(&name).then_some(Origin::Keyring));
        Need { missing: origin.is_none() && known, name, origin, places }
    };
    let needs = needs.into_iter().map(need).collect();
    let hints = problem.as_ref().map(|failure| failure.hints.clone()).unwrap_or_default();
    Ok(Status { needs, unused, problem: problem.map(|failure| failure.message), hints })
}

fn collect(looked: &Looked, needs: &mut BTreeMap<String, Vec<String>>) {
    let Looked { reading, before, .. } = looked;
    for (path, blob) in reading.snapshot.iter() {
        if !before.may_name_secrets(path, blob) || !reference::occurs(blob) {
            continue;
        }
        for (line, name) in references(&String::from_utf8_lossy(blob)) {
            needs.entry(name.to_owned()).or_default().push(format!("{path}:{line}"));
        }
    }
}

/// The names that identity and settings mention, without those that the environment has.
fn needed(context: &Context, looked: Option<&Looked>) -> Vec<String> {
    let mut needs = BTreeMap::new();
    if let Some(looked) = looked {
        collect(looked, &mut needs);
    }
    let settings = &context.settings;
    let embedder = settings.recall.embedder.as_ref().and_then(|embedder| embedder.key.as_deref());
    let of_settings = [settings.sync.password.as_deref(), embedder];
    let named = of_settings.into_iter().flatten().filter_map(reference::only).map(str::to_owned);
    let all = needs.into_keys().chain(named).collect::<BTreeSet<String>>().into_iter();
    all.filter(|name| context.env(&reference::variable(name)).is_none()).collect()
}

/// As `needed`, out of the files: no catalog is brought up to date.
pub(super) fn needed_by_files(context: &Context) -> Vec<String> {
    let store = Store::identity(context).ok();
    needed(context, store.map(|store| Looked::at_files(&store)).as_ref())
}

/// Those of them that this laptop lacks; none when the keyring is locked, because then nobody knows.
pub fn lacking(context: &Context) -> Vec<String> {
    let store = Store::identity(context).ok();
    let looked = store.map(|store| catalog::reading(&store, context));
    let needed = needed(context, looked.as_ref());
    if needed.is_empty() {
        return Vec::new();
    }
    let stored: Vec<String> = match keyring::list() {
        Ok(entries) => entries.into_iter().map(|entry| entry.name).collect(),
        Err(error) if error.is_absent() => Vec::new(),
        Err(_) => return Vec::new(),
    };
    needed.into_iter().filter(|name| !stored.contains(name)).collect()
}

fn failure(error: &KeyringError, name: Option<&str>) -> Failure {
    let exit = match error {
        KeyringError::NoBus | KeyringError::NoService | KeyringError::NoCollection => {
            Exit::NotSetUp
        }
        KeyringError::Locked => Exit::Declined,
        KeyringError::Silent(_) | KeyringError::Failed(_) => Exit::Other,
    };
    let variable = reference::variable(name.unwrap_or("NAME"));
    let instead = format!("on a server or in CI set {variable}; co keeps no value in a plain file");
    let hints = hints(error, KEEPER).iter().map(|hint| (*hint).to_owned());
    hints.chain([instead]).fold(Failure::new(exit, error.to_string()), Failure::hint)
}

/// What opens a keyring, in the words of its system.
pub(super) fn hints(error: &KeyringError, keeper: Keeper) -> &'static [&'static str] {
    const HEADLESS: &str = "without a desktop: `gnome-keyring-daemon --replace --unlock` in the \
        session's D-Bus reads its password from standard input";
    match (keeper, error) {
        (Keeper::Keychain, KeyringError::Locked) => &[
            "`security unlock-keychain` opens the login Keychain in this terminal; an agent, a hook \
             or a server never opens a window",
        ],
        (Keeper::Keychain, _) => {
            &["`security find-generic-password -s co-cli` says whether the Keychain answers at all"]
        }
        (Keeper::CredentialManager, _) => {
            &["look at the Windows credentials in the Credential Manager"]
        }
        (Keeper::SecretService, KeyringError::NoBus) => {
            &["log in on the desktop, or start the command with `dbus-run-session`"]
        }
        (Keeper::SecretService, KeyringError::NoService) => {
            &["install gnome-keyring, or switch on \
            the Secret Service of KWallet or KeePassXC, and log in again"]
        }
        (Keeper::SecretService, KeyringError::NoCollection) => {
            &["log in on the desktop once, which makes one", HEADLESS]
        }
        (Keeper::SecretService, KeyringError::Locked) => {
            &["unlock it: log in on the desktop, or open it with its own program", HEADLESS]
        }
        (Keeper::SecretService, KeyringError::Silent(_) | KeyringError::Failed(_)) => {
            &["`secret-tool search service co-cli` says whether the keyring answers at all"]
        }
    }
}
