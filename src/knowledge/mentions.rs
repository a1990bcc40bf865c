//! What a person, a project or a thing is called, and whether a text or a label names it.
//!
//! Invariant: pure; a name counts as whole words, and not within the longer name of another. Must
//! not know: where the texts are.

use super::{
    DocSummary, links,
    topic::{Topic, slug, words},
};
use crate::recall::tokens::unaccented;
use std::collections::BTreeSet;

/// How a name is spelt that a document has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    Same,
    /// Only the accents differ.
    WithoutAccents,
}

/// The names of one, as slugs without accents: a title may be any words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Called {
    /// Those that are looked for among labels.
    names: BTreeSet<String>,
    /// Those that are looked for in texts: elsewhere a name may be any word, such as `overview`.
    said: BTreeSet<String>,
    /// Longer names of others that contain one of these: `sarah-miller` beside `sarah`.
    longer: BTreeSet<String>,
    /// Whether another has one of these names: then a link says which of them is meant.
    has_namesake: bool,
}

impl Called {
    /// What a document is called. `typed` is a name that a person asked for.
    pub fn of(entry: &DocSummary, is_about_one: bool, typed: Option<&str>) -> Called {
        let typed = typed.and_then(name);
        let names: BTreeSet<String> = names(entry).chain(typed.clone()).collect();
        let said = if is_about_one { names.clone() } else { typed.into_iter().collect() };
        Called { names, said, ..Called::default() }
    }

    /// What no document has for a topic.
    pub fn by_name(typed: &str) -> Called {
        let names: BTreeSet<String> = name(typed).into_iter().collect();
        Called { said: names.clone(), names, ..Called::default() }
    }

    /// Beside another person or project, whose longer name may contain one of these.
    pub fn beside(&mut self, other: &DocSummary) {
        let title = Some(compared(&other.name)).filter(|title| title.contains('-'));
        for name in names(other).chain(title) {
            let contains = |own: &String| name != *own && is_in(own, &format!("-{name}-"));
            self.has_namesake |= self.said.contains(&name);
            if !self.names.contains(&name) && self.said.iter().any(contains) {
                self.longer.insert(name);
            }
        }
    }

    /// Whether one of these labels names it.
    pub fn is_among<'a>(&self, mut labels: impl Iterator<Item = &'a str>) -> bool {
        labels.any(|label| self.names.contains(&compared(label)))
    }

    /// Whether a text names it.
    pub fn is_said_in(&self, text: &str) -> bool {
        if self.said.is_empty() {
            return false;
        }
        let plain = |text: &str| words(&unaccented(text));
        let mut spoken =
            if self.has_namesake { plain(&links::left_out(text)) } else { plain(text) };
        for name in self.longer.iter().map(|name| among_words(name)) {
            while spoken.contains(&name) {
                spoken = spoken.replace(&name, "-/-");
            }
        }
        self.said.iter().any(|name| is_in(name, &spoken))
    }

    /// Whether a document names it: in its labels, its path or its text. That of another with the
    /// same name speaks of that one.
    pub fn is_named_by(&self, entry: &DocSummary, text: &str) -> bool {
        let (topic, labels) = (&entry.topic, entry.tags.iter().chain(&entry.entities));
        let is_namesake = topic.subject().is_some() && self.names.contains(&compared(topic.name()));
        self.is_among(labels.map(String::as_str).chain(topic.subject()))
            || (!is_namesake && (self.is_said_in(topic.below()) || self.is_said_in(text)))
    }
}

/// The last part of a document's topic, and its aliases.
fn names(entry: &DocSummary) -> impl Iterator<Item = String> {
    let aliases = entry.aliases.iter().map(String::as_str);
    aliases.chain([entry.topic.name()]).filter_map(name)
}

/// `None` for one without letters, such as an emoji, which no text has as a word.
fn name(text: &str) -> Option<String> {
    text.contains(char::is_alphanumeric).then(|| compared(text))
}

/// A name as it is compared, whatever its capitals and accents.
fn compared(name: &str) -> String {
    slug(&unaccented(name))
}

/// How well a document has this name, as its last part, an alias or its title.
pub fn called(entry: &DocSummary, wanted: &str) -> Option<Spelling> {
    let aliases = entry.aliases.iter().map(String::as_str);
    let own = || aliases.clone().chain([entry.topic.name(), entry.name.as_str()]);
    let (same, plain) = (slug(wanted), compared(wanted));
    if own().any(|own| slug(own) == same) {
        return Some(Spelling::Same);
    }
    own().any(|own| compared(own) == plain).then_some(Spelling::WithoutAccents)
}

/// Whether a name is among these words.
fn is_in(name: &str, words: &str) -> bool {
    words.contains(&among_words(name))
}

/// A name as it stands among words. Chinese, Japanese and Korean have no blanks around it.
fn among_words(name: &str) -> String {
    let is_cjk = |letter: char| ('\u{2e80}'..='\u{d7ff}').contains(&letter) || letter >= '\u{f900}';
    if name.chars().any(is_cjk) { name.to_owned() } else { format!("-{name}-") }
}

