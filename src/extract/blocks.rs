//! Converts paragraphs, headings, list items and tables of an office document to markdown.
//!
//! Invariant: the items of a list are adjacent; a blank line separates everything else.

/// A paragraph, with its markdown prefix.
pub(super) struct Block {
    pub(super) text: String,
    pub(super) is_item: bool,
}

impl Block {
    /// `None` if it is empty.
    pub(super) fn paragraph(text: &str) -> Option<Block> {
        let text = text.trim();
        (!text.is_empty()).then(|| Block { text: text.to_owned(), is_item: false })
    }

    pub(super) fn heading(level: usize, text: &str) -> Option<Block> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let sign = "#".repeat(level.clamp(1, 6));
        (!text.is_empty()).then(|| Block { text: format!("{sign} {text}"), is_item: false })
    }

    /// An item of a list that is nested `deep` levels.
    pub(super) fn item(deep: usize, text: &str) -> Option<Block> {
        let text = text.trim();
        let indent = "  ".repeat(deep);
        let text = text.replace('\n', &format!("\n{indent}  "));
        (!text.is_empty()).then(|| Block { text: format!("{indent}- {text}"), is_item: true })
    }

    /// An item of a numbered list.
    pub(super) fn numbered(deep: usize, number: &str, text: &str) -> Option<Block> {
        let item = Block::item(deep, text)?;
        Some(Block { text: item.text.replacen('-', number, 1), ..item })
    }

    /// What an item of a list says after its first paragraph.
    pub(super) fn continued(deep: usize, text: &str) -> Option<Block> {
        let item = Block::item(deep, text)?;
        Some(Block { text: item.text.replacen('-', " ", 1), ..item })
    }

    /// Sets apart what follows.
    fn rule() -> Block {
        Block { text: "---".to_owned(), is_item: false }
    }

    /// The first row is the header. `None` if all cells are empty.
    pub(super) fn table(mut rows: Vec<Vec<String>>) -> Option<Block> {
        if rows.iter().flatten().all(|cell| cell.trim().is_empty()) {
            return None;
        }
        let columns = rows.iter().map(Vec::len).max().filter(|columns| *columns > 0)?;
        let mut lines = Vec::new();
        for (at, row) in rows.iter_mut().enumerate() {
            row.resize(columns, String::new());
            let cells: Vec<String> = row.iter().map(|cell| cell_of(cell)).collect();
            lines.push(format!("| {} |", cells.join(" | ")));
            if at == 0 {
                lines.push(format!("|{}", " --- |".repeat(columns)));
            }
        }
        Some(Block { text: lines.join("\n"), is_item: false })
    }
}

/// Adds what is on a slide: below its title, or else set apart from the slides before it.
pub(super) fn add_slide(blocks: &mut Vec<Block>, title: Option<&str>, mut texts: Vec<Block>) {
    let heading = title.and_then(|title| Block::heading(2, title));
    let is_apart = heading.is_none() && !blocks.is_empty() && !texts.is_empty();
    blocks.extend(is_apart.then(Block::rule));
    blocks.extend(heading);
    blocks.append(&mut texts);
}

fn cell_of(text: &str) -> String {
    text.trim().replace('|', "\\|").replace('\n', " ")
}

pub(super) fn joined(blocks: &[Block]) -> String {
    let mut text = String::new();
    let mut before = false;
    for block in blocks {
        if !text.is_empty() {
            text.push_str(if before && block.is_item { "\n" } else { "\n\n" });
        }
        text.push_str(&block.text);
        before = block.is_item;
    }
    text
}
