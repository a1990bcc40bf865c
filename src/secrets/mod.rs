//! The only scanner: which bytes of a text are a secret that must not travel.
//!
//! Invariant: one pass finds the keywords of all rules, and a rule is tried only at its keyword; a
//! reported hit shows only the start of the secret. Must not know: files, git, the caller.

mod finder;
mod judge;
pub mod reference;
mod rule;
mod rules;
mod samples;
mod sums;
mod worded;
mod words;

pub use rule::Rule;
pub use samples::{Sample, new_samples};

use finder::Finder;
use regex::bytes::Regex;
use rule::Lead;
use std::{
    borrow::Cow,
    cell::LazyCell,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::{LazyLock, OnceLock},
};

/// Marks a line whose apparent secret is not one, or may travel.
pub const ALLOW: &str = "co:allow-secret";

/// How many bytes a rule sees, including its start; private keys are the longest secrets.
const WINDOW: usize = 16 * 1024;
/// The same for rules that start with a name, whose value is close by.
const NEAR: usize = 1024;

/// `start` and `end` are byte offsets.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    pub rule: &'static Rule,
    pub start: usize,
    pub end: usize,
}

/// A secret, in a form that may be shown.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Secret {
    pub rule: &'static str,
    pub what: &'static str,
    /// From 1; `None` if in a file name.
    pub line: Option<usize>,
    pub excerpt: String,
}

/// The rules that a person overrides.
#[derive(Clone, Debug, Default)]
pub struct Allowed(BTreeSet<String>);

impl Allowed {
    /// Fails with the first name that is not a rule.
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

/// Every rule, the most certain first.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    rules::ALL.iter().flat_map(|group| group.iter())
}

