//! The repository of an identity: its own, an enclosing one, or one whose work tree is elsewhere.
//!
//! Invariant: a repository that belongs to another user is refused, as git does.

use super::{
    GitError, Id,
    error::{Cause, LocalErrorKind, Words},
    meta_cache::MetaCache,
    process::Timeout,
    trusted,
};
use crate::identity::{Blob, RelPath};
pub use crate::machine::repositories::{is_repository, repository_above};
use crate::machine::{Context, env::Clock, files, zone::LaptopZone};
use gix::bstr::ByteSlice;
use std::{
    cell::RefCell,
    collections::HashMap,
    path::{Path, PathBuf},
    rc::Rc,
    time::Duration,
};

/// Bytes of objects that are kept: a command looks at the same few trees several times.
const OBJECTS: usize = 16 * 1024 * 1024;

/// A tree's files with their blobs, listed once per run.
pub type Entries = Rc<[(RelPath, Id)]>;

pub struct Repo {
    pub(super) gix: gix::Repository,
    pub root: PathBuf,
    /// The identity's path in it, with a trailing `/`; empty if the identity is the repository.
    pub prefix: String,
    /// For the committer `co@<host>` if git knows no author.
    pub host: String,
    /// When its commits are made.
    pub(crate) clock: Clock,
    /// The time zone in which commits are dated.
    pub(super) zone: LaptopZone,
    /// How long the signing program may be silent, and whether it can ask for a passphrase.
    pub(super) signing: Timeout,
    /// Blobs that were read in this run, so that each is read only once.
    pub(super) blobs: RefCell<HashMap<Id, Blob>>,
    /// The PATH on which git finds programs; `None` if it is not known.
    pub(super) search_path: Option<String>,
    /// The user's own git attributes, unless the configuration sets another file.
    pub(super) user_attributes: Option<PathBuf>,
    pub(super) trees: RefCell<HashMap<Id, Entries>>,
    /// Common ancestors of two commits, the lesser id first: a merge asks for them several times.
    pub(super) bases: RefCell<HashMap<(Id, Id), Vec<Id>>>,
    pub(super) known: RefCell<MetaCache>,
}

impl Repo {
    /// `None` if the identity is not in a repository, or ignored by the one around it.
    pub fn discover(context: &Context) -> Result<Option<Repo>, GitError> {
        let identity = &context.identity.resolved;
        // A repository of its own takes precedence over any in the environment.
        if is_repository(identity) {
            return Repo::open(identity, None, context).map(Some);
        }
        if let (Some(dir), Some(tree)) = (context.env("GIT_DIR"), context.env("GIT_WORK_TREE")) {
            let (dir, tree) = (context.cwd.join(dir), files::resolve(&context.cwd.join(tree)));
            if identity.starts_with(&tree) {
                return Repo::open(&dir, Some(tree), context).map(Some);
            }
        }
        // vcsh sets only GIT_DIR; that repository's configuration sets its work tree.
        if let (Some(dir), None) = (context.env("GIT_DIR"), context.env("GIT_WORK_TREE")) {
            let dir = context.cwd.join(dir);
            if let Some(tree) = configured_tree(&dir).filter(|tree| identity.starts_with(tree)) {
                return Repo::open(&dir, Some(tree), context).map(Some);
            }
        }
        match repository_above(identity) {
            Some(root) => {
                let repo = Repo::open(&root, None, context)?;
                let has_it = repo.prefix.is_empty() || repo.rule_over_identity().is_none();
                Ok(has_it.then_some(repo))
            }
            None => Ok(None),
        }
    }

