//! Why the index was not written.

use crate::system::index::IndexError;

#[derive(Debug, thiserror::Error)]
#[error("cannot write {0}")]
pub struct ReindexError(#[source] pub IndexError);
