//! Situations of facts in time: which hold, and why the others do not.

use super::*;
use jiff::tz::{self, TimeZone};

fn stamp(text: &str) -> Stamp {
    Stamp::parse(text).expect("a stamp").stamp
}

fn hours(hours: i8) -> Calendar {
    Calendar::in_zone(TimeZone::fixed(tz::offset(hours)))
}

/// A fact of a situation: `TEXT CREATED KEY=VALUE…`, with days of November 2026 as two digits and
/// the texts of the facts that it replaces.
struct Fact {
    text: String,
    created: Stamp,
    updated: Option<Stamp>,
    nearness: usize,
    times: Times,
}

/// `14` is a day, `14T09` an hour of it in UTC, and anything longer is as in a file.
fn bound(text: &str) -> Bound {
    let whole = match text.len() {
        2 => format!("2026-11-{text}"),
        5 => format!("2026-11-{text}:00:00Z"),
        _ => text.to_owned(),
    };
    Bound::parse(&whole).expect("a bound")
}

fn moment(text: &str) -> Stamp {
    bound(text).start(&Calendar::default())
}

fn fact(line: &str) -> Fact {
    let mut words = line.split_whitespace();
    let (text, created) = (words.next().expect("a text"), words.next().expect("a stamp"));
    let mut fact = Fact {
        text: text.to_owned(),
        created: moment(created),
        updated: None,
        nearness: 0,
        times: Times::default(),
    };
    for word in words {
        let (key, value) = word.split_once('=').expect("a key and its value");
        match key {
            "updated" => fact.updated = Some(moment(value)),
            "near" => fact.nearness = value.parse().expect("a number"),
            "from" => fact.times.valid_from = Some(bound(value)),
            "until" => fact.times.valid_until = Some(bound(value)),
            "stale" => fact.times.stale_after = Some(bound(value)),
            "verified" => fact.times.verified = Some(bound(value)),
            "replaces" => {
                fact.times.supersedes = value.split(',').map(ContentHash::of_body).collect();
            }
            other => panic!("{other}?"),
        }
    }
    fact
}

fn dated(fact: &Fact) -> Dated<'_> {
    Dated {
        hash: ContentHash::of_body(&fact.text),
        created: fact.created,
        latest: fact.updated.unwrap_or(fact.created).max(fact.created),
        nearness: fact.nearness,
        times: (fact.times != Times::default()).then_some(&fact.times),
    }
}

/// Each fact with what is said of it, in the order of the situation.
fn said(lines: &[&str], when: When<'_>) -> Vec<String> {
    let facts: Vec<Fact> = lines.iter().map(|line| fact(line)).collect();
    let all: Vec<Dated<'_>> = facts.iter().map(dated).collect();
    let found = standings(&all, when);
    let said = |(at, standing): (usize, &Standing)| {
        let by = if let Standing::ReplacedBy(by) = standing { Some(*by) } else { None };
        let by = by.map(|by| facts[by].text.as_str());
        let marks = marks(&all[at], *standing, by, when).join(", ");
        let held = if *standing == Standing::Current { "+" } else { "-" };
        format!("{held}{}", [facts[at].text.as_str(), &marks].join(" ").trim_end())
    };
    let said: Vec<String> = found.iter().enumerate().map(said).collect();
    // The order of the facts changes nothing.
    let reversed: Vec<Dated<'_>> = all.iter().rev().copied().collect();
    let again = standings(&reversed, when).into_iter().rev();
    let is_held = |standing: Standing| standing == Standing::Current;
    assert!(again.map(is_held).eq(found.iter().map(|one| is_held(*one))), "{lines:?}");
    said
}

