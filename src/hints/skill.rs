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
        SkillError::OfLayer { name, layer } => {
            let remove =
                format!("`co --layer {layer} skill remove {name}` removes it for everybody");
            return vec![remove, "`co review reject ID` keeps it from your agents".to_owned()];
        }
        SkillError::NothingToAdopt => "`co skill add DIR` adds one from any folder",
    };
    vec![hint.to_owned()]
}
