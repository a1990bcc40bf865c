//! `doctor`: checks that everything that co needs on this laptop works.
//!
//! Invariant: changes no file and no repository. Each problem comes with a way to fix it. A check
//! that cannot be made is reported, and does not stop the others.

mod check;
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
use check::Area;
use serde::Serialize;

pub use agents::Level;
pub use check::{Check, Remedy};

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
