//! Words in the form that is compared: lower case, no accents, stemmed; CJK as overlapping bigrams.

use rust_stemmers::{Algorithm, Stemmer};
use std::sync::LazyLock;
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
    // Most texts: nothing in them needs folding or decomposing.
    if text.is_ascii() {
        let owned = text.replace("'s ", " ");
        return split(
            owned.trim_end_matches("'s").chars().map(|letter| letter.to_ascii_lowercase()),
        );
    }
    let owned = text.replace('’', "'").replace("'s ", " ");
    let letters = owned.trim_end_matches("'s").nfkd();
    split(letters.filter(|letter| !is_combining_mark(*letter)).flat_map(char::to_lowercase))
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

fn split(letters: impl Iterator<Item = char>) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut cjk: Vec<char> = Vec::new();
    for letter in letters.chain([' ']) {
        if is_cjk(letter) {
            flush_word(&mut word, &mut words);
            cjk.push(letter);
            continue;
        }
        flush_pairs(&mut cjk, &mut words);
        if letter.is_alphanumeric() {
            word.push(letter);
        } else {
            flush_word(&mut word, &mut words);
        }
    }
    words
}

fn flush_word(word: &mut String, words: &mut Vec<String>) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

/// Overlapping pairs and single characters of a run.
fn flush_pairs(cjk: &mut Vec<char>, words: &mut Vec<String>) {
    words.extend(cjk.windows(2).map(|pair| pair.iter().collect::<String>()));
    words.extend(cjk.iter().map(char::to_string));
    cjk.clear();
}

/// Particles, pronouns and question words of Chinese; longer ones first.
static PARTICLES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/particles.txt").split_whitespace().collect());

/// The significant words of a query, or all words if none is significant.
pub fn telling(text: &str) -> Vec<String> {
    let mut cut = text.to_owned();
    for particle in PARTICLES.iter().filter(|_| text.contains(is_cjk)) {
        cut = cut.replace(particle, " ");
    }
    let telling = words(&cut).into_iter().filter(|word| !is_stop_word(word));
    let telling: Vec<String> = telling.collect();
    if telling.is_empty() { words(text) } else { telling }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
        assert!(IRREGULAR.is_sorted());
    }

    #[test]
    fn words_are_folded() {
        assert_eq!(words("Zoë's CAFÉ, über-cool"), ["zoe", "cafe", "uber", "cool"]);
        assert_eq!(words("東京都 x"), ["東京", "京都", "東", "京", "都", "x"]);
        assert_eq!(Stems::default().of_text("went running tests"), ["go", "run", "test"]);
    }
}
