//! What may travel: which names belong into an identity at all, and which are a machine's own state.
//!
//! Invariant: pure rules over paths; the same for archives, `check` and everything that comes from elsewhere.

use super::path::RelPath;

/// Why a file is this machine's own and must not travel; `None` for everything else.
pub fn machine_state(path: &RelPath) -> Option<&'static str> {
    let (text, name) = (path.as_str(), path.name().to_lowercase());
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if matches!(name.as_str(), "id_rsa" | "id_ecdsa" | "id_ed25519" | "id_dsa") || ends(&[".pem", ".key", ".p12", ".pfx", ".keystore"]) {
        return Some("a private key or certificate");
    }
    if matches!(name.as_str(), ".env" | ".netrc" | "credentials.json" | "auth.json" | ".credentials.json") {
        return Some("a file of credentials");
    }
    if text.starts_with("attachments/") {
        return None;
    }
    match text.split('/').next().unwrap_or_default() {
        "settings.json" => return Some("this machine's settings"),
        "local" => return Some("co's own caches and databases"),
        "sessions" => return Some("this machine's sessions"),
        "cache" | ".cache" => return Some("a cache"),
        _ => {}
    }
    ends(&[".db", ".db-wal", ".db-shm", ".db-journal", ".sqlite", ".sqlite3"]).then_some("a database")
}

/// Files that systems leave in every folder; they are passed over, not refused.
pub fn is_litter(path: &RelPath) -> bool {
    let name = path.name();
    matches!(name, ".DS_Store" | "Thumbs.db" | "desktop.ini" | ".gitkeep") || name.starts_with("._")
}

/// The folders and files that an identity has at its top; an archive's own top folder is recognised by not being one of them.
pub const TOP: &[&str] = &["profile.md", "profile", "personality.md", "traits", "knowledge", "attachments"];

/// Why a path that comes from elsewhere is refused; `None` when it may come in.
pub fn refused(path: &RelPath) -> Option<String> {
    if let Some(state) = machine_state(path) {
        return Some(format!("it is {state}, which does not travel"));
    }
    if path.as_str().chars().any(|letter| letter.is_control() || super::text::is_bidi(letter)) {
        return Some("its name holds control characters".to_owned());
    }
    if path.as_str().split('/').any(|part| part.len() > 255) || path.as_str().len() > 1024 {
        return Some("its name is longer than file systems take".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn state_stays_and_identity_travels() {
        let state = |text: &str| machine_state(&RelPath::known(text)).is_some();
        for text in ["settings.json", "local/knowledge.db", "sessions/1.jsonl", "knowledge/x.sqlite3", "keys/id_ed25519", "attachments/a.pem", ".env"]
        {
            assert!(state(text), "{text}");
        }
        for text in ["profile.md", "knowledge/settings.json", "attachments/chinook.db", "knowledge/memories/001-local.md", "traits/sessions.md"] {
            assert!(!state(text), "{text}");
        }
    }
}
