//! Questions to a person. Asked only on a terminal; elsewhere the caller refuses or takes `--yes`.

use super::{
    failure::{Exit, Failure},
    output,
    verb::Cli,
};
use crate::foreign::{Said, said};
use crate::identity::templates::InitAnswers;
use crate::machine::terminal;
use crate::merge::import::{ImportGroup, ImportItem};
use crate::transfer::init;
use dialoguer::{MultiSelect, Password};

fn asked<T>(result: dialoguer::Result<T>) -> Result<T, Failure> {
    result.map_err(|_| declined())
}

pub fn declined() -> Failure {
    Failure::new(Exit::Declined, "Nothing was changed")
}

pub fn confirm(question: impl Into<Said>) -> Result<bool, Failure> {
    yes_or_no(&asking(&question.into(), "[Y/n]"), "yes")
}

/// The answer to one of several questions.
pub enum OfSeveral {
    This(bool),
    /// Yes, also to those that follow.
    All,
}

/// Like [`confirm`], where more such questions follow.
pub fn confirm_or_all(question: impl Into<Said>) -> Result<OfSeveral, Failure> {
    let question = asking(&question.into(), "[Y/n, a for all]");
    loop {
        match line(&question)?.to_lowercase().as_str() {
            "" | "y" | "yes" => return Ok(OfSeveral::This(true)),
            "n" | "no" => return Ok(OfSeveral::This(false)),
            "a" | "all" => return Ok(OfSeveral::All),
            _ => output::say(&"Please type y, n or a.\n".into()),
        }
    }
}

/// Enter alone means no.
pub fn confirm_loss(question: impl Into<Said>) -> Result<bool, Failure> {
    yes_or_no(&asking(&question.into(), "[y/N]"), "no")
}

/// Fails unless the person says yes.
pub fn agree(question: impl Into<Said>) -> Result<(), Failure> {
    if confirm(question)? { Ok(()) } else { Err(declined()) }
}

/// What to say of a move that nobody can be asked about.
pub const UNASKED_MOVE: &str = "moving needs confirmation, but there is no terminal to ask on";

/// Shows what would change, and asks. If nobody can be asked nothing changes, and the failure is
/// `unasked`.
pub fn agree_to(
    cli: &Cli<'_>,
    shown: &Said,
    question: impl Into<Said>,
    unasked: impl Into<String>,
) -> Result<(), Failure> {
    if !cli.asks {
        return Err(Failure::new(Exit::Declined, unasked)
            .hint("use `--yes` to confirm, `--dry-run` to preview"));
    }
    output::say(shown);
    agree(question)
}

/// Asks before something is removed. If nobody can be asked it stays: the failure says what
/// `would` have happened, and `sure` how to confirm without a question.
pub fn agree_to_loss(
    cli: &Cli<'_>,
    question: Said,
    would: &Said,
    sure: String,
) -> Result<(), Failure> {
    if !cli.asks {
        let message = said!("{}, but there is no terminal to ask on", would);
        return Err(Failure::new(Exit::Declined, message).hint(sure));
    }
    if confirm_loss(question)? { Ok(()) } else { Err(declined()) }
}

/// Every question ends with one question mark, whoever wrote it.
fn asking(question: &Said, answers: &str) -> Said {
    said!("? {}? {} ", question.as_str().trim_end_matches('?'), answers)
}

fn yes_or_no(question: &Said, default: &str) -> Result<bool, Failure> {
    loop {
        let typed = line(question)?.to_lowercase();
        let answer = if typed.is_empty() { default } else { typed.as_str() };
        match answer {
            "y" | "yes" => return Ok(true),
            "n" | "no" => return Ok(false),
            _ => output::say(&"Please type y or n.\n".into()),
        }
    }
}

fn line(question: &Said) -> Result<String, Failure> {
    output::say(question);
    terminal::line().ok_or_else(|| {
        output::say(&"\n".into());
        declined()
    })
}

/// What a person types, in lower case; `None` at the end of the input.
pub fn key(question: &Said) -> Option<String> {
    output::say(question);
    output::say(&" ".into());
    let typed = terminal::line().map(|typed| typed.to_lowercase());
    if typed.is_none() {
        output::say(&"\n".into());
    }
    typed
}

/// What a person types, in their own letters; `None` at the end of the input.
pub fn words(question: &Said) -> Option<String> {
    output::say(&said!("? {} ", question));
    let typed = terminal::line();
    if typed.is_none() {
        output::say(&"\n".into());
    }
    typed
}

/// Enter alone accepts `found`, with the place where it was found.
fn input(question: &'static str, found: Option<&str>, place: &str) -> Result<String, Failure> {
    let proposed = found.map_or_else(Said::new, |found| said!(" [{}, {}]", found, place));
    let typed = line(&said!("? {}{}: ", question, proposed))?;
    Ok(if typed.is_empty() { found.unwrap_or_default().to_owned() } else { typed })
}

