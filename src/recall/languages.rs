//! Which of six languages a question is in, told by its function words; what its words are in
//! another form.
//!
//! Invariant: pure; English is read as if there were no other language, and the stems of the index
//! are the same for all: other forms of a word are looked for among the words that texts have.
//! Source of the function words: the stop words of Snowball (snowballstem.org, BSD licence), with
//! question words added.

use super::{corpus::Corpus, tokens, wordpiece};
use rust_stemmers::{Algorithm, Stemmer};
use std::sync::LazyLock;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    German,
    French,
    Spanish,
    Italian,
    Portuguese,
    Dutch,
}

/// In the order of [`Language::ALL`], each sorted.
static FUNCTION_WORDS: LazyLock<[Vec<&str>; 6]> = LazyLock::new(|| {
    [
        include_str!("words/of_languages/german.txt"),
        include_str!("words/of_languages/french.txt"),
        include_str!("words/of_languages/spanish.txt"),
        include_str!("words/of_languages/italian.txt"),
        include_str!("words/of_languages/portuguese.txt"),
        include_str!("words/of_languages/dutch.txt"),
    ]
    .map(|words| words.split_whitespace().collect())
});

/// Function words of other languages that are words, names or abbreviations of English, too.
static ALSO_ENGLISH: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/also_english.txt").split_whitespace().collect());

/// How many letters at the beginning of a word all its forms share.
const BEGINNING: usize = 3;
/// A function word this long tells its language alone: shorter ones are names, too.
const TELLING: usize = 5;

impl Language {
    const ALL: [Language; 6] = [
        Language::German,
        Language::French,
        Language::Spanish,
        Language::Italian,
        Language::Portuguese,
        Language::Dutch,
    ];

    /// Whether a folded word says little in this language.
    pub fn has_function_word(self, word: &str) -> bool {
        FUNCTION_WORDS[self as usize].binary_search(&word).is_ok()
    }

    fn stemmer(self) -> Stemmer {
        Stemmer::create(match self {
            Language::German => Algorithm::German,
            Language::French => Algorithm::French,
            Language::Spanish => Algorithm::Spanish,
            Language::Italian => Algorithm::Italian,
            Language::Portuguese => Algorithm::Portuguese,
            Language::Dutch => Algorithm::Dutch,
        })
    }

    /// Whether a function word is of this language and not English.
    fn is_own(self, word: &str) -> bool {
        self.has_function_word(word)
            && !tokens::is_stop_word(word)
            && ALSO_ENGLISH.binary_search(&word).is_err()
    }

    /// How many function words are of this language and not English.
    fn own(self, words: &[String]) -> usize {
        words.iter().filter(|word| self.is_own(word)).map(|word| weight(word)).sum()
    }

    /// Whether a text has more of this language than one short word: "Mia birthday" has a name.
    fn is_told(self, words: &[String]) -> bool {
        let is_telling = |word: &String| word.chars().count() >= TELLING && self.is_own(word);
        words.iter().filter(|word| self.has_function_word(word)).nth(1).is_some()
            || words.iter().any(is_telling)
    }

    /// How many function words are English and not of this language.
    fn english(self, words: &[String]) -> usize {
        let is_english =
            |word: &&String| tokens::is_stop_word(word) && !self.has_function_word(word);
        words.iter().filter(is_english).map(|word| weight(word)).sum()
    }
}

/// A long word is hardly one of another language by chance; a single letter says nothing.
fn weight(word: &str) -> usize {
    match word.chars().count() {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 2,
    }
}

/// Whether a folded word says little in English or in any other of the languages.
pub(super) fn is_function_word(word: &str) -> bool {
    tokens::is_stop_word(word)
        || Language::ALL.iter().any(|language| language.has_function_word(word))
}

/// The languages of a question: none for English, for one without function words, and for one whose
/// only such word may be a name.
pub fn of_text(text: &str) -> Vec<Language> {
    let words = tokens::words(text);
    let told = by_own_words(&words);
    if told.is_empty() { by_shared_words(text, &words) } else { told }
}

/// Those of the most function words, if these are more than the English ones.
fn by_own_words(words: &[String]) -> Vec<Language> {
    let counts = Language::ALL.map(|language| (language, language.own(words)));
    let most = counts.iter().map(|(_, own)| *own).max().unwrap_or(0);
    let is_spoken = |(language, own): &(Language, usize)| {
        let is_most = *own > 0 && *own == most && *own > language.english(words);
        is_most && language.is_told(words)
    };
    counts.into_iter().filter(is_spoken).map(|(language, _)| language).collect()
}

