//! Merge results a person should review: both sides changed the same fact, field or document.
//!
//! Invariant: nothing here changes the merge; every reported fact is in its result.

use crate::identity::{
    ContentHash, Document, FileChange, Ledger, Memory, RelPath, Role, Snapshot, questions::Met,
};
use crate::merge::{
    Decision, DocumentPlace, Reason,
    blocks::{self, FieldLine},
    change::{ChangeSet, Fact},
};
use crate::secrets;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum MergeSide {
    Here,
    There,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "why", rename_all = "kebab-case")]
pub enum Attention {
    /// Both sides edited a fact; both texts are facts now, and the newer one kept the number.
    BothEdited { fact: Fact, other: Fact, newer: MergeSide },
    /// Forgotten on one side, edited on the other: the edit stays.
    ForgottenAndEdited { fact: Fact, forgotten: MergeSide },
    /// Forgotten on one side before, and learned again on the other.
    LearnedAgain { fact: Fact, forgotten: MergeSide },
    /// A field was set on both sides; `kept` says whose value stays.
    BothSet {
        path: String,
        /// The nearest one above the field.
        #[serde(skip_serializing_if = "Option::is_none")]
        heading: Option<String>,
        field: String,
        here: String,
        there: String,
        kept: MergeSide,
        /// The line that stays.
        #[serde(skip)]
        line: ContentHash,
    },
    /// A document was edited on both sides in the same place: one side's lines stay, the other's
    /// are in a commit. `newer` is false if neither is known to be newer.
    BothWrote { path: String, kept: MergeSide, newer: bool, commit: String },
    /// A file was edited on both sides and could not be merged: one side's text stays, the other's
    /// is in the file `copy` next to it.
    BothKept { path: String, kept: MergeSide, newer: bool, copy: String },
    /// A document was deleted on one side and edited on the other: the edit stays.
    DeletedAndEdited { path: String, deleted: MergeSide },
    /// A document was deleted on one side and moved on the other: it stays at its new path.
    DeletedAndMoved { path: String, deleted: MergeSide },
}

/// How people are told a document: by its topic, as far as it has one.
pub fn document_name(path: &str) -> &str {
    let below = path.strip_prefix("knowledge/");
    below.map_or(path, |below| below.strip_suffix(".md").unwrap_or(below))
}

impl Attention {
    /// Describes the facts or the field, and what happened to them.
    pub fn named(&self) -> String {
        let number =
            |fact: &Fact| fact.id.map_or_else(|| fact.path.name().to_owned(), |id| id.to_string());
        let about = match self {
            Attention::BothEdited { fact, other, .. } => {
                format!("{} and {}", number(fact), number(other))
            }
            Attention::ForgottenAndEdited { fact, .. } | Attention::LearnedAgain { fact, .. } => {
                number(fact)
            }
            Attention::BothSet { field, .. } => field.clone(),
            Attention::BothWrote { path, .. }
            | Attention::BothKept { path, .. }
            | Attention::DeletedAndEdited { path, .. }
            | Attention::DeletedAndMoved { path, .. } => document_name(path).to_owned(),
        };
        self.met().named(&about)
    }

    /// What happened, as the question about it says.
    pub(super) fn met(&self) -> Met {
        match self {
            Attention::BothEdited { .. } => Met::BothEdited,
            Attention::ForgottenAndEdited { .. } => Met::ForgottenAndEdited,
            Attention::LearnedAgain { .. } => Met::LearnedAgain,
            Attention::BothSet { .. } => Met::BothSet,
            Attention::BothWrote { .. } | Attention::BothKept { .. } => Met::BothWrote,
            Attention::DeletedAndEdited { .. } => Met::DeletedAndEdited,
            Attention::DeletedAndMoved { .. } => Met::DeletedAndMoved,
        }
    }
}

/// Documents of which one side's lines were dropped, from the decisions of the merge; `lost` is
/// what this side lost. `here` and `there` are the commits of the sides.
pub(super) fn documents(
    sides: &MergeStates<'_>,
    decisions: &[Decision],
    lost: &[FileChange],
    (here, there): (&str, &str),
) -> Vec<Attention> {
    let item = |(path, decision): (RelPath, &Decision)| {
        let text = |side: &Snapshot| Some(Document::of_text(side.get(&path)?)?.text().to_owned());
        // What was lost is not known after the remote was squashed.
        let is_theirs = || text(sides.merged) == text(sides.theirs);
        let is_lost = lost.iter().any(|file| file.path.folded() == path.folded())
            || (text(sides.merged) != text(sides.ours) && is_theirs());
        let (kept, commit) =
            if is_lost { (MergeSide::There, here) } else { (MergeSide::Here, there) };
        let newer = decision.reason == Reason::Document;
        let (path, commit) = (decision.path.clone(), commit.to_owned());
        Attention::BothWrote { path, kept, newer, commit }
    };
    overlaps(decisions).map(item).collect()
}

