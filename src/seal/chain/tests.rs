//! What a host, or a laptop that was removed, can do to a chain, each by its name.

use super::*;
use crate::seal::{
    keys::LaptopKey,
    sample::{BUNDLE, NOW, Story, laptop, name, story, tip},
};

fn fault(seen: Option<&Seen>, links: &[Link]) -> Option<ChainFault> {
    accept(seen, links).err()
}

/// The same links with one of them changed.
fn changed(story: &Story, at: usize, change: impl FnOnce(&mut Link)) -> Vec<Link> {
    let mut links = story.links.clone();
    change(&mut links[at]);
    links
}

#[test]
fn what_comes_after_is_taken() {
    let story = story(5);
    let whole = accept(None, &story.links).expect("a sound chain");
    assert_eq!((whole.sequence, &whole.tip, whole.epoch), (5, &tip(5), 1));
    for count in 1..=5 {
        let seen = story.seen_until(count);
        assert_eq!(accept(Some(&seen), &story.links).as_ref(), Ok(&whole), "{count}");
        let rest = &story.links[count..];
        if !rest.is_empty() {
            assert_eq!(accept(Some(&seen), rest).as_ref(), Ok(&whole), "{count}");
        }
        let overlapping = &story.links[count - 1..];
        assert_eq!(accept(Some(&seen), overlapping).as_ref(), Ok(&whole), "{count}");
    }
}

#[test]
fn a_branch_set_back_is_counted() {
    let story = story(5);
    let seen = story.seen();
    for left in 1..5_usize {
        let lost = 5 - u64::try_from(left).expect("small");
        let links = &story.links[..left];
        assert_eq!(fault(Some(&seen), links), Some(ChainFault::WentBack { lost }));
    }
    assert_eq!(fault(Some(&seen), &[]), Some(ChainFault::WentBack { lost: 5 }));
    assert_eq!(fault(None, &[]), Some(ChainFault::Empty));
    let said = |lost| ChainFault::WentBack { lost }.to_string();
    assert_eq!(
        (said(1), said(3)),
        ("the remote lost 1 push".into(), "the remote lost 3 pushes".into())
    );
}

#[test]
fn another_push_in_the_place_of_one_that_was_seen_is_a_fork() {
    let mut fork = story(3);
    let mut own = fork.clone();
    own.push();
    own.push();
    let other = Record { new: tip(77), ..fork.next() };
    fork.take(other, BUNDLE);
    let forked = |seen: &Seen, links: &[Link]| fault(Some(seen), links);
    let at = |at| Some(ChainFault::Forked { at });
    assert_eq!(forked(&own.seen_until(4), &fork.links), at(4));
    assert_eq!(forked(&own.seen(), &fork.links), Some(ChainFault::WentBack { lost: 1 }));
    fork.push();
    assert_eq!(forked(&own.seen(), &fork.links), at(5));
    fork.push();
    assert_eq!(forked(&own.seen(), &fork.links), at(5));
    assert_eq!(forked(&own.seen(), &fork.links[5..]), at(5));
    assert!(accept(Some(&own.seen_until(3)), &fork.links).is_ok());
}

#[test]
fn records_left_out_repeated_or_swapped_are_named() {
    let story = story(5);
    let links = &story.links;
    let pick = |order: &[usize]| order.iter().map(|at| links[*at].clone()).collect::<Vec<_>>();
    let cases: [(&[usize], ChainFault); 8] = [
        (&[0, 1, 3, 4], ChainFault::Gap { after: 2 }),
        (&[0, 4], ChainFault::Gap { after: 1 }),
        (&[0, 1, 1, 2], ChainFault::Repeated { at: 2 }),
        (&[0, 1, 2, 1], ChainFault::OutOfOrder { at: 2 }),
        (&[1, 0, 2], ChainFault::OutOfOrder { at: 1 }),
        (&[4, 3, 2, 1, 0], ChainFault::OutOfOrder { at: 4 }),
        (&[1, 2, 3], ChainFault::LateStart { at: 2 }),
        (&[4], ChainFault::LateStart { at: 5 }),
    ];
    for (order, expected) in cases {
        assert_eq!(fault(None, &pick(order)), Some(expected), "{order:?}");
    }
    let seen = story.seen_until(2);
    assert_eq!(fault(Some(&seen), &links[3..]), Some(ChainFault::Gap { after: 2 }));
}

