//! How a person refers to a memory: `12`, `mem-012`, `12-3fa9`, `sha256:3fa9…`.
//!
//! Invariant: a bare word is never a handle, so that `co forget tabs` means the text.

use super::{
    ContentHash,
    memory::{Memory, MemoryMeta},
    scope::Scope,
};

/// The fewest hexadecimal digits that identify a text.
pub const MIN_DIGITS: usize = 4;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Handle {
    Id(u64),
    IdAndHash(u64, String),
    Hash(String),
}

impl Handle {
    /// `None` for anything that is plain text.
    pub fn parse(text: &str) -> Option<Handle> {
        let text = text.trim();
        if let Some(digits) = text.strip_prefix("sha256:") {
            return is_prefix(digits).then(|| Handle::Hash(digits.to_ascii_lowercase()));
        }
        // As issues are numbered, which is how models write it.
        let number = text.strip_prefix("mem-").or_else(|| text.strip_prefix('#'));
        let text = number.unwrap_or(text);
        // Any separator that a person may type between number and hash.
        if let Some((id, digits)) = text.split_once(['·', '-', '.', ':', '/', '@', '#']) {
            return (is_prefix(digits)).then(|| {
                id.parse().ok().map(|id| Handle::IdAndHash(id, digits.to_ascii_lowercase()))
            })?;
        }
        let number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        number.then(|| text.parse().ok().map(Handle::Id))?
    }

    pub fn names(&self, memory: &Memory) -> bool {
        match self {
            Handle::Id(id) => memory.id == Some(*id),
            Handle::IdAndHash(id, digits) => {
                memory.id == Some(*id) && memory.hash.hex().starts_with(digits.as_str())
            }
            Handle::Hash(digits) => memory.hash.hex().starts_with(digits.as_str()),
        }
    }
}

/// Whether several memories of a scope share a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shared {
    Yes,
    No,
}

impl From<bool> for Shared {
    fn from(shared: bool) -> Shared {
        if shared { Shared::Yes } else { Shared::No }
    }
}

impl MemoryMeta {
    /// The handle to show of this memory.
    pub fn handle(&self, scope: Scope, shared: Shared) -> String {
        shown(self.id, &self.hash, scope, shared)
    }
}

/// The handle to show of the fact with this number and this text.
pub(super) fn shown(id: Option<u64>, hash: &ContentHash, scope: Scope, shared: Shared) -> String {
    let Some(id) = id else { return format!("sha256:{}", hash.short(8)) };
    let number = match scope {
        Scope::Identity => id.to_string(),
        Scope::Project => format!("p{id}"),
        Scope::Layer(name) => format!("{name}/{id}"),
    };
    match shared {
        Shared::No => number,
        Shared::Yes => format!("{number}-{}", hash.short(MIN_DIGITS)),
    }
}

fn is_prefix(digits: &str) -> bool {
    (MIN_DIGITS..=64).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_handles() {
        assert_eq!(Handle::parse("12"), Some(Handle::Id(12)));
        for typed in ["mem-012", "#12", " #012"] {
            assert_eq!(Handle::parse(typed), Some(Handle::Id(12)), "{typed}");
        }
        for words in ["#", "##12", "# 12", "#1a2b3c", "#tea", "mem-#12"] {
            assert_eq!(Handle::parse(words), None, "{words}");
        }
        for typed in ["12-3FA9", "12·3fa9", "12.3fa9", "12:3fa9", "12/3fa9", "mem-12@3fa9"] {
            assert_eq!(Handle::parse(typed), Some(Handle::IdAndHash(12, "3fa9".into())), "{typed}");
        }
        assert_eq!(Handle::parse("sha256:3fa9"), Some(Handle::Hash("3fa9".into())));
        assert_eq!(Handle::parse("sha256:3f"), None);
        assert_eq!(Handle::parse("tabs"), None);
        assert_eq!(Handle::parse("12 monkeys"), None);
        assert_eq!(Handle::parse("99999999999999999999999"), None);
    }
}
