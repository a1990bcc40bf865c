//! A bar or a line on a terminal's standard error, for work that takes more than a moment.

use super::output;
use super::style::{Style, plural};
use super::verb::Cli;
use crate::foreign::{Said, said};
use crate::ops::sync::Phase;
use dialoguer::console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{cell::Cell, sync::mpsc, thread, time::Duration};

const TICK: Duration = Duration::from_millis(120);
/// How many files are written between two updates.
const EACH: usize = 50;
const A_MOMENT: Duration = Duration::from_millis(500);
/// Less than anybody needs to read a question and answer it.
const TO_ANSWER: Duration = Duration::from_millis(800);

pub(super) struct Bar {
    bar: ProgressBar,
    seen: bool,
}

impl Bar {
    const LONG: usize = 200;

    pub(super) fn new(verb: &'static str, err: Style) -> Bar {
        let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{msg} [{bar:30}] {percent}%");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.progress_chars("=> "));
        bar.set_message(verb);
        Bar { bar, seen: err.width.is_some() }
    }

    pub(super) fn moved(&self, done: usize, of: usize) {
        if of < Bar::LONG || !self.seen {
            return;
        }
        if done == 1 {
            self.bar.set_length(of as u64);
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
        self.bar.set_position(done as u64);
    }

    pub(super) fn end(self) {
        self.bar.finish_and_clear();
    }
}

/// What a sync is doing, and for how long.
pub(super) struct Steps {
    bar: ProgressBar,
    seen: bool,
    asking: Cell<Option<OwnLine>>,
}

impl Steps {
    /// Shows nothing under `--quiet`, with `--json`, or in a pipe.
    pub(super) fn new(cli: &Cli<'_>) -> Steps {
        let seen = cli.chatty && cli.err.width.is_some();
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        Steps { bar, seen, asking: Cell::new(None) }
    }

    pub(super) fn at(&self, step: Phase) {
        self.end_asking();
        let message = match step {
            // Redrawing for every file would take longer than writing the file.
            Phase::Writing(done, _) if done % EACH != 0 => return,
            Phase::Writing(done, of) => said!("Writing files… {}%", 100 * done / of.max(1)),
            Phase::Reading => Said::from("Reading the identity…"),
            Phase::Committing(files) => said!("Committing {}…", plural(files, "file", "files")),
            Phase::Signing => Said::from("Signing…"),
            Phase::Fetching => Said::from("Fetching…"),
            Phase::Merging => Said::from("Merging…"),
            Phase::Pushing => Said::from("Pushing…"),
        };
        // ssh, git and gpg may ask the person something here.
        if matches!(step, Phase::Signing | Phase::Fetching | Phase::Pushing) {
            self.ask(message);
        } else {
            self.turn(message);
        }
    }

    fn ask(&self, message: Said) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
        self.asking.set(self.seen.then(|| OwnLine::begin(message)));
    }

    fn turn(&self, message: Said) {
        self.bar.set_style(turning());
        self.bar.set_message(message.into_string());
        if self.bar.is_finished() {
            let elapsed = self.bar.elapsed();
            self.bar.reset();
            self.bar.set_elapsed(elapsed);
        }
        // While git blocks, no other thread would turn the spinner.
        self.bar.enable_steady_tick(TICK);
    }

    fn end_asking(&self) {
        if let Some(line) = self.asking.take() {
            line.end();
        }
    }

    pub(super) fn end(self) {
        self.end_asking();
        self.bar.finish_and_clear();
    }
}

/// A message on a line of its own, while git, ssh or gpg may ask the person something: nothing is
/// drawn until that is over.
struct OwnLine {
    /// Only tells the time.
    begun: ProgressBar,
}

impl OwnLine {
    fn begin(message: Said) -> OwnLine {
        output::say(&(message + "\n"));
        OwnLine { begun: ProgressBar::hidden() }
    }

    /// The line goes if nobody can have been asked anything in so short a time.
    fn end(self) {
        if self.begun.elapsed() < TO_ANSWER {
            let _ = Term::stderr().clear_last_lines(1);
        }
    }
}

/// Runs work of unknown duration; after half a second, a person sees that something is going on.
pub(super) fn waiting<T>(cli: &Cli<'_>, message: &'static str, work: impl FnOnce() -> T) -> T {
    if !cli.chatty || cli.err.width.is_none() {
        return work();
    }
    let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    line.set_style(still());
    line.set_message(message);
    let (done, is_done) = mpsc::channel::<()>();
    let shown = line.clone();
    let watch = thread::spawn(move || {
        if is_done.recv_timeout(A_MOMENT) == Err(mpsc::RecvTimeoutError::Timeout) {
            shown.set_draw_target(ProgressDrawTarget::stderr());
            shown.tick();
            // Until the work ends.
            let _ = is_done.recv();
        }
    });
    let result = work();
    drop(done);
    let _ = watch.join();
    line.finish_and_clear();
    result
}

/// As [`waiting`], for work in which git or ssh may ask the person something.
pub(super) fn announced<T>(cli: &Cli<'_>, message: &'static str, work: impl FnOnce() -> T) -> T {
    if !cli.chatty || cli.err.width.is_none() {
        return work();
    }
    let line = OwnLine::begin(Said::from(message));
    let result = work();
    line.end();
    result
}

fn turning() -> ProgressStyle {
    let style = ProgressStyle::with_template("{spinner} {msg} {elapsed}");
    style.unwrap_or_else(|_| ProgressStyle::default_spinner())
}

fn still() -> ProgressStyle {
    let style = ProgressStyle::with_template("{msg}");
    style.unwrap_or_else(|_| ProgressStyle::default_spinner())
}
