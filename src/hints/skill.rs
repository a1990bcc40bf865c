//! What can be done after a failure that concerns skills.
//!
//! Invariant: every variant is listed by name, so that a new one does not compile without a hint.

use super::phrases::Hints;
use crate::integrations::skills::SkillError;

pub(super) fn skill(error: &SkillError) -> Hints {
    let hint = match error {
        SkillError::NoFolder { .. } => "name a folder with a SKILL.md",
        SkillError::NoSkill { .. } => {
            "it begins with `---`, `name: …`, `description: …`, `---`; `co help skills` explains"
        }
        SkillError::Unfit { .. } => "correct it, then add it again; nothing was changed",
        SkillError::Own { .. } => "give it another `name` in SKILL.md",
        SkillError::Unknown { .. } => "`co skill list` lists them",
        SkillError::NothingToAdopt => "`co skill add DIR` adds one from any folder",
    };
    vec![hint.to_owned()]
}
