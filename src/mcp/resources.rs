//! The context and the documents as resources, and a prompt that loads the context.
//!
//! Invariant: the same texts as the tools give; what is not there is an error that names it.

use super::answer;
use crate::context::fence::{defused, fenced, without_tag};
use crate::knowledge::Topic;
use crate::ops::{
    Exit, Failure, context as session,
    knowledge::{list, show},
};
use crate::secrets::redact;
use crate::system::Context;
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
/// Documents that are listed; all can be read.
const LISTED: usize = 200;

/// Documents only where their tools are offered.
pub fn list(context: &Context, documents: bool) -> Result<Vec<Resource>, Failure> {
    let mut all = vec![
        Resource::new(CONTEXT, "context")
            .with_title("Who the user is")
            .with_description("Profile, preferences, knowledge of the project, newest facts")
            .with_mime_type(MARKDOWN),
    ];
    if documents {
        let listed = list::run(context, &list::Among::default(), &[])?.entries;
        // A name that no topic can have cannot be asked for.
        let topics = listed.iter().filter(|row| Topic::parse(&row.topic.to_string()).is_ok());
        all.extend(topics.take(LISTED).map(resource));
    }
    Ok(all)
}

fn resource(row: &list::Row) -> Resource {
    let plain = |text: &str| defused(text).replace('\n', " ");
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

pub fn read(context: &Context, uri: &str) -> Result<ReadResourceResult, Failure> {
    let text = match uri.strip_prefix(DOCUMENTS) {
        _ if uri == CONTEXT => self::context(context, None)?,
        Some(topic) => fenced("knowledge", &show::run(context, topic, None, &[])?.content),
        None => {
            return Err(Failure::new(Exit::NotFound, format!("there is no resource {uri}"))
                .hint(format!("{CONTEXT}, or {DOCUMENTS} and a topic")));
        }
    };
    let text = redact(&text).into_owned();
    let contents = ResourceContents::text(text, uri).with_mime_type(MARKDOWN);
    Ok(ReadResourceResult::new(vec![contents]))
}

/// The whole context, with what is wrong with its files.
pub fn context(context: &Context, most_tokens: Option<usize>) -> Result<String, Failure> {
    let request = session::Request {
        token_budget: most_tokens.or(Some(answer::MOST_TOKENS)),
        ..Default::default()
    };
    let assembled = session::run(context, &request)?;
    let warnings: String = assembled.warnings.iter().map(|line| format!("\n{line}\n")).collect();
    if assembled.text.is_empty() {
        return Ok(format!("Nothing is known about the user yet.\n{}", defused(&warnings)));
    }
    let text = without_tag(&assembled.text, "context");
    let warnings = without_tag(&defused(&warnings), "context");
    Ok(format!("<context>\n{}\n{}\n</context>\n", text.trim_end(), warnings.trim_end()))
}

pub fn prompt() -> Prompt {
    Prompt::new(PROMPT, Some("Tells the agent who you are and what you prefer"), None)
        .with_title("Who am I?")
}

pub fn prompted(text: &str) -> GetPromptResult {
    let text = format!("This is who I am and how I like to work. Keep to it.\n\n{text}");
    GetPromptResult::new(vec![PromptMessage::new_text(Role::User, redact(&text).into_owned())])
}

pub fn error(failure: &Failure) -> ErrorData {
    let hints = failure.hints.join("; ");
    let message = format!("{}; {hints}", failure.message);
    let message = redact(message.trim_end_matches("; ")).into_owned();
    match failure.exit {
        Exit::NotFound => ErrorData::resource_not_found(message, None),
        _ => ErrorData::internal_error(message, None),
    }
}
