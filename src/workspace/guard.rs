//! The secret guard: refuses suspected secrets before they are saved, imported or exported.
//!
//! Invariant: a refusal reports the rule, the place and the beginning, never the secret, and
//! happens before anything is written.

use super::{Error, ErrorKind, VerbError};
use crate::foreign::is_seen;
use crate::identity::{Blob, Memory, RelPath, Snapshot, Stamp};
use crate::merge::change::{ChangeSet, FileChange};
use crate::secrets::{self, ALLOW, Allowed, Sample, Secret};
use rayon::prelude::*;
use std::collections::HashMap;

/// A secret and its file; `None` for a text that is not in a file yet.
type FoundSecret = (Option<RelPath>, Secret);

/// Whether a character is invisible, and could hide a secret from the rules.
fn is_hiding(letter: char) -> bool {
    !is_seen(letter) && !matches!(letter, '\n' | '\t' | '\r')
}

/// The most secrets that a message lists.
const MAX: usize = 5;

/// Why a text was refused.
#[derive(Debug, thiserror::Error)]
pub enum GuardError {
    #[error("the secret scanner has no rule `{name}`")]
    NoRule { name: String },
    #[error("{message}")]
    Secret { message: String, name: String, rule: &'static str },
}

impl VerbError for GuardError {
    fn kind(&self) -> ErrorKind {
        match self {
            GuardError::NoRule { .. } => ErrorKind::Invalid,
            GuardError::Secret { .. } => ErrorKind::Refused,
        }
    }
}

/// The rules given with `--allow-secret`.
pub fn allowed(names: &[String]) -> Result<Allowed, Error> {
    Allowed::rules(names).map_err(|name| GuardError::NoRule { name }.into())
}

/// `beside` (tags, source) is scanned as well; secrets that are already in `known` pass.
pub fn refuse_text(
    text: &str,
    beside: &[&str],
    known: &str,
    allowed: &Allowed,
    undone: &str,
) -> Result<(), Error> {
    let found = in_text(text, beside, known, allowed);
    let name = suggested(text, found.first().and_then(|secret| secret.line));
    let found: Vec<FoundSecret> = found.into_iter().map(|secret| (None, secret)).collect();
    refuse(&found, &name, undone)
}

/// Why a text is refused, for a sentence that says which line of a file it is: its own lines are
/// not those of the file.
pub fn refuse_part(text: &str, beside: &[&str], allowed: &Allowed) -> Result<(), String> {
    let found = in_text(text, beside, "", allowed).into_iter();
    let found = found.map(|secret| (None, Secret { line: None, ..secret }));
    refuse(&found.collect::<Vec<FoundSecret>>(), "", "").map_err(|error| error.clause())
}

fn in_text(text: &str, beside: &[&str], known: &str, allowed: &Allowed) -> Vec<Secret> {
    let mut found = secrets::new_in(
        "text",
        Some(known.as_bytes()).filter(|known| !known.is_empty()),
        text.as_bytes(),
        allowed,
    );
    // Invisible characters hide a token from the rules, but not from a reader.
    if found.is_empty() && text.contains(is_hiding) {
        let seen: String = text.chars().filter(|letter| !is_hiding(*letter)).collect();
        let seen = seen.replace(ALLOW, "");
        found = secrets::scan(seen.as_bytes(), allowed);
    }
    for word in beside {
        found.extend(
            secrets::scan(word.as_bytes(), allowed)
                .into_iter()
                .map(|secret| Secret { line: None, ..secret }),
        );
    }
    found
}

/// Refuses secrets that a change adds; existing ones pass.
pub fn refuse_change(change: &ChangeSet, allowed: &Allowed, undone: &str) -> Result<(), Error> {
    refuse(&in_change(change, allowed), "", undone)
}

/// Refuses any secret in files that would be exported.
pub fn refuse_snapshot(snapshot: &Snapshot, allowed: &Allowed, undone: &str) -> Result<(), Error> {
    let of = |(path, blob): (&RelPath, &Blob)| -> Vec<FoundSecret> {
        secrets::scan_file(path.as_str(), blob, allowed)
            .into_iter()
            .map(|secret| (Some(path.clone()), secret))
            .collect()
    };
    let files: Vec<(&RelPath, &Blob)> = snapshot.iter().collect();
    let found: Vec<FoundSecret> = files.into_par_iter().flat_map_iter(of).collect();
    refuse(&found, "", undone)
}

/// For the preview of an import: the secrets that it would refuse, and the samples that it lets
/// through.
pub fn warnings(change: &ChangeSet, allowed: &Allowed) -> Vec<String> {
    let found = in_change(change, allowed);
    let refused = found
        .iter()
        .map(|(path, secret)| format!("{}; an import refuses it", describe(path.as_ref(), secret)));
    refused.chain(samples(change)).collect()
}

/// A line for each sample that a change adds.
fn samples(change: &ChangeSet) -> Vec<String> {
    let before = Before::of(change);
    let mut found = Vec::new();
    for file in &change.files {
        let Some(after) = &file.after else { continue };
        let known: &[u8] = before.text(file).map_or(&[][..], AsRef::as_ref);
        found.extend(secrets::new_samples(known, after).into_iter().map(|sample| {
            let Sample { line, excerpt } = sample;
            format!("{}:{line}: sample token `{excerpt}`, let through", file.path)
        }));
    }
    found
}

fn in_change(change: &ChangeSet, allowed: &Allowed) -> Vec<FoundSecret> {
    let before = Before::of(change);
    let mut found = Vec::new();
    for file in &change.files {
        let Some(after) = &file.after else { continue };
        let new = secrets::new_in(
            file.path.as_str(),
            before.text(file).map(AsRef::as_ref),
            after,
            allowed,
        );
        found.extend(new.into_iter().map(|secret| (Some(file.path.clone()), secret)));
    }
    found
}

/// The contents of the changed files before the change.
struct Before<'a> {
    /// Memories by origin: one may have been renamed.
    memories: HashMap<Stamp, &'a Blob>,
}

