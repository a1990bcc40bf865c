//! What a command opens: the repository once, and of the facts only those that it is about.

use crate::support::{
    Laptop, World,
    calls::{calls_of, with_many},
    report_skipped, require_tool,
    tokens::token,
    waiting::until_times_are_trusted,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// How often each fact of [`with_many`] is named by calls that found it.
fn facts(calls: &[String]) -> BTreeMap<&str, usize> {
    let found = calls.iter().filter(|call| !call.contains("ENOENT"));
    let mut times = BTreeMap::new();
    for name in found.filter_map(|call| {
        let path = call.split('"').nth(1)?;
        let name = path.rsplit('/').next()?;
        (name.ends_with("-fact.md") && !name.starts_with('.')).then_some(name)
    }) {
        *times.entry(name).or_default() += 1;
    }
    times
}

/// A laptop with an index of many facts, whose calls can be traced; `None` if the test is skipped.
fn traced() -> Option<(World, Laptop)> {
    if !require_tool("strace") {
        report_skipped("strace");
        return None;
    }
    let world = World::new();
    let a = indexed(&world);
    Some((world, a))
}

/// Many facts, and their index.
fn indexed(world: &World) -> Laptop {
    let (a, _) = with_many(world);
    until_times_are_trusted();
    a.co(&["list"]);
    a
}

#[test]
fn a_fact_is_found_without_opening_the_others() {
    let Some((world, a)) = traced() else { return };
    let mut written = BTreeSet::new();
    for (command, own) in [
        (&["learn", "Said for the first time"][..], ""),
        (&["edit", "120", "Said otherwise"], "120-fact.md"),
        (&["edit", "121", "--tag", "work"], "121-fact.md"),
        (&["pin", "122"], "122-fact.md"),
        (&["pin", "--off", "122"], "122-fact.md"),
        (&["forget", "123"], "123-fact.md"),
        (&["show", "124"], "124-fact.md"),
        (&["show", "124"], "124-fact.md"),
    ] {
        // A change right after another one leaves it open whether somebody wrote meanwhile.
        until_times_are_trusted();
        let opened = calls_of(&world, &a, "?open,openat", command);
        let opened = facts(&opened);
        // What was written a moment ago is read again before its time counts.
        written.insert(own);
        let is_known = |name: &&str| written.contains(*name);
        assert!(opened.keys().all(is_known), "{command:?} opened {opened:?}");
        // With more files than this, what co wrote is in the index, and nothing is compared.
        let settings = a.config().join("settings.json");
        fs::write(&settings, r#"{"recall": {"look_at": 10}}"#).expect("written");
        let looked_at = calls_of(&world, &a, "?stat,?lstat,?newfstatat,statx", &["show", "130"]);
        assert!(facts(&looked_at).len() <= 1, "after {command:?}: {:?}", facts(&looked_at));
        fs::remove_file(&settings).expect("removed");
    }
    assert_eq!(a.facts().len(), 303);
}

#[test]
fn a_command_opens_the_repository_once() {
    let Some((world, a)) = traced() else { return };
    a.co(&["learn", "Not synced yet"]);
    for command in [
        &["status"][..],
        &["check"],
        &["diff"],
        &["log", "120"],
        &["show", "120"],
        &["context"],
        &["list"],
        &["learn", "Said for the first time"],
        &["edit", "120", "Said otherwise"],
        &["pin", "121"],
        &["forget", "122"],
        &["identity", "sync"],
        &["undo", "--yes"],
    ] {
        let calls = calls_of(&world, &a, "?open,openat,execve", command);
        let process = |call: &str| call.split(' ').next().map(str::to_owned);
        let own = calls.first().and_then(|call| process(call)).expect("a call");
        let opened = calls.iter().filter(|call| {
            process(call).as_ref() == Some(&own) && call.contains("identity/.git/config\"")
        });
        assert!(opened.clone().count() <= 1, "{command:?}: {:#?}", opened.collect::<Vec<_>>());
    }
}

#[test]
fn a_similar_fact_is_named_after_one_look_at_each_of_the_others() {
    let Some((world, a)) = traced() else { return };
    let text = "Prefers pytest over unittest";
    a.co(&["learn", text]);
    until_times_are_trusted();
    a.co(&["list"]);
    for more in ["always", "now"] {
        until_times_are_trusted();
        let looks = "?stat,?lstat,?newfstatat,statx,?open,openat";
        let calls = calls_of(&world, &a, looks, &["learn", &format!("{text} {more}")]);
        let often: Vec<_> = facts(&calls).into_iter().filter(|(_, times)| *times > 1).collect();
        assert!(often.is_empty(), "{more}: {often:?}");
        // What was saved is only noted: taking it in would rewrite pages of the index.
        assert!(a.index().with_extension("recent").exists(), "{more}");
    }
    assert!(a.co(&["learn", "Prefers pytest over unittest in all cases"]).contains("similar to"));
}

#[test]
fn each_fact_is_looked_at_once() {
    let Some((world, a)) = traced() else { return };
    // What was written in the second of the index is looked into once more.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    a.co(&["context"]);
    for command in [&["context"][..], &["list"]] {
        let calls = calls_of(&world, &a, "?stat,?lstat,?newfstatat,statx", command);
        let times = facts(&calls);
        // The newest are read for the context.
        let often = times.values().filter(|times| **times > 1).count();
        assert!(often <= 20, "{command:?} looked again at {often} of {}", times.len());
    }
}

#[test]
fn status_looks_at_each_fact_once_and_opens_none_whatever_their_number() {
    let Some((world, a)) = traced() else { return };
    // What was written in the second of git's index is compared by its bytes.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    a.co(&["learn", "The deploy token is {{secret:deploy}}"]);
    a.co(&["sync"]);
    // The first one after a long time reads what names a secret, and notes what it may trust.
    until_times_are_trusted();
    a.co(&["status"]);
    for settings in [r"{}", r#"{"recall": {"look_at": 10}}"#] {
        fs::write(a.config().join("settings.json"), settings).expect("written");
        let kinds = "?open,openat,?stat,?lstat,?newfstatat,statx";
        let calls = calls_of(&world, &a, kinds, &["status"]);
        let times = facts(&calls);
        assert!(times.len() > 200, "{settings}: {times:?}");
        let often: Vec<_> = times.iter().filter(|(_, times)| **times > 1).collect();
        assert!(often.is_empty(), "{settings}: {often:?}");
    }
}

/// Whether a call opens an index itself, not what is beside it.
fn opens_index(call: &str) -> bool {
    call.contains("/index.") && call.contains(".db\"")
}

#[test]
fn a_command_opens_the_index_once_to_read_and_once_to_write() {
    let Some((world, a)) = traced() else { return };
    let settings = r#"{"recall": {"encoder": "off"}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    // To open it, its beginning is read first.
    for (command, most) in [
        (&["list"][..], 2),
        (&["show", "124"], 2),
        (&["context"], 2),
        (&["recall", "fact"], 2),
        (&["learn", "Said for the first time"], 4),
        (&["edit", "120", "Said otherwise"], 4),
        (&["pin", "122"], 4),
        (&["forget", "123"], 4),
    ] {
        // What was written a moment ago is looked into once more, and then noted as read.
        std::thread::sleep(std::time::Duration::from_millis(100));
        a.co(&["list"]);
        a.co(&["list"]);
        let calls = calls_of(&world, &a, "?open,openat", command);
        let opened = calls.iter().filter(|call| opens_index(call));
        assert!(opened.clone().count() <= most, "{command:?}: {:#?}", opened.collect::<Vec<_>>());
    }
}

/// How often the index is opened for some questions to one process.
fn opened_for(world: &World, a: &Laptop, questions: &[&str]) -> usize {
    let asked: String = questions
        .iter()
        .map(|question| format!("{}\n", serde_json::json!({ "query": question })))
        .collect();
    opened_by(world, a, (&["recall", "--batch", "--limit", "1"], &asked))
}

/// How often one process opens the index that reads this.
fn opened_by(world: &World, a: &Laptop, (arguments, given): (&[&str], &str)) -> usize {
    let log = world.path("calls");
    let (log_name, co) = (log.to_str().expect("UTF-8"), env!("CARGO_BIN_EXE_co"));
    let strace = ["-f", "-qq", "-e", "trace=?open,openat", "-o", log_name, co];
    let file = world.path("questions");
    fs::write(&file, given).expect("written");
    let mut command = a.command_of("strace", &[&strace[..], arguments].concat());
    let ended = command.stdin(fs::File::open(&file).expect("questions")).output();
    let ended = ended.expect("strace runs");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let calls = fs::read_to_string(&log).expect("the log");
    calls.lines().filter(|call| opens_index(call)).count()
}

#[test]
fn a_tool_call_opens_the_index_no_more_often_than_the_command() {
    let Some((world, a)) = traced() else { return };
    let settings = r#"{"recall": {"encoder": "off"}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    let saved = |count: usize, word: &str| {
        let mut lines = vec![
            serde_json::json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
                "protocolVersion": "2025-06-18", "capabilities": {},
                "clientInfo": {"name": "test", "version": "1"}}}),
            serde_json::json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ];
        lines.extend((1..=count).map(|at| {
            serde_json::json!({"jsonrpc": "2.0", "id": at, "method": "tools/call", "params": {
                "name": "save_memory",
                "arguments": {"content": format!("Said {word} for the time number {at}")}}})
        }));
        let given: String = lines.iter().map(|line| format!("{line}\n")).collect();
        // So that the first save is not right after another change.
        until_times_are_trusted();
        let before = a.facts().len();
        let opened = opened_by(&world, &a, (&["mcp"], &given));
        assert_eq!(a.facts().len(), before + count);
        opened
    };
    let (one, three) = (saved(1, "first"), saved(3, "later"));
    assert!(three <= one + 2 * 4, "{one} times for one save, {three} for three");
}

