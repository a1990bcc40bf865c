//! Where a sync pushes to, and from which repository and branch: to the remote of the identity, and
//! never to or from anything that only stands in its place.

use crate::support::{World, git, publish_code, ready::published};
use std::{fs, path::Path};

#[test]
fn git_variables_of_another_repository_are_ignored() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.remote());
    a.co(&["init", "--yes", "--remote", &remote]);
    let other = a.home.join("other");
    fs::create_dir_all(&other).expect("a folder");
    git(&other, &["init", "-q"]);
    fs::write(other.join("x"), "x\n").expect("written");
    git(&other, &["add", "x"]);
    let index = fs::read(other.join(".git/index")).expect("an index");
    let path = |name: &str| other.join(name).display().to_string();
    for (number, (name, value)) in [
        ("GIT_INDEX_FILE", path(".git/index")),
        ("GIT_DIR", path(".git")),
        ("GIT_WORK_TREE", path("")),
        ("GIT_COMMON_DIR", path(".git")),
        ("GIT_OBJECT_DIRECTORY", path(".git/objects")),
        ("GIT_NAMESPACE", "x".to_owned()),
        ("GIT_CONFIG_PARAMETERS", "'core.bare=true'".to_owned()),
        ("GIT_PREFIX", "x/".to_owned()),
    ]
    .into_iter()
    .enumerate()
    {
        let inside = a.with_env(name, &value);
        inside.co(&["learn", "--scope", "identity", &format!("Fact number {number}")]);
        inside.co(&["identity", "sync"]);
        inside.co(&["status"]);
        assert_eq!(a.git(&["status", "--porcelain"]), "", "{name}");
        assert_eq!(fs::read(other.join(".git/index")).expect("an index"), index, "{name}");
    }
    assert_eq!(
        git(remote.as_ref(), &["ls-tree", "-r", "--name-only", "main"])
            .matches("fact-number")
            .count(),
        8
    );
    let both = a.with_env("GIT_DIR", &path(".git")).with_env("GIT_WORK_TREE", &path(""));
    both.co(&["identity", "sync"]);
    git(&other, &["fsck"]);
}

#[test]
fn another_branch_is_not_taken_for_the_identity() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    let identity = a.identity();
    git(&identity, &["checkout", "-q", "--orphan", "private"]);
    git(&identity, &["rm", "-rqf", "."]);
    fs::create_dir_all(identity.join("src")).expect("a folder");
    fs::write(identity.join("src/novel.txt"), "mine\n").expect("written");
    git(&identity, &["add", "-A"]);
    git(&identity, &["commit", "-qm", "a novel"]);
    a.fails(6, &["sync"]);
    let branches = git(Path::new(&remote), &["branch", "--list"]);
    assert!(!branches.contains("private"), "{branches}");
}

#[test]
fn a_remote_that_became_a_project_takes_nothing_away() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    a.co(&["learn", "Prefers tea"]);
    a.co(&["sync"]);
    let before = a.tree();
    git(world.dir.path(), &["clone", "-q", &remote, "other"]);
    let other = world.path("other");
    git(&other, &["rm", "-rq", "."]);
    fs::write(other.join("Cargo.toml"), "[package]\n").expect("written");
    git(&other, &["add", "-A"]);
    git(&other, &["commit", "-qm", "a project"]);
    git(&other, &["push", "-q", "origin", "HEAD"]);
    a.fails(6, &["sync"]);
    assert_eq!(a.tree(), before);
    // Nor one that was exchanged for a repository with other branches.
    fs::remove_dir_all(&remote).expect("removed");
    publish_code(&world.path("code"), Path::new(&remote), "main");
    git(Path::new(&remote), &["branch", "-m", "main", "master"]);
    a.co(&["learn", "Prefers coffee"]);
    a.fails(6, &["sync"]);
    assert!(!git(Path::new(&remote), &["branch", "--list"]).contains("main"));
}

#[test]
fn the_identitys_own_repository_wins_over_the_environment() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    let (folder, other) = (world.path("code"), world.path("code.git"));
    publish_code(&folder, &other, "main");
    git(&folder, &["config", "core.worktree", &world.dir.path().display().to_string()]);
    let set = a.with_env("GIT_DIR", &folder.join(".git").display().to_string());
    set.co(&["learn", "Prefers tea"]);
    set.co(&["sync"]);
    assert!(published(Path::new(&remote)).iter().any(|name| name.contains("prefers-tea")));
    assert_eq!(published(&other), ["main.c", "plan.txt"]);
}