#[test]
fn a_record_that_says_another_number_breaks_the_chain() {
    let story = story(4);
    let renumbered = changed(&story, 3, |link| link.record.sequence = 5);
    assert_eq!(fault(None, &renumbered), Some(ChainFault::Gap { after: 3 }));
    // A replay of push 2 in the place of push 4.
    let mut replayed = story.links.clone();
    replayed[3] = Link {
        record: Record { sequence: 4, ..story.links[1].record.clone() },
        ..story.links[1].clone()
    };
    assert_eq!(fault(None, &replayed), Some(ChainFault::Broken { at: 4 }));
    let unlinked = changed(&story, 2, |link| link.record.before = Some(Sum::of(b"other")));
    assert_eq!(fault(None, &unlinked), Some(ChainFault::Broken { at: 3 }));
    let other_hash = changed(&story, 2, |link| link.hash = Sum::of(b"other"));
    assert_eq!(fault(None, &other_hash), Some(ChainFault::Broken { at: 4 }));
    let jumped = changed(&story, 2, |link| link.record.old = Some(tip(99)));
    assert_eq!(fault(None, &jumped), Some(ChainFault::TipJumped { at: 3 }));
}

#[test]
fn a_chain_of_another_repository_is_named() {
    let own = story(3);
    let id = RepositoryId::random([9; 16]);
    let last = changed(&own, 2, |link| link.record.repository = id.clone());
    assert_eq!(fault(None, &last), Some(ChainFault::OtherRepository { at: 3 }));
    let mut other = story(4);
    other.links.iter_mut().for_each(|link| link.record.repository = id.clone());
    let expected = Some(ChainFault::OtherRepository { at: 1 });
    assert_eq!(fault(Some(&own.seen()), &other.links), expected);
    // The same name and other keys: a repository that was sealed anew.
    let again = story(4);
    assert_eq!(fault(Some(&own.seen()), &again.links), Some(ChainFault::Forked { at: 3 }));
}

#[test]
fn keys_change_only_by_a_record_of_the_keys_before() {
    let mut own = story(2);
    own.hand_over();
    let handed = own.clone();
    own.push();
    own.push();
    let seen = own.seen();
    assert_eq!((seen.epoch, &seen.next, &seen.key), (2, &None, &own.ring.commitment(2).unwrap()));
    assert_eq!(accept(Some(&own.seen_until(2)), &own.links).as_ref(), Ok(&seen));
    assert_eq!(accept(Some(&own.seen_until(3)), &own.links[3..]).as_ref(), Ok(&seen));
    // Nobody handed over.
    let plain = changed(&own, 2, |link| link.record.next = None);
    assert_eq!(fault(None, &plain), Some(ChainFault::UnknownKey { at: 4 }));
    // To other keys.
    let other = changed(&own, 2, |link| link.record.next = Some(Sum::of(b"other keys")));
    assert_eq!(fault(None, &other), Some(ChainFault::UnknownKey { at: 4 }));
    let other = changed(&own, 4, |link| link.sealed_to = Sum::of(b"other keys"));
    assert_eq!(fault(None, &other), Some(ChainFault::UnknownKey { at: 5 }));
    let skipped = changed(&own, 3, |link| link.record.epoch = 3);
    assert_eq!(fault(None, &skipped), Some(ChainFault::UnknownKey { at: 4 }));
    // The removed laptop goes on with the keys that it has.
    let removed = Record { epoch: 1, ..handed.next() };
    let link = handed.seal(removed, BUNDLE).link;
    let expected = Some(ChainFault::OldKey { at: 4 });
    assert_eq!(fault(Some(&handed.seen()), std::slice::from_ref(&link)), expected);
    let late = Record { epoch: 1, ..own.next() };
    let link = own.seal(late, BUNDLE).link;
    let expected = Some(ChainFault::OldKey { at: 6 });
    assert_eq!(fault(Some(&own.seen()), std::slice::from_ref(&link)), expected);
}

#[test]
fn a_repack_is_taken_by_all_whose_pushes_it_has() {
    let mut own = story(3);
    own.hand_over();
    own.push();
    let before = own.clone();
    own.repack();
    own.push();
    let whole = accept(None, &own.links).expect("a first join");
    assert_eq!((whole.sequence, whole.epoch), (7, 2));
    for count in 1..=5 {
        let seen = before.seen_until(count);
        let now = accept(Some(&seen), &own.links).expect("all of it is covered");
        assert_eq!((now.hash, now.tip), (whole.hash.clone(), tip(7)), "{count}");
    }
    own.repack();
    for count in 1..=5 {
        assert!(accept(Some(&before.seen_until(count)), &own.links).is_ok(), "{count}");
    }
    let back = accept(Some(&own.seen()), &before.links);
    assert_eq!(back.err(), Some(ChainFault::WentBack { lost: 3 }));
}

