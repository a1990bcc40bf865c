//! `doctor`: whether everything that co needs on this laptop works.
//!
//! Invariant: changes nothing, in no file and no repository; each fault has its mend. A check that
//! cannot be made says so, and the others are made all the same.

mod git;
mod machine;
mod recall;

use super::{
    agent::doctor::{self as agents, Check as OfAgent},
    recognise,
};
use crate::system::{Context, files};
use serde::Serialize;

pub use agents::Level;

/// What a check looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    Settings,
    Folder,
    Git,
    Remote,
    Hooks,
    Keyring,
    Recall,
    Clock,
    Agents,
}

impl Area {
    pub fn name(self) -> &'static str {
        match self {
            Area::Settings => "settings",
            Area::Folder => "folder",
            Area::Git => "git",
            Area::Remote => "remote",
            Area::Hooks => "hooks",
            Area::Keyring => "keyring",
            Area::Recall => "recall",
            Area::Clock => "clock",
            Area::Agents => "agents",
        }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Check {
    pub area: Area,
    pub level: Level,
    pub message: String,
    /// What mends it: a command, or a sentence.
    pub hint: Option<String>,
}

impl Check {
    fn ok(area: Area, message: impl Into<String>) -> Check {
        Check { area, level: Level::Ok, message: message.into(), hint: None }
    }

    fn warning(area: Area, message: impl Into<String>, hint: impl Into<String>) -> Check {
        Check { area, level: Level::Warning, message: message.into(), hint: Some(hint.into()) }
    }

    fn error(area: Area, message: impl Into<String>, hint: impl Into<String>) -> Check {
        Check { area, level: Level::Error, message: message.into(), hint: Some(hint.into()) }
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub version: &'static str,
    pub checks: Vec<Check>,
    pub errors: usize,
    pub warnings: usize,
}

pub fn run(context: &Context) -> Report {
    let mut checks = machine::settings(context);
    checks.extend(machine::folder(context));
    checks.extend(git::program());
    if is_identity(context) {
        checks.extend(git::repository(context));
        checks.extend(machine::keyring(context));
        checks.extend(recall::all(context));
    }
    checks.extend(machine::clock(context));
    checks.extend(of_agents(context));
    let count = |level| checks.iter().filter(|check| check.level == level).count();
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    Report { version: env!("CARGO_PKG_VERSION"), checks, errors, warnings }
}

fn is_identity(context: &Context) -> bool {
    let identity = &context.identity.resolved;
    files::is_dir(identity) && recognise::refuse_folder(context, identity).is_ok()
}

/// The agents that have a part of co, each in a line, or what is wrong with it.
fn of_agents(context: &Context) -> Vec<Check> {
    let Ok(report) = agents::run(context, &agents::Request::default()) else { return Vec::new() };
    let mut checks: Vec<Check> = Vec::new();
    let of_identity = |check: &&OfAgent| check.what != "identity";
    for check in report.checks.iter().filter(of_identity) {
        let message = match (check.level, check.what) {
            (Level::Ok, "answer") => format!("{}: {}", check.title, check.message),
            // One line is enough for an agent that works.
            (Level::Ok, _) => continue,
            (_, what) => format!("{}, {what}: {}", check.title, check.message),
        };
        let (level, hint) = (check.level, check.hint.clone());
        checks.push(Check { area: Area::Agents, level, message, hint });
    }
    if checks.is_empty() {
        checks.push(Check::ok(Area::Agents, "none that co knows is installed here"));
    }
    checks
}
