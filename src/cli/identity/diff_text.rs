//! A review as a person reads it: facts by what happens to them, documents by their changed lines.
//!
//! Invariant: nothing depends on colour: without it, changes are marked as `[-gone-] {+new+}`. Text
//! from files goes through `safe`.

use crate::cli::style::{Style, plural, safe};
use crate::identity::{Blob, Document, Kind, Memory, RelPath};
use crate::merge::{
    Rule,
    change::{EditedFact, Fact, FieldChange, FileChange, Relabelled},
};
use crate::ops::diff::{Direction, Report};
use similar::{ChangeTag, DiffOp, TextDiff};
use std::fmt::Write;

/// Limit of facts per kind; `--json` and `--stat` have all.
const MOST: usize = 50;

pub fn review(report: &Report, style: Style) -> String {
    let mut text = head(report, style);
    if report.is_empty() {
        let _ = writeln!(
            text,
            "{}",
            if report.direction == Direction::Import {
                "Nothing would change."
            } else {
                "No changes."
            }
        );
    }
    let meaning = &report.meaning;
    facts(&mut text, "Learned", &style.learned("+"), &meaning.learned, style);
    edited(&mut text, report, &meaning.edited, style);
    relabelled(&mut text, &meaning.relabelled, style);
    facts(&mut text, "Forgotten", &style.forgotten("-"), &meaning.forgotten, style);
    facts(&mut text, "United with the same fact", " ", &meaning.deduplicated, style);
    not_taken(&mut text, report, style);
    same(&mut text, report, style);
    documents(&mut text, report, style);
    kept(&mut text, report, style);
    text
}

/// What the source has but an import leaves as it is here: facts, and fields of files that do not
/// change. Empty when the source has nothing else.
pub fn left_as_it_is(report: &Report, style: Style) -> String {
    let mut text = String::new();
    not_taken(&mut text, report, style);
    kept(&mut text, report, style);
    text
}

fn not_taken(text: &mut String, report: &Report, style: Style) {
    if report.not_taken().is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{} ({})", style.strong("Not taken"), report.not_taken().len());
    for missing in report.not_taken().iter().take(MOST) {
        row(text, "·", &missing.fact, &style.dim(&safe(&missing.why)));
    }
    more(text, report.not_taken().len(), style);
}

/// Fields where this identity wins, of files that nothing else changes.
fn kept(text: &mut String, report: &Report, style: Style) {
    let changes =
        |path: &str| report.proposal.change.files.iter().any(|file| file.path.as_str() == path);
    let decisions = report.proposal.change.decisions.iter();
    let fields = decisions.filter(|decision| decision.rule == Rule::Field);
    let mut last = "";
    for decision in fields.filter(|decision| !changes(&decision.path)) {
        if decision.path != last {
            let _ =
                writeln!(text, "\n{}  stays as it is here", style.strong(&safe(&decision.path)));
            last = &decision.path;
        }
        let _ = writeln!(text, "  {}", style.dim(&safe(&decision.why)));
    }
}

fn head(report: &Report, style: Style) -> String {
    let manifest = &report.manifest;
    let from = manifest
        .source_machine
        .as_ref()
        .map_or_else(String::new, |host| format!("  from {}", safe(host)));
    let when = manifest.exported.as_ref().map_or_else(String::new, |at| {
        format!(", {} UTC", safe(&at.chars().take(16).collect::<String>().replace('T', " ")))
    });
    let (theirs, ours) = (
        plural(report.memories.0, "memory", "memories"),
        plural(report.memories.1, "memory", "memories"),
    );
    let source = style.strong(&safe(&report.source));
    match report.direction {
        Direction::Import | Direction::Sync => {
            format!("{source}{from}{when}, {theirs}   →   this identity, {ours}\n")
        }
        Direction::Since => format!("{source}, {theirs}   →   the files here, {ours}\n"),
    }
}

fn facts(text: &mut String, title: &str, sign: &str, facts: &[Fact], style: Style) {
    if facts.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{} ({})", style.strong(title), facts.len());
    for fact in facts.iter().take(MOST) {
        let tags = if fact.tags.is_empty() {
            String::new()
        } else {
            format!("[{}]", fact.tags.join(", "))
        };
        row(text, sign, fact, &style.dim(&safe(&tags)));
    }
    more(text, facts.len(), style);
}

fn row(text: &mut String, sign: &str, fact: &Fact, why: &str) {
    let id = fact.id.map_or_else(String::new, |id| id.to_string());
    let why = if why.is_empty() { String::new() } else { format!("  {why}") };
    let _ = writeln!(text, "  {sign} {id:<4} {}{why}", safe(&fact.summary));
}

