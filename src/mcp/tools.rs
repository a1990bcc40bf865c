//! The tools, in a fixed order, each one verb.
//!
//! Invariant: a row says all that a client is told of a tool. The order never changes, so that
//! clients can keep what they were told.

use super::failure::Failure;
use super::{
    answer,
    arguments::{
        ForgetMemory, GetContext, KnowledgeDelete, KnowledgeList, KnowledgeSearch, KnowledgeWrite,
        ListMemories, RecallMemory, SaveKnowledge, SaveMemory, ScopeName,
    },
    resources, schema,
};
use crate::display::{knowledge, memories};
use crate::foreign::{Said, said, unquoted};
use crate::knowledge::{DocSummary, compile::Limits};
use crate::ops::{
    ErrorKind, forget,
    knowledge::{add, compile, delete, list as documents, search, write},
    list, recall,
    remember::{self, Remembered},
    save,
    store::Scope,
};
use crate::secrets::Allowed;
use crate::system::{Context, fetch::AddressPolicy};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a tool is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Memory,
    Knowledge,
}

/// What a tool does to the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Reads,
    /// The same again changes nothing.
    Adds,
    /// Replaces or deletes.
    Changes,
}

pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub group: Group,
    pub effect: Effect,
    pub schema: fn() -> JsonObject,
    pub call: fn(&Call<'_>, Value) -> Result<Said, Failure>,
}

pub struct Call<'a> {
    pub context: &'a Context,
    pub docs: &'a [DocSummary],
    /// Keeps what it read for the next question.
    pub recall: &'a recall::Asking,
}

/// Which tools a server offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// `None`: those of memory, and those of knowledge where there are documents.
    pub names: Option<Vec<String>>,
    pub access: Access,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    ReadOnly,
    ReadWrite,
}

/// The arguments of a tool know how it runs.
trait Arguments: DeserializeOwned + JsonSchema {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure>;
}

const fn tool<A: Arguments>(
    name: &'static str,
    title: &'static str,
    (group, effect): (Group, Effect),
    description: &'static str,
) -> Tool {
    Tool { name, title, description, group, effect, schema: schema::of::<A>, call: run::<A> }
}

fn run<A: Arguments>(call: &Call<'_>, arguments: Value) -> Result<Said, Failure> {
    read::<A>(arguments)?.run(call)
}

fn read<A: Arguments>(arguments: Value) -> Result<A, Failure> {
    serde_json::from_value(arguments).map_err(|error| {
        Failure::new(ErrorKind::Invalid, format!("the arguments do not fit: {error}"))
            .hint("call it again with the arguments that its schema names")
    })
}

pub static ALL: &[Tool] = &[
    tool::<SaveMemory>(
        "save_memory",
        "Save a fact about the user",
        (Group::Memory, Effect::Adds),
        "Save one lasting fact about the user (preference, habit, decision, correction). When they \
         ask to remember, or state one. No secrets, nothing that holds only today.",
    ),
    tool::<RecallMemory>(
        "recall_memory",
        "Find facts about the user",
        (Group::Memory, Effect::Reads),
        "Find saved facts that answer a question. Use before asking the user what they may have \
         said before.",
    ),
    tool::<ListMemories>(
        "list_memories",
        "List facts about the user",
        (Group::Memory, Effect::Reads),
        "List all saved facts: number, date, tags, first line.",
    ),
    tool::<ForgetMemory>(
        "forget_memory",
        "Forget a fact",
        (Group::Memory, Effect::Changes),
        "Forget one fact, on all of the user's machines. Only when the user wants it, or a saved \
         fact is wrong. `co undo` takes it back.",
    ),
    tool::<GetContext>(
        "get_context",
        "Read who the user is",
        (Group::Memory, Effect::Reads),
        "The user's profile, preferences, knowledge of the project, newest facts. Read it once at \
         the start, unless it is in the conversation already.",
    ),
    tool::<KnowledgeSearch>(
        "knowledge_search",
        "Search the user's documents",
        (Group::Knowledge, Effect::Reads),
        "At most 5 of the user's documents that answer a question, with their text.",
    ),
    tool::<KnowledgeWrite>(
        "knowledge_write",
        "Write a document",
        (Group::Knowledge, Effect::Changes),
        "Write or replace a document by its topic: what is longer than a fact.",
    ),
    tool::<KnowledgeList>(
        "knowledge_list",
        "List the user's documents",
        (Group::Knowledge, Effect::Reads),
        "All documents: topic, tags, source.",
    ),
    tool::<KnowledgeDelete>(
        "knowledge_delete",
        "Delete a document",
        (Group::Knowledge, Effect::Changes),
        "Delete a document by its topic. `co undo` takes it back.",
    ),
    tool::<SaveKnowledge>(
        "save_knowledge",
        "Save an article",
        (Group::Knowledge, Effect::Adds),
        "Keep an article or page that somebody else wrote, with where it came from.",
    ),
];

