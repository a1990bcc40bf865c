//! Agents' instructions in markdown: one fact per list item or paragraph.
//!
//! Invariant: a fact is the text as written, without its bullet and line ends; every other line is
//! left out with a reason. The items below an item that ends with a colon are about it; if none of
//! them becomes a fact, the item itself does.

use super::{
    blocks::{self, Block, BlockKind},
    reading::{MAX_LEN, Place, Proposal, Reading, Reason},
    subject::Subject,
};
use unicode_width::UnicodeWidthStr;

pub(super) fn read(text: &str) -> Reading {
    let blocks = blocks::parse(text);
    let mut reader = Reader::default();
    for (at, block) in blocks.iter().enumerate() {
        reader.block(block, blocks.get(at + 1));
    }
    reader.close_items(0);
    reader.reading
}

/// The level of a title in bold letters: below all headings.
const BOLD_TITLE: u8 = 7;

/// An item that may have others below it.
struct Above<'a> {
    indent: usize,
    /// What introduces the lines below, with what introduces the item itself.
    lead: String,
    /// The item, if it introduces others and is so far part of no fact.
    unused: Option<Block<'a>>,
}

#[derive(Default)]
struct Reader<'a> {
    reading: Reading,
    subject: Subject,
    /// The items above, outermost first; each is indented further than the one before.
    items: Vec<Above<'a>>,
}

impl<'a> Reader<'a> {
    fn block(&mut self, block: &Block<'a>, next: Option<&Block<'a>>) {
        self.close_items(block.indent);
        let text = block.text();
        match &block.kind {
            BlockKind::Left(reason) => self.leave(block, reason.clone()),
            BlockKind::Heading(level) => self.heading(block, *level),
            BlockKind::Paragraph if is_bold_title(block, next) => self.heading(block, BOLD_TITLE),
            _ if is_pointer(&text) => self.leave(block, Reason::Pointer),
            BlockKind::Paragraph => {
                let introduces = next.is_some_and(|next| introduces(block, next));
                if is_lead(&text) && is_short(&text) && introduces {
                    self.leave(block, Reason::Introduction);
                } else {
                    self.propose(block);
                }
            }
            BlockKind::Item => self.item(block, next),
        }
    }

    /// Ends the items with at least this indentation: nothing more is below them.
    fn close_items(&mut self, indent: usize) {
        while let Some(item) = self.items.pop_if(|item| item.indent >= indent) {
            match item.unused {
                Some(block) if says_something(&block.text()) => self.propose(&block),
                Some(block) => self.leave(&block, Reason::Introduction),
                None => {}
            }
        }
    }

    fn heading(&mut self, block: &Block<'a>, level: u8) {
        self.close_items(0);
        self.subject.below(level, &block.text());
        self.leave(block, Reason::Heading);
    }

    fn item(&mut self, block: &Block<'a>, next: Option<&Block<'a>>) {
        let below = next.filter(|next| next.indent > block.indent);
        let lead = Some(block.text()).filter(|text| is_lead(text));
        match (&lead, below.map(|below| &below.kind)) {
            // It is part of what is below it.
            (Some(text), Some(BlockKind::Item | BlockKind::Paragraph)) => {
                let lead = format!("{}{text} ", self.lead());
                let unused = Some(block.clone());
                self.items.push(Above { indent: block.indent, lead, unused });
                return;
            }
            (Some(text), Some(BlockKind::Left(Reason::Code | Reason::Table))) if is_short(text) => {
                self.leave(block, Reason::Introduction);
            }
            _ => self.propose(block),
        }
        self.items.push(Above { indent: block.indent, lead: self.lead(), unused: None });
    }

    /// The text of the enclosing items, as far as they introduce this one.
    fn lead(&self) -> String {
        self.items.last().map(|item| item.lead.clone()).unwrap_or_default()
    }

    fn propose(&mut self, block: &Block<'a>) {
        let text = format!("{}{}", self.lead(), block.text());
        let place = Place::Lines(block.first, block.last);
        if text.chars().count() <= MAX_LEN {
            self.items.iter_mut().for_each(|item| item.unused = None);
            self.reading.propose(self.subject.sorted(Proposal::fact(text, place)));
            return;
        }
        // Too much for one fact: a text without blank lines, one rule per line, or one that only
        // fits without what introduces it.
        for (line, number) in block.lines.iter().zip(block.first..) {
            let proposal = Proposal::fact(*line, Place::Lines(number, number));
            self.reading.propose(self.subject.sorted(proposal));
        }
    }

    fn leave(&mut self, block: &Block<'a>, reason: Reason) {
        let place = Place::Lines(block.first, block.last);
        self.reading.leave(place, block.lines.first().copied().unwrap_or_default(), reason);
    }
}

