//! Links between documents, and how they follow a document that moves.
//!
//! Invariant: only the target of a link changes; what is no link to a document that moved stays
//! byte for byte, also in code.

use super::topic::Topic;
use crate::identity::RelPath;
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use std::{collections::BTreeMap, ops::Range};

/// From where to where files move.
pub type Moves = BTreeMap<RelPath, RelPath>;

/// The text of a file with the links that moves change; none where nothing changes. `from` is where
/// the text stood, `to` where it will stand.
pub fn followed(text: &str, from: &RelPath, to: &RelPath, moves: &Moves) -> Option<String> {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    for target in targets(text) {
        if let Some(new) = new_target(&text[target.clone()], from, to, moves) {
            edits.push((target, new));
        }
    }
    edits.sort_by_key(|(range, _)| range.start);
    edits.dedup_by_key(|(range, _)| range.start);
    let mut changed = text.to_owned();
    for (range, new) in edits.iter().rev() {
        changed.replace_range(range.clone(), new);
    }
    (!edits.is_empty()).then_some(changed)
}

/// The files of a store that a text links to, as far as its links can be files.
pub fn linked(text: &str, from: &RelPath) -> Vec<(Range<usize>, RelPath)> {
    let resolved = |target: Range<usize>| Some((target.clone(), resolve(&text[target], from)?.0));
    targets(text).into_iter().filter_map(resolved).collect()
}

/// Where the targets of links stand: `[..](here)`, `[id]: here`, `[[here]]`.
fn targets(text: &str) -> Vec<Range<usize>> {
    let options = Options::ENABLE_WIKILINKS | Options::ENABLE_TABLES;
    let mut targets = Vec::new();
    let parser = Parser::new_ext(text, options);
    for (_, definition) in parser.reference_definitions().iter() {
        targets.extend(within(text, &definition.span, &definition.dest));
    }
    for (event, range) in parser.into_offset_iter() {
        let (Event::Start(Tag::Link { link_type, dest_url, .. })
        | Event::Start(Tag::Image { link_type, dest_url, .. })) = event
        else {
            continue;
        };
        match link_type {
            LinkType::Inline => targets.extend(within(text, &range, &dest_url)),
            LinkType::WikiLink { .. } => {
                let start = range.start + text[range.clone()].find("[[").map_or(0, |at| at + 2);
                let length = text[start..range.end].find(['|', ']']).unwrap_or(0);
                targets.push(start..start + length);
            }
            _ => {}
        }
    }
    targets
}

/// The place of a target within its link: neither the text of a link nor its title, which may look
/// like its target.
fn within(text: &str, link: &Range<usize>, target: &str) -> Option<Range<usize>> {
    let whole = text.get(link.clone())?;
    let start = whole.rfind("](").or_else(|| whole.find("]:")).map_or(0, |at| at + 2);
    let at = whole[start..].find(target)? + start + link.start;
    (!target.is_empty()).then(|| at..at + target.len())
}

/// How a link names a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// By its path from the file that links to it.
    Relative,
    /// As a topic: `people/sarah`, with or without `knowledge/`.
    Topic,
}

/// The file that a target means, and how.
fn resolve(target: &str, from: &RelPath) -> Option<(RelPath, Style)> {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    if path.is_empty() || path.contains(':') || path.starts_with('/') {
        return None;
    }
    let path = path.replace("%20", " ");
    if path.contains('.') && !path.ends_with(".md") && !path.starts_with('.') {
        return relative(&path, from).map(|path| (path, Style::Relative));
    }
    match path.ends_with(".md") {
        true => relative(&path, from).map(|path| (path, Style::Relative)),
        false => Topic::parse(&path).ok()?.file().map(|path| (path, Style::Topic)),
    }
}

fn relative(path: &str, from: &RelPath) -> Option<RelPath> {
    let mut parts: Vec<&str> = from.folder().split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    RelPath::new(&parts.join("/"))
}

fn new_target(target: &str, from: &RelPath, to: &RelPath, moves: &Moves) -> Option<String> {
    let (file, style) = resolve(target, from)?;
    let new = moves.get(&file).unwrap_or(&file);
    let end = target.find(['#', '?']).map_or("", |at| &target[at..]);
    let written = match style {
        // Both ends count: the file that is linked to, and the one with the link.
        Style::Relative if new == &file && from == to => return None,
        Style::Relative => way(to, new).replace(' ', "%20"),
        Style::Topic if new == &file => return None,
        Style::Topic => {
            let topic = Topic::of(new)?;
            if target.starts_with("knowledge/") { topic.full() } else { topic.to_string() }
        }
    };
    let written = format!("{written}{end}");
    (written != target).then_some(written)
}

/// The relative path from one file to another.
fn way(from: &RelPath, to: &RelPath) -> String {
    let here: Vec<&str> = from.folder().split('/').filter(|part| !part.is_empty()).collect();
    let there: Vec<&str> = to.as_str().split('/').collect();
    let same = here.iter().zip(&there[..there.len() - 1]).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", here.len() - same);
    up.chain(there[same..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> Moves {
        let path = RelPath::known;
        [(path("knowledge/sarah.md"), path("knowledge/people/sarah.md"))].into()
    }

    fn after(text: &str, from: &str, to: &str) -> String {
        followed(text, &RelPath::known(from), &RelPath::known(to), &moves())
            .unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn links_follow_what_they_mean() {
        let text =
            "See [Sarah](sarah.md#work), [[sarah]], [[sarah|her]] and [s].\n\n[s]: sarah.md\n";
        let here = "knowledge/plan.md";
        assert_eq!(
            after(text, here, here),
            "See [Sarah](people/sarah.md#work), [[people/sarah]], [[people/sarah|her]] and [s].\n\n[s]: people/sarah.md\n"
        );
        assert_eq!(
            after("[a](../sarah.md)", "knowledge/x/y.md", "knowledge/x/y.md"),
            "[a](../people/sarah.md)"
        );
        assert_eq!(after("[[knowledge/sarah]]", here, here), "[[knowledge/people/sarah]]");
    }

    #[test]
    fn a_document_that_moves_takes_its_links_along() {
        let text = "[plan](plan.md) ![d](attachments/d.png) [self](sarah.md) [[plan]]";
        assert_eq!(
            after(text, "knowledge/sarah.md", "knowledge/people/sarah.md"),
            "[plan](../plan.md) ![d](../attachments/d.png) [self](sarah.md) [[plan]]"
        );
    }

    #[test]
    fn everything_else_stays() {
        let here = "knowledge/plan.md";
        for text in [
            "`[[sarah]]`",
            "    [a](sarah.md)\n",
            "[a](https://x.org/sarah.md)",
            "[a](#sarah)",
            "[sarah.md](other.md)",
            "[a](other.md \"see sarah.md\")",
            "[a](/sarah.md)",
        ] {
            assert_eq!(after(text, here, here), text);
        }
    }
}
