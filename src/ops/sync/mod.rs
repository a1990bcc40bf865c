//! `identity sync`: tidy, commit, fetch, merge, check out, push; each step may be the last, and running it again finishes the job.
//!
//! Invariant: files before the ref, creates before overwrites before deletes before the ledger; nothing is forced; the identity lock is
//! held throughout, the writing lock only while files change.

mod after_git;
mod apply;
mod merging;
mod report;
mod work;

pub use after_git::{order_after_merge, order_after_rebase};
pub use apply::{recover, refuse_mass_deletion, write_files, write_files_with};
pub use merging::{preview, refuse_file_and_folder};
pub use report::{DocumentLine, Report, Side};
pub use work::taken_up;

use super::{Exit, Failure, guard, store::Store};
use crate::identity::{
    RelPath, Snapshot,
    secrets::{self, Allowed, Secret, reference},
};
use crate::merge::{change::ChangeSet, ids::Renumbered};
use crate::system::{
    Machine, SystemError, files,
    git::{
        Access, Branch, Elsewhere, GitError, Id, Login, Patience, Repo, elsewhere,
        transport::{self, Pushed},
    },
    lock::{self, Lock},
    oplog::Operation,
};
use std::{collections::BTreeSet, time::Duration};

/// How a sync may behave.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Facts that left without a forget by co may leave for good.
    pub accept_deletions: bool,
    /// An unreachable remote is a failure, not a warning.
    pub require_remote: bool,
    /// Rules of the secret scanner that a person overrides.
    pub allowed: Allowed,
}

/// How often a push that came too late is tried again.
const TRIES: usize = 5;
/// How long to wait for another sync of the same identity.
const PATIENCE: Duration = Duration::from_secs(2);
/// The longest silence of a remote where a person may have to type a password.
const TYPING: Duration = Duration::from_secs(120);

/// Somebody wrote while we worked: start again from the work tree.
pub(super) struct Again;

/// What a step came to.
pub(super) type Step<T> = Result<Result<T, Again>, Failure>;

/// One sync under way.
pub(super) struct Session<'a> {
    machine: &'a Machine,
    store: Store,
    repo: Repo,
    branch: Branch,
    request: Request,
    /// What the report is made of.
    seen: Seen,
    _lock: Lock,
}

/// What stays behind: files, and whole folders that cannot be looked into.
#[derive(Clone, Default, Debug)]
pub(super) struct Held {
    /// Files with markers or damage, which are the user's to mend.
    damaged: BTreeSet<RelPath>,
    /// Files with a secret that the last commit does not have.
    secret: BTreeSet<RelPath>,
    /// Files that cannot be read.
    unreadable: BTreeSet<RelPath>,
    /// Folders, with a trailing `/`.
    folders: Vec<String>,
}

impl Held {
    /// Whether a file must be left alone.
    fn holds(&self, path: &RelPath) -> bool {
        let below = self.folders.iter().any(|folder| path.as_str().starts_with(folder.as_str()));
        below || self.damaged.contains(path) || self.secret.contains(path) || self.unreadable.contains(path)
    }

    fn is_empty(&self) -> bool {
        self.damaged.is_empty() && self.secret.is_empty() && self.unreadable.is_empty() && self.folders.is_empty()
    }
}

/// What happened so far.
#[derive(Default)]
pub(super) struct Seen {
    /// The remote's identity as this laptop knew it when it began.
    remote_before: Option<Snapshot>,
    /// Ours, committed.
    ours: Snapshot,
    /// The merged one.
    merged: Option<Snapshot>,
    /// The remote's as fetched.
    theirs: Option<Snapshot>,
    renumbered: Vec<Renumbered>,
    decisions: Vec<crate::merge::Decision>,
    held: Held,
    secrets: Vec<(RelPath, Secret)>,
    findings: Vec<crate::identity::Finding>,
    warnings: Vec<String>,
    files: Vec<crate::merge::change::FileChange>,
    /// The work tree as it was found, before it was tidied.
    found: Snapshot,
    /// Whether `undo` takes something back after this sync.
    undoable: bool,
    /// Whether any file of the identity changed.
    changed: bool,
    /// Whether the remote answered and said no.
    refused: bool,
    pushed_commits: usize,
    published: bool,
    rewritten: bool,
    head_before: Option<Id>,
    tracking_before: Option<Id>,
}