struct Scanner {
    rules: Vec<(&'static Rule, OnceLock<Regex>)>,
    /// Rules from this index on rely on surrounding words, which only text has.
    worded: usize,
    /// Finds the heads of all keywords in one pass.
    heads: Finder<&'static [u8]>,
    /// For each head, which of the keywords start with it.
    owners: Vec<Range<usize>>,
    keywords: Vec<Keyword>,
}

/// A keyword, after its head, and the index of its rule.
type Keyword = (&'static [u8], &'static str, usize);

/// How many bytes of a keyword are scanned for: a small automaton fits in the CPU cache.
const HEAD: usize = 4;

static SCANNER: LazyLock<Scanner> = LazyLock::new(|| {
    let rules: Vec<_> = all().map(|rule| (rule, OnceLock::new())).collect();
    let worded = rules::ALL[..rules::WORDED].iter().map(|group| group.len()).sum();
    let mut keywords: Vec<Keyword> = Vec::new();
    for (at, rule) in all().enumerate() {
        keywords.extend(rule.keywords.iter().map(|keyword| (head_of(keyword), *keyword, at)));
    }
    // Stable: keywords of one head stay in the order of their rules. In one list, because a command
    // that sees one sentence would wait for hundreds of small ones.
    keywords.sort_by_key(|(head, ..)| *head);
    let (mut heads, mut owners, mut start) = (Vec::new(), Vec::new(), 0);
    for some in keywords.chunk_by(|(head, ..), (other, ..)| head == other) {
        heads.push(some[0].0);
        owners.push(start..start + some.len());
        start += some.len();
    }
    Scanner { rules, worded, heads: Finder::new(heads), owners, keywords }
});

fn head_of(keyword: &'static str) -> &'static [u8] {
    // Dashes alone occur under many headings.
    let length = if keyword.starts_with("----") { keyword.len() } else { HEAD.min(keyword.len()) };
    &keyword.as_bytes()[..length]
}

/// In order, without overlaps. Ignores marks on lines.
pub fn hits(text: &[u8]) -> Vec<Hit> {
    let scanner = &*SCANNER;
    let mut found: Vec<(usize, Hit)> = Vec::new();
    // Computed only if the keyword of a worded rule occurs.
    let is_text = LazyCell::new(|| is_text(text));
    scanner.heads.each(text, |head, start| {
        for (_, keyword, at) in &scanner.keywords[scanner.owners[head].clone()] {
            if *at >= scanner.worded && !*is_text {
                continue;
            }
            // Several keywords of a rule often match in the same place.
            let known = || {
                found
                    .iter()
                    .rev()
                    .take(4)
                    .any(|(other, hit)| other == at && hit.start <= start && start < hit.end)
            };
            if !text[start..].starts_with(keyword.as_bytes()) || known() {
                continue;
            }
            let (rule, compiled) = &scanner.rules[*at];
            let regex = compiled.get_or_init(|| {
                Regex::new(&rule.anchored()).expect("because every rule is compiled by a test")
            });
            let window = if matches!(rule.lead, Lead::Nothing) { WINDOW } else { NEAR };
            if let Some(span) = rule.at(regex, text, start, window) {
                found.push((*at, Hit { rule, start: span.start, end: span.end }));
            }
        }
    });
    without_overlaps(found)
}

/// By git's rule: no NUL near the start.
fn is_text(bytes: &[u8]) -> bool {
    const NEAR_THE_BEGINNING: usize = 8000;
    memchr::memchr(0, &bytes[..bytes.len().min(NEAR_THE_BEGINNING)]).is_none()
}

/// Of overlapping hits, the one from the more certain rule is kept.
fn without_overlaps(mut found: Vec<(usize, Hit)>) -> Vec<Hit> {
    if found.len() > 1 {
        found.sort_by_key(|(at, hit)| (*at, hit.start));
    }
    // Kept hits never overlap, so only the last one that starts before the end of a new one can.
    let mut kept: BTreeMap<usize, Hit> = BTreeMap::new();
    for (_, hit) in found {
        let before = kept.range(..hit.end).next_back();
        if before.is_none_or(|(_, other)| other.end <= hit.start) {
            kept.insert(hit.start, hit);
        }
    }
    kept.into_values().collect()
}

/// Secrets that are allowed neither by a mark on the line nor by the user.
pub fn scan(text: &[u8], allowed: &Allowed) -> Vec<Secret> {
    let marks = has_marks(text);
    let passes = |hit: &Hit| allowed.has(hit.rule) || (marks && marked(text, hit));
    shown(text, hits(text).into_iter().filter(|hit| !passes(hit)))
}

/// `hits` must be in order, because lines are counted in one pass.
fn shown(text: &[u8], hits: impl Iterator<Item = Hit>) -> Vec<Secret> {
    let (mut line, mut counted) = (1, 0);
    hits.map(|hit| {
        line += memchr::memchr_iter(b'\n', &text[counted..hit.start]).count();
        counted = hit.start;
        Secret {
            rule: hit.rule.id,
            what: hit.rule.what,
            line: Some(line),
            excerpt: excerpt(text, &hit),
        }
    })
    .collect()
}

/// Like [`scan`], but also scans UTF-16 text and the file's name.
pub fn scan_file(path: &str, blob: &[u8], allowed: &Allowed) -> Vec<Secret> {
    let mut secrets = scan(blob, allowed);
    if let Cow::Owned(text) = readable(blob) {
        secrets.extend(scan(&text, allowed));
    }
    let name = path.as_bytes();
    let in_name = scan(name, allowed).into_iter().map(|secret| Secret { line: None, ..secret });
    secrets.extend(in_name);
    secrets
}

/// Converts UTF-16, as Windows writes it, to UTF-8.
fn readable(blob: &[u8]) -> Cow<'_, [u8]> {
    let unit: fn([u8; 2]) -> u16 = match blob {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        _ => return Cow::Borrowed(blob),
    };
    let units: Vec<u16> = blob[2..].chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
    Cow::Owned(String::from_utf16_lossy(&units).into_bytes())
}

/// Secrets in `after` that are not in `before`.
pub fn new_in(path: &str, before: Option<&[u8]>, after: &[u8], allowed: &Allowed) -> Vec<Secret> {
    let known: BTreeSet<&[u8]> = before
        .map(|before| hits(before).iter().map(|hit| &before[hit.start..hit.end]).collect())
        .unwrap_or_default();
    if known.is_empty() {
        return scan_file(path, after, allowed);
    }
    let marks = has_marks(after);
    let passes = |hit: &Hit| {
        known.contains(&after[hit.start..hit.end])
            || allowed.has(hit.rule)
            || (marks && marked(after, hit))
    };
    shown(after, hits(after).into_iter().filter(|hit| !passes(hit)))
}

/// Cuts every secret to its start. Ignores marks: a log or an error never needs the secret.
pub fn redact(text: &str) -> Cow<'_, str> {
    let hits = hits(text.as_bytes());
    if hits.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for hit in hits {
        out.push_str(&text[done..text.floor_char_boundary(hit.start)]);
        out.push_str(&excerpt(text.as_bytes(), &hit));
        done = text.floor_char_boundary(hit.end);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// Marks each line with a secret that `allowed` permits, so that later scans accept it.
pub fn marked_text(text: &str, allowed: &Allowed) -> String {
    let bytes = text.as_bytes();
    let found = shown(
        bytes,
        hits(bytes).into_iter().filter(|hit| allowed.has(hit.rule) && !marked(bytes, hit)),
    );
    let lines: BTreeSet<usize> = found.into_iter().filter_map(|secret| secret.line).collect();
    let mark = |(at, line): (usize, &str)| {
        if lines.contains(&(at + 1)) { format!("{line} <!-- {ALLOW} -->") } else { line.to_owned() }
    };
    text.split('\n').enumerate().map(mark).collect::<Vec<_>>().join("\n")
}

/// Whether a line of the hit carries the mark as a whole word.
fn marked(text: &[u8], hit: &Hit) -> bool {
    let from = memchr::memrchr2(b'\n', b'\r', &text[..hit.start]).map_or(0, |end| end + 1);
    let to =
        memchr::memchr2(b'\n', b'\r', &text[hit.end..]).map_or(text.len(), |end| hit.end + end);
    let word =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    memchr::memmem::find_iter(&text[from..to], ALLOW.as_bytes()).any(|at| {
        let before = at.checked_sub(1).and_then(|at| text[from..to].get(at));
        !word(before) && !word(text[from..to].get(at + ALLOW.len()))
    })
}

/// Fast path: finding the lines is costly if a file has thousands of hits.
fn has_marks(text: &[u8]) -> bool {
    memchr::memmem::find(text, ALLOW.as_bytes()).is_some()
}

/// The start of a secret: enough to distinguish tokens, never more than a quarter.
fn excerpt(text: &[u8], hit: &Hit) -> String {
    let secret = String::from_utf8_lossy(&text[hit.start..hit.end]);
    let length = secret.chars().count();
    let shown: String = match hit.rule.lead {
        // A key block's first words, up to the next dashes: its line endings may be escaped.
        _ if secret.starts_with("-----BEGIN") => {
            let end = secret[5..].find("-----").map_or(5, |at| at + 10);
            secret.chars().take(end.min(48)).collect()
        }
        Lead::Nothing => secret.chars().take(7.min(length / 4)).collect(),
        _ => secret.chars().take(3.min(length / 4)).collect(),
    };
    format!("{shown}…")
}

#[cfg(test)]
mod tests;
