//! A server that refuses a push, and commits that must not be published: reported with git's own
//! words and the command that helps, and not mistaken for a network that is down.
//!
//! Invariant: only silence counts as being offline. Whoever refuses is quoted.

use crate::support::{
    World, git, objects_contain,
    pair::{assert_agree, pair},
    tokens::token,
    whole::whole,
};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    thread,
};

/// What the server does with a push.
#[derive(Clone, Copy)]
enum Push {
    Refused(&'static str),
    /// The line goes dead.
    Dropped,
    Taken,
}

/// A small http server in front of a bare repository, which always lists and takes pushes as told.
struct Server {
    url: String,
    push: Arc<Mutex<Push>>,
}

impl Server {
    fn start(repository: PathBuf) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let push = Arc::new(Mutex::new(Push::Taken));
        let told = Arc::clone(&push);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let push = *told.lock().expect("what to do");
                // A client that leaves early is no failure of the server.
                answer(stream, &repository, push);
            }
        });
        Server { url: format!("http://127.0.0.1:{port}/remote.git"), push }
    }

    fn does(&self, push: Push) {
        *self.push.lock().expect("what to do") = push;
    }
}

fn answer(mut stream: TcpStream, repository: &Path, push: Push) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let target = first.split_whitespace().nth(1)?.to_owned();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        if name.eq_ignore_ascii_case("content-length") {
            length = value.parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let lists = target.split_once("service=").map(|(_, service)| service.to_owned());
    let (service, kind) = match (&lists, push) {
        (Some(service), _) => (service.as_str(), "advertisement"),
        (None, _) if target.ends_with("/git-upload-pack") => ("git-upload-pack", "result"),
        (None, Push::Taken) => ("git-receive-pack", "result"),
        (None, Push::Dropped) => return None,
        (None, Push::Refused(status)) => {
            let head = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n");
            return stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).ok();
        }
    };
    let mut reply = match &lists {
        Some(service) => {
            format!("{:04x}# service={service}\n0000", service.len() + 15).into_bytes()
        }
        None => Vec::new(),
    };
    reply.extend(served(service, repository, lists.is_some(), &body)?);
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/x-{service}-{kind}\r\nContent-Length: \
         {}\r\nConnection: close\r\n\r\n",
        reply.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&reply).ok()
}

/// The bytes that git's own server sends.
fn served(service: &str, repository: &Path, lists: bool, body: &[u8]) -> Option<Vec<u8>> {
    let mut command = Command::new("git");
    command.arg(service.trim_start_matches("git-")).arg("--stateless-rpc");
    if lists {
        command.arg("--advertise-refs");
    }
    let mut child = command
        .arg(repository)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(body).ok()?;
    Some(child.wait_with_output().ok()?.stdout)
}

#[test]
fn a_server_that_refuses_a_push_is_quoted_and_one_that_is_silent_is_not_there() {
    let world = World::new();
    world.remote();
    let server = Server::start(world.path("remote.git"));
    let a = world.laptop("a");
    a.co(&["init", "--yes"]);
    a.co(&["identity", "remote", &server.url]);
    a.co(&["learn", "A large fact"]);
    for status in [
        "413 Request Entity Too Large",
        "422 Unprocessable Entity",
        "429 Too Many Requests",
        "503 Service Unavailable",
        "507 Insufficient Storage",
    ] {
        server.does(Push::Refused(status));
        for _ in 0..2 {
            let err = a.fails(8, &["sync"]);
            assert!(
                err.contains(&status[..3]) && err.contains("committed on this laptop"),
                "{err}"
            );
            assert!(!err.contains("cannot be reached") && !err.contains("next sync"), "{err}");
        }
    }
    server.does(Push::Dropped);
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && said.err.contains("at the next sync"), "{} {}", said.code, said.err);
    a.fails(8, &["sync", "--require-remote"]);
    server.does(Push::Taken);
    a.co(&["sync", "--require-remote"]);
    let published = git(&world.path("remote.git"), &["ls-tree", "-r", "--name-only", "main"]);
    assert!(published.contains("001-a-large-fact.md"), "{published}");
    // Nobody listens there at all.
    a.git(&["remote", "set-url", "origin", "http://127.0.0.1:9/remote.git"]);
    a.co(&["learn", "Another one"]);
    let said = a.try_co(&["sync"]);
    assert!(said.code == 0 && said.err.contains("cannot be reached"), "{} {}", said.code, said.err);
}

