//! Answers and errors as an agent reads them.
//!
//! Invariant: an error says what happened and what to call next, in the names of the tools; no
//! secret that the rules know is in it.

use crate::context::fence::defused;
use crate::ops::Failure;
use crate::secrets::redact;
use rmcp::model::{CallToolResult, ContentBlock};

/// Tokens of a text when the agent says nothing: clients cut or refuse at 25,000.
pub const MOST_TOKENS: usize = 8_000;

/// Letters of a question.
const MOST_OF_QUESTION: usize = 4_000;
/// Letters of an error.
const MOST_OF_ERROR: usize = 600;
const ALLOW_OPTION: &str = "allow-secret";

/// Verbs of the command line, and what an agent calls instead.
const TOOLS: &[(&str, &str)] = &[
    ("`co list --tag ops`", "list_memories with tags"),
    ("`co list`", "list_memories"),
    ("`co recall \"…\"`", "recall_memory"),
    ("`co forget`", "forget_memory"),
    ("`co knowledge list`", "knowledge_list"),
    ("`co knowledge search`", "knowledge_search"),
];

/// A list cut at a line end, with what was left out said.
pub fn cut(text: &str) -> String {
    let most = MOST_TOKENS * 4;
    if text.len() <= most {
        return text.to_owned();
    }
    let end = crate::context::internal::floor_char(text, most);
    let end = text[..end].rfind('\n').map_or(end, |at| at + 1);
    let left = text[end..].lines().filter(|line| !line.is_empty()).count();
    format!("{}({left} more lines; tags or a question narrow it down)\n", &text[..end])
}

/// Files that could not be read are not passed over in silence.
pub fn unread(files: usize) -> String {
    match files {
        0 => String::new(),
        files => format!("\n({files} of the files cannot be read; `co check` says why)\n"),
    }
}

/// As much of a question as one has; a whole file is none.
pub fn question(text: String) -> String {
    match text.char_indices().nth(MOST_OF_QUESTION) {
        Some((at, _)) => text[..at].to_owned(),
        None => text,
    }
}

pub fn said(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(redact(text).into_owned())])
}

pub fn failed(failure: &Failure) -> CallToolResult {
    let mut text = format!("error: {}\n", short(&redact(&failure.message)));
    // What only a person may let pass is no advice for an agent.
    for hint in failure.hints.iter().filter(|hint| !hint.contains(ALLOW_OPTION)) {
        let in_tools =
            TOOLS.iter().fold(hint.clone(), |hint, (verb, tool)| hint.replace(verb, tool));
        text.push_str(&format!("hint: {}\n", short(&redact(&in_tools))));
    }
    CallToolResult::error(vec![ContentBlock::text(redact(&defused(&text)).into_owned())])
}

/// Errors quote what was said, which may be of any length.
fn short(text: &str) -> String {
    match text.char_indices().nth(MOST_OF_ERROR) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
