//! What somebody does to a sealed remote who can write to it and has no key: each is refused by its
//! name, or changes nothing, and nothing is written on the laptop that meets it.

use crate::support::{
    Laptop, World, git,
    pair::{assert_agree, sync},
    sealed::{Own, empty, joined, sealed, tip},
};
use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

/// A work tree of what lies on the remote, to be changed and pushed back.
struct Intruder {
    tree: PathBuf,
    /// The same of a sealed remote of somebody else, who pushed more often.
    foreign: PathBuf,
    url: String,
    /// Where the branch is put back to before each attack.
    good: String,
}

impl Intruder {
    fn pack(&self, number: u64) -> PathBuf {
        pack(&self.tree, number)
    }

    fn read(&self, number: u64) -> Vec<u8> {
        fs::read(self.pack(number)).expect("a pack")
    }

    fn write(&self, number: u64, bytes: &[u8]) {
        fs::write(self.pack(number), bytes).expect("written");
    }

    fn remove(&self, numbers: &[u64]) {
        for number in numbers {
            fs::remove_file(self.pack(*number)).expect("removed");
        }
    }

    fn swap(&self, one: u64, other: u64) {
        let (first, second) = (self.read(one), self.read(other));
        self.write(one, &second);
        self.write(other, &first);
    }

    fn flip(&self, number: u64, at: impl Fn(usize) -> usize) {
        let mut bytes = self.read(number);
        let at = at(bytes.len());
        bytes[at] ^= 1;
        self.write(number, &bytes);
    }

    fn keys(&self) -> Vec<PathBuf> {
        keys(&self.tree)
    }

    fn reset(&self) {
        git(&self.tree, &["reset", "--quiet", "--hard", &self.good]);
        git(&self.tree, &["clean", "--quiet", "-ffdx"]);
    }

    fn push(&self) {
        git(&self.tree, &["add", "--all"]);
        git(&self.tree, &["commit", "--quiet", "--allow-empty", "-m", "attack"]);
        git(&self.tree, &["push", "--quiet", "--force", "origin", "HEAD:main"]);
    }

    fn bare(&self, words: &[&str]) -> String {
        git(Path::new(&self.url), words)
    }

    fn put_right(&self) {
        self.bare(&["update-ref", "refs/heads/main", &self.good]);
    }
}

fn pack(tree: &Path, number: u64) -> PathBuf {
    tree.join(format!("packs/00/00/{number:02}.age"))
}

fn keys(tree: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(tree.join("keys")).expect("keys");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a key").path()).collect();
    paths.sort();
    paths
}

fn cloned(world: &World, url: &str, name: &str) -> PathBuf {
    let tree = world.path(name);
    git(&world.path("."), &["clone", "--quiet", url, &tree.display().to_string()]);
    tree
}

/// Somebody else's sealed remote of six pushes.
fn foreign(world: &World) -> Option<String> {
    let own = Own::new(world, "mallory")?;
    let m = &own.laptop;
    let (url, key) = (empty(world, "foreign.git"), world.path("f.txt").display().to_string());
    m.co(&["init", "--yes", "--name", "Mallory"]);
    m.co(&["seal", "on", &url, "--key-out", &key, "--yes"]);
    for number in 2..=6 {
        m.co(&["learn", &format!("Foreign fact {number}")]);
        m.co(&["sync"]);
    }
    Some(url)
}

/// All of a laptop that a sync could write to.
fn written(laptop: &Laptop) -> Vec<String> {
    let seen = fs::read_to_string(laptop.identity().join(".git/co/sealed.json"));
    vec![
        laptop.git(&["for-each-ref"]),
        laptop.git(&["rev-parse", "HEAD"]),
        laptop.git(&["count-objects", "-v"]),
        seen.expect("what was seen"),
        laptop.texts(),
    ]
}

/// One who has the first three pushes, and an intruder beside the fourth.
struct Scene {
    world: World,
    a: Own,
    b: Own,
    intruder: Intruder,
}

