//! Everything that a command writes is on the disk before the branch refers to it.
//!
//! Invariant: a file's bytes are on the disk once it, its temporary file or its whole volume was
//! synced; a name is once its folder was synced after the name was given. Before the ref file of
//! the branch changes, and when the command ends, nothing of the identity is unsynced. Otherwise a
//! power cut leaves a branch with facts that the folder lacks, which looks as if a person had
//! deleted them.

use super::{
    stage::Stage,
    stories,
    strace::{self, Line},
};
use crate::support::{Laptop, report_skipped, require_tool};
use assert_cmd::cargo::cargo_bin;
use std::{
    collections::{BTreeSet, HashMap},
    fs,
    path::{Path, PathBuf},
};

#[test]
fn what_a_sync_checks_out_is_on_the_disk_before_the_branch_moves() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let (stage, _) = Stage::set(|stage| {
        let story = stories::sync(stage);
        // A file that is renamed by hand travels as a move.
        let Stage { a, b, .. } = stage;
        let there = b.file_of("From b");
        let moved = "knowledge/memories/066-moved.md";
        fs::rename(b.identity().join(there), b.identity().join(moved)).expect("renamed");
        b.co(&["sync"]);
        a.co(&["knowledge", "write", "projects/shed", "The shed leaks."]);
        story
    });
    let disk = audit(&stage, &stage.a, &["sync"]);
    assert!(disk.moves > 1, "the branch moves for the local commit and for the merge");
    assert!(stage.a.identity().join("traits/voice/tone.md").is_file(), "it was checked out");
    assert!(disk.open.is_empty(), "{:#?}", disk.open);
}

/// One file is synced by itself, not with its whole volume, and what git fetched not with it.
#[test]
fn the_one_file_that_a_sync_checks_out_is_on_the_disk_before_the_branch_moves() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let (stage, _) = Stage::set(|stage| {
        let story = stories::learn(stage);
        stage.b.co(&["learn", "From b"]);
        stage.b.co(&["sync"]);
        story
    });
    let disk = audit(&stage, &stage.a, &["sync"]);
    assert_eq!(disk.moves, 1, "the branch moves once");
    assert!(disk.open.is_empty(), "{:#?}", disk.open);
}

#[test]
fn what_an_import_writes_is_on_the_disk() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let (stage, story) = Stage::set(stories::import);
    let words: Vec<&str> = story.words.iter().map(String::as_str).collect();
    let disk = audit(&stage, &stage.a, &words);
    assert!(disk.open.is_empty(), "{:#?}", disk.open);
}

#[test]
fn what_a_fix_an_undo_and_a_move_write_is_on_the_disk() {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let mut open = Vec::new();
    for prepare in [stories::fix, stories::undo, stories::move_documents, stories::learn] {
        let (stage, story) = Stage::set(prepare);
        let words: Vec<&str> = story.words.iter().map(String::as_str).collect();
        let disk = audit(&stage, &stage.a, &words);
        open.extend(disk.open.into_iter().map(|what| format!("{}: {what}", story.name)));
    }
    assert!(open.is_empty(), "{open:#?}");
}

