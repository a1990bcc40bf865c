//! Volumes that treat names differing in case or Unicode normalisation as equal, like those of
//! macOS.
//!
//! Invariant: tests the volume, not the system: a Mac may have either kind, and so may Linux.

use super::{
    error::{At, SystemError},
    files, platform,
};
use std::{
    borrow::Cow,
    fs,
    path::{Path, PathBuf},
};

/// Whether a folder's volume ignores case. Tests it with the name of an existing file.
pub fn folds(folder: &Path) -> bool {
    let names = files::names(folder);
    let telling = names.iter().find(|name| swapped(name) != **name);
    telling.is_some_and(|name| is_same(&folder.join(name), &folder.join(swapped(name))))
}

fn swapped(name: &str) -> String {
    let swap = |letter: char| {
        if letter.is_ascii_uppercase() {
            letter.to_ascii_lowercase()
        } else {
            letter.to_ascii_uppercase()
        }
    };
    name.chars().map(swap).collect()
}

/// Whether two paths with different spellings are one file, which the volume lists only once.
pub fn is_one_file(root: &Path, one: &str, other: &str) -> bool {
    one != other
        && is_same(&root.join(one), &root.join(other))
        && !(is_listed_exactly(root, one) && is_listed_exactly(root, other))
}

/// Whether an existing file is listed under another spelling of its path. Tries other spellings of
/// each name first, so that most volumes need not be listed.
pub fn is_listed_otherwise(root: &Path, below: &str) -> bool {
    let mut folder = root.to_owned();
    let may_be = below.split('/').any(|name| {
        let there = folder.join(name);
        let same = other_spellings(name).any(|other| is_same(&there, &folder.join(other)));
        folder.push(name);
        same
    });
    may_be && !is_listed(root, below)
}

fn other_spellings(name: &str) -> impl Iterator<Item = String> {
    use unicode_normalization::UnicodeNormalization;
    let forms = if name.is_ascii() {
        [Some(swapped(name)), None, None]
    } else {
        [Some(swapped(name)), Some(name.nfc().collect()), Some(name.nfd().collect())]
    };
    let name = name.to_owned();
    forms.into_iter().flatten().filter(move |other| *other != name)
}

fn is_same(one: &Path, other: &Path) -> bool {
    platform::file_id(one).is_some_and(|one| Some(one) == platform::file_id(other))
}

/// Whether each folder on the way lists the names of this path, as co reads a folder.
fn is_listed(root: &Path, below: &str) -> bool {
    lists(root, below, |folder, listed| precomposed(folder, listed).into_owned())
}

fn is_listed_exactly(root: &Path, below: &str) -> bool {
    lists(root, below, |_, listed| listed.to_owned())
}

fn lists(root: &Path, below: &str, read: impl Fn(&Path, &str) -> String) -> bool {
    let mut folder = root.to_owned();
    below.split('/').all(|name| {
        let mut names = files::names(&folder).into_iter();
        let listed = names.any(|listed| listed == name || read(&folder, &listed) == name);
        folder.push(name);
        listed
    })
}

/// Renames a file, and the folders above it, to exactly the names of this path, if the volume lists
/// them under equivalent names.
pub fn take_name(root: &Path, below: &str) -> Result<(), SystemError> {
    let mut folder = root.to_owned();
    for name in below.split('/') {
        let wanted = folder.join(name);
        let names = files::names(&folder);
        if !names.iter().any(|listed| listed == name) {
            let same = names.iter().map(|listed| folder.join(listed));
            let other: Option<PathBuf> = same.into_iter().find(|other| is_same(other, &wanted));
            if let Some(other) = other {
                platform::patiently(|| fs::rename(&other, &wanted)).at("rename", &other)?;
            }
        }
        folder = wanted;
    }
    Ok(())
}

/// The name of an entry as git should store it: precomposed, if the volume also finds it by that
/// name. Finder and older volumes decompose names.
pub(super) fn precomposed<'a>(folder: &Path, name: &'a str) -> Cow<'a, str> {
    use unicode_normalization::{UnicodeNormalization, is_nfc};
    if name.is_ascii() || is_nfc(name) {
        return name.into();
    }
    let composed: String = name.nfc().collect();
    let is_it = is_same(&folder.join(name), &folder.join(&composed));
    if is_it { composed.into() } else { name.into() }
}