/// Syncs the identity.
///
/// # Errors
/// Exit 4 without a repository, 6 from a guard, 7 when git needs the user, 8 with `require_remote`, 9 when another co is at work.
pub fn run(machine: &Machine, request: &Request) -> Result<Report, Failure> {
    Session::open(machine, request)?.run()
}

/// The failure for an identity without a repository, with what to set where somebody's repository has its files.
pub fn no_repository(machine: &Machine) -> Failure {
    let path = machine.shown(&machine.identity.path);
    match elsewhere(machine) {
        Some(Elsewhere::Tracked { git_dir, command }) => {
            Failure::new(Exit::NotSetUp, format!("{path} is tracked by {}, which is not set here", machine.shown(&git_dir)))
                .hint(format!("`{command}` works in it"))
        }
        Some(Elsewhere::Links { folder }) => {
            let folder = machine.shown(&folder);
            Failure::new(Exit::NotSetUp, format!("the files in {path} are links into {folder}; a new fact would not get there"))
                .hint(format!("remove the links and `ln -s {folder} {path}`; or set identity_path to {folder} in settings.json"))
        }
        None => {
            Failure::new(Exit::NotSetUp, format!("{path} is in no git repository")).hint("`co init` makes it one, `co init URL` connects it to yours")
        }
    }
}

/// The repository that the identity lives in.
///
/// # Errors
/// [`no_repository`]
pub fn repository(machine: &Machine) -> Result<Repo, Failure> {
    Repo::discover(machine).map_err(SystemError::from)?.ok_or_else(|| no_repository(machine))
}

/// Who answers when the remote asks for a login: co itself, where settings.json names a secret for it. The value stays in the keyring until
/// git asks.
///
/// # Errors
/// [`Exit::Refused`] when settings.json holds the value itself.
pub fn login(machine: &Machine, url: &str) -> Result<Option<Login>, Failure> {
    Ok(password_name(machine)?.and_then(|_| Login::of(url, &machine.program)))
}

/// The name of the secret that settings.json names for the login of the remote.
///
/// # Errors
/// As [`login`].
pub fn password_name(machine: &Machine) -> Result<Option<&str>, Failure> {
    let Some(password) = &machine.settings.sync.password else { return Ok(None) };
    let name = reference::only(password);
    if name.is_none() {
        let file = machine.shown(&machine.settings_file());
        return Err(Failure::new(Exit::Refused, format!("sync.password in {file} holds a value; settings hold a reference, never a secret"))
            .hint("`co secret set git-token`, and `\"password\": \"{{secret:git-token}}\"` there"));
    }
    Ok(name)
}

/// What a dotfiles manager that links the whole configuration folder would commit along: this machine's settings and databases.
fn machine_state_in_repository(machine: &Machine, repo: &Repo) -> Option<String> {
    let folder = files::resolve(&machine.config_dir);
    // A work tree that is the home folder (yadm, vcsh) commits only what it is told to.
    if repo.prefix.is_empty() || machine.env("GIT_DIR").is_some() || !folder.starts_with(&repo.root) {
        return None;
    }
    let exposed: Vec<&str> = ["settings.json", "local", "sessions"]
        .into_iter()
        .filter(|name| files::exists(&folder.join(name)) && repo.would_add(&folder.join(name)))
        .collect();
    if exposed.is_empty() {
        return None;
    }
    let place = machine.shown(&folder);
    Some(format!(
        "{place} lies in a repository that would commit {}, which belong to this machine; put them into {place}/.gitignore: {}",
        exposed.join(", "),
        exposed.iter().map(|name| format!("/{name}")).collect::<Vec<_>>().join(" ")
    ))
}

