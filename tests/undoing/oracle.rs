//! What must hold after an undo or redo, whatever happened before it.
//!
//! Invariant: the wanted state is worked out from the bytes before and after each operation; of
//! what co says of itself only the log's numbers are believed.

use super::{
    Wrong,
    log::{Log, Way},
    stores::{Bytes, Change, Changes, Content, IsFact, LEDGER, Place, Stores, shown},
};
use crate::support::Said;
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Published {
    No,
    /// A sync with a remote came after it.
    Perhaps,
}

/// What is known of the operation that an undo or redo is about.
pub struct Target<'a> {
    pub op: u64,
    /// `None` where several things happened at once, as in a sync.
    pub changes: Option<&'a Changes>,
    pub published: Published,
    /// Texts that another laptop said as well: they stay.
    pub theirs: &'a BTreeSet<String>,
}

/// One `undo` or `redo`.
pub struct Taken<'a> {
    pub way: Way,
    pub target: Option<Target<'a>>,
    pub before: &'a Stores,
    pub after: &'a Stores,
    pub log: &'a Log,
    pub log_after: &'a Log,
    pub said: &'a Said,
    /// Other operations that can surely be taken back, newest first.
    pub others: &'a [u64],
}

/// What is left of an operation in the files now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    /// Byte for byte as it left them; of the ledger only its lines.
    Exactly,
    /// Other stamps, the same words.
    InWords,
    Changed,
}

pub fn judge(taken: &Taken<'_>) -> Result<(), Wrong> {
    match taken.said.code {
        0 => done(taken),
        _ => refused(taken),
    }
}

fn refused(taken: &Taken<'_>) -> Result<(), Wrong> {
    let Taken { before, after, log, log_after, said, .. } = taken;
    if before != after {
        return Err(Wrong::of("refused, but files changed", shown(before, after)));
    }
    if log != log_after {
        return Err(Wrong::of("refused, but logged", format!("{:?}", log_after.since(log))));
    }
    // Nobody else is at work in a story: `busy` is no answer.
    if ![3, 5, 6, 7].contains(&said.code) {
        return Err(Wrong::of("refused with an odd exit code", said.code.to_string()));
    }
    if !said.err.contains("hint:") {
        return Err(Wrong::of("refused without a hint", ""));
    }
    let Some(target) = &taken.target else { return Ok(()) };
    let Some(changes) = target.changes else { return Ok(()) };
    let wanted = before.without(changes);
    let standing = standing(changes, before);
    let has_effect = match (standing, target.published) {
        (Standing::Changed, _) => false,
        (Standing::Exactly, Published::No) => wanted != **before,
        _ => wanted.view() != before.view(),
    };
    let facts = |stores: &Stores| -> usize {
        Place::ALL.into_iter().map(|place| stores.facts(place).len()).sum()
    };
    let is_guarded = said.code == 6 && facts(&wanted) < facts(before);
    if has_effect && !is_guarded && !is_met_by_others(target, &wanted, before) {
        let text = format!("o{} stands {standing:?} and can be taken back", target.op);
        return Err(Wrong::of("refused without need", text));
    }
    Ok(())
}

/// Whether the same facts were said in other files or on another laptop: then it is open which of
/// the files go.
fn is_met_by_others(target: &Target<'_>, wanted: &Stores, before: &Stores) -> bool {
    let sides = target.changes.into_iter().flatten().flat_map(|(path, change)| {
        [&change.before, &change.after].map(|side| Some(Content::of(path, side.as_ref()?)))
    });
    let facts = sides.flatten().filter(|content| content.is_fact == IsFact::Yes);
    let own: BTreeSet<String> = facts.map(|fact| fact.body).collect();
    let is_shared = target.published == Published::Perhaps && !own.is_disjoint(target.theirs);
    is_shared || !own.is_disjoint(&wanted.twice()) || !own.is_disjoint(&before.twice())
}

fn done(taken: &Taken<'_>) -> Result<(), Wrong> {
    let Taken { before, after, log, log_after, .. } = taken;
    let fresh = log_after.since(log);
    let undoes = fresh.first().and_then(|entry| entry.undoes);
    let Some(target) = &taken.target else {
        return Err(Wrong::of("took back what nobody asked for", format!("{undoes:?}")));
    };
    if fresh.len() != 1 || undoes != Some(target.op) {
        let text = format!("wanted o{}, logged {fresh:?}", target.op);
        return Err(Wrong::of("took back another operation", text));
    }
    if before == after {
        return Err(Wrong::of("done, but nothing changed", ""));
    }
    let Some(changes) = target.changes else { return Ok(()) };
    let known: BTreeSet<String> =
        before.twice().union(&before.without(changes).twice()).cloned().collect();
    if let Some(body) = after.twice().difference(&known).next() {
        return Err(Wrong::of("a fact stands twice", body.clone()));
    }
    only_its_files(changes, before, after)?;
    ledger(changes, target, before, after)?;
    match standing(changes, before) {
        _ if is_met_by_others(target, &before.without(changes), before) => {}
        Standing::Exactly if target.published == Published::No => exactly(changes, before, after)?,
        Standing::Exactly | Standing::InWords => in_words(changes, before, after)?,
        Standing::Changed => both_stay(changes, taken)?,
    }
    newer_stays(changes, before, after)
}

