//! temp
pub mod identity;
pub mod merge;
pub mod system;
