//! Why no export was written.

use super::kind::ErrorKind;
use crate::system::archive;

#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error("an export is written to a file or folder, and read back from there")]
    NoPlace,
    #[error("{place} lies in the identity itself")]
    Inside { place: String },
    #[error("{place} was written and cannot be read back: {why}")]
    NotReadBack { place: String, why: String },
    #[error("{place} is a folder")]
    IsFolder { place: String },
    #[error("there is no folder for {place}")]
    NoFolder { place: String },
    #[error("{place}: an export is a gzipped tar, and no {ending}")]
    OtherFormat { place: String, ending: &'static str },
    #[error("{place} is there and is no earlier export; nothing was written")]
    OtherFile { place: String },
    #[error("the identity has {} MiB; an archive holds at most {} MiB", bytes >> 20, archive::MAX_BYTES >> 20)]
    TooLarge { bytes: usize },
    #[error("the identity has {files} files; an archive holds fewer than {}", archive::MAX_ENTRIES)]
    TooMany { files: usize },
    #[error("{place} is a file")]
    IsFile { place: String },
    #[error("{place} holds files and is no earlier export; nothing was written")]
    OtherFiles { place: String },
    #[error("{place} is an earlier export, but {file} in it is none of its files")]
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
