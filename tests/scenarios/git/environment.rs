//! Git around the identity: a person's own settings, signing, locks, shallow clones, unfinished
//! merges and rebases. Each is respected or named, and a sync that stops there can be taken back.

use crate::support::{
    Laptop, World,
    dice::Dice,
    git,
    pair::{assert_agree, pair},
    ready::bare,
};
use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::Path,
    thread,
    time::{Duration, Instant},
};

fn script(path: &Path, text: &str) {
    fs::write(path, format!("#!/bin/sh\n{text}\n")).expect("written");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("executable");
}

fn settings(laptop: &Laptop, text: &str) {
    fs::write(laptop.config().join("settings.json"), text).expect("written");
}

#[test]
fn a_sync_that_stops_after_its_commit_can_be_taken_back() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["identity", "sync"]);
    for fact in b.facts() {
        fs::remove_file(b.identity().join(b.file_of(&fact))).expect("removed");
    }
    b.co(&["identity", "sync", "--accept-deletions"]);
    a.edit("profile.md", "- Name: Bin", "- Name: Bin Chen");
    // Plain git takes the lines of the ledger out of what b published, so that the guard stops a.
    let published = world.path("published");
    git(world.dir.path(), &["clone", "-q", "remote.git", "published"]);
    fs::remove_file(published.join("knowledge/forgotten.md")).expect("removed");
    git(&published, &["commit", "-qam", "x"]);
    git(&published, &["push", "-q"]);
    a.fails(6, &["identity", "sync"]);
    let undone = a.co(&["identity", "undo"]);
    assert!(undone.contains("by hand"), "{undone}");
    assert!(a.read("profile.md").contains("- Name: Bin\n"));
    assert_eq!(a.facts().len(), 3);
}

#[test]
fn the_log_holds_bytes_once_and_in_their_own_files() {
    let world = World::new();
    let (a, _) = pair(&world);
    let bytes = Dice::new(1).bytes(3_000_000);
    fs::create_dir_all(a.identity().join("attachments")).expect("a folder");
    fs::write(a.identity().join("attachments/a.bin"), &bytes).expect("written");
    a.co(&["identity", "sync"]);
    let mut files = crate::support::tree(&a.config().join("local"));
    // The search index is not part of the log.
    files.retain(|(name, _)| !name.starts_with("index."));
    let size: usize = files.iter().map(|(_, bytes)| bytes.len()).sum();
    assert!(size < 3_200_000, "{size}");
    let list = files.iter().find(|(name, _)| name.ends_with("operations.jsonl")).expect("a log");
    assert!(list.1.len() < 10_000, "{}", list.1.len());
    fs::remove_file(a.identity().join("attachments/a.bin")).expect("removed");
    a.co(&["identity", "sync"]);
    a.co(&["identity", "undo"]);
    assert_eq!(fs::read(a.identity().join("attachments/a.bin")).expect("there"), bytes);
}

#[test]
fn somebodys_own_ssh_command_is_used() {
    let world = World::new();
    let (a, _) = pair(&world);
    let ssh = world.path("my-ssh");
    script(
        &ssh,
        "echo \"$@\" > \"$(dirname \"$0\")/called\"; echo 'Permission denied (publickey).' >&2; exit 255",
    );
    a.git(&["config", "core.sshCommand", &ssh.display().to_string()]);
    a.git(&["config", "remote.origin.url", "ssh://git@example.org/x.git"]);
    a.co(&["learn", "Something"]);
    let err = a.fails(8, &["identity", "sync"]);
    assert!(err.contains("refused the login") && err.contains("`ssh -T git@example.org`"), "{err}");
    let called = fs::read_to_string(world.path("called")).expect("the command ran");
    assert!(called.contains("example.org"), "{called}");
}