/// Those of the most function words, where English has these as well, as in "Was kostet die Karte":
/// only if the other words do not look English, and none is a function word of English alone.
fn by_shared_words(text: &str, words: &[String]) -> Vec<Language> {
    let is_function_word =
        |word: &str| Language::ALL.iter().any(|language| language.has_function_word(word));
    let of = |language: Language| count(words, |word| language.has_function_word(word));
    let most = Language::ALL.into_iter().map(of).max().unwrap_or(0);
    let is_english = |word: &String| tokens::is_stop_word(word) && !is_function_word(word);
    if most < 2 || words.iter().any(is_english) || !looks_foreign(text, words, is_function_word) {
        return Vec::new();
    }
    let is_spoken = |language: &Language| {
        let is_own = |word: &str| language.has_function_word(word) && !tokens::is_stop_word(word);
        let lacks = |word: &String| tokens::is_stop_word(word) && !language.has_function_word(word);
        of(*language) == most && count(words, is_own) > 0 && !words.iter().any(lacks)
    };
    Language::ALL.into_iter().filter(is_spoken).collect()
}

/// Whether a text has letters that English lacks, or mostly words that the vocabulary lacks.
fn looks_foreign(text: &str, words: &[String], says_little: impl Fn(&str) -> bool) -> bool {
    let is_foreign =
        |letter: char| letter.is_alphabetic() && !letter.is_ascii() && !tokens::is_cjk(letter);
    let rest = || words.iter().filter(|word| !says_little(word) && !tokens::is_stop_word(word));
    let unknown = rest().filter(|word| !wordpiece::is_word(word)).count();
    text.contains(is_foreign) || unknown * 2 > rest().count()
}

/// Whether the folded words of a text are in one of these languages rather than in another one or
/// in English. Looser than for a question: that there is another language is known.
pub(super) fn are_in(words: &[String], languages: &[Language]) -> bool {
    let of = |language: Language| count(words, |word| language.has_function_word(word));
    let most = Language::ALL.into_iter().map(of).max().unwrap_or(0);
    most > count(words, tokens::is_stop_word)
        && languages.iter().any(|language| of(*language) == most)
}

/// How many words are such, but for single letters.
fn count(words: &[String], is_such: impl Fn(&str) -> bool) -> usize {
    words.iter().filter(|word| weight(word) > 0 && is_such(word)).count()
}

/// Particles, pronouns and question words of Chinese; longer ones first.
static PARTICLES: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("words/particles.txt").split_whitespace().collect());

/// The significant words of a query in these languages, or all words if none is significant.
pub fn telling(text: &str, languages: &[Language]) -> Vec<String> {
    let mut cut = text.to_owned();
    for particle in PARTICLES.iter().filter(|_| text.contains(tokens::is_cjk)) {
        cut = cut.replace(particle, " ");
    }
    let says_little = |word: &String| {
        tokens::is_stop_word(word) || languages.iter().any(|one| one.has_function_word(word))
    };
    let telling: Vec<String> =
        tokens::words(&cut).into_iter().filter(|word| !says_little(word)).collect();
    if telling.is_empty() { tokens::words(text) } else { telling }
}

