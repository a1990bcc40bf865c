//! The rows of Claude Code and Claude Desktop. Sources as in `rows`.
//!
//! Invariant: they share nothing: the one has its files in a folder that can be named, the other in
//! that of the system.

use super::{
    agent::{Agent, Instructions, PluginSign},
    entry::{self, Server},
    hooks::{Hooks, Shape},
    notes::{CLAUDES, Writes},
    row_parts::{desktop, env, event, file, json, notes},
};

pub(super) const CLAUDE_CODE: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
    clients: &["claude-code"],
    signs: &[
        env("CLAUDE_CONFIG_DIR", "~/.claude", ""),
        env("CLAUDE_CONFIG_DIR", "~", ".claude.json"),
    ],
    programs: &["claude"],
    server: Server {
        through: Some("claude"),
        ..json(&[env("CLAUDE_CONFIG_DIR", "~", ".claude.json")], entry::claude)
    },
    instructions: Instructions::Shared(env("CLAUDE_CONFIG_DIR", "~/.claude", "CLAUDE.md")),
    includes: true,
    skills: Some(env("CLAUDE_CONFIG_DIR", "~/.claude", "skills")),
    hooks: Some(Hooks {
        files: &[env("CLAUDE_CONFIG_DIR", "~/.claude", "settings.json")],
        shape: Shape::Nested,
        events: &[
            // A compaction also starts a session.
            event("SessionStart", "session-start", Some("startup|resume|clear|compact"), 10),
            event("SessionEnd", "session-end", None, 30),
        ],
        tools: &[event("PostToolUse", "tool-called", Some("*"), 5)],
        limit: None,
        trust: None,
    }),
    import_sources: &[
        file(env("CLAUDE_CONFIG_DIR", "~/.claude", "CLAUDE.md")),
        notes(env("CLAUDE_CONFIG_DIR", "~/.claude", "rules"), 2),
        notes(env("CLAUDE_CONFIG_DIR", "~/.claude", "projects"), 3),
        notes(env("CLAUDE_CONFIG_DIR", "~/.claude", "agent-memory"), 2),
    ],
    writes: CLAUDES,
    plugin: Some(PluginSign::Enabled(env("CLAUDE_CONFIG_DIR", "~/.claude", "settings.json"))),
    note: None,
};

pub(super) const CLAUDE_DESKTOP: Agent = Agent {
    name: "claude-desktop",
    title: "Claude Desktop",
    clients: &["claude-ai"],
    signs: &[desktop("Claude")],
    programs: &[],
    server: json(&[desktop("Claude/claude_desktop_config.json")], entry::plain),
    instructions: Instructions::None,
    includes: false,
    skills: None,
    hooks: None,
    import_sources: &[],
    writes: Writes::NOTHING,
    plugin: None,
    note: Some("Claude Desktop reads its servers when it starts: restart it"),
};
