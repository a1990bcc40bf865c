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

pub fn said(text: &str) -> CallToolResult {
    CallToolResult::success(vec![ContentBlock::text(redact(text).into_owned())])
}

pub fn failed(failure: &Failure) -> CallToolResult {
    let mut text = format!("error: {}\n", failure.message);
    for hint in &failure.hints {
        let in_tools =
            TOOLS.iter().fold(hint.clone(), |hint, (verb, tool)| hint.replace(verb, tool));
        text.push_str(&format!("hint: {in_tools}\n"));
    }
    CallToolResult::error(vec![ContentBlock::text(redact(&defused(&text)).into_owned())])
}