/// The other forms of a folded word that texts have: those with its stem in one of the languages.
pub(super) fn forms(word: &str, languages: &[Language], corpus: &dyn Corpus) -> Vec<String> {
    let beginning: String = word.chars().take(BEGINNING).collect();
    if languages.is_empty() || beginning.len() == word.len() {
        return Vec::new();
    }
    let known = corpus.beginning_with(&beginning);
    let mut found = Vec::new();
    for language in languages {
        let stemmer = language.stemmer();
        let stem = stemmer.stem(word).into_owned();
        let others = known.all().filter(|other| other.text != word);
        let same = others.filter(|other| stemmer.stem(other.text) == stem);
        found.extend(same.map(|other| other.text.to_owned()));
    }
    found.sort_unstable();
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{Candidate, Collection};

    fn of(text: &str) -> Vec<Language> {
        of_text(text)
    }

    #[test]
    fn tables_are_sorted() {
        assert!(ALSO_ENGLISH.is_sorted());
        assert!(FUNCTION_WORDS.iter().all(|words| words.is_sorted() && !words.is_empty()));
    }

    #[test]
    fn a_question_is_in_the_language_of_its_function_words() {
        for (text, language) in [
            ("Wie heißt meine Schwester?", Language::German),
            ("In welcher Stadt wohnt Anna", Language::German),
            ("was ist mein Lieblingseditor", Language::German),
            ("Quel est mon éditeur préféré ?", Language::French),
            ("où habite ma sœur et pourquoi", Language::French),
            ("¿Dónde trabaja mi hermana?", Language::Spanish),
            ("cuándo es el cumpleaños de Ana", Language::Spanish),
            ("Dove abita mia sorella e quando parte", Language::Italian),
            ("qual è il mio colore preferito", Language::Italian),
            ("Onde trabalha a minha irmã?", Language::Portuguese),
            ("qual é o meu editor favorito", Language::Portuguese),
            ("Waar woont mijn zus", Language::Dutch),
            ("welke editor gebruik ik het liefst", Language::Dutch),
            ("Wer repariert unsere Heizung?", Language::German),
            ("¿Qué me regaló mi novia?", Language::Spanish),
            ("que me regalo mi novia", Language::Spanish),
            ("che cosa mangio stasera", Language::Italian),
            ("con qué cobramos en la tienda", Language::Spanish),
        ] {
            assert_eq!(of(text), [language], "{text}");
        }
    }

    #[test]
    fn english_and_bare_words_have_no_other_language() {
        for text in [
            "who did the die casting",
            "was the war in the South on TV?",
            "what am I to do in Los Angeles",
            "how does he pour his tea",
            "is la liga on at ten",
            "dont forget the om mani padme hum",
            "pytest fixtures",
            "Müller Straße 12",
            "我喜欢什么茶",
            "im looking for an editor",
            "Mia birthday",
            "Sean de Souza phone",
            "Sara's phone and fax",
            "no soy milk",
            "arduino uno",
            "comment style",
            "todo list",
            "MIT license",
            "may I allocate dynamically in firmware",
            "fahrenheit o no",
            "Café Müller",
            "Zoë Straße 12 phone",
            "",
        ] {
            assert!(of(text).is_empty(), "{text}: {:?}", of(text));
        }
    }

    #[test]
    fn a_text_is_in_the_language_that_most_of_its_function_words_are_of() {
        for (text, language, other) in [
            ("Le bureau ouvre à 8 h 45", Language::French, Language::German),
            ("Notre véhicule est une Kangoo de 2016", Language::French, Language::Spanish),
            ("Der Kleine braucht Schuhe in 29", Language::German, Language::French),
            ("Los lácteos me sientan mal", Language::Spanish, Language::Portuguese),
            ("Em agosto estivemos nos Açores", Language::Portuguese, Language::Spanish),
            ("Il dentista è in via Roma", Language::Italian, Language::French),
            ("De fiets staat in het schuurtje", Language::Dutch, Language::German),
        ] {
            let words = tokens::words(text);
            assert!(are_in(&words, &[language]) && !are_in(&words, &[other]), "{text}");
        }
        for english in [
            "The garage is on the left",
            "Likes tea",
            "Has a sister in Leeds",
            "Branches look like initials, e.g. kl/412",
            "",
        ] {
            assert!(!are_in(&tokens::words(english), &Language::ALL), "{english}");
        }
    }

    #[test]
    fn a_word_finds_its_other_forms() {
        let bodies = [
            "Mag alte Bücher",
            "Das Haus in der Strasse",
            "Prefiere los colores claros",
            "Gli piacciono i libri",
            "Booking a flight",
        ];
        let candidate =
            |body: &&str| Candidate { body: (*body).to_owned(), ..Candidate::default() };
        let all = Collection::new(&bodies.iter().map(candidate).collect::<Vec<_>>());
        for (word, language, form) in [
            ("buch", Language::German, "bucher"),
            ("straße", Language::German, "strasse"),
            ("color", Language::Spanish, "colores"),
            ("libro", Language::Italian, "libri"),
        ] {
            assert_eq!(forms(word, &[language], &all), [form], "{word}");
        }
        assert!(forms("buch", &[], &all).is_empty());
        assert!(forms("das", &[Language::German], &all).is_empty());
    }
}
