//! The arguments of each tool.
//!
//! Invariant: models read the descriptions, and every session pays for them. An unknown argument is
//! an error, not ignored: otherwise its intent would be lost.

use super::failure::Failure;
use crate::foreign::is_seen;
use crate::ops::ErrorKind;
use crate::system::Context;
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
    #[serde(alias = "limit")]
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
pub struct GetContext {
    /// Documents that answer this, instead of the whole context
    pub query: Option<String>,
    pub max_tokens: Option<usize>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KnowledgeSearch {
    /// A question or words; "phrases", OR, -word
    pub query: String,
    /// Maximum tokens in total; default 8000
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

/// A list, or one string with commas: models write both.
fn words<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Words {
        Several(Vec<String>),
        One(String),
        None(()),
    }
    match Words::deserialize(from) {
        Ok(Words::Several(words)) => Ok(words),
        Ok(Words::One(words)) => Ok(words.split(',').map(|word| word.trim().to_owned()).collect()),
        Ok(Words::None(())) => Ok(Vec::new()),
        Err(_) => {
            Err(D::Error::custom("tags must be a list of strings, e.g. [\"python\", \"style\"]"))
        }
    }
}

fn number_or_text<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Named {
        Number(u64),
        Text(String),
    }
    match Named::deserialize(from) {
        Ok(Named::Number(number)) => Ok(number.to_string()),
        Ok(Named::Text(text)) => Ok(text),
        Err(_) => Err(D::Error::custom("a memory must be a number (12) or words from one fact")),
    }
}
