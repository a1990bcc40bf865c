//! A rule file as blocks: paragraphs, list items, headings, and everything else.
//!
//! Invariant: each line that is not blank is in exactly one block, unchanged. Must not know: what a
//! block says.

use super::{
    lines::{self, Line, LineKind},
    reading::Reason,
};
use crate::agents::block;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Block<'a> {
    pub kind: BlockKind,
    /// Lines in the file, from 1.
    pub first: usize,
    pub last: usize,
    /// In columns.
    pub indent: usize,
    /// Its lines without bullets and indentation; of what is left out, the first one.
    pub lines: Vec<&'a str>,
    is_quoted: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    /// With its level, from 1.
    Heading(u8),
    Item,
    Paragraph,
    Left(Reason),
}

impl Block<'_> {
    /// Soft-wrapped lines are one text.
    pub(super) fn text(&self) -> String {
        self.lines.join(" ")
    }

    /// Whether it may be a title: short, and no sentence.
    pub(super) fn is_title(&self) -> bool {
        const MAX_WORDS: usize = 6;
        let [line] = self.lines[..] else { return false };
        let line = line.trim_end_matches(['*', '_']);
        let is_sentence = line.ends_with(['.', '!', '?', ',', ';', '。', '！', '？']);
        !is_sentence && line.split_whitespace().count() <= MAX_WORDS
    }
}

pub(super) fn parse(text: &str) -> Vec<Block<'_>> {
    let lines: Vec<&str> = text.lines().collect();
    let own = block::span(text).map(|span| {
        let number = |at: usize| text[..at].matches('\n').count();
        (number(span.start), number(span.end) + 1)
    });
    let mut gathered = Gathered::default();
    let front = front_lines(&lines);
    if front > 0 {
        gathered.leave(&lines, (0, front), Reason::Labels);
    }
    let mut at = front;
    while at < lines.len() {
        let end = match own {
            Some((start, end)) if at == start => {
                gathered.leave(&lines, (start, end), Reason::OwnBlock);
                end
            }
            _ => gathered.take(&lines, at),
        };
        at = end;
    }
    gathered.close();
    gathered.done
}

/// The number of lines of the frontmatter, with its dashes; a rule of dashes may also begin a text.
pub(super) fn front_lines(lines: &[&str]) -> usize {
    let is_dashes = |line: &&str| line.trim_end() == "---";
    if !lines.first().is_some_and(is_dashes) {
        return 0;
    }
    let Some(close) = lines[1..].iter().position(is_dashes).map(|at| at + 1) else { return 0 };
    let mut inner = lines[1..close].iter().map(|line| line.trim());
    let first = inner.find(|line| !line.is_empty() && !line.starts_with('#'));
    let is_key =
        |line: &str| !line.starts_with(['-', '*']) && (line.contains(": ") || line.ends_with(':'));
    if first.is_none_or(is_key) { close + 1 } else { 0 }
}

#[derive(Default)]
struct Gathered<'a> {
    done: Vec<Block<'a>>,
    /// What the next line may continue.
    open: Option<Block<'a>>,
}

