//! The hooks that call co at the start and end of a session, and after a tool.
//!
//! Invariant: a hook is co's when its command calls `co hook`; it is changed in its place, because
//! some agents trust a hook by where it stands. No event is left behind empty.

use super::{Command, Place, State, Unfit, command::is_co, json::Json};
use serde_json::{Value, json};

/// How an agent writes hooks down.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `hooks.EVENT[].hooks[]`, with a timeout in seconds.
    Nested,
    /// The same, in milliseconds.
    NestedMilliseconds,
    /// `hooks.EVENT[]`, and a version beside.
    Flat,
    /// As `Flat`, in a file of co's own.
    Own,
}

/// When co is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub name: &'static str,
    /// What is called: `session-start`.
    pub verb: &'static str,
    pub matcher: Option<&'static str>,
    pub seconds: u32,
}

#[derive(Clone, Copy)]
pub struct Hooks {
    pub file: Place,
    pub shape: Shape,
    pub events: &'static [Event],
    /// Limit for what a session start adds, in tokens, where the agent has one to be set.
    pub limit: Option<u32>,
    /// How a person trusts a hook, where the agent runs no other.
    pub trust: Option<&'static str>,
}

const GROUP: &str = "hooks";

impl Hooks {
    /// The line that an agent's shell runs.
    pub fn line(event: &Event, agent: &str, command: &Command) -> String {
        command.line(&format!("hook {} --agent {agent}", event.verb))
    }

    fn item(&self, event: &Event, agent: &str, command: &Command) -> Value {
        let line = Hooks::line(event, agent, command);
        let mut hook = json!({ "type": "command", "command": line });
        match self.shape {
            Shape::Own => hook["timeoutSec"] = json!(event.seconds),
            Shape::NestedMilliseconds => hook["timeout"] = json!(event.seconds * 1000),
            Shape::Nested | Shape::Flat => hook["timeout"] = json!(event.seconds),
        }
        if let (Some(limit), "session-start") = (self.limit, event.verb) {
            hook["additionalContextLimit"] = json!(limit);
        }
        if matches!(self.shape, Shape::Flat | Shape::Own) {
            return hook;
        }
        let mut group = json!({});
        if let Some(matcher) = event.matcher {
            group["matcher"] = json!(matcher);
        }
        group["hooks"] = json!([hook]);
        group
    }

    pub fn state(&self, text: &str, agent: &str, command: &Command) -> Result<State, Unfit> {
        if text.trim().is_empty() {
            return Ok(State::Missing);
        }
        let json = Json::read(text)?;
        let mut found = Vec::new();
        for event in self.events {
            let ours =
                json.items(&[GROUP], event.name, |item| is_ours(item, event.verb, command))?;
            let wanted = self.item(event, agent, command);
            found.push(match ours.as_slice() {
                [] => State::Missing,
                [one] if *one == wanted => State::Current,
                _ => State::Stale,
            });
        }
        Ok(match found.iter().all(|state| *state == found[0]) {
            true => found[0],
            false => State::Stale,
        })
    }

    pub fn with(&self, text: &str, agent: &str, command: &Command) -> Result<String, Unfit> {
        if self.state(text, agent, command)? == State::Current {
            return Ok(text.to_owned());
        }
        let json = Json::read(text)?;
        if matches!(self.shape, Shape::Flat | Shape::Own) && json.get(&[], "version")?.is_none() {
            json.set(&[], "version", &json!(1))?;
        }
        for event in self.events {
            let wanted = self.item(event, agent, command);
            json.set_item(
                &[GROUP],
                event.name,
                |item| is_ours(item, event.verb, command),
                &wanted,
            )?;
        }
        Ok(json.text())
    }

    /// Also takes out events that are empty then: an empty one makes some agents refuse the file.
    pub fn without(&self, text: &str, command: &Command, made: bool) -> Result<String, Unfit> {
        if text.trim().is_empty() {
            return Ok(text.to_owned());
        }
        let json = Json::read(text)?;
        for event in self.events {
            let empty: Vec<&str> = [event.name].into_iter().chain(made.then_some(GROUP)).collect();
            let is_there = !json
                .items(&[GROUP], event.name, |item| is_ours(item, event.verb, command))?
                .is_empty();
            if is_there {
                json.remove_items(
                    &[GROUP],
                    event.name,
                    |item| is_ours(item, event.verb, command),
                    &empty,
                )?;
            }
        }
        Ok(json.text())
    }
}

/// Whether an item calls `co hook VERB`, from wherever.
fn is_ours(item: &Value, verb: &str, command: &Command) -> bool {
    let this = command.line(&format!("hook {verb} "));
    let calls = |hook: &Value| {
        let line = hook.get("command").and_then(Value::as_str);
        line.is_some_and(|line| calls_co(line, verb) || line.starts_with(&this))
    };
    let nested = item.get("hooks").and_then(Value::as_array);
    match nested {
        // A person's own hook may share the group with ours: then the group is theirs.
        Some(hooks) => hooks.len() == 1 && calls(&hooks[0]),
        None => calls(item),
    }
}

fn calls_co(line: &str, verb: &str) -> bool {
    let Some((head, tail)) = line.split_once(" hook ") else { return false };
    let program = match head.strip_suffix('\'') {
        Some(open) => open.rsplit('\'').next().unwrap_or(open),
        None => head.rsplit(' ').next().unwrap_or(head),
    };
    is_co(program) && tail.split(' ').next() == Some(verb)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOOKS: Hooks = Hooks {
        file: Place { variable: None, otherwise: "~", path: "x.json" },
        shape: Shape::Nested,
        events: &[Event {
            name: "SessionStart",
            verb: "session-start",
            matcher: Some("startup"),
            seconds: 10,
        }],
        limit: None,
        trust: None,
    };

    fn command(program: &str) -> Command {
        Command { program: program.into(), env: Default::default() }
    }

    #[test]
    fn a_moved_program_is_changed_in_its_place() {
        let theirs = "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\n        \"hooks\": [{\"type\": \
                      \"command\", \"command\": \"echo hi\"}]\n      }\n    ]\n  }\n}\n";
        let first = HOOKS.with(theirs, "x", &command("/old path/co")).expect("set");
        assert_eq!(HOOKS.state(&first, "x", &command("/old path/co")), Ok(State::Current));
        assert_eq!(HOOKS.state(&first, "x", &command("/new/co")), Ok(State::Stale));
        let second = HOOKS.with(&first, "x", &command("/new/co")).expect("set");
        assert_eq!(second.matches("hook session-start").count(), 1, "{second}");
        assert!(second.contains("echo hi"));
        assert_eq!(HOOKS.without(&second, &command("/new/co"), false), Ok(theirs.to_owned()));
    }

    #[test]
    fn nothing_empty_is_left() {
        let text = HOOKS.with("{}\n", "x", &command("co")).expect("set");
        assert_eq!(HOOKS.without(&text, &command("co"), true), Ok("{}\n".to_owned()));
    }
}