    pub(super) fn open(
        path: &Path,
        tree: Option<PathBuf>,
        context: &Context,
    ) -> Result<Repo, GitError> {
        let identity = &context.identity.resolved;
        const OPEN: &str = "open the repository";
        let words = |text: &str| GitError::local(OPEN, path, Words(text.into()));
        // As git, which checks the sum of its index only when it is asked to (`git fsck`).
        let options = gix::open::Options::default()
            .bail_if_untrusted(true)
            .config_overrides(["index.skipHash=true"]);
        let mut gix =
            gix::open_opts(path, options).map_err(|error| GitError::local(OPEN, path, error))?;
        gix.object_cache_size_if_unset(OBJECTS);
        if gix.config_snapshot().string("extensions.refStorage").is_some_and(|kind| kind != "files")
        {
            return Err(GitError::Local {
                action: OPEN,
                repository: path.to_owned(),
                error_kind: LocalErrorKind::RefFormat,
                source: Words(
                    "its refs are stored as a reftable, or in another format that is not files"
                        .into(),
                )
                .into(),
            });
        }
        if let Some(tree) = tree {
            gix.set_workdir(tree).map_err(|error| GitError::local(OPEN, path, error))?;
        }
        let root = gix.workdir().map(files::resolve).ok_or_else(|| words("it has no work tree"))?;
        let prefix = identity
            .strip_prefix(&root)
            .map_err(|_| words("the identity is outside its work tree"))?;
        let prefix = prefix.to_str().ok_or_else(|| words("the identity's path is not UTF-8"))?;
        let prefix = if prefix.is_empty() { String::new() } else { format!("{prefix}/") };
        let host = context.host.clone();
        // A person may have to type a passphrase: three times the network's timeout.
        let silence = Duration::from_secs(3 * context.settings.sync.timeout.max(1));
        let signing = Timeout { silence, interactive: context.interactive };
        let config = context.env("XDG_CONFIG_HOME").map(PathBuf::from);
        let config = config.unwrap_or_else(|| context.home.join(".config"));
        let user_attributes = Some(config.join("git/attributes"));
        Ok(Repo {
            prefix,
            host,
            clock: context.clock,
            zone: LaptopZone::of(context.started_with()),
            signing,
            search_path: context.env("PATH").map(str::to_owned),
            user_attributes,
            ..Repo::at(gix, root)
        })
    }

    /// A repository as a whole, without an identity in it.
    pub(super) fn at(gix: gix::Repository, root: PathBuf) -> Repo {
        Repo {
            gix,
            root,
            prefix: String::new(),
            host: String::new(),
            clock: Clock::default(),
            zone: LaptopZone::default(),
            signing: super::process::LOCAL,
            search_path: None,
            user_attributes: None,
            blobs: RefCell::default(),
            trees: RefCell::default(),
            bases: RefCell::default(),
            known: RefCell::default(),
        }
    }

    pub fn git_dir(&self) -> &Path {
        self.gix.git_dir()
    }

    pub fn config_file(&self) -> PathBuf {
        self.gix.common_dir().join("config")
    }

    /// The folder for co's own files: journal, locks.
    pub fn co_dir(&self) -> PathBuf {
        self.gix.git_dir().join("co")
    }

    /// The commit of HEAD; `None` before the first one.
    pub fn head(&self) -> Result<Option<Id>, GitError> {
        let head = self.gix.head().during(self, "read HEAD")?;
        Ok(head.id().map(gix::Id::detach))
    }

    /// The ref that HEAD points to; `None` if it is detached.
    pub fn head_name(&self) -> Result<Option<String>, GitError> {
        let name = self.gix.head_name().during(self, "read HEAD")?;
        Ok(name.map(|name| name.as_bstr().to_string()))
    }

    /// The commit or object of a ref; `None` if there is no such ref.
    pub fn ref_id(&self, name: &str) -> Option<Id> {
        let mut reference = self.gix.try_find_reference(name).ok()??;
        reference.peel_to_id().ok().map(gix::Id::detach)
    }

    /// Whether anything was ever fetched from a remote or pushed to it.
    pub fn has_met(&self, remote: &str) -> bool {
        let prefix = format!("refs/remotes/{remote}/");
        let Ok(all) = self.gix.references() else { return false };
        all.prefixed(prefix.as_str()).is_ok_and(|mut found| found.next().is_some())
    }

    /// Deletes the tracking refs of a remote.
    pub fn forget_met(&self, remote: &str) -> Result<(), GitError> {
        let prefix = format!("refs/remotes/{remote}/");
        let all = self.gix.references().during(self, "read the refs")?;
        let met = all.prefixed(prefix.as_str()).during(self, "read the refs")?;
        for reference in met.flatten() {
            reference.delete().during(self, "delete a tracking ref")?;
        }
        Ok(())
    }

    pub fn knows(&self, commit: Id) -> bool {
        self.gix.has_object(commit)
    }

    /// The commit of a revision (`HEAD~3`, `v1`, `main@{yesterday}`).
    pub fn revision(&self, text: &str) -> Option<Id> {
        let id = self.gix.rev_parse_single(text).ok()?;
        id.object().ok()?.peel_to_kind(gix::object::Kind::Commit).ok().map(|object| object.id)
    }

    /// The URL that git actually uses, after `url.*.insteadOf`; of a sealed remote, that of the
    /// repository which it lies in.
    pub fn real_url(&self, remote: &str) -> Option<String> {
        let remote = match self.sealed_in(remote) {
            Some(url) => self.gix.remote_at(url.as_str()).ok()?,
            None => self.gix.find_remote(remote).ok()?,
        };
        Some(remote.url(gix::remote::Direction::Fetch)?.to_bstring().to_string())
    }

