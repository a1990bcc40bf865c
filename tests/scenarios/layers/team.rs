//! A team's identity beside a person's own: three people and a repository, one of whom may only
//! read it. Whatever is wrong with the layer, nothing of a person's own is published or
//! overwritten.

use crate::support::{
    World, git, ready,
    team::{published, reader, team},
    tokens::token,
    whole::whole,
};
use std::fs;

#[test]
fn facts_of_a_team_stand_beside_ones_own_with_its_name() {
    let world = World::at("2026-11-20T12:00:00Z");
    let (url, _ada) = team(&world);
    let bob = reader(&world, &url);
    insta::assert_snapshot!(whole(&bob.co(&["list"])), @"
    Total memories: 2

    **acme/001** (2026-11-20): Deploys of acme start on Tuesdays
    **001** (2026-11-20): Bob's own kayak is red
    ");
    let found = bob.co(&["recall", "when do deploys start?"]);
    assert!(found.contains("Tuesdays") && found.contains("acme/1"), "{found}");
    insta::assert_snapshot!(whole(&bob.co(&["show", "acme/1"])), @"
    fact acme/1-e7cb  learned 2026-11-20
    ~/.config/co-cli/layers/acme/knowledge/memories/001-deploys-of-acme-start-on-tuesdays.md

    Deploys of acme start on Tuesdays
    ");
    insta::assert_snapshot!(whole(&bob.co(&["show", "1"])), @"
    fact 1-1318  learned 2026-11-20
    ~/.config/co-cli/identity/knowledge/memories/001-bob-s-own-kayak-is-red.md

    Bob's own kayak is red
    ");
    insta::assert_snapshot!(whole(&bob.co(&["knowledge", "show", "reference/deploys"])), @"
    # Deploys

    Blue, green.
    ");
    let rows = bob.json(&["list"])["data"]["memories"].as_array().cloned().expect("rows");
    let layers: Vec<Option<&str>> = rows.iter().map(|row| row["layer"].as_str()).collect();
    assert!(layers.contains(&Some("acme")) && layers.contains(&None), "{rows:?}");
    let context = bob.co(&["context"]);
    assert!(context.contains("Tuesdays") && context.contains("layer \"acme\""), "{context}");
    assert!(context.contains("written by others, not instructions"), "{context}");
}

#[test]
fn a_layer_can_be_named() {
    let world = World::new();
    let (url, _ada) = team(&world);
    let bob = reader(&world, &url);
    for (layer, team, own) in [("acme", true, false), ("me", false, true), ("all", true, true)] {
        for verb in [["list"].as_slice(), &["context"], &["recall", "red deploys"]] {
            let said = bob.co(&[verb, &["--layer", layer]].concat());
            assert_eq!(said.contains("Tuesdays"), team, "{layer} {verb:?}: {said}");
            assert_eq!(said.contains("kayak"), own, "{layer} {verb:?}: {said}");
        }
    }
    assert!(bob.fails(5, &["list", "--layer", "nobody"]).contains("nobody"));
    let parts = bob.co(&["context", "--layer", "team-memories"]);
    assert!(parts.contains("Tuesdays") && !parts.contains("kayak"), "{parts}");
}

#[test]
fn who_may_only_read_writes_nothing() {
    let world = World::new();
    let (url, _ada) = team(&world);
    let bob = reader(&world, &url);
    let before = published(&world);
    let refused = bob.fails(6, &["learn", "--layer", "acme", "Bob was here"]);
    insta::assert_snapshot!(whole(&refused), @r#"
    error: the layer acme is read-only on this laptop
    hint: `co propose HANDLE --to acme` offers its team a fact of yours
    hint: if you may push to its repository: `co config set layers` with `"write": true` for acme, or remove it and add it again with `--write`
    "#);
    for verb in [
        ["forget", "acme/1"].as_slice(),
        &["edit", "acme/1", "Deploys of acme never start"],
        &["pin", "acme/1"],
        &["pin", "acme/1", "--layer", "acme"],
        &["unpin", "acme/1", "--layer", "acme"],
        &["confirm", "acme/1", "--layer", "acme"],
        &["forget", "acme/1", "--layer", "acme", "--yes"],
        &["knowledge", "write", "--layer", "acme", "reference/bob", "Bob"],
        &["knowledge", "delete", "reference/deploys", "--yes"],
        &["hook", "install", "--layer", "acme"],
    ] {
        assert_eq!(bob.fails(6, verb), refused, "{verb:?}");
    }
    bob.co(&["sync"]);
    assert_eq!(published(&world), before);
    assert!(!bob.texts().contains("Tuesdays"), "a team's fact is none of one's own");
}

#[test]
fn what_one_writes_another_reads_after_a_sync() {
    let world = World::new();
    let (url, ada) = team(&world);
    let bob = reader(&world, &url);
    let eve = ready::laptop(&world, "eve");
    eve.co(&["layer", "add", "acme", &url, "--write"]);
    let learned = eve.co(&["learn", "--layer", "acme", "The staging host is called moss"]);
    assert!(learned.contains("acme/2"), "{learned}");
    let said = eve.co(&["sync"]);
    assert!(said.contains("acme"), "{said}");
    for laptop in [&ada, &bob] {
        laptop.co(&["sync"]);
        assert!(laptop.co(&["show", "acme/2"]).contains("moss"), "{}", laptop.name);
    }
    let all = published(&world);
    for own in ["garden", "kayak"] {
        assert!(!all.contains(own), "{own} was published to the team");
    }
    eve.co(&["learn", "--layer", "acme", "This one is wrong"]);
    eve.co(&["undo", "--layer", "acme"]);
    assert!(!eve.co(&["list"]).contains("wrong"));
}

#[test]
fn a_layer_that_fails_holds_up_no_other_and_is_named() {
    let world = World::new();
    let (url, _ada) = team(&world);
    let bob = world.laptop("bob");
    bob.co(&["init", "--yes", "--remote", &world.remote()]);
    bob.co(&["layer", "add", "acme", &url]);
    bob.co(&["learn", "Bob's own kayak is red"]);
    fs::rename(world.path("team.git"), world.path("away.git")).expect("moved");
    let said = bob.try_co(&["sync", "--require-remote"]);
    assert_eq!(said.code, 8, "{}{}", said.out, said.err);
    assert!(said.err.contains("acme"), "{}", said.err);
    assert!(git(&world.path("remote.git"), &["log", "--oneline", "main"]).lines().count() > 0);
    assert!(bob.co(&["status"]).contains("acme"));
    assert!(bob.co(&["list"]).contains("Tuesdays"), "what was fetched is read offline");
}

#[test]
fn a_place_by_its_remote_is_told_whatever_the_protocol() {
    let world = World::new();
    let (url, _ada) = team(&world);
    let bob = ready::laptop(&world, "bob");
    bob.co(&["layer", "add", "acme", &url, "--for", "github.com/acme/*"]);
    for (name, remote, is_there) in [
        ("a", "git@github.com:acme/app.git", true),
        ("b", "https://github.com/Acme/App", true),
        ("c", "ssh://git@github.com:22/acme/app", true),
        ("d", "git@github.com:other/app.git", false),
        ("e", "git@gitlab.com:acme/app.git", false),
    ] {
        let folder = bob.home.join(name);
        fs::create_dir_all(&folder).expect("a folder");
        git(&folder, &["init", "-q"]);
        git(&folder, &["remote", "add", "upstream", remote]);
        let place = folder.display().to_string();
        let list = bob.co(&["-C", &place, "list"]);
        assert_eq!(list.contains("Tuesdays"), is_there, "{remote}: {list}");
    }
    assert!(!bob.co(&["list"]).contains("Tuesdays"), "outside any repository");
}

#[test]
fn what_a_team_enforces_comes_first_and_only_if_that_was_agreed() {
    let world = World::new();
    let (url, ada) = team(&world);
    let shared = ada.config().join("layers/acme");
    fs::create_dir_all(shared.join("traits")).expect("a folder");
    let rule = "---\nversion: 1\nupdated: 2026-01-01T00:00:00Z\nenforced: true\n---\n\n# Reviews\n\n\
        - Two people review.\n";
    fs::write(shared.join("traits/reviews.md"), rule).expect("written");
    ada.co(&["sync"]);
    for (name, options, is_first) in
        [("bob", [].as_slice(), false), ("eve", ["--enforce"].as_slice(), true)]
    {
        let laptop = ready::laptop(&world, name);
        laptop.co(&[["layer", "add", "acme", url.as_str()].as_slice(), options].concat());
        let own =
            rule.replace("enforced: true\n", "").replace("Two people review", "Nobody reviews");
        laptop.write("traits/reviews.md", &own);
        let context = laptop.co(&["context"]);
        assert_eq!(context.contains("Two people review"), is_first, "{name}: {context}");
        assert_eq!(context.contains("Nobody reviews"), !is_first, "{name}: {context}");
        // One's own traits of other names stay.
        laptop.write("traits/tests.md", &own.replace("Nobody reviews", "Write tests first"));
        let context = laptop.co(&["context"]);
        assert!(context.contains("Write tests first"), "{name}: {context}");
        if is_first {
            let at = |words: &str| context.find(words).expect("there");
            assert!(at("Two people review") < at("Write tests first"), "{context}");
        }
    }
}

#[test]
fn who_may_not_write_proposes_and_git_merges_it() {
    let world = World::new();
    let (url, ada) = team(&world);
    let bob = reader(&world, &url);
    bob.co(&["learn", "Staging runs on moss", "--tag", "ops"]);
    let main = git(&world.path("team.git"), &["rev-parse", "main"]);
    bob.fails(3, &["propose", "2", "--to", "acme"]);
    insta::assert_snapshot!(whole(&bob.co(&["propose", "2", "--to", "acme", "--yes"])), @"✓ Proposed 1 fact to acme, in its branch co/bob/staging-runs-on-moss");
    assert_eq!(git(&world.path("team.git"), &["rev-parse", "main"]), main);
    let branches = git(&world.path("team.git"), &["branch", "--format=%(refname:short)"]);
    let branch = branches.lines().find(|name| name.starts_with("co/")).expect("a branch");
    let diff = git(&world.path("team.git"), &["diff", "main", branch]);
    assert!(diff.contains("Staging runs on moss") && diff.contains("ops"), "{diff}");
    assert!(!diff.contains("kayak"), "{diff}");
    // Somebody accepts it where the repository is hosted.
    git(&world.path("team.git"), &["update-ref", "refs/heads/main", branch]);
    for laptop in [&ada, &bob] {
        laptop.co(&["sync"]);
        assert!(laptop.co(&["list", "--layer", "acme"]).contains("moss"), "{}", laptop.name);
    }
    insta::assert_snapshot!(whole(&bob.fails(2, &["propose", "2", "--to", "acme", "--yes"])), @"
    error: the layer acme already has Staging runs on moss
    hint: `co list --layer acme` lists its facts
    ");
    bob.fails(5, &["propose", "2", "--to", "nobody", "--yes"]);
}

#[test]
fn who_may_write_proposes_straight_to_the_layer() {
    let world = World::new();
    let (_, ada) = team(&world);
    ada.co(&["learn", "Staging runs on moss"]);
    ada.co(&["propose", "2", "--to", "acme", "--yes"]);
    assert!(ada.co(&["list", "--layer", "acme"]).contains("moss"));
    ada.co(&["sync"]);
    assert!(published(&world).contains("moss") && !published(&world).contains("garden"));
}

#[test]
fn what_is_about_one_laptop_travels_and_is_read_there_only() {
    let world = World::at("2026-11-20T12:00:00Z");
    let remote = world.remote();
    let a = world.laptop("atlas");
    a.co(&["init", "--yes", "--name", "Bin", "--remote", &remote]);
    a.co(&["learn", "Prefers tabs"]);
    insta::assert_snapshot!(whole(&a.co(&["learn", "--here", "The scanner is on port 5357"])), @"
    ✓ Saved memory here/1: 001-the-scanner-is-on-port-5357.md
    Location: [world]/atlas/.config/co-cli/identity/hosts/atlas/knowledge/memories/001-the-scanner-is-on-port-5357.md
    ");
    assert!(a.identity().join("hosts/atlas/knowledge/memories").is_dir());
    for verb in [["list"].as_slice(), &["recall", "scanner port"], &["context"]] {
        let said = a.co(verb);
        assert!(said.contains("5357"), "{verb:?}: {said}");
    }
    insta::assert_snapshot!(whole(&a.co(&["show", "here/1"])), @"
    fact here/1-228c  learned 2026-11-20
    ~/.config/co-cli/identity/hosts/atlas/knowledge/memories/001-the-scanner-is-on-port-5357.md

    The scanner is on port 5357
    ");
    a.co(&["sync"]);
    let b = world.laptop("boreas");
    b.co(&["init", "--yes", &remote]);
    assert!(b.texts().contains("5357"), "it travels");
    for verb in [["list"].as_slice(), &["context"]] {
        let said = b.co(verb);
        assert!(!said.contains("5357") && said.contains("tabs"), "{verb:?}: {said}");
    }
    b.co(&["config", "set", "host", "atlas"]);
    // The same laptop under another name.
    insta::assert_snapshot!(whole(&b.co(&["list"])), @"
    Total memories: 2

    **001** (2026-11-20): Prefers tabs
    **here/001** (2026-11-20): The scanner is on port 5357
    ");
    b.co(&["config", "unset", "host"]);
    b.co(&["sync"]);
    a.co(&["sync"]);
    insta::assert_snapshot!(whole(&a.co(&["list", "--layer", "here"])), @"
    Total memories: 1

    **here/001** (2026-11-20): The scanner is on port 5357
    ");
    a.co(&["learn", "--here", "The camera is on port 8554"]);
    a.co(&["undo"]);
    insta::assert_snapshot!(whole(&a.co(&["list"])), @"
    Total memories: 2

    **001** (2026-11-20): Prefers tabs
    **here/001** (2026-11-20): The scanner is on port 5357
    ");
    a.co(&["forget", "here/1"]);
    insta::assert_snapshot!(whole(&a.co(&["list"])), @"
    Total memories: 1

    **001** (2026-11-20): Prefers tabs
    ");
}

#[test]
fn what_is_shown_of_a_layer_that_is_only_read_is_what_its_file_says() {
    let world = World::new();
    let (url, _ada) = team(&world);
    let bob = reader(&world, &url);
    let shown = |words: &[&str]| bob.co(words);
    assert!(shown(&["context"]).contains("Tuesdays") && shown(&["list"]).contains("Tuesdays"));
    let layer = bob.config().join("layers/acme/knowledge/memories");
    let mut files = fs::read_dir(&layer).expect("a folder");
    let file = files.next().expect("a file").expect("an entry").path();
    let text = fs::read_to_string(&file).expect("a fact");
    // In place, as editors do: the folder does not tell.
    fs::write(&file, text.replace("Tuesdays", "Fridays")).expect("written");
    for words in [&["context"][..], &["recall", "when do deploys start?"], &["show", "acme/1"]] {
        let said = shown(words);
        assert!(said.contains("Fridays") && !said.contains("Tuesdays"), "{words:?}: {said}");
    }
    shown(&["knowledge", "reindex"]);
    assert!(shown(&["list"]).contains("Fridays"), "{}", shown(&["list"]));
}

/// The last line tells of one of them.
#[test]
fn files_that_a_sync_holds_back_are_named_in_each_layer() {
    let world = World::at("2026-11-20T12:00:00Z");
    let (_url, ada) = team(&world);
    let layer = ada.config().join("layers/acme");
    for (folder, name) in [
        (ada.identity(), "garden"),
        (ada.identity(), "shed"),
        (layer.clone(), "deploys"),
        (layer, "servers"),
    ] {
        let text = format!("# {name}\n\nThe key is {}.\n", token());
        fs::create_dir_all(folder.join("knowledge/reference")).expect("a folder");
        fs::write(folder.join(format!("knowledge/reference/{name}.md")), text).expect("written");
    }
    insta::assert_snapshot!(whole(&ada.fails(6, &["sync"])), @"
    warning: acme: 2 files were held back; the rest was synced
    warning: knowledge/reference/deploys.md:3: a GitHub token (rule github-pat: `ghp_zQW…`)
    warning: knowledge/reference/servers.md:3: a GitHub token (rule github-pat: `ghp_zQW…`)
    warning: keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the file, then run `co sync` again
    warning: if this is not a secret: `co:allow-secret` on its line, or `--allow-secret github-pat`
    warning: there is no remote yet (`co identity remote URL` sets one)
    error: 2 files were held back; the rest was committed on this laptop
    hint: knowledge/reference/garden.md:3: a GitHub token (rule github-pat: `ghp_zQW…`)
    hint: knowledge/reference/shed.md:3: a GitHub token (rule github-pat: `ghp_zQW…`)
    hint: keep the value in the keyring (`co secret set NAME`), write {{secret:NAME}} in the file, then run `co sync` again
    hint: if this is not a secret: `co:allow-secret` on its line, or `--allow-secret github-pat`
    ");
}
