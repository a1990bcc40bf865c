//! What a sync says: what was learned and forgotten here and there, what became one, what changed its number.

use super::{Failure, Session};
use crate::identity::{
    Finding, Kind, RelPath, Snapshot,
    secrets::{self, ALLOW, Secret},
};
use crate::merge::change::{ChangeSet, EditedFact, Fact, Meaning};
use crate::merge::{Decision, ids::Renumbered};
use crate::ops::{Exit, guard};
use crate::system::folder;
use serde::Serialize;

/// What one side brought.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Side {
    /// New facts.
    pub learned: Vec<Fact>,
    /// Facts that are gone.
    pub forgotten: Vec<Fact>,
    /// Facts with another text.
    pub edited: Vec<EditedFact>,
    /// Lines of profile, personality, context and traits.
    pub documents: Vec<DocumentLine>,
}

/// One changed line of a document.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DocumentLine {
    /// The file.
    pub path: String,
    /// The line now; `None` when it went.
    pub now: Option<String>,
    /// The line it replaces.
    pub was: Option<String>,
}

/// A secret that kept its file behind.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Held {
    /// The file.
    pub path: String,
    /// What it is.
    #[serde(flatten)]
    pub secret: Secret,
}

/// What a sync did.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// The remote's name.
    pub remote: Option<String>,
    /// The remote's URL, without credentials.
    pub url: Option<String>,
    /// Whether nothing had to be done.
    pub up_to_date: bool,
    /// Whether the remote now has what this laptop has.
    pub published: bool,
    /// How many commits were pushed; the user's own among them.
    pub pushed_commits: usize,
    /// What this laptop brought.
    pub here: Side,
    /// What came from others.
    pub there: Side,
    /// Facts that both had.
    pub same: Vec<Fact>,
    /// Memories with another number than before.
    pub renumbered: Vec<Renumbered>,
    /// Each choice of the merge.
    pub decisions: Vec<Decision>,
    /// Files that stayed behind: damaged, with conflict markers or a secret in them, or this machine's own.
    pub held_back: Vec<String>,
    /// The secrets in them.
    pub secrets: Vec<Held>,
    /// What is wrong with files that could not be read.
    pub findings: Vec<Finding>,
    /// What a person should know.
    pub warnings: Vec<String>,
    /// Whether `undo` takes back something of this laptop; what others brought it leaves alone.
    pub undoable: bool,
    /// How many memories there are now; not counted when nothing was to be done.
    pub memories: usize,
}

impl Report {
    /// Why files stayed behind; `None` when none did.
    pub fn stayed_behind(&self) -> Option<Failure> {
        let with_secret = |path: &&String| self.secrets.iter().any(|held| held.path == **path);
        let others: Vec<&str> = self.held_back.iter().filter(|path| !with_secret(path)).map(String::as_str).collect();
        let mut told: Vec<String> = Vec::new();
        for held in &self.secrets {
            told.push(format!("{} stayed behind", guard::told_of(RelPath::new(&held.path).as_ref(), &held.secret)));
        }
        if !others.is_empty() {
            told.push(format!("{} stayed behind: damaged, with conflict markers in it, or this machine's own", others.join(", ")));
        }
        if told.is_empty() {
            return None;
        }
        let mut failure = Failure::new(Exit::Refused, format!("{}; the rest was synced", told.join("; ")));
        if let Some(held) = self.secrets.first() {
            failure = failure
                .hint("keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the file, and `co identity sync` again")
                .hint(format!("if it is none: `{ALLOW}` on its line, or `--allow-secret {}`", held.secret.rule));
        }
        if !others.is_empty() {
            failure = failure.hint("`co identity check` says what is wrong; mend it, and `co identity sync` again");
        }
        Some(failure)
    }
}