/// Whether the report and the log say what was taken back; no reason to end a story.
pub fn is_told(taken: &Taken<'_>) -> Result<(), Wrong> {
    let Taken { log, log_after, said, .. } = taken;
    let is_offered = |op: &u64| words(&said.err).any(|word| word == format!("o{op}"));
    // Another one, of which the story cannot say for sure what it would do, is an offer as well.
    let is_another = said.err.contains("undoes the one before");
    let offers = is_another || taken.others.iter().any(is_offered);
    if said.code == 5 && !taken.others.is_empty() && !offers {
        let text = format!("{:?} can be taken back: {}", taken.others, said.err);
        return Err(Wrong::of("a bare undo is refused and offers no other", text));
    }
    for entry in &log_after.0 {
        if entry.undone.is_some_and(|told| told != log_after.is_undone(entry.op)) {
            let text = format!("o{} of {:?}", entry.op, log_after.0);
            return Err(Wrong::of("the log is wrong about what is undone", text));
        }
    }
    let Some(target) = taken.target.as_ref().filter(|_| said.code == 0) else { return Ok(()) };
    let first = log.find(target.op).and_then(|entry| entry.undoes);
    let names = |op: u64| words(&said.out).any(|word| word == format!("o{op}"));
    if names(target.op) || (taken.way == Way::Redo && first.is_some_and(names)) {
        return Ok(());
    }
    Err(Wrong::of("the report does not name the operation", said.out.clone()))
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '#')
}

/// Whether an operation can surely be taken back: nobody touched or saw what it left.
pub fn all_loaded(changes: &Changes, now: &Stores) -> bool {
    let wanted = now.without(changes);
    standing(changes, now) == Standing::Exactly && wanted.view() != now.view()
}

fn standing(changes: &Changes, now: &Stores) -> Standing {
    let mut standing = Standing::Exactly;
    for (path, change) in changes.iter().filter(|(path, _)| *path != LEDGER) {
        let found = now.get(path);
        if found == change.after.as_ref() {
            continue;
        }
        let same = match (found, &change.after) {
            (Some(found), Some(after)) => {
                Content::of(path, found).says_the_same(&Content::of(path, after))
            }
            _ => false,
        };
        if !same {
            return Standing::Changed;
        }
        standing = Standing::InWords;
    }
    standing
}

fn without_ledger(stores: &Stores) -> Stores {
    let mut files = stores.clone();
    files.0.remove(LEDGER);
    files
}

/// Nothing of it was published and nothing touched its files since.
fn exactly(changes: &Changes, before: &Stores, after: &Stores) -> Result<(), Wrong> {
    let (mut wanted, mut found) = (before.without(changes), after.clone());
    let as_left = changes.get(LEDGER).is_none_or(|own| before.get(LEDGER) == own.after.as_ref());
    if !as_left {
        // Other lines came since: only those of this operation go.
        (wanted, found) = (without_ledger(&wanted), without_ledger(&found));
    }
    if wanted != found {
        return Err(Wrong::of("not byte for byte", shown(&wanted, &found)));
    }
    Ok(())
}

fn in_words(changes: &Changes, before: &Stores, after: &Stores) -> Result<(), Wrong> {
    let wanted = before.without(changes).view();
    let found = after.view();
    if wanted != found {
        let missing: Vec<_> = wanted.difference(&found).collect();
        let extra: Vec<_> = found.difference(&wanted).collect();
        let text = format!("missing {missing:#?}\ntoo much {extra:#?}");
        return Err(Wrong::of("not the same facts, fields and entries", text));
    }
    Ok(())
}

/// Files of others stay as they are: those that the operation did not touch, by path or by fact.
fn only_its_files(changes: &Changes, before: &Stores, after: &Stores) -> Result<(), Wrong> {
    let mut strangers = Stores::changes(before, after);
    strangers.retain(|path, change| {
        let now = change.before.as_ref().or(change.after.as_ref());
        let origin = now.and_then(|bytes| Content::of(path, bytes).origin);
        let is_its_fact = origin.is_some_and(|origin| origins(changes).contains(&origin));
        path != LEDGER
            && !changes.contains_key(path)
            && !is_its_fact
            && !is_set_aside(path, change, changes, before)
    });
    if strangers.is_empty() {
        return Ok(());
    }
    let own = |bytes: fn(&Change) -> &Option<Bytes>| {
        let files = strangers.iter();
        Stores(files.filter_map(|(path, c)| Some((path.clone(), bytes(c).clone()?))).collect())
    };
    let text = shown(&own(|change| &change.before), &own(|change| &change.after));
    Err(Wrong::of("touched files of other operations", text))
}

