//! The context of a call: folder, settings, identity.
//!
//! Invariant: a plain value; one process can work in many contexts at once.

use super::{
    env::Env,
    error::SystemError,
    files, link_farm,
    settings::{self, LayerSettings, Section, Settings, SyncSettings},
    zone,
};
use crate::identity::{
    Calendar, LayerName, Scope, Stamp,
    layers::{ActiveLayers, Undecided},
};
use serde::Serialize;
use std::{
    any::Any,
    ops::Deref,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

/// What determined where the identity is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum IdentitySource {
    Flag,
    /// `CO_IDENTITY_PATH`
    Environment,
    /// `identity_path` in settings.json
    Settings,
    /// `~/.config/co-cli/identity`
    Default,
    /// A layer, by `--layer` or because it stands in for the person's own.
    Layer,
}

/// Which layers a call has.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Layering {
    /// Those of its place, which a workspace looks for when it is opened.
    #[default]
    ByPlace,
    /// Those that were found; the identity is what stands in there, if anything does.
    Found(Arc<ActiveLayers>),
    /// It cannot be told whose place it is: there is no identity.
    Undecided(Undecided),
    /// The identity is this layer, and nothing else is read.
    Within(LayerName),
    /// Only the identity that was named.
    Alone,
}

#[derive(Clone, Debug)]
pub struct IdentityPlace {
    /// As the user wrote it, for messages.
    pub path: PathBuf,
    /// With symlinks resolved, for file access.
    pub resolved: PathBuf,
    /// A folder of symlinks into `resolved`, where other programs may still create files.
    pub links: Option<PathBuf>,
    pub source: IdentitySource,
}

impl IdentityPlace {
    fn new(path: PathBuf, source: IdentitySource) -> IdentityPlace {
        let resolved = files::resolve(&path);
        match link_farm::folder_behind(&resolved) {
            Some(behind) => IdentityPlace { path, resolved: behind, links: Some(resolved), source },
            None => IdentityPlace { path, resolved, links: None, source },
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Overrides {
    pub identity: Option<PathBuf>,
    /// `-C DIR`
    pub directory: Option<PathBuf>,
}

/// How the log names what a person did on the page of `co web`.
pub const PAGE: &str = "web";

/// The program that calls co, an agent's or [`PAGE`], and its session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caller {
    /// The name it gives itself: `claude-code`.
    pub client: String,
    pub session: String,
}

/// How many answers the process gives before it ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Answers {
    One,
    Many,
}

/// What one room above keeps for the length of a call; only that room knows what it is.
#[derive(Clone, Debug, Default)]
pub struct Kept(Arc<OnceLock<Box<dyn Any + Send + Sync>>>);

impl Kept {
    /// Made when it is first asked for.
    pub fn get<T: Any + Default + Send + Sync>(&self) -> &T {
        let kept = self.0.get_or_init(|| Box::new(T::default()));
        kept.downcast_ref::<T>().expect("because one room alone keeps something here")
    }
}

#[derive(Clone, Debug)]
pub struct Context {
    env: Arc<Env>,
    /// The working directory of the process, or the folder from `-C`.
    pub cwd: PathBuf,
    pub settings: Settings,
    pub identity: IdentityPlace,
    pub layering: Layering,
    /// The one place that is read and written, if a person named one.
    pub only: Option<Scope>,
    /// The calling agent; `None` for a person.
    pub caller: Option<Caller>,
    /// What was done on the way, for those who ask with `--verbose`; shared by all copies.
    noted: Arc<Mutex<Vec<String>>>,
    /// Read when the first day is needed.
    calendar: Arc<OnceLock<Calendar>>,
    /// The moment that answers are about, if it is not now.
    about: Option<Stamp>,
    pub answers: Answers,
    /// Shared by all that one call does.
    pub kept: Kept,
}

impl Deref for Context {
    type Target = Env;

    fn deref(&self) -> &Env {
        &self.env
    }
}

impl Context {
    /// What the process was started with, for what outlives a call.
    pub fn started_with(&self) -> Arc<Env> {
        Arc::clone(&self.env)
    }

