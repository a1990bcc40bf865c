//! What the headings above a line say of it: a tag, a trait, the profile.
//!
//! Invariant: headings only sort what stands below them; must not know: where lines begin and end.

use super::{Proposal, ProposedAs};

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

/// The headings above a line, with their levels.
#[derive(Default)]
pub(super) struct Subject {
    headings: Vec<(u8, String)>,
}

impl Subject {
    /// A heading in its own letters.
    pub(super) fn below(&mut self, level: u8, heading: &str) {
        let is_mark = |letter: char| letter.is_whitespace() || "#>*:".contains(letter);
        self.headings.retain(|(above, _)| *above < level);
        self.headings.push((level, heading.trim_matches(is_mark).to_owned()));
    }

    /// What a text below these headings is.
    pub(super) fn sorted(&self, proposal: Proposal) -> Proposal {
        if let (true, Some((key, value))) = (self.is_below(PERSONS), field(&proposal.text)) {
            let (what, text) = (ProposedAs::Field(key.to_owned()), value.to_owned());
            return Proposal { what, text, ..proposal };
        }
        let what = if self.is_below(MANNERS) {
            ProposedAs::Trait("communication-style")
        } else {
            ProposedAs::Fact
        };
        Proposal { what, tags: self.tag().into_iter().collect(), ..proposal }
    }

    fn is_below(&self, names: &[&str]) -> bool {
        self.headings.iter().any(|(_, heading)| {
            let heading = heading.to_lowercase();
            let is_it =
                |name: &&str| heading == **name || (name.len() > 6 && heading.contains(*name));
            names.iter().any(is_it)
        })
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
        let is_tag = *level > 1 && (1..=MAX_TAG_LEN).contains(&words.len()) && says_something;
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
