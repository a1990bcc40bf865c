//! Checks paths and text of every kind of file: names, places, sizes, invisible characters.
//!
//! Invariant: a file that co itself wrote is never a finding.

use super::{
    blob::Blob,
    cloud,
    document::Document,
    finding::{Code, Finding},
    kind::{CONTEXT, Kind, MEMORIES},
    label_lines,
    path::RelPath,
    portable, text,
};
use crate::foreign::Foreign;
use std::collections::BTreeMap;

/// In bytes: what every session can afford to load.
const CONTEXT_BUDGET: usize = 3 * 1024;
/// How deeply documents may be nested: `knowledge/category/subcategory/document` is four levels.
const LEVELS: usize = 4;

/// Machine state, conflict copies, and colliding or misplaced names, across all paths.
pub fn check_paths<'a>(
    paths: impl Iterator<Item = &'a RelPath>,
    blob: impl Fn(&RelPath) -> Option<Blob>,
) -> Vec<Finding> {
    let paths: Vec<&RelPath> = paths.collect();
    let git = portable::git_metadata(paths.iter().copied());
    let as_finding = |(path, why): (&RelPath, &str)| {
        Finding::new(Code::MachineState, path, format!("{why}; move it out of the identity"))
    };
    let mut findings: Vec<Finding> = git.into_iter().map(as_finding).collect();
    let mut folded: BTreeMap<String, &RelPath> = BTreeMap::new();
    for path in paths {
        if let Some(first) = folded.insert(path.folded(), path) {
            let message = format!(
                "differs from {first} only in case or Unicode form, so it is the same file on \
                 other systems; rename one"
            );
            findings.push(Finding::new(Code::PathCollision, path, message));
        }
        findings.extend(check_place(path));
    }
    for path in folded.values() {
        let exists = |other: &RelPath| folded.contains_key(&other.folded());
        if let Some(copy) = cloud::conflict_copy(path, exists) {
            let folds = blob(path)
                .is_some_and(|bytes| copy.may_be_folded(&bytes, blob(&copy.original).as_ref()));
            findings.push(cloud_copy(path, &copy, folds));
        }
    }
    findings
}

fn cloud_copy(path: &RelPath, copy: &cloud::ConflictCopy, folds: bool) -> Finding {
    let (service, original) = (copy.service, copy.original.name());
    let message = if folds {
        format!(
            "a conflict copy of {original} made by {service}; --fix merges what is new in it into \
             the original"
        )
    } else if copy.certain {
        format!(
            "a conflict copy of {original} made by {service}; both texts are kept: move what you \
             want into the original and delete the copy"
        )
    } else {
        format!("may be a conflict copy of {original} made by {service}; if so, keep one of them")
    };
    Finding { fixable: folds, ..Finding::new(Code::CloudCopy, path, message) }
}

fn check_place(path: &RelPath) -> Option<Finding> {
    if let Some(state) = portable::machine_state(path) {
        return Some(Finding::new(
            Code::MachineState,
            path,
            format!("{state}; never synced: move it out of the identity"),
        ));
    }
    if path.name().starts_with('.') && path.name().ends_with(".icloud") {
        let message = "iCloud removed the file from the disk and left this placeholder; open the \
            folder in Finder, or `brctl download` it";
        return Some(Finding::new(Code::Unreadable, path, message));
    }
    let text = path.as_str();
    if !path.as_str().split('/').all(|part| Foreign(part).is_seen_whole()) {
        return Some(Finding::new(
            Code::UnseenCharacters,
            path,
            "the name contains invisible characters; rename the file",
        ));
    }
    let convention = |message: String| Some(Finding::new(Code::PathConvention, path, message));
    if text.chars().any(|letter| "<>:\"|?*".contains(letter))
        || path.name().ends_with(['.', ' '])
        || path.name().starts_with(' ')
    {
        return convention(
            "the name contains a character that some systems cannot store; rename the file".into(),
        );
    }
    let below = text.strip_prefix("knowledge/")?;
    if text.starts_with(MEMORIES) && path.kind() == Kind::Document {
        return convention(format!(
            "is in a folder below {MEMORIES}, where co does not look for facts; move it up"
        ));
    }
    let is_copy = cloud::conflict_copy(path, |_| true).is_some();
    if is_copy || !path.is_document() {
        return None;
    }
    let unusual = naming(below);
    (!unusual.is_empty()).then(|| {
        let message = format!("{}; `co knowledge move` renames it", unusual.join("; "));
        Finding::new(Code::PathConvention, path, message)
    })
}

