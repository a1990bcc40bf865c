//! What is done to floats, eight at a time.

use crate::kernel::Kernel;
use std::f32::consts::{FRAC_1_SQRT_2, LOG2_E};

/// Added to a number below 2^22, leaves the nearest whole number, of two the even one, in the lowest
/// bits.
pub const ROUNDER: f32 = 12_582_912.0;

#[inline(always)]
pub fn folded<K: Kernel>(kernel: K, lanes: K::Floats, with: impl Fn(f32, f32) -> f32) -> f32 {
    let mut all = [0.0; 8];
    kernel.store(lanes, &mut all);
    let [a, b, c, d, e, f, g, h] = all;
    with(with(with(a, e), with(c, g)), with(with(b, f), with(d, h)))
}

/// e to the power of numbers that are 0 or less.
#[inline(always)]
pub fn exp<K: Kernel>(kernel: K, values: K::Floats) -> K::Floats {
    let splat = |value| kernel.splat(value);
    let values = kernel.greater(values, splat(-87.0));
    let doublings = kernel.fused(values, splat(LOG2_E), splat(ROUNDER));
    let count = kernel.sub(doublings, splat(ROUNDER));
    // ln 2 in two parts, the first of few bits.
    let rest = kernel.fused(count, splat(-0.693_145_75), values);
    let rest = kernel.fused(count, splat(-1.428_606_8e-6), rest);
    let mut power = splat(1.0 / 720.0);
    for factor in [1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        power = kernel.fused(power, rest, splat(factor));
    }
    kernel.doubled(power, doublings)
}

/// x · (1 + erf(x / √2)) / 2, with erf by Abramowitz and Stegun, 7.1.26: off by 7 in 10 million.
#[inline(always)]
pub fn gelu<K: Kernel>(kernel: K, numbers: &mut [f32]) {
    let splat = |value| kernel.splat(value);
    for place in numbers.as_chunks_mut().0 {
        let value = kernel.load(place);
        let size = kernel.greater(value, kernel.sub(splat(0.0), value));
        let x = kernel.mul(size, splat(FRAC_1_SQRT_2));
        let t = kernel.div(splat(1.0), kernel.fused(x, splat(0.327_591_1), splat(1.0)));
        let mut tail = splat(1.061_405_4);
        for factor in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
            tail = kernel.fused(tail, t, splat(factor));
        }
        let power = exp(kernel, kernel.mul(x, kernel.sub(splat(0.0), x)));
        let erf = kernel.sub(splat(1.0), kernel.mul(kernel.mul(tail, t), power));
        // The sign of x is that of erf, too.
        let twice = kernel.fused(size, erf, value);
        kernel.store(kernel.mul(twice, splat(0.5)), place);
    }
}