#[test]
fn a_file_that_is_no_fact_or_holds_a_secret_has_the_index_opened_no_more_often() {
    let Some((world, a)) = traced() else { return };
    let settings = r#"{"recall": {"encoder": "off"}}"#;
    fs::write(a.config().join("settings.json"), settings).expect("written");
    let token = token();
    let front = "---\nid: 901\ncreated: 2026-01-01T00:00:00Z\n---\n\n";
    let questions = ["fact", "number", "120", "tea", "fact 130", "number 131", "rain", "trains"];
    for (path, text) in [
        ("knowledge/memories/900-none.md", "no fact\n".to_owned()),
        ("knowledge/memories/901-token.md", format!("{front}token {token}\n")),
        ("knowledge/memories/902-open.md", "---\nid: 902\n".to_owned()),
        ("knowledge/memories/903-empty.md", String::new()),
        ("knowledge/notes/keys.md", format!("# Keys\n\ntoken {token}\n")),
    ] {
        a.write(path, &text);
        // Until then, the new file is looked into again.
        std::thread::sleep(std::time::Duration::from_millis(100));
        a.co(&["list"]);
        a.co(&["recall", "fact"]);
        let opened = opened_for(&world, &a, &questions);
        assert!(
            opened < questions.len(),
            "{path}: {opened} times for {} questions",
            questions.len()
        );
    }
}

