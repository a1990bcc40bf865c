//! The stores of a call: the identity, the layers beside it, and the projects around its place.
//!
//! Invariant: the identity is checked before it is given out. Where it cannot be told whose place
//! this is, nothing is written for anybody.

use super::{
    Error, ErrorKind, Workspace,
    layers::{LayerError, allowed, find, folder, unread},
    recognise,
};
use crate::identity::{LayerName, scope::HOSTS, slug};
use crate::index::store::{Scope, Store, StoreError, Writers};
use crate::machine::{context::Layering, files};
use std::{collections::BTreeSet, path::Path};

/// Each of them once, where it comes first.
pub fn each_once<'a>(stores: impl Iterator<Item = &'a Store>) -> Vec<&'a Store> {
    let mut seen = BTreeSet::new();
    stores.filter(|store| seen.insert(store.root.as_path())).collect()
}

impl Workspace {
    /// Fails without an identity folder, or if it contains something else.
    pub fn identity(&self) -> Result<&Store, Error> {
        if !self.recognised.get() {
            self.decided()?;
            let resolved = &self.context.identity.resolved;
            if !files::is_dir(resolved) {
                let path = self.shown(&self.context.identity.path);
                return Err(match self.own_layer() {
                    Some(name) => LayerError::Missing { name, folder: path }.into(),
                    None => StoreError::NoIdentity { path }.into(),
                });
            }
            recognise::refuse_folder(self, resolved)?;
        }
        self.recognised.set(true);
        Ok(&self.identity)
    }

    pub fn project(&self) -> Option<Store> {
        Store::project(self)
    }

    /// The current project and those around it, nearest first; refuses a symlink to elsewhere.
    pub fn projects(&self) -> Result<&[Store], Error> {
        if let Some(known) = self.projects.get() {
            return Ok(known);
        }
        let found = Store::projects(self)?;
        Ok(self.projects.get_or_init(|| found))
    }

    /// The store of the given scope, or all: the layers from far to near, the identity, the
    /// projects, of which the first is the nearest.
    pub fn to_read(&self, scope: Option<Scope>) -> Result<Vec<Store>, Error> {
        match scope.or(self.only) {
            Some(Scope::Identity) => Ok(vec![self.identity()?.clone()]),
            Some(Scope::Layer(name)) => Ok(vec![self.layer(name)?]),
            Some(Scope::Project) => match self.projects()? {
                [] => Err(self.no_project()),
                projects => Ok(projects.to_vec()),
            },
            None => {
                let (projects, identity) = (self.projects()?, self.identity());
                let mut stores: Vec<Store> = match identity {
                    Err(error) if projects.is_empty() || error.kind() == ErrorKind::Refused => {
                        return Err(error);
                    }
                    identity => self.layers().into_iter().chain(identity.ok().cloned()).collect(),
                };
                stores.extend(self.here_if_there());
                stores.extend_from_slice(projects);
                Ok(stores)
            }
        }
    }

    /// The store of the given scope, or else the project if inside one, or else the identity.
    pub fn to_write(&self, scope: Option<Scope>) -> Result<Store, Error> {
        match scope.or(self.only) {
            Some(Scope::Identity) => self.identity().cloned(),
            Some(Scope::Layer(name)) => self.layer(name),
            Some(Scope::Project) => {
                self.projects()?.first().cloned().ok_or_else(|| self.no_project())
            }
            None => match self.projects()?.first() {
                // Where nobody knows whose place it is, nothing is written for anybody.
                Some(project) => self.decided().map(|()| project.clone()),
                None => self.identity().cloned(),
            },
        }
    }

    fn no_project(&self) -> Error {
        StoreError::NoProject { folder: self.shown(&self.cwd) }.into()
    }

    /// Fails if it cannot be told whose place this is.
    pub fn decided(&self) -> Result<(), Error> {
        match self.layering {
            Layering::Undecided(_) => Err(unread(self)),
            _ => Ok(()),
        }
    }

    /// The layer that is the identity of this call, whether it stands in or was named.
    pub fn own_layer(&self) -> Option<LayerName> {
        match &self.layering {
            Layering::Within(name) => Some(*name),
            _ => self.instead(),
        }
    }

    /// The layers beside the identity that are read here, from far to near. One that is not there
    /// is left out, which only `--verbose` says.
    pub fn layers(&self) -> Vec<Store> {
        let Layering::Found(active) = &self.layering else { return Vec::new() };
        let mut stores = Vec::new();
        for name in &active.beside {
            match self.layer(*name) {
                Ok(store) => stores.push(store),
                Err(error) => self.note_for_verbose(error.to_string()),
            }
        }
        stores
    }

    /// What is read on this laptop only, in a folder of the identity that travels with it.
    pub fn here(&self) -> Result<Store, Error> {
        let identity = self.identity()?;
        let folder = |above: &Path| above.join(HOSTS).join(slug::slug(self.laptop()));
        Ok(Store::at_host(self, (folder(&identity.shown), folder(&identity.root))))
    }

    /// The same, if this laptop has anything there.
    pub fn here_if_there(&self) -> Option<Store> {
        // Most identities have none, which one look tells.
        let hosts = self.identity().ok()?.root.join(HOSTS);
        let here = files::is_dir(&hosts).then(|| self.here().ok()).flatten()?;
        files::is_dir(&here.memories_dir()).then_some(here)
    }

    /// The store of a layer beside the identity, whose files are looked at once.
    pub fn layer(&self, name: LayerName) -> Result<Store, Error> {
        if name == LayerName::here() {
            return self.here();
        }
        let (layer, name) = allowed(self, name.as_str())?;
        if let Some(known) = self.recognised_layers.borrow().get(&name) {
            return Ok(known.clone());
        }
        // A folder that the person named may be edited there.
        let is_only_read = !layer.write && !layer.instead && layer.path.is_none();
        let writers = if is_only_read { Writers::Git } else { Writers::Anybody };
        let store = Store::at_layer(self, (name, writers), folder(self, layer));
        if !recognise::is_identity(&store.root) {
            return Err(LayerError::Missing { name, folder: self.shown(&store.shown) }.into());
        }
        self.recognised_layers.borrow_mut().insert(name, store.clone());
        Ok(store)
    }

    /// Whether this layer's rules come before what is nearer.
    pub fn enforces(&self, name: LayerName) -> bool {
        find(self, name.as_str()).is_ok_and(|layer| layer.enforce)
    }

    /// Refuses to write to a layer that this laptop only reads.
    pub fn refuse_read_only(&self, store: &Store) -> Result<(), Error> {
        let name = match (store.scope, &self.layering) {
            (Scope::Layer(name), _) if name == LayerName::here() => return Ok(()),
            (Scope::Layer(name), _) => name,
            (Scope::Identity, Layering::Within(name)) => *name,
            _ => return Ok(()),
        };
        let layer = find(self, name.as_str())?;
        if layer.write || layer.instead {
            return Ok(());
        }
        Err(LayerError::ReadOnly { name }.into())
    }
}
