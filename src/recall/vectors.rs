//! Vectors as stored and compared: one byte per dimension, and a scale.
//!
//! Invariant: pure; the cosine of two vectors is an integer times their scales, so it is the same
//! on every machine and in every store.

use super::embed::Vector;
use co_cli_encoder_layers::product;

/// A quantised vector. The scale is zero for a zero vector, or if the text has none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Packed {
    pub(super) scale: f32,
    pub(super) values: Vec<i8>,
}

impl Vector {
    /// The error of a cosine is about a thousandth.
    pub fn packed(&self) -> Packed {
        let highest = highest(&self.0);
        if highest <= 0.0 || !highest.is_finite() {
            return Packed { scale: 0.0, values: vec![0; self.0.len()] };
        }
        let byte = |value: &f32| rounded(value / highest * 127.0);
        let values: Vec<i8> = self.0.iter().map(byte).collect();
        // Half as many bits, as long as they are enough.
        let square = |value: &i8| i32::from(*value) * i32::from(*value);
        let of = |some: &[i8]| some.iter().map(square).sum::<i32>();
        let squares: i64 = values.chunks(1_024).map(|some| i64::from(of(some))).sum();
        Packed { scale: 1.0 / (squares as f32).sqrt(), values }
    }
}

/// The largest magnitude: without their signs, numbers are in the order of their bits, which are
/// compared several at a time. It is not finite if any of them is not.
fn highest(values: &[f32]) -> f32 {
    let bits = values.iter().map(|value| value.abs().to_bits().cast_signed());
    f32::from_bits(bits.fold(0, i32::max).cast_unsigned())
}

/// Added to a number below 2^22, it leaves no room for a fraction: the sum is rounded, of two the
/// even one, and its last bits are the whole number.
const WHOLE: f32 = 12_582_912.0;

/// The nearest whole number, of two the one further from zero: what `round` gives, which without an
/// instruction for it is a call for each value.
fn rounded(value: f32) -> i8 {
    let even = (value + WHOLE) - WHOLE;
    let half = 0.5_f32.copysign(value);
    let whole = even + if value - even == half { half + half } else { 0.0 };
    (whole + WHOLE).to_bits() as i8
}

impl Packed {
    /// The scale, little-endian, followed by the values.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size_of::<f32>() + self.values.len());
        bytes.extend_from_slice(&self.scale.to_le_bytes());
        bytes.extend(self.values.iter().map(|value| value.cast_unsigned()));
        bytes
    }
}

impl Packed {
    pub(super) fn wide(&self) -> Vec<i16> {
        self.values.iter().copied().map(i16::from).collect()
    }

    /// A zero vector if there are too few bytes.
    pub fn from_bytes(bytes: &[u8]) -> Packed {
        let Some((scale, values)) = bytes.split_first_chunk() else { return Packed::default() };
        let values = values.iter().map(|value| value.cast_signed()).collect();
        Packed { scale: f32::from_le_bytes(*scale), values }
    }
}

/// The first values of vectors, and the lengths of what follows: they tell most vectors apart.
#[derive(Clone, PartialEq, Debug)]
pub struct Heads {
    /// How many values of each.
    length: usize,
    values: Vec<i16>,
    rests: Vec<f32>,
}

/// How many values a head has. In the built-in table, the directions in which words differ most
/// come first, so that most of a vector is in its head.
const HEAD: usize = 64;

/// More than the error of a product of two lengths.
const ROUNDING: f32 = 1.0001;

/// Many vectors of equal length, stored contiguously.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vectors {
    dimensions: usize,
    scales: Vec<f32>,
    /// Each byte is a signed one.
    values: Vec<u8>,
}

impl Vectors {
    /// A vector whose length differs from the first's is stored as a zero vector.
    pub fn push(&mut self, scale: f32, values: impl ExactSizeIterator<Item = u8>) {
        if self.dimensions == 0 && values.len() > 0 {
            self.dimensions = values.len();
            self.values = vec![0; self.scales.len() * self.dimensions];
        }
        if values.len() == self.dimensions {
            self.values.extend(values);
            self.scales.push(scale);
        } else {
            self.values.resize(self.values.len() + self.dimensions, 0);
            self.scales.push(0.0);
        }
    }

    /// `count` zero vectors.
    pub fn empty(count: usize) -> Vectors {
        Vectors { dimensions: 0, scales: vec![0.0; count], values: Vec::new() }
    }

