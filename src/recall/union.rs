//! A `Corpus` that concatenates several corpora.
//!
//! Invariant: indices run through the parts in order; words are joined only if there are several
//! parts, and their vectors never.

use super::{
    corpus::{Corpus, Document, Ends, Posting, Words},
    vectors::{Packed, Vectors},
};
use std::{cell::OnceCell, collections::BTreeMap};

/// Anything that contains a corpus.
pub trait AsCorpus {
    fn corpus(&self) -> &dyn Corpus;
}

impl AsCorpus for Box<dyn Corpus> {
    fn corpus(&self) -> &dyn Corpus {
        &**self
    }
}

impl<P: AsCorpus> AsCorpus for &P {
    fn corpus(&self) -> &dyn Corpus {
        (**self).corpus()
    }
}

pub struct Union<P> {
    parts: Vec<P>,
    documents: OnceCell<Vec<Document>>,
    words: OnceCell<Words>,
    vectors: OnceCell<Vectors>,
    encoded: OnceCell<Option<Vectors>>,
}

impl<P: AsCorpus> Union<P> {
    pub fn new(parts: Vec<P>) -> Union<P> {
        Union {
            parts,
            documents: OnceCell::new(),
            words: OnceCell::new(),
            vectors: OnceCell::new(),
            encoded: OnceCell::new(),
        }
    }

    pub fn parts(&self) -> &[P] {
        &self.parts
    }

    /// The part that a document is in, and its index there.
    pub fn within(&self, at: usize) -> (&P, usize) {
        let mut rest = at;
        for part in &self.parts {
            let length = part.corpus().documents().len();
            if rest < length {
                return (part, rest);
            }
            rest -= length;
        }
        unreachable!("because a place is only taken from the documents")
    }

    pub fn only(&self) -> Option<&dyn Corpus> {
        match self.parts.as_slice() {
            [only] => Some(only.corpus()),
            _ => None,
        }
    }

    /// What each part says of its documents, in their order. One request per part, which may read
    /// shared data only once.
    fn by_parts<T: Clone + Default>(
        &self,
        documents: &[u32],
        ask: impl Fn(&dyn Corpus, &[u32]) -> Vec<T>,
    ) -> Vec<T> {
        let mut all = vec![T::default(); documents.len()];
        let mut before = 0;
        for part in &self.parts {
            let corpus = part.corpus();
            let end = before + corpus.documents().len() as u32;
            let of_part =
                documents.iter().enumerate().filter(|(_, at)| (before..end).contains(*at));
            let (places, wanted): (Vec<usize>, Vec<u32>) =
                of_part.map(|(place, at)| (place, at - before)).unzip();
            for (place, said) in places.into_iter().zip(ask(corpus, &wanted)) {
                all[place] = said;
            }
            before = end;
        }
        all
    }

    /// The current vectors of all parts.
    fn joined_vectors(&self) -> Vectors {
        let mut all = Vectors::default();
        self.parts.iter().for_each(|part| all.append(part.corpus().vectors()));
        all
    }
}

impl<P: AsCorpus> Corpus for Union<P> {
    fn documents(&self) -> &[Document] {
        if let Some(only) = self.only() {
            return only.documents();
        }
        self.documents.get_or_init(|| {
            self.parts.iter().flat_map(|part| part.corpus().documents()).copied().collect()
        })
    }

    fn words(&self) -> &Words {
        if let Some(only) = self.only() {
            return only.words();
        }
        self.words.get_or_init(|| joined(self.parts.iter().map(|part| part.corpus().words())))
    }

    fn near_words(&self, with: &[Packed], least: f32) -> Vec<Vec<(String, f32)>> {
        if let Some(only) = self.only() {
            return only.near_words(with, least);
        }
        // A word has the same vector in all parts.
        let mut all: Vec<BTreeMap<String, f32>> = vec![BTreeMap::new(); with.len()];
        for part in &self.parts {
            let of_part = part.corpus().near_words(with, least);
            all.iter_mut().zip(of_part).for_each(|(all, near)| all.extend(near));
        }
        all.into_iter().map(|near| near.into_iter().collect()).collect()
    }

    fn postings(&self, stem: &str) -> Vec<Posting> {
        if let Some(only) = self.only() {
            return only.postings(stem);
        }
        let (mut all, mut before) = (Vec::new(), 0);
        for part in &self.parts {
            let found = part.corpus().postings(stem).into_iter();
            all.extend(found.map(|posting| Posting { at: posting.at + before, ..posting }));
            before += part.corpus().documents().len() as u32;
        }
        all
    }

