//! `doctor`: checks that everything that co needs on this laptop works.
//!
//! Invariant: changes no file and no repository. Each problem comes with a way to fix it. A check
//! that cannot be made is reported, and does not stop the others.

mod git;
mod layers;
mod machine;
mod recall;

use crate::integrations::agent::{
    doctor::{self as agents, Check as OfAgent},
    list,
};
use crate::machine::files;
use crate::workspace::{Error, Workspace, recognise};
use serde::Serialize;
use std::sync::Arc;

pub use agents::Level;

/// What a check examines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Area {
    Settings,
    Folder,
    Layers,
    Files,
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
            Area::Layers => "layers",
            Area::Files => "files",
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

#[derive(Clone, Debug, Serialize)]
pub struct Check {
    pub area: Area,
    pub level: Level,
    pub message: String,
    #[serde(rename = "hint")]
    pub mend: Option<Remedy>,
}

/// How to fix a problem.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Remedy {
    /// A command as it can be typed.
    Command(String),
    Sentence(String),
    /// The first hint for an error, or a command. The presentation layer replaces it with text: see
    /// [`Report::explained`].
    #[serde(skip)]
    Explanation {
        error: Arc<Error>,
        otherwise: &'static str,
    },
}

impl Remedy {
    fn command(text: impl Into<String>) -> Remedy {
        Remedy::Command(text.into())
    }

    fn sentence(text: impl Into<String>) -> Remedy {
        Remedy::Sentence(text.into())
    }
}

impl Check {
    fn ok(area: Area, message: impl Into<String>) -> Check {
        Check { area, level: Level::Ok, message: message.into(), mend: None }
    }

    fn warning(area: Area, message: impl Into<String>, mend: Remedy) -> Check {
        Check { area, level: Level::Warning, message: message.into(), mend: Some(mend) }
    }

    fn error(area: Area, message: impl Into<String>, mend: Remedy) -> Check {
        Check { area, level: Level::Error, message: message.into(), mend: Some(mend) }
    }

    /// `otherwise` is the command to fix it if the error has no hint.
    fn failed(area: Area, error: impl Into<Error>, otherwise: &'static str) -> Check {
        let error: Error = error.into();
        let message = error.to_string();
        let mend = Remedy::Explanation { error: Arc::new(error), otherwise };
        Check::error(area, message, mend)
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub version: &'static str,
    pub checks: Vec<Check>,
    pub errors: usize,
    pub warnings: usize,
}

impl Report {
    /// Replaces explanations with the text of the error's hint.
    pub fn explained(mut self, hint: impl Fn(&Error) -> Option<String>) -> Report {
        for mend in self.checks.iter_mut().filter_map(|check| check.mend.as_mut()) {
            if let Remedy::Explanation { error, otherwise } = mend {
                *mend = hint(error).map_or_else(|| Remedy::command(*otherwise), Remedy::Sentence);
            }
        }
        self
    }
}

pub fn run(ws: &Workspace) -> Report {
    let mut checks = machine::settings(ws);
    checks.extend(machine::folder(ws));
    checks.extend(layers::all(ws));
    let program = git::program();
    let has_git = program.level == Level::Ok;
    checks.push(program);
    if is_identity(ws) {
        checks.extend(machine::files(ws));
        if has_git {
            checks.extend(git::repository(ws));
        }
        checks.extend(machine::keyring(ws));
        checks.extend(recall::all(ws));
    }
    checks.extend(machine::clock(ws));
    checks.extend(machine::zone(ws));
    checks.extend(of_agents(ws));
    let count = |level| checks.iter().filter(|check| check.level == level).count();
    let (errors, warnings) = (count(Level::Error), count(Level::Warning));
    Report { version: env!("CARGO_PKG_VERSION"), checks, errors, warnings }
}

fn is_identity(ws: &Workspace) -> bool {
    let identity = &ws.identity.resolved;
    files::is_dir(identity) && recognise::refuse_folder(ws, identity).is_ok()
}

/// One line for each agent that has a part of co, or the problems with it.
fn of_agents(ws: &Workspace) -> Vec<Check> {
    let connected = list::connected(ws).iter().map(|row| row.name.to_owned()).collect();
    let request = agents::Request { agents: connected };
    if request.agents.is_empty() {
        let message = "none connected; `co agent install --all` connects those installed here";
        return vec![Check::ok(Area::Agents, message)];
    }
    let Ok(report) = agents::run(ws, &request) else { return Vec::new() };
    let mut checks: Vec<Check> = Vec::new();
    let of_identity = |check: &&OfAgent| check.what != "identity";
    for check in report.checks.iter().filter(of_identity) {
        let message = match (check.level, check.what) {
            (Level::Ok, "answer") => format!("{}: {}", check.title, check.message),
            // One line is enough for an agent that works.
            (Level::Ok, _) => continue,
            (_, what) => format!("{}, {what}: {}", check.title, check.message),
        };
        let mend = check.hint.as_ref().map(|hint| {
            if hint.contains('`') { Remedy::sentence(hint) } else { Remedy::command(hint) }
        });
        let (area, level) = (Area::Agents, check.level);
        // A part that is off or changed by hand is the person's choice: `agent doctor` says more.
        let mend =
            mend.or_else(|| (level != Level::Ok).then(|| Remedy::command("co doctor agents")));
        checks.push(Check { area, level, message, mend });
    }
    checks
}
