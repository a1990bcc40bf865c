//! The file of the weights, as `models/layers.py` writes it.
//!
//! Invariant: the 8-bit weights are never copied; what is copied are the 300 KB of other numbers.

use crate::{
    INNER, LAYERS, Layers, WIDTH,
    product::{Cut, Product},
};

#[repr(align(64))]
struct Aligned<const N: usize>([u8; N]);

static FILE: Aligned<{ include_bytes!("../layers.bin").len() }> =
    Aligned(*include_bytes!("../layers.bin"));

/// Layer normalisation: to mean 0 and variance 1, then times the factors, plus the summands.
pub struct Norm {
    pub factors: Vec<f32>,
    pub summands: Vec<f32>,
}

pub struct Layer {
    /// Queries, keys and values of all heads, behind each other.
    pub parts: Product,
    pub output: Product,
    pub after_attention: Norm,
    pub widened: Product,
    pub narrowed: Product,
    pub after_inner: Norm,
}

/// 8-bit weights of a layer.
const OF_LAYER: usize = WIDTH * (3 * WIDTH + WIDTH + INNER + INNER);

/// The whole file.
pub fn bytes() -> &'static [u8] {
    &FILE.0
}

pub fn read() -> Layers {
    let (bytes, words) = bytes().split_at(LAYERS * OF_LAYER);
    let mut file = Rest { bytes, words };
    let first = file.norm();
    let layers = [(); LAYERS].map(|()| Layer {
        parts: file.product(WIDTH, 3 * WIDTH),
        output: file.product(WIDTH, WIDTH),
        after_attention: file.norm(),
        widened: file.product(WIDTH, INNER),
        narrowed: file.product(INNER, WIDTH),
        after_inner: file.norm(),
    });
    assert!(file.bytes.is_empty() && file.words.is_empty(), "because the file ends here");
    Layers { first, layers }
}

/// What is not read yet.
struct Rest {
    bytes: &'static [u8],
    words: &'static [u8],
}

impl Rest {
    fn words<T>(&mut self, count: usize, of: impl Fn([u8; 4]) -> T) -> Vec<T> {
        let (words, rest) = self.words.split_at(4 * count);
        self.words = rest;
        words.as_chunks().0.iter().map(|word| of(*word)).collect()
    }

    fn floats(&mut self, count: usize) -> Vec<f32> {
        self.words(count, f32::from_le_bytes)
    }

    fn norm(&mut self) -> Norm {
        Norm { factors: self.floats(WIDTH), summands: self.floats(WIDTH) }
    }

    fn product(&mut self, inputs: usize, outputs: usize) -> Product {
        let (weights, rest) = self.bytes.split_at(inputs * outputs);
        self.bytes = rest;
        Product {
            weights: weights.as_chunks().0,
            ranges: self.floats(inputs),
            scales: self.floats(outputs),
            summands: self.floats(outputs),
            sums: self.words(outputs, i32::from_le_bytes),
            cuts: self.cuts(),
        }
    }

    fn cuts(&mut self) -> Vec<Cut> {
        let count = self.words(1, u32::from_le_bytes)[0] as usize;
        let words = self.words(2 * count, i32::from_le_bytes);
        let (pairs, _) = words.as_chunks();
        let cut = |[place, by]: &[i32; 2]| Cut {
            input: (place & 0xffff) as usize,
            output: (place >> 16) as usize,
            by: *by,
        };
        pairs.iter().map(cut).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a kernel adds up in sixteen bits are the products of four weights and bytes.
    #[test]
    fn sums_of_four_products_fit_into_sixteen_bits() {
        let layers = read();
        let products = layers
            .layers
            .iter()
            .flat_map(|layer| [&layer.parts, &layer.output, &layer.widened, &layer.narrowed]);
        for weights in products.flat_map(|product| product.weights) {
            for at in (0..32).step_by(2) {
                let four = [at, at + 1, at + 32, at + 33].map(|at| weights[at].cast_signed());
                let of_sign = |sign: i32| -> i32 {
                    four.iter().map(|weight| (i32::from(*weight) * sign).max(0)).sum()
                };
                assert!(of_sign(1) * 255 <= i32::from(i16::MAX), "{four:?}");
                assert!(of_sign(-1) * 255 <= i32::from(i16::MAX), "{four:?}");
            }
        }
    }
}
