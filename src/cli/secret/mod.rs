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

group! {
    /// `co secret`
    pub enum Secret {
        /// Store a value in the keyring: typed without echo, or read from standard input
        #[command(after_help = set::HELP)]
        Set(set::Set),
        /// Print a value
        Get(get::Get),
        /// List the names in the keyring, never the values
        List(list::List),
        /// Remove a value from the keyring
        Rm(rm::Rm),
        /// Show which secrets the identity mentions, and which are missing on this laptop
        Status(status::Status),
        /// Find tokens, keys and passwords in files and in past commits
        #[command(after_help = scan::HELP)]
        Scan(scan::Scan),
    }
}