/// Writes into a file as some editors do: the folder does not change.
fn edit_in_place(laptop: &Laptop, path: &str, from: &str, to: &str) {
    let file = laptop.identity().join(path);
    let text = fs::read_to_string(&file).expect("a fact").replace(from, to);
    std::thread::sleep(std::time::Duration::from_millis(20));
    fs::write(file, text).expect("written");
}

#[test]
fn a_number_duplicated_by_hand_is_never_guessed() {
    for verb in
        [&["show", "2"][..], &["pin", "2"], &["edit", "2", "Other"], &["forget", "2", "--yes"]]
    {
        let world = World::new();
        let a = world.laptop("a");
        a.co(&["init", "--yes"]);
        for fact in ["Likes tea", "Likes rain", "Likes trains"] {
            a.co(&["learn", fact]);
        }
        a.co(&["list"]);
        edit_in_place(&a, &a.file_of("Likes tea"), "id: 1", "id: 2");
        let said = a.fails(3, verb);
        assert!(said.contains("Likes tea") && said.contains("Likes rain"), "{verb:?}: {said}");
        assert_eq!(a.facts().len(), 3);
    }
}

#[test]
fn a_text_duplicated_by_hand_is_forgotten_in_both_files_and_refused_as_an_edit() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for fact in ["Likes tea", "Likes rain", "Likes trains"] {
        a.co(&["learn", fact]);
    }
    a.co(&["list"]);
    edit_in_place(&a, &a.file_of("Likes rain"), "Likes rain", "Likes cocoa");
    let said = a.fails(6, &["edit", "3", "Likes cocoa"]);
    assert!(said.contains('2'), "{said}");
    a.co(&["edit", "3", "Likes rain"]);
    edit_in_place(&a, &a.file_of("Likes cocoa"), "Likes cocoa", "Likes tea");
    a.co(&["forget", "1"]);
    assert_eq!(a.facts(), ["Likes rain"]);
}