    /// Whether it is the identity that this laptop uses by default.
    pub fn is_usual_identity(&self) -> bool {
        matches!(self.identity.source, IdentitySource::Settings | IdentitySource::Default)
    }

    /// Fails if the folder of `-C` does not exist. Faults in settings.json are reported by
    /// [`Context::require`].
    pub fn read(env: Arc<Env>, overrides: &Overrides) -> Result<Context, SystemError> {
        let file = env.settings_file();
        let settings = settings::read(&file, &env.shown(&file));
        let here = &env.started_in;
        let cwd = match &overrides.directory {
            Some(directory) if here.join(directory).is_dir() => {
                files::resolve(&here.join(directory))
            }
            Some(directory) => return Err(SystemError::NoFolder { path: directory.clone() }),
            None => here.clone(),
        };
        let (path, source) = identity_path(&env, overrides, &settings, &cwd);
        let identity = IdentityPlace::new(path, source);
        Ok(Context {
            env,
            cwd,
            settings,
            identity,
            layering: Layering::ByPlace,
            only: None,
            caller: None,
            noted: Arc::default(),
            calendar: Arc::default(),
            about: None,
            answers: Answers::Many,
            kept: Kept::default(),
        })
    }

    /// The same, for a process that ends after one answer.
    pub fn for_one_answer(self) -> Context {
        Context { answers: Answers::One, ..self }
    }

    /// The same, for a process that gives many answers.
    pub fn for_many_answers(self) -> Context {
        Context { answers: Answers::Many, ..self }
    }

    /// Notes what was done on the way, once; only `--verbose` shows it.
    pub fn note_for_verbose(&self, line: String) {
        let mut noted = self.noted.lock().unwrap_or_else(PoisonError::into_inner);
        if !noted.contains(&line) {
            noted.push(line);
        }
    }

    pub fn noted(&self) -> Vec<String> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Fails for root by `sudo` where the settings or the identity belong to somebody else, who
    /// could not change what root writes there.
    pub fn not_raised(self) -> Result<Context, SystemError> {
        let folders = [&self.config_dir, &self.identity.resolved];
        let found = folders.into_iter().find_map(|folder| self.of_another_if_raised(folder));
        match found {
            Some(folder) => Err(SystemError::Raised { folder }),
            None => Ok(self),
        }
    }

    /// Fails if required settings are invalid.
    pub fn require(&self, needed: &[Section]) -> Result<(), SystemError> {
        let is_open = |section: &Section| *section != Section::Place || self.is_usual_identity();
        let needed: Vec<Section> = needed.iter().copied().filter(is_open).collect();
        self.settings.refuse(&needed)
    }

    /// The same laptop with its identity elsewhere, for `init DIR`.
    pub fn with_identity(&self, path: &Path) -> Context {
        let identity = IdentityPlace::new(path.to_owned(), self.identity.source);
        Context { identity, layering: Layering::Alone, calendar: Arc::default(), ..self.clone() }
    }

    /// The same, with the files of the identity named as if they were in this folder.
    pub fn shown_as(mut self, folder: &Path) -> Context {
        self.identity.path = folder.to_owned();
        self
    }

    /// The same call with the identity of a layer. The login and the branch in the settings are
    /// those of the person's own remote.
    pub fn with_layer(&self, path: &Path, layering: Layering) -> Context {
        let identity = IdentityPlace::new(path.to_owned(), IdentitySource::Layer);
        let mut settings = self.settings.clone();
        let timeout = settings.sync.timeout;
        settings.sync = SyncSettings { timeout, ..SyncSettings::default() };
        Context { identity, layering, settings, calendar: Arc::default(), ..self.clone() }
    }

    /// The same, with what is known of its layers.
    pub fn layered(self, layering: Layering) -> Context {
        Context { layering, ..self }
    }

    /// The same, about one place alone.
    pub fn confined(self, only: Scope) -> Context {
        Context { only: Some(only), ..self }
    }

