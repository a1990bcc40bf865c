//! What a rule is, and how it looks at a place where its keyword stands.
//!
//! Invariant: a token begins and ends where a letter or digit cannot belong to it any more; a rule
//! never looks further than its window.

use super::judge::{self, Found};
use regex::bytes::Regex;
use std::ops::Range;

/// How one kind of secret is recognised.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Its name, stable: people write it behind `--allow-secret`.
    pub id: &'static str,
    /// What it finds, with an article: `a GitHub token`.
    pub what: &'static str,
    /// One of these stands wherever the rule can match.
    pub(super) keywords: &'static [&'static str],
    /// What stands before the keyword and belongs to the match.
    pub(super) lead: Lead,
    /// The match from the beginning of the lead on. The group `s` is the secret where that is only
    /// a part, `b` what is judged.
    pub(super) pattern: &'static str,
    /// Whether what matched is one.
    pub(super) judge: fn(&Found<'_>) -> bool,
    /// Texts in which it is found. `¦` keeps them from being found in this source; it is taken out.
    pub yes: &'static [&'static str],
    /// Texts in which it is not.
    pub no: &'static [&'static str],
}

/// What stands before a keyword.
#[derive(Clone, Copy, Debug)]
pub(super) enum Lead {
    /// The keyword begins the secret.
    Nothing,
    /// As many bytes.
    Bytes(usize),
    /// As many bytes of a kind as there are, at most so many.
    While(fn(u8) -> bool, usize),
}

impl Rule {
    /// A token that begins with a keyword of its own and is judged by how random it looks.
    pub(super) const fn token(
        id: &'static str,
        what: &'static str,
        keywords: &'static [&'static str],
        pattern: &'static str,
    ) -> Rule {
        Rule {
            id,
            what,
            keywords,
            lead: Lead::Nothing,
            pattern,
            judge: judge::is_no_placeholder,
            yes: &[],
            no: &[],
        }
    }

    /// The same with a longer look at what matched.
    pub(super) const fn judged(self, judge: fn(&Found<'_>) -> bool) -> Rule {
        Rule { judge, ..self }
    }

    /// The same with something before the keyword.
    pub(super) const fn led(self, lead: Lead) -> Rule {
        Rule { lead, ..self }
    }

    /// The same with its test.
    pub(super) const fn tried(
        self,
        yes: &'static [&'static str],
        no: &'static [&'static str],
    ) -> Rule {
        Rule { yes, no, ..self }
    }

    /// The pattern as it is compiled: bytes, from the place on.
    pub(super) fn anchored(&self) -> String {
        format!("(?-u)^(?:{})", self.pattern)
    }

    /// The secret at a keyword, if it is one.
    pub(super) fn at(
        &self,
        regex: &Regex,
        text: &[u8],
        keyword: usize,
        window: usize,
    ) -> Option<Range<usize>> {
        let start = match self.lead {
            Lead::Nothing => keyword,
            Lead::Bytes(count) => keyword.checked_sub(count)?,
            Lead::While(belongs, most) => {
                let before = text[..keyword].iter().rev().take(most);
                keyword - before.take_while(|byte| belongs(**byte)).count()
            }
        };
        if !begins(text, start) {
            return None;
        }
        let found = regex.captures(&text[start..text.len().min(start + window)])?;
        let whole = found.get(0)?;
        let secret = found.name("s").unwrap_or(whole);
        let body = found.name("b").unwrap_or(secret);
        let span = start + secret.start()..start + secret.end();
        let judged = Found {
            text,
            secret: &text[span.clone()],
            body: body.as_bytes(),
            start: span.start,
            end: span.end,
        };
        // A value that is longer than the window goes on behind it.
        let cut = span.end == start + window;
        ((cut || ends(text, span.end)) && (self.judge)(&judged)).then_some(span)
    }
}

/// Whether a token can begin here: behind nothing that could belong to it. The letters of an escape
/// belong to the escape.
fn begins(text: &[u8], start: usize) -> bool {
    let Some(before) = start.checked_sub(1).map(|at| text[at]) else { return true };
    if !before.is_ascii_alphanumeric()
        || text.get(start).is_some_and(|first| !first.is_ascii_alphanumeric())
    {
        return true;
    }
    let head = &text[start.saturating_sub(12)..start];
    let digits = head.iter().rev().take_while(|byte| byte.is_ascii_hexdigit()).count();
    let opened =
        |by: &[u8], count: usize| digits >= count && head[..head.len() - count].ends_with(by);
    // What an editor or a terminal wrote around it: `\n`, `%3D`, `\x22`, `\u0022`, `=3D` of mail,
    // `\e[1m` of colours.
    let escape = head.ends_with(b"\\n") || head.ends_with(b"\\t") || head.ends_with(b"\\r");
    let colour = before == b'm'
        && head[..head.len() - 1]
            .iter()
            .rev()
            .find(|byte| !byte.is_ascii_digit() && **byte != b';')
            == Some(&b'[');
    escape || colour || opened(b"%", 2) || opened(b"=", 2) || opened(b"\\x", 2) || opened(b"\\u", 4)
}

/// Whether a token can end here.
fn ends(text: &[u8], end: usize) -> bool {
    text.get(end).is_none_or(|after| !after.is_ascii_alphanumeric())
}

/// What a name in a program or a key of a file is made of.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// What a number is made of.
pub(super) fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}
