//! The world of the tests: laptops with homes of their own, a bare remote, real git, and nothing of
//! this machine's own configuration.

pub mod acts;
pub mod agents;
pub mod by_hand;
pub mod calls;
pub mod chooser;
pub mod client;
pub mod dice;
pub mod documents;
pub mod editor;
pub mod files;
pub mod folder;
pub mod handoff;
pub mod hooks;
pub mod in_process;
pub mod index;
pub mod indexed;
pub mod monday;
pub mod moving;
pub mod notes;
pub mod office;
pub mod pair;
pub mod projects;
pub mod ready;
pub mod sealed;
pub mod skills;
pub mod stories;
pub mod team;
pub mod terminal;
pub mod tokens;
pub mod transfer;
pub mod waiting;
pub mod web;
pub mod whole;

use assert_cmd::cargo::cargo_bin;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::Instant,
};

pub struct World {
    pub dir: tempfile::TempDir,
    began: Instant,
    /// The time on all of its laptops, if it is set.
    clock: Option<&'static str>,
}

#[derive(Clone)]
pub struct Laptop {
    pub home: PathBuf,
    pub name: String,
    env: Vec<(String, String)>,
    /// When its world began, for the fraction of a clock that is set.
    began: Instant,
}

pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl World {
    pub fn new() -> World {
        World::within(folder::quick())
    }

    pub fn within(dir: tempfile::TempDir) -> World {
        World { dir, began: Instant::now(), clock: None }
    }

    /// One whose laptops have this time, for a test that compares what they say of today.
    pub fn at(moment: &'static str) -> World {
        World { clock: Some(moment), ..World::new() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn laptop(&self, name: &str) -> Laptop {
        let home = self.path(name);
        fs::create_dir_all(&home).expect("a home");
        let clock = self.clock.map(|moment| ("CO_TEST_CLOCK".to_owned(), moment.to_owned()));
        let env = clock.into_iter().collect();
        Laptop { home, name: name.to_owned(), env, began: self.began }
    }

    /// A bare repository, and its path as a URL.
    pub fn remote(&self) -> String {
        let path = self.path("remote.git");
        git(self.dir.path(), &["init", "-q", "--bare", "-b", "main", "remote.git"]);
        // Otherwise each push starts one more program, for a housekeeping that no test is about.
        let mut config = fs::File::options().append(true).open(path.join("config")).expect("made");
        config.write_all(b"[receive]\n\tautogc = false\n").expect("written");
        path.display().to_string()
    }

    /// A repository of somebody's code in the folder `code`, and the remote that it is pushed to.
    pub fn code(&self, branch: &str) -> (PathBuf, String) {
        let (folder, remote) = (self.path("code"), self.path("code.git"));
        publish_code(&folder, &remote, branch);
        (folder, remote.display().to_string())
    }
}

/// Makes a repository of code and a bare one, and pushes the first to the second.
pub fn publish_code(folder: &Path, remote: &Path, branch: &str) {
    fs::create_dir_all(folder).expect("a folder");
    git(folder, &["init", "-q", "-b", branch]);
    fs::write(folder.join("main.c"), "int main;\n").expect("written");
    fs::write(folder.join("plan.txt"), "secret plan\n").expect("written");
    git(folder, &["add", "-A"]);
    git(folder, &["commit", "-qm", "code"]);
    git(folder, &["init", "-q", "--bare", "-b", branch, &remote.display().to_string()]);
    git(folder, &["remote", "add", "origin", &remote.display().to_string()]);
    git(folder, &["push", "-qu", "origin", branch]);
}

fn isolate(command: &mut Command, home: &Path) {
    for (name, _) in std::env::vars() {
        if name.starts_with("GIT_")
            || name.starts_with("CO_")
            || name.starts_with("XDG_")
            || name == "NO_COLOR"
        {
            command.env_remove(name);
        }
    }
    command
        .env("HOME", home)
        .env("GIT_CONFIG_SYSTEM", "/dev/null")
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("LC_ALL", "C.UTF-8")
        // Days are those of the laptop's zone: of one, wherever the tests run.
        .env("TZ", "UTC");
    // No test ever meets the keyring of whoever runs it.
    command
        .env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY");
}

pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    isolate(&mut command, folder);
    command
        .args([
            "-c",
            "user.name=t",
            "-c",
            "user.email=t@example.org",
            "-c",
            "protocol.file.allow=always",
        ])
        .args(arguments)
        .current_dir(folder);
    let output = command.output().expect("git runs");
    assert!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The text of a file below its frontmatter, without the blank lines around it.
pub fn body(file: &str) -> String {
    let behind = file.splitn(3, "---\n").nth(2);
    behind.unwrap_or_else(|| panic!("no frontmatter in {file}")).trim_matches('\n').to_owned()
}

impl Laptop {
    pub fn with_env(&self, name: &str, value: &str) -> Laptop {
        let mut laptop = self.clone();
        laptop.env.push((name.to_owned(), value.to_owned()));
        laptop
    }

    /// What its environment has by that name, if it was set here.
    pub fn env_of(&self, name: &str) -> Option<&str> {
        let mut set = self.env.iter().rev();
        set.find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(cargo_bin("co"), arguments)
    }

    /// Another program, in the same surroundings.
    pub fn command_of(&self, program: impl AsRef<std::ffi::OsStr>, arguments: &[&str]) -> Command {
        let mut command = Command::new(program);
        isolate(&mut command, &self.home);
        // In memory as all of the world, and gone with it.
        let temporary = self.home.with_file_name("tmp");
        fs::create_dir_all(&temporary).expect("a folder");
        command.env("TMPDIR", temporary);
        command.args(arguments).env("HOSTNAME", &self.name).current_dir(&self.home);
        command.envs(self.env.iter().map(|(k, v)| (k, v)));
        if let Some(clock) = self.env_of("CO_TEST_CLOCK").filter(|clock| clock.len() == 20) {
            command.env("CO_TEST_CLOCK", self.with_fraction(clock));
        }
        command
    }

    /// A clock that is set to a second never goes back within it: what follows is later.
    fn with_fraction(&self, second: &str) -> String {
        let fraction = self.began.elapsed().as_micros() / 100 % 1_000_000;
        second.replace('Z', &format!(".{fraction:06}Z"))
    }

    /// Runs co, whatever it comes to.
    pub fn try_co(&self, arguments: &[&str]) -> Said {
        said(&self.command(arguments).output().expect("co runs"))
    }

    /// Runs co with a standard input.
    pub fn piped(&self, input: &str, arguments: &[&str]) -> Said {
        let mut command = self.command(arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("co runs");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).ok();
        said(&child.wait_with_output().expect("co ends"))
    }

    /// Runs co, which must succeed; its standard output.
    pub fn co(&self, arguments: &[&str]) -> String {
        let said = self.try_co(arguments);
        assert_eq!(said.code, 0, "[{}] co {arguments:?}\n{}{}", self.name, said.out, said.err);
        said.out
    }

    /// Runs co, which must fail with this exit code; its standard error.
    pub fn fails(&self, code: i32, arguments: &[&str]) -> String {
        let said = self.try_co(arguments);
        assert_eq!(said.code, code, "[{}] co {arguments:?}\n{}{}", self.name, said.out, said.err);
        assert!(said.err.contains("hint:"), "an error without a hint: {}", said.err);
        said.err
    }

    /// The envelope of a `--json` call.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let said = self.try_co(&[arguments, &["--json"]].concat());
        serde_json::from_str(&said.out)
            .unwrap_or_else(|error| panic!("{error}: {}{}", said.out, said.err))
    }

    pub fn config(&self) -> PathBuf {
        self.home.join(".config/co-cli")
    }

    /// The file of the search index that co uses now: a new one has a higher number. If there is
    /// none, where the first would be.
    pub fn index(&self) -> PathBuf {
        let local = self.config().join("local");
        let names = fs::read_dir(&local).into_iter().flatten().flatten();
        let numbered = names.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let number = name.strip_prefix("index")?.strip_suffix(".db")?;
            let number =
                if number.is_empty() { 1 } else { number.strip_prefix('.')?.parse().ok()? };
            Some((number, entry.path()))
        });
        let newest: Option<(u64, PathBuf)> = numbered.max();
        newest.map_or_else(|| local.join("index.db"), |(_, file)| file)
    }

    pub fn identity(&self) -> PathBuf {
        self.config().join("identity")
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.identity().join(path))
            .unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: &str) {
        files::put(&self.identity().join(path), text);
    }

    /// Replaces text in a file of the identity, as an editor would.
    pub fn edit(&self, path: &str, from: &str, to: &str) {
        let text = self.read(path);
        assert!(text.contains(from), "{path} has no {from:?}: {text}");
        self.write(path, &text.replace(from, to));
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        git(&self.identity(), arguments)
    }

    /// Every file of the identity, with its bytes.
    pub fn tree(&self) -> Vec<(String, Vec<u8>)> {
        tree(&self.identity())
    }

    /// The same as one text, which a failing test can show.
    pub fn texts(&self) -> String {
        self.tree()
            .iter()
            .map(|(path, bytes)| format!("== {path}\n{}", String::from_utf8_lossy(bytes)))
            .collect()
    }

    /// The first lines of all memories, sorted.
    pub fn facts(&self) -> Vec<String> {
        summaries(&self.json(&["memory", "list", "--scope", "identity"]))
    }

    /// The file of the memory with this text.
    pub fn file_of(&self, fact: &str) -> String {
        let files = self.tree();
        let found = files.iter().find(|(path, bytes)| {
            path.starts_with("knowledge/memories/") && String::from_utf8_lossy(bytes).contains(fact)
        });
        found.unwrap_or_else(|| panic!("no memory says {fact:?}")).0.clone()
    }
}

