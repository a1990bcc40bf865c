//! Context: what an agent reads at the start of a session.
//!
//! Invariant: pure; texts in, one text out, with an account of every layer.

mod cut;
mod headings;
mod internal;
mod layer;
pub mod layers;
mod render;

pub use layer::{LayerKind, Markup};
pub use render::system_reminder;
