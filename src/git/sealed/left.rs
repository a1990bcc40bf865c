//! The note in a plain remote that an identity left to be sealed elsewhere.
//!
//! Invariant: the note is a last commit on top of what is there, pushed as any other; nothing is
//! deleted. Who finds it stops before merging; of its text, only an address that can do no harm is
//! taken. Must not know what the sealed remote is.

use super::super::{
    Branch, GitError, Id, NamedBy, Repo,
    process::Access,
    repo::During,
    transport::{self, Pushed},
    url,
};
use gix::objs::tree::EntryKind;

/// The name of the note.
pub const NOTE: &str = "SEALED.md";
/// How the note begins; another file of this name is a person's own.
pub const SAID: &str = "# Sealed\n\nThis identity is published sealed";
/// The message of its commit, of the form of co's own.
const MESSAGE: &str = "identity: sealed elsewhere from now on";

/// How the line begins that names the sealed repository.
pub const FOLLOW: &str = "    co identity remote ";

/// What the note says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Left {
    /// The URL of the sealed repository, if it names one that is safe to type.
    pub sealed_at: Option<String>,
}

/// What a commit says of the identity being sealed elsewhere now; `None` if nothing.
pub fn left(repo: &Repo, commit: Id) -> Result<Option<Left>, GitError> {
    const READ: &str = "read a tree";
    let tree = repo.gix.find_tree(repo.tree_of(commit)?).during(repo, READ)?;
    let path = format!("{}{NOTE}", repo.prefix);
    let Some(entry) = tree.lookup_entry_by_path(path.as_str()).during(repo, READ)? else {
        return Ok(None);
    };
    let Ok(note) = repo.gix.find_blob(entry.object_id()) else { return Ok(None) };
    Ok(read(&String::from_utf8_lossy(&note.data)))
}

fn read(note: &str) -> Option<Left> {
    let rest = note.strip_prefix(SAID)?;
    let named = rest.lines().find_map(|line| line.strip_prefix(FOLLOW)).map(str::trim_end);
    let sealed_at = named.filter(|address| url::is_harmless(address)).map(str::to_owned);
    Some(Left { sealed_at })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_note_only_an_address_is_taken() {
        let note = |line: &str| format!("{SAID} from now on.\n\n{line}\n\nMore.\n");
        let named = |line: &str| read(&note(line)).expect("a note").sealed_at;
        assert_eq!(named(&format!("{FOLLOW}git@host:me/x.git")), Some("git@host:me/x.git".into()));
        assert_eq!(named(&format!("{FOLLOW}/srv/x.git; rm -r x")), None);
        assert_eq!(named("Go to https://host/x"), None);
        assert_eq!(read("# Sealed letters\n"), None);
    }
}
