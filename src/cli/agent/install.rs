//! `co agent install`: arguments and output. The verb is `integrations::agent::install`.

use super::edits::{self, PartChange};
use crate::cli::{
    complete,
    explain::explain,
    failure::{Exit, Failure},
    output::Output,
    prompt,
    skill::followed,
    verb::{Cli, Verb},
};
use crate::foreign::{Said, said};
use crate::integrations::{
    agent::install::{self, Hooks, Plan, Refused},
    skills,
};
use crate::machine::files;
use crate::sync::notes::{self, Sharing};
use clap::Args;
use clap_complete::ArgValueCandidates;

pub(super) const HELP: &str = "Adds three things for each agent, and leaves everything else in \
    its files unchanged: an entry that starts `co mcp`, a marked block in the instructions that \
    it reads in every session, and a skill that says when to save. With --hooks, the agent runs \
    co twice per session: at the start, to add your context, and at the end, to sync. \
    --count-tools, --notes and --skills are separate.\n\
    \n\
    Installing again changes nothing, or only the path if co was moved. `co agent uninstall` \
    removes all of it, byte for byte if nothing else was changed.";

/// `co agent install`
#[derive(Args, Debug)]
pub struct Install {
    /// Agents, by their names in `co agent list`
    #[arg(value_name = "NAME", required_unless_present = "all", add = ArgValueCandidates::new(complete::agents))]
    pub names: Vec<String>,
    /// All agents installed here
    #[arg(long, conflicts_with = "names")]
    pub all: bool,
    /// Also run co when a session starts (to add your context) and when it ends (to sync)
    #[arg(long)]
    pub hooks: bool,
    /// Also report each tool call of Claude Code and Gemini CLI to co, which then lists the
    /// documents about the tools you use; only the names of tools and programs are kept
    #[arg(long)]
    pub count_tools: bool,
    /// Also share the notes that Claude Code keeps about projects between your laptops, at every
    /// sync and session
    #[arg(long, conflicts_with = "no_notes")]
    pub notes: bool,
    /// Stop sharing those notes; they stay where they are
    #[arg(long)]
    pub no_notes: bool,
    /// Also let these agents use the skills of your identity that you agreed to (`co skill list`),
    /// now and after every sync
    #[arg(long)]
    pub skills: bool,
    /// Only show what would change, as a diff
    #[arg(long)]
    pub dry_run: bool,
    /// Do not ask
    #[arg(short, long)]
    pub yes: bool,
}

impl Verb for Install {
    fn name(&self) -> &'static str {
        "agent install"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let wanted = |wanted| if wanted { Hooks::With } else { Hooks::AsTheyAre };
        let (hooks, counting) = (wanted(self.hooks), wanted(self.count_tools));
        let sharing = self.sharing();
        let request = install::Request { agents: self.names, hooks, counting };
        let plan = install::plan(cli.ws, &request)?;
        if self.dry_run {
            let diff = if plan.files.is_empty() {
                Said::from("Nothing would change.\n")
            } else {
                edits::diff(&plan.files, PartChange::Insert, cli.ws, cli.style)
            };
            let mut text = diff + &edits::notes(&plan.notes, cli.style);
            if self.skills {
                text.push(
                    "They would also find the skills that you agreed to (`co skill list`).\n",
                );
            }
            let data = edits::planned(&plan.agents, &plan.files, PartChange::Insert, cli.ws);
            return Ok(ended(Output::data(text, data), &plan));
        }
        if !self.yes {
            edits::agreed(&plan.files, cli)?;
        }
        // Before anything is written: without an identity there are no skills.
        if self.skills {
            cli.ws.identity()?;
        }
        install::apply(cli.ws, &plan)?;
        let mut text = installed(&plan, cli);
        if self.skills {
            let names: Vec<&str> = plan.agents.iter().map(|agent| agent.name).collect();
            let done = skills::install(cli.ws, &names)?;
            text.push(followed::with_skills(&done, cli));
        }
        text.push(shared(&plan, sharing, self.yes, cli)?);
        Ok(ended(Output::done(text, plan.clone()), &plan))
    }
}

