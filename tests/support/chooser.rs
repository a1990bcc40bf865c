//! What somebody does next in a generated story: the kind of act by how often it comes up, then
//! what it is about, and the texts in it.
//!
//! Invariant: the same throws and the same facts give the same act, on every machine. Stories that
//! broke something once are named by their seeds: the throws for one kind keep their order.

use super::{
    Laptop,
    acts::{Act, Fact, Label, Listed},
    dice::Dice,
};
use std::path::PathBuf;

/// Kinds of acts, each with how often it comes up.
pub type Mix = [(usize, Act)];

/// Few topics, so that stories meet themselves.
pub const TOPICS: [&str; 4] = ["runbook", "reference/tools", "people/sarah", "reference/moved"];

/// How many places for a word a document has.
pub const PLACES: usize = 8;

/// How texts are made up.
pub enum Texts {
    /// Single words, a few of them everybody's, and now and then four lines.
    Words,
    /// Words that a rule for git may hide.
    Ruled,
    /// Sentences unlike those of other steps, whose first two words stay what they are about.
    Subjects(usize),
    /// Sentences unlike those of other steps and people.
    Sentences(usize, String),
}

impl Texts {
    fn fresh(&self, dice: &mut Dice) -> String {
        match self {
            Texts::Words if dice.chance(30) => self.shared(dice),
            Texts::Words => {
                let number = dice.next() % 1_000_000;
                if dice.chance(30) {
                    format!("w{number}a\nw{number}b\nw{number}c\nw{number}d")
                } else {
                    format!("w{number}")
                }
            }
            Texts::Ruled if dice.chance(25) => format!("hidden {}", word(dice)),
            Texts::Ruled => format!("secret {}", word(dice)),
            Texts::Subjects(n) => format!("Fact {n} of word{n}"),
            Texts::Sentences(n, who) => format!("Fact {n} of {who}"),
        }
    }

    fn shared(&self, dice: &mut Dice) -> String {
        match self {
            Texts::Words => format!("shared{}", dice.below(4)),
            _ => format!("Shared fact {}", dice.below(2)),
        }
    }

    /// Another text for one that says this.
    fn edited(&self, dice: &mut Dice, old: &str) -> String {
        match self {
            Texts::Subjects(n) => format!("{old} {n} of word{n}"),
            Texts::Sentences(n, who) => format!("Edited {n} on {who}"),
            _ => self.reworded(dice, old),
        }
    }

    /// One of the lines is another word, or there is a word more.
    fn reworded(&self, dice: &mut Dice, old: &str) -> String {
        let number = dice.next() % 1_000_000;
        let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
        let at = dice.below(lines.len());
        if dice.chance(15) {
            return self.shared(dice);
        }
        if lines.len() < 2 {
            return format!("{old} e{number}");
        }
        lines[at] = format!("e{number}");
        lines.join("\n")
    }

    fn tag(&self, dice: &mut Dice) -> String {
        let n = if let Texts::Sentences(n, _) = self { *n } else { dice.below(5) };
        format!("t{n}")
    }

    fn day(&self, dice: &mut Dice) -> String {
        match self {
            Texts::Words => format!("2026-0{}-1{}", 1 + dice.below(4), dice.below(4)),
            _ => format!("2026-{}-{}", 11 + dice.below(2), 20 + dice.below(9)),
        }
    }
}

fn word(dice: &mut Dice) -> String {
    format!("w{}", dice.next() % 100_000_000)
}

/// What somebody sees before they act.
pub struct Sight<F> {
    pub texts: Texts,
    pub facts: Vec<F>,
    /// Those that they may learn again, or forget, if not all.
    pub known: Option<Vec<F>>,
    pub forgettable: Option<Vec<F>>,
    /// Topics of documents.
    pub documents: Vec<String>,
    /// How many versions of files there are to put back.
    pub backups: usize,
    /// Where archives and pages lie that are no part of an identity.
    pub outside: PathBuf,
}

impl Sight<Listed> {
    /// At a terminal, in the identity of a laptop.
    pub fn of(laptop: &Laptop, n: usize) -> Sight<Listed> {
        let texts = Texts::Sentences(n, laptop.name.clone());
        let outside = laptop.home.parent().expect("a folder").to_owned();
        Sight { outside, ..Sight::new(texts, Listed::all(laptop, &[])) }
    }
}

impl<F: Fact> Sight<F> {
    pub fn new(texts: Texts, facts: Vec<F>) -> Sight<F> {
        let (known, forgettable, documents) = (None, None, Vec::new());
        Sight { texts, facts, known, forgettable, documents, backups: 0, outside: PathBuf::new() }
    }

    /// What they do next. `None`: it is about a fact or a document, and there is none.
    pub fn next(&self, mix: &Mix, dice: &mut Dice) -> Option<Act<F, String>> {
        let kind = dice.weighed(mix);
        self.act(kind, dice)
    }

    /// The same; something is learned where there is nothing that it could be about.
    pub fn next_or_learn(&self, mix: &Mix, dice: &mut Dice) -> Act<F, String> {
        let next = self.next(mix, dice);
        next.unwrap_or_else(|| Act::Learn(self.texts.fresh(dice), None))
    }

