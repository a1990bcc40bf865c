//! What this laptop has taken from a sealed remote, and what it began there.
//!
//! Invariant: kept in the git directory, so that it lives as long as the repository: who forgets it
//! cannot tell a remote that was set back. Written as a whole, after what it names is on disk.

use super::super::{GitError, Id, Repo, error::Words, repo::During};
use crate::machine::files;
use crate::seal::{
    chain::Seen,
    names::{Recipient, RepositoryId, Tip},
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

const READ: &str = "read what was last seen of the remote";
const WRITE: &str = "note what was last seen of the remote";

/// What was seen last.
#[derive(Clone, Debug)]
pub struct State {
    /// The one branch on the remote, in full.
    pub branch: String,
    /// Its commit.
    pub commit: Id,
    /// What its records say.
    pub seen: Seen,
}

#[derive(Serialize, Deserialize)]
struct Written {
    branch: String,
    commit: String,
    seen: String,
}

/// A sealed remote that has nothing yet: what its first record needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Begun {
    pub repository: RepositoryId,
    /// The public half of the recovery key.
    pub recovery: Recipient,
    /// The key file that a passphrase opens.
    pub passphrase: Option<Vec<u8>>,
}

impl State {
    pub fn read(repo: &Repo) -> Result<Option<State>, GitError> {
        let text = files::read_text(&state_file(repo)).during(repo, READ)?;
        let Some(text) = text else { return Ok(None) };
        let written: Written = serde_json::from_str(&text).during(repo, READ)?;
        let damaged = || GitError::local(READ, &repo.root, Words("it is damaged".to_owned()));
        let commit = Id::from_hex(written.commit.as_bytes()).map_err(|_| damaged())?;
        let seen = Seen::parse(&written.seen).ok_or_else(damaged)?;
        Ok(Some(State { branch: written.branch, commit, seen }))
    }

    pub(super) fn save(&self, repo: &Repo) -> Result<(), GitError> {
        let (branch, commit) = (self.branch.clone(), self.commit.to_string());
        let written = Written { branch, commit, seen: self.seen.to_text() };
        let text = serde_json::to_string(&written).during(repo, WRITE)?;
        files::write(&state_file(repo), text.as_bytes()).during(repo, WRITE)?;
        // The first record is there.
        files::remove(&begun_file(repo)).during(repo, WRITE)
    }

    /// The commit of the identity's branch.
    pub fn tip(&self) -> Id {
        Id::from_hex(self.seen.tip.as_str().as_bytes()).expect("because a tip is a commit in hex")
    }
}

impl Begun {
    pub(super) fn read(repo: &Repo) -> Result<Option<Begun>, GitError> {
        let text = files::read_text(&begun_file(repo)).during(repo, READ)?;
        text.map(|text| serde_json::from_str(&text).during(repo, READ)).transpose()
    }

    /// From now on the next push to the empty remote is its first.
    pub fn save(&self, repo: &Repo) -> Result<(), GitError> {
        let text = serde_json::to_string(self).during(repo, WRITE)?;
        files::write(&begun_file(repo), text.as_bytes()).during(repo, WRITE)
    }
}

/// Forgets what was seen: for another remote, which a person agreed to.
pub fn forget(repo: &Repo) -> Result<(), GitError> {
    files::remove(&begun_file(repo)).during(repo, WRITE)?;
    files::remove(&state_file(repo)).during(repo, WRITE)
}

/// A commit as a record names it.
pub(super) fn tip_of(commit: Id) -> Tip {
    Tip::parse(&commit.to_string()).expect("because a commit is named in hex")
}

fn state_file(repo: &Repo) -> PathBuf {
    repo.co_dir().join("sealed.json")
}

fn begun_file(repo: &Repo) -> PathBuf {
    repo.co_dir().join("sealed-begun.json")
}
