//! Text that co did not write, on its way to a screen or a model: the only sanitiser.
//!
//! Invariant: only [`Said`] is printed or returned. Its own words are literals in the source;
//! anything that [`said!`] puts between them becomes [`Foreign`] first: one line of visible
//! characters. Text of several lines comes in only as a [`quote`](Foreign::quote), whose every line
//! starts with a margin. So foreign text cannot drive a terminal, hide, or start a line: it is
//! never a frame, heading, turn, fence or list hit. Held by the types, and by
//! `tests/scenarios/untrusted_text.rs` for every verb and tool. Must not know: what the texts are.

mod letters;
mod line;
mod quote;
pub mod said;

pub use letters::{is_bidi, is_seen, is_unseen_text};
pub use line::Foreign;
pub use quote::{MARGIN, unquoted};
pub(crate) use said::said;
pub use said::{Said, Say};
