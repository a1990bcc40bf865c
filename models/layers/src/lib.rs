//! The layers of co's encoder in 8 bits: from the embeddings of a text's tokens to their mean after
//! six layers. A crate of its own, because a registry takes ten megabytes a crate.
//!
//! Invariant: products are of whole numbers, the same with each kernel. The weights are read where
//! they lie in the program. Floats differ in their last digit from processor to processor, and
//! rounding them to bytes carries that on: of two processors, the cosine of a text's means is 0.999.

mod attention;
mod float;
mod kernel;
mod product;
mod weights;

use kernel::{Kernel, Work};
use product::Bytes;
use weights::{Layer, Norm};

/// Numbers of a token, and of the mean.
pub const WIDTH: usize = 384;
const LAYERS: usize = 6;
/// What the inner half of a layer widens a token to.
const INNER: usize = 4 * WIDTH;

pub struct Layers {
    first: Norm,
    layers: [Layer; LAYERS],
}

/// Memory for the numbers between the layers, kept from one text to the next.
#[derive(Default)]
pub struct Scratch {
    tokens: Vec<f32>,
    bytes: Bytes,
    /// Queries, keys and values; then what is added to the tokens.
    parts: Vec<f32>,
    head: attention::Scratch,
    attended: Vec<f32>,
    inner: Vec<f32>,
}

impl Layers {
    /// Reads the small numbers; the 8-bit weights stay where they are.
    pub fn load() -> Layers {
        weights::read()
    }

    /// The file of the weights.
    pub fn bytes() -> &'static [u8] {
        weights::bytes()
    }

    /// The mean of all tokens of a text after the last layer; `embedded` has [`WIDTH`] numbers for
    /// each of them.
    pub fn mean(&self, embedded: &[f32], scratch: &mut Scratch) -> [f32; WIDTH] {
        kernel::fastest(Text { layers: self, embedded, scratch })
    }
}

/// The sum of the products of signed bytes and numbers; for whichever slice is shorter. A byte is at
/// least -127, and so is a number, which is at most 127.
pub fn product(bytes: &[u8], numbers: &[i16]) -> i32 {
    struct Pair<'a>(&'a [u8], &'a [i16]);
    impl Work for Pair<'_> {
        type Result = i32;

        fn with(self, kernel: impl Kernel) -> i32 {
            kernel.apart(
                #[inline(always)]
                || kernel.product(self.0, self.1),
            )
        }
    }
    kernel::fastest(Pair(bytes, numbers))
}

/// A text on its way through the layers.
struct Text<'a> {
    layers: &'a Layers,
    embedded: &'a [f32],
    scratch: &'a mut Scratch,
}

impl Work for Text<'_> {
    type Result = [f32; WIDTH];

    fn with(self, kernel: impl Kernel) -> [f32; WIDTH] {
        let Text { layers, embedded, scratch } = self;
        let Scratch { tokens, bytes, parts, head, attended, inner } = scratch;
        let count = embedded.len() / WIDTH;
        tokens.clear();
        tokens.extend_from_slice(embedded);
        attended.resize(count * WIDTH, 0.0);
        inner.resize(count * INNER, 0.0);
        layers.first.apply(kernel, tokens);
        for layer in &layers.layers {
            parts.resize(count * 3 * WIDTH, 0.0);
            layer.parts.of(kernel, tokens, bytes, parts);
            kernel.apart(
                #[inline(always)]
                || attention::attend(kernel, parts, head, attended),
            );
            parts.truncate(count * WIDTH);
            layer.output.of(kernel, attended, bytes, parts);
            layer.after_attention.apply_to_sum(kernel, tokens, parts);
            layer.widened.of(kernel, tokens, bytes, inner);
            kernel.apart(
                #[inline(always)]
                || float::gelu(kernel, inner),
            );
            layer.narrowed.of(kernel, inner, bytes, parts);
            layer.after_inner.apply_to_sum(kernel, tokens, parts);
        }
        let mut mean = [0.0; WIDTH];
        for token in tokens.chunks_exact(WIDTH) {
            mean.iter_mut().zip(token).for_each(|(mean, value)| *mean += value);
        }
        mean.map(|sum| sum / count.max(1) as f32)
    }
}

impl Norm {
    fn apply(&self, kernel: impl Kernel, tokens: &mut [f32]) {
        kernel.apart(
            #[inline(always)]
            || tokens.chunks_exact_mut(WIDTH).for_each(|token| self.of_one(kernel, token)),
        );
    }

