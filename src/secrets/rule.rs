//! A rule, and how it is tried where its keyword occurs.
//!
//! Invariant: a match is not adjacent to a letter or digit that could be part of a token; a rule
//! never looks beyond its window.

use super::judge::{self, RawMatch};
use regex::bytes::Regex;
use std::ops::Range;

#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// Stable: people pass it to `--allow-secret`.
    pub id: &'static str,
    /// With an article: `a GitHub token`.
    pub what: &'static str,
    /// One of these occurs wherever the rule can match.
    pub(super) keywords: &'static [&'static str],
    /// What precedes the keyword and is part of the match.
    pub(super) lead: Lead,
    /// Matches from the start of the lead. Group `s` is the secret if it is only a part of the
    /// match, `b` the part that is judged.
    pub(super) pattern: &'static str,
    pub(super) judge: fn(&RawMatch<'_>) -> bool,
    /// Texts that match. `¦` hides them from scanners in this source and is removed.
    pub yes: &'static [&'static str],
    pub no: &'static [&'static str],
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Lead {
    /// The secret starts with the keyword.
    Nothing,
    Bytes(usize),
    /// All preceding bytes of this kind, up to a maximum.
    While(fn(u8) -> bool, usize),
}

impl Rule {
    /// A token that starts with its keyword; anything but a placeholder counts.
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

    pub(super) const fn judged(self, judge: fn(&RawMatch<'_>) -> bool) -> Rule {
        Rule { judge, ..self }
    }

    pub(super) const fn led(self, lead: Lead) -> Rule {
        Rule { lead, ..self }
    }

    pub(super) const fn tried(
        self,
        yes: &'static [&'static str],
        no: &'static [&'static str],
    ) -> Rule {
        Rule { yes, no, ..self }
    }

    pub(super) fn anchored(&self) -> String {
        format!("(?-u)^(?:{})", self.pattern)
    }

    /// `keyword` is the byte offset of the keyword.
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
        let judged = RawMatch {
            text,
            secret: &text[span.clone()],
            body: body.as_bytes(),
            start: span.start,
            end: span.end,
        };
        // A value longer than the window continues after it.
        let cut = span.end == start + window;
        ((cut || ends(text, span.end)) && (self.judge)(&judged)).then_some(span)
    }
}

/// A token cannot start right after a letter or digit, unless that ends an escape.
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
    // Escapes around a token: `\n`, `%3D`, `\x22`, `\u0022`, `=3D` of mail, `\e[1m` of colours.
    let escape = head.ends_with(b"\\n") || head.ends_with(b"\\t") || head.ends_with(b"\\r");
    let colour = before == b'm'
        && head[..head.len() - 1]
            .iter()
            .rev()
            .find(|byte| !byte.is_ascii_digit() && **byte != b';')
            == Some(&b'[');
    escape || colour || opened(b"%", 2) || opened(b"=", 2) || opened(b"\\x", 2) || opened(b"\\u", 4)
}

fn ends(text: &[u8], end: usize) -> bool {
    text.get(end).is_none_or(|after| !after.is_ascii_alphanumeric())
}

/// Bytes of an identifier, or of a key in a file.
pub(super) fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

pub(super) fn is_digit(byte: u8) -> bool {
    byte.is_ascii_digit()
}
