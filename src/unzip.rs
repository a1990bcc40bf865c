//! Members of zip archives: of office documents, books and downloaded exports.
//!
//! Invariant: pure; all that is unpacked together is bounded, however much the archive claims.
//! Names are compared and shown, never used as paths. Must not know: what a member says.

use std::io::{Read, Seek};
use thiserror::Error;
use zip::{ZipArchive, result::ZipError};

/// Bytes in a MiB.
const MIB: u64 = 1024 * 1024;

/// Why an archive, or one of its members, cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Fault {
    #[error("it is encrypted and needs a password")]
    Encrypted,
    #[error("it unpacks to more than {0} MiB")]
    TooLarge(u64),
    #[error("{0}")]
    Damaged(String),
}

impl From<ZipError> for Fault {
    fn from(error: ZipError) -> Fault {
        match error {
            ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)
            | ZipError::InvalidPassword => Fault::Encrypted,
            error => Fault::Damaged(error.to_string()),
        }
    }
}

/// An archive of which only so many MiB are unpacked.
pub struct Unzip<R> {
    zip: ZipArchive<R>,
    limit: u64,
    left: u64,
}

impl<R: Read + Seek> Unzip<R> {
    pub fn new(input: R, limit: u64) -> Result<Unzip<R>, Fault> {
        Ok(Unzip { zip: ZipArchive::new(input)?, limit, left: limit * MIB })
    }

    /// The members with their places; one whose name is no text has none.
    pub fn names(&self) -> Vec<(usize, String)> {
        let names = self.zip.file_names().enumerate();
        names.filter_map(|(at, name)| Some((at, name.ok()?.into_owned()))).collect()
    }

    /// The place of the member with this very name.
    pub fn place_of(&self, name: &str) -> Option<usize> {
        self.zip.index_for_name(name)
    }

    /// What the member at a place says.
    pub fn read(&mut self, at: usize) -> Result<Vec<u8>, Fault> {
        let file = self.zip.by_index(at)?;
        let mut bytes = Vec::new();
        let read = file.take(self.left + 1).read_to_end(&mut bytes);
        read.map_err(|error| Fault::Damaged(error.to_string()))?;
        match self.left.checked_sub(bytes.len() as u64) {
            Some(rest) => self.left = rest,
            None => return Err(Fault::TooLarge(self.limit)),
        }
        Ok(bytes)
    }

    /// What was read so far counts no longer.
    pub fn count_anew(&mut self) {
        self.left = self.limit * MIB;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};
    use zip::{ZipWriter, write::SimpleFileOptions};

    #[test]
    fn all_members_together_are_bounded() {
        let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["a", "b"] {
            zip.start_file(name, SimpleFileOptions::default()).expect("a member");
            zip.write_all(&vec![0; 700 * 1024]).expect("written");
        }
        let bytes = zip.finish().expect("an archive").into_inner();
        let mut zip = Unzip::new(Cursor::new(bytes.as_slice()), 1).expect("an archive");
        assert_eq!(zip.names(), [(0, "a".to_owned()), (1, "b".to_owned())]);
        assert_eq!(zip.read(0).map(|bytes| bytes.len()), Ok(700 * 1024));
        assert_eq!(zip.read(1), Err(Fault::TooLarge(1)));
        zip.count_anew();
        assert_eq!(zip.read(1).map(|bytes| bytes.len()), Ok(700 * 1024));
        let cut = Unzip::new(Cursor::new(&bytes[..40]), 1).map(|_| ());
        assert!(matches!(cut, Err(Fault::Damaged(_))), "{cut:?}");
    }

    #[test]
    fn a_password_is_told_by_the_kind_of_error() {
        let needed = ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED);
        assert_eq!(Fault::from(needed), Fault::Encrypted);
        let other = ZipError::UnsupportedArchive("a method called Password");
        assert!(matches!(Fault::from(other), Fault::Damaged(_)));
    }
}