fn more(text: &mut String, count: usize, style: Style) {
    if count > MOST {
        let _ = writeln!(text, "  {}", style.dim(&format!("… and {} more", count - MOST)));
    }
}

fn edited(text: &mut String, report: &Report, facts: &[EditedFact], style: Style) {
    if facts.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{} ({})", style.strong("Edited"), facts.len());
    let old = report.proposal.before.memories();
    for fact in facts.iter().take(MOST) {
        let now = report
            .proposal
            .after
            .get(&fact.now.path)
            .and_then(|blob| Memory::read(&fact.now.path, blob).ok());
        let was = now.as_ref().and_then(|now| old.iter().find(|old| old.created == now.created));
        let words = match (was, &now) {
            (Some(was), Some(now)) => inline(was.text(), now.text(), style),
            _ => safe(&fact.now.summary),
        };
        let id = fact.now.id.map_or_else(String::new, |id| id.to_string());
        let _ = writeln!(
            text,
            "  {} {id:<4} {}",
            style.edited("~"),
            words.replace('\n', "\n         ")
        );
        for field in &fact.fields {
            let _ = writeln!(text, "         {}", safe(&field.to_string()));
        }
    }
    more(text, facts.len(), style);
}

fn relabelled(text: &mut String, facts: &[Relabelled], style: Style) {
    if facts.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{} ({})", style.strong("Relabelled"), facts.len());
    for change in facts.iter().take(MOST) {
        row(text, &style.edited("~"), &change.fact, &safe(&FieldChange::line(&change.fields)));
    }
    more(text, facts.len(), style);
}

fn same(text: &mut String, report: &Report, style: Style) {
    if report.direction == Direction::Import && report.proposal.same > 0 {
        let _ = writeln!(text, "\n{} ({})", style.strong("Same"), report.proposal.same);
    }
    let id = |id: Option<u64>| id.map_or_else(|| "?".to_owned(), |id| id.to_string());
    for pair in report.similar.iter().take(MOST) {
        let line = format!(
            "Similar: {} looks like {} \"{}\" ({:.2})",
            id(pair.id),
            id(pair.other_id),
            pair.other,
            pair.score
        );
        let _ = writeln!(text, "{}", style.edited(&safe(&style.fit(&line, 0))));
    }
}

fn documents(text: &mut String, report: &Report, style: Style) {
    let other = |file: &&FileChange| !matches!(file.path.kind(), Kind::Memory | Kind::Ledger);
    for file in report.proposal.change.files.iter().filter(other) {
        let what = match (&file.before, &file.after) {
            (None, _) => style.learned("new"),
            (_, None) => style.forgotten("removed"),
            _ if report.direction == Direction::Import
                && matches!(file.path.kind(), Kind::Trait | Kind::Personality) =>
            {
                style.edited("replaced (there)")
            }
            _ => style.edited("changed"),
        };
        let _ = writeln!(text, "\n{}  {what}", style.strong(&safe(file.path.as_str())));
        let lines = body_lines(file, style);
        for line in lines.iter().take(MOST) {
            let _ = writeln!(text, "  {line}");
        }
        more(text, lines.len(), style);
        let reasons =
            report.proposal.change.decisions.iter().filter(|decision| {
                decision.path == file.path.as_str() && decision.rule == Rule::Field
            });
        for decision in reasons {
            let _ = writeln!(text, "  {}", style.dim(&safe(&decision.why)));
        }
    }
}

fn body_lines(file: &FileChange, style: Style) -> Vec<String> {
    let body = |blob: &Option<Blob>| {
        blob.as_ref().map(|blob| Document::read(blob).map(|document| document.text().to_owned()))
    };
    let (before, after) = match (body(&file.before), body(&file.after)) {
        (Some(Err(_)), _) | (_, Some(Err(_))) => {
            let size = |blob: &Option<Blob>| {
                blob.as_ref()
                    .map_or_else(|| "nothing".to_owned(), |blob| format!("{} bytes", blob.len()))
            };
            return vec![style.dim(&format!("{} → {}", size(&file.before), size(&file.after)))];
        }
        (before, after) => (
            before.and_then(Result::ok).unwrap_or_default(),
            after.and_then(Result::ok).unwrap_or_default(),
        ),
    };
    if before == after {
        return vec![style.dim("only its frontmatter")];
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
                    (0..old_len).map(|at| inline(old[old_index + at], new[new_index + at], style)),
                );
            }
            op => {
                let gone = op
                    .old_range()
                    .filter_map(|at| old.get(at))
                    .map(|line| mark("[-", &safe(line), "-]", &style.forgotten(&safe(line))));
                let come = op
                    .new_range()
                    .filter_map(|at| new.get(at))
                    .map(|line| mark("{+", &safe(line), "+}", &style.learned(&safe(line))));
                let gone: Vec<String> =
                    if op.old_range().is_empty() { Vec::new() } else { gone.collect() };
                let come: Vec<String> =
                    if op.new_range().is_empty() { Vec::new() } else { come.collect() };
                lines.extend(gone.into_iter().chain(come));
            }
        }
    }
    lines.retain(|line| !line.trim().is_empty());
    lines
}

