//! `co handoff`: what one session leaves for the next, and when it arrives.

mod arrival;
mod sessions;