impl<'a> Session<'a> {
    pub(super) fn open(machine: &'a Machine, request: &Request) -> Result<Session<'a>, Failure> {
        let store = Store::identity(machine)?;
        let lock = lock::folder(&store.root, PATIENCE)?;
        let repo = repository(machine)?;
        crate::system::git::journal::clear_stale_locks(&repo);
        let branch = repo.branch(&machine.settings.sync).map_err(SystemError::from)?;
        let mut session = Session { machine, store, repo, branch, request: request.clone(), seen: Seen::default(), _lock: lock };
        session.seen.head_before = session.repo.head().map_err(SystemError::from)?;
        session.seen.tracking_before = session.repo.ref_id(&session.branch.tracking);
        Ok(session)
    }
}

impl Session<'_> {
    fn run(mut self) -> Result<Report, Failure> {
        for _ in 0..20 {
            self.seen.files.clear();
            if self.finish_interrupted()?.is_err() || self.commit_work()?.is_err() {
                continue;
            }
            if self.exchange()?.is_ok() {
                self.seen.warnings.extend(machine_state_in_repository(self.machine, &self.repo));
                self.seen.undoable = self.log_operation();
                return report::make(self);
            }
        }
        Err(Failure::new(Exit::Busy, "files in the identity keep changing while co works").hint("`co identity sync` again when they rest"))
    }

    fn access(&self, remote: &str) -> Result<Access, Failure> {
        let silence = Duration::from_secs(self.machine.settings.sync.timeout.max(1));
        let interactive = self.machine.interactive;
        let patience = Patience { silence: if interactive { silence.max(TYPING) } else { silence }, interactive };
        let url = self.repo.config(&format!("remote.{remote}.url")).unwrap_or_else(|| remote.to_owned());
        Ok(Access { patience, login: login(self.machine, &url)? })
    }

    /// Fetch, merge and push until the remote has what we have.
    fn exchange(&mut self) -> Step<()> {
        let Some(remote) = self.branch.remote.clone() else {
            self.seen.warnings.push("there is no remote yet; your facts are committed on this laptop (`co identity remote URL` names one)".into());
            return Ok(Ok(()));
        };
        match self.exchange_with(&remote) {
            Err(failure) if failure.exit == Exit::Remote && !self.request.require_remote && !self.seen.refused => {
                self.seen.warnings.push(format!("{}; your facts are committed on this laptop and will be pushed at the next sync", failure.message));
                Ok(Ok(()))
            }
            other => other,
        }
    }

    fn exchange_with(&mut self, remote: &str) -> Step<()> {
        let git = |error: GitError| Failure::from(error);
        for round in 0..TRIES {
            let known = self.repo.ref_id(&self.branch.tracking);
            // With something to push and nothing new known, the push itself asks whether the remote has moved.
            let theirs = if round == 0 && self.only_ahead(known)? { known } else { self.fetch(remote, known)? };
            if let Some(theirs) = theirs
                && self.take_in(theirs)?.is_err()
            {
                return Ok(Err(Again));
            }
            let Some(head) = self.repo.head().map_err(git)? else { return Ok(Ok(())) };
            if theirs == Some(head) {
                self.seen.published = true;
                return Ok(Ok(()));
            }
            let ahead = self.repo.commits_between(theirs, head);
            self.refuse_secret_commits(theirs, head)?;
            let pushed = transport::push(&self.repo, remote, &self.branch, head, &self.access(remote)?);
            self.seen.refused = matches!(pushed, Err(GitError::Refused { .. }));
            match pushed.map_err(git)? {
                Pushed::Accepted => {
                    self.seen.pushed_commits = ahead;
                    self.seen.published = true;
                    return Ok(Ok(()));
                }
                Pushed::Behind => {}
            }
        }
        Err(Failure::new(Exit::Remote, format!("{remote} moved on {TRIES} times while co was merging")).hint("`co identity sync` again in a moment"))
    }

