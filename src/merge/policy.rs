//! Whose content stays where two identities have no common history.
//!
//! Invariant: only values.

/// Which side wins if both have content and there is no common history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// Two laptops of one person: both texts are kept, newer fields win.
    Sync,
    /// An archive (`y`) comes in: later versions win; personality and traits come from the archive.
    Import,
    /// Like [`Policy::Import`], except that forgotten facts come back.
    RestoreForgotten,
}