fn scene() -> Option<Scene> {
    let world = World::new();
    let (a, url, key) = sealed(&world)?;
    let b = joined(&world, "borg", &url, &key)?;
    a.laptop.co(&["learn", "Uses a standing desk"]);
    sync(&[&a.laptop, &b.laptop]);
    a.laptop.co(&["learn", "Drinks green tea"]);
    a.laptop.co(&["sync"]);
    let foreign = cloned(&world, &foreign(&world)?, "foreign");
    let (tree, good) = (cloned(&world, &url, "tree"), tip(&url));
    Some(Scene { a, b, intruder: Intruder { tree, foreign, url, good }, world })
}

/// The number of the push that b has not seen.
const NEW: u64 = 4;

type Attack = (&'static str, &'static str, fn(&Intruder));

const TRUST: &str = "cannot be trusted";

#[test]
fn packs_that_were_cut_forged_swapped_or_replayed_are_refused() {
    let attacks: &[Attack] = &[
        ("the end is cut off", "a part of it is missing", |i| {
            let bytes = i.read(NEW);
            i.write(NEW, &bytes[..bytes.len() - 100]);
        }),
        ("half of it", "a part of it is missing", |i| {
            let bytes = i.read(NEW);
            i.write(NEW, &bytes[..bytes.len() / 2]);
        }),
        ("empty", "not a sealed pack", |i| i.write(NEW, b"")),
        ("a bit of the header", TRUST, |i| i.flip(NEW, |_| 30)),
        ("a bit in the middle", "it was changed", |i| i.flip(NEW, |length| length / 2)),
        ("a bit at the end", "it was changed", |i| i.flip(NEW, |length| length - 5)),
        ("a byte more", "it was changed", |i| {
            let longer = [i.read(NEW), b"x".to_vec()].concat();
            i.write(NEW, &longer);
        }),
        ("the last one again", "push 3 is not in its place", |i| i.write(NEW, &i.read(3))),
        ("the first one again", "push 1 is not in its place", |i| i.write(NEW, &i.read(1))),
        ("a bundle in clear", "not a sealed pack", |i| i.write(NEW, b"# v2 git bundle\n")),
        ("a text", "not a sealed pack", |i| i.write(NEW, b"hello\n")),
        ("another repository's fourth", "no push before it handed over", |i| {
            fs::copy(pack(&i.foreign, NEW), i.pack(NEW)).expect("copied");
        }),
        ("another repository's first", "no push before it handed over", |i| {
            fs::copy(pack(&i.foreign, 1), i.pack(NEW)).expect("copied");
        }),
        ("an age file of another recipient", "no push before it handed over", |i| {
            fs::copy(&keys(&i.foreign)[0], i.pack(NEW)).expect("copied");
        }),
        ("a key file of this repository", "no push before it handed over", |i| {
            fs::copy(&i.keys()[0], i.pack(NEW)).expect("copied");
        }),
        ("a passphrase that takes for ever", TRUST, |i| {
            let head = format!("-> scrypt {} 63\n{}\n", "A".repeat(22), "A".repeat(43));
            let end = format!("--- {}\n", "A".repeat(43));
            i.write(NEW, format!("age-encryption.org/v1\n{head}{end}").as_bytes());
        }),
        ("a header without end", "not a sealed pack", |i| {
            let lines = "-> X25519 a\naaaa\n".repeat(200_000);
            i.write(NEW, format!("age-encryption.org/v1\n{lines}").as_bytes());
        }),
        ("a number is left out", "pack 4 is missing", |i| {
            fs::rename(i.pack(NEW), i.pack(NEW + 1)).expect("renamed");
        }),
        ("one push twice", "push 4 is not in its place", |i| i.write(NEW + 1, &i.read(NEW))),
        ("one that was seen, twice", TRUST, |i| i.write(NEW + 1, &i.read(3))),
        ("a part without the one before", "parts of pack 4 are missing", |i| {
            fs::write(i.tree.join("packs/00/00/04.age.02"), "x").expect("written");
        }),
        ("a part of a pack that has no more", "parts of pack 4 are missing", |i| {
            fs::write(i.tree.join("packs/00/00/04.age.01"), "x").expect("written");
        }),
        ("a link", "only plain files", |i| {
            i.remove(&[NEW]);
            symlink("/etc/passwd", i.pack(NEW)).expect("a link");
        }),
        ("a bomb", "60000000 bytes", |i| i.write(NEW, &vec![0; 60_000_000])),
        ("a pack far away", "is missing", |i| {
            fs::create_dir_all(i.tree.join("packs/99/99")).expect("a folder");
            fs::write(i.tree.join("packs/99/99/99.age"), "x").expect("written");
        }),
    ];
    let Some(scene) = scene() else { return };
    try_each(&scene, attacks);
}

