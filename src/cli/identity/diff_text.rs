//! A diff for a person: facts by what happens to them, documents by their changed lines.
//!
//! Invariant: nothing depends on colour: without it, changes are marked as `[-gone-] {+new+}`.

use crate::cli::style::{Style, plural};
use crate::foreign::{Foreign, Said, said};
use crate::identity::{Blob, Calendar, Document, Kind, Memory, RelPath, Role};
use crate::merge::{
    Reason,
    change::{EditedFact, Fact, FieldChange, FileChange, Relabelled},
};
use crate::transfer::diff::{Direction, Report};
use similar::{ChangeTag, DiffOp, TextDiff};

/// Limit of facts per kind; `--json` and `--stat` show all.
const MAX: usize = 50;
/// The indentation of an edited fact's further lines.
const BELOW: &str = "\n         ";

pub fn review(report: &Report, style: Style, calendar: &Calendar) -> Said {
    let mut text = head(report, style, calendar);
    if report.is_empty() {
        text.push(match report.direction {
            Direction::Import => "Nothing would change.\n",
            Direction::Sync | Direction::Since => "No changes.\n",
        });
    }
    let meaning = &report.meaning;
    facts(&mut text, "Learned", style.learned("+"), &meaning.learned, style);
    edited(&mut text, report, &meaning.edited, style);
    relabelled(&mut text, &meaning.relabelled, style);
    facts(&mut text, "Forgotten", style.forgotten("-"), &meaning.forgotten, style);
    facts(&mut text, "Merged with the same fact", " ", &meaning.deduplicated, style);
    not_taken(&mut text, report, style);
    same(&mut text, report, style);
    documents(&mut text, report, style);
    kept(&mut text, report, style);
    text
}

/// What is in the source but an import does not change here: facts, and fields of files that do not
/// change. Empty if there is nothing else in the source.
pub(super) fn left_as_it_is(report: &Report, style: Style) -> Said {
    let mut text = Said::new();
    not_taken(&mut text, report, style);
    kept(&mut text, report, style);
    text
}

fn not_taken(text: &mut Said, report: &Report, style: Style) {
    if report.not_taken().is_empty() {
        return;
    }
    text.push(said!("\n{} ({})\n", style.strong("Not imported"), report.not_taken().len()));
    for missing in report.not_taken().iter().take(MAX) {
        row(text, "·", &missing.fact, &style.dim(&missing.why));
    }
    more(text, report.not_taken().len(), style);
}

/// Fields where this identity wins, in files that are otherwise unchanged.
fn kept(text: &mut Said, report: &Report, style: Style) {
    let changes =
        |path: &str| report.proposal.change.files.iter().any(|file| file.path.as_str() == path);
    let decisions = report.proposal.change.decisions.iter();
    let fields = decisions.filter(|decision| decision.reason == Reason::Field);
    let mut last = "";
    for decision in fields.filter(|decision| !changes(&decision.path)) {
        if decision.path != last {
            text.push(said!("\nidentity/{}  unchanged here\n", style.strong(&decision.path)));
            last = &decision.path;
        }
        text.push(said!("  {}\n", style.dim(&decision.why)));
    }
}

fn head(report: &Report, style: Style, calendar: &Calendar) -> Said {
    let manifest = &report.manifest;
    let from =
        manifest.source_machine.as_ref().map_or_else(Said::new, |host| said!("  from {}", host));
    let when = manifest
        .exported
        .as_ref()
        .map_or_else(Said::new, |at| said!(", {}", calendar.minute_of_text(at)));
    let (theirs, ours) =
        (plural(report.memories.0, "fact", "facts"), plural(report.memories.1, "fact", "facts"));
    let source = style.strong(&report.title);
    match report.direction {
        Direction::Import | Direction::Sync => {
            said!("{}{}{}, {}   →   this identity, {}\n", source, from, when, theirs, ours)
        }
        Direction::Since => said!("{}, {}   →   the files here, {}\n", source, theirs, ours),
    }
}

