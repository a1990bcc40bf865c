//! Vectors as stored and compared: one byte per dimension, and a scale.
//!
//! Invariant: pure; the cosine of two vectors is an integer times their scales, so it is the same
//! on every machine and in every store.

use super::embed::Vector;

/// A quantised vector. The scale is zero for a zero vector, or if the text has none.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Packed {
    scale: f32,
    values: Vec<i8>,
}

impl Vector {
    /// The error of a cosine is about a thousandth.
    pub fn packed(&self) -> Packed {
        let highest = self.0.iter().fold(0.0_f32, |highest, value| highest.max(value.abs()));
        if highest <= 0.0 || !highest.is_finite() {
            return Packed { scale: 0.0, values: vec![0; self.0.len()] };
        }
        let byte = |value: &f32| (value / highest * 127.0).round() as i8;
        let values: Vec<i8> = self.0.iter().map(byte).collect();
        let squares: i64 = values.iter().map(|value| i64::from(*value).pow(2)).sum();
        Packed { scale: 1.0 / (squares as f32).sqrt(), values }
    }
}

impl Packed {
    /// The scale, little-endian, followed by the values.
    pub fn to_bytes(&self) -> Vec<u8> {
        let values = self.values.iter().map(|value| value.cast_unsigned());
        self.scale.to_le_bytes().into_iter().chain(values).collect()
    }
}

impl Packed {
    /// A zero vector if there are too few bytes.
    pub fn from_bytes(bytes: &[u8]) -> Packed {
        let Some((scale, values)) = bytes.split_first_chunk() else { return Packed::default() };
        let values = values.iter().map(|value| value.cast_signed()).collect();
        Packed { scale: f32::from_le_bytes(*scale), values }
    }
}

/// Many vectors of equal length, stored contiguously.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Vectors {
    dimensions: usize,
    scales: Vec<f32>,
    values: Vec<i8>,
}

impl Vectors {
    /// A vector whose length differs from the first's is stored as a zero vector.
    pub fn push(&mut self, scale: f32, values: impl ExactSizeIterator<Item = i8>) {
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
            place.iter_mut().zip(values).for_each(|(place, value)| *place = value.cast_signed());
        }
    }

    pub fn append(&mut self, other: &Vectors) {
        for (at, scale) in other.scales.iter().enumerate() {
            let values = &other.values[at * other.dimensions..(at + 1) * other.dimensions];
            self.push(*scale, values.iter().copied());
        }
    }

    pub fn len(&self) -> usize {
        self.scales.len()
    }

    /// The bytes of a vector; `None` for a zero vector.
    pub fn values(&self, at: usize) -> Option<&[i8]> {
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

    /// The cosine of a vector with each of the first `count`; 0 if either is a zero vector.
    pub fn cosines_of(&self, at: usize, count: usize) -> Vec<f32> {
        let Some(own) = self.values(at).map(wide) else { return vec![0.0; count] };
        let rows = self.values.chunks_exact(self.dimensions).zip(&self.scales).take(count);
        rows.map(|(row, scale)| product(row, &own) as f32 * scale * self.scales[at]).collect()
    }

    /// The cosine of each vector with `with`; 0 if either is a zero vector, and always if the
    /// lengths differ.
    pub fn cosines(&self, with: &Packed) -> Vec<f32> {
        if self.dimensions == 0 || with.values.len() != self.dimensions || with.scale == 0.0 {
            return vec![0.0; self.scales.len()];
        }
        let wide = wide(&with.values);
        let rows = self.values.chunks_exact(self.dimensions).zip(&self.scales);
        rows.map(|(row, scale)| product(row, &wide) as f32 * scale * with.scale).collect()
    }
}

impl FromIterator<Packed> for Vectors {
    fn from_iter<T: IntoIterator<Item = Packed>>(packed: T) -> Vectors {
        let mut vectors = Vectors::default();
        packed.into_iter().for_each(|one| vectors.push(one.scale, one.values.into_iter()));
        vectors
    }
}

/// A vector that many others are compared with, where they are stored.
pub struct Compared {
    scale: f32,
    values: Vec<i16>,
}

impl Compared {
    pub fn of(packed: &Packed) -> Compared {
        Compared { scale: packed.scale, values: wide(&packed.values) }
    }

    /// The cosine with a vector from [`Packed::to_bytes`]; 0 if either is a zero vector, or if the
    /// lengths differ.
    pub fn cosine(&self, bytes: &[u8]) -> f32 {
        let Some((scale, values)) = bytes.split_first_chunk() else { return 0.0 };
        if values.len() != self.values.len() {
            return 0.0;
        }
        let each = values.iter().zip(&self.values);
        let sum: i32 =
            each.map(|(a, b)| i32::from(i16::from(a.cast_signed())) * i32::from(*b)).sum();
        sum as f32 * f32::from_le_bytes(*scale) * self.scale
    }
}

/// In the form that a processor multiplies fastest: made once for many rows.
fn wide(values: &[i8]) -> Vec<i16> {
    values.iter().copied().map(i16::from).collect()
}

fn product(a: &[i8], b: &[i16]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from(i16::from(*a)) * i32::from(*b)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::embed;

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
            let compared = Compared::of(&one.packed());
            let in_place = vectors.iter().map(|other| compared.cosine(&other.packed().to_bytes()));
            assert_eq!(in_place.collect::<Vec<f32>>(), found, "to the last bit");
            for (other, cosine) in vectors.iter().zip(found) {
                assert!((exact(one, other) - cosine).abs() < 0.004, "{cosine}");
            }
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
        let compared = Compared::of(&embed::embed("tea").packed());
        let others: [&[u8]; 2] = [&[], &[1, 2, 3, 4, 5]];
        assert_eq!(others.map(|bytes| compared.cosine(bytes)), [0.0; 2]);
    }
}
