//! Smooths each memory's vector with its neighbours in the same session, weighted by how similar
//! they are.
//!
//! Invariant: pure; a memory without related neighbours keeps its own vector. A cosine with a sum
//! of vectors is the sum of the cosines divided by its length, so lengths are all that is cached.

use super::{session::Sessions, vectors::Vectors};

/// Cosines at which a neighbour starts to count and at which it counts fully.
const ABOUT: f32 = 0.1;
const SAME: f32 = 0.3;
/// The weight of all neighbours together.
const SHARE: f32 = 0.6;

/// What each document's vector is combined with.
pub(super) struct Neighbours(Vec<Near>);

/// The related neighbours of a document with their weights, and the length of the vector sum.
struct Near {
    weights: Vec<(u32, f32)>,
    length: f32,
}

impl Neighbours {
    pub(super) fn find(vectors: &Vectors, sessions: &Sessions) -> Neighbours {
        let weight = sessions.weight() as f32;
        if weight <= 0.0 {
            return Neighbours(Vec::new());
        }
        // A session that makes up nearly the whole collection does not discriminate.
        let share = |at: usize| {
            let session = sessions.members(sessions.session_of(at)).len();
            SHARE * weight * (1.0 - session as f32 / vectors.len() as f32)
        };
        Neighbours((0..vectors.len()).map(|at| near(at, share(at), vectors, sessions)).collect())
    }

    /// The cosines with each document and its neighbours, computed from those with documents alone.
    pub(super) fn cosines(&self, own: &[f32]) -> Vec<f32> {
        let cosine = |at: usize| {
            let Some(near) = self.0.get(at) else { return own[at] };
            let with = |(other, weight): &(u32, f32)| weight * own[*other as usize];
            (own[at] + near.weights.iter().map(with).sum::<f32>()) / near.length
        };
        (0..own.len()).map(cosine).collect()
    }
}

fn near(at: usize, share: f32, vectors: &Vectors, sessions: &Sessions) -> Near {
    let all: f64 = sessions.neighbours(at).map(|(_, weight)| weight).sum();
    let weighed = |(other, weight): (usize, f64)| {
        let cosine = vectors.cosine(at, other);
        let same = ((cosine - ABOUT) / (SAME - ABOUT)).clamp(0.0, 1.0);
        (same > 0.0).then_some((other, share * same * (weight / all) as f32, cosine))
    };
    let near: Vec<(usize, f32, f32)> = sessions.neighbours(at).filter_map(weighed).collect();
    let with_itself: f32 = near.iter().map(|(_, weight, cosine)| weight * cosine).sum();
    let pairs = near.iter().flat_map(|a| near.iter().map(move |b| (a, b)));
    let among_themselves: f32 = pairs
        .map(|(a, b)| a.1 * b.1 * if a.0 == b.0 { 1.0 } else { vectors.cosine(a.0, b.0) })
        .sum();
    let squared = 1.0 + 2.0 * with_itself + among_themselves;
    let weights = near.into_iter().map(|(other, weight, _)| (other as u32, weight)).collect();
    Near { weights, length: squared.max(f32::EPSILON).sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{
        corpus::Document,
        embed::{self, Vector},
    };

    #[test]
    fn it_is_the_cosine_with_the_sum_of_the_vectors() {
        let texts =
            ["We went to Lisbon", "The hotel in Lisbon was small", "Ate cake in Lisbon", "Tea"];
        let texts = [texts.as_slice(), &["Alone"; 4]].concat();
        let vectors: Vec<Vector> = texts.iter().map(|text| embed::embed(text)).collect();
        let packed: Vectors = vectors.iter().map(Vector::packed).collect();
        let minutes = [0, 5, 9, 11, 500, 600, 700, 800];
        let documents: Vec<Document> = minutes
            .iter()
            .map(|minutes| Document { created: minutes * 60_000_000, ..Document::default() })
            .collect();
        let sessions = Sessions::of(&documents);
        let question = embed::embed("a hotel in Portugal");
        let own = packed.cosines(&question.packed());
        let neighbours = Neighbours::find(&packed, &sessions);
        let found = neighbours.cosines(&own);
        for (at, found) in found.iter().enumerate() {
            let mut sum = vectors[at].0.clone();
            for (other, weight) in &neighbours.0[at].weights {
                let near = vectors[*other as usize].0.iter();
                sum.iter_mut().zip(near).for_each(|(sum, near)| *sum += weight * near);
            }
            let sum = Vector(sum).normalised();
            let exact: f32 = sum.0.iter().zip(&question.0).map(|(a, b)| a * b).sum();
            assert!((exact - found).abs() < 0.01, "{at}: {exact} {found}");
        }
        assert!(neighbours.0[1].weights.len() == 2, "those that are about the same");
        assert!((own[3] - found[3]).abs() < 1e-6, "another thing means itself");
    }
}
