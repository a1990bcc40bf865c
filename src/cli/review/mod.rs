//! `co review`: agents' proposals, answered one by one, in an editor, or by a script.

mod done;
mod editor;
mod stale;
mod text;

use super::{
    failure::{Exit, Failure},
    output::{self, Output},
    prompt,
    skill::followed,
    typed,
    verb::{Cli, Verb},
};
use crate::facts::review::{self, Among, Answer, AnswerReport, Proposal, Question, Replacement};
use crate::foreign::{Said, said};
use crate::integrations::skills;
use crate::machine::terminal;
use clap::{Args, Subcommand};
use serde_json::json;
use text::{keys, listed, question, shown, ways_out};

pub(super) const HELP: &str = "What agents noted about you, what an agent wanted to remember \
    under agents.remember.ask, and what `co agent import --review` found waits here until you \
    answer. None of it is a fact until then. An answer applies on all your laptops; you are not \
    asked again.\n\
    \n\
    The answers of one review are one operation: `co undo` undoes them. They are saved when you \
    finish, or quit with q; Ctrl-C saves none.\n\
    \n\
    A skill that came from elsewhere waits, too. Once you accept it, your agents on this laptop \
    may use it; --all does not answer for skills (`co help skills`).\n\
    \n\
    --scan also makes proposals about the facts themselves: two that say the same thing, two that \
    contradict each other, one whose date has passed, one that no agent has read for 180 days.\n\
    \n\
    --stale asks about facts that may no longer hold: not checked in time, contradicted by \
    another, over within two weeks, with a date that has passed, or not read by any agent for 180 \
    days. Say that one is still true, since when it is over, which fact replaces it, or forget it. \
    The answer is kept in the fact itself, so it counts on every laptop; what you skip is asked \
    again.\n\
    \n\
    Examples:\n  \
    co review           what agents would add, one by one\n  \
    co review --stale   facts that may no longer hold";

/// `co review`
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Review {
    #[command(subcommand)]
    verb: Option<Answered>,
    /// Review in your editor: delete a proposal to reject it, or edit its text before accepting it
    #[arg(long)]
    editor: bool,
    /// Also look for facts that say the same thing, contradict each other, or are out of date
    #[arg(long)]
    scan: bool,
    /// Go through facts that may no longer hold: unchecked, contradicted, over soon, never read
    #[arg(long, conflicts_with_all = ["editor", "scan"])]
    stale: bool,
}

/// For scripts.
#[derive(Subcommand, Debug)]
pub enum Answered {
    /// Accept proposals
    Accept {
        /// Proposals, by their numbers or IDs in `co review`
        #[arg(required_unless_present = "all")]
        ids: Vec<String>,
        /// Everything that agents proposed
        #[arg(long, conflicts_with = "ids")]
        all: bool,
        /// Merge it into the similar fact
        #[arg(long)]
        merge: bool,
        /// Save it with this text instead
        #[arg(long, conflicts_with_all = ["all", "merge"])]
        text: Option<String>,
        #[command(flatten)]
        over: stale::NoLonger,
    },
    /// Reject proposals; you are not asked about them again
    Reject {
        /// Proposals, by their numbers or IDs in `co review`
        #[arg(required_unless_present = "all")]
        ids: Vec<String>,
        /// Everything that agents proposed
        #[arg(long, conflicts_with = "ids")]
        all: bool,
    },
}

impl Verb for Review {
    fn name(&self) -> &'static str {
        match self.verb {
            Some(Answered::Accept { .. }) => "review accept",
            Some(Answered::Reject { .. }) => "review reject",
            None => "review",
        }
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if let Some(answered) = self.verb {
            return by_script(answered, cli);
        }
        let among = match (self.stale, self.scan) {
            (true, _) => Among::Stale,
            (false, true) => Among::Scanned,
            (false, false) => Among::Proposed,
        };
        let proposals = review::ask(cli.ws, among)?;
        if proposals.is_empty() {
            let is_stale = among == Among::Stale;
            let text = if is_stale { "No fact needs a check.\n" } else { "Nothing to review.\n" };
            return Ok(Output::data(Said::from(text), json!({ "proposals": [] })));
        }
        if !cli.asks {
            return Ok(Output::data(
                listed(&proposals, among, cli),
                json!({ "proposals": proposals }),
            ));
        }
        let answers = if self.editor {
            editor::answers(&proposals, cli)?
        } else {
            one_by_one(&proposals, cli)?
        };
        if answers.is_empty() {
            return Ok(Output::done(
                Said::from("No answers were saved.\n"),
                AnswerReport::default(),
            ));
        }
        done(cli, &answers)
    }
}

