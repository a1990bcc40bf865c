//! The layers of seed 001 in their order, with budgets and an account of each.
//!
//! Invariant: what is cut or left out is said; texts from files cannot close the tags they stand in
//! or drive a terminal.

use super::internal::{self, Knowledge};
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
}

impl LayerKind {
    /// Every layer, in order.
    pub const ALL: [LayerKind; 7] = [
        LayerKind::System,
        LayerKind::Personality,
        LayerKind::Profile,
        LayerKind::GlobalKnowledge,
        LayerKind::Traits,
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
        }
    }

    /// Its budget in bytes, where it has one.
    pub const fn budget(self) -> Option<usize> {
        match self {
            LayerKind::GlobalKnowledge => Some(3 * 1024),
            LayerKind::ProjectKnowledge => Some(7 * 1024),
            _ => None,
        }
    }
}

/// The text of one file in a layer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Layer {
    pub kind: LayerKind,
    /// The file, as people write it.
    pub file: String,
    #[serde(skip)]
    pub body: String,
    /// What was noticed about it.
    pub notes: Vec<String>,
}

/// How the context is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Format {
    /// Markdown, as it stands in the files.
    #[default]
    Markdown,
    /// One element per layer.
    Xml,
}

/// One layer's account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Account {
    pub layer: &'static str,
    pub files: Vec<String>,
    /// Bytes of its text.
    pub bytes: usize,
    /// Tokens, estimated as a quarter of the bytes.
    pub tokens: usize,
    /// What was cut or noticed, and why.
    pub notes: Vec<String>,
}

/// The whole context.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembled {
    /// The text for the agent.
    pub text: String,
    /// What each layer gave.
    pub accounts: Vec<Account>,
    /// Lines for standard error.
    pub warnings: Vec<String>,
}

/// A rough number of tokens.
pub const fn tokens(bytes: usize) -> usize {
    bytes.div_ceil(4)
}

/// Puts the layers together. `token_budget` cuts the whole at a character boundary.
pub fn assemble(layers: &[Layer], format: Format, token_budget: Option<usize>) -> Assembled {
    let mut warnings = Vec::new();
    let mut accounts: Vec<Account> =
        LayerKind::ALL.into_iter().filter_map(|kind| account(kind, layers)).collect();
    let knowledge = combined_knowledge(layers);
    if let Some(knowledge) = &knowledge {
        warnings.extend(knowledge.warning.clone());
        note_cut(knowledge, &mut accounts);
    }
    let mut parts: Vec<String> = Vec::new();
    for kind in LayerKind::ALL {
        match format {
            Format::Markdown => parts.extend(markdown_part(kind, layers, knowledge.as_ref())),
            Format::Xml => parts.extend(
                layers
                    .iter()
                    .filter(|layer| layer.kind == kind && !layer.body.trim().is_empty())
                    .map(xml_part),
            ),
        }
    }
    let mut text = parts.join("\n\n");
    if format == Format::Xml && !text.is_empty() {
        text = format!("<context>\n{text}\n</context>");
    }
    if !text.is_empty() {
        text.push('\n');
    }
    if let Some(budget) = token_budget.filter(|budget| tokens(text.len()) > *budget) {
        let bytes = text.len();
        text.truncate(internal::floor_char(&text, budget * 4));
        warnings.push(format!(
            "WARNING: Context of {} tokens exceeds the budget of {budget}. Truncating.",
            tokens(bytes)
        ));
    }
    Assembled { text, accounts, warnings }
}

fn account(kind: LayerKind, layers: &[Layer]) -> Option<Account> {
    let mine: Vec<&Layer> = layers.iter().filter(|layer| layer.kind == kind).collect();
    if mine.is_empty() {
        return None;
    }
    let bytes = mine.iter().map(|layer| layer.body.trim().len()).sum();
    let mut notes: Vec<String> = mine.iter().flat_map(|layer| layer.notes.clone()).collect();
    if let Some(budget) = kind.budget().filter(|budget| bytes > *budget) {
        notes.push(format!("over its {} KiB budget by {} bytes", budget / 1024, bytes - budget));
    }
    let files = mine.iter().map(|layer| layer.file.clone()).collect();
    Some(Account { layer: kind.name(), files, bytes, tokens: tokens(bytes), notes })
}

fn combined_knowledge(layers: &[Layer]) -> Option<Knowledge> {
    let body =
        |kind| layers.iter().find(|layer| layer.kind == kind).map(|layer| layer.body.as_str());
    internal::load_internal_knowledge(
        body(LayerKind::GlobalKnowledge),
        body(LayerKind::ProjectKnowledge),
    )
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

/// Global and project knowledge are one section with its own limits; the traits stand between its
/// two halves, as seed 001 orders them.
fn markdown_part(kind: LayerKind, layers: &[Layer], knowledge: Option<&Knowledge>) -> Vec<String> {
    let half = |kind| {
        let text = knowledge.map_or("", |knowledge| knowledge.text.as_str());
        let global = layers
            .iter()
            .find(|layer| layer.kind == LayerKind::GlobalKnowledge)
            .map(|layer| layer.body.as_str());
        let end = internal::load_internal_knowledge(global, None)
            .map_or(0, |global| global.text.len().min(text.len()));
        let half = if kind == LayerKind::GlobalKnowledge { &text[..end] } else { &text[end..] };
        Some(half.trim().to_owned()).filter(|half| !half.is_empty()).into_iter().collect()
    };
    if matches!(kind, LayerKind::GlobalKnowledge | LayerKind::ProjectKnowledge) {
        return half(kind);
    }
    let bodies =
        layers.iter().filter(|layer| layer.kind == kind).map(|layer| layer.body.trim().to_owned());
    bodies.filter(|body| !body.is_empty()).collect()
}

fn xml_part(layer: &Layer) -> String {
    let name = layer.kind.name();
    format!("<{name} file=\"{}\">\n{}\n</{name}>", escape(&layer.file), escape(layer.body.trim()))
}

/// Text that cannot close the element it stands in.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Wraps a context as agents expect a reminder; closing tags in the text are taken apart.
pub fn system_reminder(text: &str) -> String {
    let safe = text.replace("</system-reminder", "<\u{200b}/system-reminder");
    format!("<system-reminder>\n{}\n</system-reminder>\n", safe.trim_end())
}

/// Text without control characters other than line ends and tabs, and without letters that nobody
/// sees.
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
            "## Internal Knowledge",
            "global-knowledge",
            "traits",
            "### Project Context",
            "project-instructions",
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
