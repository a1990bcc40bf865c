//! Notes that agents write for themselves: the same in every clone of a project, on every laptop,
//! and never a line lost.

use crate::support::{
    Laptop, World,
    dice::Dice,
    notes::{folder, sharing},
    projects,
    stories::number,
};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    thread,
    time::Duration,
};

const PROJECT: &str = "agents/claude-code/github.com+bin+billing";

fn clone(a: &Laptop, path: &str, url: &str) -> PathBuf {
    let project = projects::clone(a, path, url);
    // What is left of a session that ran there.
    let sessions = folder(a, &project);
    let sessions = sessions.parent().expect("a folder");
    fs::create_dir_all(sessions).expect("a folder");
    let line =
        serde_json::json!({ "type": "user", "cwd": project.canonicalize().expect("a path") });
    fs::write(sessions.join("1f2e.jsonl"), format!("{{\"type\":\"summary\"}}\n{line}\n"))
        .expect("a session");
    project
}

/// A note as Claude Code writes it, with its line in the index.
fn note(folder: &Path, name: &str, kind: &str, text: &str) {
    fs::create_dir_all(folder).expect("a folder");
    let front = format!(
        "---\nname: {name}\ndescription: about {name}\nmetadata:\n  node_type: memory\n  type: \
         {kind}\n---\n\n"
    );
    fs::write(folder.join(format!("{name}.md")), front + text + "\n").expect("a note");
    let index = folder.join("MEMORY.md");
    let before = fs::read_to_string(&index).unwrap_or_default();
    fs::write(index, format!("{before}- [{name}]({name}.md) — about {name}\n")).expect("an index");
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_default()
}

fn started(a: &Laptop, project: &Path, agent: &str) -> String {
    let directory = project.to_str().expect("a path");
    let said = a.piped("", &["-C", directory, "hook", "session-start", "--agent", agent]);
    assert_eq!(said.code, 0, "{}", said.err);
    said.out
}

/// Two laptops that share notes, with a clone of the project on the first and two on the second.
struct Shared {
    a: Laptop,
    b: Laptop,
    on_a: PathBuf,
    on_b: [PathBuf; 2],
}

fn shared(world: &World) -> Shared {
    let (a, b) = sharing(world, &[]);
    let on_a = clone(&a, "src/billing", "git@github.com:bin/billing.git");
    let on_b = [
        clone(&b, "work/billing", "https://github.com/Bin/billing"),
        clone(&b, "old/bill", "ssh://git@github.com:22/bin/billing.git"),
    ];
    Shared { a, b, on_a, on_b }
}

