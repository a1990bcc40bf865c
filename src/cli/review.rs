//! `co review`: proposals of agents, answered one by one, in an editor, or by a script.

use super::{
    output::{self, Output},
    prompt,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::agents;
use crate::foreign::{Foreign, Said, said};
use crate::ops::{
    Exit, Failure,
    review::{self, Among, Answer, Done, Proposal, What},
};
use crate::system::terminal;
use clap::{Args, Subcommand};
use serde_json::json;
use std::collections::BTreeSet;

pub(super) const HELP: &str = "What agents noted about you, what an agent was to remember under \
    agents.remember.ask, and what `co agent import --review` found waits here until you answer. \
    Nothing of it is a fact before. An answer counts on all your laptops; nobody is asked twice.\n\
    \n\
    The answers of one review are one operation: `co undo` takes them back. They are written when \
    you are through, or quit with q; Ctrl-C writes none.\n\
    \n\
    --scan also proposes what the facts themselves give rise to: two that say the same, two that \
    say different things about one subject, one whose date has passed, one that nobody read for \
    180 days.";

/// `co review`
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Review {
    #[command(subcommand)]
    verb: Option<Answered>,
    /// Answer in your editor: what you delete is rejected, what you change is kept as you wrote it
    #[arg(long)]
    editor: bool,
    /// Also look for facts that say the same, contradict each other, or are out of date
    #[arg(long)]
    scan: bool,
}

/// For scripts.
#[derive(Subcommand, Debug)]
pub enum Answered {
    /// Agree to proposals
    Accept {
        /// Proposals, as `co review --json` names them
        #[arg(required_unless_present = "all")]
        ids: Vec<String>,
        /// All that agents proposed
        #[arg(long, conflicts_with = "ids")]
        all: bool,
        /// Put it into the fact that it is much like
        #[arg(long)]
        merge: bool,
        /// Keep it in these words
        #[arg(long, conflicts_with_all = ["all", "merge"])]
        text: Option<String>,
    },
    /// Reject proposals; they are not asked again
    Reject {
        /// Proposals, as `co review --json` names them
        #[arg(required_unless_present = "all")]
        ids: Vec<String>,
        /// All that agents proposed
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
        let among = if self.scan { Among::Scanned } else { Among::Proposed };
        let proposals = review::list(cli.context, among)?;
        if proposals.is_empty() {
            let text = "Nothing to review.\n";
            return Ok(Output::data(Said::from(text), json!({ "proposals": [] })));
        }
        if !cli.asks {
            return Ok(Output::data(listed(&proposals, cli), json!({ "proposals": proposals })));
        }
        let answers =
            if self.editor { in_editor(&proposals, cli)? } else { one_by_one(&proposals, cli)? };
        if answers.is_empty() {
            return Ok(Output::done(Said::from("Nothing was answered.\n"), Done::default()));
        }
        done(cli, &answers)
    }
}

fn done(cli: &Cli<'_>, answers: &[(Proposal, Answer)]) -> Result<Output, Failure> {
    let done = review::apply(cli.context, answers)?;
    let failed = done.refused.first().map(|refused| {
        let message = said!("{} was not taken: {}", refused.id, refused.why);
        Failure::new(Exit::Refused, message).hint("`co review` asks about it again")
    });
    let text = told(&done, cli.style);
    Ok(Output { ending: failed.into(), ..Output::done(text, done) })
}

fn by_script(answered: Answered, cli: &Cli<'_>) -> Result<Output, Failure> {
    let (ids, all, answer) = match answered {
        Answered::Accept { ids, all, merge: true, .. } => (ids, all, Answer::Merge),
        Answered::Accept { ids, all, text, .. } => (ids, all, Answer::Accept(text)),
        Answered::Reject { ids, all } => (ids, all, Answer::Reject),
    };
    let among = if all { Among::Proposed } else { Among::Scanned };
    let proposals = review::list(cli.context, among)?;
    let unknown = ids.iter().find(|id| !proposals.iter().any(|proposal| proposal.id == **id));
    if let Some(id) = unknown {
        let message = said!("no proposal {} waits", id);
        return Err(Failure::new(Exit::NotFound, message)
            .hint("`co review` shows what waits and how each is called"));
    }
    let meant = proposals.into_iter().filter(|proposal| all || ids.contains(&proposal.id));
    let answers: Vec<(Proposal, Answer)> =
        meant.map(|proposal| (proposal, answer.clone())).collect();
    if answers.is_empty() {
        return Ok(Output::done(Said::from("Nothing to review.\n"), Done::default()));
    }
    done(cli, &answers)
}

fn listed(proposals: &[Proposal], cli: &Cli<'_>) -> Said {
    let mut text = Said::new();
    for (at, proposal) in proposals.iter().enumerate() {
        text.push(shown(proposal, (at + 1, proposals.len()), cli));
        text.push(said!("  {}\n\n", cli.style.dim(said!("co review accept {}", proposal.id))));
    }
    text
}

fn title(agent: &str) -> String {
    agents::find(agent).map_or_else(|| agent.to_owned(), |agent| agent.title.to_owned())
}

fn shown(proposal: &Proposal, (at, of): (usize, usize), cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let who = match (&proposal.agent, &proposal.why) {
        (Some(agent), _) => said!("{} wrote", title(agent)),
        (None, Some(why)) => said!("{}", why),
        (None, None) => Said::from("proposed"),
    };
    let day = proposal.at.as_ref().map_or_else(Said::new, |at| {
        said!(", {}", at.chars().take(16).collect::<String>().replace('T', " "))
    });
    let place = proposal.project.as_ref().map_or_else(Said::new, |place| said!(", in {}", place));
    let about = proposal.about.as_ref().map_or_else(Said::new, |about| said!(" ({})", about));
    let head = said!("({}/{}) {}{}{}{}", at, of, who, day, place, about);
    let mut text = said!("{}\n", style.strong(head));
    match &proposal.what {
        What::Learn { like } => {
            text.push(style.learned(Foreign(&proposal.text).quote("  + ").trimmed()) + "\n");
            if let (Some(_), Some(why)) = (&proposal.agent, &proposal.why) {
                text.push(said!("  {}\n", style.dim(why)));
            }
            if let Some(like) = like {
                let first = like.text.lines().next().unwrap_or_default();
                text.push(said!("  much like {} \"{}\"\n", like.handle, style.fit(first, 20)));
            }
        }
        What::Join { older, newer } | What::Replace { older, newer } => {
            text.push(said!("  {}\n", older.handle));
            text.push(style.forgotten(Foreign(&older.text).quote("  - ").trimmed()) + "\n");
            text.push(said!("  {}\n", newer.handle));
            text.push(style.learned(Foreign(&newer.text).quote("  + ").trimmed()) + "\n");
        }
        What::Forget { fact } => {
            text.push(said!("  {}\n", fact.handle));
            text.push(style.forgotten(Foreign(&fact.text).quote("  - ").trimmed()) + "\n");
        }
    }
    text
}

/// What can be answered: keys, and the words around them.
fn question(proposal: &Proposal) -> Said {
    let rest = "[n]o, [s]kip, [a]ll, [q]uit, ?";
    match &proposal.what {
        What::Learn { like } => {
            let merge = like
                .as_ref()
                .map_or_else(Said::new, |like| said!("[m]erge with {}, ", like.handle));
            let project = if proposal.about.is_some() { "[p]roject only, " } else { "" };
            said!("Keep? [y]es, [e]dit, {}{}{} ", merge, Said::from(project), Said::from(rest))
        }
        What::Join { older, newer } => {
            said!(
                "Keep {} alone, with the tags of {}? [y]es, {} ",
                newer.handle,
                older.handle,
                rest
            )
        }
        What::Replace { older, .. } => said!("Forget {}? [y]es, {} ", older.handle, rest),
        What::Forget { fact } => said!("Forget {}? [y]es, {} ", fact.handle, rest),
    }
}

const KEYS: &str = "  y  do it: keep the text as a fact of yours\n  e  keep it in your own words: \
    your editor opens\n  m  put it below the fact that it is much like\n  p  it is about this \
    project only: it stays a note there\n  n  no; it is not asked again\n  s  later\n  a  yes to \
    this and all others\n  q  stop here; what you answered counts\n";

fn one_by_one(proposals: &[Proposal], cli: &Cli<'_>) -> Result<Vec<(Proposal, Answer)>, Failure> {
    let mut answers = Vec::new();
    for (at, proposal) in proposals.iter().enumerate() {
        output::say(&shown(proposal, (at + 1, proposals.len()), cli));
        loop {
            let Some(typed) = prompt::key(&question(proposal)) else { return Ok(answers) };
            let is_new = matches!(proposal.what, What::Learn { .. });
            let has_like = matches!(proposal.what, What::Learn { like: Some(_) });
            let answer = match typed.as_str() {
                "y" | "yes" => Some(Answer::Accept(None)),
                "e" if is_new => match terminal::edit(cli.context, &proposal.text)? {
                    Some(text) => Some(Answer::Accept(Some(text))),
                    None => {
                        output::say(&Said::from("The text was left as it is.\n"));
                        continue;
                    }
                },
                "m" if has_like => Some(Answer::Merge),
                "p" if is_new && proposal.about.is_some() => Some(Answer::ProjectOnly),
                "n" | "no" => Some(Answer::Reject),
                "s" => None,
                "a" => {
                    let rest = proposals[at..].iter().cloned();
                    answers.extend(rest.map(|proposal| (proposal, Answer::Accept(None))));
                    return Ok(answers);
                }
                "q" => return Ok(answers),
                _ => {
                    output::say(&Said::from(KEYS));
                    continue;
                }
            };
            answers.extend(answer.map(|answer| (proposal.clone(), answer)));
            break;
        }
    }
    Ok(answers)
}

/// What stands before the lines of an editor's text that are no answers.
const REMARK: &str = "#: ";
const INSTRUCTIONS: &str = "#: Each proposal begins with a line such as `keep a1b2c3`. Change its \
    text below that line to keep it\n#: in other words. Delete a proposal to reject it. Instead of \
    keep: merge (into the fact that it is\n#: like), project (stays a note there), skip (ask \
    later).\n#: An unchanged file, or one without any proposal, answers nothing.\n\n";

fn in_editor(proposals: &[Proposal], cli: &Cli<'_>) -> Result<Vec<(Proposal, Answer)>, Failure> {
    let mut text = INSTRUCTIONS.to_owned();
    for proposal in proposals {
        let head = shown(proposal, (1, 1), &Cli { style: Style::plain(), ..plain(cli) });
        let head = head.as_str().lines().next().unwrap_or_default().to_owned();
        let head = head.trim_start_matches("(1/1) ");
        text.push_str(&format!("{REMARK}{head}\nkeep {}\n{}\n\n", proposal.id, proposal.text));
    }
    let Some(edited) = terminal::edit(cli.context, &text)? else { return Ok(Vec::new()) };
    Ok(read_edited(&edited, proposals))
}

fn plain<'a>(cli: &Cli<'a>) -> Cli<'a> {
    Cli {
        context: cli.context,
        style: Style::plain(),
        err: Style::plain(),
        asks: cli.asks,
        chatty: cli.chatty,
        verbose: cli.verbose,
    }
}

