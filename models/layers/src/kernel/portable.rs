//! The kernel for any processor.

use super::Kernel;
use std::array::from_fn;

#[derive(Clone, Copy)]
pub struct Portable;

impl Kernel for Portable {
    const ROWS: usize = 4;
    const LESS: i32 = 0;

    type Floats = [f32; 8];

    #[inline(always)]
    fn apart<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }

    #[inline(always)]
    #[cfg(target_arch = "x86_64")]
    fn sums<const R: usize>(self, tokens: &[[[u8; 8]; R]], weights: &[[u8; 64]]) -> [[i32; 8]; R] {
        super::sse2::sums(tokens, weights)
    }

    #[inline(always)]
    #[cfg(not(target_arch = "x86_64"))]
    fn sums<const R: usize>(self, tokens: &[[[u8; 8]; R]], weights: &[[u8; 64]]) -> [[i32; 8]; R] {
        let mut sums = [[0; 8]; R];
        for (tokens, weights) in tokens.iter().zip(weights) {
            let (firsts, seconds) = weights.split_at(32);
            for (sums, token) in sums.iter_mut().zip(tokens) {
                for half in 0..2 {
                    let weights = if half == 0 { firsts } else { seconds };
                    for (sum, four) in sums.iter_mut().zip(weights.as_chunks::<4>().0) {
                        for (weight, number) in four.iter().zip(&token[4 * half..]) {
                            *sum += i32::from(weight.cast_signed()) * i32::from(*number);
                        }
                    }
                }
            }
        }
        sums
    }

    #[inline(always)]
    fn splat(self, value: f32) -> [f32; 8] {
        [value; 8]
    }

    #[inline(always)]
    fn load(self, values: &[f32; 8]) -> [f32; 8] {
        *values
    }

    #[inline(always)]
    fn store(self, values: [f32; 8], place: &mut [f32; 8]) {
        *place = values;
    }

    #[inline(always)]
    fn add(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| a[lane] + b[lane])
    }

    #[inline(always)]
    fn sub(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| a[lane] - b[lane])
    }

    #[inline(always)]
    fn mul(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| a[lane] * b[lane])
    }

    #[inline(always)]
    fn div(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| a[lane] / b[lane])
    }

    #[inline(always)]
    fn fused(self, a: [f32; 8], b: [f32; 8], c: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| a[lane] * b[lane] + c[lane])
    }

    #[inline(always)]
    fn lesser(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| if a[lane] < b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn greater(self, a: [f32; 8], b: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| if a[lane] > b[lane] { a[lane] } else { b[lane] })
    }

    #[inline(always)]
    fn differences(self, a: &[i32; 8], b: &[i32; 8]) -> [f32; 8] {
        from_fn(|lane| (a[lane] - b[lane]) as f32)
    }

    #[inline(always)]
    fn doubled(self, a: [f32; 8], n: [f32; 8]) -> [f32; 8] {
        from_fn(|lane| {
            a[lane] * f32::from_bits((n[lane].to_bits() << 23).wrapping_add(1.0_f32.to_bits()))
        })
    }

    #[inline(always)]
    fn bytes(self, values: [f32; 8]) -> [u8; 8] {
        values.map(|value| value.to_bits() as u8)
    }
}
