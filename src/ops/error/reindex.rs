//! Why the catalog was not written.

use crate::system::catalog::CatalogError;

#[derive(Debug, thiserror::Error)]
#[error("{0} cannot be written")]
pub struct ReindexError(#[source] pub CatalogError);
