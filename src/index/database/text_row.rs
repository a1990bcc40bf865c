//! A searchable text without its words, and how a block has it.
//!
//! Invariant: it is read as it was written, or not at all.

/// A searchable text, without its words.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TextRow {
    pub id: i64,
    /// Its file.
    pub file: i64,
    /// In microseconds since 1970.
    pub created: i64,
    pub hash_prefix: u64,
    pub source: u64,
    /// In words.
    pub length: u32,
    pub number: Option<u64>,
    pub pinned: bool,
    /// When it was learned or last changed, in microseconds since 1970.
    pub latest: i64,
    /// A key of the text, wherever it occurs: its vector need not be computed again.
    pub text: u64,
}

/// An id in half as many bytes, where very many are held. Ids are counted from 0.
pub fn short(id: i64) -> u32 {
    u32::try_from(id).expect("because no index has had billions of texts or files")
}

const PINNED: u8 = 1;
const NUMBERED: u8 = 2;

impl TextRow {
    pub(super) fn to_bytes(self) -> Vec<u8> {
        let flag = |is_set: bool, flag: u8| if is_set { flag } else { 0 };
        let flags = flag(self.pinned, PINNED) | flag(self.number.is_some(), NUMBERED);
        let mut bytes = vec![flags];
        bytes.extend(self.length.to_le_bytes());
        let (created, latest) = (self.created.cast_unsigned(), self.latest.cast_unsigned());
        let number = self.number.unwrap_or_default();
        let file = self.file.cast_unsigned();
        for value in [file, created, self.hash_prefix, self.source, number, latest, self.text] {
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    /// `None` if the bytes are not those of a row.
    pub(super) fn read(id: i64, bytes: &[u8]) -> Option<TextRow> {
        let (flags, rest) = bytes.split_first()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (values, []) = rest.as_chunks::<8>() else { return None };
        let [file, created, hash_prefix, source, number, latest, text] = values else {
            return None;
        };
        Some(TextRow {
            id,
            file: i64::from_le_bytes(*file),
            created: i64::from_le_bytes(*created),
            hash_prefix: u64::from_le_bytes(*hash_prefix),
            source: u64::from_le_bytes(*source),
            length: u32::from_le_bytes(*length),
            number: (flags & NUMBERED > 0).then(|| u64::from_le_bytes(*number)),
            pinned: flags & PINNED > 0,
            latest: i64::from_le_bytes(*latest),
            text: u64::from_le_bytes(*text),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_read_as_it_was_written() {
        let row = TextRow {
            id: 7,
            file: 3,
            created: -5,
            hash_prefix: u64::MAX,
            source: 9,
            length: 12,
            number: Some(0),
            pinned: true,
            latest: 77,
            text: 1 << 60,
        };
        assert_eq!(TextRow::read(7, &row.to_bytes()), Some(row));
        let other = TextRow { number: None, pinned: false, ..row };
        assert_eq!(TextRow::read(7, &other.to_bytes()), Some(other));
        assert_eq!(TextRow::read(7, &row.to_bytes()[1..]), None);
    }
}