fn read_edited(edited: &str, proposals: &[Proposal]) -> Vec<(Proposal, Answer)> {
    let mut blocks: Vec<(&str, &Proposal, String)> = Vec::new();
    for line in edited.lines().filter(|line| !line.starts_with(REMARK.trim_end())) {
        let head = line.split_once(' ').and_then(|(word, id)| {
            let proposal = proposals.iter().find(|proposal| proposal.id == id.trim())?;
            Some((word, proposal))
        });
        match (head, blocks.last_mut()) {
            (Some((word, proposal)), _) => blocks.push((word, proposal, String::new())),
            (None, Some((.., text))) => text.push_str(&format!("{line}\n")),
            (None, None) => {}
        }
    }
    if blocks.is_empty() {
        return Vec::new();
    }
    let there: BTreeSet<&str> =
        blocks.iter().map(|(_, proposal, _)| proposal.id.as_str()).collect();
    let gone = proposals.iter().filter(|proposal| !there.contains(proposal.id.as_str()));
    let mut answers: Vec<(Proposal, Answer)> =
        gone.map(|proposal| (proposal.clone(), Answer::Reject)).collect();
    for (word, proposal, text) in blocks {
        let is_new = matches!(proposal.what, What::Learn { .. });
        let new = text.trim();
        let answer = match word {
            "keep" if is_new && new != proposal.text => Answer::Accept(Some(new.to_owned())),
            "keep" => Answer::Accept(None),
            "merge" => Answer::Merge,
            "project" => Answer::ProjectOnly,
            "reject" | "drop" => Answer::Reject,
            _ => continue,
        };
        answers.push((proposal.clone(), answer));
    }
    answers
}

