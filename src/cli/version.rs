//! The version as people see it.

/// A release names its commit too: `1.0.0 (3e104a81d)`.
pub(super) const VERSION: &str = env!("CO_SHOWN_VERSION");
