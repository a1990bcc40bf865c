//! Packs there and back, and packs that a host, a stranger or a removed laptop made.

use super::*;
use crate::seal::{
    covers::Covers,
    names::RepositoryId,
    sample::{self, BUNDLE, Story, story},
};
use age::x25519::Identity;

fn fault(bytes: &[u8], story: &Story) -> Option<PackFault> {
    open(bytes, &story.ring, Limits::default()).err()
}

/// An age file for the story's epoch 1, with whatever inside.
fn for_us(story: &Story, parts: &[&[u8]]) -> Vec<u8> {
    let key = story.ring.epoch(1).expect("an epoch").identity().to_public();
    age_file::close(parts, &key)
}

/// The line with its MAC, and the bundle.
fn inside(story: &Story, at: usize) -> (Vec<u8>, Vec<u8>) {
    let key = story.ring.epoch(1).expect("an epoch");
    let inside = age_file::open(&story.packs[at], key.identity()).expect("its key");
    let end = memchr::memchr(b'\n', &inside).expect("a line");
    (inside[..end].to_vec(), inside[end + 1..].to_vec())
}

/// With the right MAC: only who has the keys makes such a thing.
fn from_inside(story: &Story, line: &str, bundle: &[u8]) -> Vec<u8> {
    let key = story.ring.epoch(1).expect("an epoch");
    let mac = mac(key, &story.ring, line.as_bytes(), bundle).finalize().into_bytes();
    let end = format!(" {}\n", Sum::of_digest(mac.into()));
    for_us(story, &[line.as_bytes(), end.as_bytes(), bundle])
}

#[test]
fn what_is_sealed_opens_again() {
    let mut story = story(2);
    story.hand_over();
    story.push();
    for (at, bytes) in story.packs.iter().enumerate() {
        let opened = open(bytes, &story.ring, Limits::default()).expect("our own");
        assert_eq!(opened.link, story.links[at]);
        let is_moved = opened.link.record.next.is_none();
        assert_eq!(opened.bundle, if is_moved { BUNDLE } else { b"" });
    }
    let large = [BUNDLE, &vec![0xa5; 3_000_000]].concat();
    let sealed = story.seal(story.next(), &large);
    let opened = open(&sealed.bytes, &story.ring, Limits::default()).expect("our own");
    assert_eq!((opened.bundle, opened.link), (large, sealed.link));
}

#[test]
fn nothing_of_it_is_in_clear_and_little_is_added() {
    let story = story(2);
    let (line, _) = inside(&story, 1);
    for bytes in &story.packs {
        for part in line.windows(12).chain(BUNDLE.windows(12)) {
            assert!(memchr::memmem::find(bytes, part).is_none());
        }
        assert!(bytes.len() - BUNDLE.len() < 2048, "{}", bytes.len());
    }
    assert_ne!(story.seal(story.next(), BUNDLE).bytes, story.seal(story.next(), BUNDLE).bytes);
}

#[test]
fn a_forged_record_or_bundle_is_named() {
    let story = story(3);
    let (line, bundle) = inside(&story, 1);
    let (other_line, _) = inside(&story, 2);
    let text = String::from_utf8(line.clone()).expect("text");
    let changed = text.replacen("atlas", "altas", 1);
    let no_mac = &line[..line.len() - MAC_LENGTH];
    let zero_mac = [no_mac, b" ", "0".repeat(64).as_bytes()].concat();
    let cases: [(&str, [&[u8]; 3], PackFault); 12] = [
        ("a changed record", [changed.as_bytes(), b"\n", &bundle], PackFault::Forged),
        ("a changed bundle", [&line, b"\n", b"# v2 git bundle\nother"], PackFault::Forged),
        ("no bundle", [&line, b"\n", b""], PackFault::Forged),
        ("a longer bundle", [&line, b"\n", &[&bundle[..], b"x"].concat()], PackFault::Forged),
        ("another record", [&other_line, b"\n", b""], PackFault::Forged),
        ("a MAC of zeros", [&zero_mac, b"\n", &bundle], PackFault::Forged),
        ("no MAC", [no_mac, b"\n", &bundle], PackFault::NoRecord),
        ("nothing", [b"", b"", b""], PackFault::NoRecord),
        ("a bundle alone", [b"", b"", BUNDLE], PackFault::NoRecord),
        ("no end of the line", [&line, b"", b""], PackFault::NoRecord),
        ("an empty line", [b"\n", b"\n", &bundle], PackFault::NoRecord),
        ("a MAC in capitals", [&line.to_ascii_uppercase(), b"\n", &bundle], PackFault::NoRecord),
    ];
    for (what, parts, expected) in cases {
        assert_eq!(fault(&for_us(&story, &parts), &story), Some(expected), "{what}");
    }
}

#[test]
fn a_file_of_another_key_is_named() {
    let story = story(2);
    let stranger = Identity::generate().to_public();
    let (line, bundle) = inside(&story, 1);
    let other = age_file::close(&[&line, b"\n", &bundle], &stranger);
    assert_eq!(fault(&other, &story), Some(PackFault::OtherKey));
    let foreign = sample::story(2);
    assert_eq!(fault(&foreign.packs[1], &story), Some(PackFault::OtherKey));
    let mut scrypt = age::scrypt::Recipient::new("guess me".to_owned().into());
    scrypt.set_work_factor(1);
    let typed = age_file::close(&[&line, b"\n", &bundle], &scrypt);
    assert_eq!(fault(&typed, &story), Some(PackFault::OtherKey));
}

