//! Reads an index: in whole columns, or by stem.
//!
//! Invariant: reads only; the order of rows is documented where callers rely on it.

use super::{Index, IndexError, Name, Stat, Unit};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, params};

/// Queries on one unit of an index.
pub struct Reads<'a> {
    pub(super) connection: &'a Connection,
    pub(super) unit: Unit,
}

/// A document without its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DocRow {
    pub id: i64,
    pub created: i64,
    pub hash_prefix: u64,
    pub source: u64,
    pub length: u32,
    pub number: Option<u64>,
}

/// A folder as it was listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Folder {
    pub path: String,
    pub modified: i64,
    /// Whether the time is old enough to detect a change after the listing.
    pub is_settled: bool,
}

/// One occurrence of a stem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Instance {
    pub id: i64,
    pub in_tags: bool,
}

/// A file as it was read.
#[derive(Clone, PartialEq, Debug)]
pub struct Content {
    pub id: i64,
    pub path: String,
    pub stat: Stat,
    pub bytes: Vec<u8>,
    pub facts: Vec<u8>,
}

/// The metadata of a file, without its bytes.
#[derive(Clone, PartialEq, Debug)]
pub struct FileMeta {
    pub id: i64,
    pub path: String,
    pub stat: Stat,
    pub name: Name,
    pub facts: Vec<u8>,
}

/// Two similar files, by their paths.
#[derive(Clone, PartialEq, Debug)]
pub struct Alike {
    pub newer: String,
    pub older: String,
    pub score: f64,
}

impl Content {
    /// As [`Row::is_kept_out`](super::FileRow::is_kept_out).
    pub fn is_kept_out(&self) -> bool {
        self.bytes.is_empty() && self.stat.size > 0
    }
}

impl Index {
    pub fn reads(&self, unit: Unit) -> Reads<'_> {
        Reads { connection: &self.connection, unit }
    }
}