/// The first lines of the memories in a list, sorted.
pub fn summaries(list: &serde_json::Value) -> Vec<String> {
    let rows = list["data"]["memories"].as_array().cloned().unwrap_or_default();
    let mut facts: Vec<String> =
        rows.iter().map(|row| row["summary"].as_str().unwrap_or_default().to_owned()).collect();
    facts.sort();
    facts
}

fn said(output: &Output) -> Said {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: text(&output.stdout),
        err: text(&output.stderr),
    }
}

pub fn tree(root: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(folder: &Path, root: &Path, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in
            fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path())
        {
            if entry.file_name().is_some_and(|name| name == ".git") {
                continue;
            }
            if entry.is_dir() {
                walk(&entry, root, files);
            } else {
                let path = entry.strip_prefix(root).expect("below").display().to_string();
                files.push((path, fs::read(&entry).expect("readable")));
            }
        }
    }
    let mut files = Vec::new();
    walk(root, root, &mut files);
    files.sort();
    files
}

/// A login session with its own D-Bus and a real keyring, which end with it.
pub struct Session {
    bus: Child,
    pub address: String,
}

impl Session {
    /// Starts one whose keyring is open; `None` where a program is missing.
    pub fn start(home: &Path) -> Option<Session> {
        let tools = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"];
        let command =
            "printf open | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1";
        Session::is_possible(&tools).then(|| Session::starting_with(home, command))
    }

