//! Brings the three states of a merge to one layout: what either side moved is at its new place in
//! all of them, and every link is written as it has to be there.
//!
//! Invariant: symmetric in the sides, and nothing is lost; what co itself wrote into links when a
//! document moved is the same in all three states, so no edit. Must not know: how texts merge.

use super::{Decision, DocumentPlace, Reason, moves};
use crate::identity::{
    Blob, ContentHash, Document, EditTimes, Kind, RelPath, Snapshot, Stamp, slug,
};
use crate::knowledge::{
    added,
    links::{Following, Moves},
    names::Names,
};
use std::collections::BTreeSet;

/// Where the documents that a side moved end up.
#[derive(Default)]
pub(super) struct Relocation {
    /// For the base and each side, from its own path.
    places: [Moves; 3],
    /// The same, by the new path.
    origins: [Moves; 3],
    /// What does not count in the new layout: documents that one side deleted, in the base, and
    /// copies that a side already had where the other moved the document to.
    left_out: [BTreeSet<RelPath>; 3],
    pub(super) decisions: Vec<Decision>,
}

/// A document that at least one side moved: its path in the base and on each side that has it.
struct Relocated<'a> {
    from: &'a RelPath,
    own: [Option<&'a RelPath>; 2],
}

fn relocated<'a>(found: &'a [Moves; 2], sides: [&Snapshot; 2]) -> Vec<Relocated<'a>> {
    let sources: BTreeSet<&RelPath> = found.iter().flat_map(|moves| moves.keys()).collect();
    let own = |from: &'a RelPath, at: usize| {
        let stays = Some(from).filter(|from| sides[at].get(from).is_some());
        found[at].get(from).or(stays)
    };
    sources.into_iter().map(|from| Relocated { from, own: [own(from, 0), own(from, 1)] }).collect()
}

/// The paths on both sides of the documents that one of them moved and the other changed.
pub fn changed_on_both(base: &Snapshot, ours: &Snapshot, theirs: &Snapshot) -> Vec<[RelPath; 2]> {
    if base == ours || base == theirs {
        return Vec::new();
    }
    let found = moves::of_sides([base, ours, theirs]);
    let both = relocated(&found, [ours, theirs]).into_iter().filter_map(|document| {
        let [Some(here), Some(there)] = document.own else { return None };
        let was = base.get(document.from);
        let both_moved = here != document.from && there != document.from && here != there;
        let both_wrote = ours.get(here) != was && theirs.get(there) != was;
        (both_moved || both_wrote).then(|| [here.clone(), there.clone()])
    });
    both.collect()
}

impl Relocation {
    /// `None` if neither side moved anything.
    pub fn between(states: [&Snapshot; 3], times: Option<[&EditTimes; 2]>) -> Option<Relocation> {
        let [base, x, y] = states;
        let found = moves::of_sides(states);
        let documents = relocated(&found, [x, y]);
        if documents.is_empty() {
            return None;
        }
        let mut made = Relocation::default();
        let is_used = |path: &RelPath| states.iter().any(|state| state.get(path).is_some());
        let mut own: [BTreeSet<&RelPath>; 2] = Default::default();
        for document in &documents {
            if let [Some(at_x), Some(at_y)] = document.own {
                own[0].insert(at_x);
                own[1].insert(at_y);
            }
        }
        let mut taken: BTreeSet<RelPath> = BTreeSet::new();
        for document in &documents {
            let [Some(at_x), Some(at_y)] = document.own else {
                made.keep(document, base);
                continue;
            };
            let at = [at_x, at_y];
            let mut to = made.chosen(document.from, at, times);
            if taken.contains(&to) {
                to = made.beside(&to, base.get(document.from), &is_used);
            }
            taken.insert(to.clone());
            made.note_edit(document, &to, [x, y], base);
            made.place(0, document.from, &to);
            for (n, side) in [x, y].into_iter().enumerate() {
                if at[n] != &to && !own[n].contains(&to) {
                    made.make_room(n + 1, side, (at[n], &to), &is_used);
                }
                made.place(n + 1, at[n], &to);
            }
        }
        Some(made)
    }

    /// One side deleted it: it stays where the other side moved it.
    fn keep(&mut self, document: &Relocated<'_>, base: &Snapshot) {
        let Some(path) = document.own.into_iter().flatten().next() else { return };
        if base.get(document.from).is_some() {
            self.left_out[0].insert(document.from.clone());
        }
        let why = "moved on one side, deleted on the other: kept";
        let kept = Decision::new(path, Reason::Union, why);
        self.decisions.push(Decision { place: Some(DocumentPlace::Kept), ..kept });
    }

    /// The side that moved it decides; of two, the one that did so later.
    fn chosen(
        &mut self,
        from: &RelPath,
        [at_x, at_y]: [&RelPath; 2],
        times: Option<[&EditTimes; 2]>,
    ) -> RelPath {
        if at_x == at_y || at_y == from {
            return at_x.clone();
        }
        if at_x == from {
            return at_y.clone();
        }
        let time = |n: usize, path: &RelPath| -> Option<Stamp> { times?[n].last_edit(path) };
        let (of_x, of_y) = ((time(0, at_x), at_x), (time(1, at_y), at_y));
        let (to, other) = if of_x > of_y { (at_x, at_y) } else { (at_y, at_x) };
        let why = format!("moved on both sides, here and to {other}: kept only here");
        self.decisions.push(Decision::new(to, Reason::Paths, why));
        to.clone()
    }