impl Chosen {
    /// `memory`, `knowledge`, `all`, or names of tools, with commas; fails with what is none.
    pub fn parse(text: &str, access: Access) -> Result<Chosen, String> {
        let mut names = Vec::new();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let is_meant = |tool: &&Tool| match word {
                "all" => true,
                "memory" => tool.group == Group::Memory,
                "knowledge" => tool.group == Group::Knowledge,
                name => tool.name == name,
            };
            let meant: Vec<String> =
                ALL.iter().filter(is_meant).map(|tool| tool.name.to_owned()).collect();
            if meant.is_empty() {
                return Err(word.to_owned());
            }
            names.extend(meant);
        }
        Ok(Chosen { names: Some(names), access })
    }

    /// Whether there is a tool at all.
    pub fn is_empty(&self) -> bool {
        !ALL.iter().any(|tool| self.allows(tool))
    }

    /// Whether the tool of that name may be called.
    pub fn has(&self, name: &str) -> bool {
        ALL.iter().any(|tool| tool.name == name && self.allows(tool))
    }

    /// Whether a tool may be called.
    pub fn allows(&self, tool: &Tool) -> bool {
        let is_named =
            self.names.as_ref().is_none_or(|names| names.iter().any(|name| name == tool.name));
        is_named && (self.access == Access::ReadWrite || tool.effect == Effect::Reads)
    }

    /// Whether a client is told of a tool: by default of those that there is a use for.
    pub fn offers(&self, tool: &Tool, has_documents: bool) -> bool {
        let is_of_use = tool.group == Group::Memory || has_documents;
        self.allows(tool) && (self.names.is_some() || is_of_use)
    }
}

/// The one fact that `forget_memory` means; several are named, and none is chosen.
pub fn to_forget(context: &Context, arguments: Value) -> Result<forget::Plan, Failure> {
    let what: ForgetMemory = read(arguments)?;
    let request = forget::Request { what: what.memory.clone(), scope: None };
    one(forget::plan(context, &request)?, &what.memory)
}

fn one(plan: forget::Plan, said: &str) -> Result<forget::Plan, Failure> {
    match plan.matches().len() {
        1 => Ok(plan),
        _ => Err(plan.ambiguous(said).into()),
    }
}

impl Arguments for SaveMemory {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let scope = self.scope.map(|name| match name {
            ScopeName::Identity => Scope::Identity,
            ScopeName::Project => Scope::Project,
        });
        let request = save::Request {
            text: unquoted(&self.content).into_owned(),
            tags: self.tags,
            scope,
            ..Default::default()
        };
        let report = match remember::run(call.context, request)? {
            Remembered::Saved(report) => report,
            Remembered::Answered => {
                return Ok(Said::from("Not saved: the user answered this before.\n"));
            }
            Remembered::Waits { why } => {
                return Ok(said!(
                    "Not saved yet: {}. It waits for the user, who answers with `co review`.\n",
                    why
                ));
            }
        };
        let mut text = memories::saved(&report, "forget_memory") + memories::location(&report);
        if !report.undoable {
            text.push("The operation log cannot be written: undo does not know of this one.\n");
        }
        Ok(text)
    }
}

