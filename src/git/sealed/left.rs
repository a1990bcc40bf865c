//! The note in a plain remote that an identity left to be sealed elsewhere.
//!
//! Invariant: the note is a last commit on top of what is there, pushed as any other; nothing is
//! deleted. Who finds it stops before merging. Must not know where the sealed remote is.

use super::super::{
    Branch, GitError, Id, NamedBy, Repo,
    process::Access,
    repo::During,
    transport::{self, Pushed},
};
use gix::objs::tree::EntryKind;

/// The name of the note.
pub const NOTE: &str = "SEALED.md";
/// How the note begins; another file of this name is a person's own.
pub const SAID: &str = "# Sealed\n\nThis identity is published sealed";
/// The message of its commit, of the form of co's own.
const MESSAGE: &str = "identity: sealed elsewhere from now on";

/// Whether a commit says that the identity is sealed elsewhere now.
pub fn is_left(repo: &Repo, commit: Id) -> Result<bool, GitError> {
    const READ: &str = "read a tree";
    let tree = repo.gix.find_tree(repo.tree_of(commit)?).during(repo, READ)?;
    let path = format!("{}{NOTE}", repo.prefix);
    let Some(entry) = tree.lookup_entry_by_path(path.as_str()).during(repo, READ)? else {
        return Ok(false);
    };
    let note = repo.gix.find_blob(entry.object_id());
    Ok(note.is_ok_and(|note| note.data.starts_with(SAID.as_bytes())))
}

/// Leaves the note on a branch of a plain remote; `false` if the branch is not what was seen here
/// last.
pub fn leave(
    repo: &Repo,
    url: &str,
    there: &str,
    text: &str,
    access: &Access,
) -> Result<bool, GitError> {
    const WRITE: &str = "write a tree";
    let tip = transport::list(repo, url, there, access)?.branch;
    let Some(tip) = tip.filter(|tip| repo.knows(*tip)) else { return Ok(false) };
    let mut editor = repo.gix.edit_tree(repo.tree_of(tip)?).during(repo, WRITE)?;
    let note = repo.gix.write_blob(text.as_bytes()).during(repo, WRITE)?.detach();
    editor.upsert(NOTE, EntryKind::Blob, note).during(repo, WRITE)?;
    let tree = editor.write().during(repo, WRITE)?.detach();
    repo.make_durable(&[note])?;
    let commit = repo.commit(tree, &[tip], MESSAGE, &[])?;
    let branch = Branch {
        local: there.to_owned(),
        remote: None,
        url: None,
        sealed: false,
        push_url: None,
        there: there.to_owned(),
        by: NamedBy::Upstream,
        tracking: String::new(),
    };
    let pushed = transport::push(repo, url, &branch, (Some(tip), commit), access)?;
    Ok(matches!(pushed, Pushed::Accepted(_)))
}
