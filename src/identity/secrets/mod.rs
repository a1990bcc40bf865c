//! The one scanner: which bytes of a text are a secret that must not travel.
//!
//! Invariant: one pass finds the keywords of all rules, and a rule looks only where its keyword stands; what a hit says about itself never
//! holds the secret, only its beginning. Must not know: files, git, who asks.

mod judge;
pub mod reference;
mod rule;
mod rules;
mod sums;
mod worded;

pub use rule::Rule;

use super::{
    finding::{Code, Finding},
    path::RelPath,
};
use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind, StartKind};
use regex::bytes::Regex;
use rule::Lead;
use std::{
    borrow::Cow,
    collections::BTreeSet,
    sync::{
        LazyLock, OnceLock,
        atomic::{AtomicUsize, Ordering},
    },
};

/// On a line, it says that what looks like a secret is none, or may travel.
pub const ALLOW: &str = "co:allow-secret";

/// The longest stretch that a rule looks at from its keyword on; a private key is the longest secret there is.
const WINDOW: usize = 16 * 1024;

/// A secret in a text.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The rule that recognised it.
    pub rule: &'static Rule,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// A secret as it may be shown.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Secret {
    /// The rule's name.
    pub rule: &'static str,
    /// What it is, as `a GitHub token`.
    pub what: &'static str,
    /// The line, from 1; none for one in a file's name.
    pub line: Option<usize>,
    /// Its beginning.
    pub excerpt: String,
}

/// The rules that a person overrides.
#[derive(Clone, Debug, Default)]
pub struct Allowed(BTreeSet<String>);

impl Allowed {
    /// The rules with these names, or the name that is no rule's.
    ///
    /// # Errors
    /// The unknown name.
    pub fn rules(names: &[String]) -> Result<Allowed, String> {
        match names.iter().find(|name| all().all(|rule| rule.id != name.as_str())) {
            Some(unknown) => Err(unknown.clone()),
            None => Ok(Allowed(names.iter().cloned().collect())),
        }
    }

    fn has(&self, rule: &Rule) -> bool {
        self.0.contains(rule.id)
    }
}

/// Every rule, the certain ones first.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    rules::ALL.iter().flat_map(|group| group.iter())
}

struct Scanner {
    rules: Vec<(&'static Rule, OnceLock<Regex>)>,
    /// Which rule a keyword belongs to.
    owners: Vec<usize>,
    /// Made in half a millisecond: right for a fact.
    quickly_made: OnceLock<AhoCorasick>,
    /// Made in two, and two and a half times as fast: right for a folder.
    fast: OnceLock<AhoCorasick>,
    /// How many bytes this process has scanned.
    scanned: AtomicUsize,
}

/// From so many bytes on the faster automaton has paid for itself.
const MANY: usize = 256 * 1024;

impl Scanner {
    fn keywords(&self, more: usize) -> &AhoCorasick {
        let (cell, kind) = match self.scanned.fetch_add(more, Ordering::Relaxed) + more {
            many if many > MANY => (&self.fast, AhoCorasickKind::DFA),
            _ => (&self.quickly_made, AhoCorasickKind::ContiguousNFA),
        };
        let make = || AhoCorasick::builder().kind(Some(kind)).match_kind(MatchKind::Standard).start_kind(StartKind::Unanchored).build(self.named());
        cell.get_or_init(|| make().expect("because the keywords are a few hundred short constants"))
    }

    fn named(&self) -> impl Iterator<Item = &'static str> {
        self.rules.iter().flat_map(|(rule, _)| rule.keywords.iter().copied())
    }
}

static SCANNER: LazyLock<Scanner> = LazyLock::new(|| {
    let rules: Vec<_> = all().map(|rule| (rule, OnceLock::new())).collect();
    let owners = rules.iter().enumerate().flat_map(|(at, (rule, _))| rule.keywords.iter().map(move |_| at)).collect();
    Scanner { rules, owners, quickly_made: OnceLock::new(), fast: OnceLock::new(), scanned: AtomicUsize::new(0) }
});

/// Every secret in a text, in order, none overlapping another. Marks on lines are not looked at.
pub fn hits(text: &[u8]) -> Vec<Hit> {
    let scanner = &*SCANNER;
    let mut found: Vec<(usize, Hit)> = Vec::new();
    for keyword in scanner.keywords(text.len()).find_overlapping_iter(text) {
        let at = scanner.owners[keyword.pattern().as_usize()];
        let (rule, compiled) = &scanner.rules[at];
        // The same place is often found by several keywords of a rule.
        if found.iter().rev().take(4).any(|(other, hit)| *other == at && hit.start <= keyword.start() && keyword.start() < hit.end) {
            continue;
        }
        let regex = compiled.get_or_init(|| Regex::new(&rule.anchored()).expect("because every rule is compiled by a test"));
        if let Some(span) = rule.at(regex, text, keyword.start(), WINDOW) {
            found.push((at, Hit { rule, start: span.start, end: span.end }));
        }
    }
    without_overlaps(found)
}

