//! `check --fix`: repairs what can be repaired without asking.
//!
//! Invariant: repairs go through the same engine as sync, report what they dropped of two versions,
//! and can be undone.

use crate::identity::{
    Blob, Bound, Digests, Document, Memory, RelPath, Role, Snapshot, Stamp, check, cloud,
    kind::Form,
    memory::{self, Unusable},
    times,
    value::Value,
};
use crate::index::store::Store;
use crate::machine::{
    files,
    folder::{self, Reading},
    oplog::OpVerb,
};
use crate::merge::{Decision, change::ChangeSet, ids, repair, tidy};
use crate::sync;
use crate::workspace::{Error, Workspace};
use std::collections::{BTreeMap, BTreeSet};

/// The identity as `--fix` would leave it.
pub struct FixPlan {
    pub snapshot: Snapshot,
    /// How files that existed in two versions were resolved.
    pub decisions: Vec<Decision>,
}

pub fn plan(
    ws: &Workspace,
    store: &Store,
    reading: &Reading,
    before: &Digests,
) -> Result<FixPlan, Error> {
    let now = ws.now();
    let whole = fold_versions(ws, store, reading, before)?;
    let mended: Snapshot = whole
        .snapshot
        .iter()
        .map(|(path, blob)| (path.clone(), mend(path, blob, &reading.mtimes, now, before)))
        .collect();
    let settled =
        tidy::tidy(&mended, &mended, tidy::Clock { now, mtimes: &reading.mtimes }).snapshot;
    // Numbers that other laptops may already know keep their facts.
    let mut result = ids::assign(&settled, &known_numbers(ws)?).snapshot;
    // Others may use the target of a symlink as well: its problems are reported, not repaired.
    let is_link = |path: &RelPath| files::is_link(&store.root.join(path.as_str()));
    for (path, blob) in reading.snapshot.iter() {
        if result.get(path) != Some(blob) && is_link(path) {
            result.put(path.clone(), blob.clone());
        }
    }
    Ok(FixPlan { snapshot: result, decisions: whole.decisions })
}

#[derive(Default)]
pub struct Fixed {
    /// The files that changed.
    pub files: Vec<String>,
    pub decisions: Vec<Decision>,
}

pub fn repair(ws: &Workspace, store: &Store) -> Result<Fixed, Error> {
    let write = ws.write(store)?;
    let reading = folder::read(&store.root);
    let FixPlan { snapshot: result, decisions } = plan(ws, store, &reading, &Digests::default())?;
    let change = ChangeSet::between(&reading.snapshot, &result);
    if change.is_empty() {
        return Ok(Fixed::default());
    }
    sync::refuse_mass_deletion(&reading.snapshot, &result)?;
    sync::refuse_clashes(&store.root, &reading.snapshot, &result)?;
    write.operation(OpVerb::Fix, counted(change.files.len())).apply_between(
        &reading.snapshot,
        &result,
        &|_, _| {},
    )?;
    let files = change.files.iter().map(|file| file.path.to_string()).collect();
    Ok(Fixed { files, decisions })
}

fn counted(files: usize) -> String {
    if files == 1 { "1 file".to_owned() } else { format!("{files} files") }
}

/// What other laptops know, with one fact a number: the oldest keeps it, as everywhere.
fn known_numbers(ws: &Workspace) -> Result<Snapshot, Error> {
    let mut known = match sync::published_identity(ws)? {
        Some(published) => published,
        None => committed(ws)?,
    };
    let mut all = known.memories();
    all.sort_by_key(|memory| (memory.created, memory.hash));
    let mut taken = BTreeSet::new();
    for memory in all {
        if memory.id.is_some_and(|id| !taken.insert(id)) {
            known.remove(&memory.path);
        }
    }
    Ok(known)
}

fn committed(ws: &Workspace) -> Result<Snapshot, Error> {
    let Some(repo) = ws.repo()? else {
        return Ok(Snapshot::default());
    };
    Ok(repo.snapshot(repo.head()?)?)
}

