//! `co sync` with real servers: git daemon, ssh, smart HTTP with basic auth and a credential
//! helper, and one that never answers.

use crate::support::{
    Laptop, Session, World, git, objects_contain, report_skipped, require_tool,
    sealed::{empty, with_key},
    terminal::screen,
    whole::whole,
};
use std::{
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Both laptops end up with both facts, through this URL.
fn exchange(a: &Laptop, b: &Laptop, url: &str) {
    a.co(&["init", "--yes", "--name", "Bin", "--remote", url]);
    a.co(&["learn", "From a"]);
    a.co(&["identity", "sync", "--require-remote"]);
    b.co(&["init", "--yes", url]);
    b.co(&["learn", "From b"]);
    b.co(&["identity", "sync", "--require-remote"]);
    a.co(&["identity", "sync", "--require-remote"]);
    assert_eq!(a.facts(), ["From a", "From b"]);
    assert_eq!(a.tree(), b.tree());
}

/// The same over a sealed remote beside it, whose keys and packs change as well.
fn exchange_sealed(world: &World, laptop: &dyn Fn(&str) -> Laptop, url: &str) {
    let folder = empty(world, "sealed.git");
    git(Path::new(&folder), &["config", "http.receivepack", "true"]);
    let url = &url.replace("remote.git", "sealed.git");
    let (c, d) = (with_key(&laptop("c")), with_key(&laptop("d")));
    c.co(&["init", "--yes", "--name", "Bin"]);
    c.co(&["learn", "From c"]);
    c.co(&["seal", "on", url, "--yes"]);
    d.co(&["init", "--yes", url]);
    d.co(&["learn", "From d"]);
    d.co(&["identity", "sync", "--require-remote"]);
    d.co(&["seal", "rotate"]);
    d.co(&["seal", "repack"]);
    c.co(&["learn", "After the repack"]);
    c.co(&["identity", "sync", "--require-remote"]);
    d.co(&["identity", "sync", "--require-remote"]);
    assert_eq!(d.facts(), ["After the repack", "From c", "From d"]);
    assert_eq!(c.tree(), d.tree());
    assert!(!objects_contain(Path::new(&folder), "From c"), "it is on the server");
}

struct Ended(Child);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address").port()
}

