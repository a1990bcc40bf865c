//! `co learn`: tags, times, and what is said of facts that are alike.

mod tags;
mod texts;
mod times;
