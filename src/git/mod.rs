//! git: objects, refs, index and merge bases in process through gix; fetch and push through git.
//!
//! Invariant: with a prefix (an identity inside an enclosing repository) nothing of the user's is
//! committed, and their index entries and dirty files stay byte for byte. `meta_cache`,
//! `history` and `splits` read the metadata of memories; nothing here decides what happens to one.

mod address;
mod ages;
mod blank;
mod branch;
mod classify;
mod commits;
pub mod dead_hook;
mod difference;
pub mod dotfiles_repo;
pub mod enclosing;
mod error;
mod file_versions;
mod filters;
mod hanging_hook;
mod history;
mod hooks;
mod ignored;
pub mod index;
mod index_bytes;
pub mod index_lock;
pub mod install;
pub mod interrupt;
pub mod journal;
mod known_facts;
pub mod mend;
pub mod meta_cache;
mod moved;
mod nested;
mod own_config;
pub mod past;
mod peek;
mod process;
pub mod program;
mod project;
mod proposing;
pub mod public;
mod pushing;
pub mod remote;
mod repo;
mod scratch;
pub mod sealed;
mod signing;
mod some_files;
mod sparse;
mod splits;
mod ssh;
mod stub;
mod tracked;
pub mod transport;
mod trees;
mod trusted;
pub mod url;
mod verdict;

pub use branch::{Branch, NamedBy};
pub use commits::{SUBJECT, TIDIED};
pub use dotfiles_repo::{DotfilesRepo, dotfiles_repo};
pub use error::{GitError, LocalErrorKind, RemoteErrorKind};
pub use file_versions::FileVersions;
pub use hanging_hook::{Talk, talk};
pub use history::MemoryChange;
pub use hooks::merge_file;
pub use ignored::{IgnoreRule, IgnoredAround, Staying, ignored_around};
pub use moved::{follow_folder, is_submodule};
pub use own_config::UpstreamSettings;
pub use peek::Peek;
pub use process::{Access, Login, SOON, Timeout, abort_all, without_credentials};
pub use project::{Checkout, checkout_of, remotes_around, tracks_below};
pub use proposing::propose;
pub use remote::{peek, shares_history};
pub use repo::{Repo, Unfinished, is_inside_git, is_repository, repository_above};
pub use ssh::SshLogin;

/// The hash of a commit, tree or blob.
pub type Id = gix::ObjectId;

/// The blob id of these bytes; `None` if they were crafted for a hash collision.
pub fn blob_id(bytes: &[u8]) -> Option<Id> {
    gix::objs::compute_hash(gix::hash::Kind::Sha1, gix::objs::Kind::Blob, bytes).ok()
}

/// The first letters of a commit's hash: enough for a person and for git to find it.
pub fn short(commit: Id) -> String {
    commit.to_hex_with_len(SHORT).to_string()
}

/// How many letters that is.
const SHORT: usize = 10;
