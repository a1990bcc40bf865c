//! Skills in the folders of agents: a link to the agreed copy, or a copy where links do not work.
//!
//! Invariant: nothing is written over: a link replaces only a link, and the caller knows that it is
//! one of co's. Must not know which agents there are.

use super::Unrecorded;
use crate::identity::skill::Skill;
use crate::machine::links;
use crate::workspace::{Error, skills};
use std::path::Path;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlacedAs {
    Link,
    Copy,
}

/// Places a skill under a free name, or in place of a link.
pub fn place_skill(
    _why: Unrecorded,
    (skill, agreed): (&Skill, &Path),
    at: &Path,
) -> Result<PlacedAs, Error> {
    let Err(error) = links::make(agreed, at) else { return Ok(PlacedAs::Link) };
    match links::make_copy(at, skills::copied(skill)) {
        Ok(()) => Ok(PlacedAs::Copy),
        Err(_) => Err(error.into()),
    }
}

/// Removes what [`place_skill`] placed; it may already be gone.
pub fn take_skill_away(_why: Unrecorded, at: &Path, placed: PlacedAs) -> Result<(), Error> {
    let removed = match placed {
        PlacedAs::Link => links::remove(at),
        PlacedAs::Copy => links::remove_copy(at),
    };
    Ok(removed?)
}
