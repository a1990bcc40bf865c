//! Plays generated stories, one for each seed, and tells which of them went wrong.
//!
//! Invariant: what breaks in a story is wrong as well, and does not end the others. Must not know
//! what a story is about, or what judges it.

use std::{
    collections::BTreeMap,
    panic,
    sync::{
        Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

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
pub fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Which stories are played.
pub struct Seeds {
    /// The variable with their number, and what it is without one.
    pub how_many: &'static str,
    pub usually: u64,
    /// The variable with the seed of a single one.
    pub one: &'static str,
}

impl Seeds {
    /// Fails with all that was wrong.
    pub fn play(&self, story: fn(u64) -> Result<(), Wrong>) {
        let only = number(self.one, u64::MAX);
        let (first, end) = if only == u64::MAX {
            (0, number(self.how_many, self.usually))
        } else {
            (only, only + 1)
        };
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
                        if let Some(found) = played(seed, story) {
                            wrong.lock().expect("nobody died").insert(seed, found);
                        }
                    }
                });
            }
        });
        let wrong = wrong.into_inner().expect("nobody died");
        let (failed, all) = (wrong.len(), end - first);
        assert!(wrong.is_empty(), "{failed} of {all} stories:\n{}", self.report(&wrong));
    }

    /// One line for each kind of wrongness and the seeds that show it, and one story of each.
    fn report(&self, wrong: &BTreeMap<u64, Wrong>) -> String {
        let mut kinds: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        for (seed, wrong) in wrong {
            kinds.entry(wrong.kind).or_default().push(*seed);
        }
        let one = self.one;
        let mut lines: Vec<String> = kinds
            .iter()
            .map(|(kind, seeds)| format!("{} × {kind}: {one}={seeds:?}", seeds.len()))
            .collect();
        for (kind, seeds) in &kinds {
            let shortest = seeds.iter().min_by_key(|seed| wrong[*seed].what.len());
            let seed = shortest.expect("a kind has a seed");
            lines.push(format!("\n== {kind}, {one}={seed}\n{}", wrong[seed].what));
        }
        lines.join("\n")
    }
}

/// How many stories are played at once when there are many of them.
fn players(stories: u64) -> u64 {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    if stories > 20 { cores } else { 1 }
}

/// Plays a story; what breaks in it is a wrongness, too.
fn played(seed: u64, story: fn(u64) -> Result<(), Wrong>) -> Option<Wrong> {
    let played = panic::catch_unwind(|| story(seed));
    played
        .unwrap_or_else(|cause| {
            let text = cause.downcast_ref::<String>().cloned();
            let text = text.or_else(|| cause.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(Wrong::of("the story broke off", text.unwrap_or_default()))
        })
        .err()
}
