//! The tools, in a fixed order, one per verb.
//!
//! Invariant: a row contains everything that a client learns about a tool. The order never changes,
//! so that clients can cache the list.

use super::{
    answer,
    arguments::{
        ConfirmMemory, ForgetMemory, GetContext, KnowledgeDelete, KnowledgeList, KnowledgeSearch,
        KnowledgeWrite, ListMemories, RecallMemory, SaveHandoff, SaveKnowledge, SaveMemory,
    },
    failure::Failure,
    resources, schema,
};
use crate::display::{knowledge, memories, oddities};
use crate::documents::{add, compile, delete, list as documents, related, search, write};
use crate::facts::{confirm, forget, list, recall};
use crate::foreign::{Said, said, unquoted};
use crate::knowledge::{DocSummary, compile::Limits};
use crate::machine::fetch::AddressPolicy;
use crate::secrets::Allowed;
use crate::workspace::{ErrorKind, Workspace};
use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// What a tool is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    Memory,
    Knowledge,
    /// Of facts, and only for clients that are started with its name, or with `all`.
    OnRequest,
    /// Work on a project.
    Work,
}

/// How a tool affects the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    Reads,
    /// Repeating the call changes nothing.
    Adds,
    /// Replaces or deletes.
    Changes,
}

#[derive(Clone, Copy)]
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub group: Group,
    pub effect: Effect,
    pub schema: fn() -> JsonObject,
    /// Builds the question that the person is asked before the call, if any.
    pub confirmation: Option<Confirming>,
    pub call: fn(&Call<'_>, Value) -> Result<Said, Failure>,
}

/// Builds the question for a call.
type Confirming = fn(&Workspace, Value) -> Result<Confirmation, Failure>;

/// A question to the person, and the arguments of the call that they confirm with it.
pub struct Confirmation {
    pub question: Said,
    pub arguments: Value,
}

pub struct Call<'a> {
    pub ws: &'a Workspace,
    pub docs: &'a [DocSummary],
    /// Caches what it read for the next query.
    pub recall: &'a recall::RecallWorker,
}

/// The arguments of a tool, which know how to run it.
pub(super) trait Arguments: DeserializeOwned + JsonSchema {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure>;
}

/// The arguments of a tool that asks the person first.
trait Confirmed: Arguments {
    fn confirmation(self, ws: &Workspace) -> Result<Confirmation, Failure>;
}

const fn tool<A: Arguments>(
    name: &'static str,
    title: &'static str,
    (group, effect): (Group, Effect),
    description: &'static str,
) -> Tool {
    let (schema, call) = (schema::for_arguments::<A>, read_and_run::<A>);
    Tool { name, title, description, group, effect, schema, confirmation: None, call }
}

/// The same tool, but it asks the person first.
const fn asking<A: Confirmed>(tool: Tool) -> Tool {
    Tool { confirmation: Some(confirmation::<A>), ..tool }
}

fn confirmation<A: Confirmed>(ws: &Workspace, arguments: Value) -> Result<Confirmation, Failure> {
    read::<A>(arguments)?.confirmation(ws)
}

fn read_and_run<A: Arguments>(call: &Call<'_>, arguments: Value) -> Result<Said, Failure> {
    read::<A>(arguments)?.run(call)
}

fn read<A: Arguments>(arguments: Value) -> Result<A, Failure> {
    serde_json::from_value(arguments).map_err(|error| {
        Failure::new(ErrorKind::Invalid, format!("invalid arguments: {error}"))
            .hint("call it again with arguments that match its schema")
    })
}

