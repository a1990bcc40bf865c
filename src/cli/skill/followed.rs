//! What agents find after the skills, or what a person agreed to, changed.
//!
//! Invariant: silent when nothing changed.

use crate::cli::{style::plural, verb::Cli};
use crate::foreign::{Said, said};
use crate::integrations::skills::{self, Followed};
use std::collections::BTreeSet;

/// Places what was agreed to, and tells what changed.
pub(in crate::cli) fn lines(cli: &Cli<'_>) -> Said {
    told(&skills::follow(cli.ws), cli)
}

/// As [`lines`], and what waits for an answer.
pub(in crate::cli) fn after_sync(cli: &Cli<'_>) -> Said {
    with_skills(&skills::follow(cli.ws), cli)
}

/// After agents were given the skills.
pub(in crate::cli) fn with_skills(done: &Followed, cli: &Cli<'_>) -> Said {
    told(done, cli) + waiting(done)
}

fn waiting(done: &Followed) -> Said {
    let mut text = Said::new();
    if !done.waiting.is_empty() {
        let count = plural(done.waiting.len(), "skill waits", "skills wait");
        let names = done.waiting.join(", ");
        text.push(said!("{} for your answer: {}. Next: `co review`.\n", count, names));
    }
    if !done.edited.is_empty() {
        let names = named(&done.edited);
        text.push(said!("An agent here changed in place: {}. Next: `co skill adopt`.\n", names));
    }
    text
}

fn named(names: &BTreeSet<String>) -> String {
    names.iter().cloned().collect::<Vec<String>>().join(", ")
}

pub(in crate::cli) fn told(done: &Followed, cli: &Cli<'_>) -> Said {
    let mut text = Said::new();
    if !done.placed.is_empty() {
        let mark = cli.style.learned("✓");
        text.push(said!("{} Your agents here now find: {}\n", mark, named(&done.placed)));
    }
    if !done.removed.is_empty() {
        let mark = cli.style.forgotten("✓");
        text.push(said!("{} Your agents here no longer find: {}\n", mark, named(&done.removed)));
    }
    let note = |note: &String| said!("{} {}\n", cli.style.dim("note:"), note);
    text.extend(done.notes.iter().map(note));
    text
}

/// What in a skill can run, one a line.
pub(super) fn programs(programs: &[String]) -> Said {
    programs.iter().map(|program| said!("  can run  {}\n", program)).collect()
}