    /// Overwrites a vector with one from [`Packed::to_bytes`]; one whose length differs from the
    /// first's stays a zero vector.
    pub fn put_bytes(&mut self, at: usize, bytes: &[u8]) {
        let Some((scale, values)) = bytes.split_first_chunk() else { return };
        if self.dimensions == 0 {
            self.dimensions = values.len();
            self.values = vec![0; self.scales.len() * self.dimensions];
        }
        if values.len() == self.dimensions {
            self.scales[at] = f32::from_le_bytes(*scale);
            let place = &mut self.values[at * self.dimensions..(at + 1) * self.dimensions];
            place.copy_from_slice(values);
        }
    }

    /// As [`Vectors::push_of`] with each of the others.
    pub fn append(&mut self, other: &Vectors) {
        if self.dimensions == 0 && other.len() > 0 {
            self.dimensions = other.dimensions;
            self.values = vec![0; self.scales.len() * self.dimensions];
        }
        // Hot: a question to several stores joins all their vectors.
        if self.dimensions == other.dimensions {
            self.values.extend_from_slice(&other.values);
            self.scales.extend_from_slice(&other.scales);
        } else {
            (0..other.len()).for_each(|at| self.push_of(other, at));
        }
    }

    /// One vector of others.
    pub fn push_of(&mut self, other: &Vectors, at: usize) {
        let values = &other.values[at * other.dimensions..(at + 1) * other.dimensions];
        self.push(other.scales[at], values.iter().copied());
    }

    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// The bytes of a vector, each of them signed; `None` for a zero vector.
    pub fn values(&self, at: usize) -> Option<&[u8]> {
        let values = &self.values[at * self.dimensions..(at + 1) * self.dimensions];
        (self.scales[at] > 0.0).then_some(values)
    }

    /// The cosine of two vectors; 0 if either is a zero vector.
    pub fn cosine(&self, a: usize, b: usize) -> f32 {
        match (self.values(a), self.values(b)) {
            (Some(left), Some(right)) => {
                product(left, &wide(right)) as f32 * self.scales[a] * self.scales[b]
            }
            _ => 0.0,
        }
    }

    /// What [`Vectors::near`] looks at first of the first `count` vectors.
    pub fn heads(&self, count: usize) -> Heads {
        let length = HEAD.min(self.dimensions);
        let mut heads = Heads { length, values: Vec::new(), rests: Vec::new() };
        if length > 0 {
            for row in self.values.chunks_exact(self.dimensions).take(count) {
                let (head, rest) = row.split_at(length);
                heads.values.extend(wide(head));
                heads.rests.push(length_of(rest));
            }
        }
        heads
    }

    /// Those of the vectors in `heads` whose cosine with one is at least `least`, which is more
    /// than 0, in order.
    pub fn near(&self, at: usize, heads: &Heads, least: f32) -> Vec<(usize, f32)> {
        let Some(own) = self.values(at) else { return Vec::new() };
        let (head, rest) = own.split_at(heads.length);
        let (own, head, rest) = (wide(own), wide(head), length_of(rest));
        let near = |(other, (theirs, their_rest)): (usize, (&[i16], &f32))| {
            // No product of two vectors is larger than that of their lengths.
            let most = product_of_heads(theirs, &head) as f32 + rest * their_rest * ROUNDING + 1.0;
            if most * self.scales[other] * self.scales[at] < least {
                return None;
            }
            let row = &self.values[other * self.dimensions..(other + 1) * self.dimensions];
            let cosine = product(row, &own) as f32 * self.scales[other] * self.scales[at];
            (cosine >= least).then_some((other, cosine))
        };
        let rows = heads.values.chunks_exact(heads.length.max(1)).zip(&heads.rests);
        rows.enumerate().filter_map(near).collect()
    }

    /// The cosine of each vector with `with`; 0 if either is a zero vector, and always if the
    /// lengths differ.
    pub fn cosines(&self, with: &Packed) -> Vec<f32> {
        if self.dimensions == 0 || with.values.len() != self.dimensions || with.scale == 0.0 {
            return vec![0.0; self.scales.len()];
        }
        let wide = with.wide();
        let rows = self.values.chunks_exact(self.dimensions).zip(&self.scales);
        rows.map(|(row, scale)| product(row, &wide) as f32 * scale * with.scale).collect()
    }
}

impl FromIterator<Packed> for Vectors {
    fn from_iter<T: IntoIterator<Item = Packed>>(packed: T) -> Vectors {
        let mut vectors = Vectors::default();
        for one in packed {
            vectors.push(one.scale, one.values.into_iter().map(i8::cast_unsigned));
        }
        vectors
    }
}

