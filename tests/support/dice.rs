//! Numbers that look random, for stories, corpora and bytes that are made up.
//!
//! Invariant: the same seed gives the same throws on every machine. Seeds that broke something once
//! are named by tests, so how a throw is made does not change.

/// splitmix64, in which neighbouring seeds, such as 0, 1 and 2, have nothing in common.
#[derive(Clone)]
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// One of the numbers below `n`, or 0 where there is none.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// None of nothing.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }

    /// One of a table, which is never empty.
    pub fn one_of<T: Copy>(&mut self, table: &[T]) -> T {
        table[self.below(table.len())]
    }

    /// One of a table that says of each how often it comes up.
    pub fn weighed<T: Copy>(&mut self, table: &[(usize, T)]) -> T {
        let mut left = self.below(table.iter().map(|(often, _)| *often).sum());
        for (often, what) in table {
            if left < *often {
                return *what;
            }
            left -= *often;
        }
        unreachable!("a throw is below the sum of a table that is never empty")
    }

    /// So many letters of an alphabet.
    pub fn of(&mut self, alphabet: &str, count: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..count).map(|_| self.one_of(&letters)).collect()
    }

    /// Bytes that nothing makes smaller.
    pub fn bytes(&mut self, count: usize) -> Vec<u8> {
        (0..count).map(|_| self.next().to_be_bytes()[0]).collect()
    }
}