/// What is unusual about a document's name (relative to `knowledge/`); it works anyway. `_` is
/// usual only in the name of a document that is in no folder.
pub fn naming(below: &str) -> Vec<String> {
    let parts: Vec<&str> = below.strip_suffix(".md").unwrap_or(below).split('/').collect();
    let mut unusual = Vec::new();
    // Imported documents keep the folders that they had.
    let is_article = parts[0] == "articles";
    if parts.len() + 1 > LEVELS && !is_article {
        let deep = parts.len() + 1;
        unusual.push(format!("a path of {deep} levels is hard to browse; use at most {LEVELS}"));
    }
    let is_flat = parts.len() == 1;
    for part in &parts {
        let is_fine = |letter: char| {
            letter.is_alphanumeric() && !letter.is_uppercase()
                || matches!(letter, '-' | '.')
                || (letter == '_' && is_flat)
        };
        if !part.chars().all(is_fine) {
            unusual.push(format!("`{part}`: names are lower case, with hyphens between words"));
        }
    }
    if let ["meetings", .., name] = parts.as_slice()
        && !begins_with_date(name)
    {
        unusual.push(format!("a meeting's name begins with its date: `2025-12-22-{name}`"));
    }
    let name = parts[parts.len() - 1];
    if !is_article && is_placeholder(parts[0], name) {
        unusual.push(format!(
            "`{name}` is a placeholder; name it after what it is about, e.g. `people/sarah`"
        ));
    }
    unusual
}

/// Words that name any document of a folder, and so none.
const PLACEHOLDERS: &[(&str, &[&str])] = &[
    (
        "people",
        &[
            "person",
            "people",
            "contact",
            "friend",
            "colleague",
            "coworker",
            "user",
            "someone",
            "somebody",
            "client",
            "customer",
        ],
    ),
    ("projects", &["project"]),
    ("decisions", &["decision"]),
    ("reference", &["reference", "document"]),
    ("insights", &["insight"]),
];

/// Whether a name is one of these words, or `untitled`, with a number or letter behind it.
fn is_placeholder(category: &str, name: &str) -> bool {
    let words = PLACEHOLDERS.iter().find(|(folder, _)| *folder == category);
    let words = words.map_or(&[][..], |(_, words)| *words);
    let is_bare = |word: &str| {
        let Some(rest) = name.strip_prefix(word) else { return false };
        let mark = rest.trim_start_matches(['-', '_']);
        let is_number = mark.len() <= 3 && mark.bytes().all(|byte| byte.is_ascii_digit());
        let is_letter = mark.len() == 1 && mark.len() < rest.len();
        is_number || is_letter
    };
    words.iter().copied().chain(["untitled"]).any(is_bare)
}

/// Whether a name starts with a date: `2025-12-22-`.
pub fn begins_with_date(name: &str) -> bool {
    let fits = |(at, byte): (usize, u8)| match at {
        4 | 7 | 10 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    name.len() > 11 && name.bytes().take(11).enumerate().all(fits)
}

/// Invisible characters, a second frontmatter, a context over its budget.
pub(super) fn check_text(path: &RelPath, blob: &Blob) -> Vec<Finding> {
    let Ok(whole) = std::str::from_utf8(blob) else { return Vec::new() };
    let mut findings = Vec::new();
    if let Some((line, letter)) = text::unseen(whole) {
        let message = format!(
            "the character U+{:04X} is invisible and can change how the text reads; remove it",
            u32::from(letter)
        );
        findings.push(Finding::new(Code::UnseenCharacters, path, message).at(line));
    }
    findings.extend(second_front(path, whole));
    if path.as_str() == CONTEXT {
        let size = Document::read(blob).map_or(0, |document| document.text().len());
        if size > CONTEXT_BUDGET {
            let message = format!(
                "{size} bytes of text; every session loads it, and the budget is {CONTEXT_BUDGET}: \
                 move details into documents"
            );
            findings.push(Finding::new(Code::OverBudget, path, message));
        }
    }
    findings
}

/// A `---` block of labels at the start of the body: two files were joined, a tool added its own,
/// or the labels of a text could not be read. A fact is a text as somebody said it, which may well
/// begin with rules.
fn second_front(path: &RelPath, text: &str) -> Option<Finding> {
    let text = text.trim_start_matches('\u{feff}');
    let body = behind_block(text)?;
    let is_blank = |line: &&str| line.trim().is_empty();
    let blank: usize = body.split_inclusive('\n').take_while(is_blank).map(str::len).sum();
    let start = &body[blank..];
    let line = text[..text.len() - start.len()].matches('\n').count() + 1;
    let message = "a second `---` block follows the first, and co reads it as text; keep one, with \
        the keys of both, each as `key: value` on its own line";
    let is_block = match path.kind() {
        Kind::Memory => label_lines::begins_with_telling_block(start),
        _ => label_lines::begins_with_block(start),
    };
    is_block.then(|| Finding::new(Code::SecondFrontmatter, path, message).at(line))
}

/// The text behind the block at its top.
fn behind_block(text: &str) -> Option<&str> {
    let is_mark = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let mut at = lines.next().filter(|line| is_mark(line))?.len();
    for line in lines {
        at += line.len();
        if is_mark(line) {
            return Some(&text[at..]);
        }
    }
    None
}
