//! What the rows of the table are made of: places on each system, events, sources.

use super::{
    entry::{Server, SettingsFormat},
    hooks::Event,
    places::{EnvPath, ImportSource},
};

pub(super) const fn home(path: &'static str) -> EnvPath {
    EnvPath { variable: None, otherwise: "~", path }
}

pub(super) const fn config(path: &'static str) -> EnvPath {
    EnvPath { variable: Some("XDG_CONFIG_HOME"), otherwise: "~/.config", path }
}

pub(super) const fn env(
    variable: &'static str,
    otherwise: &'static str,
    path: &'static str,
) -> EnvPath {
    EnvPath { variable: Some(variable), otherwise, path }
}

/// In `~/.config`, or on Windows in the settings that follow an account.
const fn config_or_roaming(path: &'static str, on_windows: &'static str) -> EnvPath {
    if cfg!(windows) { env("APPDATA", "~/AppData/Roaming", on_windows) } else { config(path) }
}

/// Where a program with windows keeps its settings.
pub(super) const fn desktop(path: &'static str) -> EnvPath {
    if cfg!(target_os = "macos") {
        EnvPath { variable: None, otherwise: "~/Library/Application Support", path }
    } else {
        config_or_roaming(path, path)
    }
}

pub(super) const ZED: EnvPath = config_or_roaming("zed", "Zed");
pub(super) const ZED_SETTINGS: EnvPath =
    config_or_roaming("zed/settings.json", "Zed/settings.json");
pub(super) const ZED_INSTRUCTIONS: EnvPath = config_or_roaming("zed/AGENTS.md", "Zed/AGENTS.md");
pub(super) const GOOSE_SETTINGS: EnvPath =
    config_or_roaming("goose/config.yaml", "Block/goose/config/config.yaml");
pub(super) const GOOSE_HINTS: EnvPath =
    config_or_roaming("goose/.goosehints", "Block/goose/config/.goosehints");
pub(super) const GOOSE_MEMORY: EnvPath =
    config_or_roaming("goose/memory", "Block/goose/config/memory");

/// Read by most agents except Claude Code.
pub(super) const SKILLS: Option<EnvPath> = Some(home(".agents/skills"));

pub(super) const fn file(place: EnvPath) -> ImportSource {
    ImportSource { place, endings: &[], depth: 0 }
}

/// A folder of markdown files.
pub(super) const fn notes(place: EnvPath, depth: usize) -> ImportSource {
    ImportSource { place, endings: &[".md", ".mdc"], depth }
}

/// Without `applyTo`, VS Code ignores the file.
pub(super) const APPLIES: &str = "---\napplyTo: '**'\n---\n\n";

pub(super) const fn event(
    name: &'static str,
    verb: &'static str,
    matcher: Option<&'static str>,
    seconds: u32,
) -> Event {
    Event { name, verb, matcher, seconds }
}

pub(super) const fn json(
    files: &'static [EnvPath],
    entry: fn(&super::Command) -> serde_json::Value,
) -> Server {
    Server { files, format: SettingsFormat::Json, group: "mcpServers", entry, through: None }
}
