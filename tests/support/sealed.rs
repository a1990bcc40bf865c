//! Laptops that share a sealed remote: with a keyring each, or with a recovery key in their
//! environment.

use super::{Laptop, Session, World, git};
use std::{fs, path::Path};

/// A recovery key that opens nothing but what tests seal, for laptops without a keyring.
pub const KEY: &str = "AGE-SECRET-KEY-1QSY5DV5HT5ASR66D4FXJHP2FKL9Z2SFQFFHEYJUGYG6LPDX6GTLSNCQ3SM";

/// A laptop that has that key in its environment, as a server has.
pub fn with_key(laptop: &Laptop) -> Laptop {
    laptop.with_env("CO_SEAL_KEY", KEY)
}

/// A laptop with a keyring of its own.
pub struct Own {
    pub laptop: Laptop,
    pub session: Session,
}

impl Own {
    pub fn new(world: &World, name: &str) -> Option<Own> {
        let laptop = world.laptop(name);
        let session = Session::start(&laptop.home)?;
        let laptop = laptop.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address);
        Some(Own { laptop, session })
    }

    /// One whose keyring answers, and keeps nothing: it was never logged in to.
    pub fn keeping_nothing(world: &World, name: &str) -> Option<Own> {
        if !Session::is_possible(&["dbus-run-session", "gnome-keyring-daemon"]) {
            return None;
        }
        let laptop = world.laptop(name);
        let start = "gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1";
        let session = Session::starting_with(&laptop.home, start);
        let laptop = laptop.with_env("DBUS_SESSION_BUS_ADDRESS", &session.address);
        Some(Own { laptop, session })
    }
}

/// An empty repository.
pub fn empty(world: &World, name: &str) -> String {
    let folder = world.path(name);
    fs::create_dir_all(&folder).expect("a folder");
    git(&folder, &["init", "--quiet", "--bare", "--initial-branch=main"]);
    folder.display().to_string()
}

/// A laptop with three facts whose remote is sealed, and the file with the recovery key.
pub fn sealed(world: &World) -> Option<(Own, String, String)> {
    let own = Own::new(world, "atlas")?;
    let a = &own.laptop;
    a.co(&["init", "--yes", "--name", "Bin Chen", "--timezone", "Europe/Berlin"]);
    for fact in ["Prefers spaces to tabs", "Deploys with fly.io", "Lives in Seattle"] {
        a.co(&["learn", fact]);
    }
    a.co(&["sync"]);
    let (url, key) = (empty(world, "sealed.git"), world.path("key.txt").display().to_string());
    let said = a.co(&["seal", "on", &url, "--key-out", &key, "--yes"]);
    assert!(said.contains("Sealed"), "{said}");
    Some((own, url, key))
}

pub fn joined(world: &World, name: &str, url: &str, key: &str) -> Option<Own> {
    let own = Own::new(world, name)?;
    let said = own.laptop.co(&["init", url, "--key", key, "--yes"]);
    assert!(said.contains("Cloned Bin Chen's identity: 3 facts"), "{said}");
    Some(own)
}

/// The commit on the remote.
pub fn tip(url: &str) -> String {
    git(Path::new(url), &["rev-parse", "main"]).trim().to_owned()
}
