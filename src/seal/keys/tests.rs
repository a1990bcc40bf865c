//! Keys as texts, and what is none.

use super::*;

fn repository(byte: u8) -> RepositoryId {
    RepositoryId::random([byte; 16])
}

fn text(ring: &KeyRing) -> String {
    ring.to_text().expose_secret().to_owned()
}

#[test]
fn a_ring_is_an_age_identity_file_and_reads_back() {
    let ring = KeyRing::begin(repository(1)).next().expect("few epochs");
    let text = text(&ring);
    let file = age::IdentityFile::from_buffer(text.as_bytes()).expect("an identity file");
    assert_eq!(file.into_identities().expect("no plugins").len(), 2);
    let again = KeyRing::parse(&text).expect("a ring");
    assert_eq!((again.repository(), again.newest()), (ring.repository(), 2));
    for epoch in 0..4 {
        assert_eq!(again.commitment(epoch), ring.commitment(epoch), "{epoch}");
    }
    assert!(ring.commitment(0).is_none() && ring.commitment(3).is_none());
    assert!(KeyRing::parse(&text.replace('\n', "\r\n")).is_ok());
}

#[test]
fn texts_that_are_no_ring() {
    let ring = KeyRing::begin(repository(1));
    let good = text(&ring);
    let key = good.lines().nth(1).expect("a key");
    let head = good.lines().next().expect("a head");
    let many = std::iter::repeat_with(|| text(&KeyRing::begin(repository(1))))
        .take(129)
        .map(|text| text.lines().nth(1).expect("a key").to_owned())
        .collect::<Vec<_>>()
        .join("\n");
    for bad in [
        "",
        key,
        head,
        &good.replace("keys 1", "keys 2"),
        &format!("{good}# comment\n"),
        &format!("{good}{key}\n"),
        &good[..good.len() - 3],
        &format!("{head}\n{many}\n"),
    ] {
        assert_eq!(KeyRing::parse(bad).err(), Some(KeyFault::NoKey), "{bad}");
    }
    assert_eq!(KeyRing::parse(&good.repeat(500)).err(), Some(KeyFault::TooBig));
}

#[test]
fn a_ring_only_grows() {
    let ring = KeyRing::begin(repository(1));
    let grown = ring.next().expect("few epochs");
    assert_eq!(ring.grown_to(grown.clone()).map(|ring| ring.newest()), Ok(2));
    assert_eq!(ring.grown_to(ring.clone()).map(|ring| ring.newest()), Ok(1));
    assert_eq!(grown.grown_to(ring.clone()).err(), Some(KeyFault::OtherPast));
    let other = KeyRing::begin(repository(1)).next().expect("few epochs");
    assert_eq!(ring.grown_to(other).err(), Some(KeyFault::OtherPast));
    let foreign = KeyRing::begin(repository(2));
    assert_eq!(ring.grown_to(foreign).err(), Some(KeyFault::OtherRepository));
}

#[test]
fn epochs_end() {
    let mut ring = KeyRing::begin(repository(1));
    while let Some(next) = ring.next() {
        ring = next;
    }
    assert_eq!(ring.newest(), EPOCHS_MAX);
    assert!(KeyRing::parse(&text(&ring)).is_ok());
}

#[test]
fn a_recovery_key_is_read_as_people_type_it() {
    let key = RecoveryKey::generate();
    let text = key.to_text().expose_secret().to_owned();
    let grouped: Vec<&str> =
        text.as_bytes().chunks(6).map(|c| str::from_utf8(c).unwrap()).collect();
    for typed in [
        text.clone(),
        text.to_lowercase(),
        format!("  {text}\r\n"),
        grouped.join(" "),
        format!("# recovery key\n# of 2026\n{text}\n"),
    ] {
        let read = RecoveryKey::parse(&typed).expect("the key");
        assert_eq!(read.recipient(), key.recipient(), "{typed}");
    }
    assert!(text.ends_with(&key.last_four()) && key.last_four().len() == 4);
    let two = format!("{text}\n{text}\n");
    let public = key.recipient().to_string();
    let wrong = text.replace(&text[20..21], if &text[20..21] == "Q" { "P" } else { "Q" });
    for typed in ["", "# nothing", &two, &public, &wrong, &text[1..]] {
        assert_eq!(RecoveryKey::parse(typed).err(), Some(KeyFault::NoKey), "{typed}");
    }
    assert_eq!(RecoveryKey::parse(&"A".repeat(99_999)).err(), Some(KeyFault::TooBig));
}

#[test]
fn a_passphrase_is_long() {
    assert!(Passphrase::own("too short").is_none());
    assert!(Passphrase::own("äöüäöüäöüäöüäö").is_some());
}

#[test]
fn nothing_prints_a_key() {
    let ring = KeyRing::begin(repository(1));
    let shown = format!(
        "{ring:?} {:?} {:?} {:?}",
        LaptopKey::generate(),
        RecoveryKey::generate(),
        Passphrase::typed("5555 and more")
    );
    assert!(!shown.contains("AGE-SECRET-KEY") && !shown.contains("5555"), "{shown}");
}

#[test]
fn keys_for_one_purpose_are_not_those_for_another() {
    use hmac::Mac;
    let key = EpochKey::generate();
    let made = |repository: &RepositoryId, purpose| {
        key.mac(repository, purpose).chain_update(b"text").finalize().into_bytes()
    };
    let own = made(&repository(1), Purpose::Record);
    assert_eq!(own, made(&repository(1), Purpose::Record));
    assert_ne!(own, made(&repository(1), Purpose::Handover));
    assert_ne!(own, made(&repository(2), Purpose::Record));
}

#[test]
fn a_generated_passphrase_is_long_enough_and_has_a_word_for_every_two_bytes() {
    let text = |bytes: [u8; 14]| Passphrase::generated(bytes).expose_secret().to_owned();
    assert_eq!(text([0; 14]), "baba-baba-baba-baba-baba-baba-baba");
    assert_eq!(text([255; 14]), "zuzu-zuzu-zuzu-zuzu-zuzu-zuzu-zuzu");
    // All 64 syllables differ: 14 of them are 84 bits.
    let first = |byte: u8| text([byte; 14])[..2].to_owned();
    let all: std::collections::BTreeSet<String> = (0..64).map(first).collect();
    assert_eq!(all.len(), 64);
    assert!(Passphrase::own(&text([7; 14])).is_some());
}
