//! Two memories with the same text become one.
//!
//! Invariant: every value of either is in the result, or in a decision, or was no news, or says
//! where the other's file came from. Must not know: which memories have the same text, and which of
//! them stays.

use super::{Decision, Reason, frontmatter_keys::last_moment};
use crate::identity::{
    Bound, Calendar, Document, Memory,
    frontmatter::Entry,
    memory::{Setter, setter_of, summary},
    times,
    value::Value,
};
use crate::secrets;
use std::{cmp::Ordering, collections::BTreeSet};

/// The key of the number. A keeper without one takes the other's, so that it still means the fact.
const NUMBER: &str = "id";

/// Whether a key belongs to one file, and stays the keeper's, also if it has none.
fn is_own(key: &str) -> bool {
    setter_of(key) == Some(Setter::Once)
}

/// The keeper with the other's keys, the items of its lists and, if later, its last stamp. Of two
/// values that are not both lists, the keeper's stays; of two days of a check, the later one; and
/// from and until when the fact holds, says the one that was changed last: also that it has no end,
/// if it was said after the end of the other. What the other's version `before` already had is not
/// new, and is not added.
pub fn unite(
    keeper: &Memory,
    other: &Memory,
    before: Option<&Memory>,
    decisions: &mut Vec<Decision>,
) -> Memory {
    let (ours, theirs) = (keeper.document(), other.document());
    let before = before.map(Memory::document);
    let (mut taken, mut lists) = (Vec::new(), Vec::new());
    let age = other.latest().cmp(&keeper.latest());
    let later = age == Ordering::Greater;
    let ended = entry(&ours, times::VALID_UNTIL).filter(|_| outlives(other, keeper));
    let ended = ended.filter(|entry| entry.is_changeable());
    decisions.extend(ended.map(|ended| without_end(keeper, ended)));
    let entries = theirs.front().map(|front| front.entries()).unwrap_or_default();
    for there in entries.iter().filter(|entry| setter_of(&entry.key) != Some(Setter::Always)) {
        if there.key == times::VALID_UNTIL && outlives(keeper, other) {
            decisions.push(without_end(keeper, there));
            continue;
        }
        let here = entry(&ours, &there.key);
        let old = before.as_ref().and_then(|before| entry(before, &there.key));
        match choose(here, there, old, age) {
            Choice::Ours => {}
            Choice::Theirs => taken.push(there.clone()),
            Choice::Both(items) => lists.push((there.key.clone(), items)),
            Choice::Dropped(here) => decisions.push(dropped(keeper, (here, "older"), there)),
            Choice::Newer(here) => {
                taken.push(there.clone());
                decisions.push(dropped(keeper, (there, "newer"), here));
            }
        }
    }
    if lists.is_empty() && taken.is_empty() && !later {
        return keeper.clone();
    }
    keeper.edited(|document| {
        for entry in taken {
            document.front_mut().replace_raw(entry);
        }
        for (key, items) in lists {
            document.set(&key, Value::List(items));
        }
        if ended.is_some() {
            document.front_mut().remove(times::VALID_UNTIL);
        }
        if later {
            document.set("updated", Value::Text(other.latest().with_offset()));
        }
    })
}

/// Whether a fact has no end, and was said after the end of the other one.
fn outlives(one: &Memory, other: &Memory) -> bool {
    let until = other.times.as_deref().and_then(|times| times.valid_until);
    // Days are those of UTC: laptops in several zones have to agree.
    let is_over = |until: Bound| until.end(&Calendar::default()) < one.latest();
    one.latest() > other.latest()
        && until.is_some_and(is_over)
        && entry(&one.document(), times::VALID_UNTIL).is_none()
}

/// `lost` is the end of the one that was said before.
fn without_end(keeper: &Memory, lost: &Entry) -> Decision {
    let why = format!(
        "{}: none (one of two equal facts was said after the other's `{}`)",
        lost.key,
        shown(lost)
    );
    Decision::new(&keeper.path, Reason::Field, secrets::redact(&why))
}

fn entry<'a>(document: &'a Document, key: &str) -> Option<&'a Entry> {
    document.front()?.entry(key)
}

