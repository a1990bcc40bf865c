//! What one call knows: its context, and the place of the identity and its repository.
//!
//! Invariant: the repository is opened once, and again only after its configuration was changed.
//! Must not know which stores a verb asks for, nor how what a killed co left is finished.

use super::layers;
use crate::git::{GitError, Repo};
use crate::identity::LayerName;
use crate::index::{CallState, store::Store};
use crate::machine::{
    Context,
    context::{Caller, Kept},
    stat::Stat,
};
use std::{
    cell::{Cell, OnceCell, RefCell},
    collections::BTreeMap,
    ops::Deref,
    path::Path,
    rc::Rc,
};

pub struct Workspace {
    pub(super) context: Context,
    /// The identity, whether or not it exists.
    pub(super) identity: Store,
    /// Whether it was found to be an identity.
    pub(super) recognised: Cell<bool>,
    pub(super) projects: OnceCell<Vec<Store>>,
    /// The layers that were found to be identities.
    pub(super) recognised_layers: RefCell<BTreeMap<LayerName, Store>>,
    /// With the state of its configuration when it was opened.
    pub(super) repo: RefCell<Option<(Rc<Repo>, Option<Stat>)>>,
}

impl Deref for Workspace {
    type Target = Context;

    fn deref(&self) -> &Context {
        &self.context
    }
}

impl Workspace {
    /// For a call in the middle of git's own work, and for one that must change nothing.
    pub fn unrecovered(context: Context) -> Workspace {
        let mut context = layers::found(context);
        // A server has one context for many calls, each of which may wait for an index once.
        context.kept = Kept::default();
        let identity = Store::at_identity(&context);
        let (recognised, projects, recognised_layers, repo) = Default::default();
        Workspace { context, identity, recognised, projects, recognised_layers, repo }
    }

    pub fn context(&self) -> &Context {
        &self.context
    }

    /// The identity, whether or not it exists.
    pub fn identity_place(&self) -> &Store {
        &self.identity
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

    /// After a sync, which changes all of it: whoever reads on opens it anew.
    pub(crate) fn forget_read(&self) {
        self.forget_compared();
        self.recognised_layers.take();
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
