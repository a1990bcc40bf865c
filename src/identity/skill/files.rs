//! What is wrong with the files of a skill, whatever it is for: names that not every system takes,
//! and text that nobody sees.
//!
//! Invariant: one such file keeps the whole skill from agents. Must not know: what a `SKILL.md`
//! says.

use super::{FILE, Fault, Skill};
use crate::foreign::{Foreign, is_unseen_text};
use crate::identity::{blob::Blob, path::RelPath, portable};
use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

/// Characters of a path with the skill's name. Windows takes 260, a part of which is the folder of
/// the agreed copies.
const MAX_PATH: usize = 180;
/// Endings of what an agent reads: no such file has a NUL, which would make it look like no text.
const TEXTS: &str = "adoc js json markdown md mdx pl py rb rst sh toml ts txt yaml yml";

impl Skill {
    pub(super) fn faults_of_files(&self) -> Vec<Fault> {
        let names: BTreeSet<String> = self.files.paths().map(RelPath::folded).collect();
        let (mut seen, mut folders) = (BTreeSet::new(), BTreeMap::new());
        let mut faults = Vec::new();
        for (path, blob) in self.files.iter() {
            let fault = |line, message: String| Fault { path: path.clone(), line, message };
            if let Some(why) = unfit_place(&self.place(path)) {
                faults.push(fault(None, why));
            }
            if !seen.insert(path.folded()) {
                let why = "another file has this name on some systems; rename one";
                faults.push(fault(None, why.to_owned()));
            } else if is_in_two_folders(path, &names, &mut folders) {
                let why = "its folder has another spelling, too, which is one name on some \
                    systems; rename one";
                faults.push(fault(None, why.to_owned()));
            }
            if let Some(line) = hidden_line(path, blob) {
                let why = "it contains characters that nobody sees; remove them";
                faults.push(fault(Some(line), why.to_owned()));
            }
        }
        faults
    }
}

/// Whether a folder around a file was spelled otherwise before, or is a file elsewhere.
fn is_in_two_folders<'a>(
    path: &'a RelPath,
    names: &BTreeSet<String>,
    folders: &mut BTreeMap<String, &'a str>,
) -> bool {
    let around = path.as_str().match_indices('/').map(|(end, _)| &path.as_str()[..end]);
    around.fold(false, |is_known, folder| {
        let name = RelPath::known(folder).folded();
        let is_file = names.contains(&name);
        let first = *folders.entry(name).or_insert(folder);
        is_known || is_file || first != folder
    })
}

/// Why a file at this path of an identity does not reach every laptop.
fn unfit_place(path: &RelPath) -> Option<String> {
    if let Some(why) = portable::unfit_name(path) {
        return Some(format!("{why}; rename it"));
    }
    let is_unfit = |part: &str| {
        part.chars().any(|letter| "<>:\"|?*".contains(letter))
            || part.ends_with(['.', ' '])
            || part.starts_with(' ')
    };
    if path.as_str().split('/').any(is_unfit) {
        return Some("its name cannot be stored on Windows; rename it".to_owned());
    }
    if path.as_str().chars().count() > MAX_PATH {
        return Some("its path is too long for Windows; shorten it".to_owned());
    }
    portable::refused(path)
}

/// The first line, from 1, with a character that nobody sees. Bytes with a NUL that are no text
/// have none; in others that are no text, controls are none: a picture has some of them.
fn hidden_line(path: &RelPath, blob: &Blob) -> Option<usize> {
    let is_text = path.as_str() == FILE || is_read(path);
    if let Some(at) = memchr::memchr(0, blob) {
        return is_text.then(|| 1 + memchr::memchr_iter(b'\n', &blob[..at]).count());
    }
    let text = String::from_utf8_lossy(blob);
    let is_text = is_text || matches!(text, Cow::Borrowed(_));
    let hides = |line: &str| {
        if is_text { Foreign(line).hides_text() } else { line.chars().any(is_unseen_text) }
    };
    let text = text.trim_start_matches('\u{feff}');
    text.split('\n').position(hides).map(|at| at + 1)
}

fn is_read(path: &RelPath) -> bool {
    let name = path.name().to_lowercase();
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    TEXTS.split(' ').any(|known| known == ending)
}
