//! `agent uninstall`: removes co's parts from agents' files.
//!
//! Invariant: a file that nobody changed since is restored byte for byte; a changed one loses only
//! co's part. A part that another agent still reads stays.

use super::{
    AgentError, agent_cli,
    draft::{self, Draft, LinkedPath},
    install::{Refused, unfit},
    list,
    record::{InstalledPart, Record},
};
use crate::agents::{self, Agent, EditError, State, part::Part, words};
use crate::identity::{Blob, FileChange};
use crate::machine::{Context, files, oplog::OpVerb};
use crate::workspace::{Error, Workspace, agent_places, transaction};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Agent names; if empty, all that have a part of co.
    pub agents: Vec<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    pub agents: Vec<&'static str>,
    pub files: Vec<FileChange<LinkedPath>>,
    pub refused: Vec<Refused>,
    /// What stays, and why.
    pub notes: Vec<String>,
    #[serde(skip)]
    read: Record,
    #[serde(skip)]
    record: Record,
    /// Folders that were created for files that are removed.
    #[serde(skip)]
    folders: Vec<PathBuf>,
}

pub fn plan(context: &Context, request: &Request) -> Result<Plan, Error> {
    let named = super::named(&request.agents)?;
    let agents: Vec<&'static Agent> = match named.as_slice() {
        [] => agents::ALL.iter().collect(),
        _ => named,
    };
    let names: Vec<&str> = agents.iter().map(|agent| agent.name).collect();
    let mut taken = UninstallDraft {
        context,
        draft: Draft::default(),
        record: Record::read(context),
        folders: Vec::new(),
        notes: Vec::new(),
    };
    let (mut touched, mut refused) = (Vec::new(), Vec::new());
    let agents_before = taken.record.clone();
    for agent in agents.into_iter().rev() {
        let before = taken.clone();
        match taken.agent(agent, &names) {
            Ok(true) => touched.push(agent.name),
            Ok(false) => {}
            Err(error) => {
                taken = before;
                refused.push(Refused::of(agent, error));
            }
        }
    }
    touched.reverse();
    taken.name_what_stays(&touched, &agents_before);
    if touched.is_empty() && refused.is_empty() {
        return Err(AgentError::NotConnected.into());
    }
    let UninstallDraft { draft, record, folders, notes, .. } = taken;
    let read = agents_before;
    Ok(Plan { agents: touched, files: draft.edits(), refused, notes, read, record, folders })
}

pub fn apply(ws: &Workspace, plan: &Plan) -> Result<(), Error> {
    let _lock = draft::lock(ws, &plan.read)?;
    draft::refuse_changed(ws, &plan.files)?;
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for edit in &plan.files {
        match agent_cli::removes(ws, &plan.agents, edit) {
            Some(writer) => others.push((edit, writer)),
            None => own.push(edit.clone()),
        }
    }
    let what = plan.agents.join(", ");
    draft::carry_out(ws, (OpVerb::Uninstall, &what), &own, &plan.record)?;
    for (edit, writer) in others {
        let is_gone = writer.remove(ws, &edit.path.target);
        if !is_gone && files::read_text(&edit.path.target)?.map(Blob::from) == edit.before {
            let change = [edit.to(edit.after.clone())];
            transaction::write_machine_files(ws, OpVerb::Uninstall, &what, &change)?;
        }
    }
    plan.folders.iter().for_each(|folder| files::remove_empty(folder));
    Ok(())
}

impl UninstallDraft<'_> {
    /// Reports files that other agents still read.
    fn name_what_stays(&mut self, gone: &[&str], before: &Record) {
        let had =
            |entry: &&InstalledPart| entry.agents.iter().any(|name| gone.contains(&name.as_str()));
        for entry in before.entries.iter().filter(had) {
            let Some(left) = self.record.find(&entry.file, entry.part) else { continue };
            let file = self.context.shown(&entry.file);
            let titles: Vec<&str> = left.agents.iter().map(|name| agents::title(name)).collect();
            self.notes.push(format!("{file} is kept for {}", titles.join(", ")));
        }
    }
}

#[derive(Clone)]
struct UninstallDraft<'a> {
    context: &'a Context,
    draft: Draft,
    record: Record,
    folders: Vec<PathBuf>,
    notes: Vec<String>,
}

