//! `layer`: this laptop's list of other identities, and where each is read.
//!
//! Invariant: a layer is added by what `init` does for an identity, in a folder of its own, and
//! never from the person's own remote; removing one deletes nothing. What cannot match any place is
//! refused before anything is fetched. Must not know what is read of a layer.

use super::init;
use crate::context::LayerKind;
use crate::git::{Repo, url, without_credentials};
use crate::identity::{
    LayerName,
    layers::{self as places, Compared, PatternError},
    portable,
};
use crate::machine::{Context, context::Layering, files, keyring::Value, settings::LayerSettings};
use crate::sync;
use crate::workspace::{
    Error, ErrorKind, VerbError, Workspace, config, layers,
    recognise::{self, Counts},
};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// A layer to be added.
#[derive(Clone, Debug)]
pub struct Request {
    pub layer: LayerSettings,
    /// The URL of its repository, or a folder with an identity; without one, an empty identity
    /// begins here.
    pub target: Option<String>,
    /// What opens the repository if it is sealed: its recovery key or passphrase.
    pub key: Option<Value>,
}

/// A layer of the list, as it is shown.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LayerRow {
    pub name: String,
    pub folder: PathBuf,
    /// Without credentials.
    pub url: Option<String>,
    /// Whether only who has a key reads what lies there.
    pub sealed: bool,
    #[serde(rename = "for")]
    pub places: Vec<String>,
    pub instead: bool,
    pub write: bool,
    pub enforce: bool,
    /// Whether it is read in the current folder.
    pub active: bool,
    /// Whether its folder has an identity.
    pub exists: bool,
    pub counts: Counts,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// From far to near.
    pub layers: Vec<LayerRow>,
    /// What stands in for the person's own identity here.
    pub instead: Option<LayerName>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Added {
    pub layer: LayerRow,
    /// Whether anybody can read its remote without a login.
    pub is_public: bool,
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Where a layer goes in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Farther than this one.
    Before(String),
    /// Nearer than this one.
    After(String),
}

/// Why the list of layers stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum LayerListError {
    #[error("`{name}` cannot be the name of a layer")]
    Name { name: String },
    #[error("`{name}` has another meaning, so it cannot be the name of a layer")]
    Reserved { name: String },
    #[error("there is already a layer `{name}`")]
    Taken { name: String },
    #[error("a layer that stands in for your own identity needs its places")]
    Everywhere,
    #[error("`{text}` cannot match anything: {why}")]
    Pattern { text: String, why: PatternError },
    #[error("`{text}` cannot match anything: there is no folder {folder}")]
    NoFolder { text: String, folder: String },
    #[error("{place} is your own identity")]
    Own { place: String },
    #[error("{folder} is inside the repository {root}, which would record it")]
    Inside { folder: String, root: String },
    #[error("there is no identity at {place} yet")]
    Nothing { place: String },
    #[error("`{name}` cannot be before or after itself")]
    Itself { name: String },
}

impl VerbError for LayerListError {
    fn kind(&self) -> ErrorKind {
        match self {
            LayerListError::Name { .. }
            | LayerListError::Reserved { .. }
            | LayerListError::Everywhere
            | LayerListError::Pattern { .. }
            | LayerListError::NoFolder { .. }
            | LayerListError::Itself { .. } => ErrorKind::Invalid,
            LayerListError::Taken { .. } => ErrorKind::NeedsChoice,
            LayerListError::Own { .. } | LayerListError::Inside { .. } => ErrorKind::Refused,
            LayerListError::Nothing { .. } => ErrorKind::NotFound,
        }
    }
}

/// Words that mean a place or a kind already, and the folders of knowledge; those of an identity
/// are reserved, too.
const RESERVED: &[&str] = &[
    "me",
    "all",
    "identity",
    "project",
    "p",
    "mem",
    "sha256",
    "fact",
    "facts",
    "memory",
    "document",
    "articles",
    "people",
    "projects",
    "decisions",
    "meetings",
    "reference",
    "insights",
    "integrations",
    "docs",
    "here",
];

fn refuse_name(ws: &Workspace, name: &str) -> Result<LayerName, Error> {
    let owned = || name.to_owned();
    let sound = LayerName::new(name).ok_or_else(|| LayerListError::Name { name: owned() })?;
    let is_kind = LayerKind::ALL.iter().any(|kind| kind.name() == name);
    if is_kind || RESERVED.contains(&name) || portable::is_of_layout(name) {
        return Err(LayerListError::Reserved { name: owned() }.into());
    }
    if ws.settings.layers.iter().any(|layer| layer.name == name) {
        return Err(LayerListError::Taken { name: owned() }.into());
    }
    Ok(sound)
}

