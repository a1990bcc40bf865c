//! Situations of facts in time: which hold, and why the others do not.

mod situations;

use super::*;
use jiff::tz::{self, TimeZone};
use situations::{OF_BOUNDS, OF_REPLACED, in_file};

fn stamp(text: &str) -> Stamp {
    Stamp::parse(text).expect("a stamp").stamp
}

fn hours(hours: i8) -> Calendar {
    Calendar::in_zone(TimeZone::fixed(tz::offset(hours)))
}

/// A fact of a situation.
struct Fact {
    text: String,
    created: Stamp,
    updated: Option<Stamp>,
    nearness: usize,
    times: Times,
}

fn bound(text: &str) -> Bound {
    Bound::parse(&in_file(text)).expect("a bound")
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

#[test]
fn situations_of_facts_in_time() {
    let utc = Calendar::default();
    for (now, facts, expected) in OF_BOUNDS.iter().chain(OF_REPLACED) {
        let when = When { at: moment(now), calendar: &utc };
        assert_eq!(said(facts, when), *expected, "{now}: {facts:?}");
    }
}

#[test]
fn a_moment_belongs_to_what_it_ends_and_what_it_begins() {
    let utc = Calendar::default();
    for (now, until, from) in [
        ("14T17", "+a until 2026-11-14 17:00", "+b"),
        ("2026-11-14T17:00:00.000001Z", "-a until 2026-11-14 17:00", "+b"),
        ("2026-11-14T16:59:59.999999Z", "+a until 2026-11-14 17:00", "-b from 2026-11-14 17:00"),
    ] {
        let when = When { at: moment(now), calendar: &utc };
        assert_eq!(said(&["a 01 until=14T17", "b 01 from=14T17"], when), [until, from], "{now}");
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
    for (which, holds, is_over) in
        [(StandingFilter::Current, true, false), (StandingFilter::All, true, true)]
    {
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
