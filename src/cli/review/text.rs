//! How proposals are shown to a person, and which answers there are.
//!
//! Invariant: foreign text is behind a margin, and is cut if it would fill the screen.

use crate::agents;
use crate::cli::{
    style::{Style, plural},
    verb::Cli,
};
use crate::facts::review::{Among, Proposal, Question};
use crate::foreign::{Foreign, Said, said};
use crate::identity::{memory, text};

pub(super) fn listed(proposals: &[Proposal], among: Among, cli: &Cli<'_>) -> Said {
    let mut text = Said::new();
    for (at, proposal) in proposals.iter().enumerate() {
        // A number means a proposal of `co review` alone.
        let place = (among != Among::Stale).then_some((at + 1, proposals.len()));
        text.push(shown(proposal, place, cli));
        let what = match &proposal.what {
            Question::Learn { .. } => Said::new(),
            Question::Join { older, .. } => said!("  (forgets {})", older.handle),
            Question::Replace { older, newer } => {
                said!("  ({} replaces {})", newer.handle, older.handle)
            }
            Question::Forget { fact } => said!("  (forgets {})", fact.handle),
            Question::Skill { .. } => Said::from("  (your agents here get it)"),
            Question::Check { .. } => Said::from("  (it still holds)"),
            Question::Look { .. } => Said::from("  (it is right as it is)"),
        };
        text.push(said!(
            "  {}{}\n\n",
            cli.style.dim(said!("co review accept {}", proposal.id)),
            what
        ));
    }
    text + answers(proposals)
}

/// The other answers that a script can give.
fn answers(proposals: &[Proposal]) -> &'static str {
    let can_reject = |one: &Proposal| !one.is_look() && !one.is_check();
    if proposals.iter().any(Proposal::is_check) {
        "`co review accept ID --over-since DATE` says that a fact is over, `--replaced-by FACT` \
         that\nanother replaces it, `co forget FACT` forgets it; `co review reject ID` keeps two \
         that contradict\neach other. What you leave is asked again.\n"
    } else if proposals.iter().all(can_reject) {
        "`co review reject ID` rejects one; you are not asked about it again.\n"
    } else if proposals.iter().any(can_reject) {
        "`co review reject ID` rejects a proposal; you are not asked about it again. Of a merge, \
         edit,\nforget or delete what is not right.\n"
    } else {
        "Edit, forget or delete what is not right; that answers the question.\n"
    }
}

/// `place` is its number, and how many there are.
pub(super) fn shown(proposal: &Proposal, place: Option<(usize, usize)>, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let who = match (&proposal.agent, &proposal.why) {
        (Some(name), _) => match agents::client(name) {
            Some(agent) => said!("{} wrote", agent.title),
            None => said!("from {}", name),
        },
        (None, Some(why)) => said!("{}", why),
        (None, None) => Said::from("proposed"),
    };
    let word = if proposal.agent.is_some() { "" } else { "learned " };
    let day = proposal.at.as_ref().map_or_else(Said::new, |at| {
        let at = cli.ws.calendar().minute_of_text(at);
        said!(", {}{}", Said::from(word), at)
    });
    let number = place.map_or_else(Said::new, |(at, of)| said!("({}/{}) ", at, of));
    let place = proposal.project.as_ref().map_or_else(Said::new, |place| said!(", in {}", place));
    let about = proposal.about.as_ref().map_or_else(Said::new, |about| said!(" ({})", about));
    let head = said!("{}{}{}{}{}", number, who, day, place, about);
    let mut text = said!("{}\n", style.strong(head));
    match &proposal.what {
        Question::Learn { like } => {
            text.push(quoted(&proposal.text, style));
            if let (Some(_), Some(why)) = (&proposal.agent, &proposal.why) {
                text.push(said!("  {}\n", style.dim(why)));
            }
            if let Some(like) = like {
                let like_text = style.fit(&memory::summary(like.text()), 20);
                text.push(said!("  similar to {} \"{}\"\n", like.handle, like_text));
            }
        }
        Question::Join { older, newer } | Question::Replace { older, newer } => {
            text.push(said!("  {}\n", older.handle));
            text.push(style.forgotten(Foreign(older.text()).quote("  - ").trimmed()) + "\n");
            text.push(said!("  {}\n", newer.handle));
            text.push(style.learned(Foreign(newer.text()).quote("  + ").trimmed()) + "\n");
        }
        Question::Forget { fact } => {
            text.push(said!("  {}\n", fact.handle));
            text.push(style.forgotten(Foreign(fact.text()).quote("  - ").trimmed()) + "\n");
        }
        Question::Skill { name, .. } => {
            text.push(quoted(&proposal.text, style));
            text.push(said!("  to read it: co skill show {}\n", name));
        }
        Question::Check { fact } => {
            text.push(said!("  {}\n", fact.handle));
            text.push(style.edited(Foreign(fact.text()).quote("  ~ ").trimmed()) + "\n");
        }
        Question::Look { other_values, other_texts, bring_back, .. } => {
            text.push(style.edited(Foreign(&proposal.text).quote("  ~ ").trimmed()) + "\n");
            text.extend(other_values.iter().map(|value| said!("  the other value: {}\n", value)));
            let told = |command: &String| said!("  the other text: {}\n", command);
            text.extend(other_texts.iter().map(told));
            let told = |command: &String| said!("  to bring it back: {}\n", command);
            text.extend(bring_back.iter().map(told));
        }
    }
    text
}

