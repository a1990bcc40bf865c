//! `agent install`: registers co as an MCP server of agents, and adds its instructions.
//!
//! Invariant: a second install changes nothing. If one file of an agent cannot be changed, none of
//! that agent's files are. A file that two agents read gets one block.

use super::{
    AgentError, agent_cli,
    draft::{self, Draft, LinkedPath},
    list,
    record::{InstalledPart, Record},
};
use crate::agents::{Agent, Command, EditError, State, block, part::Part, splice::Splice, words};
use crate::identity::{Blob, FileChange};
use crate::machine::{Context, files, oplog::OpVerb};
use crate::workspace::{
    Error, Workspace,
    agent_places::{self, Target},
    transaction,
};
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Agent names; if empty, all that are installed here.
    pub agents: Vec<String>,
    pub hooks: Hooks,
    /// Hooks that report which tools are called.
    pub counting: Hooks,
}

/// Whether sessions call co when they start and end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Hooks {
    /// Existing hooks stay, and are brought up to date.
    #[default]
    AsTheyAre,
    With,
}

#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    pub agents: Vec<Planned>,
    pub files: Vec<FileChange<LinkedPath>>,
    /// Agents that are left alone, and why.
    pub refused: Vec<Refused>,
    /// What a person has to know or do.
    pub notes: Vec<String>,
    /// The record before the install.
    #[serde(skip)]
    read: Record,
    #[serde(skip)]
    record: Record,
    #[serde(skip)]
    command: Command,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Planned {
    pub name: &'static str,
    pub title: &'static str,
    /// Whether the install changes anything for this agent.
    pub changes: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct Refused {
    pub name: &'static str,
    pub title: &'static str,
    /// The message of `error`.
    pub why: String,
    #[serde(skip)]
    pub error: Arc<Error>,
}

impl Refused {
    pub(super) fn of(agent: &Agent, error: Error) -> Refused {
        let (name, title, why) = (agent.name, agent.title, error.to_string());
        Refused { name, title, why, error: Arc::new(error) }
    }
}

pub fn plan(context: &Context, request: &Request) -> Result<Plan, Error> {
    let mut agents = match request.agents.as_slice() {
        [] => installed(context)?,
        names => super::named(names)?,
    };
    // An agent whose instructions include another's comes after it.
    agents.sort_by_key(|agent| brings_in(context, agent).is_some());
    let mut draft = Draft::default();
    let record = Record::read(context);
    let command = agent_places::command(context);
    let mut plan = Plan {
        agents: Vec::new(),
        files: Vec::new(),
        refused: Vec::new(),
        notes: Vec::new(),
        read: record.clone(),
        record,
        command,
    };
    for agent in agents {
        // An agent given by name gets the entry beside its plugin.
        if request.agents.is_empty()
            && agent_places::has_plugin(context, agent)
            && !list::has(context, agent, Part::Server).is_there()
        {
            plan.notes.push(format!("{} has co as a plugin, so it is left as it is", agent.title));
            plan.agents.push(Planned { name: agent.name, title: agent.title, changes: false });
            continue;
        }
        let mut tried = AgentDraft {
            context,
            draft: draft.clone(),
            record: plan.record.clone(),
            notes: Vec::new(),
            command: &plan.command,
            changes: false,
        };
        match tried.agent(agent, request) {
            Ok(()) => {
                let AgentDraft { notes, changes, record, draft: done, .. } = tried;
                plan.notes.extend(notes);
                plan.agents.push(Planned { name: agent.name, title: agent.title, changes });
                (plan.record, draft) = (record, done);
            }
            Err(error) => plan.refused.push(Refused::of(agent, error)),
        }
    }
    plan.files = draft.edits();
    Ok(plan)
}

fn installed(context: &Context) -> Result<Vec<&'static Agent>, Error> {
    let found: Vec<&Agent> = crate::agents::ALL
        .iter()
        .filter(|agent| agent_places::is_installed(context, agent))
        .collect();
    if found.is_empty() {
        return Err(AgentError::NoneInstalled.into());
    }
    Ok(found)
}

