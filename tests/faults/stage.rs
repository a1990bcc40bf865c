//! A prepared world, and a command in it whose one system call is killed or fails.
//!
//! Invariant: each try begins with the same bytes at the same paths. strace watches one process and
//! not those that it starts, because it counts calls process by process: so it is put around co, or
//! around one of the gits, which a shim first on the PATH (and in git's own folder of programs)
//! counts.

use super::{
    stories::Story,
    strace::{self, Call, Line},
};
use crate::support::{Laptop, Said, World, folder::quick};
use assert_cmd::cargo::cargo_bin;
use std::{
    fmt, fs,
    io::{self, Write},
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

pub struct Stage {
    pub world: World,
    /// The command runs here.
    pub a: Laptop,
    pub b: Laptop,
    /// The world as it was prepared.
    template: tempfile::TempDir,
    /// The shims, and what they count and log.
    behind: tempfile::TempDir,
}

/// What happens to a call, which is not carried out then.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// The process is killed.
    Killed,
    /// A git is killed, and co and the other gits with it, as when a machine loses power.
    Cut,
    /// It fails.
    Failed,
}

/// What a person does who finds the command's work missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Types it again at once.
    Again,
    /// Syncs first, or the laptop does.
    Sync,
}

#[derive(Clone, Debug)]
pub struct Fault {
    pub call: Call,
    pub way: Way,
    pub next: Next,
}

impl Fault {
    /// A full disk where the call needs room, else a broken one.
    fn error(&self) -> &'static str {
        let needs = ["open", "creat", "write", "pwrite", "rename", "link", "mkdir", "symlink"];
        let needs_room = needs.iter().any(|name| self.call.name.starts_with(name));
        if needs_room || self.call.name.contains("allocate") { "ENOSPC" } else { "EIO" }
    }

    /// As strace is told.
    fn inject(&self) -> String {
        let Call { name, nth, .. } = &self.call;
        match self.way {
            Way::Failed => format!("inject={name}:error={}:when={nth}", self.error()),
            Way::Killed | Way::Cut => format!("inject={name}:signal=SIGKILL:when={nth}"),
        }
    }

    /// Whether it strikes a git on the remote's machine.
    pub fn is_remote(&self) -> bool {
        self.call.program.starts_with("remote-")
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Call { program, name, nth, files } = &self.call;
        let way = match self.way {
            Way::Failed => self.error(),
            Way::Killed => "killed",
            Way::Cut => "killed with co",
        };
        let next = if self.next == Next::Sync { " (sync first)" } else { "" };
        write!(f, "{program} {name}#{nth} {way}{next}: {files}")
    }
}

/// What a command came to under a fault.
pub struct Struck {
    pub said: Said,
    /// The files of the call that was struck, if it was made at all.
    pub files: Option<String>,
}

/// Longer than co waits for a silent git.
const PATIENCE: Duration = Duration::from_secs(90);

impl Stage {
    pub fn set(prepare: fn(&mut Stage) -> Story) -> (Stage, Story) {
        let (world, template, behind) = (World::new(), quick(), quick());
        let (a, b) = (world.laptop("a"), world.laptop("b"));
        let mut stage = Stage { world, a, b, template, behind };
        stage.write_shims();
        let story = prepare(&mut stage);
        copy(stage.world.dir.path(), stage.template.path());
        (stage, story)
    }

    /// Leaves the world behind, for a person to look at.
    pub fn keep(&mut self) {
        self.world.dir.disable_cleanup(true);
        writeln!(io::stderr(), "kept: {}", self.world.dir.path().display()).ok();
    }

