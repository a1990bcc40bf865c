//! What operations changed, done once more to another state of the identity: to a commit that may
//! contain a part of it, with other numbers and stamps.
//!
//! Invariant: pure. A fact is found by its origin, under whatever number and file name it has
//! there. Must not know when anything happened.

use crate::identity::{FileChange, Memory, RelPath, Snapshot, Stamp};
use std::collections::BTreeMap;

/// How sure it is that a change came after the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    Surely,
    /// The state may contain it: only what fits is changed.
    Perhaps,
}

/// The files of the facts of a state, by origin; copies of a fact have several.
type Origins = BTreeMap<Stamp, Vec<Memory>>;

/// Changes a state as operations changed the identity, in their order.
pub fn replay<'a>(
    mut state: Snapshot,
    operations: impl IntoIterator<Item = (After, &'a [FileChange])>,
) -> Snapshot {
    let mut origins = Origins::new();
    let mut operations = operations.into_iter().peekable();
    if operations.peek().is_some() {
        for memory in state.memories() {
            origins.entry(memory.created).or_default().push(memory);
        }
    }
    for (after, change) in operations {
        for file in change.iter().filter(|file| !is_of_fact(file)) {
            if after == After::Surely || state.get(&file.path) == file.before.as_ref() {
                state.set(&file.path, file.after.as_ref());
            }
        }
        for (origin, [before, now]) in facts(change) {
            let here = origins.remove(&origin).unwrap_or_default();
            let here = put(&mut state, (after, before.as_ref(), now), here);
            origins.insert(origin, here);
        }
    }
    state
}

fn is_of_fact(file: &FileChange) -> bool {
    file.facts().iter().any(Option::is_some)
}

/// The facts of a change before and after, by origin; of several copies the last.
fn facts(change: &[FileChange]) -> BTreeMap<Stamp, [Option<Memory>; 2]> {
    let mut facts: BTreeMap<Stamp, [Option<Memory>; 2]> = BTreeMap::new();
    for file in change {
        for (side, memory) in file.facts().into_iter().enumerate() {
            if let Some(memory) = memory {
                let of_fact = facts.entry(memory.created).or_default();
                of_fact[side] = Some(memory);
            }
        }
    }
    facts
}

/// Changes a fact, which has these files; returns those that it has then.
fn put(
    state: &mut Snapshot,
    (after, before, now): (After, Option<&Memory>, Option<Memory>),
    mut here: Vec<Memory>,
) -> Vec<Memory> {
    let is_before = |memory: &Memory| before.is_some_and(|old| old.hash == memory.hash);
    let fits = match before {
        None => here.is_empty(),
        Some(_) => here.iter().any(is_before),
    };
    if after == After::Perhaps && !fits {
        return here;
    }
    let Some(now) = now else {
        for memory in &here {
            state.remove(&memory.path);
        }
        return Vec::new();
    };
    let at = before.and_then(|old| here.iter().position(|memory| memory.path == old.path));
    let at = at.or_else(|| here.iter().position(is_before)).or((!here.is_empty()).then_some(0));
    let placed = match at.map(|at| here.remove(at)) {
        // A sync had given it another number.
        Some(old) if before.is_none_or(|before| before.id != old.id) => {
            state.remove(&old.path);
            old.id.map_or_else(|| now.clone(), |id| now.renumbered(id))
        }
        Some(old) => {
            state.remove(&old.path);
            now
        }
        None => now,
    };
    let placed = Memory { path: free(state, &placed), ..placed };
    state.put(placed.path.clone(), placed.blob.clone());
    here.push(placed);
    here
}