pub fn apply(ws: &Workspace, plan: &Plan) -> Result<(), Error> {
    let _lock = draft::lock(ws, &plan.read)?;
    if plan.files.is_empty() {
        return Ok(plan.record.write(ws)?);
    }
    draft::refuse_changed(ws, &plan.files)?;
    let names: Vec<&str> = plan.agents.iter().map(|one| one.name).collect();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    for edit in &plan.files {
        match agent_cli::adds(ws, &names, edit, &plan.command) {
            Some(writer) => others.push((edit, writer)),
            None => own.push(edit.clone()),
        }
    }
    let what = names.join(", ");
    draft::carry_out(ws, (OpVerb::Install, &what), &own, &plan.record)?;
    let mut record = plan.record.clone();
    for (edit, writer) in others {
        if !writer.add(ws, &edit.path.target, &plan.command) {
            let by_hand = writer.by_hand(&edit.path.target, &plan.command).map(Blob::from);
            let change = [edit.to(by_hand.or(edit.after.clone()))];
            transaction::write_machine_files(ws, OpVerb::Install, &what, &change)?;
        }
        // The agent's own program may have written something other than the planned text.
        let now = files::read_text(&edit.path.target)?.unwrap_or_default();
        for entry in record.entries.iter_mut().filter(|entry| entry.file == edit.path.target) {
            entry.splice = Splice::between(draft::text_of(&edit.before), &now);
        }
    }
    Ok(record.write(ws)?)
}

/// The plan for one agent, on a copy of the draft so far.
struct AgentDraft<'a> {
    context: &'a Context,
    draft: Draft,
    record: Record,
    notes: Vec<String>,
    command: &'a Command,
    changes: bool,
}