/// Ends with a colon, in whatever script, and whatever is in bold.
fn is_lead(text: &str) -> bool {
    text.trim_end_matches(['*', '_', ' ']).ends_with([':', '：'])
}

/// Whether it says nothing without what follows it.
fn is_short(text: &str) -> bool {
    const MAX_LEAD: usize = 40;
    text.chars().count() <= MAX_LEAD
}

/// Whether what introduces others is a rule of its own, and not their title: `Naming:`.
fn says_something(lead: &str) -> bool {
    const TITLE: (usize, usize) = (3, 20);
    let (words, columns) = TITLE;
    let is_sentence = lead.contains([',', ';', '，', '；', '。', '、']);
    is_sentence || lead.split_whitespace().count() > words || lead.width() > columns
}

fn introduces(block: &Block<'_>, next: &Block<'_>) -> bool {
    match next.kind {
        BlockKind::Item => true,
        BlockKind::Paragraph => next.indent > block.indent,
        BlockKind::Left(Reason::Code | Reason::Table | Reason::Tag) => true,
        BlockKind::Left(_) | BlockKind::Heading(_) => false,
    }
}

/// A line all in bold above other text.
fn is_bold_title(block: &Block<'_>, next: Option<&Block<'_>>) -> bool {
    let is_bold = |block: &Block<'_>| {
        let text = block.text();
        let inner = text.strip_prefix("**").map(|text| text.trim_end_matches(':'));
        let inner = inner.and_then(|text| text.strip_suffix("**"));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains("**"))
    };
    let is_text = |next: &Block<'_>| match next.kind {
        BlockKind::Paragraph => !is_bold(next),
        BlockKind::Item | BlockKind::Left(_) => true,
        BlockKind::Heading(_) => false,
    };
    block.is_title() && is_bold(block) && next.is_some_and(is_text)
}