#[test]
fn shallow_and_partial_clones_sync() {
    let world = World::new();
    let (a, _) = pair(&world);
    for n in 0..3 {
        a.co(&["learn", &format!("Fact {n}")]);
        a.co(&["identity", "sync"]);
    }
    let url = format!("file://{}", bare(&world).display());
    git(&bare(&world), &["config", "uploadpack.allowFilter", "true"]);
    for (name, options) in
        [("shallow", &["--depth", "1"][..]), ("partial", &["--filter=blob:none", "--no-checkout"])]
    {
        let c = world.laptop(name);
        fs::create_dir_all(c.config()).expect("a folder");
        let target = c.identity().display().to_string();
        let arguments = [&["clone", "-q"][..], options, &[&url, &target]].concat();
        git(world.dir.path(), &arguments);
        c.git(&["checkout", "-q", "main"]);
        c.co(&["learn", &format!("From the {name} one")]);
        c.co(&["identity", "sync"]);
        a.co(&["learn", &format!("Meanwhile beside the {name} one")]);
        a.co(&["identity", "sync"]);
        c.co(&["learn", &format!("Again from the {name} one")]);
        c.co(&["identity", "sync"]);
        a.co(&["identity", "sync"]);
        assert_eq!(a.facts(), c.facts(), "{name}");
    }
}

#[test]
fn who_signs_signs_however_it_is_spelt() {
    let world = World::new();
    let (a, _) = pair(&world);
    let gpg = world.path("gpg");
    script(
        &gpg,
        "cat >/dev/null; echo '[GNUPG:] SIG_CREATED x' >&2; printf -- '-----BEGIN PGP \
         SIGNATURE-----\\n\\nx\\n-----END PGP SIGNATURE-----\\n'",
    );
    a.git(&["config", "gpg.program", &gpg.display().to_string()]);
    for (n, spelling) in ["True", "TRUE", "on", "1"].iter().enumerate() {
        a.git(&["config", "commit.gpgsign", spelling]);
        a.co(&["learn", &format!("Signed {n}")]);
        a.co(&["identity", "sync"]);
        assert!(a.git(&["cat-file", "commit", "HEAD"]).contains("gpgsig"), "{spelling}");
    }
    let config = a.read(".git/config").replace("gpgsign = 1", "gpgsign");
    a.write(".git/config", &config);
    a.co(&["learn", "Signed by a bare key"]);
    a.co(&["identity", "sync"]);
    assert!(a.git(&["cat-file", "commit", "HEAD"]).contains("gpgsig"));
}