    /// The world as it was prepared, at the same place.
    fn restore(&self) {
        for entry in fs::read_dir(self.world.dir.path()).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
                .expect("removed");
        }
        copy(self.template.path(), self.world.dir.path());
        let logs = self.logs();
        let _ = fs::remove_dir_all(&logs);
        fs::create_dir_all(&logs).expect("a folder");
    }

    fn logs(&self) -> PathBuf {
        self.behind.path().join("logs")
    }

    fn shims(&self) -> PathBuf {
        self.behind.path().join("shims")
    }

    /// What stands in for `git`: counts the starts of each of its verbs, and puts strace around the
    /// one that is meant (`FAULT_AT`), or around all.
    fn write_shims(&self) {
        let found = Command::new("sh").args(["-c", "command -v git"]).output().expect("sh runs");
        let git = String::from_utf8(found.stdout).expect("a path in UTF-8");
        let listing = strace::options("\"$FAULT_LOGS/$start\"").join(" ");
        let script = SHIM.replace("@git@", git.trim()).replace("@strace@", &listing);
        fs::create_dir_all(self.shims()).expect("a folder");
        for name in ["git", "git-upload-pack", "git-receive-pack"] {
            let shim = self.shims().join(name);
            fs::write(&shim, &script).expect("written");
            fs::set_permissions(&shim, fs::Permissions::from_mode(0o755)).expect("set");
        }
    }

    /// Runs the story's command without a fault, and lists what changes something, co's calls
    /// first.
    pub fn calls(&self, story: &Story) -> Vec<Call> {
        self.restore();
        let log = self.logs().join("co");
        let said = self.run(story, Some(&strace::options(text(&log))), ["*", "", ""]);
        assert_eq!(said.code, 0, "{} without a fault: {}{}", story.name, said.out, said.err);
        let logs = fs::read_dir(self.logs()).expect("a folder");
        let names = logs.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> =
            names.map(|name| name.into_string().expect("a name in UTF-8")).collect();
        names.sort_by_key(|name| (name != "co", name.starts_with("remote-"), name.clone()));
        let read = |name: &String| fs::read_to_string(self.logs().join(name)).expect("a log");
        names.iter().flat_map(|name| strace::calls(name, &read(name))).collect()
    }

    /// Restores the world and runs the story's command under a fault.
    pub fn strike(&self, story: &Story, fault: &Fault) -> Struck {
        self.restore();
        let (program, inject) = (&fault.call.program, fault.inject());
        let log = self.logs().join(program);
        let said = if program == "co" {
            let mut options = strace::options(text(&log));
            options.extend(["-e".to_owned(), inject]);
            self.run(story, Some(&options), ["", "", ""])
        } else {
            let cut = if fault.way == Way::Cut { "with co" } else { "" };
            self.run(story, None, [program.as_str(), inject.as_str(), cut])
        };
        let log = fs::read_to_string(&log).unwrap_or_default();
        let struck = log.lines().filter_map(Line::read).find(Line::is_struck);
        let files = struck.map(|line| strace::steady(&line.files()));
        if fault.is_remote() {
            self.tidy_remote();
        }
        Struck { said, files }
    }

    /// What the remote's administrator does: a git that is killed leaves its locks, and co never
    /// touches another machine's repository.
    fn tidy_remote(&self) {
        let lock = |file: &PathBuf| file.extension().is_some_and(|end| end == "lock");
        let files = super::verdict::everything(&self.world.path("remote.git"));
        for file in files.into_iter().filter(lock) {
            fs::remove_file(file).expect("removed");
        }
    }

    /// Runs the story's command, within strace or not, with what the shims are told.
    fn run(&self, story: &Story, strace: Option<&[String]>, told: [&str; 3]) -> Said {
        let co = cargo_bin("co");
        let words: Vec<&str> = story.words.iter().map(String::as_str).collect();
        let pid = self.behind.path().join("pid");
        let mut command = match strace {
            Some(options) => {
                let options = options.iter().map(String::as_str);
                let all: Vec<&str> = options.chain([text(&co)]).chain(words).collect();
                self.a.command_of("strace", &all)
            }
            None => {
                let script = "echo $$ >\"$FAULT_PID\"; exec \"$0\" \"$@\"";
                let all: Vec<&str> =
                    ["-c", script].into_iter().chain([text(&co)]).chain(words).collect();
                self.a.command_of("sh", &all)
            }
        };
        let path = std::env::var("PATH").expect("a PATH");
        let [at, inject, cut] = told;
        command.env("PATH", format!("{}:{path}", self.shims().display()));
        command.env("GIT_EXEC_PATH", self.shims()).env("FAULT_LOGS", self.logs());
        command.env("FAULT_AT", at).env("FAULT_INJECT", inject);
        command.env("FAULT_CUT", cut).env("FAULT_PID", pid);
        finished(command)
    }
}

/// Waits for it, but not for ever.
fn finished(mut command: Command) -> Said {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    let until = Instant::now() + PATIENCE;
    let mut late = "";
    while child.try_wait().expect("a child").is_none() {
        if Instant::now() > until {
            late = "it hung and was killed\n";
            child.kill().expect("killed");
        }
        thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("it ended");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let err = format!("{late}{}", text(&output.stderr));
    Said { code: output.status.code().unwrap_or(-1), out: text(&output.stdout), err }
}

fn copy(from: &Path, to: &Path) {
    let from = from.join(".");
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status().expect("cp runs");
    assert!(copied.success(), "the world is copied");
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// `git-receive-pack` and `git-upload-pack` are what git asks the remote's machine for; they and
/// what they start are told apart.
const SHIM: &str = r#"#!/bin/sh
name=${0##*/}
verb=
if [ "$name" = git ]; then
    value=
    for word; do
        if [ "$value" ]; then value=; continue; fi
        case $word in
            -c | -C | --git-dir | --work-tree | --namespace | --exec-path) value=1 ;;
            -*) ;;
            *) verb=$word; break ;;
        esac
    done
else
    verb=${name#git-}
    set -- "$verb" "$@"
    export FAULT_SIDE=remote-
fi
nth=1
set -C
until true >"$FAULT_LOGS/$FAULT_SIDE$verb.$nth"; do nth=$((nth + 1)); done 2>/dev/null
set +C
start=$FAULT_SIDE$verb.$nth
case $FAULT_AT in
'*') exec strace @strace@ @git@ "$@" ;;
"$start") ;;
*) exec @git@ "$@" ;;
esac
[ "$FAULT_CUT" ] || exec strace @strace@ -e "$FAULT_INJECT" @git@ "$@"
strace @strace@ -e "$FAULT_INJECT" @git@ "$@"
code=$?
if [ $code -ge 128 ]; then
    kill -KILL "$(cat "$FAULT_PID")"
    kill -KILL 0
fi
exit $code
"#;
