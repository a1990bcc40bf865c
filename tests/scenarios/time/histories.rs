//! Random histories of two laptops that say until when facts hold, what they replace and that they
//! still do: both end up the same, what was said last is there, and what is listed holds.
//!
//! `CO_TIME_HISTORIES=300` plays more; `CO_TIME_SEED=17 CO_TIME_HISTORIES=1` plays one.

use crate::support::{
    Laptop, World,
    acts::{Act, CHECK_AFTER, FROM, Label, Listed, Typed, UNTIL},
    chooser::{Mix, Sight, Texts},
    dice::Dice,
    stories::number,
};
use co_cli::tested::identity::{Blob, Calendar, Memory, RelPath, Stamp};
use serde_json::Value;
use std::{collections::BTreeMap, fmt::Write as _};

const STEPS: usize = 24;
const KEYS: [&str; 3] = [FROM, UNTIL, CHECK_AFTER];

const MIX: &Mix = &[
    (3, Act::Learn((), Some(Label::Day(UNTIL, Some(()))))),
    (1, Act::Shared),
    (2, Act::Edit((), Label::Day(UNTIL, Some(())))),
    (1, Act::Edit((), Label::Day(FROM, Some(())))),
    (1, Act::Edit((), Label::Day(CHECK_AFTER, Some(())))),
    (1, Act::Edit((), Label::Day(UNTIL, None))),
    (1, Act::Confirm(())),
    (1, Act::Learn((), Some(Label::Replaces(())))),
    (1, Act::Forget((), None)),
    (1, Act::Edit((), Label::Text(()))),
    (1, Act::Undo),
    (2, Act::Sync),
];

/// 27 November 2026, in seconds.
const BEGINNING: i64 = 1_795_780_800;

/// What somebody said of a subject.
struct Said {
    laptop: usize,
    /// The text that the fact had there.
    text: String,
    number: usize,
    /// How much of what each laptop said was known there then.
    knows: [usize; 2],
    /// A key, and its day; none, and it was removed. No key: something of the whole fact.
    key: Option<(&'static str, Option<String>)>,
}

impl Said {
    fn knows_of(&self, other: &Said) -> bool {
        self.knows[other.laptop] >= other.number
    }
}

struct Story {
    laptops: [Laptop; 2],
    dice: Dice,
    now: i64,
    knows: [[usize; 2]; 2],
    published: [usize; 2],
    said: BTreeMap<String, Vec<Said>>,
    script: String,
}

impl Story {
    fn begun(world: &World, seed: u64) -> Story {
        let laptops = ["a", "b"].map(|name| world.laptop(name).with_env("TZ", "UTC"));
        let mut story = Story {
            laptops,
            dice: Dice::new(seed),
            now: BEGINNING,
            knows: [[0; 2]; 2],
            published: [0; 2],
            said: BTreeMap::new(),
            script: format!("seed {seed}\n"),
        };
        let remote = world.remote();
        let is_ready = story.done(0, &["init", "--yes", "--remote", &remote])
            && story.done(0, &["learn", "Plays chess"])
            && story.done(0, &["sync"])
            && story.done(1, &["init", "--yes", &remote]);
        assert!(is_ready, "{}", story.script);
        story
    }

    fn at(&self, laptop: usize) -> Laptop {
        let now = Stamp::from_micros(self.now * Stamp::SECOND).to_string();
        self.laptops[laptop].with_env("CO_TEST_CLOCK", &now)
    }

    /// Whether co did it.
    fn done(&mut self, laptop: usize, words: &[&str]) -> bool {
        self.now += 61;
        let said = self.at(laptop).try_co(words);
        let name = &self.laptops[laptop].name;
        let _ = writeln!(self.script, "{name}: {} ({})", words.join(" "), said.code);
        said.code == 0
    }