/// Makes the report from what was seen.
pub(super) fn make(mut session: Session<'_>) -> Result<Report, Failure> {
    let head = session.repo.head()?;
    if let Some(head) = head {
        session.set_marker(head);
    }
    let nothing = !session.seen.changed && session.seen.pushed_commits == 0 && session.seen.head_before == head;
    let before = match session.seen.remote_before.take() {
        Some(known) => known,
        None if nothing => Snapshot::default(),
        None => match session.known_to_both(session.seen.tracking_before, session.seen.head_before)? {
            Some(both) => both,
            None => session.repo.snapshot(session.seen.tracking_before)?,
        },
    };
    // Counting costs a look at every name; a sync with nothing to say does not.
    let memories = if nothing && session.seen.held.is_empty() { 0 } else { count(&session.store.root) };
    let Session { seen, branch, .. } = session;
    let here = if nothing || seen.ours.is_empty() { Meaning::default() } else { ChangeSet::between(&before, &seen.ours).meaning() };
    let there = seen.merged.as_ref().map(|merged| ChangeSet::between(&seen.ours, merged).meaning()).unwrap_or_default();
    let mut warnings = seen.warnings;
    if seen.rewritten {
        let remote = branch.remote.clone().unwrap_or_default();
        warnings.push(format!("{remote} was rewritten: it no longer has what it had at the last sync; everything was merged, nothing was lost here"));
    }
    let same = seen.merged.as_ref().map(|merged| both_had(&before, &seen.ours, seen.theirs.as_ref(), merged)).unwrap_or_default();
    Ok(Report {
        up_to_date: nothing,
        published: seen.published,
        undoable: seen.undoable,
        pushed_commits: seen.pushed_commits,
        here: renumber(side(here, &same), seen.merged.as_ref()),
        there: side(there, &same),
        same,
        renumbered: seen.renumbered,
        decisions: seen.decisions,
        held_back: seen.held.damaged.union(&seen.held.secret).map(shown).collect(),
        secrets: seen.secrets.into_iter().map(|(path, secret)| Held { path: shown(&path), secret }).collect(),
        findings: seen.findings,
        warnings,
        memories,
        remote: branch.remote,
        url: branch.url,
    })
}

/// A file's name without a secret in it.
fn shown(path: &RelPath) -> String {
    secrets::redact(path.as_str()).into_owned()
}

fn count(root: &std::path::Path) -> usize {
    let (listed, _) = folder::list(root, crate::identity::path::MEMORIES);
    listed.iter().filter(|file| file.path.kind() == Kind::Memory).count()
}

/// Facts that were new here and new there, and are one now.
fn both_had(before: &Snapshot, ours: &Snapshot, theirs: Option<&Snapshot>, merged: &Snapshot) -> Vec<Fact> {
    let hashes = |snapshot: &Snapshot| -> std::collections::BTreeSet<_> { snapshot.memories().iter().map(|memory| memory.hash).collect() };
    let (old, mine, other) = (hashes(before), hashes(ours), theirs.map(hashes).unwrap_or_default());
    let memories = merged.memories();
    memories.iter().filter(|m| !old.contains(&m.hash) && mine.contains(&m.hash) && other.contains(&m.hash)).map(Fact::of).collect()
}

fn side(meaning: Meaning, same: &[Fact]) -> Side {
    let documents = meaning.documents.iter().flat_map(|change| lines(change.path.as_str(), &change.added, &change.removed)).collect();
    let learned = meaning.learned.into_iter().filter(|fact| !same.iter().any(|other| other.hash == fact.hash)).collect();
    Side { learned, forgotten: meaning.forgotten, edited: meaning.edited, documents }
}

/// What this laptop brought, with the numbers it has now.
fn renumber(mut side: Side, merged: Option<&Snapshot>) -> Side {
    let memories = merged.map(Snapshot::memories).unwrap_or_default();
    let now = |hash: &str| memories.iter().find(|memory| memory.hash.to_string() == hash).and_then(|memory| memory.id);
    for fact in side.learned.iter_mut().chain(side.edited.iter_mut().map(|edited| &mut edited.now)) {
        fact.id = now(&fact.hash).or(fact.id);
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
        let at = key(line).and_then(|name| left.iter().position(|old| key(old).as_deref() == Some(&name)));
        let was = at.map(|at| left.remove(at).clone());
        lines.push(DocumentLine { path: path.to_owned(), now: Some(text(line)), was: was.as_ref().map(text) });
    }
    lines.extend(left.into_iter().map(|old| DocumentLine { path: path.to_owned(), now: None, was: Some(text(old)) }));
    lines
}
