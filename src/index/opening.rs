//! Opens the index of a store, brought up to date.
//!
//! Invariant: an index that is damaged or of another version is made anew; on any other error, who
//! asks reads the files.

use super::{
    call_state::{CallState, Compared},
    database::IndexError,
    opened::{Freshness, Opened, Refreshed},
    spec::IndexSpec,
    store::Store,
};
use crate::identity::{Code, Finding, Memory, kind::MEMORIES};
use crate::machine::Context;

/// Opens the up-to-date index of a store; `None` if indexes are switched off. On an error, the
/// caller reads the files.
pub(crate) fn open(
    store: &Store,
    context: &Context,
    look: Freshness,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    let opened = opened(store, context, look, moved)?;
    if opened.as_ref().is_some_and(Opened::has_read_all) {
        CallState::of(context).set_compared(store, Compared::All);
    }
    let note = opened.as_ref().and_then(|opened| opened.refreshed.note());
    note.into_iter().for_each(|note| context.note_for_verbose(note));
    Ok(opened)
}

fn opened(
    store: &Store,
    context: &Context,
    look: Freshness,
    moved: &dyn Fn(usize, usize),
) -> Result<Option<Opened>, IndexError> {
    let spec = IndexSpec::of(store, context);
    if !spec.settings.index {
        return Ok(None);
    }
    // Tries again if another co changed it in between.
    for _ in 0..2 {
        let there = match spec.open() {
            // Who asks for a new one gets it, unless somebody uses the old one.
            Err(error) if look != Freshness::Anew || error.is_busy() => return Err(error),
            there => there.ok().flatten().filter(|_| look != Freshness::Anew),
        };
        match there {
            Some(index)
                if (look == Freshness::Usual
                    && CallState::of(context).is_compared(store, Compared::All))
                    || spec.is_fresh(&index, look) =>
            {
                let refreshed = spec.counted(|unit| index.reads(unit).count_document_files());
                match spec.opened(index, refreshed, Vec::new()) {
                    Err(error) if error.is_damage() => return spec.build(Freshness::Anew, moved),
                    opened => return opened.map(Some),
                }
            }
            Some(index) if index.is_sparse() => {
                drop(index);
                return spec.build(Freshness::Anew, moved);
            }
            Some(index) => match spec.refresh(index, moved) {
                Ok(Some(opened)) => return Ok(Some(opened)),
                Ok(None) => {}
                Err(error) if error.is_damage() => return spec.build(Freshness::Anew, moved),
                Err(error) => return Err(error),
            },
            None => return spec.build(look, moved),
        }
    }
    Ok(None)
}

/// As [`open`] with a stat of each file, but only if there is an index.
pub(super) fn open_existing(store: &Store, context: &Context) -> Option<Opened> {
    let spec = IndexSpec::of(store, context);
    let index = spec.open_if_possible()?;
    if spec.is_fresh(&index, Freshness::Whole) {
        return spec.opened(index, Refreshed::default(), Vec::new()).ok();
    }
    spec.refresh(index, &|_, _| {}).ok()?
}

/// What `read` makes of the index; if it cannot, what `of_files` makes of the files.
pub(super) fn from_index<T>(
    store: &Store,
    context: &Context,
    read: impl Fn(&Opened) -> Option<T>,
    of_files: impl Fn(Vec<Memory>) -> T,
) -> (T, Vec<Finding>) {
    if let Ok(Some(opened)) = open(store, context, Freshness::Usual, &|_, _| {})
        && let Some(found) = read(&opened)
    {
        // Findings for documents are reported elsewhere.
        let of_facts =
            |finding: &Finding| finding.path.starts_with(MEMORIES) && finding.code != Code::Secret;
        return (found, opened.findings.into_iter().filter(of_facts).collect());
    }
    let (placed, findings) = store.memories();
    (of_files(placed.into_iter().map(|placed| placed.memory).collect()), findings)
}
