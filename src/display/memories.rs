//! Renders facts that were saved, found, listed or forgotten.

use super::{plural, topic_handle};
use crate::facts::{confirm::Confirmed, list, recall, save};
use crate::foreign::{Foreign, MARGIN, Said, said};
use crate::identity::{
    FactRow, FactView,
    handle::{MIN_DIGITS, Shared},
    memory::{FACT_KEYS, Setter},
};
use crate::index::store::Scope;

/// The handle of a fact, preceded by a blank; empty without a number.
pub fn after_fact(fact: &FactView) -> Said {
    fact.id.map_or_else(Said::new, |_| said!(" {}", fact.handle))
}

/// What was saved, without its location. `forget` is the command or tool that forgets the fact.
pub fn saved(report: &save::Report, forget: &str) -> Said {
    let fact = &report.fact.handle;
    if report.known {
        let tags = match report.new_tags.as_slice() {
            [] => Said::new(),
            new => said!("; new tags: {}", new.join(", ")),
        };
        let again = if report.counts_again { "; it counts again" } else { "" };
        return said!("✓ Already saved as fact {}: {}{}{}\n", fact, report.filename, again, tags);
    }
    let saved = said!("✓ Saved memory {}: {}\n", fact, report.filename);
    let Some(like) = &report.similar else { return saved };
    let other = like.id.map_or_else(Said::new, |_| said!("{} ", like.handle));
    said!(
        "{}It is similar to {}\"{}\"; if it is the same fact: `{} {}`.\n",
        saved,
        other,
        like.summary,
        forget,
        fact
    )
}

/// That a fact was to be checked after a day that has passed.
pub fn check_passed(day: Option<&str>) -> Option<String> {
    day.map(|day| {
        format!(
            "{day} has passed, so that you are never asked whether it still holds; `--check-after \
             6mo` sets a day that comes"
        )
    })
}

/// What a fact says of its time, and what it replaces; empty if it says nothing.
pub fn timed(report: &save::Report) -> Said {
    let mut text = Said::new();
    if !report.when.is_empty() {
        let is_over = report.fact.held.standing == Some("over");
        let over = match (is_over, report.known) {
            (false, _) => Said::new(),
            (true, false) => Said::from("; it is over, and `co list --all` shows it"),
            (true, true) => said!(
                "; it is still over: `co edit {} --until none` removes its end",
                report.fact.handle
            ),
        };
        text.push(said!("  {}{}\n", report.when.join(", "), over));
    }
    let has_end = report.fact.times.as_ref().is_some_and(|times| times.valid_until.is_some());
    for old in &report.replaces {
        text.push(said!("  replaces {}: {}\n", old.handle, old.summary));
        if has_end {
            text.push(said!(
                "  (fact {} does not come back after that, unless it is confirmed)\n",
                old.handle
            ));
        }
    }
    text
}

/// Which tags a text brought along; `None` if it has none.
pub fn own_tags(tags: &[String]) -> Option<Said> {
    (!tags.is_empty()).then(|| said!("tags {}, from the text", tags.join(", ")))
}

