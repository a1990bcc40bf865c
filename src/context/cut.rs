//! Trims layers to their token budget, lowest-ranked first; the project's last.
//!
//! Invariant: cuts are at a line end if there is one, and always at a character boundary.

use super::{
    internal::{self, Knowledge, load_internal_knowledge},
    layer::{Body, Layer, LayerKind, Limit},
};
use crate::foreign::{Foreign, Said};

/// Cuts a layer to its own budget; returns the warning if it was cut.
pub fn to_budget(kind: LayerKind, layers: &mut [Layer]) -> Option<String> {
    let (budget, Limit::Hard) = kind.budget() else { return None };
    let bytes = size(kind, layers);
    if bytes <= budget {
        return None;
    }
    by(kind, layers, bytes - budget);
    let name = kind.name();
    // Facts that do not fit can be found with recall, so there is no need to warn.
    let is_of_facts = matches!(
        kind,
        LayerKind::Memories
            | LayerKind::ProjectMemories
            | LayerKind::TeamMemories
            | LayerKind::AgentNotes
    );
    (!is_of_facts).then(|| {
        format!(
            "WARNING: {name} of {bytes} bytes exceeds its {} KiB budget. Truncating.",
            budget / 1024
        )
    })
}

fn size(kind: LayerKind, layers: &[Layer]) -> usize {
    layers.iter().filter(|layer| layer.kind == kind).map(|layer| layer.body.len()).sum()
}

/// Removes this many bytes: in global knowledge from the start (the oldest), else from the end.
pub fn by(kind: LayerKind, layers: &mut [Layer], surplus: usize) {
    let mut left = surplus;
    for layer in layers.iter_mut().rev().filter(|layer| layer.kind == kind) {
        if left == 0 {
            return;
        }
        let before = layer.body.len();
        layer.body = match (&layer.body, kind) {
            (Body::Text(text), LayerKind::GlobalKnowledge) => Body::Text(without_head(text, left)),
            (Body::Text(text), _) => Body::Text(without_tail(text, left)),
            (Body::Rows(rows, of), _) => Body::Rows(without_last(rows, left), *of),
        };
        left = left.saturating_sub(before - layer.body.len());
    }
}

fn without_head(text: &str, surplus: usize) -> String {
    if surplus >= text.len() {
        return String::new();
    }
    let from = (surplus..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
    match text[from..].find('\n') {
        Some(end) if from + end + 1 < text.len() => text[from + end + 1..].to_owned(),
        _ => without_tail(text, surplus),
    }
}

fn without_tail(text: &str, surplus: usize) -> String {
    let kept = &text[..text.floor_char_boundary(text.len().saturating_sub(surplus))];
    let line = kept.rfind('\n').filter(|at| *at > kept.len() / 2);
    kept[..line.unwrap_or(kept.len())].to_owned()
}

/// Drops as many of the last rows as add up to this many bytes.
fn without_last(rows: &[Said], surplus: usize) -> Vec<Said> {
    let mut kept = rows.to_vec();
    let mut gone = 0;
    while gone < surplus
        && let Some(row) = kept.pop()
    {
        gone += row.as_str().len();
    }
    kept
}

/// Global and project knowledge as one section, each file as rendered by `shown`.
pub fn joined(layers: &[Layer], shown: impl Fn(&Layer) -> Said) -> Option<Said> {
    internal::joined(
        bodies(LayerKind::GlobalKnowledge, layers, &shown),
        bodies(LayerKind::ProjectKnowledge, layers, &shown),
    )
}

fn bodies(kind: LayerKind, layers: &[Layer], shown: impl Fn(&Layer) -> Said) -> Option<Said> {
    let mine = layers.iter().filter(|layer| layer.kind == kind && !layer.body.is_empty());
    let bodies: Vec<Said> = mine.map(|layer| shown(layer).trimmed()).collect();
    (!bodies.is_empty()).then(|| Said::joined(bodies, "\n\n"))
}

/// The section whose size is limited: only the bodies, as they are in the files.
fn section(layers: &[Layer]) -> Option<Knowledge> {
    let bare = |layer: &Layer| match &layer.body {
        Body::Text(text) => Foreign(text.trim()).quote(""),
        Body::Rows(rows, _) => rows.iter().cloned().collect(),
    };
    load_internal_knowledge(
        bodies(LayerKind::GlobalKnowledge, layers, bare),
        bodies(LayerKind::ProjectKnowledge, layers, bare),
    )
}

/// Cuts both kinds of knowledge to their common limit; returns the section without these cuts.
pub fn knowledge(layers: &mut [Layer]) -> Option<Knowledge> {
    let whole = section(layers)?;
    if whole.bytes <= internal::MAX_BYTES {
        return Some(whole);
    }
    for kind in [LayerKind::GlobalKnowledge, LayerKind::ProjectKnowledge] {
        let bytes = section(layers).map_or(0, |now| now.bytes);
        by(kind, layers, bytes.saturating_sub(internal::MAX_BYTES));
    }
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(kind: LayerKind, body: String) -> Layer {
        Layer {
            kind,
            file: String::new(),
            project: None,
            body: Body::Text(body),
            notes: Vec::new(),
        }
    }

    #[test]
    fn older_global_text_goes_before_the_projects() {
        let lines = |name: &str, count: usize| -> String {
            (0..count).map(|n| format!("- {name} {n:05}\n")).collect()
        };
        let mut layers = vec![
            layer(LayerKind::GlobalKnowledge, lines("global", 1_200)),
            layer(LayerKind::ProjectKnowledge, lines("project", 300)),
        ];
        let said = knowledge(&mut layers).expect("both");
        assert!(said.warning.is_some_and(|warning| warning.starts_with("ERROR")));
        let Body::Text(global) = &layers[0].body else { panic!("text") };
        assert!(global.contains("global 01199") && !global.contains("global 00000"));
        assert_eq!(layers[1].body, Body::Text(lines("project", 300)));
        assert!(section(&layers).expect("both").bytes <= internal::MAX_BYTES);
    }

    #[test]
    fn one_large_file_does_not_fill_the_window() {
        let mut layers = vec![layer(LayerKind::Traits, "é\n".repeat(100_000))];
        assert!(to_budget(LayerKind::Traits, &mut layers).is_some());
        assert!(layers[0].body.len() <= 8 * 1024 && layers[0].body.len() > 8_000);
        assert_eq!(to_budget(LayerKind::Traits, &mut layers), None);
    }
}