impl Install {
    fn sharing(&self) -> Option<Sharing> {
        match (self.notes, self.no_notes) {
            (true, _) => Some(Sharing::On),
            (_, true) => Some(Sharing::Off),
            _ => None,
        }
    }
}

/// Shares notes if that was or is requested: they may be about an employer's projects.
fn shared(
    plan: &Plan,
    said: Option<Sharing>,
    is_quiet: bool,
    cli: &Cli<'_>,
) -> Result<Said, Failure> {
    let names: Vec<&'static str> = plan.agents.iter().map(|agent| agent.name).collect();
    let able = notes::not_shared(cli.ws, &names);
    let sharing = match said {
        Some(sharing) => sharing,
        None if able.is_empty() || is_quiet || !cli.asks => return Ok(Said::new()),
        None => {
            let titles: Vec<&str> = able.iter().map(|agent| agent.title).collect();
            let question = said!(
                "Share the notes that {} keeps about each project between your \
                 laptops, through the remote of your identity",
                titles.join(", ")
            );
            if prompt::confirm_loss(question)? { Sharing::On } else { return Ok(Said::new()) }
        }
    };
    let changed = notes::share(cli.ws, &names, sharing)?;
    let what = match sharing {
        Sharing::On => "its notes about projects will be shared, starting with the next sync",
        Sharing::Off => "its notes about projects stay on this laptop from now on",
    };
    let mark = cli.style.learned("✓");
    Ok(changed.iter().map(|agent| said!("{} {}: {}.\n", mark, agent.title, what)).collect())
}

/// For `init`: connects agents if the person agrees. Failures are only warnings there; also returns
/// the names of those connected now.
pub(in crate::cli) fn connect(cli: &Cli<'_>, plan: &Plan) -> (Vec<&'static str>, Vec<String>) {
    let mut warnings: Vec<String> =
        plan.refused.iter().map(|refused| format!("{}: {}", refused.title, refused.why)).collect();
    warnings.extend(plan.notes.clone());
    let done = plan.agents.iter().filter(|one| one.changes).map(|one| one.title).collect();
    match install::apply(cli.ws, plan) {
        Ok(()) => (done, warnings),
        Err(error) => {
            warnings.push(format!("the agents were not connected: {}", error));
            (Vec::new(), warnings)
        }
    }
}

fn installed(plan: &Plan, cli: &Cli<'_>) -> Said {
    let mut text = Said::new();
    for agent in &plan.agents {
        let mark = cli.style.learned("✓");
        let what = if agent.changes { "is connected" } else { "was already connected" };
        text.push(said!("{} {} {}.\n", mark, agent.title, what));
    }
    if plan.agents.iter().any(|agent| agent.changes) {
        text.push(
            "Next: start a new session and ask: what do you know about me? `co doctor agents` \
             checks that everything works.\n",
        );
    }
    let mut notes = plan.notes.clone();
    if !files::is_dir(&cli.ws.identity.resolved) {
        notes.push("there is no identity yet; `co init` creates one".to_owned());
    }
    text + edits::notes(&notes, cli.style)
}

/// Adds what a person must know, and which agents were left alone.
fn ended(output: Output, plan: &Plan) -> Output {
    let failed: Vec<Failure> = plan.refused.iter().map(left_alone).collect();
    let others = failed.iter().skip(1).map(|failure| failure.message.clone());
    Output { warnings: others.collect(), ending: failed.into_iter().next().into(), ..output }
}

/// An agent whose files were not touched.
pub(super) fn left_alone(refused: &Refused) -> Failure {
    let message = said!("{} was left unchanged: {}", refused.title, refused.why);
    Failure { exit: Exit::Refused, message: message.into(), ..explain(&refused.error) }
}
