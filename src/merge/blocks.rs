//! Splits a markdown body into entries: headings, list items with their indented content,
//! paragraphs, tables, fences.
//!
//! Invariant: every non-blank line belongs to exactly one entry, and its bytes are kept; the
//! entries in order, with their gaps, are the body. The markdown parser decides their bounds.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};
use std::collections::BTreeMap;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Shape {
    Heading,
    /// `- …`, `1. …`, with everything indented below it.
    Item,
    Paragraph,
    Table,
    /// A code block, fenced or indented.
    Fence,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block {
    /// The headings above it, outermost first; for a heading, its own text is the last.
    pub(super) under: Vec<String>,
    pub(super) shape: Shape,
    /// The lines as in the file, without the last line ending.
    pub(super) text: String,
    /// `text` without the indentation below an item: the form in which blocks are compared.
    pub(super) bare: String,
    /// The blank lines before it.
    pub(super) gap: String,
    /// Whether the previous entry is an item in the same section.
    pub(super) follows_item: bool,
}

impl Block {
    pub(super) fn head(&self) -> &str {
        self.bare.lines().next().unwrap_or_default()
    }

    /// `Key` of `- Key: value`, if the item is a single line of that form.
    pub(super) fn field_key(&self) -> Option<&str> {
        let rest = self.bare.strip_prefix("- ").or_else(|| self.bare.strip_prefix("* "))?;
        let (key, value) = rest.split_once(':')?;
        // People also write the key in bold: `- **City**: London`.
        let name = key.strip_prefix("**").and_then(|key| key.strip_suffix("**")).unwrap_or(key);
        let plain = (1..=40).contains(&name.len())
            && !name.contains(['`', '*', '[', '"', '\n'])
            && name.trim() == name;
        let one_line = !value.contains('\n') && (value.is_empty() || value.starts_with(' '));
        (self.shape == Shape::Item && plain && one_line).then_some(key)
    }

    /// The entries below an item's first line.
    pub(super) fn children(&self) -> Vec<Block> {
        let lines: Vec<&str> = self.text.lines().skip(1).collect();
        let expanded: Vec<String> = lines.iter().map(|line| with_spaces(line)).collect();
        let filled = expanded.iter().filter(|line| !is_blank(line));
        let width = filled.map(|line| indentation(line)).min().unwrap_or(0);
        let bare: Vec<&str> =
            expanded.iter().map(|line| line.get(width..).unwrap_or_default()).collect();
        entries(&lines, &bare)
    }

    pub(super) fn with_children(&self, children: &[Block]) -> String {
        let mut text = self.text.lines().next().unwrap_or_default().to_owned() + "\n";
        for (at, child) in children.iter().enumerate() {
            match at.checked_sub(1).map(|before| &children[before]) {
                None => text.push_str(&child.gap),
                Some(before) => text.push_str(gap_between(before, child)),
            }
            text.push_str(&child.text);
            text.push('\n');
        }
        text.pop();
        text
    }
}

/// The value of a field in a text: `- Key: value`, also with `*` or with the key in bold.
pub fn field(body: &str, key: &str) -> Option<String> {
    let blocks = read(body);
    let named = |block: &&Block| block.field_key().is_some_and(|one| one.trim_matches('*') == key);
    let (_, value) = blocks.iter().find(named)?.bare.split_once(':')?;
    Some(value.trim().to_owned())
}

/// A line `Key: value` below its headings.
pub struct FieldLine {
    pub under: Vec<String>,
    pub key: String,
    /// As in the text, with its bullet.
    pub line: String,
}

/// The key of `Key: value`, without bullet and emphasis.
pub fn key_of(line: &str) -> Option<&str> {
    let (key, _) = line.split_once(':')?;
    Some(key.trim_matches(['-', '*', '_', ' ', '\t'])).filter(|key| !key.is_empty())
}

/// Every line with a key that is there once below its headings, in order; code has none.
pub fn field_lines(body: &str) -> Vec<FieldLine> {
    let mut found: Vec<FieldLine> = Vec::new();
    let mut counts: BTreeMap<(Vec<String>, String), usize> = BTreeMap::new();
    for block in read(body) {
        if matches!(block.shape, Shape::Heading | Shape::Fence) {
            continue;
        }
        for line in block.text.lines() {
            let Some(key) = key_of(line) else { continue };
            *counts.entry((block.under.clone(), key.to_owned())).or_default() += 1;
            let (under, key) = (block.under.clone(), key.to_owned());
            found.push(FieldLine { under, key, line: line.to_owned() });
        }
    }
    found.retain(|field| counts.get(&(field.under.clone(), field.key.clone())) == Some(&1));
    found
}

/// Lines are compared without their line endings.
pub(super) fn read(body: &str) -> Vec<Block> {
    let lines: Vec<&str> = body.lines().collect();
    entries(&lines, &lines)
}

/// Adds the blank lines that markdown needs between entries that were not adjacent before.
pub(super) fn write(blocks: &[Block]) -> String {
    let mut text = String::new();
    for (at, block) in blocks.iter().enumerate() {
        match at.checked_sub(1).map(|before| &blocks[before]) {
            None if block.gap.is_empty() => text.push('\n'),
            None => text.push_str(&block.gap),
            Some(before) => text.push_str(gap_between(before, block)),
        }
        text.push_str(&block.text);
        text.push('\n');
    }
    text
}

fn gap_between<'a>(before: &Block, block: &'a Block) -> &'a str {
    let neighbours =
        before.shape == Shape::Item && block.shape == Shape::Item && before.under == block.under;
    match (neighbours, block.follows_item) {
        (true, true) => &block.gap,
        (true, false) => "",
        (false, _) if block.gap.is_empty() => "\n",
        (false, _) => &block.gap,
    }
}

