//! Where a call happens: folder, settings, identity.
//!
//! Invariant: a value; the same process can work in many contexts at once.

use super::{
    env::Env,
    error::SystemError,
    files,
    settings::{self, Settings},
};
use serde::Serialize;
use std::{
    ops::Deref,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Who said where the identity lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
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
    pub identity: Option<PathBuf>,
    /// `-C DIR`
    pub directory: Option<PathBuf>,
}

/// Where a call happens, and the process that it happens in.
#[derive(Clone, Debug)]
pub struct Context {
    env: Arc<Env>,
    /// Where the user stands.
    pub cwd: PathBuf,
    /// What settings.json says.
    pub settings: Settings,
    /// Where the identity lies.
    pub identity: IdentityPlace,
}

impl Deref for Context {
    type Target = Env;

    fn deref(&self) -> &Env {
        &self.env
    }
}

impl Context {
    /// Reads the settings, and finds folder and identity.
    ///
    /// # Errors
    /// When the folder of `-C` does not exist, or settings.json is damaged.
    pub fn read(env: Arc<Env>, overrides: &Overrides) -> Result<Context, SystemError> {
        let here = &env.started_in;
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
            None => here.clone(),
        };
        let settings = settings::read(&env.settings_file())?;
        let (path, source) = identity_path(&env, overrides, &settings, &cwd);
        let identity = IdentityPlace { resolved: files::resolve(&path), path, source };
        Ok(Context { env, cwd, settings, identity })
    }

    /// The same laptop with its identity elsewhere, for `init DIR`.
    pub fn with_identity(&self, path: &Path) -> Context {
        let identity = IdentityPlace {
            path: path.to_owned(),
            resolved: files::resolve(path),
            source: self.identity.source,
        };
        Context { identity, ..self.clone() }
    }

    /// The project's `.co-cli` folder, found by walking up from where the user stands. The home
    /// folder is no project.
    pub fn project_dir(&self) -> Option<PathBuf> {
        self.project_dirs().into_iter().next()
    }

    /// Every `.co-cli` folder at or above where the user stands, the nearest first: those of the
    /// projects that theirs lies in.
    pub fn project_dirs(&self) -> Vec<PathBuf> {
        let above = self.cwd.ancestors().take_while(|folder| *folder != self.home.as_path());
        above.map(|folder| folder.join(".co-cli")).filter(|folder| folder.is_dir()).collect()
    }

    /// A path that a person typed: `~` expanded, relative to where they stand.
    pub fn typed_path(&self, text: &str) -> PathBuf {
        self.expand(text, &self.cwd)
    }
}

fn identity_path(
    env: &Env,
    overrides: &Overrides,
    settings: &Settings,
    cwd: &Path,
) -> (PathBuf, Source) {
    if let Some(path) = &overrides.identity {
        return (env.expand(&path.to_string_lossy(), cwd), Source::Flag);
    }
    if let Some(path) = env.env("CO_IDENTITY_PATH") {
        return (env.expand(path, cwd), Source::Environment);
    }
    if let Some(path) = settings.identity_path.as_ref().filter(|path| !path.is_empty()) {
        return (env.expand(path, &env.config_dir), Source::Settings);
    }
    (env.config_dir.join("identity"), Source::Default)
}
