//! Writes down what a merge leaves for a person to look at, in the merge itself, so that every
//! laptop has the question until it is answered.
//!
//! Invariant: what was answered, or is no longer as it was, is no question.

use super::attention::{self, Attention, MergeStates};
use crate::identity::{
    ContentHash, Document, RelPath, Snapshot,
    answers::Answers,
    kind::{QUESTIONS, REVIEWED},
    questions::{self, MergeQuestion, Met},
};
use crate::merge::{ChangeSet, MergeOutcome};
use std::collections::{BTreeSet, HashSet};

/// The merged identity with its open questions. Joining an identity asks nothing: the remote's
/// values win there, and its report names them.
pub(super) fn noted(
    (base, ours, theirs): (Option<&Snapshot>, &Snapshot, &Snapshot),
    joined: &MergeOutcome,
) -> Snapshot {
    let mut tree = joined.snapshot.clone();
    // A fast-forward takes what the other laptop asks.
    let Some(base) = base.filter(|base| *base != ours) else { return tree };
    let states = MergeStates { base, ours, theirs, merged: &joined.snapshot };
    let path = RelPath::known(QUESTIONS);
    let known = asked_in(&tree);
    let mut asked: BTreeSet<MergeQuestion> = known.clone();
    let items = attention::to_review(&states, &ChangeSet::between(base, ours), &joined.decisions);
    asked.extend(items.iter().filter_map(|item| question_about(item, &tree)));
    let overlaps = attention::overlaps(&joined.decisions);
    asked.extend(overlaps.filter_map(|(path, _)| of_document(Met::BothWrote, path, &tree)));
    if asked.is_empty() {
        return tree;
    }
    let facts: HashSet<ContentHash> = tree.memories().iter().map(|memory| memory.hash).collect();
    let answers = tree.get(&RelPath::known(REVIEWED)).map(|blob| Answers::read(blob));
    let answers = answers.unwrap_or_default();
    asked.retain(|question| {
        let is_fact = |text: &ContentHash| facts.contains(text);
        !answers.has(question.hash()) && question.is_open(is_fact, |path| tree.get(path).cloned())
    });
    if asked.is_empty() {
        tree.remove(&path);
    } else if asked != known {
        tree.put(path, questions::write(&asked));
    }
    tree
}

/// What the second identity asks and the first does not.
pub(super) fn new_between(ours: &Snapshot, theirs: &Snapshot) -> BTreeSet<MergeQuestion> {
    let known = asked_in(ours);
    asked_in(theirs).into_iter().filter(|question| !known.contains(question)).collect()
}

fn asked_in(tree: &Snapshot) -> BTreeSet<MergeQuestion> {
    let file = tree.get(&RelPath::known(QUESTIONS));
    file.map(|blob| questions::read(blob)).unwrap_or_default()
}

/// The question that a merge leaves about this.
pub(super) fn question_about(item: &Attention, tree: &Snapshot) -> Option<MergeQuestion> {
    let facts = |hashes: &[&String]| {
        let texts: Option<Vec<ContentHash>> =
            hashes.iter().map(|hash| ContentHash::parse(hash)).collect();
        Some(MergeQuestion { met: item.met(), texts: texts?, path: None })
    };
    match item {
        Attention::BothEdited { fact, other, .. } => facts(&[&fact.hash, &other.hash]),
        Attention::ForgottenAndEdited { fact, .. } | Attention::LearnedAgain { fact, .. } => {
            facts(&[&fact.hash])
        }
        Attention::BothSet { path, line, .. } => {
            let path = Some(RelPath::new(path)?);
            Some(MergeQuestion { met: item.met(), texts: vec![*line], path })
        }
        Attention::BothKept { path, .. }
        | Attention::DeletedAndEdited { path, .. }
        | Attention::DeletedAndMoved { path, .. } => {
            of_document(item.met(), RelPath::new(path)?, tree)
        }
        // From the decisions.
        Attention::BothWrote { .. } => None,
    }
}

fn of_document(met: Met, path: RelPath, tree: &Snapshot) -> Option<MergeQuestion> {
    let text = Document::of_text(tree.get(&path)?)?.hash();
    Some(MergeQuestion { met, texts: vec![text], path: Some(path) })
}
