//! The mirror of a sealed remote: a bare repository in co's folder of the git directory.
//!
//! Invariant: it is derived from the remote and may be deleted; none of its refs or objects is one
//! of the identity's. No hook runs in it, and its commits name nobody. Must not know what is in the
//! files.

use super::super::{
    GitError, Id, Repo,
    error::Words,
    install,
    process::{self, Access},
    pushing::Pushing,
    repo::During,
    transport::{self, Heads, Pushed},
    trusted, verdict,
};
use crate::machine::{batch, files, process::Process};
use crate::seal::layout;
use gix::objs::tree::EntryKind;
use std::path::Path;

/// The last commit of the remote that was accepted: what a host loses is put back from it.
const SEEN: &str = "refs/co/remote";
/// The one that was fetched last, whatever it is.
const FETCHED: &str = "refs/co/fetched";
const OPEN: &str = "open the mirror of the remote";
const READ: &str = "read the mirror of the remote";
const WRITE: &str = "write the mirror of the remote";

pub(super) struct Mirror<'a> {
    /// The repository of the identity.
    of: &'a Repo,
    repo: Repo,
    /// The repository's URL.
    url: String,
}

/// A file of a commit.
pub(super) struct MirrorFile {
    pub(super) path: String,
    pub(super) id: Id,
    pub(super) size: u64,
}

/// A file that a commit adds or replaces, or removes.
pub(super) type Change = (String, Option<Vec<u8>>);

