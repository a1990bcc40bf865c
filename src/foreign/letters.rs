//! Filters Unicode characters of untrusted text: only visible ones pass.
//!
//! Invariant: by Unicode category, never by a list of attacks. Joiners, variation selectors and
//! flag tags pass singly and only where the script uses them; runs are removed. Source: Unicode 16,
//! General_Category, Default_Ignorable_Code_Point, UTS 51.

use std::ops::RangeInclusive;
use unicode_general_category::{GeneralCategory as Category, get_general_category};

/// The most marks on one letter; no script needs more.
const MAX_MARKS: usize = 12;
/// The tags after a black flag that spell the flags of England, Scotland and Wales; UTS 51 has no
/// others.
const FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];
const BLACK_FLAG: char = '\u{1f3f4}';
const TAGS_END: char = '\u{e007f}';
const KEYCAP: char = '\u{20e3}';
/// Blocks of the scripts that use joiners: Arabic to Mandaic, the Brahmic scripts, Mongolian,
/// Adlam.
const JOINING: &[RangeInclusive<char>] = &[
    '\u{600}'..='\u{8ff}',
    '\u{900}'..='\u{dff}',
    '\u{1000}'..='\u{109f}',
    '\u{1780}'..='\u{18af}',
    '\u{1900}'..='\u{1c4f}',
    '\u{a840}'..='\u{abff}',
    '\u{fb50}'..='\u{fdff}',
    '\u{fe70}'..='\u{fefc}',
    '\u{11000}'..='\u{11fff}',
    '\u{1e900}'..='\u{1e95f}',
];

/// Whether all characters of a text pass in any position, and its line endings are LF.
pub(super) fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
}

