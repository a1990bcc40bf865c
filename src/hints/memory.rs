//! What can be done after a failure that concerns memories.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::{Hints, LISTED, NOTHING_CHANGED};
use crate::facts::{
    edit::EditError, forget::ForgetError, last::LastError, log::LogError, recall::RecallError,
    remember::RememberError, show::ShowError, timing::TimingError,
};
use crate::identity::dates::Reading;
use crate::secrets::ALLOW;
use crate::workspace::{asked::DateError, at::AtError, guard::GuardError};

pub(super) fn at(error: &AtError) -> Hints {
    match error {
        AtError::NoRepository { .. } => {
            vec!["`co init` creates one; from then on, --at can go back to each sync".to_owned()]
        }
        AtError::NothingBy { .. } => vec![
            "`co log` shows what was done here, `git log` in the identity the commits".to_owned(),
        ],
    }
}

pub(super) fn date(error: &DateError) -> Hints {
    let more = "`co help time` shows what can be written".to_owned();
    match error {
        DateError::NoDate { reading, .. }
        | DateError::NoSuchDay { reading, .. }
        | DateError::NoSuchTime { reading, .. } => {
            let examples = match reading {
                Reading::Past => {
                    "for example `yesterday`, `17:05`, `\"last friday\"`, `\"3 weeks ago\"`, \
                     `\"14 Feb 2026\"` or `2026-02-14`"
                }
                Reading::Future => {
                    "for example `friday`, `17:05`, `\"in 2 weeks\"`, `90d`, `6mo`, \
                     `\"14 Feb 2027\"` or `2027-02-14`"
                }
            };
            vec![examples.to_owned(), more]
        }
        DateError::TooLate { .. } => {
            vec!["leave it out, or remove it with `none`, if there is no such day".to_owned()]
        }
        DateError::NoMoment { .. } => {
            vec![
                "`--at yesterday`, `--at 17:05`, `--at \"3 weeks ago\"`, `--at 2026-10-01`, \
                 `--at o42` or `--at HEAD~3`"
                    .to_owned(),
                more,
            ]
        }
        DateError::UnknownOperation { .. } => {
            vec!["`co log` lists the operations that it still has".to_owned()]
        }
    }
}

pub(super) fn edit(error: &EditError) -> Hints {
    match error {
        EditError::Outdated { .. } => vec!["edit it again, starting from the new text".to_owned()],
        EditError::Same { holds: true, .. } => vec!["forget one of the two instead".to_owned()],
        EditError::Same { handle, holds: false } => vec![format!(
            "that fact does not hold now (`co show {handle}` says why): `co forget {handle}` first"
        )],
        EditError::AddedAndRemoved { .. } => {
            vec!["name each tag once, after `--add-tag` or `--remove-tag`".to_owned()]
        }
    }
}

/// For the handle of a fact that is not there, or words that are in none.
fn not_there(handle: &str, is_in_log: bool) -> String {
    if is_in_log {
        format!("`co log {handle}` shows what became of it; `co list` lists your facts")
    } else {
        "`co list` lists your facts".to_owned()
    }
}

pub(super) fn forget(error: &ForgetError) -> Hints {
    match error {
        ForgetError::Nothing => {
            vec!["a number, `12-3fa9`, `sha256:…`, or words of the fact".to_owned()]
        }
        ForgetError::NoMatch { wanted } => vec![not_there(wanted, false)],
        ForgetError::NotThere { handle, is_in_log } => vec![not_there(handle, *is_in_log)],
    }
}

pub(super) fn guard(error: &GuardError) -> Hints {
    match error {
        GuardError::NoRule { .. } => vec!["`co help secrets` lists them".to_owned()],
        GuardError::Secret { name, rule, .. } => vec![
            format!(
                "keep it in the keyring: `co secret set {name}`, and write {{{{secret:{name}}}}} in the text"
            ),
            format!(
                "if this is not a secret, put `{ALLOW}` on its line, or use `--allow-secret {rule}`"
            ),
        ],
    }
}

/// Without the option that lets it through.
pub(super) fn guard_on_page(error: &GuardError) -> Hints {
    match error {
        GuardError::NoRule { .. } => guard(error),
        GuardError::Secret { name, .. } => vec![
            format!(
                "keep it in the keyring: run `co secret set {name}` in a terminal, and write \
                 {{{{secret:{name}}}}} in the text"
            ),
            format!("if this is not a secret, put `{ALLOW}` on its line"),
        ],
    }
}

pub(super) fn last(error: &LastError) -> Hints {
    match error {
        LastError::None => vec!["`co list` lists your facts; name one by its number".to_owned()],
    }
}