/// Whether a file is new because two texts of one place both stay.
fn is_set_aside(path: &str, change: &Change, changes: &Changes, before: &Stores) -> bool {
    let (None, Some(now)) = (&change.before, &change.after) else { return false };
    let mut known: BTreeSet<String> = before.tokens(Place::of_path(path));
    for (path, change) in changes {
        let old = change.before.iter().flat_map(|bytes| Content::of(path, bytes).tokens());
        known.extend(old);
    }
    standing(changes, before) == Standing::Changed
        && Content::of(path, now).tokens().iter().all(|token| {
            // It has an origin of its own, so its pin has, too.
            known.contains(token) || token.starts_with("pinned")
        })
}

fn origins(changes: &Changes) -> BTreeSet<String> {
    let sides = changes.iter().flat_map(|(path, change)| {
        [&change.before, &change.after].map(|side| Content::of(path, side.as_ref()?).origin)
    });
    sides.flatten().collect()
}

/// Lines of other operations stay; the own ones go while nobody has seen them.
fn ledger(
    changes: &Changes,
    target: &Target<'_>,
    before: &Stores,
    after: &Stores,
) -> Result<(), Wrong> {
    let Some(change) = changes.get(LEDGER) else { return Ok(()) };
    let side = |bytes: &Option<Bytes>| {
        let file = bytes.clone().map(|bytes| (LEDGER.to_owned(), bytes));
        Stores(file.into_iter().collect()).ledger()
    };
    let (old, new) = (side(&change.before), side(&change.after));
    let own: BTreeSet<String> = new.difference(&old).cloned().collect();
    let others: BTreeSet<String> = before.ledger().difference(&own).cloned().collect();
    let now = after.ledger();
    if let Some(line) = others.difference(&now).next() {
        return Err(Wrong::of("a line of the ledger is lost", line.clone()));
    }
    let is_exact = standing(changes, before) == Standing::Exactly;
    let left = own.intersection(&now).next();
    if let Some(line) = left.filter(|_| is_exact && target.published == Published::No) {
        return Err(Wrong::of("a line of the ledger stays", line.clone()));
    }
    Ok(())
}

/// An undo takes away only what the operation added: every other line, tag and pin of its files is
/// still there.
fn newer_stays(changes: &Changes, before: &Stores, after: &Stores) -> Result<(), Wrong> {
    let known = origins(changes);
    let said = |side: fn(&Change) -> &Option<Bytes>| -> BTreeSet<String> {
        let files = changes
            .iter()
            .filter_map(|(path, change)| Some(Content::of(path, side(change).as_ref()?).tokens()));
        files.flatten().collect()
    };
    let (old, new) = (said(|change| &change.before), said(|change| &change.after));
    for (path, bytes) in before.0.iter().filter(|(path, _)| *path != LEDGER) {
        let content = Content::of(path, bytes);
        let is_its_fact = content.origin.as_ref().is_some_and(|origin| known.contains(origin));
        if !changes.contains_key(path) && !is_its_fact {
            continue;
        }
        let there = after.tokens(Place::of_path(path));
        let is_added = |token: &String| new.contains(token) && !old.contains(token);
        let lost =
            content.tokens().into_iter().find(|token| !is_added(token) && !there.contains(token));
        if let Some(lost) = lost {
            let text = format!("`{lost}` of {path}{}", shown(before, after));
            return Err(Wrong::of("newer bytes are lost", text));
        }
    }
    Ok(())
}

/// What the operation took away is back beside what is newer, or the report says what is not.
fn both_stay(changes: &Changes, taken: &Taken<'_>) -> Result<(), Wrong> {
    let report = format!("{}{}", taken.said.out, taken.said.err);
    for (path, change) in changes.iter().filter(|(path, _)| *path != LEDGER) {
        let tokens = |side: &Option<Bytes>| {
            side.as_ref().map(|bytes| Content::of(path, bytes).tokens()).unwrap_or_default()
        };
        let (old, new) = (tokens(&change.before), tokens(&change.after));
        let now = taken.after.tokens(Place::of_path(path));
        let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".md");
        let is_named = |token: &str| {
            let text = token.split_once(' ').map_or(token, |(_, text)| text);
            report.contains(text) || report.contains(name)
        };
        let missing = old.difference(&new).find(|token| !now.contains(*token) && !is_named(token));
        if let Some(missing) = missing {
            let text = format!("`{missing}` of {path}{}", shown(taken.before, taken.after));
            return Err(Wrong::of("half taken back without a word", text));
        }
    }
    Ok(())
}
