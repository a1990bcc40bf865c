//! Lists, fetches and pushes through the git program, with the user's ssh, credential helpers and
//! proxies. What a server says of a push that it did not take: `verdict`.
//!
//! Invariant: never a forced push; `--force-with-lease` can only refuse more.

pub use super::verdict::Pushed;
use super::{
    Branch, GitError, Id, Repo, dead_hook,
    error::{LocalErrorKind, RemoteErrorKind, Words},
    journal::RefMark,
    process::{self, Access, Output, Timeout},
    pushing::Pushing,
    scratch,
    ssh::SshLogin,
    trusted,
    url::{self, sound_url},
    verdict,
};
use crate::machine::process::Process;
use std::{collections::BTreeMap, path::Path, time::Duration};

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Listing {
    /// `None` if the remote does not have the branch.
    pub branch: Option<Id>,
    /// The branch that the remote's HEAD points to.
    pub default: Option<String>,
}

/// A git command that connects to a remote.
pub(super) fn talking(git_dir: &Path, work_tree: Option<&Path>, access: &Access) -> Process {
    talking_with(git_dir, work_tree, access, || match trusted::open(git_dir) {
        Ok(repo) => repo.config_snapshot().string("core.sshCommand").is_some(),
        Err(_) => gix::config::File::from_globals()
            .is_ok_and(|config| config.string("core.sshCommand").is_some()),
    })
}

/// As [`talking`], from an open repository.
fn talking_from(repo: &Repo, access: &Access) -> Process {
    let has_own_ssh = || repo.config("core.sshCommand").is_some();
    talking_with(repo.git_dir(), Some(&repo.root), access, has_own_ssh)
}

pub(super) fn talking_with(
    git_dir: &Path,
    work_tree: Option<&Path>,
    access: &Access,
    has_own_ssh: impl FnOnce() -> bool,
) -> Process {
    let mut command = process::git(git_dir, work_tree);
    if let Some(login) = &access.login {
        login.add_to(&mut command);
    }
    let in_environment =
        ["GIT_SSH_COMMAND", "GIT_SSH"].iter().any(|name| std::env::var_os(name).is_some());
    // Outside a repository, gix asks git for its configuration: not if git is only the stub.
    let is_own = || super::stub::refuse_stub().is_ok() && (in_environment || has_own_ssh());
    // ssh would prompt on the terminal itself. A user's own ssh command is left as it is.
    if !access.timeout.interactive && !is_own() {
        command.env("GIT_SSH_COMMAND", "ssh -o BatchMode=yes");
    }
    command
}

/// The URL that git actually uses, after `url.*.insteadOf` of this repository or, if there is none,
/// of the user. For a sealed remote, that of the repository below it.
pub fn real_url(git_dir: &Path, url: &str) -> String {
    let url = url::unsealed(url).unwrap_or(url);
    let rewritten = match trusted::open(git_dir) {
        Ok(repo) => rewritten(&repo, url),
        Err(_) => rewritten_anywhere(url),
    };
    rewritten.unwrap_or_else(|| url.to_owned())
}

/// `None` if no rule is for this URL: then it stays as it is spelled.
fn rewritten(repo: &gix::Repository, url: &str) -> Option<String> {
    let seen = |remote: gix::Remote<'_>| {
        remote.url(gix::remote::Direction::Fetch).map(|url| url.to_bstring().to_string())
    };
    let spelled = seen(repo.remote_at_without_url_rewrite(url).ok()?)?;
    seen(repo.remote_at(url).ok()?).filter(|real| *real != spelled)
}

fn rewritten_anywhere(url: &str) -> Option<String> {
    let folder = scratch::repository(url).ok()?;
    rewritten(&scratch::opened(folder.path()).ok()?.gix, url)
}

/// All URLs that a push to the remote goes to.
pub fn push_urls(repo: &Repo, remote: &str) -> Result<Vec<String>, GitError> {
    let mut command = process::git(repo.git_dir(), None);
    command.args(["remote", "get-url", "--push", "--all", "--", remote]);
    let output = process::run(command, process::LOCAL)?;
    if !output.ok {
        return Err(failure(&repo.root, remote, &output, process::LOCAL));
    }
    Ok(output.out.lines().map(str::to_owned).collect())
}