    fn vectors(&self) -> &Vectors {
        match self.only() {
            Some(only) => only.vectors(),
            None => self.vectors.get_or_init(|| self.joined_vectors()),
        }
    }

    fn encoded(&self) -> Option<&Vectors> {
        if let Some(only) = self.only() {
            return only.encoded();
        }
        let joined = self.encoded.get_or_init(|| {
            let mut all = Vectors::default();
            for part in &self.parts {
                all.append(part.corpus().encoded()?);
            }
            Some(all)
        });
        joined.as_ref()
    }

    fn frequency(&self, word: &str) -> Option<u32> {
        let of_parts = self.parts.iter().filter_map(|part| part.corpus().frequency(word));
        of_parts.reduce(|all, of_part| all + of_part)
    }

    fn beginning_with(&self, text: &str) -> Words {
        if let Some(only) = self.only() {
            return only.beginning_with(text);
        }
        let of_parts: Vec<Words> =
            self.parts.iter().map(|part| part.corpus().beginning_with(text)).collect();
        joined(of_parts.iter())
    }

    fn containing(&self, text: &str) -> Words {
        if let Some(only) = self.only() {
            return only.containing(text);
        }
        let of_parts: Vec<Words> =
            self.parts.iter().map(|part| part.corpus().containing(text)).collect();
        joined(of_parts.iter())
    }

    fn cosines(&self, with: &Packed) -> Vec<f32> {
        if let Some(only) = self.only() {
            return only.cosines(with);
        }
        self.parts.iter().flat_map(|part| part.corpus().cosines(with)).collect()
    }

    fn encoded_cosines(&self, with: &Packed) -> Option<Vec<f32>> {
        if let Some(only) = self.only() {
            return only.encoded_cosines(with);
        }
        let parts = self.parts.iter().map(|part| part.corpus().encoded_cosines(with));
        Some(parts.collect::<Option<Vec<Vec<f32>>>>()?.concat())
    }

    fn holding(&self, documents: &[u32], phrase: &str, ends: Ends) -> Vec<bool> {
        self.by_parts(documents, |corpus, wanted| corpus.holding(wanted, phrase, ends))
    }

    fn bodies(&self, documents: &[u32]) -> Vec<String> {
        self.by_parts(documents, |corpus, wanted| corpus.bodies(wanted))
    }
}

fn joined<'a>(parts: impl Iterator<Item = &'a Words>) -> Words {
    let mut words: BTreeMap<&str, u32> = BTreeMap::new();
    for word in parts.flat_map(Words::all) {
        *words.entry(word.text).or_default() += word.frequency;
    }
    words.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::{
        collection::{Candidate, Collection},
        embed,
    };

    fn of(texts: &[&str]) -> Box<dyn Corpus> {
        let candidate =
            |text: &&str| Candidate { body: (*text).to_owned(), ..Candidate::default() };
        Box::new(Collection::new(&texts.iter().map(candidate).collect::<Vec<_>>()))
    }

    #[test]
    fn words_near_another_are_those_that_one_part_would_have() {
        for texts in [
            [["prefers tabs over spaces"], ["deploys start on tuesdays"], ["tabs on tuesdays"]],
            [["prefers tabs"], [""], ["prefers tabs"]],
            [[""], [""], ["zebra alpha"]],
        ] {
            let apart = Union::new(texts.iter().map(|part| of(part)).collect());
            let together = Union::new(vec![of(&texts.concat())]);
            let words = |union: &Union<Box<dyn Corpus>>| -> Vec<String> {
                union.words().all().map(|word| word.text.to_owned()).collect()
            };
            assert_eq!(words(&apart), words(&together));
            for asked in ["tab", "tuesday", "space", "zebra"] {
                let with = embed::embed(asked).packed();
                let near = |union: &Union<Box<dyn Corpus>>, least: f32| {
                    let mut near = union.near_words(std::slice::from_ref(&with), least).concat();
                    near.sort_by(|a, b| a.0.cmp(&b.0));
                    near
                };
                for least in [-2.0, 0.2, 0.4] {
                    assert_eq!(near(&apart, least), near(&together, least), "{asked} {texts:?}");
                }
                assert_eq!(near(&apart, -2.0).len(), words(&apart).len(), "{asked} {texts:?}");
            }
        }
    }
}
