//! For an agent that runs only trusted hooks: whether the person has trusted co's.
//!
//! Invariant: only reads the state; granting trust is up to the person.
//! Source: `codex app-server`, method `hooks/list`, and the program's own sources.

use crate::agents::{Agent, hooks::Hooks};
use crate::identity::ContentHash;
use crate::machine::{Context, files};
use crate::workspace::agent_places;
use serde_json::{Value, json};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trust {
    /// The hooks are trusted, or the agent does not ask for trust.
    Given,
    /// The hooks are not trusted yet; contains how a person can trust them.
    Wanted(String),
}

/// Codex keeps the hash of each trusted hook in its configuration.
pub fn read(context: &Context, agent: &Agent) -> Trust {
    let Some(hooks) = &agent.hooks else { return Trust::Given };
    let Some(how) = hooks.trust else { return Trust::Given };
    let wanted = Trust::Wanted(how.to_owned());
    let Some(file) = agent_places::hooks_file(context, hooks) else { return wanted };
    let read = |path: &std::path::Path| files::read_text(path).ok().flatten().unwrap_or_default();
    let Ok(there) = serde_json::from_str::<Value>(&read(&file)) else { return wanted };
    let settings = file.with_file_name("config.toml");
    let settings = read(&settings);
    let is_trusted = |event: &crate::agents::hooks::Event| {
        let line = Hooks::line(event, agent.name, &agent_places::command(context));
        let groups = there["hooks"][event.name].as_array().cloned().unwrap_or_default();
        groups.iter().enumerate().any(|(at, group)| {
            let is_ours = group["hooks"][0]["command"] == line;
            let key = format!("{}:{}:{at}:0", file.display(), snake(event.name));
            is_ours && settings.contains(&key) && settings.contains(&hash(event.name, group))
        })
    };
    if hooks.events.iter().all(is_trusted) { Trust::Given } else { wanted }
}

/// The hash of what a hook does: compact JSON with sorted keys.
fn hash(event: &str, group: &Value) -> String {
    let hook = &group["hooks"][0];
    let mut normal = serde_json::Map::new();
    if let Some(limit) = hook.get("additionalContextLimit") {
        normal.insert("additionalContextLimit".to_owned(), limit.clone());
    }
    normal.insert("async".to_owned(), json!(false));
    normal.insert("command".to_owned(), hook["command"].clone());
    normal.insert("timeout".to_owned(), hook.get("timeout").cloned().unwrap_or(json!(600)));
    normal.insert("type".to_owned(), json!("command"));
    let mut whole = serde_json::Map::new();
    whole.insert("event_name".to_owned(), json!(snake(event)));
    whole.insert("hooks".to_owned(), json!([normal]));
    if let Some(matcher) = group.get("matcher") {
        whole.insert("matcher".to_owned(), matcher.clone());
    }
    let text = Value::Object(whole).to_string();
    format!("sha256:{}", ContentHash::of_bytes(text.as_bytes()).hex())
}

/// `SessionStart` as `session_start`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}