#[test]
fn pushes_that_were_seen_and_are_others_now_are_refused() {
    let attacks: &[Attack] = &[
        ("an old one is another", "pack 1 on the remote was replaced", |i| i.write(1, &i.read(2))),
        ("two old ones swapped", "pack 1 on the remote was replaced", |i| i.swap(1, 2)),
        ("an old and the new one swapped", "pack 3 on the remote was replaced", |i| i.swap(3, NEW)),
        ("another repository's in its place", "pack 3 on the remote was replaced", |i| {
            fs::copy(pack(&i.foreign, 3), i.pack(3)).expect("copied");
        }),
        ("all those of another repository", "pack 1 on the remote was replaced", |i| {
            (1..=NEW).for_each(|at| drop(fs::copy(pack(&i.foreign, at), i.pack(at))));
        }),
        ("one in the middle is gone", "pack 2 is missing", |i| i.remove(&[2])),
        ("the first is gone", "lost a push", |i| i.remove(&[1])),
        ("all that was seen is gone", "lost 3 pushes", |i| i.remove(&[1, 2, 3])),
        ("the last that was seen is gone", "lost a push", |i| i.remove(&[3, NEW])),
        ("all are gone", "lost 3 pushes", |i| i.remove(&[1, 2, 3, NEW])),
        ("too many key files", "more files than", |i| {
            for number in 0..300 {
                fs::write(i.tree.join(format!("keys/{number:032x}.age")), "x").expect("written");
            }
        }),
        ("a large key file", "1000000 bytes", |i| {
            let path = i.tree.join(format!("keys/{}.age", "0".repeat(32)));
            fs::write(path, vec![0; 1_000_000]).expect("written");
        }),
    ];
    let Some(scene) = scene() else { return };
    try_each(&scene, attacks);
}

/// Pushes each, lets b meet it, and looks that b is as before.
fn try_each(scene: &Scene, attacks: &[Attack]) {
    let (a, b, intruder) = (&scene.a.laptop, &scene.b.laptop, &scene.intruder);
    let before = written(b);
    for (what, said, attack) in attacks {
        intruder.reset();
        attack(intruder);
        intruder.push();
        refused(b, what, said);
        assert_eq!(written(b), before, "{what}");
    }
    // The doctor sees it as well, and writes as little.
    let doctor = b.try_co(&["doctor"]);
    assert!(doctor.out.contains("✗ remote"), "{}", doctor.out);
    assert_eq!(written(b), before, "the doctor looks only");
    intruder.put_right();
    assert!(!b.try_co(&["doctor"]).out.contains("✗ remote"));
    sync(&[b, a]);
    assert_agree(&[a, b]);
}

fn refused(laptop: &Laptop, what: &str, said: &str) {
    let found = laptop.try_co(&["sync"]);
    assert!(matches!(found.code, 6 | 7), "{what}: {} {}{}", found.code, found.out, found.err);
    assert!(found.err.contains(said), "{what}: {}", found.err);
    assert!(found.err.contains("hint: "), "{what}: {}", found.err);
}

