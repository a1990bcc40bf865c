//! Why no export was written.

use super::kind::ErrorKind;
use crate::system::archive;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("an export must be written to a file or folder, so that it can be verified")]
    NoPlace,
    #[error("{place} is inside the identity itself")]
    Inside { place: String },
    #[error("{place} was written, but cannot be read back: {why}")]
    NotReadBack { place: String, why: String },
    #[error("{place} is a folder")]
    IsFolder { place: String },
    #[error("the folder for {place} does not exist")]
    NoFolder { place: String },
    #[error("{place}: exports are .tar.gz, not {ending}")]
    OtherFormat { place: String, ending: &'static str },
    #[error("{place} exists and is not an earlier export; nothing was written")]
    OtherFile { place: String },
    #[error(
        "the identity is {} MiB; an archive can hold at most {} MiB",
        bytes >> 20,
        archive::MAX_BYTES >> 20
    )]
    TooLarge { bytes: usize },
    #[error(
        "the identity has {files} files; an archive must have fewer than {}",
        archive::MAX_ENTRIES
    )]
    TooMany { files: usize },
    #[error("{place} is a file")]
    IsFile { place: String },
    #[error("{place} contains files and is not an earlier export; nothing was written")]
    OtherFiles { place: String },
    #[error("{place} is an earlier export, but {file} in it is not part of that export")]
    ForeignFile { place: String, file: String },
}

impl ExportError {
    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            ExportError::NoPlace
            | ExportError::Inside { .. }
            | ExportError::IsFolder { .. }
            | ExportError::OtherFormat { .. }
            | ExportError::IsFile { .. } => ErrorKind::Invalid,
            ExportError::NotReadBack { .. } => ErrorKind::Other,
            ExportError::NoFolder { .. } => ErrorKind::NotFound,
            ExportError::OtherFile { .. }
            | ExportError::TooLarge { .. }
            | ExportError::TooMany { .. }
            | ExportError::OtherFiles { .. }
            | ExportError::ForeignFile { .. } => ErrorKind::Refused,
        }
    }
}