pub(super) fn log(error: &LogError) -> Hints {
    match error {
        LogError::OfProject { .. } => {
            vec!["`git log -p -- .co-cli/knowledge/memories` shows it".to_owned()]
        }
        LogError::OfHere { .. } => {
            vec!["in its folder (`co identity path`), `git log -p -- hosts` shows it".to_owned()]
        }
        LogError::NoHandle { .. } => {
            vec![
                "name a fact by its number (`12`), `12-3fa9`, `sha256:3fa9…` or `last`, or an \
                 operation (`o42`)"
                    .to_owned(),
            ]
        }
        LogError::NeverThere { .. } => vec!["`co list` lists your facts".to_owned()],
        LogError::NoOperation { .. } => {
            vec!["`co log` lists the last operations; `co log -n 100` goes further back".to_owned()]
        }
    }
}

pub(super) fn recall(error: &RecallError) -> Hints {
    let hint = match error {
        RecallError::Nothing => {
            "ask with at least one word, e.g. `co recall \"which test runner?\"`; `co list` lists \
             all facts"
        }
    };
    vec![hint.to_owned()]
}

pub(super) fn remember(error: &RememberError) -> Hints {
    match error {
        RememberError::Hidden { .. } => vec!["remove the character".to_owned()],
        RememberError::TooMany => vec!["the user answers them with `co review`".to_owned()],
    }
}

pub(super) fn show(error: &ShowError) -> Hints {
    match error {
        ShowError::NoHandle { .. } => vec![
            "name a fact by its number (`12`, `p12` in a project), `12-3fa9`, `sha256:3fa9…` or \
             `last`; `co list` shows them"
                .to_owned(),
        ],
        ShowError::NotFound { text, is_in_log } => vec![not_there(text, *is_in_log)],
        ShowError::Ambiguous { candidates, .. } => {
            let mut hints = candidates.clone();
            hints.push("name one by its handle".to_owned());
            hints
        }
    }
}

pub(super) fn timing(error: &TimingError) -> Hints {
    let hint = match error {
        TimingError::EndsTooEarly { .. } => {
            "`--until none` or `--from none` removes one of the two".to_owned()
        }
        TimingError::Itself => "`co show HANDLE` shows what it is".to_owned(),
        TimingError::Nearer { .. } => "`--scope project` saves the new fact there".to_owned(),
    };
    vec![hint]
}

pub(super) fn timing_by_model(error: &TimingError) -> Hints {
    let hint = match error {
        TimingError::EndsTooEarly { .. } => "give valid_until a later day",
        TimingError::Itself => "leave it out of `replaces`",
        TimingError::Nearer { .. } => "save the new one with scope project",
    };
    vec![hint.to_owned()]
}

pub(super) fn date_by_model(error: &DateError) -> Hints {
    let hint = match error {
        DateError::NoDate { .. }
        | DateError::NoMoment { .. }
        | DateError::NoSuchDay { .. }
        | DateError::NoSuchTime { .. } => "write a day as 2026-02-14",
        DateError::TooLate { .. } => "leave it out if the fact does not end",
        DateError::UnknownOperation { .. } => "name a day instead",
    };
    vec![hint.to_owned()]
}

pub(super) fn edit_by_model(error: &EditError) -> Hints {
    let hint = match error {
        EditError::Outdated { .. } => NOTHING_CHANGED,
        EditError::Same { holds: true, .. } => "forget one of the two with forget_memory",
        EditError::Same { holds: false, .. } => "that one does not hold now: forget it first",
        EditError::AddedAndRemoved { .. } => "add or remove the tag, not both",
    };
    vec![hint.to_owned()]
}

pub(super) fn forget_by_model(error: &ForgetError) -> Hints {
    let hint = match error {
        ForgetError::Nothing => "a number, `12-3fa9`, `sha256:…`, or words from the fact",
        ForgetError::NoMatch { .. } | ForgetError::NotThere { .. } => LISTED,
    };
    vec![hint.to_owned()]
}

pub(super) fn guard_by_model(error: &GuardError) -> Hints {
    match error {
        GuardError::Secret { name, .. } => vec![format!(
            "the user can keep it in the keyring with `co secret set {name}`; write \
             {{{{secret:{name}}}}} instead"
        )],
        GuardError::NoRule { .. } => Hints::new(),
    }
}

pub(super) fn recall_by_model(error: &RecallError) -> Hints {
    let hint = match error {
        RecallError::Nothing => "ask with at least one word",
    };
    vec![hint.to_owned()]
}

pub(super) fn remember_by_model(error: &RememberError) -> Hints {
    let hint = match error {
        RememberError::Hidden { .. } => "remove the character",
        RememberError::TooMany => "the user can answer them with `co review`",
    };
    vec![hint.to_owned()]
}

pub(super) fn show_by_model(error: &ShowError) -> Hints {
    let hint = match error {
        ShowError::NotFound { .. } => LISTED,
        ShowError::NoHandle { .. } => {
            "refer to a fact by its number (`12`, `p12` in a project), `12-3fa9` or \
             `sha256:3fa9…`; list_memories shows them"
        }
        ShowError::Ambiguous { candidates, .. } => {
            let mut hints = candidates.clone();
            hints.push("use its handle to say which one".to_owned());
            return hints;
        }
    };
    vec![hint.to_owned()]
}
