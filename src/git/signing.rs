//! Commits through the git program, which can sign.
//!
//! Invariant: a commit that could not be signed is not made.

use super::{
    GitError, Id, Repo,
    error::{LocalErrorKind, Words},
    process,
};

/// Commits through the git program, which can sign.
pub(super) fn commit_tree(
    repo: &Repo,
    tree: Id,
    parents: &[Id],
    message: &str,
    [author, committer]: &[gix::actor::Signature; 2],
) -> Result<Id, GitError> {
    let mut command = process::git(repo.git_dir(), None);
    for (role, person) in [("AUTHOR", author), ("COMMITTER", committer)] {
        command.env(format!("GIT_{role}_NAME"), person.name.to_string());
        command.env(format!("GIT_{role}_EMAIL"), person.email.to_string());
    }
    command.args(["commit-tree", "-S", "-m", message]);
    for parent in parents {
        command.arg("-p").arg(parent.to_string());
    }
    command.arg(tree.to_string());
    let output = process::run(command, repo.signing)?;
    let failed = |why: String| GitError::Local {
        action: "sign a commit",
        repository: repo.root.clone(),
        error_kind: LocalErrorKind::Signing,
        source: Words(why).into(),
    };
    if output.timed_out {
        let seconds = repo.signing.silence.as_secs();
        return Err(failed(format!("the signing program printed nothing for {seconds} s")));
    }
    if !output.ok {
        return Err(failed(process::reason(&output.err)));
    }
    Id::from_hex(output.out.trim().as_bytes())
        .map_err(|_| failed("it did not create a commit".into()))
}