impl<'a> Mirror<'a> {
    /// Made if it is missing, or damaged.
    pub(super) fn open(of: &'a Repo, url: &str) -> Result<Mirror<'a>, GitError> {
        let folder = of.co_dir().join("sealed.git");
        if !is_whole(&folder) {
            make(of, &folder)?;
        }
        // A git that was killed leaves its locks; who opens the mirror holds that of the identity.
        for lock in ["refs/co/remote.lock", "refs/co/fetched.lock", "packed-refs.lock"] {
            let _ = std::fs::remove_file(folder.join(lock));
        }
        let opened = match open(&folder) {
            Ok(opened) => opened,
            Err(_) => {
                make(of, &folder)?;
                open(&folder)?
            }
        };
        Ok(Mirror { of, repo: Repo::at(opened, folder), url: url.to_owned() })
    }

    /// git on the way to the remote, with the ssh, helpers and proxies of the identity's
    /// repository.
    fn talking(&self, access: &Access) -> Process {
        let has_own_ssh = || self.of.config("core.sshCommand").is_some();
        let mut command = transport::talking_with(self.repo.git_dir(), None, access, has_own_ssh);
        command.args(["-c", "core.hooksPath=/dev/null"]);
        // Where a relative URL begins.
        command.current_dir(&self.of.root);
        command
    }

    /// For messages.
    pub(super) fn remote(&self) -> String {
        process::without_credentials(&self.url)
    }

    /// What the remote's branches are at.
    pub(super) fn heads(&self, access: &Access) -> Result<Heads, GitError> {
        transport::heads_seen_from(self.of.git_dir(), Some(&self.of.root), &self.url, access)
    }

    /// Brings one branch here.
    pub(super) fn fetch(&self, branch: &str, access: &Access) -> Result<Id, GitError> {
        let mut command = self.talking(access);
        command.args(["fetch", "--no-tags", "--no-write-fetch-head", "--progress", "--"]);
        command.args([&self.url, &format!("+{branch}:{FETCHED}")]);
        let output = process::run(command, access.timeout)?;
        if !output.ok {
            let here = self.repo.git_dir();
            return Err(transport::failure(here, &self.url, &output, access.timeout));
        }
        let fetched = self.repo.ref_id(FETCHED);
        let missing = || Words("the branch was not fetched".into());
        fetched.ok_or_else(|| GitError::local(READ, self.repo.git_dir(), missing()))
    }

    /// The files of a commit. Sizes are read from the objects' headers.
    pub(super) fn files(&self, commit: Id) -> Result<Vec<MirrorFile>, GitError> {
        let (repo, gix) = (&self.repo, &self.repo.gix);
        let commit = gix.find_commit(commit).during(repo, READ)?;
        let tree = commit.tree_id().during(repo, READ)?.detach();
        let tree = gix.find_tree(tree).during(repo, READ)?;
        let entries = tree.traverse().breadthfirst.files().during(repo, READ)?;
        let mut files = Vec::with_capacity(entries.len());
        for entry in entries.into_iter().filter(|entry| !entry.mode.is_tree()) {
            let path = String::from_utf8_lossy(&entry.filepath).into_owned();
            if entry.mode.kind() != EntryKind::Blob {
                let (remote, path) = (self.remote(), process::plain(&path));
                let why = "a sealed remote has only plain files".to_owned();
                return Err(GitError::Unsafe { remote, path, why });
            }
            let size = gix.find_header(entry.oid).during(repo, READ)?.size();
            files.push(MirrorFile { path, id: entry.oid, size });
        }
        Ok(files)
    }

    pub(super) fn read(&self, blob: Id) -> Result<Vec<u8>, GitError> {
        let mut blob = self.repo.gix.find_blob(blob).during(&self.repo, READ)?;
        Ok(blob.take_data())
    }

    /// A commit that names nobody; its objects are on disk when this returns.
    pub(super) fn commit(
        &self,
        parent: Option<Id>,
        changes: &[Change],
        hour: u64,
    ) -> Result<Id, GitError> {
        let (repo, gix) = (&self.repo, &self.repo.gix);
        let start = match parent {
            Some(parent) => repo.tree_of(parent)?,
            None => Id::empty_tree(gix::hash::Kind::Sha1),
        };
        let mut editor = gix.edit_tree(start).during(repo, WRITE)?;
        for (path, bytes) in changes {
            match bytes {
                Some(bytes) => {
                    let blob = gix.write_blob(bytes).during(repo, WRITE)?.detach();
                    editor.upsert(path.as_str(), EntryKind::Blob, blob).during(repo, WRITE)?;
                }
                None => {
                    editor.remove(path.as_str()).during(repo, WRITE)?;
                }
            }
        }
        let tree = editor.write().during(repo, WRITE)?.detach();
        self.written(tree, parent, hour)
    }

    /// A commit with the files of `like`, on top of another one.
    pub(super) fn again(&self, like: Id, on: Id, hour: u64) -> Result<Id, GitError> {
        self.written(self.repo.tree_of(like)?, Some(on), hour)
    }

    fn written(&self, tree: Id, parent: Option<Id>, hour: u64) -> Result<Id, GitError> {
        let repo = &self.repo;
        let seconds = i64::try_from(hour).unwrap_or(i64::MAX);
        let time = gix::date::Time { seconds, offset: 0 };
        let (name, email) = (layout::NAME.into(), layout::EMAIL.into());
        let nobody = gix::actor::Signature { name, email, time };
        let commit = gix::objs::Commit {
            tree,
            parents: parent.into_iter().collect(),
            author: nobody.clone(),
            committer: nobody,
            encoding: None,
            message: layout::MESSAGE.into(),
            extra_headers: Vec::new(),
        };
        let commit = repo.gix.write_object(&commit).during(repo, WRITE)?.detach();
        batch::bring_all_to_disk(&repo.objects());
        Ok(commit)
    }

    /// Commits that `to` has and `from` has not, the last ones first, at most so many.
    pub(super) fn between(&self, from: Id, to: Id, most: usize) -> Result<Vec<Id>, GitError> {
        let repo = &self.repo;
        let walk = repo.gix.rev_walk([to]).with_hidden([from]).all().during(repo, READ)?;
        walk.take(most).map(|step| step.during(repo, READ).map(|info| info.id)).collect()
    }

    /// Pushes onto `known`, and nothing if the remote has moved. A repack alone is no fast-forward.
    pub(super) fn push(
        &self,
        branch: &str,
        (known, commit): (Option<Id>, Id),
        access: &Access,
    ) -> Result<Pushed, GitError> {
        let mut command = self.talking(access);
        // A signature of the push would name the person.
        command.args(["push", "--porcelain", "--no-follow-tags", "--no-signed", "--progress"]);
        let known_hex = known.map_or_else(String::new, |known| known.to_string());
        // Empty: the branch must not be there yet.
        command.arg(format!("--force-with-lease={branch}:{known_hex}"));
        command.args(["--", &self.url, &format!("{commit}:{branch}")]);
        let pushing = Pushing::begin();
        let output = process::run(command, access.timeout)?;
        pushing.end(&output)?;
        if output.ok {
            self.keep(commit)?;
            self.repo.pack_when_many();
            return Ok(Pushed::Accepted(known.map(|known| known.to_string())));
        }
        let failed = || transport::failure(self.repo.git_dir(), &self.url, &output, access.timeout);
        verdict::read(&self.url, &output).unwrap_or_else(|| Err(failed()))
    }

    /// Whether a commit of the mirror goes on from another one.
    pub(super) fn descends(&self, commit: Id, from: Id) -> Result<bool, GitError> {
        self.repo.is_ancestor(from, commit)
    }

    /// What the remote had is kept when git cleans up.
    pub(super) fn keep(&self, commit: Id) -> Result<(), GitError> {
        self.repo.move_ref(SEEN, self.repo.ref_id(SEEN), commit, "co: pushed").map(drop)
    }
}

fn open(folder: &Path) -> Result<gix::Repository, GitError> {
    trusted::open(folder).map_err(|error| GitError::local(OPEN, folder, error))
}

/// Whether it was made to its end. Earlier builds could leave it without the configuration of the
/// identity's repository.
fn is_whole(folder: &Path) -> bool {
    let config = files::beginning(&folder.join("config"), INCLUDE.len());
    config.is_some_and(|bytes| bytes == INCLUDE.as_bytes()) && folder.join("HEAD").is_file()
}

const INCLUDE: &str = "[include]";

/// In place of what is there, which is nothing but a copy of what the remote has. Its configuration
/// begins with that of the identity's repository, whose ssh and proxies lead to the remote.
fn make(of: &Repo, folder: &Path) -> Result<(), GitError> {
    let config = of.config_file();
    let config = if config == of.git_dir().join("config") {
        "../../config".to_owned()
    } else {
        config.display().to_string().replace('\\', "/")
    };
    install::init_bare(folder, |made| {
        let file = made.join("config");
        let own = std::fs::read_to_string(&file).unwrap_or_default();
        let text = format!("{INCLUDE}\n\tpath = \"{config}\"\n{own}");
        files::write(&file, text.as_bytes()).map_err(|error| GitError::local(OPEN, folder, error))
    })
}