#[test]
fn a_branch_that_was_set_back_or_exchanged_is_refused() {
    let Some(Scene { world, a, b, intruder }) = scene() else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    b.co(&["sync"]);
    let plain = a.identity().display().to_string();
    let first = intruder.bare(&["rev-list", "--max-parents=0", "main"]).trim().to_owned();
    let bare = |words: &[&str]| drop(intruder.bare(words));
    let readme = || {
        let tree = intruder.bare(&["rev-parse", "main:keys"]).trim().to_owned();
        intruder.bare(&["commit-tree", "-m", "x", &tree]).trim().to_owned()
    };
    let from = world.path("foreign.git").display().to_string();
    let attacks: &[(&str, &str, &dyn Fn())] = &[
        ("one push back", "lost a push", &|| bare(&["update-ref", "refs/heads/main", "main~1"])),
        ("to the first", "lost 3 pushes", &|| bare(&["update-ref", "refs/heads/main", &first])),
        ("deleted", "lost 4 pushes", &|| bare(&["update-ref", "-d", "refs/heads/main"])),
        ("another's chain", TRUST, &|| bare(&["fetch", "--quiet", &from, "+main:main"])),
        ("in plain", "lost 4 pushes", &|| bare(&["fetch", "--quiet", &plain, "+HEAD:main"])),
        ("without packs", "lost 4 pushes", &|| bare(&["update-ref", "refs/heads/main", &readme()])),
    ];
    let before = written(b);
    for (what, said, attack) in attacks {
        intruder.put_right();
        attack();
        refused(b, what, said);
        assert_eq!(written(b), before, "{what}");
    }
    intruder.put_right();
    sync(&[b, a]);
    assert_agree(&[a, b]);
}

#[test]
fn key_files_that_were_changed_give_no_other_keys_and_are_put_back() {
    let Some(Scene { a, b, intruder, world: _world }) = scene() else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    b.co(&["sync"]);
    let old: Vec<(PathBuf, Vec<u8>)> = intruder
        .keys()
        .into_iter()
        .map(|path| (path.clone(), fs::read(path).expect("a key")))
        .collect();
    // A new key that b has not heard of yet.
    a.co(&["seal", "rotate"]);
    a.co(&["learn", "Sealed with the second key"]);
    a.co(&["sync"]);
    git(&intruder.tree, &["fetch", "--quiet", "origin"]);
    let intruder = Intruder { good: tip(&intruder.url), ..intruder };
    let each = |change: &dyn Fn(&Path)| intruder.keys().iter().for_each(|path| change(path));
    let attacks: &[(&str, &dyn Fn())] = &[
        ("gone", &|| each(&|path| fs::remove_file(path).expect("removed"))),
        ("those of another repository", &|| {
            each(&|path| drop(fs::copy(&keys(&intruder.foreign)[0], path)));
        }),
        ("cut", &|| {
            each(&|path| {
                let bytes = fs::read(path).expect("a key");
                fs::write(path, &bytes[..bytes.len() - 10]).expect("written");
            });
        }),
        ("junk", &|| each(&|path| fs::write(path, "x").expect("written"))),
        ("those of the old key", &|| {
            each(&|path| fs::remove_file(path).expect("removed"));
            old.iter().for_each(|(path, bytes)| fs::write(path, bytes).expect("written"));
        }),
    ];
    let before = written(b);
    for (what, attack) in attacks {
        intruder.reset();
        attack();
        intruder.push();
        refused(b, what, "newer key");
        assert_eq!(written(b), before, "{what}");
    }
    // Who has the key goes on, and its next push puts them back.
    a.co(&["learn", "Puts the key files back"]);
    a.co(&["sync"]);
    sync(&[b, a]);
    assert_agree(&[a, b]);
}

/// What a stranger does, to the pack with this number.
type Deed = fn(&Intruder, u64);

