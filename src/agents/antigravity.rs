//! The row of Antigravity CLI (`agy`), the successor of Gemini CLI, and what Google ended.
//!
//! Invariant: none of this was tried with the program. Sources: the documentation of its hooks,
//! rulesync, engram, agent-config and reports of its strings. They name two folders for its
//! settings: `~/.gemini/config`, which it shares with the Antigravity app and which the newer ones
//! name, and `~/.gemini/antigravity-cli`.

use super::{
    agent::{Agent, Instructions},
    entry,
    hooks::{Hooks, Shape},
    notes::Writes,
    row_parts::{SKILLS, event, file, home, json},
};

pub(super) const ANTIGRAVITY: Agent = Agent {
    name: "antigravity",
    title: "Antigravity CLI",
    clients: &["antigravity-cli", "antigravity-client", "antigravity"],
    signs: &[home(".gemini/antigravity-cli"), home(".gemini/config")],
    programs: &["agy"],
    server: json(
        &[home(".gemini/config/mcp_config.json"), home(".gemini/antigravity-cli/mcp_config.json")],
        entry::plain,
    ),
    instructions: Instructions::Shared(home(".gemini/GEMINI.md")),
    includes: true,
    skills: SKILLS,
    hooks: Some(Hooks {
        files: &[home(".gemini/config/hooks.json"), home(".gemini/antigravity-cli/hooks.json")],
        shape: Shape::Named,
        // Before each call of the model; its `Stop` comes after each answer, not after a session.
        events: &[event("PreInvocation", "session-start", None, 10)],
        tools: &[],
        limit: None,
        trust: None,
    }),
    import_sources: &[file(home(".gemini/GEMINI.md"))],
    writes: Writes::NOTHING,
    plugin: None,
    note: Some(
        "sources name two folders for the settings of Antigravity CLI, ~/.gemini/config and \
         ~/.gemini/antigravity-cli: co writes to the one that is there, the first if both are",
    ),
};

/// Agents that their vendors ended, for whom they go on, and what follows.
pub(super) const ENDED: &[(&str, &str)] = &[(
    "gemini",
    "works with an API key or an enterprise licence; Google ended it for individual accounts on \
     18 June 2026; Antigravity CLI follows it",
)];