fn facts(
    text: &mut Said,
    title: &'static str,
    sign: impl Into<Said>,
    facts: &[Fact],
    style: Style,
) {
    if facts.is_empty() {
        return;
    }
    text.push(said!("\n{} ({})\n", style.strong(title), facts.len()));
    let sign = sign.into();
    for fact in facts.iter().take(MAX) {
        let tags =
            if fact.tags.is_empty() { Said::new() } else { said!("[{}]", fact.tags.join(", ")) };
        row(text, &sign, fact, &style.dim(tags));
    }
    more(text, facts.len(), style);
}

fn row(text: &mut Said, sign: impl Into<Said>, fact: &Fact, why: &Said) {
    let id = number(fact, "");
    let why = if why.is_empty() { Said::new() } else { said!("  {}", why) };
    text.push(said!("  {} {:<4} {}{}\n", sign.into(), id, fact.summary, why));
}

fn number(fact: &Fact, without: &'static str) -> String {
    fact.id.map_or_else(|| without.to_owned(), |id| id.to_string())
}

fn more(text: &mut Said, count: usize, style: Style) {
    if count > MAX {
        text.push(said!("  {}\n", style.dim(said!("… and {} more", count - MAX))));
    }
}

fn edited(text: &mut Said, report: &Report, facts: &[EditedFact], style: Style) {
    if facts.is_empty() {
        return;
    }
    text.push(said!("\n{} ({})\n", style.strong("Edited"), facts.len()));
    let old = report.proposal.before.memories();
    for fact in facts.iter().take(MAX) {
        let now = report
            .proposal
            .after
            .get(&fact.now.path)
            .and_then(|blob| Memory::read(&fact.now.path, blob).ok());
        let was = now.as_ref().and_then(|now| old.iter().find(|old| old.created == now.created));
        let words = match (was, &now) {
            (Some(was), Some(now)) => inline(was.text(), now.text(), style, BELOW),
            _ => said!("{}", fact.now.summary),
        };
        let id = number(&fact.now, "");
        text.push(said!("  {} {:<4} {}\n", style.edited("~"), id, words));
        for field in &fact.fields {
            text.push(said!("         {}\n", field));
        }
    }
    more(text, facts.len(), style);
}

fn relabelled(text: &mut Said, facts: &[Relabelled], style: Style) {
    if facts.is_empty() {
        return;
    }
    text.push(said!("\n{} ({})\n", style.strong("Relabelled"), facts.len()));
    for change in facts.iter().take(MAX) {
        let fields = said!("{}", FieldChange::line(&change.fields));
        row(text, style.edited("~"), &change.fact, &fields);
    }
    more(text, facts.len(), style);
}

fn same(text: &mut Said, report: &Report, style: Style) {
    if report.direction == Direction::Import && report.proposal.same > 0 {
        text.push(said!("\n{} ({})\n", style.strong("Same"), report.proposal.same));
    }
    let id = |id: Option<u64>| id.map_or_else(|| "?".to_owned(), |id| id.to_string());
    for pair in report.similar.iter().take(MAX) {
        let line = said!(
            "Similar: {} looks like {} \"{}\" ({:.2})",
            id(pair.id),
            id(pair.other_id),
            pair.other,
            pair.score
        );
        text.push(said!("{}\n", style.edited(style.fit(line.as_str(), 0))));
    }
}

