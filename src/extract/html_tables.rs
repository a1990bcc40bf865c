//! Tables of HTML as markdown.
//!
//! Invariant: every cell is text, whether it is a heading or not, and so is the caption. A table
//! without headings is there for the layout of a page: its cells are paragraphs.

use super::{blocks::Block, html_element::attribute};
use htmd::{
    Element, HtmlToMarkdownBuilder,
    element_handler::{HandlerResult, Handlers},
};

/// These begin a cell and a row, stand where a table has headings, and enclose a caption: a part
/// is converted before the table around it, which needs to know its parts.
const CELL: char = '\u{1}';
const ROW: char = '\u{2}';
const HEADING: char = '\u{3}';
const CAPTION: char = '\u{4}';
const CAPTION_END: char = '\u{5}';
/// The most columns that a cell covers, however many it claims.
const WIDEST: usize = 100;

pub(super) fn added(converter: HtmlToMarkdownBuilder) -> HtmlToMarkdownBuilder {
    let cell = |handlers: &dyn Handlers, element: Element| {
        let (heading, covered) = (heading(&element), covered(&element));
        Some(HandlerResult::from(format!("{CELL}{heading}{}{covered}", within(handlers, &element))))
    };
    let row = |handlers: &dyn Handlers, element: Element| {
        Some(HandlerResult::from(format!("{ROW}{}", within(handlers, &element))))
    };
    let group = |handlers: &dyn Handlers, element: Element| {
        let heading = heading(&element);
        Some(HandlerResult::from(format!("{heading}{}", within(handlers, &element))))
    };
    let caption = |handlers: &dyn Handlers, element: Element| {
        let text = within(handlers, &element);
        Some(HandlerResult::from(format!("{CAPTION}{text}{CAPTION_END}")))
    };
    let table = |handlers: &dyn Handlers, element: Element| {
        let text = converted(&within(handlers, &element));
        Some(HandlerResult::from(format!("\n\n{text}\n\n")))
    };
    let converter = converter.add_handler(vec!["td", "th"], cell).add_handler(vec!["tr"], row);
    let converter = converter.add_handler(vec!["thead", "tbody", "tfoot"], group);
    converter.add_handler(vec!["caption"], caption).add_handler(vec!["table"], table)
}

fn within(handlers: &dyn Handlers, element: &Element) -> String {
    handlers.walk_children(element.node).content
}

/// The mark of an element that makes headings.
fn heading(element: &Element) -> String {
    if matches!(element.tag, "th" | "thead") { HEADING.to_string() } else { String::new() }
}

/// The columns that a cell covers besides its own.
fn covered(element: &Element) -> String {
    let span = attribute(element, "colspan").and_then(|span| span.trim().parse::<usize>().ok());
    let span = span.unwrap_or(1);
    CELL.to_string().repeat(span.clamp(1, WIDEST) - 1)
}

/// The markdown of a table whose parts are marked.
fn converted(marked: &str) -> String {
    let (mut blocks, mut rest) = (Vec::new(), String::with_capacity(marked.len()));
    for part in marked.split(CAPTION) {
        match part.split_once(CAPTION_END) {
            Some((caption, after)) => {
                blocks.push(caption.trim().to_owned());
                rest.push_str(after);
            }
            None => rest.push_str(part),
        }
    }
    let has_headings = rest.contains(HEADING);
    let rest = rest.replace(HEADING, "");
    let mut rows = rest.split(ROW);
    // What is between the parts of a table is text as well.
    blocks.extend(rows.next().map(|before| before.replace(CELL, " ").trim().to_owned()));
    if has_headings {
        let cells = |row: &str| -> Vec<String> {
            let mut cells = row.split(CELL);
            let before = cells.next().map(str::trim).filter(|before| !before.is_empty());
            before.into_iter().chain(cells).map(flat).collect()
        };
        blocks.extend(Block::table(rows.map(cells).collect()).map(|block| block.text));
    } else {
        blocks.extend(rows.flat_map(|row| row.split(CELL)).map(|cell| cell.trim().to_owned()));
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n")
}

/// The text of a cell on one line. A table in it is words.
fn flat(cell: &str) -> String {
    let line = |line: &str| -> Option<String> {
        let line = line.trim();
        let Some(cells) = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |")) else {
            return Some(line.to_owned());
        };
        let is_rule = cells.split(" | ").all(|cell| cell == "---");
        (!is_rule).then(|| cells.replace(" | ", " ").replace("\\|", "|"))
    };
    let lines: Vec<String> =
        cell.lines().filter_map(line).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

#[cfg(test)]
mod tests {
    use crate::extract::html;

    fn text(html: &str) -> String {
        html::read(html.as_bytes(), None).text
    }

    #[test]
    fn no_cell_is_lost() {
        let rows = "<tr><th>Name</th><td>Anna</td></tr><tr><th>Town</th><td>Oslo|Bergen</td></tr>";
        let wanted = "| Name | Anna |\n| --- | --- |\n| Town | Oslo\\|Bergen |";
        assert_eq!(text(&format!("<table>{rows}</table>")).trim(), wanted);
        let two = "<table><caption>Yield</caption><thead><tr><th>Tree</th><th colspan=2>Baskets</th>\
            </tr><tr><th></th><th>spring</th><th>autumn</th></tr></thead><tfoot><tr><th>all</th>\
            <td>1</td><td>2</td></tr></tfoot></table>";
        let wanted = "Yield\n\n| Tree | Baskets |  |\n| --- | --- | --- |\n|  | spring | autumn |\n\
            | all | 1 | 2 |";
        assert_eq!(text(two).trim(), wanted);
        let nested = "<table><tr><th>a</th></tr><tr><td><p>b</p><table><tr><th>c</th><td>d</td></tr>\
            </table></td></tr></table>";
        assert_eq!(text(nested).trim(), "| a |\n| --- |\n| b c d |");
        let layout = "<table><tr><td><h1>Head</h1><p>one</p></td><td>two</td></tr></table>";
        assert_eq!(text(layout).trim(), "# Head\n\none\n\ntwo");
    }
}
