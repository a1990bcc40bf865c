//! Agents' instructions in markdown: one fact per list item or short paragraph.
//!
//! Invariant: code, tables, quotes, comments and co's own block are not facts. The items of a list
//! below a line that ends with a colon are about that line.

use super::{Proposal, ProposedAs};
use crate::agents::block;
use crate::identity::Document;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// The longest heading, in words, that becomes a tag.
const MAX_TAG_LEN: usize = 3;
/// Headings that say nothing about the lines below them.
const NO_TAGS: &[&str] =
    &["memories", "memory", "notes", "rules", "preferences", "general", "user"];
/// Headings whose lines say how to answer.
const MANNERS: &[&str] = &[
    "communication",
    "tone",
    "response style",
    "how to respond",
    "how to answer",
    "answer style",
    "writing style",
];
/// Headings whose lines are about the person.
const PERSONS: &[&str] = &["profile", "about me", "about the user", "who i am", "user", "personal"];
/// Profile fields, as people write them and as co does.
const FIELDS: &[(&str, &str)] = &[
    ("name", "Name"),
    ("timezone", "Timezone"),
    ("time zone", "Timezone"),
    ("pronouns", "Pronouns"),
    ("location", "Location"),
    ("languages", "Languages"),
    ("role", "Role"),
    ("work", "Work context"),
    ("work context", "Work context"),
    ("editor", "Editor"),
];

pub fn read(text: &str) -> Vec<Proposal> {
    let text = block::without(text);
    let text = match Document::read(text.as_bytes()) {
        Ok(document) if document.front().is_some() => document.text().to_owned(),
        _ => text,
    };
    let mut reader = Reader::default();
    for event in Parser::new_ext(&text, Options::ENABLE_TABLES | Options::ENABLE_TASKLISTS) {
        reader.event(event);
    }
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<Proposal>,
    /// The headings above, by level.
    headings: Vec<(HeadingLevel, String)>,
    /// The open items, outermost first.
    items: Vec<ListItem>,
    /// The text of the open heading or paragraph.
    text: String,
    /// How many blocks that contain no facts are open.
    skipped: usize,
    in_heading: Option<HeadingLevel>,
    in_paragraph: bool,
}

