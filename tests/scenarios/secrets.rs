//! A token never gets in and never gets out: each way in or out refuses it, says so without showing
//! it, and loses nothing else.

use crate::support::{
    Laptop, Said, World, client::Client, files_containing, git, objects_contain, tokens::token,
    whole::whole,
};
use serde_json::json;
use std::{fs, path::Path};

const SHOWN: &str = "ghp_zQW…";

fn ready(world: &World) -> (Laptop, String) {
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    (a, remote)
}

/// A refusal that names rule and beginning, and has a hint.
fn refused(said: &Said) {
    let all = format!("{}{}", said.out, said.err);
    assert_eq!(said.code, 6, "{all}");
    assert!(
        all.contains("rule github-pat") && all.contains(SHOWN) && all.contains("hint"),
        "{all}"
    );
    assert!(!all.contains(&token()), "the refusal shows the secret");
}

#[test]
fn a_token_is_not_saved() {
    let world = World::new();
    let (a, _) = ready(&world);
    let before = a.tree();
    let said = a.try_co(&["learn", &format!("token for staging is {}", token())]);
    refused(&said);
    assert_eq!(
        said.err,
        "error: this looks like a GitHub token (rule github-pat, line 1: `ghp_zQW…`). Nothing was saved.\n\
         hint: keep it in the keyring: `co secret set staging-token`, and write {{secret:staging-token}} in the text\n\
         hint: if this is not a secret, put `co:allow-secret` on its line, or use `--allow-secret github-pat`\n"
    );
    refused(&a.try_co(&["learn", "harmless", "--tag", &token()]));
    refused(&a.try_co(&["learn", "harmless", "--source", &token()]));
    refused(&a.try_co(&["learn", "--json", &token()]));
    refused(&a.piped(&format!("one\ntwo {}\n", token()), &["memory", "save", "-"]));
    a.co(&["learn", "ask the keyring for {{secret:staging-token}}"]);
    a.co(&["identity", "undo"]);
    assert_eq!(a.tree(), before);
    a.co(&["learn", "A fact"]);
    refused(&a.try_co(&["memory", "edit", "1", &format!("now with {}", token())]));
    refused(&a.try_co(&["memory", "edit", "1", "--tag", &token()]));
    assert_eq!(a.facts(), ["A fact"]);
    assert!(files_containing(&a.home, &token()).is_empty());
    a.fails(2, &["learn", "x", "--allow-secret", "github"]);
}

#[test]
fn what_is_allowed_once_passes_every_door() {
    let world = World::new();
    let (a, _) = ready(&world);
    a.co(&["learn", &format!("an old one: {}", token()), "--allow-secret", "github-pat"]);
    let file = a.file_of("an old one");
    assert!(
        a.read(&file).contains(&format!("{} <!-- co:allow-secret -->", token())),
        "{}",
        a.read(&file)
    );
    a.co(&["identity", "check"]);
    a.co(&["identity", "sync"]);
    a.co(&["secret", "scan"]);
    a.co(&["identity", "export", "x.tar.gz"]);
    // Only that rule, and only that line.
    let said = a.try_co(&[
        "learn",
        &format!("{} and sk-ant-api03-{}AA", token(), "x9Kq2LmZ7vTn4Rb8".repeat(6)),
        "--allow-secret",
        "github-pat",
    ]);
    assert!(said.code == 6 && said.err.contains("rule anthropic-key"), "{}", said.err);
}

