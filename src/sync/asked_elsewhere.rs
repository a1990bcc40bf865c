//! What merges on other laptops ask about facts, fields and files that this laptop had changed as
//! well, said here as the merging laptop said it.
//!
//! Invariant: nothing is said that the identity does not ask. History is only walked for questions
//! that are new here, and no further back than to what this laptop had published.

use super::{
    Error,
    attention::{self, Attention, MergeSide, MergeStates},
    context::SyncContext,
    elsewhere,
    merged::Merged,
    questions::{new_between, question_about},
    sides::{base_of, edit_times},
};
use crate::git::{FileVersions, GitError, Id, Repo};
use crate::identity::{
    RelPath, Snapshot,
    kind::QUESTIONS,
    questions::{self, MergeQuestion, Met},
};
use crate::merge::{ChangeSet, Decision, History, join};
use std::collections::BTreeSet;

/// What to review because of merges that this laptop took in. What cannot be read is not said.
pub(super) fn to_review(cx: &SyncContext<'_>, merged: &Merged) -> Vec<Attention> {
    let mut items = asked(cx, merged).unwrap_or_default();
    for dropped in elsewhere::dropped(&cx.repo, merged).unwrap_or_default() {
        // Where both texts were kept as files, no commit has to be named.
        if !items.iter().any(|told| told.named() == dropped.named()) {
            items.push(dropped);
        }
    }
    items
}

fn asked(cx: &SyncContext<'_>, merged: &Merged) -> Result<Vec<Attention>, Error> {
    let mut new = new_between(&merged.ours, &merged.theirs);
    new.retain(|question| !is_of_lines(question));
    let (Some(head), false) = (merged.commits.0, new.is_empty()) else { return Ok(Vec::new()) };
    let tip = merged.taken_in;
    let Some(published) = cx.repo.merge_bases(head, tip)?.last().copied() else {
        return Ok(Vec::new());
    };
    let mut items = Vec::new();
    for other in sides_met(&cx.repo, (published, tip), &new)? {
        let met = met(cx, (published, other), &merged.tree, &new)?;
        let is_new = |item: &Attention| {
            question_about(item, &merged.tree).is_some_and(|question| new.contains(&question))
        };
        items.extend(met.into_iter().filter(is_new));
    }
    Ok(items)
}

/// Whether it is about lines that were dropped. In other formats, both texts may have been kept.
fn is_of_lines(question: &MergeQuestion) -> bool {
    let is_by_lines = |path: &RelPath| path.merges_by_lines() && path.as_str().ends_with(".md");
    question.met == Met::BothWrote && question.path.as_ref().is_some_and(is_by_lines)
}

/// The other sides of the merges that asked these questions: one side had what this laptop had
/// published.
fn sides_met(
    repo: &Repo,
    (published, tip): (Id, Id),
    new: &BTreeSet<MergeQuestion>,
) -> Result<Vec<Id>, GitError> {
    let mut versions = FileVersions::of(repo, [&RelPath::known(QUESTIONS)]);
    let mut left = new.clone();
    let mut sides = Vec::new();
    for merge in repo.merges_between(Some(published), tip)? {
        if left.is_empty() {
            break;
        }
        let (commit, [one, other]) = merge?;
        let mut asked = asked_in(&mut versions, commit)?;
        asked.retain(|question| left.contains(question));
        for parent in [one, other] {
            if !asked.is_empty() {
                let before = asked_in(&mut versions, parent)?;
                asked.retain(|question| !before.contains(question));
            }
        }
        if asked.is_empty() {
            continue;
        }
        left.retain(|question| !asked.contains(question));
        match (repo.is_ancestor(published, one)?, repo.is_ancestor(published, other)?) {
            (true, false) => sides.push(other),
            (false, true) => sides.push(one),
            // What met there is not of this laptop.
            (true, true) | (false, false) => {}
        }
    }
    Ok(sides)
}

fn asked_in(
    versions: &mut FileVersions<'_>,
    commit: Id,
) -> Result<BTreeSet<MergeQuestion>, GitError> {
    let file = versions.document(commit, &RelPath::known(QUESTIONS))?;
    Ok(file.map(|file| questions::read(file.body().as_bytes())).unwrap_or_default())
}

/// What this laptop had published and another side changed as well, as far as the result has it.
fn met(
    cx: &SyncContext<'_>,
    (published, other): (Id, Id),
    merged: &Snapshot,
    new: &BTreeSet<MergeQuestion>,
) -> Result<Vec<Attention>, Error> {
    let repo = &cx.repo;
    let Some(base) = base_of(repo, published, other)? else { return Ok(Vec::new()) };
    let (ours, theirs) = (repo.snapshot(Some(published))?, repo.snapshot(Some(other))?);
    // Only a merge tells where it put a document.
    let is_placed =
        |question: &MergeQuestion| matches!(question.met, Met::BothWrote | Met::DeletedAndMoved);
    let decisions = if new.iter().any(is_placed) {
        decided(cx, &base, (published, &ours), (other, &theirs))?
    } else {
        Vec::new()
    };
    let states = MergeStates { base: &base, ours: &ours, theirs: &theirs, merged };
    let mine = ChangeSet::between(&base, &ours);
    let mut items = attention::to_review(&states, &mine, &decisions);
    // What this laptop learned, and the other one had forgotten.
    let states = MergeStates { base: &base, ours: &theirs, theirs: &ours, merged };
    let turned = attention::to_review(&states, &ChangeSet::between(&base, &theirs), &[]);
    items.extend(turned.into_iter().filter_map(|item| match item {
        Attention::LearnedAgain { fact, .. } => {
            Some(Attention::LearnedAgain { fact, forgotten: MergeSide::There })
        }
        _ => None,
    }));
    Ok(items)
}

/// The decisions of a merge, which is the same on every laptop.
fn decided(
    cx: &SyncContext<'_>,
    base: &Snapshot,
    (our_id, ours): (Id, &Snapshot),
    (their_id, theirs): (Id, &Snapshot),
) -> Result<Vec<Decision>, Error> {
    let times = edit_times(&cx.repo, (our_id, ours), (their_id, theirs), Some(base))?;
    let (times, calendar) = (Some(times.each_ref()), Some(cx.ws.calendar()));
    let history = History { base: Some(base), times, calendar, ..History::default() };
    Ok(join(history, ours, theirs, cx.ws.now()).decisions)
}
