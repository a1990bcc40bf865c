//! Every history of two laptops up to a length, not a sample: save, edit, edit by hand, forget,
//! remove, undo, save again and sync, over one and two facts; through the engine, and some of them
//! through the binary.
//!
//! `CO_MODEL_STEPS=5 cargo test --test it enumerated` goes one step further than the gate.

use super::{Setting, judge, number, person, truth::What, world, world::Disturbance, world::World};
use crate::support::{
    self,
    acts::{Act, Fact, Label, Listed},
};
use co_cli::tested::identity::{Memory, Stamp};
use co_cli::tested::merge::{ChangeSet, change::FileChange, tidy, undo};
use std::io::Write;

/// Which of the two laptops, and what it does; about which fact, if it is about one.
type Step = (usize, Act<usize>);

fn steps(facts: usize) -> Vec<Step> {
    let of_fact = |fact| {
        [
            Act::Edit(fact, Label::Text(())),
            Act::Retype(fact, ()),
            Act::Forget(fact, None),
            Act::Remove(fact),
            Act::Again(fact),
        ]
    };
    let mut acts: Vec<Act<usize>> = (0..facts).flat_map(of_fact).collect();
    acts.extend([Act::Learn((), None), Act::Undo, Act::Sync]);
    acts.into_iter().map(|act| (0, act)).chain([(1, Act::Sync)]).collect()
}

/// The act with its fact as it is there now; its texts are unlike those of other steps.
fn chosen<F: Fact>(
    act: Act<usize>,
    number: usize,
    there: impl Fn(usize) -> Option<F>,
) -> Option<Act<F, String>> {
    let edited = |fact: &F| format!("{} e{number}", fact.text());
    Some(match act {
        Act::Learn((), _) => Act::Learn(format!("new{number}"), None),
        Act::Again(fact) => Act::Learn(text_of(fact), None),
        Act::Edit(fact, _) => {
            let fact = there(fact)?;
            let text = edited(&fact);
            Act::Edit(fact, Label::Text(text))
        }
        Act::Retype(fact, ()) => {
            let fact = there(fact)?;
            let text = edited(&fact);
            Act::Retype(fact, text)
        }
        Act::Forget(fact, _) => Act::Forget(there(fact)?, None),
        Act::Remove(fact) => Act::Remove(there(fact)?),
        Act::Undo => Act::Undo,
        Act::Sync => Act::Sync,
        other => unreachable!("{other:?} is in no short history"),
    })
}

/// All sequences of these steps with a length of 1 to `most`.
fn histories(facts: usize, most: usize) -> impl Iterator<Item = Vec<Step>> {
    let steps = steps(facts);
    (1..=most).flat_map(move |length| {
        let (steps, count) = (steps.clone(), steps.len());
        (0..count.pow(length as u32)).map(move |mut at| {
            let mut history = Vec::with_capacity(length);
            for _ in 0..length {
                history.push(steps[at % count]);
                at /= count;
            }
            history
        })
    })
}

fn text_of(fact: usize) -> String {
    format!("fact{fact}")
}

/// One laptop of a person, the other one only syncs.
#[derive(Clone)]
struct Play {
    world: World,
    origins: Vec<Stamp>,
    /// What commands changed, and whether it was taken back.
    operations: Vec<(ChangeSet, bool)>,
    /// What was changed by hand since the last sync.
    by_hand: Vec<FileChange>,
}

impl Play {
    fn begin(facts: usize) -> Play {
        let mut world = world(1, Setting::Plain);
        for fact in 0..facts {
            world.tick_time(1_000_003);
            person::carry_out(&mut world, 0, Act::Learn(text_of(fact), None));
        }
        let origins = world.memories(0).iter().map(|memory| memory.created).collect();
        for laptop in [0, 1] {
            let _ = world.sync(laptop, Disturbance::default());
        }
        Play { world, origins, operations: Vec::new(), by_hand: Vec::new() }
    }