#[test]
fn a_cut_or_changed_file_is_named() {
    let story = story(1);
    let bytes = &story.packs[0];
    for length in 0..bytes.len() {
        assert!(fault(&bytes[..length], &story).is_some(), "{length}");
    }
    let cut = fault(&bytes[..bytes.len() - 1], &story);
    assert_eq!(cut, Some(PackFault::Damaged));
    assert_eq!(fault(&[&bytes[..], b"x"].concat(), &story), Some(PackFault::Damaged));
    for other in [&b""[..], b"hello", BUNDLE, b"version https://git-lfs.github.com/spec/v1\n"] {
        assert_eq!(fault(other, &story), Some(PackFault::NotSealed));
    }
}

#[test]
fn sizes_are_judged_before_anything_is_opened() {
    let story = story(1);
    let limits = Limits { sealed: story.packs[0].len() - 1 };
    let refused = open(&story.packs[0], &story.ring, limits).err();
    assert_eq!(refused, Some(PackFault::TooBig(story.packs[0].len())));
    let endless = vec![b'x'; LINE_MAX + 1000];
    assert_eq!(fault(&for_us(&story, &[&endless]), &story), Some(PackFault::NoRecord));
    let late = [&endless[..], b"\n", BUNDLE].concat();
    assert_eq!(fault(&for_us(&story, &[&late]), &story), Some(PackFault::NoRecord));
}

#[test]
fn a_later_format_is_told_from_a_forged_one() {
    let story = story(1);
    let (line, bundle) = inside(&story, 0);
    let line = String::from_utf8(line).expect("text");
    for (format, expected) in [
        ("3", PackFault::Record(RecordFault::Newer(3))),
        ("77", PackFault::Record(RecordFault::Newer(77))),
        ("0", PackFault::Forged),
        ("1", PackFault::Forged),
        ("99999999999", PackFault::Forged),
        ("\"2\"", PackFault::Forged),
    ] {
        let head = format!("{{\"co-sealed\":{format},");
        let line = line.replacen("{\"co-sealed\":2,", &head, 1);
        let bytes = for_us(&story, &[line.as_bytes(), b"\n", &bundle]);
        assert_eq!(fault(&bytes, &story), Some(expected), "{format}");
    }
}

#[test]
fn what_someone_with_keys_made_wrongly_is_named() {
    let mut story = story(2);
    let good = story.next().line().expect("a sound record");
    let opened = open(&from_inside(&story, &good, BUNDLE), &story.ring, Limits::default());
    assert!(opened.is_ok());
    let spelling = PackFault::Record(RecordFault::OtherSpelling);
    let cases: [(&str, String, &[u8], PackFault); 5] = [
        ("other spelling", good.replace(":3,", ": 3,"), BUNDLE, spelling),
        ("no JSON", good.replace('}', ""), BUNDLE, PackFault::Record(RecordFault::Unreadable)),
        ("no bundle", good.clone(), b"", PackFault::OtherBundle),
        ("no git bundle", good.clone(), b"#!/bin/sh\n", PackFault::OtherBundle),
        ("epoch 2", good.replace("\"epoch\":1", "\"epoch\":2"), BUNDLE, PackFault::OtherEpoch),
    ];
    for (what, line, bundle, expected) in cases {
        let bytes = from_inside(&story, &line, bundle);
        assert_eq!(fault(&bytes, &story), Some(expected), "{what}");
    }
    let other = Record { repository: RepositoryId::random([9; 16]), ..story.next() };
    let bytes = from_inside(&story, &other.line().expect("sound"), BUNDLE);
    assert_eq!(fault(&bytes, &story), Some(PackFault::OtherRepository));
    let still = Record { new: sample::tip(2), ..story.next() };
    let bytes = from_inside(&story, &still.line().expect("sound"), BUNDLE);
    assert_eq!(fault(&bytes, &story), Some(PackFault::OtherBundle));
    story.hand_over();
    story.repack();
    let mut forged = story.links[0].record.clone();
    let ring = KeyRing::begin(RepositoryId::random([1; 16])).next().expect("few epochs");
    let hash = forged.before.clone().expect("a record before");
    forged.covers = Covers::new(None, 3, &[hash], &ring, 2);
    let sealed = story.seal(forged, BUNDLE);
    assert_eq!(fault(&sealed.bytes, &story), Some(PackFault::Unproved));
}

#[test]
fn nothing_is_sealed_that_would_not_open() {
    let story = story(2);
    let refused = |record: Record, bundle: &[u8]| seal(record, bundle, &story.ring).err();
    let good = story.next();
    assert_eq!(refused(good.clone(), b""), Some(SealFault::OtherBundle));
    assert_eq!(refused(good.clone(), b"text"), Some(SealFault::OtherBundle));
    assert_eq!(refused(Record { epoch: 2, ..good.clone() }, BUNDLE), Some(SealFault::NoKey(2)));
    let other = Record { repository: RepositoryId::random([9; 16]), ..good.clone() };
    assert_eq!(refused(other, BUNDLE), Some(SealFault::OtherRepository));
    let late = Record { time: good.time + 1, ..good };
    let fault = RecordFault::OutOfBounds("time");
    assert_eq!(refused(late, BUNDLE), Some(SealFault::Record(fault)));
}
