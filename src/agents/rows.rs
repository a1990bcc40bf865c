//! The rows of the table. Sources: the vendors' documents and programs, late 2026; what was tested
//! with the real programs is recorded in `tests/agents`.

use super::{
    entry::{self, Server, SettingsFormat},
    hooks::{Event, Hooks, Shape},
    notes::{CLAUDES, CODEXS, Writes},
    places::{
        GOOSE_HINTS, GOOSE_MEMORY, GOOSE_SETTINGS, SKILLS, ZED, ZED_INSTRUCTIONS, ZED_SETTINGS,
        config, desktop, home, of,
    },
    table::{Agent, EnvPath, HERE, ImportSource, Instructions},
};

const fn file(place: EnvPath) -> ImportSource {
    ImportSource { place, endings: &[], depth: 0 }
}

/// A folder of markdown files.
const fn notes(place: EnvPath, depth: usize) -> ImportSource {
    ImportSource { place, endings: &[".md", ".mdc"], depth }
}

/// Without `applyTo`, VS Code ignores the file.
const APPLIES: &str = "---\napplyTo: '**'\n---\n\n";

const fn event(
    name: &'static str,
    verb: &'static str,
    matcher: Option<&'static str>,
    seconds: u32,
) -> Event {
    Event { name, verb, matcher, seconds }
}

const fn json(
    files: &'static [EnvPath],
    entry: fn(&super::Command) -> serde_json::Value,
) -> Server {
    Server { files, format: SettingsFormat::Json, group: "mcpServers", entry, through: None }
}