#[test]
fn a_signer_that_hangs_is_ended_with_all_it_started() {
    let world = World::new();
    let (a, _) = pair(&world);
    settings(&a, "{\"sync\": {\"timeout\": 1}}");
    let gpg = world.path("gpg");
    script(&gpg, "sleep 297 & sleep 298");
    a.git(&["config", "gpg.program", &gpg.display().to_string()]);
    a.git(&["config", "commit.gpgsign", "true"]);
    a.co(&["learn", "Never signed"]);
    let start = Instant::now();
    let err = a.fails(10, &["identity", "sync"]);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
    assert!(err.contains("signing program") && err.contains("commit.gpgsign"), "{err}");
    // Nobody waits for the end of what was killed with the signer.
    let is_over = || {
        let left = std::process::Command::new("pgrep").args(["-f", "sleep 29[78]"]).output();
        left.is_ok_and(|left| left.stdout.is_empty())
    };
    while !is_over() {
        assert!(start.elapsed().as_secs() < 30, "the signer's children live on");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_pre_push_hook_may_take_its_time_and_is_quoted() {
    let world = World::new();
    let (a, _) = pair(&world);
    settings(&a, "{\"sync\": {\"timeout\": 1}}");
    let hook = a.identity().join(".git/hooks/pre-push");
    script(&hook, "sleep 3");
    a.co(&["learn", "Slowly published"]);
    a.co(&["identity", "sync"]);
    assert!(git(&bare(&world), &["ls-tree", "-r", "--name-only", "main"]).contains("slowly"));
    script(&hook, "echo 'no pushing on Sundays' >&2; exit 1");
    a.co(&["learn", "Never on Sunday"]);
    let err = a.fails(8, &["identity", "sync"]);
    assert!(err.contains("no pushing on Sundays") && err.contains("pre-push"), "{err}");
}

#[test]
fn locks_of_the_living_stay_and_those_of_the_dead_go() {
    let world = World::new();
    let (a, _) = pair(&world);
    let folder = a.identity().join(".git/co");
    fs::create_dir_all(&folder).expect("a folder");
    let (own, lock) = (folder.join("index.new-1"), a.identity().join(".git/index.lock"));
    let alive = fs::File::create(&own).expect("created");
    alive.lock().expect("locked");
    fs::hard_link(&own, &lock).expect("linked");
    a.co(&["learn", "Meanwhile"]);
    let err = a.fails(9, &["identity", "sync"]);
    assert!(err.contains("index.lock") && lock.exists(), "{err}");
    drop(alive);
    a.co(&["identity", "sync"]);
    assert!(!lock.exists() && !own.exists());
}

#[test]
fn what_is_wrong_with_a_repository_has_its_own_hint() {
    let world = World::new();
    let make = |name: &str, arguments: &[&str]| {
        let a = world.laptop(name);
        a.co(&["init", "--yes"]);
        fs::remove_dir_all(a.identity().join(".git")).expect("removed");
        a.git(&[&["init", "-q", "-b", "main"][..], arguments].concat());
        a
    };
    let sha256 = make("sha256", &["--object-format=sha256"]).fails(10, &["identity", "sync"]);
    assert!(sha256.contains("with sha1") && sha256.contains("`co init`"), "{sha256}");
    let refs = make("reftable", &["--ref-format=reftable"]).fails(10, &["identity", "sync"]);
    assert!(refs.contains("`git clone --ref-format=files`"), "{refs}");
    let config = make("config", &[]);
    config.write(".git/config", "[core\n");
    let config = config.fails(10, &["identity", "sync"]);
    assert!(config.contains("git config --list --show-origin"), "{config}");
    let damaged = make("damaged", &[]);
    damaged.co(&["identity", "sync"]);
    for folder in fs::read_dir(damaged.identity().join(".git/objects")).expect("a folder") {
        let folder = folder.expect("an entry").path();
        if folder.file_name().is_some_and(|name| name.len() == 2) {
            fs::remove_dir_all(folder).expect("removed");
        }
    }
    damaged.co(&["learn", "Something"]);
    let damaged = damaged.fails(10, &["identity", "sync"]);
    assert!(damaged.contains("git fsck"), "{damaged}");
}

#[test]
fn loose_objects_are_packed_when_they_pile_up() {
    let world = World::new();
    let (a, _) = pair(&world);
    for n in 0..900 {
        let text =
            format!("---\nid: {}\ncreated: 2026-01-02T00:00:00.{n:06}Z\n---\n\nFact {n}\n", n + 10);
        a.write(&format!("knowledge/memories/{:03}-fact.md", n + 10), &text);
    }
    a.co(&["identity", "sync"]);
    let loose: usize = a
        .git(&["count-objects"])
        .split_whitespace()
        .next()
        .and_then(|count| count.parse().ok())
        .expect("a number");
    assert!(loose < 100, "{loose} loose objects");
    a.git(&["fsck", "--strict"]);
}

#[test]
fn a_stale_lock_of_a_ref_is_no_network() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["learn", "From b"]);
    b.co(&["identity", "sync"]);
    let lock = a.identity().join(".git/refs/remotes/origin/main.lock");
    fs::write(&lock, "").expect("written");
    let err = a.fails(9, &["identity", "sync"]);
    assert!(err.contains("main.lock"), "{err}");
    fs::remove_file(&lock).expect("removed");
    a.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
}

#[test]
fn a_ref_that_a_power_cut_emptied_is_mended() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "One more"]);
    a.co(&["identity", "sync"]);
    let head = a.git(&["rev-parse", "HEAD"]);
    a.write(".git/refs/heads/main", "");
    a.write(".git/refs/co/tidied", "");
    a.co(&["identity", "sync"]);
    assert_eq!(a.git(&["rev-parse", "HEAD"]), head);
    b.co(&["identity", "sync"]);
    assert_agree(&[&a, &b]);
}

#[test]
fn an_edit_follows_the_text_that_lost_its_place() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["memory", "edit", "1", "Drinks tea"]);
    thread::sleep(Duration::from_millis(1100));
    b.co(&["memory", "edit", "1", "Drinks water"]);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    thread::sleep(Duration::from_millis(1100));
    a.co(&["memory", "edit", "1", "Drinks green tea"]);
    for laptop in [&a, &b, &a] {
        laptop.co(&["identity", "sync"]);
    }
    assert_agree(&[&a, &b]);
    let drinks: Vec<String> =
        a.facts().into_iter().filter(|fact| fact.contains("Drinks")).collect();
    assert_eq!(drinks, ["Drinks green tea", "Drinks water"]);
}

