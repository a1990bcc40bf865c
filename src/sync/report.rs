//! The report of a sync: what was learned and forgotten here and there, merged and renumbered.

use super::{
    Error, asked_elsewhere,
    attention::{self, Attention},
    committed::Local,
    context::{Before, SyncContext},
    error::{HeldBackError, StayedBehind},
    exchanged::{Exchanged, NotMet, RemoteState},
    ignored,
    logged::Logged,
    merged::Merged,
    nested::swallowed,
    notes,
    repository::machine_state_in,
    staged::confirm_marker,
};
use crate::git;
use crate::identity::{ContentHash, Finding, Memory, RelPath, Snapshot, cloud, slug};
use crate::merge::{
    Decision,
    change::{ChangeSet, EditedFact, Fact, Meaning, Relabelled},
    document_changes::DocumentDelta,
    ids::Renumbered,
    laptops,
};
use crate::secrets::{self, Secret};
use crate::workspace::{guard, named};
use serde::Serialize;
use std::collections::{BTreeSet, HashMap, HashSet};

#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Side {
    pub learned: Vec<Fact>,
    pub forgotten: Vec<Fact>,
    pub edited: Vec<EditedFact>,
    /// Facts with changed tags or pins; new numbers are in [`Report::renumbered`].
    pub relabelled: Vec<Relabelled>,
    /// Lines of profile, personality, context and traits.
    pub documents: Vec<DocumentLine>,
    /// Documents and originals.
    pub files: Vec<DocumentDelta>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DocumentLine {
    pub path: String,
    /// `None` if the line was deleted.
    pub now: Option<String>,
    pub was: Option<String>,
}

/// A secret that held back its file.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HeldSecret {
    pub path: String,
    #[serde(flatten)]
    pub secret: Secret,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    pub remote: Option<String>,
    /// The remote's URL, without credentials.
    pub url: Option<String>,
    /// Whether nobody can read what is there without a key.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub sealed: bool,
    /// Where git pushes to, if that differs (`pushurl`, `pushInsteadOf`).
    pub push_url: Option<String>,
    /// Whether nothing changed, here or there, and the remote has everything.
    pub up_to_date: bool,
    /// Whether nothing changed; the remote may not have been reached.
    #[serde(skip)]
    pub unchanged: bool,
    /// Whether the remote now has what this laptop has.
    pub published: bool,
    pub pushed_commits: usize,
    /// How many of them are the person's own.
    pub own_commits: usize,
    /// The first lines of some of their messages.
    pub own_subjects: Vec<String>,
    pub here: Side,
    /// What other laptops brought.
    pub there: Side,
    /// New facts that both sides had.
    pub same: Vec<Fact>,
    pub renumbered: Vec<Renumbered>,
    #[serde(rename = "look")]
    pub to_review: Vec<Attention>,
    pub decisions: Vec<Decision>,
    /// Files that were held back: damaged, with markers or a secret, or machine-local.
    pub held_back: Vec<String>,
    pub secrets: Vec<HeldSecret>,
    pub findings: Vec<Finding>,
    pub warnings: Vec<String>,
    /// Files that a rule keeps on this laptop, and ignored folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// Whether `undo` can take back something of this laptop; it leaves alone what others brought.
    pub undoable: bool,
    /// Notes exchanged between agents' folders and the identity.
    pub notes: notes::Report,
    /// All memories of the identity afterwards.
    pub memories: usize,
    /// The facts about this laptop, which are not among these.
    #[serde(skip)]
    pub about_laptop: usize,
    /// The folder of what is about this laptop.
    #[serde(skip)]
    pub laptop: String,
    /// Why the remote did not get what this laptop has; a warning says it as well.
    #[serde(skip)]
    pub not_met: Option<NotMet>,
}

