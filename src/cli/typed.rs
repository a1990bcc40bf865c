//! Keeps a text that a person typed into an editor and that could not be saved, in a file.
//!
//! Invariant: no failure loses such a text, unless it is empty. If no file can be written, the text
//! is printed. Must not know: what it was typed for.

use super::{failure::Failure, output, verb::Cli};
use crate::foreign::{Foreign, Said, said};
use crate::identity::shell;
use crate::machine::{SystemError, terminal};

/// Whether an editor's failure names the file with what was typed last: an older text beside it
/// would be taken for that one.
pub(super) fn is_kept(error: &SystemError) -> bool {
    matches!(error, SystemError::Editor { kept: Some(_), .. } | SystemError::Damaged { .. })
}

/// A failure that names the file with the text. `again` makes of its name, as a shell takes it, the
/// command that saves it.
pub(super) fn kept(
    cli: &Cli<'_>,
    failure: Failure,
    text: &str,
    again: impl Fn(&str) -> String,
) -> Failure {
    if text.trim().is_empty() {
        return failure;
    }
    let Some(file) = file_of(cli, text) else { return failure };
    let message = format!("{}; your text is in {file}", failure.message.trim_end_matches('.'));
    Failure { message, ..failure }.hint(again(&shell::quoted(&file)))
}

/// Says where the text is.
pub(super) fn say_kept(cli: &Cli<'_>, text: &str) {
    if let Some(file) = file_of(cli, text) {
        output::say(&said!("Your text is in {}\n", file));
    }
}

fn file_of(cli: &Cli<'_>, text: &str) -> Option<String> {
    if let Ok(file) = terminal::keep(cli.ws, text.as_bytes()) {
        return Some(file.display().to_string());
    }
    output::say(&(Said::from("Your text:\n") + Foreign(text).quote("  ") + "\n"));
    None
}
