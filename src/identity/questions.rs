//! `knowledge/merge-questions.md`: what merges left for a person to look at.
//!
//! Invariant: a question is about texts, by their hashes, and is open while they are there as they
//! were: whoever edits or forgets one of them has answered it. Must not know: what the texts say.

use super::{blob::Blob, document::Document, hash::ContentHash, path::RelPath};
use std::{collections::BTreeSet, fmt};

const HEADER: &str = "# Merge questions\n\n";

/// What happened on two laptops.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Met {
    /// Both texts of a fact are facts now; the first kept the number.
    BothEdited,
    ForgottenAndEdited,
    LearnedAgain,
    BothSet,
    BothWrote,
    DeletedAndEdited,
    DeletedAndMoved,
}

impl Met {
    const ALL: [Met; 7] = [
        Met::BothEdited,
        Met::ForgottenAndEdited,
        Met::LearnedAgain,
        Met::BothSet,
        Met::BothWrote,
        Met::DeletedAndEdited,
        Met::DeletedAndMoved,
    ];

    /// In the file.
    const fn word(self) -> &'static str {
        match self {
            Met::BothEdited => "both-edited",
            Met::ForgottenAndEdited => "forgotten-and-edited",
            Met::LearnedAgain => "learned-again",
            Met::BothSet => "both-set",
            Met::BothWrote => "both-wrote",
            Met::DeletedAndEdited => "deleted-and-edited",
            Met::DeletedAndMoved => "deleted-and-moved",
        }
    }

    /// What it is about, and what happened to it.
    pub fn named(self, what: &str) -> String {
        format!("{what} ({})", self.told())
    }

    /// For people.
    pub const fn told(self) -> &'static str {
        match self {
            Met::BothEdited | Met::BothWrote => "edited on both laptops",
            Met::ForgottenAndEdited => "forgotten and edited",
            Met::LearnedAgain => "learned again",
            Met::BothSet => "set on both laptops",
            Met::DeletedAndEdited => "deleted and edited",
            Met::DeletedAndMoved => "deleted and moved",
        }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct MergeQuestion {
    pub met: Met,
    /// The facts, the field's line, or the whole text of the file.
    pub texts: Vec<ContentHash>,
    /// The file, unless it is about facts: they are found by their texts.
    pub path: Option<RelPath>,
}

impl MergeQuestion {
    fn read(line: &str) -> Option<MergeQuestion> {
        let (word, mut rest) = line.trim().strip_prefix("- ")?.split_once(' ')?;
        let met = Met::ALL.into_iter().find(|met| met.word() == word)?;
        let mut texts = Vec::new();
        loop {
            let (token, after) = rest.split_once(' ').unwrap_or((rest, ""));
            let Some(text) = ContentHash::parse(token) else { break };
            texts.push(text);
            rest = after;
        }
        (!texts.is_empty()).then(|| MergeQuestion { met, texts, path: RelPath::new(rest) })
    }

    /// What an answer refers to.
    pub fn hash(&self) -> ContentHash {
        ContentHash::of_body(&self.to_string())
    }

    /// Whether everything that it is about is there as it was.
    pub fn is_open(
        &self,
        is_fact: impl Fn(&ContentHash) -> bool,
        file: impl Fn(&RelPath) -> Option<Blob>,
    ) -> bool {
        let Some(path) = &self.path else { return self.texts.iter().all(is_fact) };
        let read = file(path).and_then(|blob| Document::of_text(&blob));
        read.is_some_and(|document| {
            let has =
                |text: &ContentHash| document.hash() == *text || self.line(&document).is_some();
            self.texts.iter().all(has)
        })
    }

    /// The line of a document that it is about.
    pub fn line<'a>(&self, document: &'a Document) -> Option<&'a str> {
        let is_meant = |line: &&str| self.texts.contains(&ContentHash::of_body(line));
        document.body().lines().filter(|line| !line.trim().is_empty()).find(is_meant)
    }
}

/// As in the file.
impl fmt::Display for MergeQuestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "- {}", self.met.word())?;
        for text in &self.texts {
            write!(f, " {text}")?;
        }
        match &self.path {
            Some(path) => write!(f, " {path}"),
            None => Ok(()),
        }
    }
}

pub fn read(bytes: &[u8]) -> BTreeSet<MergeQuestion> {
    String::from_utf8_lossy(bytes).lines().filter_map(MergeQuestion::read).collect()
}

/// Sorted, so that every laptop writes the same.
pub fn write(questions: &BTreeSet<MergeQuestion>) -> String {
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    format!("{HEADER}{lines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_open_while_its_texts_are_there() {
        let hash = ContentHash::of_body;
        let of = |met, texts: &[&str], path: Option<&str>| MergeQuestion {
            met,
            texts: texts.iter().map(|text| hash(text)).collect(),
            path: path.map(RelPath::known),
        };
        let facts = of(Met::BothEdited, &["tea", "coffee"], None);
        let field = of(Met::BothSet, &["- City: Rome"], Some("profile.md"));
        let whole = of(Met::BothWrote, &["# A\n\nb"], Some("knowledge/a b.md"));
        let all: BTreeSet<MergeQuestion> = [facts.clone(), field.clone(), whole.clone()].into();
        assert_eq!(read(write(&all).as_bytes()), all);
        let open = |question: &MergeQuestion, there: &[&str], text: &str| {
            let is_fact = |text: &ContentHash| there.iter().any(|fact| hash(fact) == *text);
            question.is_open(is_fact, |_| (!text.is_empty()).then(|| Blob::from(text)))
        };
        assert!(open(&facts, &["tea", "coffee", "milk"], ""));
        assert!(!open(&facts, &["tea", "green tea"], ""));
        assert!(open(&field, &[], "---\nversion: 2\n---\n\n# P\n\n- City: Rome\n- Name: A\n"));
        assert!(!open(&field, &[], "# P\n\n- City: Paris\n"));
        assert!(open(&whole, &[], "---\ntitle: X\n---\n\n# A\n\nb\n"));
        assert!(!open(&whole, &[], "# A\n\nb, edited\n") && !open(&whole, &[], ""));
        assert_eq!(field.line(&Document::new("# P\n- City: Rome\n")), Some("- City: Rome"));
    }
}