#[test]
fn an_edit_before_the_first_sync_is_stamped_like_any() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["learn", "Likes tea"]);
    a.edit(&a.file_of("Likes tea"), "Likes tea", "Likes green tea");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    for laptop in [&a, &b] {
        assert_eq!(laptop.try_co(&["identity", "check", "--strict"]).code, 0, "{}", laptop.name);
        assert!(laptop.read(&laptop.file_of("green tea")).contains("updated: "));
    }
    assert_agree(&[&a, &b]);
}

#[test]
fn an_open_rebase_a_half_made_repository_and_a_rewound_remote_are_named() {
    let world = World::new();
    let (a, _) = pair(&world);
    a.git(&["switch", "-qc", "other"]);
    a.write("attachments/x", "one\n");
    a.git(&["add", "-A"]);
    a.git(&["commit", "-qm", "one"]);
    a.git(&["switch", "-q", "main"]);
    a.write("attachments/x", "two\n");
    a.git(&["add", "-A"]);
    a.git(&["commit", "-qm", "two"]);
    let rebase = a.command_of("git", &["rebase", "other"]).current_dir(a.identity()).output();
    assert!(rebase.is_ok_and(|output| !output.status.success()));
    let err = a.fails(7, &["identity", "sync"]);
    assert!(err.contains("a rebase is unfinished"), "{err}");
    a.git(&["rebase", "--abort"]);

    let c = world.laptop("c");
    fs::create_dir_all(c.identity().join(".git/objects")).expect("a folder");
    c.co(&["init", "--yes"]);
    c.co(&["identity", "sync"]);

    a.co(&["identity", "sync"]);
    let older = a.git(&["rev-parse", "HEAD~1"]).trim().to_owned();
    git(&bare(&world), &["update-ref", "refs/heads/main", &older]);
    a.co(&["learn", "After the rewind"]);
    let said = a.try_co(&["identity", "sync"]);
    assert!(said.code == 0 && said.err.contains("was rewritten"), "{}", said.err);
}

#[test]
fn a_squashed_remote_still_says_which_side_changed_a_text() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["memory", "edit", "1", "I prefer threads"]);
    b.co(&["identity", "sync"]);
    // Somebody squashes everything into one commit.
    b.git(&["checkout", "-q", "--orphan", "squashed"]);
    b.git(&["commit", "-qm", "squashed"]);
    b.git(&["push", "-qf", "origin", "squashed:main"]);
    a.co(&["learn", "Only here"]);
    let said = a.try_co(&["identity", "sync"]);
    assert_eq!(said.code, 0, "{}", said.err);
    let facts = a.facts();
    assert!(facts.contains(&"I prefer threads".to_owned()), "{facts:?}");
    assert!(!facts.contains(&"I prefer async/await".to_owned()), "{facts:?}");
    assert!(facts.contains(&"Only here".to_owned()) && facts.len() == 4, "{facts:?}");
}

#[test]
fn a_second_sync_waits_for_the_first() {
    let world = World::new();
    let (a, _) = pair(&world);
    let held = fs::File::open(a.identity()).expect("opened");
    held.lock().expect("locked");
    let waiting = thread::spawn(move || a.try_co(&["identity", "sync"]).code);
    thread::sleep(Duration::from_secs(3));
    drop(held);
    assert_eq!(waiting.join().expect("it ends"), 0);
}

#[test]
fn a_repository_of_another_user_is_named_as_such() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    // Only root can give a folder away; who is not root does not meet this.
    if std::os::unix::fs::chown(a.identity(), Some(54_321), None).is_err() {
        return;
    }
    let said = a.fails(10, &["identity", "sync"]);
    assert!(said.contains("safe.directory"), "{said}");
}

