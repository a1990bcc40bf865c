//! Tokens times a matrix of 8-bit weights. The numbers of the tokens become bytes first, those of
//! each token by their own scale and all by one more, as DynamicQuantizeLinear of ONNX does it.
//!
//! Invariant: the sums of products are exact, whichever kernel makes them.

use crate::{
    float::{self, ROUNDER},
    kernel::Kernel,
};

pub struct Product {
    /// For eight outputs at a time, for eight inputs at a time: four weights of each output, and the
    /// next four.
    pub weights: &'static [[u8; 64]],
    /// What each input is multiplied by, so that no input has a much larger range than others.
    pub ranges: Vec<f32>,
    pub scales: Vec<f32>,
    pub summands: Vec<f32>,
    /// Of all weights of an output, with what was cut.
    pub sums: Vec<i32>,
    pub cuts: Vec<Cut>,
}

/// How much larger a weight is than the one in the table, where a kernel's sum of four products needs
/// it to be small.
pub struct Cut {
    pub input: usize,
    pub output: usize,
    pub by: i32,
}

/// Tokens in bytes, in tiles of [`Kernel::ROWS`] of them: for eight inputs at a time, those of each
/// token of the tile.
#[derive(Default)]
pub struct Bytes {
    bytes: Vec<[u8; 8]>,
    /// What a step of each token's bytes is worth.
    steps: Vec<f32>,
    /// As which number 0 is stored.
    zero: i32,
}

impl Product {
    /// `outputs` has as many tokens as `tokens`.
    #[inline(always)]
    pub fn of(&self, kernel: impl Kernel, tokens: &[f32], bytes: &mut Bytes, outputs: &mut [f32]) {
        kernel.apart(
            #[inline(always)]
            || bytes.fill(kernel, tokens, &self.ranges),
        );
        kernel.apart(
            #[inline(always)]
            || self.multiply(kernel, bytes, outputs),
        );
        kernel.apart(
            #[inline(always)]
            || self.add_cuts(kernel, bytes, outputs),
        );
    }

    #[inline(always)]
    fn multiply<K: Kernel>(&self, kernel: K, bytes: &Bytes, outputs: &mut [f32]) {
        let (octets, width) = (self.ranges.len() / 8, self.scales.len());
        for (panel, weights) in self.weights.chunks_exact(octets).enumerate() {
            let at = panel * 8;
            let of_panel = Panel::<K> {
                weights,
                scales: kernel.load(lanes(&self.scales, at)),
                summands: kernel.load(lanes(&self.summands, at)),
                zeros: lanes(&self.sums, at).map(|sum| sum * bytes.zero),
            };
            let tiles = bytes.bytes.chunks(octets * K::ROWS).zip(bytes.steps.chunks(K::ROWS));
            let places = outputs.chunks_mut(width * K::ROWS);
            for ((tokens, steps), outputs) in tiles.zip(places) {
                of_panel.times(kernel, (tokens, steps), outputs, at);
            }
        }
    }

    #[inline(always)]
    fn add_cuts<K: Kernel>(&self, _: K, bytes: &Bytes, outputs: &mut [f32]) {
        let (octets, width) = (self.ranges.len() / 8, self.scales.len());
        let tiles = bytes.bytes.chunks(octets * K::ROWS).zip(bytes.steps.chunks(K::ROWS));
        for ((tokens, steps), outputs) in tiles.zip(outputs.chunks_mut(width * K::ROWS)) {
            for (row, (outputs, step)) in outputs.chunks_exact_mut(width).zip(steps).enumerate() {
                for cut in &self.cuts {
                    let byte = tokens[cut.input / 8 * steps.len() + row][cut.input % 8];
                    let more = number::<K>(byte) * cut.by;
                    outputs[cut.output] += more as f32 * self.scales[cut.output] * step;
                }
            }
        }
    }
}

/// The weights of eight outputs.
struct Panel<'a, K: Kernel> {
    weights: &'a [[u8; 64]],
    scales: K::Floats,
    summands: K::Floats,
    zeros: [i32; 8],
}

#[inline(always)]
fn lanes<T>(all: &[T], at: usize) -> &[T; 8] {
    all[at..].first_chunk().expect("because outputs are a multiple of eight")
}

