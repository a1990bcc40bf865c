//! The world of the model: commits, a remote, laptops with clocks, and the sync steps in memory.
//!
//! It calls the same pure functions as the program (`tidy`, `merge`, `assign`, `plan`, `resolve`);
//! only files, refs and the journal are played by values, so that a crash or a racing edit can
//! happen between any two effects.

use super::truth::{Clock, Truth};
use crate::support::dice::Dice;
use co_cli::tested::identity::{Blob, Memory, RelPath, Snapshot, Stamp};
use co_cli::tested::merge::{Policy, checkout, guard, ids, merge, tidy};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone)]
pub struct Commit {
    pub tree: Snapshot,
    pub parents: Vec<usize>,
    pub clock: Clock,
}

#[derive(Clone)]
pub struct Journal {
    old: usize,
    new: usize,
    applied: BTreeSet<RelPath>,
}

#[derive(Clone)]
pub struct Laptop {
    pub work: Snapshot,
    pub mtimes: BTreeMap<RelPath, Stamp>,
    pub head: usize,
    pub tidied: usize,
    pub journal: Option<Journal>,
    pub skew: i64,
    pub clock: Clock,
    pub backups: Vec<(RelPath, Blob)>,
}

#[derive(Clone)]
pub struct World {
    pub commits: Vec<Commit>,
    pub remote: usize,
    pub laptops: Vec<Laptop>,
    pub truth: Truth,
    pub now: i64,
    pub dice: Dice,
    pub coarse: bool,
    /// Whether people say when facts hold.
    pub timed: bool,
    /// What they said: keys with their values.
    pub days: BTreeSet<(String, String)>,
    pub texts_of: BTreeMap<Stamp, BTreeSet<co_cli::tested::identity::ContentHash>>,
    pub script: Vec<String>,
    /// How often the guard would have stopped a sync.
    pub refused: usize,
}

/// What disturbs a sync.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disturbance {
    /// Die before this effect.
    pub crash: Option<usize>,
    /// Let a person or another laptop act before this effect.
    pub race: Option<usize>,
}

pub struct Crashed;

struct Run {
    effects: usize,
    disturbance: Disturbance,
}

impl World {
    pub fn clock(&mut self, laptop: usize) -> Stamp {
        Stamp::from_micros(self.now + self.laptops[laptop].skew)
    }

    pub fn tick_time(&mut self, micros: i64) {
        self.now += micros;
    }

    fn ancestors(&self, from: usize) -> BTreeSet<usize> {
        let mut seen = BTreeSet::new();
        let mut todo = vec![from];
        while let Some(at) = todo.pop() {
            if seen.insert(at) {
                todo.extend(&self.commits[at].parents);
            }
        }
        seen
    }

    fn merge_bases(&self, a: usize, b: usize) -> Vec<usize> {
        let common: BTreeSet<usize> =
            self.ancestors(a).intersection(&self.ancestors(b)).copied().collect();
        let covered: BTreeSet<usize> = common
            .iter()
            .flat_map(|at| self.commits[*at].parents.iter().flat_map(|p| self.ancestors(*p)))
            .collect();
        common.difference(&covered).copied().collect()
    }

    /// Several bases are first merged with each other, oldest first.
    fn base_tree(&self, a: usize, b: usize) -> Option<Snapshot> {
        let mut bases = self.merge_bases(a, b).into_iter();
        let first = bases.next()?;
        let mut tree = self.commits[first].tree.clone();
        for next in bases {
            let below = self.base_tree(first, next);
            tree = merge(below.as_ref(), &tree, &self.commits[next].tree, Policy::Sync).snapshot;
        }
        Some(tree)
    }

    fn commit(&mut self, tree: Snapshot, parents: Vec<usize>, clock: Clock) -> usize {
        self.commits.push(Commit { tree, parents, clock });
        self.commits.len() - 1
    }

    fn effect(&mut self, laptop: usize, run: &mut Run) -> Result<(), Crashed> {
        run.effects += 1;
        if run.disturbance.race == Some(run.effects) {
            run.disturbance.race = None;
            let other = (laptop + 1 + self.dice.below(2)) % 3;
            if self.dice.chance(40) && self.laptops[other].journal.is_none() {
                self.say(format!("  race: laptop {other} syncs"));
                let _ = self.sync(other, Disturbance::default());
            } else {
                self.say("  race: a person acts".to_owned());
                super::person::act_by_hand(self, laptop);
            }
        }
        if run.disturbance.crash == Some(run.effects) { Err(Crashed) } else { Ok(()) }
    }

    pub fn say(&mut self, line: String) {
        self.script.push(line);
    }

    pub fn put(&mut self, laptop: usize, path: RelPath, blob: Blob) {
        let mtime = self.clock(laptop);
        let laptop = &mut self.laptops[laptop];
        if let Some(old) = laptop.work.get(&path) {
            laptop.backups.push((path.clone(), old.clone()));
        }
        laptop.mtimes.insert(path.clone(), mtime);
        laptop.work.put(path, blob);
    }

