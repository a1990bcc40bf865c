//! The context and the documents as resources, and a prompt that loads the context.
//!
//! Invariant: the same texts as the tools give; what is not there is an error that names it.

use super::answer;
use crate::context::fence::{fenced, without_tag};
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

pub fn list(context: &Context) -> Result<Vec<Resource>, Failure> {
    let mut all = vec![
        Resource::new(CONTEXT, "context")
            .with_title("Who the user is")
            .with_description("Profile, preferences, knowledge of the project, newest facts")
            .with_mime_type(MARKDOWN),
    ];
    let documents = list::run(context, &list::Among::default(), &[])?;
    all.extend(documents.entries.iter().take(LISTED).map(|row| {
        let topic = row.topic.to_string();
        Resource::new(format!("{DOCUMENTS}{topic}"), topic)
            .with_title(row.name.clone())
            .with_description(row.description.clone())
            .with_mime_type(MARKDOWN)
    }));
    Ok(all)
}

pub fn template() -> ResourceTemplate {
    ResourceTemplate::new(format!("{DOCUMENTS}{{+topic}}"), "document")
        .with_title("A document by its topic")
        .with_mime_type(MARKDOWN)
}

pub fn read(context: &Context, uri: &str) -> Result<ReadResourceResult, Failure> {
    let text = match uri.strip_prefix(DOCUMENTS) {
        _ if uri == CONTEXT => self::context(context)?,
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

/// The whole context, as a session starts with it.
pub fn context(context: &Context) -> Result<String, Failure> {
    let request =
        session::Request { token_budget: Some(answer::MOST_TOKENS), ..Default::default() };
    let text = session::run(context, &request)?.text;
    Ok(format!("<context>\n{}\n</context>\n", without_tag(&text, "context").trim_end()))
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