    /// What a person committed by hand goes out with a push as well, so the guard stands here, too.
    fn refuse_secret_commits(&self, theirs: Option<Id>, head: Id) -> Result<(), Failure> {
        for file in self.repo.brought_since(theirs, head)? {
            let after = self.repo.blob(file.after)?;
            if secrets::scan_file(&file.path, &after, &self.request.allowed).is_empty() {
                continue;
            }
            let known = file.before.iter().map(|id| self.repo.blob(*id)).collect::<Result<Vec<_>, GitError>>()?.join(&b'\n');
            let found = secrets::new_in(&file.path, Some(&known), &after, &self.request.allowed);
            let Some(secret) = found.first() else { continue };
            let (commit, root) = (&file.commit.to_string()[..10], self.machine.shown(&self.repo.root));
            let message =
                format!("commit {commit} is not published yet and holds a secret: {}; nothing was pushed", guard::told_of(Some(&file.path), secret));
            // In somebody's bigger repository the other commits are theirs to keep.
            let back = match theirs {
                _ if !self.repo.prefix.is_empty() => format!("rebase -i {commit}^"),
                Some(theirs) => format!("reset --soft {}", &theirs.to_string()[..10]),
                None => "update-ref -d HEAD".to_owned(),
            };
            return Err(Failure::new(Exit::Refused, message)
                .hint(format!(
                    "`git -C {root} {back}` takes what is unpublished back out of the commits; then take it out of the file and sync again"
                ))
                .hint(format!("keep it in the keyring (`co secret set NAME`); if it is none: `--allow-secret {}`", secret.rule)));
        }
        Ok(())
    }

    fn only_ahead(&self, known: Option<Id>) -> Result<bool, Failure> {
        match (known, self.repo.head()?) {
            (Some(known), Some(head)) => Ok(known != head && self.repo.is_ancestor(known, head)?),
            _ => Ok(false),
        }
    }

    /// What the remote has now, in our objects. Fetches only when it is not what we know.
    pub(super) fn fetch(&mut self, remote: &str, known: Option<Id>) -> Result<Option<Id>, Failure> {
        let listing = transport::list(self.repo.git_dir(), remote, &self.branch.there, &self.access(remote)?)?;
        let Some(there) = listing.branch else { return Ok(None) };
        if known == Some(there) {
            return Ok(known);
        }
        let fetched = transport::fetch(&self.repo, remote, &self.branch, &self.access(remote)?)?;
        if let (Some(known), Some(fetched)) = (known, fetched) {
            self.seen.rewritten |= !self.repo.is_ancestor(known, fetched)?;
        }
        Ok(fetched)
    }

    /// What was taken up by hand: what a command of co did has an operation of its own.
    fn by_hand(&self) -> Vec<crate::merge::change::FileChange> {
        let mut files = self.seen.files.clone();
        if files.is_empty() {
            return files;
        }
        let operations = crate::system::oplog::read(&self.machine.state_dir(&self.store.root)).unwrap_or_default();
        let mut last = std::collections::BTreeMap::new();
        for file in operations.iter().flat_map(|operation| operation.change().files) {
            last.insert(file.path, file.after);
        }
        // What tidy stamped on top of a command's file is no hand's work either.
        files.retain(|file| last.get(&file.path) != Some(&self.seen.found.get(&file.path).cloned()));
        for file in &mut files {
            if let Some(known) = last.get(&file.path) {
                file.before.clone_from(known);
            }
        }
        files
    }

    /// Notes the sync in the operation log, with what it changed in the work tree.
    ///
    /// Whether `undo` takes something back after it.
    fn log_operation(&self) -> bool {
        let Ok(Some(head)) = self.repo.head() else { return false };
        if !self.seen.changed && self.seen.head_before == Some(head) {
            return false;
        }
        let files = self.by_hand();
        let change = ChangeSet { files, decisions: Vec::new() };
        let mut operation = Operation::new("sync", work::summary(&change), self.machine.now(), &change);
        operation.brought = self.seen.merged.as_ref().map_or(0, |merged| ChangeSet::between(&self.seen.ours, merged).files.len());
        if change.is_empty() {
            operation.what =
                if operation.brought > 0 { format!("brought {} file(s) from other laptops", operation.brought) } else { "published".into() };
        }
        operation.commits = Some((self.seen.head_before.map(|id| id.to_string()), head.to_string()));
        let undoable = !change.is_empty() || operation.brought == 0;
        let _ = crate::system::oplog::append(&self.machine.state_dir(&self.store.root), operation);
        undoable
    }
}
