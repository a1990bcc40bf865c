//! Words in the form that is compared: lower case, no accents, stemmed; CJK as overlapping bigrams.

use rust_stemmers::{Algorithm, Stemmer};
use std::{borrow::Cow, cell::RefCell, collections::HashMap, iter::once, rc::Rc, sync::LazyLock};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Words too common to distinguish facts.
static STOP_WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/stop_words.txt").split_whitespace().collect());

/// Past forms that no stemmer reduces to their verb.
static IRREGULAR: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    include_str!("words/irregular.txt").lines().filter_map(|line| line.split_once(' ')).collect()
});

pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words of a text, lower case and without accents, in order.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_word(text, |word| words.push(word.to_owned()));
    words
}

/// Calls `each` with the words of a text, as [`words`] gives them.
pub fn each_word(text: &str, each: impl FnMut(&str)) {
    let folded = folded(text);
    if folded.is_ascii() {
        split_ascii(&folded, each);
    } else {
        split(&folded, each);
    }
}

/// A text in lower case, without accents and genitives.
fn folded(text: &str) -> String {
    // Most texts: nothing in them needs decomposing.
    if text.is_ascii() {
        let has_genitive = text.contains('\'');
        let mut folded = if has_genitive { text.replace("'s ", " ") } else { text.to_owned() };
        folded.truncate(folded.trim_end_matches("'s").len());
        folded.make_ascii_lowercase();
        return folded;
    }
    let text = text.replace('’', "'").replace("'s ", " ");
    let mut folded = String::with_capacity(text.len());
    for run in runs(text.trim_end_matches("'s")) {
        if run.is_ascii() {
            let start = folded.len();
            folded.push_str(run);
            folded[start..].make_ascii_lowercase();
        } else {
            let letters = run.nfkd().filter(|letter| !is_combining_mark(*letter));
            folded.extend(letters.flat_map(char::to_lowercase));
        }
    }
    folded
}

/// A text as names are compared, in its capitals: `Inês` is `Ines`, and `Groß` is `Gross`. The
/// marks of Chinese, Japanese and Korean remain, where they make another letter.
pub fn unaccented(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    for run in runs(text) {
        if run.is_ascii() {
            plain.push_str(run);
            continue;
        }
        for letter in run.nfc() {
            match letter {
                'ß' | 'ẞ' => plain.push_str("ss"),
                _ if is_cjk(letter) => plain.push(letter),
                _ => plain.extend(once(letter).nfkd().filter(|part| !is_combining_mark(*part))),
            }
        }
    }
    Cow::Owned(plain)
}

/// The parts of a text that are ASCII, and those that are not, in turn. No letter of one is
/// decomposed together with a letter of another.
pub(super) fn runs(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let is_ascii = rest.as_bytes().first()?.is_ascii();
        let end = rest.bytes().position(|byte| byte.is_ascii() != is_ascii);
        let (run, after) = rest.split_at(end.unwrap_or(rest.len()));
        rest = after;
        Some(run)
    })
}

/// Calls `each` with the words of each component of a path, as [`words`] gives them.
pub fn each_of_path(path: &str, mut each: impl FnMut(&str)) {
    let is_plain = |byte: u8| byte.is_ascii() && !byte.is_ascii_uppercase() && byte != b'\'';
    if path.bytes().all(is_plain) {
        let words = path.split(|letter: char| !letter.is_ascii_alphanumeric());
        words.filter(|word| !word.is_empty()).for_each(each);
    } else {
        path.split('/').flat_map(words).for_each(|word| each(&word));
    }
}

fn split_ascii(folded: &str, mut each: impl FnMut(&str)) {
    let mut start = 0;
    for (at, byte) in folded.bytes().enumerate() {
        if byte.is_ascii_alphanumeric() {
            continue;
        }
        if start < at {
            each(&folded[start..at]);
        }
        start = at + 1;
    }
    if start < folded.len() {
        each(&folded[start..]);
    }
}

/// What a letter belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    Word,
    Cjk,
    Between,
}

fn part_of(letter: char) -> Part {
    match letter {
        _ if is_cjk(letter) => Part::Cjk,
        _ if letter.is_alphanumeric() => Part::Word,
        _ => Part::Between,
    }
}

