//! co's marker-delimited block in an agent's instructions file.
//!
//! Invariant: only what is between the markers is ours. The first marker contains a hash of the
//! text, so that an older text and one edited by a person are recognised. The markers are HTML
//! comments, which no agent takes for instructions.

use super::{EditError, State};
use crate::identity::ContentHash;
use std::ops::Range;

const OPEN: &str = "<!-- BEGIN co ";
const BEHIND: &str = " (written by co; `co agent uninstall` takes it out) -->";
const CLOSE: &str = "<!-- END co -->";
/// Length of the hash in the first marker, in hexadecimal digits.
const HASH: usize = 8;

fn hash(body: &str) -> String {
    ContentHash::of_bytes(body.replace("\r\n", "\n").trim().as_bytes()).short(HASH)
}

/// The block with its markers, without a trailing line ending.
fn block(body: &str) -> String {
    let body = body.trim();
    format!("{OPEN}{}{BEHIND}\n{body}\n{CLOSE}", hash(body))
}

/// The offset of a block's first marker: a comment that only looks like one is the person's.
fn opening(text: &str) -> Option<usize> {
    let mut from = 0;
    while let Some(at) = text[from..].find(OPEN).map(|at| at + from) {
        let behind = text[at + OPEN.len()..].get(HASH..);
        if behind.is_some_and(|behind| behind.starts_with(BEHIND)) {
            return Some(at);
        }
        from = at + OPEN.len();
    }
    None
}

/// Where the block is: from its first marker to the end of the last. Mismatched markers are an
/// error: nobody may delete what is between them.
fn place(text: &str) -> Result<Option<(usize, usize)>, EditError> {
    let Some(start) = opening(text) else { return Ok(None) };
    let inside = start + OPEN.len();
    let end = text[inside..].find(CLOSE).map(|at| at + inside).ok_or(EditError::Block)?;
    let is_alone = opening(&text[inside..]).is_none();
    if is_alone { Ok(Some((start, end + CLOSE.len()))) } else { Err(EditError::Block) }
}

pub fn state(text: &str, body: &str) -> Result<State, EditError> {
    let Some((start, end)) = place(text)? else { return Ok(State::Missing) };
    let there = text[start..end].replace("\r\n", "\n");
    Ok(if there == block(body) { State::Current } else { State::Stale })
}

/// Whether the text between the markers differs from what was written there.
pub fn is_edited(text: &str) -> bool {
    let Ok(Some((start, end))) = place(text) else { return false };
    let there = &text[start..end];
    let said = there[OPEN.len()..].get(..HASH).unwrap_or_default();
    let body = there.split_once("-->").map_or("", |(_, rest)| rest).trim_end_matches(CLOSE);
    said != hash(body)
}

/// The text with the block: in place if there is one, else at the end.
pub fn with(text: &str, body: &str) -> Result<String, EditError> {
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = block(body).replace('\n', end_of_line);
    if let Some((start, end)) = place(text)? {
        return Ok(format!("{}{block}{}", &text[..start], &text[end..]));
    }
    let between = match text {
        "" => String::new(),
        text if text.ends_with('\n') => end_of_line.to_owned(),
        _ => end_of_line.repeat(2),
    };
    Ok(format!("{text}{between}{block}{end_of_line}"))
}

/// Where the block is; `None` as well where the markers do not match.
pub fn span(text: &str) -> Option<Range<usize>> {
    let (start, end) = place(text).ok().flatten()?;
    Some(start..end)
}

/// The text without the block and the blank line before it.
pub fn without(text: &str) -> String {
    let Ok(Some((start, end))) = place(text) else { return text.to_owned() };
    let (head, tail) = (&text[..start], &text[end..]);
    let tail = tail.strip_prefix("\r\n").or_else(|| tail.strip_prefix('\n')).unwrap_or(tail);
    let head = match head.strip_suffix("\r\n\r\n").or_else(|| head.strip_suffix("\n\n")) {
        Some(_) => head.strip_suffix("\r\n").or_else(|| head.strip_suffix('\n')).unwrap_or(head),
        None => head,
    };
    format!("{head}{tail}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_and_out_again() {
        for text in ["# Mine\n", "# Mine\r\nmore\r\n", "", "# Mine\n\n"] {
            let there = with(text, "ours\nand ours").expect("a block");
            assert_eq!(state(&there, "ours\nand ours"), Ok(State::Current), "{there:?}");
            assert_eq!(state(&there, "newer"), Ok(State::Stale));
            assert!(!is_edited(&there));
            assert!(is_edited(&there.replace("and ours", "and mine")));
            assert_eq!(without(&there), text);
            assert_eq!(with(&there, "ours\nand ours"), Ok(there.clone()));
            let newer = with(&there, "newer").expect("a block");
            assert_eq!(newer.matches(OPEN).count(), 1);
            assert_eq!(without(&newer), text);
        }
    }

    #[test]
    fn what_comes_behind_stays() {
        let there = with("a\n", "ours").expect("a block") + "b\n";
        assert_eq!(without(&there), "a\nb\n");
    }

    #[test]
    fn marks_that_do_not_fit_are_left_alone() {
        let there = with("a\n", "ours").expect("a block");
        let open = there.replace(CLOSE, "");
        let twice = format!("{there}{there}");
        for odd in [open, twice] {
            assert_eq!(state(&odd, "ours"), Err(EditError::Block));
            assert_eq!(with(&odd, "ours"), Err(EditError::Block));
            assert_eq!(without(&odd), odd);
        }
        let theirs = "<!-- BEGIN co workers -->x<!-- END co -->\n";
        assert_eq!(state(theirs, "ours"), Ok(State::Missing));
        assert!(with(theirs, "ours").expect("a block").starts_with(theirs));
    }
}
