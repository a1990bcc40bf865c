//! Looks up, by path, what is sorted by path.
//!
//! Invariant: finds what a search would, in whatever order paths are asked for; in their own order,
//! each costs one comparison. Must not know what is looked up.

/// Each path at most once, in byte order.
pub struct InTurn<'t, T> {
    all: &'t [T],
    path: fn(&T) -> &str,
    next: usize,
}

impl<'t, T> InTurn<'t, T> {
    pub fn new(all: &'t [T], path: fn(&T) -> &str) -> InTurn<'t, T> {
        InTurn { all, path, next: 0 }
    }

    /// The place of a path among all.
    pub fn place(&mut self, path: &str) -> Option<usize> {
        if self.all.get(self.next).is_none_or(|one| (self.path)(one) != path) {
            let found = self.all.binary_search_by(|one| (self.path)(one).cmp(path));
            self.next = found.unwrap_or_else(|next| next);
            found.ok()?;
        }
        self.next += 1;
        Some(self.next - 1)
    }

    pub fn get(&mut self, path: &str) -> Option<&'t T> {
        let place = self.place(path)?;
        self.all.get(place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_in_whatever_order_paths_are_asked_for() {
        let all = ["a", "a/x", "b", "c", "e"];
        for asked in
            ["a a/x b c e", "e c b a/x a", "a c d e f", "0 a b bb", "z y", "b b b", "a/x a a/x"]
        {
            let mut in_turn = InTurn::new(&all, |path| path);
            for path in asked.split(' ') {
                let place = all.iter().position(|here| *here == path);
                assert_eq!(in_turn.place(path), place, "{path} of {asked}");
            }
        }
        assert!(InTurn::new(&[] as &[&str], |path| path).get("a").is_none());
    }
}
