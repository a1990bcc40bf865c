//! Several laptops with their own homes, a bare remote, real git, and nothing of the machine's own configuration.

use assert_cmd::cargo::cargo_bin;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

pub struct World {
    pub dir: tempfile::TempDir,
}

#[derive(Clone)]
pub struct Laptop {
    pub home: PathBuf,
    pub name: String,
    env: Vec<(String, String)>,
}

pub struct Said {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl World {
    pub fn new() -> World {
        World { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn laptop(&self, name: &str) -> Laptop {
        let home = self.path(name);
        fs::create_dir_all(&home).expect("a home");
        Laptop { home, name: name.to_owned(), env: Vec::new() }
    }

    /// A bare repository, and its path as a URL.
    pub fn remote(&self) -> String {
        let path = self.path("remote.git");
        git(self.dir.path(), &["init", "-q", "--bare", "-b", "main", "remote.git"]);
        path.display().to_string()
    }
}

fn clean(command: &mut Command, home: &Path) {
    for (name, _) in std::env::vars() {
        if name.starts_with("GIT_") || name.starts_with("CO_") || name.starts_with("XDG_") || name == "NO_COLOR" {
            command.env_remove(name);
        }
    }
    command.env("HOME", home).env("GIT_CONFIG_SYSTEM", "/dev/null").env("LC_ALL", "C.UTF-8");
}

pub fn git(folder: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    clean(&mut command, folder);
    command.args(["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "protocol.file.allow=always"]).args(arguments).current_dir(folder);
    let output = command.output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

impl Laptop {
    pub fn with(&self, name: &str, value: &str) -> Laptop {
        let mut laptop = self.clone();
        laptop.env.push((name.to_owned(), value.to_owned()));
        laptop
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(cargo_bin("co"));
        clean(&mut command, &self.home);
        command.args(arguments).env("HOSTNAME", &self.name).current_dir(&self.home);
        command.envs(self.env.iter().map(|(k, v)| (k, v)));
        command
    }

    /// Runs co, whatever it comes to.
    pub fn try_co(&self, arguments: &[&str]) -> Said {
        said(&self.command(arguments).output().expect("co runs"))
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

    /// The data of a `--json` call.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let said = self.try_co(&[arguments, &["--json"]].concat());
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}{}", said.out, said.err))
    }

    pub fn config(&self) -> PathBuf {
        self.home.join(".config/co-cli")
    }

    pub fn identity(&self) -> PathBuf {
        self.config().join("identity")
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.identity().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, text: &str) {
        let file = self.identity().join(path);
        fs::create_dir_all(file.parent().expect("a folder")).expect("a folder");
        fs::write(file, text).expect("written");
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
        self.tree().iter().map(|(path, bytes)| format!("== {path}\n{}", String::from_utf8_lossy(bytes))).collect()
    }

    /// The first lines of all memories, sorted.
    pub fn facts(&self) -> Vec<String> {
        let list = self.json(&["memory", "list", "--scope", "identity"]);
        let rows = list["data"]["memories"].as_array().cloned().unwrap_or_default();
        let mut facts: Vec<String> = rows.iter().map(|row| row["summary"].as_str().unwrap_or_default().to_owned()).collect();
        facts.sort();
        facts
    }

    /// The file of the memory with this text.
    pub fn file_of(&self, fact: &str) -> String {
        let files = self.tree();
        let found = files.iter().find(|(path, bytes)| path.starts_with("knowledge/memories/") && String::from_utf8_lossy(bytes).contains(fact));
        found.unwrap_or_else(|| panic!("no memory says {fact:?}")).0.clone()
    }
}

fn said(output: &Output) -> Said {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Said { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err: text(&output.stderr) }
}

pub fn tree(root: &Path) -> Vec<(String, Vec<u8>)> {
    fn walk(folder: &Path, root: &Path, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
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

/// Whether a program is there; a test that needs one says so and counts as skipped. CI sets `CO_TEST_REQUIRE_TOOLS`, where it must be there.
pub fn has_tool(name: &str) -> bool {
    let found = Command::new("sh").arg("-c").arg(format!("command -v {name}")).output().is_ok_and(|output| output.status.success());
    assert!(found || std::env::var_os("CO_TEST_REQUIRE_TOOLS").is_none(), "{name} is missing and CI needs it");
    found
}
