//! Folders synced by a cloud service: a repository in one gets damaged sooner or later.

use std::path::Path;

/// Folder names that sync services create, and the service.
const FOLDERS: &[(&str, &str)] = &[
    ("Dropbox", "Dropbox"),
    ("iCloud Drive", "iCloud"),
    ("Mobile Documents", "iCloud"),
    ("OneDrive", "OneDrive"),
    ("Google Drive", "Google Drive"),
    ("GoogleDrive", "Google Drive"),
    ("My Drive", "Google Drive"),
    ("Nextcloud", "Nextcloud"),
    ("ownCloud", "ownCloud"),
    ("Syncthing", "Syncthing"),
    ("MEGA", "MEGA"),
    ("pCloud", "pCloud"),
    ("ProtonDrive", "Proton Drive"),
    ("Proton Drive", "Proton Drive"),
    ("Yandex.Disk", "Yandex Disk"),
];

/// The service that syncs a folder, judging by the names in its path.
pub fn service_of(folder: &Path) -> Option<&'static str> {
    let part = |name: &str| {
        folder.iter().any(|part| {
            let rest = part.to_str().and_then(|part| part.strip_prefix(name));
            // `Dropbox (Personal)`, `OneDrive - Work`, `pCloudDrive`.
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_lowercase()))
        })
    };
    FOLDERS.iter().find(|(name, _)| part(name)).map(|(_, service)| *service)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_are_known_by_their_folders() {
        let of = |path: &str| service_of(Path::new(path));
        assert_eq!(of("/home/x/Dropbox (Personal)/co"), Some("Dropbox"));
        assert_eq!(of("/Users/x/Library/Mobile Documents/co"), Some("iCloud"));
        assert_eq!(of("/home/x/OneDrive - Work"), Some("OneDrive"));
        assert_eq!(of("/home/x/MEGAtron/megabytes"), None);
        assert_eq!(of("/home/x/.config/co-cli/identity"), None);
    }
}