impl Arguments for RecallMemory {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let among = recall::Among { tags: self.tags, ..Default::default() };
        let limit = self.max_results.unwrap_or(recall::DEFAULT_LIMIT).max(1);
        let report = call.recall.run(
            call.context,
            &recall::Request { query: answer::question(self.query), limit, among },
        )?;
        let mut text = memories::recalled(&report) + answer::unread(report.findings.len());
        if report.results.is_empty() && !report.nearest.is_empty() {
            text.push(memories::nearest(&report));
        }
        Ok(Said::from(answer::SAVED) + answer::cut(text))
    }
}

impl Arguments for ListMemories {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = list::Request { scope: None, tags: self.tags };
        let report = list::run(call.context, &request)?;
        let text = answer::cut(memories::listed(&report)) + answer::unread(report.findings.len());
        Ok(Said::from(answer::SAVED) + text)
    }
}

impl Arguments for ForgetMemory {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = forget::Request { what: self.memory.clone(), scope: None };
        let plan = one(forget::plan(call.context, &request)?, &self.memory)?;
        Ok(memories::forgotten(&forget::apply(call.context, &plan)?))
    }
}

impl Arguments for GetContext {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        if let Some(query) = self.query {
            let usual = Limits::default();
            let limits = Limits { tokens: self.max_tokens.unwrap_or(usual.tokens), ..usual };
            let request = compile::Request { query: answer::question(query), limits };
            return Ok(compile::run(call.context, &request, call.docs)?.text);
        }
        resources::context(call.context, self.max_tokens)
    }
}

impl Arguments for KnowledgeSearch {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = search::Request {
            query: answer::question(self.query),
            limit: search::DEFAULT_LIMIT,
            among: documents::Among::default(),
            token_budget: Some(self.max_tokens.unwrap_or(answer::MOST_TOKENS)),
        };
        let report = search::run(call.context, &request, call.docs)?;
        Ok(Said::from(answer::SAVED) + knowledge::found(&report, |answer| &answer.content))
    }
}

impl Arguments for KnowledgeWrite {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let fields = write::Fields {
            tags: (!self.tags.is_empty()).then_some(self.tags),
            ..write::Fields::default()
        };
        let (topic, content) = (self.topic, unquoted(&self.content).into_owned());
        let request = write::Request { topic, content, fields, ..Default::default() };
        let report = write::run(call.context, &request)?;
        Ok(said!("{}\n{}\n", knowledge::written(&report), knowledge::labels(&report)))
    }
}

impl Arguments for KnowledgeList {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let among = documents::Among { labels: self.tags, ..Default::default() };
        let report = documents::run(call.context, &among, call.docs)?;
        Ok(Said::from(answer::SAVED) + answer::cut(knowledge::table(&report)))
    }
}

impl Arguments for KnowledgeDelete {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = delete::Request { topics: vec![self.topic], ..Default::default() };
        let plan = delete::plan(call.context, &request)?;
        Ok(knowledge::deleted(&delete::apply(call.context, &plan)?))
    }
}

impl Arguments for SaveKnowledge {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = add::Request {
            sources: vec![add::Source::Given {
                bytes: unquoted(&self.content).into_owned().into_bytes(),
                name: None,
                from: self.source,
            }],
            topic: None,
            title: self.title,
            tags: self.tags,
            scope: None,
            reach: AddressPolicy::Public,
            allowed: Allowed::default(),
        };
        let report = add::run(call.context, &request, &|_, _| {})?;
        Ok(report.documents.iter().map(|one| said!("{}\n", knowledge::added(one))).collect())
    }
}
