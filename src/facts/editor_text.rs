//! A fact as an editor shows it: its text, below what it says of its time, if it says something.
//!
//! Invariant: what is above the text and was left as it was changes nothing; whoever takes it away
//! as a whole changes only the text. Must not know the editor.

use super::{
    edit::Request,
    show,
    timing::{NONE, TypedTimes},
};
use crate::identity::{Bound, ContentHash, Memory};
use crate::index::store::{PlacedFact, Scope};
use crate::workspace::{Error, Workspace, named};

const LINE: &str = "---";
const FROM: &str = "from";
const UNTIL: &str = "until";
const CHECK_AFTER: &str = "check-after";
const REPLACES: &str = "replaces";

/// What was in the editor first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EditorText {
    pub text: String,
    /// The content hash of the text.
    pub hash: String,
    /// The lines above it, each a key and its value; none if it says nothing of its time.
    keys: Vec<(&'static str, String)>,
}

pub fn of(ws: &Workspace, handle: &str, scope: Option<Scope>) -> Result<EditorText, Error> {
    let (_, placed) = show::find(ws, handle, scope)?;
    let memory = &placed.memory;
    let (text, hash) = (memory.text().to_owned(), memory.hash.to_string());
    Ok(EditorText { text, hash, keys: keys(ws, memory) })
}

fn keys(ws: &Workspace, memory: &Memory) -> Vec<(&'static str, String)> {
    let Some(times) = memory.times.as_deref() else { return Vec::new() };
    let bound = |bound: Option<Bound>| bound.map_or_else(String::new, |bound| bound.to_string());
    let replaced: Vec<String> = times.supersedes.iter().map(|hash| handle(ws, *hash)).collect();
    vec![
        (FROM, bound(times.valid_from)),
        (UNTIL, bound(times.valid_until)),
        (CHECK_AFTER, bound(times.stale_after)),
        (REPLACES, replaced.join(", ")),
    ]
}

fn handle(ws: &Workspace, hash: ContentHash) -> String {
    let stores = ws.to_read(None).unwrap_or_default();
    let mut found = stores.iter().flat_map(|store| named::facts_with(hash, store, ws));
    let known: Option<PlacedFact> = found.next();
    known.map_or_else(|| hash.to_string(), |placed| named::view(ws, &placed).handle)
}

impl EditorText {
    /// What the editor is given.
    pub fn shown(&self) -> String {
        if self.keys.is_empty() {
            return self.text.clone();
        }
        let lines = self.keys.iter().map(|(key, value)| format!("{key}: {value}"));
        let lines: Vec<String> = lines.map(|line| line.trim_end().to_owned()).collect();
        format!("{LINE}\n{}\n{LINE}\n\n{}", lines.join("\n"), self.text)
    }

    /// What came back from it, as a change of the fact.
    pub fn read(&self, typed: &str, request: Request) -> Request {
        let based_on = Some(self.hash.clone());
        let Some((keys, text)) = self.above(typed) else {
            return Request { text: Some(typed.to_owned()), based_on, ..request };
        };
        let value = |key: &str| {
            let typed = keys.iter().find(|(known, _)| *known == key);
            let value = typed.map_or("", |(_, value)| *value);
            let was = self.keys.iter().find(|(known, _)| *known == key);
            let is_new = was.is_some_and(|(_, was)| was != value);
            is_new.then(|| if value.is_empty() { NONE.to_owned() } else { value.to_owned() })
        };
        let replaces = value(REPLACES).map(|typed| vec![NONE.to_owned(), typed]);
        let times = TypedTimes {
            from: value(FROM),
            until: value(UNTIL),
            check_after: value(CHECK_AFTER),
            replaces: replaces.unwrap_or_default(),
        };
        Request { text: Some(text.to_owned()), based_on, times, ..request }
    }

    /// The lines above the text, and the text; `None` if they are not what this wrote.
    fn above<'a>(&self, typed: &'a str) -> Option<(Vec<(&'a str, &'a str)>, &'a str)> {
        if self.keys.is_empty() {
            return None;
        }
        let (block, text) = typed.strip_prefix("---\n")?.split_once("\n---\n")?;
        let key = |line: &'a str| line.split_once(':').map(|(key, value)| (key, value.trim()));
        let is_known = |(key, _): &(&str, &str)| self.keys.iter().any(|(known, _)| known == key);
        let lines = block.lines().filter(|line| !line.trim().is_empty());
        let keys: Option<Vec<(&str, &str)>> =
            lines.map(|line| key(line).filter(is_known)).collect();
        Some((keys?, text.trim_start_matches('\n')))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown() -> EditorText {
        let keys = vec![
            (FROM, String::new()),
            (UNTIL, "2026-11-20".to_owned()),
            (CHECK_AFTER, String::new()),
            (REPLACES, "3".to_owned()),
        ];
        EditorText { text: "On call".to_owned(), hash: String::new(), keys }
    }

    #[test]
    fn what_is_above_the_text_is_read_back() {
        let read = |typed: &str| {
            let request = shown().read(typed, Request::default());
            (request.text.expect("a text"), request.times)
        };
        let unchanged = TypedTimes::default();
        assert_eq!(read(&shown().shown()), ("On call".to_owned(), unchanged.clone()));
        let text = |from: &str, to: &str| shown().shown().replace(from, to);
        let (typed, times) = read(&text("2026-11-20", "friday").replace("On call", "Off duty"));
        assert_eq!((typed.as_str(), times.until.as_deref()), ("Off duty", Some("friday")));
        assert_eq!(read(&text(" 2026-11-20", "")).1.until.as_deref(), Some(NONE));
        assert_eq!(read(&text("until: 2026-11-20\n", "")).1.until.as_deref(), Some(NONE));
        assert_eq!(read(&text("replaces: 3", "replaces: 4")).1.replaces, [NONE, "4"]);
        // Only a text, and a text with lines of its own.
        for typed in ["Off duty", "---\ntags: [a]\n---\n\nOff duty", "---\n\nOff duty\n---\n"] {
            assert_eq!(read(typed), (typed.to_owned(), unchanged.clone()));
        }
    }
}