fn wait_for(port: u16) {
    let until = Instant::now() + Duration::from_secs(10);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(Instant::now() < until, "nothing listens on {port}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn file_url() {
    let world = World::new();
    let url = format!("file://{}", world.remote());
    exchange(&world.laptop("a"), &world.laptop("b"), &url);
    exchange_sealed(&world, &|name| world.laptop(name), &url);
}

#[test]
fn git_daemon() {
    let daemon = Path::new(git(Path::new("/"), &["--exec-path"]).trim()).join("git-daemon");
    if !daemon.exists() {
        eprintln!("skipped: git daemon is missing");
        assert!(std::env::var_os("CO_TEST_REQUIRE_TOOLS").is_none(), "CI needs git daemon");
        return;
    }
    let world = World::new();
    world.remote();
    let port = free_port();
    // Itself: `git daemon` starts it, and would leave it behind.
    let child = Command::new(daemon)
        .args([
            "--export-all",
            "--enable=receive-pack",
            "--reuseaddr",
            "--listen=127.0.0.1",
            &format!("--port={port}"),
        ])
        .arg(format!("--base-path={}", world.dir.path().display()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("git daemon runs");
    let _daemon = Ended(child);
    wait_for(port);
    let url = format!("git://127.0.0.1:{port}/remote.git");
    exchange(&world.laptop("a"), &world.laptop("b"), &url);
    exchange_sealed(&world, &|name| world.laptop(name), &url);
}

#[test]
fn ssh() {
    if !require_tool("/usr/sbin/sshd") || !require_tool("ssh-keygen") {
        eprintln!("skipped: sshd is missing");
        return;
    }
    let world = World::new();
    let remote = world.remote();
    let dir = world.dir.path();
    let key = |name: &str| {
        let made = Command::new("ssh-keygen")
            .args(["-q", "-t", "ed25519", "-N", "", "-f"])
            .arg(dir.join(name))
            .status()
            .expect("ssh-keygen runs");
        assert!(made.success());
    };
    key("host");
    key("user");
    fs::copy(dir.join("user.pub"), dir.join("authorized")).expect("copied");
    fs::create_dir_all("/run/sshd").ok();
    let port = free_port();
    let config = format!(
        "Port {port}\nListenAddress 127.0.0.1\nHostKey {0}/host\nAuthorizedKeysFile \
         {0}/authorized\nStrictModes no\nUsePAM no\nPidFile none\nPasswordAuthentication no\nPermitRootLogin yes\n",
        dir.display()
    );
    fs::write(dir.join("sshd_config"), config).expect("written");
    let child = Command::new("/usr/sbin/sshd")
        .args(["-D", "-e", "-f"])
        .arg(dir.join("sshd_config"))
        .stderr(Stdio::null())
        .spawn()
        .expect("sshd runs");
    let _server = Ended(child);
    wait_for(port);
    let client = format!(
        "ssh -i {0}/user -o IdentitiesOnly=yes -o StrictHostKeyChecking=no -o \
         UserKnownHostsFile={0}/known -o BatchMode=yes -o LogLevel=ERROR",
        dir.display()
    );
    let laptop = |name: &str| world.laptop(name).with_env("GIT_SSH_COMMAND", &client);
    let user =
        String::from_utf8_lossy(&Command::new("id").arg("-un").output().expect("id runs").stdout)
            .trim()
            .to_owned();
    let url = format!("ssh://{user}@127.0.0.1:{port}{remote}");
    exchange(&laptop("a"), &laptop("b"), &url);
    exchange_sealed(&world, &laptop, &url);
}

#[test]
fn smart_http_with_basic_auth_and_a_credential_helper() {
    let world = World::new();
    let Some(port) = http_remote(&world) else { return };
    let url = format!("http://127.0.0.1:{port}/remote.git");
    let stranger = world.laptop("stranger");
    let said = stranger.fails(8, &["init", "--yes", &url]);
    assert!(!said.contains("wrong"), "{said}");
    let secret = format!("http://me:wrong@127.0.0.1:{port}/remote.git");
    let said = stranger.fails(8, &["init", "--yes", &secret]);
    assert!(!said.contains("wrong"), "a password in an error: {said}");
    let helper = "!f() { test \"$1\" = get && printf 'username=me\\npassword=right\\n'; }; f";
    let laptop = |name: &str| {
        let laptop = world.laptop(name);
        fs::write(
            laptop.home.join(".gitconfig"),
            format!(
                "[credential]\n\thelper = \"{}\"\n",
                helper.replace('\\', "\\\\").replace('"', "\\\"")
            ),
        )
        .expect("written");
        laptop
    };
    exchange(&laptop("a"), &laptop("b"), &url);
    exchange_sealed(&world, &laptop, &url);
}

#[test]
fn a_remote_that_anybody_can_read_is_named_as_such() {
    let world = World::new();
    let Some(port) = http_remote(&world) else { return };
    let url = format!("http://127.0.0.1:{port}/remote.git");
    let open = world.path("public");
    fs::write(&open, "").expect("written");
    let public = "anyone can read that repository without a login";
    let a = world.laptop("a");
    let said = a.try_co(&["init", "--yes", &url]);
    assert_eq!(said.code, 0, "{}", said.err);
    insta::assert_snapshot!(whole(&said.err), @"warning: anyone can read that repository without a login; make it private where it is hosted before you sync, or set another with `co identity remote URL`");
    assert!(a.try_co(&["doctor"]).out.contains("without a login"));
    // In words of somebody who is asked.
    let shown = screen(
        &world.laptop("b"),
        80,
        &["init", &url],
        &[("Check facts before each commit", "n\r"), ("Proceed", "n\r")],
    );
    assert!(shown.contains("public") && shown.contains("without a login"), "{shown}");
    fs::remove_file(&open).expect("removed");
    let login =
        "!f() { test \\\"$1\\\" = get && printf 'username=me\\\\npassword=right\\\\n'; }; f";
    let with_login =
        format!("[user]\n\tname = A\n\temail = a@b.c\n[credential]\n\thelper = \"{login}\"\n");
    fs::write(a.home.join(".gitconfig"), with_login).expect("written");
    let said = a.try_co(&["doctor"]);
    assert!(said.out.contains("answers") && !said.out.contains("without a login"), "{}", said.out);
    let said = a.try_co(&["identity", "remote", &url]);
    assert!(!said.err.contains(public), "{}", said.err);
}

/// A remote behind a password (me, right); its port.
fn http_remote(world: &World) -> Option<u16> {
    let backend =
        PathBuf::from(git(Path::new("/"), &["--exec-path"]).trim()).join("git-http-backend");
    if !backend.exists() {
        report_skipped("git http-backend");
        return None;
    }
    world.remote();
    git(&world.path("remote.git"), &["config", "http.receivepack", "true"]);
    Some(serve_http(backend, world.dir.path().to_owned()))
}

#[test]
fn the_login_of_an_http_remote_comes_from_the_keyring() {
    let world = World::new();
    let Some(port) = http_remote(&world) else { return };
    let url = format!("http://127.0.0.1:{port}/remote.git");
    let settings =
        "{\n  \"sync\": {\"username\": \"me\", \"password\": \"{{secret:git-token}}\"}\n}\n";
    let laptop = |name: &str| {
        let laptop = world.laptop(name);
        fs::create_dir_all(laptop.config()).expect("a folder");
        fs::write(laptop.config().join("settings.json"), settings).expect("written");
        laptop
    };
    let stranger = laptop("stranger").fails(8, &["init", "--yes", &url]);
    assert!(stranger.contains("refused the login"), "{stranger}");
    let wrong = laptop("wrong")
        .with_env("CO_SECRET_GIT_TOKEN", "wrong-password")
        .fails(8, &["init", "--yes", &url]);
    assert!(!wrong.contains("wrong-password"), "{wrong}");
    // From the real keyring where there is one, else from the environment.
    let session = Session::start(&world.laptop("a").home);
    let open = |name: &str| match &session {
        Some(session) => laptop(name).with_env("DBUS_SESSION_BUS_ADDRESS", &session.address),
        None => laptop(name).with_env("CO_SECRET_GIT_TOKEN", "right"),
    };
    let (a, b) = (open("a"), open("b"));
    if session.is_some() {
        assert_eq!(a.piped("right", &["secret", "set", "git-token"]).code, 0);
    }
    // A helper of the user's that writes every login that worked into a file must not hear of it.
    fs::write(a.home.join(".gitconfig"), "[credential]\n\thelper = store\n").expect("written");
    exchange(&a, &b, &url);
    assert!(!a.home.join(".git-credentials").exists(), "git told another helper");
    assert!(a.co(&["secret", "status"]).contains("settings.json:2"));
    assert!(
        !fs::read_to_string(a.identity().join(".git/config")).expect("there").contains("right")
    );
    // Whoever abbreviates the address in git's configuration gets the login as well.
    let short = open("short");
    let abbreviated = format!("[url \"http://127.0.0.1:{port}/\"]\n\tinsteadOf = mine:\n");
    fs::write(short.home.join(".gitconfig"), abbreviated).expect("written");
    short.co(&["init", "--yes", "mine:remote.git"]);
    short.co(&["learn", "Came by a short address"]);
    short.co(&["identity", "sync", "--require-remote"]);
    b.co(&["identity", "sync", "--require-remote"]);
    assert!(b.co(&["memory", "list"]).contains("Came by a short address"));
    // The answer is for that remote only: one that sends git on to another host does not get it
    // there.
    let c = open("c");
    let err = c.fails(
        8,
        &["init", "--yes", &format!("http://127.0.0.1:{}/remote.git", serve_redirect(port))],
    );
    assert!(err.contains("could not read Username"), "{err}");
    fs::write(a.config().join("settings.json"), "{\"sync\": {\"password\": \"right\"}}")
        .expect("written");
    let refused = a.fails(6, &["identity", "sync"]);
    assert!(
        refused.contains("settings may contain a reference") && !refused.contains("right\""),
        "{refused}"
    );
}

#[test]
fn a_server_that_never_answers_is_given_up() {
    let world = World::new();
    let a = world.laptop("a");
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = silent.local_addr().expect("an address").port();
    a.co(&["init", "--yes"]);
    fs::write(a.config().join("settings.json"), "{\"sync\": {\"timeout\": 1}}").expect("written");
    a.co(&["identity", "remote", &format!("git://127.0.0.1:{port}/x.git")]);
    a.co(&["learn", "Patient"]);
    let started = Instant::now();
    let said = a.try_co(&["identity", "sync"]);
    assert_eq!(said.code, 0);
    assert!(said.err.contains("no answer for 1 s"), "{}", said.err);
    assert!(started.elapsed() < Duration::from_secs(15));
    assert!(a.git(&["status", "--porcelain"]).is_empty(), "committed all the same");
}

/// A small http server that asks for a password and hands everything else to git's own backend.
fn serve_http(backend: PathBuf, root: PathBuf) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (backend, root) = (backend.clone(), root.clone());
            thread::spawn(move || answer(stream, &backend, &root));
        }
    });
    port
}

