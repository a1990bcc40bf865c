//! What happens when an agent's session starts and ends.
//!
//! Invariant: an agent never waits long: the start reads files, and waits for the remote only if
//! notes are shared, or in a project, where something may have been handed off, and hardly if it
//! did not answer a short time ago; start and end have time limits. A hook never fails a session.

use super::{seen, silence};
use crate::agents::{self, Agent, hooks::Shape};
use crate::context::{Markup, layers::Assembled, system_reminder};
use crate::foreign::{Said, said};
use crate::git;
use crate::identity::Stamp;
use crate::integrations::{context as layered, handoff, skills};
use crate::machine::{context::Caller, files};
use crate::sync::{self, notes};
use crate::workspace::{Error, Workspace};
use serde_json::json;
use std::{
    path::Path,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::Duration,
};

/// Maximum characters that agents accept from a hook without cutting.
pub const LIMIT: usize = 10_000;
/// How long the start of a session waits for the remote, and for arriving changes to be written.
const FETCH: Duration = Duration::from_secs(2);
/// The same for a remote that did not answer a short time ago.
const BRIEFLY: Duration = Duration::from_millis(100);
const WRITE: Duration = Duration::from_secs(5);
/// The limit for both together, in microseconds.
const MAX: i64 = 7 * Stamp::SECOND;
/// How long the end of a session waits for the remote.
const WAIT: Duration = Duration::from_secs(10);
const NOTE: &str = "\n\nThere is more: `co context` prints everything, `co recall \"…\"` finds \
    individual facts.\n";

/// What an agent gets at the start of a session.
pub struct Started {
    pub text: Said,
    /// The text in the agent's hook output format.
    pub answer: Said,
    pub warnings: Vec<String>,
}

/// `input` is what the agent's hook says on standard input, for one that [`tells_more`].
pub fn start(ws: &Workspace, agent: Option<&str>, input: &[u8]) -> Result<Started, Error> {
    let known = agent.and_then(agents::find);
    let in_folder;
    let ws = match call_of(ws, agent, input)? {
        Call::Here => ws,
        Call::In(other) => {
            in_folder = other;
            &*in_folder
        }
        Call::Again => {
            let (text, answer, warnings) = (Said::new(), Said::from("{}\n"), Vec::new());
            return Ok(Started { text, answer, warnings });
        }
    };
    // An agent is not shown its own notes.
    let by_agent;
    let ws = match known {
        Some(agent) => {
            by_agent = called_by(ws, agent);
            &by_agent
        }
        None => ws,
    };
    // An agent that co knows gets the shared notes of all agents, and what was handed off.
    let is_awaited = !notes::shared(ws).is_empty() || handoff::may_arrive(ws);
    let is_shared = known.is_some() && is_awaited;
    let arrived = if is_shared { catch_up(ws) } else { Vec::new() };
    let request = layered::Request { arrived, ..layered::Request::default() };
    let dress: Dress = if known.is_some() { |text| text } else { reminder };
    let Assembled { text, warnings, .. } = fitted(ws, &request, dress)?;
    seen::note(ws, seen::Did::Read);
    let answer = match known {
        Some(agent) if !text.is_empty() => in_form_of(agent, text.clone()),
        Some(_) => text.clone(),
        None => reminder(text.clone()),
    };
    Ok(Started { text, answer, warnings })
}

/// Whether an agent calls its hook before every answer of a model, in the folder of its settings,
/// and tells on standard input which call it is and in which folder it works.
pub fn tells_more(agent: Option<&str>) -> bool {
    let hooks = agent.and_then(agents::find).and_then(|agent| agent.hooks);
    hooks.is_some_and(|hooks| hooks.shape == Shape::Named)
}

/// Which call of a session it is.
enum Call {
    Here,
    In(Box<Workspace>),
    /// Not the first, so that the model has the context already.
    Again,
}

fn call_of(ws: &Workspace, agent: Option<&str>, input: &[u8]) -> Result<Call, Error> {
    if !tells_more(agent) {
        return Ok(Call::Here);
    }
    let told: serde_json::Value = serde_json::from_slice(input).unwrap_or_default();
    if told["invocationNum"].as_u64().is_some_and(|number| number > 0) {
        return Ok(Call::Again);
    }
    let folder = told["workspacePaths"][0].as_str().map(Path::new);
    let Some(folder) = folder.filter(|folder| folder.is_absolute() && files::is_dir(folder)) else {
        return Ok(Call::Here);
    };
    let there = Workspace::open(ws.anew(Some(folder))?);
    there.decided()?;
    Ok(Call::In(Box::new(there)))
}

fn called_by(ws: &Workspace, agent: &Agent) -> Workspace {
    ws.for_caller(Caller { client: agent.name.to_owned(), session: String::new() })
}

/// For an agent that co does not know, in the tag that most agents use.
fn reminder(text: Said) -> Said {
    if text.is_empty() { text } else { system_reminder(text, Markup::Markdown) }
}

/// Hook output format per agent; plain text for one without hooks. Never wrapped in tags, because
/// Claude Code escapes them.
fn in_form_of(agent: &Agent, text: Said) -> Said {
    let shape = agent.hooks.map(|hooks| hooks.shape);
    text.rewritten(|text| {
        let reply = match shape {
            None => return text.into(),
            Some(Shape::Flat) => json!({ "additional_context": text }),
            Some(Shape::Own) => json!({ "additionalContext": text }),
            Some(Shape::Named) => json!({ "injectSteps": [{ "ephemeralMessage": text }] }),
            Some(Shape::Nested | Shape::NestedMilliseconds) => json!({
                "hookSpecificOutput": {
                    "hookEventName": "SessionStart",
                    "additionalContext": text,
                },
            }),
        };
        format!("{reply}\n").into()
    })
}

