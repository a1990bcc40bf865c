//! The report of a sync for people: facts first, reasons dim, the way back last.

use crate::cli::style::{Style, plural, safe};
use crate::merge::change::{EditedFact, Fact, FieldChange};
use crate::ops::sync::{DocumentLine, Look, Report, Side, Where};

/// Limit of lines per kind: a first sync of a thousand facts is no list.
const MOST: usize = 12;

pub fn synced(report: &Report, style: Style) -> String {
    let mut text = String::new();
    if report.unchanged && report.held_back.is_empty() {
        return if report.published || report.remote.is_none() {
            "Up to date.\n".to_owned()
        } else {
            "Nothing new on this laptop.\n".to_owned()
        };
    }
    let place = match (&report.remote, &report.url) {
        (Some(remote), Some(url)) if report.published => {
            let push = report.push_url.as_ref().map(|url| format!(", pushed to {}", safe(url)));
            format!("Synced with {remote} ({}{}).", safe(url), push.unwrap_or_default())
        }
        _ if report.unchanged => "Nothing else is new on this laptop.".to_owned(),
        _ => "Committed on this laptop.".to_owned(),
    };
    text.push_str(&format!("{place}\n"));
    side(&mut text, "here", &report.here, report, style);
    side(&mut text, "there", &report.there, report, style);
    facts(&mut text, "same on both", " ", &report.same, "(kept the older, tags united)", style);
    looks(&mut text, report, style);
    for change in
        report.renumbered.iter().filter(|change| !named(report, None, Some(change.id))).take(MOST)
    {
        let was = match (change.was, change.published) {
            (None, _) => "it had none".to_owned(),
            (Some(was), true) => format!("was {was} here, and is published so"),
            (Some(was), false) => format!("was {was} here; {was} was taken"),
        };
        let told = report.here.learned.iter().chain(&report.same);
        let learned = told.into_iter().any(|fact| fact.id == Some(change.id));
        if !learned {
            row(
                &mut text,
                "renumbered",
                " ",
                Some(change.id),
                &change.summary,
                &format!("({was})"),
                style,
            );
        }
    }
    for (place, side) in [("here", &report.here), ("there", &report.there)] {
        side.documents
            .iter()
            .filter(|line| shown(line) && !has_row(report, line))
            .take(MOST)
            .for_each(|line| document(&mut text, line, place, style));
    }
    if report.own_commits > 0 {
        let own = plural(report.own_commits, "commit", "commits");
        let subjects = safe(&report.own_subjects.join(" · "));
        let line = format!("{own} of your own pushed along: {subjects}");
        text.push_str(&format!("  {}\n", style.dim(&line)));
    }
    let undo = if report.undoable { " Undo: `co undo`." } else { "" };
    let eyes = look_at(report).map_or_else(String::new, |eyes| format!(" {}", style.strong(&eyes)));
    text.push_str(&format!("{}.{eyes}{undo}\n", plural(report.memories, "memory", "memories")));
    text
}

/// Whether a fact is among those that need a person's eyes, and has a row of its own.
fn named(report: &Report, hash: Option<&str>, id: Option<u64>) -> bool {
    let is = |fact: &Fact| hash == Some(fact.hash.as_str()) || (id.is_some() && fact.id == id);
    report.look.iter().any(|look| match look {
        Look::BothEdited { fact, other, .. } => is(fact) || is(other),
        Look::ForgottenAndEdited { fact, .. } | Look::LearnedAgain { fact } => is(fact),
        Look::BothSet { .. } | Look::BothWrote { .. } => false,
    })
}

fn kept(report: &Report, forgotten: &Fact) -> bool {
    report.look.iter().any(|look| match look {
        Look::ForgottenAndEdited { fact, .. } => fact.path == forgotten.path,
        _ => false,
    })
}

/// Whether a line of a document is told where both sides are.
fn has_row(report: &Report, line: &DocumentLine) -> bool {
    report.look.iter().any(|look| match look {
        Look::BothSet { path, here, there, .. } => {
            *path == line.path
                && (line.now.as_ref() == Some(here) || line.now.as_ref() == Some(there))
        }
        Look::BothWrote { path, .. } => *path == line.path,
        _ => false,
    })
}

fn number(fact: &Fact) -> String {
    fact.id.map_or_else(|| fact.path.name().to_owned(), |id| id.to_string())
}

fn looks(text: &mut String, report: &Report, style: Style) {
    let (plus, tilde) = (style.learned("+"), style.edited("~"));
    for look in &report.look {
        match look {
            Look::BothEdited { fact, other, newer } => {
                let why = match newer {
                    Where::Here => format!("(here, newer; theirs is now {})", number(other)),
                    Where::There => format!("(there, newer; yours is now {})", number(other)),
                };
                row(text, "both edited", &tilde, fact.id, &fact.summary, &why, style);
                row(text, "", &plus, other.id, &other.summary, "", style);
            }
            Look::ForgottenAndEdited { fact, forgotten } => {
                let (label, why) = match forgotten {
                    Where::Here => ("forgotten here", "(edited there: kept)"),
                    Where::There => ("forgotten there", "(edited here: kept)"),
                };
                row(text, label, &tilde, fact.id, &fact.summary, why, style);
            }
            Look::LearnedAgain { fact } => {
                let why = "(forgotten here before)";
                row(text, "learned again", &plus, fact.id, &fact.summary, why, style);
            }
            Look::BothSet { path, here, there, kept, .. } => {
                let (kept, other, why) = match kept {
                    Where::Here => (here, there, "here, newer; there it is"),
                    Where::There => (there, here, "there, newer; here it was"),
                };
                let why = format!("({why} {})", value(other));
                document_row(text, path, &strip(kept), &why, style);
            }
            Look::BothWrote { path, kept, commit } => {
                let why = match kept {
                    Where::Here => format!("(here, newer; theirs is in commit {commit})"),
                    Where::There => format!("(there, newer; yours is in commit {commit})"),
                };
                document_row(text, path, "written on both", &why, style);
            }
        }
    }
}

