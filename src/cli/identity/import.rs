//! `co identity import`

use super::{diff::how, diff_text};
use crate::cli::{
    args::Allow,
    output::{self, Output},
    progress::Bar,
    prompt,
    style::{Style, plural, safe},
    verb::{Cli, Verb},
};
use crate::merge::import::{Group, Item};
use crate::ops::{Failure, diff, import};
use clap::Args;
use serde_json::json;

pub(super) const HELP: &str = "\
    SOURCE is an archive that `co identity export` wrote, a folder, or - for an archive on \
    standard input.\n\
    \n\
    --merge (the default) joins: the same fact is kept once, different facts are all kept, of a \
    profile field the later one wins, personality and traits are taken as they come in. What was \
    forgotten here stays forgotten. --replace takes the source in place of what is here. Either \
    way `co undo` takes it back.";

/// `co identity import`
#[derive(Args, Debug)]
pub struct Import {
    /// An archive, a folder, or `-`
    pub source: String,
    /// Join with what is here (the default)
    #[arg(long, conflicts_with = "replace")]
    pub merge: bool,
    /// Take it in place of what is here
    #[arg(long)]
    pub replace: bool,
    /// Also take facts that were forgotten here
    #[arg(long, conflicts_with = "replace")]
    pub restore_forgotten: bool,
    /// Choose fact by fact
    #[arg(long, conflicts_with = "yes")]
    pub select: bool,
    /// Only show what would change
    #[arg(long)]
    pub dry_run: bool,
    /// Agree to all of it
    #[arg(short, long)]
    pub yes: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Import {
    fn name(&self) -> &'static str {
        "identity import"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request = import::Request {
            source: self.source.clone(),
            how: how(self.replace, self.restore_forgotten),
            allowed: self.allow.rules()?,
        };
        let mut plan = import::plan(cli.context, &request)?;
        let warnings = plan.report.warnings.clone();
        if self.dry_run {
            let shown = diff_text::review(&plan.report, cli.style);
            let report = plan.report;
            return Ok(Output { warnings, ..Output::lazy(shown, move || report.json()) });
        }
        if plan.is_empty() {
            let left = diff_text::left_as_it_is(&plan.report, cli.style);
            let text = match left.is_empty() {
                true => "Nothing to take in: all of it is here.\n".to_owned(),
                false => format!("Nothing to take in.\n{left}"),
            };
            return Ok(Output { warnings, ..Output::lazy(text, || json!({ "files": 0 })) });
        }
        if !self.yes {
            plan = self.agreed(plan, cli)?;
        }
        let bar = Bar::new("Importing", cli.err);
        let done = import::apply(cli.context, &plan, &|done, of| bar.moved(done, of))?;
        bar.end();
        let text = imported(&done, &plan.report, cli.style);
        Ok(Output { warnings, ..Output::done(text, done) })
    }
}

impl Import {
    fn agreed(&self, plan: import::Plan, cli: &Cli<'_>) -> Result<import::Plan, Failure> {
        if !cli.asks || self.source == "-" {
            return Err(import::needs_agreement());
        }
        output::say(&format!("{}\n", diff_text::review(&plan.report, cli.err)));
        let items = plan.items();
        let agreed = if self.select { prompt::facts(&items)? } else { agreed_groups(&items)? };
        if agreed.is_empty() {
            return Err(prompt::declined());
        }
        Ok(if agreed.len() < items.len() { plan.only(&agreed) } else { plan })
    }
}

pub(in crate::cli) fn agreed_groups(items: &[Item]) -> Result<Vec<Item>, Failure> {
    let mut agreed = Vec::new();
    for (group, verb) in
        [(Group::Learned, "Take in"), (Group::Changed, "Change"), (Group::Removed, "Remove")]
    {
        for (question, items) in questions(items, group, verb) {
            let yes = if group == Group::Removed {
                prompt::confirm_loss(&question)?
            } else {
                prompt::confirm(&question)?
            };
            if yes {
                agreed.extend(items);
            }
        }
    }
    Ok(agreed)
}

/// Facts are confirmed together; every other file is a question of its own.
fn questions(items: &[Item], group: Group, verb: &str) -> Vec<(String, Vec<Item>)> {
    let of_group = items.iter().filter(|item| item.group == group);
    let is_fact = |item: &&Item| item.paths.iter().any(|path| path.is_memory());
    let (facts, files): (Vec<&Item>, Vec<&Item>) = of_group.partition(is_fact);
    let mut questions = Vec::new();
    if !facts.is_empty() {
        let count = plural(facts.len(), "fact", "facts");
        questions.push((format!("{verb} {count}"), facts.into_iter().cloned().collect()));
    }
    for file in files {
        questions.push((format!("{verb} {}", safe(&file.summary)), vec![file.clone()]));
    }
    questions
}

pub(in crate::cli) fn imported(done: &import::Done, report: &diff::Report, style: Style) -> String {
    let m = &done.meaning;
    let parts = [
        (m.learned.len(), "learned"),
        (m.edited.len(), "edited"),
        (m.forgotten.len(), "forgotten"),
    ];
    let mut told: Vec<String> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !m.documents.is_empty() {
        told.push(plural(m.documents.len(), "other file changed", "other files changed"));
    }
    let told = if told.is_empty() {
        vec![plural(done.files, "file changed", "files changed")]
    } else {
        told
    };
    let told = told.join(", ");
    let memories = plural(done.memories, "memory", "memories");
    format!(
        "{} Imported {}: {told}.\n{memories}. Undo: `co undo`.\n",
        style.learned("✓"),
        safe(&report.source)
    )
}
