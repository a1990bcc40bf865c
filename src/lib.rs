//! temp
pub mod identity;
pub mod merge;
