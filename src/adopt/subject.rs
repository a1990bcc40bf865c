//! What the headings above a line say of it: a tag, a trait, the profile.
//!
//! Invariant: headings only sort what is below them. Must not know: where lines begin and end.

use super::reading::{Proposal, ProposedAs};
use crate::identity::calendar::ZONE_FIELDS;

/// The longest heading, in words, that becomes a tag.
const MAX_TAG_LEN: usize = 3;
/// Headings that say nothing about the lines below them.
const NO_TAGS: &[&str] =
    &["memories", "memory", "notes", "rules", "preferences", "general", "user"];
/// Headings whose lines say how to answer.
const MANNERS: &[&str] = &[
    "communication",
    "communication style",
    "communication and tone",
    "tone",
    "tone of voice",
    "response style",
    "how to respond",
    "how to respond to me",
    "how to answer",
    "how to communicate",
    "answer style",
    "writing style",
];
/// Headings whose lines are about the person.
const PERSONS: &[&str] = &["profile", "about me", "about the user", "who i am", "user", "personal"];
/// Words that say no more of the lines below.
const FILLERS: &[&str] = &[
    "my",
    "the",
    "user",
    "users",
    "user's",
    "preferred",
    "general",
    "preferences",
    "preference",
    "information",
    "info",
    "details",
    "guidelines",
    "rules",
    "notes",
];
/// Profile fields, as people write them and as co does; the time zone has more names.
const FIELDS: &[(&str, &str)] = &[
    ("name", "Name"),
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
        let is_one = |text: &str| names.contains(&text);
        self.headings.iter().any(|(_, heading)| {
            let words = words(heading);
            let telling: Vec<&str> = words.iter().map(String::as_str).filter(is_telling).collect();
            is_one(&words.join(" ")) || is_one(&telling.join(" "))
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

/// The words of a heading without numbers and signs, `&` as `and`.
fn words(heading: &str) -> Vec<String> {
    let heading = heading.to_lowercase().replace('&', " and ").replace('’', "'");
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '\'';
    let words = heading.split(|letter: char| !is_part(letter));
    words.filter(|word| word.contains(char::is_alphabetic)).map(str::to_owned).collect()
}

fn is_telling(word: &&str) -> bool {
    !FILLERS.contains(word)
}

/// `Time zone: Europe/Berlin` as a profile field.
fn field(text: &str) -> Option<(&'static str, &str)> {
    let (key, value) = text.split_once(':')?;
    let key = key.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    let value = value.trim_matches(|letter: char| letter.is_whitespace() || letter == '*');
    let field = if ZONE_FIELDS.contains(&key.as_str()) {
        "Timezone"
    } else {
        FIELDS.iter().find(|(said, _)| *said == key)?.1
    };
    (!value.is_empty() && value.len() < 200).then_some((field, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adopt::Place;

    fn sorted(heading: &str, text: &str) -> ProposedAs {
        let mut subject = Subject::default();
        subject.below(2, heading);
        subject.sorted(Proposal::fact(text, Place::Lines(1, 1))).what
    }

    #[test]
    fn a_zone_has_the_names_that_a_profile_knows() {
        for name in ZONE_FIELDS.iter().copied().chain(["Time Zone", "**TZ**"]) {
            let what = sorted("## About me", &format!("{name}: Europe/Berlin"));
            assert_eq!(what, ProposedAs::Field("Timezone".into()), "{name}");
        }
    }

    #[test]
    fn a_heading_is_compared_as_a_whole() {
        for heading in [
            "## About me",
            "## About the user:",
            "## My profile",
            "## User profile",
            "## The user's profile",
            "## 1. Profile",
            "## Who I am",
            "## 👤 User",
            "## Personal information",
        ] {
            let what = sorted(heading, "Name: Ada");
            assert_eq!(what, ProposedAs::Field("Name".into()), "{heading}");
        }
        for heading in [
            "## Communication",
            "## Communication preferences",
            "## My communication style",
            "## **Tone**",
            "## Communication & tone",
            "## Response style rules",
        ] {
            let what = sorted(heading, "Be brief");
            assert_eq!(what, ProposedAs::Trait("communication-style"), "{heading}");
        }
        for heading in [
            "## AWS profiles",
            "## Profile of the staging cluster",
            "## Profiler",
            "## User management",
            "## About the user service",
            "## Communication protocols",
            "## Communication between services",
            "## Telecommunication",
            "## Tone mapping",
            "## Notes",
        ] {
            assert_eq!(sorted(heading, "Name: staging"), ProposedAs::Fact, "{heading}");
        }
    }
}
