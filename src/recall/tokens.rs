//! Words as they are compared: lower case, no accents, stemmed; runs of CJK as overlapping pairs.

use rust_stemmers::{Algorithm, Stemmer};
use unicode_normalization::{UnicodeNormalization, char::is_combining_mark};

/// Words too common to tell facts apart.
const STOP_WORDS: &[&str] = &[
    "a",
    "about",
    "above",
    "after",
    "again",
    "against",
    "all",
    "also",
    "am",
    "an",
    "and",
    "any",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "being",
    "below",
    "between",
    "both",
    "but",
    "by",
    "can",
    "could",
    "did",
    "do",
    "does",
    "doing",
    "don",
    "down",
    "during",
    "each",
    "ever",
    "few",
    "for",
    "from",
    "further",
    "had",
    "has",
    "have",
    "having",
    "he",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "how",
    "i",
    "if",
    "in",
    "into",
    "is",
    "it",
    "its",
    "itself",
    "just",
    "ll",
    "me",
    "might",
    "more",
    "most",
    "must",
    "my",
    "myself",
    "no",
    "nor",
    "not",
    "now",
    "of",
    "off",
    "on",
    "once",
    "only",
    "or",
    "other",
    "our",
    "ours",
    "ourselves",
    "out",
    "over",
    "own",
    "re",
    "s",
    "same",
    "shall",
    "she",
    "should",
    "so",
    "some",
    "such",
    "t",
    "than",
    "that",
    "the",
    "their",
    "theirs",
    "them",
    "themselves",
    "then",
    "there",
    "these",
    "they",
    "this",
    "those",
    "through",
    "to",
    "too",
    "under",
    "until",
    "up",
    "us",
    "ve",
    "very",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whom",
    "whose",
    "why",
    "will",
    "with",
    "would",
    "you",
    "your",
    "yours",
    "yourself",
    "yourselves",
];

/// Past forms that no stemmer brings back to their verb.
const IRREGULAR: &[(&str, &str)] = &[
    ("ate", "eat"),
    ("became", "become"),
    ("began", "begin"),
    ("bought", "buy"),
    ("brought", "bring"),
    ("built", "build"),
    ("came", "come"),
    ("caught", "catch"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("drank", "drink"),
    ("drove", "drive"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("found", "find"),
    ("gave", "give"),
    ("given", "give"),
    ("gone", "go"),
    ("grew", "grow"),
    ("held", "hold"),
    ("kept", "keep"),
    ("knew", "know"),
    ("known", "know"),
    ("learnt", "learn"),
    ("left", "leave"),
    ("lost", "lose"),
    ("made", "make"),
    ("meant", "mean"),
    ("met", "meet"),
    ("paid", "pay"),
    ("ran", "run"),
    ("said", "say"),
    ("sang", "sing"),
    ("sat", "sit"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("slept", "sleep"),
    ("sold", "sell"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("swam", "swim"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thought", "think"),
    ("threw", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("went", "go"),
    ("woke", "wake"),
    ("won", "win"),
    ("wore", "wear"),
    ("written", "write"),
    ("wrote", "write"),
];

pub fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// The words of a text, lower case and without accents, in order.
pub fn words(text: &str) -> Vec<String> {
    // Most texts; nothing in them has to be folded or decomposed.
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

/// Overlapping pairs and single letters of a run.
fn flush_pairs(cjk: &mut Vec<char>, words: &mut Vec<String>) {
    words.extend(cjk.windows(2).map(|pair| pair.iter().collect::<String>()));
    words.extend(cjk.iter().map(char::to_string));
    cjk.clear();
}

/// Particles, pronouns and question words of Chinese; longer ones first.
const PARTICLES: &[&str] = &[
    "为什么",
    "什么时候",
    "什么",
    "怎么样",
    "怎么",
    "怎样",
    "哪里",
    "哪儿",
    "哪个",
    "哪些",
    "多少",
    "有没有",
    "是不是",
    "我们",
    "你们",
    "他们",
    "她们",
    "它们",
    "这个",
    "那个",
    "哪",
    "谁",
    "几",
    "吗",
    "呢",
    "吧",
    "啊",
    "的",
    "地",
    "得",
    "了",
    "着",
    "过",
    "是",
    "在",
    "我",
    "你",
    "您",
    "他",
    "她",
    "它",
    "和",
    "与",
    "也",
    "都",
    "就",
    "很",
    "这",
    "那",
    "个",
    "有",
    "要",
    "会",
    "请",
];

/// The words of a question that tell something; all of them where none does.
pub fn telling(text: &str) -> Vec<String> {
    let mut cut = text.to_owned();
    for particle in PARTICLES.iter().filter(|_| text.contains(is_cjk)) {
        cut = cut.replace(particle, " ");
    }
    let telling = words(&cut).into_iter().filter(|word| !is_stop_word(word));
    let telling: Vec<String> = telling.collect();
    if telling.is_empty() { words(text) } else { telling }
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
    pub fn of(&self, word: &str) -> String {
        let base = IRREGULAR
            .binary_search_by_key(&word, |(past, _)| past)
            .map_or(word, |at| IRREGULAR[at].1);
        self.stemmer.stem(base).into_owned()
    }

    pub fn of_text(&self, text: &str) -> Vec<String> {
        words(text).iter().map(|word| self.of(word)).collect()
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