#[test]
fn a_persons_own_commits_are_published_only_when_they_say_so() {
    let world = World::new();
    let (a, remote) = (world.laptop("a"), world.path("code.git"));
    let folder = world.path("code");
    publish_code(&folder, &remote, "main");
    fs::write(folder.join("draft.txt"), "not for pushing\n").expect("written");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "draft"]);
    // Who accepts what init proposes publishes nothing of that.
    let made = a.try_co(&["init", "--yes", &folder.display().to_string()]);
    assert!(made.err.contains("1 of your own commits"), "{}", made.err);
    assert_eq!(published(&remote), ["main.c", "plan.txt"]);
    // A sync says so, and then the branch goes out as a whole.
    let synced = a.co(&["sync"]);
    assert!(synced.contains("1 commit of your own also pushed"), "{synced}");
    assert!(published(&remote).contains(&"draft.txt".to_owned()));
    // A branch that was never published is not co's to publish.
    git(&folder, &["switch", "-qc", "private"]);
    a.co(&["learn", "a fact"]);
    let refused = a.try_co(&["sync"]);
    assert_eq!(refused.code, 7, "{}", refused.err);
    assert!(refused.err.contains("push -u origin private"), "{}", refused.err);
    let heads = git(&remote, &["for-each-ref", "--format=%(refname:short)", "refs/heads"]);
    assert_eq!(heads.trim(), "main");
}

#[test]
fn a_push_to_elsewhere_is_looked_at_and_named() {
    let world = World::new();
    let (a, code_remote, remote) = (world.laptop("a"), world.path("x.git"), world.path("r.git"));
    publish_code(&world.path("code"), &code_remote, "main");
    git(&code_remote, &["branch", "-m", "main", "master"]);
    git(world.dir.path(), &["init", "-q", "--bare", "r.git"]);
    a.co(&["init", "--yes"]);
    a.co(&["identity", "remote", &remote.display().to_string()]);
    git(&a.identity(), &["config", "remote.origin.pushurl", &code_remote.display().to_string()]);
    let refused = a.try_co(&["sync"]);
    assert_eq!(refused.code, 6, "{}", refused.err);
    assert!(refused.err.contains("main.c"), "{}", refused.err);
    // Another place for pushes that holds nothing is named.
    let mirror = world.path("mirror.git");
    git(world.dir.path(), &["init", "-q", "--bare", "mirror.git"]);
    git(&a.identity(), &["config", "remote.origin.pushurl", &mirror.display().to_string()]);
    let synced = a.co(&["sync"]);
    assert!(synced.contains(&format!("pushed to {}", mirror.display())), "{synced}");
    // A remote that is named anew is the one that is pushed to, and never the identity itself.
    let new = world.path("new.git");
    git(world.dir.path(), &["init", "-q", "--bare", "new.git"]);
    git(&a.identity(), &["config", "--add", "remote.origin.url", "/nowhere"]);
    a.co(&["identity", "remote", &new.display().to_string()]);
    a.co(&["sync"]);
    assert!(!git(&new, &["for-each-ref"]).is_empty());
    let own = a.try_co(&["identity", "remote", &a.identity().display().to_string()]);
    assert_eq!(own.code, 2, "{}", own.err);
}

#[test]
fn what_upstream_dropped_is_not_published_again() {
    let world = World::new();
    let (a, remote, folder) = (world.laptop("a"), world.path("code.git"), world.path("code"));
    publish_code(&folder, &remote, "main");
    a.co(&["init", "--yes", &folder.display().to_string()]);
    fs::write(folder.join("secret.txt"), "password\n").expect("written");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "oops"]);
    git(&folder, &["push", "-q"]);
    git(&folder, &["push", "-qf", &remote.display().to_string(), "HEAD~1:main"]);
    for _ in 0..2 {
        let stopped = a.try_co(&["sync"]);
        assert_eq!(stopped.code, 7, "{}", stopped.err);
        assert!(stopped.err.contains("pull --rebase"), "{}", stopped.err);
        assert!(!published(&remote).contains(&"secret.txt".to_owned()));
    }
}

#[test]
fn every_place_that_git_pushes_to_gets_the_identity() {
    let world = World::new();
    let a = world.laptop("a");
    let (one, two) = (world.path("one.git"), world.path("two.git"));
    for remote in [&one, &two] {
        git(world.dir.path(), &["init", "-q", "--bare", &remote.display().to_string()]);
    }
    a.co(&["init", "--yes", "--remote", &one.display().to_string()]);
    git(&a.identity(), &["remote", "set-url", "--add", "origin", &two.display().to_string()]);
    a.co(&["learn", "a fact"]);
    a.co(&["sync"]);
    assert_eq!(git(&one, &["rev-parse", "main"]), git(&two, &["rev-parse", "main"]));
}

#[test]
fn configured_tags_and_refspecs_move_nothing_along() {
    let world = World::new();
    let remote = world.remote();
    let a = world.laptop("a");
    a.co(&["init", "--yes", &remote]);
    let identity = a.identity();
    git(&identity, &["config", "push.followTags", "true"]);
    git(
        &identity,
        &["config", "--add", "remote.origin.fetch", "+refs/heads/main:refs/heads/backup"],
    );
    git(&identity, &["tag", "-a", "-m", "mine", "private"]);
    git(&identity, &["branch", "backup"]);
    let backup = git(&identity, &["rev-parse", "backup"]);
    let b = world.laptop("b");
    b.co(&["init", "--yes", &remote]);
    b.co(&["learn", "Prefers tea"]);
    b.co(&["sync"]);
    a.co(&["learn", "Prefers coffee"]);
    a.co(&["sync"]);
    assert_eq!(git(Path::new(&remote), &["tag"]), "");
    assert_eq!(git(&identity, &["rev-parse", "backup"]), backup);
}
