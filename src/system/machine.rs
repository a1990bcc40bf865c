//! This laptop, as one value: folders, environment, clock, terminal.
//!
//! Invariant: the environment is read once, here; everything else is handed what it needs.

use super::{
    error::SystemError,
    files,
    settings::{self, Settings},
};
use crate::identity::Stamp;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    env,
    io::IsTerminal,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

/// Who said where the identity lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// `--identity`
    Flag,
    /// `CO_IDENTITY_PATH`
    Environment,
    /// `identity_path` in settings.json
    Settings,
    /// `~/.config/co-cli/identity`
    Default,
}

/// Where the identity lies.
#[derive(Clone, Debug)]
pub struct IdentityPlace {
    /// As it was named, for messages.
    pub path: PathBuf,
    /// Without links, for work.
    pub resolved: PathBuf,
    /// Who said so.
    pub source: Source,
}

/// What the command line says about places.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// `--identity PATH`
    pub identity: Option<PathBuf>,
    /// `-C DIR`
    pub directory: Option<PathBuf>,
}

/// This laptop.
#[derive(Clone, Debug)]
pub struct Machine {
    /// The home folder.
    pub home: PathBuf,
    /// Where the user stands.
    pub cwd: PathBuf,
    /// `~/.config/co-cli`
    pub config_dir: PathBuf,
    /// What settings.json says.
    pub settings: Settings,
    /// Where the identity lies.
    pub identity: IdentityPlace,
    /// Whether a person can be asked: standard input and error are terminals.
    pub interactive: bool,
    /// This laptop's name.
    pub host: String,
    /// The co that is running, for hooks that call it.
    pub program: PathBuf,
    environment: BTreeMap<String, String>,
    fixed_clock: Option<Stamp>,
}

impl Machine {
    /// Reads the environment and the settings.
    ///
    /// # Errors
    /// When there is no home folder, the folder of `-C` does not exist, or settings.json is
    /// damaged.
    pub fn read(overrides: &Overrides) -> Result<Machine, SystemError> {
        let environment: BTreeMap<String, String> = env::vars_os()
            .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
            .collect();
        let home = home(&environment)?;
        let here = env::current_dir().unwrap_or_else(|_| home.clone());
        let cwd = match &overrides.directory {
            Some(directory) if here.join(directory).is_dir() => {
                files::resolve(&here.join(directory))
            }
            Some(directory) => {
                let source = std::io::Error::from(std::io::ErrorKind::NotFound);
                return Err(SystemError::File {
                    action: "change to",
                    path: directory.clone(),
                    source,
                });
            }
            None => here,
        };
        let config_dir = config_dir(&environment, &home);
        let settings = settings::read(&config_dir.join("settings.json"))?;
        let (path, source) =
            identity_path(overrides, &environment, &settings, &home, &cwd, &config_dir);
        let identity = IdentityPlace { resolved: files::resolve(&path), path, source };
        let fixed_clock = environment
            .get("CO_TEST_CLOCK")
            .and_then(|text| Stamp::parse(text))
            .map(|read| read.stamp);
        Ok(Machine {
            interactive: std::io::stdin().is_terminal() && std::io::stderr().is_terminal(),
            host: host_name(&environment),
            program: env::current_exe().unwrap_or_else(|_| PathBuf::from("co")),
            home,
            cwd,
            config_dir,
            settings,
            identity,
            environment,
            fixed_clock,
        })
    }

    /// The same laptop with its identity elsewhere, for `init DIR`.
    pub fn with_identity(&self, path: &Path) -> Machine {
        let identity = IdentityPlace {
            path: path.to_owned(),
            resolved: files::resolve(path),
            source: self.identity.source,
        };
        Machine { identity, ..self.clone() }
    }