/// `bare` is `lines` without indentation: what the parser sees.
fn entries(lines: &[&str], bare: &[&str]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut under: Vec<(usize, String)> = Vec::new();
    let mut after = 0;
    for extent in extents(bare) {
        let text = bare[extent.start..extent.end].join("\n");
        if let Some(level) = extent.heading {
            under.retain(|(above, _)| *above < level);
            under.push((level, text.trim().to_owned()));
        }
        let under: Vec<String> = under.iter().map(|(_, text)| text.clone()).collect();
        let follows_item =
            blocks.last().is_some_and(|last| last.shape == Shape::Item && last.under == under);
        let gap: String = lines[after..extent.start].iter().map(|l| format!("{l}\n")).collect();
        blocks.push(Block {
            under,
            shape: extent.shape,
            text: lines[extent.start..extent.end].join("\n"),
            bare: text,
            gap,
            follows_item,
        });
        after = extent.end;
    }
    blocks
}

struct Extent {
    shape: Shape,
    heading: Option<usize>,
    start: usize,
    end: usize,
}

fn extents(lines: &[&str]) -> Vec<Extent> {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let starts: Vec<usize> = lines
        .iter()
        .scan(0, |at, line| Some(std::mem::replace(at, *at + line.len() + 1)))
        .collect();
    let line_of = |offset: usize| starts.partition_point(|start| *start <= offset).max(1) - 1;
    let mut extents: Vec<Extent> = Vec::new();
    let mut done = 0;
    for (shape, heading, range) in top_level(&text) {
        let start = line_of(range.start).max(done);
        let mut end = line_of(range.end.max(range.start + 1) - 1) + 1;
        while end > start && is_blank(lines[end - 1]) {
            end -= 1;
        }
        if end <= start {
            continue;
        }
        extents.extend(leftover(lines, done, start));
        extents.push(Extent { shape, heading, start, end });
        done = end;
    }
    extents.extend(leftover(lines, done, lines.len()));
    extents
}

/// Lines that the parser assigns to no block (link definitions) become paragraphs.
fn leftover(lines: &[&str], from: usize, to: usize) -> Vec<Extent> {
    let mut extents: Vec<Extent> = Vec::new();
    for at in (from..to).filter(|at| !is_blank(lines[*at])) {
        match extents.last_mut() {
            Some(last) if last.end == at => last.end = at + 1,
            _ => extents.push(Extent {
                shape: Shape::Paragraph,
                heading: None,
                start: at,
                end: at + 1,
            }),
        }
    }
    extents
}

type TopLevel = (Shape, Option<usize>, std::ops::Range<usize>);

fn top_level(text: &str) -> Vec<TopLevel> {
    let mut found = Vec::new();
    let mut depth = 0;
    // A list is not an entry; its items are.
    let mut in_list = 0;
    for (event, range) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        let at_top = depth == in_list;
        match event {
            Event::Start(tag) => {
                if at_top {
                    match tag {
                        Tag::List(_) if depth == 0 => in_list = 1,
                        tag => found.push((shape(&tag), heading(&tag), range)),
                    }
                }
                depth += 1;
            }
            Event::End(_) => {
                depth -= 1;
                in_list = in_list.min(depth);
            }
            _ if at_top => found.push((Shape::Paragraph, None, range)),
            _ => {}
        }
    }
    found
}

