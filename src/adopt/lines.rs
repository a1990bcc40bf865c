//! What a single line of a rule file is, by its own letters.
//!
//! Invariant: what is not sure to be markup is text. Indentation never makes code: rules inside
//! tags and lists are indented. Must not know: the lines around it.

/// A line without its indentation and the marks of a quotation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Line<'a> {
    /// In columns.
    pub indent: usize,
    pub is_quoted: bool,
    pub kind: LineKind<'a>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineKind<'a> {
    Blank,
    /// Begins or ends a block of code: the character, and how often it is repeated.
    Fence(char, usize),
    /// Begins a comment with nothing after it.
    Comment,
    Heading(u8),
    Table,
    /// Nothing but tags.
    Tag,
    /// Nothing but the signs that draw a line.
    Bare,
    Item(&'a str),
    /// Text that forms a paragraph of its own.
    Alone(&'a str),
    Text(&'a str),
}

const BARE: &str = "-*_=~#+.·•—–─━═>|<";
const BULLETS: &[char] = &['-', '*', '+', '–'];
/// Bullets that need no blank after them.
const SIGNS: &[char] = &['•', '●', '◦', '▪', '‣', '・'];

pub(super) fn line(text: &str) -> Line<'_> {
    let (rest, is_quoted) = unquoted(text.trim());
    let inner = rest.trim();
    let kind = match inner {
        "" if is_quoted => LineKind::Bare,
        "" => LineKind::Blank,
        _ => kind(inner),
    };
    Line { indent: indent(text), is_quoted, kind }
}

fn kind(text: &str) -> LineKind<'_> {
    if let Some((sign, count)) = fence(text) {
        return LineKind::Fence(sign, count);
    }
    if let Some(level) = heading(text) {
        return LineKind::Heading(level);
    }
    if text.starts_with('|') && text[1..].contains('|') {
        return LineKind::Table;
    }
    if text.chars().all(|letter| letter.is_whitespace() || BARE.contains(letter)) {
        return LineKind::Bare;
    }
    if let Some(rest) = text.strip_prefix("<!--") {
        let behind = rest.split_once("-->").map_or("", |(_, behind)| behind.trim());
        return if behind.is_empty() { LineKind::Comment } else { LineKind::Alone(text) };
    }
    if is_alert(text) {
        return LineKind::Tag;
    }
    if text.starts_with('<') && text.ends_with('>') {
        return if is_tags(text) { LineKind::Tag } else { LineKind::Alone(text) };
    }
    match item(text) {
        Some(inner) => {
            fence(inner).map_or(LineKind::Item(inner), |(sign, len)| LineKind::Fence(sign, len))
        }
        None => LineKind::Text(text),
    }
}

fn indent(text: &str) -> usize {
    let blanks = text.chars().take_while(|letter| letter.is_whitespace());
    blanks.map(|letter| if letter == '\t' { 4 } else { 1 }).sum()
}

/// Without the marks of a quotation; `>=3.10` and `>text` are not quotations.
fn unquoted(text: &str) -> (&str, bool) {
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix('>') {
        let is_sign = inner.is_empty() || inner.starts_with([' ', '\t', '>']);
        if !is_sign {
            break;
        }
        rest = inner.trim_start();
    }
    (rest, rest.len() < text.len())
}

fn fence(text: &str) -> Option<(char, usize)> {
    let sign = text.chars().next().filter(|sign| matches!(sign, '`' | '~'))?;
    let behind = text.trim_start_matches(sign);
    let count = text.len() - behind.len();
    (count >= 3 && !behind.contains(sign)).then_some((sign, count))
}

/// The level of a heading; `#934` is a word.
pub(super) fn heading(text: &str) -> Option<u8> {
    let behind = text.trim_start_matches('#');
    let level = text.len() - behind.len();
    let is_heading = (1..=6).contains(&level) && behind.starts_with([' ', '\t']);
    let says_something = behind.chars().any(char::is_alphanumeric);
    (is_heading && says_something).then(|| u8::try_from(level).unwrap_or(6))
}

/// GitHub's `[!NOTE]` above a quotation.
fn is_alert(text: &str) -> bool {
    let inner = text.strip_prefix("[!").and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|word| !word.is_empty() && word.chars().all(|it| it.is_ascii_uppercase()))
}