/// The URL of a repository that is to be filled; `named` if it was given already.
pub fn empty_repository(cli: &Cli<'_>, named: Option<String>) -> Result<String, Failure> {
    match named {
        Some(url) => Ok(url),
        None if !cli.asks => {
            Err(Failure::new(Exit::Usage, "the URL of an empty repository is missing")
                .hint("create a private one where it is hosted, and give its URL"))
        }
        None => {
            let url = input("URL of an empty repository", None, "")?;
            if url.is_empty() { Err(declined()) } else { Ok(url) }
        }
    }
}

/// What a picture shows, in a person's words.
pub fn caption() -> Result<String, Failure> {
    let typed = input("What does the picture show", None, "")?;
    if typed.is_empty() { Err(declined()) } else { Ok(typed) }
}

/// Reads a value without echo.
pub fn hidden(question: &Said) -> Result<String, Failure> {
    asked(Password::new().with_prompt(question.as_str()).allow_empty_password(true).interact())
}

pub fn first_day(cli: &Cli<'_>, request: &mut init::Request) -> Result<(), Failure> {
    let name = match request.answers.name.take() {
        Some(name) => name,
        None => input("Your name", init::name_from_git().as_deref(), "from git")?,
    };
    let timezone = match request.answers.timezone.take() {
        Some(zone) => zone,
        None => time_zone(init::zone_of_laptop().as_deref())?,
    };
    request.answers = InitAnswers::of(Some(name), Some(timezone));
    if request.remote.is_none() {
        request.remote = remote(cli)?;
    }
    Ok(())
}

/// A valid time zone, or empty for none. A typing error does not cost the other answers.
fn time_zone(found: Option<&str>) -> Result<String, Failure> {
    let (mut found, mut place) = (found.map(str::to_owned), "from this laptop");
    loop {
        let zone = input("Time zone", found.as_deref(), place)?;
        if zone.is_empty() || init::is_time_zone(&zone) {
            return Ok(zone);
        }
        if let Some(meant) = init::zone_ending_in(&zone) {
            output::say(&said!("`{}` is not a time zone; {} is\n", zone, meant));
            (found, place) = (Some(meant), "from what you typed");
        } else {
            output::say(&said!("`{}` is not a time zone; write e.g. Europe/Berlin\n", zone));
        }
    }
}

/// Where the remote is, as far as what was typed can be a place at all; `None` without one.
fn remote(cli: &Cli<'_>) -> Result<Option<String>, Failure> {
    loop {
        let url = input("Git remote (Enter for none)", None, "")?;
        if url.is_empty() {
            return Ok(None);
        }
        let Err(error) = init::refuse_no_place(cli.ws, &url) else { return Ok(Some(url)) };
        let Failure { message, hints, .. } = Failure::from(error);
        let hint = hints.first().map_or_else(Said::new, |hint| said!("; {}", hint));
        output::say(&said!("{}{}\n", message, hint));
    }
}

/// The items of an import that the person agrees to.
pub fn facts(
    items: &[ImportItem],
    is_rejected: impl Fn(&ImportItem) -> bool,
) -> Result<Vec<ImportItem>, Failure> {
    let sign = |item: &ImportItem| match item.group {
        ImportGroup::Learned => "+",
        ImportGroup::Changed => "~",
        ImportGroup::Removed => "-",
    };
    let rejected: Vec<bool> = items.iter().map(is_rejected).collect();
    let line = |(item, is_rejected): (&ImportItem, &bool)| {
        let before = if *is_rejected { said!(" (rejected before)") } else { Said::new() };
        said!("{} {}{}", sign(item), item.summary, before).into_string()
    };
    let lines: Vec<String> = items.iter().zip(&rejected).map(line).collect();
    let is_ticked = |(item, is_rejected): (&ImportItem, &bool)| {
        item.group != ImportGroup::Removed && !is_rejected
    };
    let ticked: Vec<bool> = items.iter().zip(&rejected).map(is_ticked).collect();
    let prompt = MultiSelect::new()
        .with_prompt("Space to select, Enter to accept the selection, Esc for nothing")
        .items(&lines)
        .defaults(&ticked);
    let chosen = asked(prompt.interact_opt())?.ok_or_else(declined)?;
    Ok(chosen.into_iter().filter_map(|at| items.get(at).cloned()).collect())
}

/// One of several, by its number in the list; Enter alone picks none.
pub fn which(question: &'static str, items: &[Said]) -> Result<usize, Failure> {
    for (at, item) in items.iter().enumerate() {
        output::say(&said!("  {})  {}\n", at + 1, item));
    }
    loop {
        let typed = line(&said!("{} [1-{}, Enter for none] ", question, items.len()))?;
        if typed.is_empty() {
            return Err(declined());
        }
        match typed.parse::<usize>() {
            Ok(at @ 1..) if at <= items.len() => return Ok(at - 1),
            _ => output::say(&"Please type a number from the list.\n".into()),
        }
    }
}