/// The path of a fact, or one beside it where another fact has taken that.
fn free(state: &Snapshot, memory: &Memory) -> RelPath {
    if state.get(&memory.path).is_none() {
        return memory.path.clone();
    }
    memory.path.with_name(&format!("{}-{}.md", memory.path.stem(), memory.hash.short(8)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Blob;

    /// `3 tea` : the fact with that number, whose origin is its first letter.
    fn fact(words: &str) -> (RelPath, Blob) {
        let (id, text) = words.split_once(' ').expect("a number and a text");
        let second = text.bytes().next().expect("a letter") % 60;
        let front = format!("id: {id}\ncreated: 2026-01-01T00:00:{second:02}.5Z");
        let path = RelPath::known(&format!("knowledge/memories/{id:0>3}-x.md"));
        (path, Blob::from(format!("---\n{front}\n---\n\n{text}\n")))
    }

    fn state(facts: &[&str]) -> Snapshot {
        facts.iter().map(|words| fact(words)).collect()
    }

    fn change(before: &[&str], after: &[&str]) -> Vec<FileChange> {
        state(before).changes_to(&state(after))
    }

    fn told(state: &Snapshot) -> Vec<String> {
        let memories = state.memories().into_iter();
        let line = |memory: Memory| format!("{} {}", memory.id.unwrap_or(0), memory.text());
        memories.map(line).collect()
    }

    #[test]
    fn what_came_after_a_state_is_added_to_it() {
        let learned = change(&[], &["2 mate"]);
        let edited = change(&["2 mate"], &["2 more mate"]);
        let edited_first = change(&["1 tea"], &["1 the tea"]);
        let forgotten = change(&["1 tea"], &[]);
        type Case<'a> = (&'a [&'a str], &'a [&'a Vec<FileChange>], &'a [&'a str]);
        let cases: [Case<'_>; 6] = [
            (&["1 tea"], &[], &["1 tea"]),
            (&["1 tea"], &[&learned], &["1 tea", "2 mate"]),
            (&["1 tea"], &[&learned, &edited, &forgotten], &["2 more mate"]),
            // A sync has given it another number.
            (&["5 tea"], &[&edited_first], &["5 the tea"]),
            (&["5 tea"], &[&forgotten], &[]),
            // Another fact has its number.
            (&["2 water"], &[&learned], &["2 water", "2 mate"]),
        ];
        for (before, changes, after) in cases {
            let changes = changes.iter().map(|change| (After::Surely, change.as_slice()));
            let mut found = told(&replay(state(before), changes));
            let mut expected: Vec<String> = after.iter().map(|fact| (*fact).to_owned()).collect();
            found.sort();
            expected.sort();
            assert_eq!(found, expected, "{before:?}");
        }
    }

    #[test]
    fn what_a_state_has_already_is_not_done_twice() {
        let learned = change(&[], &["1 tea"]);
        let edited = change(&["1 tea"], &["1 the tea"]);
        let forgotten = change(&["1 tea"], &[]);
        for (before, changes, after) in [
            (vec!["1 tea"], vec![&learned], vec!["1 tea"]),
            (vec!["7 tea"], vec![&learned], vec!["7 tea"]),
            (vec!["1 the tea"], vec![&learned, &edited], vec!["1 the tea"]),
            (vec!["1 tea"], vec![&learned, &edited], vec!["1 the tea"]),
            (vec![], vec![&forgotten], vec![]),
            (vec![], vec![&learned, &forgotten], vec![]),
            // A merge kept what another laptop says.
            (vec!["1 their tea"], vec![&edited], vec!["1 their tea"]),
            (vec!["1 their tea"], vec![&forgotten], vec!["1 their tea"]),
        ] {
            let changes = changes.iter().map(|change| (After::Perhaps, change.as_slice()));
            assert_eq!(told(&replay(state(&before), changes)), after, "{before:?}");
        }
    }

    #[test]
    fn other_files_are_as_they_were() {
        let path = RelPath::known("profile.md");
        let file = |before: &str, after: &str| {
            vec![FileChange::of_text(path.clone(), Some(before.into()), Some(after.into()))]
        };
        let (first, second) = (file("a", "b"), file("b", "c"));
        for (after, from, to) in [
            (After::Surely, "a", "c"),
            (After::Perhaps, "a", "c"),
            (After::Perhaps, "b", "c"),
            (After::Perhaps, "c", "c"),
            (After::Perhaps, "x", "x"),
        ] {
            let state: Snapshot = [(path.clone(), Blob::from(from))].into_iter().collect();
            let changes = [(after, first.as_slice()), (after, second.as_slice())];
            let found = replay(state, changes);
            assert_eq!(found.get(&path), Some(&Blob::from(to)), "{from}");
        }
    }
}
