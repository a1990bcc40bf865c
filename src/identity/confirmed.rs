//! Saying of a fact that it still holds.
//!
//! Invariant: only `verified` changes, and `stale_after` moves on by its own span; the text and the
//! hash stay. Must not know: the clock, who says it, why.

use super::{
    calendar::Calendar,
    current::Dated,
    memory::Memory,
    stamp::Stamp,
    times::{Bound, STALE_AFTER, VERIFIED},
    validate::{self, Rejected},
    value::Value,
};

/// The fact, said to hold now.
pub fn confirmed(memory: &Memory, now: Stamp, calendar: &Calendar) -> Result<Memory, Rejected> {
    let document = memory.document();
    for key in [VERIFIED, STALE_AFTER] {
        validate::changeable(&document, key)?;
    }
    let said = Dated::of(memory, 0).last_said(calendar);
    let due = memory.times.as_deref().and_then(|times| times.stale_after);
    let next = due.map(|due| {
        // One that was confirmed after it was due has the span that it began with.
        let since = if said < due.end(calendar) { said } else { memory.created };
        moved_on(due, since, (now, calendar))
    });
    let verified = Bound::At(now.max(said.plus(Stamp::SECOND)));
    Ok(memory.edited(|document| {
        document.set(VERIFIED, Value::Text(verified.to_string()));
        if let Some(next) = next {
            document.set(STALE_AFTER, Value::Text(next.to_string()));
        }
    }))
}

/// As long after now as it was after `since`, and never earlier than it is.
fn moved_on(due: Bound, since: Stamp, (now, calendar): (Stamp, &Calendar)) -> Bound {
    match due {
        // It was due before it was said.
        _ if due.end(calendar) <= since => due,
        Bound::At(at) => Bound::At(at.max(now.plus(at.micros() - since.micros()))),
        Bound::Day(midnight) => {
            let day = due.day(calendar);
            let next = calendar.day(now).saturating_add(day - calendar.day_in_file(since));
            Bound::Day(Calendar::default().start_of(next.max(day)).unwrap_or(midnight))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::RelPath;

    #[test]
    fn a_due_day_moves_on_by_its_own_span() {
        let stamp = |text: &str| Stamp::parse(text).expect("a stamp").stamp;
        let now = stamp("2026-11-27T09:00:00Z");
        for (keys, due) in [
            ("stale_after: 2025-09-09\n", Some("2027-05-30")),
            ("verified: 2025-09-08\nstale_after: 2025-09-09\n", Some("2026-11-28")),
            // Confirmed since, by a program that left the day as it was.
            ("verified: 2026-01-01\nstale_after: 2025-09-09\n", Some("2027-05-30")),
            ("stale_after: 2030-01-01\n", Some("2031-09-21")),
            ("stale_after: 2025-03-10T09:00:00Z\n", Some("2026-11-28T09:00:00+00:00")),
            ("stale_after: 2024-01-01\n", Some("2024-01-01")),
            ("stale_after: soon\n", Some("soon")),
            ("", None),
        ] {
            let text = format!("---\nid: 1\ncreated: 2025-03-09T09:00:00Z\n{keys}---\n\nText.\n");
            let path = RelPath::known("knowledge/memories/1.md");
            let memory = Memory::read(&path, &text.as_str().into()).expect("a memory");
            let after = confirmed(&memory, now, &Calendar::default()).expect("confirmed");
            let read = |key: &str| after.document().get(key).and_then(Value::text);
            assert_eq!(read(STALE_AFTER).as_deref(), due, "{keys}");
            assert_eq!(read(VERIFIED).as_deref(), Some("2026-11-27T09:00:00+00:00"), "{keys}");
            assert_eq!(after.hash, memory.hash);
        }
    }
}
