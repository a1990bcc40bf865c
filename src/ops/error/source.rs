//! Why a source is not compared or imported.

use super::kind::ErrorKind;

#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error("the source is empty")]
    Empty,
    #[error("`{text}` is not an archive, folder, commit or remote")]
    Unknown { text: String },
    #[error("`{text}` is the remote")]
    Remote { text: String },
    #[error("`{text}` is a commit of this identity")]
    Commit { text: String },
    #[error("a commit cannot be imported")]
    Unimportable,
    #[error("{place} was refused: {why}")]
    Refused { place: String, why: String },
    #[error(
        "{place} was refused: {path} does not match the archive's manifest: it is damaged, or was \
         changed after the export"
    )]
    Contradicted { place: String, path: String },
    #[error("{place} was refused: {path} is a link that points outside it")]
    LeadsOut { place: String, path: String },
    #[error("{place} is this identity")]
    Itself { place: String },
    #[error("{place} contains no identity: no profile.md, personality.md, traits/ or knowledge/")]
    NoIdentity { place: String },
    /// What a person downloads from ChatGPT, Claude or Gemini.
    #[error("{place} is an export from an AI service, not from co")]
    Service {
        place: String,
        /// For a command line.
        typed: String,
    },
    #[error("{place} is JSON, not an archive written by co")]
    Json {
        place: String,
        /// For a command line.
        typed: String,
    },
    #[error("{place} is a zip archive; exports are .tar.gz, not .zip")]
    Zip { place: String },
    #[error("{path} exists but cannot be read")]
    Closed { path: String },
}

impl SourceError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            SourceError::Empty
            | SourceError::Remote { .. }
            | SourceError::Commit { .. }
            | SourceError::Unimportable
            | SourceError::Itself { .. } => ErrorKind::Invalid,
            SourceError::Unknown { .. } | SourceError::NoIdentity { .. } => ErrorKind::NotFound,
            SourceError::Refused { .. }
            | SourceError::Contradicted { .. }
            | SourceError::LeadsOut { .. }
            | SourceError::Service { .. }
            | SourceError::Json { .. }
            | SourceError::Zip { .. }
            | SourceError::Closed { .. } => ErrorKind::Refused,
        }
    }
}