impl<'a> Before<'a> {
    fn of(change: &'a ChangeSet) -> Before<'a> {
        let before = |file: &'a FileChange| {
            let blob = file.before.as_ref()?;
            Some((Memory::read(&file.path, blob).ok()?.created, blob))
        };
        // If several have the same origin, the first is used.
        Before { memories: change.files.iter().rev().filter_map(before).collect() }
    }

    fn text<'b>(&self, file: &'b FileChange) -> Option<&'b Blob>
    where
        'a: 'b,
    {
        if file.before.is_some() || !file.path.is_memory() {
            return file.before.as_ref();
        }
        let after = Memory::read(&file.path, file.after.as_ref()?).ok()?;
        self.memories.get(&after.created).copied()
    }
}

/// For messages: `profile.md:3: a GitHub token (rule github-pat: ghp_9xK…)`.
pub fn describe(path: Option<&RelPath>, secret: &Secret) -> String {
    let place = match (path, secret.line) {
        (Some(path), Some(line)) => format!("{}:{line}: ", secrets::redact(path.as_str())),
        (Some(path), None) => format!("{}: ", secrets::redact(path.as_str())),
        (None, _) => String::new(),
    };
    format!("{place}{} (rule {}: `{}`)", secret.what, secret.rule, secret.excerpt)
}

fn refuse(found: &[FoundSecret], name: &str, undone: &str) -> Result<(), Error> {
    let Some((path, first)) = found.first() else { return Ok(()) };
    let message = match (path, first.line, found.len()) {
        (None, Some(line), 1) => format!(
            "this looks like {} (rule {}, line {line}: `{}`). {undone}",
            first.what, first.rule, first.excerpt
        ),
        (None, None, 1) => format!(
            "this looks like {} (rule {}: `{}`). {undone}",
            first.what, first.rule, first.excerpt
        ),
        _ => {
            let mut told: Vec<String> = found
                .iter()
                .take(MAX)
                .map(|(path, secret)| describe(path.as_ref(), secret))
                .collect();
            if found.len() > MAX {
                told.push(format!("and {} more", found.len() - MAX));
            }
            format!(
                "{} looks like a secret: {}. {undone}",
                if found.len() == 1 { "this" } else { "some of this" },
                told.join("; ")
            )
        }
    };
    let name = if name.is_empty() {
        first
            .what
            .split_once(' ')
            .map_or("secret", |(_, what)| what)
            .to_lowercase()
            .replace([' ', '.'], "-")
    } else {
        name.to_owned()
    };
    Err(GuardError::Secret { message, name, rule: first.rule }.into())
}

/// A name for the secret, from the words before it: `token for staging` is `staging-token`.
fn suggested(text: &str, line: Option<usize>) -> String {
    const KINDS: &[&str] = &["token", "password", "key", "secret", "passphrase", "webhook"];
    const EMPTY: &[&str] = &[
        "the", "a", "an", "my", "our", "your", "this", "is", "of", "and", "for", "on", "in", "to",
        "new",
    ];
    let line = text.lines().nth(line.unwrap_or(1).saturating_sub(1)).unwrap_or_default();
    let words: Vec<String> = line
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(40)
        .map(str::to_lowercase)
        .collect();
    let telling = |word: &&String| {
        !EMPTY.contains(&word.as_str())
            && word.len() <= 20
            && word.chars().all(|letter| letter.is_ascii_alphabetic())
    };
    let Some(at) = words.iter().position(|word| KINDS.contains(&word.as_str())) else {
        return String::new();
    };
    let after = match words.get(at + 1).map(String::as_str) {
        Some("for" | "of" | "on" | "to" | "in") => words[at + 2..].iter().take(2).find(telling),
        _ => None,
    };
    let before = at.checked_sub(1).map(|before| &words[before]).filter(telling);
    after.or(before).map_or_else(String::new, |word| format!("{word}-{}", words[at]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_comes_from_the_words() {
        assert_eq!(suggested("token for staging is x", Some(1)), "staging-token");
        assert_eq!(suggested("one\nthe password for the router is x", Some(2)), "router-password");
        assert_eq!(suggested("GitHub token x", None), "github-token");
        assert_eq!(suggested("the token is x", None), "");
        assert_eq!(suggested("see x", None), "");
    }
}
