//! The layers of a call: told from its place when the workspace is opened, and read or written as
//! stores beside the identity. See [`crate::identity::layers`] for what a layer is.
//!
//! Invariant: where another identity stands in for the person's own, no way leads to that from
//! here: the context itself has the other one. Nothing is written to a layer unless this laptop may
//! write there. Must not know any verb, nor what a layer contains.

mod confined;

pub use confined::{confined, refuse_own};

use super::{Error, ErrorKind, VerbError};
use crate::git;
use crate::identity::{
    LayerName, Scope,
    layers::{
        self, ActiveLayers, Compared, LayerRole, LayerRule, Place, PlacePattern, Remotes, Undecided,
    },
    scope::HERE,
};
use crate::machine::{
    Context,
    context::{IdentitySource, Layering},
    files,
    settings::{Concern, LayerSettings, Section},
};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Why a layer is not read or written here.
#[derive(Debug, thiserror::Error)]
pub enum LayerError {
    #[error("{}", undecided(why, folder))]
    Undecided { why: Undecided, folder: String },
    #[error("your own identity is not read here: {name} stands in for it")]
    NoMe { name: LayerName },
    #[error("there is no layer `{name}`")]
    Unknown { name: String },
    #[error("the layer {name} is not read here: {instead} stands in for your own identity")]
    NotHere { name: LayerName, instead: LayerName },
    #[error("{name} stands in for the user's own identity here, and {folder} is not its place")]
    OtherPlace { name: LayerName, folder: String },
    #[error("the layer {name} has no identity in {folder}")]
    Missing { name: LayerName, folder: String },
    #[error("the layer {name} is read-only on this laptop")]
    ReadOnly { name: LayerName },
}

impl VerbError for LayerError {
    fn kind(&self) -> ErrorKind {
        match self {
            LayerError::Undecided { .. }
            | LayerError::NoMe { .. }
            | LayerError::NotHere { .. }
            | LayerError::OtherPlace { .. }
            | LayerError::ReadOnly { .. } => ErrorKind::Refused,
            LayerError::Unknown { .. } => ErrorKind::NotFound,
            LayerError::Missing { .. } => ErrorKind::NotSetUp,
        }
    }
}

fn undecided(why: &Undecided, folder: &str) -> String {
    match why {
        Undecided::Two(one, other) => format!(
            "{folder} is a place of two layers that stand in for your own identity: {one} and \
             {other}"
        ),
        Undecided::Unreadable(name) => format!(
            "the repository around {folder} cannot be read, so that this may be a place of the \
             layer {name}"
        ),
        Undecided::NoList => {
            "the list of layers in settings.json cannot be read, so that it is not known whose \
             place this is"
                .to_owned()
        }
        Undecided::NamesMe(name) => format!(
            "your own identity is not read in {folder}, where the layer {name} stands in for it"
        ),
    }
}

/// The folder below the settings with the clones of layers.
pub const FOLDER: &str = "layers";

/// The folder of a layer.
pub fn folder(context: &Context, layer: &LayerSettings) -> PathBuf {
    match &layer.path {
        Some(path) => context.expand(path, &context.config_dir),
        None => context.config_dir.join(FOLDER).join(&layer.name),
    }
}

/// A layer of this laptop's list.
pub fn find<'a>(context: &'a Context, name: &str) -> Result<&'a LayerSettings, Error> {
    let found = context.settings.layers.iter().find(|layer| layer.name == name);
    Ok(found.ok_or_else(|| LayerError::Unknown { name: name.to_owned() })?)
}

/// The forms in which a pattern of places is compared, with links resolved, too.
pub fn pattern(context: &Context, text: &str) -> PlacePattern {
    if layers::read(text) != Ok(Compared::Folder) {
        return PlacePattern::Remote(text.trim().to_owned());
    }
    let typed = slashed(&context.expand(text.trim(), &context.home));
    let (folder, rest) = layers::folder_of(&typed);
    let resolved = format!("{}{rest}", slashed(&files::resolve(Path::new(folder))));
    PlacePattern::Folder(BTreeSet::from([resolved, typed]).into_iter().collect())
}

fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if cfg!(windows) { text.replace('\\', "/") } else { text.into_owned() }
}