pub(super) fn list(
    repo: &Repo,
    remote: &str,
    branch: &str,
    access: &Access,
) -> Result<Listing, GitError> {
    sound_url(remote)?;
    let mut command = talking_from(repo, access);
    command.args(["ls-remote", "--symref", "--", remote, "HEAD", branch]);
    let output = process::run(command, access.timeout)?;
    if !output.ok {
        return Err(failure(&repo.root, remote, &output, access.timeout));
    }
    let mut listing = Listing::default();
    for line in output.out.lines() {
        match line.split_once('\t') {
            Some((target, "HEAD")) => {
                listing.default =
                    target.strip_prefix("ref: ").map(str::to_owned).or(listing.default);
            }
            Some((id, name)) if name == branch => listing.branch = Id::from_hex(id.as_bytes()).ok(),
            _ => {}
        }
    }
    Ok(listing)
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Heads {
    /// The branch that the remote's HEAD points to, if it exists.
    pub default: Option<String>,
    /// Full names with their commits.
    pub branches: BTreeMap<String, Id>,
}

pub(super) fn heads(repo: &Repo, remote: &str, access: &Access) -> Result<Heads, GitError> {
    heads_seen_from(repo.git_dir(), Some(&repo.root), remote, access)
}

/// `work_tree` is where a relative URL begins.
pub(super) fn heads_seen_from(
    git_dir: &Path,
    work_tree: Option<&Path>,
    remote: &str,
    access: &Access,
) -> Result<Heads, GitError> {
    sound_url(remote)?;
    let mut command = talking(git_dir, work_tree, access);
    command.args(["ls-remote", "--symref", "--", remote, "HEAD", "refs/heads/*"]);
    let output = process::run(command, access.timeout)?;
    if !output.ok {
        return Err(failure(git_dir, remote, &output, access.timeout));
    }
    let mut heads = Heads::default();
    let mut named = None;
    for (left, name) in output.out.lines().filter_map(|line| line.split_once('\t')) {
        match left.strip_prefix("ref: ") {
            Some(target) => named = Some(target.to_owned()),
            None if name.starts_with("refs/heads/") => {
                let id = Id::from_hex(left.as_bytes()).map_err(|_| other_algorithm(remote))?;
                heads.branches.insert(name.to_owned(), id);
            }
            None => {}
        }
    }
    heads.default = named.filter(|name| heads.branches.contains_key(name));
    Ok(heads)
}

/// Objects with another hash algorithm cannot be read here, which differs from having none.
fn other_algorithm(remote: &str) -> GitError {
    GitError::Remote {
        remote: process::without_credentials(remote),
        error_kind: RemoteErrorKind::HashAlgorithm,
        reason: "its repository uses a hash algorithm other than sha1".to_owned(),
        ssh: None,
    }
}

impl Heads {
    /// One of them.
    pub fn listing(&self, branch: &str) -> Listing {
        let branch = self.branches.get(branch).copied();
        Listing { branch, default: self.default.clone() }
    }

    /// The branch to join if a person set the remote but no branch: that of its HEAD, else the only
    /// one.
    pub fn to_join(&self) -> Option<&String> {
        let only = || self.branches.keys().next().filter(|_| self.branches.len() == 1);
        self.default.as_ref().or_else(only)
    }

    /// Without `refs/heads/`.
    pub fn names(&self) -> Vec<String> {
        let short = |name: &String| name.trim_start_matches("refs/heads/").to_owned();
        self.branches.keys().map(short).collect()
    }
}

/// Fetches a branch into its tracking ref.
pub(super) fn fetch(
    repo: &Repo,
    remote: &str,
    branch: &Branch,
    access: &Access,
) -> Result<Option<Id>, GitError> {
    repo.refuse_dead_hooks(remote, &["reference-transaction"])?;
    let mut command = talking_from(repo, access);
    let refspec = format!("+{}:{}", branch.there, branch.tracking);
    command.args([
        "fetch",
        "--no-write-fetch-head",
        "--no-tags",
        // Only into the tracking ref, whatever refspecs are configured.
        "--refmap=",
        "--progress",
        "--",
        remote,
        &refspec,
    ]);
    let mark = RefMark::set(repo);
    let output = repo.run_with_hooks(command, &["reference-transaction"], access.timeout)?;
    mark.end(&output);
    repo.refuse_hanging_hook(remote, &["reference-transaction"], &output, access.timeout)?;
    if !output.ok {
        return Err(failure(&repo.root, remote, &output, access.timeout));
    }
    // git syncs the objects that it unpacked, but not their folders.
    crate::machine::batch::bring_all_to_disk(&repo.objects());
    Ok(repo.ref_id(&branch.tracking))
}

pub(super) fn push(
    repo: &Repo,
    remote: &str,
    branch: &Branch,
    (known, commit): (Option<Id>, Id),
    access: &Access,
) -> Result<Pushed, GitError> {
    repo.refuse_dead_hooks(remote, dead_hook::RUN)?;
    let mut command = talking_from(repo, access);
    command.args(["push", "--porcelain", "--no-follow-tags", "--progress"]);
    // `commit` descends from the remote's known commit. If the remote has another one now, or is
    // another repository, that has to be examined first.
    if let Some(known) = known {
        command.arg(format!("--force-with-lease={}:{known}", branch.there));
    }
    command.args(["--", remote, &format!("{commit}:{}", branch.there)]);
    let hooked = repo.has_hook("pre-push");
    let timeout = if hooked { with_hook(access.timeout) } else { access.timeout };
    let mark = RefMark::set(repo);
    let pushing = Pushing::begin();
    let output = repo.run_with_hooks(command, dead_hook::RUN, timeout)?;
    mark.end(&output);
    pushing.end(&output)?;
    repo.refuse_hanging_hook(remote, dead_hook::RUN, &output, timeout)?;
    if output.ok {
        let summary = output.out.lines().find_map(|line| line.split('\t').nth(2));
        let old = summary.and_then(|summary| summary.split_once("..")).map(|(old, _)| old);
        return Ok(Pushed::Accepted(old.map(str::to_owned)));
    }
    if let Some(answer) = verdict::read(remote, &output) {
        return answer;
    }
    if hooked && output.err.contains("failed to push some refs") {
        // A hook may write to either stream; the other lines are git's.
        let gits = ["error: failed to push", "To ", "Done", "!"];
        let own = |line: &&str| {
            !line.trim().is_empty() && !gits.iter().any(|words| line.starts_with(words))
        };
        // The end of what a hook printed says why it failed.
        let last = |text: &str| text.lines().rfind(own).map(str::to_owned);
        let said = last(&output.err).or_else(|| last(&process::shown(&output.out)));
        return Err(GitError::Remote {
            remote: process::without_credentials(remote),
            error_kind: RemoteErrorKind::HookHere,
            reason: said.as_deref().map_or("it printed nothing", str::trim).to_owned(),
            ssh: None,
        });
    }
    Err(failure(&repo.root, remote, &output, timeout))
}

/// How long a pre-push hook may run: it may run tests.
const HOOK: Duration = Duration::from_secs(600);
/// A hook may run for this many timeouts at most: whoever sets a short one does not want to wait
/// ten minutes.
const TIMEOUTS_OF_HOOK: u32 = 30;

fn with_hook(timeout: Timeout) -> Timeout {
    let hook = HOOK.min(timeout.silence.saturating_mul(TIMEOUTS_OF_HOOK));
    Timeout { silence: timeout.silence.max(hook), ..timeout }
}

pub(super) fn failure(
    repository: &Path,
    remote: &str,
    output: &Output,
    timeout: Timeout,
) -> GitError {
    let named = remote;
    let remote = process::without_credentials(named);
    if output.err.contains("usage: git ") {
        let why = "it lacks an option that co needs; git 2.30 or newer has it";
        return GitError::NoGit { source: std::io::Error::other(why) };
    }
    if output.timed_out {
        let reason = format!("no answer for {} s", timeout.silence.as_secs());
        let error_kind = RemoteErrorKind::Unreachable;
        return GitError::Remote { remote, error_kind, reason, ssh: None };
    }
    // The server's messages about its own locks and disks are not local problems.
    let own = output.err.lines().filter(|line| !line.starts_with("remote:"));
    let own: String = own.map(|line| format!("{line}\n")).collect();
    let reason = process::reason(&output.err);
    if output.killed || LocalErrorKind::read(&own).is_some() {
        let words = if output.killed { "git was killed".into() } else { lock_or(&own, reason) };
        return GitError::local("communicate with the remote", repository, Words(words));
    }
    match RemoteErrorKind::read_line(&output.err) {
        // The line with the cause is more informative than git's last line.
        Some((error_kind, line)) => {
            let reason = process::reason(line);
            let ssh = error_kind.is_of_ssh().then(|| login(repository, named)).flatten();
            GitError::Remote { remote, error_kind, reason, ssh: ssh.map(Box::new) }
        }
        None => {
            let error_kind = RemoteErrorKind::Protocol;
            GitError::Remote { remote, error_kind, reason, ssh: None }
        }
    }
}

/// Where ssh was asked: `None` for a remote with a second place for pushes.
fn login(repository: &Path, remote: &str) -> Option<SshLogin> {
    let repo = trusted::open(repository).ok();
    let Some(known) = repo.as_ref().and_then(|repo| repo.find_remote(remote).ok()) else {
        return SshLogin::parse(remote);
    };
    let url = |direction| {
        known.url(direction).and_then(|url| SshLogin::parse(&url.to_bstring().to_string()))
    };
    let fetched = url(gix::remote::Direction::Fetch);
    fetched.filter(|login| url(gix::remote::Direction::Push).as_ref() == Some(login))
}

/// Prefers the line that mentions a lock file, which a person has to look at.
fn lock_or(own: &str, reason: String) -> String {
    own.lines().find(|line| line.contains(".lock'")).map_or(reason, str::to_owned)
}
