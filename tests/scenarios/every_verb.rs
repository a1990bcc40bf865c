//! A usual and a failing run of every verb, whole, as a pipe reads it. `INSTA_UPDATE=always`
//! accepts changed ones.
//!
//! No keyring can be reached here; what one does is tested in `tests/verbs/secret.rs`.

use crate::support::{Laptop, World};
use std::{
    cell::Cell,
    fmt::Write,
    fs,
    time::{Duration, SystemTime},
};

/// Runs one after the other, a minute apart: the verb as its page is named, and what is typed.
const RUNS: &[(&str, &[&[&str]])] = &[
    ("status", &[&["status"]]),
    (
        "init",
        &[
            &["init", "nowhere"],
            &["init", "--yes", "--name", "Bin Chen", "--timezone", "Mars/Base"],
            &["init", "--yes", "--name", "Bin Chen", "--timezone", "Europe/Berlin"],
        ],
    ),
    (
        "learn",
        &[
            &["learn", "Prefers tabs", "--tag", "style"],
            &["learn", "Deploys with fly.io"],
            &["learn", "Prefers tabs"],
            &["learn", ""],
            &["learn", "one\n<<<<<<< ours\ntwo\n=======\nthree\n>>>>>>> theirs"],
            &["learn", "the token is ghp_9xKq2LmV7RtZ4WcY8NbJ3HdF6GsP1Qe05AuT"],
            &["learn", "x", "--allow-secret", "nothing"],
        ],
    ),
    (
        "list",
        &[
            &["list"],
            &["list", "--tag", "style"],
            &["list", "-n", "1", "--sort", "newest"],
            &["list", "--sort", "size"],
            &["list", "--at", "sometime"],
        ],
    ),
    ("recall", &[&["recall", "tabs or spaces"], &["recall", "quantum"]]),
    ("show", &[&["show", "1"], &["show", "7"], &["show", "one"]]),
    (
        "edit",
        &[
            &["edit", "1", "Prefers tabs over spaces"],
            &["edit", "1", "Deploys with fly.io"],
            &["edit", "1"],
            &["edit", "1", "--add-tag", "code"],
            &["edit", "1", "--remove-tag", "tea"],
        ],
    ),
    ("pin", &[&["pin", "1"], &["pin", "7"]]),
    ("unpin", &[&["unpin", "last"], &["unpin", "1"], &["unpin", "7"]]),
    ("forget", &[&["forget", "7"], &["forget", "2"]]),
    ("log", &[&["log"], &["log", "9"]]),
    ("undo", &[&["undo"], &["undo", "op99"], &["undo", "nonsense"], &["undo", "3"]]),
    ("redo", &[&["redo"], &["redo"]]),
    ("diff", &[&["diff"], &["diff", "nowhere"]]),
    ("check", &[&["check"], &["check", "nowhere.md"], &["check", "--fix", "profile.md"]]),
    (
        "sync",
        &[
            &["sync"],
            &["sync", "--nonsense"],
            &["sync", "--every", "soon"],
            &["sync", "--every", "15m"],
            &["sync", "--every", "off"],
        ],
    ),
    ("context", &[&["context"], &["context", "--layer", "nonsense"]]),
    ("handoff", &[&["handoff"], &["handoff", "--next", "Write the tests"]]),
    ("review", &[&["review"]]),
    ("config-get", &[&["config", "get", "sync.timeout"], &["config", "get", "sync.tmieout"]]),
    (
        "config-set",
        &[
            &["config", "set", "sync.timeout", "5"],
            &["config", "set", "sync.timeout", "soon"],
            &["config", "set", "identity_path", ""],
        ],
    ),
    ("profile-list", &[&["profile"], &["profile", "list"]]),
    (
        "profile-set",
        &[
            &["profile", "set", "Editor", "nano"],
            &["profile", "set", "editor", "neovim"],
            &["profile", "set", "Editor", "neovim"],
            &["profile", "set", "Timezone", "Mars/Base"],
            &["profile", "set", "a: b", "x"],
            &["profile", "set", "Editor", "one\ntwo"],
        ],
    ),
    ("profile-get", &[&["profile", "get", "editor"], &["profile", "get", "Pet"]]),
    ("profile-unset", &[&["profile", "unset", "editor"], &["profile", "unset", "Editor"]]),
    ("config-unset", &[&["config", "unset", "sync.timeout"], &["config", "unset", "nothing"]]),
    ("config-list", &[&["config", "list"], &["config", "list", "-v"]]),
    (
        "identity-export",
        &[
            &["identity", "export", "out.tar.gz"],
            &["identity", "export", "out.zip"],
            &["identity", "export", "-"],
        ],
    ),
    (
        "identity-import",
        &[&["import", "out.tar.gz"], &["import", "nowhere.tar.gz"], &["import", "HEAD"]],
    ),
    ("identity-path", &[&["identity", "path"]]),
    ("identity-show", &[&["identity", "show"], &["identity", "show", "nothing.md"]]),
    (
        "identity-restore",
        &[
            &["identity", "restore", "profile.md"],
            &["identity", "restore", "--from", "nonsense", "profile.md"],
        ],
    ),
    (
        "identity-remote",
        &[
            &["identity", "remote"],
            &["identity", "remote", "nowhere"],
            &["identity", "remote", "../nowhere.git"],
        ],
    ),
    ("identity-move", &[&["identity", "move", ".config/co-cli/identity/inside"]]),
    ("memory-similar", &[&["memory", "similar"], &["memory", "similar", "7"]]),
    (
        "knowledge-write",
        &[
            &["knowledge", "write", "deploy-steps", "# Deploy\n\nPush, then wait."],
            &["knowledge", "write", "Deploy Steps!", "x"],
            &["knowledge", "write", "docs/recall", "x"],
            &["knowledge", "write", "a", "x", "--status", "nonsense"],
        ],
    ),
    (
        "knowledge-edit",
        &[
            &["knowledge", "edit", "deploy-steps"],
            &["knowledge", "edit", "deploy-step"],
            &["knowledge", "edit", "docs/recall"],
        ],
    ),
    (
        "knowledge-add",
        &[
            &["knowledge", "add", "note.md"],
            &["knowledge", "add", "nowhere.md"],
            &["knowledge", "add", "ftp://example.org/x"],
            &["knowledge", "add", "http://127.0.0.1:1/"],
        ],
    ),
    ("knowledge-list", &[&["knowledge", "list"], &["knowledge", "list", "--tag", "nothing"]]),
    ("knowledge-tree", &[&["knowledge", "tree"]]),
    (
        "knowledge-show",
        &[&["knowledge", "show", "deploy-steps"], &["knowledge", "show", "deploy-step"]],
    ),
    (
        "knowledge-related",
        &[&["knowledge", "related", "deploy-steps"], &["knowledge", "related", "nobody"]],
    ),
    (
        "knowledge-search",
        &[&["knowledge", "search", "how to deploy"], &["knowledge", "search", "quantum"]],
    ),
    (
        "knowledge-move",
        &[
            &["knowledge", "move", "deploy-steps", "ops/deploy", "--yes"],
            &["knowledge", "move", "nothing", "ops/deploy", "--yes"],
            &["knowledge", "move", "ops/deploy", "articles/note", "--yes"],
        ],
    ),
    (
        "knowledge-delete",
        &[&["knowledge", "delete", "nothing"], &["knowledge", "delete", "ops/deploy", "--yes"]],
    ),
    ("knowledge-migrate", &[&["knowledge", "migrate", "--dry-run"]]),
    ("knowledge-seed", &[&["knowledge", "seed"]]),
    ("knowledge-reindex", &[&["knowledge", "reindex"]]),
    ("secret-scan", &[&["secret", "scan"], &["secret", "scan", "nowhere"]]),
    ("secret-status", &[&["secret", "status"]]),
    ("secret-set", &[&["secret", "set", "a b"], &["secret", "set", "x", "value"]]),
    ("agent-list", &[&["agent", "list"]]),
    (
        "agent-install",
        &[
            &["agent", "install", "gemini", "--dry-run"],
            &["agent", "install", "nobody"],
            &["agent", "install", "--all"],
        ],
    ),
    ("agent-uninstall", &[&["agent", "uninstall", "gemini"]]),
    (
        "agent-import",
        &[
            &["agent", "import"],
            &["agent", "import", "--from", "nowhere"],
            &["agent", "import", "--from", "facts.txt", "--review"],
        ],
    ),
    (
        "review-accept",
        &[&["review"], &["review", "accept", "abcdef"], &["review", "accept", "FIRST"]],
    ),
    ("review-reject", &[&["review", "reject", "abcdef"], &["review", "reject", "FIRST"]]),
    ("agent-notes", &[&["agent", "notes"]]),
    (
        "skill-add",
        &[
            &["skill", "add", "tea"],
            &["skill", "add", "tea"],
            &["skill", "add", "note.md"],
            &["skill", "add", "nowhere"],
            &["skill", "add", "bad-tea"],
        ],
    ),
    ("skill-list", &[&["skill", "list"]]),
    ("skill-show", &[&["skill", "show", "tea"], &["skill", "show", "coffee"]]),
    ("skill-adopt", &[&["skill", "adopt"], &["skill", "adopt", "--yes"]]),
    (
        "skill-remove",
        &[&["skill", "remove", "coffee"], &["skill", "remove", "tea"], &["skill", "list"]],
    ),
    ("hook-install", &[&["hook", "install", "--dry-run"]]),
    ("hook-uninstall", &[&["hook", "uninstall"]]),
    (
        "layer-add",
        &[
            &["layer", "add", "me"],
            &["layer", "add", "club"],
            &["layer", "add", "club", "--write"],
            &["layer", "add", "work", "--for", "work/**", "--instead"],
            &["layer", "add", "work", "--for", "~/work", "--instead"],
        ],
    ),
    ("propose", &[&["propose", "1", "--to", "nobody"], &["propose", "1", "--to", "club"]]),
    ("layer-list", &[&["layer", "list"]]),
    ("layer-show", &[&["layer", "show", "club"], &["layer", "show", "nobody"]]),
    (
        "layer-move",
        &[
            &["layer", "move", "club", "--before", "nobody"],
            &["layer", "move", "club", "--after", "club"],
        ],
    ),
    ("layer-remove", &[&["layer", "remove", "club"], &["layer", "remove", "club"]]),
    ("doctor", &[&["doctor"], &["doctor", "--nonsense"]]),
    // What it says depends on where the program lies: `verbs::upgrade`.
    ("upgrade", &[&["upgrade", "now"]]),
    ("doctor-agents", &[&["doctor", "agents"], &["doctor", "agents", "nobody"]]),
    ("secret-get", &[&["secret", "get", "x"], &["secret", "get", "a b"]]),
    ("secret-list", &[&["secret", "list"]]),
    ("secret-rm", &[&["secret", "rm", "x"]]),
    ("mcp", &[&["mcp"], &["mcp", "--tools", "nonsense"]]),
    // What it serves is in `verbs::web::server`.
    ("web", &[&["web", "--port", "70000"]]),
    ("help", &[&["help", "exit-codes"], &["help", "nothing"]]),
    ("man", &[&["man", "nothing"]]),
    ("completions", &[&["completions", "nothing"]]),
    ("confirm", &[&["confirm", "1"], &["confirm", "99"], &["confirm"]]),
    // With a keyring and a remote they are in `verbs::seal::remote`.
    ("seal-on", &[&["seal", "on"], &["seal", "on", "nowhere.git", "--yes"]]),
    ("seal-off", &[&["seal", "off"], &["seal", "off", "nowhere.git"]]),
    ("seal-status", &[&["seal", "status"]]),
    ("seal-add", &[&["seal", "add"]]),
    ("seal-remove", &[&["seal", "remove", "borg"]]),
    ("seal-rotate", &[&["seal", "rotate"]]),
    ("seal-recovery", &[&["seal", "recovery"]]),
    ("seal-repair", &[&["seal", "repair"]]),
    ("seal-repack", &[&["seal", "repack"]]),
    ("seal-export-key", &[&["seal", "export-key"]]),
];

