//! `co review`: what agents propose, what merges left open, and what may no longer hold.

mod merges;
mod queue;
mod stale;