    /// Of the sum of both.
    fn apply_to_sum(&self, kernel: impl Kernel, tokens: &mut [f32], summands: &[f32]) {
        kernel.apart(
            #[inline(always)]
            || {
                for (token, summand) in tokens.chunks_exact_mut(WIDTH).zip(summands.chunks(WIDTH)) {
                    let (places, summands) = (token.as_chunks_mut().0, summand.as_chunks().0);
                    for (place, summand) in places.iter_mut().zip(summands) {
                        kernel.store(kernel.add(kernel.load(place), kernel.load(summand)), place);
                    }
                    self.of_one(kernel, token);
                }
            },
        );
    }

    #[inline(always)]
    fn of_one(&self, kernel: impl Kernel, token: &mut [f32]) {
        let places = token.as_chunks_mut().0;
        let (mut sum, mut squares) = (kernel.splat(0.0), kernel.splat(0.0));
        for place in &*places {
            sum = kernel.add(sum, kernel.load(place));
        }
        let mean = kernel.splat(float::folded(kernel, sum, |a, b| a + b) / WIDTH as f32);
        for place in &*places {
            let off = kernel.sub(kernel.load(place), mean);
            squares = kernel.fused(off, off, squares);
        }
        let variance = float::folded(kernel, squares, |a, b| a + b) / WIDTH as f32;
        let factor = kernel.splat(1.0 / (variance + 1e-12).sqrt());
        let by = self.factors.as_chunks().0.iter().zip(self.summands.as_chunks().0);
        for (place, (by, plus)) in places.iter_mut().zip(by) {
            let off = kernel.mul(kernel.sub(kernel.load(place), mean), factor);
            kernel.store(kernel.fused(off, kernel.load(by), kernel.load(plus)), place);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(count: usize) -> Vec<f32> {
        let value = |at: usize| ((at * 7919 % 1009) as f32 / 1009.0 - 0.5) / 8.0;
        (0..count * WIDTH).map(value).collect()
    }

    #[test]
    fn kernels_agree() {
        let layers = Layers::load();
        for count in [1, 2, 7, 8, 9, 16, 31, 128] {
            let embedded = embedded(count);
            let means = kernel::tests::each(|| Text {
                layers: &layers,
                embedded: &embedded,
                scratch: Box::leak(Box::default()),
            });
            let product = |a: usize, b: usize| -> f32 {
                means[a].iter().zip(&means[b]).map(|(a, b)| a * b).sum()
            };
            let cosine = product(0, 1) / (product(0, 0) * product(1, 1)).sqrt();
            assert!(cosine > 0.995, "{cosine} of {count} tokens");
        }
    }

    #[test]
    fn a_product_is_exact_for_every_length() {
        struct Of(usize, fn(usize) -> i16);
        impl Work for Of {
            type Result = ();

            fn with(self, kernel: impl Kernel) {
                let (a, b): (Vec<i16>, Vec<i16>) =
                    (0..self.0).map(|at| (self.1(at * 91), self.1(at * 53))).unzip();
                let bytes: Vec<u8> = a.iter().map(|one| *one as u8).collect();
                let exact: i32 = a.iter().zip(&b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
                assert_eq!(kernel.product(&bytes, &b), exact, "{}", self.0);
                assert_eq!(product(&bytes, &b), exact, "{}", self.0);
            }
        }
        let kinds: [fn(usize) -> i16; 3] =
            [|at| (at % 255) as i16 - 127, |_| -127, |at| if at % 2 == 0 { 127 } else { -127 }];
        for length in (0..140).chain([384, 1000]) {
            for kind in kinds {
                kernel::tests::each(|| Of(length, kind));
            }
        }
        assert_eq!(product(&[1, 2, 255], &[3, 4]), 11);
        assert_eq!(product(&[255], &[3, 4]), -3);
    }

    #[test]
    fn what_was_there_before_changes_nothing() {
        let (layers, mut scratch) = (Layers::load(), Scratch::default());
        let alone: Vec<_> =
            [3, 60, 9].map(|count| layers.mean(&embedded(count), &mut Scratch::default())).into();
        let together: Vec<_> =
            [3, 60, 9].map(|count| layers.mean(&embedded(count), &mut scratch)).into();
        assert_eq!(alone, together);
        assert!(layers.mean(&[], &mut scratch).iter().all(|number| *number == 0.0));
    }
}
