//! Skills that came from elsewhere, as questions of a review.
//!
//! Invariant: one question per content, on each laptop: an agreement applies to this laptop only
//! and is never synced, so that no remote can agree; a rejection applies everywhere. A question
//! names what can run, up to 20 programs, and counts the rest. A skill with faults produces no
//! question.

use super::proposal::{Proposal, Question};
use crate::identity::answers::Answers;
use crate::index::store::Store;
use crate::machine::Context;
use crate::workspace::skills::{self, KeptSkill};

/// How many of its programs a question names, and how many of its files.
const MAX_NAMED: usize = 20;
/// Characters of its description in a question, and of each name.
const MAX_DESCRIPTION: usize = 300;
const MAX_NAME: usize = 160;
/// Characters of its ID: so many that nobody makes two skills with one.
const LONG: usize = 32;

pub(super) fn waiting(context: &Context, store: &Store, answers: &Answers) -> Vec<Proposal> {
    let mut all = skills::all(context, store);
    // Only what was rejected: whoever syncs could write that a skill is wanted.
    all.retain(|KeptSkill { skill, .. }| {
        skill.faults().is_empty()
            && !skills::is_agreed(context, skill)
            && !answers.is_declined(skill.hash())
    });
    all.iter().map(proposal).collect()
}

fn proposal(KeptSkill { skill, layer }: &KeptSkill) -> Proposal {
    let programs = skill.programs();
    let paths: Vec<String> = skill.files.paths().map(ToString::to_string).collect();
    let description = skill.description().unwrap_or_default();
    let mut text = format!("{}: {}\n", skill.name, short(&description, MAX_DESCRIPTION));
    // Before the names of files, which can be long: a question shows so many bytes.
    if !programs.is_empty() {
        text.push_str(&format!("can run: {}\n", listed(&programs)));
    }
    text.push_str(&format!("{} bytes in {}\n", skill.bytes(), listed(&paths)));
    let with = if programs.is_empty() { "" } else { " with programs" };
    let of = layer.map_or_else(String::new, |layer| format!(" of the layer {layer}"));
    let why = format!("a skill{with}{of} for your agents, not yet agreed to on this laptop");
    let what = Question::Skill { name: skill.name.clone(), files: paths, programs };
    let hash = skill.hash();
    Proposal { id: hash.short(LONG), why: Some(why), ..Proposal::of(hash, what, text) }
}

fn listed(all: &[String]) -> String {
    let first = all.iter().take(MAX_NAMED).map(|one| short(one, MAX_NAME));
    let first = first.collect::<Vec<String>>().join(", ");
    match all.len().saturating_sub(MAX_NAMED) {
        0 => first,
        more => format!("{first} and {more} more"),
    }
}

/// In one line, so that no text of a skill looks like a line of the question.
fn short(text: &str, most: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let cut: String = line.chars().take(most).collect();
    if cut.len() < line.len() { format!("{cut}…") } else { cut }
}