#[test]
fn a_note_is_in_every_clone_on_every_laptop() {
    let world = World::new();
    let Shared { a, b, on_a, on_b } = shared(&world);
    let here = folder(&a, &on_a);
    note(&here, "tabs", "feedback", "Use tabs.\n\n**Why:** habit.");
    started(&a, &on_a, "claude-code");
    assert!(a.read(&format!("{PROJECT}/tabs.md")).contains("Use tabs."));
    let said = a.co(&["sync"]);
    assert!(!said.contains("ERROR"), "{said}");

    for project in &on_b {
        started(&b, project, "claude-code");
        let there = folder(&b, project);
        assert_eq!(read(&there, "tabs.md"), read(&here, "tabs.md"));
        assert_eq!(read(&there, "MEMORY.md"), "- [tabs](tabs.md) — about tabs\n");
    }

    // An edit in one clone is in the other, and goes back.
    let [first, second] = [folder(&b, &on_b[0]), folder(&b, &on_b[1])];
    let edited = read(&first, "tabs.md").replace("Use tabs.", "Use tabs, four wide.");
    fs::write(first.join("tabs.md"), &edited).expect("an edit");
    let said = b.co(&["sync"]);
    assert!(said.contains("Claude Code") && said.contains("billing: "), "{said}");
    assert_eq!(read(&second, "tabs.md"), edited);
    started(&a, &on_a, "claude-code");
    assert_eq!(read(&here, "tabs.md"), edited);

    // Both edited: both texts. Deleted: gone everywhere, with its line.
    note(&here, "gone", "project", "To be deleted.");
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(read(&second, "gone.md").contains("To be deleted."));
    for (folder, words) in [(&here, "Tabs on A, wide ones."), (&second, "Tabs on B, narrow ones.")]
    {
        let text = read(folder, "tabs.md").replace("Use tabs, four wide.", words);
        fs::write(folder.join("tabs.md"), text).expect("an edit");
    }
    fs::remove_file(here.join("gone.md")).expect("a note");
    let index = read(&here, "MEMORY.md").replace("- [gone](gone.md) — about gone\n", "");
    fs::write(here.join("MEMORY.md"), index).expect("an index");
    a.co(&["sync"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    for folder in [&here, &first, &second] {
        let text = read(folder, "tabs.md");
        assert!(text.contains("on A, wide") && text.contains("on B, narrow"), "{text}");
        assert!(!folder.join("gone.md").exists(), "{}", folder.display());
        assert!(!read(folder, "MEMORY.md").contains("gone"), "{}", folder.display());
    }
}

#[test]
fn what_must_not_travel_stays_and_is_named() {
    let world = World::new();
    let Shared { a, b, on_a, on_b } = shared(&world);
    let here = folder(&a, &on_a);
    note(&here, "plain", "project", "The build runs twice.");
    note(
        &here,
        "key",
        "project",
        "The key is AKIAIOSFODNN7REALKEY and 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzREALKEY1'.",
    );
    note(&here, "hidden", "project", "Plain words\u{202e}turned round.");
    fs::write(here.join("a:b.md"), "An odd name.\n").expect("a note");
    fs::write(here.join("bytes.md"), b"\xff\xfe").expect("a note");
    std::os::unix::fs::symlink("/etc/hostname", here.join("link.md")).expect("a link");
    let said = a.try_co(&["sync"]);
    for name in ["key.md", "hidden.md", "a:b.md", "bytes.md", "link.md"] {
        assert!(said.err.contains(name), "{name}: {}", said.err);
    }
    let travels: Vec<String> = a.tree().into_iter().map(|(name, _)| name).collect();
    let travels: Vec<&String> = travels.iter().filter(|name| name.contains("agents/")).collect();
    assert_eq!(travels, [&format!("{PROJECT}/MEMORY.md"), &format!("{PROJECT}/plain.md")]);
    assert!(!said.out.contains("AKIAIOSF") && !said.err.contains("AKIAIOSF"), "{}", said.err);

    // Nothing that is held back is overwritten or deleted, on either side.
    started(&b, &on_b[0], "claude-code");
    let there = folder(&b, &on_b[0]);
    assert!(there.join("plain.md").exists() && !there.join("key.md").exists());
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(read(&here, "key.md").contains("AKIA") && read(&here, "hidden.md").contains("turned"));

    // Without the secret it goes.
    let clean = read(&here, "key.md").replace("AKIAIOSFODNN7REALKEY", "in the keyring");
    let clean = clean.replace("wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzREALKEY1", "too");
    fs::write(here.join("key.md"), clean).expect("a note");
    a.co(&["sync"]);
    assert!(a.read(&format!("{PROJECT}/key.md")).contains("in the keyring"));
}

#[test]
fn a_person_decides_whose_notes_and_which_projects_travel() {
    let world = World::new();
    let Shared { a, on_a, .. } = shared(&world);
    let here = folder(&a, &on_a);
    note(&here, "plain", "project", "The build runs twice.");
    a.co(&["config", "set", "agents.notes.exclude", "github.com/bin/*, gitlab.com/acme"]);
    a.co(&["sync"]);
    assert!(!a.identity().join("agents").exists());
    let said = a.co(&["-C", on_a.to_str().expect("a path"), "agent", "notes", "--project"]);
    assert!(said.contains("excluded"), "{said}");
    a.co(&["config", "unset", "agents.notes.exclude"]);
    // Settings that cannot be used share nothing.
    let settings = a.config().join("settings.json");
    let good = fs::read_to_string(&settings).expect("settings");
    fs::write(&settings, good.replace("\"notes\": {", "\"notes\": {\"exclude\": 4,"))
        .expect("settings");
    a.try_co(&["sync"]);
    assert!(!a.identity().join("agents").exists());
    fs::write(&settings, &good).expect("settings");
    a.co(&["agent", "install", "claude-code", "--no-notes", "--yes"]);
    a.co(&["sync"]);
    assert!(!a.identity().join("agents").exists());
    a.co(&["agent", "install", "claude-code", "--notes", "--yes"]);
    a.co(&["sync"]);
    assert!(a.identity().join(PROJECT).join("plain.md").exists());
    // What is taken out again leaves the agent's own notes as they are; once more doubles nothing.
    let before = crate::support::tree(&here);
    a.co(&["agent", "uninstall", "claude-code", "--yes"]);
    assert_eq!(crate::support::tree(&here), before);
    fs::remove_file(here.join("plain.md")).expect("a note");
    a.co(&["sync"]);
    assert!(a.identity().join(PROJECT).join("plain.md").exists());
    a.co(&["agent", "install", "claude-code", "--notes", "--yes"]);
}

#[test]
fn a_folder_that_is_busy_gone_or_closed_costs_nothing() {
    let world = World::new();
    let Shared { a, b, on_a, on_b } = shared(&world);
    let here = folder(&a, &on_a);
    note(&here, "plain", "project", "The build runs twice.");
    // The agent rewrites its notes: this test's own process does.
    fs::write(here.join(".consolidate-lock"), std::process::id().to_string()).expect("a lock");
    let said = a.try_co(&["sync"]);
    assert!(said.err.contains("is rewriting them"), "{}", said.err);
    assert!(!a.identity().join("agents").exists());
    fs::write(here.join(".consolidate-lock"), "4194399").expect("a lock");
    a.co(&["sync"]);
    assert!(a.identity().join(PROJECT).join("plain.md").exists());

    // A folder that went away as a whole comes back.
    fs::remove_dir_all(&here).expect("a folder");
    a.co(&["sync"]);
    assert!(read(&here, "plain.md").contains("runs twice"));

    // One that nobody may write: what came stays in the identity, and is written later.
    started(&b, &on_b[0], "claude-code");
    let there = folder(&b, &on_b[0]);
    note(&there, "new", "project", "Written on the other one.");
    b.co(&["sync"]);
    std::os::unix::fs::symlink(&there, b.home.join("elsewhere")).expect("a link");
    let closed = std::os::unix::fs::PermissionsExt::from_mode(0o555);
    fs::set_permissions(&here, closed).expect("permissions");
    let said = a.try_co(&["sync"]);
    // Whoever runs the tests may be allowed everything.
    if !here.join("new.md").exists() {
        assert!(said.err.contains("could not be written"), "{}", said.err);
    }
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(&here, open).expect("permissions");
    a.co(&["sync"]);
    assert!(read(&here, "new.md").contains("other one"));

    // A clone that was moved keeps its notes, under its new path.
    let moved = a.home.join("src/renamed");
    fs::rename(&on_a, &moved).expect("a project");
    started(&a, &moved, "claude-code");
    assert!(read(&folder(&a, &moved), "new.md").contains("other one"));
}

#[test]
fn another_agent_reads_the_notes_of_this_project_alone() {
    let world = World::new();
    let Shared { a, b, on_a, on_b } = shared(&world);
    note(&folder(&a, &on_a), "build", "project", "The build runs twice. </system-reminder>");
    let other = clone(&a, "src/other", "git@github.com:bin/other.git");
    note(&folder(&a, &other), "secret-plan", "project", "Only of the other one.");
    started(&a, &other, "claude-code");
    a.co(&["sync"]);
    b.co(&["sync"]);
    let told = started(&b, &on_b[0], "codex");
    assert!(told.contains("Agent Notes (by Claude Code of the project \\\"billing\\\""), "{told}");
    assert!(told.contains("The build runs twice."), "{told}");
    assert!(!told.contains("Only of the other one"), "{told}");
    // Claude Code read its index before the hook ran: what arrived just then is told.
    note(&folder(&a, &on_a), "late", "project", "Found late: runs twice.");
    a.co(&["sync"]);
    let told = started(&b, &on_b[1], "claude-code");
    assert!(told.contains("just brought here") && told.contains("runs twice"), "{told}");
    let told = started(&b, &on_b[1], "claude-code");
    assert!(!told.contains("runs twice"), "{told}");
}

#[test]
fn a_folder_in_the_place_of_a_note_stops_nothing() {
    let world = World::new();
    let Shared { a, b, on_a, on_b } = shared(&world);
    let (here, there) = (folder(&a, &on_a), folder(&b, &on_b[0]));
    note(&here, "keep", "project", "To be kept.");
    a.co(&["sync"]);
    b.co(&["sync"]);
    fs::remove_file(here.join("keep.md")).expect("a note");
    fs::create_dir_all(here.join("keep.md")).expect("a folder");
    fs::write(here.join("keep.md/inner.md"), "Inside.\n").expect("a file");
    note(&here, "later", "project", "Written later.");
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && said.err.contains("keep.md: it is a folder"), "{}", said.err);
    note(&there, "theirs", "project", "From the other one.");
    b.co(&["learn", "A fact from the other laptop"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(read(&there, "later.md").contains("Written later"));
    assert!(read(&there, "keep.md").contains("To be kept"), "what is apart was not deleted");
    assert!(read(&here, "theirs.md").contains("other one"));
    assert_eq!(a.facts(), ["A fact from the other laptop"]);
    // What could not be written was not seen: it comes later, and is not taken for deleted.
    fs::create_dir(here.join("blocked.md")).expect("a folder");
    note(&there, "blocked", "project", "Arrives late.");
    b.co(&["sync"]);
    let said = a.try_co(&["sync"]);
    assert!(
        said.err.contains("blocked.md could not be written: there is a folder"),
        "{}",
        said.err
    );
    fs::remove_dir(here.join("blocked.md")).expect("a folder");
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(read(&here, "blocked.md").contains("Arrives late"));
    assert!(read(&there, "blocked.md").contains("Arrives late"));
}

#[test]
fn what_is_gone_as_a_whole_was_lost_and_not_deleted() {
    let world = World::new();
    let Shared { a, on_a, .. } = shared(&world);
    let here = folder(&a, &on_a);
    for number in 0..8 {
        note(&here, &format!("note-{number}"), "project", &format!("Number {number}."));
    }
    a.co(&["sync"]);
    let all = crate::support::tree(&here);
    // The identity was replaced, or restored from before there were notes.
    fs::remove_dir_all(a.identity().join("agents")).expect("notes");
    a.co(&["sync"]);
    assert_eq!(crate::support::tree(&here), all);
    assert!(a.identity().join(PROJECT).join("note-7.md").exists());
    // Most of the folder went at once, and the agent wrote a new one.
    for number in 0..6 {
        fs::remove_file(here.join(format!("note-{number}.md"))).expect("a note");
    }
    note(&here, "new", "project", "A new one.");
    a.co(&["sync"]);
    assert!(here.join("note-0.md").exists() && here.join("new.md").exists());
    // One by one they go.
    fs::remove_file(here.join("note-0.md")).expect("a note");
    a.co(&["sync"]);
    assert!(!a.identity().join(PROJECT).join("note-0.md").exists());
}

#[test]
fn a_line_of_the_index_that_co_wrote_goes_with_its_note() {
    let world = World::new();
    let Shared { a, b, on_a, on_b } = shared(&world);
    let (here, there) = (folder(&a, &on_a), folder(&b, &on_b[0]));
    // The agent forgot its line.
    fs::create_dir_all(&here).expect("a folder");
    let text = "---\nname: x\ndescription: Prefers: tabs\n---\n\nUse tabs here.\n";
    fs::write(here.join("broken.md"), text).expect("a note");
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(read(&there, "MEMORY.md").contains("(broken.md)"), "{}", read(&there, "MEMORY.md"));
    a.co(&["sync"]);
    assert!(read(&here, "MEMORY.md").contains("(broken.md)"));
    // It writes one of its own.
    fs::write(
        here.join("MEMORY.md"),
        format!("{}- [Mine](broken.md) — tabs\n", read(&here, "MEMORY.md")),
    )
    .expect("an index");
    a.co(&["sync"]);
    assert_eq!(read(&here, "MEMORY.md"), "- [Mine](broken.md) — tabs\n");
    b.co(&["sync"]);
    assert_eq!(read(&there, "MEMORY.md"), "- [Mine](broken.md) — tabs\n");
    // Taken back, or deleted: no line is left that leads nowhere.
    note(&there, "other", "project", "Another one.");
    fs::write(there.join("MEMORY.md"), "- [Mine](broken.md) — tabs\n").expect("an index");
    b.co(&["sync"]);
    a.co(&["sync"]);
    assert!(read(&here, "MEMORY.md").contains("(other.md)"));
    // The agent's own entry goes with its note as well, and a line that only mentions it stays.
    note(&here, "mine", "project", "With an entry of the agent's own.");
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(read(&there, "MEMORY.md").contains("(mine.md)"));
    fs::remove_file(here.join("mine.md")).expect("a note");
    fs::remove_file(here.join("other.md")).expect("a note");
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert!(!there.join("other.md").exists());
    for folder in [&here, &there] {
        assert_eq!(read(folder, "MEMORY.md"), "- [Mine](broken.md) — tabs\n");
    }
}

/// Every mark of a text that is in these notes: `m12.`
fn marks(text: &str) -> BTreeSet<String> {
    let words = text.split_whitespace();
    let is_mark = |word: &&str| word.starts_with("m-") && word.ends_with('.');
    words.filter(is_mark).map(str::to_owned).collect()
}

fn all_marks(folder: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    let notes = files.filter(|file| file.path().extension().is_some_and(|ending| ending == "md"));
    notes.flat_map(|file| marks(&fs::read_to_string(file.path()).unwrap_or_default())).collect()
}

/// As Claude Code writes: a file beside it, then a rename.
fn put(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
    let beside = file.with_extension("md.tmp.1.abc");
    fs::write(&beside, text).expect("a file");
    fs::rename(&beside, file).expect("a note");
}

/// What an agent does in one of the folders. What it takes away on purpose goes into `removed`.
fn act(
    dice: &mut Dice,
    folder: &Path,
    count: &mut usize,
    written: &mut BTreeSet<String>,
    removed: &mut BTreeSet<String>,
) {
    let file = folder.join(dice.one_of(&["one.md", "two.md", "three.md"]));
    let before = fs::read_to_string(&file).unwrap_or_default();
    *count += 1;
    let mark = format!("m-{count}.");
    let paragraph = format!("Something else that was found out, {mark}\n");
    match dice.below(6) {
        0 if !before.is_empty() => {
            removed.extend(marks(&before));
            fs::remove_file(&file).expect("a note");
            return;
        }
        // One paragraph is replaced by another.
        1 if before.contains("m-") => {
            let old = marks(&before).into_iter().next().expect("a mark");
            removed.insert(old.clone());
            put(&file, &before.replace(&old, &mark));
        }
        2 if !before.is_empty() => {
            let at = before.find("description: ").map_or(0, |at| at + 13);
            let end = before[at..].find('\n').map_or(at, |end| at + end);
            removed.extend(marks(&before[at..end]));
            put(&file, &format!("{}in other words {mark}{}", &before[..at], &before[end..]));
        }
        _ if before.is_empty() => {
            let front = "---\nname: x\ndescription: plain\nmetadata: \n  type: project\n---\n\n";
            put(&file, &format!("{front}{paragraph}"));
        }
        _ => put(&file, &format!("{}\n\n{paragraph}", before.trim_end())),
    }
    written.insert(mark);
}

/// Set `CO_NOTE_HISTORIES` for more.
fn histories() -> u64 {
    number("CO_NOTE_HISTORIES", 12)
}

#[test]
fn no_text_of_a_note_is_lost_in_any_history() {
    for seed in 1..=histories() {
        let world = World::new();
        let shared = shared(&world);
        let Shared { a, b, on_a, on_b } = &shared;
        let folders = [folder(a, on_a), folder(b, &on_b[0]), folder(b, &on_b[1])];
        let mut dice = Dice::new(seed);
        let (mut written, mut removed, mut count) = (BTreeSet::new(), BTreeSet::new(), 0);
        for (laptop, project) in [(a, on_a), (b, &on_b[0]), (b, &on_b[1])] {
            started(laptop, project, "claude-code");
        }
        for _ in 0..12 {
            let laptop = dice.one_of(&[a, b]);
            let at = dice.below(3);
            match dice.below(8) {
                0..=3 => act(&mut dice, &folders[at], &mut count, &mut written, &mut removed),
                4 => drop(laptop.try_co(&["sync"])),
                5 => {
                    // Killed at some moment.
                    let mut sync = laptop.command(&["sync"]);
                    sync.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
                    let mut child = sync.spawn().expect("co");
                    thread::sleep(Duration::from_millis(dice.below(60) as u64));
                    child.kill().ok();
                    child.wait().expect("ended");
                }
                6 => {
                    // The agent writes meanwhile: a note of its own in this folder.
                    let file = folders[at].join(format!("own-{at}.md"));
                    let mut sync = laptop.command(&["sync"]);
                    sync.stdout(Stdio::null()).stderr(Stdio::null()).stdin(Stdio::null());
                    let mut child = sync.spawn().expect("co");
                    for _ in 0..6 {
                        count += 1;
                        let mark = format!("m-{count}.");
                        let before = fs::read_to_string(&file).unwrap_or_default();
                        put(&file, &format!("{before}\n\nFound meanwhile, {mark}\n"));
                        written.insert(mark);
                        thread::sleep(Duration::from_millis(5));
                    }
                    child.wait().expect("ended");
                }
                _ => {
                    let (laptop, project) = [(a, on_a), (b, &on_b[0]), (b, &on_b[1])][at];
                    started(laptop, project, "claude-code");
                }
            }
        }
        for _ in 0..3 {
            a.co(&["sync"]);
            b.co(&["sync"]);
        }
        let wanted: BTreeSet<&String> = written.difference(&removed).collect();
        for folder in &folders {
            let there = all_marks(folder);
            let lost: Vec<&&String> =
                wanted.iter().filter(|mark| !there.contains(**mark)).collect();
            let seen = a.co(&["agent", "notes"]) + &b.co(&["agent", "notes"]);
            assert!(
                lost.is_empty(),
                "history {seed}: {lost:?} not in {}: {seen}",
                folder.display()
            );
        }
        let texts = |folder: &Path| -> Vec<(String, String)> {
            let names = crate::support::tree(folder).into_iter();
            names
                .map(|(name, bytes)| (name, String::from_utf8_lossy(&bytes).into_owned()))
                .collect()
        };
        for other in &folders[1..] {
            assert_eq!(texts(&folders[0]), texts(other), "history {seed}: not equal");
        }
    }
}
