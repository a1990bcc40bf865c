//! The context and the documents as resources, and a prompt that loads the context.
//!
//! Invariant: the same texts as from the tools; a missing one is an error that names it.

use super::{answer, failure::Failure};
use crate::documents::{list, show};
use crate::foreign::{Foreign, MARGIN, Said, said};
use crate::integrations::context as session;
use crate::knowledge::Topic;
use crate::workspace::{ErrorKind, Workspace};
use rmcp::{
    ErrorData,
    model::{
        GetPromptResult, Prompt, PromptMessage, ReadResourceResult, Resource, ResourceContents,
        ResourceTemplate, Role,
    },
};

pub const PROMPT: &str = "who-am-i";
const CONTEXT: &str = "co://context";
const DOCUMENTS: &str = "co://documents/";
const MARKDOWN: &str = "text/markdown";
/// How many documents are listed; all can be read.
const LISTED: usize = 200;

/// Lists documents only if their tools are offered.
pub fn list(ws: &Workspace, documents: bool) -> Result<Vec<Resource>, Failure> {
    let mut all = vec![
        Resource::new(CONTEXT, "context")
            .with_title("Who the user is")
            .with_description("Profile, preferences, knowledge of the project, newest facts")
            .with_mime_type(MARKDOWN),
    ];
    if documents {
        let listed = list::run(ws, &list::Among::default(), &[])?.entries;
        // A name that is not a valid topic cannot be requested.
        let topics = listed.iter().filter(|row| Topic::parse(&row.topic.to_string()).is_ok());
        all.extend(topics.take(LISTED).map(resource));
    }
    Ok(all)
}

fn resource(row: &list::DocumentRow) -> Resource {
    let plain = |text: &str| answer::plain(answer::short(text));
    let topic = plain(&row.topic.to_string());
    Resource::new(format!("{DOCUMENTS}{topic}"), topic)
        .with_title(plain(&row.name))
        .with_description(plain(&row.description))
        .with_mime_type(MARKDOWN)
}

pub fn is_document(uri: &str) -> bool {
    uri.starts_with(DOCUMENTS)
}

pub fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{DOCUMENTS}{{+topic}}"), "document")
        .with_title("A document by its topic")
        .with_mime_type(MARKDOWN)
}

pub fn read(ws: &Workspace, uri: &str) -> Result<ReadResourceResult, Failure> {
    let text = match uri.strip_prefix(DOCUMENTS) {
        _ if uri == CONTEXT => context(ws, None)?,
        Some(topic) => document(&show::text(ws, topic)?),
        None => {
            return Err(Failure::new(ErrorKind::NotFound, format!("there is no resource {uri}"))
                .hint(format!("{CONTEXT}, or {DOCUMENTS} and a topic")));
        }
    };
    let contents = ResourceContents::text(answer::plain(text), uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

/// A document, as much of it as a client accepts.
fn document(text: &str) -> Said {
    let quote = Said::from(answer::SAVED) + Foreign(text).quote(MARGIN);
    let whole = quote.as_str().len();
    let most = answer::MAX_TOKENS * 4;
    if whole <= most {
        return quote;
    }
    let end = quote.as_str()[..quote.as_str().floor_char_boundary(most)].rfind('\n');
    let left = whole - end.unwrap_or(most);
    let text = quote.cut(end.unwrap_or(most));
    said!(
        "{}\n({} bytes more: knowledge_search finds the passages that answer a question)\n",
        text,
        left
    )
}

/// The whole context, with any problems in its files.
pub fn context(ws: &Workspace, most_tokens: Option<usize>) -> Result<Said, Failure> {
    let request = session::Request {
        token_budget: most_tokens.or(Some(answer::MAX_TOKENS)),
        ..Default::default()
    };
    let assembled = session::run(ws, &request)?;
    let warnings: Said = assembled.warnings.iter().map(|line| said!("\n{}\n", line)).collect();
    if assembled.text.is_empty() {
        let why = if assembled.accounts.is_empty() {
            "Nothing is known about the user yet.\n"
        } else {
            "Nothing of what is known about the user fits into so few tokens.\n"
        };
        return Ok(Said::from(why) + warnings);
    }
    Ok(assembled.text.trimmed() + "\n" + warnings)
}

pub fn prompt() -> Prompt {
    Prompt::new(PROMPT, Some("Tells the agent who you are and what you prefer"), None)
        .with_title("Who am I?")
}

pub fn prompted(text: Said) -> GetPromptResult {
    let text = Said::from("This is who I am and how I like to work. Please follow it.\n\n") + text;
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, answer::plain(text))])
}

pub fn error(failure: &Failure) -> ErrorData {
    let said = std::iter::once(&failure.message).chain(&failure.hints);
    let message = Said::joined(said.map(|line| answer::short(line)), "; ").into_string();
    match failure.kind {
        ErrorKind::NotFound => ErrorData::resource_not_found(message, None),
        _ => ErrorData::internal_error(message, None),
    }
}