/// What a connected agent gets at the start of a session now. Neither fetches nor is recorded.
pub fn preview(ws: &Workspace, agent: &Agent) -> Result<Assembled, Error> {
    let ws = called_by(ws, agent);
    let all = layered::Request::default();
    if agent.hooks.is_none() {
        return layered::run(&ws, &all);
    }
    fitted(&ws, &all, |text| text)
}

/// Puts a text into the form that the caller takes. The limit is for the result.
type Dress = fn(Said) -> Said;

/// The context for the start of a session, with its warnings, and with a note if it was cut to the
/// limit: the lowest-ranked text first.
fn fitted(ws: &Workspace, all: &layered::Request, dress: Dress) -> Result<Assembled, Error> {
    let letters = |text: &Said| dress(text.clone()).as_str().chars().count();
    let whole = layered::run(ws, all)?;
    // The agent reports the warnings to the person: nobody reads a hook's standard error.
    let mut warned: Said = whole.warnings.iter().map(|line| said!("\n\n{}", line)).collect();
    while letters(&warned) > LIMIT / 4 {
        let most = warned.as_str().len() * 3 / 4;
        warned = warned.cut(most);
    }
    let with =
        |text: Said, note: &'static str| said!("{}{}{}", text.trimmed(), warned, Said::from(note));
    let said = with(whole.text.clone(), "\n");
    if letters(&said) <= LIMIT {
        let text = if whole.text.is_empty() { Said::new() } else { said };
        return Ok(Assembled { text, ..whole });
    }
    let mut room = LIMIT.saturating_sub(letters(&with(Said::new(), NOTE)));
    loop {
        // A token is at most four characters.
        let request = layered::Request { token_budget: Some(room / 4), ..all.clone() };
        let cut = layered::run(ws, &request)?;
        let text = with(cut.text.clone(), NOTE);
        let count = letters(&text);
        if count <= LIMIT || room == 0 {
            return Ok(Assembled { text, warnings: whole.warnings, ..cut });
        }
        // An escaped letter counts as four or more.
        room = room.saturating_sub(4).min(room * LIMIT / count);
    }
}

/// Fetches the notes of this project and other laptops' published changes, within the time limit;
/// local data is used in any case. Returns what arrived.
fn catch_up(ws: &Workspace) -> Vec<notes::Exchanged> {
    let (sender, receiver) = mpsc::channel();
    let there = ws.context().clone();
    thread::spawn(move || {
        let ws = Workspace::unrecovered(there);
        let own_commits = sync::OwnCommits::Unpublished;
        let direction = sync::Direction::Fetch;
        let request = sync::Request { own_commits, direction, ..sync::Request::default() };
        let step = sender.clone();
        let done = sync::run(&ws, &request, &|at| {
            let _ = step.send(SyncEvent::Step(at));
        });
        skills::follow(&ws);
        let notes = done.map(|report| report.notes.folders);
        let _ = sender.send(SyncEvent::Done(notes.unwrap_or_default()));
    });
    let patience = if silence::is_known(ws) { BRIEFLY } else { FETCH };
    let (mut timeout, mut is_fetching) = (FETCH, false);
    let started = ws.now();
    loop {
        let is_late = ws.now() > started.plus(MAX);
        match receiver.recv_timeout(if is_late { Duration::ZERO } else { timeout }) {
            // The total limit has passed: stops the sync.
            Ok(SyncEvent::Step(_)) if is_late => {
                git::abort_all();
                return Vec::new();
            }
            Ok(SyncEvent::Step(sync::Phase::Fetching)) => (timeout, is_fetching) = (patience, true),
            Ok(SyncEvent::Step(sync::Phase::Merging | sync::Phase::Writing(..))) => {
                (timeout, is_fetching) = (WRITE, false);
            }
            Ok(SyncEvent::Step(_)) => {}
            Ok(SyncEvent::Done(notes)) => {
                silence::ends(ws);
                return notes;
            }
            Err(RecvTimeoutError::Timeout) => {
                if is_fetching {
                    silence::begins(ws);
                }
                // Programs that git started would outlive this process.
                git::abort_all();
                return match receiver.recv_timeout(git::SOON) {
                    Ok(SyncEvent::Done(notes)) => notes,
                    _ => Vec::new(),
                };
            }
            Err(RecvTimeoutError::Disconnected) => return Vec::new(),
        }
    }
}

enum SyncEvent {
    Step(sync::Phase),
    Done(Vec<notes::Exchanged>),
}

/// Syncs, and returns what needs a person's attention. An interrupted sync loses nothing; the next
/// one finishes the work.
pub fn end(ws: &Workspace) -> Vec<String> {
    let (sender, receiver) = mpsc::channel();
    let there = ws.context().clone();
    thread::spawn(move || {
        let ws = Workspace::unrecovered(there);
        // Nobody is there to agree to publishing anything but the identity.
        let own_commits = sync::OwnCommits::Unpublished;
        let request = sync::Request { own_commits, ..sync::Request::default() };
        let done = sync::run(&ws, &request, &|_| {});
        skills::follow(&ws);
        let _ = sender.send(done);
    });
    let mut done = receiver.recv_timeout(WAIT);
    if done.is_err() {
        git::abort_all();
        done = receiver.recv_timeout(git::SOON);
    }
    match done {
        Ok(Err(error)) if error.kind() != crate::workspace::ErrorKind::NotSetUp => {
            vec![error.to_string()]
        }
        _ => Vec::new(),
    }
}
