//! The hooks that call co at the start and end of a session, and after a tool.
//!
//! Invariant: a hook is co's if its command calls `co hook`; it is changed in place, because some
//! agents trust a hook by its position. No empty event is left behind.

use super::{
    Command, EditError, EnvPath, State,
    command::is_co,
    entry::NAME,
    json::{Item, Json},
};
use serde_json::{Value, json};

/// How an agent stores hooks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// `hooks.EVENT[].hooks[]`, with a timeout in seconds.
    Nested,
    /// The same, in milliseconds.
    NestedMilliseconds,
    /// `hooks.EVENT[]`, with a version next to it.
    Flat,
    /// Like `Flat`, in a file that belongs to co.
    Own,
    /// `co.EVENT[]`: each key at the top names somebody's hooks.
    Named,
}

/// When co is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Event {
    pub name: &'static str,
    /// The verb to call: `session-start`.
    pub verb: &'static str,
    pub matcher: Option<&'static str>,
    pub seconds: u32,
}

#[derive(Clone, Copy)]
pub struct Hooks {
    /// The first one that exists, or whose folder does, or else the first.
    pub files: &'static [EnvPath],
    pub shape: Shape,
    /// Events of a session.
    pub events: &'static [Event],
    /// Events after a tool call: these are asked for separately.
    pub tools: &'static [Event],
    /// Limit in tokens for what a session start adds, if the agent has such a setting.
    pub limit: Option<u32>,
    /// How a person trusts a hook, if the agent runs only trusted ones.
    pub trust: Option<&'static str>,
}

const COMMAND: &str = "command";

impl Hooks {
    /// Only the hooks that report which tools are used.
    pub fn counting(&self) -> Hooks {
        Hooks { events: self.tools, ..*self }
    }

