//! Volumes that take names which differ in case or in Unicode normalisation for one name, as those
//! of macOS do.
//!
//! Invariant: asks the volume, not the system: a Mac may have either kind, and so may Linux.

use super::{
    error::{At, SystemError},
    files,
};
use std::{
    fs,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
};

/// Whether the volume of a folder ignores case. Asks by the name of something that is there.
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

/// Whether two paths that differ in spelling are one file: the volume has it, and lists it once.
pub fn is_one_file(root: &Path, one: &str, other: &str) -> bool {
    one != other
        && is_same(&root.join(one), &root.join(other))
        && !(is_listed_exactly(root, one) && is_listed_exactly(root, other))
}

/// Whether a file that is there is listed under another spelling of its path. Asks the volume by
/// other spellings of each name, so that most volumes need not be listed.
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
    let inode = |path: &Path| fs::symlink_metadata(path).ok().map(|meta| (meta.dev(), meta.ino()));
    inode(one).is_some_and(|one| Some(one) == inode(other))
}

/// Whether each folder on the way lists the names of this path, as co reads a folder.
fn is_listed(root: &Path, below: &str) -> bool {
    lists(root, below, |folder, listed| precomposed(folder, listed.to_owned()))
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

/// Gives a file, and the folders above it, exactly the names of this path, where the volume has
/// them under names that it takes for the same.
pub fn take_name(root: &Path, below: &str) -> Result<(), SystemError> {
    let mut folder = root.to_owned();
    for name in below.split('/') {
        let wanted = folder.join(name);
        let names = files::names(&folder);
        if !names.iter().any(|listed| listed == name) {
            let same = names.iter().map(|listed| folder.join(listed));
            let other: Option<PathBuf> = same.into_iter().find(|other| is_same(other, &wanted));
            if let Some(other) = other {
                fs::rename(&other, &wanted).at("rename", &other)?;
            }
        }
        folder = wanted;
    }
    Ok(())
}

/// The name of an entry as git should have it: precomposed, where the volume finds it so, too.
/// Finder and older volumes decompose what a person typed.
pub fn precomposed(folder: &Path, name: String) -> String {
    use unicode_normalization::{UnicodeNormalization, is_nfc};
    if name.is_ascii() || is_nfc(&name) {
        return name;
    }
    let composed: String = name.nfc().collect();
    if is_same(&folder.join(&name), &folder.join(&composed)) { composed } else { name }
}
