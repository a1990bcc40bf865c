//! The report of a sync for people: facts first, reasons dim, the way back last.

use crate::cli::style::{Style, plural, safe};
use crate::merge::change::Fact;
use crate::ops::sync::{DocumentLine, Report, Side};

/// Limit of lines per kind: a first sync of a thousand facts is no list.
const MOST: usize = 12;

pub fn synced(report: &Report, style: Style) -> String {
    let mut text = String::new();
    if report.up_to_date && report.held_back.is_empty() {
        return if report.published || report.remote.is_none() {
            "Up to date.\n".to_owned()
        } else {
            "Nothing new on this laptop.\n".to_owned()
        };
    }
    let place = match (&report.remote, &report.url) {
        (Some(remote), Some(url)) if report.published => {
            format!("Synced with {remote} ({}).", safe(url))
        }
        _ => "Committed on this laptop.".to_owned(),
    };
    text.push_str(&format!("{place}\n"));
    side(&mut text, "here", &report.here, report, style);
    side(&mut text, "there", &report.there, report, style);
    facts(&mut text, "same on both", " ", &report.same, "(kept the older, tags united)", style);
    for change in report.renumbered.iter().take(MOST) {
        let was = change.was.map_or_else(
            || "it had none".to_owned(),
            |was| format!("was {was} here; {was} was taken"),
        );
        let learned = report.here.learned.iter().any(|fact| fact.id == Some(change.id));
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
            .filter(|line| shown(line))
            .take(MOST)
            .for_each(|line| document(&mut text, line, place, style));
    }
    let own = report.pushed_commits.saturating_sub(2);
    if own > 0 {
        text.push_str(&format!(
            "  {}\n",
            style.dim(&format!(
                "{} pushed, your own among them",
                plural(report.pushed_commits, "commit", "commits")
            ))
        ));
    }
    let undo = if report.undoable { " Undo: `co undo`." } else { "" };
    text.push_str(&format!("{}.{undo}\n", plural(report.memories, "memory", "memories")));
    text
}

fn side(text: &mut String, place: &str, side: &Side, report: &Report, style: Style) {
    let taken = |fact: &Fact| {
        let change = report.renumbered.iter().find(|change| Some(change.id) == fact.id)?;
        change.was.map(|was| format!("(was {was} here; {was} was taken)"))
    };
    for fact in side.learned.iter().take(MOST) {
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
    more(text, side.learned.len(), style);
    facts(text, &format!("forgotten {place}"), &style.forgotten("-"), &side.forgotten, "", style);
    for fact in side.edited.iter().take(MOST) {
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
    more(text, side.edited.len(), style);
}

fn shown(line: &DocumentLine) -> bool {
    let heading = [&line.now, &line.was].into_iter().flatten().all(|text| text.starts_with('#'));
    !line.path.starts_with('.') && !heading
}

fn document(text: &mut String, line: &DocumentLine, place: &str, style: Style) {
    let name = match line.path.split_once('/') {
        Some(("traits", _)) => "traits".to_owned(),
        _ => line
            .path
            .rsplit('/')
            .next()
            .unwrap_or(&line.path)
            .trim_end_matches(".md")
            .chars()
            .take(16)
            .collect(),
    };
    let strip = |line: &str| line.trim_start_matches(['-', '*', '#', ' ']).to_owned();
    let (now, why) = match (&line.now, &line.was) {
        (Some(now), Some(was)) => (
            strip(now),
            format!(
                "({place}; was {})",
                strip(was).split_once(": ").map_or(strip(was), |(_, value)| value.to_owned())
            ),
        ),
        (Some(now), None) => (strip(now), format!("({place})")),
        (None, Some(was)) => (strip(was), format!("(removed {place})")),
        (None, None) => return,
    };
    let before = 20;
    text.push_str(&format!(
        "  {name:<16}  {}  {}\n",
        safe(&style.fit(&now, before + 30)),
        style.dim(&safe(&style.fit(&why, before + 10)))
    ));
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
    let summary = style.fit(&safe(summary), 28 + why.chars().count());
    let line = format!("  {label:<16}{sign} {id:<4} {summary}");
    let why = if why.is_empty() { String::new() } else { format!("  {}", style.dim(&safe(why))) };
    text.push_str(&format!("{line}{why}\n"));
}