#[test]
fn sync_publishes_the_rest_and_keeps_the_last_commits_version() {
    let world = World::new();
    let (a, remote) = ready(&world);
    a.co(&["learn", "Published"]);
    a.co(&["identity", "sync"]);
    let committed = a.git(&["show", "HEAD:profile.md"]);
    a.edit("profile.md", "- Name: Bin", &format!("- Name: Bin\n- Token: {}", token()));
    a.write(
        "knowledge/memories/900-by-hand.md",
        &format!("---\nid: 900\ncreated: 2026-01-01T00:00:00.5Z\n---\n\nuse {}\n", token()),
    );
    a.write(&format!("knowledge/people/{}.md", token()), "named badly\n");
    a.co(&["learn", "Goes out"]);
    let (profile, memory) = (a.read("profile.md"), a.read("knowledge/memories/900-by-hand.md"));
    let said = a.try_co(&["identity", "sync"]);
    refused(&said);
    insta::assert_snapshot!(whole(&said.err), @"
    error: 3 files were held back; the rest was synced
    hint: knowledge/memories/900-by-hand.md:6: a GitHub token (rule github-pat: `ghp_zQW…`)
    hint: knowledge/people/ghp_zQW….md: a GitHub token (rule github-pat: `ghp_zQW…`)
    hint: profile.md:10: a GitHub token (rule github-pat: `ghp_zQW…`)
    hint: keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the file, then run `co sync` again
    hint: rename the file that has a secret in its name, then run `co sync` again
    hint: if this is not a secret: `co:allow-secret` on its line, or `--allow-secret github-pat`
    ");
    assert_eq!(a.try_co(&["identity", "sync", "--json"]).code, 6, "and again");
    // The person's files are as they were, HEAD and remote have the rest.
    assert_eq!(
        (a.read("profile.md"), a.read("knowledge/memories/900-by-hand.md")),
        (profile, memory)
    );
    let there = git(Path::new(&remote), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(
        there.contains("goes-out") && !there.contains("by-hand") && !there.contains("people"),
        "{there}"
    );
    assert_eq!(git(Path::new(&remote), &["show", "main:profile.md"]), committed);
    // The sweep: no object here or there, reachable or not, and no file but the person's own.
    assert!(
        !objects_contain(&a.identity(), &token()) && !objects_contain(Path::new(&remote), &token())
    );
    let mut held = files_containing(&a.home, &token());
    held.sort();
    assert_eq!(
        held,
        [a.identity().join("knowledge/memories/900-by-hand.md"), a.identity().join("profile.md")]
    );
    assert!(
        !a.git(&["log", "--all", "-p"]).contains(&token())
            && !a.git(&["ls-files", "--stage"]).contains(&token())
    );

    // Mended, everything goes out.
    a.edit("profile.md", &token(), "{{secret:github}}");
    a.edit("knowledge/memories/900-by-hand.md", &token(), "{{secret:github}}");
    fs::remove_file(a.identity().join(format!("knowledge/people/{}.md", token())))
        .expect("removed");
    a.co(&["identity", "sync"]);
    assert!(git(Path::new(&remote), &["show", "main:profile.md"]).contains("{{secret:github}}"));
    assert_eq!(a.facts(), ["Goes out", "Published", "use {{secret:github}}"]);
}

#[test]
fn a_secret_that_is_published_already_stops_no_other_edit() {
    let world = World::new();
    let (a, remote) = ready(&world);
    a.edit("profile.md", "- Name: Bin", &format!("- Name: Bin\n- Token: {}", token()));
    assert_eq!(a.try_co(&["identity", "sync"]).code, 6);
    a.co(&["identity", "sync", "--allow-secret", "github-pat"]);
    a.edit("profile.md", "- Name: Bin", "- Name: Bin\n- City: Seattle");
    a.co(&["identity", "sync"]);
    assert!(git(Path::new(&remote), &["show", "main:profile.md"]).contains("Seattle"));
    assert_eq!(a.try_co(&["identity", "check"]).code, 1, "check still says so");
    a.co(&["identity", "check", "--allow-secret", "github-pat"]);

    let said = a.try_co(&["secret", "scan", "--history"]);
    let commit = a.git(&["rev-parse", "--short=10", "HEAD~1"]);
    assert_eq!(said.code, 1);
    insta::assert_snapshot!(whole(&said.out.replace(commit.trim(), "[commit]")), @"
      [commit]:profile.md:10  a GitHub token [github-pat]  ghp_zQW…
    1 secret in 8 versions.

    What is committed stays in history until history is rewritten. Proceed in this order:

      1. revoke each of them where it was issued: anyone with a clone already has it
      2. sync everything you want to keep, on every laptop, and copy the repository's folder: the next steps rewrite all commits
      3. EITHER, to keep the files: write the texts to replace into FILE outside the repository, one per line as `literal:THE SECRET==>{{secret:NAME}}`, then
         git -C '[world]/a/.config/co-cli/identity' filter-repo --force --replace-text FILE; rm FILE; co check --fix
      4. OR, if the whole files can be deleted:
         git -C '[world]/a/.config/co-cli/identity' filter-repo --force --invert-paths --path 'profile.md'
      5. git -C '[world]/a/.config/co-cli/identity' remote add origin URL; git -C '[world]/a/.config/co-cli/identity' push --force --all; on every other laptop `co init URL` into a fresh folder
    ");
    assert!(!said.out.contains(&token()));
    a.edit("profile.md", &format!("\n- Token: {}", token()), "");
    a.co(&["identity", "sync"]);
    a.co(&["secret", "scan"]);
    assert_eq!(a.try_co(&["secret", "scan", "--history"]).code, 1, "history has it still");
    assert!(a.json(&["secret", "scan", "--history"])["data"]["secrets"][0]["commit"].is_string());
}

#[test]
fn a_commit_by_hand_is_not_pushed() {
    let world = World::new();
    let (a, remote) = ready(&world);
    a.co(&["identity", "sync"]);
    a.write(
        "knowledge/context.md",
        &format!("---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\nCI uses {}.\n", token()),
    );
    git(&a.identity(), &["add", "-A"]);
    git(&a.identity(), &["commit", "-qm", "by hand"]);
    let said = a.try_co(&["identity", "sync"]);
    refused(&said);
    assert!(
        said.err.contains("nothing was pushed") && said.err.contains("knowledge/context.md:6"),
        "{}",
        said.err
    );
    assert!(!objects_contain(Path::new(&remote), &token()));
    // Removed in a second commit it is still in the first.
    a.edit("knowledge/context.md", &token(), "{{secret:ci}}");
    refused(&a.try_co(&["identity", "sync"]));
    assert!(!objects_contain(Path::new(&remote), &token()));
    // The hint's own command gets out of it.
    let hint =
        said.err.lines().find_map(|line| line.strip_prefix("hint: `git -C ")).expect("a command");
    let (_, command) = hint.split_once(' ').expect("a folder");
    let words: Vec<&str> = command.split('`').next().expect("an end").split(' ').collect();
    a.git(&words);
    a.co(&["identity", "sync"]);
    assert!(
        git(Path::new(&remote), &["show", "main:knowledge/context.md"]).contains("{{secret:ci}}")
    );
    assert!(!objects_contain(Path::new(&remote), &token()));
}

#[test]
fn archives_neither_take_one_out_nor_bring_one_in() {
    let world = World::new();
    let (a, _) = ready(&world);
    let b = world.laptop("b");
    b.co(&["init", "--yes"]);
    a.edit("personality.md", "---\n\n", &format!("---\n\nSign with {}.\n\n", token()));
    refused(&a.try_co(&["identity", "export", "x.tar.gz"]));
    refused(&a.try_co(&["identity", "export", "--format", "dir", "x"]));
    assert!(!a.home.join("x.tar.gz").exists() && !a.home.join("x").exists());
    a.co(&["identity", "export", "x.tar.gz", "--allow-secret", "github-pat"]);
    let archive = a.home.join("x.tar.gz").display().to_string();
    let before = b.tree();
    let said = b.try_co(&["identity", "diff", &archive]);
    assert!(
        said.code == 0 && said.err.contains("warning: personality.md:") && said.err.contains(SHOWN),
        "{}",
        said.err
    );
    refused(&b.try_co(&["identity", "import", "--yes", &archive]));
    refused(&b.try_co(&["identity", "import", "--yes", "--replace", &archive]));
    assert_eq!(b.tree(), before);
    assert!(files_containing(&b.home, &token()).is_empty());
    b.co(&["identity", "import", "--yes", &archive, "--allow-secret", "github-pat"]);
    assert!(b.read("personality.md").contains(&token()));
}

#[test]
fn check_and_the_commit_hook_say_where() {
    let world = World::new();
    let (a, _) = ready(&world);
    a.co(&["hook", "install"]);
    a.write(
        "traits/ci.md",
        &format!(
            "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\nCI\n\n    key = {}\n",
            token()
        ),
    );
    let said = a.try_co(&["identity", "check"]);
    assert_eq!(said.code, 1, "{}", said.out);
    insta::assert_snapshot!(whole(&said.out), @"
    identity/traits/ci.md:8  error [secret]
        a GitHub token (rule github-pat: ghp_zQW…); keep it in the keyring (`co secret set NAME`) and write {{secret:NAME}}, or put `co:allow-secret` on the line
    1 problem in 7 files.
    ");
    assert!(!said.out.contains(&token()));
    git(&a.identity(), &["add", "-A"]);
    let bin = assert_cmd::cargo::cargo_bin("co");
    let commit = std::process::Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@e.org", "commit", "-qm", "x"])
        .current_dir(a.identity())
        .env("HOME", &a.home)
        .env(
            "PATH",
            format!(
                "{}:{}",
                bin.parent().expect("a folder").display(),
                std::env::var("PATH").expect("a path")
            ),
        )
        .output()
        .expect("git runs");
    let told = format!(
        "{}{}",
        String::from_utf8_lossy(&commit.stdout),
        String::from_utf8_lossy(&commit.stderr)
    );
    assert!(
        !commit.status.success() && told.contains("traits/ci.md:8") && !told.contains(&token()),
        "{told}"
    );
    a.edit("traits/ci.md", &token(), &format!("{} # co:allow-secret", token()));
    a.co(&["identity", "check"]);
}

#[test]
fn an_older_version_with_one_is_not_restored() {
    let world = World::new();
    let (a, _) = ready(&world);
    a.edit("profile.md", "- Name: Bin", &format!("- Name: Bin\n- Token: {}", token()));
    a.co(&["identity", "sync", "--allow-secret", "github-pat"]);
    a.edit("profile.md", &format!("\n- Token: {}", token()), "");
    a.co(&["identity", "sync"]);
    let profile = a.read("profile.md");
    refused(&a.try_co(&["identity", "restore", "--from", "HEAD~1", "profile.md"]));
    assert_eq!(a.read("profile.md"), profile);
    a.co(&[
        "identity",
        "restore",
        "--from",
        "HEAD~1",
        "profile.md",
        "--allow-secret",
        "github-pat",
    ]);
}

#[test]
fn an_adopted_folder_keeps_its_secret_to_itself() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    fs::create_dir_all(a.home.join("notes/traits")).expect("a folder");
    fs::write(
        a.home.join("notes/profile.md"),
        "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n- Name: Bin\n",
    )
    .expect("written");
    fs::write(
        a.home.join("notes/traits/x.md"),
        format!("---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n{}\n", token()),
    )
    .expect("written");
    let said = a.try_co(&["init", "--yes", "notes", "--remote", &remote]);
    refused(&said);
    assert!(
        said.out.contains("is ready") && said.err.contains("traits/x.md:6"),
        "{}{}",
        said.out,
        said.err
    );
    assert!(git(Path::new(&remote), &["show", "main:profile.md"]).contains("Bin"));
    assert!(
        !objects_contain(Path::new(&remote), &token())
            && !objects_contain(&a.home.join("notes"), &token())
    );
}

#[test]
fn no_message_and_no_log_shows_one() {
    let world = World::new();
    let (a, _) = ready(&world);
    let unseen = |said: Said| {
        assert!(
            !said.out.contains(&token()) && !said.err.contains(&token()),
            "{}{}",
            said.out,
            said.err
        );
        said.err
    };
    unseen(a.try_co(&["learn", "x", "--no-such-option", &token()]));
    unseen(a.try_co(&["learn", "x", "--json", &format!("--no-{}", token())]));
    unseen(a.try_co(&[&token()]));
    unseen(a.try_co(&["memory", "show", &token()]));
    unseen(a.try_co(&["memory", "forget", &token()]));
    unseen(a.try_co(&["identity", "diff", &token()]));
    unseen(a.try_co(&["identity", "check", &token()]));
    unseen(a.try_co(&["secret", "get", &token()]));
    unseen(a.try_co(&["help", &token()]));
    // A memory written by hand, with the token in a field that check quotes.
    a.write(
        "knowledge/memories/800-x.md",
        &format!("---\nid: 800\ncreated: {}\n---\n\nx\n", token()),
    );
    unseen(a.try_co(&["identity", "check"]));
    unseen(a.try_co(&["recall", "x"]));
    a.write(
        "knowledge/memories/800-x.md",
        &format!("---\nid: 800\ncreated: 2026-01-01T00:00:00.1Z\n---\n\n{} is old\n", token()),
    );
    a.co(&["forget", "800"]);
    let log = a.try_co(&["identity", "log"]);
    assert!(log.out.contains(SHOWN), "{}", log.out);
    unseen(log);
    let said = a.try_co(&["secret", "scan"]);
    assert!(said.code == 0 && said.out.contains("co's undo log"), "{}", said.out);
    unseen(said);

    // Credentials in a URL: what git says, what status and errors say.
    let url = format!("http://me:{}@127.0.0.1:1/x.git", token());
    let said = a.try_co(&["identity", "remote", &url]);
    assert!(unseen(said).contains("warning: the URL contains a password"));
    unseen(a.try_co(&["identity", "remote"]));
    unseen(a.try_co(&["identity", "remote", "--json"]));
    unseen(a.try_co(&["status"]));
    let said = a.try_co(&["identity", "sync", "--require-remote"]);
    assert_eq!(said.code, 8);
    unseen(said);
    let b = world.laptop("b");
    unseen(b.try_co(&["init", "--yes", &format!("http://me:{}@127.0.0.1:1/x.git", token())]));
    unseen(b.try_co(&[
        "init",
        "--yes",
        "--json",
        &format!("http://127.0.0.1:1/x.git?private_token={}", token()),
    ]));
}

#[test]
fn what_others_pushed_is_listed_without_its_secret() {
    let world = World::new();
    let (a, remote) = ready(&world);
    a.co(&["identity", "sync"]);
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    let memory = format!(
        "---\nid: 5\ncreated: 2026-01-01T00:00:00.5Z\n---\n\n{} {} is for CI\n",
        "The token that everybody has to know about and that is new: ",
        token()
    );
    b.write("knowledge/memories/005-raw.md", &memory);
    b.write(
        "traits/raw.md",
        &format!("---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\n- CI: {}\n", token()),
    );
    b.git(&["add", "-A"]);
    b.git(&["commit", "-qm", "raw"]);
    b.git(&["push", "-q", "origin", "HEAD"]);
    let shown = [
        a.co(&["identity", "sync"]),
        a.co(&["identity", "log"]),
        a.co(&["memory", "list"]),
        a.co(&["forget", "5"]),
        a.co(&["identity", "undo"]),
    ]
    .concat();
    assert!(shown.contains("everybody has to know") && !shown.contains("ghp_zQWB"), "{shown}");
}

#[test]
fn an_agent_sees_the_name_and_not_the_value() {
    let world = World::new();
    let (a, _) = ready(&world);
    let a = a.with_env("CO_SECRET_STAGING_TOKEN", "the-value-of-it");
    a.co(&["learn", "staging wants {{secret:staging-token}}"]);
    a.edit("personality.md", "---\n\n", "---\n\nSign in with {{secret:staging-token}}.\n\n");
    for arguments in [
        &["context"][..],
        &["context", "--format", "xml"],
        &["recall", "staging"],
        &["memory", "list", "--json"],
        &["memory", "show", "1"],
        &["hook", "session-start"],
    ] {
        let out = a.co(arguments);
        assert!(
            out.contains("{{secret:staging-token}}") && !out.contains("the-value"),
            "{arguments:?}: {out}"
        );
    }
    assert_eq!(a.co(&["secret", "get", "staging-token"]), "the-value-of-it");
    let status = a.co(&["secret", "status"]);
    assert!(
        status.contains("environment")
            && status.contains("personality.md:7")
            && !status.contains("the-value"),
        "{status}"
    );
    a.co(&["identity", "sync"]);
    assert!(files_containing(&a.home, "the-value-of-it").is_empty());
}

#[test]
fn a_renamed_fact_with_a_secret_is_not_forgotten() {
    let world = World::new();
    let (a, remote) = ready(&world);
    a.co(&["learn", "CI runs at night"]);
    a.co(&["identity", "sync"]);
    let old = a.file_of("CI runs");
    let text =
        a.read(&old).replace("CI runs at night", &format!("CI runs at night with {}", token()));
    fs::remove_file(a.identity().join(&old)).expect("removed");
    a.write("knowledge/memories/077-renamed.md", &text);
    refused(&a.try_co(&["identity", "sync"]));
    refused(&a.try_co(&["identity", "sync"]));
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    assert_eq!(b.facts(), ["CI runs at night"], "what travels is the last commit's version");
    a.edit("knowledge/memories/077-renamed.md", &token(), "{{secret:ci}}");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert_eq!(b.facts(), ["CI runs at night with {{secret:ci}}"]);
    assert!(!objects_contain(Path::new(&remote), &token()));
}

#[test]
fn an_open_merge_with_a_secret_waits() {
    let world = World::new();
    let (a, remote) = ready(&world);
    a.co(&["identity", "sync"]);
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    b.edit("profile.md", "- Name: Bin", "- Name: Bin\n- City: Seattle");
    b.co(&["identity", "sync"]);
    a.git(&["fetch", "-q"]);
    a.write("traits/here.md", "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\n---\n\nhere\n");
    a.git(&["add", "-A"]);
    a.git(&["commit", "-qm", "here"]);
    a.git(&["merge", "-q", "--no-commit", "--no-ff", "origin/main"]);
    let mine = a
        .read("profile.md")
        .replace("- City: Seattle", &format!("- City: Seattle\n- Token: {}", token()));
    a.write("profile.md", &mine);
    let said = a.try_co(&["identity", "sync"]);
    refused(&said);
    assert!(
        said.err.contains("an unfinished merge") && a.read("profile.md") == mine,
        "{}",
        said.err
    );
    a.edit("profile.md", &format!("\n- Token: {}", token()), "");
    a.co(&["identity", "sync"]);
    let there = git(Path::new(&remote), &["show", "main:profile.md"]);
    assert!(there.contains("Seattle") && !objects_contain(Path::new(&remote), &token()), "{there}");
}

#[test]
fn what_the_remote_has_already_stops_no_push() {
    let world = World::new();
    let (a, remote) = ready(&world);
    a.edit("profile.md", "- Name: Bin", &format!("- Name: Bin\n- Token: {}", token()));
    a.co(&["identity", "sync", "--allow-secret", "github-pat"]);
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    b.edit("profile.md", "- Name: Bin", "- Name: Bin\n- City: Seattle");
    a.edit("profile.md", "- Name: Bin", "- Name: Bin\n- Zone: Berlin");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    a.co(&["identity", "sync"]);
    assert!(a.read("profile.md").contains("Seattle") && b.read("profile.md").contains("Berlin"));
}

/// Values of vendors' documentation, in two parts, and how each is shown.
const SAMPLES: &[(&str, &str, &str)] = &[
    ("AKIAIOSF", "ODNN7EXAMPLE", "AKIAIOSFODNN…"),
    ("AKIAI44Q", "H8DHBEXAMPLE", "AKIAI44QH8DH…"),
    ("wJalrXUtnFEMI/", "K7MDENG/bPxRfiCYEXAMPLEKEY", "wJalrXUtnFEM…"),
    ("ghp_16C7e42F292c69", "12E7710c838347Ae178B4a", "ghp_16C7e42F…"),
    ("sk_test_4eC39HqLyjWDarj", "tT1zdp7dc", "sk_test_4eC3…"),
    ("sk_test_BQokikJOvBiI2Hl", "WgH4olfQ2", "sk_test_BQok…"),
    ("xoxb-17653672481-19874698323-", "pdFZKVeTuE8sk7oOcBrzbqgy", "xoxb-1765367…"),
    ("110201543:AAHdqTcvCH1vGWJxfSeof", "SAs0K5PALDsaw", "110201543:AA…"),
];

#[test]
fn a_sample_of_documentation_is_let_through_and_named() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin"]);
    let mut client = Client::ready(&a, &["--tools", "save_memory,knowledge_write,save_knowledge"]);
    for (at, (head, tail, shown)) in SAMPLES.iter().enumerate() {
        let text = |door: &str| format!("{door}\n{} {head}{tail}", "the docs say so ".repeat(5));
        let named = |door: &str, said: &str| {
            assert_eq!(said.matches("sample token").count(), 1, "{door}, {shown}: {said}");
            assert!(said.contains(&format!("`{shown}` (line 2), let through")), "{door}: {said}");
        };
        let whole = |door: &str, said: Said| {
            assert_eq!(said.code, 0, "{door}: {}", said.err);
            named(door, &said.err);
        };
        whole("learn", a.try_co(&["learn", &text("learn")]));
        a.co(&["learn", &format!("plain {at}")]);
        let plain = a.file_of(&format!("plain {at}"));
        let number = plain.trim_start_matches("knowledge/memories/")[..3].to_owned();
        whole("edit", a.try_co(&["edit", &number, &text("edit")]));
        whole("write", a.try_co(&["knowledge", "write", &format!("w-{at}"), &text("write")]));
        let file = world.path("added.txt");
        fs::write(&file, text("add")).expect("written");
        let topic = format!("a-{at}");
        let file = file.display().to_string();
        whole("add", a.try_co(&["knowledge", "add", &file, "--topic", &topic]));
        let said = client.call_ok("save_memory", json!({ "content": text("tool") }));
        named("save_memory", &said);
        let topic = format!("t-{at}");
        let said =
            client.call_ok("knowledge_write", json!({ "topic": topic, "content": text("tool") }));
        named("knowledge_write", &said);
    }
    client.end();
    // Nothing is said of a text without one, nor of one that only mentions them.
    for text in ["an EXAMPLE of a fact", "AKIA is how their keys begin"] {
        let said = a.try_co(&["learn", text]);
        assert!(said.code == 0 && !said.err.contains("sample"), "{}", said.err);
    }
    // An import names its file.
    let b = world.laptop("b");
    b.co(&["init", "--yes", "--name", "Ann"]);
    let source = a.identity().display().to_string();
    for verb in [&["diff", &source][..], &["identity", "import", "--yes", &source]] {
        let said = b.try_co(verb);
        let said = format!("{}{}", said.out, said.err);
        assert!(said.contains("knowledge/w-0.md:"), "{verb:?}: {said}");
        assert!(said.contains("sample token `AKIAIOSFODNN…`, let through"), "{verb:?}: {said}");
    }
}

#[test]
fn a_fact_that_begins_with_a_token_that_was_let_through_is_listed_and_keeps_its_number() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let tokens = [
        ["xoxb-", "17653672481-19874698323-pdfZKVeTuE8sk7oOcBrzbqgy"],
        ["sk_live_", "4eC39HqLyjWDarjtT1zdp7dcX2n"],
        ["ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"],
        ["glpat-", "x9Kq2LmV7RtZ4WcY8NbJ"],
        ["AKIA", "QWERTYUIOPASDFGH"],
    ];
    for token in tokens.map(|parts| parts.concat()) {
        a.try_co(&["learn", &format!("{token} is revoked <!-- co:allow-secret -->")]);
        a.co(&["learn", &format!("Beside {}", &token[..8])]);
    }
    let rows = a.json(&["list"])["data"]["memories"].as_array().cloned().expect("a list");
    let mut numbers: Vec<u64> = rows.iter().filter_map(|row| row["id"].as_u64()).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=10).collect::<Vec<u64>>(), "{rows:?}");
    assert_eq!(a.try_co(&["check", "--strict"]).code, 0);
}

/// What is no secret in a file is none in the log either, where other texts are beside it.
#[test]
fn the_undo_log_is_judged_as_the_files_are() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    for text in [
        "Tok -----BEGIN RSA PRIVATE KEY-----",
        "Keys start with -----BEGIN OPENSSH PRIVATE KEY-----",
        "Keys start with -----BEGIN PRIVATE KEY-----",
    ] {
        a.co(&["learn", text]);
        a.co(&["forget", "--yes", text]);
        let said = a.co(&["secret", "scan"]);
        assert!(said.contains("no secret found") && !said.contains("undo log"), "{text}: {said}");
    }
}