/// Whether a document is about one person or project: `people/sarah`, `people/team/sarah`. Below
/// the document of a person are notes on that person; `is_there` says whether there is such a one.
pub fn is_about_one(topic: &Topic, is_there: impl Fn(&str) -> bool) -> bool {
    let Some(subject) = topic.subject() else { return false };
    let is_of_people = topic.parts().next() == Some("people");
    subject == topic.name() || (is_of_people && !is_there(&format!("people/{subject}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Blob, RelPath};

    fn entry(topic: &str, text: &str) -> DocSummary {
        let path = RelPath::known(&format!("knowledge/{topic}.md"));
        let read = DocSummary::read(&path, &Blob::from(text));
        read.expect("a document").expect("it can be read")
    }

    fn sarah() -> Called {
        let text = "---\naliases: [Sarah Chen]\n---\n\nTech lead.\n";
        Called::of(&entry("people/sarah", text), true, None)
    }

    #[test]
    fn a_name_is_whole_words_in_any_form() {
        for text in ["Sarah.", "(SARAH)", "with sarah’s plan", "[[people/sarah]]", "Sarah-Chen"] {
            assert!(sarah().is_said_in(text), "{text}");
        }
        for text in ["The sarahs", "Sarahtown", "Sa rah", ""] {
            assert!(!sarah().is_said_in(text), "{text}");
        }
        assert!(sarah().is_among(["team", "Sarah Chen"].into_iter()));
        assert!(Called::by_name("小明").is_said_in("我和小明去北京"));
    }

    #[test]
    fn a_name_is_the_same_with_and_without_accents() {
        for (typed, text) in [
            ("Ines", "Inês tem um gato"),
            ("Inês", "Ines has a cat"),
            ("Benoit", "C'est l'anniversaire de Benoît."),
            ("Gross", "Frau Groß"),
            ("INES", "ine\u{302}s"),
        ] {
            assert!(Called::by_name(typed).is_said_in(text), "{typed}: {text}");
        }
        assert!(Called::by_name("Ines").is_among(["Inês"].into_iter()));
        assert!(!Called::by_name("Ines").is_said_in("Inessa"));
        let ines = entry("people/inês", "---\naliases: [Inês Silva]\n---\n\nA friend.\n");
        assert!(Called::of(&ines, true, None).is_said_in("Met Ines."));
        assert_eq!(called(&ines, "ines silva"), Some(Spelling::WithoutAccents));
        assert_eq!(called(&ines, "Inês"), Some(Spelling::Same));
        assert_eq!(called(&ines, "Inessa"), None);
    }

    #[test]
    fn a_name_without_letters_is_no_word() {
        let text = "---\naliases: [\"🦊\", \"!!!\"]\n---\n\nTech lead.\n";
        let fox = Called::of(&entry("people/sarah", text), true, None);
        assert!(!fox.is_said_in("This document is long.") && fox.is_said_in("Sarah"));
        assert!(!Called::by_name("🦊").is_said_in("This document is long."));
    }

    #[test]
    fn the_longer_name_of_another_is_not_hers() {
        let mut called = sarah();
        called.beside(&entry("people/sarah-miller", "A colleague.\n"));
        called.beside(&entry("people/jones", "# Sarah Jones\n"));
        for text in ["Sarah Miller left.", "Met Sarah Jones, Sarah Miller, Sarah Miller."] {
            assert!(!called.is_said_in(text), "{text}");
        }
        for text in ["Sarah Miller and Sarah.", "Sarah Chen", "Sarah, Miller & Sons: Sarah"] {
            assert!(called.is_said_in(text), "{text}");
        }
    }

    #[test]
    fn a_link_says_which_of_two_is_meant() {
        let mut called = sarah();
        called.beside(&entry("people/team/sarah", "Another one.\n"));
        assert!(!called.is_said_in("See [Sarah](people/team/sarah.md)."));
        assert!(called.is_said_in("See Sarah."));
    }

    #[test]
    fn a_document_of_a_topic_is_named_by_labels_only() {
        let auth = Called::of(&entry("notes/auth", "How login works.\n"), false, None);
        assert!(!auth.is_named_by(&entry("a", "About auth.\n"), "About auth.\n"));
        let tagged = entry("a", "---\ntags: [Auth]\n---\n\nNothing.\n");
        assert!(auth.is_named_by(&tagged, ""));
        let asked = Called::of(&entry("notes/auth", "How login works.\n"), false, Some("Auth"));
        assert!(asked.is_said_in("About auth."));
    }

    #[test]
    fn people_may_be_sorted_into_folders() {
        let about = |topic: &str, there: &str| {
            is_about_one(&Topic::parse(topic).expect("a topic"), |other| other == there)
        };
        assert!(about("people/sarah", "") && about("people/team/sarah", ""));
        assert!(about("projects/carmenta", "") && !about("projects/carmenta/overview", ""));
        assert!(!about("people/sarah/notes", "people/sarah") && !about("notes/sarah", ""));
    }
}