#[test]
fn a_repair_removes_what_strangers_put_there_and_keeps_what_laptops_pushed() {
    let Some(Scene { a, b, mut intruder, world: _world }) = scene() else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    let junk: &[(&str, Deed)] = &[
        ("no pack", |i, next| i.write(next, b"hello\n")),
        ("with a gap", |i, next| i.write(next + 3, b"hello\n")),
        ("of another repository", |i, next| drop(fs::copy(pack(&i.foreign, 1), i.pack(next)))),
        ("a link", |i, next| symlink("/etc/passwd", i.pack(next)).expect("a link")),
        ("too large", |i, next| i.write(next, &vec![0; 60_000_000])),
        ("a large key file", |i, _| {
            let path = i.tree.join(format!("keys/{}.age", "0".repeat(32)));
            fs::write(path, vec![0; 1_000_000]).expect("written");
        }),
        ("and an old pack is gone", |i, next| {
            i.write(next, b"hello\n");
            i.remove(&[2]);
        }),
    ];
    for (at, (what, put)) in junk.iter().enumerate() {
        // A push that b has not seen lies below it.
        let fact = format!("Pushed before it was {what}");
        a.co(&["learn", &fact]);
        a.co(&["sync"]);
        git(&intruder.tree, &["fetch", "--quiet", "origin"]);
        intruder.good = tip(&intruder.url);
        intruder.reset();
        let next = (1..).find(|at| !intruder.pack(*at).exists()).expect("a free number");
        put(&intruder, next);
        intruder.push();
        let mended = if at % 2 == 0 { b } else { a };
        assert_ne!(mended.try_co(&["sync"]).code, 0, "{what}");
        mended.fails(3, &["seal", "repair"]);
        let said = mended.co(&["seal", "repair", "--yes"]);
        assert!(said.contains("is gone"), "{what}: {said}");
        let pushed = intruder.bare(&["merge-base", "--is-ancestor", &intruder.good, "main"]);
        assert_eq!(pushed, "", "nothing was forced");
        sync(&[a, b]);
        assert_agree(&[a, b]);
        assert!(b.facts().contains(&fact), "{what}: {:?}", b.facts());
    }
    // Even if nothing else is left.
    let tree = intruder.bare(&["rev-parse", "main:keys"]).trim().to_owned();
    let alone = intruder.bare(&["commit-tree", "-m", "x", &tree]).trim().to_owned();
    intruder.bare(&["update-ref", "refs/heads/main", &alone]);
    assert!(b.fails(7, &["sync"]).contains("lost"));
    b.co(&["seal", "repair", "--yes"]);
    sync(&[a, b]);
    assert_agree(&[a, b]);
}

#[test]
fn files_of_strangers_beside_the_packs_change_nothing() {
    let Some(Scene { world, a, b, intruder }) = scene() else { return };
    let (a, b) = (&a.laptop, &b.laptop);
    intruder.reset();
    for path in ["note.txt", "profile.md", "packs/00/00/00.age", "packs/readme", "keys/readme"] {
        fs::write(intruder.tree.join(path), "Lives elsewhere").expect("written");
    }
    fs::remove_file(intruder.tree.join("README.md")).expect("removed");
    intruder.push();
    b.co(&["learn", "Goes on all the same"]);
    sync(&[b, a]);
    assert_agree(&[a, b]);
    assert!(a.facts().contains(&"Goes on all the same".to_owned()));
    assert!(!a.texts().contains("Lives elsewhere"));
    // Who joins is still asked for the key: it is no plain identity with a profile.
    let Some(c) = Own::new(&world, "curie") else { return };
    let said = c.laptop.fails(6, &["init", &intruder.url, "--yes"]);
    assert!(said.contains("is sealed"), "{said}");
    let key = world.path("key.txt").display().to_string();
    c.laptop.co(&["init", &intruder.url, "--key", &key, "--yes"]);
    sync(&[&c.laptop, a, b]);
    assert_agree(&[a, b, &c.laptop]);
}
