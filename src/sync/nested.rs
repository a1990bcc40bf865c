//! A repository of the identity's own inside another one, which records its commit and none of its
//! files.
//!
//! Invariant: named before it is committed there, with both ways out; nothing is changed.

use crate::git::Repo;
use crate::machine::Context;

/// The sentences for a person who put the identity, with its `.git`, into a bigger repository.
pub struct Swallowed {
    pub described: String,
    pub ways: String,
}

/// `None` if no repository around the identity would record it.
pub fn swallowed(context: &Context, repo: &Repo) -> Option<Swallowed> {
    let (outer, below) = repo.swallowing()?;
    let (inner, outer) = (context.shown(&repo.root), context.shown(&outer));
    Some(Swallowed {
        described: format!(
            "{inner} is a repository inside {outer}; `git add` there would record only its commit, \
             not its files"
        ),
        ways: format!(
            "to have {outer} carry the files, move {inner}/.git elsewhere, then `co sync`; to keep \
             it separate, add `/{below}/` to {outer}/.gitignore"
        ),
    })
}

/// A sentence on a repository inside another one that records its commit, or would; and whether it
/// is recorded, so that a sync stops.
pub fn nested(context: &Context, repo: &Repo) -> Option<(bool, String)> {
    match repo.refuse_nested() {
        Err(error) => Some((true, format!("{error}; `co doctor` says what to do"))),
        Ok(()) => Some((false, swallowed(context, repo)?.line())),
    }
}

impl Swallowed {
    /// In one line.
    pub fn line(&self) -> String {
        format!("{}; {}", self.described, self.ways)
    }
}
