//! Pushes a commit to a branch of its own, for others to take or to leave.
//!
//! Invariant: creates a branch, and moves none that is there. Must not know what is proposed.

use super::{
    GitError, Id, Repo, dead_hook,
    process::Access,
    transport::{self, Pushed},
    verdict,
};

/// Pushes a commit to a new branch, given by its full name; returns the addresses that the server
/// prints, such as where to open a request. `None` if there is such a branch already.
pub fn propose(
    repo: &Repo,
    remote: &str,
    (branch, commit): (&str, Id),
    access: &Access,
) -> Result<Option<Vec<String>>, GitError> {
    repo.refuse_dead_hooks(remote, dead_hook::RUN)?;
    let mut command = transport::talking(repo.git_dir(), Some(&repo.root), access);
    command.args(["push", "--porcelain", "--no-follow-tags", "--progress"]);
    // An empty lease: the branch must not be there.
    command.arg(format!("--force-with-lease={branch}:"));
    command.args(["--", remote, &format!("{commit}:{branch}")]);
    let output = repo.run_with_hooks(command, dead_hook::RUN, access.timeout)?;
    if !output.ok {
        return match verdict::read(remote, &output) {
            Some(Ok(Pushed::Behind(_))) => Ok(None),
            Some(Err(refused)) => Err(refused),
            Some(Ok(Pushed::Accepted(_))) | None => {
                Err(transport::failure(&repo.root, remote, &output, access.timeout))
            }
        };
    }
    let said = output.err.lines().filter_map(|line| line.trim().strip_prefix("remote:"));
    let addresses = said.flat_map(str::split_whitespace).filter(|word| word.starts_with("http"));
    Ok(Some(addresses.map(str::to_owned).collect()))
}
