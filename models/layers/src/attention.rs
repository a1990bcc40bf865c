//! Attention of each token to all tokens of its text, in twelve heads.

use crate::{WIDTH, float, kernel::Kernel};
use std::array;

const HEADS: usize = 12;
/// Numbers of a token in a head.
const SIZE: usize = WIDTH / HEADS;
/// Tokens that are compared with others at a time, and with how many.
const TOGETHER: usize = 4;
const WITH: usize = 16;

/// Memory for one head.
#[derive(Default)]
pub struct Scratch {
    keys: Vec<f32>,
    scores: Vec<f32>,
}

/// `all` has queries, keys and values of a token behind each other; the queries are scaled.
#[inline(always)]
pub fn attend(kernel: impl Kernel, all: &[f32], scratch: &mut Scratch, attended: &mut [f32]) {
    let Scratch { keys, scores } = scratch;
    let count = attended.len() / WIDTH;
    let padded = count.next_multiple_of(WITH);
    keys.clear();
    keys.resize(SIZE * padded, 0.0);
    scores.resize(TOGETHER * padded, 0.0);
    for at in (0..WIDTH).step_by(SIZE) {
        for (token, numbers) in all.chunks_exact(3 * WIDTH).enumerate() {
            let key = &numbers[WIDTH + at..][..SIZE];
            for (row, value) in keys.chunks_exact_mut(padded).zip(key) {
                row[token] = *value;
            }
        }
        let head = Head { all, keys, at, count };
        for (first, places) in attended.chunks_mut(TOGETHER * WIDTH).enumerate() {
            head.compare(kernel, first * TOGETHER, scores);
            let mut totals = [1.0; TOGETHER];
            for (total, scores) in totals.iter_mut().zip(scores.chunks_exact_mut(padded)) {
                *total = soften(kernel, scores, count);
            }
            let pairs = scores.chunks_exact(2 * padded).zip(totals.as_chunks::<2>().0);
            for (places, (scores, totals)) in places.chunks_mut(2 * WIDTH).zip(pairs) {
                let mixed = head.mix(kernel, scores.split_at(padded));
                for ((place, mixed), total) in places.chunks_mut(WIDTH).zip(mixed).zip(totals) {
                    let factor = kernel.splat(1.0 / total);
                    let (eights, _) = place[at..].as_chunks_mut();
                    for (eight, mixed) in eights.iter_mut().zip(mixed) {
                        kernel.store(kernel.mul(mixed, factor), eight);
                    }
                }
            }
        }
    }
}

struct Head<'a> {
    all: &'a [f32],
    /// A row for each number of a key, with that of each token, and zeros.
    keys: &'a [f32],
    at: usize,
    count: usize,
}

impl Head<'_> {
    /// The products of the queries of some tokens with all keys, a row for each of the tokens.
    #[inline(always)]
    fn compare<K: Kernel>(&self, kernel: K, first: usize, scores: &mut [f32]) {
        let padded = scores.len() / TOGETHER;
        let queries: [&[f32; SIZE]; TOGETHER] = array::from_fn(|row| {
            let token = (first + row).min(self.count - 1);
            let query = self.all[token * 3 * WIDTH + self.at..].first_chunk();
            query.expect("because keys follow")
        });
        for at in (0..padded).step_by(WITH) {
            let mut sums = [[kernel.splat(0.0); 2]; TOGETHER];
            for (number, keys) in self.keys.chunks_exact(padded).enumerate() {
                let keys = eights::<_, 2>(kernel, &keys[at..]);
                for row in 0..TOGETHER {
                    let query = kernel.splat(queries[row][number]);
                    sums[row][0] = kernel.fused(query, keys[0], sums[row][0]);
                    sums[row][1] = kernel.fused(query, keys[1], sums[row][1]);
                }
            }
            for row in 0..TOGETHER {
                let places = scores[row * padded + at..].as_chunks_mut().0;
                kernel.store(sums[row][0], &mut places[0]);
                kernel.store(sums[row][1], &mut places[1]);
            }
        }
    }

    /// For two tokens, the values of all, as much of each as its score says.
    #[inline(always)]
    fn mix<K: Kernel>(&self, kernel: K, scores: (&[f32], &[f32])) -> [[K::Floats; 4]; 2] {
        let mut mixed = [[kernel.splat(0.0); 4]; 2];
        let tokens = self.all.chunks_exact(3 * WIDTH);
        for (numbers, (left, right)) in tokens.zip(scores.0.iter().zip(scores.1)) {
            let values = eights::<_, 4>(kernel, &numbers[2 * WIDTH + self.at..]);
            let (left, right) = (kernel.splat(*left), kernel.splat(*right));
            for part in 0..4 {
                mixed[0][part] = kernel.fused(left, values[part], mixed[0][part]);
                mixed[1][part] = kernel.fused(right, values[part], mixed[1][part]);
            }
        }
        mixed
    }
}

#[inline(always)]
fn eights<K: Kernel, const N: usize>(kernel: K, numbers: &[f32]) -> [K::Floats; N] {
    let parts: &[[f32; 8]; N] = numbers.as_chunks().0.first_chunk().expect("because all are there");
    array::from_fn(|part| kernel.load(&parts[part]))
}

/// Powers of e instead of the scores; returns their sum.
#[inline(always)]
fn soften(kernel: impl Kernel, scores: &mut [f32], count: usize) -> f32 {
    scores[count..].fill(f32::NEG_INFINITY);
    let mut most = kernel.splat(f32::NEG_INFINITY);
    for eight in scores.as_chunks().0 {
        most = kernel.greater(kernel.load(eight), most);
    }
    let most = kernel.splat(float::folded(kernel, most, f32::max));
    let mut sums = kernel.splat(0.0);
    for eight in scores.as_chunks_mut().0 {
        let power = float::exp(kernel, kernel.sub(kernel.load(eight), most));
        sums = kernel.add(sums, power);
        kernel.store(power, eight);
    }
    float::folded(kernel, sums, |a, b| a + b)
}