#[test]
fn a_remote_with_another_hash_is_no_network_that_is_down() {
    let world = World::new();
    let remote = world.path("remote.git");
    let url = remote.display().to_string();
    git(world.dir.path(), &["init", "-q", "--bare", "-b", "main", "--object-format=sha256", &url]);
    let (a, b) = (world.laptop("a"), world.laptop("b"));
    a.co(&["init", "--yes"]);
    a.co(&["learn", "Counted in sha1"]);
    a.git(&["remote", "add", "origin", &url]);
    for _ in 0..2 {
        let err = a.fails(8, &["sync"]);
        assert!(err.contains("algorithm") && !err.contains("cannot be reached"), "{err}");
        assert!(err.contains("--object-format=sha1` (`co identity remote URL`)"), "{err}");
    }
    let said = b.try_co(&["init", "--yes", "--remote", &url]);
    assert!(said.code == 8 && said.err.contains("algorithm"), "{} {}", said.code, said.err);
    // Somebody's identity is there already: no laptop makes a new one beside it.
    let (clone, c) = (world.path("clone"), world.laptop("c"));
    git(world.dir.path(), &["clone", "-q", &url, "clone"]);
    fs::create_dir_all(clone.join("knowledge/memories")).expect("a folder");
    fs::write(clone.join("profile.md"), a.read("profile.md")).expect("written");
    git(&clone, &["add", "-A"]);
    git(&clone, &["commit", "-qm", "by hand"]);
    git(&clone, &["push", "-q", "origin", "HEAD:main"]);
    let err = c.fails(8, &["init", "--yes", &url]);
    assert!(!c.identity().exists(), "{err}");
    insta::assert_snapshot!(whole(&err), @"
    error: [world]/remote.git answered, but refused (its repository uses a hash algorithm other than sha1)
    hint: use a remote that was created with `git init --bare --object-format=sha1`; then run `co init [world]/remote.git` again
    ");
    a.fails(8, &["sync"]);
}

#[test]
fn a_token_in_a_commit_message_is_not_published() {
    let subject = [format!("token {}", token())];
    let body = ["harmless".to_owned(), format!("see {}", token())];
    let mut told = Vec::new();
    for paragraphs in [&subject[..], &body] {
        let world = World::new();
        let (a, b) = pair(&world);
        let words = paragraphs.iter().flat_map(|words| ["-m", words]);
        let words: Vec<&str> = words.collect();
        a.git(&[&["commit", "-q", "--allow-empty"], words.as_slice()].concat());
        let commit = a.git(&["rev-parse", "--short=10", "HEAD"]).trim().to_owned();
        let published = git(&world.path("remote.git"), &["rev-parse", "main"]);
        let refused = || {
            let err = a.fails(7, &["sync"]);
            assert!(!err.contains(&token()), "{err}");
            whole(&err.replace(&commit, "[commit]"))
        };
        let (first, again) = (refused(), refused());
        assert_eq!(again, first);
        // Below a commit of co's own it takes another command.
        a.co(&["learn", "Learned meanwhile"]);
        told.push((first, refused()));
        assert_eq!(git(&world.path("remote.git"), &["rev-parse", "main"]), published);
        assert!(!objects_contain(&world.path("remote.git"), &token()));
        // Whoever takes the words back loses no fact.
        a.git(&["reset", "-q", "--soft", "origin/main"]);
        for laptop in [&a, &b] {
            laptop.co(&["sync"]);
        }
        assert_agree(&[&a, &b]);
        assert!(b.facts().contains(&"Learned meanwhile".to_owned()));
        assert!(!objects_contain(&world.path("remote.git"), &token()));
    }
    let (latest, below) = &told[0];
    assert_eq!(told[1], told[0], "the same for both messages");
    insta::assert_snapshot!(latest, @"
    error: the message of commit [commit] contains a secret: a GitHub token (rule github-pat: `ghp_zQW…`); nothing was pushed
    hint: `git -C ~/.config/co-cli/identity commit --amend --only` rewords it; then `co sync`
    hint: if this is not a secret: `--allow-secret github-pat`
    ");
    insta::assert_snapshot!(below, @"
    error: the message of commit [commit] contains a secret: a GitHub token (rule github-pat: `ghp_zQW…`); nothing was pushed
    hint: `git -C ~/.config/co-cli/identity rebase -i --rebase-merges [commit]^` rewords it; then `co sync`
    hint: if this is not a secret: `--allow-secret github-pat`
    ");
}

#[test]
fn a_token_in_a_message_outside_the_identity_is_not_pushed_along() {
    let world = World::new();
    let (a, remote, folder) = (world.laptop("a"), world.remote(), world.path("dotfiles"));
    git(world.dir.path(), &["clone", "-q", &remote, "dotfiles"]);
    fs::write(folder.join("bashrc"), "alias x=y\n").expect("written");
    git(&folder, &["add", "-A"]);
    git(&folder, &["commit", "-qm", "start"]);
    git(&folder, &["push", "-q", "-u", "origin", "HEAD:main"]);
    a.co(&["init", "--yes", &folder.display().to_string()]);
    fs::write(folder.join("bashrc"), "alias x=z\n").expect("written");
    git(&folder, &["commit", "-qam", &format!("uses {}", token())]);
    let err = a.fails(7, &["sync"]);
    assert!(err.contains("ghp_zQW…") && !err.contains(&token()), "{err}");
    assert!(!objects_contain(&world.path("remote.git"), &token()));
    assert!(git(&folder, &["log", "--format=%B"]).contains(&token()), "it is the person's commit");
}
