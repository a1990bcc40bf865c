//! Reads a skill from a folder outside the identity.
//!
//! Invariant: sizes are looked at before anything is read; no link is followed, since it may lead
//! to a file that nobody meant to share. A folder with one bad file is refused as a whole.

use super::SkillError;
use crate::agents::words::SKILL_NAME;
use crate::identity::{
    Snapshot,
    skill::{self, Skill},
};
use crate::machine::{
    Context, files,
    folder::{self, Listed, Listing},
};
use std::path::Path;

/// A skill as it lies in a folder, and the files there that are no part of it.
pub(super) struct FolderRead {
    pub(super) skill: Skill,
    pub(super) left_out: Vec<String>,
}

/// Of the folder's own files, whatever its own name is: the skill's name is what it states.
pub(super) fn read(context: &Context, place: &Path) -> Result<FolderRead, SkillError> {
    let path = context.shown(place);
    let place = files::resolve(place);
    if !files::is_dir(&place) {
        return Err(SkillError::NoFolder { path });
    }
    if !files::is_file(&place.join(skill::FILE)) {
        return Err(SkillError::NoSkill { path });
    }
    let mut listing = folder::list(&place, "");
    let listed = std::mem::take(&mut listing.files);
    let (listed, others): (Vec<Listed>, Vec<Listed>) =
        listed.into_iter().partition(|listed| !skill::is_leftover(&listed.path));
    // A repository of its own is not even listed.
    let git = files::exists(&place.join(".git")).then(|| ".git".to_owned());
    let others = others.iter().map(|listed| listed.path.to_string());
    let left_out = git.into_iter().chain(others).collect();
    let mut faults = faults_of(&listing, &listed);
    let mut read = Snapshot::default();
    if faults.is_empty() {
        for Listed { path, file } in listed {
            match folder::read_file(&path, &file) {
                Ok((blob, _)) => read.put(path, blob),
                Err(finding) => faults.push(format!("{}: {}", finding.path, finding.message)),
            }
        }
    }
    let named = Skill { name: String::new(), files: read };
    let name = named.stated_name().unwrap_or_else(|| folder_name(&place));
    let skill = Skill { name, ..named };
    if skill.name == SKILL_NAME {
        return Err(SkillError::Own { name: skill.name });
    }
    if faults.is_empty() {
        faults.extend(skill.faults().into_iter().map(|fault| {
            let line = fault.line.map_or_else(String::new, |line| format!(":{line}"));
            format!("{}{line}: {}", fault.path, fault.message)
        }));
    }
    if !faults.is_empty() {
        return Err(SkillError::Unfit { path, faults });
    }
    Ok(FolderRead { skill, left_out })
}

fn folder_name(place: &Path) -> String {
    place.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What no look into the files is needed for.
fn faults_of(listing: &Listing, listed: &[Listed]) -> Vec<String> {
    let told =
        |finding: &crate::identity::Finding| format!("{}: {}", finding.path, finding.message);
    let mut faults: Vec<String> = listing.findings.iter().map(told).collect();
    let links = listed.iter().filter(|listed| files::is_link(&listed.file));
    faults.extend(links.map(|listed| format!("{}: it is a link to another file", listed.path)));
    let bytes: usize = listed.iter().map(|listed| files::size(&listed.file)).sum();
    if u64::try_from(bytes).is_ok_and(|bytes| bytes > skill::MAX_BYTES) {
        faults.push(format!("{bytes} bytes in all; a skill can have 32 MiB"));
    }
    if listed.len() > skill::MAX_FILES {
        let count = listed.len();
        faults.push(format!("{count} files; a skill can have {}", skill::MAX_FILES));
    }
    faults
}
