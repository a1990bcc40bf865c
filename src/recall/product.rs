//! Products of vectors, by the widest instructions that the processor has.
//!
//! Invariant: pure; exact, so that it is the same on every machine.

use rten_simd::{Isa, SimdOp};

/// The sum of the products of two vectors' values: signed bytes, and the same made wide.
pub(super) fn product(a: &[u8], b: &[i16]) -> i32 {
    Product { a, b }.dispatch()
}

/// A product, compiled for each set of instructions that a processor may have.
struct Product<'a> {
    a: &'a [u8],
    b: &'a [i16],
}

impl SimdOp for Product<'_> {
    type Output = i32;

    /// A value is from -127 to 127, so that the sum of two products fits into sixteen bits: adding
    /// them before they are widened halves the work. Inlined: only then is it compiled for them.
    #[inline(always)]
    fn eval<I: Isa>(self, _: I) -> i32 {
        let Product { a, b } = self;
        let middle = a.len().min(b.len()) / 2;
        let ((a, later), (b, later_wide)) = (a.split_at(middle), b.split_at(middle));
        let ((c, odd), (d, odd_wide)) = (later.split_at(middle), later_wide.split_at(middle));
        let (mut sum, mut at) = (0, 0);
        // Hot: a loop over zipped iterators calls a function for each of them.
        while at < middle {
            sum += i32::from(times(a[at], b[at]).wrapping_add(times(c[at], d[at])));
            at += 1;
        }
        match (odd.first(), odd_wide.first()) {
            (Some(a), Some(b)) => sum + i32::from(times(*a, *b)),
            _ => sum,
        }
    }
}

#[inline(always)]
fn times(a: u8, b: i16) -> i16 {
    i16::from(a.cast_signed()).wrapping_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_is_exact_for_every_length() {
        for length in 0..40_usize {
            let value = |at: usize, by: usize| (at * by % 255) as i16 - 127;
            let (a, b): (Vec<i16>, Vec<i16>) =
                (0..length).map(|at| (value(at, 91), value(at, 53))).unzip();
            for (a, b) in [(a, b), (vec![-127; length], vec![127; length])] {
                let bytes: Vec<u8> = a.iter().map(|one| (*one as i8).cast_unsigned()).collect();
                let exact: i32 = a.iter().zip(&b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
                assert_eq!(product(&bytes, &b), exact, "{length}");
            }
        }
    }
}