/// What becomes of a value of the other.
enum Choice<'a> {
    /// Nothing: the keeper has it, or it is no news.
    Ours,
    /// The keeper has none.
    Theirs,
    /// Its items are added.
    Both(Vec<String>),
    /// It is lost: the keeper's differs, and they cannot be united.
    Dropped(&'a Entry),
    /// The keeper's is lost: this one is newer.
    Newer(&'a Entry),
}

/// `age` compares the other's last stamp with the keeper's.
fn choose<'a>(
    here: Option<&'a Entry>,
    there: &Entry,
    old: Option<&Entry>,
    age: Ordering,
) -> Choice<'a> {
    let key = there.key.as_str();
    if here.is_none() && is_own(key) {
        return if key == NUMBER { Choice::Theirs } else { Choice::Ours };
    }
    // What is news as a whole stays as it is written.
    if here.is_none() && old.is_none() && key != "tags" {
        return Choice::Theirs;
    }
    let can_change = here.is_none_or(Entry::is_changeable);
    let (in_ours, in_theirs) = (items(here), items(Some(there)));
    if let (Some(ours), Some(theirs)) = (&in_ours, &in_theirs) {
        let old = items(old).unwrap_or_default();
        let is_new = |item: &&String| !ours.contains(item) && !old.contains(item);
        let new: BTreeSet<String> = theirs.iter().filter(is_new).cloned().collect();
        if new.is_empty() {
            return Choice::Ours;
        }
        if can_change {
            return Choice::Both(ours.iter().cloned().chain(new).collect());
        }
    }
    let is_empty = |items: &Option<Vec<String>>| items.as_ref().is_some_and(Vec::is_empty);
    let is_no_news = old.is_some_and(|old| is_same(old, there)) || is_empty(&in_theirs);
    match here {
        _ if is_no_news => Choice::Ours,
        None => Choice::Theirs,
        Some(here) if is_same(here, there) || is_own(key) => Choice::Ours,
        Some(_) if is_empty(&in_ours) && can_change => Choice::Theirs,
        Some(here) if can_change => of_two(here, there, age),
        Some(here) => Choice::Dropped(here),
    }
}

/// Which of two values stays that cannot be united.
fn of_two<'a>(here: &'a Entry, there: &Entry, age: Ordering) -> Choice<'a> {
    let moments = (last_moment(here.value()), last_moment(there.value()));
    let is_later = |order: Ordering| order.then_with(|| there.raw.cmp(&here.raw)).is_gt();
    match (here.key.as_str(), moments) {
        (times::STALE_AFTER | times::VERIFIED, (Some(ours), Some(theirs))) => {
            if is_later(theirs.cmp(&ours)) { Choice::Theirs } else { Choice::Ours }
        }
        (times::VALID_FROM | times::VALID_UNTIL, _) if is_later(age) => Choice::Newer(here),
        _ => Choice::Dropped(here),
    }
}

/// The items of a list; a key that is absent or has no value has none. Tags are a list as people
/// write them, too.
fn items(entry: Option<&Entry>) -> Option<Vec<String>> {
    let Some(entry) = entry else { return Some(Vec::new()) };
    match entry.value() {
        value if entry.key == "tags" || entry.key == times::SUPERSEDES => value.list(),
        Value::List(items) => Some(items.clone()),
        Value::Null => Some(Vec::new()),
        Value::Text(text) if text.trim().is_empty() => Some(Vec::new()),
        _ => None,
    }
}

/// A value that co cannot read is the same if it is written the same.
fn is_same(one: &Entry, other: &Entry) -> bool {
    one.value() == other.value() && (*one.value() != Value::Other || one.raw == other.raw)
}

/// `kept` is the value that stays, and of which of the two facts it is.
fn dropped(keeper: &Memory, (kept, of): (&Entry, &str), lost: &Entry) -> Decision {
    let why = format!(
        "{}: `{}` (from the {of} of two equal facts; the other had `{}`)",
        kept.key,
        shown(kept),
        shown(lost)
    );
    Decision::new(&keeper.path, Reason::Field, secrets::redact(&why))
}

