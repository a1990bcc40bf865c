//! Links between documents, and how they are updated when a document moves.
//!
//! Invariant: only the target of a link changes; anything that is not a link to a moved document
//! stays byte for byte, including code.

use super::{
    names::{LinkForm, LinkUse, Names, Style, folders},
    targets::{LinkTarget, OPTIONS, targets},
    topic::Topic,
};
use crate::identity::RelPath;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, HashSet};
use std::{cmp::Reverse, ops::Range};

/// Maps old paths to new ones.
pub type Moves = BTreeMap<RelPath, RelPath>;

/// Files that move, and the names of all files before and after.
pub struct Following {
    moves: Moves,
    /// Where a picture is shown from, if its document is elsewhere.
    originals: Moves,
    before: Names,
    after: Names,
}

/// How many missing pictures of a text are named; the others are counted.
const MAX_NAMED: usize = 100;

/// The pictures that a text shows and that are not there.
#[derive(Default)]
pub struct MissingPictures {
    /// As the text names them, the first ones.
    pub named: Vec<String>,
    /// How many more there are.
    pub others: usize,
}

impl Following {
    pub fn new(moves: Moves, before: Names) -> Following {
        let after = before.moved(&moves);
        Following { moves, originals: Moves::new(), before, after }
    }

    /// Like [`Following::new`], for moves after which there are different files. If a file becomes
    /// a document, links to it open the document, and pictures show the original.
    pub fn into_others(moves: Moves, originals: Moves, before: Names, after: Names) -> Following {
        Following { moves, originals, before, after }
    }

    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// The text of a file with updated links; `None` if nothing changes. `from` is the old path of
    /// the text, `to` the new one.
    pub fn text(&self, text: &str, from: &RelPath, to: &RelPath) -> Option<String> {
        let mut edits: Vec<(Range<usize>, String)> = Vec::new();
        for link in targets(text) {
            if let Some(new) = self.target(text, &link, (from, to)) {
                // Between `<` and `>`, a path is not encoded.
                let is_bare =
                    link.form == LinkForm::Markdown && !text[..link.range.start].ends_with('<');
                edits.push((link.range, if is_bare { percent_encoded(&new) } else { new }));
            }
        }
        edits.retain(|(range, new)| text[range.clone()] != **new);
        edits.sort_by_key(|(range, _)| range.start);
        edits.dedup_by_key(|(range, _)| range.start);
        if edits.is_empty() {
            return None;
        }
        let (mut changed, mut end) = (String::with_capacity(text.len()), 0);
        for (range, new) in edits {
            changed.push_str(&text[end..range.start]);
            changed.push_str(&new);
            end = range.end;
        }
        Some(changed + &text[end..])
    }

    /// The pictures that a text at a path shows and that are not among the files afterwards.
    pub fn missing_pictures(&self, text: &str, at: &RelPath) -> MissingPictures {
        let mut known = HashSet::new();
        let pictures = self.pictures(text, at).into_iter();
        let mut missing = pictures.filter(|(target, is_there)| !is_there && known.insert(*target));
        let first = missing.by_ref().take(MAX_NAMED);
        let named = first.map(|(target, _)| target.to_owned()).collect();
        MissingPictures { named, others: missing.count() }
    }

    /// How many pictures a text at a path shows that are among the files afterwards.
    pub fn shown_pictures(&self, text: &str, at: &RelPath) -> usize {
        self.pictures(text, at).into_iter().filter(|(_, is_there)| *is_there).count()
    }

    /// The pictures that a text at a path shows, and whether they are among the files afterwards.
    fn pictures<'t>(&self, text: &'t str, at: &RelPath) -> Vec<(&'t str, bool)> {
        let picture = |link: LinkTarget| {
            let target = &text[link.range];
            if link.purpose == LinkUse::Opened || !is_picture(target) {
                return None;
            }
            let file = self.after.means(target, link.form, at);
            Some((target, file.is_some_and(|file| self.after.has(&file))))
        };
        targets(text).into_iter().filter_map(picture).collect()
    }

    fn target(
        &self,
        text: &str,
        link: &LinkTarget,
        (from, to): (&RelPath, &RelPath),
    ) -> Option<String> {
        let (target, form) = (&text[link.range.clone()], link.form);
        let (file, style) = self.before.resolve(target, form, from)?;
        if !self.before.has(&file) {
            return None;
        }
        let shown = self.originals.get(&file).filter(|_| link.purpose == LinkUse::Shown);
        let new = shown.or_else(|| self.moves.get(&file)).unwrap_or(&file);
        let stays = match style {
            // Both ends count: the target, and the file with the link.
            Style::Path => new == &file && from == to,
            Style::Topic => new == &file,
            // Only wiki links refer to a file by its slug.
            Style::Name => {
                let is_called_so = form == LinkForm::Wiki || new.name() == file.name();
                is_called_so && self.after.means(target, form, to).as_ref() == Some(new)
            }
        };
        if stays {
            return None;
        }
        let path = target.split(['#', '?']).next().unwrap_or_default();
        let written = match form {
            LinkForm::Markdown if style != Style::Topic => relative_path(to, new),
            LinkForm::Markdown | LinkForm::Wiki => from_the_top(path, new)?,
        };
        Some(format!("{written}{}", &target[path.len()..]))
    }
}