/// How many lines of a proposal are shown; the rest are counted.
const MAX_LINES: usize = 30;
const MAX_BYTES: usize = 4_000;

fn quoted(text: &str, style: Style) -> Said {
    let short = &text[..text.floor_char_boundary(MAX_BYTES)];
    let lines: Vec<&str> = short.lines().take(MAX_LINES).collect();
    let shown = lines.join("\n");
    let mut said = style.learned(Foreign(&shown).quote("  + ").trimmed()) + "\n";
    if let Some(why) = text::unseen_in_words(text) {
        said.push(said!("  {}: edit it first\n", why));
    }
    // The line break at its end is nothing that is left out.
    let more = text.trim_end().len().saturating_sub(shown.len());
    if more > 0 {
        let more = plural(more, "more byte", "more bytes");
        said.push(said!("  … and {}; e shows everything\n", more));
    }
    said
}

/// The possible answers: keys, and the words around them.
pub(super) fn question(proposal: &Proposal) -> Said {
    let rest = "[n]o, [s]kip, [a]ll, [q]uit, ?";
    match &proposal.what {
        Question::Learn { like } => {
            let merge = like
                .as_ref()
                .map_or_else(Said::new, |like| said!("[m]erge with {}, ", like.handle));
            let project = if proposal.is_note() { "[p]roject only, " } else { "" };
            said!("Keep? [y]es, [e]dit, {}{}{}", merge, Said::from(project), Said::from(rest))
        }
        Question::Join { older, newer } => {
            said!("Keep only {}, with the tags of {}? [y]es, {}", newer.handle, older.handle, rest)
        }
        Question::Replace { older, newer } => said!(
            "Does {} replace {}? [y]es, [f]orget {}, {}",
            newer.handle,
            older.handle,
            older.handle,
            rest
        ),
        Question::Forget { fact } => said!("Forget {}? [y]es, {}", fact.handle, rest),
        Question::Skill { name, .. } => {
            said!("Let your agents here use {}? [y]es, [n]o, [s]kip, [q]uit, ?", name)
        }
        Question::Check { .. } => Said::from(
            "Still true? [y]es, [o]ver since …, [r]eplaced by …, [f]orget, [s]kip, [a]ll, [q]uit, \
             ?",
        ),
        Question::Look { path, .. } => {
            let subject = proposal.subject().unwrap_or_default();
            match path {
                None if subject.contains(" and ") => {
                    said!("Are facts {} right as they are? [y]es, {}", subject, rest)
                }
                None => said!("Is fact {} right as it is? [y]es, {}", subject, rest),
                Some(_) => said!("Is {} right as it is? [y]es, {}", subject, rest),
            }
        }
    }
}

/// What answers a question about a merge whose result is not right; empty for other questions.
pub(super) fn ways_out(proposal: &Proposal) -> Said {
    let Question::Look { corrections, bring_back, .. } = &proposal.what else { return Said::new() };
    let all: Vec<String> =
        corrections.iter().chain(bring_back).map(|command| format!("`{command}`")).collect();
    said!("  It is asked again until one of these answers it: {}\n", all.join(", "))
}

/// What each available key does.
pub(super) fn keys(proposal: &Proposal) -> Said {
    let (yes, no) = match &proposal.what {
        Question::Learn { .. } => ("keep it as a fact of yours", "no; you are not asked again"),
        Question::Join { .. } => ("keep only the newer one", "keep both; you are not asked again"),
        Question::Replace { .. } => {
            ("the newer one replaces the older", "both hold; you are not asked again")
        }
        Question::Forget { .. } => ("forget it", "keep it; you are not asked again"),
        Question::Skill { .. } => {
            ("your agents on this laptop can use it", "no; you are not asked about it again")
        }
        Question::Check { .. } => ("it is still true", ""),
        Question::Look { .. } => (
            "it is right as it is",
            "no; you will be asked again, until you edit, forget or delete it",
        ),
    };
    let mut text = said!("  y  {}\n", Said::from(yes));
    if matches!(proposal.what, Question::Learn { .. }) {
        text.push("  e  keep it in your own words: your editor opens\n");
    }
    if matches!(proposal.what, Question::Learn { like: Some(_) }) {
        text.push("  m  merge it into the similar fact\n");
    }
    if proposal.is_note() {
        text.push("  p  it is about this project only: it stays a note there\n");
    }
    match proposal.what {
        Question::Check { .. } => text.push(
            "  o  it is over: you are asked since when\n  r  another fact replaces it: you are \
             asked which\n  f  forget it\n",
        ),
        Question::Replace { .. } => text.push("  f  forget the older one\n"),
        _ => {}
    }
    if !no.is_empty() {
        text.push(said!("  n  {}\n", Said::from(no)));
    }
    text.push("  s  ask later\n");
    if !proposal.is_skill() {
        text.push("  a  yes to this one and all others, except skills\n");
    }
    text.push("  q  stop here; your answers so far are kept\n");
    text
}