/// The facts of the result, by their text.
type MergedFacts = HashMap<ContentHash, Memory>;

/// The three states of a merge, and its result.
pub(super) struct MergeStates<'a> {
    pub(super) base: &'a Snapshot,
    pub(super) ours: &'a Snapshot,
    pub(super) theirs: &'a Snapshot,
    pub(super) merged: &'a Snapshot,
}

/// `ours` are the changes here since the base.
pub(super) fn to_review(
    sides: &MergeStates<'_>,
    ours: &ChangeSet,
    decisions: &[Decision],
) -> Vec<Attention> {
    let theirs = ChangeSet::between(sides.base, sides.theirs);
    let mut items = facts(sides, ours, &theirs);
    items.extend(fields(sides, ours, &theirs));
    items.extend(deleted(sides, ours, &theirs));
    items.extend(moved(sides, decisions));
    items.extend(copied(sides, decisions));
    items
}

/// The decisions on documents of which one side's lines were dropped.
pub(super) fn overlaps(decisions: &[Decision]) -> impl Iterator<Item = (RelPath, &Decision)> {
    let is_of_document = |decision: &&Decision| {
        matches!(decision.reason, Reason::Document | Reason::Undated) && decision.place.is_none()
    };
    decisions.iter().filter(is_of_document).filter_map(|decision| {
        let path = RelPath::new(&decision.path).filter(RelPath::merges_by_lines)?;
        Some((path, decision))
    })
}

/// Documents that one side deleted and the other edited, and that still exist.
fn deleted(sides: &MergeStates<'_>, ours: &ChangeSet, theirs: &ChangeSet) -> Vec<Attention> {
    let whole = |file: &&FileChange| file.path.is_whole() && file.before.is_some();
    let mine: BTreeMap<&RelPath, &FileChange> =
        ours.files.iter().filter(whole).map(|file| (&file.path, file)).collect();
    let item = |other: &FileChange| {
        let mine = mine.get(&other.path)?;
        let deleted = match (&mine.after, &other.after) {
            (None, Some(_)) => MergeSide::Here,
            (Some(_), None) => MergeSide::There,
            _ => return None,
        };
        sides.merged.get(&other.path)?;
        Some(Attention::DeletedAndEdited { path: other.path.to_string(), deleted })
    };
    theirs.files.iter().filter(whole).filter_map(item).collect()
}

/// Documents that one side deleted and the other moved, from the decisions of the merge.
fn moved(sides: &MergeStates<'_>, decisions: &[Decision]) -> Vec<Attention> {
    let is_kept = |decision: &&Decision| decision.place == Some(DocumentPlace::Kept);
    let item = |decision: &Decision| {
        let path = RelPath::new(&decision.path).filter(RelPath::is_whole)?;
        sides.merged.get(&path)?;
        let deleted =
            if sides.ours.get(&path).is_some() { MergeSide::There } else { MergeSide::Here };
        Some(Attention::DeletedAndMoved { path: decision.path.clone(), deleted })
    };
    decisions.iter().filter(is_kept).filter_map(item).collect()
}

/// Files of which both texts were kept. Notes are told in a line of their own.
fn copied(sides: &MergeStates<'_>, decisions: &[Decision]) -> Vec<Attention> {
    let item = |decision: &Decision| {
        let Some(DocumentPlace::Copied { at, is_older }) = &decision.place else { return None };
        let is_told = |path: &RelPath| !matches!(path.role(), Role::Note | Role::Record);
        let path = RelPath::new(&decision.path).filter(is_told)?;
        sides.merged.get(&RelPath::new(at)?)?;
        let is_ours = sides.merged.get(&path)? == sides.ours.get(&path)?;
        let kept = if is_ours { MergeSide::Here } else { MergeSide::There };
        let (path, copy) = (decision.path.clone(), at.clone());
        Some(Attention::BothKept { path, kept, newer: *is_older, copy })
    };
    decisions.iter().filter_map(item).collect()
}

fn facts(sides: &MergeStates<'_>, ours: &ChangeSet, theirs: &ChangeSet) -> Vec<Attention> {
    let memory = |file: &&FileChange| file.path.is_memory();
    let mine: BTreeMap<&RelPath, &FileChange> =
        ours.files.iter().filter(memory).map(|file| (&file.path, file)).collect();
    // Read once, however many facts arrived.
    let forgotten = sides.ours.ledger();
    let merged: MergedFacts =
        sides.merged.memories().into_iter().map(|memory| (memory.hash, memory)).collect();
    let mut items = Vec::new();
    for file in theirs.files.iter().filter(memory) {
        let item = match mine.get(&file.path) {
            Some(mine) => both_changed(mine, file, &merged),
            None => learned_again(file, &forgotten, &merged),
        };
        items.extend(item);
    }
    items
}

