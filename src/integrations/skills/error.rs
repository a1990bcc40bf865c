//! Why a skill was not added, shown, adopted or removed.
//!
//! Invariant: a folder is shown as a person would write it; every reason names a file.

use crate::identity::LayerName;
use crate::workspace::{ErrorKind, VerbError};

#[derive(Debug, thiserror::Error)]
pub enum SkillError {
    #[error("{path} is not a folder")]
    NoFolder { path: String },
    #[error("{path} contains no SKILL.md")]
    NoSkill { path: String },
    #[error("{path} was not added: {}", faults.join("; "))]
    Unfit { path: String, faults: Vec<String> },
    #[error("`{name}` is the name of co's own skill")]
    Own { name: String },
    #[error("there is no skill `{name}`")]
    Unknown { name: String },
    #[error("the skill {name} belongs to the layer {layer}, not to you")]
    OfLayer { name: String, layer: LayerName },
    #[error("the agents on this laptop have no skill that the identity lacks")]
    NothingToAdopt,
}

impl VerbError for SkillError {
    fn kind(&self) -> ErrorKind {
        match self {
            SkillError::NoFolder { .. }
            | SkillError::NoSkill { .. }
            | SkillError::Unknown { .. }
            | SkillError::NothingToAdopt => ErrorKind::NotFound,
            SkillError::Unfit { .. } | SkillError::Own { .. } | SkillError::OfLayer { .. } => {
                ErrorKind::Refused
            }
        }
    }
}
