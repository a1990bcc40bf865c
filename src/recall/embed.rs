//! The built-in embedder: a static table of word pieces; a text's vector is the mean of its pieces.
//!
//! Invariant: pure and stateless; the same text gives the same vector everywhere. Source of the
//! table: `models/NOTICE`; of the tokens: "BERT: Pre-training of Deep Bidirectional Transformers"
//! (Devlin et al., 2018), uncased.

use super::{word_hash::ByWord, wordpiece};
use std::ops::Range;

pub const DIMENSIONS: usize = 256;
const TABLE: &[u8] = include_bytes!("../../models/minilm-static-256-i8.safetensors");
/// After an 8-byte length and a 160-byte header: f16 scales, then rows of i8.
const SCALES: usize = 8 + 160;
const ROWS: usize = SCALES + 2 * wordpiece::COUNT;

/// Unit length, or all zeros for a text without known words.
#[derive(Clone, PartialEq, Debug)]
pub struct Vector(pub Vec<f32>);

pub fn embed(text: &str) -> Vector {
    mean(wordpiece::tokens(text).into_iter())
}

/// Turns texts into vectors; only vectors of the same model are comparable.
pub trait Embedder {
    /// Identifies the model wherever its vectors are stored.
    fn model(&self) -> String;

    /// One vector per text, in order. Fails if the model cannot be reached.
    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError>;
}

/// Why a model returned no vectors.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct EmbedError(pub String);

/// The built-in table. Caches the pieces of each word, and rows of the table.
#[derive(Default)]
pub struct BuiltIn {
    /// Where the pieces of each word are.
    known: ByWord<Range<usize>>,
    pieces: Vec<u16>,
    rows: Rows,
}

/// How many words are known before the cache begins anew.
const WORDS: usize = 16_384;

impl Embedder for BuiltIn {
    fn model(&self) -> String {
        "minilm-static-256".to_owned()
    }

    fn embed(&mut self, texts: &[&str]) -> Result<Vec<Vector>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }
}

impl BuiltIn {
    pub fn vector(&mut self, text: &str) -> Vector {
        let BuiltIn { known, pieces, rows } = self;
        if known.len() > WORDS {
            known.clear();
            pieces.clear();
        }
        let mut sum = Row([0.0; DIMENSIONS]);
        wordpiece::each_word(text, |word| {
            let of_word = match known.get(word) {
                Some(of_word) => of_word.clone(),
                None => {
                    let start = pieces.len();
                    wordpiece::pieces(word, pieces);
                    known.insert(word.into(), start..pieces.len());
                    start..pieces.len()
                }
            };
            for token in &pieces[of_word] {
                rows.add(*token, &mut sum);
            }
        });
        rows.add_waiting(&mut sum);
        Vector(sum.0.to_vec()).normalised()
    }
}

/// How many rows are kept.
const KEPT: usize = 512;

/// How many rows are added in one pass over a sum.
const TOGETHER: usize = 8;

/// Aligned, so that a processor adds it from where it is.
#[derive(Clone, Copy)]
#[repr(align(16))]
struct Row([f32; DIMENSIONS]);

/// Rows of the table as numbers: those of the tokens that came first, which are mostly those that
/// come often.
#[derive(Default)]
struct Rows {
    /// By token: the place of its row, from 1; 0 if it is not kept. Empty before the first.
    places: Vec<u16>,
    /// Those that are kept, and then others until they are added.
    rows: Vec<Row>,
    /// The places of the rows that are to be added next, in their order.
    waiting: [usize; TOGETHER],
    count: usize,
}

impl Rows {
    /// Adds the row of a token, together with the next ones.
    fn add(&mut self, token: u16, sum: &mut Row) {
        self.waiting[self.count] = self.place(token);
        self.count += 1;
        if self.count == TOGETHER {
            self.add_waiting(sum);
        }
    }

    /// To be called after the last token.
    fn add_waiting(&mut self, sum: &mut Row) {
        if self.count == TOGETHER {
            add(self.waiting.map(|place| &self.rows[place]), sum);
        } else {
            for place in &self.waiting[..self.count] {
                add([&self.rows[*place]], sum);
            }
        }
        self.count = 0;
        self.rows.truncate(KEPT);
    }

    /// The place of a token's row.
    fn place(&mut self, token: u16) -> usize {
        if self.places.is_empty() {
            self.places = vec![0; wordpiece::COUNT];
            self.rows = Vec::with_capacity(KEPT + TOGETHER);
        }
        let place = &mut self.places[usize::from(token)];
        if let Some(at) = usize::from(*place).checked_sub(1) {
            return at;
        }
        self.rows.push(numbers(token));
        if self.rows.len() <= KEPT {
            *place = self.rows.len() as u16;
        }
        self.rows.len() - 1
    }
}

