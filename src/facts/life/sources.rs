//! The two sources of a fact's past: the operation log of this laptop, and the commits of all.
//!
//! Invariant: reads only the operations and commits that touched a file of the fact, whatever names
//! its file had. Must not know how they are told.

use super::step::{Known, State, Step, StepKind, step};
use crate::git::{Id, MemoryChange, Repo};
use crate::identity::{
    ContentHash, FileChange, Ledger, Memory, RelPath, Stamp,
    kind::{LEDGER, MEMORIES},
};
use crate::machine::oplog::{Log, OpVerb, Operation};
use crate::workspace::{Error, Workspace};
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    rc::Rc,
};

/// What an operation of this laptop did to the fact.
pub(super) struct Done {
    pub(super) op: u64,
    pub(super) at: Stamp,
    pub(super) verb: OpVerb,
    pub(super) client: Option<String>,
    pub(super) session: Option<String>,
    pub(super) before: Option<Memory>,
    pub(super) after: Option<Memory>,
    /// Another fact with the text that went.
    pub(super) into: Option<Memory>,
}

/// What a commit did to it.
pub(super) struct Committed {
    pub(super) commit: String,
    pub(super) at: Stamp,
    /// When it was done, if the files say so.
    pub(super) known_at: Option<Stamp>,
    pub(super) who: String,
    /// Whether this laptop made it, of what was done here.
    pub(super) is_own: bool,
    pub(super) before: Option<Memory>,
    pub(super) after: Option<Memory>,
    pub(super) step: Step,
}

/// A part of the life: of a text before a merge made it a fact of its own, of the same words before
/// they were learned again, or of the fact itself.
pub(super) struct Part {
    pub(super) done: Vec<Done>,
    pub(super) committed: Vec<Committed>,
    pub(super) rest: Rest,
}

/// Whether what no commit of a part contains is a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rest {
    Told,
    /// It was done to the text that the merge left to the other fact.
    OfAnother,
}

pub(super) struct Past<'a> {
    pub(super) ws: &'a Workspace,
    repo: Option<Rc<Repo>>,
    head: Option<Id>,
    log: Log,
    operations: Vec<Operation>,
    /// The commits at which the branch was on this laptop.
    own: HashSet<Id>,
}

