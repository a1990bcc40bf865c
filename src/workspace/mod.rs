//! The world of one call: the identity, the projects around it and the repository, opened once.
//!
//! Invariant: opened by the interfaces, in one place each (a command, a call of the server, a
//! request of the page); what a killed co left is finished before anything is read. Must not know
//! any verb, nor what an interface asked.

pub mod agent_places;
pub mod asked;
pub mod at;
pub mod config;
mod error;
pub mod guard;
mod known_then;
pub mod last_sync;
pub mod layers;
pub mod login;
pub mod merged_in;
pub mod named;
pub mod power_loss;
pub mod recognise;
pub mod recovery;
pub mod skills;
pub mod transaction;

pub use error::{Error, ErrorKind, VerbError};
use layers::LayerError;

use crate::git::{GitError, Repo};
use crate::index::{
    CallState,
    store::{Scope, Store, StoreError},
};
use crate::machine::{
    Context,
    context::{Caller, Kept},
    files,
    stat::Stat,
};
use std::{
    cell::{Cell, OnceCell, RefCell},
    ops::Deref,
    path::Path,
    rc::Rc,
};

/// Called during long work with the amounts done and in total.
pub type Progress<'a> = dyn Fn(usize, usize) + 'a;

pub struct Workspace {
    context: Context,
    /// The identity, whether or not it exists.
    identity: Store,
    /// Whether it was found to be an identity.
    recognised: Cell<bool>,
    projects: OnceCell<Vec<Store>>,
    /// With the state of its configuration when it was opened.
    repo: RefCell<Option<(Rc<Repo>, Option<Stat>)>>,
}

impl Deref for Workspace {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

impl Workspace {
    /// The workspace when co starts, not before each call of a server: also finishes a move that a
    /// killed co began, after which the identity is elsewhere, and restores what a restart of the
    /// laptop lost; with a message about the restored files.
    pub fn at_start(context: Context) -> (Workspace, Option<String>) {
        let ws = Workspace::open(transaction::resumed(context));
        let restored = power_loss::restore_lost(&ws);
        (ws, restored)
    }

    /// Finishes what a killed co left half-done, as far as no other co is at work.
    pub fn open(context: Context) -> Workspace {
        let ws = Workspace::unrecovered(context);
        recovery::recover(&ws);
        ws
    }

    /// For a call in the middle of git's own work, and for one that must change nothing.
    pub fn unrecovered(context: Context) -> Workspace {
        let mut context = layers::found(context);
        // A server has one context for many calls, each of which may wait for an index once.
        context.kept = Kept::default();
        let identity = Store::at_identity(&context);
        let (recognised, projects, repo) = Default::default();
        Workspace { context, identity, recognised, projects, repo }
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The identity, whether or not it exists.
    pub fn identity_place(&self) -> &Store {
        &self.identity
    }

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

    /// The repository of the identity; `None` if it is in none, or ignored by the one around it.
    ///
    /// Opened once, and again after its configuration was changed; looked for each time until there
    /// is one.
    pub fn repo(&self) -> Result<Option<Rc<Repo>>, GitError> {
        if let Some((repo, configured)) = &*self.repo.borrow()
            && Stat::of(&repo.config_file()) == *configured
        {
            return Ok(Some(Rc::clone(repo)));
        }
        let found = Repo::discover(self)?.map(Rc::new);
        let opened = |repo: &Rc<Repo>| (Rc::clone(repo), Stat::of(&repo.config_file()));
        self.repo.replace(found.as_ref().map(opened));
        Ok(found)
    }

    /// After files were written, or in a call that goes on while others write.
    pub(crate) fn forget_compared(&self) {
        CallState::of(self).forget_compared();
    }

    /// When another co may have written, which the version of the index or its folders tell.
    pub(crate) fn doubt_compared(&self) {
        CallState::of(self).doubt_compared();
    }

    /// After a sync, which changes both: whoever reads on opens them anew.
    pub(crate) fn forget_read(&self) {
        self.forget_compared();
        self.repo.replace(None);
    }

    /// The same, done for an agent.
    pub fn for_caller(&self, caller: Caller) -> Workspace {
        Workspace::unrecovered(self.context.clone().called_by(caller))
    }

    /// The same call with the identity elsewhere.
    pub fn elsewhere(&self, identity: &Path) -> Workspace {
        Workspace::unrecovered(self.context.with_identity(identity))
    }
}
