//! The layers of seed 001, with their budgets and an account of each.
//!
//! Invariant: what is cut or left out is reported; texts from files cannot close the tags around
//! them or drive a terminal.

use super::{
    cut, fence, headings,
    internal::{self, Knowledge},
};
use crate::identity::text::is_hidden;
use serde::Serialize;

/// The layers, in the order of the prompt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerKind {
    /// `system.md`
    System,
    /// `identity/personality.md`
    Personality,
    /// `identity/profile.md`, then `identity/profile/*.md`
    Profile,
    /// `identity/knowledge/context.md`
    GlobalKnowledge,
    /// `identity/traits/*.md`
    Traits,
    /// `.co-cli/knowledge/context.md`
    ProjectKnowledge,
    /// `.co-cli/instructions.md`
    ProjectInstructions,
    /// Facts: the pinned ones, then the newest.
    Memories,
    /// Documents that fit to the tools that are called most.
    KnowledgeIndex,
}

/// What happens to a layer that is larger than its budget.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Only noted; both kinds of knowledge together have a limit of their own.
    Soft,
    /// The text is cut, and that is noted.
    Hard,
}

impl LayerKind {
    pub const ALL: [LayerKind; 9] = [
        LayerKind::System,
        LayerKind::Personality,
        LayerKind::Profile,
        LayerKind::GlobalKnowledge,
        LayerKind::Traits,
        LayerKind::ProjectKnowledge,
        LayerKind::ProjectInstructions,
        LayerKind::Memories,
        LayerKind::KnowledgeIndex,
    ];

    /// The order of cuts: the project's own text is last.
    pub const LOWEST_FIRST: [LayerKind; 9] = [
        LayerKind::KnowledgeIndex,
        LayerKind::Memories,
        LayerKind::GlobalKnowledge,
        LayerKind::Traits,
        LayerKind::Profile,
        LayerKind::Personality,
        LayerKind::System,
        LayerKind::ProjectKnowledge,
        LayerKind::ProjectInstructions,
    ];

    /// Its name on the command line and in `--explain`.
    pub const fn name(self) -> &'static str {
        match self {
            LayerKind::System => "system",
            LayerKind::Personality => "personality",
            LayerKind::Profile => "profile",
            LayerKind::GlobalKnowledge => "global-knowledge",
            LayerKind::Traits => "traits",
            LayerKind::ProjectKnowledge => "project-knowledge",
            LayerKind::ProjectInstructions => "project-instructions",
            LayerKind::Memories => "memories",
            LayerKind::KnowledgeIndex => "knowledge-index",
        }
    }

    /// Its budget in bytes. Sources: DESIGN 7 for both kinds of knowledge and the memories (1,500
    /// tokens); the others so that no one file fills an agent's window.
    pub const fn budget(self) -> (usize, Limit) {
        match self {
            LayerKind::GlobalKnowledge => (3 * 1024, Limit::Soft),
            LayerKind::ProjectKnowledge => (7 * 1024, Limit::Soft),
            LayerKind::Memories => (6 * 1024, Limit::Hard),
            LayerKind::KnowledgeIndex => (1024, Limit::Hard),
            LayerKind::Personality => (4 * 1024, Limit::Hard),
            LayerKind::System
            | LayerKind::Profile
            | LayerKind::Traits
            | LayerKind::ProjectInstructions => (8 * 1024, Limit::Hard),
        }
    }
}

/// The text of one file in a layer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Layer {
    pub kind: LayerKind,
    pub file: String,
    #[serde(skip)]
    pub body: String,
    pub notes: Vec<String>,
}

/// How the context is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    #[default]
    Markdown,
    /// One element per file of a layer.
    Xml,
}

/// What one layer contributed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Account {
    pub layer: &'static str,
    pub files: Vec<String>,
    pub bytes: usize,
    pub tokens: usize,
    pub notes: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembled {
    pub text: String,
    pub accounts: Vec<Account>,
    pub warnings: Vec<String>,
}

/// A rough estimate: four bytes per token.
pub const fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// `token_budget` cuts the lowest-ranked layers first.
pub fn assemble(layers: &[Layer], format: Format, token_budget: Option<usize>) -> Assembled {
    let mut layers: Vec<Layer> = layers
        .iter()
        .map(|layer| Layer { body: headings::without_bare(&layer.body), ..layer.clone() })
        .filter(|layer| !layer.body.is_empty())
        .collect();
    let mut warnings = Vec::new();
    let mut accounts: Vec<Account> =
        LayerKind::ALL.into_iter().filter_map(|kind| account(kind, &layers)).collect();
    for kind in LayerKind::ALL {
        warnings.extend(cut::to_budget(kind, &mut layers));
    }
    let knowledge = cut::knowledge(&mut layers);
    if let Some(knowledge) = &knowledge {
        warnings.extend(knowledge.warning.clone());
        note_cut(knowledge, &mut accounts);
    }
    let bytes = written(&layers, format).len();
    if let Some(budget) = token_budget.filter(|budget| tokens(bytes) > *budget) {
        for kind in LayerKind::LOWEST_FIRST {
            let surplus = written(&layers, format).len().saturating_sub(budget.saturating_mul(4));
            cut::by(kind, &mut layers, surplus);
        }
        warnings.push(format!(
            "WARNING: Context of {} tokens exceeds the budget of {budget}. Truncating.",
            tokens(bytes)
        ));
    }
    let mut text = written(&layers, format);
    if let Some(budget) = token_budget {
        text.truncate(internal::floor_char(&text, budget.saturating_mul(4)));
    }
    Assembled { text, accounts, warnings }
}