impl<'a> Past<'a> {
    pub(super) fn of(ws: &'a Workspace) -> Result<Past<'a>, Error> {
        let store = ws.identity()?;
        store.settle_abandoned(ws)?;
        let repo = ws.repo()?;
        let (mut head, mut own) = (None, HashSet::new());
        if let Some(repo) = &repo {
            head = repo.head()?;
            own.extend(repo.branch_moves()?.into_iter().map(|(commit, _)| commit));
        }
        let log = store.log();
        let mut operations = log.operations()?;
        // What a merge dropped is told by its commit.
        operations.retain(|operation| {
            operation.project.is_none()
                && operation.verb != OpVerb::Merge
                && !operation.verb.is_outside()
        });
        Ok(Past { ws, repo, head, log, operations, own })
    }

    /// Every version of every fact that a commit or an operation had, oldest first: for one that is
    /// no longer here.
    pub(super) fn versions(&self) -> Result<Vec<Memory>, Error> {
        let mut versions = Vec::new();
        if let Some(repo) = &self.repo {
            let history = repo.memory_history()?;
            versions.extend(history.iter().flat_map(MemoryChange::memories).cloned());
        }
        for operation in &self.operations {
            for file in self.change(operation) {
                versions.extend(file.facts().into_iter().flatten());
            }
        }
        Ok(versions)
    }

    fn change(&self, operation: &Operation) -> Vec<FileChange> {
        let is_of_facts = operation.files.iter().any(|file| file.path.starts_with(MEMORIES));
        let change = is_of_facts.then(|| self.log.change(operation).ok().flatten()).flatten();
        change.unwrap_or_default()
    }

    /// The parts of the life of the fact with this origin, which had these files, oldest first.
    pub(super) fn parts(
        &self,
        origin: Stamp,
        files: BTreeSet<RelPath>,
    ) -> Result<Vec<Part>, Error> {
        let (done, history) = self.followed(self.head, origin, files)?;
        let mut parts = self.before_split(&history, origin)?;
        let committed = self.committed(&history, origin);
        let first = done.first().filter(|first| first.before.is_none());
        if let Some(first) = first.filter(|_| parts.is_empty())
            && let Some(earlier) = self.forgotten_before(first)
        {
            let files = BTreeSet::from([earlier.path.clone()]);
            parts = self.parts(earlier.created, files)?;
        }
        parts.push(Part { done, committed, rest: Rest::Told });
        Ok(parts)
    }

    /// What operations and commits did to a fact, under every name that its file had.
    fn followed(
        &self,
        tip: Option<Id>,
        origin: Stamp,
        mut files: BTreeSet<RelPath>,
    ) -> Result<(Vec<Done>, Vec<MemoryChange>), Error> {
        let mut asked = 0;
        let mut history = Vec::new();
        loop {
            let done = self.done(origin, &mut files);
            if files.len() == asked {
                return Ok((done, history));
            }
            asked = files.len();
            if let (Some(repo), Some(tip)) = (&self.repo, tip) {
                history = repo.memory_history_at(tip, &files)?;
                files.extend(paths(&history, origin));
            }
        }
    }

    /// Oldest first. Adds the names that the file had before and after.
    fn done(&self, origin: Stamp, files: &mut BTreeSet<RelPath>) -> Vec<Done> {
        let mut found: BTreeMap<u64, Option<Done>> = BTreeMap::new();
        loop {
            let known = files.len();
            for operation in &self.operations {
                let names = |file: &RelPath| {
                    operation.files.iter().any(|logged| logged.path == file.as_str())
                };
                if found.contains_key(&operation.op) || !files.iter().any(names) {
                    continue;
                }
                let done = Done::of(operation, origin, &self.change(operation));
                let versions = done.iter().flat_map(|done| [&done.before, &done.after]);
                files.extend(versions.flatten().map(|memory| memory.path.clone()));
                found.insert(operation.op, done);
            }
            if files.len() == known {
                return found.into_values().flatten().collect();
            }
        }
    }

    /// Of the text that a merge made this fact from: the commits up to the merge, and what was done
    /// here for them.
    fn before_split(&self, history: &[MemoryChange], origin: Stamp) -> Result<Vec<Part>, Error> {
        let split = history.iter().find_map(|change| Some((change, change.split_from(origin)?)));
        let Some((merge, (parent, source))) = split else { return Ok(Vec::new()) };
        let files = paths(std::slice::from_ref(merge), source).collect();
        let (done, history) = self.followed(Some(parent), source, files)?;
        let mut parts = self.before_split(&history, source)?;
        let committed = self.committed(&history, source);
        parts.push(Part { done, committed, rest: Rest::OfAnother });
        Ok(parts)
    }

    /// A fact that said the same and was forgotten here before this one was learned.
    fn forgotten_before(&self, first: &Done) -> Option<Memory> {
        let learned = first.after.as_ref()?;
        let words = |name: &str| name.split_once('-').map(|(_, words)| words.to_owned());
        let named = words(learned.path.name());
        let is_alike = |path: &str| path.rsplit('/').next().and_then(words) == named;
        let earlier = self.operations.iter().rev().filter(|one| one.op < first.op);
        let mut forgets = earlier.filter(|one| {
            one.files.iter().any(|file| file.after.is_none() && is_alike(&file.path))
        });
        forgets.find_map(|operation| {
            let mut gone = self.change(operation).into_iter().filter(|file| file.after.is_none());
            gone.find_map(|file| {
                let [before, _] = file.facts();
                before.filter(|memory| {
                    memory.hash == learned.hash && memory.created != learned.created
                })
            })
        })
    }

    /// What the commits did to one fact, oldest first. Two branches are told one after the other,
    /// so a merge is told, too, if it keeps what was not done last or sets a text of the fact
    /// apart.
    fn committed(&self, history: &[MemoryChange], origin: Stamp) -> Vec<Committed> {
        let mut all: Vec<Committed> = Vec::new();
        let mut last: Option<&Memory> = None;
        let mut known = Known::Never;
        for change in history {
            let (before, after, told) = match (change.memory_with(origin), change.chosen(origin)) {
                (Some((before, after)), _) => (before, after, told(change, before, after, known)),
                (None, Some(after)) => (last, after, chosen(change, last, after, known)),
                (None, None) => continue,
            };
            last = after;
            if last.is_some() || told.is_some() {
                known = Known::Before;
            }
            let Some(step) = told else { continue };
            let is_here = change.laptop.as_ref() == Some(&self.ws.host);
            all.push(Committed {
                commit: change.commit.clone(),
                at: change.at,
                known_at: self.known_at(change, &step, before, after),
                who: change.who.clone(),
                is_own: !change.is_merge() && (is_here || self.own.contains(&change.id)),
                before: before.cloned(),
                after: after.cloned(),
                step,
            });
        }
        all
    }

    /// When something was done that a commit contains: facts say when they were learned and changed
    /// last, the ledger when they were forgotten.
    fn known_at(
        &self,
        change: &MemoryChange,
        step: &Step,
        before: Option<&Memory>,
        after: Option<&Memory>,
    ) -> Option<Stamp> {
        if change.is_merge() {
            return None;
        }
        let at = match (before, after) {
            (None, Some(now)) if step.what == StepKind::Learned => now.created,
            (None, Some(_)) | (None, None) => return None,
            (Some(old), Some(now)) => changed_at(old, now)?,
            (Some(old), None) => {
                let ledger = RelPath::known(LEDGER);
                let ledger = self.repo.as_ref()?.file_in(change.id, &ledger).ok()??;
                Ledger::read(&ledger).get(old.created, old.hash)?
            }
        };
        (at.is_precise() && at <= change.at.plus(2 * Stamp::SECOND)).then_some(at)
    }

    /// The operation and the commit since which a fact replaces one of these texts; `None` if none
    /// made it so.
    pub(super) fn replacing_since(
        &self,
        memory: &Memory,
        texts: &BTreeSet<ContentHash>,
    ) -> Result<(Option<Done>, Option<Committed>), Error> {
        let files = BTreeSet::from([memory.path.clone()]);
        let (done, history) = self.followed(self.head, memory.created, files)?;
        let replaces = |version: &Option<Memory>| {
            let times = version.as_ref().and_then(|version| version.times.as_deref());
            times.is_some_and(|times| times.supersedes.iter().any(|hash| texts.contains(hash)))
        };
        let begins =
            |before: &Option<Memory>, after: &Option<Memory>| replaces(after) && !replaces(before);
        let done = done.into_iter().rfind(|done| begins(&done.before, &done.after));
        let mut committed = self.committed(&history, memory.created).into_iter();
        Ok((done, committed.rfind(|one| begins(&one.before, &one.after))))
    }
}

/// When a file says that it was changed from one version to the next.
pub(super) fn changed_at(old: &Memory, now: &Memory) -> Option<Stamp> {
    now.updated.filter(|at| *at > old.latest() && at.is_precise())
}

/// What a commit did that no parent has.
fn told(
    change: &MemoryChange,
    before: Option<&Memory>,
    after: Option<&Memory>,
    known: Known,
) -> Option<Step> {
    if let (Some(old), None) = (before, after)
        && let Some(stays) = change.now_says(old.hash)
    {
        return Some(Step::merged_into(old, stays));
    }
    let told = step(before, after, known);
    let Some(after) = after.filter(|_| change.is_merge()) else { return told };
    if change.split_from(after.created).is_some() {
        return Some(Step::kept(StepKind::KeptApart, before, after));
    }
    let is_of_both = matches!(&told, Some(step) if step.what.is_change());
    if is_of_both { Some(Step::kept(StepKind::Merged, before, after)) } else { told }
}

/// What a merge took from one of its sides.
fn chosen(
    change: &MemoryChange,
    last: Option<&Memory>,
    after: Option<&Memory>,
    known: Known,
) -> Option<Step> {
    let told = step(last, after, known);
    let Some(after) = after else { return told };
    // Of two edits made apart, the one told last has not replaced the other.
    let is_choice = told.is_some() || change.set_apart(after.created);
    is_choice.then(|| Step::kept(StepKind::KeptByMerge, last, after))
}

fn paths(history: &[MemoryChange], origin: Stamp) -> impl Iterator<Item = RelPath> {
    let versions = history.iter().flat_map(MemoryChange::memories);
    versions.filter(move |memory| memory.created == origin).map(|memory| memory.path.clone())
}

impl Done {
    /// `None` for an operation on other facts.
    fn of(operation: &Operation, origin: Stamp, change: &[FileChange]) -> Option<Done> {
        let versions: Vec<[Option<Memory>; 2]> = change.iter().map(FileChange::facts).collect();
        let version = |side: usize| {
            let mut versions = versions.iter().filter_map(|sides| sides[side].as_ref());
            versions.find(|memory| memory.created == origin).cloned()
        };
        let (before, after) = (version(0), version(1));
        let known = before.as_ref().or(after.as_ref())?;
        let into = |text: ContentHash| {
            let mut others = versions.iter().filter_map(|sides| sides[1].as_ref());
            others.find(|memory| memory.hash == text).cloned()
        };
        let into = if after.is_none() { into(known.hash) } else { None };
        let at = Stamp::parse(&operation.at).map(|read| read.stamp).unwrap_or_default();
        Some(Done {
            op: operation.op,
            at,
            verb: operation.verb.clone(),
            client: operation.client.clone(),
            session: operation.session.clone(),
            before,
            after,
            into,
        })
    }

    /// The start of its second, for comparing with commits. What a sync found changed by hand is in
    /// its commit, although it was written down after it.
    pub(super) fn second(&self) -> i64 {
        if self.verb == OpVerb::ByHand {
            return i64::MIN;
        }
        self.at.micros().div_euclid(Stamp::SECOND) * Stamp::SECOND
    }

    pub(super) fn step(&self, known: Known) -> Option<Step> {
        match (&self.before, &self.into) {
            (Some(old), Some(stays)) => Some(Step::merged_into(old, stays)),
            _ => step(self.before.as_ref(), self.after.as_ref(), known),
        }
    }

    pub(super) fn states(&self) -> (State<'_>, State<'_>) {
        (State(self.before.as_ref()), State(self.after.as_ref()))
    }
}
