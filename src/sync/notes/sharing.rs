//! Which agents share their notes, and about which projects.
//!
//! Invariant: an agent takes part only with a person's consent, an excluded project never.

use crate::agents::{self, Agent};
use crate::identity::project::Project;
use crate::machine::Context;
use crate::workspace::{Error, config};

/// Which projects' notes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotesScope {
    /// The current project.
    Here,
    /// Every project for which an agent has notes on this laptop.
    All,
}

/// The agents whose notes are shared.
pub fn shared(context: &Context) -> Vec<&'static Agent> {
    let share = &context.settings.agents.notes.share;
    let is_shared = |agent: &&Agent| share.iter().any(|name| name == agent.name);
    agents::ALL.iter().filter(|agent| agent.writes.notes.is_some()).filter(is_shared).collect()
}

/// Those of these agents whose notes could be shared and are not.
pub fn not_shared(context: &Context, names: &[&'static str]) -> Vec<&'static Agent> {
    let shared = shared(context);
    let is_shared = |agent: &Agent| shared.iter().any(|one| one.name == agent.name);
    let able = agents::ALL.iter().filter(|agent| agent.writes.notes.is_some() && !is_shared(agent));
    able.filter(|agent| names.contains(&agent.name)).collect()
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sharing {
    On,
    Off,
}

/// Starts or stops sharing the notes of these agents; returns those for which that changed. The
/// notes themselves stay, in the folders and in the identity.
pub fn share(
    context: &Context,
    names: &[&'static str],
    sharing: Sharing,
) -> Result<Vec<&'static Agent>, Error> {
    let mut changed = match sharing {
        Sharing::On => not_shared(context, names),
        Sharing::Off => shared(context),
    };
    changed.retain(|agent| names.contains(&agent.name));
    if changed.is_empty() {
        return Ok(changed);
    }
    let mut share = context.settings.agents.notes.share.clone();
    share.retain(|name| !changed.iter().any(|agent| agent.name == name));
    if sharing == Sharing::On {
        share.extend(changed.iter().map(|agent| agent.name.to_owned()));
    }
    config::set_shared_notes(context, &share)?;
    Ok(changed)
}

pub fn is_excluded(context: &Context, project: &Project) -> bool {
    context.settings.agents.notes.exclude.iter().any(|pattern| project.matches(pattern))
}