/// Runs a command and follows what it syncs.
fn audit(stage: &Stage, laptop: &Laptop, words: &[&str]) -> Disk {
    // With many loose objects, git's own gc may run in the end: its packs are git's, and whether it
    // runs depends on how the hashes of this run fall.
    laptop.git(&["gc", "--quiet"]);
    let log = stage.world.path("audit");
    let mut all = strace::options(log.to_str().expect("a path in UTF-8"));
    all.extend(["-f".into(), cargo_bin("co").display().to_string()]);
    all.extend(words.iter().map(|word| (*word).to_owned()));
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let output = laptop.command_of("strace", &all).output().expect("strace runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut disk = Disk { root: laptop.identity(), ..Disk::default() };
    let mut writers = BTreeSet::new();
    let traced = fs::read_to_string(log).expect("the log");
    for (process, line) in whole_lines(&traced) {
        if let Some(line) = Line::read(&line).filter(|line| !line.failed()) {
            disk.follow(&line);
            let is_own = |file: &String| disk.is_ours(Path::new(file)) && !file.contains("/.git/");
            if line.changes() && line.files().iter().any(is_own) {
                writers.insert(process);
            }
        }
    }
    // Else the faults of this folder would pass over what the others write.
    assert!(writers.len() < 2, "one thread alone changes files, not {writers:?}");
    disk.must_be_settled("the command ended");
    disk
}

/// The lines of a log of several processes, each with its process; where one was interrupted by
/// another, its halves are put together.
fn whole_lines(log: &str) -> Vec<(&str, String)> {
    let mut begun: HashMap<&str, &str> = HashMap::new();
    let mut whole = Vec::new();
    for line in log.lines() {
        let Some((pid, line)) = line.split_once(' ') else { continue };
        let line = line.trim_start();
        if let Some(half) = line.strip_suffix(" <unfinished ...>") {
            begun.insert(pid, half);
        } else if let Some((_, half)) = line.split_once(" resumed>") {
            whole.push((pid, format!("{}{half}", begun.remove(pid).unwrap_or_default())));
        } else {
            whole.push((pid, line.to_owned()));
        }
    }
    whole
}

/// What of an identity is not yet on the disk.
#[derive(Default)]
struct Disk {
    root: PathBuf,
    /// Files with bytes that were not synced.
    bytes: BTreeSet<PathBuf>,
    /// Folders in which names were given or taken away since they were synced, with such a name.
    names: BTreeSet<(PathBuf, PathBuf)>,
    /// How often the branch moved.
    moves: usize,
    /// What was not synced when it had to be.
    open: Vec<String>,
}

impl Disk {
    fn follow(&mut self, line: &Line<'_>) {
        let files: Vec<PathBuf> = line.files().into_iter().map(PathBuf::from).collect();
        let Some(first) = files.first() else { return self.flush_all(line) };
        let last = files.last().unwrap_or(first);
        match line.name {
            "fsync" | "fdatasync" => self.flush(first),
            "syncfs" => self.flush_all(line),
            name if name.contains("write") || name.ends_with("truncate") => self.wrote(first),
            name if line.opens() && line.changes() => {
                self.wrote(first);
                if name == "creat" || line.arguments.contains("O_CREAT") {
                    self.named(first);
                }
            }
            name if name.starts_with("rename") => {
                self.renamed(first, last, line.arguments.contains("RENAME_EXCHANGE"));
            }
            name if name.starts_with("link") || name.starts_with("symlink") => {
                if self.bytes.contains(first) {
                    self.wrote(last);
                }
                self.named(last);
            }
            name if name.starts_with("mkdir") => self.named(first),
            // An empty folder that comes back is nobody's loss.
            name if name.starts_with("rmdir") || line.arguments.contains("AT_REMOVEDIR") => {
                self.names.retain(|(folder, name)| folder != first && name != first);
            }
            name if name.starts_with("unlink") => {
                self.bytes.remove(first);
                self.named(first);
            }
            _ => {}
        }
    }

    /// Whether it is a file of the identity, or an object of its repository.
    fn is_ours(&self, file: &Path) -> bool {
        let below = file.strip_prefix(&self.root);
        below.is_ok_and(|below| !below.starts_with(".git") || below.starts_with(".git/objects"))
    }

    fn wrote(&mut self, file: &Path) {
        if self.is_ours(file) {
            self.bytes.insert(file.to_owned());
        }
    }

    /// Given or taken away. A temporary name may come back: the next co removes it.
    fn named(&mut self, file: &Path) {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let is_temporary = ["tmp_", ".tmp", ".co-tmp-"].iter().any(|head| name.starts_with(head));
        if self.is_ours(file) && !is_temporary {
            let folder = file.parent().expect("a folder").to_owned();
            self.names.insert((folder, file.to_owned()));
        }
    }

    fn renamed(&mut self, from: &Path, to: &Path, is_exchange: bool) {
        let (old, new) = (self.bytes.remove(from), self.bytes.remove(to));
        if old {
            self.wrote(to);
        }
        if is_exchange && new {
            self.wrote(from);
        }
        self.named(from);
        self.named(to);
        if to == self.root.join(".git/refs/heads/main") {
            self.moves += 1;
            self.must_be_settled("the branch moved");
        }
    }

    fn flush(&mut self, file: &Path) {
        self.bytes.remove(file);
        self.names.retain(|(folder, _)| folder != file);
    }

    /// The identity is on one volume.
    fn flush_all(&mut self, line: &Line<'_>) {
        if line.name.starts_with("sync") {
            self.bytes.clear();
            self.names.clear();
        }
    }

    fn must_be_settled(&mut self, when: &str) {
        let below = |path: &Path| match path.strip_prefix(&self.root) {
            Ok(below) if below.as_os_str().is_empty() => "identity".to_owned(),
            Ok(below) => below.display().to_string(),
            Err(_) => path.display().to_string(),
        };
        let mut open: Vec<String> = Vec::new();
        for file in &self.bytes {
            open.push(format!("{when}: the bytes of {} were not synced", below(file)));
        }
        for (folder, name) in &self.names {
            let (folder, name) = (below(folder), below(name));
            open.push(format!("{when}: the folder {folder} was not synced after {name}"));
        }
        self.open.extend(open);
        self.bytes.clear();
        self.names.clear();
    }
}
