//! The entry that makes co a server of an agent.
//!
//! Invariant: an entry is co's when it starts a program named co with `mcp`; any other of that name
//! is somebody else's, and stays.

use super::{Command, Place, State, Unfit, command::is_co, json::Json, toml::Toml, yaml::Yaml};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The name of the server in every file.
pub const NAME: &str = "co";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    Json,
    Toml,
    Yaml,
}

/// Where an agent keeps its servers.
#[derive(Clone, Copy)]
pub struct Server {
    /// The first that is there, else the first.
    pub files: &'static [Place],
    pub format: Format,
    /// The key under which the servers are.
    pub group: &'static str,
    pub entry: fn(&Command) -> Value,
    /// A program that writes the file itself while it runs, and should be asked to.
    pub through: Option<&'static str>,
}

pub fn stdio(command: &Command) -> Value {
    json!({ "type": "stdio", "command": command.program, "args": ["mcp"], "env": command.env })
}

/// Without it Claude Code hides the tools until it searches for them.
pub fn claude(command: &Command) -> Value {
    let mut entry = stdio(command);
    entry["alwaysLoad"] = json!(true);
    entry
}

pub fn plain(command: &Command) -> Value {
    let mut entry = json!({ "command": command.program, "args": ["mcp"] });
    if !command.env.is_empty() {
        entry["env"] = json!(command.env);
    }
    entry
}

pub fn copilot(command: &Command) -> Value {
    json!({
        "type": "local", "command": command.program, "args": ["mcp"], "env": command.env,
        "tools": ["*"],
    })
}

pub fn opencode(command: &Command) -> Value {
    json!({
        "type": "local", "command": [command.program, "mcp"], "enabled": true,
        "environment": command.env,
    })
}

pub fn goose(command: &Command) -> Value {
    json!({
        "enabled": true, "type": "stdio", "name": NAME,
        "description": "What the user wants every agent to know", "cmd": command.program,
        "args": ["mcp"], "envs": command.env, "timeout": 60,
    })
}

pub fn cline(command: &Command) -> Value {
    json!({
        "type": "stdio", "command": command.program, "args": ["mcp"], "env": command.env,
        "disabled": false, "autoApprove": [], "timeout": 60,
    })
}

/// What an entry starts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Start {
    /// The program and what it is told.
    pub words: Vec<String>,
    pub env: BTreeMap<String, String>,
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
        Start { words, env: env.into_iter().flatten().filter_map(pair).collect() }
    }

    /// Whether it is co's server: this co, or one that is called so.
    fn is_ours(&self, command: &Command) -> bool {
        let is_co = |first: &String| is_co(first) || *first == command.program;
        self.words.first().is_some_and(is_co) && self.words.get(1).is_some_and(|word| word == "mcp")
    }
}

fn is_ours(entry: &Value, command: &Command) -> bool {
    Start::of(entry).is_ours(command)
}

/// Whether the entry says all that co's would; what a person added is theirs.
fn says(there: &Value, wanted: &Value) -> bool {
    match (there, wanted) {
        (Value::Object(there), Value::Object(wanted)) => wanted.iter().all(|(key, value)| {
            let nothing = value.as_object().is_some_and(serde_json::Map::is_empty);
            there.get(key).map_or(nothing, |there| says(there, value))
        }),
        (there, wanted) => there == wanted,
    }
}

impl Server {
    fn there(&self, text: &str) -> Result<Option<Value>, Unfit> {
        if text.trim().is_empty() {
            return Ok(None);
        }
        match self.format {
            Format::Json => Json::read(text)?.get(&[self.group], NAME),
            Format::Toml => Toml::read(text)?.get(self.group, NAME),
            Format::Yaml => Yaml::read(text)?.get(self.group, NAME),
        }
    }

    /// What the entry in the file starts.
    pub fn start(&self, text: &str) -> Result<Option<Start>, Unfit> {
        Ok(self.there(text)?.as_ref().map(Start::of))
    }

    pub fn state(&self, text: &str, command: &Command) -> Result<State, Unfit> {
        let Some(there) = self.there(text)? else { return Ok(State::Missing) };
        if !is_ours(&there, command) {
            return Err(Unfit::Foreign);
        }
        let wanted = (self.entry)(command);
        // Of YAML only what starts the program is read.
        let is_current = match self.format {
            Format::Yaml => there["cmd"] == wanted["cmd"] && there["args"] == wanted["args"],
            _ => says(&there, &wanted),
        };
        Ok(if is_current { State::Current } else { State::Stale })
    }

    /// The file with the entry; what a person added to it stays.
    pub fn with(&self, text: &str, command: &Command) -> Result<String, Unfit> {
        if self.state(text, command)? == State::Current {
            return Ok(text.to_owned());
        }
        let wanted = (self.entry)(command);
        match self.format {
            Format::Json => {
                let json = Json::read(text)?;
                let there = json.get(&[self.group], NAME)?;
                json.set(&[self.group], NAME, &united(there, wanted))?;
                Ok(json.text())
            }
            Format::Toml => {
                let mut toml = Toml::read(text)?;
                toml.set(self.group, NAME, &wanted)?;
                Ok(toml.text())
            }
            Format::Yaml => {
                let yaml = Yaml::read(text)?;
                yaml.set(self.group, NAME, &wanted)?;
                Ok(yaml.text())
            }
        }
    }

    /// The file without the entry, and without the group if co made it.
    pub fn without(&self, text: &str, command: &Command, made: bool) -> Result<String, Unfit> {
        let Some(there) = self.there(text)? else { return Ok(text.to_owned()) };
        if !is_ours(&there, command) {
            return Ok(text.to_owned());
        }
        let made: &[&str] = if made { &[self.group] } else { &[] };
        match self.format {
            Format::Json => {
                let json = Json::read(text)?;
                json.remove(&[self.group], NAME, made)?;
                Ok(json.text())
            }
            Format::Toml => {
                let mut toml = Toml::read(text)?;
                toml.remove(self.group, NAME, made);
                Ok(toml.text())
            }
            Format::Yaml => {
                let yaml = Yaml::read(text)?;
                yaml.remove(self.group, NAME, made)?;
                Ok(yaml.text())
            }
        }
    }
}

/// What is wanted, and behind it what a person added.
fn united(there: Option<Value>, wanted: Value) -> Value {
    match (there, wanted) {
        (Some(Value::Object(there)), Value::Object(mut wanted)) => {
            for (key, value) in there {
                wanted.entry(key).or_insert(value);
            }
            Value::Object(wanted)
        }
        (_, wanted) => wanted,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn what_a_person_added_stays() {
        let there = json!({"type": "stdio", "command": "co", "args": ["mcp"], "env": {}, "x": 1});
        let command = Command { program: "co".into(), env: Default::default() };
        assert!(says(&there, &stdio(&command)));
        assert!(!says(&there, &claude(&command)));
        assert_eq!(united(Some(there), claude(&command))["x"], 1);
    }
}