impl UninstallDraft<'_> {
    /// Returns whether the agent had any part of co.
    fn agent(&mut self, agent: &'static Agent, going: &[&str]) -> Result<bool, Error> {
        let is_mine = |entry: &&InstalledPart| entry.agents.iter().any(|name| name == agent.name);
        let recorded: Vec<InstalledPart> =
            self.record.entries.iter().filter(is_mine).cloned().collect();
        let mut found = false;
        // In reverse order of writing, so that each splice fits the text before it.
        for entry in recorded.iter().rev() {
            self.entry(agent, entry)?;
            found = true;
        }
        let targets = |part| {
            let all = agent_places::targets(self.context, agent, part);
            all.into_iter().map(move |target| (part, target)).collect::<Vec<_>>()
        };
        for (part, target) in Part::ALL.into_iter().flat_map(targets).collect::<Vec<_>>() {
            let file = draft::real(&target.file);
            let is_known = |entry: &InstalledPart| entry.file == file && entry.part == part;
            let is_known = recorded.iter().any(is_known) || self.record.find(&file, part).is_some();
            if is_known || !files::exists(&file) || self.is_for_others(agent, part, going) {
                continue;
            }
            found |= self.unrecorded(agent, part, &target.file)?;
        }
        self.name_foreign(agent);
        Ok(found)
    }

    fn entry(&mut self, agent: &'static Agent, entry: &InstalledPart) -> Result<(), Error> {
        let same = |other: &InstalledPart| other.file == entry.file && other.part == entry.part;
        let others: Vec<String> =
            entry.agents.iter().filter(|name| *name != agent.name).cloned().collect();
        if !others.is_empty() {
            for other in self.record.entries.iter_mut().filter(|other| same(other)) {
                other.agents.clone_from(&others);
            }
            return Ok(());
        }
        self.record.entries.retain(|other| !same(other));
        if !files::is_there(&entry.file) {
            return Ok(());
        }
        let (file, text) = self.draft.open(self.context, &entry.file)?;
        if self.is_left(entry.part, &file, &text) {
            return Ok(());
        }
        let after = match entry.splice.taken_back(&text) {
            Some(before) => before,
            None => {
                let group = group_of(agent, entry.part);
                let wrote = |text: String| entry.splice.wrote(&text);
                let made = entry.created
                    || wrote(format!("\"{group}\": {{"))
                    || wrote(format!("{group}:\n"));
                {
                    let command = agent_places::command(self.context);
                    let without = entry.part.without(agent, &text, &command, made);
                    without.map_err(|why| unfit(self.context, &file, why))?
                }
            }
        };
        let is_gone = is_empty(entry.part, &after) && entry.created;
        if is_gone {
            self.folders.extend(entry.folders.iter().cloned());
        }
        self.draft.set(&file, (!is_gone).then_some(after));
        Ok(())
    }

    /// A part that is not in the record: written by another co, or the record was lost.
    fn unrecorded(
        &mut self,
        agent: &'static Agent,
        part: Part,
        named: &Path,
    ) -> Result<bool, Error> {
        let untouched = self.draft.clone();
        let (file, text) = self.draft.open(self.context, named)?;
        let command = agent_places::command(self.context);
        // A file that cannot be read has no part that could be removed.
        let state = part.state(agent, &text, &command).unwrap_or(State::Missing);
        if state == State::Missing {
            self.draft = untouched;
            return Ok(false);
        }
        if self.is_left(part, &file, &text) {
            return Ok(true);
        }
        let without = part.without(agent, &text, &command, false);
        let after = without.map_err(|why| unfit(self.context, named, why))?;
        let is_gone = part == Part::Skill && is_empty(part, &after);
        self.draft.set(&file, (!is_gone).then_some(after));
        Ok(true)
    }

    /// Leaves text that a person changed between the marks, and reports it.
    fn is_left(&mut self, part: Part, file: &Path, text: &str) -> bool {
        let is_edited = part.is_edited(text);
        if is_edited {
            let file = self.context.shown(file);
            self.notes.push(format!(
                "{file}: co's text was edited by hand, so it was left there: delete it yourself"
            ));
        }
        is_edited
    }

    /// Reports a server named co that starts something else.
    fn name_foreign(&mut self, agent: &'static Agent) {
        let Some(Ok(target)) = agent_places::target(self.context, agent, Part::Server) else {
            return;
        };
        let text = files::read_text(&draft::real(&target.file)).ok().flatten().unwrap_or_default();
        let state = agent.server.state(&text, &agent_places::command(self.context));
        if state == Err(EditError::Foreign) {
            let file = self.context.shown(&target.file);
            self.notes.push(format!(
                "{file} has a server named co that is not this program: it was left there"
            ));
        }
    }

    /// Whether an agent that keeps co reads the same file.
    fn is_for_others(&self, agent: &'static Agent, part: Part, going: &[&str]) -> bool {
        let file_of =
            |agent| Some(draft::real(&agent_places::target(self.context, agent, part)?.ok()?.file));
        let Some(mine) = file_of(agent) else { return false };
        agents::ALL.iter().any(|other| {
            let stays = other.name != agent.name && !going.contains(&other.name);
            stays
                && file_of(other).as_ref() == Some(&mine)
                && list::has(self.context, other, Part::Server).is_there()
        })
    }
}

/// Whether only the text that co wrote around its part is left.
fn is_empty(part: Part, text: &str) -> bool {
    let head = if part == Part::Skill { words::SKILL_HEAD.trim() } else { "" };
    let rest = text.trim();
    rest.is_empty() || rest == "{}" || rest == head || rest == "---\napplyTo: '**'\n---"
}

fn group_of(agent: &Agent, part: Part) -> &'static str {
    match part {
        Part::Hooks | Part::Counting => "hooks",
        _ => agent.server.group,
    }
}