/// The facts and fields that need a person's eyes, in one sentence.
fn look_at(report: &Report) -> Option<String> {
    let mut named: Vec<String> = report.look.iter().map(|look| safe(&look.named())).collect();
    let more = named.len().saturating_sub(MOST);
    named.truncate(MOST);
    if more > 0 {
        named.push(format!("{more} more"));
    }
    (!named.is_empty()).then(|| format!("Look at these: {}.", named.join(", ")))
}

fn side(text: &mut String, place: &str, side: &Side, report: &Report, style: Style) {
    let taken = |fact: &Fact| {
        let change = report.renumbered.iter().find(|change| Some(change.id) == fact.id)?;
        change.was.map(|was| format!("(was {was} here; {was} was taken)"))
    };
    let learned: Vec<&Fact> =
        side.learned.iter().filter(|fact| !named(report, Some(&fact.hash), None)).collect();
    for fact in learned.iter().take(MOST) {
        let why = if place == "here" { taken(fact).unwrap_or_default() } else { String::new() };
        row(
            text,
            &format!("learned {place}"),
            &style.learned("+"),
            fact.id,
            &fact.summary,
            &why,
            style,
        );
    }
    more(text, learned.len(), style);
    // An edit elsewhere kept it: it has its own row.
    let gone = side.forgotten.iter().filter(|fact| !kept(report, fact));
    let gone: Vec<Fact> = gone.cloned().collect();
    facts(text, &format!("forgotten {place}"), &style.forgotten("-"), &gone, "", style);
    let edited: Vec<&EditedFact> =
        side.edited.iter().filter(|fact| !named(report, Some(&fact.now.hash), None)).collect();
    for fact in edited.iter().take(MOST) {
        let why = if fact.was == fact.now.summary {
            String::new()
        } else {
            format!("(was: {})", fact.was)
        };
        row(
            text,
            &format!("edited {place}"),
            &style.edited("~"),
            fact.now.id,
            &fact.now.summary,
            &why,
            style,
        );
    }
    more(text, edited.len(), style);
    for change in side.relabelled.iter().take(MOST) {
        let why = format!("({})", FieldChange::line(&change.fields));
        let (fact, label) = (&change.fact, format!("changed {place}"));
        row(text, &label, &style.edited("~"), fact.id, &fact.summary, &why, style);
    }
    more(text, side.relabelled.len(), style);
}

fn shown(line: &DocumentLine) -> bool {
    let heading = [&line.now, &line.was].into_iter().flatten().all(|text| text.starts_with('#'));
    !line.path.starts_with('.') && !heading
}

fn document(text: &mut String, line: &DocumentLine, place: &str, style: Style) {
    let (now, why) = match (&line.now, &line.was) {
        (Some(now), Some(was)) => (strip(now), format!("({place}; was {})", value(was))),
        (Some(now), None) => (strip(now), format!("({place})")),
        (None, Some(was)) => (strip(was), format!("(removed {place})")),
        (None, None) => return,
    };
    document_row(text, &line.path, &now, &why, style);
}

/// A line without what marks it as a list item or a heading.
fn strip(line: &str) -> String {
    line.trim_start_matches(['-', '*', '#', ' ']).to_owned()
}

fn value(line: &str) -> String {
    let line = strip(line);
    line.split_once(": ").map_or(line.clone(), |(_, value)| value.to_owned())
}

fn document_row(text: &mut String, path: &str, now: &str, why: &str, style: Style) {
    let name: String = match path.split_once('/') {
        Some(("traits", _)) => "traits".to_owned(),
        _ => path
            .rsplit('/')
            .next()
            .unwrap_or(path)
            .trim_end_matches(".md")
            .chars()
            .take(16)
            .collect(),
    };
    text.push_str(&format!("  {name:<16}  {}  {}\n", safe(now), style.dim(&safe(why))));
}

fn facts(text: &mut String, label: &str, sign: &str, facts: &[Fact], why: &str, style: Style) {
    for fact in facts.iter().take(MOST) {
        row(text, label, sign, fact.id, &fact.summary, why, style);
    }
    more(text, facts.len(), style);
}

fn more(text: &mut String, count: usize, style: Style) {
    if count > MOST {
        text.push_str(&format!("  {}\n", style.dim(&format!("… and {} more", count - MOST))));
    }
}

fn row(
    text: &mut String,
    label: &str,
    sign: &str,
    id: Option<u64>,
    summary: &str,
    why: &str,
    style: Style,
) {
    let id = id.map_or_else(String::new, |id| id.to_string());
    let summary = safe(summary);
    let line = format!("  {label:<16}{sign} {id:<4} {summary}");
    let why = if why.is_empty() { String::new() } else { format!("  {}", style.dim(&safe(why))) };
    text.push_str(&format!("{line}{why}\n"));
}
