//! Recognises conflict copies of Dropbox, Google Drive, iCloud, OneDrive and Syncthing by their
//! names.
//!
//! Invariant: a name that people also choose themselves (`notes 2.md`) counts only when the
//! original is next to it. Sources: the services' help pages on conflicted copies.

use super::{blob::Blob, kind::Folding, path::RelPath, snapshot::Snapshot};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConflictCopy {
    pub original: RelPath,
    /// `Dropbox`, `Google Drive`, `iCloud`, `OneDrive` or `Syncthing`.
    pub service: &'static str,
    /// Whether no person would name a file like this.
    pub(super) certain: bool,
}

impl ConflictCopy {
    /// Whether the copy may be merged into the original: only if the service is certain, and either
    /// the merge of that kind loses nothing or both are the same memory.
    pub(super) fn may_be_folded(&self, copy: &Blob, original: Option<&Blob>) -> bool {
        let origin = |blob: &Blob| blob.facts().ok().map(|facts| facts.created);
        let fits = match (self.original.row().folding, original) {
            (Folding::Never, _) => false,
            // The original is gone: the copy is all there is.
            (Folding::ByEntries | Folding::SameOrigin, None) => true,
            (Folding::ByEntries, Some(_)) => true,
            (Folding::SameOrigin, Some(original)) => {
                origin(copy).is_some() && origin(copy) == origin(original)
            }
        };
        self.certain && fits
    }
}

/// The placeholder that iCloud leaves for a file that it evicted.
pub fn placeholder(path: &RelPath) -> Option<RelPath> {
    RelPath::new(&format!("{}.{}.icloud", path.folder(), path.name()))
}

/// The file that iCloud evicted.
pub fn evicted(placeholder: &RelPath) -> Option<RelPath> {
    let name = placeholder.name().strip_prefix('.')?.strip_suffix(".icloud")?;
    RelPath::new(&format!("{}{name}", placeholder.folder()))
}

/// The original that a copy may be folded into; it need not exist.
pub fn folds_into(path: &RelPath, blob: &Blob, whole: &Snapshot) -> Option<RelPath> {
    let copy = conflict_copy(path, |other| whole.get(other).is_some())?;
    copy.may_be_folded(blob, whole.get(&copy.original)).then_some(copy.original)
}

pub fn conflict_copy(path: &RelPath, exists: impl Fn(&RelPath) -> bool) -> Option<ConflictCopy> {
    let (stem, ending) = path.name().rsplit_once('.')?;
    let (original, service, certain) = of_stem(stem)?;
    let original = original.trim_end();
    if original.is_empty() {
        return None;
    }
    let original = path.with_name(&format!("{original}.{ending}"));
    (certain || exists(&original)).then_some(ConflictCopy { original, service, certain })
}

/// Returns the original's stem, the service, and [`ConflictCopy::certain`].
fn of_stem(stem: &str) -> Option<(&str, &'static str, bool)> {
    if let Some((original, rest)) = stem.split_once(".sync-conflict-") {
        let dated = rest.len() > 15 && rest.as_bytes()[..8].iter().all(u8::is_ascii_digit);
        return dated.then_some((original, "Syncthing", true));
    }
    if let Some((original, rest)) = stem.rsplit_once(" (") {
        let inside = rest.strip_suffix(')')?.to_lowercase();
        if inside.contains("conflicted copy")
            || inside.contains("case conflict")
            || inside.contains("in conflict")
        {
            return Some((original, "Dropbox", true));
        }
        return inside.bytes().all(|byte| byte.is_ascii_digit()).then_some((
            original,
            "Google Drive",
            false,
        ));
    }
    if let Some((original, number)) = stem.rsplit_once(' ')
        && (1..=2).contains(&number.len())
        && number.parse::<u8>().is_ok_and(|number| number >= 2)
    {
        return Some((original, "iCloud", false));
    }
    for host in ["-DESKTOP-", "-LAPTOP-"] {
        if let Some((original, rest)) = stem.split_once(host) {
            let plain = rest.split('-').next().unwrap_or_default();
            let is_host = (5..=10).contains(&plain.len())
                && plain.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
            return is_host.then_some((original, "OneDrive", false));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_service_and_no_innocent_name() {
        let known = |name: &str| {
            let found = conflict_copy(&RelPath::known(&format!("knowledge/{name}")), |path| {
                path.as_str() == "knowledge/context.md"
            });
            found.map(|copy| (copy.original.name().to_owned(), copy.service))
        };
        for name in [
            "context (conflicted copy 2026-11-20).md",
            "context (Bin's conflicted copy 2026-11-20).md",
            "context (Bins-MacBook-Pro's conflicted copy 2026-11-20 1).md",
            "context (Case Conflict).md",
        ] {
            assert_eq!(known(name), Some(("context.md".into(), "Dropbox")), "{name}");
        }
        assert_eq!(
            known("context.sync-conflict-20261120-093000-ABCDEFG.md"),
            Some(("context.md".into(), "Syncthing"))
        );
        assert_eq!(known("context-DESKTOP-AB12CD3.md"), Some(("context.md".into(), "OneDrive")));
        assert_eq!(known("context-LAPTOP-9XK2PQ1-2.md"), Some(("context.md".into(), "OneDrive")));
        assert_eq!(known("context 2.md"), Some(("context.md".into(), "iCloud")));
        assert_eq!(known("context (1).md"), Some(("context.md".into(), "Google Drive")));
        for name in [
            "notes 2.md",
            "notes (1).md",
            "context (draft).md",
            "chapter-DESKTOP-setup.md",
            "context 1.md",
            "2.md",
            "context.md",
        ] {
            assert_eq!(known(name), None, "{name}");
        }
    }
}
