//! The rows of Copilot CLI and of VS Code, which reads its instructions. Sources as in `rows`.
//!
//! Invariant: both have one file of instructions, unless `COPILOT_HOME` names another folder.

use super::{
    agent::{Agent, Instructions},
    entry::{self, Server},
    hooks::{Hooks, Shape},
    notes::Writes,
    row_parts::{APPLIES, SKILLS, desktop, env, event, file, home, json, notes},
};

pub(super) const COPILOT: Agent = Agent {
    name: "copilot",
    title: "Copilot CLI",
    clients: &["copilot-cli", "github-copilot-developer"],
    signs: &[env("COPILOT_HOME", "~/.copilot", "")],
    programs: &["copilot"],
    server: json(&[env("COPILOT_HOME", "~/.copilot", "mcp-config.json")], entry::copilot),
    instructions: Instructions::Own(
        env("COPILOT_HOME", "~/.copilot", "instructions/co.instructions.md"),
        APPLIES,
    ),
    includes: false,
    skills: SKILLS,
    hooks: Some(Hooks {
        files: &[env("COPILOT_HOME", "~/.copilot", "hooks/co.json")],
        shape: Shape::Own,
        events: &[
            event("sessionStart", "session-start", None, 10),
            event("sessionEnd", "session-end", None, 30),
        ],
        tools: &[],
        limit: None,
        trust: None,
    }),
    import_sources: &[
        file(env("COPILOT_HOME", "~/.copilot", "copilot-instructions.md")),
        notes(env("COPILOT_HOME", "~/.copilot", "instructions"), 2),
    ],
    writes: Writes::NOTHING,
    plugin: None,
    note: None,
};

pub(super) const VSCODE: Agent = Agent {
    name: "vscode",
    title: "VS Code",
    clients: &["visual-studio-code"],
    signs: &[desktop("Code/User")],
    programs: &["code"],
    server: Server {
        group: "servers",
        ..json(&[desktop("Code/User/mcp.json")], |command| {
            let mut entry = entry::plain(command);
            entry["type"] = serde_json::json!("stdio");
            entry
        })
    },
    instructions: Instructions::Own(home(".copilot/instructions/co.instructions.md"), APPLIES),
    includes: false,
    skills: None,
    hooks: None,
    import_sources: &[],
    writes: Writes::NOTHING,
    plugin: None,
    note: Some("VS Code asks once whether you trust the server"),
};