/// Refuses a pattern that can match nothing.
fn refuse_pattern(context: &Context, text: &str) -> Result<(), Error> {
    let owned = || text.to_owned();
    let compared =
        places::read(text).map_err(|why| LayerListError::Pattern { text: owned(), why })?;
    if compared == Compared::Remote {
        return Ok(());
    }
    let whole = context.expand(text.trim(), &context.home);
    let whole = whole.to_string_lossy();
    let (folder, _) = places::folder_of(&whole);
    let folder = if folder.is_empty() { "/" } else { folder };
    if files::is_dir(Path::new(folder)) {
        return Ok(());
    }
    let folder = context.shown(Path::new(folder));
    Err(LayerListError::NoFolder { text: owned(), folder }.into())
}

/// Adds a layer: an identity from its remote, in a folder of its own, or one that is here already.
pub fn add(ws: &Workspace, request: &Request, on_step: &sync::OnStep<'_>) -> Result<Added, Error> {
    let mut layer = request.layer.clone();
    let name = refuse_name(ws, &layer.name)?;
    if layer.instead && layer.places.is_empty() {
        return Err(LayerListError::Everywhere.into());
    }
    layer.places.iter().try_for_each(|text| refuse_pattern(ws, text))?;
    let folder = request.target.as_deref().and_then(|text| identity_in(ws, text));
    layer.path = folder.map(|folder| ws.shown(&folder));
    let folder = layers::folder(ws, &layer);
    refuse_own(ws, &folder, request.target.as_deref())?;
    let (is_public, warnings) = if layer.path.is_some() {
        (false, Vec::new())
    } else {
        begun(ws, (name, &layer), request, on_step)?
    };
    let mut list = ws.settings.layers.clone();
    list.push(layer.clone());
    config::set_layers(ws, &list)?;
    Ok(Added { layer: row(ws, &layer), is_public, warnings })
}

/// A folder that already is an identity; a bare repository is a remote.
fn identity_in(ws: &Workspace, text: &str) -> Option<PathBuf> {
    let path = ws.typed_path(text);
    recognise::is_identity(&path).then(|| files::resolve(&path))
}

/// What was learned on the way: whether anybody can read the remote, and warnings.
type Begun = (bool, Vec<String>);

/// Fetches the identity into the layer's folder, or begins one there.
fn begun(
    ws: &Workspace,
    (name, layer): (LayerName, &LayerSettings),
    request: &Request,
    on_step: &sync::OnStep<'_>,
) -> Result<Begun, Error> {
    let (target, folder) = (request.target.clone(), layers::folder(ws, layer));
    let there = ws.with_layer(&folder, Layering::Within(name));
    let there = Workspace::unrecovered(there);
    let publishes = layer.write || layer.instead;
    let request = init::Request {
        target: target.clone(),
        key: request.key.clone(),
        direction: if publishes { sync::Direction::Both } else { sync::Direction::Fetch },
        ..init::Request::default()
    };
    let plan = init::plan(&there, &request)?;
    if let init::Repository::Inside(root) = &plan.repository {
        let (folder, root) = (ws.shown(&folder), ws.shown(root));
        return Err(LayerListError::Inside { folder, root }.into());
    }
    // A folder with other content would become the person's own identity.
    let is_other = plan.set_path || plan.beside.is_some();
    if is_other || (plan.joins.is_none() && !plan.existing && !publishes) {
        let place =
            target.map_or_else(|| ws.shown(&folder), |url| without_credentials(url::shown(&url)));
        return Err(LayerListError::Nothing { place }.into());
    }
    let report = init::apply(&there, &plan, on_step)?;
    let of_sync = report.sync.iter().filter(|sync| sync.remote.is_some());
    let mut warnings: Vec<String> = of_sync.flat_map(|sync| sync.warnings.clone()).collect();
    warnings.extend(report.unpublished.map(|why| why.to_string()));
    Ok((plan.is_public, warnings))
}

/// A layer that is the person's own identity would be read twice, or published to others.
fn refuse_own(ws: &Workspace, folder: &Path, target: Option<&str>) -> Result<(), Error> {
    let own = files::resolve(&ws.own_identity());
    let folder = files::resolve(folder);
    if folder.starts_with(&own) || own.starts_with(&folder) {
        return Err(LayerListError::Own { place: ws.shown(&own) }.into());
    }
    let Some(url) = target.map(url::shown) else { return Ok(()) };
    let me = Workspace::unrecovered(ws.with_identity(&ws.own_identity()));
    let remote = me.repo()?.and_then(|repo| url_of(&repo, &ws.settings.sync.remote));
    let is_same = |known: &String| {
        plain(known) == plain(url)
            || files::resolve(Path::new(known)) == files::resolve(&ws.typed_path(url))
    };
    match remote.filter(is_same) {
        Some(_) => {
            let place = without_credentials(url::shown(url));
            Err(LayerListError::Own { place }.into())
        }
        None => Ok(()),
    }
}

