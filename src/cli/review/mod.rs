//! `co review`: proposals of agents, answered one by one, in an editor, or by a script.

mod editor;

use super::{
    output::{self, Output},
    prompt,
    style::{Style, plural},
    verb::{Cli, Verb},
};
use crate::agents;
use crate::cli::failure::{Exit, Failure};
use crate::foreign::{Foreign, Said, said};
use crate::identity::text;
use crate::ops::review::{self, Among, Answer, Done, Proposal, What};
use crate::system::terminal;
use clap::{Args, Subcommand};
use serde_json::json;

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
        let answers = if self.editor {
            editor::answers(&proposals, cli)?
        } else {
            one_by_one(&proposals, cli)?
        };
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
        let what = match &proposal.what {
            What::Learn { .. } => Said::new(),
            What::Join { older, .. } | What::Replace { older, .. } => {
                said!("  (forgets {})", older.handle)
            }
            What::Forget { fact } => said!("  (forgets {})", fact.handle),
        };
        text.push(said!(
            "  {}{}\n\n",
            cli.style.dim(said!("co review accept {}", proposal.id)),
            what
        ));
    }
    text + "`co review reject ID` says no; nobody is asked twice.\n"
}

fn shown(proposal: &Proposal, (at, of): (usize, usize), cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let who = match (&proposal.agent, &proposal.why) {
        (Some(agent), _) => said!("{} wrote", agents::title(agent)),
        (None, Some(why)) => said!("{}", why),
        (None, None) => Said::from("proposed"),
    };
    let word = if proposal.agent.is_some() { "" } else { "learned " };
    let day = proposal.at.as_ref().map_or_else(Said::new, |at| {
        let at = at.chars().take(16).collect::<String>().replace('T', " ");
        said!(", {}{}", Said::from(word), at)
    });
    let place = proposal.project.as_ref().map_or_else(Said::new, |place| said!(", in {}", place));
    let about = proposal.about.as_ref().map_or_else(Said::new, |about| said!(" ({})", about));
    let head = said!("({}/{}) {}{}{}{}", at, of, who, day, place, about);
    let mut text = said!("{}\n", style.strong(head));
    match &proposal.what {
        What::Learn { like } => {
            text.push(quoted(&proposal.text, style));
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

/// Lines of a proposal that are shown; the rest is counted.
const MOST_LINES: usize = 30;
const MOST_BYTES: usize = 4_000;

fn quoted(text: &str, style: Style) -> Said {
    let short = &text[..text.floor_char_boundary(MOST_BYTES)];
    let lines: Vec<&str> = short.lines().take(MOST_LINES).collect();
    let shown = lines.join("\n");
    let mut said = style.learned(Foreign(&shown).quote("  + ").trimmed()) + "\n";
    if let Some(why) = text::unseen_in_words(text) {
        said.push(said!("  {}: edit it first\n", why));
    }
    let more = text.len() - shown.len();
    if more > 0 {
        said.push(said!("  … and {} more bytes; e shows all of it\n", more));
    }
    said
}

/// What can be answered: keys, and the words around them.
fn question(proposal: &Proposal) -> Said {
    let rest = "[n]o, [s]kip, [a]ll, [q]uit, ?";
    match &proposal.what {
        What::Learn { like } => {
            let merge = like
                .as_ref()
                .map_or_else(Said::new, |like| said!("[m]erge with {}, ", like.handle));
            let project = if proposal.is_note() { "[p]roject only, " } else { "" };
            said!("Keep? [y]es, [e]dit, {}{}{}", merge, Said::from(project), Said::from(rest))
        }
        What::Join { older, newer } => {
            said!("Keep {} alone, with the tags of {}? [y]es, {}", newer.handle, older.handle, rest)
        }
        What::Replace { older, .. } => said!("Forget {}? [y]es, {}", older.handle, rest),
        What::Forget { fact } => said!("Forget {}? [y]es, {}", fact.handle, rest),
    }
}

/// What each key does, of those that can be pressed.
fn keys(proposal: &Proposal) -> Said {
    let (yes, no) = match &proposal.what {
        What::Learn { .. } => ("keep it as a fact of yours", "no; it is not asked again"),
        What::Join { .. } => ("keep the newer one alone", "keep both; it is not asked again"),
        What::Replace { .. } => ("forget the older one", "keep both; it is not asked again"),
        What::Forget { .. } => ("forget it", "keep it; it is not asked again"),
    };
    let mut text = said!("  y  {}\n", Said::from(yes));
    if matches!(proposal.what, What::Learn { .. }) {
        text.push("  e  keep it in your own words: your editor opens\n");
    }
    if matches!(proposal.what, What::Learn { like: Some(_) }) {
        text.push("  m  put it into the fact that it is much like\n");
    }
    if proposal.is_note() {
        text.push("  p  it is about this project only: it stays a note there\n");
    }
    text.push(said!("  n  {}\n", Said::from(no)));
    text.push("  s  later\n  a  yes to this and all others\n");
    text.push("  q  stop here; what you answered counts\n");
    text
}

fn one_by_one(proposals: &[Proposal], cli: &Cli<'_>) -> Result<Vec<(Proposal, Answer)>, Failure> {
    let mut answers = Vec::new();
    for (at, proposal) in proposals.iter().enumerate() {
        output::say(&shown(proposal, (at + 1, proposals.len()), cli));
        match asked(proposal, proposals.len() - at, cli)? {
            Next::Answer(answer) => answers.push((proposal.clone(), answer)),
            Next::Later => {}
            Next::All => {
                let rest = proposals[at..].iter().cloned();
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

/// Asks until there is an answer.
fn asked(proposal: &Proposal, left: usize, cli: &Cli<'_>) -> Result<Next, Failure> {
    let is_new = matches!(proposal.what, What::Learn { .. });
    let has_like = matches!(proposal.what, What::Learn { like: Some(_) });
    loop {
        let Some(typed) = prompt::key(&question(proposal)) else { return Ok(Next::Stop) };
        let answer = match typed.as_str() {
            "y" | "yes" => Answer::Accept(None),
            "e" if is_new => match terminal::edit(cli.context, &proposal.text) {
                Ok(Some(text)) => Answer::Accept(Some(text)),
                Ok(None) => {
                    output::say(&Said::from("The text was left as it is.\n"));
                    continue;
                }
                Err(error) => {
                    output::say(&output::complaint(&error.into(), cli.err));
                    continue;
                }
            },
            "m" if has_like => Answer::Merge,
            "p" if proposal.is_note() => Answer::ProjectOnly,
            "n" | "no" => Answer::Reject,
            "s" => return Ok(Next::Later),
            "a" if prompt::confirm_loss(said!("Yes to all {} that are left", left))? => {
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

fn told(done: &Done, style: Style) -> Said {
    let mut text = Said::new();
    for kept in &done.kept {
        let id = kept.id.map_or_else(String::new, |id| id.to_string());
        let from = kept.agent.as_deref().map(agents::title);
        let from = from.map_or_else(Said::new, |agent| said!(" (from {})", agent));
        let (mark, summary) = (style.learned("✓"), style.fit(&kept.summary, 30));
        text.push(said!("{} Saved memory {}{}: {}\n", mark, id, from, summary));
    }
    for kept in &done.joined {
        let id = kept.id.map_or_else(String::new, |id| id.to_string());
        text.push(said!("{} Kept memory {} alone: {}\n", style.edited("✓"), id, kept.summary));
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
