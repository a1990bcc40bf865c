//! What a new index has to do with the one before: it takes over its vectors, and waits for whoever
//! makes another.
//!
//! Invariant: a vector is taken over only with the key of its text.

use super::{Reads, Unit, Use, location::Location, schema::State};
use crate::machine::{
    SystemError, files,
    lock::{self, Lock},
};
use std::{collections::HashMap, path::Path, time::Duration};

/// The encoder's vectors in the index that is there, by text key: for a damaged one, those before
/// the damage.
pub(super) fn known(file: &Path, encoder: &str, wait: Duration) -> HashMap<u64, Vec<u8>> {
    let mut known = HashMap::new();
    let connection = Location::current(file).and_then(|location| location.open(Use::Kept, wait));
    let Some(connection) = connection else { return known };
    // One snapshot: otherwise an id could mean another text when the vectors are read.
    if connection.execute_batch("begin").is_err() {
        return known;
    }
    let Ok(state) = State::read(&connection) else { return known };
    if state.encoder == encoder {
        for unit in Unit::ALL {
            let reads = Reads { connection: &connection, counts: state.counts, unit };
            let _ = reads.each_encoded_by_key(|text, vector| {
                known.insert(text, vector.to_vec());
            });
        }
    }
    known
}

/// Fails with [`SystemError::Busy`] if somebody else makes an index for longer than `wait`.
pub(super) fn lock_of(index: &Path, wait: Duration) -> Result<Lock, SystemError> {
    let file = index.with_extension("lock");
    if !files::exists(&file) {
        // Does not replace a lock file that another co has just created and holds.
        files::append(&file, b"")?;
    }
    if !files::is_file(&file) {
        let why = std::io::Error::other("it is not a file");
        return Err(SystemError::File { action: "lock", path: file, source: why });
    }
    lock::folder(&file, wait)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::database::{
        Call, FileRow, Index, Key, Searchable, TextRow, Writer, tests::vector,
    };

    #[test]
    fn vectors_of_another_encoder_are_made_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("index.db");
        let of = |encoder| Key { text: "key".to_owned(), encoder };
        let row = TextRow { text: 7, ..TextRow::default() };
        let text = Searchable { row, encoded: Some(vec![1; 8]), ..Searchable::default() };
        let row = FileRow { path: "a.md".into(), searchable: vec![text], ..FileRow::default() };
        let writer = Writer::anew(&file, &of("before"), &Call::default()).expect("a writer");
        writer.insert(Unit::Facts, row).expect("inserted");
        drop(writer.finish(&[], &vector).expect("an index"));
        let vectors = |encoder| known(&file, encoder, Duration::ZERO);
        assert_eq!(vectors("before"), HashMap::from([(7, vec![1; 8])]));
        assert_eq!(vectors("now"), HashMap::new());
        let open = |encoder| Index::open(&file, &of(encoder), Use::Kept, &Call::default());
        assert!(open("before").expect("no error").is_some());
        assert!(open("now").expect("no error").is_none());
    }
}
