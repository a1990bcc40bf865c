//! Why the catalog was not written.

use crate::system::catalog::CatalogError;

#[derive(Debug, thiserror::Error)]
#[error("cannot write {0}")]
pub struct ReindexError(#[source] pub CatalogError);
