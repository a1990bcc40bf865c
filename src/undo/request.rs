//! What is to be taken back, or done again.
//!
//! Invariant: values only. Must not know the log.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Direction {
    #[default]
    Undo,
    /// Undoes the last undo.
    Redo,
}

#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Defaults to the newest operation that was not undone.
    pub op: Option<u64>,
    pub direction: Direction,
    /// Also undoes what other laptops brought.
    pub accept_deletions: bool,
}
