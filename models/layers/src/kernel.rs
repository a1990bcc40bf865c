//! Sums of products of bytes, by the instructions that the processor has.
//!
//! Invariant: each kernel gives the same whole numbers. All unsafe code of co is in this folder: a
//! kernel that needs an instruction exists only where the processor was asked for it.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(test, not(target_arch = "aarch64")))]
mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;

/// What differs between processors. A value of a kernel proves that this one has its instructions.
pub trait Kernel: Copy {
    /// Tokens of a tile: as many as the sums of fit into registers.
    const ROWS: usize;
    /// By how much less than it is a number from 0 to 255 is stored.
    const LESS: i32;

    /// Eight floats.
    type Floats: Copy;

    /// Compiles `work` with the instructions of this kernel, as a function of its own.
    fn apart<T>(self, work: impl FnOnce() -> T) -> T;

    /// For each token of a tile and each of eight outputs, the sum of its numbers times weights.
    fn sums<const R: usize>(self, tokens: &[[[u8; 8]; R]], weights: &[[u8; 64]]) -> [[i32; 8]; R];

    /// The sum of the products of signed bytes and numbers from -127 to 127: the sum of two products
    /// fits into sixteen bits, and adding them before they are widened halves the work.
    #[inline(always)]
    fn product(self, bytes: &[u8], numbers: &[i16]) -> i32 {
        let middle = bytes.len().min(numbers.len()) / 2;
        let ((a, later), (b, later_numbers)) = (bytes.split_at(middle), numbers.split_at(middle));
        let of = |a: &u8, b: &i16| i16::from(a.cast_signed()).wrapping_mul(*b);
        let seconds = later[..middle].iter().zip(&later_numbers[..middle]);
        let both = a.iter().zip(b).zip(seconds);
        let both = both.map(|((a, b), (c, d))| i32::from(of(a, b).wrapping_add(of(c, d))));
        let odd = later[middle..].iter().zip(&later_numbers[middle..]);
        both.sum::<i32>() + odd.map(|(a, b)| i32::from(of(a, b))).sum::<i32>()
    }

    fn splat(self, value: f32) -> Self::Floats;
    fn load(self, values: &[f32; 8]) -> Self::Floats;
    fn store(self, values: Self::Floats, place: &mut [f32; 8]);
    fn add(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn sub(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn mul(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn div(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// a · b + c
    fn fused(self, a: Self::Floats, b: Self::Floats, c: Self::Floats) -> Self::Floats;
    fn lesser(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    fn greater(self, a: Self::Floats, b: Self::Floats) -> Self::Floats;
    /// The differences of whole numbers.
    fn differences(self, a: &[i32; 8], b: &[i32; 8]) -> Self::Floats;
    /// a · 2^n, with n in the lowest bits of floats.
    fn doubled(self, a: Self::Floats, n: Self::Floats) -> Self::Floats;
    /// The lowest byte of the bits of each.
    fn bytes(self, values: Self::Floats) -> [u8; 8];
}

/// What is computed with whichever kernel.
pub trait Work {
    type Result;

    fn with(self, kernel: impl Kernel) -> Self::Result;
}

/// With the fastest kernel of this processor.
pub fn fastest<W: Work>(work: W) -> W::Result {
    #[cfg(target_arch = "x86_64")]
    if let Some(kernel) = avx2::Avx2::of_this_processor() {
        return work.with(kernel);
    }
    #[cfg(target_arch = "aarch64")]
    return work.with(neon::Neon);
    #[cfg(not(target_arch = "aarch64"))]
    work.with(portable::Portable)
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// With each kernel that this processor has.
    pub fn each<W: Work>(work: impl Fn() -> W) -> Vec<W::Result> {
        vec![work().with(portable::Portable), fastest(work())]
    }

    /// Numbers that look like chance.
    fn numbers(count: usize, seed: u32) -> Vec<u8> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        };
        (0..count).map(|_| next()).collect()
    }

    struct Sums<const R: usize> {
        octets: usize,
        /// Where the number that is asked of a token comes from.
        number: fn(u8) -> u8,
    }

    impl<const R: usize> Work for Sums<R> {
        type Result = ();

        fn with(self, kernel: impl Kernel) {
            check::<_, R>(kernel, self.octets, self.number);
        }
    }

    fn check<K: Kernel, const R: usize>(kernel: K, octets: usize, number: fn(u8) -> u8) {
        let of_tokens: Vec<u8> = numbers(octets * R * 8, 7).into_iter().map(number).collect();
        // Four of them add up to 128 at most.
        let weights: Vec<i32> =
            numbers(octets * 64, 9).into_iter().map(|byte| i32::from(byte % 65) - 32).collect();
        let stored: Vec<u8> =
            of_tokens.iter().map(|byte| byte.wrapping_sub(K::LESS as u8)).collect();
        let weight_bytes: Vec<u8> = weights.iter().map(|weight| *weight as u8).collect();
        let found =
            kernel.sums::<R>(stored.as_chunks().0.as_chunks().0, weight_bytes.as_chunks().0);
        for (row, sums) in found.iter().enumerate() {
            for (lane, sum) in sums.iter().enumerate() {
                let product = |input: usize| {
                    let (octet, at) = (input / 8, input % 8);
                    let byte = i32::from(of_tokens[(octet * R + row) * 8 + at]) - K::LESS;
                    byte * weights[octet * 64 + at / 4 * 32 + lane * 4 + at % 4]
                };
                let wanted: i32 = (0..octets * 8).map(product).sum();
                assert_eq!(*sum, wanted, "row {row} of {R}, output {lane}, {octets} octets");
            }
        }
    }

    #[test]
    fn sums_are_exact_with_each_kernel() {
        let kinds: [fn(u8) -> u8; 4] =
            [|byte| byte, |_| 255, |_| 0, |byte| if byte > 127 { 255 } else { 0 }];
        for (number, octets) in kinds.into_iter().flat_map(|kind| [(kind, 1), (kind, 48)]) {
            each(|| Sums::<1> { octets, number });
            each(|| Sums::<3> { octets, number });
            each(|| Sums::<4> { octets, number });
            each(|| Sums::<8> { octets, number });
        }
    }
}
