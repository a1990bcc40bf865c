//! There is nothing to compare with, unless an export is named.

use super::Error;

#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct DiffError(pub Box<Error>);
