//! What can be done if nothing was undone.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::Hints;
use crate::integrations::timer;
use crate::machine::oplog::OpVerb;
use crate::undo::{NothingToUndo, Outside, SkipReason, UndoError, handle};

const LOG: &str = "`co log` shows what happened here";

const OTHERS: &str = "`co undo --accept-deletions` undoes what they did, on every laptop";

/// Without paths: git leaves out the history of a file that a merge did not take.
const DROPPED: &str = "what a merge on another laptop dropped is in git's history: `co log NUMBER` \
    shows the texts of a fact, `git -C \"$(co identity path)\" log -p` every version of a file; \
    `co identity restore --from COMMIT PATH` brings a file back";

const MOVE: &str = "`co identity move DIR` moves it elsewhere; the old folder was kept";

pub(super) fn undo(error: &UndoError) -> Hints {
    match error {
        UndoError::Nothing
        | UndoError::NoUndo
        | UndoError::NoOperation { .. }
        | UndoError::TakenBack { .. }
        | UndoError::NothingLeft { .. } => vec![LOG.to_owned()],
        UndoError::OnlyOthers { .. } => vec![OTHERS.to_owned(), DROPPED.to_owned()],
        UndoError::Outside(operation) => vec![outside(operation)],
        UndoError::Passed(newest) => passed(newest),
        UndoError::OverNewer { handle, together, .. } => vec![
            match together {
                Some(range) => format!("`co undo {range}` undoes {handle} and everything after it"),
                None => format!("`co log` shows what came after {handle} and can be undone first"),
            },
            format!("`co undo {handle} --dry-run` after you move or delete the newer text"),
            DROPPED.to_owned(),
        ],
        UndoError::Copied(operation) => vec![copied(operation)],
        UndoError::ProjectGone { .. } => {
            vec!["`co log` shows what else can be undone".to_owned()]
        }
        UndoError::NoLongerKept { .. } => {
            vec!["`co identity restore --from REV PATH` restores files from a commit".to_owned()]
        }
    }
}

/// Anything that co set up outside the identity has a verb that removes it; an export is a copy.
fn outside(operation: &Outside) -> String {
    match (&operation.verb, operation.what.as_str()) {
        (OpVerb::Install, "hooks") => "`co hook uninstall` removes the hooks again".to_owned(),
        (OpVerb::Uninstall, "hooks") => "`co hook install` installs the hooks again".to_owned(),
        (OpVerb::Install, timer::LOGGED) => "`co sync --every off` removes it again".to_owned(),
        (OpVerb::Uninstall, timer::LOGGED) => "`co sync --every 15m` sets it up again".to_owned(),
        (OpVerb::Install, agents) => {
            let agents = agents.trim_start_matches("skills for ");
            format!("`co agent uninstall {}` removes it again", agents.replace(", ", " "))
        }
        (OpVerb::Uninstall, agents) => {
            format!("`co agent install {}` connects it again", agents.replace(", ", " "))
        }
        _ => "delete the file if nobody needs it".to_owned(),
    }
}

/// A copy names the folder that it was made of, which has had another name since.
fn copied(operation: &Outside) -> String {
    match operation.what.split_once(" → ") {
        Some((from, _)) => format!("{MOVE} as {from}.moved-DATE"),
        None => MOVE.to_owned(),
    }
}

fn passed(passed: &NothingToUndo) -> Hints {
    let first = match &passed.older {
        Some(older) => {
            let (handle, described) = (handle(older.op), &older.described);
            format!("`co undo {handle}` undoes the one before: {described}")
        }
        None => LOG.to_owned(),
    };
    let second = match passed.why {
        SkipReason::OnlyOthers => OTHERS.to_owned(),
        SkipReason::NothingLeft => return vec![first],
        SkipReason::Outside => outside(&passed.newest),
        SkipReason::Copied => copied(&passed.newest),
    };
    let mut hints = vec![first, second];
    if passed.why == SkipReason::OnlyOthers {
        hints.push("`co review` shows what both had changed, if that is still open".to_owned());
        hints.push(DROPPED.to_owned());
    }
    hints
}
