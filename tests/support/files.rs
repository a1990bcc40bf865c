//! Files that somebody puts somewhere.

use std::{fs, path::Path};

/// Writes a file, with the folders above it.
pub fn put(file: &Path, bytes: impl AsRef<[u8]>) {
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    fs::write(file, bytes).expect("written");
}

/// The same with several files of a folder.
pub fn put_all(folder: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        put(&folder.join(path), text);
    }
}