fn told(done: &Done, style: Style) -> Said {
    let mut text = Said::new();
    for kept in &done.kept {
        let id = kept.id.map_or_else(String::new, |id| id.to_string());
        let from = kept.agent.as_deref().map(title);
        let from = from.map_or_else(Said::new, |agent| said!(" (from {})", agent));
        let (mark, summary) = (style.learned("✓"), style.fit(&kept.summary, 30));
        text.push(said!("{} Saved memory {}{}: {}\n", mark, id, from, summary));
    }
    for kept in &done.merged {
        let id = kept.id.map_or_else(String::new, |id| id.to_string());
        text.push(said!("{} Merged into memory {}: {}\n", style.edited("✓"), id, kept.summary));
    }
    for kept in &done.forgotten {
        let id = kept.id.map_or_else(String::new, |id| id.to_string());
        text.push(said!("{} Forgot memory {}: {}\n", style.forgotten("✓"), id, kept.summary));
    }
    if done.project_only > 0 {
        let notes = plural(done.project_only, "note stays", "notes stay");
        text.push(said!("{} with the project.\n", notes));
    }
    if done.rejected > 0 {
        let count = plural(done.rejected, "proposal", "proposals");
        text.push(said!("{} rejected; not asked again.\n", count));
    }
    if done.undoable {
        text.push(said!("{}\n", style.dim("Undo: `co undo`.")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::ContentHash;

    fn proposal(id: &str, text: &str) -> Proposal {
        Proposal {
            id: id.to_owned(),
            hash: ContentHash::of_body(text),
            what: What::Learn { like: None },
            text: text.to_owned(),
            tags: Vec::new(),
            agent: None,
            session: None,
            project: None,
            at: None,
            about: None,
            why: None,
        }
    }

    #[test]
    fn what_is_deleted_in_an_editor_is_rejected() {
        let all = [proposal("aaaaaa", "One."), proposal("bbbbbb", "Two."), proposal("cccccc", "3")];
        let edited = "#: head\nkeep aaaaaa\nOne, really.\n\n#: x\nskip cccccc\n3\n";
        let answers = read_edited(edited, &all);
        let answers: Vec<(&str, &Answer)> =
            answers.iter().map(|(proposal, answer)| (proposal.id.as_str(), answer)).collect();
        assert_eq!(
            answers,
            [
                ("bbbbbb", &Answer::Reject),
                ("aaaaaa", &Answer::Accept(Some("One, really.".to_owned()))),
            ]
        );
        assert!(read_edited("#: nothing left\n", &all).is_empty());
    }
}
