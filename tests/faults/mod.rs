//! Every changing system call of the commands that change an identity, and of the gits that they
//! start, is killed once and fails once, over an identity of five facts.
//!
//! Invariant: whatever the call, no fact is lost or doubled, the same command finishes the job, and
//! no command reports something as done that is not.
//!
//! The gate tries one call in 20, spread over all of them, and fewer over a sealed remote.
//! `CO_FAULTS=N` tries one in N, `CO_FAULTS=all` every one,
//! `CO_FAULTS_ONLY='undo: co fsync#5 killed'` those whose name has this text, and keeps the folder.
//! `CO_FAULTS_LOG=FILE` adds a line for each fault to a file.

mod audit;
mod stage;
mod stories;
mod strace;
mod verdict;

use crate::support::{report_skipped, require_tool};
use stage::{Fault, Next, Stage, Way};
use std::{
    env,
    fmt::Write as _,
    fs::File,
    io::{self, Write as _},
    time::Instant,
};
use stories::{Aim, Story};
use strace::Call;
use verdict::{Kind, Seen};

#[test]
fn a_sync_may_be_cut_at_any_call() {
    play(stories::sync);
}

#[test]
fn a_sealed_sync_may_be_cut_at_any_call() {
    play_one_in(SELDOM, stories::sealed_sync);
}

#[test]
fn a_change_of_keys_may_be_cut_at_any_call() {
    play_one_in(SELDOM, stories::sealed_rotation);
}

#[test]
fn a_repack_may_be_cut_at_any_call() {
    play_one_in(SELDOM, stories::sealed_repack);
}

#[test]
fn an_import_may_be_cut_at_any_call() {
    play(stories::import);
}

#[test]
fn an_undo_may_be_cut_at_any_call() {
    play(stories::undo);
}

#[test]
fn an_undo_of_what_was_published_may_be_cut_at_any_call() {
    play(stories::undo_published);
}

#[test]
fn a_fix_may_be_cut_at_any_call() {
    play(stories::fix);
}

#[test]
fn a_move_may_be_cut_at_any_call() {
    play(stories::move_documents);
}

#[test]
fn a_save_may_be_cut_at_any_call() {
    play(stories::learn);
}

const ONLY: &str = "CO_FAULTS_ONLY";

/// One in how many calls is tried.
const GATE: usize = 20;
/// Of the commands over a sealed remote, most of whose calls are those of a plain one.
const SELDOM: usize = 10 * GATE;

fn play(prepare: fn(&mut Stage) -> Story) {
    play_one_in(GATE, prepare);
}

fn play_one_in(gate: usize, prepare: fn(&mut Stage) -> Story) {
    if !require_tool("strace") {
        return report_skipped("strace");
    }
    let (mut stage, story) = Stage::set(prepare);
    if env::var_os(ONLY).is_some() {
        stage.keep();
    }
    let calls = stage.calls(&story);
    let without_fault = verdict::judge(&stage, &story, None);
    assert!(without_fault.is_empty(), "{} without a fault: {without_fault:#?}", story.name);
    let faults = chosen(&story, &calls, gate);
    let begun = Instant::now();
    let mut tally = Tally::default();
    for fault in &faults {
        tally.count(&stage, &story, fault);
    }
    let line = tally.line(&story, calls.len(), begun.elapsed().as_secs_f64());
    writeln!(io::stderr(), "{line}").ok();
    assert!(tally.bad.is_empty(), "{line}\n{}", tally.bad);
}

