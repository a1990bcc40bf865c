//! What `init` is about to do.
//!
//! Invariant: values only; a URL is shown without its password. Must not know how a plan is made.

use super::target::Beside;
use crate::git::without_credentials;
use crate::identity::Snapshot;
use crate::sync;
use crate::transfer::seal::join::Joining;
use crate::workspace::{Error, recognise::RemoteIdentity};
use serde::Serialize;
use std::{path::PathBuf, sync::Arc};

#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    pub identity: PathBuf,
    /// Whether the folder already has files: then nothing is asked.
    pub existing: bool,
    #[serde(serialize_with = "without_password")]
    pub remote: Option<String>,
    pub create: Vec<String>,
    /// Files of older versions that will be adopted: from, to.
    pub adopt: Vec<(String, String)>,
    pub repository: Repository,
    /// Where the enclosing repository is pushed to, and the identity with it.
    pub pushes_to: Option<sync::Upstream>,
    /// Whether `identity_path` will be set in settings.json.
    pub set_path: bool,
    /// The given folder has other content: the identity gets its own subfolder there.
    pub beside: Option<Beside>,
    /// The identity that is already on the remote.
    pub joins: Option<RemoteIdentity>,
    /// Whether anybody can read the remote without a login.
    pub is_public: bool,
    /// Why the remote cannot be read; it is set all the same, and a later sync publishes.
    #[serde(skip)]
    pub unseen: Option<Arc<Error>>,
    /// The sealed remote that was opened.
    #[serde(skip)]
    pub sealed: Option<Joining>,
    #[serde(skip)]
    pub(super) files: Snapshot,
    #[serde(skip)]
    pub(super) direction: sync::Direction,
}

fn without_password<S: serde::Serializer>(
    url: &Option<String>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    url.as_deref().map(without_credentials).serialize(serializer)
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Repository {
    New,
    Own,
    /// Part of the enclosing repository with this root.
    Inside(PathBuf),
    /// No repository is created: a cloud service syncs the folder, and would damage it.
    Cloud(&'static str),
}
