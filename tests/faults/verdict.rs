//! What is left after a command was cut short: a person goes on working, and every fact is counted.
//!
//! Invariant: facts are counted in the files, not by asking the program under test.

use super::{
    stage::{Fault, Next, Stage, Struck},
    stories::{Aim, Mark, Story},
};
use crate::support::{Laptop, git};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// How co's temporary files begin.
const TEMP: &str = ".co-tmp-";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Lost,
    Doubled,
    /// What the command brings is not where it belongs.
    Undone,
    /// What the command takes away is still there.
    Stayed,
    /// A command that has to go on does not.
    Stuck,
    /// Exit 0 for what is not done.
    Claimed,
    /// The laptops are not the same.
    Differs,
    /// Temporary or lock files.
    Left,
    /// `check` or git find something.
    Unsound,
}

#[derive(Clone, Debug)]
pub struct Seen {
    pub kind: Kind,
    pub what: String,
}

impl Seen {
    pub fn is_other(&self) -> bool {
        !matches!(self.kind, Kind::Lost | Kind::Doubled)
    }
}

/// Goes on as a person would, and says what is wrong. Without a fault the command ran as it should.
pub fn judge(stage: &Stage, story: &Story, struck: Option<(&Fault, &Struck)>) -> Vec<Seen> {
    let mut trial = Trial { stage, story, seen: Vec::new() };
    if let Some((fault, struck)) = struck {
        trial.claims(struck);
        trial.goes_on(fault);
    }
    if !trial.is_done() {
        trial.add(Kind::Stuck, format!("`co {}` did not finish", story.words.join(" ")));
    }
    trial.types(&stage.a, &["sync"]);
    trial.leftovers("after the next sync");
    trial.types(&stage.b, &["sync"]);
    trial.types(&stage.a, &["sync"]);
    trial.counts();
    trial.is_the_same();
    trial.is_sound();
    trial.seen
}

struct Trial<'a> {
    stage: &'a Stage,
    story: &'a Story,
    seen: Vec<Seen>,
}