    fn fact(&self, fact: usize) -> Option<Memory> {
        self.world.memories(0).into_iter().find(|memory| memory.created == self.origins[fact])
    }

    fn step(&mut self, number: usize, (laptop, act): Step) {
        self.world.tick_time(1_500_007);
        match chosen(act, number, |fact| self.fact(fact)) {
            None => {}
            Some(Act::Undo) => self.undo(),
            Some(Act::Sync) => {
                // A sync logs what it takes up by hand.
                if laptop == 0 && !self.by_hand.is_empty() {
                    let by_hand = std::mem::take(&mut self.by_hand);
                    self.operations.push((ChangeSet::of(by_hand), false));
                }
                let _ = self.world.sync(laptop, Disturbance::default());
            }
            Some(act) => {
                let is_by_hand = matches!(act, Act::Retype(..) | Act::Remove(_));
                let before = self.world.laptops[0].work.clone();
                person::carry_out(&mut self.world, 0, act);
                let change = ChangeSet::between(&before, &self.world.laptops[0].work);
                if is_by_hand {
                    self.by_hand.extend(change.files);
                } else if !change.is_empty() {
                    self.operations.push((change, false));
                }
            }
        }
    }

    fn undo(&mut self) {
        let now = self.world.clock(0);
        let Some(at) = self.operations.iter().rposition(|(_, undone)| !undone) else { return };
        self.operations[at].1 = true;
        let change = self.operations[at].0.clone();
        let current = self.world.laptops[0].work.clone();
        let there = self.world.commits[self.world.remote].tree.clone();
        let clock = tidy::Clock { now, mtimes: &std::collections::BTreeMap::new() };
        let seen = undo::published(&change, &there);
        let result = undo::taken_back_for_all(&change, &current, &seen, clock).snapshot;
        person::noted(&mut self.world, 0, What::EditedAway, None, |world| {
            for file in ChangeSet::between(&current, &result).files {
                match file.after {
                    Some(blob) => world.put(0, file.path, blob),
                    None => world.delete(0, &file.path),
                }
            }
        });
    }

    /// Which commits there are, and where everybody stands.
    fn stand(&self) -> [usize; 4] {
        let world = &self.world;
        [world.commits.len(), world.remote, world.laptops[0].head, world.laptops[1].head]
    }

    /// Everybody syncs until nothing moves; the promises that were broken.
    fn end(mut self, history: &[Step]) -> Vec<String> {
        let mut without_a_move = 0;
        for laptop in [0, 1, 0, 1, 0, 1] {
            let before = self.stand();
            self.world.tick_time(1_000_003);
            let _ = self.world.sync(laptop, Disturbance::default());
            without_a_move = if self.stand() == before { without_a_move + 1 } else { 0 };
            if without_a_move == 2 {
                break;
            }
        }
        // The third laptop of the model does nothing; it only has to have everything in the end.
        let _ = self.world.sync(2, Disturbance::default());
        let mut broken = judge(&self.world);
        let by_hand = history.iter().any(|(_, act)| matches!(act, Act::Remove(_)));
        if self.world.refused > 0 && !by_hand {
            broken.push(format!("{} refusals without a removal by hand", self.world.refused));
        }
        for memory in self.world.memories(0) {
            if memory.checksum != Some(true) {
                broken.push(format!("{}: a stale checksum", memory.path));
            }
        }
        broken
    }
}

/// Plays a history with the engine; the promises it broke.
fn broken(facts: usize, history: &[Step]) -> Vec<String> {
    let mut play = Play::begin(facts);
    for (number, step) in history.iter().enumerate() {
        play.step(number, *step);
    }
    play.end(history)
}

/// Histories longer than the gate tries, that once broke a promise.
#[test]
fn histories_that_were_broken_once_keep_their_promises() {
    let acts = [Act::Retype(0, ()), Act::Again(0), Act::Sync, Act::Undo, Act::Forget(0, None)];
    let history = acts.map(|act| (0, act));
    assert_eq!(broken(1, &history), Vec::<String>::new(), "{history:?}");
}

