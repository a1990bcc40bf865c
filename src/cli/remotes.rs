//! What a person is told about a remote before they agree to it: whose identity it has, who can
//! read it, and whether its URL contains a password.

use super::style::plural;
use crate::foreign::{Said, said};
use crate::git::{url, without_credentials};
use crate::machine::{
    Context,
    seal_keys::{KeySource, VARIABLE},
};
use crate::secrets::redact;
use crate::workspace::recognise::RemoteIdentity;

/// The warning for a repository that is readable without a login.
pub(super) const PUBLIC: &str = "anyone can read that repository without a login; make it private \
    where it is hosted before you sync, or set another with `co identity remote URL`";

pub(super) fn identity_of(whose: &RemoteIdentity) -> Said {
    let name = whose.name.as_ref().map_or_else(|| Said::from("an"), |name| said!("{}'s", name));
    let counts = whose.counts;
    said!(
        "{} identity: {}, {}",
        name,
        plural(counts.memories, "fact", "facts"),
        plural(counts.traits, "trait", "traits")
    )
}

/// The warning for a plain remote where a key was expected to open one.
pub(super) fn in_spite_of_key(context: &Context, url: &str) -> Option<String> {
    let is_plain = url::unsealed(url).is_none();
    (is_plain && KeySource::of(context).given().is_some()).then(|| {
        format!(
            "{} is not sealed, although {VARIABLE} is set: what is pushed there can be read",
            without_credentials(url)
        )
    })
}

/// The warning for a URL with a password, which git stores in its configuration in plain text.
pub(super) fn password_in(url: &str) -> Vec<String> {
    if without_credentials(url) == url && redact(url) == url {
        return Vec::new();
    }
    let better = "`co secret set git-token`, and \"sync\": \
        {\"username\": \"…\", \"password\": \"{{secret:git-token}}\"} in settings.json";
    vec![format!(
        "the URL contains a password, which git stores in .git/config as plain text; keep it in \
         the keyring instead: {better}"
    )]
}