    /// One side moved it, and the other one edited it where it was.
    fn note_edit(
        &mut self,
        document: &Relocated<'_>,
        to: &RelPath,
        sides: [&Snapshot; 2],
        base: &Snapshot,
    ) {
        let from = document.from;
        let stayed = sides.into_iter().zip(document.own).find(|(_, own)| *own == Some(from));
        if stayed.is_some_and(|(side, _)| to != from && side.get(from) != base.get(from)) {
            let why = format!("moved from {from} on one side, edited on the other: combined here");
            self.decisions.push(Decision::new(to, Reason::Paths, why));
        }
    }

    /// What a side wrote where a document of the other moves to.
    fn make_room(
        &mut self,
        state: usize,
        side: &Snapshot,
        (own, to): (&RelPath, &RelPath),
        is_used: &dyn Fn(&RelPath) -> bool,
    ) {
        let Some(there) = side.get(to) else { return };
        if Some(there) == side.get(own) {
            self.left_out[state].insert(to.clone());
        } else {
            let beside = self.beside(to, Some(there), is_used);
            self.place(state, to, &beside);
        }
    }

    /// A name that no side uses, but for this same text.
    fn beside(
        &mut self,
        path: &RelPath,
        text: Option<&Blob>,
        is_used: &dyn Fn(&RelPath) -> bool,
    ) -> RelPath {
        let bytes: &[u8] = match text {
            Some(text) => text,
            None => &[],
        };
        let hash = ContentHash::of_bytes(bytes);
        let lengths = [6, 12, 24, 48];
        let names = lengths.map(|length| slug::with_suffix(path, &hash.short(length)));
        let [first, ..] = &names;
        let beside = names.iter().find(|name| !is_used(name)).unwrap_or(first).clone();
        let why = format!("another document was moved here: renamed to {}", beside.name());
        let aside = Decision::new(path, Reason::Paths, why);
        let place = Some(DocumentPlace::Aside(beside.to_string()));
        self.decisions.push(Decision { place, ..aside });
        beside
    }

    fn place(&mut self, state: usize, from: &RelPath, to: &RelPath) {
        if from != to {
            self.places[state].insert(from.clone(), to.clone());
            self.origins[state].insert(to.clone(), from.clone());
        }
    }

    /// The path that a side has for a document, 0 for `x` and 1 for `y`.
    pub(super) fn own<'a>(&'a self, side: usize, path: &'a RelPath) -> &'a RelPath {
        self.origins[side + 1].get(path).unwrap_or(path)
    }

    /// `names` are those that links can use in the base and on each side.
    pub(super) fn apply(&self, states: [&mut Snapshot; 3], names: [Names; 3]) {
        for (at, (state, names)) in states.into_iter().zip(names).enumerate() {
            let (places, left_out) = (&self.places[at], &self.left_out[at]);
            if places.is_empty() && left_out.is_empty() {
                continue;
            }
            let following = Following::new(places.clone(), names);
            let there = state.iter().filter(|(path, _)| !left_out.contains(*path));
            let moved = there.map(|(path, blob)| {
                let to = places.get(path).unwrap_or(path);
                let followed = linking(path).then(|| followed(blob, path, to, &following));
                (to.clone(), followed.flatten().unwrap_or_else(|| blob.clone()))
            });
            *state = moved.collect();
        }
    }
}

/// The three states of a merge in one layout; `None` if they are already.
pub fn in_one_layout(
    states: [&Snapshot; 3],
    times: Option<[&EditTimes; 2]>,
) -> Option<[Snapshot; 3]> {
    let relocation = Relocation::between(states, times)?;
    let names = states.map(|state| names(state.paths()));
    let [mut base, mut x, mut y] = states.map(Clone::clone);
    relocation.apply([&mut base, &mut x, &mut y], names);
    Some([base, x, y])
}

/// The names that links can use for these files.
pub(super) fn names<'p>(paths: impl Iterator<Item = &'p RelPath>) -> Names {
    Names::from_files(paths.filter(|path| !path.is_hidden()).map(|path| (path.clone(), Vec::new())))
}

/// The files whose links follow a move.
fn linking(path: &RelPath) -> bool {
    let is_persona = matches!(
        path.kind(),
        Kind::ProfilePart | Kind::Profile | Kind::Personality | Kind::Context
    );
    path.is_document() || is_persona
}

fn followed(blob: &Blob, from: &RelPath, to: &RelPath, following: &Following) -> Option<Blob> {
    let text = following.text(std::str::from_utf8(blob).ok()?, from, to)?;
    let was = Document::read(blob).ok();
    let document = was.and_then(|was| added::with_links(&was, &text));
    Some(document.map_or(text, |document| document.write()).into())
}