    pub fn delete(&mut self, laptop: usize, path: &RelPath) {
        let laptop = &mut self.laptops[laptop];
        if let Some(old) = laptop.work.remove(path) {
            laptop.backups.push((path.clone(), old));
        }
    }

    /// Two effects: the new bytes under the old path, then the new path, unless somebody wrote to
    /// one of them.
    fn move_file(
        &mut self,
        laptop: usize,
        from: &RelPath,
        to: RelPath,
        blob: &Blob,
        run: &mut Run,
    ) -> Result<bool, Crashed> {
        let found = self.laptops[laptop].work.get(&to).cloned();
        self.put(laptop, from.clone(), blob.clone());
        self.effect(laptop, run)?;
        let laptop = &mut self.laptops[laptop];
        if laptop.work.get(&to) != found.as_ref() || laptop.work.get(from) != Some(blob) {
            return Ok(false);
        }
        if let Some(blob) = laptop.work.remove(from) {
            if let Some(mtime) = laptop.mtimes.get(from).copied() {
                laptop.mtimes.insert(to.clone(), mtime);
            }
            laptop.work.put(to, blob);
        }
        Ok(true)
    }

    /// What every co command does first.
    pub fn finish_interrupted(&mut self, laptop: usize) {
        let mut run = Run { effects: 0, disturbance: Disturbance::default() };
        let _ = self.recover(laptop, &mut run);
    }

    /// What tidy compares with: the last commit that co wrote, or where the history left it.
    pub fn reference(&self, laptop: usize) -> Snapshot {
        let (head, tidied) = (self.laptops[laptop].head, self.laptops[laptop].tidied);
        let at = self.merge_bases(tidied, head).first().copied().unwrap_or(head);
        self.commits[at].tree.clone()
    }

