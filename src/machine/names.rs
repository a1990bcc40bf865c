//! Names that no system takes for git's own folder, and that do not leave the repository.
//!
//! Invariant: a name that is let pass without asking the rules breaks none of them. Must not know
//! what the file is.

use crate::identity::path::is_plain_name;
use gix::bstr::{BStr, ByteSlice};

const UNSOUND: &str = if super::platform::RESERVES_NAMES {
    "a name that Windows cannot store, or treats as git's own folder"
} else {
    "a name that some file systems treat as git's own folder"
};

/// Refuses names that leave the repository, or that some file system takes for git's own folder.
pub fn sound_name<'a>(path: impl Into<&'a BStr>) -> Result<(), &'static str> {
    let path: &BStr = path.into();
    // Hot: a listing asks for names without a folder, and nearly all of them are plain.
    if is_plain(path) {
        return Ok(());
    }
    let options = gix::validate::path::component::Options {
        protect_windows: super::platform::RESERVES_NAMES,
        protect_hfs: true,
        protect_ntfs: true,
    };
    let sound = path.split(|byte| *byte == b'/').all(|part| {
        is_plain(part) || gix::validate::path::component(part.as_bstr(), None, options).is_ok()
    });
    if sound { Ok(()) } else { Err(UNSOUND) }
}

/// Whether no rule about names can apply. It spares nearly every name the rules, which go through
/// it letter by letter, twice.
fn is_plain(part: &[u8]) -> bool {
    !super::platform::RESERVES_NAMES && is_plain_name(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plain_name_breaks_no_rule() {
        let options = gix::validate::path::component::Options {
            protect_windows: crate::machine::platform::RESERVES_NAMES,
            protect_hfs: true,
            protect_ntfs: true,
        };
        let names =
            "001-a.md git GIT git-1 git_1 gitmodules gi7eba a.git a..b a. - _ 0 con AUX.md nul";
        for name in names.split(' ') {
            assert_eq!(
                is_plain(name.as_bytes()),
                !crate::machine::platform::RESERVES_NAMES,
                "{name}"
            );
            if is_plain(name.as_bytes()) {
                let checked = gix::validate::path::component(name.into(), None, options);
                assert!(checked.is_ok(), "{name}");
            }
        }
        for byte in 0..=u8::MAX {
            let told = is_plain(&[b'a', byte]);
            let plain = byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            assert_eq!(told, plain && !crate::machine::platform::RESERVES_NAMES, "{byte}");
        }
        for name in
            ["", ".", "..", ".git", ".GIT", "git~1", ".g\u{200c}it", "a b", "a:b", "ä", ".git "]
        {
            assert!(!is_plain(name.as_bytes()), "{name}");
        }
        for unsound in [".git", "a/.GIT/b", "git~1", "a/../b", "a//b", ".g\u{200c}it"] {
            assert!(sound_name(unsound).is_err(), "{unsound}");
        }
    }
}