fn done(cli: &Cli<'_>, answers: &[(Proposal, Answer)]) -> Result<Output, Failure> {
    let all = |_: &Proposal| true;
    let done = review::apply(cli.ws, answers)
        .map_err(|error| with_typed(cli, error.into(), answers, all))?;
    let failed = done.refused.first().map(|refused| {
        let message = said!("{} was not accepted: {}", refused.id, refused.why);
        let is_check = answers.iter().any(|(one, _)| one.is_check() && one.id == refused.id);
        let command = if is_check { "co review --stale" } else { "co review" };
        let failure = Failure::new(Exit::Refused, message);
        let failure = failure.hint(format!("`{command}` asks about it again"));
        let is_refused = |one: &Proposal| done.refused.iter().any(|refused| refused.id == one.id);
        with_typed(cli, failure, answers, is_refused)
    });
    let mut follows = skills::follow(cli.ws);
    let text = done::text(&done, &follows.placed, cli.style);
    // Said with the answer itself.
    follows.placed.retain(|name| !done.skills.contains(name));
    let text = text + followed::told(&follows, cli);
    Ok(Output { ending: failed.into(), ..Output::done(text, done) })
}

/// The failure, with the texts that a person typed for these proposals.
fn with_typed(
    cli: &Cli<'_>,
    failure: Failure,
    answers: &[(Proposal, Answer)],
    is_meant: impl Fn(&Proposal) -> bool,
) -> Failure {
    let typed = answers.iter().filter_map(|(proposal, answer)| match answer {
        Answer::Accept(Some(text)) | Answer::ReplacedBy(Replacement::Text(text))
            if is_meant(proposal) =>
        {
            Some(text.trim_end())
        }
        _ => None,
    });
    let typed = typed.collect::<Vec<&str>>().join("\n\n");
    // A script has the text that it gave.
    if typed.is_empty() || !cli.asks {
        return failure;
    }
    typed::kept(cli, failure, &typed, |file| format!("`co learn - < {file}` saves it as a fact"))
}

fn by_script(answered: Answered, cli: &Cli<'_>) -> Result<Output, Failure> {
    let (ids, all, answer) = match answered {
        Answered::Accept { ids, all, merge: true, .. } => (ids, all, Answer::Merge),
        Answered::Accept { ids, all, text, over, .. } => {
            (ids, all, stale::no_longer(cli, over)?.unwrap_or(Answer::Accept(text)))
        }
        Answered::Reject { ids, all } => (ids, all, Answer::Reject),
    };
    let among = if all { Among::Proposed } else { Among::Scanned };
    let mut proposals = review::list(cli.ws, among)?;
    let numbered = proposals.len();
    if !all {
        let found = review::list(cli.ws, Among::Stale)?.into_iter();
        let is_new = |one: &Proposal| proposals.iter().all(|known| known.id != one.id);
        let new: Vec<Proposal> = found.filter(is_new).collect();
        proposals.extend(new);
    }
    let ids = ids.iter().map(|typed| id_of(typed, &proposals, numbered));
    let ids: Vec<String> = ids.collect::<Result<_, Failure>>()?;
    let is_meant = |one: &&Proposal| ids.contains(&one.id);
    if let Some(check) = proposals.iter().filter(is_meant).find(|one| one.is_check())
        && answer == Answer::Reject
    {
        return Err(stale::unrejectable(check));
    }
    let is_of_agent = |proposal: &Proposal| !proposal.is_look() && !proposal.is_skill();
    if answer == Answer::Reject
        && let Some(look) = proposals.iter().find(|one| one.is_look() && ids.contains(&one.id))
    {
        return Err(unrejectable(look));
    }
    // What merges left, and skills, are answered one by one.
    let looks = proposals.iter().cloned().enumerate();
    let looks: Vec<(usize, Proposal)> = looks.filter(|(_, one)| !is_of_agent(one)).collect();
    let meant = proposals
        .into_iter()
        .filter(|proposal| if all { is_of_agent(proposal) } else { ids.contains(&proposal.id) });
    let answers: Vec<(Proposal, Answer)> =
        meant.map(|proposal| (proposal, answer.clone())).collect();
    if answers.is_empty() {
        return Ok(Output::done(nothing_proposed(&looks), AnswerReport::default()));
    }
    done(cli, &answers)
}

/// The ID of the proposal that is meant: by it, or by the number that `co review` shows before it;
/// so many have one.
fn id_of(typed: &str, proposals: &[Proposal], numbered: usize) -> Result<String, Failure> {
    let by_number = || {
        let number: usize = typed.trim().parse().ok()?;
        proposals[..numbered].get(number.checked_sub(1)?)
    };
    let by_id = proposals.iter().find(|proposal| proposal.id == typed);
    let meant = by_id.or_else(by_number);
    if let (None, Some(Proposal { id, what: Question::Skill { name, .. }, .. })) = (by_id, meant) {
        // Its content may have come in place of the one that was shown.
        let message = said!("{} is the skill {}, which is answered by its ID", typed, name);
        return Err(Failure::new(Exit::Refused, message).hint(format!(
            "`co skill show {name}` prints it; `co review accept {id}` accepts it"
        )));
    }
    meant.map(|proposal| proposal.id.clone()).ok_or_else(|| {
        let message = said!("no proposal {} is waiting", typed);
        Failure::new(Exit::NotFound, message)
            .hint("`co review` lists the waiting proposals, their numbers and their IDs")
    })
}

