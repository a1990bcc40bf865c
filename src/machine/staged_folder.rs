//! A folder that is made beside its place, and gets its name when it is whole.
//!
//! Invariant: whoever looks at the place sees the folder as it was before, none, or all of the new
//! one. What a kill leaves has the name of a temporary file, and is removed with those. Must not
//! know what is in it.

use super::{
    error::{At, SystemError},
    files,
    temporary::{TEMP_PREFIX, folder_of},
};
use std::{
    fs,
    path::{Path, PathBuf},
};
use tempfile::TempDir;

pub struct StagedFolder {
    /// Removed with all that is in it when this is dropped.
    around: TempDir,
    path: PathBuf,
}

impl StagedFolder {
    /// In the folder `within`, on whose volume its place is; `name` is what it is called until
    /// then.
    pub fn new(within: &Path, name: &str) -> Result<StagedFolder, SystemError> {
        files::make_dir(within)?;
        let around = tempfile::Builder::new().prefix(TEMP_PREFIX).tempdir_in(within);
        let around = around.at("write to", within)?;
        let path = around.path().join(name);
        fs::create_dir(&path).at("create the folder", &path)?;
        Ok(StagedFolder { around, path })
    }

    /// Beside its place.
    pub fn beside(place: &Path) -> Result<StagedFolder, SystemError> {
        StagedFolder::new(folder_of(place), "new")
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Puts it in its place; what was there is removed.
    pub fn put(self, place: &Path) -> Result<(), SystemError> {
        if files::exists(place) {
            files::rename(place, &self.around.path().join("old"))?;
        }
        files::rename(&self.path, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_takes_the_place_of_another_and_leaves_nothing() {
        let root = tempfile::tempdir().expect("a folder");
        let place = root.path().join("place");
        let names = || {
            let names = fs::read_dir(root.path()).expect("listed");
            names.map(|entry| entry.expect("listed").file_name()).collect::<Vec<_>>()
        };
        for round in ["one", "two"] {
            let staged = StagedFolder::beside(&place).expect("staged");
            fs::write(staged.path().join(round), round).expect("written");
            staged.put(&place).expect("put");
            assert_eq!(names(), ["place"]);
            let inside = fs::read_dir(&place).expect("listed").count();
            assert!(inside == 1 && place.join(round).is_file(), "{round}");
        }
        drop(StagedFolder::beside(&place).expect("staged"));
        assert_eq!(names(), ["place"], "what was not put is gone");
        let staged = StagedFolder::new(root.path(), ".git").expect("staged");
        fs::write(staged.path().join("HEAD"), "ref").expect("written");
        std::mem::forget(staged);
        assert_eq!(names().len(), 2, "as a kill leaves it");
        files::remove_staged(root.path());
        assert_eq!(names(), ["place"]);
    }
}
