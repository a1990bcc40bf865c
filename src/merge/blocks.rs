//! A markdown body as entries: headings, list items with what is indented below them, paragraphs, tables, fences.
//!
//! Invariant: entries in order, with their gaps, are the body; nothing is interpreted beyond what the merge needs.

/// What an entry is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Shape {
    /// `# …`
    Heading,
    /// `- …`, `1. …`, with everything indented below.
    Item,
    /// Lines of text.
    Paragraph,
    /// Lines that start with `|`.
    Table,
    /// A fenced block.
    Fence,
}

/// One entry of a body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The headings above it, outermost first; a heading's own text is its last part.
    pub under: Vec<String>,
    /// What it is.
    pub shape: Shape,
    /// Its lines without the last line end.
    pub text: String,
    /// Blank lines before it.
    pub gap: usize,
    /// Whether the entry before it is an item of the same section.
    pub follows_item: bool,
}

impl Block {
    /// The first line.
    pub fn head(&self) -> &str {
        self.text.lines().next().unwrap_or_default()
    }

    /// `Key` of `- Key: value`, when the item is one line of that form.
    pub fn field_key(&self) -> Option<&str> {
        let rest = self.text.strip_prefix("- ").or_else(|| self.text.strip_prefix("* "))?;
        let (key, value) = rest.split_once(':')?;
        // People also write the key in bold: `- **City**: London`.
        let bare = key.strip_prefix("**").and_then(|key| key.strip_suffix("**")).unwrap_or(key);
        let plain = (1..=40).contains(&bare.len()) && !bare.contains(['`', '*', '[', '"', '\n']) && bare.trim() == bare;
        (self.shape == Shape::Item && plain && (value.is_empty() || value.starts_with(' ')) && !value.contains('\n')).then_some(key)
    }
}

/// Takes a body apart. Lines are compared without their line ends.
pub fn read(body: &str) -> Vec<Block> {
    let lines: Vec<&str> = body.lines().collect();
    let mut blocks: Vec<Block> = Vec::new();
    let mut under: Vec<(usize, String)> = Vec::new();
    let (mut at, mut gap) = (0, 0);
    while at < lines.len() {
        let line = lines[at];
        if line.trim().is_empty() {
            gap += 1;
            at += 1;
            continue;
        }
        let (shape, end) = extent(&lines, at);
        if shape == Shape::Heading {
            let level = heading_level(line).unwrap_or(1);
            under.retain(|(above, _)| *above < level);
            under.push((level, line.trim().to_owned()));
        }
        let path: Vec<String> = under.iter().map(|(_, text)| text.clone()).collect();
        let follows_item = blocks.last().is_some_and(|last| last.shape == Shape::Item && last.under == path);
        blocks.push(Block { under: path, shape, text: lines[at..end].join("\n"), gap, follows_item });
        (at, gap) = (end, 0);
    }
    blocks
}

fn extent(lines: &[&str], at: usize) -> (Shape, usize) {
    let line = lines[at];
    let while_next = |from: usize, more: &dyn Fn(&str) -> bool| lines[from..].iter().position(|line| !more(line)).map_or(lines.len(), |n| from + n);
    if heading_level(line).is_some() {
        return (Shape::Heading, at + 1);
    }
    if let Some(fence) = fence_mark(line) {
        let close = lines[at + 1..].iter().position(|line| line.trim_end().starts_with(fence) && line.trim_end().chars().all(|c| fence.contains(c)));
        return (Shape::Fence, close.map_or(lines.len(), |n| at + n + 2));
    }
    if is_item(line) {
        return (Shape::Item, item_end(lines, at + 1));
    }
    if line.starts_with('|') {
        return (Shape::Table, while_next(at + 1, &|line| line.starts_with('|')));
    }
    let text = |line: &str| {
        !line.trim().is_empty() && heading_level(line).is_none() && fence_mark(line).is_none() && !is_item(line) && !line.starts_with('|')
    };
    (Shape::Paragraph, while_next(at + 1, &text))
}

/// Where an item ends: indented lines belong to it, also behind blank lines.
fn item_end(lines: &[&str], from: usize) -> usize {
    let mut end = from;
    for (at, line) in lines.iter().enumerate().skip(from) {
        if line.starts_with([' ', '\t']) && !line.trim().is_empty() {
            end = at + 1;
        } else if !line.trim().is_empty() {
            break;
        }
    }
    end
}

fn heading_level(line: &str) -> Option<usize> {
    let level = line.bytes().take_while(|b| *b == b'#').count();
    let rest = &line[level..];
    ((1..=6).contains(&level) && (rest.is_empty() || rest.starts_with(' '))).then_some(level)
}

fn fence_mark(line: &str) -> Option<&str> {
    ["```", "~~~"].into_iter().find(|mark| line.starts_with(mark))
}

fn is_item(line: &str) -> bool {
    if line.starts_with("- ") || line.starts_with("* ") || line.starts_with("+ ") || matches!(line.trim_end(), "-" | "*" | "+") {
        return true;
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    (1..=9).contains(&digits) && (line[digits..].starts_with(". ") || line[digits..].starts_with(") "))
}

/// Puts entries together again, with the blank lines that markdown needs between neighbours that were none before.
pub fn write(blocks: &[Block]) -> String {
    let mut text = String::new();
    for (at, block) in blocks.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| &blocks[at]);
        let gap = match before {
            None => block.gap.max(1),
            Some(last) if last.shape == Shape::Item && block.shape == Shape::Item && last.under == block.under => {
                if block.follows_item {
                    block.gap
                } else {
                    0
                }
            }
            Some(_) => block.gap.max(1),
        };
        text.push_str(&"\n".repeat(gap));
        text.push_str(&block.text);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_its_entries() {
        let body =
            "\n# A\n\n- one\n  more\n\n  still one\n- Key: value\n\ntext\ntext\n\n## B\n\n```sh\n# no heading\n- no item\n```\n\n| a |\n| b |\n";
        let blocks = read(body);
        let shapes: Vec<Shape> = blocks.iter().map(|b| b.shape).collect();
        use Shape::{Fence, Heading, Item, Paragraph, Table};
        assert_eq!(shapes, [Heading, Item, Item, Paragraph, Heading, Fence, Table]);
        assert_eq!(blocks[1].text, "- one\n  more\n\n  still one");
        assert_eq!(blocks[2].field_key(), Some("Key"));
        assert_eq!(read("- **City**: London\n")[0].field_key(), Some("**City**"));
        assert_eq!(read("- **loud** words: x\n")[0].field_key(), None);
        assert_eq!(blocks[5].under, ["# A", "## B"]);
        assert_eq!(write(&blocks), body);
    }
}