/// The faults to try: each way for itself spread evenly over the calls, so that a small share has
/// some of each.
fn chosen(story: &Story, calls: &[Call], gate: usize) -> Vec<Fault> {
    let only = env::var(ONLY).ok();
    let wanted = env::var("CO_FAULTS").unwrap_or_default();
    let every = match wanted.as_str() {
        "all" => 1,
        _ if only.is_some() => 1,
        number => number.parse().unwrap_or(gate).max(1),
    };
    let is_local_git = |call: &Call| call.program != "co" && !call.program.starts_with("remote-");
    let spread = |way: Way, first: usize| -> Vec<Fault> {
        let struck = calls.iter().filter(|call| way != Way::Cut || is_local_git(call));
        let struck: Vec<&Call> = struck.collect();
        // What is shorter than the step has one of each all the same.
        let first = first.min(struck.len().saturating_sub(1) / 2);
        let some = struck.iter().enumerate().skip(first).step_by(every);
        let fault = |(at, call): (usize, &&Call)| {
            // Depends on the call alone, and is not the same for all that the gate tries.
            let is_odd = (at + at / GATE) % 2 == 1;
            let next = if is_odd && story.aim == Aim::Shown { Next::Sync } else { Next::Again };
            Fault { call: (*call).clone(), way, next }
        };
        some.map(fault).collect()
    };
    let mut faults = spread(Way::Killed, every / 4);
    faults.extend(spread(Way::Failed, 3 * every / 4));
    faults.extend(spread(Way::Cut, every / 2));
    if let Some(only) = only {
        faults.retain(|fault| format!("{}: {fault}", story.name).contains(&only));
    }
    faults
}

#[derive(Default)]
struct Tally {
    killed: usize,
    failed: usize,
    missed: usize,
    lost: usize,
    doubled: usize,
    other: usize,
    /// What went wrong, fault by fault.
    bad: String,
}

impl Tally {
    fn count(&mut self, stage: &Stage, story: &Story, fault: &Fault) {
        let struck = stage.strike(story, fault);
        let seen = verdict::judge(stage, story, Some((fault, &struck)));
        match fault.way {
            Way::Failed => self.failed += 1,
            Way::Killed | Way::Cut => self.killed += 1,
        }
        self.missed += usize::from(struck.files.is_none());
        let has = |kind: Kind| seen.iter().any(|seen| seen.kind == kind);
        self.lost += usize::from(has(Kind::Lost));
        self.doubled += usize::from(has(Kind::Doubled));
        self.other += usize::from(seen.iter().any(Seen::is_other));
        note(story, fault, &struck, &seen);
        if seen.is_empty() {
            return;
        }
        let _ = writeln!(self.bad, "\n{}: {fault}", story.name);
        let _ = writeln!(self.bad, "    exit {}: {}", struck.said.code, struck.said.err.trim());
        for seen in &seen {
            let _ = writeln!(self.bad, "    {:?}: {}", seen.kind, seen.what);
        }
    }

    fn line(&self, story: &Story, calls: usize, seconds: f64) -> String {
        let tried = self.killed + self.failed;
        let mut line = format!(
            "{}: {calls} changing calls, {} killed, {} failed, {} lost, {} doubled",
            story.name, self.killed, self.failed, self.lost, self.doubled
        );
        if self.other > 0 {
            let _ = write!(line, ", {} otherwise wrong", self.other);
        }
        if self.missed > 0 {
            let _ = write!(line, ", {} never reached", self.missed);
        }
        let _ = write!(line, " ({:.1} s each)", seconds / tried.max(1) as f64);
        line
    }
}

/// A line in the file of `CO_FAULTS_LOG`.
fn note(story: &Story, fault: &Fault, struck: &stage::Struck, seen: &[Seen]) {
    let Some(file) = env::var_os("CO_FAULTS_LOG") else { return };
    let mut file = File::options().append(true).create(true).open(file).expect("the log opens");
    let first = struck.said.err.lines().next().unwrap_or_default();
    let hit = match struck.files.as_deref() {
        None => "never reached".to_owned(),
        Some(files) if files == fault.call.files => "struck".to_owned(),
        // Folders are not always listed in the same order.
        Some(files) => format!("struck {files}"),
    };
    let code = struck.said.code;
    let line = format!("{}: {fault}\t{hit}\texit {code}\t{first}\t{seen:?}\n", story.name);
    file.write_all(line.as_bytes()).expect("the log takes a line");
}