/// A value on one line.
fn shown(entry: &Entry) -> String {
    let (_, value) = entry.raw.split_once(':').unwrap_or_default();
    let lines = value.lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    summary(&lines.collect::<Vec<&str>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Blob, RelPath};

    fn fact(day: u8, lines: &str) -> Memory {
        let text =
            format!("---\nid: {day}\ncreated: 2026-01-0{day}T00:00:00Z\n{lines}\n---\n\nA\n");
        let path = RelPath::known("knowledge/memories/001-a.md");
        Memory::read(&path, &Blob::from(text)).expect("a memory")
    }

    fn line(memory: &Memory, key: &str) -> String {
        entry(&memory.document(), key).map_or_else(String::new, shown)
    }

    #[test]
    fn an_item_that_is_not_news_does_not_come_back() {
        let keeper = fact(1, "people: [Ann]");
        let (other, before) = (fact(2, "people: [Bob, Cid, Ann]"), fact(2, "people: [Bob]"));
        let mut decisions = Vec::new();
        let united = unite(&keeper, &other, Some(&before), &mut decisions);
        assert_eq!(line(&united, "people"), "[Ann, Cid]");
        assert_eq!(unite(&united, &other, Some(&before), &mut decisions), united);
        let all = unite(&keeper, &other, None, &mut decisions);
        assert_eq!(line(&all, "people"), "[Ann, Bob, Cid]");
        // Nor does a value, and nobody need hear of it.
        for (ours, old) in
            [("mood: good", "mood: bad"), ("mood:", "mood: bad"), ("m: 1", "m: {a: 1}")]
        {
            let (keeper, other) = (fact(1, ours), fact(2, old));
            let key = &ours[..ours.find(':').expect("a key")];
            let united = unite(&keeper, &other, Some(&other), &mut decisions);
            assert_eq!(line(&united, key), line(&keeper, key), "{ours}");
        }
        assert!(decisions.is_empty(), "{decisions:?}");
    }

    #[test]
    fn times_of_two_equal_facts() {
        for (ours, theirs, kept, lost) in [
            ("verified: 2026-02-14", "verified: 2026-02-16", "2026-02-16", 0),
            ("verified: 2026-02-16", "verified: 2026-02-14", "2026-02-16", 0),
            ("stale_after: 2027-01-01", "stale_after: 2026-12-01", "2027-01-01", 0),
            // The other was learned later.
            ("valid_until: 2026-02-16", "valid_until: 2026-02-14", "2026-02-14", 1),
            ("valid_from: 2026-02-14", "valid_from: 2026-02-16", "2026-02-16", 1),
            ("updated: 2026-01-05", "valid_until: 2026-02-14", "2026-02-14", 0),
            ("supersedes: [a]", "supersedes: b", "[a, b]", 0),
        ] {
            let (keeper, other) = (fact(1, ours), fact(2, theirs));
            let key = &theirs[..theirs.find(':').expect("a key")];
            let mut decisions = Vec::new();
            let united = unite(&keeper, &other, None, &mut decisions);
            assert_eq!((line(&united, key).as_str(), decisions.len()), (kept, lost), "{theirs}");
            assert_eq!(unite(&united, &other, None, &mut decisions), united, "{theirs}");
        }
        // The keeper was changed later.
        let changed = fact(1, "updated: 2026-01-05T00:00:00Z\nvalid_until: 2026-02-16");
        let mut decisions = Vec::new();
        let united = unite(&changed, &fact(2, "valid_until: 2026-02-14"), None, &mut decisions);
        assert_eq!((line(&united, "valid_until").as_str(), decisions.len()), ("2026-02-16", 1));
    }

    #[test]
    fn a_fact_that_is_learned_after_its_end_has_none() {
        // The keeper, the other, which of them has no end, and the end that is kept.
        for (ours, theirs, kept, said) in [
            ("valid_until: 2026-01-01", "x: y", "", 1),
            ("valid_until: 2026-01-01T09:00:00Z", "x: y", "", 1),
            // It was not over.
            ("valid_until: 2026-01-02", "x: y", "2026-01-02", 0),
            ("valid_until: 2026-02-14", "x: y", "2026-02-14", 0),
            // It has one of its own, or one that cannot be read.
            ("valid_until: 2026-01-01", "valid_until: 2026-02-14", "2026-02-14", 1),
            ("valid_until: 2026-01-01", "valid_until: soon", "soon", 1),
            // The other one was touched after the end of the later one.
            ("updated: 2026-01-05T00:00:00Z", "valid_until: 2026-01-04", "", 1),
            ("updated: 2026-01-05T00:00:00Z", "valid_until: 2026-01-05", "2026-01-05", 0),
            ("updated: 2026-01-03T00:00:00Z\nvalid_until: 2026-01-01", "x: y", "2026-01-01", 0),
        ] {
            let (keeper, other) = (fact(1, ours), fact(2, theirs));
            let mut decisions = Vec::new();
            let united = unite(&keeper, &other, None, &mut decisions);
            assert_eq!(line(&united, "valid_until"), kept, "{ours} {theirs}");
            assert_eq!(decisions.len(), said, "{ours} {theirs}: {decisions:?}");
            if let Some(decision) = decisions.iter().find(|_| kept.is_empty()) {
                assert!(decision.why.starts_with("valid_until: none"), "{decision:?}");
            }
            // Whatever was decided is so again.
            let again = unite(&united, &other, None, &mut Vec::new());
            assert_eq!(line(&again, "valid_until"), kept, "{ours} {theirs}");
        }
    }

    #[test]
    fn a_key_that_the_keeper_lacks_comes_only_with_news() {
        // What the other had, what it has, and what is kept.
        for (old, theirs, kept) in [
            ("mood: bad", "mood: bad", ""),
            ("mood: bad", "mood: good", "good"),
            ("other: x", "mood: good", "good"),
            ("mood: {a: 1}", "mood: {a: 1}", ""),
            ("mood: [Bob]", "mood: [Bob]", ""),
            ("mood: [Bob]", "mood: [Cid, Bob]", "[Cid]"),
            ("mood: [Bob, Cid]", "mood: [Cid]", ""),
            ("other: x", "mood: [Cid, Bob]", "[Cid, Bob]"),
            ("mood: bad", "mood:", ""),
        ] {
            let (keeper, other, before) = (fact(1, "x: y"), fact(2, theirs), fact(2, old));
            let mut decisions = Vec::new();
            let united = unite(&keeper, &other, Some(&before), &mut decisions);
            assert_eq!(line(&united, "mood"), kept, "{old} {theirs}");
            assert_eq!(unite(&united, &other, Some(&before), &mut decisions), united, "{theirs}");
            assert!(decisions.is_empty(), "{decisions:?}");
        }
    }

    #[test]
    fn where_a_file_came_from_is_never_the_others() {
        for key in ["source", "agent", "session", "project", "agreed"] {
            let other = fact(2, &format!("{key}: theirs\nmood: good"));
            for before in [None, Some(&fact(2, "mood: bad")), Some(&other)] {
                let mut decisions = Vec::new();
                let united = unite(&fact(1, "x: y"), &other, before, &mut decisions);
                assert_eq!(line(&united, key), "", "{key}");
                assert!(decisions.is_empty(), "{decisions:?}");
            }
            let own = fact(1, &format!("{key}: ours"));
            assert_eq!(line(&unite(&own, &other, None, &mut Vec::new()), key), "ours");
        }
        // The number is the fact's.
        let other = fact(2, "x: y");
        let text = "---\ncreated: 2026-01-01T00:00:00Z\n---\n\nA\n";
        let path = RelPath::known("knowledge/memories/a.md");
        let keeper = Memory::read(&path, &Blob::from(text.to_owned())).expect("a memory");
        for before in [None, Some(&other)] {
            let united = unite(&keeper, &other, before, &mut Vec::new());
            assert_eq!((united.id, united.created), (Some(2), keeper.created));
        }
    }

    #[test]
    fn a_value_is_kept_or_in_a_decision() {
        // Ours, theirs, what is kept, and what is lost.
        for (ours, theirs, kept, lost) in [
            ("people:", "people: [Bob]", "[Bob]", ""),
            ("people: ~", "people: [Bob]", "[Bob]", ""),
            ("people: \"\"", "people: [Bob]", "[Bob]", ""),
            ("people: []", "people: Bob", "Bob", ""),
            ("people:", "people: {b: c}", "{b: c}", ""),
            ("people: [Ann]", "people:", "[Ann]", ""),
            ("people: Ann", "people: []", "Ann", ""),
            ("people: {a: b}", "people: {a: b}", "{a: b}", ""),
            ("people: [Ann, {b: c}]", "people: [Bob]", "[Ann, {b: c}]", "[Bob]"),
            ("people: [Ann]", "people: [Bob, {b: c}]", "[Ann]", "[Bob, {b: c}]"),
            ("people: Ann", "people: [Bob]", "Ann", "[Bob]"),
            ("people: Ann", "people: Bob", "Ann", "Bob"),
            ("people: {a: b}", "people:\n  b: c", "{a: b}", "b: c"),
            ("people: &p [Ann]", "people: [Bob]", "&p [Ann]", "[Bob]"),
        ] {
            let mut decisions = Vec::new();
            let united = unite(&fact(1, ours), &fact(2, theirs), None, &mut decisions);
            assert_eq!(line(&united, "people"), kept, "{ours} {theirs}");
            let said: Vec<&str> = decisions.iter().map(|one| one.why.as_str()).collect();
            assert_eq!(said.is_empty(), lost.is_empty(), "{ours} {theirs}: {said:?}");
            assert!(lost.is_empty() || said[0].ends_with(&format!("had `{lost}`)")), "{said:?}");
        }
    }
}
