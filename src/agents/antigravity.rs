//! The row of Antigravity CLI (`agy`), the successor of Gemini CLI, and what Google ended.
//!
//! Invariant: none of this was tried with the program. Sources: the documentation of its hooks,
//! rulesync, engram, agent-config and reports of what its versions 1.1.8 to 1.2.7 read back. They
//! name two folders for its settings: `~/.gemini/config`, which it shares with the Antigravity app
//! and which it was seen to read, and `~/.gemini/antigravity-cli`, where it keeps its own state.
//!
//! Its `SessionStart` is in none of its documentation, though 1.1.1 and later call it, once for a
//! conversation; nobody saw an answer of it reach the model, as one of `PreInvocation` does.

use super::{
    agent::{Agent, Instructions},
    entry,
    hooks::{Hooks, Shape},
    notes::Writes,
    part::Part,
    places::EnvPath,
    row_parts::{SKILLS, event, file, home, json},
};

pub(super) const ANTIGRAVITY: Agent = Agent {
    name: "antigravity",
    title: "Antigravity CLI",
    clients: &["antigravity-cli", "antigravity-client", "antigravity"],
    signs: &[home(".gemini/antigravity-cli"), home(".gemini/config")],
    programs: &["agy"],
    server: json(&[home(".gemini/config/mcp_config.json")], entry::plain),
    instructions: Instructions::Shared(home(".gemini/GEMINI.md")),
    includes: true,
    skills: SKILLS,
    hooks: Some(Hooks {
        files: &[home(".gemini/config/hooks.json")],
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
         ~/.gemini/antigravity-cli: co writes to the first, and to the second if it is there",
    ),
};

/// Where some sources have a part of an agent instead: it goes there, too, if the folder is there.
pub(super) const ALSO: &[(&str, Part, EnvPath)] = &[
    ("antigravity", Part::Server, home(".gemini/antigravity-cli/mcp_config.json")),
    ("antigravity", Part::Hooks, home(".gemini/antigravity-cli/hooks.json")),
];

/// Agents that their vendors ended, for whom they go on, and what follows.
pub(super) const ENDED: &[(&str, &str)] = &[(
    "gemini",
    "works with an API key or an enterprise licence; Google ended it for individual accounts on \
     18 June 2026; Antigravity CLI follows it",
)];
