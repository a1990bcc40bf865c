//! The arguments of each tool.
//!
//! Invariant: models read the descriptions, and every session pays for them. An unknown argument is
//! an error, not ignored: otherwise its intent would be lost. Other types and names that models
//! write have already been handled in [`super::sent`]; only here is it known which texts are
//! handles (`"12.0"` for 12).

use super::failure::Failure;
use crate::foreign::is_seen;
use crate::machine::Context;
use crate::workspace::ErrorKind;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveMemory {
    /// One fact, in one sentence that stands alone
    pub content: String,
    #[serde(default)]
    pub tags: Vec<String>,
    /// Default: project where there is .co-cli, else identity
    pub scope: Option<ScopeName>,
    /// Last day it holds, if it ends: 2026-12-24
    pub valid_until: Option<String>,
    /// Numbers of facts it replaces
    #[serde(default, deserialize_with = "handles")]
    #[schemars(with = "Vec<String>")]
    pub replaces: Vec<String>,
}

/// Where facts are.
#[derive(Deserialize, JsonSchema, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub enum ScopeName {
    Identity,
    Project,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecallMemory {
    /// A question or words; "phrases", OR, -word
    pub query: String,
    /// Default 5
    pub max_results: Option<usize>,
    /// Only with all of these
    #[serde(default)]
    pub tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListMemories {
    /// Only with all of these
    #[serde(default)]
    pub tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetMemory {
    /// Number as listed (12, p3), or words from one fact
    #[serde(deserialize_with = "handle")]
    #[schemars(with = "String")]
    pub memory: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmMemory {
    /// Number as listed (12, p3), or words from one fact
    #[serde(deserialize_with = "handle")]
    #[schemars(with = "String")]
    pub memory: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetContext {
    /// Documents that answer this, instead
    pub query: Option<String>,
    pub max_tokens: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveHandoff {
    /// What the work is for
    pub goal: String,
    pub done: Option<String>,
    pub next: Option<String>,
    /// Open questions
    pub questions: Option<String>,
    #[serde(default)]
    pub files: Vec<String>,
    /// Default: the current one
    pub branch: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeSearch {
    /// A question or words
    pub query: String,
    /// In total; default 8000
    pub max_tokens: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeWrite {
    /// A path: people/sarah, deploy-steps
    pub topic: String,
    /// The whole text, as markdown
    pub content: String,
    #[serde(default)]
    pub tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeList {
    /// Only with all of these
    #[serde(default)]
    pub tags: Vec<String>,
    /// What links to or names this; also facts
    pub related_to: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeDelete {
    pub topic: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveKnowledge {
    /// Its text: markdown, HTML or plain
    pub content: String,
    pub title: Option<String>,
    /// A URL
    pub source: Option<String>,
    #[serde(default)]
    pub tags: Vec<String>,
}

/// A write for a project goes into a project, never into the identity instead.
pub fn refuse_no_project(context: &Context) -> Result<(), Failure> {
    if context.project_dir().is_some() {
        return Ok(());
    }
    let folder = context.shown(&context.cwd);
    let message = format!("{folder} is not a co project: it has no .co-cli folder");
    Err(Failure::new(ErrorKind::Invalid, message)
        .hint("omit project to save for the user, in the identity"))
}

/// Arguments without invisible characters, which could hide a marker.
pub fn without_hidden(arguments: &Value) -> String {
    let text = arguments.to_string();
    text.chars().filter(|letter| is_seen(*letter)).collect()
}

/// A handle; a number may also be written as `4.0`.
fn handle<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    Ok(bare(&String::deserialize(from)?))
}

/// The handles of facts, each as [`handle`] reads it.
fn handles<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(Vec::<String>::deserialize(from)?.iter().map(|text| bare(text)).collect())
}

fn bare(text: &str) -> String {
    let number = text.trim().strip_suffix(".0");
    let number = number.filter(|number| number.chars().all(|digit| digit.is_ascii_digit()));
    number.unwrap_or(text).to_owned()
}