fn shape(tag: &Tag<'_>) -> Shape {
    match tag {
        Tag::Heading { .. } => Shape::Heading,
        Tag::Item => Shape::Item,
        Tag::Table(_) => Shape::Table,
        Tag::CodeBlock(_) => Shape::Fence,
        _ => Shape::Paragraph,
    }
}

fn heading(tag: &Tag<'_>) -> Option<usize> {
    let Tag::Heading { level, .. } = tag else { return None };
    Some(match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    })
}

fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t'))
}

fn indentation(line: &str) -> usize {
    line.bytes().take_while(|byte| *byte == b' ').count()
}

/// Expands tabs in the indentation.
fn with_spaces(line: &str) -> String {
    let rest = line.trim_start_matches([' ', '\t']);
    let mut indent = String::new();
    for letter in line[..line.len() - rest.len()].chars() {
        let width = if letter == '\t' { 4 - indent.len() % 4 } else { 1 };
        indent.push_str(&" ".repeat(width));
    }
    indent + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_is_found_however_its_item_is_written() {
        for line in ["- Name: Ada", "* Name: Ada", "- **Name**: Ada"] {
            let body = format!("# Profile\n\n- Role: x\n{line}\n");
            assert_eq!(field(&body, "Name").as_deref(), Some("Ada"), "{line}");
        }
        assert_eq!(field("Name: Ada\n\n```\n- Name: Bob\n```\n", "Name"), None);
    }

    #[test]
    fn a_body_is_its_entries() {
        let body = "\n# A\n\n- one\n  more\n\n  still one\n- Key: value\n\ntext\ntext\n\n## \
            B\n\n```sh\n# no heading\n- no item\n```\n\n| a |\n|---|\n| b |\n\n[x]: y\n";
        let blocks = read(body);
        let shapes: Vec<Shape> = blocks.iter().map(|b| b.shape).collect();
        use Shape::{Fence, Heading, Item, Paragraph, Table};
        assert_eq!(
            shapes,
            [Heading, Item, Item, Paragraph, Heading, Fence, Table, Paragraph],
            "{blocks:#?}"
        );
        assert_eq!(blocks[1].text, "- one\n  more\n\n  still one");
        assert_eq!(blocks[2].field_key(), Some("Key"));
        assert_eq!(read("- **City**: London\n")[0].field_key(), Some("**City**"));
        assert_eq!(read("- **loud** words: x\n")[0].field_key(), None);
        assert_eq!(blocks[5].under, ["# A", "## B"]);
        assert_eq!(write(&blocks), body);
    }

    #[test]
    fn bytes_of_a_line_are_kept() {
        let body = "\n- a\n\t- b\n \u{a0}c\n  \n- d\n";
        assert_eq!(write(&read(body)), body);
        let item = &read(body)[0];
        let children = item.children();
        assert_eq!(item.with_children(&children), item.text);
        assert_eq!(children[0].text, "\t- b\n \u{a0}c");
    }

    #[test]
    fn children_are_known_whatever_their_indentation() {
        let bare = |body: &str| -> Vec<String> {
            read(body)[0].children().into_iter().map(|child| child.bare).collect()
        };
        assert_eq!(bare("- a\n\t- b\n\t- c\n"), bare("- a\n  - b\n  - c\n"));
    }

    #[test]
    fn a_field_is_found_below_its_own_headings() {
        let text = "# P\n\n## Home\n\n- City: Rome\n- Pet: cat\n- Pet: dog\n\n## Work\n\n\
            - **City**: Paris\n- __Desk__: 3\n\n```\nCity: none\n```\n\nMotto: x\n";
        let found = field_lines(text).into_iter();
        let found: Vec<(String, String, String)> = found
            .map(|field| (field.under.last().cloned().unwrap_or_default(), field.key, field.line))
            .collect();
        let wanted = [
            ("## Home", "City", "- City: Rome"),
            ("## Work", "City", "- **City**: Paris"),
            ("## Work", "Desk", "- __Desk__: 3"),
            ("## Work", "Motto", "Motto: x"),
        ];
        let wanted =
            wanted.map(|(under, key, line)| (under.to_owned(), key.to_owned(), line.to_owned()));
        assert_eq!(found, wanted);
        assert_eq!(
            [key_of("no key"), key_of(": x"), key_of("* *A b*: c")],
            [None, None, Some("A b")]
        );
    }
}
