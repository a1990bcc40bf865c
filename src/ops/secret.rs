//! `secret set|get|list|rm|status`: values in the keyring of this laptop, needs in the identity.
//!
//! Invariant: a value goes from the person to the keyring and from the keyring to whoever asked for
//! it, nowhere else; no other report has one.

use super::{Exit, Failure, store::Store};
use crate::identity::Snapshot;
use crate::secrets::{
    self,
    reference::{self, references},
};
use crate::system::{
    Context, files, folder,
    keyring::{self, Entry, KeyringError, Unlock, Value},
};
use serde::Serialize;
use std::collections::BTreeMap;

/// The longest value, in bytes.
pub const MAX_VALUE: usize = 64 * 1024;

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// `CO_SECRET_NAME`, which wins.
    Environment,
    Keyring,
}

/// What became of a value that was stored.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stored {
    pub name: String,
    /// Whether there was one before.
    pub replaced: bool,
    /// Whether the environment has another one, which wins.
    pub overridden: bool,
}

/// A value that was asked for.
#[derive(Debug)]
pub struct Got {
    pub name: String,
    /// Where it comes from.
    pub origin: Origin,
    pub value: Value,
    /// What a person should know, as entries of several programs that differ.
    pub warnings: Vec<String>,
}

/// One row of `list`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    pub name: String,
    /// Which program stored it, as far as it says so.
    pub program: Option<String>,
    /// When it was last written.
    pub modified: Option<String>,
}

/// Where one name is needed, and whether this laptop has it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Need {
    pub name: String,
    /// Where this laptop has it; `None` when it is missing, or when nobody could say.
    pub origin: Option<Origin>,
    /// Whether it is known to be missing.
    pub missing: bool,
    /// Where it is mentioned: file and line.
    pub places: Vec<String>,
}

/// What this laptop has and lacks.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Status {
    /// The names that the identity, the project and the settings mention.
    pub needs: Vec<Need>,
    /// Names in the keyring that nobody mentions.
    pub unused: Vec<String>,
    /// Why the keyring could not be asked.
    pub problem: Option<String>,
    /// What to do about that.
    pub hints: Vec<String>,
}

impl Status {
    /// The names that this laptop lacks.
    pub fn missing(&self) -> Vec<&str> {
        self.needs.iter().filter(|need| need.missing).map(|need| need.name.as_str()).collect()
    }
}

/// Refuses what cannot name a secret.
///
/// # Errors
/// [`Exit::Usage`]
pub fn sound_name(name: &str) -> Result<(), Failure> {
    if reference::is_name(name) {
        return Ok(());
    }
    Err(Failure::new(Exit::Usage, format!("`{name}` cannot name a secret")).hint(
        "letters, digits, `-`, `_` and `.`, at most 100, beginning with a letter or digit: \
            `co secret set staging-token`",
    ))
}

/// Stores a value.
///
/// # Errors
/// [`Exit::Usage`] for a name or value that cannot be stored; [`Exit::NotSetUp`] without a keyring,
/// [`Exit::Declined`] for a locked one.
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

/// Without the line end that a pipe or an editor puts behind it.
fn trimmed(mut value: Vec<u8>) -> Vec<u8> {
    if value.last() == Some(&b'\n') {
        value.pop();
        if value.last() == Some(&b'\r') {
            value.pop();
        }
    }
    value
}

/// The value of a name.
///
/// # Errors
/// [`Exit::NotFound`] when nobody has it; as [`set`].
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

/// Several programs stored the same name: the last written one counts, and a person should know.
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

/// Every name in the keyring. Never a value.
///
/// # Errors
/// As [`set`].
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

/// Removes every entry of a name; how many there were.
///
/// # Errors
/// [`Exit::NotFound`] when there is none; as [`set`].
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

/// What this laptop has of what is needed. Without a need and a keyring there is nothing wrong.
///
/// # Errors
/// When there is neither an identity nor a project.
pub fn status(context: &Context) -> Result<Status, Failure> {
    let mut needs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for store in Store::to_read(context, None)? {
        collect(&folder::read(&store.root).snapshot, &mut needs);
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

fn collect(snapshot: &Snapshot, needs: &mut BTreeMap<String, Vec<String>>) {
    for (path, blob) in
        snapshot.iter().filter(|(_, blob)| memchr::memmem::find(blob, b"{{secret:").is_some())
    {
        for (line, name) in references(&String::from_utf8_lossy(blob)) {
            needs.entry(name.to_owned()).or_default().push(format!("{path}:{line}"));
        }
    }
}

/// The names that an identity mentions and this laptop lacks; none when its keyring is locked,
/// because then nobody knows.
pub fn lacking(context: &Context) -> Vec<String> {
    let Ok(store) = Store::identity(context) else { return Vec::new() };
    let mut needs = BTreeMap::new();
    collect(&folder::read(&store.root).snapshot, &mut needs);
    needs.retain(|name, _| context.env(&reference::variable(name)).is_none());
    if needs.is_empty() {
        return Vec::new();
    }
    let stored: Vec<String> = match keyring::list() {
        Ok(entries) => entries.into_iter().map(|entry| entry.name).collect(),
        Err(error) if error.is_absent() => Vec::new(),
        Err(_) => return Vec::new(),
    };
    needs.into_keys().filter(|name| !stored.contains(name)).collect()
}

/// What a person does about a keyring that is not there or not open.
fn failure(error: &KeyringError, name: Option<&str>) -> Failure {
    let variable = reference::variable(name.unwrap_or("NAME"));
    let instead = format!("on a server or in CI set {variable}; co keeps no value in a plain file");
    let headless = "without a desktop: `gnome-keyring-daemon --replace --unlock` in the session's \
        D-Bus reads its password from standard input";
    let new = |exit, hint: &str| Failure::new(exit, error.to_string()).hint(hint);
    match error {
        KeyringError::NoBus => new(
            Exit::NotSetUp,
            "log in on the desktop, or start the command \
            with `dbus-run-session`",
        )
        .hint(instead),
        KeyringError::NoService => new(
            Exit::NotSetUp,
            "install gnome-keyring, or switch on the Secret Service of \
                KWallet or KeePassXC, and log in again",
        )
        .hint(instead),
        KeyringError::NoCollection => new(
            Exit::NotSetUp,
            "log in on the desktop once, which \
            makes one",
        )
        .hint(headless)
        .hint(instead),
        KeyringError::Locked => new(
            Exit::Declined,
            "unlock it: log in on the desktop, or open it \
            with its own program",
        )
        .hint(headless)
        .hint(instead),
        KeyringError::Silent(_) | KeyringError::Failed(_) => new(
            Exit::Other,
            "`secret-tool search service co-cli` says whether the keyring \
                answers at all",
        )
        .hint(instead),
    }
}