fn documents(text: &mut Said, report: &Report, style: Style) {
    let other = |(file, _): &&(FileChange, Option<&RelPath>)| {
        !file.path.is_memory() && file.path.role() != Role::Record
    };
    for (file, was) in report.shown_files().iter().filter(other) {
        let is_same = file.before == file.after;
        let what = match (&file.before, &file.after) {
            _ if was.is_some() && is_same => style.edited("moved"),
            _ if was.is_some() => style.edited("moved and changed"),
            (None, _) => style.learned("new"),
            (_, None) => style.forgotten("removed"),
            _ if report.direction == Direction::Import
                && matches!(file.path.kind(), Kind::Trait | Kind::Personality)
                && loses_lines(file) =>
            {
                style.edited("replaced by the imported version")
            }
            _ => style.edited("changed"),
        };
        let path = style.strong(Foreign(file.path.as_str()));
        text.push(said!("\nidentity/{}{}  {}\n", from(*was), path, what));
        let lines = if is_same { Vec::new() } else { body_lines(file, style) };
        for line in lines.iter().take(MAX) {
            text.push(said!("  {}\n", line));
        }
        more(text, lines.len(), style);
        let reasons = report.proposal.change.decisions.iter().filter(|decision| {
            decision.path == file.path.as_str() && decision.reason == Reason::Field
        });
        for decision in reasons {
            text.push(said!("  {}\n", style.dim(&decision.why)));
        }
    }
}

/// Whether a line of its text is no longer there.
fn loses_lines(file: &FileChange) -> bool {
    let Some((before, after)) = bodies(file) else { return true };
    let after: Vec<&str> = after.lines().map(str::trim).collect();
    before.lines().map(str::trim).any(|line| !line.is_empty() && !after.contains(&line))
}

/// Where a moved file was, before the path where it is.
fn from(was: Option<&RelPath>) -> Said {
    was.map_or_else(Said::new, |was| said!("{} → ", was))
}

/// Its text before and after; `None` if either cannot be read.
fn bodies(file: &FileChange) -> Option<(String, String)> {
    let body = |blob: &Option<Blob>| {
        let Some(blob) = blob else { return Some(String::new()) };
        Document::read(blob).ok().map(|document| document.text().to_owned())
    };
    Some((body(&file.before)?, body(&file.after)?))
}

fn body_lines(file: &FileChange, style: Style) -> Vec<Said> {
    let Some((before, after)) = bodies(file) else {
        let size = |blob: &Option<Blob>| {
            blob.as_ref()
                .map_or_else(|| Said::from("nothing"), |blob| said!("{} bytes", blob.len()))
        };
        return vec![style.dim(said!("{} → {}", size(&file.before), size(&file.after)))];
    };
    if before == after {
        return vec![style.dim("only the frontmatter")];
    }
    let ended = |text: &str| format!("{text}\n");
    let (before, after) = (ended(&before), ended(&after));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let mut lines = Vec::new();
    for op in diff.ops() {
        match *op {
            DiffOp::Equal { .. } => {}
            DiffOp::Replace { old_index, old_len, new_index, new_len } if old_len == new_len => {
                lines.extend(
                    (0..old_len)
                        .map(|at| inline(old[old_index + at], new[new_index + at], style, " ")),
                );
            }
            op => {
                let gone = op
                    .old_range()
                    .filter_map(|at| old.get(at))
                    .map(|line| mark("[-", line, "-]", |line| style.forgotten(line)));
                let come = op
                    .new_range()
                    .filter_map(|at| new.get(at))
                    .map(|line| mark("{+", line, "+}", |line| style.learned(line)));
                lines.extend(gone.chain(come));
            }
        }
    }
    lines.retain(|line| !line.as_str().trim().is_empty());
    lines
}

fn mark(open: &str, line: &str, close: &str, paint: impl Fn(Said) -> Said) -> Said {
    if line.trim().is_empty() {
        return Said::new();
    }
    // Markers are kept in addition to colours, which some people cannot distinguish.
    said!("{}{}{}", open, paint(Foreign(line).into()), close)
}