fn split(folded: &str, mut each: impl FnMut(&str)) {
    let (mut start, mut part) = (0, Part::Between);
    for (at, letter) in folded.char_indices().chain([(folded.len(), ' ')]) {
        let now = part_of(letter);
        if now == part {
            continue;
        }
        match part {
            Part::Word => each(&folded[start..at]),
            Part::Cjk => each_pair(&folded[start..at], &mut each),
            Part::Between => {}
        }
        (start, part) = (at, now);
    }
}

/// Overlapping pairs and single characters of a run.
fn each_pair(run: &str, each: &mut impl FnMut(&str)) {
    let ends: Vec<usize> = run.char_indices().map(|(at, _)| at).chain([run.len()]).collect();
    for pair in ends.windows(3) {
        each(&run[pair[0]..pair[2]]);
    }
    for one in ends.windows(2) {
        each(&run[one[0]..one[1]]);
    }
}

/// A text with one blank between words, line by line.
pub fn single_spaced(text: &str) -> String {
    let line = |line: &str| line.split_whitespace().collect::<Vec<&str>>().join(" ");
    text.lines().map(line).collect::<Vec<String>>().join("\n")
}

pub fn is_cjk(letter: char) -> bool {
    matches!(u32::from(letter), 0x3040..=0x30FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF | 0x20000..=0x2FA1F)
}

pub struct Stems {
    stemmer: Stemmer,
}

impl Default for Stems {
    fn default() -> Stems {
        Stems { stemmer: Stemmer::create(Algorithm::English) }
    }
}

impl Stems {
    /// The stem; irregular past forms are replaced by their verb first.
    pub fn stem(&self, word: &str) -> String {
        self.stemmer.stem(Stems::base(word)).into_owned()
    }

    /// The verb of an irregular past form, and any other word.
    pub fn base(word: &str) -> &str {
        let known = IRREGULAR.binary_search_by_key(&word, |(past, _)| past);
        known.map_or(word, |at| IRREGULAR[at].1)
    }

    pub fn of_text(&self, text: &str) -> Vec<String> {
        words(text).iter().map(|word| self.stem(word)).collect()
    }
}

/// Stems each word once, for texts that have most words in common.
#[derive(Default)]
pub struct StemCache {
    stems: Stems,
    known: RefCell<HashMap<String, Rc<str>>>,
}

impl StemCache {
    /// As [`Stems::stem`].
    pub fn stem(&self, word: &str) -> Rc<str> {
        if let Some(known) = self.known.borrow().get(word) {
            return Rc::clone(known);
        }
        let stem: Rc<str> = self.stems.stem(word).into();
        self.known.borrow_mut().insert(word.to_owned(), Rc::clone(&stem));
        stem
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(IRREGULAR.is_sorted());
    }

    #[test]
    fn names_lose_their_accents_and_nothing_else() {
        for (name, plain) in [
            ("Inês", "Ines"),
            ("Ine\u{302}s", "Ines"),
            ("Benoît's", "Benoit's"),
            ("GROẞ und groß", "GROss und gross"),
            ("Zoë 東京 がか 한국", "Zoe 東京 がか 한국"),
            ("plain", "plain"),
        ] {
            assert_eq!(unaccented(name), plain);
        }
    }

    #[test]
    fn words_are_folded() {
        assert_eq!(words("Zoë's CAFÉ, über-cool"), ["zoe", "cafe", "uber", "cool"]);
        assert_eq!(words("東京都 x"), ["東京", "京都", "東", "京", "都", "x"]);
        assert_eq!(words("ab東京cd"), ["ab", "東京", "東", "京", "cd"]);
        // A mark after an ASCII letter; letters that become ASCII, or several; a final genitive.
        assert_eq!(words("cafe\u{301}s ﬁle ＡＢ İx"), ["cafes", "file", "ab", "ix"]);
        assert_eq!(words("Ben’s tea, Ana's"), ["ben", "tea", "ana"]);
        assert_eq!(words("Ana's tea's 's"), ["ana", "tea"]);
        assert_eq!(Stems::default().of_text("went running tests"), ["go", "run", "test"]);
    }
}
