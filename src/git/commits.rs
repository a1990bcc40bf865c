//! Commits and refs.
//!
//! Invariant: a ref moves only from the value that was read (compare and swap); nothing is forced.

use super::{GitError, Id, Repo, ages, error::Words, process, repo::During, signing};
use crate::identity::{RelPath, Stamp};
use gix::actor::Signature;
use gix::refs::{
    Target,
    transaction::{Change, LogChange, PreviousValue, RefEdit, RefLog},
};
use std::collections::BTreeMap;

/// The last commit that co tidied, which the next tidy compares with.
pub const TIDIED: &str = "refs/co/tidied";

/// Prefix of the messages of co's own commits.
pub const SUBJECT: &str = "identity: ";

/// A header in co's commits that git preserves but does not show: the version of co.
const VERSION: &str = "co-version";
/// How many commits to search for the versions of laptops.
const LATEST: usize = 500;

/// Whose name stands in a commit.
#[derive(Clone, Copy)]
enum Role {
    Author,
    Committer,
}

impl Role {
    fn key(self) -> &'static str {
        match self {
            Role::Author => "author",
            Role::Committer => "committer",
        }
    }
}

impl Repo {
    /// Signed if `commit.gpgsign` is set. `edited` is when the files were written that the commit
    /// changes, as far as they do not say it; a signed commit does not record it.
    pub fn commit(
        &self,
        tree: Id,
        parents: &[Id],
        message: &str,
        edited: &[(RelPath, Stamp)],
    ) -> Result<Id, GitError> {
        if self.signs() {
            let people = [self.signature(Role::Author), self.signature(Role::Committer)];
            return signing::commit_tree(self, tree, parents, message, &people);
        }
        let commit = gix::objs::Commit {
            tree,
            parents: parents.into(),
            author: self.signature(Role::Author),
            committer: self.signature(Role::Committer),
            encoding: None,
            message: message.into(),
            extra_headers: [
                Some((VERSION.into(), env!("CARGO_PKG_VERSION").into())),
                ages::header(edited).map(|text| (ages::EDITED.into(), text.into())),
            ]
            .into_iter()
            .flatten()
            .collect(),
        };
        let id = self.gix.write_object(&commit).during(self, "write a commit")?.detach();
        self.make_durable(&[id, tree])?;
        Ok(id)
    }

    /// Whether commits are signed, so that a program may ask the person for a passphrase.
    pub fn signs(&self) -> bool {
        self.gix.config_snapshot().boolean("commit.gpgsign") == Some(true)
    }

    /// The user's name if git knows one, else `co@<host>`.
    fn signature(&self, role: Role) -> Signature {
        let at = self.clock.now();
        let seconds = at.micros().div_euclid(1_000_000);
        let now = gix::date::Time { seconds, offset: self.zone.offset(at) };
        self.person(role, now).filter(|person| !person.email.is_empty()).unwrap_or_else(|| {
            Signature { name: "co".into(), email: format!("co@{}", self.host).into(), time: now }
        })
    }

    /// As gix tells it, which also looks up the laptop's time zone, and lists all others for that.
    fn person(&self, role: Role, now: gix::date::Time) -> Option<Signature> {
        let config = self.gix.config_snapshot();
        let key = role.key();
        if config.string(&format!("gitoxide.commit.{key}Date")).is_some() {
            let known = match role {
                Role::Author => self.gix.author()?.ok()?,
                Role::Committer => self.gix.committer()?.ok()?,
            };
            let time = known.time().unwrap_or(now);
            return Some(Signature { name: known.name.into(), email: known.email.into(), time });
        }
        let of = |section: &str, name: &str| config.string(&format!("{section}.{name}"));
        let fallback = format!("gitoxide.{key}");
        let name = of(key, "name")
            .or_else(|| of("user", "name"))
            .or_else(|| of(&fallback, "nameFallback"))?;
        let email = of(key, "email")
            .or_else(|| of("user", "email"))
            .or_else(|| of("gitoxide.user", "emailFallback"))
            .or_else(|| of(&fallback, "emailFallback"))?;
        Some(Signature { name, email, time: now })
    }

    /// Moves a ref; `old` is `None` if it must not exist. `false` if it was moved meanwhile.
    pub fn move_ref(
        &self,
        name: &str,
        old: Option<Id>,
        new: Id,
        why: &str,
    ) -> Result<bool, GitError> {
        if self.ref_id(name) != old {
            return Ok(false);
        }
        let expected = old.map_or(PreviousValue::MustNotExist, |old| {
            PreviousValue::MustExistAndMatch(Target::Object(old))
        });
        self.write_ref(name, expected, new, why)?;
        Ok(true)
    }

    /// Whether co has committed this identity here before, so that a person has agreed. False for a
    /// branch without common history, or at another path of the repository.
    pub fn is_agreed(&self) -> bool {
        let Some(tidied) = self.ref_id(TIDIED) else { return false };
        let places = std::fs::read_to_string(self.places_file()).unwrap_or_default();
        let of_place = places.lines().any(|place| place == self.place());
        let related = |head| self.merge_bases(tidied, head).is_ok_and(|bases| !bases.is_empty());
        of_place && self.head().ok().flatten().is_none_or(related)
    }