/// Extensions of pictures.
const PICTURES: &[&str] = &[
    "avif", "bmp", "gif", "heic", "heif", "jpeg", "jpg", "png", "svg", "svgz", "tif", "tiff",
    "webp",
];

/// Whether a target names a picture among files, not on the web.
fn is_picture(target: &str) -> bool {
    let path = target.split(['#', '?']).next().unwrap_or_default();
    let ending = path.rsplit_once('.').map(|(_, ending)| ending.to_lowercase());
    let is_near = !path.contains(':') && !path.starts_with('/');
    is_near && ending.is_some_and(|ending| PICTURES.contains(&ending.as_str()))
}

/// A file as the target of a wiki link: with an extension or `knowledge/` if the replaced target
/// had them.
fn from_the_top(target: &str, file: &RelPath) -> Option<String> {
    let Some(topic) = Topic::of(file) else {
        let path = file.as_str();
        return Some(path.strip_prefix("knowledge/").unwrap_or(path).to_owned());
    };
    let ending = if target.ends_with(".md") { ".md" } else { "" };
    let topic = if target.starts_with("knowledge/") { topic.full() } else { topic.to_string() };
    Some(format!("{topic}{ending}"))
}

/// The files of a store that a text links to, for links that can be files.
pub fn linked(text: &str, from: &RelPath, names: &Names) -> Vec<RelPath> {
    let file = |link: LinkTarget| Some(names.resolve(&text[link.range], link.form, from)?.0);
    targets(text).into_iter().filter_map(file).collect()
}

/// A text with each link, including its text, replaced by a blank.
pub fn left_out(text: &str) -> String {
    let mut rest = text.to_owned();
    let mut spans: Vec<Range<usize>> = Vec::new();
    for (event, range) in Parser::new_ext(text, OPTIONS).into_offset_iter() {
        let is_link = matches!(event, Event::Start(Tag::Link { .. } | Tag::Image { .. }));
        if is_link && spans.last().is_none_or(|last| last.end <= range.start) {
            spans.push(range);
        }
    }
    for span in spans.into_iter().rev() {
        rest.replace_range(span, " ");
    }
    rest
}

/// A text without the targets of its links: what it says, wherever the documents are.
pub fn without_targets(text: &str) -> String {
    let mut rest = text.to_owned();
    let mut ranges: Vec<Range<usize>> = targets(text).into_iter().map(|link| link.range).collect();
    ranges.sort_by_key(|range| Reverse(range.start));
    let mut end = text.len();
    for range in ranges {
        if range.end <= end {
            end = range.start;
            rest.replace_range(range, "");
        }
    }
    rest
}

/// The `#tags` of a text, by Obsidian's rules: not in code, not only digits.
pub fn tags(text: &str) -> Vec<String> {
    let mut tags: Vec<String> = Vec::new();
    if !may_hold_tags(text) {
        return tags;
    }
    // In code or in the text of a link, it is not a tag.
    let mut within = 0;
    for event in Parser::new_ext(text, OPTIONS) {
        match event {
            Event::Start(Tag::CodeBlock(_) | Tag::Link { .. } | Tag::Image { .. }) => within += 1,
            Event::End(TagEnd::CodeBlock | TagEnd::Link | TagEnd::Image) => within -= 1,
            Event::Text(text) if within == 0 => {
                for tag in text.split_whitespace().filter_map(tag) {
                    if !tags.contains(&tag) {
                        tags.push(tag);
                    }
                }
            }
            _ => {}
        }
    }
    tags
}

/// Whether a `#` follows a blank and precedes a letter: a cheap test before parsing.
fn may_hold_tags(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr::memchr_iter(b'#', bytes).any(|at| {
        let before = at.checked_sub(1).map_or(b' ', |before| bytes[before]);
        let after = bytes.get(at + 1).copied().unwrap_or(b' ');
        before.is_ascii_whitespace() && (after.is_ascii_alphanumeric() || !after.is_ascii())
    })
}

fn tag(word: &str) -> Option<String> {
    let is_of_tag = |letter: char| letter.is_alphanumeric() || "_-/".contains(letter);
    let rest = word.strip_prefix('#')?;
    let end = rest.find(|letter| !is_of_tag(letter)).unwrap_or(rest.len());
    let (tag, after) = (rest[..end].trim_end_matches('/'), &rest[end..]);
    let is_number = !tag.chars().any(char::is_alphabetic);
    // `#1f2937` is a colour.
    let is_colour = matches!(tag.len(), 3 | 6 | 8)
        && tag.bytes().all(|byte| byte.is_ascii_hexdigit())
        && (tag.bytes().any(|byte| byte.is_ascii_digit()) || tag.len() == 3);
    let ends = after.chars().all(|letter| ".,;:!?)".contains(letter));
    (!is_number && !is_colour && ends).then(|| tag.to_owned())
}

