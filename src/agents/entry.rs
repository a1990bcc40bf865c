//! The entry in an agent's settings that makes co one of its servers.
//!
//! Invariant: an entry is co's if it starts a program named co with `mcp`; any other entry with
//! that name belongs to someone else and stays.

pub use super::settings_file::SettingsFormat;
use super::{Command, EditError, EnvPath, State, command::is_co};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name of the server in every settings file.
pub const NAME: &str = "co";

/// The environment variables that co sets; all others are the person's.
const OURS: &[&str] = &["CO_CONFIG_DIR", "CO_IDENTITY_PATH"];

/// Where an agent keeps its servers.
#[derive(Clone, Copy)]
pub struct Server {
    /// The first one that exists, or else the first.
    pub files: &'static [EnvPath],
    pub format: SettingsFormat,
    /// The key that contains the servers.
    pub group: &'static str,
    pub entry: fn(&Command) -> Value,
    /// A program that writes the file itself while it runs, and should be asked to do so.
    pub through: Option<&'static str>,
}

fn stdio(command: &Command) -> Value {
    json!({ "type": "stdio", "command": command.program, "args": ["mcp"], "env": command.env })
}

/// Without `alwaysLoad`, Claude Code hides the tools until it searches for them.
pub(super) fn claude(command: &Command) -> Value {
    let mut entry = stdio(command);
    entry["alwaysLoad"] = json!(true);
    entry
}

pub(super) fn plain(command: &Command) -> Value {
    let mut entry = json!({ "command": command.program, "args": ["mcp"] });
    if !command.env.is_empty() {
        entry["env"] = json!(command.env);
    }
    entry
}

pub(super) fn copilot(command: &Command) -> Value {
    json!({
        "type": "local", "command": command.program, "args": ["mcp"], "env": command.env,
        "tools": ["*"],
    })
}

pub(super) fn opencode(command: &Command) -> Value {
    json!({
        "type": "local", "command": [command.program, "mcp"], "enabled": true,
        "environment": command.env,
    })
}

pub(super) fn goose(command: &Command) -> Value {
    json!({
        "enabled": true, "type": "stdio", "name": NAME,
        "description": "What the user wants every agent to know", "cmd": command.program,
        "args": ["mcp"], "envs": command.env, "timeout": 60,
    })
}

pub(super) fn cline(command: &Command) -> Value {
    json!({
        "type": "stdio", "command": command.program, "args": ["mcp"], "env": command.env,
        "disabled": false, "autoApprove": [], "timeout": 60,
    })
}

/// What an entry starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The program and its arguments.
    pub words: Vec<String>,
    pub env: BTreeMap<String, String>,
    /// Whether a person disabled it.
    pub is_off: bool,
}

impl Start {
    fn of(entry: &Value) -> Start {
        let texts = |value: &Value| -> Vec<String> {
            match value {
                Value::String(text) => vec![text.clone()],
                Value::Array(items) => {
                    items.iter().filter_map(Value::as_str).map(str::to_owned).collect()
                }
                _ => Vec::new(),
            }
        };
        let program = entry.get("command").or_else(|| entry.get("cmd"));
        let mut words = program.map(texts).unwrap_or_default();
        words.extend(entry.get("args").map(texts).unwrap_or_default());
        let env = ["env", "environment", "envs"].iter().find_map(|key| entry.get(key)?.as_object());
        let pair =
            |(key, value): (&String, &Value)| Some((key.clone(), value.as_str()?.to_owned()));
        let is_off = entry.get("enabled") == Some(&json!(false))
            || entry.get("disabled") == Some(&json!(true));
        Start { words, env: env.into_iter().flatten().filter_map(pair).collect(), is_off }
    }

    /// Whether it is co's server: this co, or another one.
    fn is_ours(&self, command: &Command) -> bool {
        let is_co = |first: &String| is_co(first) || *first == command.program;
        self.words.first().is_some_and(is_co) && self.words.get(1).is_some_and(|word| word == "mcp")
    }
}

fn is_ours(entry: &Value, command: &Command) -> bool {
    Start::of(entry).is_ours(command)
}

/// The keys that an entry uses for the program and for its environment.
fn keys(entry: &Value) -> (&'static str, &'static str) {
    let program = if entry.get("cmd").is_some() { "cmd" } else { "command" };
    let env = ["environment", "envs"].into_iter().find(|key| entry.get(key).is_some());
    (program, env.unwrap_or("env"))
}

