//! The layers of a context, with their budgets and an account of each.
//!
//! Invariant: what is cut or left out is reported. The person's layers come before the project's;
//! each file is under a heading that names and describes it.

pub use super::layer::{Body, Layer, LayerKind, LayerSource, Markup};
use super::{
    cut, headings,
    internal::{self, Knowledge},
    layer::Limit,
    render::written,
};
use crate::foreign::Said;
use crate::identity::text::tokens;
use serde::Serialize;

/// What one layer contributed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Account {
    pub layer: &'static str,
    pub files: Vec<String>,
    pub bytes: usize,
    pub tokens: usize,
    /// Bytes.
    pub budget: usize,
    pub notes: Vec<String>,
    /// What it is made of: each store's facts apart, but all of its files together.
    #[serde(skip)]
    pub parts: Vec<Part>,
}

/// A part of what one layer contributed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its files, or how many facts of whom.
    pub what: String,
    pub bytes: usize,
    pub tokens: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assembled {
    pub text: Said,
    pub accounts: Vec<Account>,
    pub warnings: Vec<String>,
}

/// `token_budget` cuts the lowest-ranked layers first.
pub fn assemble(layers: &[Layer], format: Markup, token_budget: Option<usize>) -> Assembled {
    let mut layers: Vec<Layer> =
        layers.iter().cloned().map(without_bare).filter(|layer| !layer.body.is_empty()).collect();
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
    let mut text = written(&layers, format);
    let bytes = text.as_str().len();
    if let Some(budget) = token_budget.filter(|budget| tokens(bytes) > *budget) {
        for kind in LayerKind::LOWEST_FIRST {
            let bytes = written(&layers, format).as_str().len();
            cut::by(kind, &mut layers, bytes.saturating_sub(budget.saturating_mul(4)));
        }
        warnings.push(format!(
            "WARNING: Context of {} tokens exceeds the budget of {budget}. Truncating.",
            tokens(bytes)
        ));
        text = written(&layers, format);
    }
    if let Some(budget) = token_budget {
        text = text.cut(budget.saturating_mul(4));
    }
    Assembled { text, accounts, warnings }
}

fn without_bare(layer: Layer) -> Layer {
    let body = match layer.body {
        Body::Text(text) => Body::Text(headings::without_bare(&text)),
        rows @ Body::Rows(..) => rows,
    };
    Layer { body, ..layer }
}

fn account(kind: LayerKind, layers: &[Layer]) -> Option<Account> {
    let mine: Vec<&Layer> = layers.iter().filter(|layer| layer.kind == kind).collect();
    if mine.is_empty() {
        return None;
    }
    let bytes = mine.iter().map(|layer| layer.body.len()).sum();
    let mut notes: Vec<String> = mine.iter().flat_map(|layer| layer.notes.clone()).collect();
    let (budget, what) = kind.budget();
    if bytes > budget {
        let what = if what == Limit::Hard { "cut to" } else { "over" };
        notes.push(format!("{what} its {} KiB budget by {} bytes", budget / 1024, bytes - budget));
    }
    let files = mine.iter().map(|layer| layer.file.clone()).collect();
    let (layer, tokens, parts) = (kind.name(), tokens(bytes), parts(&mine));
    Some(Account { layer, files, bytes, tokens, budget, notes, parts })
}

fn parts(mine: &[&Layer]) -> Vec<Part> {
    let part = |what: String, bytes: usize| Part { what, bytes, tokens: tokens(bytes) };
    let (rows, files): (Vec<&Layer>, Vec<&Layer>) =
        mine.iter().copied().partition(|layer| matches!(layer.body, Body::Rows(..)));
    let names: Vec<&str> = files.iter().map(|layer| layer.file.as_str()).collect();
    let bytes = files.iter().map(|layer| layer.body.len()).sum();
    let files = (!names.is_empty()).then(|| part(named(&names), bytes));
    files.into_iter().chain(rows.iter().map(|layer| part(whose(layer), layer.body.len()))).collect()
}

/// Files by one name: that of their folder, if they share one.
fn named(files: &[&str]) -> String {
    let folder = |file: &&str| file.rsplit_once('/').map(|(folder, _)| folder.to_owned());
    let Some((first, others)) = files.split_first() else { return String::new() };
    let shared =
        folder(first).filter(|near| others.iter().all(|file| folder(file).as_ref() == Some(near)));
    match (others.len(), shared) {
        (0, _) => (*first).to_owned(),
        (_, Some(folder)) => format!("{folder}/*.md ({})", files.len()),
        (more, None) => format!("{first} and {more} more"),
    }
}

/// How many facts, and whose they are if they are not the user's own.
fn whose(layer: &Layer) -> String {
    match (&layer.project, layer.kind) {
        (Some(_), LayerKind::Memories) => format!("this laptop: {}", layer.file),
        (Some(owner), LayerKind::TeamMemories | LayerKind::ProjectMemories) => {
            format!("{owner}: {}", layer.file)
        }
        _ => layer.file.clone(),
    }
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

pub fn without_bare_headings(text: &str) -> String {
    headings::without_bare(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(kind: LayerKind, body: &str) -> Layer {
        let body = Body::Text(body.to_owned());
        let file = format!("{}.md", kind.name());
        Layer { kind, file, project: None, body, notes: Vec::new() }
    }

    #[test]
    fn order_is_that_of_the_seed() {
        let layers: Vec<Layer> =
            LayerKind::ALL.into_iter().rev().map(|kind| layer(kind, kind.name())).collect();
        let text = assemble(&layers, Markup::Markdown, None).text;
        let at = |name: &str| text.as_str().rfind(&format!("│ {name}")).unwrap_or(usize::MAX);
        let order = [
            "system",
            "personality",
            "profile",
            "documents",
            "global-knowledge",
            "traits",
            "project-knowledge",
            "memories",
            "project-memories",
            "hand-off",
            "agent-notes",
            "project-instructions",
        ];
        assert!(order.is_sorted_by_key(|name| at(name)), "{text:?}");
    }

    #[test]
    fn a_project_does_not_drive_the_person_out() {
        let many = |kind| layer(kind, &"a line of the project\n".repeat(300));
        let layers = [
            layer(LayerKind::Personality, "Brief."),
            layer(LayerKind::Profile, "- Name: Ada"),
            many(LayerKind::ProjectKnowledge),
            many(LayerKind::ProjectInstructions),
        ];
        let text = assemble(&layers, Markup::Markdown, Some(1_000)).text;
        let has = |words: &str| text.as_str().contains(words);
        assert!(
            has("│ Brief.") && has("│ - Name: Ada") && has("│ a line of the project"),
            "{text:?}"
        );
    }

    #[test]
    fn budgets_are_accounted() {
        let assembled = assemble(
            &[layer(LayerKind::GlobalKnowledge, &"x".repeat(4000))],
            Markup::Markdown,
            Some(100),
        );
        assert_eq!(assembled.accounts[0].notes, ["over its 3 KiB budget by 928 bytes"]);
        assert_eq!(assembled.text.as_str().len(), 400);
        assert_eq!(assembled.warnings.len(), 1);
    }
}