/// What came of the histories that one core played.
#[derive(Default)]
struct Played {
    count: usize,
    failed: usize,
    /// The first failures, in words.
    report: String,
}

impl Played {
    fn note(&mut self, facts: usize, history: &[Step], broken: &[String]) {
        self.count += 1;
        if broken.is_empty() {
            return;
        }
        self.failed += 1;
        if self.failed <= 10 {
            let broken = broken.join("; ");
            self.report.push_str(&format!("\n{facts} fact(s), {history:?}: {broken}"));
        }
    }
}

/// One of those who share the histories among themselves.
struct Player {
    /// Which of how many parts, and which core of how many.
    part: (usize, usize),
    core: (usize, usize),
    most: usize,
    facts: usize,
    steps: Vec<Step>,
    /// How many histories were looked at, its own or not.
    at: usize,
    played: Played,
}

impl Player {
    fn is_mine(&mut self) -> bool {
        let ((part, of), (core, cores)) = (self.part, self.core);
        let at = self.at;
        self.at += 1;
        at % of == part - 1 && (at / of) % cores == core
    }

    /// Plays all that begin with this history: what they have in common is played once.
    fn go_on(&mut self, play: &Play, history: &mut Vec<Step>) {
        for step in self.steps.clone() {
            let (is_mine, is_longest) = (self.is_mine(), history.len() + 1 == self.most);
            if is_longest && !is_mine {
                continue;
            }
            let mut next = play.clone();
            next.step(history.len(), step);
            history.push(step);
            if is_mine {
                self.played.note(self.facts, history, &next.clone().end(history));
                self.say_how_far();
            }
            if !is_longest {
                self.go_on(&next, history);
            }
            history.pop();
        }
    }

    fn say_how_far(&self) {
        let Played { count, failed, .. } = self.played;
        if count.is_multiple_of(20_000) {
            let ((part, of), (core, _)) = (self.part, self.core);
            let at = &self.at;
            let said =
                format!("part {part}/{of}, core {core}: {count} played, {failed} broken, at {at}");
            writeln!(std::io::stderr(), "{said}").ok();
        }
    }
}

/// Which of how many parts to play: `CO_MODEL_PART=3/8`. Every history is in one of them.
fn part() -> (usize, usize) {
    let named = std::env::var("CO_MODEL_PART").unwrap_or_else(|_| "1/1".to_owned());
    let numbers = named
        .split_once('/')
        .and_then(|(part, of)| Some((part.parse::<usize>().ok()?, of.parse::<usize>().ok()?)));
    numbers.filter(|(part, of)| (1..=*of).contains(part)).expect("CO_MODEL_PART as 3/8")
}

/// `CO_MODEL_STEPS=5` plays longer ones, on all cores; how far it came is printed.
#[test]
fn every_short_history_keeps_its_promises() {
    let most = number("CO_MODEL_STEPS", 4) as usize;
    let (part, of) = part();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let play = |core: usize| {
        let (mut at, mut played) = (0, Played::default());
        for facts in [1, 2] {
            let (part, core, steps) = ((part, of), (core, cores), steps(facts));
            let mut player = Player { part, core, most, facts, steps, at, played };
            player.go_on(&Play::begin(facts), &mut Vec::new());
            (at, played) = (player.at, player.played);
        }
        played
    };
    let all: Vec<Played> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..cores).map(|core| scope.spawn(move || play(core))).collect();
        running.into_iter().map(|one| one.join().expect("a core that plays")).collect()
    });
    let count: usize = all.iter().map(|played| played.count).sum();
    let failed: usize = all.iter().map(|played| played.failed).sum();
    let report: String = all.iter().map(|played| played.report.as_str()).collect();
    eprintln!("part {part}/{of}: {count} histories of up to {most} steps, {failed} broken");
    assert!(failed == 0, "{failed} of {count} histories broke a promise:{report}");
}

