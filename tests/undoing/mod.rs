//! Undo and redo in random stories: operations, edits by hand, syncs, undos and redos of any number
//! in an identity, a project, a nested project and documents; and several writers at once.
//!
//! Invariant: whatever happened, what was undone is as it was before, what is newer stays, and a
//! refusal changes nothing and says why. `CO_UNDO_SEQUENCES=500` and `CO_UNDO_WRITERS=200` try
//! more; `CO_UNDO_SEED=17` plays one story.

mod acts;
mod log;
mod oracle;
mod stores;
mod story;
mod together;
mod undos;
mod writers;

use std::{
    collections::BTreeMap,
    panic,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

/// A small deterministic generator: the seed is told when a story goes wrong.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5bd1_e995);
        dice.roll(2);
        dice
    }

    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits fit") % sides
    }

    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.roll(from.len().max(1)))
    }
}

/// What a story showed that must not be.
pub struct Wrong {
    /// The same words for what is probably one fault.
    pub kind: &'static str,
    pub what: String,
}

impl Wrong {
    pub fn of(kind: &'static str, what: impl Into<String>) -> Wrong {
        Wrong { kind, what: what.into() }
    }
}

/// A number from the environment.
fn count(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// How many stories are played at once when there are many of them.
fn players(stories: u64) -> u64 {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    if stories > 20 { cores } else { 1 }
}

/// One line for each kind of wrongness and the seeds that show it, and one story of each.
fn report(wrong: &BTreeMap<u64, Wrong>) -> String {
    let mut kinds: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for (seed, wrong) in wrong {
        kinds.entry(wrong.kind).or_default().push(*seed);
    }
    let mut lines: Vec<String> = kinds
        .iter()
        .map(|(kind, seeds)| format!("{} × {kind}: CO_UNDO_SEED={seeds:?}", seeds.len()))
        .collect();
    for (kind, seeds) in &kinds {
        let shortest = seeds.iter().min_by_key(|seed| wrong[*seed].what.len());
        let seed = shortest.expect("a kind has a seed");
        lines.push(format!("\n== {kind}, CO_UNDO_SEED={seed}\n{}", wrong[seed].what));
    }
    lines.join("\n")
}

/// Plays a story; what breaks in it is a wrongness, too.
fn played(seed: u64) -> Option<Wrong> {
    let played = panic::catch_unwind(|| story::play(seed));
    played
        .unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Wrong::of("the story broke off", text.unwrap_or_default()))
        })
        .err()
}

#[test]
fn whatever_is_undone_and_redone_nothing_newer_is_lost() {
    let stories = count("CO_UNDO_SEQUENCES", 6);
    let only = count("CO_UNDO_SEED", u64::MAX);
    let (first, end) = if only == u64::MAX { (0, stories) } else { (only, only + 1) };
    let next = AtomicU64::new(first);
    let wrong: Mutex<BTreeMap<u64, Wrong>> = Mutex::default();
    thread::scope(|scope| {
        for _ in 0..players(end - first) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end {
                        break;
                    }
                    if let Some(found) = played(seed) {
                        wrong.lock().expect("nobody died").insert(seed, found);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().expect("nobody died");
    assert!(wrong.is_empty(), "{} of {} stories:\n{}", wrong.len(), end - first, report(&wrong));
}

#[test]
fn writers_at_once_get_a_number_each_and_all_can_be_taken_back() {
    writers::at_once(count("CO_UNDO_WRITERS", 12));
}
