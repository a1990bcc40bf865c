//! What a person can do if nothing was undone.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::hints::Hints;
use crate::ops::undo::{NothingToUndo, Outside, UndoError, Why, handle};
use crate::system::oplog::OpVerb;

const LOG: &str = "`co log` shows what happened here";

pub(super) fn undo(error: &UndoError) -> Hints {
    match error {
        UndoError::Nothing
        | UndoError::NoUndo
        | UndoError::NoOperation { .. }
        | UndoError::TakenBack { .. }
        | UndoError::NothingLeft { .. } => vec![LOG.to_owned()],
        UndoError::Outside(operation) => vec![outside(operation)],
        UndoError::Passed(newest) => passed(newest),
        UndoError::OverNewer { handle, .. } => vec![
            format!("`co undo {handle} --dry-run` after the newer text was moved or deleted"),
            format!("`co log` shows what came after {handle}, and can be taken back first"),
        ],
        UndoError::ProjectGone { .. } => {
            vec!["`co log` shows what else can be taken back".to_owned()]
        }
        UndoError::NoLongerKept { .. } => vec![
            "`co identity restore --from REV PATH` brings files back as a commit has them"
                .to_owned(),
        ],
    }
}

/// Anything that co set up outside the identity has a verb that removes it; an export is a copy.
fn outside(operation: &Outside) -> String {
    match (&operation.verb, operation.what.as_str()) {
        (OpVerb::Install, "hooks") => "`co hook uninstall` takes the hooks out again".to_owned(),
        (OpVerb::Uninstall, "hooks") => "`co hook install` puts the hooks in again".to_owned(),
        (OpVerb::Install, agents) => {
            format!("`co agent uninstall {}` takes it out again", agents.replace(", ", " "))
        }
        (OpVerb::Uninstall, agents) => {
            format!("`co agent install {}` connects it again", agents.replace(", ", " "))
        }
        _ => "delete the file if nobody needs it".to_owned(),
    }
}

fn passed(passed: &NothingToUndo) -> Hints {
    let first = match &passed.older {
        Some(older) => {
            let (handle, described) = (handle(older.op), &older.described);
            format!("`co undo {handle}` takes back the one before: {described}")
        }
        None => LOG.to_owned(),
    };
    let second = match passed.why {
        Why::OnlyOthers => {
            "`co undo --accept-deletions` takes back what they did, for every laptop".to_owned()
        }
        Why::NothingLeft => return vec![first],
        Why::Outside => outside(&passed.newest),
    };
    vec![first, second]
}
