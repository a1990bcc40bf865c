//! The patterns of places: a folder with all below it, or the remotes of a repository.
//!
//! Invariant: a pattern for folders is compared with the folder as it was typed and with links
//! resolved, one for remotes with every remote of the repository around it, in one form for ssh and
//! https. What cannot match anything is an error. Must not know: what a layer is.

use crate::identity::project::Project;

/// The place of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The folder, with `/` between names: as it was typed, and with links resolved.
    pub folders: Vec<String>,
    pub remotes: Remotes,
}

/// The remotes of the repository around a folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remotes {
    /// None outside a repository.
    Known(Vec<Project>),
    /// The repository cannot be read, or belongs to somebody else.
    Unreadable,
}

/// A pattern of places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlacePattern {
    /// The forms of one pattern, absolute: as it was typed, and with links resolved.
    Folder(Vec<String>),
    /// `github.com/acme/*`
    Remote(String),
}

/// Whether a pattern is for a place. Of several patterns, the greatest counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fit {
    No,
    Unknown,
    Yes,
}

/// What a pattern is compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Compared {
    Folder,
    Remote,
}

/// Why a pattern cannot match anything.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatternError {
    #[error("it is empty")]
    Empty,
    #[error("the home folder of another person is not known here")]
    OfAnother,
    #[error("a relative path would mean a different place in each folder")]
    Relative,
    #[error("a remote that is a path is known on this laptop only")]
    Local,
    #[error("it names no host before the first `/`")]
    NoHost,
}

/// What a typed pattern is compared with, if there is anything.
pub fn read(text: &str) -> Result<Compared, PatternError> {
    let text = text.trim();
    let is_home = text == "~" || text.starts_with("~/");
    let is_drive = text.as_bytes().get(1) == Some(&b':')
        && text.as_bytes().get(2).is_some_and(|byte| matches!(byte, b'/' | b'\\'));
    match text {
        "" => Err(PatternError::Empty),
        _ if is_home || is_drive || text.starts_with('/') => Ok(Compared::Folder),
        _ if text.starts_with('~') => Err(PatternError::OfAnother),
        _ if text.starts_with('.') => Err(PatternError::Relative),
        _ if text.starts_with("file:") => Err(PatternError::Local),
        _ => is_remote(text).map(|()| Compared::Remote),
    }
}

/// `git@github.com:acme/*`, `https://github.com/acme`, `github.com/acme/*`, `*/billing`.
fn is_remote(text: &str) -> Result<(), PatternError> {
    if text.contains("://") {
        return Ok(());
    }
    let (host, _) = text.split_once(['/', ':']).unwrap_or((text, ""));
    let is_host = |host: &str| host.contains(['.', '*', '@']) || host == "localhost";
    // A short name of an ssh host is told from a folder by its colon.
    let is_short = text.split_once(':').is_some_and(|(host, _)| !host.contains('/'));
    if is_host(host) || is_short { Ok(()) } else { Err(PatternError::NoHost) }
}

/// The folder in front of the first part of a pattern that has a `*`, and what follows.
pub fn folder_of(pattern: &str) -> (&str, &str) {
    let Some(star) = pattern.find(['*', '?']) else { return (pattern.trim_end_matches('/'), "") };
    let end = pattern[..star].rfind('/').unwrap_or(0);
    (&pattern[..end], &pattern[end..])
}

impl PlacePattern {
    pub fn is_remote(&self) -> bool {
        matches!(self, PlacePattern::Remote(_))
    }

    pub(super) fn fit(&self, place: &Place) -> Fit {
        match (self, &place.remotes) {
            (PlacePattern::Folder(forms), _) => {
                let fits = |form: &String| place.folders.iter().any(|folder| covers(form, folder));
                if forms.iter().any(fits) { Fit::Yes } else { Fit::No }
            }
            (PlacePattern::Remote(_), Remotes::Unreadable) => Fit::Unknown,
            (PlacePattern::Remote(pattern), Remotes::Known(remotes)) => {
                let fits = remotes.iter().any(|remote| is_of(remote, pattern));
                if fits { Fit::Yes } else { Fit::No }
            }
        }
    }
}

/// `github.com/acme/**` means what `github.com/acme/*` does.
fn is_of(remote: &Project, pattern: &str) -> bool {
    remote.matches(&pattern.trim().replace("**", "*"))
}

/// Whether a folder is one that a pattern means, or lies below one.
fn covers(pattern: &str, folder: &str) -> bool {
    let parts = |path: &str| -> Vec<String> {
        let path = path.replace('\\', "/");
        let folded = if ignores_case() { path.to_lowercase() } else { path };
        folded.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect()
    };
    covers_parts(&parts(pattern), &parts(folder))
}

/// File systems that take one name for another: a place must not get lost by a letter's case.
const fn ignores_case() -> bool {
    cfg!(any(windows, target_os = "macos"))
}

fn covers_parts(pattern: &[String], folder: &[String]) -> bool {
    let Some((first, rest)) = pattern.split_first() else { return true };
    if first == "**" {
        return (0..=folder.len()).any(|skipped| covers_parts(rest, &folder[skipped..]));
    }
    let Some((name, below)) = folder.split_first() else { return false };
    is_like(first, name) && covers_parts(rest, below)
}

/// Whether a name has the form of one part of a pattern, with `*` for any letters and `?` for one.
fn is_like(pattern: &str, name: &str) -> bool {
    let mut letters = pattern.chars();
    match letters.next() {
        None => name.is_empty(),
        Some('*') => {
            let rest = letters.as_str();
            let mut ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
            ends.any(|at| is_like(rest, &name[at..]))
        }
        Some(wanted) => {
            let mut there = name.chars();
            let fits = there.next().is_some_and(|letter| wanted == '?' || wanted == letter);
            fits && is_like(letters.as_str(), there.as_str())
        }
    }
}
