//! Commits and refs.
//!
//! Invariant: a ref moves only from the value we saw (compare and swap); nothing is ever forced.

use super::{GitError, Id, Repo, process};
use gix::refs::{
    Target,
    transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog},
};
use std::collections::HashSet;

/// The last commit that co tidied, which the next tidy compares with.
pub const TIDIED: &str = "refs/co/tidied";

impl Repo {
    /// Writes a commit, signed where the user signs.
    ///
    /// # Errors
    /// When it cannot be written or signed.
    pub fn commit(&self, tree: Id, parents: &[Id], message: &str) -> Result<Id, GitError> {
        let failed = self.failed("write a commit");
        if self.config("commit.gpgsign").is_some_and(|value| matches!(value.as_str(), "true" | "yes" | "on" | "1")) {
            return process::commit_tree(self, tree, parents, message);
        }
        let (author, committer) = (self.signature(self.gix.author()), self.signature(self.gix.committer()));
        let (mut a, mut c) = (gix::date::parse::TimeBuf::default(), gix::date::parse::TimeBuf::default());
        let commit = self
            .gix
            .new_commit_as(committer.to_ref(&mut c), author.to_ref(&mut a), message, tree, parents.iter().copied())
            .map_err(|error| failed(&error))?;
        let id = commit.id;
        self.make_durable(&[id, tree]);
        Ok(id)
    }

    /// The user's name where git knows one, else `co@<host>`.
    fn signature<E>(&self, known: Option<Result<gix::actor::SignatureRef<'_>, E>>) -> gix::actor::Signature {
        let now = gix::date::Time::now_local_or_utc();
        match known.and_then(Result::ok) {
            Some(known) if !known.email.is_empty() => {
                let time = known.time().unwrap_or(now);
                gix::actor::Signature { name: known.name.to_owned(), email: known.email.to_owned(), time }
            }
            _ => gix::actor::Signature { name: "co".into(), email: format!("co@{}", self.host).into(), time: now },
        }
    }

    /// Moves a ref from `old` (`None`: not there yet) to `new`. `false` when it was moved by somebody else meanwhile.
    ///
    /// # Errors
    /// When the ref cannot be written.
    pub fn move_ref(&self, name: &str, old: Option<Id>, new: Id, why: &str) -> Result<bool, GitError> {
        if self.ref_id(name) != old {
            return Ok(false);
        }
        let expected = old.map_or(PreviousValue::MustNotExist, |old| PreviousValue::MustExistAndMatch(Target::Object(old)));
        self.write_ref(name, expected, new, why)?;
        Ok(true)
    }

    /// Remembers the commit that was tidied last.
    ///
    /// # Errors
    /// When the ref cannot be written.
    pub fn set_tidied(&self, commit: Id) -> Result<(), GitError> {
        if self.ref_id(TIDIED) == Some(commit) {
            return Ok(());
        }
        self.write_ref(TIDIED, PreviousValue::Any, commit, "co: tidied")
    }

    fn write_ref(&self, name: &str, expected: PreviousValue, new: Id, why: &str) -> Result<(), GitError> {
        let failed = self.failed("move a ref");
        let name = gix::refs::FullName::try_from(name.to_owned()).map_err(|error| failed(&error))?;
        let log = LogChange { mode: RefLog::AndReference, force_create_reflog: false, message: why.into() };
        let edit = RefEdit { change: Change::Update { log, expected, new: Target::Object(new) }, name, deref: false };
        let _mark = super::journal::RefMark::set(self);
        let committer = self.signature(self.gix.committer());
        let mut time = gix::date::parse::TimeBuf::default();
        self.gix.edit_references_as([edit], Some(committer.to_ref(&mut time))).map_err(|error| failed(&error))?;
        Ok(())
    }

    /// The best common ancestors, oldest first.
    ///
    /// Walked exactly: the library's search goes by commit dates and was seen to miss a base among commits of one second, as two laptops that
    /// sync in a row make them.
    ///
    /// # Errors
    /// When history cannot be read.
    pub fn merge_bases(&self, a: Id, b: Id) -> Result<Vec<Id>, GitError> {
        if a == b {
            return Ok(vec![a]);
        }
        let of_a = self.ancestors(&[a])?;
        let mut common = Vec::new();
        let (mut seen, mut todo) = (HashSet::new(), vec![b]);
        while let Some(id) = todo.pop() {
            if !seen.insert(id) {
                continue;
            }
            if of_a.contains(&id) {
                common.push(id);
            } else {
                todo.extend(self.parents(id)?);
            }
        }
        let mut bases = Vec::new();
        for (at, base) in common.iter().enumerate() {
            let others: Vec<Id> = common.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, id)| *id).collect();
            if others.is_empty() || !self.ancestors(&others)?.contains(base) {
                bases.push(*base);
            }
        }
        bases.sort_by_key(|id| (self.commit_time(*id), *id));
        Ok(bases)
    }

    /// These commits and everything before them.
    fn ancestors(&self, from: &[Id]) -> Result<HashSet<Id>, GitError> {
        let (mut seen, mut todo) = (HashSet::new(), from.to_vec());
        while let Some(id) = todo.pop() {
            if seen.insert(id) {
                todo.extend(self.parents(id)?);
            }
        }
        Ok(seen)
    }

    /// The parents of a commit.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn parents(&self, id: Id) -> Result<Vec<Id>, GitError> {
        let failed = self.failed("walk history");
        let commit = self.gix.find_commit(id).map_err(|error| failed(&error))?;
        Ok(commit.parent_ids().map(gix::Id::detach).collect())
    }

    fn commit_time(&self, id: Id) -> i64 {
        self.gix.find_commit(id).ok().and_then(|commit| commit.time().ok()).map_or(0, |time| time.seconds)
    }

    /// Whether `old` is `new` or one of its ancestors.
    ///
    /// # Errors
    /// When history cannot be read.
    pub fn is_ancestor(&self, old: Id, new: Id) -> Result<bool, GitError> {
        Ok(old == new || self.ancestors(&[new])?.contains(&old))
    }

    /// How many commits are in `new` and not in `old`, counted up to a thousand.
    pub fn commits_between(&self, old: Option<Id>, new: Id) -> usize {
        let walk = self.gix.rev_walk([new]).with_hidden(old);
        walk.all().map_or(0, |commits| commits.take(1000).filter(Result::is_ok).count())
    }
}