    /// The key that contains the events.
    fn group(&self) -> &'static str {
        if self.shape == Shape::Named { NAME } else { "hooks" }
    }

    /// The command line that an agent's shell runs.
    pub fn line(event: &Event, agent: &str, command: &Command) -> String {
        command.line(&format!("hook {} --agent {agent}", event.verb))
    }

    fn handler(&self, event: &Event, agent: &str, command: &Command) -> Value {
        let line = Hooks::line(event, agent, command);
        let mut hook = json!({ "type": "command", "command": line });
        match self.shape {
            Shape::Own => hook["timeoutSec"] = json!(event.seconds),
            Shape::NestedMilliseconds => hook["timeout"] = json!(event.seconds * 1000),
            Shape::Nested | Shape::Flat | Shape::Named => hook["timeout"] = json!(event.seconds),
        }
        if let (Some(limit), "session-start") = (self.limit, event.verb) {
            hook["additionalContextLimit"] = json!(limit);
        }
        hook
    }

    fn item(&self, event: &Event, agent: &str, command: &Command) -> Value {
        let hook = self.handler(event, agent, command);
        if matches!(self.shape, Shape::Flat | Shape::Own | Shape::Named) {
            return hook;
        }
        let mut group = json!({});
        if let Some(matcher) = event.matcher {
            group["matcher"] = json!(matcher);
        }
        group["hooks"] = json!([hook]);
        group
    }

    /// Where co's hooks for an event are: in which item, and where in its list.
    fn found(&self, json: &Json, event: &Event, command: &Command) -> Result<Vec<Ours>, EditError> {
        let mut found = Vec::new();
        for item in json.items(&[self.group()], event.name)? {
            let inner = item.inner();
            let at: Vec<usize> =
                (0..inner.len()).filter(|at| is_ours(&inner[*at], event.verb, command)).collect();
            if at.is_empty() && !(inner.is_empty() && is_ours(&item.value(), event.verb, command)) {
                continue;
            }
            let is_alone = at.len() == inner.len();
            found.push(Ours { item, at, is_alone });
        }
        Ok(found)
    }

    /// A hook is current if it runs this co: its timeout and matcher are the person's.
    pub fn state(&self, text: &str, agent: &str, command: &Command) -> Result<State, EditError> {
        if text.trim().is_empty() {
            return Ok(State::Missing);
        }
        let json = Json::read(text)?;
        let mut states = Vec::new();
        for event in self.events {
            let line = Hooks::line(event, agent, command);
            let found = self.found(&json, event, command)?;
            states.push(match found.as_slice() {
                [] => State::Missing,
                [one] if one.lines() == [line.as_str()] => State::Current,
                _ => State::Stale,
            });
        }
        let first = states.first().copied().unwrap_or(State::Missing);
        Ok(if states.iter().all(|state| *state == first) { first } else { State::Stale })
    }

    pub fn with(&self, text: &str, agent: &str, command: &Command) -> Result<String, EditError> {
        if self.state(text, agent, command)? == State::Current {
            return Ok(text.to_owned());
        }
        let json = Json::read(text)?;
        if matches!(self.shape, Shape::Flat | Shape::Own) && json.get(&[], "version")?.is_none() {
            json.set(&[], "version", &json!(1))?;
        }
        let group = self.group();
        for event in self.events {
            let mut found = self.found(&json, event, command)?.into_iter();
            match found.next() {
                None => json.push(&[group], event.name, &self.item(event, agent, command))?,
                Some(first) => first.replace(&Hooks::line(event, agent, command)),
            }
            found.for_each(Ours::remove);
        }
        Ok(json.text())
    }

    /// Also removes events left empty: an empty one makes some agents refuse the file.
    pub fn without(&self, text: &str, command: &Command, made: bool) -> Result<String, EditError> {
        if text.trim().is_empty() {
            return Ok(text.to_owned());
        }
        let json = Json::read(text)?;
        let group = self.group();
        for event in self.events {
            let found = self.found(&json, event, command)?;
            if found.is_empty() {
                continue;
            }
            found.into_iter().for_each(Ours::remove);
            // A name of co's own stays for nobody.
            let goes = made || self.shape == Shape::Named;
            let empty: Vec<&str> = [event.name].into_iter().chain(goes.then_some(group)).collect();
            json.prune_array(&[group], event.name, &empty)?;
        }
        let has_version = matches!(self.shape, Shape::Flat | Shape::Own);
        if made && has_version && json.get(&[], group)?.is_none() {
            json.remove(&[], "version", &[])?;
        }
        Ok(json.text())
    }
}

/// An item that contains a hook of co, alone or with others.
struct Ours {
    item: Item,
    /// Positions in its list; empty if the item itself is the hook.
    at: Vec<usize>,
    is_alone: bool,
}

impl Ours {
    fn lines(&self) -> Vec<String> {
        let line = |hook: &Value| hook["command"].as_str().unwrap_or_default().to_owned();
        match self.at.as_slice() {
            [] => vec![line(&self.item.value())],
            at => at.iter().map(|at| line(&self.item.inner()[*at])).collect(),
        }
    }

    /// The first one runs this line, with everything else unchanged; co's others in the item go.
    fn replace(self, line: &str) {
        let Some((first, rest)) = self.at.split_first() else {
            return self.item.set(COMMAND, line);
        };
        rest.iter().rev().for_each(|at| self.item.remove_inner(*at));
        self.item.set_inner(*first, COMMAND, line);
    }

    /// A group that also has a person's hook loses only co's.
    fn remove(self) {
        if self.is_alone {
            return self.item.remove();
        }
        self.at.iter().rev().for_each(|at| self.item.remove_inner(*at));
    }
}

/// Whether a hook calls `co hook VERB`, from any location, and does nothing else.
fn is_ours(hook: &Value, verb: &str, command: &Command) -> bool {
    let Some(line) = hook.get("command").and_then(Value::as_str) else { return false };
    let Some((head, tail)) = line.rsplit_once(" hook ") else { return false };
    let mut words = tail.split(' ');
    let is_verb = words.next() == Some(verb);
    let rest: Vec<&str> = words.collect();
    let is_whole = matches!(rest.as_slice(), [] | ["--agent", _]);
    is_verb && is_whole && (starts_co(head) || head == command.line("").trim_end())
}