/// `<rules>`, `</a></b>`, `<rule name="x">`; not `<https://e.org>` and not `<your name here>`.
fn is_tags(text: &str) -> bool {
    let mut rest = text;
    while let Some(inner) = rest.strip_prefix('<') {
        let Some((tag, behind)) = inner.split_once('>') else { return false };
        let tag = tag.trim_start_matches('/').trim_end_matches('/');
        let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
        let is_letter = |letter: char| letter.is_alphanumeric() || "-_.:".contains(letter);
        let is_name = name.starts_with(char::is_alphabetic) && name.chars().all(is_letter);
        if !is_name || !(attributes.trim().is_empty() || attributes.contains('=')) {
            return false;
        }
        rest = behind.trim_start();
    }
    rest.is_empty()
}

/// The text of a list item, without its bullet or number. The box of a task stays: it says whether
/// that is done.
pub(super) fn item(text: &str) -> Option<&str> {
    Some(behind_bullet(text).or_else(|| behind_number(text))?.trim())
}

fn behind_bullet(text: &str) -> Option<&str> {
    let inner = text.strip_prefix(BULLETS).filter(|inner| inner.starts_with(char::is_whitespace));
    inner.or_else(|| text.strip_prefix(SIGNS))
}

fn behind_number(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    if !(1..=3).contains(&digits) {
        return None;
    }
    let inner = &text[digits..];
    let ascii = inner.strip_prefix(['.', ')']);
    ascii
        .filter(|inner| inner.starts_with(char::is_whitespace))
        .or_else(|| inner.strip_prefix(['、', '．', '）']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds() {
        for (text, wanted) in [
            ("", LineKind::Blank),
            (">", LineKind::Bare),
            ("  ```rust", LineKind::Fence('`', 3)),
            ("- ~~~~sh", LineKind::Fence('~', 4)),
            ("```x``` is code", LineKind::Text("```x``` is code")),
            ("### Rules ###", LineKind::Heading(3)),
            ("#934 waits", LineKind::Text("#934 waits")),
            ("* * *", LineKind::Bare),
            ("=====", LineKind::Bare),
            ("<!-- x -->", LineKind::Comment),
            ("<!-- x --> Use tabs", LineKind::Alone("<!-- x --> Use tabs")),
            ("| a | b |", LineKind::Table),
            ("|---|:-:|", LineKind::Table),
            ("</a> <b-c x=\"1\">", LineKind::Tag),
            ("<Vec<T>>", LineKind::Alone("<Vec<T>>")),
            ("<https://e.org>", LineKind::Alone("<https://e.org>")),
            ("<your name here>", LineKind::Alone("<your name here>")),
            ("<rule>Use tabs</rule>", LineKind::Alone("<rule>Use tabs</rule>")),
            ("> - [ ] Use tabs", LineKind::Item("[ ] Use tabs")),
            ("- [~] later", LineKind::Item("[~] later")),
            ("10) Use tabs", LineKind::Item("Use tabs")),
            ("1、使用中文", LineKind::Item("使用中文")),
            ("・タブを使う", LineKind::Item("タブを使う")),
            (">=3.10 of Python", LineKind::Text(">=3.10 of Python")),
            ("-1 is an error", LineKind::Text("-1 is an error")),
            ("**Bold** text", LineKind::Text("**Bold** text")),
            ("3.14 is pi", LineKind::Text("3.14 is pi")),
        ] {
            assert_eq!(line(text).kind, wanted, "{text}");
        }
        assert_eq!((line("\t- a").indent, line("> a").is_quoted), (4, true));
    }
}