/// A server that sends everybody on to another port; its port.
fn serve_redirect(to: u16) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut first = String::new();
            BufReader::new(stream.try_clone().expect("a stream")).read_line(&mut first).ok();
            let path = first.split_whitespace().nth(1).unwrap_or("/").to_owned();
            let head = format!(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:{to}{path}\r\nContent-Length: \
                 0\r\nConnection: close\r\n\r\n"
            );
            stream.write_all(head.as_bytes()).ok();
        }
    });
    port
}

fn answer(mut stream: TcpStream, backend: &Path, root: &Path) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut parts = first.split_whitespace();
    let (method, target) = (parts.next()?.to_owned(), parts.next()?.to_owned());
    let (mut length, mut kind, mut authorised, mut encoding) =
        (0usize, String::new(), false, String::new());
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().ok()?,
            "content-type" => kind = value.to_owned(),
            "content-encoding" => encoding = value.to_owned(),
            // me:right
            "authorization" => authorised = value == "Basic bWU6cmlnaHQ=",
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    // A file there opens it to everybody.
    if !authorised && !root.join("public").exists() {
        stream
            .write_all(
                b"HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic \
                realm=\"co\"\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
            )
            .ok()?;
        return Some(());
    }
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut child = Command::new(backend)
        .env("GIT_PROJECT_ROOT", root)
        .env("GIT_HTTP_EXPORT_ALL", "1")
        .env("PATH_INFO", path)
        .env("QUERY_STRING", query)
        .env("REQUEST_METHOD", method)
        .env("CONTENT_TYPE", kind)
        .env("CONTENT_LENGTH", length.to_string())
        .env("HTTP_CONTENT_ENCODING", encoding)
        .env("REMOTE_USER", "me")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(&body).ok()?;
    let mut reply = Vec::new();
    child.stdout.take()?.read_to_end(&mut reply).ok()?;
    child.wait().ok()?;
    let split = reply.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = String::from_utf8_lossy(&reply[..split]).into_owned();
    let status =
        head.lines().find_map(|line| line.strip_prefix("Status: ")).unwrap_or("200 OK").to_owned();
    let rest: String = head
        .lines()
        .filter(|line| !line.starts_with("Status: "))
        .map(|line| format!("{line}\r\n"))
        .collect();
    write!(
        stream,
        "HTTP/1.1 {status}\r\n{rest}Content-Length: {}\r\nConnection: close\r\n\r\n",
        reply.len() - split - 4
    )
    .ok()?;
    stream.write_all(&reply[split + 4..]).ok()?;
    Some(())
}

#[test]
fn a_remote_that_refuses_is_quoted() {
    let world = World::new();
    let a = world.laptop("a");
    let remote = world.remote();
    let hook = world.path("remote.git/hooks/pre-receive");
    fs::write(&hook, "#!/bin/sh\necho 'this remote is read-only' >&2\nexit 1\n").expect("written");
    fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).expect("set");
    a.co(&["init", "--yes"]);
    a.co(&["identity", "remote", &remote]);
    let said = a.fails(8, &["identity", "sync"]);
    assert!(said.contains("refused the push") && said.contains("read-only"), "{said}");
}
