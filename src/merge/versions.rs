//! Merges two versions of one memory.
//!
//! Invariant: no text is lost. If the texts cannot be merged, the newer keeps the origin and the
//! other becomes a separate memory, the same one on every laptop.

use super::{Decision, Policy, Reason, frontmatter_keys, text};
use crate::identity::{Memory, RelPath, Stamp, slug, value::Value};
use std::cmp::Ordering;

pub fn merge(
    base: Option<&Memory>,
    x: &Memory,
    y: &Memory,
    policy: Policy,
    decisions: &mut Vec<Decision>,
) -> Vec<Memory> {
    let path = merge_paths(base, x, y);
    let at_path = |memory: &Memory| Memory { path: path.clone(), ..memory.clone() };
    if x.blob == y.blob || base.is_some_and(|base| base.blob == y.blob) {
        return vec![at_path(x)];
    }
    if base.is_some_and(|base| base.blob == x.blob) {
        return vec![at_path(y)];
    }
    let rank = x.latest().cmp(&y.latest());
    let x_newer = rank.then_with(|| x.hash.cmp(&y.hash)).is_ge();
    let (newer, older) = if x_newer { (x, y) } else { (y, x) };
    match merge_bodies(base, x, y) {
        Some((body, stamp)) => vec![one(base, x, y, &path, body, stamp)],
        None if base.is_none() && policy != Policy::Sync && rank != Ordering::Equal => {
            decisions.push(Decision::new(
                &path,
                Reason::Versions,
                format!("kept the later version; the older one was `{}`", older.summary()),
            ));
            vec![at_path(newer)]
        }
        None => {
            let other = of_its_own(older);
            let why = format!(
                "changed on both sides: the newer text stays in this memory, the other is now in \
                 {}",
                other.path.name()
            );
            decisions.push(Decision::new(&path, Reason::Versions, why));
            vec![at_path(newer), other]
        }
    }
}

/// The merged body with its stamp; `None` if the texts conflict. A stamp belongs to its text: one
/// that only one side changed keeps that side's `updated`, however late the other side touched the
/// old text. Otherwise that touch would lift the new text over a forget by someone who knew it.
fn merge_bodies(base: Option<&Memory>, x: &Memory, y: &Memory) -> Option<(String, Option<Stamp>)> {
    let body = |memory: &Memory| memory.document().body().to_owned();
    if x.hash == y.hash {
        let (bx, by) = (body(x), body(y));
        let text = match base.map(&body) {
            Some(base) if base == bx => by,
            Some(base) if base == by => bx,
            // Same text, different margins: pick one, the same on every laptop.
            _ => bx.max(by),
        };
        return Some((text, x.updated.max(y.updated)));
    }
    let base = base?;
    match (x.hash == base.hash, y.hash == base.hash) {
        (true, _) => Some((body(y), y.updated)),
        (_, true) => Some((body(x), x.updated)),
        _ => text::merge_lines(&body(base), &body(x), &body(y))
            .map(|text| (text, x.updated.max(y.updated))),
    }
}

fn one(
    base: Option<&Memory>,
    x: &Memory,
    y: &Memory,
    path: &RelPath,
    body: String,
    stamp: Option<Stamp>,
) -> Memory {
    let rank = x.latest().cmp(&y.latest());
    let (dx, dy) = (x.document(), y.document());
    let base = base.map(Memory::document);
    let mut merged =
        if rank.then_with(|| x.blob.cmp(&y.blob)).is_ge() { dx.clone() } else { dy.clone() };
    if let (Some(a), Some(b)) = (dx.front(), dy.front()) {
        *merged.front_mut() =
            frontmatter_keys::merge(base.as_ref().and_then(|base| base.front()), a, b, rank).front;
    }
    merged.set_body(body);
    match stamp {
        Some(stamp) if crate::identity::memory::stamp_of(&merged, "updated") != Some(stamp) => {
            merged.set("updated", Value::Text(stamp.with_offset()))
        }
        None => merged.front_mut().remove("updated"),
        Some(_) => {}
    }
    let held = |side: &crate::identity::Document| side.checksum_holds() != Some(false);
    if merged.get("checksum").is_some()
        && merged.checksum_holds() != Some(true)
        && held(&dx)
        && held(&dy)
    {
        let hash = merged.hash();
        merged.set("checksum", Value::Text(hash.to_string()));
    }
    Memory::of_document(path.clone(), &merged)
        .unwrap_or_else(|| Memory { path: path.clone(), ..x.clone() })
}

/// The losing text as a separate memory: `created` is its last stamp, with microseconds from its
/// text, so that every laptop computes the same origin and the copies are recognised as one.
pub fn of_its_own(memory: &Memory) -> Memory {
    let created = memory.latest().with_fraction(memory.hash.fraction());
    with_new_origin(memory, created)
}

/// The same text under a new origin, next to its old path.
pub fn with_new_origin(memory: &Memory, created: Stamp) -> Memory {
    let mut other =
        memory.edited(|document| document.set("created", Value::Text(created.with_offset())));
    other.path = slug::with_suffix(&memory.path, &memory.hash.short(6));
    other
}

/// The side that renamed wins; if both did, the newer one, then the longer and larger name.
fn merge_paths(base: Option<&Memory>, x: &Memory, y: &Memory) -> RelPath {
    match base {
        _ if x.path == y.path => return x.path.clone(),
        Some(base) if base.path == x.path => return y.path.clone(),
        Some(base) if base.path == y.path => return x.path.clone(),
        _ => {}
    }
    let key = |memory: &Memory| (memory.latest(), memory.path.as_str().len(), memory.path.clone());
    if key(x) >= key(y) { x.path.clone() } else { y.path.clone() }
}