/// The moment, the facts, and what is said of each.
type Situation = (&'static str, &'static [&'static str], &'static [&'static str]);

const OF_BOUNDS: &[Situation] = &[
    ("20", &["a 01"], &["+a"]),
    // Until: the last day is a whole one.
    ("14T00", &["a 01 until=14"], &["+a until 14 Nov 2026"]),
    ("14T23", &["a 01 until=14"], &["+a until 14 Nov 2026"]),
    ("15T00", &["a 01 until=14"], &["-a until 14 Nov 2026"]),
    ("14T17", &["a 01 until=14T17"], &["+a until 2026-11-14 17:00"]),
    ("14T18", &["a 01 until=14T17"], &["-a until 2026-11-14 17:00"]),
    ("2028-02-29T23:59:59Z", &["a 01 until=2028-02-29"], &["+a until 29 Feb 2028"]),
    ("2028-03-01T00:00:00Z", &["a 01 until=2028-02-29"], &["-a until 29 Feb 2028"]),
    // A moment without a zone is one in UTC.
    ("14T17", &["a 01 until=2026-11-14T17:00"], &["+a until 2026-11-14 17:00"]),
    ("14T18", &["a 01 until=2026-11-14T17:00"], &["-a until 2026-11-14 17:00"]),
    // From: the first day is a whole one.
    ("13T23", &["a 01 from=14"], &["-a from 14 Nov 2026"]),
    ("14T00", &["a 01 from=14"], &["+a"]),
    ("13T23", &["a 01 from=14 until=20"], &["-a from 14 Nov 2026, until 20 Nov 2026"]),
    ("14T00", &["a 01 from=14 until=14"], &["+a until 14 Nov 2026"]),
    // An end before the beginning: at no time.
    ("14T00", &["a 01 from=15 until=13"], &["-a from 15 Nov 2026, until 13 Nov 2026"]),
    ("16T00", &["a 01 from=15 until=13"], &["-a until 13 Nov 2026"]),
    // To be checked.
    ("14T23", &["a 01 stale=14"], &["+a"]),
    ("15T00", &["a 01 stale=14"], &["+a unchecked since November 2026"]),
    ("15T00", &["a 2025-03-09T08:00:00Z stale=14"], &["+a unchecked since March 2025"]),
    (
        "15T00",
        &["a 2025-03-09T08:00:00Z verified=2025-08-30 stale=14"],
        &["+a unchecked since August 2025"],
    ),
    ("20", &["a 01 stale=14 verified=16"], &["+a"]),
    ("20", &["a 01 stale=14 updated=16T09"], &["+a"]),
    ("20", &["a 01 stale=14 until=16"], &["-a until 16 Nov 2026"]),
    ("20", &["a 01 stale=14 until=26"], &["+a until 26 Nov 2026, unchecked since November 2026"]),
];

const OF_REPLACED: &[Situation] = &[
    ("20", &["a 01", "b 02 replaces=a"], &["-a replaced by b", "+b"]),
    // Nothing has that text.
    ("20", &["b 02 replaces=gone"], &["+b"]),
    // One that replaced it is forgotten.
    ("20", &["a 01"], &["+a"]),
    // Twice: by one after the other, and by two.
    (
        "20",
        &["a 01", "b 02 replaces=a", "c 03 replaces=b"],
        &["-a replaced by b", "-b replaced by c", "+c"],
    ),
    ("20", &["a 01", "b 02 replaces=a", "c 03 replaces=a"], &["-a replaced by c", "+b", "+c"]),
    ("20", &["a 01", "b 02", "c 03 replaces=a,b"], &["-a replaced by c", "-b replaced by c", "+c"]),
    // Munich, then Hamburg, then Munich.
    ("20", &["munich 01 updated=05", "hamburg 03 replaces=munich"], &["+munich", "+hamburg"]),
    (
        "20",
        &["munich 01 updated=05 replaces=hamburg", "hamburg 03 replaces=munich"],
        &["+munich", "-hamburg replaced by munich"],
    ),
    ("20", &["munich 01 verified=05", "hamburg 03 replaces=munich"], &["+munich", "+hamburg"]),
    (
        "20",
        &["munich 01 updated=05 replaces=hamburg", "hamburg 03 updated=07 replaces=munich"],
        &["-munich replaced by hamburg", "+hamburg"],
    ),
    // Circles never hide all.
    (
        "20",
        &["a 01 replaces=b", "b 02 replaces=c", "c 03 replaces=a"],
        &["-a replaced by c", "+b", "+c"],
    ),
    ("20", &["a 01 replaces=a"], &["+a"]),
    ("20", &["a 01 replaces=b", "b 01 replaces=a"], &["+a", "+b"]),
    // A tie replaces nothing.
    ("20", &["a 02", "b 02 replaces=a"], &["+a", "+b"]),
    ("20", &["a 01 updated=02", "b 02 replaces=a"], &["+a", "+b"]),
    // What replaces it need not hold, but must have begun.
    ("20", &["a 01", "b 02 replaces=a until=10"], &["-a replaced by b", "-b until 10 Nov 2026"]),
    ("20", &["a 01", "b 02 replaces=a from=25"], &["+a", "-b from 25 Nov 2026"]),
    ("25", &["a 01", "b 02 replaces=a from=25"], &["-a replaced by b", "+b"]),
    ("05", &["a 01", "b 10 replaces=a from=03"], &["-a replaced by b", "+b"]),
    // A day in the past, at which it was not known yet.
    ("05", &["a 01", "b 10 replaces=a"], &["+a", "+b"]),
    // A clock that was days ahead, or behind.
    ("20", &["a 01", "b 23 replaces=a"], &["+a", "+b"]),
    ("23", &["a 01", "b 23 replaces=a"], &["-a replaced by b", "+b"]),
    ("20", &["a 10", "b 08 replaces=a"], &["+a", "+b"]),
    ("20", &["a 10", "b 08 replaces=a updated=12"], &["-a replaced by b", "+b"]),
    // It was learned after the one that replaces it.
    ("20", &["a 05", "b 02 replaces=a"], &["+a", "+b"]),
    // Confirmed on two laptops: the later one counts.
    ("20", &["a 01 verified=05T09", "b 02 replaces=a verified=05T10"], &["-a replaced by b", "+b"]),
    ("20", &["a 01 verified=05T10", "b 02 replaces=a verified=05T09"], &["+a", "+b"]),
    // Edited elsewhere: another text, which stays.
    ("20", &["a2 01 updated=06", "b 02 replaces=a"], &["+a2", "+b"]),
    // Over and replaced.
    ("20", &["a 01 until=10", "b 02 replaces=a"], &["-a until 10 Nov 2026", "+b"]),
    ("20", &["a 01 stale=10", "b 02 replaces=a"], &["-a replaced by b", "+b"]),
    // Only a fact of the same place or a nearer one replaces.
    ("20", &["a 01 near=0", "b 02 near=1 replaces=a"], &["-a replaced by b", "+b"]),
    ("20", &["a 01 near=1", "b 02 near=0 replaces=a"], &["+a", "+b"]),
    (
        "20",
        &["a 01 near=1", "a 01 near=0", "b 02 near=0 replaces=a"],
        &["+a", "-a replaced by b", "+b"],
    ),
];

#[test]
fn situations_of_facts_in_time() {
    let utc = Calendar::default();
    for (now, facts, expected) in OF_BOUNDS.iter().chain(OF_REPLACED) {
        let when = When { at: moment(now), calendar: &utc };
        assert_eq!(said(facts, when), *expected, "{now}: {facts:?}");
    }
}

#[test]
fn days_are_those_of_the_zone() {
    for (zone, now, is_held) in [
        (-8, "2026-11-15T07:59:59Z", true),
        (-8, "2026-11-15T08:00:00Z", false),
        (0, "2026-11-14T23:59:59Z", true),
        (0, "2026-11-15T00:00:00Z", false),
        (13, "2026-11-14T10:59:59Z", true),
        (13, "2026-11-14T11:00:00Z", false),
    ] {
        let calendar = hours(zone);
        let when = When { at: stamp(now), calendar: &calendar };
        let expected = if is_held { "+" } else { "-" };
        for line in ["a 01 until=14", "a 01 from=2026-11-01 until=14"] {
            let said = said(&[line], when);
            assert!(said[0].starts_with(expected), "{zone} {now}: {said:?}");
        }
        // A moment is the same everywhere.
        let moment = said(&["a 01 until=2026-11-14T10:00:00Z"], when);
        let shown = 10 + i32::from(zone);
        assert_eq!(moment, [format!("-a until 2026-11-14 {shown:02}:00")], "{zone} {now}");
    }
}

#[test]
fn nothing_changes_before_the_next_change() {
    let utc = Calendar::default();
    let lines = ["a 01 until=14 stale=12", "b 02 from=16 replaces=a", "c 03", "d 20 replaces=c"];
    let facts: Vec<Fact> = lines.iter().map(|line| fact(line)).collect();
    let all: Vec<Dated<'_>> = facts.iter().map(dated).collect();
    let mut at = moment("04");
    let mut changes = Vec::new();
    while let Some(next) = next_change(&all, When { at, calendar: &utc }) {
        let of = |at: Stamp| said(&lines, When { at, calendar: &utc });
        assert_eq!(of(at), of(next.plus(-1)), "{at} {next}");
        assert_ne!(of(at), of(next), "{at} {next}");
        changes.push(next.to_string()[8..10].to_owned());
        at = next;
    }
    assert_eq!(changes, ["13", "15", "16", "20"]);
}

#[test]
fn a_reader_gets_what_it_wants() {
    let over = Standing::Over(bound("14"));
    for (which, holds, is_over) in [(Which::Current, true, false), (Which::All, true, true)] {
        assert_eq!((which.wants(Standing::Current), which.wants(over)), (holds, is_over));
    }
}

#[test]
fn a_text_that_nothing_has_is_named() {
    let memory = |name: &str, front: &str, text: &str| {
        let path = crate::identity::RelPath::known(&format!("knowledge/memories/{name}.md"));
        let text = format!("---\nid: 1\ncreated: 2026-11-01\n{front}---\n\n{text}\n");
        Memory::read(&path, &text.as_str().into()).expect("readable")
    };
    let of = |text: &str| format!("supersedes: [{}]\n", ContentHash::of_body(text));
    let memories = [
        memory("1", "", "a"),
        memory("2", &of("a"), "b"),
        memory("3", &of("nothing"), "c"),
        memory("4", &of("forgotten"), "d"),
    ];
    let mut ledger = Ledger::default();
    ledger.add(stamp("2026-11-01"), ContentHash::of_body("forgotten"), stamp("2026-11-02"));
    let found = check(&memories, &ledger);
    let named: Vec<(&str, Option<usize>)> =
        found.iter().map(|finding| (finding.path.as_str(), finding.line)).collect();
    assert_eq!(named, [("knowledge/memories/3.md", Some(4))]);
    assert_eq!(found[0].code, Code::ReplacesNothing);
}
