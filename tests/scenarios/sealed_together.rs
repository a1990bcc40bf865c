//! Four laptops with wrong clocks share a sealed remote in random order: they learn, forget, write,
//! sync, are killed while they sync, sync at once, change keys and repack. In the end all hold the
//! same, a laptop that joins as well, and no fact is lost that nobody forgot.
//!
//! `CO_SEALED_SEEDS=20` plays more, `CO_SEALED_SEED=7` one of them.

use crate::support::{
    Laptop, World,
    acts::{Act, Listed, Typed},
    chooser::{Mix, Sight, Texts},
    dice::Dice,
    git,
    pair::assert_agree,
    sealed::{empty, with_key},
    stories::Seeds,
};
use std::{collections::BTreeMap, path::Path, process::Stdio, thread, time::Duration};

const LAPTOPS: usize = 4;
const STEPS: usize = 24;

const MIX: &Mix = &[
    (35, Act::Learn((), None)),
    (7, Act::Forget((), None)),
    (8, Act::Write((), ())),
    (25, Act::Sync),
    (15, Act::Killed(300)),
    (4, Act::Rotate),
    (3, Act::Repack),
    (3, Act::Together),
];

#[test]
fn laptops_that_share_a_sealed_remote_in_random_order_end_up_the_same() {
    let seeds = Seeds { how_many: "CO_SEALED_SEEDS", usually: 1, one: "CO_SEALED_SEED" };
    seeds.play(|seed| {
        Story::new(seed).play();
        Ok(())
    });
}

struct Story {
    seed: u64,
    world: World,
    url: String,
    dice: Dice,
    laptops: Vec<Laptop>,
    /// What each laptop learned and did not forget.
    facts: BTreeMap<String, usize>,
}

impl Story {
    fn new(seed: u64) -> Story {
        let world = World::new();
        let url = empty(&world, "sealed.git");
        let mut dice = Dice::new(seed.wrapping_mul(7919) ^ 0x5EA1);
        let mut laptops = Vec::new();
        for number in 0..LAPTOPS {
            // Up to three days off, each for itself.
            let clock = format!("2026-11-{:02}T12:{number:02}:00Z", 10 + dice.below(7));
            let laptop = with_key(&world.laptop(&format!("laptop{number}")));
            laptops.push(laptop.with_env("CO_TEST_CLOCK", &clock));
        }
        laptops[0].co(&["init", "--yes", "--name", "Bin"]);
        laptops[0].co(&["seal", "on", &url, "--yes"]);
        for laptop in &laptops[1..] {
            laptop.co(&["init", &url, "--yes"]);
        }
        Story { seed, world, url, dice, laptops, facts: BTreeMap::new() }
    }

    fn play(mut self) {
        for n in 0..STEPS {
            let who = self.dice.below(LAPTOPS);
            // Only what it learned itself, so that nobody else has a say.
            let own = self.facts.iter().filter(|(_, of)| **of == who);
            let own: Vec<Listed> = own.map(|(fact, _)| Listed::by_text(fact.clone())).collect();
            let sight = Sight::new(Texts::Sentences(n, format!("laptop{who}")), own);
            if let Some(act) = sight.next(MIX, &mut self.dice) {
                self.does(who, &act);
            }
        }
        self.ends();
    }

    fn does(&mut self, who: usize, act: &Typed) {
        let laptop = &self.laptops[who];
        match act {
            // Somebody else may have written it.
            Act::Write(..) => drop(laptop.try_co(&act.words())),
            Act::Sync => self.syncs(who),
            Act::Killed(after) => killed(laptop, *after),
            Act::Together => self.all_at_once(),
            _ => drop(laptop.co(&act.words())),
        }
        if let Act::Learn(text, _) = act {
            self.facts.insert(text.clone(), who);
        }
        for fact in act.forgotten() {
            self.facts.remove(&fact.text);
        }
    }

    fn syncs(&self, who: usize) {
        self.laptops[who].co(&["sync", "--accept-deletions"]);
    }

    /// Who is overtaken too often says so, and the next sync goes on.
    fn all_at_once(&self) {
        thread::scope(|scope| {
            for laptop in &self.laptops {
                scope.spawn(move || laptop.try_co(&["sync"]));
            }
        });
    }

    fn ends(self) {
        let seed = self.seed;
        // A git whose co was killed may still be at work.
        thread::sleep(Duration::from_millis(300));
        for _ in 0..3 {
            (0..LAPTOPS).for_each(|who| self.syncs(who));
        }
        let joined = with_key(&self.world.laptop("joined"));
        joined.co(&["init", &self.url, "--yes"]);
        let mut all: Vec<&Laptop> = self.laptops.iter().collect();
        all.push(&joined);
        assert_agree(&all);
        let text = self.laptops[0].texts();
        for fact in self.facts.keys() {
            assert_eq!(text.matches(fact.as_str()).count(), 1, "seed {seed}: {fact}");
        }
        git(Path::new(&self.url), &["fsck", "--strict", "--no-dangling"]);
    }
}

/// A sync that is killed after so many milliseconds.
fn killed(laptop: &Laptop, after: usize) {
    let mut command = laptop.command(&["sync"]);
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = quiet.spawn().expect("co runs");
    thread::sleep(Duration::from_millis(u64::try_from(after).expect("few")));
    child.kill().ok();
    child.wait().expect("it ended");
}
