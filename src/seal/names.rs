//! What a record names: each a short text of few letters, checked when it is read.
//!
//! Invariant: a value of these types is sound, whoever wrote it; none of them can hold a line
//! break, a path or what drives a terminal. Must not know: keys.

use crate::foreign;
use crate::identity::ContentHash;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The longest name of a laptop, in bytes.
const LAPTOP_NAME_MAX: usize = 64;

macro_rules! checked_texts {
    ($($(#[$meta:meta])* $name:ident if $is_sound:ident, $what:literal;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// `None` if the text is none.
            pub fn parse(text: &str) -> Option<$name> {
                $is_sound(text).then(|| $name(text.to_owned()))
            }

            /// As it stands in a record.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = &'static str;

            fn try_from(text: String) -> Result<$name, &'static str> {
                if $is_sound(&text) { Ok($name(text)) } else { Err($what) }
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

checked_texts! {
    /// Which repository a chain belongs to: drawn once, when it is sealed.
    RepositoryId if is_random_name, "not the name of a sealed repository";
    /// The name of a key file, which says nothing about whose it is.
    KeyName if is_random_name, "not the name of a key file";
    /// The SHA-256 of a record, of a key file or of a recipient, in hex.
    Sum if is_sum, "not a SHA-256 in hex";
    /// A commit at the end of the plain branch, in hex.
    Tip if is_tip, "not a commit";
    /// What a person calls a laptop.
    LaptopName if is_laptop_name, "not the name of a laptop";
    /// The public half of an age identity (`age1…`).
    Recipient if is_recipient, "not an age recipient";
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn is_random_name(text: &str) -> bool {
    text.len() == 32 && is_hex(text)
}

fn is_sum(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

fn is_tip(text: &str) -> bool {
    matches!(text.len(), 40 | 64) && is_hex(text)
}

fn is_letter_of_laptop(letter: char) -> bool {
    (letter.is_alphanumeric() && foreign::is_seen(letter)) || " -_.'’()".contains(letter)
}

fn is_laptop_name(text: &str) -> bool {
    (1..=LAPTOP_NAME_MAX).contains(&text.len())
        && text.trim() == text
        && text.chars().all(is_letter_of_laptop)
}

/// Bech32 has one spelling of each key, so that equal recipients are equal texts.
fn is_recipient(text: &str) -> bool {
    text.len() == 62
        && text.parse::<age::x25519::Recipient>().is_ok_and(|key| key.to_string() == text)
}

fn hex(bytes: &[u8; 16]) -> String {
    use fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("because a String takes all that is written");
        text
    })
}

impl RepositoryId {
    /// Out of random bytes.
    pub fn random(bytes: [u8; 16]) -> RepositoryId {
        RepositoryId(hex(&bytes))
    }
}

impl KeyName {
    /// Out of random bytes.
    pub fn random(bytes: [u8; 16]) -> KeyName {
        KeyName(hex(&bytes))
    }
}

impl Sum {
    /// Of these bytes.
    pub fn of(bytes: &[u8]) -> Sum {
        Sum(ContentHash::of_bytes(bytes).hex())
    }

    /// A digest that was computed elsewhere.
    pub(super) fn of_digest(digest: [u8; 32]) -> Sum {
        Sum(ContentHash::from_digest(digest).hex())
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> [u8; 32] {
        *ContentHash::parse(&self.0).expect("because it was checked").digest()
    }

    /// The first half of it: enough to tell records apart that nobody chose.
    pub(super) fn half(&self) -> [u8; 16] {
        *self.bytes().first_chunk().expect("because there are 32 bytes")
    }
}

impl LaptopName {
    /// The nearest name that is sound: other letters become `-`, the end is cut.
    pub fn of(text: &str) -> LaptopName {
        let sound = |letter: char| if is_letter_of_laptop(letter) { letter } else { '-' };
        let mut name = String::new();
        for letter in text.trim().chars().map(sound) {
            if name.len() + letter.len_utf8() > LAPTOP_NAME_MAX {
                break;
            }
            name.push(letter);
        }
        let name = name.trim();
        LaptopName(if name.is_empty() { "laptop" } else { name }.to_owned())
    }
}

impl Recipient {
    pub(super) fn of(key: &age::x25519::Recipient) -> Recipient {
        Recipient(key.to_string())
    }

    pub(super) fn key(&self) -> age::x25519::Recipient {
        self.0.parse().expect("because it was checked")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_none() {
        let long = "a".repeat(65);
        for text in ["", " atlas", "atlas ", "a\nb", "a\u{202e}b", "a/b", "\u{1b}[31m", &long] {
            assert_eq!(LaptopName::parse(text), None, "{text:?}");
        }
        for text in ["atlas", "Ana’s MacBook", "läppi-2", "ノート"] {
            assert!(LaptopName::parse(text).is_some(), "{text:?}");
        }
        for text in ["", "../../../../../../../../../../../etc", &"A".repeat(32), &"0".repeat(33)] {
            assert_eq!(KeyName::parse(text), None, "{text:?}");
        }
        for text in ["HEAD", &"0".repeat(41), &"G".repeat(40), &"é".repeat(20)] {
            assert_eq!(Tip::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn a_host_name_becomes_a_sound_one() {
        for (host, name) in [
            ("atlas", "atlas"),
            ("  atlas\n", "atlas"),
            ("a/b\u{7}c", "a-b-c"),
            ("", "laptop"),
            ("\n", "laptop"),
        ] {
            assert_eq!(LaptopName::of(host).as_str(), name, "{host:?}");
        }
        let long = LaptopName::of(&"é".repeat(90));
        assert_eq!(LaptopName::parse(long.as_str()), Some(long));
    }

    #[test]
    fn a_recipient_has_one_spelling() {
        let key = age::x25519::Identity::generate().to_public().to_string();
        assert!(Recipient::parse(&key).is_some());
        assert_eq!(Recipient::parse(&key.to_uppercase()), None);
        assert_eq!(Recipient::parse(&key.replace("age1", "age2")), None);
    }

    #[test]
    fn random_names_are_hex() {
        let name = KeyName::random([0xa5; 16]);
        assert_eq!(name.as_str(), "a5".repeat(16));
        assert_eq!(KeyName::parse(name.as_str()), Some(name));
    }
}
