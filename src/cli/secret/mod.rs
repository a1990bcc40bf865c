//! `co secret …`: moves a value between a person and the keyring, and reports on it.
//!
//! Invariant: only `get` prints a value.

mod get;
mod list;
mod rm;
mod scan;
mod set;
mod status;

use super::verb::group;
use crate::secrets::redact;
use crate::system::git::without_credentials;
use clap::Subcommand;

/// `co secret`
#[derive(Subcommand, Debug)]
pub enum Secret {
    /// Store a value in the keyring: asked for without echo, or read from standard input
    #[command(after_help = set::HELP)]
    Set(set::Set),
    /// Print a value
    Get(get::Get),
    /// List the names in the keyring, never the values
    List(list::List),
    /// Remove a value from the keyring
    Rm(rm::Rm),
    /// Show which secrets the identity mentions, and which of them this laptop lacks
    Status(status::Status),
    /// Find tokens, keys and passwords in files, and in what is committed already
    #[command(after_help = scan::HELP)]
    Scan(scan::Scan),
}

group!(Secret { Set, Get, List, Rm, Status, Scan });

/// The warning for a URL with a password, which git keeps in its configuration as plain text.
pub(super) fn password_in(url: &str) -> Vec<String> {
    if without_credentials(url) == url && redact(url) == url {
        return Vec::new();
    }
    let better = "`co secret set git-token`, and \"sync\": \
        {\"username\": \"…\", \"password\": \"{{secret:git-token}}\"} in settings.json";
    vec![format!(
        "the URL holds a password, which git writes into .git/config as plain text; better keep \
         it in the keyring: {better}"
    )]
}