/// Merges files that exist in two versions: with git's markers, or as a cloud service's copies.
fn fold_versions(
    ws: &Workspace,
    store: &Store,
    reading: &Reading,
    before: &Digests,
) -> Result<FixPlan, Error> {
    let (mut whole, mut decisions) = (reading.snapshot.clone(), Vec::new());
    let repo = ws.repo()?;
    for (path, blob) in
        // Other files may legitimately contain markers.
        reading.snapshot.iter().filter(|(path, blob)| {
            path.role() != Role::Other
                && !before.is_sound(path, blob)
                && check::marker_line(blob).is_some()
        })
    {
        let open = repo.as_ref().map(|repo| repo.stages(path)).transpose()?;
        let sides = match open {
            Some([base, Some(ours), Some(theirs)]) => {
                Some(repair::ConflictSides { base, ours, theirs })
            }
            _ => repair::sides(blob),
        };
        if let Some(sides) = sides {
            let folded = repair::fold(path, sides.base.as_ref(), &sides.ours, &sides.theirs);
            whole.remove(path);
            whole.put_all(&folded.snapshot);
            decisions.extend(folded.decisions);
        }
    }
    let copies: Vec<(RelPath, RelPath)> = whole
        .iter()
        .filter_map(|(path, blob)| Some((path.clone(), cloud::folds_into(path, blob, &whole)?)))
        // The target of a symlink is not co's to change, so the copy stays.
        .filter(|(_, original)| !files::is_link(&store.root.join(original.as_str())))
        .collect();
    if !copies.is_empty() {
        let base = committed(ws)?;
        for (copy, original) in copies {
            let Some(theirs) = whole.remove(&copy) else { continue };
            match whole.get(&original).cloned() {
                Some(ours) => {
                    let folded = repair::fold(&original, base.get(&original), &ours, &theirs);
                    whole.remove(&original);
                    whole.put_all(&folded.snapshot);
                    decisions.extend(folded.decisions);
                }
                // The original is gone: the copy takes its place.
                None => whole.put(original, theirs),
            }
        }
    }
    Ok(FixPlan { snapshot: whole, decisions })
}

/// Adds missing frontmatter, fields and time zones, and corrects checksums.
fn mend(
    path: &RelPath,
    blob: &Blob,
    mtimes: &BTreeMap<RelPath, Stamp>,
    now: Stamp,
    before: &Digests,
) -> Blob {
    // Fast path: nearly all memories are sound.
    let is_sound = || Memory::read(path, blob).is_ok_and(|memory| memory.is_sound());
    if before.is_sound(path, blob)
        || check::marker_line(blob).is_some()
        || (path.is_memory() && is_sound())
    {
        return blob.clone();
    }
    let mtime = mtimes.get(path).copied().unwrap_or(now).min(now);
    let unfinished =
        path.is_memory() && matches!(Memory::read(path, blob), Err(Unusable::NoFrontmatter));
    let Ok(mut document) = Document::read(blob) else { return blob.clone() };
    if unfinished {
        let text = document.text().to_owned();
        let created = mtime.with_fraction(document.hash().fraction());
        return memory::new_file(0, created, &[], "user-told", &text)
            .replacen("id: 0\n", "", 1)
            .into_bytes()
            .into();
    }
    let mut changed = path.form() == Form::Versioned && complete(&mut document, mtime);
    let of_fact = times::BOUNDS.into_iter().filter(|_| path.is_memory());
    for key in ["created", "updated", "fetched"].into_iter().chain(of_fact) {
        let text = document.get(key).and_then(Value::text).unwrap_or_default();
        // Until when a fact holds may be a day.
        let is_day = || matches!(Bound::parse(&text), Some(Bound::Day(_)));
        let is_bound = times::BOUNDS.contains(&key) && is_day();
        if let Some(read) = Stamp::parse(&text).filter(|read| !read.zoned && !is_bound) {
            document.set(key, Value::Text(read.stamp.with_offset()));
            changed = true;
        }
    }
    let wrong = document.get("checksum").is_some() && document.checksum_holds() != Some(true);
    if wrong {
        document.set_checksum();
        let last = memory::stamp_of(&document, "updated")
            .or(memory::stamp_of(&document, "created"))
            .unwrap_or(Stamp::EPOCH);
        document.set("updated", Value::Text(mtime.max(last.plus(Stamp::SECOND)).to_string()));
        changed = true;
    }
    if changed { document.write().into_bytes().into() } else { blob.clone() }
}

/// Adds the fields that a versioned file needs; whether any was missing.
fn complete(document: &mut Document, mtime: Stamp) -> bool {
    let needed = [("version", Value::Int(1)), ("updated", Value::Text(mtime.to_string()))];
    let mut changed = false;
    for (key, value) in needed {
        if document.get(key).is_none() {
            document.set(key, value);
            changed = true;
        }
    }
    changed
}