fn rules(context: &Context) -> Vec<LayerRule> {
    let rule = |layer: &LayerSettings| {
        let places = layer.places.iter().map(|text| pattern(context, text)).collect();
        let role = if layer.instead { LayerRole::Instead } else { LayerRole::Beside };
        Some(LayerRule { name: layer.layer_name()?, places, role })
    };
    context.settings.layers.iter().filter_map(rule).collect()
}

/// A folder as patterns are compared with it. Git is asked only if a pattern is about remotes.
fn place(context: &Context, rules: &[LayerRule], folder: &Path) -> Place {
    let mut folders = BTreeSet::from([slashed(folder), slashed(&files::resolve(folder))]);
    // The shell knows the links by which a person came here.
    let came_by = context.env("PWD").map(PathBuf::from).filter(|came_by| {
        came_by.is_absolute() && files::resolve(came_by) == files::resolve(folder)
    });
    folders.extend(came_by.as_deref().map(slashed));
    let remotes = if rules.iter().any(|rule| rule.places.iter().any(PlacePattern::is_remote)) {
        git::remotes_around(folder).map_or(Remotes::Unreadable, Remotes::Known)
    } else {
        Remotes::Known(Vec::new())
    };
    Place { folders: folders.into_iter().collect(), remotes }
}

/// The layers of a folder. A repository inside another one, such as a submodule, has the stand-in
/// of that, unless its own remotes have one.
fn active(
    context: &Context,
    rules: &[LayerRule],
    folder: &Path,
) -> Result<ActiveLayers, Undecided> {
    let mut place = place(context, rules, folder);
    let nearest = layers::active(rules, &place)?;
    let is_by_remote = |rule: &LayerRule| {
        rule.role == LayerRole::Instead && rule.places.iter().any(PlacePattern::is_remote)
    };
    if nearest.instead.is_some() || !rules.iter().any(is_by_remote) {
        return Ok(nearest);
    }
    let mut root = git::repository_above(folder);
    while let Some(outer) = root.as_deref().and_then(Path::parent) {
        let around = git::repository_above(outer);
        if around.is_none() {
            break;
        }
        place.remotes = match (place.remotes, git::remotes_around(outer)) {
            (Remotes::Known(near), Some(far)) => Remotes::Known([near, far].concat()),
            _ => Remotes::Unreadable,
        };
        let there = layers::active(rules, &place)?;
        if there.instead.is_some() {
            return Ok(there);
        }
        root = around;
    }
    Ok(nearest)
}

/// Whether the list of layers cannot be read as it was written.
fn has_no_list(context: &Context) -> bool {
    let of_list = Concern::Section(Section::Layers);
    let mut faults = context.settings.faults.iter();
    let is_broken = |concern: Concern| {
        concern == of_list
            || (concern == Concern::Everything && files::is_dir(&context.config_dir.join(FOLDER)))
    };
    faults.any(|fault| is_broken(fault.concern))
}

/// The same call with the layers of its place, if they are not known yet. Costs nothing on a laptop
/// without layers.
pub fn found(context: Context) -> Context {
    if context.layering != Layering::ByPlace {
        return context;
    }
    if has_no_list(&context) {
        return without_identity(&context, Undecided::NoList);
    }
    if context.settings.layers.is_empty() {
        return context.layered(Layering::Alone);
    }
    let rules = rules(&context);
    let active = match active(&context, &rules, &context.cwd) {
        Ok(active) => active,
        Err(why) => return without_identity(&context, why),
    };
    let is_named = context.identity.source == IdentitySource::Flag;
    let Some(name) = active.instead else {
        let layering = if is_named { Layering::Alone } else { Layering::Found(Arc::new(active)) };
        return context.layered(layering);
    };
    if is_named {
        let own = files::resolve(&context.own_identity());
        return if context.identity.resolved == own {
            without_identity(&context, Undecided::NamesMe(name))
        } else {
            context.layered(Layering::Alone)
        };
    }
    let of_it = context.settings.layers.iter().find(|layer| layer.layer_name() == Some(name));
    let folder = of_it.map(|layer| folder(&context, layer));
    let folder = folder.expect("because it was found in the list");
    context.with_layer(&folder, Layering::Found(Arc::new(active)))
}