const TEA: &str = "---\nname: tea\ndescription: Makes tea. Use it in the afternoon.\n\
    allowed-tools: Bash(brew:*)\n---\n\nRun scripts/brew.sh.\n";

/// The id of the proposal that `co review` shows first.
const FIRST: &str = "FIRST";

fn first_waiting(laptop: &Laptop) -> String {
    let waiting = laptop.json(&["review"]);
    waiting["data"]["proposals"][0]["id"].as_str().expect("a proposal waits").to_owned()
}

fn laptop(world: &World) -> Laptop {
    let laptop = world.laptop("a");
    fs::write(laptop.home.join("note.md"), "# A note\n\nSee [[deploy-steps]].\n").expect("a note");
    for (folder, text) in [("tea", TEA), ("bad-tea", "Tea without a name.\n")] {
        let folder = laptop.home.join(folder);
        fs::create_dir_all(folder.join("scripts")).expect("a folder");
        fs::write(folder.join("SKILL.md"), text).expect("a skill");
        fs::write(folder.join("scripts/brew.sh"), "#!/bin/sh\necho tea\n").expect("a program");
    }
    let facts = laptop.home.join("facts.txt");
    fs::write(&facts, "- Lives in Seattle\n- Works with Rust\n").expect("two facts");
    let written = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_000_000);
    let facts = fs::File::options().write(true).open(facts).expect("it is there");
    facts.set_modified(written).expect("a file's time can be set");
    let clean =
        laptop.with_env("TZ", "UTC").with_env("HOSTNAME", "a").with_env("PATH", "/usr/bin:/bin");
    clean.with_env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
}

