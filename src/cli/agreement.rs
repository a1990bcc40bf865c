//! Consent options and prompts shared by all importing verbs.
//!
//! Invariant: without `--yes` and without a person to ask, nothing is agreed to. Must not know:
//! where the facts come from.

use super::{args::Allow, failure::Failure, output, prompt, style::plural};
use crate::foreign::{Said, said};
use crate::merge::import::{ImportGroup, ImportItem};
use crate::transfer::import::{self, Plan};
use clap::Args;

/// Consent options of importing verbs.
#[derive(Args, Debug)]
pub struct Agreement {
    /// Choose fact by fact
    #[arg(long, conflicts_with = "yes")]
    pub select: bool,
    /// Only show what would change
    #[arg(long)]
    pub dry_run: bool,
    /// Accept everything
    #[arg(short, long)]
    pub yes: bool,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Agreement {
    /// The part of the plan that is agreed to; a person reads `shown` before the questions.
    pub(super) fn to(
        &self,
        plan: Plan,
        asks: bool,
        shown: impl FnOnce(&Plan) -> Said,
    ) -> Result<Plan, Failure> {
        if self.yes {
            return Ok(plan);
        }
        if !asks {
            return Err(import::needs_agreement().into());
        }
        output::say(&said!("{}\n", shown(&plan)));
        let items = plan.items();
        let agreed = if self.select {
            prompt::facts(&items, |item| plan.is_rejected(item))?
        } else {
            agreed_groups(&items)?
        };
        if agreed.is_empty() {
            return Err(prompt::declined());
        }
        Ok(if agreed.len() < items.len() { plan.only(&agreed) } else { plan })
    }
}

fn agreed_groups(items: &[ImportItem]) -> Result<Vec<ImportItem>, Failure> {
    let mut agreed = Vec::new();
    for (group, verb) in [
        (ImportGroup::Learned, "Import"),
        (ImportGroup::Changed, "Change"),
        (ImportGroup::Removed, "Remove"),
    ] {
        for (question, items) in questions(items, group, verb) {
            let yes = if group == ImportGroup::Removed {
                prompt::confirm_loss(question)?
            } else {
                prompt::confirm(question)?
            };
            if yes {
                agreed.extend(items);
            }
        }
    }
    Ok(agreed)
}

/// Facts are confirmed together; every other file gets its own question.
fn questions(items: &[ImportItem], group: ImportGroup, verb: &str) -> Vec<(Said, Vec<ImportItem>)> {
    let of_group = items.iter().filter(|item| item.group == group);
    let is_fact = |item: &&ImportItem| item.paths.iter().any(|path| path.is_memory());
    let (facts, files): (Vec<&ImportItem>, Vec<&ImportItem>) = of_group.partition(is_fact);
    let mut questions = Vec::new();
    if !facts.is_empty() {
        let count = plural(facts.len(), "fact", "facts");
        questions.push((said!("{} {}", verb, count), facts.into_iter().cloned().collect()));
    }
    for file in files {
        questions.push((said!("{} {}", verb, file.summary), vec![file.clone()]));
    }
    questions
}