/// The merges that are left when nothing is that an agent proposed, and how each is answered.
fn nothing_proposed(looks: &[(usize, Proposal)]) -> Said {
    if looks.is_empty() {
        return Said::from("Nothing to review.\n");
    }
    let mut text =
        Said::from("No proposals from agents are waiting, only what is answered one by one:\n");
    for (at, look) in looks {
        if let Question::Skill { name, .. } = &look.what {
            text.push(said!("  ({}) the skill {}\n", at + 1, name));
            text.push(said!("      co review accept {}\n", look.id));
        }
        let Question::Look { named, corrections, .. } = &look.what else { continue };
        text.push(said!("  ({}) {}\n", at + 1, named));
        text.push(said!("      co review accept {}  (it is right as it is)\n", look.id));
        text.extend(corrections.iter().map(|command| said!("      {}\n", command)));
    }
    text
}

/// There is nothing to reject: both texts are there already.
fn unrejectable(look: &Proposal) -> Failure {
    let id = &look.id;
    let message = said!("{} asks whether a merge is right; there is nothing to reject", id);
    let failure = Failure::new(Exit::Refused, message).hint(format!(
        "edit, forget or delete what it is about, which answers the question; `co review accept \
         {id}` if it is right as it is"
    ));
    let Question::Look { corrections, .. } = &look.what else { return failure };
    corrections.iter().fold(failure, |failure, command| failure.hint(format!("`{command}`")))
}

fn one_by_one(proposals: &[Proposal], cli: &Cli<'_>) -> Result<Vec<(Proposal, Answer)>, Failure> {
    let mut answers = Vec::new();
    for (at, proposal) in proposals.iter().enumerate() {
        output::say(&shown(proposal, Some((at + 1, proposals.len())), cli));
        let next = asked(proposal, proposals.len() - at, cli)
            .map_err(|failure| with_typed(cli, failure, &answers, |_| true))?;
        match next {
            Next::Answer(answer) => answers.push((proposal.clone(), answer)),
            Next::Later => {}
            Next::All => {
                let rest = proposals[at..].iter().filter(|one| !one.is_skill()).cloned();
                answers.extend(rest.map(|proposal| (proposal, Answer::Accept(None))));
                return Ok(answers);
            }
            Next::Stop => return Ok(answers),
        }
    }
    Ok(answers)
}

enum Next {
    Answer(Answer),
    Later,
    All,
    Stop,
}

/// Asks until there is a valid answer.
fn asked(proposal: &Proposal, left: usize, cli: &Cli<'_>) -> Result<Next, Failure> {
    let is_new = matches!(proposal.what, Question::Learn { .. });
    let has_like = matches!(proposal.what, Question::Learn { like: Some(_) });
    let (is_look, is_skill) = (proposal.is_look(), proposal.is_skill());
    loop {
        let Some(typed) = prompt::key(&question(proposal)) else { return Ok(Next::Stop) };
        let answer = match typed.as_str() {
            "y" | "yes" => Answer::Accept(None),
            "e" if is_new => match terminal::edit(cli.ws, &proposal.text) {
                Ok(Some(text)) => Answer::Accept(Some(text)),
                Ok(None) => {
                    output::say(&Said::from("The text was left unchanged.\n"));
                    continue;
                }
                Err(error) => {
                    output::say(&output::complaint(&error.into(), cli.err));
                    continue;
                }
            },
            "m" if has_like => Answer::Merge,
            "p" if proposal.is_note() => Answer::ProjectOnly,
            key @ ("o" | "r" | "f") if stale::offers(proposal, key) => match stale::asked(key, cli)
            {
                Some(answer) => answer,
                None => continue,
            },
            "n" | "no" if is_look => {
                output::say(&ways_out(proposal));
                return Ok(Next::Later);
            }
            "n" | "no" if !proposal.is_check() => Answer::Reject,
            "s" => return Ok(Next::Later),
            "a" if is_skill => {
                output::say(&keys(proposal));
                continue;
            }
            "a" if prompt::confirm_loss(said!("Yes to all {} remaining", left))? => {
                return Ok(Next::All);
            }
            "a" => continue,
            "q" => return Ok(Next::Stop),
            _ => {
                output::say(&keys(proposal));
                continue;
            }
        };
        return Ok(Next::Answer(answer));
    }
}
