//! Where a fact is kept.
//!
//! Invariant: the identity travels with the person; a project's facts stay with the project.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Hash, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    Identity,
    /// `.co-cli/` of the current project.
    Project,
}