#[derive(Default)]
struct ListItem {
    text: String,
    has_below: bool,
    is_link: bool,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.say(&text),
            Event::Code(code) => self.say(&format!("`{code}`")),
            Event::SoftBreak | Event::HardBreak => self.say(" "),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::CodeBlock(_) | Tag::Table(_) | Tag::BlockQuote(_) | Tag::HtmlBlock => {
                self.skipped += 1;
            }
            Tag::Heading { level, .. } => {
                self.in_heading = Some(*level);
                self.text.clear();
            }
            Tag::Paragraph if self.items.is_empty() => {
                self.in_paragraph = true;
                self.text.clear();
            }
            Tag::Item => {
                if let Some(above) = self.items.last_mut() {
                    above.has_below = true;
                }
                self.items.push(ListItem::default());
            }
            // An index of files is not a list of facts.
            Tag::Link { dest_url, .. } if dest_url.ends_with(".md") => {
                if let Some(item) = self.items.last_mut().filter(|item| item.text.is_empty()) {
                    item.is_link = true;
                }
            }
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::CodeBlock | TagEnd::Table | TagEnd::BlockQuote(_) | TagEnd::HtmlBlock => {
                self.skipped = self.skipped.saturating_sub(1);
            }
            TagEnd::Heading(level) => {
                self.in_heading = None;
                self.headings.retain(|(above, _)| *above < level);
                self.headings.push((level, std::mem::take(&mut self.text)));
            }
            TagEnd::Paragraph if self.in_paragraph => {
                self.in_paragraph = false;
                let text = std::mem::take(&mut self.text);
                if !text.trim_end().ends_with(':') {
                    self.propose(text.trim());
                }
            }
            TagEnd::Item => {
                let Some(item) = self.items.pop() else { return };
                let is_lead = item.has_below && item.text.trim_end().ends_with(':');
                if !is_lead && !item.is_link {
                    let lead = self.lead();
                    self.propose(&format!("{lead}{}", item.text.trim()));
                }
            }
            _ => {}
        }
    }

    /// The text of the enclosing items, as far as they introduce this one.
    fn lead(&self) -> String {
        let leads =
            self.items.iter().map(|item| item.text.trim()).filter(|text| text.ends_with(':'));
        leads.map(|text| format!("{text} ")).collect()
    }

    fn say(&mut self, text: &str) {
        if self.skipped > 0 {
            return;
        }
        match self.items.last_mut() {
            Some(item) if self.in_heading.is_none() => item.text.push_str(text),
            _ => self.text.push_str(text),
        }
    }

    fn propose(&mut self, text: &str) {
        if text.is_empty() || self.skipped > 0 {
            return;
        }
        let below = |names: &[&str]| {
            self.headings.iter().any(|(_, heading)| {
                let heading = heading.to_lowercase();
                names.iter().any(|name| {
                    heading.trim() == *name || (name.len() > 6 && heading.contains(name))
                })
            })
        };
        if let (true, Some((key, value))) = (below(PERSONS), field(text)) {
            let what = ProposedAs::Field(key.to_owned());
            self.found.push(Proposal { what, ..Proposal::fact(value) });
            return;
        }
        let what = if below(MANNERS) {
            ProposedAs::Trait("communication-style")
        } else {
            ProposedAs::Fact
        };
        let tags = self.tag().into_iter().collect();
        self.found.push(Proposal { what, tags, ..Proposal::fact(text) });
    }

    /// The heading above, if it is short and informative.
    fn tag(&self) -> Option<String> {
        let (level, heading) = self.headings.last()?;
        let words: Vec<String> = heading
            .split(|letter: char| !letter.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect();
        let says_something = !words.iter().any(|word| NO_TAGS.contains(&word.as_str()));
        let is_tag =
            *level > HeadingLevel::H1 && (1..=MAX_TAG_LEN).contains(&words.len()) && says_something;
        is_tag.then(|| words.join("-"))
    }
}

/// `Time zone: Europe/Berlin` as a profile field.
fn field(text: &str) -> Option<(&'static str, &str)> {
    let (key, value) = text.split_once(':')?;
    let key = key.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let value = value.trim_matches(|letter: char| letter.is_whitespace() || letter == '*');
    let known = FIELDS.iter().find(|(said, _)| *said == key)?;
    (!value.is_empty() && value.len() < 200).then_some((known.1, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_and_paragraphs_are_facts() {
        let text = "# My rules\n\nAlways answer in English.\n\n## Testing\n\n- Use pytest over unittest\n- Naming:\n  - tests begin with test_\n  - no numbers in names\n\n```sh\nrm -rf everything there\n```\n\n| a | b |\n|---|---|\n| c | d |\n\n> somebody else said this\n\n<!-- a comment that is long -->\n\n- [Index](other.md) a file that is elsewhere\n";
        let found = read(text);
        let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "Always answer in English.",
                "Use pytest over unittest",
                "Naming: tests begin with test_",
                "Naming: no numbers in names",
            ]
        );
        assert_eq!(found[1].tags, ["testing"]);
        assert!(found[0].tags.is_empty());
    }

    #[test]
    fn fields_and_manners() {
        let found = read(
            "## About me\n- **Name**: Ada\n- Time zone: Europe/London\n- Likes tea a lot\n## Communication style\n- Be brief and direct\n",
        );
        let whats: Vec<&ProposedAs> = found.iter().map(|one| &one.what).collect();
        assert_eq!(
            whats,
            [
                &ProposedAs::Field("Name".into()),
                &ProposedAs::Field("Timezone".into()),
                &ProposedAs::Fact,
                &ProposedAs::Trait("communication-style"),
            ]
        );
        assert_eq!(found[0].text, "Ada");
    }

    #[test]
    fn cos_own_block_is_none() {
        let text = block::with("- Likes tea very much\n", crate::agents::words::BLOCK);
        assert_eq!(read(&text.expect("a block")).len(), 1);
    }
}