    /// Whether a URL leads to this repository.
    pub fn is_at(&self, url: &str) -> bool {
        let Some(there) = self.local_place(url) else { return false };
        [self.root.as_path(), self.git_dir(), self.gix.common_dir()]
            .into_iter()
            .any(|place| files::resolve(place) == there)
    }

    /// Whether git pushes only to where it fetches from.
    pub fn has_one_place(&self, remote: &str) -> bool {
        // co itself pushes what is sealed.
        if self.sealed_in(remote).is_some() {
            return true;
        }
        let config = self.gix.config_snapshot();
        let values = |key: &str| config.plumbing().strings(&format!("remote.{remote}.{key}"));
        let urls = values("url").map_or(0, |urls| urls.len());
        urls < 2 && values("pushurl").is_none() && self.push_url(remote).is_none()
    }

    pub(super) fn push_url(&self, remote: &str) -> Option<String> {
        let remote = self.gix.find_remote(remote).ok()?;
        let url = |direction| remote.url(direction).map(|url| url.to_bstring().to_string());
        let push = url(gix::remote::Direction::Push);
        let elsewhere =
            push.filter(|push| url(gix::remote::Direction::Fetch).as_ref() != Some(push));
        elsewhere.map(|url| super::process::without_credentials(&url))
    }

    pub fn has_hook(&self, name: &str) -> bool {
        files::is_file(&self.hook_file(name))
    }

    /// Where git looks for a hook.
    pub(super) fn hook_file(&self, name: &str) -> PathBuf {
        let configured = self.gix.config_snapshot().trusted_path("core.hooksPath");
        let folder = match configured {
            Ok(Some(path)) => self.root.join(path),
            _ => self.gix.common_dir().join("hooks"),
        };
        folder.join(name)
    }

    pub fn config(&self, key: &str) -> Option<String> {
        self.gix.config_snapshot().string(key).map(|value| value.to_str_lossy().into_owned())
    }

    /// Fails with [`GitError::InProgress`] while a rebase, cherry-pick, revert or `git am` is open.
    /// An open merge is returned: sync can finish it.
    pub fn refuse_unfinished(&self) -> Result<Unfinished, GitError> {
        use gix::state::InProgress;
        let what = match self.gix.state() {
            None | Some(InProgress::Bisect) => return Ok(Unfinished::Nothing),
            Some(InProgress::Merge) => return Ok(Unfinished::Merge),
            Some(
                InProgress::Rebase | InProgress::RebaseInteractive | InProgress::ApplyMailboxRebase,
            ) => "rebase",
            Some(InProgress::CherryPick | InProgress::CherryPickSequence) => "cherry-pick",
            Some(InProgress::Revert | InProgress::RevertSequence) => "revert",
            Some(InProgress::ApplyMailbox) => "git am",
        };
        Err(GitError::InProgress { what: what.to_owned(), repository: self.root.clone() })
    }

    /// The commit that an open merge brings in.
    pub fn merge_head(&self) -> Option<Id> {
        let text = std::fs::read_to_string(self.git_dir().join("MERGE_HEAD")).ok()?;
        Id::from_hex(text.lines().next()?.trim().as_bytes()).ok()
    }

    /// Deletes git's notes about an open merge, once it is committed.
    pub fn clear_merge(&self) {
        for name in ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "AUTO_MERGE"] {
            let _ = std::fs::remove_file(self.git_dir().join(name));
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unfinished {
    Nothing,
    Merge,
}

/// Adds repository and action (an infinitive: `read a tree`) to an error.
pub(super) trait During<T> {
    fn during(self, repo: &Repo, action: &'static str) -> Result<T, GitError>;
}

impl<T, E: Into<Cause>> During<T> for Result<T, E> {
    fn during(self, repo: &Repo, action: &'static str) -> Result<T, GitError> {
        self.map_err(|error| GitError::local(action, &repo.root, error))
    }
}

/// The work tree that a repository's own configuration sets.
fn configured_tree(dir: &Path) -> Option<PathBuf> {
    let repo = trusted::open(dir).ok()?;
    let named = repo.config_snapshot().string("core.worktree")?;
    Some(files::resolve(&dir.join(named.to_str().ok()?)))
}

/// Whether a folder is inside git's own data: a bare repository, or a `.git`.
pub fn is_inside_git(folder: &Path) -> bool {
    let is_git = |folder: &Path| {
        folder.join("HEAD").is_file()
            && folder.join("objects").is_dir()
            && folder.join("refs").is_dir()
    };
    folder.ancestors().any(is_git)
}