/// Of hits that share bytes the one of the more certain rule stays.
fn without_overlaps(mut found: Vec<(usize, Hit)>) -> Vec<Hit> {
    if found.len() > 1 {
        found.sort_by_key(|(at, hit)| (*at, hit.start));
    }
    let mut kept: Vec<Hit> = Vec::new();
    for (_, hit) in found {
        if !kept.iter().any(|other| other.start < hit.end && hit.start < other.end) {
            kept.push(hit);
        }
    }
    kept.sort_by_key(|hit| hit.start);
    kept
}

/// What must not travel, with lines and beginnings: without what a line's mark or the person allows.
pub fn scan(text: &[u8], allowed: &Allowed) -> Vec<Secret> {
    let hits = hits(text);
    let forbidden = hits.into_iter().filter(|hit| !allowed.has(hit.rule) && !marked(text, hit));
    forbidden
        .map(|hit| Secret { rule: hit.rule.id, what: hit.rule.what, line: Some(line_of(text, hit.start)), excerpt: excerpt(text, &hit) })
        .collect()
}

/// As [`scan`], and the file's name as well.
pub fn scan_file(path: &RelPath, blob: &[u8], allowed: &Allowed) -> Vec<Secret> {
    let mut secrets = scan(&readable(blob), allowed);
    let name = path.as_str().as_bytes();
    let in_name = scan(name, allowed).into_iter().map(|secret| Secret { line: None, ..secret });
    secrets.extend(in_name);
    secrets
}

/// The bytes as the rules read them: what Windows wrote in UTF-16 becomes UTF-8.
fn readable(blob: &[u8]) -> Cow<'_, [u8]> {
    let unit: fn([u8; 2]) -> u16 = match blob {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(blob),
    };
    let units: Vec<u16> = blob[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
}

/// The secrets of `after` that `before` did not hold yet.
pub fn new_in(path: &RelPath, before: Option<&[u8]>, after: &[u8], allowed: &Allowed) -> Vec<Secret> {
    let (before, after) = (before.map(readable), &*readable(after));
    let before = before.as_deref();
    let known: BTreeSet<&[u8]> = before.map(|before| hits(before).iter().map(|hit| &before[hit.start..hit.end]).collect()).unwrap_or_default();
    if known.is_empty() {
        return scan_file(path, after, allowed);
    }
    let forbidden =
        hits(after).into_iter().filter(|hit| !known.contains(&after[hit.start..hit.end]) && !allowed.has(hit.rule) && !marked(after, hit));
    forbidden
        .map(|hit| Secret { rule: hit.rule.id, what: hit.rule.what, line: Some(line_of(after, hit.start)), excerpt: excerpt(after, &hit) })
        .collect()
}

/// The text with every secret cut to its beginning; marks on lines do not count, because a log or an error needs none of them.
pub fn redact(text: &str) -> Cow<'_, str> {
    let hits = hits(text.as_bytes());
    if hits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for hit in hits {
        out.push_str(&text[done..floor(text, hit.start)]);
        out.push_str(&excerpt(text.as_bytes(), &hit));
        done = floor(text, hit.end);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Each line that holds a forbidden secret with a mark behind it, so that every door lets it pass.
pub fn marked_text(text: &str, allowed: &Allowed) -> String {
    let lines: BTreeSet<usize> = hits(text.as_bytes())
        .into_iter()
        .filter(|hit| allowed.has(hit.rule) && !marked(text.as_bytes(), hit))
        .map(|hit| line_of(text.as_bytes(), hit.start))
        .collect();
    let mark = |(at, line): (usize, &str)| if lines.contains(&(at + 1)) { format!("{line} <!-- {ALLOW} -->") } else { line.to_owned() };
    text.split('\n').enumerate().map(mark).collect::<Vec<_>>().join("\n")
}

fn floor(text: &str, at: usize) -> usize {
    text.floor_char_boundary(at)
}

fn line_of(text: &[u8], at: usize) -> usize {
    memchr::memchr_iter(b'\n', &text[..at]).count() + 1
}

/// Whether the line on which it begins carries the mark.
fn marked(text: &[u8], hit: &Hit) -> bool {
    memchr::memmem::find(judge::line(text, hit.start), ALLOW.as_bytes()).is_some()
}

/// The beginning of a secret: of a token as much as tells it from others, never more than a quarter.
fn excerpt(text: &[u8], hit: &Hit) -> String {
    let secret = String::from_utf8_lossy(&text[hit.start..hit.end]);
    let length = secret.chars().count();
    let shown: String = match hit.rule.lead {
        // Of a key block its first words: line ends may be escaped, so the next dashes end them.
        _ if secret.starts_with("-----BEGIN") => {
            let end = secret[5..].find("-----").map_or(5, |at| at + 10);
            secret.chars().take(end.min(48)).collect()
        }
        Lead::Nothing => secret.chars().take(7.min(length / 4)).collect(),
        _ => secret.chars().take(3.min(length / 4)).collect(),
    };
    format!("{shown}…")
}

impl Secret {
    /// The finding of `check`.
    pub fn finding(&self, path: &RelPath) -> Finding {
        let message = format!(
            "{} (rule {}: {}); keep it in the keyring (`co secret set NAME`) and write {{{{secret:NAME}}}}, or put `{ALLOW}` on the line",
            self.what, self.rule, self.excerpt
        );
        let finding = Finding::new(Code::Secret, path, message);
        match self.line {
            Some(line) => finding.at(line),
            None => finding,
        }
    }
}

#[cfg(test)]
mod tests;