impl Report {
    /// Why files were held back; `None` if none were.
    pub fn stayed_behind(&self) -> Option<Error> {
        let with_secret = |path: &&String| self.secrets.iter().any(|held| held.path == **path);
        let others: Vec<&str> =
            self.held_back.iter().filter(|path| !with_secret(path)).map(String::as_str).collect();
        let described =
            |held: &HeldSecret| guard::describe(RelPath::new(&held.path).as_ref(), &held.secret);
        let mut reasons: Vec<String> = self.secrets.iter().map(described).collect();
        let (copies, others): (Vec<&str>, Vec<&str>) =
            others.into_iter().partition(|path| is_copy(path));
        if !copies.is_empty() {
            let what = "conflict copies made by a cloud service";
            reasons.push(format!("{} held back: {what}", copies.join(", ")));
        }
        if !others.is_empty() {
            reasons.push(format!(
                "{} held back: damaged, with conflict markers, or specific to this laptop",
                others.join(", ")
            ));
        }
        if reasons.is_empty() {
            return None;
        }
        let stayed = StayedBehind {
            reasons,
            files: self.held_back.len(),
            secret_rule: self.secrets.first().map(|held| held.secret.rule),
            has_secret_text: self.secrets.iter().any(|held| held.secret.line.is_some()),
            has_secret_name: self.secrets.iter().any(|held| held.secret.line.is_none()),
            has_copies: !copies.is_empty(),
            has_others: !others.is_empty(),
            published: self.published,
        };
        Some(HeldBackError::StayedBehind(stayed).into())
    }
}

pub(super) fn make(
    cx: &SyncContext<'_>,
    before: &Before,
    local: Local,
    exchanged: &Exchanged,
) -> Result<Report, Error> {
    let head = cx.repo.head()?;
    if let Some(head) = head {
        confirm_marker(cx, &local.held, head);
    }
    let taken_in = exchanged.merged.iter().any(|merged| merged.ours != merged.tree);
    let nothing = !local.changed && !taken_in && exchanged.pushed == 0 && before.head == head;
    let is_all_new = local.is_all_new && exchanged.merged.is_empty();
    let known = (!nothing && !is_all_new).then(|| exchanged.known(cx, before));
    let known = known.transpose()?.unwrap_or_default();
    let unheard = unheard(cx, &local, exchanged)?;
    let merged = exchanged.merged.first().map(|merged| &merged.ours);
    let ours = merged.or(local.ours.as_ref()).or(unheard.as_ref());
    let last = exchanged.merged.last();
    let changed_here = match ours.filter(|_| !nothing) {
        _ if is_all_new => ChangeSet::of(local.files.clone()),
        ours => ours.map(|ours| ChangeSet::between(&known, ours)).unwrap_or_default(),
    };
    let here = laptops::meaning(&changed_here, Some(&known));
    let (there, same, to_review) = match (ours, last) {
        (Some(ours), Some(last)) => met(cx, &known, ours, (&exchanged.merged, last), &changed_here),
        _ => Default::default(),
    };
    // Counting requires reading, which a sync without changes avoids.
    let memories = match last.map(|last| &last.tree).or(local.ours.as_ref()) {
        Some(tree) => tree.memories().len(),
        None if is_all_new || (nothing && local.held.is_empty()) => local.memories,
        None => cx.repo.snapshot(head)?.memories().len(),
    };
    let renumbered = exchanged.merged.iter().flat_map(|merged| merged.renumbered.iter().cloned());
    let decisions = exchanged.merged.iter().flat_map(|merged| merged.decisions.iter().cloned());
    let news = ignored::not_named_yet(cx, &local.ignored);
    let carried = carried(&local.held.carried).into_iter();
    Ok(Report {
        ignored: local.ignored.iter().map(|one| one.path.clone()).collect(),
        unchanged: nothing,
        up_to_date: nothing && (exchanged.published || cx.branch.remote.is_none()),
        published: exchanged.published,
        undoable: exchanged.logged == Logged::Undoable,
        pushed_commits: exchanged.pushed,
        own_commits: exchanged.own.len(),
        own_subjects: exchanged.own.iter().rev().take(OWN).map(|own| redact(own)).collect(),
        here: renumber(side(cx, here, &same), last.map(|last| &last.tree)),
        there: side(cx, there, &same),
        same,
        to_review,
        renumbered: local.renumbered.into_iter().chain(renumbered).collect(),
        decisions: local.decisions.into_iter().chain(decisions).collect(),
        held_back: held_back(&local.held),
        secrets: held_secrets(&local.held),
        findings: local.held.findings,
        warnings: carried.chain(warnings(cx, exchanged)).chain(news).collect(),
        memories,
        about_laptop: cx.ws.here_if_there().map_or(0, |here| here.memory_files().0.len()),
        laptop: slug::slug(cx.ws.laptop()),
        not_met: exchanged.not_met.first().cloned(),
        notes: notes::Report::default(),
        remote: cx.branch.remote.clone(),
        url: cx.branch.url.clone(),
        sealed: cx.branch.sealed,
        push_url: cx.branch.push_url.clone(),
    })
}