impl Server {
    fn there(&self, text: &str) -> Result<Option<Value>, EditError> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        self.format.open(text)?.entry(self.group, NAME)
    }

    /// What the entry in this file starts.
    pub fn start(&self, text: &str) -> Result<Option<Start>, EditError> {
        Ok(self.there(text)?.as_ref().map(Start::of))
    }

    pub fn state(&self, text: &str, command: &Command) -> Result<State, EditError> {
        let Some(there) = self.there(text)? else { return Ok(State::Missing) };
        if !is_ours(&there, command) {
            return Err(EditError::Foreign);
        }
        // Everything else in the entry is the person's to set.
        let start = Start::of(&there);
        let knows = OURS.iter().all(|key| start.env.get(*key) == command.env.get(*key));
        let is_current = start.words.first() == Some(&command.program) && knows;
        Ok(if is_current { State::Current } else { State::Stale })
    }

    /// The file with the entry: a new one is written whole; in an old one, only what starts co.
    pub fn with(&self, text: &str, command: &Command) -> Result<String, EditError> {
        let wanted = (self.entry)(command);
        match self.state(text, command)? {
            State::Current => Ok(text.to_owned()),
            State::Missing => self.format.open(text)?.with_entry(self.group, NAME, &wanted),
            State::Stale => self.moved(text, command, keys(&wanted)),
        }
    }

    fn moved(
        &self,
        text: &str,
        command: &Command,
        (program, env): (&str, &str),
    ) -> Result<String, EditError> {
        let mut file = self.format.open(text)?;
        file.set(&[self.group, NAME], program, &command.program)?;
        for key in OURS {
            match command.env.get(*key) {
                Some(value) => file.set(&[self.group, NAME, env], key, value)?,
                None => file.unset(&[self.group, NAME, env], key)?,
            }
        }
        Ok(file.text())
    }

    /// The file without the entry, and without its group if co created it.
    pub fn without(&self, text: &str, command: &Command, made: bool) -> Result<String, EditError> {
        let Some(there) = self.there(text)? else { return Ok(text.to_owned()) };
        if !is_ours(&there, command) {
            return Ok(text.to_owned());
        }
        let made: &[&str] = if made { &[self.group] } else { &[] };
        self.format.open(text)?.without_entry(self.group, NAME, made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::json::Json;

    #[test]
    fn whose_it_is() {
        let command = Command { program: "/opt/renamed".into(), env: Default::default() };
        let is_ours = |entry: Value| is_ours(&entry, &command);
        assert!(is_ours(json!({"command": "/old/place/co", "args": ["mcp"]})));
        assert!(is_ours(json!({"command": "/opt/renamed", "args": ["mcp"]})));
        assert!(is_ours(json!({"command": ["co", "mcp", "--read-only"]})));
        assert!(is_ours(json!({"cmd": "/x/co", "args": ["mcp"]})));
        assert!(!is_ours(json!({"command": "uvx", "args": ["co"]})));
        assert!(!is_ours(json!({"url": "https://co.example"})));
    }

    const SERVER: Server = Server {
        files: &[],
        format: SettingsFormat::Json,
        group: "mcpServers",
        entry: cline,
        through: None,
    };

    #[test]
    fn what_a_person_set_stays() {
        let text = r#"{"mcpServers": {"co": {"command": "/old/co", "args": ["mcp", "--read-only"],
            "autoApprove": ["recall_memory"], "env": {"MY": "1"}, "disabled": true}}}"#;
        let env = BTreeMap::from([("CO_CONFIG_DIR".to_owned(), "/c".to_owned())]);
        let command = Command { program: "/new/co".into(), env };
        assert_eq!(SERVER.state(text, &command), Ok(State::Stale));
        let after = SERVER.with(text, &command).expect("changed");
        let entry = Json::read(&after).expect("JSON").get(&["mcpServers"], "co");
        let expected = json!({"command": "/new/co", "args": ["mcp", "--read-only"],
            "autoApprove": ["recall_memory"], "env": {"MY": "1", "CO_CONFIG_DIR": "/c"}, "disabled": true});
        assert_eq!(entry, Ok(Some(expected)));
        assert_eq!(SERVER.state(&after, &command), Ok(State::Current));
    }
}