impl AgentDraft<'_> {
    fn agent(&mut self, agent: &'static Agent, request: &Request) -> Result<(), Error> {
        let hooks = request.hooks;
        for part in Part::ALL {
            let target = match agent_places::target(self.context, agent, part) {
                None => continue,
                Some(Err(elsewhere)) => {
                    self.owned_by(agent, &draft::real(&elsewhere.file), part);
                    self.notes.push(elsewhere.why);
                    continue;
                }
                Some(Ok(target)) => target,
            };
            if part == Part::Instructions && self.is_included(agent)? {
                continue;
            }
            let wanted = if part == Part::Counting { request.counting } else { hooks };
            self.part(agent, part, &target, wanted)?;
            if let Some(other) = agent_places::also(self.context, agent, part) {
                self.part(agent, part, &other, wanted)?;
            }
        }
        let trust = agent.hooks.and_then(|hooks| hooks.trust);
        if let (true, Hooks::With, Some(how)) = (self.changes, hooks, trust) {
            self.notes
                .push(format!("{} runs a hook only after you have trusted it: {how}", agent.title));
        }
        if agent.hooks.is_none() && hooks == Hooks::With {
            self.notes.push(format!("{} has no hooks that co can use", agent.title));
        }
        if let (true, Some(note)) = (self.changes, agent.note) {
            self.notes.push(note.to_owned());
        }
        Ok(())
    }

    fn part(
        &mut self,
        agent: &'static Agent,
        part: Part,
        target: &Target,
        hooks: Hooks,
    ) -> Result<(), Error> {
        let unfit = |why: EditError| unfit(self.context, &target.file, why);
        let was_open = self.draft.clone();
        let (file, text) = self.draft.open(self.context, &target.file)?;
        let state = match part.state(agent, &text, self.command) {
            Err(EditError::Theirs) => {
                let file = self.context.shown(&target.file);
                self.notes.push(format!("{file} exists and is not co's: it was left unchanged"));
                self.draft = was_open;
                return Ok(());
            }
            state => state.map_err(unfit)?,
        };
        if state == State::Stale && part.is_edited(&text) {
            let shown = self.context.shown(&target.file);
            self.notes.push(format!(
                "{shown}: co's block was edited by hand, so it was left unchanged; delete the \
                 block to have it written again"
            ));
            self.owned_by(agent, &file, part);
            return Ok(());
        }
        if part.is_hook() && state == State::Missing && hooks == Hooks::AsTheyAre {
            self.draft = was_open;
            return Ok(());
        }
        let known = self.record.find(&file, part).cloned();
        if state == State::Current {
            self.owned_by(agent, &file, part);
            return Ok(());
        }
        if state == State::Stale && self.renewed(&file, &text).map_err(unfit)? {
            self.owned_by(agent, &file, part);
            return Ok(());
        }
        let after = part.with(agent, &text, self.command, target.head).map_err(unfit)?;
        // The text without co's part: an older version of the part is removed first.
        let made = known.as_ref().is_some_and(|entry| entry.created);
        let taken = known.as_ref().and_then(|entry| entry.splice.taken_back(&text));
        let before = match taken {
            Some(before) => before,
            None if state == State::Missing => text,
            None => part.without(agent, &text, self.command, made).map_err(unfit)?,
        };
        let mut agents = known.as_ref().map_or_else(Vec::new, |entry| entry.agents.clone());
        if !agents.iter().any(|name| name == agent.name) {
            agents.push(agent.name.to_owned());
        }
        let created = known.as_ref().map_or(!self.draft.was_there(&file), |entry| entry.created);
        let folders = known.map_or_else(|| draft::missing_folders(&file), |entry| entry.folders);
        self.record.entries.retain(|entry| entry.file != file || entry.part != part);
        self.record.entries.push(InstalledPart {
            splice: Splice::between(&before, &after),
            file: file.clone(),
            part,
            agents,
            created,
            folders,
        });
        self.draft.set(&file, Some(after));
        self.changes = true;
        Ok(())
    }

    /// Reverts and rewrites all of co's parts in a file, so that each can be reverted again.
    /// Returns false if somebody changed the file since.
    fn renewed(&mut self, file: &Path, text: &str) -> Result<bool, EditError> {
        let (old, others): (Vec<InstalledPart>, Vec<InstalledPart>) =
            self.record.entries.iter().cloned().partition(|entry| entry.file == file);
        let taken = |text: String, entry: &InstalledPart| entry.splice.taken_back(&text);
        let Some(mut now) = old.iter().rev().try_fold(text.to_owned(), taken) else {
            return Ok(false);
        };
        let mut new = Vec::new();
        for entry in &old {
            let agent = entry.agents.iter().find_map(|name| crate::agents::find(name));
            let target =
                agent.and_then(|agent| agent_places::target(self.context, agent, entry.part));
            let (Some(agent), Some(Ok(target))) = (agent, target) else { return Ok(false) };
            let after = entry.part.with(agent, &now, self.command, target.head)?;
            new.push(InstalledPart { splice: Splice::between(&now, &after), ..entry.clone() });
            now = after;
        }
        if new.is_empty() {
            return Ok(false);
        }
        self.record.entries = others.into_iter().chain(new).collect();
        self.draft.set(file, Some(now));
        self.changes = true;
        Ok(true)
    }

    /// Adds the agent to the owners of an existing part.
    fn owned_by(&mut self, agent: &Agent, file: &Path, part: Part) {
        let mine = |entry: &&mut InstalledPart| entry.file == file && entry.part == part;
        let entry = self.record.entries.iter_mut().find(mine);
        if let Some(entry) = entry.filter(|one| !one.agents.iter().any(|name| name == agent.name)) {
            entry.agents.push(agent.name.to_owned());
        }
    }

    /// Whether the instructions include a file that has the block, which would then be read twice.
    fn is_included(&mut self, agent: &'static Agent) -> Result<bool, Error> {
        let Some((file, others)) = brings_in(self.context, agent) else { return Ok(false) };
        for other in others {
            let (target, text) = self.draft.clone().open(self.context, &other)?;
            if matches!(block::state(&text, words::BLOCK), Ok(State::Current | State::Stale)) {
                self.owned_by(agent, &target, Part::Instructions);
                let (file, other) = (self.context.shown(&file), self.context.shown(&other));
                self.notes.push(format!("{file} includes {other}, which already has the block"));
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// An agent's instructions file without a block, and the files that it includes.
fn brings_in(context: &Context, agent: &'static Agent) -> Option<(PathBuf, Vec<PathBuf>)> {
    let file = agent_places::target(context, agent, Part::Instructions)?.ok()?.file;
    let text = files::read_text(&draft::real(&file)).ok().flatten()?;
    if !agent.includes || block::state(&text, words::BLOCK) != Ok(State::Missing) {
        return None;
    }
    let folder = file.parent().unwrap_or(&file);
    let others: Vec<PathBuf> = included(&text).map(|named| context.expand(named, folder)).collect();
    (!others.is_empty()).then_some((file, others))
}

/// The files that a text includes with `@path`.
fn included(text: &str) -> impl Iterator<Item = &str> {
    let words = text.lines().flat_map(str::split_whitespace);
    words.filter_map(|word| word.strip_prefix('@')).filter(|path| !path.is_empty())
}

pub(super) fn unfit(context: &Context, file: &Path, source: EditError) -> Error {
    AgentError::Edit { file: context.shown(file), source }.into()
}
