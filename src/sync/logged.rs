//! What of a sync is in the operation log, so that a person can undo it.
//!
//! Invariant: of several, the later one is what an undo would take back.

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Logged {
    #[default]
    Nothing,
    /// The last operation is this sync's and can be undone.
    Undoable,
    /// The last operation contains only changes of other laptops.
    OnlyOthers,
    Failed,
}

impl Logged {
    /// Combines two in order: an undo would take back the later one.
    pub(super) fn after(self, earlier: Logged) -> Logged {
        if self == Logged::Nothing { earlier } else { self }
    }
}