/// In the form that a processor multiplies fastest: made once for many rows.
fn wide(values: &[u8]) -> Vec<i16> {
    values.iter().map(|value| i16::from(value.cast_signed())).collect()
}

fn product_of_heads(a: &[i16], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
}

fn length_of(values: &[u8]) -> f32 {
    let squares: i32 = values.iter().map(|value| i32::from(value.cast_signed()).pow(2)).sum();
    (squares as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::embed;

    #[test]
    fn values_are_rounded_as_numbers_are() {
        let halves = (-254..=254).map(|twice| twice as f32 / 2.0);
        let near = halves.flat_map(|half| [half.next_down(), half, half.next_up()]);
        for value in near.filter(|value| value.abs() <= 127.0).chain([f32::NAN, -0.0, 1e-40]) {
            assert_eq!(rounded(value), value.round() as i8, "{value}");
        }
    }

    #[test]
    fn looking_at_the_heads_first_finds_all_that_are_near() {
        let texts: Vec<String> = (0..120)
            .map(|n| {
                format!("thing{} likes tea and rust in berlin {}", n % 7, "by train ".repeat(n % 5))
            })
            .chain((0..40).map(|n| format!("note {n} on subject {}", n * 7919 % 1000)))
            .chain([String::new()])
            .collect();
        let mut vectors: Vectors = texts.iter().map(|text| embed::embed(text).packed()).collect();
        vectors.push(0.0, std::iter::empty());
        let count = vectors.len();
        for least in [0.3, 0.6, 0.9, 0.99] {
            let heads = vectors.heads(count);
            let mut found = 0;
            for at in 0..count {
                let all = (0..count).map(|other| (other, vectors.cosine(other, at)));
                let all: Vec<(usize, f32)> = all.filter(|(_, cosine)| *cosine >= least).collect();
                found += all.len();
                assert_eq!(vectors.near(at, &heads, least), all, "{at} at {least}");
            }
            assert!(found > count && found < count * count, "{found} at {least}");
        }
        let (none, mut short) = (Vectors::empty(3), Vectors::default());
        short.push(1.0 / 5.0, [3_u8, 4].into_iter());
        short.push(1.0 / 5.0, [4_u8, 3].into_iter());
        assert!(none.near(1, &none.heads(3), 0.9).is_empty());
        assert_eq!(short.near(1, &short.heads(1), 0.9), [(0, short.cosine(0, 1))]);
    }

    fn exact(a: &Vector, b: &Vector) -> f32 {
        a.0.iter().zip(&b.0).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn bytes_keep_the_cosine() {
        let texts = ["climate change", "global warming", "a recipe for bread", ""];
        let vectors: Vec<Vector> = texts.iter().map(|text| embed::embed(text)).collect();
        let packed: Vectors = vectors.iter().map(Vector::packed).collect();
        for one in &vectors {
            let found = packed.cosines(&one.packed());
            for (other, cosine) in vectors.iter().zip(found) {
                assert!((exact(one, other) - cosine).abs() < 0.004, "{cosine}");
            }
        }
    }

    #[test]
    fn vectors_are_appended_as_if_one_by_one() {
        let of = |text: &str| embed::embed(text).packed();
        let of_another_model = Packed { scale: 0.5, values: vec![1, -1] };
        let parts = [vec![], vec![of("tea"), of("")], vec![of("bread")], vec![of_another_model]];
        let mut parts = parts.map(|part| part.into_iter().collect::<Vectors>()).to_vec();
        parts.push(Vectors::empty(2));
        for order in (0..125_usize).map(|n| [n / 25, n / 5 % 5, n % 5]) {
            let (mut joined, mut one_by_one) = (Vectors::default(), Vectors::default());
            for part in order.map(|at| &parts[at]) {
                joined.append(part);
                (0..part.len()).for_each(|at| one_by_one.push_of(part, at));
            }
            assert_eq!(joined, one_by_one, "{order:?}");
        }
    }

    #[test]
    fn what_has_no_vector_has_no_meaning() {
        let mut vectors = Vectors::empty(3);
        vectors.put_bytes(0, &[]);
        vectors.put_bytes(1, &embed::embed("tea").packed().to_bytes());
        vectors.put_bytes(2, &[1, 2, 3, 4, 5]);
        let cosines = vectors.cosines(&embed::embed("tea").packed());
        assert!(cosines[0] == 0.0 && cosines[1] > 0.99 && cosines[2] == 0.0);
        assert_eq!(vectors.cosines(&Packed::default()), [0.0; 3]);
    }
}