pub const ROWS: &[Agent] = &[
    Agent {
        name: "claude-code",
        title: "Claude Code",
        clients: &["claude-code"],
        signs: &[
            of("CLAUDE_CONFIG_DIR", "~/.claude", ""),
            of("CLAUDE_CONFIG_DIR", "~", ".claude.json"),
        ],
        programs: &["claude"],
        server: Server {
            through: Some("claude"),
            ..json(&[of("CLAUDE_CONFIG_DIR", "~", ".claude.json")], entry::claude)
        },
        instructions: Instructions::Shared(of("CLAUDE_CONFIG_DIR", "~/.claude", "CLAUDE.md")),
        includes: true,
        skills: Some(of("CLAUDE_CONFIG_DIR", "~/.claude", "skills")),
        hooks: Some(Hooks {
            file: of("CLAUDE_CONFIG_DIR", "~/.claude", "settings.json"),
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
            file(of("CLAUDE_CONFIG_DIR", "~/.claude", "CLAUDE.md")),
            notes(of("CLAUDE_CONFIG_DIR", "~/.claude", "rules"), 2),
            notes(of("CLAUDE_CONFIG_DIR", "~/.claude", "projects"), 3),
            notes(of("CLAUDE_CONFIG_DIR", "~/.claude", "agent-memory"), 2),
        ],
        writes: CLAUDES,
        note: None,
    },
    Agent {
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
        note: Some("Claude Desktop reads its servers when it starts: restart it"),
    },
    Agent {
        name: "codex",
        title: "Codex",
        clients: &["codex-mcp-client"],
        signs: &[of("CODEX_HOME", "~/.codex", "")],
        programs: &["codex"],
        server: Server {
            files: &[of("CODEX_HOME", "~/.codex", "config.toml")],
            format: SettingsFormat::Toml,
            group: "mcp_servers",
            entry: entry::plain,
            through: None,
        },
        instructions: Instructions::Overridden(
            of("CODEX_HOME", "~/.codex", "AGENTS.md"),
            of("CODEX_HOME", "~/.codex", "AGENTS.override.md"),
        ),
        includes: false,
        skills: SKILLS,
        hooks: Some(Hooks {
            file: of("CODEX_HOME", "~/.codex", "hooks.json"),
            shape: Shape::Nested,
            events: &[event(
                "SessionStart",
                "session-start",
                Some("startup|resume|clear|compact"),
                10,
            )],
            tools: &[],
            limit: Some(8_000),
            trust: Some("`/hooks` in Codex, and trust it"),
        }),
        import_sources: &[
            file(of("CODEX_HOME", "~/.codex", "AGENTS.md")),
            file(of("CODEX_HOME", "~/.codex", "memories/MEMORY.md")),
            file(of("CODEX_HOME", "~/.codex", "memories/memory_summary.md")),
            notes(of("CODEX_HOME", "~/.codex", "memories/extensions/ad_hoc/notes"), 1),
            notes(of("CODEX_HOME", "~/.codex", "memories_v2/extensions/ad_hoc/notes"), 1),
        ],
        writes: CODEXS,
        note: None,
    },
    Agent {
        name: "gemini",
        title: "Gemini CLI",
        clients: &["gemini-cli-mcp-client", "mcp-test-client"],
        signs: &[of("GEMINI_CLI_HOME", "~", ".gemini/settings.json")],
        programs: &["gemini"],
        server: json(&[of("GEMINI_CLI_HOME", "~", ".gemini/settings.json")], entry::plain),
        instructions: Instructions::Shared(of("GEMINI_CLI_HOME", "~", ".gemini/GEMINI.md")),
        includes: true,
        skills: SKILLS,
        hooks: Some(Hooks {
            file: of("GEMINI_CLI_HOME", "~", ".gemini/settings.json"),
            shape: Shape::NestedMilliseconds,
            events: &[
                event("SessionStart", "session-start", None, 10),
                event("SessionEnd", "session-end", None, 30),
            ],
            tools: &[event("AfterTool", "tool-called", None, 5)],
            limit: None,
            trust: None,
        }),
        import_sources: &[
            file(of("GEMINI_CLI_HOME", "~", ".gemini/GEMINI.md")),
            notes(of("GEMINI_CLI_HOME", "~", ".gemini/tmp"), 3),
        ],
        writes: Writes::NOTHING,
        note: Some("Gemini CLI does not start servers in a folder that you do not trust"),
    },
    Agent {
        name: "cursor",
        title: "Cursor",
        clients: &["cursor-vscode", "cursor"],
        signs: &[of("CURSOR_CONFIG_DIR", "~/.cursor", "")],
        programs: &["cursor", "cursor-agent"],
        server: json(&[of("CURSOR_CONFIG_DIR", "~/.cursor", "mcp.json")], entry::plain),
        instructions: Instructions::None,
        includes: false,
        skills: SKILLS,
        hooks: Some(Hooks {
            file: of("CURSOR_CONFIG_DIR", "~/.cursor", "hooks.json"),
            shape: Shape::Flat,
            events: &[
                event("sessionStart", "session-start", None, 10),
                event("sessionEnd", "session-end", None, 30),
            ],
            tools: &[],
            limit: None,
            trust: None,
        }),
        import_sources: &[notes(
            EnvPath { variable: None, otherwise: HERE, path: ".cursor/rules" },
            2,
        )],
        writes: Writes::NOTHING,
        note: Some("Cursor reads its servers when it starts: restart it"),
    },
    Agent {
        name: "copilot",
        title: "Copilot CLI",
        clients: &["copilot-cli", "github-copilot-developer"],
        signs: &[of("COPILOT_HOME", "~/.copilot", "")],
        programs: &["copilot"],
        server: json(&[of("COPILOT_HOME", "~/.copilot", "mcp-config.json")], entry::copilot),
        instructions: Instructions::Own(
            of("COPILOT_HOME", "~/.copilot", "instructions/co.instructions.md"),
            APPLIES,
        ),
        includes: false,
        skills: SKILLS,
        hooks: Some(Hooks {
            file: of("COPILOT_HOME", "~/.copilot", "hooks/co.json"),
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
            file(of("COPILOT_HOME", "~/.copilot", "copilot-instructions.md")),
            notes(of("COPILOT_HOME", "~/.copilot", "instructions"), 2),
        ],
        writes: Writes::NOTHING,
        note: None,
    },
    Agent {
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
        note: Some("VS Code asks once whether you trust the server"),
    },
    Agent {
        name: "opencode",
        title: "opencode",
        clients: &["opencode"],
        signs: &[config("opencode")],
        programs: &["opencode"],
        server: Server {
            files: &[config("opencode/opencode.json"), config("opencode/opencode.jsonc")],
            format: SettingsFormat::Json,
            group: "mcp",
            entry: entry::opencode,
            through: None,
        },
        instructions: Instructions::Hiding(config("opencode/AGENTS.md"), home(".claude/CLAUDE.md")),
        includes: false,
        skills: SKILLS,
        hooks: None,
        import_sources: &[file(config("opencode/AGENTS.md"))],
        writes: Writes::NOTHING,
        note: None,
    },
    Agent {
        name: "windsurf",
        title: "Windsurf",
        clients: &["windsurf-client", "windsurf"],
        signs: &[home(".codeium/windsurf")],
        programs: &["windsurf"],
        server: json(&[home(".codeium/windsurf/mcp_config.json")], entry::plain),
        instructions: Instructions::Shared(home(".codeium/windsurf/memories/global_rules.md")),
        includes: false,
        skills: None,
        hooks: None,
        import_sources: &[notes(home(".codeium/windsurf/memories"), 1)],
        writes: Writes::NOTHING,
        note: Some("Windsurf rereads its servers when you refresh them in its settings"),
    },
    Agent {
        name: "qwen",
        title: "Qwen Code",
        clients: &["qwen-cli-mcp-client", "qwen-code"],
        signs: &[home(".qwen")],
        programs: &["qwen"],
        server: json(&[home(".qwen/settings.json")], entry::plain),
        instructions: Instructions::Shared(home(".qwen/QWEN.md")),
        includes: true,
        skills: None,
        hooks: Some(Hooks {
            file: home(".qwen/settings.json"),
            shape: Shape::NestedMilliseconds,
            events: &[
                event("SessionStart", "session-start", None, 10),
                event("SessionEnd", "session-end", None, 30),
            ],
            tools: &[],
            limit: None,
            trust: None,
        }),
        import_sources: &[
            file(home(".qwen/QWEN.md")),
            notes(home(".qwen/memories"), 2),
            notes(home(".qwen/projects"), 3),
        ],
        writes: Writes::NOTHING,
        note: None,
    },
    Agent {
        name: "zed",
        title: "Zed",
        clients: &["zed"],
        signs: &[ZED],
        programs: &["zed", "zeditor"],
        server: Server { group: "context_servers", ..json(&[ZED_SETTINGS], entry::plain) },
        instructions: Instructions::Shared(ZED_INSTRUCTIONS),
        includes: false,
        skills: SKILLS,
        hooks: None,
        import_sources: &[file(ZED_INSTRUCTIONS)],
        writes: Writes::NOTHING,
        note: None,
    },
    Agent {
        name: "goose",
        title: "Goose",
        clients: &["goose"],
        signs: &[GOOSE_SETTINGS, home(".local/share/goose")],
        programs: &["goose"],
        server: Server {
            files: &[GOOSE_SETTINGS],
            format: SettingsFormat::Yaml,
            group: "extensions",
            entry: entry::goose,
            through: None,
        },
        instructions: Instructions::Shared(GOOSE_HINTS),
        includes: true,
        skills: SKILLS,
        hooks: None,
        import_sources: &[
            file(GOOSE_HINTS),
            ImportSource { place: GOOSE_MEMORY, endings: &[".txt"], depth: 1 },
        ],
        writes: Writes::NOTHING,
        note: None,
    },
    Agent {
        name: "cline",
        title: "Cline",
        clients: &["cline", "cline-client"],
        signs: &[of("CLINE_DIR", "~/.cline", ""), home("Documents/Cline")],
        programs: &["cline"],
        server: json(
            &[of("CLINE_DIR", "~/.cline", "data/settings/cline_mcp_settings.json")],
            entry::cline,
        ),
        instructions: Instructions::Own(home("Documents/Cline/Rules/co.md"), ""),
        includes: false,
        skills: SKILLS,
        hooks: None,
        import_sources: &[
            notes(home("Documents/Cline/Rules"), 1),
            notes(of("CLINE_DIR", "~/.cline", "rules"), 1),
        ],
        writes: Writes::NOTHING,
        note: None,
    },
    Agent {
        name: "kimi",
        title: "Kimi Code",
        clients: &["kimi-code"],
        signs: &[of("KIMI_CODE_HOME", "~/.kimi-code", "")],
        programs: &["kimi"],
        server: json(&[of("KIMI_CODE_HOME", "~/.kimi-code", "mcp.json")], entry::plain),
        instructions: Instructions::Shared(of("KIMI_CODE_HOME", "~/.kimi-code", "AGENTS.md")),
        includes: false,
        skills: SKILLS,
        hooks: None,
        import_sources: &[file(of("KIMI_CODE_HOME", "~/.kimi-code", "AGENTS.md"))],
        writes: Writes::NOTHING,
        note: None,
    },
];
