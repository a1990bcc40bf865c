//! `agent doctor`: checks that each agent can use co, by doing what the agent would do.
//!
//! Invariant: changes nothing. A server is started with the exact command in the agent's file, in
//! an environment with little more than HOME, and has to answer.

use super::{
    draft,
    list::{self, Has},
    trust::{self, Trust},
};
use crate::agents::{
    self, Agent, State, block,
    entry::{NAME, Start},
    part::Part,
};
use crate::machine::{
    Context, files,
    process::{End, Process},
    program,
};
use crate::workspace::{Error, agent_places};
use serde::Serialize;
use serde_json::{Value, json};
use std::{path::Path, time::Duration};

/// Server name co reports during MCP initialisation.
pub const CLIENT: &str = "co-doctor";
/// The shortest time that agents wait for a server.
const LIMIT: Duration = Duration::from_secs(5);

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Agent names; if empty, all that are installed or have a part of co.
    pub agents: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    Ok,
    Warning,
    Error,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Check {
    pub agent: &'static str,
    pub title: &'static str,
    /// `server`, `plugin`, `answer`, `instructions`, `hooks`, `vendor`.
    pub what: &'static str,
    pub level: Level,
    pub message: String,
    pub hint: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub checks: Vec<Check>,
    pub errors: usize,
    pub warnings: usize,
}

pub fn run(context: &Context, request: &Request) -> Result<Report, Error> {
    let named = super::named(&request.agents)?;
    let is_here = |agent: &&'static Agent| {
        agent_places::is_installed(context, agent)
            || list::has(context, agent, Part::Server).is_there()
    };
    let agents: Vec<&'static Agent> = match named.as_slice() {
        [] => agents::ALL.iter().filter(is_here).collect(),
        _ => named,
    };
    let mut checks = identity(context, &agents);
    checks.extend(agents.into_iter().flat_map(|agent| check_agent(context, agent)));
    let count = |level| checks.iter().filter(|check| check.level == level).count();
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    Ok(Report { checks, errors, warnings })
}

/// Without an identity, every tool only reports that there is none.
fn identity(context: &Context, agents: &[&'static Agent]) -> Vec<Check> {
    if agents.is_empty() || files::is_dir(&context.identity.resolved) {
        return Vec::new();
    }
    vec![Check {
        agent: "co",
        title: "co",
        what: "identity",
        level: Level::Error,
        message: format!("there is no identity in {}", context.shown(&context.identity.path)),
        hint: Some("co init".to_owned()),
    }]
}

const TWICE: &str = "co is also one of its plugins, so each tool is there twice";

fn check_agent(context: &Context, agent: &'static Agent) -> Vec<Check> {
    let (name, title) = (agent.name, agent.title);
    let check = |what, level, message: String, hint: Option<String>| Check {
        agent: name,
        title,
        what,
        level,
        message,
        hint,
    };
    let install = Some(format!("co agent install {}", agent.name));
    let mut checks = Vec::new();
    let file = agent_places::target(context, agent, Part::Server).and_then(Result::ok);
    let shown = file.as_ref().map(|file| context.shown(&file.file)).unwrap_or_default();
    match list::has(context, agent, Part::Server) {
        Has::No => {}
        Has::Broken(why) => {
            checks.push(check("server", Level::Error, format!("{shown}: {why}"), None));
        }
        Has::Is(State::Missing) if agent_places::has_plugin(context, agent) => {
            let (level, message) = plugin(context);
            return vec![check("plugin", level, message.to_owned(), None)];
        }
        Has::Is(State::Missing) => {
            let missing = format!("{shown} has no entry for co");
            return vec![check("server", Level::Warning, missing, install)];
        }
        Has::Is(state) => {
            let off = format!("co is switched off in {shown}");
            let (level, message, hint) = match state {
                State::Current => (Level::Ok, shown, None),
                _ => (Level::Warning, format!("{shown} points to another co"), install.clone()),
            };
            checks.push(check("server", level, message, hint));
            let start = file.and_then(|file| started_by(agent, &file.file));
            if start.as_ref().is_some_and(|start| start.is_off) {
                checks.push(check("server", Level::Warning, off, None));
            }
            let (level, message) = answer(context, start);
            let hint = if level == Level::Error { install.clone() } else { None };
            checks.push(check("answer", level, message, hint));
        }
    }
    checks.extend(agent_places::has_plugin(context, agent).then(|| {
        let hint = format!("co agent uninstall {}", agent.name);
        check("plugin", Level::Warning, TWICE.to_owned(), Some(hint))
    }));
    checks.extend(instructions(context, agent).map(|(level, message)| {
        let hint = if level == Level::Ok { None } else { install.clone() };
        check("instructions", level, message, hint)
    }));
    checks.extend(
        hooks(context, agent)
            .into_iter()
            .map(|(level, message, hint)| check("hooks", level, message, hint)),
    );
    checks.extend(agent.ended().map(|what| check("vendor", Level::Ok, what.to_owned(), None)));
    checks.extend(
        elsewhere(context, agent).map(|message| check("server", Level::Warning, message, None)),
    );
    checks
}

fn started_by(agent: &Agent, file: &Path) -> Option<Start> {
    let text = files::read_text(&draft::real(file)).ok()??;
    agent.server.start(&text).ok()?
}

/// A plugin starts the co of the PATH.
fn plugin(context: &Context) -> (Level, &'static str) {
    match program::find("co", context.env("PATH").unwrap_or_default()) {
        Some(_) => (Level::Ok, "co is one of its plugins"),
        None => (Level::Error, "co is one of its plugins, but `co` is not on the PATH"),
    }
}

fn answer(context: &Context, start: Option<Start>) -> (Level, String) {
    match start.map(|start| answers(context, &start)) {
        Some(Ok(said)) => (Level::Ok, said),
        Some(Err(why)) => (Level::Error, why),
        None => (Level::Error, "the entry does not start anything".to_owned()),
    }
}

/// Performs the MCP initialize handshake.
fn answers(context: &Context, start: &Start) -> Result<String, String> {
    let (program, words) = start.words.split_first().ok_or("the entry has no program")?;
    let path = context.env("PATH").unwrap_or("/usr/local/bin:/usr/bin:/bin");
    let program = if Path::new(program).is_absolute() {
        program.into()
    } else {
        program::find(program, path).ok_or(format!("`{program}` is not on the PATH"))?
    };
    if !files::is_executable(&program) {
        return Err(format!("{} is not a program", context.shown(&program)));
    }
    let mut server = Process::new(&program);
    server.args(words).current_dir(&context.home).leave_nothing();
    server.env_clear().env("HOME", &context.home).env("PATH", path);
    for (name, value) in &start.env {
        server.env(name, value);
    }
    server.input(hello().concat().into_bytes()).first_lines(2).deadline(LIMIT);
    let finished = server.run().map_err(|error| error.to_string())?;
    let replies = String::from_utf8_lossy(&finished.stdout);
    let replies: Vec<Value> =
        replies.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
    let result =
        |id: u64| replies.iter().find(|reply| reply["id"] == id).map(|reply| &reply["result"]);
    let server = result(1).and_then(|result| result["serverInfo"]["name"].as_str());
    let tools = result(2).and_then(|result| result["tools"].as_array()).map(Vec::len);
    match (server, tools) {
        (Some("co"), Some(tools)) => {
            let version = result(1).and_then(|result| result["serverInfo"]["version"].as_str());
            Ok(format!("co {} answers with {tools} tools", version.unwrap_or_default()))
        }
        (Some(other), _) => Err(format!("`{other}` answers instead of co")),
        (None, _) => {
            let silent = if finished.end == End::Late {
                "it did not answer within 5 seconds"
            } else {
                "it exited, or did not speak MCP"
            };
            let complaint = String::from_utf8_lossy(&finished.stderr);
            Err(complaint.lines().next().unwrap_or(silent).to_owned())
        }
    }
}

fn hello() -> Vec<String> {
    let client = json!({ "name": CLIENT, "version": env!("CARGO_PKG_VERSION") });
    let hello = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": { "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client },
    });
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let tools = json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" });
    [hello, ready, tools].iter().map(|line| format!("{line}\n")).collect()
}

