//! A marked block of ours in a markdown file that an agent reads.
//!
//! Invariant: only what is between the marks is ours. The first mark carries a hash of the text, so
//! that an older text and one that a person changed are known. HTML comments: no agent takes them
//! for instructions.

use super::State;
use crate::identity::ContentHash;

const OPEN: &str = "<!-- BEGIN co ";
const CLOSE: &str = "<!-- END co -->";

fn hash(body: &str) -> String {
    ContentHash::of_bytes(body.replace("\r\n", "\n").trim().as_bytes()).short(8)
}

/// The block with its marks, without a line end behind it.
fn block(body: &str) -> String {
    let body = body.trim();
    format!(
        "{OPEN}{} (written by co; `co agent uninstall` takes it out) -->\n{body}\n{CLOSE}",
        hash(body)
    )
}

/// Where the block is: from its first mark to the end of the last.
fn place(text: &str) -> Option<(usize, usize)> {
    let start = text.find(OPEN)?;
    let end = text[start..].find(CLOSE)? + start + CLOSE.len();
    Some((start, end))
}

pub fn state(text: &str, body: &str) -> State {
    let Some((start, end)) = place(text) else { return State::Missing };
    let there = text[start..end].replace("\r\n", "\n");
    if there == block(body) { State::Current } else { State::Stale }
}

/// Whether the text between the marks is not the one that was written there.
pub fn is_edited(text: &str) -> bool {
    let Some((start, end)) = place(text) else { return false };
    let there = &text[start..end];
    let said = there[OPEN.len()..].split(' ').next().unwrap_or_default();
    let body = there.split_once("-->").map_or("", |(_, rest)| rest).trim_end_matches(CLOSE);
    said != hash(body)
}

/// The text with the block: in its place if there is one, else at the end.
pub fn with(text: &str, body: &str) -> String {
    let end_of_line = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let block = block(body).replace('\n', end_of_line);
    if let Some((start, end)) = place(text) {
        return format!("{}{block}{}", &text[..start], &text[end..]);
    }
    let between = match text {
        "" => String::new(),
        text if text.ends_with('\n') => end_of_line.to_owned(),
        _ => end_of_line.repeat(2),
    };
    format!("{text}{between}{block}{end_of_line}")
}

/// The text without the block, and without the blank line before it.
pub fn without(text: &str) -> String {
    let Some((start, end)) = place(text) else { return text.to_owned() };
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
            let there = with(text, "ours\nand ours");
            assert_eq!(state(&there, "ours\nand ours"), State::Current, "{there:?}");
            assert_eq!(state(&there, "newer"), State::Stale);
            assert!(!is_edited(&there));
            assert!(is_edited(&there.replace("and ours", "and mine")));
            assert_eq!(without(&there), text);
            assert_eq!(with(&there, "ours\nand ours"), there);
            let newer = with(&there, "newer");
            assert_eq!(newer.matches(OPEN).count(), 1);
            assert_eq!(without(&newer), text);
        }
    }

    #[test]
    fn what_comes_behind_stays() {
        let there = with("a\n", "ours") + "b\n";
        assert_eq!(without(&there), "a\nb\n");
    }
}