/// A path as written in a markdown link; the heading stays as it was. Letters of every script are
/// kept readable.
fn percent_encoded(target: &str) -> String {
    let (path, heading) = target.split_at(target.find('#').unwrap_or(target.len()));
    let encoded = |letter: char| match letter {
        '%' | ' ' | '(' | ')' | '<' | '>' | '"' => format!("%{:02X}", u32::from(letter)),
        letter => letter.to_string(),
    };
    path.chars().map(encoded).collect::<String>() + heading
}

/// The relative path from one file to another.
fn relative_path(from: &RelPath, to: &RelPath) -> String {
    let here: Vec<&str> = folders(from).collect();
    let there: Vec<&str> = to.as_str().split('/').collect();
    let same = here.iter().zip(&there[..there.len() - 1]).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..", here.len() - same);
    up.chain(there[same..].iter().copied()).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(text: &str, from: &str, to: &str) -> String {
        let path = RelPath::known;
        let moves = [(path("knowledge/sarah.md"), path("knowledge/people/sarah.md"))].into();
        let there = ["sarah.md", "plan.md", "x/y.md", "attachments/d.png", "other.md"];
        let there = there.map(|name| (path(&format!("knowledge/{name}")), Vec::new()));
        let following = Following::new(moves, Names::from_files(there));
        following.text(text, &path(from), &path(to)).unwrap_or_else(|| text.to_owned())
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
    fn links_in_html_follow_as_well() {
        let here = "knowledge/plan.md";
        let text = "<a href=\"sarah.md#work\">her</a> and <A HREF='sarah.md'>her</A>\n\n\
            <p>\n<a\n href=sarah.md>her</a></p>\n\n`<a href=\"sarah.md\">`\n\n\
            ```\n<a href=\"sarah.md\">\n```\n\n<!-- <a href=\"sarah.md\"> -->\n";
        assert_eq!(
            after(text, here, here),
            "<a href=\"people/sarah.md#work\">her</a> and <A HREF='people/sarah.md'>her</A>\n\n\
            <p>\n<a\n href=people/sarah.md>her</a></p>\n\n`<a href=\"sarah.md\">`\n\n\
            ```\n<a href=\"sarah.md\">\n```\n\n<!-- <a href=\"sarah.md\"> -->\n"
        );
        let moved = after(
            "<img src=\"attachments/d.png\" alt=\"d\"> <img src=\"gone.png\">",
            "knowledge/sarah.md",
            "knowledge/people/sarah.md",
        );
        assert_eq!(moved, "<img src=\"../attachments/d.png\" alt=\"d\"> <img src=\"gone.png\">");
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
    fn names_of_documents_stay_while_they_mean_the_same() {
        let path = RelPath::known;
        let note = |name: &str| (path(name), Vec::new());
        let named = (path("knowledge/Meeting Notes.md"), vec!["Weekly".to_owned()]);
        let names =
            Names::from_files([named, note("knowledge/plan.md"), note("knowledge/a/plan.md")]);
        let after = |text: &str, moves: &[(&str, &str)]| {
            let moves = moves.iter().map(|(from, to)| (path(from), path(to))).collect();
            let here = path("knowledge/x.md");
            let following = Following::new(moves, names.clone());
            following.text(text, &here, &here).unwrap_or_else(|| text.to_owned())
        };
        let text = "[[meeting notes#Plan]] ![[Weekly|w]] [[a/plan]] | [[Weekly\\|w]] |";
        assert_eq!(
            after(text, &[("knowledge/Meeting Notes.md", "knowledge/meetings/meeting-notes.md")]),
            text
        );
        assert_eq!(
            after(text, &[("knowledge/Meeting Notes.md", "knowledge/meetings/standup.md")]),
            "[[meetings/standup#Plan]] ![[Weekly|w]] [[a/plan]] | [[Weekly\\|w]] |"
        );
        // The nearest file with that name would be a different one.
        assert_eq!(
            after("[[Plan]]", &[("knowledge/plan.md", "knowledge/b/c/plan.md")]),
            "[[b/c/plan]]"
        );
    }

    #[test]
    fn a_text_says_the_same_wherever_its_links_point_to() {
        let text = "[a](x.md \"x.md\") [[b|c]] ![d](d.png) [![e](e.png)](f.md) `[g](g.md)` [h]\n\n\
            [h]: h.md\n";
        let bare = "[a]( \"x.md\") [[|c]] ![d]() [![e]()]() `[g](g.md)` [h]\n\n[h]: \n";
        assert_eq!(without_targets(text), bare);
        assert_eq!(without_targets("No link."), "No link.");
    }

    #[test]
    fn tags_stand_in_texts_and_not_in_code() {
        let text = "# Title #top\n\nOn #work/alpha, #idea. #2024 #1f2937 C#lang `#no` [#no](x)\n\n\
            ```\n#no\n```\n\n    #no\n\n(#no) #work/alpha #größe";
        assert_eq!(tags(text), ["top", "work/alpha", "idea", "größe"]);
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
            "[[sarah]](https://x.org)",
        ] {
            assert_eq!(after(text, here, here), text);
        }
    }
}
