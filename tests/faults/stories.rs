//! The commands under test, each with the two laptops that it starts from and the result that it
//! must have.
//!
//! Invariant: every fact of a story is a line of its own, so that counting lines counts facts.

use super::stage::Stage;
use crate::support::{Laptop, sealed::with_key};

pub struct Story {
    pub name: &'static str,
    /// Typed on laptop a.
    pub words: Vec<String>,
    /// Lines that occur exactly once on both laptops at the end.
    pub stays: Vec<Mark>,
    /// Lines that the command brings to laptop a.
    pub comes: Vec<Mark>,
    /// Lines that the command takes away.
    pub goes: Vec<Mark>,
    pub aim: Aim,
}

/// A line in the files whose paths begin so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    pub below: &'static str,
    pub line: &'static str,
}

/// When a command's work is done, besides what comes and goes, and whether a person types it again
/// after it was interrupted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aim {
    /// The remote has it. Typed again in any case.
    Published,
    /// `check` finds nothing. Typed again in any case.
    Sound,
    /// Typed again if `co list` and the files do not show it.
    Shown,
}

const FIVE: [&str; 5] = [
    "I prefer async/await",
    "Prefers tabs",
    "Uses SQLAlchemy",
    "Speaks German",
    "Lives in Seattle",
];
const DOCUMENTS: [&str; 3] =
    ["Ann runs the garden.", "Bo bakes bread.", "The garden has an apple tree."];
const IMPORTED: [&str; 2] = ["Keeps bees", "Plays chess"];
const WALKS: &str = "Walks to work";
const EDITOR: &str = "- Editor: Helix";

