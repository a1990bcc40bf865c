//! The environment of this process: variables, home, terminal, clock. Read once.
//!
//! Invariant: nothing here depends on where a call happens: one process can work for many folders.

use super::{error::SystemError, platform};
use crate::identity::Stamp;
use std::{
    collections::BTreeMap,
    env,
    io::IsTerminal,
    path::{Path, PathBuf},
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

/// Whether a variable is set, if only to nothing; for what is answered before all are read.
pub fn is_set(name: &str) -> bool {
    env::var_os(name).is_some()
}

#[derive(Debug)]
pub struct Env {
    pub home: PathBuf,
    /// `~/.config/co-cli`, on Windows `%APPDATA%\co-cli`
    pub config_dir: PathBuf,
    /// Whether standard input and error are terminals, so that a person can be asked.
    pub interactive: bool,
    pub host: String,
    /// The running executable, for hooks that call it.
    pub program: PathBuf,
    pub started_in: PathBuf,
    variables: BTreeMap<String, String>,
    pub clock: Clock,
}

/// The clock of this laptop, to the microsecond.
///
/// Tests may set it (`CO_TEST_CLOCK`): it then goes on from there a hundred times slower, so that
/// what a process does has an order and most of it stays in one second.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    set: Option<(Stamp, Instant)>,
}

impl Clock {
    pub fn now(self) -> Stamp {
        if let Some((set, at)) = self.set {
            let slow = i64::try_from(at.elapsed().as_micros() / 100).unwrap_or(0);
            return Stamp::from_micros(set.micros() + 1 + slow);
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Stamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX))
    }

    /// How long something took, as this clock tells it: what is decided by that does not depend on
    /// how busy the machine is that runs a test.
    pub fn told(self, took: Duration) -> Duration {
        if self.set.is_some() { took / 100 } else { took }
    }
}

impl Env {
    /// Fails if there is no home folder.
    pub fn read() -> Result<Env, SystemError> {
        let variables: BTreeMap<String, String> = env::vars_os()
            .filter_map(|(k, v)| Some((platform::variable(k.to_str()?), v.into_string().ok()?)))
            .collect();
        let program = env::current_exe().unwrap_or_else(|_| PathBuf::from("co"));
        let started_in = folder(&home(&variables)?);
        let interactive = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
        Ok(Env { interactive, ..Env::of(variables, program, started_in)? })
    }

    /// That of a program with these variables, which starts in this folder and has no terminal.
    ///
    /// Fails if there is no home folder.
    pub fn of(
        variables: BTreeMap<String, String>,
        program: PathBuf,
        started_in: PathBuf,
    ) -> Result<Env, SystemError> {
        let home = home(&variables)?;
        let clock = variables.get("CO_TEST_CLOCK").and_then(|text| Stamp::parse(text));
        Ok(Env {
            interactive: false,
            host: host_name(&variables),
            config_dir: config_dir(&variables, &home, &started_in),
            clock: Clock { set: clock.map(|read| (read.stamp, Instant::now())) },
            program,
            started_in,
            home,
            variables,
        })
    }

    pub fn now(&self) -> Stamp {
        self.clock.now()
    }

    /// An environment variable; an empty one counts as unset.
    pub fn env(&self, name: &str) -> Option<&str> {
        self.variables
            .get(&platform::variable(&super::git_env::place_of(name)))
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// Whether an environment variable is set, if only to nothing.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.variables.contains_key(&platform::variable(name))
    }

    pub fn settings_file(&self) -> PathBuf {
        self.config_dir.join("settings.json")
    }

    /// Caches and operation log of an identity or project, by its resolved path so that none mix.
    pub fn state_dir(&self, root: &Path) -> PathBuf {
        let key =
            crate::identity::ContentHash::of_bytes(root.as_os_str().as_encoded_bytes()).short(12);
        self.config_dir.join("local").join("cache").join(key)
    }

    /// Whether the settings are where they are without any variable of co or XDG.
    pub fn has_default_config_dir(&self) -> bool {
        let roaming = self.variables.iter().filter(|(name, _)| *name == "APPDATA");
        let roaming = roaming.map(|(name, value)| (name.clone(), value.clone())).collect();
        self.config_dir == config_dir(&roaming, &self.home, &self.started_in)
    }

