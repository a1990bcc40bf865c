//! What a person asks of `init`.
//!
//! Invariant: as it was typed; nothing is looked up here.

use crate::identity::templates::InitAnswers;
use crate::machine::keyring::Value;
use crate::sync;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// A URL to clone from, or a folder to adopt.
    pub target: Option<String>,
    pub answers: InitAnswers,
    /// A remote for a new identity.
    pub remote: Option<String>,
    /// What opens the remote if it is sealed: its recovery key or passphrase.
    pub key: Option<Value>,
    /// Whether the first sync publishes.
    pub direction: sync::Direction,
}