/// The ledger keeps the line of a forgetting that an edit on another laptop outlived.
#[test]
fn a_fact_that_outlived_its_forgetting_is_brought_back_like_any_other() {
    let world = World::new();
    let (a, b) = pair(&world);
    for fact in ["Likes tea", "Lives in Lisbon", "Plays chess", "Reads at night"] {
        a.co(&["learn", fact]);
    }
    a.co(&["sync"]);
    b.co(&["sync"]);
    b.co(&["edit", "5", "Plays chess and go"]);
    b.co(&["sync"]);
    a.co(&["forget", "5", "--yes"]);
    a.co(&["sync"]);
    assert!(a.facts().contains(&"Plays chess and go".to_owned()), "{:?}", a.facts());
    let known = a.facts();
    fs::remove_dir_all(a.identity().join("knowledge/memories")).expect("removed");
    a.fails(6, &["sync"]);
    a.co(&["identity", "restore", "--missing", "knowledge/memories"]);
    assert_eq!(a.facts(), known);
    a.co(&["sync"]);
    b.co(&["sync"]);
    assert_eq!(b.facts(), known);
}

#[test]
fn what_git_ignores_elsewhere_is_pushed_all_the_same_and_what_the_identity_ignores_is_not() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    let info = a.identity().join(".git/info");
    fs::create_dir_all(&info).expect("created");
    fs::write(info.join("exclude"), "*secret*\nknowledge/people/\n*.md\n*.log\n").expect("written");
    a.co(&["memory", "save", "The secret santa draw is on Friday"]);
    a.write("knowledge/people/sarah.md", "Sarah leads the garden team.\n");
    a.write("traits/humour.md", "---\nversion: 1\n---\n\nDry.\n");
    // The person's own wishes, and a file that is none of co's.
    a.write(".gitignore", "drafts/\n");
    a.write("knowledge/drafts/novel.md", "Chapter one.\n");
    a.write("notes.log", "noise\n");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    assert!(
        b.facts().contains(&"The secret santa draw is on Friday".to_owned()),
        "{:?}",
        b.facts()
    );
    for (path, arrives) in [
        ("knowledge/people/sarah.md", true),
        ("traits/humour.md", true),
        ("knowledge/drafts/novel.md", false),
        ("notes.log", false),
    ] {
        assert_eq!(b.identity().join(path).exists(), arrives, "{path}");
        assert!(a.identity().join(path).exists(), "{path}");
    }
}

#[test]
fn rules_of_the_identity_count_as_git_reads_them() {
    let world = World::new();
    let (a, b) = pair(&world);
    a.write(".gitignore", "Drafts/\n");
    a.co(&["identity", "sync"]);
    // On a disk that ignores case, git's rules do so too.
    git(&a.identity(), &["config", "core.ignoreCase", "true"]);
    a.write("knowledge/drafts/novel.md", "Chapter one.\n");
    a.co(&["identity", "sync"]);
    // A sparse checkout leaves the file of rules out of the work tree.
    git(&a.identity(), &["update-index", "--skip-worktree", ".gitignore"]);
    fs::remove_file(a.identity().join(".gitignore")).expect("removed");
    a.write("knowledge/drafts/poem.md", "Roses are red.\n");
    a.co(&["identity", "sync"]);
    b.co(&["identity", "sync"]);
    for path in ["knowledge/drafts/novel.md", "knowledge/drafts/poem.md"] {
        assert!(!b.identity().join(path).exists(), "{path}");
    }
}

#[test]
fn the_formats_of_a_new_repository_are_named_whatever_git_makes_by_default() {
    let world = World::new();
    let remote = world.remote();
    let check = |a: &Laptop, b: &Laptop| {
        a.co(&["init", "--yes", "--remote", &remote]);
        a.co(&["learn", "Formats are named"]);
        a.co(&["sync"]);
        b.co(&["init", "--yes", &remote]);
        assert_eq!(b.facts(), a.facts());
        let config = a.read(".git/config");
        assert!(!config.contains("extensions"), "{config}");
    };
    for (name, value) in [("GIT_DEFAULT_REF_FORMAT", "reftable"), ("GIT_DEFAULT_HASH", "sha256")] {
        let laptop = |side: &str| world.laptop(&format!("{side}-{value}")).with_env(name, value);
        check(&laptop("a"), &laptop("b"));
    }
    let configured = |name: &str| {
        let laptop = world.laptop(name);
        let config = "[init]\n\tdefaultRefFormat = reftable\n\tdefaultObjectFormat = sha256\n";
        fs::write(laptop.home.join(".gitconfig"), config).expect("written");
        laptop
    };
    check(&configured("a"), &configured("b"));
}