/// What the other side brought, what both had, and what to review.
fn met(
    cx: &SyncContext<'_>,
    known: &Snapshot,
    ours: &Snapshot,
    (all, last): (&[Merged], &Merged),
    changed_here: &ChangeSet,
) -> (Meaning, Vec<Fact>, Vec<Attention>) {
    let sides =
        attention::MergeStates { base: known, ours, theirs: &last.theirs, merged: &last.tree };
    let there = laptops::meaning(&ChangeSet::between(ours, &last.tree), Some(ours));
    let same = both_had(known, ours, &last.theirs, &last.tree);
    let mut to_review = attention::to_review(&sides, changed_here, &last.decisions);
    let here = last.commits.0.map(git::short).unwrap_or_default();
    let taken = git::short(last.taken_in);
    let commits = (here.as_str(), taken.as_str());
    to_review.extend(attention::documents(&sides, &last.decisions, &last.lost, commits));
    for item in all.iter().flat_map(|one| asked_elsewhere::to_review(cx, one)) {
        if !to_review.iter().any(|told| told.named() == item.named()) {
            to_review.push(item);
        }
    }
    (there, same, to_review)
}

/// Commits of earlier syncs that are pushed only now.
fn unheard(
    cx: &SyncContext<'_>,
    local: &Local,
    exchanged: &Exchanged,
) -> Result<Option<Snapshot>, Error> {
    let is_heard = local.ours.is_some() || local.is_all_new || !exchanged.merged.is_empty();
    if exchanged.pushed == 0 || is_heard {
        return Ok(None);
    }
    Ok(Some(cx.repo.snapshot(cx.repo.head()?)?))
}

/// How many of the person's own commits to list.
const OWN: usize = 5;

fn redact(text: &str) -> String {
    secrets::redact(text).into_owned()
}

fn held_secrets(held: &super::held_back::HeldBack) -> Vec<HeldSecret> {
    let held = held.secrets.iter();
    held.map(|(path, secret)| HeldSecret { path: shown(path), secret: secret.clone() }).collect()
}

fn held_back(held: &super::held_back::HeldBack) -> Vec<String> {
    let secrets = held.secrets.iter().map(|(path, _)| path);
    let paths: BTreeSet<&RelPath> = held.damaged.iter().chain(secrets).collect();
    paths.into_iter().map(shown).collect()
}

/// The warning of the first sync with another remote, for callers that say it with its URL.
pub const NEW_REMOTE: &str = "pushed everything to the new remote; on the other laptops, run `co \
    identity remote URL`";

fn warnings(cx: &SyncContext<'_>, exchanged: &Exchanged) -> Vec<String> {
    let remote = cx.branch.remote.as_deref().unwrap_or_default();
    let rewritten = exchanged.rewritten.then(|| {
        format!(
            "{remote} was rewritten: commits it had at the last sync are gone; everything was \
             merged, nothing was lost here"
        )
    });
    let emptied = match exchanged.found {
        RemoteState::Emptied if exchanged.published => Some(format!(
            "{remote} was empty, although it had your facts at the last sync: someone recreated or \
             wiped it; everything here was pushed to it again"
        )),
        RemoteState::New if exchanged.published => Some(NEW_REMOTE.to_owned()),
        _ => None,
    };
    let state = machine_state_in(cx.ws, &cx.repo);
    let state = state.or_else(|| swallowed(cx.ws, &cx.repo).map(|nested| nested.line()));
    let unlogged = (exchanged.logged == Logged::Failed).then(|| {
        "the operation log cannot be written: `undo` will not know about this sync".to_owned()
    });
    let of_remote = exchanged.not_met.iter().map(|why| why.warning(cx));
    of_remote.chain(rewritten).chain(emptied).chain(unlogged).chain(state).collect()
}