    /// The folder, or the next one above it that exists, if this process became root from another
    /// account and the folder is not root's.
    pub(crate) fn of_another_if_raised(&self, folder: &Path) -> Option<PathBuf> {
        let mut raised = ["SUDO_UID", "DOAS_USER", "PKEXEC_UID"].into_iter();
        if platform::account() != Some(0) || !raised.any(|name| self.env(name).is_some()) {
            return None;
        }
        let there = folder.ancestors().find(|folder| folder.exists())?;
        let owner = platform::owner(&std::fs::metadata(there).ok()?)?;
        (owner != 0).then(|| there.to_owned())
    }

    /// For messages, with `~` for the home folder.
    pub fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if !rest.as_os_str().is_empty() => {
                let rest: PathBuf = rest.components().collect();
                format!("~{}{}", std::path::MAIN_SEPARATOR, rest.display())
            }
            _ => path.display().to_string(),
        }
    }

    /// Expands `~`; other relative paths are relative to `from`.
    pub fn expand(&self, text: &str, from: &Path) -> PathBuf {
        expand(text, &self.home, from)
    }
}

/// The working directory at start, or the home folder if that was deleted (no child process could
/// start there).
fn folder(home: &Path) -> PathBuf {
    env::current_dir().unwrap_or_else(|_| {
        let _ = env::set_current_dir(home);
        home.to_owned()
    })
}

fn home(variables: &BTreeMap<String, String>) -> Result<PathBuf, SystemError> {
    let named = variables.get("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    named.or_else(env::home_dir).filter(|home| home.is_absolute()).ok_or_else(|| {
        SystemError::File {
            action: "find",
            path: PathBuf::from("the home folder (HOME is not set)"),
            source: std::io::Error::from(std::io::ErrorKind::NotFound),
        }
    })
}

fn config_dir(variables: &BTreeMap<String, String>, home: &Path, started_in: &Path) -> PathBuf {
    let named = |name: &str| variables.get(name).filter(|value| !value.is_empty());
    if let Some(text) = named("CO_CONFIG_DIR") {
        return expand(text, home, started_in);
    }
    // Relative values are ignored. Source: XDG Base Directory Specification.
    let xdg = named("XDG_CONFIG_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    // Windows keeps settings that follow the account here.
    let roaming = named("APPDATA").map(PathBuf::from).filter(|_| cfg!(windows));
    xdg.or(roaming).unwrap_or_else(|| home.join(".config")).join("co-cli")
}

fn expand(text: &str, home: &Path, from: &Path) -> PathBuf {
    match text.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) if rest.starts_with(std::path::is_separator) => {
            home.join(rest.trim_start_matches(std::path::is_separator))
        }
        _ => from.join(text),
    }
}

fn host_name(variables: &BTreeMap<String, String>) -> String {
    let named = variables.get("HOSTNAME").filter(|name| !name.is_empty()).cloned();
    let named = named.or_else(name_of_mac);
    let name = named.or_else(platform::host_name).unwrap_or_default();
    if name.is_empty() { "localhost".to_owned() } else { name }
}

/// A Mac's own name: the one from uname changes with the network.
fn name_of_mac() -> Option<String> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let file = Path::new("/Library/Preferences/SystemConfiguration/preferences.plist");
    local_host_name(&super::files::read_text(file).ok()??)
}

fn local_host_name(preferences: &str) -> Option<String> {
    let (_, rest) = preferences.split_once("<key>LocalHostName</key>")?;
    let (name, _) = rest.trim_start().strip_prefix("<string>")?.split_once("</string>")?;
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mac_is_called_as_its_owner_called_it() {
        let preferences = "<dict>\n\t<key>LocalHostName</key>\n\t<string>Bins-MacBook</string>";
        assert_eq!(local_host_name(preferences).as_deref(), Some("Bins-MacBook"));
        assert_eq!(local_host_name("<key>LocalHostName</key><string></string>"), None);
        assert_eq!(local_host_name("bplist00"), None);
    }
}
