//! Reading an index: in whole columns, or by a stem.
//!
//! Invariant: rows come in the order of their ids, which are ascending in everything that is
//! returned.

use super::{Index, IndexError, Stat};
use rusqlite::{Connection, Row, params};

/// What a connection to an index can be asked.
pub struct Indexed<'a>(pub(super) &'a Connection);

/// A document without its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub id: i64,
    pub created: i64,
    pub tie: u64,
    pub source: u64,
    pub length: u32,
    pub number: Option<u64>,
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

impl Index {
    pub fn reads(&self) -> Indexed<'_> {
        Indexed(&self.connection)
    }
}

impl Indexed<'_> {
    fn all<T>(
        &self,
        sql: &str,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, IndexError> {
        let mut statement = self.0.prepare_cached(sql)?;
        let mut rows = statement.query([])?;
        let mut all = Vec::new();
        while let Some(row) = rows.next()? {
            all.push(read(row)?);
        }
        Ok(all)
    }

    /// How many files it knows.
    pub fn count(&self) -> Result<usize, IndexError> {
        let count: i64 = self.0.query_row("select count(*) from file", [], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// How many of them are documents.
    pub fn count_documents(&self) -> Result<usize, IndexError> {
        let sql = "select count(*) from document";
        let count: i64 = self.0.query_row(sql, [], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// The folders that were listed, with their times.
    pub fn folders(&self) -> Result<Vec<(String, i64)>, IndexError> {
        self.all("select folder, changed from meta", |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// How many files are documents, whatever they are in the index.
    pub fn count_papers(&self) -> Result<usize, IndexError> {
        let sql = "select count(*) from content where length(facts) > 0";
        let count: i64 = self.0.query_row(sql, [], |row| row.get(0))?;
        Ok(usize::try_from(count).unwrap_or(0))
    }

    /// The id, the path and the facts of each file that is a document, by path.
    pub fn papers(&self) -> Result<Vec<(i64, String, Vec<u8>)>, IndexError> {
        let sql = "select file.id, path, facts from file join content on content.id = file.id
            where length(facts) > 0 order by path";
        self.all(sql, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
    }

    pub fn files(&self) -> Result<Vec<(String, Stat)>, IndexError> {
        self.all("select path, size, modified, changed, inode from file", |row| {
            Ok((row.get(0)?, stat(row, 1)?))
        })
    }

    pub fn documents(&self) -> Result<Vec<Entry>, IndexError> {
        self.all("select id, created, tie, source, length, number from document", |row| {
            Ok(Entry {
                id: row.get(0)?,
                created: row.get(1)?,
                tie: row.get::<_, i64>(2)?.cast_unsigned(),
                source: row.get::<_, i64>(3)?.cast_unsigned(),
                length: row.get(4)?,
                number: row.get::<_, Option<i64>>(5)?.map(i64::cast_unsigned),
            })
        })
    }

    /// The words, in the order of their bytes, with how often they occur.
    pub fn words(&self) -> Result<Vec<(String, u32)>, IndexError> {
        self.all("select word, often from word", |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Calls with each word's vector, in the order of [`Indexed::words`].
    pub fn each_word_vector(&self, mut each: impl FnMut(&[u8])) -> Result<(), IndexError> {
        self.all("select vector from word", |row| {
            each(row.get_ref(0)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// Calls with the id of each document that has a vector.
    pub fn each_vector(&self, mut each: impl FnMut(i64, &[u8])) -> Result<(), IndexError> {
        self.all("select id, vector from vector", |row| {
            each(row.get(0)?, row.get_ref(1)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// The documents with a tie.
    pub fn with_tie(&self, tie: u64) -> Result<Vec<Content>, IndexError> {
        let mut ids = self.0.prepare_cached("select id from document where tie = ?")?;
        let ids = ids.query_map([tie.cast_signed()], |row| row.get(0))?;
        ids.map(|id| self.content(id?)).collect()
    }

    /// Calls with the tie of each document that has a vector.
    pub fn each_vector_by_tie(&self, mut each: impl FnMut(u64, &[u8])) -> Result<(), IndexError> {
        let sql = "select tie, vector from vector join document using (id)";
        self.all(sql, |row| {
            each(row.get::<_, i64>(0)?.cast_unsigned(), row.get_ref(1)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// Where a stem occurs, each time.
    pub fn instances(&self, stem: &str) -> Result<Vec<Instance>, IndexError> {
        let mut statement =
            self.0.prepare_cached("select doc, col from instance where term = ?")?;
        let mut rows = statement.query([stem])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let in_tags = row.get::<_, String>(1)? == "tags";
            found.push(Instance { id: row.get(0)?, in_tags });
        }
        Ok(found)
    }

    /// Calls with the id and the facts of each file that is a document.
    pub fn each_facts(&self, mut each: impl FnMut(i64, &[u8])) -> Result<(), IndexError> {
        self.all("select id, facts from content where length(facts) > 0", |row| {
            each(row.get(0)?, row.get_ref(1)?.as_blob()?);
            Ok(())
        })?;
        Ok(())
    }

    /// Files that are no document.
    pub fn others(&self) -> Result<Vec<Content>, IndexError> {
        self.all(&format!("{CONTENT} where length(facts) = 0"), content)
    }

    /// All documents, in no order.
    pub fn contents(&self) -> Result<Vec<Content>, IndexError> {
        self.all(&format!("{CONTENT} where length(facts) > 0"), content)
    }

    /// Calls with the documents, pinned ones first, then the newest, until it has enough.
    pub fn newest(&self, mut is_enough: impl FnMut(Content) -> bool) -> Result<(), IndexError> {
        let mut statement = self
            .0
            .prepare_cached("select id from document order by pinned desc, latest desc, tie")?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            if is_enough(self.content(row.get(0)?)?) {
                break;
            }
        }
        Ok(())
    }

    pub fn content(&self, id: i64) -> Result<Content, IndexError> {
        let sql = format!("{CONTENT} where file.id = ?");
        Ok(self.0.prepare_cached(&sql)?.query_row(params![id], content)?)
    }

    /// The bytes and the facts of a document.
    pub fn text(&self, id: i64) -> Result<(Vec<u8>, Vec<u8>), IndexError> {
        let mut one = self.0.prepare_cached("select bytes, facts from content where id = ?")?;
        Ok(one.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?)
    }

    pub fn path(&self, id: i64) -> Result<String, IndexError> {
        let mut one = self.0.prepare_cached("select path from file where id = ?")?;
        Ok(one.query_row([id], |row| row.get(0))?)
    }

    pub fn content_at(&self, path: &str) -> Result<Content, IndexError> {
        let sql = format!("{CONTENT} where file.path = ?");
        Ok(self.0.prepare_cached(&sql)?.query_row(params![path], content)?)
    }
}

const CONTENT: &str = "select file.id, path, size, modified, changed, inode, bytes, facts
    from file join content on content.id = file.id";

fn content(row: &Row<'_>) -> rusqlite::Result<Content> {
    Ok(Content {
        id: row.get(0)?,
        path: row.get(1)?,
        stat: stat(row, 2)?,
        bytes: row.get(6)?,
        facts: row.get(7)?,
    })
}

fn stat(row: &Row<'_>, at: usize) -> rusqlite::Result<Stat> {
    Ok(Stat {
        size: row.get(at)?,
        modified: row.get(at + 1)?,
        changed: row.get(at + 2)?,
        inode: row.get(at + 3)?,
    })
}
