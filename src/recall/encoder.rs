//! The built-in encoder: its vector captures what the words of a sentence mean together, and is
//! near that of a question that the sentence answers.
//!
//! Invariant: pure; on one machine, the same text gives the same vector, alone or among others.
//! Loaded on first use, never at startup. Source of the weights: `models/NOTICE`, and how they were
//! trained: `models/README.md`; of the model: "MiniLM: Deep Self-Attention Distillation" (Wang et
//! al., 2020) and "Sentence-BERT" (Reimers and Gurevych, 2019).

use super::{
    embed::{Vector, half},
    wordpiece,
};
use co_cli_encoder_layers::{Layers, Scratch};
use std::{
    cmp::Reverse,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Identifies the model where its vectors are stored: another model or weights need a new name.
pub const MODEL: &str = "facts-l6-i8";
pub const DIMENSIONS: usize = co_cli_encoder_layers::WIDTH;
/// Tokens of a text, including the enclosing two: anything beyond is ignored.
const MAX: usize = 128;
const BEFORE: u16 = 101;
const BEHIND: u16 = 102;
/// Strings that the model was trained to read as one token.
const SPECIAL: [(&str, u16); 5] = [
    ("[PAD]", 0),
    ("[UNK]", wordpiece::UNKNOWN),
    ("[CLS]", BEFORE),
    ("[SEP]", BEHIND),
    ("[MASK]", 103),
];

/// The embedding table, split between two rows so that each half fits into a crate.
const FIRST: &[u8] = co_cli_encoder_words_1::BYTES;
const REST: &[u8] = co_cli_encoder_words_2::BYTES;
/// After an 8-byte length and a 312-byte header: f16 scales of positions and of words, then the i8
/// rows of both.
const POSITION_SCALES: usize = 8 + 312;
const WORD_SCALES: usize = POSITION_SCALES + 2 * MAX;
const POSITIONS: usize = WORD_SCALES + 2 * wordpiece::COUNT;
const WORDS: usize = POSITIONS + DIMENSIONS * MAX;

pub struct Encoder {
    layers: Layers,
}

impl Encoder {
    pub fn load() -> Encoder {
        Encoder { layers: Layers::load() }
    }

    /// A zero vector for a text without tokens.
    pub fn vector(&self, text: &str) -> Vector {
        self.encoded(text, &mut Scratch::default())
    }

    /// One vector per text, in order, on all cores.
    pub fn vectors(&self, texts: &[&str]) -> Vec<Vector> {
        if let [text] = texts {
            return vec![self.vector(text)];
        }
        // The longest first, so that no core waits long for another at the end.
        let mut order: Vec<usize> = (0..texts.len()).collect();
        order.sort_by_key(|at| Reverse(texts[*at].len()));
        let next = AtomicUsize::new(0);
        let encoded = || {
            let (mut scratch, mut done) = (Scratch::default(), Vec::new());
            while let Some(at) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                done.push((*at, self.encoded(texts[*at], &mut scratch)));
            }
            done
        };
        let mut vectors = vec![Vector(Vec::new()); texts.len()];
        // Not threads of rayon: one that waits for a pool begins the next text meanwhile, until all
        // texts take the cores from each other.
        thread::scope(|scope| {
            let count = rayon::current_num_threads().min(texts.len());
            let threads: Vec<_> = (0..count).map(|_| scope.spawn(encoded)).collect();
            for thread in threads {
                let done = thread.join().expect("because the layers take any text");
                done.into_iter().for_each(|(at, vector)| vectors[at] = vector);
            }
        });
        vectors
    }

    fn encoded(&self, text: &str, scratch: &mut Scratch) -> Vector {
        let ids = ids(text);
        if ids.is_empty() {
            return Vector(vec![0.0; DIMENSIONS]);
        }
        let mut embedded = Vec::with_capacity(ids.len() * DIMENSIONS);
        for (at, id) in ids.iter().enumerate() {
            let (scale, row) = word(usize::from(*id));
            let (place_scale, place) = position(at);
            let both = row.iter().zip(place);
            embedded.extend(both.map(|(word, place)| {
                f32::from(word.cast_signed()) * scale + f32::from(place.cast_signed()) * place_scale
            }));
        }
        Vector(self.layers.mean(&embedded, scratch).to_vec()).normalised()
    }
}

