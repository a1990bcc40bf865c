//! Why nothing that an agent proposed was saved.

#[derive(Debug, thiserror::Error)]
pub enum RememberError {
    #[error("{why}; nothing was saved")]
    Hidden { why: String },
    #[error("too many proposals are waiting for the user; nothing was saved")]
    TooMany,
}
