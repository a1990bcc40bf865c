//! A path inside an identity.
//!
//! Invariant: a [`RelPath`] never leaves the identity (no `..`, no root, no empty component) and
//! uses `/` on every system.

use std::{
    borrow::Cow,
    fmt,
    path::{MAIN_SEPARATOR, Path, PathBuf},
    sync::Arc,
};
use unicode_normalization::UnicodeNormalization;

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelPath(Arc<str>);

/// Whether a component of the path begins with a dot.
pub fn has_hidden_part(path: &str) -> bool {
    // Hot: every file of every listing goes through here.
    let bytes = path.as_bytes();
    bytes.first() == Some(&b'.')
        || memchr::memchr_iter(b'/', bytes).any(|slash| bytes.get(slash + 1) == Some(&b'.'))
}

/// Whether a path stays in its folder, whatever the system.
fn is_sound(path: &str) -> bool {
    // Hot: every file of every tree goes through here.
    let bytes = path.as_bytes();
    let sound = |part: &[u8]| !matches!(part, b"" | b"." | b"..");
    let mut start = 0;
    for slash in memchr::memchr_iter(b'/', bytes) {
        if !sound(&bytes[start..slash]) {
            return false;
        }
        start = slash + 1;
    }
    sound(&bytes[start..]) && memchr::memchr2(b'\\', 0, bytes).is_none()
}

/// Whether a name has only ASCII letters, digits, `-`, `_`, and dots further on: on every system a
/// file of its folder, and nothing else.
pub fn is_plain_name(name: &[u8]) -> bool {
    // Hot: every file of every listing goes through here. All are looked at, many at a time,
    // instead of one after the other until one is none of them.
    let is_one = |byte: &u8| {
        byte.is_ascii_alphanumeric() | (*byte == b'-') | (*byte == b'_') | (*byte == b'.')
    };
    name.first().is_some_and(|first| *first != b'.')
        && name.iter().fold(true, |all, byte| all & is_one(byte))
}

/// The paths of the entries of a folder.
pub struct FolderPath {
    /// The folder, with a trailing `/` or empty, and the name of an entry.
    text: String,
    folder: usize,
    is_sound: bool,
}

impl FolderPath {
    /// `folder` has a trailing `/`; empty is the identity itself.
    pub fn new(folder: &str) -> FolderPath {
        let is_sound = folder.is_empty() || folder.strip_suffix('/').is_some_and(is_sound);
        FolderPath { text: folder.to_owned(), folder: folder.len(), is_sound }
    }

    /// As [`RelPath::new`] of the folder and a name; if that could leave the identity, the text of
    /// it, to be shown.
    pub fn entry(&mut self, name: &str) -> Result<RelPath, &str> {
        self.text.truncate(self.folder);
        self.text.push_str(name);
        // Hot: nearly every name is plain, which says more.
        if (self.is_sound && is_plain_name(name.as_bytes())) || is_sound(&self.text) {
            return Ok(RelPath(self.text.as_str().into()));
        }
        Err(&self.text)
    }
}

fn file_in(folder: &Path, path: &str) -> PathBuf {
    // Hot: every fact of a list goes through here.
    let mut file = PathBuf::with_capacity(folder.as_os_str().len() + 1 + path.len());
    file.push(folder);
    if MAIN_SEPARATOR == '/' {
        file.push(path);
    } else {
        file.extend(path.split('/'));
    }
    file
}

impl RelPath {
    /// `None` when the path could leave the identity.
    pub fn new(text: &str) -> Option<RelPath> {
        is_sound(text).then(|| RelPath(text.into()))
    }