/// The tokens of a text, enclosed by the two special ones; empty for a text without tokens.
pub fn ids(text: &str) -> Vec<u16> {
    let mut ids = vec![BEFORE];
    let mut rest = text;
    loop {
        let special = SPECIAL.iter().filter_map(|(name, id)| Some((rest.find(name)?, name, *id)));
        let first = special.min();
        let (plain, behind) = match first {
            Some((at, name, _)) => (&rest[..at], &rest[at + name.len()..]),
            None => (rest, ""),
        };
        add_words(plain, &mut ids);
        ids.extend(first.map(|(_, _, id)| id));
        rest = behind;
        if rest.is_empty() || ids.len() >= MAX {
            break;
        }
    }
    if ids.len() == 1 {
        return Vec::new();
    }
    ids.truncate(MAX - 1);
    ids.push(BEHIND);
    ids
}

fn add_words(text: &str, ids: &mut Vec<u16>) {
    wordpiece::each_word(text, |word| {
        if ids.len() >= MAX {
            return;
        }
        let before = ids.len();
        wordpiece::pieces(word, ids);
        if ids.len() == before {
            ids.push(wordpiece::UNKNOWN);
        }
    });
}

fn word(id: usize) -> (f32, &'static [u8]) {
    let scale = WORD_SCALES + 2 * id;
    let row = WORDS + DIMENSIONS * id;
    let row = match row.checked_sub(FIRST.len()) {
        None => &FIRST[row..row + DIMENSIONS],
        Some(row) => &REST[row..row + DIMENSIONS],
    };
    (half([FIRST[scale], FIRST[scale + 1]]), row)
}

fn position(at: usize) -> (f32, &'static [u8]) {
    let scale = POSITION_SCALES + 2 * at;
    let row = POSITIONS + DIMENSIONS * at;
    (half([FIRST[scale], FIRST[scale + 1]]), &FIRST[row..row + DIMENSIONS])
}

#[cfg(test)]
mod tests {
    use super::*;
    use sha2::{Digest, Sha256};

    fn cosine(a: &Vector, b: &Vector) -> f32 {
        a.0.iter().zip(&b.0).map(|(a, b)| a * b).sum()
    }

    fn hex(parts: &[&[u8]]) -> String {
        let mut hash = Sha256::new();
        parts.iter().for_each(|part| hash.update(part));
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn the_files_are_those_that_were_measured() {
        let layers = "679689dfcc42b4cc6e2dd3f4c5ee2a371001e5e8db405b24cc62883efa702dd6";
        assert_eq!(hex(&[Layers::bytes()]), layers);
        let table = "913d73e4656ec26f3b8cf2df0c3442da8e0fcdc1af3532b63471ba1740251d66";
        assert_eq!(hex(&[FIRST, REST]), table);
        let length = u64::from_le_bytes(FIRST[..8].try_into().expect("eight bytes"));
        assert_eq!(length as usize + 8, POSITION_SCALES);
        assert_eq!(FIRST.len() + REST.len(), WORDS + DIMENSIONS * wordpiece::COUNT);
        assert_eq!((FIRST.len() - WORDS) % DIMENSIONS, 0, "cut between two rows");
    }

    #[test]
    fn vectors_are_those_of_the_reference() {
        let text = include_str!("../../models/facts-l6-reference.json");
        let reference: serde_json::Value = serde_json::from_str(text).expect("JSON");
        let encoder = Encoder::load();
        let mut cosines = Vec::new();
        for case in reference["texts"].as_array().expect("texts") {
            let text = case["text"].as_str().expect("a text");
            let wanted: Vec<u16> = serde_json::from_value(case["ids"].clone()).expect("ids");
            assert_eq!(ids(text), wanted, "{text:?}");
            let vector = encoder.vector(text);
            if wanted.is_empty() {
                assert_eq!(vector.0, [0.0; DIMENSIONS], "{text:?}");
                continue;
            }
            let wanted = serde_json::from_value(case["vector"].clone()).expect("a vector");
            let cosine = cosine(&vector, &Vector(wanted));
            assert!(cosine >= 0.985, "{cosine} {text:?}");
            cosines.push(cosine);
        }
        let mean = cosines.iter().sum::<f32>() / cosines.len() as f32;
        assert!(cosines.len() > 50 && mean >= 0.995, "{mean} of {}", cosines.len());
    }

    #[test]
    fn other_texts_change_no_vector() {
        let long = "tea ".repeat(300);
        let texts =
            ["I report to Sabine", "Who is my boss?", "", "茶", &long, "tea", "a b c d e f"];
        let encoder = Encoder::load();
        for (text, vector) in texts.iter().zip(encoder.vectors(&texts)) {
            assert_eq!(encoder.vector(text), vector, "{text:?}");
        }
    }

    #[test]
    fn a_sentence_is_more_than_its_words() {
        let encoder = Encoder::load();
        let cos = |a, b| cosine(&encoder.vector(a), &encoder.vector(b));
        assert!(cos("who is my boss", "I report to Sabine") > cos("who is my boss", "Likes tea"));
    }
}