    /// What this laptop is called.
    pub fn laptop(&self) -> &str {
        let named = self.settings.host.as_deref().map(str::trim);
        named.filter(|name| !name.is_empty()).unwrap_or(&self.host)
    }

    /// The layer that stands in for the person's own identity in this call.
    pub fn instead(&self) -> Option<LayerName> {
        match &self.layering {
            Layering::Found(active) => active.instead,
            Layering::Within(name) => {
                let mut layers = self.settings.layers.iter();
                let is_it =
                    |layer: &LayerSettings| layer.instead && layer.layer_name() == Some(*name);
                layers.any(is_it).then_some(*name)
            }
            Layering::ByPlace | Layering::Undecided(_) | Layering::Alone => None,
        }
    }

    /// Where the person's own identity is, whichever this call works on.
    pub fn own_identity(&self) -> PathBuf {
        identity_path(&self.env, &Overrides::default(), &self.settings, &self.cwd).0
    }

    /// The days of the person: in the time zone of the profile, else in that of the laptop.
    pub fn calendar(&self) -> &Calendar {
        self.calendar.get_or_init(|| zone::calendar(&self.env, &self.identity.resolved))
    }

    /// The same, with the days of another context.
    pub fn dated_as(self, other: &Context) -> Context {
        other.calendar();
        Context { calendar: Arc::clone(&other.calendar), ..self }
    }

    /// The moment that answers are about: what held then is shown. That of `--on`, else that of
    /// `--at`, else now.
    pub fn moment(&self) -> Stamp {
        self.about.unwrap_or_else(|| self.now())
    }

    /// The same, for answers about another moment.
    pub fn about(self, moment: Stamp) -> Context {
        Context { about: Some(moment), ..self }
    }

    /// The current context for a call from another folder on the same laptop.
    ///
    /// Fails like [`Context::read`], or if the identity's location is unknown.
    pub fn anew(&self, directory: Option<&Path>) -> Result<Context, SystemError> {
        let is_named = self.identity.source == IdentitySource::Flag;
        let overrides = Overrides {
            identity: is_named.then(|| self.identity.path.clone()),
            directory: Some(directory.unwrap_or(&self.cwd).to_owned()),
        };
        let again = Context::read(Arc::clone(&self.env), &overrides)?;
        again.require(&[Section::Place])?;
        Ok(Context { caller: self.caller.clone(), ..again })
    }

    pub fn called_by(self, caller: Caller) -> Context {
        Context { caller: Some(caller), ..self }
    }

    /// The nearest `.co-cli` folder at or above `cwd`. The home folder is not a project.
    pub fn project_dir(&self) -> Option<PathBuf> {
        self.project_dirs().into_iter().next()
    }

    /// Every `.co-cli` folder at or above `cwd`, nearest first: projects may be nested.
    pub fn project_dirs(&self) -> Vec<PathBuf> {
        let above = self.cwd.ancestors().take_while(|folder| *folder != self.home.as_path());
        above.map(|folder| folder.join(".co-cli")).filter(|folder| folder.is_dir()).collect()
    }

    /// Expands `~`; other relative paths are relative to `cwd`.
    pub fn typed_path(&self, text: &str) -> PathBuf {
        self.expand(text, &self.cwd)
    }
}

fn identity_path(
    env: &Env,
    overrides: &Overrides,
    settings: &Settings,
    cwd: &Path,
) -> (PathBuf, IdentitySource) {
    if let Some(path) = &overrides.identity {
        return (env.expand(&path.to_string_lossy(), cwd), IdentitySource::Flag);
    }
    if let Some(path) = env.env("CO_IDENTITY_PATH") {
        return (env.expand(path, cwd), IdentitySource::Environment);
    }
    if let Some(path) = settings.identity_path.as_ref().filter(|path| !path.is_empty()) {
        return (env.expand(path, &env.config_dir), IdentitySource::Settings);
    }
    (env.config_dir.join("identity"), IdentitySource::Default)
}
