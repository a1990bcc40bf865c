//! The kernel for ARM processors of 64 bits, each of which has NEON.

use super::Kernel;
use std::arch::aarch64::{
    float32x4_t, int8x8_t, int32x4_t, vaddq_f32, vaddq_s32, vcombine_u16, vcvtq_f32_s32, vdivq_f32,
    vdup_n_s32, vdupq_n_f32, vdupq_n_s32, vfmaq_f32, vget_high_s8, vget_lane_u64, vget_low_s8,
    vld1q_f32, vld1q_s8, vld1q_s32, vmaxq_f32, vminq_f32, vmlal_s8, vmovn_u16, vmovn_u32, vmull_s8,
    vmulq_f32, vpadalq_s16, vpaddq_s32, vreinterpret_s8_s32, vreinterpret_u64_u8,
    vreinterpretq_f32_s32, vreinterpretq_s32_f32, vreinterpretq_u32_f32, vshlq_n_s32, vst1q_f32,
    vst1q_s32, vsubq_f32, vsubq_s32,
};

type Eight = [float32x4_t; 2];

#[derive(Clone, Copy)]
pub struct Neon;

impl Kernel for Neon {
    const ROWS: usize = 4;
    const LESS: i32 = 128;

    type Floats = Eight;

    #[inline(always)]
    fn apart<T>(self, work: impl FnOnce() -> T) -> T {
        work()
    }

    #[inline(always)]
    fn sums<const R: usize>(self, tokens: &[[[u8; 8]; R]], weights: &[[u8; 64]]) -> [[i32; 8]; R] {
        let mut out = [[0; 8]; R];
        // SAFETY: each load is of 16 bytes and each store of 16 bytes of an array that has them.
        unsafe {
            // Of two outputs each, two sums of an output.
            let mut sums: [[int32x4_t; 4]; R] = [[vdupq_n_s32(0); 4]; R];
            for (tokens, weights) in tokens.iter().zip(weights) {
                let load = |at: usize| vld1q_s8(weights[16 * at..][..16].as_ptr().cast());
                let (firsts, seconds) = ([load(0), load(1)], [load(2), load(3)]);
                for (sums, token) in sums.iter_mut().zip(tokens) {
                    let (first, second) = halves(token);
                    for at in 0..2 {
                        let low = vmull_s8(vget_low_s8(firsts[at]), first);
                        let low = vmlal_s8(low, vget_low_s8(seconds[at]), second);
                        let high = vmull_s8(vget_high_s8(firsts[at]), first);
                        let high = vmlal_s8(high, vget_high_s8(seconds[at]), second);
                        sums[2 * at] = vpadalq_s16(sums[2 * at], low);
                        sums[2 * at + 1] = vpadalq_s16(sums[2 * at + 1], high);
                    }
                }
            }
            for (out, sums) in out.iter_mut().zip(sums) {
                let (left, right) = out.split_at_mut(4);
                vst1q_s32(left.as_mut_ptr(), vpaddq_s32(sums[0], sums[1]));
                vst1q_s32(right.as_mut_ptr(), vpaddq_s32(sums[2], sums[3]));
            }
        }
        out
    }

    #[inline(always)]
    fn splat(self, value: f32) -> Eight {
        // SAFETY: as above.
        unsafe { [vdupq_n_f32(value); 2] }
    }

    #[inline(always)]
    fn load(self, values: &[f32; 8]) -> Eight {
        let (left, right) = values.split_at(4);
        // SAFETY: as above.
        unsafe { [vld1q_f32(left.as_ptr()), vld1q_f32(right.as_ptr())] }
    }

    #[inline(always)]
    fn store(self, values: Eight, place: &mut [f32; 8]) {
        let (left, right) = place.split_at_mut(4);
        // SAFETY: as above.
        unsafe {
            vst1q_f32(left.as_mut_ptr(), values[0]);
            vst1q_f32(right.as_mut_ptr(), values[1]);
        }
    }

    #[inline(always)]
    fn add(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: as above.
        unsafe { [vaddq_f32(a[0], b[0]), vaddq_f32(a[1], b[1])] }
    }

    #[inline(always)]
    fn sub(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: as above.
        unsafe { [vsubq_f32(a[0], b[0]), vsubq_f32(a[1], b[1])] }
    }

    #[inline(always)]
    fn mul(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: as above.
        unsafe { [vmulq_f32(a[0], b[0]), vmulq_f32(a[1], b[1])] }
    }

    #[inline(always)]
    fn div(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: as above.
        unsafe { [vdivq_f32(a[0], b[0]), vdivq_f32(a[1], b[1])] }
    }

    #[inline(always)]
    fn lesser(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: as above.
        unsafe { [vminq_f32(a[0], b[0]), vminq_f32(a[1], b[1])] }
    }

    #[inline(always)]
    fn greater(self, a: Eight, b: Eight) -> Eight {
        // SAFETY: as above.
        unsafe { [vmaxq_f32(a[0], b[0]), vmaxq_f32(a[1], b[1])] }
    }

    #[inline(always)]
    fn fused(self, a: Eight, b: Eight, c: Eight) -> Eight {
        // SAFETY: as above.
        unsafe { [vfmaq_f32(c[0], a[0], b[0]), vfmaq_f32(c[1], a[1], b[1])] }
    }

    #[inline(always)]
    fn differences(self, a: &[i32; 8], b: &[i32; 8]) -> Eight {
        let difference = |at: usize| {
            // SAFETY: as above.
            unsafe {
                let a = vld1q_s32(a[at..][..4].as_ptr());
                vcvtq_f32_s32(vsubq_s32(a, vld1q_s32(b[at..][..4].as_ptr())))
            }
        };
        [difference(0), difference(4)]
    }

    #[inline(always)]
    fn doubled(self, a: Eight, n: Eight) -> Eight {
        let doubled = |at: usize| {
            // SAFETY: as above.
            unsafe {
                let one = vreinterpretq_s32_f32(vdupq_n_f32(1.0));
                let exponent = vshlq_n_s32::<23>(vreinterpretq_s32_f32(n[at]));
                vmulq_f32(a[at], vreinterpretq_f32_s32(vaddq_s32(exponent, one)))
            }
        };
        [doubled(0), doubled(1)]
    }

    #[inline(always)]
    fn bytes(self, values: Eight) -> [u8; 8] {
        // SAFETY: as above.
        unsafe {
            let low = vmovn_u32(vreinterpretq_u32_f32(values[0]));
            let high = vmovn_u32(vreinterpretq_u32_f32(values[1]));
            let bytes = vmovn_u16(vcombine_u16(low, high));
            vget_lane_u64::<0>(vreinterpret_u64_u8(bytes)).to_le_bytes()
        }
    }
}

/// Four of a token's numbers, twice; and the next four.
#[inline(always)]
fn halves([a, b, c, d, e, f, g, h]: &[u8; 8]) -> (int8x8_t, int8x8_t) {
    let twice = |four| {
        // SAFETY: every processor of this kind has NEON.
        unsafe { vreinterpret_s8_s32(vdup_n_s32(i32::from_le_bytes(four))) }
    };
    (twice([*a, *b, *c, *d]), twice([*e, *f, *g, *h]))
}
