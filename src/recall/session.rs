//! Sessions: memories written one after another hint at what each is about.
//!
//! Invariant: pure; a memory that was saved on its own is a session of one.

use super::corpus::Document;

/// A longer pause, in microseconds, ends a session.
const PAUSE: i64 = 30 * 60 * 1_000_000;
/// More memories at once are an import, not a session.
const MAX: usize = 64;

/// Documents of the same instant are ordered by hash, the same on every laptop.
#[derive(Clone, Debug, Default)]
pub struct Sessions {
    /// The session of each document.
    of: Vec<u32>,
    /// The documents of one session after the other, each in order of time.
    members: Vec<u32>,
    /// Where each session ends in `members`.
    ends: Vec<u32>,
    /// The position of each document in its session.
    place: Vec<u32>,
    /// See [`Sessions::weight`].
    weight: f64,
}

impl Sessions {
    pub fn of(documents: &[Document]) -> Sessions {
        let mut order: Vec<u32> = (0..documents.len() as u32).collect();
        let created = |at: u32| documents[at as usize].created;
        order.sort_by_key(|at| (created(*at), documents[*at as usize].hash_prefix));
        let follows = |last: u32, at: u32| {
            created(at) - created(last) <= PAUSE
                && documents[at as usize].source == documents[last as usize].source
        };
        let count = documents.len();
        let (of, place) = (vec![0; count], vec![0; count]);
        let (members, ends) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut sessions = Sessions { of, members, ends, place, weight: 0.0 };
        let mut imported: Vec<u32> = Vec::new();
        let mut rest = order.as_slice();
        while !rest.is_empty() {
            let end = rest.windows(2).position(|two| !follows(two[0], two[1]));
            let (session, after) = rest.split_at(end.map_or(rest.len(), |last| last + 1));
            rest = after;
            if session.len() > MAX {
                imported.extend_from_slice(session);
            } else {
                sessions.push(session);
            }
        }
        imported.chunks(1).for_each(|alone| sessions.push(alone));
        Sessions { weight: sessions.measured(), ..sessions }
    }

    fn push(&mut self, session: &[u32]) {
        for (document, at) in session.iter().zip(0..) {
            self.of[*document as usize] = self.ends.len() as u32;
            self.place[*document as usize] = at;
        }
        self.members.extend_from_slice(session);
        self.ends.push(self.members.len() as u32);
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn session_of(&self, document: usize) -> usize {
        self.of[document] as usize
    }

    pub fn members(&self, session: usize) -> &[u32] {
        let start = session.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.members[start as usize..self.ends[session] as usize]
    }

    pub fn is_alone(&self, document: usize) -> bool {
        self.members(self.session_of(document)).len() < 2
    }

    /// The neighbours of a document in its session, without itself, each with a weight.
    pub fn neighbours(&self, document: usize) -> impl Iterator<Item = (usize, f64)> {
        let session = self.members(self.session_of(document));
        let place = self.place[document] as usize;
        let near = [(place.wrapping_sub(2), 0.6), (place.wrapping_sub(1), 1.0)];
        let after = [(place + 1, 1.0), (place + 2, 0.6)];
        let all = near.into_iter().chain(after);
        all.filter_map(|(at, weight)| Some((*session.get(at)? as usize, weight)))
    }

    /// How informative sessions are: the share of memories in sessions of two or more, times the
    /// size of these sessions (full weight from five on).
    pub fn weight(&self) -> f64 {
        self.weight
    }

    fn measured(&self) -> f64 {
        let lengths = (0..self.len()).map(|session| self.members(session).len());
        let large = || lengths.clone().filter(|length| *length >= 2);
        let within: usize = large().sum();
        if within == 0 {
            return 0.0;
        }
        let share = within as f64 / self.of.len() as f64;
        let mean = within as f64 / large().count() as f64;
        share * ((mean - 1.0) / 4.0).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(minutes: i64, source: u32) -> Document {
        Document { created: minutes * 60_000_000, source, ..Document::default() }
    }

    #[test]
    fn a_pause_and_another_source_end_a_session() {
        let all = [at(0, 1), at(10, 1), at(41, 1), at(42, 2), at(43, 2), at(44, 2)];
        let sessions = Sessions::of(&all);
        assert_eq!(sessions.members(sessions.session_of(1)), [0, 1]);
        assert!(sessions.is_alone(2));
        assert_eq!(sessions.members(sessions.session_of(4)), [3, 4, 5]);
        let near: Vec<_> = sessions.neighbours(3).collect();
        assert_eq!(near, [(4, 1.0), (5, 0.6)]);
    }

    #[test]
    fn an_import_is_no_session() {
        let all: Vec<Document> = (0..65).map(|_| at(0, 1)).collect();
        let sessions = Sessions::of(&all);
        assert!((0..65).all(|document| sessions.is_alone(document)));
        assert_eq!(sessions.weight(), 0.0);
    }
}
