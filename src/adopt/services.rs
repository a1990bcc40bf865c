//! Entries of the exports of ChatGPT, Claude and Gemini.
//!
//! Invariant: what a person or a model said in a conversation is no memory. Only what was saved as
//! one is proposed; of Gemini's activity, which lists prompts only, what a prompt asks to remember.
//! Sources: stored exports of the three.

use super::{
    markdown,
    reading::{Place, Proposal, Reading, Reason},
    saved,
    times::time,
};
use crate::identity::Stamp;
use serde_json::{Map, Value};

type Fields = Map<String, Value>;

/// A conversation: of ChatGPT's, what was written to its memory (`bio`). Claude's have nothing of
/// the kind.
pub(super) fn conversation(fields: &Fields, place: Place, reading: &mut Reading) {
    let mapping = fields.get("mapping");
    let nodes = mapping.and_then(Value::as_object);
    if let (Some(mapping), None) = (mapping, nodes) {
        let why = Reason::Broken("a conversation without messages".to_owned());
        return reading.leave(place, &mapping.to_string(), why);
    }
    let messages = nodes.into_iter().flat_map(Map::values).map(|node| &node["message"]);
    for message in messages.filter(|message| message["recipient"] == "bio") {
        let content = &message["content"];
        let parts = content["parts"].as_array().into_iter().flatten();
        let texts = parts.filter_map(saved::text_in).chain(content["text"].as_str());
        let texts: Vec<&str> = texts.filter(|text| !text.trim().is_empty()).collect();
        if texts.is_empty() {
            let why = "a saved memory without text".to_owned();
            reading.leave(place, "", Reason::Broken(why));
        }
        let said = message["author"].get("create_time").or(message.get("create_time"));
        let at = said.and_then(time);
        // Each part was saved by itself.
        for text in texts {
            if text.trim_start().to_lowercase().starts_with("forget ") {
                reading.leave(place, text, Reason::Order);
            } else {
                reading.propose(Proposal { at, ..Proposal::fact(text, place) });
            }
        }
    }
}

const CLAUDES: &[&str] = &["conversations_memory", "project_memories", "memory_files"];

pub(super) fn is_claudes(fields: &Fields) -> bool {
    CLAUDES.iter().any(|key| fields.contains_key(*key))
}

/// Claude's `memories.json`: texts in markdown.
pub(super) fn claude(fields: &Fields, place: Place, reading: &mut Reading) {
    for text in
        ["conversations_memory", "project_memories"].iter().filter_map(|key| fields.get(*key))
    {
        texts(text, place, reading);
    }
    for file in fields.get("memory_files").and_then(Value::as_array).into_iter().flatten() {
        let at = file.get("updated_at").and_then(time);
        match file.get("content").and_then(Value::as_str) {
            Some(text) => add(text, at, place, reading),
            None => {
                let why = Reason::Broken("a memory file without text".to_owned());
                reading.leave(place, &file.to_string(), why);
            }
        }
    }
}

/// A text, or several, by project.
fn texts(value: &Value, place: Place, reading: &mut Reading) {
    match value {
        Value::Null => {}
        Value::String(text) => add(text, None, place, reading),
        Value::Array(values) => values.iter().for_each(|value| texts(value, place, reading)),
        Value::Object(values) => values.values().for_each(|value| texts(value, place, reading)),
        Value::Bool(_) | Value::Number(_) => {
            let why = "a memory that is no text".to_owned();
            reading.leave(place, &value.to_string(), Reason::Broken(why));
        }
    }
}

fn add(text: &str, at: Option<Stamp>, place: Place, reading: &mut Reading) {
    let read = markdown::read(text);
    let proposals = read.proposals.into_iter();
    reading.proposals.extend(proposals.map(|proposal| Proposal { at, place, ..proposal }));
    for left in read.left {
        let place = match left.place {
            Place::More(_, count) => Place::More(place.first(), count),
            Place::Lines(..) | Place::Entry(_) | Place::Parts(_) => place,
        };
        reading.leave(place, &left.text, left.reason);
    }
}

/// An entry of Google's My Activity that is of Gemini.
pub(super) fn is_activity(fields: &Fields) -> bool {
    let header = fields.get("header").and_then(Value::as_str).unwrap_or_default();
    header.contains("Gemini") && fields.get("title").is_some_and(Value::is_string)
}

/// A prompt; only where it asks to remember something, that is a memory.
pub(super) fn activity(fields: &Fields, place: Place, reading: &mut Reading) {
    let title = fields.get("title").and_then(Value::as_str).unwrap_or_default();
    let prompt = title.strip_prefix("Prompted ").unwrap_or(title).trim();
    let Some(text) = requested(prompt) else {
        return reading.leave(place, prompt, Reason::Prompt);
    };
    let at = fields.get("time").and_then(time);
    reading.propose(Proposal { at, ..Proposal::fact(text, place) });
}

/// What a prompt asks to remember.
fn requested(prompt: &str) -> Option<&str> {
    const ORDERS: &[&str] =
        &["remember", "save to memory", "save this to memory", "save to your memory"];
    const LINKS: &[&str] = &["this: ", "that ", "to "];
    let prompt = behind(prompt, "please ").unwrap_or(prompt);
    let said = ORDERS.iter().find_map(|order| behind(prompt, order))?;
    let is_order = said.starts_with([' ', ':', ',']);
    let said = said.trim_start_matches([':', ',']).trim();
    if !is_order || said.is_empty() {
        return None;
    }
    match LINKS.iter().find_map(|link| behind(said, link)) {
        Some(text) => Some(text.trim_start()),
        // "Remember when we met?" asks.
        None => (!said.ends_with(['?', '？'])).then_some(said),
    }
}

/// What follows these words, in whatever case.
fn behind<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let (begin, rest) = text.split_at_checked(words.len())?;
    begin.eq_ignore_ascii_case(words).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_prompt_asks_to_remember() {
        for (prompt, text) in [
            ("remember to use metric", Some("use metric")),
            ("Remember that I drink tea", Some("I drink tea")),
            ("Please remember to use metric", Some("use metric")),
            ("please remember: I drink tea", Some("I drink tea")),
            ("Remember this: I drink tea", Some("I drink tea")),
            ("Remember I drink tea", Some("I drink tea")),
            ("Save to memory: I drink tea", Some("I drink tea")),
            ("save to memory that I drink tea", Some("I drink tea")),
            ("Remember when we met?", None),
            ("remembering names is hard", None),
            ("remember", None),
            ("Remembér x", None),
            ("what is tea", None),
        ] {
            assert_eq!(requested(prompt), text, "{prompt}");
        }
    }
}
