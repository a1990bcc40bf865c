//! What co notes for itself on this laptop, as JSON in a file that the user alone can read.
//!
//! Invariant: what cannot be read counts as absent.

use super::{SystemError, files};
use serde::{Serialize, de::DeserializeOwned};
use std::path::Path;

pub fn read<T: DeserializeOwned>(file: &Path) -> Option<T> {
    let bytes = files::read(file).ok().flatten()?;
    serde_json::from_slice(&bytes).ok()
}

pub fn write(file: &Path, record: &impl Serialize) -> Result<(), SystemError> {
    let text = serde_json::to_vec_pretty(record).expect("because a record is plain data");
    files::write_private(file, &text)
}