    fn note(&mut self, laptop: usize, text: &str, key: Option<(&'static str, Option<String>)>) {
        self.knows[laptop][laptop] += 1;
        let (number, knows) = (self.knows[laptop][laptop], self.knows[laptop]);
        let said = Said { laptop, text: text.to_owned(), number, knows, key };
        self.said.entry(subject(text)).or_default().push(said);
    }

    fn synced(&mut self, laptop: usize) {
        for (here, there) in self.knows[laptop].iter_mut().zip(&mut self.published) {
            let both = (*here).max(*there);
            (*here, *there) = (both, both);
        }
    }

    fn step(&mut self, n: usize) {
        let laptop = self.dice.below(2);
        let listed = |fact: Memory| Listed {
            handle: fact.id.unwrap_or_default().to_string(),
            text: fact.text().to_owned(),
            path: fact.path.to_string(),
        };
        // All of them, also those that do not hold.
        let facts: Vec<Listed> = memories(&self.laptops[laptop]).into_iter().map(listed).collect();
        let mut sight = Sight::new(Texts::Subjects(n), facts);
        if sight.facts.len() < 3 {
            sight.forgettable = Some(Vec::new());
        }
        let act = sight.next(MIX, &mut self.dice).unwrap_or(Act::Sync);
        if self.done(laptop, &act.words()) {
            self.heard(laptop, act);
        }
    }

    /// What somebody said by an act that co did.
    fn heard(&mut self, laptop: usize, act: Typed) {
        match act {
            Act::Learn(text, Some(Label::Day(key, day))) => {
                self.note(laptop, &text, Some((key, day)));
            }
            Act::Learn(text, _) => self.note(laptop, &text, None),
            Act::Edit(fact, Label::Day(key, day)) => {
                self.note(laptop, &fact.text, Some((key, day)));
            }
            Act::Edit(fact, Label::Text(new)) => {
                self.note(laptop, &fact.text, None);
                self.note(laptop, &new, None);
            }
            // What is confirmed is due again.
            Act::Confirm(fact) | Act::Forget(fact, _) => self.note(laptop, &fact.text, None),
            Act::Undo => {
                let subjects: Vec<String> = self.said.keys().cloned().collect();
                subjects.iter().for_each(|subject| self.note(laptop, subject, None));
            }
            Act::Sync => self.synced(laptop),
            other => unreachable!("{other:?} is in no such history"),
        }
    }

    /// What is not as it was said last, by somebody who knew of all that was said of it before.
    fn forgotten_words(&self, facts: &[Memory]) -> Vec<String> {
        let mut wrong = Vec::new();
        for fact in facts {
            let all = self.said.get(&subject(fact.text())).map(Vec::as_slice).unwrap_or_default();
            for key in KEYS {
                let concerns = |said: &&Said| said.key.as_ref().is_none_or(|(of, _)| *of == key);
                let all: Vec<&Said> = all.iter().filter(concerns).collect();
                let is_last = |said: &&&Said| {
                    all.iter().all(|other| std::ptr::eq(*other, **said) || said.knows_of(other))
                };
                let Some(Said { key: Some((_, wanted)), text, .. }) = all.iter().find(is_last)
                else {
                    continue;
                };
                // Two edits of one fact made two.
                if text != fact.text() {
                    continue;
                }
                let document = fact.document();
                let found = document.get(key).and_then(|value| value.as_text());
                let found = found.map(|text| text.into_owned());
                if found != *wanted {
                    wrong.push(format!("{}: {key} is {found:?}, not {wanted:?}", fact.text()));
                }
            }
        }
        wrong
    }

    /// The facts that hold, told in the plainest way.
    fn holding(&self, facts: &[Memory]) -> Vec<String> {
        let (utc, now) = (Calendar::default(), Stamp::from_micros(self.now * Stamp::SECOND));
        let times = |fact: &Memory| fact.times.as_deref().cloned().unwrap_or_default();
        let said = |fact: &Memory| {
            times(fact).verified.map_or(fact.latest(), |at| fact.latest().max(at.start(&utc)))
        };
        let replaces = |other: &Memory, fact: &Memory| {
            let begins = times(other).valid_from.map_or(other.created, |from| from.start(&utc));
            other.hash != fact.hash
                && times(other).supersedes.contains(&fact.hash)
                && begins <= now
                && said(other) > said(fact)
        };
        let holds = |fact: &&Memory| {
            times(fact).valid_from.is_none_or(|from| from.start(&utc) <= now)
                && times(fact).valid_until.is_none_or(|until| until.end(&utc) >= now)
                && !facts.iter().any(|other| replaces(other, fact))
        };
        let mut holding: Vec<String> =
            facts.iter().filter(holds).map(|fact| fact.summary()).collect();
        holding.sort();
        holding
    }
}

/// What a text is about, whatever was added to it: two laptops may mean one fact by two texts.
fn subject(text: &str) -> String {
    text.split(' ').take(2).collect::<Vec<&str>>().join(" ")
}

fn memories(laptop: &Laptop) -> Vec<Memory> {
    let files = laptop.tree().into_iter().filter(|(path, _)| is_memory(path));
    let read = |(path, bytes): (String, Vec<u8>)| {
        Memory::read(&RelPath::known(&path), &Blob::from(bytes)).expect("a memory")
    };
    files.map(read).collect()
}

fn is_memory(path: &str) -> bool {
    path.starts_with("knowledge/memories/") && path.ends_with(".md")
}

/// Plays one history, and names what is wrong at its end.
fn play(seed: u64) -> (Vec<String>, String) {
    let world = World::new();
    let mut story = Story::begun(&world, seed);
    (0..STEPS).for_each(|n| story.step(n));
    let mut wrong = Vec::new();
    for laptop in [0, 1, 0, 1] {
        if !story.done(laptop, &["sync"]) {
            wrong.push("a sync failed".to_owned());
        }
    }
    if story.laptops[0].tree() != story.laptops[1].tree() {
        wrong.push("the laptops differ".to_owned());
    }
    let facts = memories(&story.laptops[0]);
    wrong.extend(story.forgotten_words(&facts));
    story.now += 61;
    let holding = story.holding(&facts);
    for laptop in 0..2 {
        let listed = story.at(laptop).json(&["list"])["data"]["memories"].clone();
        let rows = listed.as_array().cloned().unwrap_or_default();
        let mut texts: Vec<String> = rows.iter().filter_map(summary).collect();
        texts.sort();
        if texts != holding {
            wrong.push(format!("{laptop} lists {texts:?}, and {holding:?} hold"));
        }
    }
    (wrong, story.script)
}

fn summary(row: &Value) -> Option<String> {
    row["summary"].as_str().map(str::to_owned)
}

#[test]
fn two_laptops_that_say_when_facts_hold() {
    let (first, count) = (number("CO_TIME_SEED", 1), number("CO_TIME_HISTORIES", 2));
    for seed in first..first + count {
        let (wrong, script) = play(seed);
        assert!(wrong.is_empty(), "{}\n{script}", wrong.join("\n"));
    }
}
