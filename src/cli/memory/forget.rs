//! `co memory forget`, `co forget`: arguments and output. The verb is `facts::forget`.

use crate::cli::{
    args::scope,
    complete,
    failure::Failure,
    handle,
    output::Output,
    prompt,
    style::Style,
    verb::{Cli, Verb},
};
use crate::display::memories;
use crate::facts::forget;
use crate::foreign::{Said, said};
use crate::identity::FactView;
use crate::index::store::Scope;
use crate::workspace::named::FactRef;
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

pub(in crate::cli) const HELP: &str = "\
    A number, `12-3fa9` or `sha256:3fa9…` names one fact, and `last` the one that was learned last \
    on this laptop; anything else is text that the fact contains. If several match, they are \
    listed, and nothing is deleted until you choose.\n\
    \n\
    Forgetting does not erase git's history, and forgotten.md keeps a hash from which a short fact \
    could be guessed. `co help dotfiles` shows how to purge one.\n\
    \n\
    Examples:\n  \
    co forget 12           the fact with this number\n  \
    co forget last --yes   the one that was learned last, unasked";

/// `co memory forget`
#[derive(Args, Debug)]
pub struct Forget {
    /// Handles, or words of a fact
    #[arg(required = true, value_name = "HANDLE|TEXT", add = ArgValueCandidates::new(complete::handles))]
    pub what: Vec<String>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// Do not ask; needed without a terminal if the fact is named by words, or as `last`
    #[arg(short, long)]
    pub yes: bool,
}

impl Verb for Forget {
    fn name(&self) -> &'static str {
        "memory forget"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let several = self.what.len() > 1 && self.what.iter().all(|word| handle::is_handle(word));
        if several {
            return self.forget_all(cli);
        }
        let typed = self.what.join(" ");
        let is_number = FactRef::parse(&typed).is_some();
        let what = handle::meant(cli, typed, self.scope)?;
        let request = forget::Request { what: what.clone(), scope: self.scope };
        let mut plan = forget::plan(cli.ws, &request)?;
        match plan.count() {
            1 => {}
            _ if cli.asks => {
                let question = "Which one should be forgotten?";
                let chosen = prompt::which(question, &candidates(&plan.matches(cli.ws)))?;
                cli.ws.forget_compared();
                plan = plan.only(chosen);
            }
            _ => return Err(plan.ambiguous(&what).into()),
        }
        if !is_number && !self.yes {
            agree(cli, &plan.matches(cli.ws)[0])?;
        }
        forgotten(cli, &plan)
    }
}

impl Forget {
    /// Forgets all of several handles, or none.
    fn forget_all(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let mut plans = Vec::new();
        for typed in self.what {
            let is_number = FactRef::parse(&typed).is_some();
            let what = handle::meant(cli, typed, self.scope)?;
            let request = forget::Request { what: what.clone(), scope: self.scope };
            let plan = forget::plan(cli.ws, &request)?;
            if plan.count() > 1 {
                return Err(plan.ambiguous(&what).into());
            }
            if !is_number && !self.yes {
                agree(cli, &plan.matches(cli.ws)[0])?;
            }
            plans.push(plan);
        }
        forgotten(cli, &forget::Plan::joined(plans))
    }
}

/// Asks whether a fact that was not named by its number is the one.
fn agree(cli: &Cli<'_>, fact: &FactView) -> Result<(), Failure> {
    let title = cli.err.shown_of(&fact.summary, &fact.first_line);
    let question = said!("Forget \"{}\"", title);
    // While a person thinks about it, files may be edited.
    cli.ws.forget_compared();
    let sure = match fact.id {
        Some(_) => {
            format!("name it with `co forget {}`, or use `--yes` to confirm", fact.handle)
        }
        None => "use `--yes` to confirm".to_owned(),
    };
    let would = said!("\"{}\" would be forgotten", title);
    prompt::agree_to_loss(cli, question, &would, sure)
}

fn forgotten(cli: &Cli<'_>, plan: &forget::Plan) -> Result<Output, Failure> {
    let (again, style) = (forget::again(cli.ws, plan), cli.style);
    let done = forget::apply(cli.ws, plan)?;
    let text = memories::forgotten(&done, |fact| style.shown_of(&fact.summary, &fact.first_line));
    let text = style.ticked(&text, Style::forgotten) + memories::counting_again(&again);
    let mut data = json!({ "forgotten": done });
    if !again.is_empty() {
        data["counts_again"] = json!(again);
    }
    Ok(Output::done(text, data))
}

/// Asked only on a terminal.
fn candidates(matches: &[FactView]) -> Vec<Said> {
    let line = |fact: &FactView| {
        let id = fact.id.map_or_else(Said::new, |id| said!("{}-", id));
        said!("{}{}  {}", id, fact.hash.short(4), fact.first_line)
    };
    matches.iter().map(line).collect()
}
