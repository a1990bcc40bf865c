//! Cuts what is too much: the lowest-ranked text first, the project's last.
//!
//! Invariant: cuts end at a line where there is one, always at a character.

use super::{
    internal::{self, Knowledge, floor_char, load_internal_knowledge},
    layers::{Layer, LayerKind, Limit},
};

/// Cuts a layer to its own budget; returns the warning if it was cut.
pub fn to_budget(kind: LayerKind, layers: &mut [Layer]) -> Option<String> {
    let (budget, Limit::Hard) = kind.budget() else { return None };
    let bytes = size(kind, layers);
    if bytes <= budget {
        return None;
    }
    by(kind, layers, bytes - budget);
    let name = kind.name();
    // Facts that do not fit are found with recall; that is nothing to warn about.
    (kind != LayerKind::Memories).then(|| {
        format!(
            "WARNING: {name} of {bytes} bytes exceeds its {} KiB budget. Truncating.",
            budget / 1024
        )
    })
}

fn size(kind: LayerKind, layers: &[Layer]) -> usize {
    layers.iter().filter(|layer| layer.kind == kind).map(|layer| layer.body.len()).sum()
}

/// Removes this many bytes: of global knowledge the start, which is oldest, of all others the end.
pub fn by(kind: LayerKind, layers: &mut [Layer], surplus: usize) {
    let mut left = surplus;
    for layer in layers.iter_mut().rev().filter(|layer| layer.kind == kind) {
        if left == 0 {
            return;
        }
        let before = layer.body.len();
        layer.body = match kind {
            LayerKind::GlobalKnowledge => without_head(&layer.body, left),
            _ => without_tail(&layer.body, left),
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
    let kept = &text[..floor_char(text, text.len().saturating_sub(surplus))];
    let line = kept.rfind('\n').filter(|at| *at > kept.len() / 2);
    kept[..line.unwrap_or(kept.len())].to_owned()
}

/// Global and project knowledge as one section, uncut.
pub fn section(layers: &[Layer]) -> Option<Knowledge> {
    let body = |kind| {
        let bodies = layers.iter().filter(move |layer| layer.kind == kind);
        let bodies: Vec<&str> = bodies.map(|layer| layer.body.trim()).collect();
        (!bodies.is_empty()).then(|| bodies.join("\n\n"))
    };
    let (global, project) = (body(LayerKind::GlobalKnowledge), body(LayerKind::ProjectKnowledge));
    load_internal_knowledge(global.as_deref(), project.as_deref())
}

/// Cuts both kinds of knowledge to the size that seed 002 allows; returns what it was before.
pub fn knowledge(layers: &mut [Layer]) -> Option<Knowledge> {
    let whole = section(layers)?;
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
        Layer { kind, file: String::new(), body, notes: Vec::new() }
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
        assert!(
            layers[0].body.contains("global 01199") && !layers[0].body.contains("global 00000")
        );
        assert_eq!(layers[1].body, lines("project", 300));
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
