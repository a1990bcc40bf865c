//! Answers a save's questions from the index: highest id, duplicates by hash.
//!
//! Invariant: used only under the write lock. It checks only the folders: a file edited in place
//! goes unnoticed until the next sync, which merges equal texts.

use super::{
    CatalogSpec, Freshness, memory, open,
    rows::{Counts, Preparer, Vectors, word_vector},
};
use crate::identity::{ContentHash, Memory, RelPath, kind::MEMORIES};
use crate::ops::store::Store;
use crate::system::{
    Context,
    catalog::{Catalog, CatalogError, Stat, Unit, Writer},
    files,
    folder::Listed,
};

/// The facts of a store, from its catalog.
pub(in crate::ops) struct SaveIndex<'a> {
    place: CatalogSpec<'a>,
    catalog: Catalog,
}

impl<'a> SaveIndex<'a> {
    /// `None` if there is no catalog and none can be created.
    pub(in crate::ops) fn of(store: &'a Store, context: &'a Context) -> Option<SaveIndex<'a>> {
        let place = CatalogSpec::of(store, context);
        let fresh = |catalog: &Catalog| is_fresh(store, catalog);
        if let Some(catalog) = place.open().filter(fresh) {
            return Some(SaveIndex { place, catalog });
        }
        drop(open(store, context, Freshness::Whole, &|_, _| {}).ok()??);
        let catalog = place.open()?;
        Some(SaveIndex { place, catalog })
    }

    pub(in crate::ops) fn highest(&self) -> Option<u64> {
        self.catalog.reads(Unit::Whole).highest_number().ok()
    }

    /// The facts with this text, from the catalog.
    pub(in crate::ops) fn with(&self, hash: &ContentHash) -> Option<Vec<Memory>> {
        let found = self.catalog.reads(Unit::Whole).with_hash_prefix(hash.hash_prefix()).ok()?;
        let memories: Option<Vec<Memory>> = found.into_iter().map(memory).collect();
        Some(memories?.into_iter().filter(|memory| memory.hash == *hash).collect())
    }

    /// Adds a fact that was just written. If that fails, the next query finds it.
    pub(in crate::ops) fn saved(self, path: &RelPath) {
        let SaveIndex { place, catalog } = self;
        // An open read would block the writer.
        drop(catalog);
        let _ = take_in(&place, path);
    }
}

/// Whether no file was added to or removed from the folder of facts since the last listing or save.
fn is_fresh(store: &Store, catalog: &Catalog) -> bool {
    let folders = catalog.reads(Unit::Whole).folders().unwrap_or_default();
    let mut of_facts = folders.iter().filter(|folder| folder.path.starts_with(MEMORIES)).peekable();
    of_facts.peek().is_some()
        && of_facts.all(|folder| {
            let now = Stat::of(&store.root.join(&folder.path));
            now.is_some_and(|now| now.modified == folder.modified)
        })
}

fn take_in(place: &CatalogSpec<'_>, path: &RelPath) -> Result<(), CatalogError> {
    let Some(writer) = Writer::update(&place.file, &place.seal)? else { return Ok(()) };
    let listed = Listed { path: path.clone(), file: place.store.root.join(path.as_str()) };
    let folder = files::resolve(&place.store.root.join(path.folder()));
    let now = Stat::of(&folder).unwrap_or_default();
    // Vectors from an endpoint are left to the next query: a save does not wait.
    let is_endpoint = !place.model.is_built_in();
    let vectors = if is_endpoint { Vectors::Left } else { Vectors::Kept };
    let Ok(mut prepared) = Preparer::new(vectors, place.context.now()).read(&listed) else {
        return Ok(());
    };
    if is_endpoint {
        prepared.row.stat = Stat::default();
    }
    writer.insert(Unit::Whole, &prepared.row)?;
    let mut counts = Counts::default();
    counts.add(prepared.words, 1);
    writer.count_words(Unit::Whole, counts.words(), word_vector)?;
    writer.finish_saved(path.folder(), now)
}