#[test]
fn what_the_identity_ignores_is_refused_when_it_is_written_and_named_when_it_is_found() {
    for (file, rule, line) in [
        (".gitignore", "*santa*\n", 1),
        (".gitignore", "# mine\n\nmemories/\nknowledge/people/\n", 3),
        ("knowledge/.gitignore", "memories/*\npeople/*\n", 1),
        ("knowledge/memories/.gitignore", "*\n", 1),
        (".gitignore", "*.md\n!profile.md\n", 1),
        (".gitignore", "/knowledge/**\n", 1),
    ] {
        let world = World::new();
        let (a, b) = pair(&world);
        a.co(&["sync"]);
        a.write(file, rule);
        let before = a.tree();
        let place = format!("{file}:{line}");
        for arguments in [&["learn", "The secret santa draw"][..], &["learn", "--", "Santa is Ann"]]
        {
            let said = a.fails(6, arguments);
            assert!(said.contains(&place) && said.contains("nothing was written"), "{said}");
            assert!(said.contains("hint: remove or narrow line"), "{said}");
        }
        assert_eq!(a.tree(), before, "{rule}");
        // What git tracks already, it carries.
        a.co(&["edit", "1", "A tracked fact, edited"]);
        // A person's own file is named: in sync once, in status and check each time.
        a.write("knowledge/people/santa.md", "Sarah is santa.\n");
        let named = !rule.starts_with('*') || rule.contains("santa") || rule.contains(".md");
        let named = named && file != "knowledge/memories/.gitignore";
        let first = a.try_co(&["sync"]);
        assert_eq!(first.code, 0, "{}", first.err);
        let stays = "knowledge/people/santa.md stays on this laptop";
        assert_eq!(first.err.contains(stays), named, "{rule}: {}", first.err);
        let again = a.try_co(&["sync"]);
        assert!(!again.err.contains("santa.md"), "named once: {}", again.err);
        assert_eq!(a.co(&["status"]).contains(stays), named, "{rule}");
        let check = a.try_co(&["check"]).out;
        assert_eq!(check.contains("[ignored]"), named, "{rule}");
        assert!(!check.contains("fixable"), "{check}");
        b.co(&["sync"]);
        assert!(b.facts().contains(&"A tracked fact, edited".to_owned()), "{rule}");
        assert_eq!(b.identity().join("knowledge/people/santa.md").exists(), !named);
        // Without the rule, everything works again.
        fs::remove_file(a.identity().join(file)).expect("removed");
        a.co(&["learn", "The secret santa draw"]);
        a.co(&["sync"]);
        b.co(&["sync"]);
        assert_agree(&[&a, &b]);
    }
    // A rule may let some through; and other programs' files are not named.
    let world = World::new();
    let (a, _) = pair(&world);
    a.write(".gitignore", "*santa*\n!/knowledge/memories/*.md\n.obsidian/\n");
    a.co(&["learn", "The secret santa draw"]);
    a.write(".obsidian/workspace.json", "{}\n");
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && !said.err.contains("obsidian"), "{}", said.err);
    assert!(a.git(&["ls-files"]).contains("the-secret-santa-draw"));
    assert!(!a.co(&["status"]).contains("stays on this laptop"));
}

#[test]
fn git_states_that_need_the_user_are_named() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &world.remote()]);
    a.co(&["identity", "sync"]);
    a.git(&["checkout", "-q", "--detach"]);
    assert!(a.fails(7, &["identity", "sync"]).contains("detached HEAD"));
    a.git(&["checkout", "-q", "main"]);
    fs::create_dir_all(a.identity().join(".git/rebase-merge")).expect("a folder");
    assert!(a.fails(7, &["identity", "sync"]).contains("a rebase is unfinished"));
    fs::remove_dir_all(a.identity().join(".git/rebase-merge")).expect("removed");
    fs::write(a.identity().join(".git/index.lock"), "").expect("written");
    a.co(&["learn", "While git is busy"]);
    assert!(a.fails(9, &["identity", "sync"]).contains("index.lock"));
    fs::remove_file(a.identity().join(".git/index.lock")).expect("removed");
    a.co(&["identity", "sync"]);
    fs::remove_dir_all(a.identity().join(".git")).expect("removed");
    a.fails(4, &["identity", "sync"]);
}
