//! What a server said of a push that it did not take.
//!
//! Invariant: a push that was overtaken by another is a normal result, not an error.

use super::{
    GitError,
    error::RemoteErrorKind,
    process::{self, Output},
};

#[derive(Debug)]
pub enum Pushed {
    /// With the start of the remote's previous commit hash, where git reports it.
    Accepted(Option<String>),
    /// Somebody else pushed first: fetch and merge again. The error applies if that brings nothing.
    Behind(GitError),
}

/// git's messages about a push that was overtaken by another.
const AHEAD: &[&str] = &[
    "fetch first",
    "non-fast-forward",
    "stale info",
    "cannot lock ref",
    "failed to update ref",
    "incorrect old value",
];

/// `None` if git reports no verdict on the ref (`--porcelain`).
pub(super) fn read(remote: &str, output: &Output) -> Option<Result<Pushed, GitError>> {
    let verdict = output.out.lines().find(|line| line.starts_with('!'))?;
    let refusal = refused(remote, verdict, &output.err);
    let is_behind = AHEAD.iter().any(|words| verdict.contains(words));
    Some(if is_behind { Ok(Pushed::Behind(refusal)) } else { Err(refusal) })
}

/// The server's refusal: git's status line, and the first line that its hook printed.
fn refused(remote: &str, verdict: &str, err: &str) -> GitError {
    let said = err
        .lines()
        .filter_map(|line| line.strip_prefix("remote: "))
        .map(str::trim)
        .find(|line| !line.is_empty() && !is_progress(line));
    let words = process::shown(verdict.split('\t').nth(2).unwrap_or(verdict));
    GitError::Remote {
        remote: process::without_credentials(remote),
        error_kind: RemoteErrorKind::Refused,
        reason: said.map_or_else(|| words.clone(), |said| format!("{words}: {said}")),
        ssh: None,
    }
}

/// Whether git reports progress, rather than why it refuses.
fn is_progress(line: &str) -> bool {
    line.contains("% (") || line.ends_with(", done.") || line.starts_with("Total ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_in_the_words_of_the_hook() {
        let err = "remote: Resolving deltas:   0% (0/9)\nremote: Resolving deltas: 100% (9/9), done.\n\
            remote: only on Mondays\nTo x\n";
        let verdict = "!\trefs/heads/main:refs/heads/main\t[remote rejected] (hook declined)";
        assert!(refused("origin", verdict, err).to_string().contains("only on Mondays"));
    }
}
