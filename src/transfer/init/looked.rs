//! What `init` finds on a remote before anything is written.
//!
//! Invariant: a sealed remote is opened with a key that somebody gave, or one of this laptop, or
//! not at all; with a key that somebody gave, no plain one is taken. Nothing is stored here.

use super::error::InitError;
use crate::git::{url, without_credentials};
use crate::machine::keyring::Value;
use crate::transfer::seal::join::{self, Joining};
use crate::workspace::{
    Error, ErrorKind, Workspace,
    recognise::{self, Remote, RemoteIdentity},
};
use std::sync::Arc;

/// The identity on a remote, or why it cannot be read; with `must` the latter is an error.
pub(super) fn look_at(
    ws: &Workspace,
    url: Option<&str>,
    (must, key): (bool, Option<&Value>),
) -> Result<Looked, Error> {
    let must = must || key.is_some();
    let Some(url) = url else { return Ok(Looked::default()) };
    let found = match url::unsealed(url) {
        Some(_) => Ok(Remote::Sealed),
        None => recognise::remote(ws, url),
    };
    match found {
        Ok(Remote::Identity(_) | Remote::Nothing(_)) if key.is_some() => {
            Err(InitError::NotSealed { url: without_credentials(url) }.into())
        }
        Ok(Remote::Identity(whose)) => Ok(Looked { joins: Some(whose), ..Looked::default() }),
        Ok(Remote::Nothing(_)) => Ok(Looked::default()),
        Ok(Remote::Sealed) => opened(ws, url, key),
        Err(error) if error.kind() == ErrorKind::Remote && !must => {
            Ok(Looked { unseen: Some(Arc::new(error)), ..Looked::default() })
        }
        Err(error) => {
            let (url, source) = (without_credentials(url), Box::new(error));
            Err(InitError::Unreachable { url, source }.into())
        }
    }
}

/// What a sealed remote has. Without a key nothing is written, not even its name.
fn opened(ws: &Workspace, url: &str, key: Option<&Value>) -> Result<Looked, Error> {
    let shown = || without_credentials(url::shown(url));
    let Some((found, joining)) = join::look(ws, url, key)? else {
        return Err(InitError::Sealed { url: shown() }.into());
    };
    match found {
        Remote::Identity(whose) => {
            Ok(Looked { joins: Some(whose), unseen: None, sealed: Some(joining) })
        }
        Remote::Nothing(_) | Remote::Sealed => Err(InitError::NoRepository { url: shown() }.into()),
    }
}

/// What was found on a remote.
#[derive(Default)]
pub(super) struct Looked {
    pub(super) joins: Option<RemoteIdentity>,
    pub(super) unseen: Option<Arc<Error>>,
    pub(super) sealed: Option<Joining>,
}