    pub fn act(&self, kind: Act, dice: &mut Dice) -> Option<Act<F, String>> {
        let texts = &self.texts;
        Some(match kind {
            Act::Learn((), None) => Act::Learn(texts.fresh(dice), None),
            Act::Learn((), Some(label)) => {
                let text = texts.fresh(dice);
                let label = self.label(label, dice, &text)?;
                Act::Learn(text, Some(label))
            }
            Act::Shared => Act::Learn(texts.shared(dice), None),
            Act::Again(()) => {
                let known = dice.pick(self.known.as_ref().unwrap_or(&self.facts))?;
                Act::Learn(known.text(), Some(Label::Tag(texts.tag(dice))))
            }
            Act::Edit((), label) => {
                let fact = self.fact(dice)?;
                let label = self.label(label, dice, &fact.text())?;
                Act::Edit(fact, label)
            }
            Act::Confirm(()) => Act::Confirm(self.fact(dice)?),
            Act::Pin(()) => Act::Pin(self.fact(dice)?),
            Act::Forget((), more) => {
                let mut there = self.forgettable.as_ref().unwrap_or(&self.facts).clone();
                let fact = taken(dice, &mut there)?;
                Act::Forget(fact, more.and_then(|()| taken(dice, &mut there)))
            }
            Act::Write(..) | Act::Delete(()) | Act::Move(..) | Act::Add(..) => {
                self.of_documents(kind, dice)
            }
            Act::Import((), replaces) => Act::Import(self.outside("archive"), replaces),
            Act::Mend => Act::Mend,
            Act::Undo => Act::Undo,
            Act::Sync => Act::Sync,
            Act::Killed(within) => Act::Killed(dice.below(within)),
            Act::Together => Act::Together,
            Act::Rotate => Act::Rotate,
            Act::Repack => Act::Repack,
            Act::Retype((), ()) => {
                let fact = self.fact(dice)?;
                let text = texts.edited(dice, &fact.text());
                Act::Retype(fact, text)
            }
            Act::Retag((), ()) => Act::Retag(self.fact(dice)?, texts.tag(dice)),
            Act::Copy((), ()) => {
                let fact = self.fact(dice)?;
                let to = if dice.chance(20) {
                    self.fact(dice)?.path()
                } else {
                    format!("knowledge/memories/copy-{}.md", dice.below(1000))
                };
                Act::Copy(fact, to)
            }
            Act::Restore(_) => Act::Restore(dice.below(self.backups)),
            Act::Remove(()) => Act::Remove(self.fact(dice)?),
            Act::Note(()) => Act::Note(texts.fresh(dice)),
            Act::Word(..) => {
                let document = dice.pick(&self.documents)?.clone();
                Act::Word(document, dice.below(PLACES), word(dice))
            }
            Act::Append(()) => Act::Append(word(dice)),
            Act::Rule(of) => Act::Rule(dice.below(of)),
            Act::Commit => Act::Commit,
        })
    }

    fn fact(&self, dice: &mut Dice) -> Option<F> {
        dice.pick(&self.facts).cloned()
    }

    fn label(&self, label: Label, dice: &mut Dice, old: &str) -> Option<Label<F, String>> {
        Some(match label {
            Label::Text(()) => Label::Text(self.texts.edited(dice, old)),
            Label::Tag(()) => Label::Tag(self.texts.tag(dice)),
            Label::Day(key, day) => Label::Day(key, day.map(|()| self.texts.day(dice))),
            Label::Replaces(()) => Label::Replaces(self.fact(dice)?),
        })
    }

    /// Where there is no document yet, one is written.
    fn of_documents(&self, kind: Act, dice: &mut Dice) -> Act<F, String> {
        let Texts::Sentences(n, who) = &self.texts else {
            unreachable!("documents have sentences")
        };
        let there = dice.pick(&self.documents).cloned();
        match (kind, there) {
            (Act::Add(..), _) => {
                let text = format!("<h1>Page {n}</h1><p>Read on {who} as {n}</p>");
                let page = format!("<html><body>{text}</body></html>");
                Act::Add(self.outside(&format!("page-{n}.html")), page)
            }
            (Act::Delete(()), Some(topic)) => Act::Delete(topic),
            (Act::Move(..), Some(topic)) => {
                let kept = format!("kept/at-{n}");
                let to = dice.one_of(&[TOPICS[3], "kept/here", kept.as_str()]);
                Act::Move(topic, to.to_owned())
            }
            _ => {
                let text = format!("Step {n} of {who}\n\nAnd then {n}");
                Act::Write(dice.one_of(&TOPICS).to_owned(), text)
            }
        }
    }

    fn outside(&self, name: &str) -> String {
        self.outside.join(name).display().to_string()
    }
}

fn taken<F>(dice: &mut Dice, there: &mut Vec<F>) -> Option<F> {
    if there.is_empty() { None } else { Some(there.remove(dice.below(there.len()))) }
}