/// As [`is_plain`], of a single line without tabs.
pub(super) fn is_plain_line(text: &str) -> bool {
    const EACH: u64 = 0x0101_0101_0101_0101;
    // Hot: everything that is shown goes through here, so eight bytes are looked at together. The
    // highest bit of a byte is set beyond ASCII; adding one sets it for the one after `~`, taking
    // away a blank for those before the blank.
    let (eights, rest) = text.as_bytes().as_chunks::<8>();
    let are_plain = |eight: &[u8; 8]| {
        let bytes = u64::from_ne_bytes(*eight);
        let (more, less) = (bytes.wrapping_add(EACH), bytes.wrapping_sub(EACH * 0x20));
        (bytes | more | less) & (EACH * 0x80) == 0
    };
    eights.iter().all(are_plain) && rest.iter().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Whether some reader takes it for the end of a line.
const fn ends_a_line(letter: char) -> bool {
    matches!(letter, '\n' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is visible in any position.
pub fn is_seen(letter: char) -> bool {
    match letter {
        ' '..='~' => true,
        '\0'..='\u{9f}' => false,
        _ => is_drawn(letter) && !is_ignorable(letter),
    }
}

/// Whether it is text that is drawn as nothing: no control, which any bytes can look like.
pub fn is_unseen_text(letter: char) -> bool {
    !is_seen(letter) && (is_ignorable(letter) || get_general_category(letter) == Category::Format)
}

fn is_drawn(letter: char) -> bool {
    use Category::{
        Control, Format, LineSeparator, ParagraphSeparator, PrivateUse, Surrogate, Unassigned,
    };
    match get_general_category(letter) {
        Control | LineSeparator | ParagraphSeparator | PrivateUse | Surrogate => false,
        // Signs that enclose the numbers after them (Prepended_Concatenation_Mark).
        Format => matches!(
            letter,
            '\u{600}'
                ..='\u{605}'
                    | '\u{6dd}'
                    | '\u{70f}'
                    | '\u{890}'
                    | '\u{891}'
                    | '\u{8e2}'
                    | '\u{110bd}'
                    | '\u{110cd}'
        ),
        // Emoji that are newer than the tables.
        Unassigned => is_emoji_block(letter),
        _ => true,
    }
}

/// Default_Ignorable_Code_Point among letters and marks, and two symbols that are drawn as nothing.
fn is_ignorable(letter: char) -> bool {
    matches!(letter,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{ffa0}' | '\u{1d159}'
        | '\u{e0100}'..='\u{e01ef}' | '\u{16fe4}')
}

const fn is_emoji_block(letter: char) -> bool {
    matches!(letter, '\u{1f000}'..='\u{1faff}')
}

/// A symbol that emoji are made of.
fn is_sign(letter: char) -> bool {
    use Category::{MathSymbol, ModifierSymbol, OtherSymbol};
    !letter.is_ascii()
        && (is_emoji_block(letter)
            || matches!(get_general_category(letter), MathSymbol | ModifierSymbol | OtherSymbol))
}

fn is_mark(letter: char) -> bool {
    use Category::{EnclosingMark, NonspacingMark};
    !letter.is_ascii() && matches!(get_general_category(letter), EnclosingMark | NonspacingMark)
}

/// Classification of a character that is kept.
pub(super) enum LetterClass {
    /// It passes; a line ending becomes LF.
    Letter(char),
    /// A control or bidi character: it affects the program that displays it.
    Driving(char),
}

/// Marks that change the direction of text.
pub const fn is_bidi(letter: char) -> bool {
    matches!(letter,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}' | '\u{61c}')
}

/// Bidi controls that affect a whole run (embeddings, overrides, isolates); LRM, RLM and ALM are
/// harmless and allowed.
const fn turns(letter: char) -> bool {
    is_bidi(letter) && !matches!(letter, '\u{200e}' | '\u{200f}' | '\u{61c}')
}

/// Calls `pass` for each character that is kept.
pub(super) fn each(text: &str, mut pass: impl FnMut(LetterClass)) {
    let mut before = None;
    let mut marks = 0;
    let mut rest = text.chars();
    while let Some(letter) = rest.next() {
        // Hot: most letters pass wherever they stand.
        if matches!(letter, ' '..='~') {
            pass(LetterClass::Letter(letter));
            (before, marks) = (Some(letter), 0);
            continue;
        }
        if ends_a_line(letter) || letter == '\t' {
            pass(LetterClass::Letter(if letter == '\t' { '\t' } else { '\n' }));
            (before, marks) = (None, 0);
            continue;
        }
        if letter == BLACK_FLAG {
            pass(LetterClass::Letter(letter));
            for tag in flag(rest.as_str()) {
                pass(LetterClass::Letter(tag));
                rest.next();
            }
            (before, marks) = (Some(letter), 0);
            continue;
        }
        marks = if is_mark(letter) { marks + 1 } else { 0 };
        let fits = || belongs(letter, before, rest.clone().next());
        if marks <= MAX_MARKS && (is_seen(letter) || fits()) {
            pass(LetterClass::Letter(letter));
            before = Some(letter);
        } else if letter != '\r' && (letter.is_control() || turns(letter)) {
            pass(LetterClass::Driving(letter));
        }
    }
}

/// The tags after a black flag that turn it into another.
fn flag(rest: &str) -> impl Iterator<Item = char> {
    let tag = |letter: char| char::from_u32(0xe_0000 + u32::from(letter));
    let spelt = FLAGS
        .iter()
        .map(|name| -> String { name.chars().filter_map(tag).chain([TAGS_END]).collect() });
    let found = spelt.into_iter().find(|tags| rest.starts_with(tags.as_str()));
    found.unwrap_or_default().chars().collect::<Vec<char>>().into_iter()
}

/// Whether an invisible character changes how its neighbours look.
fn belongs(letter: char, before: Option<char>, after: Option<char>) -> bool {
    let Some(before) = before else { return false };
    let joins = |letter: char| JOINING.iter().any(|block| block.contains(&letter));
    let is_number = |letter: char| matches!(letter, '0'..='9' | '#' | '*');
    match letter {
        // Also before a suffix: words in other scripts take one in Persian.
        '\u{200c}' => joins(before) || (is_word(before) && after.is_some_and(joins)),
        '\u{200d}' => {
            let emoji = is_sign(before) || before == '\u{fe0f}' || before == TAGS_END;
            joins(before) || (emoji && after.is_some_and(is_sign))
        }
        '\u{fe0f}' if is_number(before) => after == Some(KEYCAP),
        '\u{fe0e}' | '\u{fe0f}' => is_sign(before) || is_wide_sign(before),
        '\u{fe00}' => is_han(before) || is_math(before) || is_burmese(before),
        '\u{fe01}' | '\u{fe02}' => is_han(before),
        '\u{e0100}'..='\u{e01ef}' => is_han(before),
        '\u{180b}'..='\u{180d}' | '\u{180f}' => matches!(before, '\u{1820}'..='\u{18aa}'),
        _ => false,
    }
}

/// What a joiner may follow if the letter before it does not join.
fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || (letter != ' ' && is_seen(letter) && !letter.is_whitespace())
}

fn is_math(letter: char) -> bool {
    !letter.is_ascii() && get_general_category(letter) == Category::MathSymbol
}

/// Punctuation and letters that can also be drawn as emoji.
const fn is_wide_sign(letter: char) -> bool {
    matches!(letter, '\u{203c}' | '\u{2049}' | '\u{2139}' | '\u{3030}' | '\u{303d}')
}

const fn is_burmese(letter: char) -> bool {
    matches!(letter, '\u{1000}'..='\u{109f}')
}

const fn is_han(letter: char) -> bool {
    matches!(letter,
        '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(text: &str) -> String {
        let mut out = String::new();
        each(text, |letter| {
            if let LetterClass::Letter(letter) = letter {
                out.push(letter);
            }
        });
        out
    }

    #[test]
    fn a_plain_line_has_only_visible_ascii_wherever_it_is_looked_at() {
        for letter in '\0'..='\u{17f}' {
            for (before, after) in [(0, 0), (0, 7), (3, 4), (7, 0), (8, 0), (5, 11), (16, 8)] {
                let text = format!("{}{letter}{}", "~".repeat(before), " ".repeat(after));
                assert_eq!(is_plain_line(&text), (' '..='~').contains(&letter), "{text:?}");
            }
        }
        assert!(is_plain_line(""));
    }

    #[test]
    fn what_people_write_stays() {
        for text in [
            "می‌خواهم به خانه بروم، API‌ها «متن»‌ها",
            "مرحبا بالعالم ١٢٣",
            "क्‍ष नमस्ते हिन्दी",
            "ශ්‍රී ලංකාව",
            "👩‍👩‍👧‍👦 👩🏽‍💻 ❤️‍🔥 🏳️‍🌈 1️⃣ ℹ️ 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 ☎️ ‼️",
            "葛󠄀城 日本語 한국어 ไทย ខ្មែរ",
            "Vec<u8> {a: [1, 2]} (x) && \\n `code` \u{a0}…",
            "fe\u{301} Tiếng Việt",
        ] {
            assert_eq!(seen(text), text);
        }
    }

    #[test]
    fn what_nobody_sees_goes() {
        for (hostile, left) in [
            ("a\u{1b}[2Jb\u{9b}c\u{7}d", "a[2Jbcd"),
            ("a\u{202e}b\u{2066}c\u{200f}d", "abcd"),
            ("a\u{200b}\u{200c}\u{200d}b", "ab"),
            ("\u{200d}\u{fe0f}x\u{fe00}\u{fe01}", "x"),
            ("😀\u{fe0f}\u{fe0f}\u{fe00}", "😀\u{fe0f}"),
            ("a\u{e0041}\u{e0042}\u{e007f}", "a"),
            ("🏴\u{e0078}\u{e0079}\u{e007f}", "🏴"),
            ("a\u{fff9}b\u{1d173}\u{1bca0}\u{2800}\u{3164}\u{e000}\u{ad}", "ab"),
            ("1\u{fe0f}2\u{fe01}😀\u{fe01}", "12😀"),
            ("ب\u{200c}\u{200c}\u{200d}", "ب\u{200c}"),
        ] {
            assert_eq!(seen(hostile), left, "{hostile:?}");
        }
        assert_eq!(seen(&format!("a{}", "\u{301}".repeat(40))).chars().count(), 1 + MAX_MARKS);
        assert_eq!(seen("a\r\nb\u{2028}c\u{85}d\u{b}e\tf"), "a\nb\nc\nd\ne\tf");
    }
}
