//! Reads an index: files by path or id, and the folders that they are in.
//!
//! Invariant: reads only; what fails its checksum is an error, never an answer.

use super::{
    IndexError, Name, Stat, Unit,
    block::{self, Kind},
    proof::name_of,
    schema::{self, Counts},
    stored::{
        CONTENT, CONTENT_AT, Content, FILE, FileMeta, StoredFile, content_sum, facts_sum, file,
        path_and_facts, path_and_stat, stat,
    },
};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row, ToSql};
use serde::{Deserialize, Serialize};

/// Queries on one unit of an index.
pub struct Reads<'a> {
    pub(super) connection: &'a Connection,
    pub(super) counts: [Counts; 2],
    pub(super) unit: Unit,
}

/// Two similar files, by their paths.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Alike {
    pub newer: String,
    pub older: String,
    pub score: f64,
}

impl Reads<'_> {
    pub(super) fn prepared(&self, sql: &str) -> Result<CachedStatement<'_>, IndexError> {
        Ok(self.connection.prepare_cached(sql)?)
    }

    /// With the number in the text: SQLite looks for an index before it knows what a `?` is, and
    /// would look once more when it does.
    fn of_this_unit(&self) -> String {
        format!("where unit = {}", self.unit as i64)
    }

    pub(super) fn counted(&self) -> &Counts {
        &self.counts[self.unit as usize]
    }

    /// The number of files in the index, of both units.
    pub fn count(&self) -> usize {
        self.counts.iter().map(|counts| counts.files).sum()
    }

    /// The number of files, whether or not they are documents.
    pub fn count_files(&self) -> usize {
        self.counted().files
    }

    /// The number of searchable texts: facts, or passages.
    pub fn count_texts(&self) -> usize {
        self.counted().texts
    }

    /// The number of files that are documents, whether or not they are searchable.
    pub fn count_document_files(&self) -> usize {
        self.counted().documents
    }

    /// The number of texts without a vector from the encoder.
    pub fn count_unencoded(&self) -> usize {
        self.counted().texts.saturating_sub(self.counted().encoded)
    }

    /// Whether there is a row for a file.
    pub fn has(&self, path: &str) -> Result<bool, IndexError> {
        Ok(self.prepared("select 1 from file where path = ?")?.exists([path])?)
    }

    /// The paths of the files of both units that are in this folder, given with a trailing `/`, or
    /// in one below it.
    pub fn each_path_below(
        &self,
        folder: &str,
        mut each: impl FnMut(&str),
    ) -> Result<(), IndexError> {
        let mut statement = self.prepared("select path from file where path > ? and path < ?")?;
        // `0` is the character after `/`.
        let ends = [folder.to_owned(), format!("{}0", folder.trim_end_matches('/'))];
        let mut rows = statement.query(ends)?;
        // Hot: no path is copied.
        while let Some(row) = rows.next()? {
            each(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?);
        }
        Ok(())
    }

    /// The paths and stats of all files of the unit, also those that are not documents.
    pub fn files(&self) -> Result<Vec<(String, Stat)>, IndexError> {
        let mut files = Vec::with_capacity(self.counted().files);
        self.each_file_of_unit(|path, stat| {
            files.push((path.to_owned(), stat));
            true
        })?;
        Ok(files)
    }

    /// Calls `each` with the path and the stat of each file of the unit, also those that are not
    /// documents, unordered, until it returns false.
    pub fn each_file_of_unit(
        &self,
        each: impl FnMut(&str, Stat) -> bool,
    ) -> Result<(), IndexError> {
        self.each_file_of(&[self.unit], self.counted().files, each)
    }

    /// As [`Reads::each_file_of_unit`], of both units.
    pub fn each_file(&self, each: impl FnMut(&str, Stat) -> bool) -> Result<(), IndexError> {
        self.each_file_of(&Unit::ALL, self.count(), each)
    }

    fn each_file_of(
        &self,
        units: &[Unit],
        count: usize,
        mut each: impl FnMut(&str, Stat) -> bool,
    ) -> Result<(), IndexError> {
        let (mut found, mut is_on) = (0, true);
        // Hot: nothing is copied.
        let mut take = |_, entry: &[u8]| {
            if let Some((path, stat)) = path_and_stat(entry).filter(|_| is_on) {
                is_on = each(path, stat);
                found += 1;
            }
        };
        for unit in units {
            block::each(self.connection, *unit, Kind::Files, &mut take)?;
        }
        if is_on { all_found(found, count) } else { Ok(()) }
    }

    /// All files that are documents, unordered.
    pub fn metas(&self) -> Result<Vec<FileMeta>, IndexError> {
        let sql = format!("{FILE} {} and facts <> x''", self.of_this_unit());
        let mut statement = self.prepared(&sql)?;
        let mut rows = statement.query([])?;
        let mut all = Vec::with_capacity(self.counted().documents);
        while let Some(row) = rows.next()? {
            all.push(file(row)?.meta);
        }
        all_found(all.len(), self.counted().documents)?;
        Ok(all)
    }

    /// Calls `each` with the path and the facts of each file that is a document, by id.
    pub fn each_document(&self, mut each: impl FnMut(&str, &[u8])) -> Result<(), IndexError> {
        let mut found = 0;
        self.each_checked("", |path, facts, _| {
            if !facts.is_empty() {
                found += 1;
                each(path, facts);
            }
            Ok(true)
        })?;
        all_found(found, self.counted().documents)
    }

    /// Calls `each` with the path, the facts and the stat of each file, by id, until it returns
    /// false; one that is not a document has no facts. Returns whether it never did.
    pub fn each_row(
        &self,
        mut each: impl FnMut(&str, &[u8], Stat) -> bool,
    ) -> Result<bool, IndexError> {
        let mut found = 0;
        let is_whole = self.each_checked(", stat", |path, facts, row| {
            found += 1;
            Ok(each(path, facts, stat(row, 3)?))
        })?;
        if is_whole {
            all_found(found, self.counted().files)?;
        }
        Ok(is_whole)
    }

    /// Calls `each` with the path and the facts of each file, by id, which fit their checksum, and
    /// its row, until it returns false. Returns whether it never did. `more` are columns after
    /// those.
    fn each_checked(
        &self,
        more: &str,
        mut each: impl FnMut(&str, &[u8], &Row<'_>) -> Result<bool, IndexError>,
    ) -> Result<bool, IndexError> {
        let of_unit = self.of_this_unit();
        let sql = format!("select path, facts, facts_sum{more} from file {of_unit} order by id");
        let mut statement = self.prepared(&sql)?;
        let unit = self.unit as i64;
        let mut rows = statement.query([])?;
        // Hot: nothing is copied, and no column read that is not asked for.
        while let Some(row) = rows.next()? {
            let (path, facts, sum) = path_and_facts(row)?;
            if facts_sum(unit, path, facts) != sum {
                return Err(IndexError::Damaged("a file's facts"));
            }
            if !each(path, facts, row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// As [`Reads::each_document`], for the files with these ids, which ascend.
    pub fn each_document_of(
        &self,
        ids: &[i64],
        mut each: impl FnMut(&str, &[u8]),
    ) -> Result<(), IndexError> {
        let mut wanted = ids.iter().peekable();
        self.each_checked(", id", |path, facts, row| {
            let id: i64 = row.get(3)?;
            if wanted.next_if(|wanted| **wanted == id).is_some() {
                each(path, facts);
            }
            Ok(true)
        })?;
        let is_whole = wanted.next().is_none();
        is_whole.then_some(()).ok_or(IndexError::Damaged("the file of a text is missing"))
    }

    /// The paths, ids and facts of the documents, by path.
    pub fn document_files(&self) -> Result<Vec<FileMeta>, IndexError> {
        let mut all = self.metas()?;
        all.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(all)
    }

    /// The facts of a unit's files, with the blob ids and sizes of the stored bytes, whatever the
    /// stat of the file.
    pub fn facts_by_name(&self) -> Result<Vec<(Name, u64, Vec<u8>)>, IndexError> {
        let metas = self.metas()?.into_iter();
        // The size is a stat's: a row that was too recent to be trusted keeps it.
        Ok(metas.map(|meta| (meta.name, meta.stat.size.cast_unsigned(), meta.facts)).collect())
    }

    /// The documents whose facts say that they name secrets.
    pub fn naming_secrets(&self) -> Result<Vec<FileMeta>, IndexError> {
        self.marked("names_secrets = 1", self.counted().name_secrets)
    }

    /// The facts that say when they hold.
    pub fn timed(&self) -> Result<Vec<FileMeta>, IndexError> {
        // Hot: each command asks, and there are none as a rule.
        match self.counted().timed {
            0 => Ok(Vec::new()),
            count => self.marked("is_timed = 1", count),
        }
    }

    /// The files with a mark, of which there are so many.
    fn marked(&self, mark: &str, count: usize) -> Result<Vec<FileMeta>, IndexError> {
        let sql = format!("{FILE} where unit = ? and {mark}");
        let mut statement = self.prepared(&sql)?;
        let mut rows = statement.query([self.unit as i64])?;
        let mut all = Vec::with_capacity(count);
        while let Some(row) = rows.next()? {
            all.push(file(row)?.meta);
        }
        all_found(all.len(), count)?;
        Ok(all)
    }

    /// The paths of the files that are not documents.
    pub fn other_paths(&self) -> Result<Vec<String>, IndexError> {
        let mut statement =
            self.prepared("select path from file where unit = ? and facts = x''")?;
        let paths = statement.query_map([self.unit as i64], |row| row.get(0))?;
        let paths = paths.collect::<Result<Vec<String>, _>>()?;
        let Counts { files, documents, .. } = *self.counted();
        let is_whole = paths.len() + documents == files;
        is_whole.then_some(paths).ok_or(IndexError::Damaged("which files are documents"))
    }

    /// Files that are not documents.
    pub fn others(&self) -> Result<Vec<Content>, IndexError> {
        // Hot: each command asks, and there are none as a rule.
        if self.counted().files == self.counted().documents {
            return Ok(Vec::new());
        }
        let sql = "select id from file indexed by file_without_facts
            where unit = ? and facts = x''";
        let mut statement = self.prepared(sql)?;
        let ids = statement.query_map([self.unit as i64], |row| row.get(0))?;
        ids.map(|id| self.content(id?)).collect()
    }

    /// A file with its bytes, which fit their checksum.
    pub fn content(&self, id: i64) -> Result<Content, IndexError> {
        content(&mut self.contents()?, id)
    }

    /// For [`content`], by the id of a file.
    pub(super) fn contents(&self) -> Result<CachedStatement<'_>, IndexError> {
        self.prepared(&format!("{CONTENT} where file.id = ?"))
    }

    pub fn content_at(&self, path: &str) -> Result<Content, IndexError> {
        content(&mut self.prepared(&format!("{CONTENT} where path = ?"))?, path)
    }

    /// Calls `each` with the first text of a file, its facts and its bytes, which are not compared
    /// with their checksum: nothing of them may be shown.
    pub fn with_bytes<T>(
        &self,
        id: i64,
        each: impl FnOnce(i64, &[u8], &[u8]) -> T,
    ) -> Result<T, IndexError> {
        let sql = "select first, facts, bytes from file join content using (id) where id = ?";
        let mut one = self.prepared(sql)?;
        let mut rows = one.query([id])?;
        let row = rows.next()?.ok_or(IndexError::Damaged("the file of a text is missing"))?;
        let blob = |at: usize| row.get_ref(at)?.as_blob().map_err(rusqlite::Error::from);
        Ok(each(row.get(0)?, blob(1)?, blob(2)?))
    }

    pub fn path(&self, id: i64) -> Result<String, IndexError> {
        Ok(self.meta(id)?.path)
    }

    /// A file as it was when it was read, without its bytes.
    pub fn meta(&self, id: i64) -> Result<FileMeta, IndexError> {
        let sql = format!("{FILE} where id = ?");
        let mut one = self.prepared(&sql)?;
        Ok(one.query_row([id], |row| Ok(file(row)))??.meta)
    }

    /// The bytes of a file, if they have this blob id.
    pub fn bytes_of(&self, id: i64, name: &Name) -> Result<Option<Vec<u8>>, IndexError> {
        let mut one = self.prepared("select bytes from content where id = ?")?;
        let bytes: Option<Vec<u8>> = one.query_row([id], |row| row.get(0)).optional()?;
        Ok(bytes.filter(|bytes| name_of(bytes).as_ref() == Some(name)))
    }

    /// The similar files; `None` if a file changed since all were compared with each other.
    pub fn alike(&self) -> Result<Option<Vec<Alike>>, IndexError> {
        schema::get(self.connection, ALIKE)
    }

    /// The stamp that git's index had when it had each file as this one has it, and the version of
    /// this one.
    pub fn as_git(&self) -> Result<Option<(String, u64)>, IndexError> {
        schema::get(self.connection, AS_GIT)
    }
}

/// A file with its bytes, which fit their checksum.
pub(super) fn content(
    one: &mut CachedStatement<'_>,
    value: impl ToSql,
) -> Result<Content, IndexError> {
    let (stored, sum, bytes) = one.query_row([value], |row| {
        let bytes: Vec<u8> = row.get(CONTENT_AT + 1)?;
        Ok((file(row), row.get::<_, u32>(CONTENT_AT)?, bytes))
    })?;
    let StoredFile { meta: FileMeta { id, path, stat, name, facts }, texts, .. } = stored?;
    if content_sum(id, &name, &bytes) != sum {
        return Err(IndexError::Damaged("a file's text"));
    }
    Ok(Content { id, path, stat, bytes, facts, first: texts.0 })
}

/// A flipped byte in an index of SQLite's hides rows.
fn all_found(found: usize, of: usize) -> Result<(), IndexError> {
    (found == of).then_some(()).ok_or(IndexError::Damaged("some files are missing"))
}

/// Under which name the similar files are stored.
pub(super) const ALIKE: &str = "alike";
/// Under which name it is stored when git's index had the same files.
pub(super) const AS_GIT: &str = "as git";