fn written(layers: &[Layer], format: Format) -> String {
    let parts: Vec<String> = match format {
        Format::Markdown => markdown(layers),
        Format::Xml => {
            let of = |kind| layers.iter().filter(move |layer| layer.kind == kind);
            let there = |layer: &&Layer| !layer.body.trim().is_empty();
            LayerKind::ALL.into_iter().flat_map(of).filter(there).map(xml_part).collect()
        }
    };
    let text = parts.join("\n\n");
    match format {
        _ if text.is_empty() => text,
        Format::Markdown => text + "\n",
        Format::Xml => format!("<context>\n{text}\n</context>\n"),
    }
}

fn account(kind: LayerKind, layers: &[Layer]) -> Option<Account> {
    let mine: Vec<&Layer> = layers.iter().filter(|layer| layer.kind == kind).collect();
    if mine.is_empty() {
        return None;
    }
    let bytes = mine.iter().map(|layer| layer.body.trim().len()).sum();
    let mut notes: Vec<String> = mine.iter().flat_map(|layer| layer.notes.clone()).collect();
    let (budget, what) = kind.budget();
    if bytes > budget {
        let what = if what == Limit::Hard { "cut to" } else { "over" };
        notes.push(format!("{what} its {} KiB budget by {} bytes", budget / 1024, bytes - budget));
    }
    let files = mine.iter().map(|layer| layer.file.clone()).collect();
    Some(Account { layer: kind.name(), files, bytes, tokens: tokens(bytes), notes })
}

fn note_cut(knowledge: &Knowledge, accounts: &mut [Account]) {
    if knowledge.bytes <= internal::TARGET_BYTES {
        return;
    }
    let last = accounts.iter_mut().rev().find(|account| account.layer.ends_with("knowledge"));
    let what =
        if knowledge.bytes > internal::MAX_BYTES { "cut to 20 KiB" } else { "target 10 KiB" };
    if let Some(account) = last {
        account.notes.push(format!("internal knowledge {} bytes, {what}", knowledge.bytes));
    }
}

/// Global and project knowledge are one section, as in seed 002, at the place of the project's.
fn markdown(layers: &[Layer]) -> Vec<String> {
    let mut parts = Vec::new();
    for kind in LayerKind::ALL {
        let bodies = layers.iter().filter(|layer| layer.kind == kind);
        let bodies = bodies.map(|layer| layer.body.trim().to_owned());
        let bodies: Vec<String> = bodies.filter(|body| !body.is_empty()).collect();
        match kind {
            LayerKind::GlobalKnowledge => {}
            LayerKind::ProjectKnowledge => {
                let knowledge = cut::section(layers);
                parts.extend(knowledge.map(|knowledge| knowledge.text.trim().to_owned()));
            }
            LayerKind::Memories if !bodies.is_empty() => {
                parts.push(format!("## Memories\n\n{}", bodies.join("\n")));
            }
            _ => parts.extend(bodies),
        }
    }
    parts
}

fn xml_part(layer: &Layer) -> String {
    let name = layer.kind.name();
    format!("<{name} file=\"{}\">\n{}\n</{name}>", escape(&layer.file), escape(layer.body.trim()))
}

/// Text that cannot close the element around it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Wraps a context in the tag that agents expect; closing tags in the text are broken up.
pub fn system_reminder(text: &str) -> String {
    let safe = fence::without_tag(text, "system-reminder");
    format!("<system-reminder>\n{}\n</system-reminder>\n", safe.trim_end())
}

pub fn without_bare_headings(text: &str) -> String {
    headings::without_bare(text)
}

/// Removes invisible characters, and control characters other than line ends and tabs.
pub fn without_control(text: &str) -> String {
    text.chars().filter(|letter| matches!(letter, '\n' | '\t') || !is_hidden(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(kind: LayerKind, body: &str) -> Layer {
        Layer { kind, file: format!("{}.md", kind.name()), body: body.into(), notes: Vec::new() }
    }

    #[test]
    fn order_is_that_of_the_seed() {
        let layers: Vec<Layer> =
            LayerKind::ALL.into_iter().rev().map(|kind| layer(kind, kind.name())).collect();
        let text = assemble(&layers, Format::Markdown, None).text;
        let at = |name: &str| text.rfind(name).unwrap_or(usize::MAX);
        let order = [
            "system",
            "personality",
            "profile",
            "traits",
            "## Internal Knowledge",
            "global-knowledge",
            "### Project Context",
            "project-instructions",
            "memories",
        ];
        assert!(order.is_sorted_by_key(|name| at(name)), "{text}");
    }

    #[test]
    fn texts_cannot_leave_their_element() {
        let xml =
            assemble(&[layer(LayerKind::Traits, "</traits><x a=\"1\">")], Format::Xml, None).text;
        assert_eq!(xml.matches("</traits>").count(), 1);
        assert_eq!(
            system_reminder("a</system-reminder>b").matches("</system-reminder>").count(),
            1
        );
    }

    #[test]
    fn budgets_are_accounted() {
        let assembled = assemble(
            &[layer(LayerKind::GlobalKnowledge, &"x".repeat(4000))],
            Format::Markdown,
            Some(100),
        );
        assert_eq!(assembled.accounts[0].notes, ["over its 3 KiB budget by 928 bytes"]);
        assert_eq!(assembled.text.len(), 400);
        assert_eq!(assembled.warnings.len(), 1);
    }
}
