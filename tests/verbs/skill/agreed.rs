//! `co skill`: what agents can do travels byte for byte; what came from elsewhere is used only
//! after the person agreed to it on this laptop; agents' own folders stay theirs.

use crate::support::{
    Laptop, World,
    files::put,
    pair::{assert_agree, pair, sync},
    skills::{accept, waiting},
    tokens::token,
    tree,
    whole::whole,
};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

const TEXT: &str = "---\nname: deploy\ndescription: Deploys to staging. Use it before a release.\n\
    ---\n\n# Deploy\r\n\nRun it, then wait.  \n";

/// A folder outside the identity with these files; one of them is SKILL.md.
fn folder(laptop: &Laptop, name: &str, files: &[(&str, &[u8])]) -> PathBuf {
    let folder = laptop.home.join(name);
    for (path, bytes) in files {
        put(&folder.join(path), bytes);
    }
    folder
}

fn add(laptop: &Laptop, folder: &Path) -> String {
    laptop.co(&["skill", "add", folder.to_str().expect("a path")])
}

fn listed(laptop: &Laptop, name: &str) -> Value {
    let all = laptop.json(&["skill", "list"])["data"]["skills"].clone();
    let all = all.as_array().cloned().unwrap_or_default();
    all.into_iter().find(|skill| skill["name"] == name).unwrap_or(Value::Null)
}

/// Every file and link below a folder, links with where they lead.
fn everything(root: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(folder: &Path, root: &Path, found: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.strip_prefix(root).expect("below").display().to_string();
            if path.is_symlink() {
                let target = fs::read_link(&path).expect("a link").display().to_string();
                found.push((name, target.into_bytes()));
            } else if path.is_dir() {
                found.push((format!("{name}/"), Vec::new()));
                walk(&path, root, found);
            } else {
                found.push((name, fs::read(&path).expect("readable")));
            }
        }
    }
    let mut found = Vec::new();
    walk(root, root, &mut found);
    found.sort();
    found
}