fn anywhere(lines: &[&'static str]) -> Vec<Mark> {
    lines.iter().map(|line| Mark { below: "", line }).collect()
}

fn below(below: &'static str, lines: &[&'static str]) -> Vec<Mark> {
    lines.iter().map(|line| Mark { below, line }).collect()
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// Five facts and three documents on both laptops and the remote.
pub fn five(stage: &Stage) {
    let Stage { world, a, b, .. } = stage;
    let remote = world.remote();
    fill(a, &["--remote", &remote]);
    a.co(&["sync"]);
    b.co(&["init", "--yes", &remote]);
}

/// The same, and the remote is sealed: both laptops have the recovery key in their environment.
fn five_sealed(stage: &mut Stage) {
    stage.a = with_key(&stage.a);
    stage.b = with_key(&stage.b);
    let Stage { world, a, b, .. } = stage;
    let remote = world.remote();
    fill(a, &[]);
    a.co(&["seal", "on", &remote, "--yes"]);
    b.co(&["init", "--yes", &remote]);
}

fn fill(a: &Laptop, remote: &[&str]) {
    let zone = ["--name", "Bin", "--timezone", "America/Los_Angeles"];
    a.co(&[&["init", "--yes"], &zone[..], remote].concat());
    for fact in FIVE {
        a.co(&["learn", fact]);
    }
    let [ann, bo, garden] = DOCUMENTS;
    let write = |topic: &str, text: &str| a.co(&["knowledge", "write", topic, text]);
    write("people/ann", &format!("{ann}\n\nSee [Bo](bo.md)."));
    write("people/bo", &format!("{bo}\n\nSee [[people/ann]]."));
    write("projects/garden", &format!("{garden}\n\nAsk [Ann](../people/ann.md)."));
}

/// What the other laptop did and published: something of each kind that a sync writes.
pub fn published_by(b: &Laptop) {
    b.co(&["forget", "Speaks German", "--yes"]);
    b.co(&["learn", "From b"]);
    b.co(&["memory", "edit", "3", "Uses SQLAlchemy 2"]);
    b.edit("profile.md", "America/Los_Angeles", "Europe/Berlin");
    let tone = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n# Tone\n\n- Dry\n";
    b.write("traits/voice/tone.md", tone);
    b.co(&["knowledge", "move", "people/ann", "team/ann", "--yes"]);
    b.co(&["sync"]);
}

pub fn sync(stage: &mut Stage) -> Story {
    five(stage);
    synced(stage, "sync")
}

pub fn sealed_sync(stage: &mut Stage) -> Story {
    five_sealed(stage);
    synced(stage, "sealed sync")
}

/// A new key for the sealed remote.
pub fn sealed_rotation(stage: &mut Stage) -> Story {
    five_sealed(stage);
    let [ann, bo, garden] = DOCUMENTS;
    let stays = FIVE.iter().copied().chain([ann, bo, garden]);
    Story {
        name: "seal rotate",
        words: words(&["seal", "rotate"]),
        stays: anywhere(&stays.collect::<Vec<_>>()),
        comes: Vec::new(),
        goes: Vec::new(),
        aim: Aim::Published,
    }
}

/// One pack in place of all.
pub fn sealed_repack(stage: &mut Stage) -> Story {
    let story = sealed_rotation(stage);
    stage.a.co(&["seal", "rotate"]);
    Story { name: "seal repack", words: words(&["seal", "repack"]), ..story }
}

fn synced(stage: &Stage, name: &'static str) -> Story {
    let Stage { a, b, .. } = stage;
    published_by(b);
    a.co(&["learn", "From a"]);
    a.edit(&a.file_of("Prefers tabs"), "Prefers tabs", "Prefers tabs, eight wide");
    a.co(&["forget", "Lives in Seattle", "--yes"]);
    let [ann, bo, garden] = DOCUMENTS;
    let mut comes = anywhere(&["From b", "Uses SQLAlchemy 2", "- Dry"]);
    comes.extend(below("knowledge/team/", &[ann]));
    comes.extend(below("profile.md", &["- Timezone: Europe/Berlin"]));
    let stays = ["I prefer async/await", "Prefers tabs, eight wide", "From a", ann, bo, garden];
    let goes = ["Speaks German", "Lives in Seattle", "Prefers tabs", "Uses SQLAlchemy"];
    Story {
        name,
        words: words(&["sync"]),
        stays: anywhere(&stays),
        comes,
        goes: anywhere(&goes),
        aim: Aim::Published,
    }
}

/// The archive of another identity, of which one fact is known.
fn archive(stage: &Stage) -> String {
    let source = stage.world.laptop("source");
    source.co(&["init", "--yes", "--name", "Bin"]);
    for fact in IMPORTED.iter().chain(&["Uses SQLAlchemy"]) {
        source.co(&["learn", fact]);
    }
    source.edit("profile.md", "- Name: Bin", &format!("- Name: Bin\n{EDITOR}"));
    let archive = stage.world.path("x.tar.gz").display().to_string();
    source.co(&["identity", "export", &archive]);
    archive
}

fn imported() -> Vec<Mark> {
    [anywhere(&IMPORTED), below("profile.md", &[EDITOR])].concat()
}

fn all_but_imported() -> Vec<Mark> {
    anywhere(&[&FIVE[..], &DOCUMENTS, &[WALKS]].concat())
}

pub fn import(stage: &mut Stage) -> Story {
    five(stage);
    stage.a.co(&["learn", WALKS]);
    Story {
        name: "import",
        words: words(&["identity", "import", "--yes", &archive(stage)]),
        stays: all_but_imported(),
        comes: imported(),
        goes: Vec::new(),
        aim: Aim::Shown,
    }
}

/// Before the import that is taken back, a fact was learned: one undo too many would take it.
pub fn undo(stage: &mut Stage) -> Story {
    five(stage);
    stage.a.co(&["learn", WALKS]);
    stage.a.co(&["identity", "import", "--yes", &archive(stage)]);
    Story {
        name: "undo",
        words: words(&["undo", "--yes"]),
        stays: all_but_imported(),
        comes: Vec::new(),
        goes: imported(),
        aim: Aim::Shown,
    }
}

pub fn undo_published(stage: &mut Stage) -> Story {
    let story = undo(stage);
    stage.a.co(&["sync"]);
    stage.b.co(&["sync"]);
    Story { name: "undo of what was published", ..story }
}

/// Files as people and other programs leave them: a fact without a header, one twice, one edited,
/// and two under one number.
pub fn fix(stage: &mut Stage) -> Story {
    five(stage);
    let a = &stage.a;
    a.write("knowledge/memories/note.md", "Noted by hand\n");
    let tabs = a.file_of("Prefers tabs");
    let twice = a.read(&tabs).replace("id: 2", "id: 12");
    a.write("knowledge/memories/012-prefers-tabs.md", &twice);
    a.edit(&a.file_of("Uses SQLAlchemy"), "Uses SQLAlchemy", "Uses SQLAlchemy 2");
    let clash = "---\nid: 5\ncreated: 2026-01-01T00:00:00.5Z\n---\n\nReads on paper\n";
    a.write("knowledge/memories/005-reads-on-paper.md", clash);
    let stays = ["I prefer async/await", "Prefers tabs", "Speaks German", "Lives in Seattle"];
    let by_hand = ["Noted by hand", "Uses SQLAlchemy 2", "Reads on paper"];
    Story {
        name: "check --fix",
        words: words(&["check", "--fix"]),
        stays: anywhere(&[&stays[..], &by_hand, &DOCUMENTS].concat()),
        comes: Vec::new(),
        goes: Vec::new(),
        aim: Aim::Sound,
    }
}

pub fn move_documents(stage: &mut Stage) -> Story {
    five(stage);
    let [ann, bo, _] = DOCUMENTS;
    let followed = [
        below("knowledge/team/", &["See [[team/people/ann]]."]),
        below("knowledge/projects/", &["Ask [Ann](../team/people/ann.md)."]),
    ];
    Story {
        name: "knowledge move",
        words: words(&["knowledge", "move", "people/", "team/", "--yes"]),
        stays: anywhere(&[&FIVE[..], &DOCUMENTS].concat()),
        comes: [below("knowledge/team/", &[ann, bo]), followed.concat()].concat(),
        goes: below("knowledge/people/", &[ann, bo]),
        aim: Aim::Shown,
    }
}

pub fn learn(stage: &mut Stage) -> Story {
    five(stage);
    Story {
        name: "learn",
        words: words(&["learn", WALKS]),
        stays: anywhere(&[&FIVE[..], &DOCUMENTS].concat()),
        comes: anywhere(&[WALKS]),
        goes: Vec::new(),
        aim: Aim::Shown,
    }
}