/// `@docs/rules.md`, and the line of an index: `[Title](note.md) what it says`.
fn is_pointer(text: &str) -> bool {
    let is_word = !text.contains(char::is_whitespace);
    if text.starts_with('@') && is_word && text.contains(['.', '/']) {
        return true;
    }
    let target = text.strip_prefix('[').and_then(|rest| rest.split_once("]("));
    // The box of a task is no title.
    let target = target.filter(|(title, _)| !title.contains(']'));
    let file = target.and_then(|(_, rest)| rest.split_once(')')).map(|(file, _)| file);
    file.is_some_and(|file| file.ends_with(".md") && !file.contains('/'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adopt::ProposedAs;
    use crate::agents::block;

    fn texts(text: &str) -> Vec<String> {
        read(text).proposals.into_iter().map(|one| one.text).collect()
    }

    #[test]
    fn items_and_paragraphs_are_facts() {
        let text = "# My rules\n\nAlways answer in English.\n\n## Testing\n\n- Use pytest over unittest\n- Naming:\n  - tests begin with test_\n  - no numbers in names\n\n```sh\nrm -rf everything there\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n> Quoted rules are rules\n\n<!-- a comment that is long -->\n\n- [Index](other.md) a file that is elsewhere\n";
        let found = read(text);
        let texts: Vec<&str> = found.proposals.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "Always answer in English.",
                "Use pytest over unittest",
                "Naming: tests begin with test_",
                "Naming: no numbers in names",
                "Quoted rules are rules",
            ]
        );
        assert_eq!(found.proposals[1].tags, ["testing"]);
        assert!(found.proposals[0].tags.is_empty());
        let left: Vec<(Place, &Reason)> =
            found.left.iter().map(|left| (left.place, &left.reason)).collect();
        assert_eq!(
            left,
            [
                (Place::Lines(1, 1), &Reason::Heading),
                (Place::Lines(5, 5), &Reason::Heading),
                (Place::Lines(12, 14), &Reason::Code),
                (Place::Lines(16, 18), &Reason::Table),
                (Place::Lines(22, 22), &Reason::Comment),
                (Place::Lines(24, 24), &Reason::Pointer),
            ]
        );
    }

    #[test]
    fn texts_stay_as_they_are() {
        let text = "First.\nNow\n\nSecond.\n\n<rules>\n    Use `Vec<T>` and {{name}}\n</rules>\n\n- [CRITICAL] see [x](https://e.org/a?b=c)\n- [~] **later**, @ann\n- Issue #934 waits\n  for me\n\n  Its second paragraph\n- Use tabs\n- 使用制表符\n";
        assert_eq!(
            texts(text),
            [
                "First. Now",
                "Second.",
                "Use `Vec<T>` and {{name}}",
                "[CRITICAL] see [x](https://e.org/a?b=c)",
                "[~] **later**, @ann",
                "Issue #934 waits for me",
                "Its second paragraph",
                "Use tabs",
                "使用制表符",
            ]
        );
    }

    #[test]
    fn fields_and_manners() {
        let found = read(
            "## About me\n- **Name**: Ada\n- Time zone: Europe/London\n- Likes tea a lot\n## Communication style\n- Be brief and direct\n",
        );
        let whats: Vec<&ProposedAs> = found.proposals.iter().map(|one| &one.what).collect();
        assert_eq!(
            whats,
            [
                &ProposedAs::Field("Name".into()),
                &ProposedAs::Field("Timezone".into()),
                &ProposedAs::Fact,
                &ProposedAs::Trait("communication-style"),
            ]
        );
        assert_eq!(found.proposals[0].text, "Ada");
    }

    #[test]
    fn titles_and_introductions_are_none() {
        let found =
            read("**Work:**\n\nBuild with:\n\n```\nmake\n```\n\n**Never push.**\n\nNames:\n");
        let facts: Vec<&str> = found.proposals.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(facts, ["**Never push.**", "Names:"]);
        assert_eq!(found.left[0].reason, Reason::Heading);
        assert_eq!(found.left[1].reason, Reason::Introduction);
    }

    #[test]
    fn a_lead_that_introduces_no_fact_stands_for_itself() {
        let long = "x".repeat(3_990);
        let too_long = format!("- Never deploy on Friday, except:\n  - {long}\n");
        for (text, wanted) in [
            (
                "- Never deploy on Friday, except:\n  - @docs/exceptions.md\n- Use tabs\n",
                &["Never deploy on Friday, except:", "Use tabs"][..],
            ),
            (
                "1. Before each release read these two:\n   [A](a.md) first\n",
                &["Before each release read these two: [A](a.md) first"],
            ),
            (
                "- Ask before any of this:\n\n  **Deleting**\n\n  Use the bin\n",
                &["Ask before any of this:", "Use the bin"],
            ),
            (
                "- Never push to main unless:\n  - it is urgent, so:\n    - @a/b.md\n",
                &["Never push to main unless: it is urgent, so:"],
            ),
            ("- 周五不部署，除了：\n  - @docs/x.md\n", &["周五不部署，除了："]),
            (too_long.as_str(), &[long.as_str(), "Never deploy on Friday, except:"]),
        ] {
            assert_eq!(texts(text), wanted, "{text}");
        }
        let found = read("- See also:\n  - @docs/a.md\n## Next\n");
        let left: Vec<(Place, &Reason)> =
            found.left.iter().map(|left| (left.place, &left.reason)).collect();
        let wanted = [
            (Place::Lines(2, 2), &Reason::Pointer),
            (Place::Lines(1, 1), &Reason::Introduction),
            (Place::Lines(3, 3), &Reason::Heading),
        ];
        assert_eq!((left, found.proposals.len()), (wanted.to_vec(), 0));
    }

    #[test]
    fn what_stands_behind_a_comment_is_text() {
        for (text, wanted) in [
            ("<!-- a\nb\n--> Use tabs\n", &["Use tabs"][..]),
            ("<!--\nb --> - Use tabs\n- Use uv\n", &["Use tabs", "Use uv"]),
            ("<!--\na --> <!-- b\nc --> Use tabs\n", &["Use tabs"]),
            ("<!-- a\n--> <!-- b -->\nUse tabs\n", &["Use tabs"]),
            ("<!-- a\n--> Use tabs\nand spaces\n", &["Use tabs and spaces"]),
        ] {
            assert_eq!(texts(text), wanted, "{text}");
        }
        let found = read("<!-- a\nb\n--> Use tabs\n");
        assert_eq!(found.left[0].place, Place::Lines(1, 2));
        assert_eq!(found.proposals[0].place, Place::Lines(3, 3));
    }

    #[test]
    fn what_is_too_long_is_taken_line_by_line() {
        let line = "Rule ".repeat(100);
        let text = format!("{line}\n").repeat(10);
        assert_eq!(texts(&text).len(), 10);
        assert_eq!(read(&"x".repeat(5_000)).left[0].reason, Reason::TooLong);
    }

    #[test]
    fn cos_own_block_is_none() {
        let text = block::with("- Likes tea very much\n", crate::agents::words::BLOCK);
        let found = read(&text.expect("a block"));
        assert_eq!((found.proposals.len(), found.left.len()), (1, 1));
        assert_eq!(found.left[0].reason, Reason::OwnBlock);
    }
}
