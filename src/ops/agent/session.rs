//! What happens when an agent's session starts and ends.
//!
//! Invariant: nothing here makes an agent wait: the start reads files, the end has a time limit. A
//! hook never fails a session.

use super::seen;
use crate::agents::{self, Agent};
use crate::context::layers;
use crate::ops::{Failure, context as layered, sync};
use crate::system::{Context, context::Caller};
use serde_json::json;
use std::{sync::mpsc, thread, time::Duration};

/// Characters that the hooks of agents carry whole.
pub const LIMIT: usize = 10_000;
/// For how long a session's end waits for the remote.
const WAIT: Duration = Duration::from_secs(20);
const NOTE: &str = "\n\n[This is not all; the rest is left out here. `co context` prints it, `co recall \
    \"…\"` finds single facts.]\n";

/// What an agent is told.
pub struct Started {
    pub text: String,
    /// The text in the form that the agent takes.
    pub answer: String,
    pub warnings: Vec<String>,
}

pub fn start(context: &Context, agent: Option<&str>) -> Result<Started, Failure> {
    let (text, warnings) = told(context)?;
    let known = agent.and_then(agents::find);
    if let Some(agent) = known {
        let caller = Caller { client: agent.name.to_owned(), session: String::new() };
        seen::note(&context.clone().called_by(caller), seen::Did::Read);
    }
    let answer = match known {
        Some(agent) if !text.is_empty() => in_form_of(agent, &text),
        _ => text.clone(),
    };
    Ok(Started { text, answer, warnings })
}

/// Each takes another; what is none of them arrives as text.
fn in_form_of(agent: &Agent, text: &str) -> String {
    use crate::agents::hooks::Shape;
    let reply = match agent.hooks.map(|hooks| hooks.shape) {
        None => return text.to_owned(),
        Some(Shape::Flat) => json!({ "additional_context": text }),
        Some(Shape::Own) => json!({ "additionalContext": text }),
        Some(Shape::Nested | Shape::NestedMilliseconds) => json!({
            "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": text },
        }),
    };
    format!("{reply}\n")
}

/// What an agent should know at the start of a session, within the limit and wrapped as a reminder
/// that says when something was left out; and the warnings.
fn told(context: &Context) -> Result<(String, Vec<String>), Failure> {
    let whole = layered::run(context, &layered::Request::default())?;
    // The agent reports the warnings to the person: nobody reads a hook's standard error.
    let said: String = whole.warnings.iter().map(|line| format!("\n\n{line}")).collect();
    let said: String = said.chars().take(LIMIT / 4).collect();
    let wrapped = |text: &str, note: &str| {
        layers::system_reminder(&format!("{}{said}{note}", text.trim_end()))
    };
    if wrapped(&whole.text, "").chars().count() <= LIMIT {
        let text = if whole.text.is_empty() { String::new() } else { wrapped(&whole.text, "") };
        return Ok((text, whole.warnings));
    }
    // A token is at most four characters; what ranks lowest is cut first.
    let room = LIMIT - wrapped("", NOTE).chars().count();
    let request = layered::Request { token_budget: Some(room / 4), ..layered::Request::default() };
    let cut = layered::run(context, &request)?;
    Ok((wrapped(&cut.text, NOTE), whole.warnings))
}

/// Syncs, and says what a person has to see to. What is not done in time is done by the next sync:
/// one that is interrupted loses nothing.
pub fn end(context: &Context) -> Vec<String> {
    let (sender, receiver) = mpsc::channel();
    let context = context.clone();
    thread::spawn(move || {
        // Nobody is there to agree to more than the identity being published.
        let own_commits = sync::OwnCommits::Unpublished;
        let request = sync::Request { own_commits, ..sync::Request::default() };
        let done = sync::run(&context, &request, &|_| {});
        let _ = sender.send(done);
    });
    match receiver.recv_timeout(WAIT) {
        Ok(Err(failure)) if failure.exit != crate::ops::Exit::NotSetUp => vec![failure.message],
        _ => Vec::new(),
    }
}
