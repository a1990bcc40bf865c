//! Questions to a person. Only asked on a terminal; elsewhere the caller refuses or takes `--yes`.

use super::style::safe;
use crate::merge::import::{Group, Item};
use crate::ops::{Exit, Failure, init, store};
use crate::system::Context;
use dialoguer::{Confirm, Input, MultiSelect, Password, Select};

fn asked<T>(result: dialoguer::Result<T>) -> Result<T, Failure> {
    result.map_err(|_| declined())
}

pub fn declined() -> Failure {
    Failure::new(Exit::Declined, "Nothing was changed")
}

pub fn confirm(question: &str) -> Result<bool, Failure> {
    asked(Confirm::new().with_prompt(question).default(true).wait_for_newline(true).interact())
}

/// Enter alone means no.
pub fn confirm_loss(question: &str) -> Result<bool, Failure> {
    asked(Confirm::new().with_prompt(question).default(false).wait_for_newline(true).interact())
}

/// Typed without echo.
pub fn hidden(question: &str) -> Result<String, Failure> {
    asked(Password::new().with_prompt(question).allow_empty_password(true).interact())
}

pub fn first_day(context: &Context, request: &mut init::Request) -> Result<(), Failure> {
    let input = |question: &str, found: Option<String>| -> Result<Option<String>, Failure> {
        let input = Input::<String>::new().with_prompt(question).allow_empty(true);
        let text = asked(match found {
            Some(found) => input.default(found).interact_text(),
            None => input.interact_text(),
        })?;
        Ok(Some(text))
    };
    let name = match request.answers.name.take() {
        Some(name) => Some(name),
        None => input("Your name", init::name_from_git())?,
    };
    let timezone = match request.answers.timezone.take() {
        Some(zone) => Some(zone),
        None => Some(time_zone(context.time_zone())?),
    };
    request.answers = store::answers(name, timezone);
    if request.remote.is_none() {
        request.remote = input("Git remote, empty for none", None)?
            .map(|url| url.trim().to_owned())
            .filter(|url| !url.is_empty());
    }
    Ok(())
}

/// A valid time zone, or empty for none. A mistyped one does not cost the other answers.
fn time_zone(found: Option<String>) -> Result<String, Failure> {
    let input = Input::<String>::new().with_prompt("Time zone").allow_empty(true);
    let input = input.validate_with(|text: &String| match text.trim() {
        "" => Ok(()),
        zone if init::is_time_zone(zone) => Ok(()),
        zone => Err(format!("`{zone}` is no time zone; write it as Europe/Berlin")),
    });
    asked(match found {
        Some(found) => input.default(found).interact_text(),
        None => input.interact_text(),
    })
}

/// The items of an import that the person agrees to.
pub fn facts(items: &[Item]) -> Result<Vec<Item>, Failure> {
    let sign = |item: &Item| match item.group {
        Group::Learned => "+",
        Group::Changed => "~",
        Group::Removed => "-",
    };
    let lines: Vec<String> =
        items.iter().map(|item| safe(&format!("{} {}", sign(item), item.summary))).collect();
    let ticked: Vec<bool> = items.iter().map(|item| item.group != Group::Removed).collect();
    let prompt = MultiSelect::new()
        .with_prompt("Space ticks, Enter takes what is ticked, Esc nothing")
        .items(&lines)
        .defaults(&ticked);
    let chosen = asked(prompt.interact_opt())?.ok_or_else(declined)?;
    Ok(chosen.into_iter().filter_map(|at| items.get(at).cloned()).collect())
}

pub fn which(question: &str, items: &[String]) -> Result<usize, Failure> {
    let prompt = Select::new().with_prompt(question).items(items).default(0);
    asked(prompt.interact_opt())?.ok_or_else(declined)
}