/// Whether a line is assignments followed by a program called co.
fn starts_co(head: &str) -> bool {
    let quotes = ['\'', '"'];
    let quote = head.chars().next_back().filter(|last| quotes.contains(last));
    let open = quote.and_then(|quote| head.strip_suffix(quote)).unwrap_or(head);
    let program = open.rsplit(quote.unwrap_or(' ')).next().unwrap_or(open);
    let before = open.strip_suffix(program).unwrap_or_default().trim_end_matches(quotes);
    let is_assignment = |word: &str| {
        word.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty()
                && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        })
    };
    // The rest of a quoted value that contains spaces.
    let mut is_quoted = false;
    let all = before.split(' ').filter(|word| !word.is_empty()).all(|word| {
        let fits = is_quoted || is_assignment(word);
        is_quoted ^= word.matches(quotes).count() % 2 == 1;
        fits
    });
    let plain = !head.contains(['&', ';', '|', '(', '`', '$', '\n', '<', '>']);
    all && plain && is_co(program)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOOKS: Hooks = Hooks {
        files: &[EnvPath { variable: None, otherwise: "~", path: "x.json" }],
        shape: Shape::Nested,
        events: &[Event {
            name: "SessionStart",
            verb: "session-start",
            matcher: Some("startup"),
            seconds: 10,
        }],
        tools: &[],
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
    fn a_persons_own_hook_stays_whatever_stands_beside() {
        let mine = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"/x/co hook session-start && notify"}]}]}}"#;
        assert_eq!(HOOKS.state(mine, "x", &command("/x/co")), Ok(State::Missing));
        assert_eq!(HOOKS.without(mine, &command("/x/co"), true), Ok(mine.to_owned()));
        for line in [
            "timeout 5 /x/co hook session-start",
            "echo a\\n/x/co hook session-start",
            "nice /x/co hook session-start",
        ] {
            let mine =
                format!(r#"{{"hooks":{{"SessionStart":[{{"hooks":[{{"command":"{line}"}}]}}]}}}}"#);
            assert_eq!(HOOKS.state(&mine, "x", &command("/x/co")), Ok(State::Missing), "{line}");
        }
        // In one group with ours.
        let ours = HOOKS.with("{}", "x", &command("/x/co")).expect("set");
        let beside = ours.replace(
            "\"timeout\": 10\n",
            "\"timeout\": 10\n          },\n          {\n            \"command\": \"echo MINE\"\n",
        );
        assert!(beside.contains("MINE"), "{beside}");
        assert_eq!(HOOKS.state(&beside, "x", &command("/x/co")), Ok(State::Current));
        let moved = HOOKS.with(&beside, "x", &command("/new/co")).expect("set");
        assert_eq!(moved.matches("hook session-start").count(), 1, "{moved}");
        let without = HOOKS.without(&moved, &command("/new/co"), true).expect("out");
        assert!(without.contains("MINE") && !without.contains("session-start"), "{without}");
        assert!(Json::read(&without).is_ok());
    }

    #[test]
    fn hooks_by_name_stay_beside_those_of_others() {
        let hooks = Hooks { shape: Shape::Named, ..HOOKS };
        for theirs in ["{}\n", "{\n  \"lint\": {\"Stop\": [{\"command\": \"lint\"}]}\n}\n"] {
            let text = hooks.with(theirs, "x", &command("/x/co")).expect("set");
            let read: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(
                read["co"]["SessionStart"][0],
                json!({
                    "type": "command",
                    "command": "/x/co hook session-start --agent x",
                    "timeout": 10,
                })
            );
            assert_eq!(hooks.state(&text, "x", &command("/x/co")), Ok(State::Current));
            assert_eq!(hooks.without(&text, &command("/x/co"), false), Ok(theirs.to_owned()));
        }
    }

    #[test]
    fn nothing_empty_is_left() {
        let text = HOOKS.with("{}\n", "x", &command("co")).expect("set");
        assert_eq!(HOOKS.without(&text, &command("co"), true), Ok("{}\n".to_owned()));
    }
}