    pub fn sync(&mut self, laptop: usize, disturbance: Disturbance) -> Result<(), Crashed> {
        let mut run = Run { effects: 0, disturbance };
        self.say(format!("laptop {laptop} syncs {disturbance:?}"));
        let mut rounds = 0;
        'start: loop {
            rounds += 1;
            assert!(rounds < 50, "sync does not come to an end:\n{}", self.script.join("\n"));
            if !self.recover(laptop, &mut run)? || !self.commit_work(laptop, &mut run)? {
                continue 'start;
            }
            loop {
                let theirs = self.remote;
                self.effect(laptop, &mut run)?;
                if !self.take_in(laptop, theirs, &mut run)? {
                    continue 'start;
                }
                self.effect(laptop, &mut run)?;
                if self.remote == theirs {
                    self.remote = self.laptops[laptop].head;
                    self.say_what_is_there(laptop);
                    return Ok(());
                }
            }
        }
    }

    /// With `CO_MODEL_TREES=1` the story says what a sync left: facts, and lines of the ledger.
    fn say_what_is_there(&mut self, laptop: usize) {
        if std::env::var_os("CO_MODEL_TREES").is_none() {
            return;
        }
        let tree = self.commits[self.laptops[laptop].head].tree.clone();
        for memory in tree.memories() {
            let (created, latest, text) =
                (memory.created.micros(), memory.latest().micros(), memory.text());
            self.say(format!("    {} {created} {latest} {} {text:?}", memory.path, memory.hash));
        }
        for (origin, hash, stamp) in tree.ledger().iter() {
            self.say(format!("    - {} {hash} {}", origin.micros(), stamp.micros()));
        }
    }

    fn recover(&mut self, laptop: usize, run: &mut Run) -> Result<bool, Crashed> {
        match self.laptops[laptop].journal.clone() {
            Some(journal) if journal.old == self.laptops[laptop].head => {
                self.check_out(laptop, &journal, run)
            }
            _ => {
                self.laptops[laptop].journal = None;
                Ok(true)
            }
        }
    }

    /// Tidies the work tree and commits exactly what it then holds. `false`: somebody wrote
    /// meanwhile, start again.
    fn commit_work(&mut self, laptop: usize, run: &mut Run) -> Result<bool, Crashed> {
        let read = self.laptops[laptop].work.clone();
        let (mtimes, clock) =
            (self.laptops[laptop].mtimes.clone(), self.laptops[laptop].clock.clone());
        let now = self.clock(laptop);
        let tidied =
            tidy::tidy(&read, &self.reference(laptop), tidy::Clock { now, mtimes: &mtimes });
        self.refused += usize::from(tidied.mass_deletion(&self.reference(laptop)).is_some());
        let tree =
            ids::assign(&tidied.snapshot, &self.commits[self.remote_known(laptop)].tree).snapshot;
        for step in checkout::plan(&read, &tree) {
            self.effect(laptop, run)?;
            let work = &self.laptops[laptop].work;
            let moved = step
                .source
                .as_ref()
                .is_some_and(|source| work.get(&source.path) != Some(&source.blob) && source.frees);
            let relied = step.relies_on.as_ref().and_then(|(path, _)| work.get(path));
            if work.get(step.path()) != step.change.before.as_ref()
                || moved
                || !step.may_replace(relied)
            {
                return Ok(false);
            }
            match (step.change.after, step.source) {
                (Some(blob), Some(source)) if source.frees => {
                    if !self.move_file(laptop, &source.path, step.change.path, &blob, run)? {
                        return Ok(false);
                    }
                }
                (Some(blob), _) => self.put(laptop, step.change.path, blob),
                (None, _) => self.delete(laptop, &step.change.path),
            }
        }
        self.effect(laptop, run)?;
        let head = self.laptops[laptop].head;
        let new = if self.commits[head].tree == tree {
            head
        } else {
            self.commit(tree, vec![head], clock)
        };
        self.laptops[laptop].head = new;
        self.laptops[laptop].tidied = new;
        Ok(true)
    }

    /// The remote as this laptop last saw it: the newest remote commit in its history.
    fn remote_known(&self, laptop: usize) -> usize {
        self.merge_bases(self.laptops[laptop].head, self.remote).first().copied().unwrap_or(0)
    }

    fn take_in(&mut self, laptop: usize, theirs: usize, run: &mut Run) -> Result<bool, Crashed> {
        let head = self.laptops[laptop].head;
        if self.ancestors(head).contains(&theirs) {
            return Ok(true);
        }
        let fast_forward = self.ancestors(theirs).contains(&head);
        let now = self.clock(laptop);
        let base = self.base_tree(head, theirs);
        let merged = merge(
            base.as_ref(),
            &self.commits[head].tree,
            &self.commits[theirs].tree,
            Policy::Sync,
        )
        .snapshot;
        let settled = tidy::settle(&merged, now).snapshot;
        let tree = ids::assign(&settled, &self.commits[theirs].tree).snapshot;
        let stopped = guard::guard(&self.commits[head].tree, &tree, &tree.ledger());
        self.refused += usize::from(stopped.is_some());
        let mut clock = self.laptops[laptop].clock.clone();
        clock.join(&self.commits[theirs].clock);
        clock.join(&self.commits[head].clock);
        let new = if tree == self.commits[theirs].tree && fast_forward {
            theirs
        } else {
            let parents = if fast_forward { vec![theirs] } else { vec![head, theirs] };
            let mut of_commits = self.commits[head].clock.clone();
            of_commits.join(&self.commits[theirs].clock);
            self.commit(tree, parents, of_commits)
        };
        self.effect(laptop, run)?;
        let journal = Journal { old: head, new, applied: BTreeSet::new() };
        self.laptops[laptop].journal = Some(journal.clone());
        let done = self.check_out(laptop, &journal, run)?;
        if done {
            self.laptops[laptop].clock.join(&clock);
        }
        Ok(done)
    }

    fn check_out(
        &mut self,
        laptop: usize,
        journal: &Journal,
        run: &mut Run,
    ) -> Result<bool, Crashed> {
        let steps =
            checkout::plan(&self.commits[journal.old].tree, &self.commits[journal.new].tree);
        for step in steps {
            self.effect(laptop, run)?;
            let now = self.clock(laptop);
            let applied = self.laptops[laptop]
                .journal
                .as_ref()
                .is_some_and(|j| j.applied.contains(step.path()));
            let mtime = self.laptops[laptop].mtimes.get(step.path()).copied();
            let work = &self.laptops[laptop].work;
            let at_source = step.source.as_ref().and_then(|source| work.get(&source.path).cloned());
            let at_relied = step.relies_on.as_ref().and_then(|(path, _)| work.get(path).cloned());
            let found = checkout::FilesOnDisk {
                at_path: work.get(step.path()).cloned(),
                at_source,
                at_relied,
                mtime,
                applied,
            };
            match checkout::resolve(&step, &found, now) {
                checkout::Action::Leave => {}
                checkout::Action::Move { from, to, blob } => {
                    self.move_file(laptop, &from, to, &blob, run)?;
                }
                checkout::Action::Delete => self.delete(laptop, step.path()),
                checkout::Action::Write(files) => {
                    for (at, (path, blob)) in files.into_iter().enumerate() {
                        if at > 0 {
                            self.effect(laptop, run)?;
                        }
                        self.put(laptop, path, blob);
                    }
                }
            }
            if let Some(journal) = &mut self.laptops[laptop].journal {
                journal.applied.insert(step.change.path);
            }
        }
        self.effect(laptop, run)?;
        if self.laptops[laptop].head != journal.old {
            self.laptops[laptop].journal = None;
            return Ok(false);
        }
        self.laptops[laptop].head = journal.new;
        self.laptops[laptop].tidied = journal.new;
        self.effect(laptop, run)?;
        self.laptops[laptop].journal = None;
        let clock = self.commits[journal.new].clock.clone();
        self.laptops[laptop].clock.join(&clock);
        Ok(true)
    }

    pub fn commit_by_hand(&mut self, laptop: usize) {
        let (tree, head, clock) = (
            self.laptops[laptop].work.clone(),
            self.laptops[laptop].head,
            self.laptops[laptop].clock.clone(),
        );
        if self.commits[head].tree != tree {
            self.laptops[laptop].head = self.commit(tree, vec![head], clock);
        }
    }

    pub fn memories(&self, laptop: usize) -> Vec<Memory> {
        self.laptops[laptop].work.memories()
    }
}