/// What was left out of the text's own frontmatter, and what does it instead.
pub fn left_out(keys: &[String], fact: &FactView) -> Option<String> {
    let (mut own, mut pins, mut other) = (Vec::new(), Vec::new(), Vec::new());
    for key in keys {
        let is = |known: &str| key.eq_ignore_ascii_case(known);
        let named = format!("`{key}`");
        if FACT_KEYS.iter().any(|known| known.setter != Setter::Verb && is(known.name)) {
            own.push(named);
        } else if !is("pinned") {
            other.push(named);
        } else if !fact.pinned {
            pins.push(format!("{named} (`co pin {}` pins it)", fact.handle));
        }
    }
    let own = match own.as_slice() {
        [] => None,
        [one] => Some(format!("{one} (co sets it)")),
        several => Some(format!("{} (co sets them)", several.join(", "))),
    };
    let known: Vec<String> = own.into_iter().chain(pins).collect();
    let known = (!known.is_empty()).then(|| format!("left out: {}", known.join(", ")));
    let other =
        (!other.is_empty()).then(|| format!("a fact has only tags: left out {}", other.join(", ")));
    let parts: Vec<String> = known.into_iter().chain(other).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Where it was saved: programs need this.
pub fn location(report: &save::Report) -> Said {
    said!("Location: {}\n", report.fact.path.display())
}

/// What was found; else that nothing was, and what is nearest.
pub fn recalled(report: &recall::Report) -> Said {
    let query = &report.query;
    if report.results.is_empty() {
        return said!("No memories found matching '{}'\n{}", query, nearest(report));
    }
    let mut text = said!("{} matching '{}':\n\n", counted(report), query);
    for answer in &report.results {
        match answer {
            recall::Answer::Memory(hit) => text.push(of_fact(&hit.fact)),
            recall::Answer::Document(passage) => text.push(of_passage(passage)),
        }
    }
    text
}

fn counted(report: &recall::Report) -> Said {
    let facts = report.facts().count();
    match (facts, report.count - facts) {
        (facts, 0) => said!("Found {} memories", facts),
        (0, passages) => said!("Found {}", plural(passages, "passage", "passages")),
        (facts, passages) => {
            let facts = plural(facts, "fact", "facts");
            said!("Found {} and {}", facts, plural(passages, "passage", "passages"))
        }
    }
}

fn of_fact(fact: &FactView) -> Said {
    let mut text = said!("**Memory {}** (created {}", fact.handle, fact.date);
    push_marks(&mut text, &fact.held.marks);
    text.push_own(")\n");
    if !fact.tags.is_empty() {
        text.push(said!("Tags: {}\n", fact.tags.join(", ")));
    }
    text + Foreign(fact.text()).quote(MARGIN) + "\n"
}

fn of_passage(passage: &recall::Passage) -> Said {
    let mut place = vec![topic_handle(&passage.topic, passage.scope)];
    place.extend(passage.heading.iter().cloned());
    let quote = Foreign(&passage.content).quote(MARGIN);
    said!("**Document {}**\n{}\n", place.join(" › "), quote)
}

/// As [`recalled`], for a model: it must not take what is nearest for an answer.
pub fn recalled_for_model(report: &recall::Report) -> Said {
    if !report.results.is_empty() {
        return recalled(report);
    }
    let (query, nearest) = (&report.query, nearest(report));
    said!("No memories found matching '{}': nothing in memory says this.\n{}", query, nearest)
}

/// The line with what is nearest to a question that nothing answers; empty if nothing is near.
fn nearest(report: &recall::Report) -> Said {
    let near = |near: &FactView| format!("{} {}", near.handle, near.summary);
    let facts = report.nearest.iter().map(near);
    nearest_line(facts.chain(report.nearest_documents.iter().map(ToString::to_string)))
}

pub(super) fn nearest_line(named: impl Iterator<Item = String>) -> Said {
    let named: Vec<String> = named.collect();
    if named.is_empty() { Said::new() } else { said!("Nearest: {}\n", named.join(" · ")) }
}

/// More bytes than most lines of a list have.
const LINE: usize = 192;

pub fn listed(report: &list::Report) -> Said {
    if !report.folder {
        return Said::from("No memories saved yet.\n");
    }
    if report.memories.is_empty() {
        return Said::from("No memories found.\n");
    }
    let mut text = said!("Total memories: {}\n\n", report.count);
    // Room that is not used costs nothing; to move a long list does.
    text.reserve(report.memories.len() * LINE);
    for row in report.memories.iter() {
        push_row(&mut text, row);
    }
    text
}

/// Appends the line of a fact: a list has thousands, so no line is composed on its own.
fn push_row(text: &mut Said, row: FactRow<'_>) {
    text.push_own("**");
    push_handle(text, row);
    text.push_own("** (");
    text.push_line(row.date());
    if row.is_pinned() {
        text.push_own(" pinned");
    }
    push_marks(text, row.marks());
    text.push_own(")");
    if row.has_tags() {
        text.push_own(" [");
        text.push_joined(row.tags());
        text.push_own("]");
    }
    text.push_own(": ");
    let (start, end) = row.summary_parts();
    text.push_line_with(start, end);
    text.push_own("\n");
}

/// Appends what is said of when a fact holds, of the few of which something is.
fn push_marks(text: &mut Said, marks: &[String]) {
    for mark in marks {
        text.push_own(", ");
        text.push_line(mark);
    }
}

/// Appends a handle whose number has at least three digits.
fn push_handle(text: &mut Said, row: FactRow<'_>) {
    let Some(number) = row.id() else { return text.push_line(&row.handle()) };
    match row.scope() {
        Scope::Identity => {}
        Scope::Project => text.push_own("p"),
        Scope::Layer(name) => text.push_line(&format!("{name}/")),
    }
    text.push_number(number, 3);
    if row.shared() == Shared::Yes {
        text.push_own("-");
        text.push_line(&row.hash().short(MIN_DIGITS));
    }
}

/// `title` is what is shown of the fact.
pub fn confirmed(confirmed: &Confirmed, title: &str) -> Said {
    let text = said!("✓ Confirmed fact{}: {}\n", after_fact(&confirmed.fact), title);
    let again = confirmed.counts_again.then(|| "it counts again".to_owned());
    let about = again.iter().chain(&confirmed.shown);
    about.fold(text, |text, about| text + said!("  {}\n", about))
}

/// `title` is what is shown of a fact.
pub fn forgotten(facts: &[FactView], title: impl Fn(&FactView) -> &str) -> Said {
    let line = |fact: &FactView| said!("✓ Forgot fact{}: {}\n", after_fact(fact), title(fact));
    facts.iter().map(line).collect()
}

/// The facts that those which were forgotten had replaced.
pub fn counting_again(facts: &[FactView]) -> Said {
    let line = |fact: &FactView| said!("Fact {} counts again: {}\n", fact.handle, fact.summary);
    facts.iter().map(line).collect()
}
