//! Three people and a team's repository over ssh: each with a key of their own, two laptops each,
//! one who may propose and one who may only read.

use crate::support::{Laptop, World, git, require_tool};
use std::{
    fs,
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

struct Server {
    child: Child,
    port: u16,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

const PEOPLE: [&str; 3] = ["ada", "bob", "eve"];

fn key(world: &World, name: &str) {
    let made = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-f"])
        .arg(world.path(&format!("key-{name}")))
        .status()
        .expect("ssh-keygen runs");
    assert!(made.success());
}

/// An ssh server that knows three keys, and tells the repository's hook whose it was. Ada may push,
/// Bob to branches of his own, Eve nothing.
fn server(world: &World) -> Option<Server> {
    if !require_tool("/usr/sbin/sshd") || !require_tool("ssh-keygen") {
        return None;
    }
    let dir = world.dir.path().display().to_string();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "team.git"]);
    let hook = world.path("team.git/hooks/update");
    fs::create_dir_all(world.path("team.git/hooks")).expect("a folder");
    let refusal = "#!/bin/sh\ncase \"$WHO:$1\" in ada:*|bob:refs/heads/co/*) exit 0;; esac\n\
        echo \"$WHO has no rights to push to $1\" >&2\nexit 1\n";
    fs::write(&hook, refusal).expect("written");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("a program");
    key(world, "host");
    let mut authorized = String::new();
    for name in PEOPLE {
        key(world, name);
        let public = fs::read_to_string(world.path(&format!("key-{name}.pub"))).expect("a key");
        let run = format!("command=\"env WHO={name} sh -c \\\"$SSH_ORIGINAL_COMMAND\\\"\"");
        authorized.push_str(&format!("{run} {public}"));
    }
    fs::write(world.path("authorized"), authorized).expect("written");
    fs::create_dir_all("/run/sshd").ok();
    let port = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("one").port();
    let config = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {dir}/key-host\nAuthorizedKeysFile \
         {dir}/authorized\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\n\
         PermitRootLogin yes\n"
    );
    fs::write(world.path("sshd_config"), config).expect("written");
    let child = Command::new("/usr/sbin/sshd")
        .args(["-D", "-e", "-f"])
        .arg(world.path("sshd_config"))
        .stderr(Stdio::null())
        .spawn()
        .expect("sshd runs");
    let server = Server { child, port };
    let until = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < until, "nothing listens on {port}");
        thread::sleep(Duration::from_millis(20));
    }
    Some(server)
}

fn laptop(world: &World, person: &str, name: &str) -> Laptop {
    let dir = world.dir.path().display();
    let client = format!(
        "ssh -i {dir}/key-{person} -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o \
         UserKnownHostsFile={dir}/known -o BatchMode=yes -o LogLevel=ERROR"
    );
    let laptop = world.laptop(name).with_env("GIT_SSH_COMMAND", &client);
    laptop.co(&["init", "--yes"]);
    laptop.co(&["learn", &format!("{name} has a diary")]);
    laptop
}

/// All that the repository has, in every branch.
fn published(world: &World) -> String {
    git(&world.path("team.git"), &["log", "-p", "--all"])
}

#[test]
fn three_people_share_a_layer_over_ssh() {
    let world = World::new();
    let Some(server) = server(&world) else { return };
    let user = Command::new("id").arg("-un").output().expect("id runs").stdout;
    let user = String::from_utf8_lossy(&user).trim().to_owned();
    let url = format!("ssh://{user}@127.0.0.1:{}{}", server.port, world.path("team.git").display());
    let mut laptops = Vec::new();
    for person in PEOPLE {
        for at in 1..=2 {
            let laptop = laptop(&world, person, &format!("{person}{at}"));
            let options: &[&str] = if person == "ada" { &["--write"] } else { &[] };
            laptop.co(&[["layer", "add", "acme", url.as_str()].as_slice(), options].concat());
            if person == "ada" && at == 1 {
                laptop.co(&["learn", "--layer", "acme", "Deploys start on Tuesdays"]);
                laptop.co(&["sync"]);
            }
            laptops.push(laptop);
        }
    }
    let [ada, ada_too, bob, bob_too, eve, eve_too] = laptops.as_slice() else { panic!("six") };
    for laptop in &laptops {
        assert!(laptop.co(&["recall", "when do deploys start?"]).contains("Tuesdays"));
    }

    // Bob proposes, the server takes it, and somebody merges it there with plain git.
    bob.co(&["learn", "Staging runs on moss"]);
    bob.co(&["propose", "2", "--to", "acme", "--yes"]);
    let team = world.path("team.git");
    let branches = git(&team, &["branch", "--format=%(refname:short)"]);
    let branch = branches.lines().find(|name| name.starts_with("co/")).expect("a branch");
    ada.co(&["learn", "--layer", "acme", "The office is closed on Fridays"]);
    ada.co(&["sync"]);
    let work = world.path("merging");
    git(world.dir.path(), &["clone", "-q", "team.git", "merging"]);
    let set = ["-c", "user.name=m", "-c", "user.email=m@example.org"];
    let theirs = format!("origin/{branch}");
    let merge = ["merge", "-q", "-m", "Accept", theirs.as_str()];
    git(&work, &[set.as_slice(), &merge].concat());
    fs::rename(team.join("hooks/update"), team.join("hooks/update.off")).expect("moved");
    git(&work, &["push", "-q", "origin", "HEAD:main"]);
    fs::rename(team.join("hooks/update.off"), team.join("hooks/update")).expect("moved");
    for laptop in &laptops {
        laptop.co(&["sync"]);
        let list = laptop.co(&["list", "--layer", "acme"]);
        for words in ["Tuesdays", "moss", "Fridays"] {
            assert!(list.contains(words), "{} {words}: {list}", laptop.name);
        }
    }

    // Eve may only read: the server says so, and her own laptop before it.
    eve.co(&["learn", "Eve's idea"]);
    let said = eve.fails(8, &["propose", "2", "--to", "acme", "--yes"]);
    assert!(said.contains("eve has no rights to push"), "{said}");
    eve.fails(6, &["learn", "--layer", "acme", "Eve was here"]);
    eve_too.co(&["layer", "remove", "acme"]);
    eve_too.co(&["layer", "add", "acme", &url, "--write"]);
    eve_too.co(&["learn", "--layer", "acme", "Eve writes nevertheless"]);
    let said = eve_too.fails(8, &["sync"]);
    assert!(said.contains("acme") && said.contains("eve has no rights to push"), "{said}");
    eve_too.co(&["undo", "--layer", "acme"]);

    // One laptop drops the layer; the other one of that person still has it.
    bob_too.co(&["layer", "remove", "acme"]);
    bob_too.co(&["sync"]);
    assert!(!bob_too.co(&["list"]).contains("moss") && bob.co(&["list"]).contains("moss"));

    // Offline, all is read; what is written waits.
    drop(server);
    ada_too.co(&["learn", "--layer", "acme", "Written on the train"]);
    let said = ada_too.try_co(&["sync"]);
    assert!(said.err.contains("acme"), "{}", said.err);
    assert!(ada_too.co(&["recall", "when do deploys start?"]).contains("Tuesdays"));

    let all = published(&world);
    for own in ["diary", "Eve's idea", "Eve writes nevertheless", "on the train"] {
        assert!(!all.contains(own), "{own} was published to the team");
    }
}