#[test]
fn a_skill_travels_and_is_used_after_an_agreement() {
    let world = World::new();
    let (a, b) = pair(&world);
    let run = b"#!/bin/sh\necho deployed\n";
    let bytes: Vec<u8> = (0..=255).collect();
    let files: &[(&str, &[u8])] = &[
        ("SKILL.md", TEXT.as_bytes()),
        ("scripts/run.sh", run),
        ("assets/logo.bin", &bytes),
        ("references/more.md", b"More.\n"),
    ];
    insta::assert_snapshot!(whole(&add(&a, &folder(&a, "work/deploy-it", files))), @"
    ✓ Added skill deploy (4 files).
      can run  scripts/run.sh (#!/bin/sh)
    Undo: `co undo`.
    ");
    for laptop in [&a, &b] {
        laptop.co(&["agent", "install", "codex", "claude-code", "--skills", "--yes"]);
    }
    // What was added here is agreed to here.
    for place in [".agents/skills/deploy", ".claude/skills/deploy"] {
        let place = a.home.join(place);
        assert!(place.is_symlink(), "{}", place.display());
        assert_eq!(fs::read(place.join("SKILL.md")).expect("there"), TEXT.as_bytes());
        assert_eq!(fs::read(place.join("assets/logo.bin")).expect("there"), bytes);
    }
    sync(&[&a]);
    insta::assert_snapshot!(whole(&b.co(&["sync"])), @"
    Synced with origin ([world]/remote.git).
      skill             deploy  (there)
    3 facts.
    1 skill waits for your answer: deploy. Next: `co review`.
    ");
    for (path, bytes) in files {
        let path = format!("skills/deploy/{path}");
        assert_eq!(&fs::read(b.identity().join(&path)).expect(&path), bytes, "{path}");
    }
    assert!(!b.home.join(".agents/skills/deploy").exists());
    assert_eq!(listed(&b, "deploy")["state"], "waiting");
    let asked = waiting(&b);
    assert_eq!(asked.len(), 1, "{asked:?}");
    assert!(asked[0]["programs"].to_string().contains("scripts/run.sh"), "{asked:?}");
    let text = asked[0]["text"].as_str().expect("a text");
    assert!(text.contains("Deploys to staging") && text.contains("#!/bin/sh"), "{text}");
    // Nothing that answers many questions at once answers this one.
    b.co(&["review", "accept", "--all"]);
    b.co(&["review", "reject", "--all"]);
    assert_eq!(waiting(&b).len(), 1);
    insta::assert_snapshot!(whole(&accept(&b, &asked[0])), @"
    ✓ Your agents on this laptop may use the skill deploy, and find it from now on.
    ");
    for place in [".agents/skills/deploy", ".claude/skills/deploy"] {
        let place = b.home.join(place);
        let real = place.canonicalize().expect("it leads somewhere");
        assert!(real.ends_with("deploy") && !real.starts_with(b.identity()), "{}", real.display());
        assert_eq!(fs::read(place.join("scripts/run.sh")).expect("there"), run);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &str| {
                let meta = fs::metadata(place.join(path)).expect("there");
                meta.permissions().mode() & 0o111
            };
            assert!(mode("scripts/run.sh") != 0 && mode("SKILL.md") == 0);
        }
    }
    assert!(waiting(&b).is_empty());
    assert_agree(&[&a, &b]);
}

#[test]
fn agents_keep_the_agreed_version_until_the_next_one_is_agreed_to() {
    let world = World::new();
    let (a, b) = pair(&world);
    let place = folder(&a, "deploy", &[("SKILL.md", TEXT.as_bytes())]);
    add(&a, &place);
    sync(&[&a, &b]);
    accept(&b, &waiting(&b)[0]);
    b.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let live = b.home.join(".agents/skills/deploy/SKILL.md");
    assert_eq!(fs::read_to_string(&live).expect("there"), TEXT);

    let newer = TEXT.replace("wait", "wait, then !`id`");
    fs::write(place.join("SKILL.md"), &newer).expect("written");
    assert!(add(&a, &place).contains("Updated skill deploy"));
    sync(&[&a, &b]);
    assert_eq!(fs::read_to_string(&live).expect("there"), TEXT);
    let asked = waiting(&b);
    assert!(asked[0]["programs"].to_string().contains("!`id`"), "{asked:?}");
    accept(&b, &asked[0]);
    assert_eq!(fs::read_to_string(&live).expect("there"), newer);

    // Known by its content: going back asks nothing, an edit by hand does.
    fs::write(place.join("SKILL.md"), TEXT).expect("written");
    add(&a, &place);
    sync(&[&a, &b]);
    assert!(waiting(&b).is_empty());
    assert_eq!(fs::read_to_string(&live).expect("there"), TEXT);
    b.edit("skills/deploy/SKILL.md", "Run it", "Run it twice");
    sync(&[&b]);
    assert_eq!(fs::read_to_string(&live).expect("there"), TEXT);
    assert_eq!(waiting(&b).len(), 1);

    // Rejected on one laptop, it is asked on none.
    let id = waiting(&b)[0]["id"].as_str().expect("an id").to_owned();
    b.co(&["review", "reject", &id]);
    sync(&[&b, &a]);
    assert!(waiting(&a).is_empty() && waiting(&b).is_empty());
    assert_eq!(listed(&a, "deploy")["state"], "rejected");

    // Removed on one, it goes on the other; an undo brings it back, agreed to.
    a.co(&["skill", "remove", "deploy"]);
    a.fails(5, &["skill", "show", "deploy"]);
    sync(&[&a, &b]);
    assert!(!b.home.join(".agents/skills/deploy").is_symlink());
    add(&b, &place);
    assert!(live.exists());
    b.co(&["skill", "remove", "deploy"]);
    assert!(!live.exists());
    b.co(&["undo"]);
    assert!(live.exists() && waiting(&b).is_empty());
}

#[test]
fn nobody_agrees_for_another_laptop() {
    let world = World::new();
    let (a, b) = pair(&world);
    add(&a, &folder(&a, "deploy", &[("SKILL.md", TEXT.as_bytes())]));
    sync(&[&a, &b]);
    let hash = waiting(&b)[0]["id"].as_str().expect("an id").to_owned();
    // A number may mean another skill by now.
    let said = b.fails(6, &["review", "accept", "1"]);
    assert!(said.contains(&hash) && waiting(&b).len() == 1, "{said}");
    // Whoever may push could write an answer for everybody.
    b.co(&["review", "accept", &hash]);
    assert!(!b.identity().join("knowledge/reviewed.md").exists());
    let c = world.laptop("c");
    sync(&[&b]);
    c.co(&["init", "--yes", &world.path("remote.git").display().to_string()]);
    assert_eq!(waiting(&c).len(), 1);
    // An archive agrees to nothing either.
    let d = world.laptop("d");
    d.co(&["init", "--yes"]);
    let archive = world.path("all.tar.gz").display().to_string();
    a.co(&["export", &archive]);
    d.co(&["import", "--yes", &archive]);
    assert_eq!((waiting(&d).len(), listed(&d, "deploy")["state"].as_str()), (1, Some("waiting")));
    // What `local/` forgets is asked again.
    fs::remove_dir_all(b.config().join("local/skills")).expect("removed");
    assert_eq!(waiting(&b).len(), 1);
}

#[test]
fn the_folders_of_agents_come_back_byte_for_byte() {
    let world = World::new();
    for with_own in [false, true] {
        let a = world.laptop(&format!("a-{with_own}"));
        a.co(&["init", "--yes"]);
        folder(&a, ".codex", &[("config.toml", b"model = \"x\"\n")]);
        folder(&a, ".claude", &[("settings.json", b"{}\n")]);
        if with_own {
            let theirs = b"---\nname: deploy\ndescription: Mine\n---\n";
            folder(&a, ".claude/skills/deploy", &[("SKILL.md", theirs), ("x.py", b"x")]);
            folder(&a, ".agents/skills/other", &[("SKILL.md", b"any\n")]);
        }
        let before = [".codex", ".claude", ".agents"].map(|name| everything(&a.home.join(name)));
        add(&a, &folder(&a, "deploy", &[("SKILL.md", TEXT.as_bytes()), ("run", b"#!/bin/sh\n")]));
        let names = ["codex", "claude-code"];
        let said = a.try_co(&["agent", "install", names[0], names[1], "--skills", "--yes"]);
        assert_eq!(said.code, 0, "{}", said.err);
        let shared = a.home.join(".agents/skills/deploy");
        assert!(shared.is_symlink());
        let own = a.home.join(".claude/skills/deploy");
        if with_own {
            assert!(said.out.contains("is not co's"), "{}", said.out);
            assert!(!own.is_symlink() && own.join("x.py").exists());
            let shadowed = listed(&a, "deploy")["shadowed"].to_string();
            assert!(shadowed.contains(".claude/skills/deploy"), "{shadowed}");
        } else {
            assert!(own.is_symlink());
        }
        // Again changes nothing; one of two leaves what the other reads.
        let after = everything(&a.home.join(".agents"));
        a.co(&["agent", "install", "codex", "claude-code", "--skills", "--yes"]);
        assert_eq!(everything(&a.home.join(".agents")), after);
        a.co(&["agent", "uninstall", "claude-code", "--yes"]);
        assert!(shared.is_symlink() && !own.is_symlink());
        a.co(&["agent", "uninstall", "--all", "--yes"]);
        let now = [".codex", ".claude", ".agents"].map(|name| everything(&a.home.join(name)));
        assert_eq!(now, before);
    }
}

#[test]
fn what_agents_have_is_adopted_and_stays_where_it_is() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    insta::assert_snapshot!(whole(&a.fails(5, &["skill", "adopt", "--yes"])), @"
    error: the agents on this laptop have no skill that the identity lacks
    hint: `co skill add DIR` adds one from any folder
    ");
    let named = |name: &str| TEXT.replace("name: deploy", &format!("name: {name}"));
    for (place, name) in [
        (".claude/skills/deploy", "deploy"),
        (".agents/skills/review-it", "review-it"),
        (".agents/skills/wrong", "Not A Name"),
        (".agents/skills/co-memory", "co-memory"),
    ] {
        folder(&a, place, &[("SKILL.md", named(name).as_bytes())]);
    }
    folder(&a, ".agents/skills/notes", &[("README.md", b"no skill\n")]);
    let before = [".claude", ".agents"].map(|name| everything(&a.home.join(name)));
    insta::assert_snapshot!(whole(&a.co(&["skill", "adopt", "--dry-run"])), @"
    [indented]
      + deploy  (~/.claude/skills/deploy)
      + review-it  (~/.agents/skills/review-it)
      left out ~/.agents/skills/wrong: SKILL.md: the name `Not A Name` must consist of lower-case letters, digits and hyphens
    ");
    insta::assert_snapshot!(whole(&a.fails(3, &["skill", "adopt"])), @"
    error: 2 skills would be added, but there is no terminal to ask on
    hint: use `--yes` to confirm, `--dry-run` to preview
    ");
    assert!(!a.identity().join("skills").exists());
    insta::assert_snapshot!(whole(&a.co(&["skill", "adopt", "--yes"])), @"
    ✓ Added 2 skills: deploy, review-it.
    Undo: `co undo`, once for each skill.
    ");
    assert_eq!(a.read("skills/deploy/SKILL.md"), TEXT);
    assert_eq!(listed(&a, "review-it")["state"], "agreed");
    assert!(waiting(&a).is_empty() && listed(&a, "co-memory").is_null());
    assert_eq!([".claude", ".agents"].map(|name| everything(&a.home.join(name))), before);
    // What an agent changes in its folder is adopted as a change.
    let edited = TEXT.replace("Run it", "Run it at night");
    fs::write(a.home.join(".claude/skills/deploy/SKILL.md"), &edited).expect("written");
    insta::assert_snapshot!(whole(&a.co(&["skill", "adopt", "deploy", "--yes"])), @"
    ✓ Updated 1 skill: deploy.
    Undo: `co undo`.
    ");
    assert_eq!(a.read("skills/deploy/SKILL.md"), edited);
    // The folder that it came from has the same skill, not another one of its name.
    a.co(&["agent", "install", "claude-code", "--skills", "--yes"]);
    let deploy = listed(&a, "deploy");
    assert_eq!(deploy["shadowed"], serde_json::json!([]), "{deploy}");
    assert!(deploy["places"].to_string().contains(".claude"), "{deploy}");
}

/// An agent that writes through co's link writes into the copy that was agreed to.
#[cfg(unix)]
#[test]
fn an_undone_adoption_leads_agents_to_what_was_there() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    add(&a, &folder(&a, "deploy", &[("SKILL.md", TEXT.as_bytes()), ("run.sh", b"echo 1\n")]));
    a.co(&["agent", "install", "claude-code", "codex", "--skills", "--yes"]);
    let place = a.home.join(".claude/skills/deploy");
    let edited = TEXT.replace("Run it", "Run it at night");
    fs::write(place.join("SKILL.md"), &edited).expect("written");
    fs::remove_file(place.join("run.sh")).expect("removed");
    a.co(&["skill", "adopt", "--yes"]);
    assert_eq!(a.read("skills/deploy/SKILL.md"), edited);
    assert_eq!(fs::read(place.join("SKILL.md")).expect("there"), edited.as_bytes());
    a.co(&["undo"]);
    assert_eq!(listed(&a, "deploy")["state"], "agreed");
    for place in [".claude/skills/deploy", ".agents/skills/deploy"] {
        let place = a.home.join(place);
        assert_eq!(fs::read(place.join("SKILL.md")).expect("there"), TEXT.as_bytes());
        assert_eq!(fs::read(place.join("run.sh")).expect("there"), b"echo 1\n");
    }
    a.fails(5, &["skill", "adopt", "--yes"]);
    a.co(&["redo"]);
    assert_eq!(fs::read(place.join("SKILL.md")).expect("there"), edited.as_bytes());
}

#[test]
fn hostile_skills_are_refused_by_name() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let with = |key: &str, value: &str| {
        TEXT.replace("name: deploy", &format!("name: {key}")).replace("Run it", value)
    };
    let long = "x".repeat(65);
    let huge = format!("{TEXT}{}", "word ".repeat(2 * 1024 * 1024));
    let description = format!("description: {}", "d".repeat(1_025));
    let description = TEXT.replace("description: Deploys to staging", &description);
    let texts: Vec<(&str, String, &str)> = vec![
        ("up", with("../deploy", "Run"), "SKILL.md"),
        ("slash", with("a/b", "Run"), "SKILL.md"),
        ("backslash", with("a\\b", "Run"), "SKILL.md"),
        ("upper", with("Deploy", "Run"), "SKILL.md"),
        ("space", with("de ploy", "Run"), "SKILL.md"),
        ("dots", with("..", "Run"), "SKILL.md"),
        ("device", with("con", "Run"), "SKILL.md"),
        ("hyphens", with("de--ploy", "Run"), "SKILL.md"),
        ("long", with(&long, "Run"), "SKILL.md"),
        ("own", with("co-memory", "Run"), "co-memory"),
        ("none", with("", "Run"), "SKILL.md"),
        ("zero-width", with("deploy", "Run\u{200b}it"), "SKILL.md:8"),
        ("bidi", with("deploy", "\u{202e}Run"), "SKILL.md:8"),
        ("tags", with("deploy", "\u{e0052}\u{e0075}\u{e006e}"), "SKILL.md:8"),
        ("escape", with("deploy", "\u{1b}[8mRun"), "SKILL.md:8"),
        ("description", description, "SKILL.md"),
        ("huge", huge, "SKILL.md"),
        ("open", "---\nname: deploy\ndescription: x\n".to_owned(), "SKILL.md"),
        ("yaml", "---\nname: [deploy\n---\n".to_owned(), "SKILL.md"),
        ("twice", "---\nname: deploy\nname: deploy\n---\n".to_owned(), "SKILL.md"),
    ];
    let refused = |name: &str, wanted: &str| {
        let said = a.fails(6, &["skill", "add", name]);
        assert!(said.contains(wanted), "{name}: {said}");
        assert!(!a.identity().join("skills").exists(), "{name}");
        assert!(!a.config().join("local/skills").exists(), "{name}");
    };
    for (name, text, wanted) in &texts {
        folder(&a, name, &[("SKILL.md", text.as_bytes())]);
        refused(name, wanted);
    }
    for (at, (path, bytes)) in [
        ("aux.txt", &b"x"[..]),
        ("scripts/nul.sh", b"#!/bin/sh\n"),
        ("a:b.md", b"x"),
        ("end. ", b"x"),
        ("key.pem", b"x"),
        (".env", b"x"),
        ("deep/x.db", b"x"),
        ("more.md", "hidden\u{200b}text".as_bytes()),
        ("run.sh", "#!/bin/sh\n# \u{202e}\n".as_bytes()),
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("files-{at}");
        folder(&a, &name, &[("SKILL.md", TEXT.as_bytes()), (path, bytes)]);
        refused(&name, path.trim_end());
    }
    a.fails(5, &["skill", "add", "nowhere"]);
    fs::create_dir(a.home.join("empty")).expect("a folder");
    a.fails(5, &["skill", "add", "empty"]);
}

#[test]
fn a_secret_in_a_skill_is_refused_like_everywhere() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let token = token();
    let run = format!("#!/bin/sh\nexport GITHUB_TOKEN={token}\n");
    folder(&a, "deploy", &[("SKILL.md", TEXT.as_bytes()), ("run.sh", run.as_bytes())]);
    let said = a.fails(6, &["skill", "add", "deploy"]);
    assert!(said.contains("run.sh") && !said.contains(&token), "{said}");
    assert!(!a.identity().join("skills").exists());
}

#[cfg(unix)]
#[test]
fn links_out_of_a_skill_are_not_followed() {
    use std::os::unix::fs::symlink;
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    let private = a.home.join("private.txt");
    fs::write(&private, "mine\n").expect("written");
    for (at, target) in
        [private, a.home.clone(), a.home.join("nowhere"), "SKILL.md".into()].iter().enumerate()
    {
        let name = format!("linked-{at}");
        let place = folder(&a, &name, &[("SKILL.md", TEXT.as_bytes())]);
        symlink(target, place.join("notes")).expect("a link");
        let said = a.fails(6, &["skill", "add", &name]);
        assert!(said.contains("notes"), "{said}");
        assert!(!a.identity().join("skills").exists());
    }
}

/// Where links do not work, a copy is placed; what somebody put there instead is theirs.
#[cfg(unix)]
#[test]
fn a_link_in_place_of_a_copy_is_left_alone() {
    let world = World::new();
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    add(&a, &folder(&a, "deploy", &[("SKILL.md", TEXT.as_bytes())]));
    a.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let place = a.home.join(".agents/skills/deploy");
    let file = a.config().join("local/skills.json");
    let text = fs::read(&file).expect("a record");
    let mut record: Value = serde_json::from_slice(&text).expect("JSON");
    record["copies"] = serde_json::json!([{ "at": place, "hash": "0" }]);
    fs::write(&file, record.to_string()).expect("written");
    let own = folder(&a, "own", &[("SKILL.md", b"mine\n")]);
    fs::remove_file(&place).expect("a link");
    std::os::unix::fs::symlink(&own, &place).expect("a link");
    a.co(&["skill", "remove", "deploy"]);
    a.co(&["agent", "uninstall", "--all", "--yes"]);
    assert_eq!(fs::read_link(&place).expect("a link"), own);
}

/// Whoever writes past co, in git or by hand, gets no agent to read it.
#[test]
fn what_arrives_unfit_is_named_and_reaches_no_agent() {
    let world = World::new();
    let (a, b) = pair(&world);
    b.co(&["agent", "install", "codex", "--skills", "--yes"]);
    let hidden = TEXT.replace("deploy\n", "hidden\n").replace("Run", "R\u{200b}un");
    for (path, text) in [
        ("skills/other/SKILL.md", TEXT),
        ("skills/hidden/SKILL.md", hidden.as_str()),
        ("skills/empty/README.md", "no skill\n"),
        ("skills/Upper/SKILL.md", "---\nname: Upper\ndescription: x\n---\n"),
        ("skills/co-memory/SKILL.md", "---\nname: co-memory\ndescription: x\n---\n"),
    ] {
        a.write(path, text);
    }
    a.git(&["add", "-A"]);
    a.git(&["commit", "-qm", "skills"]);
    a.git(&["push", "-q", "origin", "HEAD"]);
    b.co(&["sync"]);
    assert!(waiting(&b).is_empty());
    for name in ["other", "hidden", "empty", "Upper", "co-memory"] {
        assert_eq!(listed(&b, name)["state"], "unfit", "{name}");
        // co's own skill is there, from `agent install`; that one is no link.
        assert!(!b.home.join(".agents/skills").join(name).is_symlink(), "{name}");
    }
    let found = b.json(&["check"])["data"]["findings"].to_string();
    for name in ["other", "hidden", "empty", "Upper", "co-memory"] {
        assert!(found.contains(&format!("skills/{name}/SKILL.md")), "{name}: {found}");
    }
    assert!(found.contains("skill-invalid"), "{found}");
}

#[test]
fn both_versions_stay_when_two_laptops_change_one_file() {
    let world = World::new();
    let (a, b) = pair(&world);
    let place = folder(&a, "deploy", &[("SKILL.md", TEXT.as_bytes()), ("run.sh", b"echo 1\n")]);
    add(&a, &place);
    sync(&[&a, &b]);
    a.edit("skills/deploy/run.sh", "echo 1", "echo a");
    b.edit("skills/deploy/run.sh", "echo 1", "echo b");
    sync(&[&a, &b, &a]);
    let texts: Vec<String> = tree(&a.identity().join("skills/deploy"))
        .into_iter()
        .filter(|(path, _)| path.starts_with("run"))
        .map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned())
        .collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts.contains(&"echo a\n".to_owned()) && texts.contains(&"echo b\n".to_owned()));
    for laptop in [&a, &b] {
        let asked = waiting(laptop);
        assert_eq!(asked.len(), 1, "{asked:?}");
        accept(laptop, &asked[0]);
    }
    assert_agree(&[&a, &b]);
}