impl<'a> Gathered<'a> {
    /// Takes the line at this index, and what belongs to it; returns the next index.
    fn take(&mut self, lines: &[&'a str], at: usize) -> usize {
        let line = lines::line(lines[at]);
        match line.kind {
            LineKind::Comment => self.comment(lines, at),
            _ => self.line(lines, at, &line, lines[at]),
        }
    }

    /// A comment; what follows it on its last line is read as a line.
    fn comment(&mut self, lines: &[&'a str], at: usize) -> usize {
        let (last, behind) = end_of_comment(lines, at).unwrap_or((at, ""));
        if behind.is_empty() {
            self.leave(lines, (at, last + 1), Reason::Comment);
            return last + 1;
        }
        self.leave(lines, (at, last), Reason::Comment);
        let line = Line { kind: lines::line(behind).kind, ..lines::line(lines[last]) };
        self.line(lines, last, &line, behind)
    }

    /// A line whose own part is this text.
    fn line(&mut self, lines: &[&'a str], at: usize, line: &Line<'a>, text: &'a str) -> usize {
        match line.kind {
            LineKind::Blank => self.close(),
            LineKind::Fence(sign, count) => {
                let end = end_of_code(lines, at, sign, count);
                self.leave(lines, (at, end), Reason::Code);
                return end;
            }
            LineKind::Comment => self.leave(lines, (at, at + 1), Reason::Comment),
            LineKind::Tag => self.leave(lines, (at, at + 1), Reason::Tag),
            LineKind::Table => self.table(lines, at),
            LineKind::Bare => self.bare(lines, at),
            LineKind::Heading(level) => {
                self.open(line, BlockKind::Heading(level), at, text.trim());
                self.close();
            }
            LineKind::Item(text) => self.open(line, BlockKind::Item, at, text),
            LineKind::Alone(text) => {
                self.open(line, BlockKind::Paragraph, at, text);
                self.close();
            }
            LineKind::Text(text) => self.text(line, at, text),
        }
        at + 1
    }

    fn text(&mut self, line: &Line<'a>, at: usize, text: &'a str) {
        match &mut self.open {
            Some(open) if open.is_quoted == line.is_quoted => {
                open.lines.push(text);
                open.last = at + 1;
            }
            _ => self.open(line, BlockKind::Paragraph, at, text),
        }
    }

    fn open(&mut self, line: &Line<'a>, kind: BlockKind, at: usize, text: &'a str) {
        self.close();
        let number = at + 1;
        self.open = Some(Block {
            kind,
            first: number,
            last: number,
            indent: line.indent,
            lines: vec![text],
            is_quoted: line.is_quoted,
        });
    }

    fn close(&mut self) {
        self.done.extend(self.open.take());
    }

    /// The lines from one index up to another.
    fn leave(&mut self, lines: &[&'a str], (start, end): (usize, usize), reason: Reason) {
        self.close();
        let end = end.min(lines.len());
        let says = |line: &&&str| line.chars().any(char::is_alphanumeric);
        let text = lines[start..end].iter().find(says).unwrap_or(&lines[start]).trim();
        let indent = lines::line(lines[start]).indent;
        self.done.push(Block {
            kind: BlockKind::Left(reason),
            first: start + 1,
            last: end,
            indent,
            lines: vec![text],
            is_quoted: false,
        });
    }

    fn table(&mut self, lines: &[&'a str], at: usize) {
        self.close();
        match self.done.last_mut() {
            Some(above) if above.kind == BlockKind::Left(Reason::Table) && above.last == at => {
                above.last = at + 1;
            }
            _ => self.leave(lines, (at, at + 1), Reason::Table),
        }
    }

    /// A line of signs; below a title it makes a heading of it.
    fn bare(&mut self, lines: &[&'a str], at: usize) {
        let line = lines[at].trim();
        let level = if line.starts_with('=') { 1 } else { 2 };
        let consists_of = |sign: u8| line.bytes().all(|byte| byte == sign);
        let is_underline = line.len() > 1 && (consists_of(b'=') || consists_of(b'-'));
        match &mut self.open {
            Some(open) if is_underline && open.kind == BlockKind::Paragraph && open.is_title() => {
                open.kind = BlockKind::Heading(level);
                open.last = at + 1;
                self.close();
            }
            _ => self.leave(lines, (at, at + 1), Reason::NoLetters),
        }
    }
}

/// Code that is never closed reaches to the end.
fn end_of_code(lines: &[&str], at: usize, sign: char, count: usize) -> usize {
    let is_end = |text: &&str| {
        let text = text.trim_start_matches(['>', ' ', '\t']).trim_end();
        text.len() >= count && text.chars().all(|letter| letter == sign)
    };
    lines[at + 1..].iter().position(is_end).map_or(lines.len(), |behind| at + behind + 2)
}

/// The last line of a comment, or of several without anything between them, and what follows it;
/// `None` if it is never closed.
fn end_of_comment<'a>(lines: &[&'a str], at: usize) -> Option<(usize, &'a str)> {
    let (mut last, mut rest) = (at, lines[at]);
    loop {
        let Some((_, behind)) = rest.split_once("-->") else {
            last += 1;
            rest = lines.get(last)?;
            continue;
        };
        match behind.trim().strip_prefix("<!--") {
            Some(another) => rest = another,
            None => return Some((last, behind.trim())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> Vec<(usize, usize, String)> {
        let shown = |block: &Block<'_>| (block.first, block.last, format!("{:?}", block.kind));
        parse(text).iter().map(shown).collect()
    }

    #[test]
    fn each_line_is_in_one_block() {
        let text = "---\na: b\n---\n# T\none\ntwo\n\n- x\n  y\n- z\n```\n- no\n\n```\n<a>\n  in\n</a>\n| a | b |\n|---|---|\nTitle\n---\n<!-- a\nb -->\n***\n```\nend\n";
        let wanted = [
            (1, 3, "Left(Labels)"),
            (4, 4, "Heading(1)"),
            (5, 6, "Paragraph"),
            (8, 9, "Item"),
            (10, 10, "Item"),
            (11, 14, "Left(Code)"),
            (15, 15, "Left(Tag)"),
            (16, 16, "Paragraph"),
            (17, 17, "Left(Tag)"),
            (18, 19, "Left(Table)"),
            (20, 21, "Heading(2)"),
            (22, 23, "Left(Comment)"),
            (24, 24, "Left(NoLetters)"),
            (25, 26, "Left(Code)"),
        ];
        let wanted = wanted.map(|(first, last, kind)| (first, last, kind.to_owned()));
        assert_eq!(shape(text), wanted);
    }

    #[test]
    fn dashes_begin_a_text_as_well() {
        assert_eq!(front_lines(&["---", "", "text", "---"]), 0);
        assert_eq!(front_lines(&["---", "- a: b", "---"]), 0);
        assert_eq!(front_lines(&["---", "globs: *.ts", "---", "x"]), 3);
        assert_eq!(front_lines(&["---", "a: b"]), 0);
    }
}
