//! Reads the facts of a list from the index of a store, if there is one, without parsing them
//! again.
//!
//! Invariant: equals reading the files. Must not know what is shown of a fact.

use super::{
    IndexSpec, Opened,
    call_state::{CallState, Compared},
    database::{Stat, Stats, Unit},
    kept_out::kept_out,
    opening::from_index,
    store::Store,
};
use crate::identity::{
    Calendar, ContentHash, FactList, Finding, Memory, Stamp, Times, fact_list::Listed,
};
use crate::machine::Context;
use rayon::prelude::*;
use std::path::PathBuf;

/// Every memory, unordered, and findings for files that are not memories.
pub(crate) fn listed(store: &Store, context: &Context) -> (FactList, Vec<Finding>) {
    if let Some(list) = at_once(store, context) {
        return (list, Vec::new());
    }
    let calendar = context.calendar();
    let read = |opened: &Opened| {
        let reads = opened.index.reads(Unit::Facts);
        let count = reads.count_texts();
        let mut list = FactList::of_store(store.scope, &store.shown, count);
        let mut are_read = true;
        let each = |path: &str, facts: &[u8]| {
            are_read &= push(&mut list, path, facts, calendar).is_some();
        };
        reads.each_document(each).ok()?;
        (are_read && list.len() == count).then_some(())?;
        for memory in kept_out(store, &opened.index) {
            list.push_memory(&memory, &memory.first_line(), calendar);
        }
        Some(list)
    };
    let of_files = |memories: Vec<Memory>| {
        let lines: Vec<String> = memories.par_iter().map(Memory::first_line).collect();
        let mut list = FactList::of_store(store.scope, &store.shown, memories.len());
        for (memory, line) in memories.iter().zip(&lines) {
            list.push_memory(memory, line, calendar);
        }
        list
    };
    from_index(store, context, read, of_files)
}

/// In one pass, which compares each file with its row as it lists it, and looks at no document.
/// `None` if that is not enough: where only the folders are compared, or were compared before; if a
/// file is not as the index has it, or not one that can be listed.
fn at_once(store: &Store, context: &Context) -> Option<FactList> {
    if CallState::of(context).is_compared(store, Compared::All) {
        return None;
    }
    let spec = IndexSpec::of(store, context);
    let index = spec.open_if_possible()?;
    let reads = index.reads(Unit::Facts);
    let count = reads.count_texts();
    let is_coarse = spec.is_coarse(&index);
    if is_coarse || reads.count_files() != count || !spec.has_same_folders(&index) {
        return None;
    }
    let calendar = context.calendar();
    let mut list = FactList::of_store(store.scope, &store.shown, count);
    let (mut stats, mut file) = (Stats::default(), PathBuf::new());
    let each = |path: &str, facts: &[u8], stat: Stat| {
        file.clear();
        file.push(&store.root);
        file.push(path);
        stats.of(&file) == Some(stat) && push(&mut list, path, facts, calendar).is_some()
    };
    let are_all_listed = reads.each_row(each).ok()?;
    (are_all_listed && list.len() == count).then_some(list)
}

/// Appends a fact as a row of the index has it: packed facts, then the first line. Reads the bytes
/// itself, because a list reads every fact and needs none of its texts on its own. `None` if they
/// are not such a row; a part of it may then be in the list.
fn push(list: &mut FactList, path: &str, facts: &[u8], calendar: &Calendar) -> Option<()> {
    let mut packed = Packed(facts);
    let id = packed.option(Packed::number)?;
    let created = Stamp::from_micros(packed.signed()?);
    let is_day = packed.truth()?;
    let updated = packed.option(Packed::signed)?.map(Stamp::from_micros);
    for _ in 0..packed.number()? {
        list.push_tag(packed.text()?);
    }
    let _source = packed.option(Packed::bytes)?;
    let (agent, project) = (packed.option(Packed::text)?, packed.option(Packed::text)?);
    let pinned = packed.truth()?;
    let hash = ContentHash::from_digest(packed.array()?);
    let _checksum = packed.option(Packed::truth)?;
    let (_sound, _marked, _body_at) = (packed.truth()?, packed.truth()?, packed.number()?);
    let times = packed.option(Packed::times)?;
    let first_line = packed.text()?;
    let day = if is_day { calendar.day_in_file(created) } else { calendar.day(created) };
    let latest = updated.unwrap_or(created).max(created);
    let times = times.as_ref();
    list.push(&Listed {
        id,
        created,
        day,
        agent,
        project,
        pinned,
        hash,
        first_line,
        path,
        latest,
        times,
    });
    Some(())
}