#[test]
fn each_says_what_it_did_and_what_went_wrong() {
    let world = World::new();
    let (a, minute) = (laptop(&world), Cell::new(0));
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let root = world.dir.path().display().to_string().replace('.', r"\.");
    settings.add_filter(&root, "[WORLD]");
    let program = assert_cmd::cargo::cargo_bin("co").display().to_string();
    settings.add_filter(&regex::escape(&program), "[CO]");
    settings.add_filter(r"\b[0-9a-f]{40}\b", "[COMMIT]");
    settings.add_filter(r"\bgit \d+(\.\d+)+", "git [VERSION]");
    // The clock of the tests does not move, except for the fraction of a second.
    settings.add_filter(r"(:\d\d)\.\d{6}Z", "${1}Z");
    // Of a proposal, by the path of its file.
    settings.add_filter(r"\b[0-9a-f]{12}\b", "[ID]");
    // Of an archive, which holds times of day.
    settings.add_filter(r"\(\d+ bytes\)", "([N] bytes)");
    settings.add_filter(&regex::escape(env!("CARGO_PKG_VERSION")), "[VERSION]");
    for (verb, runs) in RUNS {
        let mut told = String::new();
        for words in *runs {
            let now = minute.replace(minute.get() + 1);
            let now = format!("2026-11-20T{:02}:{:02}:00Z", 9 + now / 60, now % 60);
            let first = words.contains(&FIRST).then(|| first_waiting(&a));
            let named = |word: &&str| if *word == FIRST { first.clone() } else { None };
            let words: Vec<String> =
                words.iter().map(|word| named(word).unwrap_or((*word).into())).collect();
            let typed = words.join(" ");
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let said = a.with_env("CO_TEST_CLOCK", &now).try_co(&words);
            let _ = write!(told, "$ co {typed}\n{}{}[{}]\n\n", said.out, said.err, said.code);
        }
        settings.bind(|| insta::assert_snapshot!(format!("verb-{verb}"), told.trim_end()));
    }
}

#[test]
fn every_verb_is_among_them() {
    let pages = co_cli::cli::man_pages();
    let names: Vec<String> =
        pages.iter().map(|(name, _)| name.trim_end_matches(".1").to_owned()).collect();
    for (name, text) in &pages {
        let name = name.trim_end_matches(".1");
        let is_group = names.iter().any(|other| other.starts_with(&format!("{name}-")));
        let is_long_form = text.starts_with(".so ");
        let verb = name.trim_start_matches("co-");
        let is_seen = RUNS.iter().any(|(seen, _)| *seen == verb);
        assert!(is_group || is_long_form || is_seen, "`{name}` has no run in this file");
    }
}
