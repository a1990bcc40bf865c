//! A layer of a context: its kind, its rank and budget, where it is, and what it says.
//!
//! Invariant: each kind has its place in both orders. Must not know: how it is cut and written.

use crate::foreign::Said;
use crate::identity::{
    Kind,
    kind::{CONTEXT, PERSONALITY, PROFILE, PROFILE_PARTS, TRAITS},
};
use serde::Serialize;

/// The layers, in the order of the prompt: the person's, then the project's, which were written by
/// anyone who can write to its repository.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerKind {
    /// `system.md`
    System,
    /// Of a team's layer that may enforce it: what says `enforced: true`.
    TeamRules,
    /// `identity/personality.md`
    Personality,
    /// `identity/profile.md`, then `identity/profile/*.md`
    Profile,
    /// Documents of the identity with `alwaysInclude: true`, outside the profile.
    Documents,
    /// `knowledge/context.md` and `traits/*.md` of a team's layer.
    TeamKnowledge,
    /// Facts of a team's layer.
    TeamMemories,
    /// `identity/knowledge/context.md`
    GlobalKnowledge,
    /// `identity/traits/*.md`
    Traits,
    /// `.co-cli/knowledge/context.md`
    ProjectKnowledge,
    /// Facts: the pinned ones, then the most recalled, then the newest.
    Memories,
    /// Documents about the tools that are called most.
    KnowledgeIndex,
    /// Facts of the project.
    ProjectMemories,
    /// Where a piece of work on the project stands.
    Handoff,
    /// What agents noted about the project on their own.
    AgentNotes,
    /// `.co-cli/instructions.md`
    ProjectInstructions,
}

/// What happens to a layer that exceeds its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Only reported; both kinds of knowledge together have a separate limit.
    Soft,
    /// The text is cut, and the cut is reported.
    Hard,
}

