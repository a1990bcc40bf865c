//! What a person says of a fact that may no longer hold.
//!
//! Invariant: of a date or a handle that cannot be read it is said why at once, and it is asked for
//! again; nothing typed answers nothing. Must not know how an answer is carried out.

use crate::cli::{
    failure::{Exit, Failure},
    handle, output, prompt,
    style::Style,
    verb::Cli,
};
use crate::facts::review::{self, Answer, AnswerReport, Proposal, Question};
use crate::foreign::{Said, said};
use crate::identity::Held;
use crate::index::store::Scope;
use clap::Args;

/// How a fact of `co review --stale` no longer holds.
#[derive(Args, Debug)]
pub struct NoLonger {
    /// The fact has been over since that day or time
    #[arg(long, value_name = "DATE", conflicts_with_all = ["all", "merge", "text"])]
    over_since: Option<String>,
    /// Another fact replaces it: its handle, or the text of a new one
    #[arg(
        long,
        value_name = "FACT",
        conflicts_with_all = ["all", "merge", "text", "over_since"]
    )]
    replaced_by: Option<String>,
}

/// Whether this key is an answer to that question.
pub(super) fn offers(proposal: &Proposal, key: &str) -> bool {
    match proposal.what {
        Question::Check { .. } => ["o", "r", "f"].contains(&key),
        Question::Replace { .. } => key == "f",
        _ => false,
    }
}

/// What the key still needs to know is asked. `None` without an answer.
pub(super) fn asked(key: &str, cli: &Cli<'_>) -> Option<Answer> {
    match key {
        "o" => over(cli),
        "r" => replaced(cli),
        _ => Some(Answer::Forget),
    }
}

fn over(cli: &Cli<'_>) -> Option<Answer> {
    let typed =
        prompt::words(&Said::from("Over since when, e.g. yesterday or 1 Nov (Enter for now)?"))?;
    until_read(cli, typed, "Over since when (Enter leaves it)?", |typed| {
        review::over_since(cli.ws, &typed).map_err(Failure::from)
    })
}

fn replaced(cli: &Cli<'_>) -> Option<Answer> {
    let question = "Replaced by which fact (its handle, or the text of a new one)?";
    let typed = named(question)?;
    until_read(cli, typed, "Replaced by which fact (Enter leaves it)?", |typed| {
        replaced_by(cli, typed)
    })
}

/// Says what could not be read, and asks for it again.
fn until_read(
    cli: &Cli<'_>,
    mut typed: String,
    again: &'static str,
    read: impl Fn(String) -> Result<Answer, Failure>,
) -> Option<Answer> {
    loop {
        match read(typed) {
            Ok(answer) => return Some(answer),
            Err(failure) => output::say(&output::complaint(&failure, cli.err)),
        }
        typed = named(again)?;
    }
}

/// `None` if nothing is typed.
fn named(question: &'static str) -> Option<String> {
    prompt::words(&Said::from(question)).filter(|typed| !typed.trim().is_empty())
}

fn replaced_by(cli: &Cli<'_>, typed: String) -> Result<Answer, Failure> {
    let meant = handle::meant(cli, typed, Some(Scope::Identity))?;
    Ok(review::replaced_by(cli.ws, &meant)?)
}

/// The answer that a script gave by an option.
pub(super) fn no_longer(cli: &Cli<'_>, options: NoLonger) -> Result<Option<Answer>, Failure> {
    match options {
        NoLonger { over_since: Some(date), .. } => Ok(Some(review::over_since(cli.ws, &date)?)),
        NoLonger { replaced_by: Some(fact), .. } => replaced_by(cli, fact).map(Some),
        NoLonger { .. } => Ok(None),
    }
}

/// That it does not hold is said by what became of it.
pub(super) fn unrejectable(check: &Proposal) -> Failure {
    let id = &check.id;
    let message = said!("{} asks whether a fact still holds; there is nothing to reject", id);
    Failure::new(Exit::Refused, message).hint(format!(
        "`co review accept {id}` if it still holds; else add `--over-since DATE` or `--replaced-by \
         FACT`, or forget the fact"
    ))
}

/// What each fact was said to be.
pub(super) fn done(done: &AnswerReport, style: Style) -> Said {
    let mut text = Said::new();
    for fact in &done.confirmed {
        let (mark, summary) = (style.edited("✓"), style.fit(&fact.summary, 30));
        text.push(said!("{} Fact {} still holds: {}\n", mark, fact.handle, summary));
    }
    for fact in &done.over {
        let (mark, summary) = (style.edited("✓"), style.fit(&fact.summary, 30));
        let Held { standing, marks } = &fact.held;
        let when = match standing {
            Some(_) => Said::from("is over"),
            None => said!("holds {}", marks.join(", ")),
        };
        text.push(said!("{} Fact {} {}: {}\n", mark, fact.handle, when, summary));
    }
    for replaced in &done.replaced {
        let (mark, summary) = (style.edited("✓"), style.fit(&replaced.fact.summary, 30));
        let (by, fact) = (&replaced.by.handle, &replaced.fact.handle);
        text.push(said!("{} Fact {} replaces {}: {}\n", mark, by, fact, summary));
    }
    text
}