fn instructions(context: &Context, agent: &'static Agent) -> Option<(Level, String)> {
    let target = match agent_places::target(context, agent, Part::Instructions)? {
        Ok(target) => target,
        Err(elsewhere) => return Some((Level::Ok, elsewhere.why)),
    };
    let text = files::read_text(&draft::real(&target.file)).ok().flatten().unwrap_or_default();
    let shown = context.shown(&target.file);
    Some(match list::has(context, agent, Part::Instructions) {
        Has::Is(State::Current) => (Level::Ok, shown),
        Has::Is(State::Stale) if block::is_edited(&text) => {
            (Level::Warning, format!("{shown}: co's block was edited by hand"))
        }
        Has::Is(State::Stale) => (Level::Warning, format!("{shown}: the block is from another co")),
        Has::Broken(why) => (Level::Error, why),
        _ => (Level::Warning, format!("{shown} has no block of co")),
    })
}

fn hooks(context: &Context, agent: &'static Agent) -> Option<(Level, String, Option<String>)> {
    let hooks = agent.hooks.as_ref()?;
    let shown = context.shown(&agent_places::hooks_file(context, hooks)?);
    let again = Some(format!("co agent install {} --hooks", agent.name));
    match list::has(context, agent, Part::Hooks) {
        Has::Is(State::Current) if is_off(context, agent) => {
            Some((Level::Warning, format!("{shown}: all hooks are switched off there"), None))
        }
        Has::Is(State::Current) => Some(match trust::read(context, agent) {
            Trust::Given => (Level::Ok, shown, None),
            Trust::Wanted(hint) => (
                Level::Warning,
                format!("{shown}: not trusted yet, so it does not run"),
                Some(hint),
            ),
        }),
        Has::Is(State::Stale) => {
            Some((Level::Warning, format!("{shown}: the hooks are from another co"), again))
        }
        Has::Broken(why) => Some((Level::Error, format!("{shown}: {why}"), None)),
        // Hooks are optional.
        _ => None,
    }
}

/// Whether the agent has all hooks disabled.
fn is_off(context: &Context, agent: &Agent) -> bool {
    let file = agent.hooks.as_ref().and_then(|hooks| agent_places::hooks_file(context, hooks));
    let Some(file) = file else { return false };
    let text = files::read_text(&draft::real(&file)).ok().flatten();
    let settings: Option<Value> = text.and_then(|text| serde_json::from_str(&text).ok());
    settings.is_some_and(|settings| {
        settings["disableAllHooks"] == true
            || settings["hooksConfig"]["enabled"] == false
            || settings[NAME]["enabled"] == false
    })
}

/// The agent's default folder, which a session without the variable would use.
fn elsewhere(context: &Context, agent: &Agent) -> Option<String> {
    let place = agent.server.files.first()?;
    context.env(place.variable?)?;
    let usual = context.expand(place.otherwise, &context.home).join(place.path);
    let text = files::read_text(&usual).ok()??;
    let state = agent.server.state(&text, &agent_places::command(context));
    (state == Ok(State::Missing)).then(|| {
        let variable = place.variable.unwrap_or_default();
        format!("{} is used without {variable} and has no entry for co", context.shown(&usual))
    })
}