/// The bytes that are left of a packed row. Source: the wire format of postcard 1.0.
struct Packed<'a>(&'a [u8]);

impl<'a> Packed<'a> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    /// Seven bits a byte, the lowest first; the highest bit says that more follow.
    fn number(&mut self) -> Option<u64> {
        let (mut number, mut shift) = (0_u64, 0);
        while shift < u64::BITS {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
            shift += 7;
        }
        None
    }

    /// The lowest bit is the sign.
    fn signed(&mut self) -> Option<i64> {
        let number = self.number()?;
        Some((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
    }

    fn truth(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        Some(if self.truth()? { Some(read(self)?) } else { None })
    }

    fn taken(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn bytes(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.number()?).ok()?;
        self.taken(count)
    }

    fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.bytes()?).ok()
    }

    /// Few facts have them.
    fn times(&mut self) -> Option<Times> {
        let (times, rest) = postcard::take_from_bytes(self.0).ok()?;
        self.0 = rest;
        Some(times)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.taken(N)?.try_into().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Digest, FactRow, FactView, RelPath, Scope, memory::MemoryMeta};
    use crate::index::rows::packed;
    use std::path::Path;

    const PATH: &str = "knowledge/memories/012-x.md";

    fn memories() -> Vec<Memory> {
        let long = "word ".repeat(60);
        [
            "created: 2026-02-09\n---\n\nA bare day.\n",
            "id: 1\ncreated: 1969-12-31T23:59:59.999999Z\nupdated: 2026-02-09T00:00:00Z\n---\n\nx",
            "id: 999999999\ncreated: 9999-01-01T00:00:00Z\ntags: []\npinned: true\n---\n\nOne\nTwo",
            "id: 300\ncreated: 2026-02-09T23:30:00.5+01:00\ntags: [a, 日本, \"\"]\nsource: url\n---\n",
            "id: 7\ncreated: 2026-02-09T14:30:00Z\nagent: claude\nproject: co\n---\n\n日本語\n",
            "id: 8\ncreated: 2026-02-09T14:30:00Z\nproject: co\nchecksum: sha256:0\n---\n\ny\n",
            "id: 5\ncreated: 2026-02-09\nvalid_until: 2026-02-14\nverified: 2026-02-10\n---\n\nz",
            format!("id: 9\ncreated: 2026-02-09\ntags: [{long}]\n---\n\n{long}\n").as_str(),
        ]
        .map(|text| {
            let text = format!("---\n{text}");
            Memory::read(&RelPath::known(PATH), &text.as_str().into()).expect("readable")
        })
        .to_vec()
    }

    fn row(memory: &Memory) -> Vec<u8> {
        let digest = Digest::of(&memory.blob, true);
        packed(&(MemoryMeta::clone(memory), memory.first_line(), digest))
    }

    fn empty() -> FactList {
        FactList::of_store(Scope::Identity, Path::new("/home/a"), 0)
    }

    #[test]
    fn a_packed_fact_is_listed_as_its_file() {
        let calendar = Calendar::default();
        let mut list = empty();
        for memory in memories() {
            push(&mut list, PATH, &row(&memory), &calendar).expect("a row");
        }
        let view = |memory: &Memory| {
            let place = (Scope::Identity, memory.path.below(Path::new("/home/a")));
            FactView::of(memory, place, &calendar)
        };
        let expected: Vec<FactView> = memories().iter().map(view).collect();
        assert_eq!(list.iter().map(FactRow::view).collect::<Vec<FactView>>(), expected);
        // Also what only an order shows.
        let mut of_files = empty();
        for memory in memories() {
            of_files.push_memory(&memory, &memory.first_line(), &calendar);
        }
        assert_eq!(list, of_files);
    }

    #[test]
    fn what_is_no_row_is_not_listed() {
        let calendar = Calendar::default();
        for memory in memories() {
            let whole = packed(&(MemoryMeta::clone(&memory), memory.first_line()));
            for length in 0..whole.len() {
                assert_eq!(push(&mut empty(), PATH, &whole[..length], &calendar), None, "{length}");
            }
            assert_eq!(push(&mut empty(), PATH, &whole, &calendar), Some(()));
        }
        assert_eq!(push(&mut empty(), PATH, &[0xff; 64], &calendar), None);
        // A length beyond the end, and text that is none.
        assert_eq!(Packed(&[0xff, 0xff, 0xff, 0xff, 0x0f, b'x']).text(), None);
        assert_eq!(Packed(&[1, 0xff]).text(), None);
        assert_eq!(Packed(&[2]).truth(), None);
    }
}
