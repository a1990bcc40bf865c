//! Cosines of one vector with others that pass by and are not kept.
//!
//! Invariant: pure; the same as those of vectors that are kept.

use super::vectors::Packed;
use co_cli_encoder_layers::product;

/// A vector in the form in which many are compared with it.
pub struct Compared {
    scale: f32,
    wide: Vec<i16>,
}

impl Compared {
    pub fn new(with: &Packed) -> Compared {
        Compared { scale: with.scale, wide: with.wide() }
    }

    /// The cosine with a vector from [`Packed::to_bytes`]; 0 if either is a zero vector, or the
    /// lengths differ.
    pub fn cosine(&self, bytes: &[u8]) -> f32 {
        let Some((scale, values)) = bytes.split_first_chunk() else { return 0.0 };
        if values.len() != self.wide.len() || self.scale == 0.0 || values.is_empty() {
            return 0.0;
        }
        product(values, &self.wide) as f32 * f32::from_le_bytes(*scale) * self.scale
    }
}

/// The cosines of one vector with others that are not kept: those of [`Vectors::cosines`] after
/// [`Vectors::put_bytes`].
pub struct Cosines {
    with: Compared,
    /// Of the first vector, as bytes.
    length: usize,
    found: Vec<f32>,
}

impl Cosines {
    /// With `count` vectors, which are zero vectors until they are put.
    pub fn new(with: &Packed, count: usize) -> Cosines {
        Cosines { with: Compared::new(with), length: 0, found: vec![0.0; count] }
    }

    pub fn put_bytes(&mut self, at: usize, bytes: &[u8]) {
        if self.length <= size_of::<f32>() {
            self.length = bytes.len();
        }
        if bytes.len() == self.length {
            self.found[at] = self.with.cosine(bytes);
        }
    }

    pub fn found(self) -> Vec<f32> {
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{embed, vectors::Vectors};

    #[test]
    fn vectors_that_are_not_kept_have_the_same_cosines() {
        let of = |text: &str| embed::embed(text).packed();
        let texts = ["climate change", "global warming", "", "a recipe for bread", "tea"];
        let mut all: Vec<Vec<u8>> = texts.iter().map(|text| of(text).to_bytes()).collect();
        let mut of_another_model = of("tea").to_bytes();
        of_another_model.truncate(20);
        all.extend([of_another_model.clone(), vec![1, 2], Vec::new()]);
        let mut in_front = all.clone();
        in_front.insert(0, of_another_model);
        let odd = Packed { scale: 0.01, values: vec![127, -127, 5, -1, 127] };
        let same_length = vec![odd.to_bytes(), of("tea").to_bytes()];
        for all in [all, in_front, same_length] {
            for with in [of("warm weather"), of(""), odd.clone(), Packed::default()] {
                let mut kept = Vectors::empty(all.len());
                let mut passing = Cosines::new(&with, all.len());
                for (at, bytes) in all.iter().enumerate() {
                    kept.put_bytes(at, bytes);
                    passing.put_bytes(at, bytes);
                }
                assert_eq!(passing.found(), kept.cosines(&with));
            }
        }
    }
}