impl Trial<'_> {
    fn add(&mut self, kind: Kind, what: impl Into<String>) {
        let what = what.into();
        if !self.seen.iter().any(|seen| seen.what == what) {
            self.seen.push(Seen { kind, what });
        }
    }

    /// Whether the command's work is there, without asking it.
    fn is_done(&self) -> bool {
        let Stage { a, world, .. } = self.stage;
        let files = files(a);
        let has_come = |mark: &Mark| count(&files, *mark) == 1;
        let has_gone = |mark: &Mark| count(&files, *mark) == 0;
        if !self.story.comes.iter().all(has_come) || !self.story.goes.iter().all(has_gone) {
            return false;
        }
        match self.story.aim {
            Aim::Shown => true,
            Aim::Sound => a.try_co(&["check"]).code == 0,
            Aim::Published => {
                is_published(a, &world.path("remote.git"))
                    && a.git(&["status", "--porcelain", "--untracked-files=no"]).is_empty()
            }
        }
    }

    /// Success is only said of what is done, or of what is told to come later.
    fn claims(&mut self, struck: &Struck) {
        let said = &struck.said;
        let is_told = [&said.out, &said.err].iter().any(|text| text.contains("at the next sync"));
        let postponed = self.story.aim == Aim::Published && is_told;
        if said.code == 0 && !postponed && !self.is_done() {
            self.add(
                Kind::Claimed,
                format!("exit 0, and it is not done:\n{}{}", said.out, said.err),
            );
        }
        if said.err.contains("panicked") || said.err.contains("it hung") {
            self.add(Kind::Stuck, said.err.clone());
        }
    }

    /// A person looks what is there, and does again what is not.
    fn goes_on(&mut self, fault: &Fault) {
        let a = &self.stage.a;
        if self.story.aim == Aim::Shown {
            self.types(a, &["list"]);
            if fault.next == Next::Sync {
                self.types(a, &["sync"]);
                self.leftovers("after a sync");
            }
            if self.is_done() {
                return;
            }
        }
        let words: Vec<&str> = self.story.words.iter().map(String::as_str).collect();
        self.types(a, &words);
        self.leftovers("after the same command");
    }

    /// Without a fault: it must do.
    fn types(&mut self, laptop: &Laptop, words: &[&str]) {
        let said = laptop.try_co(words);
        if said.code != 0 {
            let told = format!("{}{}", said.out, said.err);
            let line = format!("[{}] co {}: exit {}", laptop.name, words.join(" "), said.code);
            self.add(Kind::Stuck, format!("{line}: {}", told.trim()));
        }
    }

    fn counts(&mut self) {
        let Stage { a, b, .. } = self.stage;
        let (here, there) = (files(a), files(b));
        let story = self.story;
        for mark in story.stays.iter().chain(&story.comes).chain(&story.goes) {
            let wanted = usize::from(!story.goes.contains(mark));
            let found = [count(&here, *mark), count(&there, *mark)];
            if found == [wanted; 2] {
                continue;
            }
            let kind = match found {
                _ if wanted == 0 => Kind::Stayed,
                // A document that is only somewhere else is not lost.
                [0, _] | [_, 0] if mark.below.is_empty() => Kind::Lost,
                [0, _] | [_, 0] => Kind::Undone,
                _ => Kind::Doubled,
            };
            let Mark { below, line } = mark;
            let [on_a, on_b] = found;
            self.add(kind, format!("{below}* {line:?}: {on_a} times on a, {on_b} on b"));
        }
    }

    fn is_the_same(&mut self) {
        let Stage { a, b, .. } = self.stage;
        let (here, there) = (files(a), files(b));
        let only = |these: &[(String, Vec<u8>)], those: &[(String, Vec<u8>)]| -> Vec<String> {
            let other = these.iter().filter(|file| !those.contains(file));
            other.map(|(path, _)| path.clone()).collect()
        };
        if here != there {
            let (here, there) = (only(&here, &there), only(&there, &here));
            self.add(Kind::Differs, format!("on a {here:?}, on b {there:?}"));
        }
    }

    fn is_sound(&mut self) {
        let Stage { a, b, world, .. } = self.stage;
        for laptop in [a, b] {
            let said = laptop.try_co(&["check"]);
            if said.code != 0 {
                let told = format!("[{}] co check: {}{}", laptop.name, said.out, said.err);
                self.add(Kind::Unsound, told);
            }
            let status = laptop.git(&["status", "--porcelain", "--untracked-files=all"]);
            for line in status.lines().filter(|line| !line.contains(TEMP)) {
                self.add(Kind::Unsound, format!("[{}] git status: {line}", laptop.name));
            }
        }
        // Nothing happens to the objects of laptop b.
        for folder in [a.identity(), world.path("remote.git")] {
            let words = ["fsck", "--strict", "--no-dangling"];
            let mut fsck = a.command_of("git", &words);
            fsck.current_dir(&folder);
            let output = fsck.output().expect("git runs");
            if !output.status.success() {
                let told = String::from_utf8_lossy(&output.stderr).into_owned();
                self.add(Kind::Unsound, format!("git fsck in {}: {told}", folder.display()));
            }
        }
    }

    /// Of the identity and its repository.
    fn leftovers(&mut self, when: &str) {
        let root = self.stage.a.identity();
        let is_left = |file: &PathBuf| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let ours = ["journal", "progress", "refs-mark"].contains(&name.as_str())
                || name.starts_with("index.new-");
            name.starts_with(TEMP)
                || name.ends_with(".lock")
                || (ours && file.starts_with(root.join(".git/co")))
        };
        for file in everything(&root).into_iter().filter(is_left) {
            let file = file.strip_prefix(&root).expect("below").display().to_string();
            self.add(Kind::Left, format!("{file} {when}"));
        }
    }
}

/// Whether the remote has the last commit. Of a sealed one its own commits are not the identity's:
/// it has what the laptop noted when it pushed last, if nobody pushed since.
fn is_published(a: &Laptop, remote: &Path) -> bool {
    let at = |folder: &Path, name: &str| git(folder, &["rev-parse", name]).trim().to_owned();
    let (there, head) = (at(remote, "refs/heads/main"), at(&a.identity(), "refs/heads/main"));
    if !a.git(&["config", "remote.origin.url"]).starts_with("co-sealed::") {
        return there == head;
    }
    let seen = fs::read_to_string(a.identity().join(".git/co/sealed.json")).unwrap_or_default();
    seen.contains(&there) && at(&a.identity(), "refs/remotes/origin/main") == head
}

/// The identity's files. What an interrupted co left beside them is judged by itself.
fn files(laptop: &Laptop) -> Vec<(String, Vec<u8>)> {
    let is_left = |path: &str| path.rsplit('/').next().is_some_and(|name| name.starts_with(TEMP));
    laptop.tree().into_iter().filter(|(path, _)| !is_left(path)).collect()
}

/// How often a line occurs in these files.
fn count(files: &[(String, Vec<u8>)], mark: Mark) -> usize {
    let below = files.iter().filter(|(path, _)| path.starts_with(mark.below));
    let lines = |bytes: &[u8]| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        text.lines().filter(|line| line.trim() == mark.line).count()
    };
    below.map(|(_, bytes)| lines(bytes)).sum()
}

/// All files below a folder, those of the repository included.
pub fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.is_symlink() {
            found.extend(everything(&path));
        } else {
            found.push(path);
        }
    }
    found
}