fn mark(open: &str, plain: &str, close: &str, painted: &str) -> String {
    if plain.trim().is_empty() {
        return String::new();
    }
    // The marks stay beside the colours: a page of two colours says nothing to some eyes.
    format!("{open}{painted}{close}")
}

/// Two texts as one, with the removed and added words marked.
fn inline(was: &str, now: &str, style: Style) -> String {
    // A word includes the space after it, so that adjacent changes share one mark.
    let split = |text| -> Vec<&str> { str::split_inclusive(text, [' ', '\n']).collect() };
    let (old, new) = (split(was), split(now));
    let diff = TextDiff::from_slices(&old, &new);
    let mut text = String::new();
    let mut run: (ChangeTag, String) = (ChangeTag::Equal, String::new());
    for change in diff.iter_all_changes() {
        if change.tag() != run.0 {
            text.push_str(&painted(&run, style));
            run = (change.tag(), String::new());
        }
        run.1.push_str(change.value());
    }
    text.push_str(&painted(&run, style));
    text
}

fn painted((tag, words): &(ChangeTag, String), style: Style) -> String {
    let words = safe(words);
    let tail: String = words.chars().rev().take_while(|letter| letter.is_whitespace()).collect();
    let inner = words.trim_end();
    if inner.is_empty() {
        return words.clone();
    }
    match tag {
        ChangeTag::Equal => words.clone(),
        // The words that replace it follow after a space.
        ChangeTag::Delete => format!(
            "{}{}",
            mark("[-", inner, "-]", &style.forgotten(inner)),
            if tail.is_empty() { " " } else { &tail }
        ),
        ChangeTag::Insert => {
            format!("{}{tail}", mark("{+", inner, "+}", &style.learned(inner)))
        }
    }
}

pub fn stat(report: &Report, style: Style) -> String {
    let mut text = String::new();
    let (mut added, mut removed) = (0, 0);
    for file in &report.proposal.change.files {
        let (plus, minus) = counts(file);
        added += plus;
        removed += minus;
        let _ = writeln!(
            text,
            " {}  {} {}",
            safe(file.path.as_str()),
            style.learned(&format!("+{plus}")),
            style.forgotten(&format!("-{minus}"))
        );
    }
    let files = plural(report.proposal.change.files.len(), "file", "files");
    let _ = writeln!(
        text,
        " {files} changed, {}, {}",
        plural(added, "line added", "lines added"),
        plural(removed, "line removed", "lines removed")
    );
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

pub fn patch(report: &Report, style: Style) -> String {
    report.proposal.change.files.iter().map(|file| patch_of(file, style)).collect()
}

fn patch_of(file: &FileChange, style: Style) -> String {
    let binary =
        |blob: &Option<Blob>| blob.as_ref().is_some_and(|blob| std::str::from_utf8(blob).is_err());
    let path: &RelPath = &file.path;
    if binary(&file.before) || binary(&file.after) {
        return format!("Binary file {} differs\n", safe(path.as_str()));
    }
    let name = |side: &str, blob: &Option<Blob>| {
        blob.as_ref().map_or_else(|| "/dev/null".to_owned(), |_| safe(&format!("{side}/{path}")))
    };
    let (before, after) = (text_of(&file.before), text_of(&file.after));
    let diff = TextDiff::from_lines(before.as_str(), after.as_str());
    let unified = diff
        .unified_diff()
        .context_radius(3)
        .header(&name("a", &file.before), &name("b", &file.after))
        .to_string();
    let paint = |line: &str| match line.as_bytes().first() {
        Some(b'+') => style.learned(&safe(line)),
        Some(b'-') => style.forgotten(&safe(line)),
        Some(b'@') => style.dim(&safe(line)),
        _ => safe(line),
    };
    unified.lines().map(|line| format!("{}\n", paint(line))).collect()
}