#[test]
fn a_sync_of_a_new_fact_looks_at_each_other_once_and_opens_none() {
    let Some((world, a)) = traced() else { return };
    // What was written in the second of git's index is compared by its bytes.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    for text in ["The first", "The second"] {
        a.co(&["learn", text]);
        // What was written a moment ago is read again before its time counts.
        std::thread::sleep(std::time::Duration::from_millis(200));
        if text == "The first" {
            a.co(&["sync"]);
        }
    }
    let kinds = "?open,openat,?stat,?lstat,?newfstatat,statx";
    let calls = calls_of(&world, &a, kinds, &["identity", "sync"]);
    let times = facts(&calls);
    assert!(times.len() > 200, "{times:?}");
    let often: Vec<_> = times.iter().filter(|(_, times)| **times > 1).collect();
    assert!(often.is_empty(), "{often:?}");
    assert!(a.git(&["log", "-1", "--format=%s"]).contains("learned 1"));
}

#[test]
fn a_copied_identity_is_read_once() {
    let Some((world, a)) = traced() else { return };
    let memories = a.identity().join("knowledge/memories");
    for entry in fs::read_dir(&memories).expect("a folder") {
        let file = entry.expect("an entry").path();
        let copy = file.with_extension("copy");
        fs::copy(&file, &copy).expect("copied");
        fs::rename(&copy, &file).expect("renamed");
    }
    // Younger files may be written again without showing it.
    std::thread::sleep(std::time::Duration::from_millis(4_100));
    a.co(&["learn", "One more"]);
    a.co(&["sync"]);
    let opened = calls_of(&world, &a, "?open,openat", &["status"]);
    assert!(facts(&opened).is_empty(), "{opened:?}");
    assert_eq!(a.git(&["status", "--porcelain"]).trim(), "");
}

/// Writes every fact again with its own bytes, as a copy or a backup does.
fn restored(laptop: &Laptop) {
    // Git compares whole seconds: in the second in which they were written, nothing would differ.
    std::thread::sleep(std::time::Duration::from_millis(1_100));
    for (path, bytes) in laptop.tree() {
        if path.ends_with("-fact.md") {
            let file = laptop.identity().join(path);
            fs::remove_file(&file).expect("removed");
            fs::write(&file, bytes).expect("written");
        }
    }
    // Old enough for a stat to tell that nothing was written since.
    std::thread::sleep(std::time::Duration::from_millis(3_100));
}

/// How many facts git would read to compare them.
fn doubtful(laptop: &Laptop) -> usize {
    laptop.git(&["diff-files", "--name-only"]).lines().count()
}

#[test]
fn after_a_copy_the_files_are_read_once_and_git_knows_it() {
    let Some((world, a)) = traced() else { return };
    for command in [&["status"][..], &["identity", "sync"]] {
        restored(&a);
        assert!(doubtful(&a) >= 300, "before {command:?}");
        a.co(command);
        assert_eq!(doubtful(&a), 0, "after {command:?}");
        a.co(&["list"]);
        let opened = calls_of(&world, &a, "?open,openat", command);
        assert!(facts(&opened).is_empty(), "{command:?} opened {:?}", facts(&opened));
        assert_eq!(a.git(&["status", "--porcelain"]), "");
    }
}

#[test]
fn what_is_staged_and_changed_stays_so_when_git_is_told_of_stats() {
    let world = World::new();
    let a = indexed(&world);
    a.edit("knowledge/memories/120-fact.md", "Fact number", "A staged fact number");
    a.git(&["add", "knowledge/memories/120-fact.md"]);
    a.edit("knowledge/memories/121-fact.md", "Fact number", "A changed fact number");
    fs::remove_file(a.identity().join("knowledge/memories/122-fact.md")).expect("removed");
    a.write("knowledge/memories/123-fact.txt", "untracked");
    restored(&a);
    let state = || a.git(&["status", "--porcelain"]) + &a.git(&["diff", "--cached"]);
    let index = || fs::read(a.identity().join(".git/index")).expect("readable");
    let (lock, before) = (a.identity().join(".git/index.lock"), index());
    fs::write(&lock, "somebody's").expect("written");
    a.co(&["status"]);
    assert_eq!(fs::read_to_string(&lock).expect("readable"), "somebody's");
    assert!(index() == before, "written beside a lock");
    fs::remove_file(&lock).expect("removed");
    a.co(&["status"]);
    assert!(index() != before && !lock.exists());
    assert!(doubtful(&a) <= 2, "{}", doubtful(&a));
    let after = state();
    for expected in ["M  knowledge/memories/120-", " M knowledge/memories/121-", " D knowledge"] {
        assert!(after.contains(expected), "{expected} is not in {after}");
    }
    assert!(after.contains("+A staged fact number 120"), "{after}");
}