pub static ALL: &[Tool] = &[
    tool::<SaveMemory>(
        "save_memory",
        "Save a fact",
        (Group::Memory, Effect::Adds),
        "Save one lasting fact about the user (preference, habit, decision, correction), when they \
         ask to remember or state one. No secrets, nothing that holds only today.",
    ),
    tool::<RecallMemory>(
        "recall_memory",
        "Find facts",
        (Group::Memory, Effect::Reads),
        "Find saved facts that answer a question. Use before asking the user what they may have \
         said before.",
    ),
    tool::<ListMemories>(
        "list_memories",
        "List facts",
        (Group::Memory, Effect::Reads),
        "List all saved facts: number, date, tags, first line.",
    ),
    asking::<ForgetMemory>(tool::<ForgetMemory>(
        "forget_memory",
        "Forget a fact",
        (Group::Memory, Effect::Changes),
        "Forget one fact, on all of the user's laptops. Only when the user wants it, or it is \
         wrong. `co undo` reverts it.",
    )),
    tool::<GetContext>(
        "get_context",
        "Read who the user is",
        (Group::Memory, Effect::Reads),
        "The user's profile, preferences, knowledge of the project, newest facts. Read it once at \
         the start, unless it is in the conversation.",
    ),
    tool::<SaveHandoff>(
        "save_handoff",
        "Leave a hand-off",
        (Group::Work, Effect::Changes),
        "Leave a short note of where this work stands for the project's next session, of any agent \
         on any laptop. Before you stop with work open. Replaces the branch's last one.",
    ),
    tool::<KnowledgeSearch>(
        "knowledge_search",
        "Search documents",
        (Group::Knowledge, Effect::Reads),
        "At most 5 of the user's documents that answer a question, with their text.",
    ),
    tool::<KnowledgeWrite>(
        "knowledge_write",
        "Write a document",
        (Group::Knowledge, Effect::Changes),
        "Write or replace a document by its topic: for anything longer than a fact.",
    ),
    tool::<KnowledgeList>(
        "knowledge_list",
        "List documents",
        (Group::Knowledge, Effect::Reads),
        "All documents, or all that is related to one person, project or topic.",
    ),
    asking::<KnowledgeDelete>(tool::<KnowledgeDelete>(
        "knowledge_delete",
        "Delete a document",
        (Group::Knowledge, Effect::Changes),
        "Delete a document by its topic. `co undo` reverts it.",
    )),
    tool::<SaveKnowledge>(
        "save_knowledge",
        "Save an article",
        (Group::Knowledge, Effect::Adds),
        "Save an article or page that someone else wrote, with its source.",
    ),
    tool::<ConfirmMemory>(
        "confirm_memory",
        "Confirm a fact",
        (Group::OnRequest, Effect::Adds),
        "Note that a fact still holds, as the user just said or showed.",
    ),
];

/// The only fact that a call can mean; if there are several, it lists them and picks none.
fn one_meant(ws: &Workspace, what: &str) -> Result<forget::Plan, Failure> {
    let request = forget::Request { what: what.to_owned(), scope: None };
    let plan = forget::plan(ws, &request)?;
    if plan.count() == 1 { Ok(plan) } else { Err(plan.ambiguous(what).into()) }
}

/// The lines below what was done.
pub(super) fn notes(lines: impl IntoIterator<Item = String>) -> Said {
    lines.into_iter().map(|line| said!("Note: {}\n", line)).collect()
}

/// What a text's own block of labels gave its document.
fn own_labels(keys: &[String]) -> Said {
    knowledge::own_labels(keys).map_or_else(Said::new, |own| said!("Note: {}\n", own))
}

impl Arguments for RecallMemory {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let among = recall::RecallFilter { tags: self.tags, ..Default::default() };
        let limit = self.max_results.unwrap_or(recall::DEFAULT_LIMIT).max(1);
        let report = call.recall.run(
            call.ws,
            &recall::Request { query: self.query, limit, among, tally: recall::Tally::Counted },
        )?;
        let text = memories::recalled_for_model(&report) + answer::unread(report.findings.len());
        Ok(Said::from(answer::SAVED) + answer::cut(text))
    }
}

impl Arguments for ListMemories {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = list::Request { tags: self.tags, ..Default::default() };
        let report = list::run(call.ws, &request)?;
        let text = answer::cut(memories::listed(&report)) + answer::unread(report.findings.len());
        Ok(Said::from(answer::SAVED) + text)
    }
}

