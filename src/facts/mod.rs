//! The verbs for facts: saving, showing, finding, changing, forgetting, and what a person reviews.
//!
//! Invariant: a fact changes only through a transaction of the workspace; what an agent proposes
//! becomes a fact only after the person agrees. Must not know documents, agents' files, or where an
//! identity is moved to.

mod brought;
mod compared;
pub mod confirm;
pub mod edit;
pub mod editor_text;
pub mod forget;
pub mod last;
pub mod life;
pub mod list;
pub mod log;
pub mod operation;
pub mod pin;
pub mod recall;
pub mod remember;
pub mod review;
pub mod save;
pub mod show;
pub mod similar;
mod superseding;
pub mod timing;