impl<K: Kernel> Panel<'_, K> {
    /// One tile, of as many rows as it has; the outputs of a token begin `at` its place.
    #[inline(always)]
    fn times(
        &self,
        kernel: K,
        (tokens, steps): (&[[u8; 8]], &[f32]),
        outputs: &mut [f32],
        at: usize,
    ) {
        match steps.len() {
            1 => self.tile::<1>(kernel, (tokens, steps), outputs, at),
            2 => self.tile::<2>(kernel, (tokens, steps), outputs, at),
            3 => self.tile::<3>(kernel, (tokens, steps), outputs, at),
            4 => self.tile::<4>(kernel, (tokens, steps), outputs, at),
            5 => self.tile::<5>(kernel, (tokens, steps), outputs, at),
            6 => self.tile::<6>(kernel, (tokens, steps), outputs, at),
            7 => self.tile::<7>(kernel, (tokens, steps), outputs, at),
            _ => self.tile::<8>(kernel, (tokens, steps), outputs, at),
        }
    }

    #[inline(always)]
    fn tile<const R: usize>(
        &self,
        kernel: K,
        (tokens, steps): (&[[u8; 8]], &[f32]),
        outputs: &mut [f32],
        at: usize,
    ) {
        let sums = kernel.sums::<R>(tokens.as_chunks().0, self.weights);
        let places = outputs.chunks_exact_mut(outputs.len() / R);
        for ((sums, step), outputs) in sums.iter().zip(steps).zip(places) {
            let place = outputs[at..].first_chunk_mut().expect("because outputs are whole eights");
            let sums = kernel.mul(kernel.differences(sums, &self.zeros), self.scales);
            kernel.store(kernel.fused(sums, kernel.splat(*step), self.summands), place);
        }
    }
}

impl Bytes {
    #[inline(always)]
    fn fill<K: Kernel>(&mut self, kernel: K, tokens: &[f32], ranges: &[f32]) {
        let inputs = ranges.len();
        let ranges = ranges.as_chunks().0;
        let (mut low, mut high) = (0.0_f32, 0.0_f32);
        self.steps.clear();
        for token in tokens.chunks_exact(inputs) {
            let (least, most) = extremes(kernel, token.as_chunks().0, ranges);
            let largest = most.max(-least).max(f32::MIN_POSITIVE);
            low = low.min(least / largest);
            high = high.max(most / largest);
            self.steps.push(largest);
        }
        let step = (high - low).max(f32::MIN_POSITIVE) / 255.0;
        let zero = (ROUNDER - low / step) - ROUNDER;
        self.zero = zero as i32 - K::LESS;
        self.bytes.resize(tokens.len() / 8, [0; 8]);
        let tiles = self.bytes.chunks_mut(inputs / 8 * K::ROWS);
        let of_tiles = tokens.chunks(inputs * K::ROWS).zip(self.steps.chunks_mut(K::ROWS));
        for (bytes, (tokens, steps)) in tiles.zip(of_tiles) {
            let rows = steps.len();
            for (row, (token, largest)) in tokens.chunks_exact(inputs).zip(steps).enumerate() {
                let factor = 1.0 / (step * *largest);
                let places = bytes[row..].iter_mut().step_by(rows);
                let steps = Steps { kernel, factor, zero };
                for (place, (values, ranges)) in places.zip(token.as_chunks().0.iter().zip(ranges))
                {
                    *place = steps.bytes(values, ranges);
                }
                *largest *= step;
            }
        }
    }
}

/// The least and the most of the numbers times the factors, and of 0.
#[inline(always)]
fn extremes(kernel: impl Kernel, numbers: &[[f32; 8]], factors: &[[f32; 8]]) -> (f32, f32) {
    let (mut least, mut most) = (kernel.splat(0.0), kernel.splat(0.0));
    for (numbers, factors) in numbers.iter().zip(factors) {
        let values = kernel.mul(kernel.load(numbers), kernel.load(factors));
        least = kernel.lesser(values, least);
        most = kernel.greater(values, most);
    }
    (float::folded(kernel, least, f32::min), float::folded(kernel, most, f32::max))
}

/// How many steps a number is, and where 0 is.
struct Steps<K> {
    kernel: K,
    factor: f32,
    zero: f32,
}

impl<K: Kernel> Steps<K> {
    #[inline(always)]
    fn bytes(&self, values: &[f32; 8], ranges: &[f32; 8]) -> [u8; 8] {
        let Steps { kernel, factor, zero } = *self;
        let values = kernel.mul(kernel.load(values), kernel.load(ranges));
        let steps = kernel.mul(values, kernel.splat(factor));
        let steps = kernel.lesser(steps, kernel.splat(255.0 - zero));
        let steps = kernel.greater(steps, kernel.splat(-zero));
        // Rounded as numbers are, before 0 is moved.
        let whole = kernel.sub(kernel.add(steps, kernel.splat(ROUNDER)), kernel.splat(ROUNDER));
        kernel.bytes(kernel.add(whole, kernel.splat(ROUNDER + zero - K::LESS as f32)))
    }
}

/// What a byte is stored for.
#[inline(always)]
fn number<K: Kernel>(byte: u8) -> i32 {
    if K::LESS == 0 { i32::from(byte) } else { i32::from(byte.cast_signed()) }
}
