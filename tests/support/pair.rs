//! Two laptops and their remote, and the check that laptops hold the same.

use super::{Laptop, World};

/// Two laptops that share one identity of three facts, synced.
pub fn pair(world: &World) -> (Laptop, Laptop) {
    let (remote, a, b) = (world.remote(), world.laptop("a"), world.laptop("b"));
    a.co(&[
        "init",
        "--yes",
        "--name",
        "Bin",
        "--timezone",
        "America/Los_Angeles",
        "--remote",
        &remote,
    ]);
    for fact in ["I prefer async/await", "Prefers tabs", "Uses SQLAlchemy"] {
        a.co(&["learn", fact]);
    }
    a.co(&["identity", "sync"]);
    b.co(&["init", "--yes", &remote]);
    (a, b)
}

/// Each in turn; what they say.
pub fn sync(laptops: &[&Laptop]) -> String {
    laptops.iter().map(|laptop| laptop.co(&["sync"])).collect()
}

/// Both hold the same files, committed and pushed, with nothing left to sync and no marker.
pub fn assert_agree(laptops: &[&Laptop]) {
    for laptop in laptops {
        assert_eq!(
            laptop.tree(),
            laptops[0].tree(),
            "{} differs from {}",
            laptop.name,
            laptops[0].name
        );
        assert_eq!(laptop.git(&["status", "--porcelain"]), "", "{} is not clean", laptop.name);
        laptop.git(&["fsck", "--strict", "--no-dangling"]);
        assert_eq!(laptop.co(&["identity", "sync"]), "Up to date.\n");
        for (path, bytes) in laptop.tree() {
            assert!(!String::from_utf8_lossy(&bytes).contains("<<<<<<<"), "a marker in {path}");
        }
    }
}
