//! What happens when an agent's session starts and ends.
//!
//! Invariant: an agent never waits long: the start reads files, and waits for the remote only if
//! notes are shared, or in a project, where something may have been handed off, and hardly if it
//! did not answer a short time ago; not where a session only goes on. Start and end have time
//! limits. A hook never fails a session.
//! The place is the folder that the agent names; the layers that are read there are fetched beside
//! the identity, and none holds up another.

use super::{seen, silence};
use crate::agents::{self, Agent, hooks::Shape};
use crate::context::{Markup, layers::Assembled, system_reminder};
use crate::foreign::{Said, said};
use crate::git;
use crate::identity::Stamp;
use crate::index::store::Store;
use crate::integrations::{context as layered, handoff, skills};
use crate::machine::{Context, context::Caller, files, monotonic, pipes};
use crate::sync::{self, Direction, notes};
use crate::workspace::{Error, Workspace, layers};
use serde_json::{Value, json};
use std::{
    path::PathBuf,
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// Maximum characters that agents accept from a hook without cutting.
const LIMIT: usize = 10_000;
/// How long the start of a session waits for the remote, and for arriving changes to be written.
const FETCH: Duration = Duration::from_secs(2);
/// The same for a remote that did not answer a short time ago.
const BRIEFLY: Duration = Duration::from_millis(100);
const WRITE: Duration = Duration::from_secs(5);
/// The limit for both together.
const MAX: Duration = Duration::from_secs(7);
/// How long the end of a session waits for the remote.
const WAIT: Duration = Duration::from_secs(10);
/// How long a hook waits for what an agent tells it, which may leave its standard input open.
const TOLD: Duration = Duration::from_secs(2);
/// Of what it is told, in bytes.
const MAX_TOLD: u64 = 1 << 20;
const NOTE: &str = "\n\nThere is more: `co context` prints everything, `co recall \"…\"` finds \
    individual facts.\n";

/// What an agent gets at the start of a session.
pub struct Started {
    pub text: Said,
    /// The text in the agent's hook output format.
    pub answer: Said,
    pub warnings: Vec<String>,
}

/// `input` is what the agent tells its hook on standard input.
pub fn start(ws: &Workspace, agent: Option<&str>, input: &[u8]) -> Result<Started, Error> {
    let known = agent.and_then(agents::find);
    let told: Value = serde_json::from_slice(input).unwrap_or_default();
    let in_folder;
    let ws = match call_of(ws, known, &told)? {
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
    let is_begun = told["source"] == "compact" || (is_often(known) && silence::was_met(ws));
    let is_awaited = !is_begun && (!notes::shared(ws).is_empty() || handoff::may_arrive(ws));
    let arrived = if known.is_some() && is_awaited { catch_up(ws) } else { Vec::new() };
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

/// What an agent tells its hook on standard input; nothing if it keeps that open and is silent.
pub fn told() -> Vec<u8> {
    pipes::told(MAX_TOLD, TOLD)
}

/// Which call of a session it is.
enum Call {
    Here,
    In(Box<Workspace>),
    /// Not the first, so that the model has the context already.
    Again,
}

fn call_of(ws: &Workspace, agent: Option<&Agent>, told: &Value) -> Result<Call, Error> {
    if is_often(agent) && told["invocationNum"].as_u64().is_some_and(|number| number > 0) {
        return Ok(Call::Again);
    }
    Ok(in_folder_of(ws, told)?.map_or(Call::Here, |there| Call::In(Box::new(there))))
}

/// Whether an agent calls its hook before every answer of a model, so that each prompt of the
/// person begins with it.
fn is_often(agent: Option<&Agent>) -> bool {
    agent.and_then(|agent| agent.hooks).is_some_and(|hooks| hooks.shape == Shape::Named)
}

/// The call in the folder that an agent tells its hook, if that is another one.
pub fn elsewhere(ws: &Workspace, input: &[u8]) -> Result<Option<Workspace>, Error> {
    in_folder_of(ws, &serde_json::from_slice(input).unwrap_or_default())
}

/// The call in the folder where the agent says that it works, if that is another one: some start
/// their hooks in that of their settings.
fn in_folder_of(ws: &Workspace, told: &Value) -> Result<Option<Workspace>, Error> {
    let folders = [&told["workspacePaths"][0], &told["workspace_roots"][0], &told["cwd"]];
    let folder = folders.into_iter().find_map(Value::as_str).map(PathBuf::from);
    let is_elsewhere =
        |folder: &PathBuf| folder.is_absolute() && files::is_dir(folder) && *folder != ws.cwd;
    let Some(folder) = folder.filter(is_elsewhere) else { return Ok(None) };
    let there = Workspace::open(ws.anew(Some(&folder))?);
    there.decided()?;
    Ok(Some(there))
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

/// The layers that are read beside the identity, each as an identity of its own.
fn layers_beside(ws: &Workspace) -> Vec<(Store, Context)> {
    let named = ws.layers().into_iter().filter_map(|store| Some((store.scope.layer()?, store)));
    let opened = named.map(|(name, store)| (store, layers::within(ws, name.as_str())));
    opened.filter_map(|(store, there)| Some((store, there.ok()?))).collect()
}

/// Syncs one identity for a session: nobody is there to agree to publishing anything but that.
fn synced(
    ws: &Workspace,
    direction: Direction,
    on_step: &sync::OnStep<'_>,
) -> Result<sync::Report, Error> {
    let own_commits = sync::OwnCommits::Unpublished;
    sync::run(ws, &sync::Request { own_commits, direction, ..sync::Request::default() }, on_step)
}

/// Fetches the notes of this project and other laptops' published changes, and what is new in the
/// layers, within the time limit; local data is used in any case. Returns what arrived.
fn catch_up(ws: &Workspace) -> Vec<notes::Exchanged> {
    let (sender, receiver) = mpsc::channel();
    let (there, step) = (ws.context().clone(), sender.clone());
    thread::spawn(move || {
        let ws = Workspace::unrecovered(there);
        let done = synced(&ws, Direction::Fetch, &|at| {
            let _ = step.send((0, SyncEvent::Step(at)));
        });
        skills::follow(&ws);
        let notes = done.map(|report| report.notes.folders);
        let _ = step.send((0, SyncEvent::Done(notes.unwrap_or_default())));
    });
    let mut awaited = vec![Awaited::of(ws.identity_place().clone())];
    for (store, there) in layers_beside(ws) {
        let (step, number) = (sender.clone(), awaited.len());
        thread::spawn(move || {
            let _ = synced(&Workspace::open(there), Direction::Fetch, &|at| {
                let _ = step.send((number, SyncEvent::Step(at)));
            });
            let _ = step.send((number, SyncEvent::Done(Vec::new())));
        });
        awaited.push(Awaited::of(store));
    }
    drop(sender);
    arrived(ws, &receiver, awaited)
}

/// A sync that a session waits for.
struct Awaited {
    store: Store,
    /// How long its present step may take, and until when.
    patience: Duration,
    until: Instant,
    is_fetching: bool,
    /// It ended, or took too long.
    is_over: bool,
}

impl Awaited {
    fn of(store: Store) -> Awaited {
        let (patience, until) = (FETCH, monotonic::now() + FETCH);
        Awaited { store, patience, until, is_fetching: false, is_over: false }
    }

    fn reached(&mut self, phase: sync::Phase, ws: &Workspace) {
        match phase {
            sync::Phase::Fetching => {
                let is_silent = silence::is_known(ws, &self.store);
                self.patience = if is_silent { BRIEFLY } else { FETCH };
                self.is_fetching = true;
            }
            sync::Phase::Merging | sync::Phase::Writing(..) => {
                (self.patience, self.is_fetching) = (WRITE, false);
            }
            _ => {}
        }
        self.until = monotonic::now() + self.patience;
    }

    fn takes_too_long(&mut self, ws: &Workspace) {
        self.is_over = true;
        if self.is_fetching {
            silence::begins(ws, &self.store);
        }
    }
}

/// Waits for these syncs: for each within its own time limit, for all within that of a session.
fn arrived(
    ws: &Workspace,
    receiver: &mpsc::Receiver<(usize, SyncEvent)>,
    mut awaited: Vec<Awaited>,
) -> Vec<notes::Exchanged> {
    let (end, mut ended, mut arrived) = (monotonic::now() + MAX, 0, Vec::new());
    while let Some(next) = awaited.iter().filter(|one| !one.is_over).map(|one| one.until).min() {
        let limit = next.min(end);
        match receiver.recv_timeout(limit.saturating_duration_since(monotonic::now())) {
            // The total limit has passed: stops the syncs.
            Ok((_, SyncEvent::Step(_))) if monotonic::now() > end => {
                git::abort_all();
                return arrived;
            }
            Ok((at, SyncEvent::Step(phase))) => awaited[at].reached(phase, ws),
            Ok((at, SyncEvent::Done(notes))) => {
                arrived.extend(notes);
                ended += 1;
                awaited[at].is_over = true;
                silence::ends(&awaited[at].store);
            }
            Err(RecvTimeoutError::Timeout) => {
                let late = awaited.iter_mut().filter(|one| !one.is_over);
                let late = late.filter(|one| one.until <= limit || limit == end);
                late.for_each(|one| one.takes_too_long(ws));
            }
            Err(RecvTimeoutError::Disconnected) => return arrived,
        }
    }
    if ended < awaited.len() {
        // Programs that git started would outlive this process.
        git::abort_all();
        while let Ok((_, event)) = receiver.recv_timeout(git::SOON) {
            if let SyncEvent::Done(notes) = event {
                arrived.extend(notes);
            }
        }
    }
    arrived
}

enum SyncEvent {
    Step(sync::Phase),
    Done(Vec<notes::Exchanged>),
}

/// Syncs, and returns what needs a person's attention. An interrupted sync loses nothing; the next
/// one finishes the work. `input` is what the agent tells its hook.
pub fn end(ws: &Workspace, input: &[u8]) -> Vec<String> {
    let in_folder = match elsewhere(ws, input) {
        Ok(in_folder) => in_folder,
        Err(error) => return vec![error.to_string()],
    };
    let ws = in_folder.as_ref().unwrap_or(ws);
    let (sender, receiver) = mpsc::channel();
    let (there, done) = (ws.context().clone(), sender.clone());
    thread::spawn(move || {
        let ws = Workspace::unrecovered(there);
        let synced = synced(&ws, Direction::Both, &|_| {});
        skills::follow(&ws);
        let _ = done.send(synced);
    });
    let layers = layers_beside(ws);
    let awaited = layers.len() + 1;
    for (_, there) in layers {
        let done = sender.clone();
        thread::spawn(move || {
            let ws = Workspace::open(there);
            let is_written = layers::publishes(&ws);
            let direction = if is_written { Direction::Both } else { Direction::Fetch };
            let _ = done.send(synced(&ws, direction, &|_| {}));
        });
    }
    drop(sender);
    let until = ws.now().plus(Stamp::SECOND * WAIT.as_secs().cast_signed());
    let mut warnings = Vec::new();
    for _ in 0..awaited {
        let left = until.micros().saturating_sub(ws.now().micros()).max(0);
        let left = Duration::from_micros(left.cast_unsigned());
        let done = receiver.recv_timeout(left).or_else(|_| {
            git::abort_all();
            receiver.recv_timeout(git::SOON)
        });
        match done {
            Ok(Err(error)) if error.kind() != crate::workspace::ErrorKind::NotSetUp => {
                warnings.push(error.to_string());
            }
            _ => {}
        }
    }
    warnings
}