/// Plays a history with the built binary: what engine and binary must agree on is what a person
/// sees.
fn through_the_binary(world: &support::World, number: usize, history: &[Step]) -> Vec<String> {
    let place = world.path(&number.to_string());
    std::fs::create_dir_all(&place).expect("a folder");
    support::git(&place, &["init", "-q", "--bare", "-b", "main", "remote.git"]);
    let remote = place.join("remote.git").display().to_string();
    let laptop = |name: &str| world.laptop(&format!("{number}/{name}"));
    let (a, b) = (laptop("a"), laptop("b"));
    a.co(&["init", "--yes", "--remote", &remote]);
    for fact in 0..2 {
        a.co(&["learn", &text_of(fact)]);
    }
    a.co(&["identity", "sync"]);
    b.co(&["init", "--yes", &remote]);
    let mut broken = Vec::new();
    // Who removes most of their facts by hand is asked whether it is meant.
    let removes = history.iter().any(|(_, act)| matches!(act, Act::Remove(_)));
    let mut sync = |laptop: &support::Laptop| {
        let meant = if removes {
            &["identity", "sync", "--accept-deletions"][..]
        } else {
            &["identity", "sync"]
        };
        let said = laptop.try_co(meant);
        if said.code != 0 {
            broken.push(format!("sync of {} ended with {}: {}", laptop.name, said.code, said.err));
        }
    };
    for (at, (laptop, act)) in history.iter().enumerate() {
        let there = |fact: &Listed| {
            a.tree().into_iter().find(|(path, bytes)| {
                path.starts_with("knowledge/memories/")
                    && String::from_utf8_lossy(bytes).contains(&fact.text)
            })
        };
        let named = |fact: usize| {
            let (handle, text) = ((fact + 1).to_string(), text_of(fact));
            Some(Listed { handle, text, path: String::new() })
        };
        match chosen(*act, at, named).expect("every fact has a name") {
            Act::Sync => sync([&a, &b][*laptop]),
            Act::Retype(fact, text) => {
                if let Some((path, bytes)) = there(&fact) {
                    a.write(&path, &format!("{}{text}\n", String::from_utf8_lossy(&bytes)));
                }
            }
            Act::Remove(fact) => {
                if let Some((path, _)) = there(&fact) {
                    std::fs::remove_file(a.identity().join(path)).expect("removed");
                }
            }
            act => drop(a.try_co(&act.words())),
        }
    }
    for laptop in [&a, &b, &a, &b] {
        sync(laptop);
    }
    if a.tree() != b.tree() {
        broken.push("the laptops differ".to_owned());
    }
    let list = b.json(&["memory", "list"]);
    let rows = list["data"]["memories"].as_array().cloned().unwrap_or_default();
    let unique = |key: &str| {
        let values: std::collections::BTreeSet<String> =
            rows.iter().map(|row| row[key].to_string()).collect();
        values.len() == rows.len()
    };
    if !unique("id") || !unique("hash") {
        broken.push(format!("a double: {list}"));
    }
    let check = b.try_co(&["identity", "check", "--strict"]);
    if check.code != 0 && !check.out.contains("near-duplicate") {
        broken.push(format!("check: {}", check.out));
    }
    broken
}

#[test]
fn some_of_them_through_the_binary() {
    let world = support::World::new();
    let all: Vec<Vec<Step>> = histories(2, 4).collect();
    let count = number("CO_MODEL_BINARY", 12) as usize;
    let mut report = String::new();
    for number in 0..count {
        // Spread over all of them, the longest included.
        let history = &all[(number * all.len() / count + number * 7919) % all.len()];
        let broken = through_the_binary(&world, number, history);
        if !broken.is_empty() {
            report.push_str(&format!("\n{history:?}: {}", broken.join("; ")));
        }
    }
    assert!(report.is_empty(), "{report}");
}