/// A call that knows no identity: the place of its identity is one where nothing ever is.
fn without_identity(context: &Context, why: Undecided) -> Context {
    let nowhere = context.config_dir.join(FOLDER).join(".undecided");
    context.with_layer(&nowhere, Layering::Undecided(why))
}

/// The same call about one layer alone, as if that were the person's identity.
pub fn within(context: &Context, name: &str) -> Result<Context, Error> {
    let (layer, name) = allowed(context, name)?;
    let folder = folder(context, layer);
    Ok(context.with_layer(&folder, Layering::Within(name)).confined(Scope::Identity))
}

/// The scope of a layer that was named, in this call.
pub fn scope(context: &Context, name: &str) -> Result<Scope, Error> {
    if name == HERE {
        return Ok(Scope::Layer(LayerName::here()));
    }
    let (_, name) = allowed(context, name)?;
    let is_identity = context.instead() == Some(name);
    Ok(if is_identity { Scope::Identity } else { Scope::Layer(name) })
}

/// Refuses a place that a client named, if the one where it works belongs to a layer that stands in
/// and the other does not.
pub fn refuse_other_place(own: &Context, named: &Context) -> Result<(), Error> {
    match own.instead() {
        Some(name) if named.instead() != Some(name) => {
            let folder = named.shown(&named.cwd);
            Err(LayerError::OtherPlace { name, folder }.into())
        }
        _ => Ok(()),
    }
}

/// A layer that this call may read when it is named.
pub(super) fn allowed<'a>(
    context: &'a Context,
    name: &str,
) -> Result<(&'a LayerSettings, LayerName), Error> {
    let layer = find(context, name)?;
    let unknown = || LayerError::Unknown { name: name.to_owned() };
    let name = layer.layer_name().ok_or_else(unknown)?;
    match &context.layering {
        Layering::Found(active) => match active.instead {
            Some(instead) if instead != name && !active.beside.contains(&name) => {
                Err(LayerError::NotHere { name, instead }.into())
            }
            _ => Ok((layer, name)),
        },
        Layering::Undecided(_) => Err(unread(context)),
        Layering::ByPlace | Layering::Within(_) | Layering::Alone => Ok((layer, name)),
    }
}

/// Why a call has no identity.
pub(super) fn unread(context: &Context) -> Error {
    let folder = context.shown(&context.cwd);
    let why = match &context.layering {
        Layering::Undecided(why) => why.clone(),
        _ => Undecided::NoList,
    };
    LayerError::Undecided { why, folder }.into()
}

/// Whether what agents noted in this folder belongs to the identity of this call: that of a place
/// where another stands in stays there, and a team gets none.
pub fn owns_notes_of(context: &Context, folder: &Path) -> bool {
    if context.settings.layers.is_empty() {
        return true;
    }
    let rules = rules(context);
    let there = active(context, &rules, folder);
    let here = context.instead();
    there.is_ok_and(|there| there.instead == here)
}

/// Whether notes that belong to no folder may be read and written by this call: not if there are
/// several identities that they could be about.
pub fn owns_common_notes(context: &Context) -> bool {
    !is_of_team(context) && !has_stand_in(context)
}

/// Whether another identity stands in for the person's own in some places: then nothing of either
/// is put where it is read everywhere.
pub fn has_stand_in(context: &Context) -> bool {
    context.settings.layers.iter().any(|layer| layer.instead)
}

/// Whether this call is about a layer that does not stand in for the person's own identity.
pub fn is_of_team(context: &Context) -> bool {
    context.identity.source == IdentitySource::Layer && context.instead().is_none()
}

/// The folders of the layers that are read whatever the place, from far to near.
pub(super) fn common_folders(context: &Context) -> Vec<(LayerName, PathBuf)> {
    let Layering::Found(active) = &context.layering else { return Vec::new() };
    let common = active.beside.iter().filter_map(|name| {
        let layer = find(context, name.as_str()).ok()?;
        layer.places.is_empty().then(|| (*name, folder(context, layer)))
    });
    common.collect()
}

/// Whether this call may push: to a layer only if this laptop may write there.
pub fn publishes(context: &Context) -> bool {
    let Layering::Within(name) = &context.layering else { return true };
    find(context, name.as_str()).is_ok_and(|layer| layer.write || layer.instead)
}