impl Arguments for ForgetMemory {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let plan = one_meant(call.ws, &self.memory)?;
        let again = memories::counting_again(&forget::again(call.ws, &plan));
        let done = forget::apply(call.ws, &plan)?;
        Ok(memories::forgotten(&done, |fact| &fact.summary) + again)
    }
}

impl Confirmed for ForgetMemory {
    fn confirmation(self, ws: &Workspace) -> Result<Confirmation, Failure> {
        let facts = one_meant(ws, &self.memory)?.matches(ws);
        let fact = facts.first().expect("because exactly one matches");
        let summary = answer::short(&fact.summary);
        Ok(Confirmation {
            question: said!("Forget \"{}\", on all of your laptops?", summary),
            // The fact in the question, whatever happens in the meantime.
            arguments: json!({ "memory": fact.hash.to_string() }),
        })
    }
}

impl Arguments for ConfirmMemory {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let facts = one_meant(call.ws, &self.memory)?.matches(call.ws);
        let handles = facts.iter().map(|fact| fact.hash.to_string()).collect();
        let confirmed = confirm::run(call.ws, &confirm::Request { handles, scope: None })?;
        Ok(confirmed.iter().map(|one| memories::confirmed(one, &one.fact.summary)).collect())
    }
}

impl Arguments for GetContext {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        if let Some(query) = self.query {
            let usual = Limits::default();
            let limits = Limits { tokens: self.max_tokens.unwrap_or(usual.tokens), ..usual };
            let request = compile::Request { query, limits };
            return Ok(compile::run(call.ws, &request, call.docs)?.text);
        }
        resources::context(call.ws, self.max_tokens)
    }
}

impl Arguments for KnowledgeSearch {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = search::Request {
            query: self.query,
            limit: search::DEFAULT_LIMIT,
            among: documents::Among::default(),
            token_budget: Some(self.max_tokens.unwrap_or(answer::MAX_TOKENS)),
        };
        let report = search::run(call.ws, &request, call.docs)?;
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
        let report = write::run(call.ws, &request)?;
        let labels = knowledge::labels(&report);
        let labels = if labels.is_empty() { labels } else { labels + "\n" };
        let text = said!("{}\n{}", knowledge::written(&report), labels);
        Ok(text + own_labels(&report.own_labels) + notes(oddities(&report.oddities)))
    }
}

impl Arguments for KnowledgeList {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let among = documents::Among { labels: self.tags, ..Default::default() };
        if let Some(what) = self.related_to {
            let request = related::Request { what, among, ..Default::default() };
            let report = related::run(call.ws, &request)?;
            return Ok(Said::from(answer::SAVED) + answer::cut(knowledge::related(&report)));
        }
        let report = documents::run(call.ws, &among, call.docs)?;
        Ok(Said::from(answer::SAVED) + answer::cut(knowledge::table(&report)))
    }
}

impl Arguments for KnowledgeDelete {
    fn run(self, call: &Call<'_>) -> Result<Said, Failure> {
        let request = delete::Request { topics: vec![self.topic], ..Default::default() };
        let plan = delete::plan(call.ws, &request)?;
        Ok(knowledge::deleted(&delete::apply(call.ws, &plan)?))
    }
}

impl Confirmed for KnowledgeDelete {
    fn confirmation(self, _ws: &Workspace) -> Result<Confirmation, Failure> {
        let topic = answer::short(&self.topic);
        let question = said!("Delete the document \"{}\", on all of your laptops?", topic);
        Ok(Confirmation { question, arguments: json!({ "topic": self.topic }) })
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
            caption: None,
            scope: None,
            reach: AddressPolicy::Public,
            allowed: Allowed::default(),
        };
        let report = add::run(call.ws, &request, &|_, _| {})?;
        let line = |one: &add::Added| {
            let own_labels = own_labels(&one.own_labels);
            said!("{}\n", knowledge::added(one)) + own_labels + notes(knowledge::unread(one))
        };
        let omitted = knowledge::omitted(&report.documents)
            .map(|(_, kinds)| format!("left out of the text: {kinds}"));
        Ok(report.documents.iter().map(line).collect::<Said>() + notes(omitted))
    }
}