/// By its name; which copies are held back was decided before.
fn is_copy(path: &str) -> bool {
    let path = RelPath::new(path);
    path.is_some_and(|path| cloud::conflict_copy(&path, |_| false).is_some())
}

/// The warning for memories that were committed although co cannot read them.
fn carried(paths: &[RelPath]) -> Option<String> {
    let (first, more) = paths.split_first()?;
    let and = match more.len() {
        0 => "could not be read as a fact;".to_owned(),
        more => format!("and {more} more could not be read as facts;"),
    };
    Some(format!("{} {and} committed unchanged (`co check` says what is wrong)", shown(first)))
}

fn shown(path: &RelPath) -> String {
    secrets::redact(path.as_str()).into_owned()
}

/// Memories added on both sides that were merged into one.
fn both_had(before: &Snapshot, ours: &Snapshot, theirs: &Snapshot, merged: &Snapshot) -> Vec<Fact> {
    let hashes = |snapshot: &Snapshot| -> HashSet<ContentHash> {
        snapshot.memories().iter().map(|memory| memory.hash).collect()
    };
    let (old, mine, other) = (hashes(before), hashes(ours), hashes(theirs));
    let both =
        |m: &&Memory| !old.contains(&m.hash) && mine.contains(&m.hash) && other.contains(&m.hash);
    merged.memories().iter().filter(both).map(Fact::of).collect()
}

fn side(cx: &SyncContext<'_>, meaning: Meaning, same: &[Fact]) -> Side {
    let mut meaning = meaning.without_numbers();
    named::name_fields(cx.ws, meaning.fields_mut());
    let files = meaning.wholes();
    let by_lines = meaning.documents.iter().filter(|document| !document.is_whole());
    let documents = by_lines
        .flat_map(|change| lines(change.path.as_str(), &change.added, &change.removed))
        .collect();
    let known: HashSet<&str> = same.iter().map(|fact| fact.hash.as_str()).collect();
    let new = |fact: &Fact| !known.contains(fact.hash.as_str());
    let learned = meaning.learned.into_iter().filter(new).collect();
    Side {
        learned,
        forgotten: meaning.forgotten,
        edited: meaning.edited,
        relabelled: meaning.relabelled,
        documents,
        files,
    }
}

/// Gives facts of this laptop the numbers that they have after the merge.
fn renumber(mut side: Side, merged: Option<&Snapshot>) -> Side {
    let Some(merged) = merged else { return side };
    let now: HashMap<String, Option<u64>> =
        merged.memories().iter().map(|memory| (memory.hash.to_string(), memory.id)).collect();
    let edited = side.edited.iter_mut().map(|edited| &mut edited.now);
    let of_identity = |fact: &&mut Fact| fact.laptop.is_none();
    for fact in side.learned.iter_mut().chain(edited).filter(of_identity) {
        fact.id = now.get(&fact.hash).copied().flatten().or(fact.id);
    }
    side
}

/// Pairs a field's new line with its old one.
fn lines(path: &str, added: &[String], removed: &[String]) -> Vec<DocumentLine> {
    let key = |line: &str| line.split_once(':').map(|(key, _)| key.to_owned());
    let mut left: Vec<&String> = removed.iter().collect();
    let text = |line: &String| secrets::redact(line).into_owned();
    let mut lines = Vec::new();
    for line in added {
        let at = key(line)
            .and_then(|name| left.iter().position(|old| key(old).as_deref() == Some(&name)));
        let was = at.map(|at| left.remove(at).clone());
        lines.push(DocumentLine {
            path: path.to_owned(),
            now: Some(text(line)),
            was: was.as_ref().map(text),
        });
    }
    let gone =
        |old: &String| DocumentLine { path: path.to_owned(), now: None, was: Some(text(old)) };
    lines.extend(left.into_iter().map(gone));
    lines
}
