//! Lines there and back, and lines that are no record.

use super::*;
use crate::seal::{
    keys::LaptopKey,
    sample::{self, NOW, story, tip},
};

fn good() -> String {
    story(2).next().line().expect("a sound record")
}

/// The same, which also says who has the keys.
fn naming() -> Record {
    let story = story(2);
    story.next().naming(story.seen().holders())
}

fn parsed(line: &str) -> Result<Record, RecordFault> {
    Record::parse(line.as_bytes())
}

#[test]
fn a_record_reads_back_as_it_was_written() {
    let mut story = story(2);
    story.hand_over();
    story.repack();
    story.push();
    for link in &story.links {
        let line = link.record.line().expect("a sound record");
        assert!(!line.contains('\n') && line.starts_with("{\"co-sealed\":2,"), "{line}");
        assert_eq!(parsed(&line).as_ref(), Ok(&link.record));
    }
}

#[test]
fn who_has_the_keys_is_not_said_again_in_each_record() {
    let (short, long) = (good(), naming().line().expect("a sound record"));
    assert!(short.len() < 350 && long.len() > short.len() + 400, "{short}\n{long}");
    // Records of the format before say it each time.
    let before = Record { format: 1, ..naming() };
    assert_eq!(parsed(&before.line().expect("a sound record")), Ok(before));
}

#[test]
fn the_order_of_a_record_is_fixed() {
    let line = good();
    let fields =
        ["co-sealed", "repository", "epoch", "sequence", "before", "laptop", "time", "old"];
    let places: Vec<usize> = fields.iter().filter_map(|field| line.find(field)).collect();
    assert!(places.len() == fields.len() && places.is_sorted(), "{line}");
}

#[test]
fn times_are_told_to_the_hour() {
    assert_eq!((hour(0), hour(3599), hour(3600), hour(7201)), (0, 0, 3600, 7200));
    assert_eq!(story(1).seen().record(sample::name("atlas"), NOW).time, NOW - 1800);
}

#[test]
fn one_record_has_one_spelling() {
    let line = good();
    let swapped = line.replace("\"epoch\":1,\"sequence\":3", "\"sequence\":3,\"epoch\":1");
    for other in [
        line.replace(",\"epoch\"", ", \"epoch\""),
        line.replace("atlas", "\\u0061tlas"),
        line.replace("\"epoch\":1", "\"epoch\":1,\"next\":null"),
        format!("{line} "),
        format!("{line}\n"),
        swapped,
    ] {
        assert_ne!(other, line);
        assert_eq!(parsed(&other), Err(RecordFault::OtherSpelling), "{other}");
    }
}

#[test]
fn lines_that_are_no_record() {
    let line = naming().line().expect("a sound record");
    let tip = tip(2);
    for other in [
        String::new(),
        "{}".to_owned(),
        "[]".to_owned(),
        "{\"co-sealed\":2,}".to_owned(),
        line.replace("\"epoch\":1", "\"epoch\":-1"),
        line.replace("\"epoch\":1", "\"epoch\":1.0"),
        line.replace("\"epoch\":1", "\"epoch\":\"1\""),
        line.replace("\"epoch\":1", "\"epoch\":1,\"epoch\":1"),
        line.replace("\"epoch\":1", "\"epoch\":1,\"more\":1"),
        line.replace("\"epoch\":1", "\"epoch\":99999999999"),
        line.replace("atlas", "at\\nlas"),
        line.replace("atlas", ""),
        line.replace("atlas", "\\u001b[31m"),
        line.replace("atlas", "../atlas"),
        line.replace("atlas", &"a".repeat(65)),
        line.replace(tip.as_str(), "HEAD"),
        line.replace("\"age1", "\"age2"),
        line.replace("c8c8", "C8C8"),
        line.replace("c8c8", "../c"),
        "[".repeat(10_000),
        format!("{{\"co-sealed\":2,\"repository\":{}", "[".repeat(100_000)),
    ] {
        assert_ne!(other, line);
        assert_eq!(parsed(&other), Err(RecordFault::Unreadable), "{other}");
    }
    assert_eq!(Record::parse(b"\xff\xfe"), Err(RecordFault::Unreadable));
    assert_eq!(parsed(&" ".repeat(LINE_MAX + 1)), Err(RecordFault::TooLong));
    let later = line.replace("{\"co-sealed\":2,", "{\"co-sealed\":3,\"new field\":{},");
    assert_eq!(parsed(&later), Err(RecordFault::Newer(3)));
}

#[test]
fn values_that_cannot_be() {
    let story = story(2);
    let (good, holders) = (story.next(), story.seen().holders());
    let atlas = holders.laptops[0].clone();
    let other = sample::laptop(&story.ring, &LaptopKey::generate(), "bora", 7);
    let same_name = Laptop { name: atlas.name.clone(), ..other.clone() };
    let same_file = Laptop { key: atlas.key.clone(), ..other.clone() };
    let of_recovery = Laptop { key: holders.recovery.key.clone(), ..other };
    let named = |laptops: Vec<Laptop>| {
        good.clone().naming(Holders { laptops, recovery: holders.recovery.clone() })
    };
    let with = |laptop: &Laptop| named(vec![atlas.clone(), laptop.clone()]);
    let all = named(vec![atlas.clone()]);
    let repacked = story.seen().repack(&story.links, &story.ring, atlas.name.clone(), NOW);
    let repacked = repacked.expect("all keys");
    let first = story.links[0].record.clone();
    let fault = RecordFault::OutOfBounds;
    for (record, expected) in [
        (Record { format: 0, ..good.clone() }, fault("format")),
        (Record { epoch: 0, ..good.clone() }, fault("epoch")),
        (Record { epoch: EPOCHS_MAX + 1, ..good.clone() }, fault("epoch")),
        (Record { sequence: 0, ..good.clone() }, fault("sequence")),
        (Record { sequence: SEQUENCE_MAX + 1, ..good.clone() }, fault("sequence")),
        (Record { sequence: 1, ..good.clone() }, fault("record before")),
        (Record { before: None, ..good.clone() }, fault("record before")),
        (Record { time: 1, ..good.clone() }, fault("time")),
        (Record { time: hour(u64::MAX), ..good.clone() }, fault("time")),
        (Record { old: None, ..good.clone() }, fault("old commit")),
        (named(vec![atlas.clone(); 65]), fault("number of laptops")),
        (with(&same_name), fault("list of laptops")),
        (with(&same_file), fault("list of laptops")),
        (with(&of_recovery), fault("list of laptops")),
        (Record { laptops: None, ..all.clone() }, fault("list of laptops")),
        (Record { recovery: None, ..all }, fault("list of laptops")),
        (Record { format: 1, ..good.clone() }, fault("list of laptops")),
        (Record { laptops: None, recovery: None, ..first }, fault("list of laptops")),
        (Record { laptops: None, recovery: None, ..repacked.clone() }, fault("list of laptops")),
        (Record { new: tip(9), ..repacked.clone() }, fault("new commit")),
        (Record { sequence: 4, ..repacked.clone() }, fault("repack")),
        (Record { epoch: 2, ..repacked.clone() }, fault("repack")),
        (Record { before: Some(Sum::of(b"x")), ..repacked.clone() }, fault("repack")),
        (Record { next: Some(Sum::of(b"x")), ..repacked }, fault("next epoch")),
    ] {
        assert_eq!(record.line(), Err(expected), "{record:?}");
        assert_eq!(parsed(&record.spelt()).err(), Some(expected), "{record:?}");
    }
}