    /// For a path that the program composed; panics if it is invalid, which is a bug.
    pub fn known(text: &str) -> RelPath {
        RelPath::new(text).expect("because the program composed this path from sound parts")
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The file in a folder, as the system writes its path: with `\` on Windows.
    pub fn below(&self, folder: &Path) -> PathBuf {
        file_in(folder, &self.0)
    }

    /// As [`RelPath::below`] for a path as text; `None` when it could leave the folder.
    pub(super) fn file_below(folder: &Path, path: &str) -> Option<PathBuf> {
        is_sound(path).then(|| file_in(folder, path))
    }

    pub fn name(&self) -> &str {
        memchr::memrchr(b'/', self.0.as_bytes()).map_or(&*self.0, |slash| &self.0[slash + 1..])
    }

    pub fn stem(&self) -> &str {
        let name = self.name();
        name.rsplit_once('.').map_or(name, |(stem, _)| stem)
    }

    /// Whether a program keeps it for itself (`.obsidian`, `.trash`), or it is in such a folder.
    pub fn is_hidden(&self) -> bool {
        has_hidden_part(&self.0)
    }

    /// With a trailing `/`; empty at the top level.
    pub fn folder(&self) -> &str {
        &self.0[..self.0.len() - self.name().len()]
    }

    pub fn with_name(&self, name: &str) -> RelPath {
        RelPath::known(&format!("{}{name}", self.folder()))
    }

    /// A key for file systems that fold case and Unicode normalisation (macOS, Windows): paths with
    /// the same key are one file there.
    pub fn folded(&self) -> String {
        self.as_folded().into_owned()
    }

    /// As [`RelPath::folded`], to look at only.
    pub fn as_folded(&self) -> Cow<'_, str> {
        if !self.0.is_ascii() {
            return self.0.nfc().flat_map(char::to_lowercase).nfc().collect::<String>().into();
        }
        if self.0.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return self.0.to_ascii_lowercase().into();
        }
        Cow::Borrowed(&self.0)
    }

    /// Whether a person reads the same path: they differ in Unicode normalisation at most.
    pub fn reads_like(&self, other: &RelPath) -> bool {
        self.0.nfc().eq(other.0.nfc())
    }
}

impl fmt::Display for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RelPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl serde::Serialize for RelPath {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_the_identity() {
        for text in ["", "/etc/passwd", "../x", "a/../b", "a//b", "./a", "a\\b", "a/"] {
            assert_eq!(RelPath::new(text), None, "{text:?}");
            assert_eq!(RelPath::file_below(Path::new("/home/a"), text), None, "{text:?}");
        }
    }

    #[test]
    fn an_entry_has_the_path_of_its_folder_and_its_name() {
        let names = [
            "a.md",
            "001-a_b.md",
            "",
            ".",
            "..",
            ".a",
            "a..",
            "a\\b",
            "a/b",
            "a/../b",
            "a\0b",
            "ä b",
            "-",
            "A",
        ];
        for folder in ["", "a/", "a/b/", "ä/.b/", "../", "a/../b/", "/", "a", "a//"] {
            let mut entries = FolderPath::new(folder);
            for name in names.iter().chain(names.iter().rev()) {
                let whole = format!("{folder}{name}");
                let path = entries.entry(name).map_err(ToOwned::to_owned);
                assert_eq!(path, RelPath::new(&whole).ok_or(whole), "{folder:?} {name:?}");
            }
        }
    }

    #[test]
    fn a_plain_name_has_nothing_else() {
        for byte in 0..=u8::MAX {
            let is_plain = byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            for length in [1, 15, 16, 17, 40] {
                let mut name = vec![b'x'; length + 1];
                name[length] = byte;
                assert_eq!(is_plain_name(&name), is_plain, "{byte} at {length}");
            }
            assert_eq!(is_plain_name(&[byte]), is_plain && byte != b'.', "{byte}");
        }
        assert!(!is_plain_name(b"") && !is_plain_name(b".a") && is_plain_name(b"a."));
    }

    #[test]
    fn a_file_is_below_its_folder_however_that_is_written() {
        for folder in ["/home/a", "/home/a/", "/", "", ".", "a b", "/ä/ö"] {
            for path in ["x", "x.md", "a/b/c.md", "ä/ö.md"] {
                let each: PathBuf = Path::new(folder).components().collect();
                let each = path.split('/').fold(each, |file, part| file.join(part));
                let folder = Path::new(folder);
                assert_eq!(RelPath::file_below(folder, path), Some(each.clone()), "{folder:?}");
                assert_eq!(RelPath::known(path).below(folder), each, "{folder:?}");
            }
        }
    }

    #[test]
    fn a_hidden_part_is_found_wherever_it_stands() {
        for path in [".a", ".a/b", "a/.b", "a/.b/c", "a/b/.c.md", "..", "a/..", "/."] {
            assert!(has_hidden_part(path), "{path}");
        }
        for path in ["", "a", "a.md", "a./b", "a/b.c/d.", "a/", "ä/ö.md", "/"] {
            assert!(!has_hidden_part(path), "{path}");
        }
    }

    #[test]
    fn a_name_is_what_follows_the_last_slash() {
        for (path, name, folder) in
            [("a", "a", ""), ("a/b.md", "b.md", "a/"), ("ä/ö/ü", "ü", "ä/ö/"), (".x/y", "y", ".x/")]
        {
            let path = RelPath::known(path);
            assert_eq!((path.name(), path.folder()), (name, folder), "{path}");
        }
    }

    #[test]
    fn one_file_on_some_system_folds_to_one_text() {
        let folded = |text: &str| RelPath::known(text).folded();
        assert_eq!(folded("a/Caf\u{e9}.md"), folded("a/cafe\u{301}.MD"));
        assert_ne!(folded("a/cafe.md"), folded("a/caf\u{e9}.md"));
        assert_eq!(folded("A/b-1.MD"), "a/b-1.md");
        assert_eq!(folded("a/b-1.md"), "a/b-1.md");
    }
}