    /// The identity folders in this repository that co has committed, one per line.
    fn places_file(&self) -> std::path::PathBuf {
        self.co_dir().join("places")
    }

    fn place(&self) -> &str {
        if self.prefix.is_empty() { "." } else { &self.prefix }
    }

    fn remember_place(&self) {
        let file = self.places_file();
        let known = std::fs::read_to_string(&file).unwrap_or_default();
        if !known.lines().any(|place| place == self.place()) {
            let all = format!("{known}{}\n", self.place());
            // If it is lost, the next sync checks the folder again.
            let _ = crate::machine::files::write_private(&file, all.as_bytes());
        }
    }

    pub fn set_tidied(&self, commit: Id) -> Result<(), GitError> {
        self.remember_place();
        if self.ref_id(TIDIED) == Some(commit) {
            return Ok(());
        }
        self.write_ref(TIDIED, PreviousValue::Any, commit, "co: tidied")
    }

    fn write_ref(
        &self,
        name: &str,
        expected: PreviousValue,
        new: Id,
        why: &str,
    ) -> Result<(), GitError> {
        let path = name.to_owned();
        let name = gix::refs::FullName::try_from(name.to_owned()).during(self, "move a ref")?;
        let log = LogChange {
            mode: RefLog::AndReference,
            // `--at` asks it what this laptop had.
            force_create_reflog: path.starts_with("refs/heads/"),
            message: why.into(),
        };
        let edit = RefEdit {
            change: Change::Update { log, expected, new: Target::Object(new) },
            name,
            deref: false,
        };
        let _mark = super::journal::RefMark::set(self);
        let committer = self.signature(Role::Committer);
        let mut time = gix::date::parse::TimeBuf::default();
        self.gix
            .edit_references_as([edit], Some(committer.to_ref(&mut time)))
            .during(self, "move a ref")?;
        // Synced before the journal is deleted: a ref emptied by a power cut would leave no way
        // back.
        for file in [self.gix.common_dir().join(&path), self.git_dir().join(&path)] {
            crate::machine::files::sync(&file);
        }
        Ok(())
    }

    /// The best common ancestors, oldest first.
    pub fn merge_bases(&self, a: Id, b: Id) -> Result<Vec<Id>, GitError> {
        if a == b {
            return Ok(vec![a]);
        }
        let pair = (a.min(b), a.max(b));
        if let Some(bases) = self.bases.borrow().get(&pair) {
            return Ok(bases.clone());
        }
        let bases = self.merge_bases_by_git(a, b)?;
        // A fetch may bring older commits of a shallow clone.
        if self.gix.is_shallow().is_ok_and(|is_shallow| !is_shallow) {
            self.bases.borrow_mut().insert(pair, bases.clone());
        }
        Ok(bases)
    }

    /// By the git program, which knows shallow and partial clones, replaced commits and the commit
    /// graph.
    fn merge_bases_by_git(&self, a: Id, b: Id) -> Result<Vec<Id>, GitError> {
        let mut command = process::git(self.git_dir(), None);
        command.args(["merge-base", "--all", &a.to_string(), &b.to_string()]);
        let output = process::run(command, process::LOCAL)?;
        // No common ancestor is a valid answer: no output and no error message.
        if !output.ok && !output.err.trim().is_empty() {
            let words = Words(process::reason(&output.err));
            return Err(GitError::local("find the merge base of two commits", &self.root, words));
        }
        let bases = output.out.lines().filter_map(|line| Id::from_hex(line.trim().as_bytes()).ok());
        let mut bases: Vec<Id> = bases.collect();
        bases.sort_by_key(|id| (self.commit_time(*id), *id));
        Ok(bases)
    }

    pub fn parents(&self, id: Id) -> Result<Vec<Id>, GitError> {
        let commit = self.gix.find_commit(id).during(self, "walk history")?;
        Ok(commit.parent_ids().map(gix::Id::detach).collect())
    }

    /// The time of the last commit, in microseconds.
    pub fn last_commit_time(&self) -> Option<i64> {
        Some(self.commit_time(self.head().ok()??) * 1_000_000)
    }

    fn commit_time(&self, id: Id) -> i64 {
        self.gix
            .find_commit(id)
            .ok()
            .and_then(|commit| commit.time().ok())
            .map_or(0, |time| time.seconds)
    }

    /// Whether `old` is `new` or one of its ancestors.
    pub fn is_ancestor(&self, old: Id, new: Id) -> Result<bool, GitError> {
        if old == new || self.parents(new)?.contains(&old) {
            return Ok(true);
        }
        Ok(self.merge_bases(old, new)? == [old])
    }