/// Two texts as one, with the removed and added words marked; `below` is the prefix of each new
/// line.
fn inline(was: &str, now: &str, style: Style, below: &'static str) -> Said {
    // A word includes the space after it, so that adjacent changes share one marker.
    let split = |text| -> Vec<&str> { str::split_inclusive(text, [' ', '\n']).collect() };
    let (old, new) = (split(was), split(now));
    let diff = TextDiff::from_slices(&old, &new);
    let mut text = Said::new();
    let mut run: (ChangeTag, String) = (ChangeTag::Equal, String::new());
    for change in diff.iter_all_changes() {
        if change.tag() != run.0 {
            text.push(painted(&run, style, below));
            run = (change.tag(), String::new());
        }
        run.1.push_str(change.value());
    }
    text + painted(&run, style, below)
}

fn painted((tag, words): &(ChangeTag, String), style: Style, below: &'static str) -> Said {
    let lines =
        |words: &str| Said::joined(words.split('\n').map(|line| Foreign(line).into()), below);
    let inner = words.trim_end();
    let tail = lines(&words[inner.len()..]);
    if inner.is_empty() || *tag == ChangeTag::Equal {
        return lines(words);
    }
    let inner = lines(inner);
    match tag {
        // The replacement follows after a space.
        ChangeTag::Delete if tail.is_empty() => said!("[-{}-] ", style.forgotten(inner)),
        ChangeTag::Delete => said!("[-{}-]{}", style.forgotten(inner), tail),
        _ => said!("{{+{}+}}{}", style.learned(inner), tail),
    }
}

pub fn stat(report: &Report, style: Style) -> Said {
    let mut text = Said::new();
    let (mut added, mut removed) = (0, 0);
    let shown = report.shown_files();
    for (file, was) in &shown {
        let (plus, minus) = counts(file);
        added += plus;
        removed += minus;
        text.push(said!(
            " {}{}  {} {}\n",
            from(*was),
            file.path,
            style.learned(said!("+{}", plus)),
            style.forgotten(said!("-{}", minus))
        ));
    }
    let files = plural(shown.len(), "file", "files");
    text.push(said!(
        " {} changed, {}, {}\n",
        files,
        plural(added, "line added", "lines added"),
        plural(removed, "line removed", "lines removed")
    ));
    text
}

fn text_of(blob: &Option<Blob>) -> String {
    blob.as_ref().map(|blob| String::from_utf8_lossy(blob).into_owned()).unwrap_or_default()
}

fn counts(file: &FileChange) -> (usize, usize) {
    let (before, after) = (text_of(&file.before), text_of(&file.after));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let count =
        |wanted: ChangeTag| diff.iter_all_changes().filter(|change| change.tag() == wanted).count();
    (count(ChangeTag::Insert), count(ChangeTag::Delete))
}

/// The exact patch, for a pipe.
pub(super) fn patch(report: &Report) -> String {
    report.proposal.change.files.iter().map(patch_of).collect()
}

/// A patch for a terminal.
pub(super) fn patch_shown(report: &Report, style: Style) -> Said {
    let paint = |line: &str| match line.as_bytes().first() {
        Some(b'+') => style.learned(Foreign(line)),
        Some(b'-') => style.forgotten(Foreign(line)),
        Some(b'@') => style.dim(Foreign(line)),
        _ => Foreign(line).into(),
    };
    patch(report).lines().map(|line| paint(line) + "\n").collect()
}

fn patch_of(file: &FileChange) -> String {
    let binary =
        |blob: &Option<Blob>| blob.as_ref().is_some_and(|blob| std::str::from_utf8(blob).is_err());
    let path: &RelPath = &file.path;
    if binary(&file.before) || binary(&file.after) {
        return format!("Binary file {path} differs\n");
    }
    let name = |side: &str, blob: &Option<Blob>| {
        blob.as_ref().map_or_else(|| "/dev/null".to_owned(), |_| format!("{side}/{path}"))
    };
    let (before, after) = (text_of(&file.before), text_of(&file.after));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    diff.unified_diff()
        .context_radius(3)
        .header(&name("a", &file.before), &name("b", &file.after))
        .to_string()
}