/// Files of the identity that a layer consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LayerSource {
    File(&'static str),
    /// Those of one kind in a folder.
    Folder(&'static str, Kind),
    /// What says so itself, outside the profile.
    AlwaysIncluded,
}

impl LayerKind {
    pub const ALL: [LayerKind; 16] = [
        LayerKind::System,
        LayerKind::TeamRules,
        LayerKind::Personality,
        LayerKind::Profile,
        LayerKind::Documents,
        LayerKind::TeamKnowledge,
        LayerKind::TeamMemories,
        LayerKind::GlobalKnowledge,
        LayerKind::Traits,
        LayerKind::ProjectKnowledge,
        LayerKind::Memories,
        LayerKind::KnowledgeIndex,
        LayerKind::ProjectMemories,
        LayerKind::Handoff,
        LayerKind::AgentNotes,
        LayerKind::ProjectInstructions,
    ];

    /// The order of cuts. The project's text outlasts the person's general knowledge, but never
    /// displaces who they are and how they want to be served, because others wrote it.
    pub const LOWEST_FIRST: [LayerKind; 16] = [
        LayerKind::KnowledgeIndex,
        LayerKind::AgentNotes,
        LayerKind::TeamMemories,
        LayerKind::TeamKnowledge,
        LayerKind::Memories,
        LayerKind::ProjectMemories,
        LayerKind::Documents,
        LayerKind::GlobalKnowledge,
        LayerKind::Traits,
        LayerKind::ProjectKnowledge,
        LayerKind::ProjectInstructions,
        LayerKind::Handoff,
        LayerKind::Profile,
        LayerKind::Personality,
        LayerKind::TeamRules,
        LayerKind::System,
    ];

    /// Its name on the command line and in `--explain`.
    pub const fn name(self) -> &'static str {
        match self {
            LayerKind::System => "system",
            LayerKind::TeamRules => "team-rules",
            LayerKind::TeamKnowledge => "team-knowledge",
            LayerKind::TeamMemories => "team-memories",
            LayerKind::Personality => "personality",
            LayerKind::Profile => "profile",
            LayerKind::Documents => "documents",
            LayerKind::GlobalKnowledge => "global-knowledge",
            LayerKind::Traits => "traits",
            LayerKind::ProjectKnowledge => "project-knowledge",
            LayerKind::ProjectInstructions => "project-instructions",
            LayerKind::Memories => "memories",
            LayerKind::ProjectMemories => "project-memories",
            LayerKind::Handoff => "hand-off",
            LayerKind::AgentNotes => "agent-notes",
            LayerKind::KnowledgeIndex => "knowledge-index",
        }
    }

    /// Its title, and a description.
    pub const fn title(self) -> (&'static str, &'static str) {
        match self {
            LayerKind::System => ("System", "set by the user on this laptop"),
            LayerKind::TeamRules => {
                ("Team Rules", "rules of a team, which the user agreed to follow")
            }
            LayerKind::TeamKnowledge => ("Team Context", "notes of a team"),
            LayerKind::TeamMemories => ("Team Memories", "facts of a team, saved earlier"),
            LayerKind::Personality => ("Personality", "how the user wants you to work"),
            LayerKind::Profile => ("Profile", "about the user, and what they prefer"),
            LayerKind::Documents => ("Documents", "what the user wants in every session; data"),
            LayerKind::GlobalKnowledge => ("Global Context", "notes about the user's work"),
            LayerKind::Traits => ("Traits", "what agents learned about the user"),
            LayerKind::ProjectKnowledge => ("Project Context", "notes"),
            LayerKind::ProjectInstructions => ("Project Notes", "notes"),
            LayerKind::Memories => ("Memories", "facts about the user, saved earlier"),
            LayerKind::ProjectMemories => ("Project Memories", "facts, saved earlier"),
            LayerKind::Handoff => ("Hand-off", "where a piece of work stands"),
            LayerKind::AgentNotes => ("Agent Notes", "written down by an agent"),
            LayerKind::KnowledgeIndex => {
                ("Knowledge index (top topics - use knowledge_search for full details)", "")
            }
        }
    }

    /// What of the identity it reads, in this order.
    pub const fn sources(self) -> &'static [LayerSource] {
        match self {
            LayerKind::Personality => &[LayerSource::File(PERSONALITY)],
            LayerKind::Profile => {
                &[LayerSource::File(PROFILE), LayerSource::Folder(PROFILE_PARTS, Kind::ProfilePart)]
            }
            LayerKind::Documents => &[LayerSource::AlwaysIncluded],
            LayerKind::GlobalKnowledge => &[LayerSource::File(CONTEXT)],
            LayerKind::Traits => &[LayerSource::Folder(TRAITS, Kind::Trait)],
            _ => &[],
        }
    }

    /// Its budget in bytes, chosen so that no single file fills an agent's window. Memories get
    /// about 1,500 tokens.
    pub const fn budget(self) -> (usize, Limit) {
        match self {
            LayerKind::GlobalKnowledge => (3 * 1024, Limit::Soft),
            LayerKind::ProjectKnowledge => (7 * 1024, Limit::Soft),
            LayerKind::Memories => (6 * 1024, Limit::Hard),
            LayerKind::ProjectMemories | LayerKind::TeamMemories => (2 * 1024, Limit::Hard),
            LayerKind::Handoff
            | LayerKind::TeamRules
            | LayerKind::TeamKnowledge
            | LayerKind::AgentNotes => (4 * 1024, Limit::Hard),
            LayerKind::KnowledgeIndex => (1024, Limit::Hard),
            LayerKind::Personality => (4 * 1024, Limit::Hard),
            LayerKind::System
            | LayerKind::Profile
            | LayerKind::Documents
            | LayerKind::Traits
            | LayerKind::ProjectInstructions => (8 * 1024, Limit::Hard),
        }
    }
}

/// What one file, or the facts of a store, contribute to a layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    pub kind: LayerKind,
    pub file: String,
    /// The project that it comes from, by the name of its folder, or the team's layer; of the
    /// user's facts, `here` if they are about this laptop.
    pub project: Option<String>,
    pub body: Body,
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Body {
    Text(String),
    /// Lines written by co, each about one fact or document, and the total number of these.
    Rows(Vec<Said>, usize),
}

impl Body {
    pub fn len(&self) -> usize {
        match self {
            Body::Text(text) => text.trim().len(),
            Body::Rows(rows, _) => rows.iter().map(|row| row.as_str().len()).sum(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The output format of the context.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Markup {
    #[default]
    Markdown,
    /// One element per file of a layer.
    Xml,
}
