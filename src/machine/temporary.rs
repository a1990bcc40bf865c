//! Temporary files until they get their name.
//!
//! Invariant: a name that is taken is never replaced.

use super::platform;
use std::{io, path::Path};

/// A scan skips files with this prefix; the next sync removes those of a killed co.
pub const TEMP_PREFIX: &str = ".co-tmp-";

pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Renames a temporary file to a free name.
pub(crate) fn persist_new(temp: tempfile::TempPath, target: &Path) -> io::Result<()> {
    let mut kept = Some(temp);
    platform::patiently(|| {
        let temp = kept.take().ok_or(io::ErrorKind::NotFound)?;
        temp.persist_noclobber(target).map_err(|error| {
            kept = Some(error.path);
            error.error
        })
    })
}
