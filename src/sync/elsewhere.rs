//! Documents that merges on other laptops did not keep whole, this laptop's text or the other one,
//! said here as the merging laptop said it.
//!
//! Invariant: history is only walked for questions that are new here, once for all of them, and no
//! further back than to what this laptop had published. What cannot be read there is not said.

use super::{
    attention::{Attention, MergeSide},
    lossy_merges::{LossyMerge, has_own_labels, lossy_merges},
    merged::Merged,
    questions::new_between,
};
use crate::git::{self, FileVersions, GitError, Id, Repo};
use crate::identity::{ContentHash, Document, EditTimes, RelPath, questions::Met};
use crate::merge::Age;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
    slice,
};

/// Documents that this laptop had published, and of which a merge that it took in dropped a part of
/// either text.
pub(super) fn dropped(repo: &Repo, merged: &Merged) -> Result<Vec<Attention>, GitError> {
    let asked = newly_asked(merged);
    let (Some(head), false) = (merged.commits.0, asked.is_empty()) else { return Ok(Vec::new()) };
    let tip = merged.taken_in;
    let Some(published) = repo.merge_bases(head, tip)?.last().copied() else {
        return Ok(Vec::new());
    };
    let mut versions = FileVersions::of(repo, asked.iter().map(|(path, _)| path));
    let mut open = Vec::new();
    for (path, text) in asked {
        let stayed = versions.document(tip, &path)?;
        let is_there = stayed.is_some_and(|stayed| stayed.hash() == text);
        if is_there && versions.blob(published, &path)?.is_some() {
            open.push((path, text));
        }
    }
    let merges = lossy_merges(repo, &mut versions, (Some(published), tip), &open)?;
    let mut lost = Vec::new();
    for ((path, _), merge) in open.into_iter().zip(merges) {
        let Some(merge) = merge else { continue };
        lost.extend(Lost::by(&merge, &mut versions, published, path)?);
    }
    let ages = ages(repo, &lost)?;
    let item = |(lost, age): (Lost, Age)| {
        let (newer, other) = match lost.kept {
            MergeSide::Here => (Ordering::Greater, lost.sides[1]),
            MergeSide::There => (Ordering::Less, published),
        };
        let (path, commit) = (lost.path.to_string(), git::short(other));
        Attention::BothWrote { path, kept: lost.kept, newer: age.known == newer, commit }
    };
    Ok(lost.into_iter().zip(ages).map(item).collect())
}

/// The documents that another laptop's merge asks about, with the texts that it made.
fn newly_asked(merged: &Merged) -> Vec<(RelPath, ContentHash)> {
    let new = new_between(&merged.ours, &merged.theirs).into_iter();
    let new = new.filter(|question| question.met == Met::BothWrote);
    new.filter_map(|question| {
        let [text] = *question.texts.as_slice() else { return None };
        Some((question.path.filter(RelPath::merges_by_lines)?, text))
    })
    .collect()
}

/// A document of this laptop that met another text in a merge elsewhere, which dropped something.
struct Lost {
    path: RelPath,
    /// Whose text did not lose anything.
    kept: MergeSide,
    /// What the merge had of this laptop, and of the other one.
    sides: [Id; 2],
    base: Option<Rc<Document>>,
    /// Their texts.
    texts: [Rc<Document>; 2],
}

impl Lost {
    /// `None` if all that was written in both texts stayed, or neither is the published one.
    fn by(
        merge: &LossyMerge,
        versions: &mut FileVersions<'_>,
        published: Id,
        path: RelPath,
    ) -> Result<Option<Lost>, GitError> {
        let ours = versions.document(published, &path)?;
        let stayed = versions.document(merge.commit, &path)?;
        let (Some(ours), Some(stayed)) = (ours, stayed) else { return Ok(None) };
        let base = match merge.bases.first() {
            Some(base) => versions.document(*base, &path)?,
            None => None,
        };
        let kept: Vec<Rc<Document>> = [Some(stayed), base.clone()].into_iter().flatten().collect();
        let [one, other] = merge.parents;
        for sides in [[one, other], [other, one]] {
            let wrote = versions.document(sides[0], &path)?;
            let met = versions.document(sides[1], &path)?;
            let (Some(wrote), Some(met)) = (wrote, met) else { continue };
            if !is_same(&wrote, &ours) {
                continue;
            }
            let lost = |side: Id, text: &Document| {
                let is_own = || has_own_lines(text, &kept) || has_own_labels(text, &kept);
                merge.dropped.contains(&side) && is_own()
            };
            let kept = match (lost(sides[0], &wrote), lost(sides[1], &met)) {
                (true, _) => MergeSide::There,
                (false, true) => MergeSide::Here,
                (false, false) => continue,
            };
            return Ok(Some(Lost { path, kept, sides, base, texts: [wrote, met] }));
        }
        Ok(None)
    }
}

/// Whether two documents say the same, in their labels as well.
fn is_same(one: &Rc<Document>, other: &Rc<Document>) -> bool {
    let says_more =
        |one: &Document, other: &Rc<Document>| has_own_labels(one, slice::from_ref(other));
    one.hash() == other.hash() && !says_more(one, other) && !says_more(other, one)
}

fn has_own_lines(wrote: &Document, kept: &[Rc<Document>]) -> bool {
    let lines = kept.iter().flat_map(|document| document.body().lines());
    let there: BTreeSet<&str> = lines.map(str::trim_end).collect();
    wrote.body().lines().any(|line| !there.contains(line.trim_end()))
}

/// How old this laptop's texts are beside those that they met, as the merges decided it.
fn ages(repo: &Repo, lost: &[Lost]) -> Result<Vec<Age>, GitError> {
    let mut paths: BTreeMap<[Id; 2], Vec<&RelPath>> = BTreeMap::new();
    for one in lost {
        paths.entry(one.sides).or_default().push(&one.path);
    }
    let mut times: BTreeMap<[Id; 2], [EditTimes; 2]> = BTreeMap::new();
    for ([ours, theirs], paths) in paths {
        let of = |side: Id, other: Id| repo.edit_times(side, &[other], paths.iter().copied());
        times.insert([ours, theirs], [of(ours, theirs)?, of(theirs, ours)?]);
    }
    let age = |one: &Lost| {
        let times = times.get(&one.sides);
        let time = |side: usize| times.and_then(|times| times[side].last_edit(&one.path));
        let texts = one.texts.each_ref().map(|text| text.as_ref());
        Age::of_texts(&one.path, one.base.as_deref(), texts, [time(0), time(1)])
    };
    Ok(lost.iter().map(age).collect())
}