    /// The clock, to the microsecond. Tests may fix where it starts (`CO_TEST_CLOCK`).
    pub fn now(&self) -> Stamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let real = Stamp::from_micros(i64::try_from(since.as_micros()).unwrap_or(i64::MAX));
        self.fixed_clock.map_or(real, |fixed| {
            fixed.with_fraction(u32::try_from(real.micros() % 1_000_000).unwrap_or(0))
        })
    }

    /// A variable of the environment; empty counts as not set.
    pub fn env(&self, name: &str) -> Option<&str> {
        self.environment.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// `settings.json`
    pub fn settings_file(&self) -> PathBuf {
        self.config_dir.join("settings.json")
    }

    /// `local/`: what can be made again.
    pub fn local_dir(&self) -> PathBuf {
        self.config_dir.join("local")
    }

    /// Where the caches and the operation log of an identity or project lie: by its resolved path,
    /// so that two do not mix.
    pub fn state_dir(&self, root: &Path) -> PathBuf {
        let key =
            crate::identity::ContentHash::of_bytes(root.as_os_str().as_encoded_bytes()).short(12);
        self.local_dir().join("cache").join(key)
    }

    /// A path as people write it: `~` for the home folder.
    pub fn shown(&self, path: &Path) -> String {
        match path.strip_prefix(&self.home) {
            Ok(rest) if !rest.as_os_str().is_empty() => format!("~/{}", rest.display()),
            _ => path.display().to_string(),
        }
    }

    /// The project's `.co-cli` folder, found by walking up from where the user stands. The home
    /// folder is no project.
    pub fn project_dir(&self) -> Option<PathBuf> {
        let found = self
            .cwd
            .ancestors()
            .map(|folder| folder.join(".co-cli"))
            .find(|folder| folder.is_dir())?;
        (found.parent() != Some(self.home.as_path())).then_some(found)
    }

    /// The time zone of this laptop, when it can be told.
    pub fn time_zone(&self) -> Option<String> {
        jiff::tz::TimeZone::system().iana_name().map(str::to_owned)
    }

    /// A path that a person typed: `~` expanded, relative to where they stand.
    pub fn typed_path(&self, text: &str) -> PathBuf {
        expand(text, &self.home, &self.cwd)
    }
}

fn home(environment: &BTreeMap<String, String>) -> Result<PathBuf, SystemError> {
    let named = environment.get("HOME").filter(|home| !home.is_empty()).map(PathBuf::from);
    named.or_else(env::home_dir).filter(|home| home.is_absolute()).ok_or_else(|| {
        SystemError::File {
            action: "find",
            path: PathBuf::from("the home folder (HOME is not set)"),
            source: std::io::Error::from(std::io::ErrorKind::NotFound),
        }
    })
}

fn config_dir(environment: &BTreeMap<String, String>, home: &Path) -> PathBuf {
    let absolute =
        |name: &str| environment.get(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("CO_CONFIG_DIR")
        .or_else(|| absolute("XDG_CONFIG_HOME").map(|path| path.join("co-cli")))
        .unwrap_or_else(|| home.join(".config").join("co-cli"))
}

fn identity_path(
    overrides: &Overrides,
    environment: &BTreeMap<String, String>,
    settings: &Settings,
    home: &Path,
    cwd: &Path,
    config_dir: &Path,
) -> (PathBuf, Source) {
    if let Some(path) = &overrides.identity {
        return (expand(&path.to_string_lossy(), home, cwd), Source::Flag);
    }
    if let Some(path) = environment.get("CO_IDENTITY_PATH").filter(|path| !path.is_empty()) {
        return (expand(path, home, cwd), Source::Environment);
    }
    if let Some(path) = settings.identity_path.as_ref().filter(|path| !path.is_empty()) {
        return (expand(path, home, config_dir), Source::Settings);
    }
    (config_dir.join("identity"), Source::Default)
}

fn expand(text: &str, home: &Path, from: &Path) -> PathBuf {
    match text.strip_prefix('~') {
        Some("") => home.to_owned(),
        Some(rest) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
        _ => from.join(text),
    }
}

fn host_name(environment: &BTreeMap<String, String>) -> String {
    let named = environment.get("HOSTNAME").filter(|name| !name.is_empty()).cloned();
    let name =
        named.unwrap_or_else(|| rustix::system::uname().nodename().to_string_lossy().into_owned());
    if name.is_empty() { "localhost".to_owned() } else { name }
}