impl Reads<'_> {
    fn all<T>(
        &self,
        sql: &str,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, IndexError> {
        let mut statement = self.prepared(sql)?;
        let mut rows = statement.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(read(row)?);
        }
        Ok(all)
    }

    pub(super) fn prepared(&self, sql: &str) -> Result<CachedStatement<'_>, IndexError> {
        Ok(self.connection.prepare_cached(&self.unit.sql(sql))?)
    }

    fn counted(&self, sql: &str) -> Result<usize, IndexError> {
        let count: i64 = self.prepared(sql)?.query_row([], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// The number of files in the index, of both units.
    pub fn count(&self) -> Result<usize, IndexError> {
        self.counted("select count(*) from file")
    }

    /// The number of searchable texts: files, or passages.
    pub fn count_documents(&self) -> Result<usize, IndexError> {
        self.counted("select count(*) from @")
    }

    /// The listed folders, with their times.
    pub fn folders(&self) -> Result<Vec<Folder>, IndexError> {
        self.all("select path, modified, settled from folder", |row| {
            Ok(Folder { path: row.get(0)?, modified: row.get(1)?, is_settled: row.get(2)? })
        })
    }

    /// The highest number of any text; 0 if none has one.
    pub fn highest_number(&self) -> Result<u64, IndexError> {
        let sql = "select coalesce(max(number), 0) from @";
        let highest: i64 = self.prepared(sql)?.query_row([], |row| row.get(0))?;
        Ok(highest.cast_unsigned())
    }

    /// The number of files that are documents, whether or not they are searchable.
    pub fn count_document_files(&self) -> Result<usize, IndexError> {
        self.counted(&self.of_unit("select count(*) from file"))
    }

    /// The id, path and facts of each file that is a document, by path.
    pub fn document_files(&self) -> Result<Vec<(i64, String, Vec<u8>)>, IndexError> {
        let sql = self.of_unit("select id, path, facts from file join content using (id)");
        let sql = format!("{sql} order by path");
        self.all(&sql, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    pub fn files(&self) -> Result<Vec<(String, Stat)>, IndexError> {
        let unit = self.unit.number();
        let sql = "select path, size, modified, changed, inode from file where unit =";
        self.all(&format!("{sql} {unit}"), |row| Ok((row.get(0)?, stat(row, 1)?)))
    }

    pub fn documents(&self) -> Result<Vec<DocRow>, IndexError> {
        self.all("select id, created, tie, source, length, number from @", |row| {
            Ok(DocRow {
                id: row.get(0)?,
                created: row.get(1)?,
                hash_prefix: row.get::<_, i64>(2)?.cast_unsigned(),
                source: row.get::<_, i64>(3)?.cast_unsigned(),
                length: row.get(4)?,
                number: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
            })
        })
    }

    /// The words in byte order, with their frequencies.
    pub fn words(&self) -> Result<Vec<(String, u32)>, IndexError> {
        self.all("select word, often from @_word", |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Calls `each` with each word's vector, in the order of [`Reads::words`].
    pub fn each_word_vector(&self, mut each: impl FnMut(&[u8])) -> Result<(), IndexError> {
        self.all("select vector from @_word", |row| {
            each(row.get_ref(0)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// Calls `each` with the id and vector of each document that has one.
    pub fn each_vector(&self, mut each: impl FnMut(i64, &[u8])) -> Result<(), IndexError> {
        self.all("select id, vector from @_vector", |row| {
            each(row.get(0)?, row.get_ref(1)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// The files with a hash prefix.
    pub fn with_hash_prefix(&self, hash_prefix: u64) -> Result<Vec<Content>, IndexError> {
        let mut ids = self.prepared("select id from @ where tie = ?")?;
        let ids = ids.query_map([hash_prefix.cast_signed()], |row| row.get(0))?;
        ids.map(|id| self.content(id?)).collect()
    }

    /// Calls `each` with the hash prefix and vector of each document that has one.
    pub fn each_vector_by_hash_prefix(
        &self,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), IndexError> {
        let sql = "select tie, vector from @_vector join @ using (id)";
        self.all(sql, |row| {
            each(row.get::<_, i64>(0)?.cast_unsigned(), row.get_ref(1)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// Every occurrence of a stem.
    pub fn instances(&self, stem: &str) -> Result<Vec<Instance>, IndexError> {
        let mut statement = self.prepared("select doc, col from @_instance where term = ?")?;
        let mut rows = statement.query([stem])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let in_tags = row.get::<_, String>(1)? == "tags";
            found.push(Instance { id: row.get(0)?, in_tags });
        }
        Ok(found)
    }

    /// Calls `each` with the id and the facts of each file that is a document.
    pub fn each_facts(&self, mut each: impl FnMut(i64, &[u8])) -> Result<(), IndexError> {
        let sql = self.of_unit("select id, facts from file join content using (id)");
        self.all(&sql, |row| {
            each(row.get(0)?, row.get_ref(1)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// Files that are not documents.
    pub fn others(&self) -> Result<Vec<Content>, IndexError> {
        let unit = self.unit.number();
        self.all(&format!("{CONTENT} where unit = {unit} and not is_document"), content)
    }

    /// All documents, unordered. Fails if one of them is damaged.
    pub fn metas(&self) -> Result<Vec<FileMeta>, IndexError> {
        let sql = "select id, path, size, modified, changed, inode, name, facts, sum
            from file join content using (id)";
        self.all(&self.of_unit(sql), |row| {
            let (name, facts): (Name, Vec<u8>) = (row.get(6)?, row.get(7)?);
            if super::proof::sum_of_facts(&name, &facts) != row.get::<_, u32>(8)? {
                return Err(rusqlite::Error::InvalidQuery);
            }
            let (id, path, stat) = (row.get(0)?, row.get(1)?, stat(row, 2)?);
            Ok(FileMeta { id, path, stat, name, facts })
        })
    }

    /// The facts of a unit's files, with the blob ids and sizes of the stored bytes, whatever the
    /// stat of the file.
    pub fn facts_by_name(&self) -> Result<Vec<(Name, u64, Vec<u8>)>, IndexError> {
        let sql = "select name, length(bytes), facts, sum from file join content using (id)";
        self.all(&self.of_unit(sql), |row| {
            let (name, facts): (Name, Vec<u8>) = (row.get(0)?, row.get(2)?);
            if super::proof::sum_of_facts(&name, &facts) != row.get::<_, u32>(3)? {
                return Err(rusqlite::Error::InvalidQuery);
            }
            Ok((name, row.get::<_, i64>(1)?.cast_unsigned(), facts))
        })
    }

    /// The similar files; `None` if a file changed since all were compared with each other.
    pub fn alike(&self) -> Result<Option<Vec<Alike>>, IndexError> {
        let sums = self.all("select sum from compared", |row| row.get::<_, u32>(0))?;
        let alike = self.all("select newer, older, score from alike", |row| {
            Ok(Alike { newer: row.get(0)?, older: row.get(1)?, score: row.get(2)? })
        })?;
        Ok((sums == [super::proof::sum_of_alike(&alike)]).then_some(alike))
    }

    /// The bytes of a file, if they have this blob id.
    pub fn bytes_of(&self, id: i64, name: &Name) -> Result<Option<Vec<u8>>, IndexError> {
        let mut one = self.prepared("select bytes from content where id = ?")?;
        let bytes: Option<Vec<u8>> = one.query_row([id], |row| row.get(0)).optional()?;
        Ok(bytes.filter(|bytes| super::proof::name_of(bytes).as_ref() == Some(name)))
    }

    /// Calls `is_enough` with the documents, pinned first, then newest, until it returns true.
    pub fn newest(&self, mut is_enough: impl FnMut(Content) -> bool) -> Result<(), IndexError> {
        let mut statement =
            self.prepared("select id from @ order by pinned desc, latest desc, tie")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if is_enough(self.content(row.get(0)?)?) {
                break;
            }
        }
        Ok(())
    }

    pub fn content(&self, id: i64) -> Result<Content, IndexError> {
        let sql = format!("{CONTENT} where id = ?");
        Ok(self.prepared(&sql)?.query_row(params![id], content)?)
    }

    /// The bytes and the facts of a document.
    pub fn text(&self, id: i64) -> Result<(Vec<u8>, Vec<u8>), IndexError> {
        let sql = "select bytes, facts, name, sum from file join content using (id) where id = ?";
        Ok(self.prepared(sql)?.query_row([id], |row| proven(row, 0))?)
    }

    pub fn path(&self, id: i64) -> Result<String, IndexError> {
        let mut one = self.prepared("select path from file where id = ?")?;
        Ok(one.query_row([id], |row| row.get(0))?)
    }

    pub fn content_at(&self, path: &str) -> Result<Content, IndexError> {
        let sql = format!("{CONTENT} where path = ?");
        Ok(self.prepared(&sql)?.query_row(params![path], content)?)
    }

    /// The number of texts without a vector from the encoder.
    pub fn count_unencoded(&self) -> Result<usize, IndexError> {
        self.counted("select (select count(*) from @) - (select count(*) from @_encoded)")
    }

    /// Texts without a vector from the encoder, newest first: their ids and keys.
    pub fn unencoded(&self, most: usize) -> Result<Vec<(i64, i64)>, IndexError> {
        let sql = "select id, text from @ where id not in (select id from @_encoded)
            order by latest desc, id limit ?";
        let most = i64::try_from(most).unwrap_or(i64::MAX);
        let mut statement = self.prepared(sql)?;
        let found = statement.query_map([most], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(found.collect::<Result<Vec<(i64, i64)>, _>>()?)
    }

    /// Calls `each` with the id and vector of each text that has one from the encoder.
    pub fn each_encoded(&self, mut each: impl FnMut(i64, &[u8])) -> Result<(), IndexError> {
        self.all("select id, vector from @_encoded", |row| {
            each(row.get(0)?, row.get_ref(1)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// Calls `each` with each encoder vector and its text key, skipping rows with a bad checksum.
    pub(super) fn each_proven(
        &self,
        encoder: &str,
        mut each: impl FnMut(i64, &[u8]),
    ) -> Result<(), IndexError> {
        self.all("select text, sum, vector from @_encoded", |row| {
            let (text, sum): (i64, u32) = (row.get(0)?, row.get(1)?);
            let vector = row.get_ref(2)?.as_blob()?;
            if super::proof::sum_of(encoder, text, vector) == sum {
                each(text, vector);
            }
            Ok(())
        })?;
        Ok(())
    }

    /// A query over the files of this unit that are documents.
    fn of_unit(&self, sql: &str) -> String {
        format!("{sql} where unit = {} and is_document", self.unit.number())
    }
}

const CONTENT: &str = "select id, path, size, modified, changed, inode, bytes, facts, name, sum
    from file join content using (id)";

fn content(row: &Row<'_>) -> rusqlite::Result<Content> {
    let (bytes, facts) = proven(row, 6)?;
    Ok(Content { id: row.get(0)?, path: row.get(1)?, stat: stat(row, 2)?, bytes, facts })
}

/// The bytes and facts, if they match blob id and checksum. The bytes of a kept-out file are not
/// stored.
fn proven(row: &Row<'_>, at: usize) -> rusqlite::Result<(Vec<u8>, Vec<u8>)> {
    let (bytes, facts): (Vec<u8>, Vec<u8>) = (row.get(at)?, row.get(at + 1)?);
    let (name, sum): (Name, u32) = (row.get(at + 2)?, row.get(at + 3)?);
    let is_nameless = name == Name::default();
    let is_right = (bytes.is_empty() && facts.is_empty())
        || is_nameless
        || super::proof::name_of(&bytes) == Some(name);
    if !is_right || super::proof::sum_of_facts(&name, &facts) != sum {
        return Err(rusqlite::Error::InvalidQuery);
    }
    Ok((bytes, facts))
}

fn stat(row: &Row<'_>, at: usize) -> rusqlite::Result<Stat> {
    Ok(Stat {
        size: row.get(at)?,
        modified: row.get(at + 1)?,
        changed: row.get(at + 2)?,
        inode: row.get(at + 3)?,
    })
}
