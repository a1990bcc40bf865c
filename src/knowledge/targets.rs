//! Where in a text the targets of its links are, and whether each is opened or shown.
//!
//! Invariant: pure; what stands in code is no link. Must not know: which files there are.

use super::{
    html_links,
    names::{LinkForm, LinkUse},
};
use pulldown_cmark::{Event, LinkType, Options, Parser, Tag};
use std::{collections::BTreeSet, ops::Range};

/// The dialect of markdown whose links are read.
pub(super) const OPTIONS: Options = Options::ENABLE_WIKILINKS.union(Options::ENABLE_TABLES);

pub(super) struct LinkTarget {
    pub(super) range: Range<usize>,
    pub(super) form: LinkForm,
    pub(super) purpose: LinkUse,
}

/// The positions of link targets: `[..](here)`, `[id]: here`, `[[here]]`, `<img src="here">`.
pub(super) fn targets(text: &str) -> Vec<LinkTarget> {
    // A cheap test before parsing.
    if !text.contains(['[', '<']) {
        return Vec::new();
    }
    let parser = Parser::new_ext(text, OPTIONS);
    let plain = |range, purpose| LinkTarget { range, form: LinkForm::Markdown, purpose };
    let mut definitions: Vec<(Range<usize>, String)> = Vec::new();
    for (_, definition) in parser.reference_definitions().iter() {
        let range = within(text, &definition.span, &definition.dest);
        definitions.extend(range.map(|range| (range, definition.dest.to_string())));
    }
    // Where a definition is used decides: a picture of it has to be a picture.
    let (mut found, mut pictured) = (Vec::new(), BTreeSet::new());
    for (event, range) in parser.into_offset_iter() {
        if matches!(event, Event::Start(Tag::HtmlBlock) | Event::InlineHtml(_)) {
            for (of, purpose) in html_links::targets(&text[range.clone()]) {
                found.push(plain(range.start + of.start..range.start + of.end, purpose));
            }
            continue;
        }
        let (link_type, address, purpose) = match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                (link_type, dest_url, LinkUse::Opened)
            }
            Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                (link_type, dest_url, LinkUse::Shown)
            }
            _ => continue,
        };
        match link_type {
            LinkType::Inline => {
                found.extend(within(text, &range, &address).map(|range| plain(range, purpose)));
            }
            // `[[1]](https://…)` is a markdown link whose text is in brackets.
            LinkType::WikiLink { .. } if text[range.end..].starts_with('(') => {}
            LinkType::WikiLink { .. } => {
                let range = of_wiki(text, &range);
                found.push(LinkTarget { range, form: LinkForm::Wiki, purpose });
            }
            _ if purpose == LinkUse::Shown => {
                pictured.insert(address.to_string());
            }
            _ => {}
        }
    }
    let defined = |(range, address): (Range<usize>, String)| {
        let is_pictured = pictured.contains(&address);
        plain(range, if is_pictured { LinkUse::Shown } else { LinkUse::Opened })
    };
    definitions.into_iter().map(defined).chain(found).collect()
}

/// The position of the target within `[[target|alias]]`.
fn of_wiki(text: &str, link: &Range<usize>) -> Range<usize> {
    let start = link.start + text[link.clone()].find("[[").map_or(0, |at| at + 2);
    let length = text[start..link.end].find(['|', ']']).unwrap_or(0);
    // In a table, the bar before an alias is escaped.
    let length = text[start..start + length].trim_end_matches('\\').len();
    start..start + length
}

/// The position of a target within its link, not of the link's text or title, which may look the
/// same.
fn within(text: &str, link: &Range<usize>, target: &str) -> Option<Range<usize>> {
    let whole = text.get(link.clone())?;
    let is_definition = whole.trim_start().starts_with('[') && !whole.ends_with(')');
    let definition = whole.find("]:").filter(|_| is_definition);
    let start = definition.or_else(|| whole.rfind("](")).map_or(0, |at| at + 2);
    let at = whole[start..].find(target)? + start + link.start;
    (!target.is_empty()).then(|| at..at + target.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_shown_and_a_link_is_opened() {
        let text = "[a](1.png) ![b](2.png) [![c](3.png)](4.png) [[5.png]] ![[6.png|9]]\n\n\
            <a href=\"7.png\"><img src=8.png></a> <video poster='9.png'></video>\n\n\
            ![x][y] [x][z]\n\n[y]: 10.png\n[z]: 11.png\n";
        let mut opened: Vec<&str> = Vec::new();
        let mut shown: Vec<&str> = Vec::new();
        for link in targets(text) {
            let of = if link.purpose == LinkUse::Shown { &mut shown } else { &mut opened };
            of.push(&text[link.range]);
        }
        opened.sort_unstable();
        shown.sort_unstable();
        assert_eq!(opened, ["1.png", "11.png", "4.png", "5.png", "7.png"]);
        assert_eq!(shown, ["10.png", "2.png", "3.png", "6.png", "8.png", "9.png"]);
    }
}
