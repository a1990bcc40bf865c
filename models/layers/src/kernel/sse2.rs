//! Sums by the instructions of every 64-bit x86 processor, for those without AVX2: all before 2013,
//! and cheap ones until 2021.

use std::arch::x86_64::{
    __m128i, _mm_add_epi32, _mm_cmpgt_epi8, _mm_cvtsi128_si64, _mm_madd_epi16, _mm_set_epi64x,
    _mm_set1_epi32, _mm_setzero_si128, _mm_unpackhi_epi64, _mm_unpacklo_epi8,
};

/// As [`super::Kernel::sums`].
pub fn sums<const R: usize>(tokens: &[[[u8; 8]; R]], weights: &[[u8; 64]]) -> [[i32; 8]; R] {
    // SAFETY: every 64-bit x86 processor has SSE2.
    unsafe { with_sse2(tokens, weights) }
}

#[target_feature(enable = "sse2")]
fn with_sse2<const R: usize>(tokens: &[[[u8; 8]; R]], weights: &[[u8; 64]]) -> [[i32; 8]; R] {
    // Of each token, two outputs a register, each in two parts.
    let mut parts = [[_mm_setzero_si128(); 4]; R];
    for (tokens, weights) in tokens.iter().zip(weights) {
        for (half, weights) in weights.as_chunks::<32>().0.iter().enumerate() {
            let pairs = weights.as_chunks::<8>().0;
            let weights: [__m128i; 4] = std::array::from_fn(|pair| widened(pairs[pair]));
            for (parts, token) in parts.iter_mut().zip(tokens) {
                let numbers = token.as_chunks::<4>().0[half];
                let numbers = _mm_set1_epi32(i32::from_le_bytes(numbers));
                let numbers = _mm_unpacklo_epi8(numbers, _mm_setzero_si128());
                for (part, weights) in parts.iter_mut().zip(weights) {
                    *part = _mm_add_epi32(*part, _mm_madd_epi16(numbers, weights));
                }
            }
        }
    }
    parts.map(|parts| {
        let [a, b, c, d] = parts.map(|part| {
            [both(_mm_cvtsi128_si64(part)), both(_mm_cvtsi128_si64(_mm_unpackhi_epi64(part, part)))]
        });
        [a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]]
    })
}

/// Eight signed bytes in sixteen bits each.
#[target_feature(enable = "sse2")]
fn widened(bytes: [u8; 8]) -> __m128i {
    let bytes = _mm_set_epi64x(0, i64::from_le_bytes(bytes));
    _mm_unpacklo_epi8(bytes, _mm_cmpgt_epi8(_mm_setzero_si128(), bytes))
}

/// The sum of the two parts of an output.
fn both(parts: i64) -> i32 {
    (parts as i32).wrapping_add((parts >> 32) as i32)
}
