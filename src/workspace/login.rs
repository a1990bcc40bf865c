//! How to connect to a remote, for everything that does: time limits, keys, and who answers a login
//! prompt.
//!
//! Invariant: a password stays in the keyring until git asks for it; a plain one in settings.json
//! is refused, and never shown.

use super::{Error, ErrorKind, VerbError};
use crate::git::{Access, Login, Timeout};
use crate::machine::{Context, seal_keys::KeySource};
use crate::secrets::reference;
use std::time::Duration;

/// A password in settings.json.
#[derive(Debug, thiserror::Error)]
#[error(
    "sync.password in {file} is a plain value; settings may contain a reference, never a secret"
)]
pub struct LoginError {
    pub file: String,
}

impl VerbError for LoginError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Refused
    }
}

/// How long a remote may be silent while a person may have to type a password.
const TYPING: Duration = Duration::from_secs(120);

/// How to connect to the remote with this URL. The login stays in the keyring until git asks; a
/// plain password in settings.json is refused.
pub fn access(context: &Context, url: &str) -> Result<Access, Error> {
    let silence = Duration::from_secs(context.settings.sync.timeout.max(1));
    let interactive = context.interactive;
    let silence = if interactive { silence.max(TYPING) } else { silence };
    let login = password_name(context)?.and_then(|_| Login::for_url(url, &context.program));
    let keys = KeySource::of(context);
    Ok(Access { timeout: Timeout { silence, interactive }, login, keys })
}

/// The secret that settings.json references as the remote's password.
pub fn password_name(context: &Context) -> Result<Option<&str>, Error> {
    let Some(password) = &context.settings.sync.password else { return Ok(None) };
    let name = reference::only(password);
    if name.is_none() {
        let file = context.shown(&context.settings_file());
        return Err(LoginError { file }.into());
    }
    Ok(name)
}