    /// Whether these programs are there, and co asks them: other systems have other keyrings.
    pub fn is_possible(tools: &[&str]) -> bool {
        if !cfg!(target_os = "linux") {
            let why = "skipped: the keyring of this system is not reached through D-Bus";
            writeln!(std::io::stderr(), "{why}").ok();
            return false;
        }
        let missing = tools.iter().find(|tool| !require_tool(tool));
        if let Some(missing) = missing {
            report_skipped(missing);
        }
        missing.is_none()
    }

    /// A session that begins with a command.
    pub fn starting_with(home: &Path, first: &str) -> Session {
        let runtime = home.join("run");
        fs::create_dir_all(&runtime).expect("a folder");
        let mut command = Command::new("dbus-run-session");
        isolate(&mut command, home);
        command.env_remove("DBUS_SESSION_BUS_ADDRESS").env("XDG_RUNTIME_DIR", &runtime);
        command.args([
            "--",
            "sh",
            "-c",
            &format!("{first}\necho \"$DBUS_SESSION_BUS_ADDRESS\"; exec cat >/dev/null"),
        ]);
        let mut bus = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("dbus-run-session runs");
        let mut address = String::new();
        BufReader::new(bus.stdout.take().expect("a pipe"))
            .read_line(&mut address)
            .expect("an address");
        Session { bus, address: address.trim().to_owned() }
    }

    /// Runs another program in it; its standard output.
    pub fn run(&self, program: &str, arguments: &[&str], input: &str) -> String {
        let mut command = Command::new(program);
        command.args(arguments).env("DBUS_SESSION_BUS_ADDRESS", &self.address);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).ok();
        String::from_utf8_lossy(&child.wait_with_output().expect("it ends").stdout).into_owned()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        // Without its standard input the session's last command ends, and the session with it.
        drop(self.bus.stdin.take());
        self.bus.wait().ok();
    }
}

/// Every file below a folder that holds a text, the repository's own files and unpacked objects
/// included.
pub fn files_containing(root: &Path, text: &str) -> Vec<PathBuf> {
    fn walk(folder: &Path, text: &str, found: &mut Vec<PathBuf>) {
        for entry in
            fs::read_dir(folder).into_iter().flatten().map(|entry| entry.expect("an entry").path())
        {
            if entry.is_dir() && !entry.is_symlink() {
                walk(&entry, text, found);
            } else if fs::read(&entry).is_ok_and(|bytes| {
                bytes.windows(text.len()).any(|window| window == text.as_bytes())
            }) {
                found.push(entry);
            }
        }
    }
    let mut found = Vec::new();
    walk(root, text, &mut found);
    found
}

/// Whether any object of a repository contains a text, reachable or not.
pub fn objects_contain(repository: &Path, text: &str) -> bool {
    let list = git(
        repository,
        &["cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"],
    );
    list.lines().any(|line| {
        let (id, kind) = line.split_once(' ').expect("two words");
        let mut command = Command::new("git");
        isolate(&mut command, repository);
        let output = command
            .args(["cat-file", kind, id])
            .current_dir(repository)
            .output()
            .expect("git runs");
        output.stdout.windows(text.len()).any(|window| window == text.as_bytes())
    })
}

/// Says that a test is skipped because something is missing. CI has everything, and fails instead.
pub fn report_skipped(missing: &str) {
    writeln!(std::io::stderr(), "skipped: {missing} is missing").ok();
    assert!(std::env::var_os("CO_TEST_REQUIRE_TOOLS").is_none(), "CI needs {missing}");
}

/// Whether a program is there; without it a test is skipped. CI sets `CO_TEST_REQUIRE_TOOLS`, and
/// fails instead.
pub fn require_tool(name: &str) -> bool {
    let found = Command::new("sh")
        .arg("-c")
        .arg(format!("command -v {name}"))
        .output()
        .is_ok_and(|output| output.status.success());
    assert!(
        found || std::env::var_os("CO_TEST_REQUIRE_TOOLS").is_none(),
        "{name} is missing and CI needs it"
    );
    found
}
