//! The words in a chart that somebody wrote.
//!
//! Invariant: what is kept for other programs or for later is no part of the chart.

use crate::extract::xml::own_text;
use roxmltree::Node;

/// The elements of some names, but for what is kept for other programs or for later.
pub(super) fn named<'a, 'b>(
    root: Node<'a, 'b>,
    names: &[&str],
) -> impl Iterator<Item = Node<'a, 'b>> {
    let is_it = |node: &Node<'_, '_>| names.contains(&node.tag_name().name());
    let is_seen = |node: &Node<'_, '_>| {
        node.ancestors().all(|above| !matches!(above.tag_name().name(), "extLst" | "Fallback"))
    };
    let found: Vec<Node<'a, 'b>> = root.descendants().filter(is_it).filter(is_seen).collect();
    found.into_iter()
}

/// The words of a title or label: as they were written, or as they were found in a cell.
pub(super) fn words(label: Node<'_, '_>) -> String {
    let mut lines = Vec::new();
    for paragraph in named(label, &["p"]) {
        let mut line = String::new();
        for part in named(paragraph, &["t", "br"]) {
            match part.tag_name().name() {
                "br" => line.push(' '),
                // A field repeats a value that is in the table.
                _ if part.parent().is_some_and(|run| run.tag_name().name() == "fld") => {}
                _ => line.push_str(&own_text(part)),
            }
        }
        lines.push(line);
    }
    lines.retain(|line| !line.trim().is_empty());
    if lines.is_empty() {
        lines.extend(named(label, &["v"]).map(own_text));
    }
    lines.join(" ")
}