fn both_changed(mine: &FileChange, theirs: &FileChange, merged: &MergedFacts) -> Option<Attention> {
    let read = |blob: &Option<_>| Memory::read(&mine.path, blob.as_ref()?).ok();
    let base = read(&mine.before)?;
    let edited = |memory: &Memory| memory.created == base.created && memory.hash != base.hash;
    let (ours, other) = (read(&mine.after), read(&theirs.after));
    match (ours, other) {
        (Some(ours), Some(other)) if edited(&ours) && edited(&other) => {
            let (ours_now, other_now) = (merged.get(&ours.hash)?, merged.get(&other.hash)?);
            let newer = match ours_now.created == base.created {
                _ if ours.hash == other.hash => return None,
                true => MergeSide::Here,
                false => MergeSide::There,
            };
            let (fact, second) = match newer {
                MergeSide::Here => (ours_now, other_now),
                MergeSide::There => (other_now, ours_now),
            };
            Some(Attention::BothEdited { fact: Fact::of(fact), other: Fact::of(second), newer })
        }
        (Some(ours), None) if edited(&ours) => {
            let fact = Fact::of(merged.get(&ours.hash)?);
            Some(Attention::ForgottenAndEdited { fact, forgotten: MergeSide::There })
        }
        (None, Some(other)) if edited(&other) => {
            let fact = Fact::of(merged.get(&other.hash)?);
            Some(Attention::ForgottenAndEdited { fact, forgotten: MergeSide::Here })
        }
        _ => None,
    }
}

fn learned_again(
    theirs: &FileChange,
    forgotten: &Ledger,
    merged: &MergedFacts,
) -> Option<Attention> {
    let other = Memory::read(&theirs.path, theirs.after.as_ref()?).ok()?;
    if theirs.before.is_some() || forgotten.of_text(other.hash).is_none() {
        return None;
    }
    let fact = Fact::of(merged.get(&other.hash)?);
    Some(Attention::LearnedAgain { fact, forgotten: MergeSide::Here })
}

/// Fields of lines that both sides set, by their headings: a city at home is not one at work.
fn fields(sides: &MergeStates<'_>, ours: &ChangeSet, theirs: &ChangeSet) -> Vec<Attention> {
    let theirs: BTreeSet<&RelPath> = theirs.files.iter().map(|file| &file.path).collect();
    let mine = ours.files.iter().map(|file| &file.path).filter(|path| theirs.contains(path));
    let is_text = |path: &&RelPath| {
        // A `key: value` line of JSON or YAML is not a field about the person.
        matches!(path.role(), Role::Persona | Role::Document)
    };
    mine.filter(is_text).flat_map(|path| fields_of(sides, path)).collect()
}

fn fields_of(sides: &MergeStates<'_>, path: &RelPath) -> Vec<Attention> {
    let lines = |side: &Snapshot| {
        let read = side.get(path).and_then(|blob| Document::read(blob).ok());
        read.map(|document| blocks::field_lines(document.body())).unwrap_or_default()
    };
    let by_name = |side: &Snapshot| -> BTreeMap<(Vec<String>, String), String> {
        lines(side).into_iter().map(|field| ((field.under, field.key), field.line)).collect()
    };
    let (base, theirs) = (by_name(sides.base), by_name(sides.theirs));
    let merged = by_name(sides.merged);
    let item = |field: FieldLine| {
        let FieldLine { under, key, line } = field;
        let heading = under.last().map(|text| text.trim_matches(['#', ' ']).to_owned());
        let name = (under, key);
        let (was, there) = (base.get(&name), theirs.get(&name)?);
        let kept = merged.get(&name)?;
        let text = |line: &str| line.trim_end().to_owned();
        let is_new = |line: &str| was.is_none_or(|was| text(was) != text(line));
        if !is_new(&line) || !is_new(there) || text(&line) == text(there) {
            return None;
        }
        let shown = |line: &str| secrets::redact(line.trim_end()).into_owned();
        Some(Attention::BothSet {
            path: path.to_string(),
            heading,
            here: shown(&line),
            there: shown(there),
            kept: if text(kept) == text(&line) { MergeSide::Here } else { MergeSide::There },
            line: ContentHash::of_body(kept),
            field: name.1,
        })
    };
    lines(sides.ours).into_iter().filter_map(item).collect()
}
