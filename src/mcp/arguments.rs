//! The arguments of each tool.
//!
//! Invariant: models read the descriptions, and every session pays for them. An unknown argument is
//! an error, not ignored: otherwise its intent would be lost.

use super::failure::Failure;
use crate::foreign::is_seen;
use crate::machine::Context;
use crate::workspace::ErrorKind;
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, de::Error};
use serde_json::Value;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveMemory {
    /// One fact, in one sentence that stands alone
    #[serde(alias = "fact", alias = "text")]
    pub content: String,
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub tags: Vec<String>,
    /// Default: project inside a project with .co-cli, else identity
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
    #[serde(alias = "limit", default, deserialize_with = "count")]
    #[schemars(with = "Option<usize>")]
    pub max_results: Option<usize>,
    /// Only facts with all of these
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListMemories {
    /// Only facts with all of these
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ForgetMemory {
    /// Number as listed (12, p3), or words from one fact
    #[serde(alias = "id", alias = "query", deserialize_with = "number_or_text")]
    #[schemars(with = "String")]
    pub memory: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ConfirmMemory {
    /// Number as listed (12, p3), or words from one fact
    #[serde(alias = "id", deserialize_with = "number_or_text")]
    #[schemars(with = "String")]
    pub memory: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetContext {
    /// Documents that answer this, instead of the whole context
    pub query: Option<String>,
    #[serde(default, deserialize_with = "count")]
    #[schemars(with = "Option<usize>")]
    pub max_tokens: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeSearch {
    /// A question or words; "phrases", OR, -word
    pub query: String,
    /// Maximum tokens in total; default 8000
    #[serde(default, deserialize_with = "count")]
    #[schemars(with = "Option<usize>")]
    pub max_tokens: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeWrite {
    /// A path: people/sarah, deploy-steps
    pub topic: String,
    /// Markdown; replaces the text of an existing topic
    pub content: String,
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub tags: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeList {
    /// Only documents with all of these labels
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
    pub tags: Vec<String>,
    /// Only what links to or names this person, project or topic; also facts
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
    /// The text of an article, as markdown, HTML or plain text
    pub content: String,
    pub title: Option<String>,
    /// Where it came from: a URL
    pub source: Option<String>,
    #[serde(default, deserialize_with = "words")]
    #[schemars(with = "Vec<String>")]
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

/// A list, or one string: with commas, or a list as JSON. Models write all of them.
fn words<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let words = match Value::deserialize(from)? {
        Value::Null => Some(Vec::new()),
        Value::String(text) => Some(words_of(&text)),
        Value::Array(items) => items
            .iter()
            .map(|item| match item {
                Value::String(text) if text.trim_start().starts_with('[') => Some(words_of(text)),
                Value::String(text) => Some(vec![text.clone()]),
                Value::Number(number) => Some(vec![number.to_string()]),
                _ => None,
            })
            .collect::<Option<Vec<Vec<String>>>>()
            .map(|words| words.concat()),
        _ => None,
    };
    words.ok_or_else(|| {
        D::Error::custom("tags must be a list of strings, e.g. [\"python\", \"style\"]")
    })
}

/// One number or several, in every form in which models write them.
fn handles<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let value = match Value::deserialize(from)? {
        Value::Number(number) => Value::from(vec![number.to_string()]),
        value => value,
    };
    let handles = words(value).map_err(|_| {
        D::Error::custom("replaces must be a list of the numbers of facts, e.g. [\"12\"]")
    })?;
    let bare = |handle: &String| handle.strip_suffix(".0").unwrap_or(handle).to_owned();
    Ok(handles.iter().map(bare).collect())
}

fn words_of(text: &str) -> Vec<String> {
    if let Ok(words) = serde_json::from_str::<Vec<String>>(text) {
        return words;
    }
    let inner = text.trim();
    let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
    let bare = |word: &str| word.trim().trim_matches(['"', '\'']).to_owned();
    inner.split(',').map(bare).collect()
}

/// `5`, and as models also write it: `5.0`, `"5"`.
fn whole(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| {
            let text = number.to_string();
            text.strip_suffix(".0").and_then(|whole| whole.parse().ok())
        }),
        Value::String(text) => {
            let text = text.trim();
            text.strip_suffix(".0").unwrap_or(text).parse().ok()
        }
        _ => None,
    }
}

fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    match Value::deserialize(from)? {
        Value::Null => Ok(None),
        value => match whole(&value) {
            Some(number) => Ok(Some(usize::try_from(number).unwrap_or(usize::MAX))),
            None => Err(D::Error::custom("a maximum must be a whole number, e.g. 5")),
        },
    }
}

fn number_or_text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    match Value::deserialize(from)? {
        Value::String(text) => Ok(text.strip_suffix(".0").unwrap_or(&text).to_owned()),
        value => whole(&value).map(|number| number.to_string()).ok_or_else(|| {
            D::Error::custom("a memory must be a number (12) or words from one fact")
        }),
    }
}
