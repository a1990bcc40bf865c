//! The note of a plain remote that was left for a sealed one, where it got into an identity.
//!
//! Invariant: only the note itself is taken away, and no file of a person's with its name. Must not
//! know which remotes were left.

use crate::git::sealed::{NOTE, SAID};
use crate::machine::files;
use crate::workspace::{
    Error, Workspace,
    transaction::{self, Unrecorded},
};

/// An older co merges the note as any other file. It is about one remote, and on any other one it
/// would be read, and stop laptops.
pub fn take_note_away(ws: &Workspace) -> Result<(), Error> {
    let note = ws.identity.resolved.join(NOTE);
    if files::read_text(&note)?.is_some_and(|text| text.starts_with(SAID)) {
        transaction::take_away(Unrecorded::ForGit, &note)?;
    }
    Ok(())
}