    /// The subjects of commits that co did not make, from at most a thousand commits.
    pub fn own_commits_between(&self, old: Option<Id>, new: Id) -> Vec<String> {
        let walk = self.gix.rev_walk([new]).with_hidden(old);
        let subject = |info: gix::revision::walk::Info<'_>| {
            let commit = info.object().ok()?;
            let message = commit.message_raw().ok()?.to_string();
            let is_of_co = host_of(&message).is_some() && !self.changes_more(info.id);
            (!is_of_co).then(|| message.lines().next().unwrap_or_default().to_owned())
        };
        let all = walk.all().into_iter().flatten().take(1000);
        all.filter_map(Result::ok).filter_map(subject).collect()
    }

    /// Whether a commit changes files around the identity: a person may have put theirs into one
    /// of co's (`git commit --amend`). A merge has those of the remote.
    fn changes_more(&self, id: Id) -> bool {
        if self.prefix.is_empty() {
            return false;
        }
        let changes = || -> Result<bool, GitError> {
            let parents = self.parents(id)?;
            let [parent] = parents.as_slice() else { return Ok(false) };
            let (before, after) = (self.tree_of(*parent)?, self.tree_of(id)?);
            Ok(!self.enclosing_changes(Some(before), after)?.is_empty())
        };
        // What cannot be read is not known to be co's.
        changes().unwrap_or(true)
    }

    /// Whether HEAD was last moved by a git command here, according to the reflog, and not by a
    /// push from elsewhere.
    pub fn was_moved_here(&self) -> bool {
        const HERE: [&str; 9] = [
            "commit",
            "merge",
            "rebase",
            "reset",
            "checkout",
            "cherry-pick",
            "revert",
            "pull",
            "am",
        ];
        let log = std::fs::read_to_string(self.git_dir().join("logs/HEAD")).unwrap_or_default();
        let message =
            log.lines().last().and_then(|line| line.split_once('\t')).map(|(_, said)| said);
        message.is_some_and(|said| HERE.iter().any(|verb| said.starts_with(verb)))
    }

    /// Where the current branch was on this laptop, and since when, oldest first: git's own record,
    /// which it keeps for some months.
    pub fn branch_moves(&self) -> Result<Vec<(Id, Stamp)>, GitError> {
        let Some(branch) = self.head_name()? else { return Ok(Vec::new()) };
        let file = self.gix.common_dir().join("logs").join(branch);
        let log = std::fs::read_to_string(file).unwrap_or_default();
        let entry = |line: &str| {
            let (head, _) = line.split_once('\t').unwrap_or((line, ""));
            let id = Id::from_hex(head.split(' ').nth(1)?.as_bytes()).ok()?;
            let seconds: i64 = head.rsplit(' ').nth(1)?.parse().ok()?;
            Some((id, Stamp::from_micros(seconds * Stamp::SECOND)))
        };
        Ok(log.lines().filter_map(entry).collect())
    }

    /// The laptop where a commit was made; `None` if co did not make it.
    pub fn laptop_of(&self, commit: Id) -> Result<Option<String>, GitError> {
        let commit = self.gix.find_commit(commit).during(self, "read a commit")?;
        Ok(host_of(&commit.message_raw_sloppy().to_string()).map(str::to_owned))
    }

    /// The messages of all commits, latest first.
    pub fn messages_between(
        &self,
        old: Option<Id>,
        new: Id,
    ) -> Result<Vec<(Id, String)>, GitError> {
        let walk = self.gix.rev_walk([new]).with_hidden(old);
        let mut messages = Vec::new();
        for step in walk.all().during(self, "walk history")? {
            let commit = step.during(self, "walk history")?;
            let object = commit.object().during(self, "read a commit")?;
            let message = object.message_raw().during(self, "read a commit")?.to_string();
            messages.push((commit.id, message));
        }
        Ok(messages)
    }

    /// Number of commits that are in `new` and not in `old`, up to a thousand.
    pub fn commits_between(&self, old: Option<Id>, new: Id) -> usize {
        let walk = self.gix.rev_walk([new]).with_hidden(old);
        walk.all().map_or(0, |commits| commits.take(1000).filter(Result::is_ok).count())
    }
}

impl Repo {
    /// The version of co in each laptop's latest commit that records one; signed commits do not.
    pub fn versions(&self) -> BTreeMap<String, String> {
        let mut versions = BTreeMap::new();
        let walk = self.head().ok().flatten().and_then(|head| self.gix.rev_walk([head]).all().ok());
        for info in walk.into_iter().flatten().take(LATEST).filter_map(Result::ok) {
            let Ok(commit) = self.gix.find_commit(info.id) else { continue };
            let Ok(decoded) = commit.decode() else { continue };
            let message = decoded.message.to_string();
            let version = decoded.extra_headers().find(VERSION).map(ToString::to_string);
            if let (Some(host), Some(version)) = (host_of(&message), version) {
                versions.entry(host.to_owned()).or_insert(version);
            }
        }
        versions
    }
}

/// The laptop of a commit whose message has the form that co writes: one line, ending with it.
pub(super) fn host_of(message: &str) -> Option<&str> {
    let line = message.trim_end();
    let is_of_co = line.starts_with(SUBJECT) && !line.contains('\n');
    line.rsplit_once(" on ").filter(|_| is_of_co).map(|(_, host)| host)
}
