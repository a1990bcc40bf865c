//! A fact as every screen, tool and page shows it, and as `--json` prints it.
//!
//! Invariant: made of a fact's file and its place, and of whether it holds, so that two verbs never
//! show one fact in two ways. Must not know who shows it, or why.

use super::{
    Calendar, ContentHash, Stamp, calendar,
    handle::Shared,
    memory::{Memory, summary_of},
    scope::{LayerName, Scope},
    times::TimesShown,
};
use serde::{Serialize, Serializer};
use std::{fmt::Display, path::PathBuf};

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FactView {
    pub id: Option<u64>,
    /// `12`, `p12` in a project, or `12-3fa9` where the number alone does not mean it.
    pub handle: String,
    /// In UTC, like every stamp of a report.
    #[serde(serialize_with = "as_text")]
    pub created: Stamp,
    /// The day it was learned, in the person's time zone.
    pub date: String,
    pub tags: Vec<String>,
    /// The agent that wrote it, and the project in which it was learned.
    pub agent: Option<String>,
    pub project: Option<String>,
    pub pinned: bool,
    pub summary: String,
    /// As much of the first line as a terminal may have room for.
    #[serde(skip)]
    pub first_line: String,
    /// The whole text, where it is shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    pub scope: Scope,
    /// The layer that it comes from, unless that is the person's own identity or a project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<LayerName>,
    #[serde(serialize_with = "as_text")]
    pub hash: ContentHash,
    pub path: PathBuf,
    /// When it holds, if it says so.
    #[serde(flatten)]
    pub times: Option<Box<TimesShown>>,
    /// Whether it holds, where that was asked.
    #[serde(flatten)]
    pub held: Held,
}

/// Whether a fact holds, as it is shown. A reader that asked fills it in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Held {
    /// Why it does not: `not-yet`, `over`, `replaced`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standing: Option<&'static str>,
    /// What a line says of it: `until 14 Feb 2026`, `replaced by 31`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<String>,
}

impl FactView {
    /// `path` is the one for messages.
    pub fn of(memory: &Memory, (scope, path): (Scope, PathBuf), calendar: &Calendar) -> FactView {
        let first_line = memory.first_line();
        FactView {
            id: memory.id,
            handle: memory.handle(scope, Shared::No),
            created: memory.created,
            date: calendar::text_of(memory.day(calendar)),
            tags: memory.tags.clone(),
            agent: memory.agent.clone(),
            project: memory.project.clone(),
            pinned: memory.pinned,
            summary: summary_of(&first_line),
            first_line,
            content: None,
            scope,
            layer: scope.layer(),
            hash: memory.hash,
            path,
            times: memory.times.as_deref().map(|times| Box::new(times.shown())),
            held: Held::default(),
        }
    }

    /// With the text of the memory that it shows.
    pub fn whole(self, memory: &Memory) -> FactView {
        FactView { content: Some(memory.text().to_owned()), ..self }
    }

    /// The text, as far as it was asked for.
    pub fn text(&self) -> &str {
        self.content.as_deref().unwrap_or_default()
    }

    /// Appends the start of the hash to a number that does not mean this fact alone.
    pub fn tell_apart(&mut self) {
        if self.id.is_some() {
            self.handle = format!("{}-{}", self.handle, self.hash.short(4));
        }
    }
}

fn as_text<S: Serializer>(value: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}