/// A URL without what makes two spellings of one repository differ.
fn plain(url: &str) -> String {
    let project = crate::identity::project::Project::of_remote(url);
    let text = url.trim_end_matches('/');
    let text = text.strip_suffix(".git").unwrap_or(text).to_owned();
    project.map_or(text, |project| project.to_string())
}

fn url_of(repo: &Repo, remote: &str) -> Option<String> {
    let url = repo.config(&format!("remote.{remote}.url"))?;
    Some(url::shown(&url).to_owned())
}

/// The layers that this call may know of: all of the list, but where another identity stands in
/// for the person's own only those that are read there.
pub fn known(ws: &Workspace) -> Vec<&LayerSettings> {
    let Layering::Found(active) = &ws.layering else { return ws.settings.layers.iter().collect() };
    let is_read = |layer: &&LayerSettings| {
        let name = layer.layer_name();
        active.instead.is_none()
            || name
                .is_some_and(|name| active.instead == Some(name) || active.beside.contains(&name))
    };
    ws.settings.layers.iter().filter(is_read).collect()
}

/// The names of the layers that a sync of this call includes, besides its own identity: none that
/// stands in for the person's elsewhere, whose facts a sync would name.
pub fn to_sync(ws: &Workspace) -> Vec<String> {
    if !matches!(ws.layering, Layering::Found(_)) {
        return Vec::new();
    }
    let own = ws.own_layer();
    let is_other = |layer: &&LayerSettings| !layer.instead && layer.layer_name() != own;
    let others = known(ws).into_iter().filter(is_other);
    others.map(|layer| layer.name.clone()).collect()
}

pub fn list(ws: &Workspace) -> Report {
    let layers = known(ws).into_iter().map(|layer| row(ws, layer)).collect();
    Report { layers, instead: ws.instead() }
}

pub fn show(ws: &Workspace, name: &str) -> Result<LayerRow, Error> {
    let found = known(ws).into_iter().find(|layer| layer.name == name);
    let unknown = || layers::LayerError::Unknown { name: name.to_owned() };
    Ok(row(ws, found.ok_or_else(unknown)?))
}

fn row(ws: &Workspace, layer: &LayerSettings) -> LayerRow {
    let folder = layers::folder(ws, layer);
    let exists = recognise::is_identity(&files::resolve(&folder));
    let name = layer.layer_name();
    let there = name.map(|name| ws.with_layer(&folder, Layering::Within(name)));
    let there = there.map(Workspace::unrecovered);
    let repo = there.as_ref().and_then(|there| there.repo().ok().flatten());
    let sealed = repo.as_ref().is_some_and(|repo| repo.sealed_in("origin").is_some());
    let url = repo.and_then(|repo| url_of(&repo, "origin")).map(|url| without_credentials(&url));
    let active = match &ws.layering {
        Layering::Found(active) => {
            name.is_some_and(|name| active.instead == Some(name) || active.beside.contains(&name))
        }
        Layering::ByPlace | Layering::Undecided(_) | Layering::Within(_) | Layering::Alone => false,
    };
    let counts = there.as_ref().map(|there| init::counts(there.identity_place()));
    LayerRow {
        name: layer.name.clone(),
        folder,
        url,
        sealed,
        places: layer.places.clone(),
        instead: layer.instead,
        write: layer.write || layer.instead,
        enforce: layer.enforce,
        active,
        exists,
        counts: counts.unwrap_or_default(),
    }
}

/// Takes a layer off the list; its folder and its repository stay.
pub fn remove(ws: &Workspace, name: &str) -> Result<LayerRow, Error> {
    let removed = show(ws, name)?;
    let mut list = ws.settings.layers.clone();
    list.retain(|layer| layer.name != name);
    config::set_layers(ws, &list)?;
    Ok(LayerRow { active: false, ..removed })
}

/// Moves a layer beside another one; returns the new order, from far to near.
pub fn reorder(ws: &Workspace, name: &str, place: &Beside) -> Result<Vec<String>, Error> {
    let (Beside::Before(other) | Beside::After(other)) = place;
    if other == name {
        return Err(LayerListError::Itself { name: name.to_owned() }.into());
    }
    let moved = layers::find(ws, name)?.clone();
    layers::find(ws, other)?;
    let mut list = ws.settings.layers.clone();
    list.retain(|layer| layer.name != name);
    let at = list.iter().position(|layer| layer.name == *other).unwrap_or(list.len());
    let at = if matches!(place, Beside::After(_)) { (at + 1).min(list.len()) } else { at };
    list.insert(at, moved);
    config::set_layers(ws, &list)?;
    Ok(list.into_iter().map(|layer| layer.name).collect())
}