/// Adds rows one after the other, so that a sum is the same however many are added at a time.
fn add<const COUNT: usize>(rows: [&Row; COUNT], sum: &mut Row) {
    for (at, sum) in sum.0.iter_mut().enumerate() {
        *sum = rows.iter().fold(*sum, |sum, row| sum + row.0[at]);
    }
}

/// The normalised mean of the tokens' rows.
fn mean(tokens: impl Iterator<Item = u16>) -> Vector {
    let mut sum = Row([0.0; DIMENSIONS]);
    for token in tokens {
        add([&numbers(token)], &mut sum);
    }
    Vector(sum.0.to_vec()).normalised()
}

impl Vector {
    /// Scaled to unit length; a zero vector stays zero.
    pub(super) fn normalised(mut self) -> Vector {
        let length = self.0.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            self.0.iter_mut().for_each(|value| *value /= length);
        }
        self
    }
}

/// The row of a token.
fn numbers(token: u16) -> Row {
    let token = usize::from(token);
    let (scale, row) = (SCALES + 2 * token, ROWS + DIMENSIONS * token);
    let scale = half([TABLE[scale], TABLE[scale + 1]]);
    let mut numbers = [0.0; DIMENSIONS];
    for (number, value) in numbers.iter_mut().zip(&TABLE[row..row + DIMENSIONS]) {
        *number = scale * f32::from(value.cast_signed());
    }
    Row(numbers)
}

/// A 16-bit float, little-endian.
pub(super) fn half(bytes: [u8; 2]) -> f32 {
    let bits = u16::from_le_bytes(bytes);
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f32::from(bits & 0x3ff);
    let size = match exponent {
        0 => fraction * 2_f32.powi(-24),
        _ => (1.0 + fraction / 1024.0) * 2_f32.powi(exponent - 15),
    };
    if bits >> 15 == 1 { -size } else { size }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &Vector, b: &Vector) -> f32 {
        a.0.iter().zip(&b.0).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn the_table_has_the_layout_that_is_read() {
        let length = u64::from_le_bytes(TABLE[..8].try_into().expect("eight bytes"));
        assert_eq!(length as usize + 8, SCALES);
        let head = std::str::from_utf8(&TABLE[8..SCALES]).expect("a description");
        assert!(head.contains("\"row_scale_f16\":{\"dtype\":\"F16\",\"shape\":[30522]"), "{head}");
        assert!(
            head.contains("\"embeddings_i8\":{\"dtype\":\"I8\",\"shape\":[30522,256]"),
            "{head}"
        );
        assert_eq!(TABLE.len(), ROWS + DIMENSIONS * wordpiece::COUNT);
    }

    #[test]
    fn vectors_are_those_of_the_reference() {
        let text = include_str!("../../models/reference.json");
        let cases: Vec<serde_json::Value> = serde_json::from_str(text).expect("JSON");
        let mut embedder = BuiltIn::default();
        for case in &cases {
            let text = case["text"].as_str().expect("a text");
            let ids: Vec<u16> = serde_json::from_value(case["token_ids"].clone()).expect("ids");
            assert_eq!(wordpiece::tokens(text), ids, "{text}");
            let wanted: Vec<f32> = serde_json::from_value(case["embedding"].clone()).expect("it");
            let wanted = Vector(wanted);
            let (one, many) = (embed(text), embedder.vector(text));
            assert_eq!(one, many);
            let both_nothing = ids.is_empty() && one.0 == [0.0; DIMENSIONS];
            assert!(both_nothing || cosine(&one, &wanted) >= 0.9999, "{text}");
        }
        assert!(cases.len() > 5);
    }

    #[test]
    fn rows_that_are_not_kept_are_added_as_well() {
        let vocabulary = include_str!("../../models/vocab.txt").lines();
        let is_word = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
        let words: Vec<&str> = vocabulary.filter(is_word).take(3 * KEPT).collect();
        assert_eq!(words.len(), 3 * KEPT);
        let mut embedder = BuiltIn::default();
        for some in words.chunks(100).chain(words.chunks(7)).chain(words.chunks(8)) {
            let text = some.join(" ");
            assert_eq!(embedder.vector(&text), embed(&text), "{text}");
        }
    }

    #[test]
    fn other_words_for_the_same_are_near() {
        let cos = |a, b| cosine(&embed(a), &embed(b));
        assert!(cos("climate change", "global warming") > 0.5);
        assert!(cos("climate change", "a recipe for bread") < 0.2);
        assert_eq!(embed("").0, [0.0; DIMENSIONS]);
    }
}