#[test]
fn a_repack_that_leaves_something_out_is_not_taken() {
    let base = story(4);
    let (mut own, mut other) = (base.clone(), base.clone());
    own.push();
    let old = Record { new: tip(55), ..other.next() };
    other.take(old, BUNDLE);
    other.repack();
    let expected = Some(ChainFault::NotCovered { at: 6, missing: 5 });
    assert_eq!(fault(Some(&own.seen()), &other.links), expected);
    own.push();
    let expected = Some(ChainFault::Forked { at: 6 });
    assert_eq!(fault(Some(&own.seen()), &other.links), expected);
    assert!(accept(Some(&base.seen()), &other.links).is_ok());
    own.push();
    let expected = Some(ChainFault::WentBack { lost: 1 });
    assert_eq!(fault(Some(&own.seen()), &other.links), expected);
}

#[test]
fn a_repack_in_the_wrong_place_or_of_the_wrong_keys_is_not_taken() {
    let mut own = story(2);
    own.hand_over();
    own.push();
    let before = own.clone();
    own.repack();
    let behind = [&before.links[..], &own.links].concat();
    assert_eq!(fault(None, &behind), Some(ChainFault::MisplacedRepack { at: 5 }));
    let unknown =
        |seen: Option<&Seen>, change: &dyn Fn(&mut Link)| fault(seen, &changed(&own, 0, change));
    let other_keys = |link: &mut Link| link.sealed_to = Sum::of(b"other keys");
    let expected = Some(ChainFault::UnknownKey { at: 5 });
    assert_eq!(unknown(None, &other_keys), expected);
    for count in 1..=4 {
        let seen = before.seen_until(count);
        assert_eq!(unknown(Some(&seen), &other_keys), expected, "{count}");
    }
    let other_tip = |link: &mut Link| link.record.new = tip(99);
    let expected = Some(ChainFault::TipJumped { at: 5 });
    assert_eq!(unknown(Some(&before.seen()), &other_tip), expected);
    let old = |link: &mut Link| link.record.epoch = 1;
    let expected = Some(ChainFault::OldKey { at: 5 });
    assert_eq!(unknown(Some(&before.seen()), &old), expected);
    // This laptop saw a handover to other keys than the repack was made with.
    let mut seen = before.seen_until(3);
    seen.next = Some(Sum::of(b"other keys"));
    assert_eq!(accept(Some(&seen), &own.links).err(), Some(ChainFault::UnknownKey { at: 5 }));
}

#[test]
fn a_repack_is_made_only_of_what_is_there() {
    let own = story(3);
    let seen = own.seen();
    let make = |links: &[Link]| seen.repack(links, &own.ring, name("atlas"), NOW);
    assert!(make(&own.links).is_some_and(|record| record.line().is_ok()));
    assert!(make(&[]).is_none() && make(&own.links[..2]).is_none());
    assert!(make(&own.links[1..]).is_some_and(|record| record.covers.is_some()));
}

#[test]
fn laptops_are_heard_of_and_forgotten() {
    let mut own = story(1);
    let bora = laptop(&own.ring, &LaptopKey::generate(), "bora", 2);
    let mut holders = own.seen().holders();
    holders.laptops.push(bora);
    own.take(own.seen().record(name("bora"), NOW + 7200).naming(holders.clone()), b"");
    own.push();
    let heard = own.seen().heard;
    assert_eq!(heard[&name("atlas")].sequence, 3);
    assert_eq!(heard[&name("bora")], Heard { sequence: 2, time: NOW - 1800 + 7200 });
    holders.laptops.truncate(1);
    own.take(own.seen().record(name("atlas"), NOW).naming(holders), b"");
    assert_eq!(own.seen().heard.len(), 1);
}

#[test]
fn who_has_the_keys_stays_until_a_record_says_otherwise() {
    let mut own = story(4);
    let first = own.seen_until(1).holders();
    assert!(own.links[1..].iter().all(|link| link.record.holders().is_none()));
    assert_eq!(own.seen().holders(), first);
    let mut more = first;
    more.laptops.push(laptop(&own.ring, &LaptopKey::generate(), "bora", 2));
    own.take(own.seen().record(name("bora"), NOW).naming(more.clone()), b"");
    own.push();
    for count in 1..=6 {
        let seen = accept(Some(&own.seen_until(count)), &own.links[count - 1..]);
        assert_eq!(seen.expect("a sound chain").holders(), more, "{count}");
    }
    // Who joins after a repack hears of all.
    own.repack();
    own.push();
    assert_eq!(own.seen().holders(), more);
}

#[test]
fn what_was_seen_is_kept_as_a_text() {
    let mut own = story(2);
    own.hand_over();
    let seen = own.seen();
    assert_eq!(Seen::parse(&seen.to_text()), Some(seen.clone()));
    let later = seen.to_text().replace("\"format\":1", "\"format\":2");
    let path = seen.to_text().replace(seen.tip.as_str(), "../../etc/passwd");
    for text in ["", "{}", "null", &later, &path, &seen.to_text()[1..], &" ".repeat(SEEN_MAX + 1)] {
        assert_eq!(Seen::parse(text), None, "{text}");
    }
}
