//! The kernel for x86 processors since 2013.

use super::{Kernel, portable::Portable};
use std::arch::x86_64::{
    __m256, __m256i, _mm_cvtsi128_si64, _mm_loadu_si128, _mm_unpacklo_epi32, _mm256_add_epi16,
    _mm256_add_epi32, _mm256_add_ps, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_castsi256_si128, _mm256_cvtepi8_epi16, _mm256_cvtepi32_ps, _mm256_div_ps,
    _mm256_extracti128_si256, _mm256_fmadd_ps, _mm256_loadu_ps, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_max_ps, _mm256_min_ps, _mm256_mul_ps,
    _mm256_set1_epi16, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi32, _mm256_storeu_ps, _mm256_storeu_si256,
    _mm256_sub_epi32, _mm256_sub_ps,
};

/// Exists only where the processor has AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct Avx2(());

impl Avx2 {
    pub fn of_this_processor() -> Option<Avx2> {
        let is_there = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        is_there.then_some(Avx2(()))
    }
}

#[target_feature(enable = "avx2,fma")]
fn apart<T>(work: impl FnOnce() -> T) -> T {
    work()
}

impl Kernel for Avx2 {
    const ROWS: usize = 8;
    const LESS: i32 = 0;

    type Floats = __m256;

    #[inline(always)]
    fn apart<T>(self, work: impl FnOnce() -> T) -> T {
        // SAFETY: there is a kernel, so the processor has both.
        unsafe { apart(work) }
    }

    #[inline(always)]
    fn sums<const R: usize>(self, tokens: &[[[u8; 8]; R]], weights: &[[u8; 64]]) -> [[i32; 8]; R] {
        let mut out = [[0; 8]; R];
        // SAFETY: there is a kernel, so the processor has AVX2; each load and each store is of 32
        // bytes of an array that has as many.
        unsafe {
            let ones = _mm256_set1_epi16(1);
            let mut sums: [__m256i; R] = [_mm256_setzero_si256(); R];
            for (tokens, weights) in tokens.iter().zip(weights) {
                let firsts = _mm256_loadu_si256(weights[..32].as_ptr().cast());
                let seconds = _mm256_loadu_si256(weights[32..].as_ptr().cast());
                for (sum, token) in sums.iter_mut().zip(tokens) {
                    let (first, second) = halves(token);
                    // Sums of two products, and of four: as the weights are cut, they fit.
                    let first = _mm256_maddubs_epi16(_mm256_set1_epi32(first), firsts);
                    let second = _mm256_maddubs_epi16(_mm256_set1_epi32(second), seconds);
                    let both = _mm256_add_epi16(first, second);
                    *sum = _mm256_add_epi32(*sum, _mm256_madd_epi16(both, ones));
                }
            }
            for (out, sum) in out.iter_mut().zip(sums) {
                _mm256_storeu_si256(out.as_mut_ptr().cast(), sum);
            }
        }
        out
    }

    #[inline(always)]
    fn product(self, bytes: &[u8], numbers: &[i16]) -> i32 {
        let count = bytes.len().min(numbers.len());
        let (bytes, last_bytes) = bytes[..count].as_chunks::<16>();
        let (numbers, last_numbers) = numbers[..count].as_chunks::<16>();
        let mut lanes = [0; 8];
        // SAFETY: as above.
        unsafe {
            let mut sums = _mm256_setzero_si256();
            for (bytes, numbers) in bytes.iter().zip(numbers) {
                let wide = _mm256_cvtepi8_epi16(_mm_loadu_si128(bytes.as_ptr().cast()));
                let numbers = _mm256_loadu_si256(numbers.as_ptr().cast());
                sums = _mm256_add_epi32(sums, _mm256_madd_epi16(wide, numbers));
            }
            _mm256_storeu_si256(lanes.as_mut_ptr().cast(), sums);
        }
        lanes.iter().sum::<i32>() + Portable.product(last_bytes, last_numbers)
    }

    #[inline(always)]
    fn splat(self, value: f32) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_set1_ps(value) }
    }

    #[inline(always)]
    fn load(self, values: &[f32; 8]) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_loadu_ps(values.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, values: __m256, place: &mut [f32; 8]) {
        // SAFETY: as above.
        unsafe { _mm256_storeu_ps(place.as_mut_ptr(), values) }
    }

    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    fn div(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_div_ps(a, b) }
    }

    #[inline(always)]
    fn lesser(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_min_ps(a, b) }
    }

    #[inline(always)]
    fn greater(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_max_ps(a, b) }
    }

    #[inline(always)]
    fn fused(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn differences(self, a: &[i32; 8], b: &[i32; 8]) -> __m256 {
        // SAFETY: as above.
        unsafe {
            let a = _mm256_loadu_si256(a.as_ptr().cast());
            let b = _mm256_loadu_si256(b.as_ptr().cast());
            _mm256_cvtepi32_ps(_mm256_sub_epi32(a, b))
        }
    }

    #[inline(always)]
    fn doubled(self, a: __m256, n: __m256) -> __m256 {
        // SAFETY: as above.
        unsafe {
            let exponent = _mm256_slli_epi32::<23>(_mm256_castps_si256(n));
            let one = _mm256_castps_si256(_mm256_set1_ps(1.0));
            _mm256_mul_ps(a, _mm256_castsi256_ps(_mm256_add_epi32(exponent, one)))
        }
    }

    #[inline(always)]
    fn bytes(self, values: __m256) -> [u8; 8] {
        // SAFETY: as above.
        unsafe {
            // The lowest bytes of four to the front of each half, and both halves together.
            let places = _mm256_set1_epi32(0x0c08_0400);
            let fours = _mm256_shuffle_epi8(_mm256_castps_si256(values), places);
            let (low, high) = (_mm256_castsi256_si128(fours), _mm256_extracti128_si256::<1>(fours));
            _mm_cvtsi128_si64(_mm_unpacklo_epi32(low, high)).to_le_bytes()
        }
    }
}

#[inline(always)]
fn halves([a, b, c, d, e, f, g, h]: &[u8; 8]) -> (i32, i32) {
    (i32::from_le_bytes([*a, *b, *c, *d]), i32::from_le_bytes([*e, *f, *g, *h]))
}
