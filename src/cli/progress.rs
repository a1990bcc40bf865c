//! A bar or a line on a terminal's standard error, for work that takes more than a moment.

use super::{
    output,
    style::{Style, plural},
    verb::Cli,
};
use crate::foreign::{Said, said};
use crate::git::{self, Talk};
use crate::machine::env::Clock;
use crate::sync::Phase;
use dialoguer::console::Term;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{cell::Cell, sync::mpsc, thread, time::Duration};

const TICK: Duration = Duration::from_millis(120);
/// How many files are written between two updates.
const EACH: usize = 50;
const A_MOMENT: Duration = Duration::from_millis(500);
const A_SECOND: Duration = Duration::from_secs(1);
/// After this time a person wants to know what a push waits for.
const LONG: Duration = Duration::from_secs(5);
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
    clock: Clock,
    asking: Cell<Option<OwnLine>>,
}

impl Steps {
    /// Shows nothing under `--quiet`, with `--json`, or in a pipe.
    pub(super) fn new(cli: &Cli<'_>) -> Steps {
        let seen = cli.chatty && cli.err.width.is_some();
        let target = if seen { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        Steps { bar, seen, clock: cli.ws.clock, asking: Cell::new(None) }
    }

    pub(super) fn at(&self, step: Phase) {
        self.end_asking();
        let message = match step {
            Phase::Waiting => Said::from("Waiting for another co sync…"),
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
        match step {
            Phase::Signing | Phase::Fetching => self.ask(|| OwnLine::begin(self.clock, message)),
            Phase::Pushing => self.ask(|| OwnLine::watched(self.clock, message)),
            _ => self.turn(message),
        }
    }

    fn ask(&self, begin: impl FnOnce() -> OwnLine) {
        self.bar.disable_steady_tick();
        self.bar.finish_and_clear();
        self.asking.set(self.seen.then(begin));
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
    clock: Clock,
    /// Only tells the time.
    begun: ProgressBar,
    watch: Option<Watch>,
}

impl OwnLine {
    fn begin(clock: Clock, message: Said) -> OwnLine {
        output::say(&(message + "\n"));
        OwnLine { clock, begun: ProgressBar::hidden(), watch: None }
    }

    /// For a push: once nobody can be asked any more, what it waits for is told below the line.
    fn watched(clock: Clock, message: Said) -> OwnLine {
        let line = OwnLine::begin(clock, message.clone());
        let watch = Watch::begin(message, line.begun.clone());
        OwnLine { watch: Some(watch), ..line }
    }

    /// The line goes if nobody can have been asked anything in so short a time.
    fn end(self) {
        if let Some(watch) = self.watch {
            watch.end();
        }
        if self.clock.told(self.begun.elapsed()) < TO_ANSWER {
            let _ = Term::stderr().clear_last_lines(1);
        }
    }
}

/// Tells each second for how long a push has been going on, and what it waits for.
struct Watch {
    done: mpsc::Sender<()>,
    thread: thread::JoinHandle<()>,
}

impl Watch {
    fn begin(message: Said, begun: ProgressBar) -> Watch {
        let (done, is_done) = mpsc::channel::<()>();
        let thread = thread::spawn(move || {
            let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            line.set_style(still());
            while is_done.recv_timeout(A_SECOND) == Err(mpsc::RecvTimeoutError::Timeout) {
                let Some(text) = told(&message, &git::talk(), begun.elapsed()) else { continue };
                line.set_message(text.into_string());
                if line.is_hidden() {
                    line.set_draw_target(ProgressDrawTarget::stderr());
                }
                line.tick();
            }
            line.finish_and_clear();
        });
        Watch { done, thread }
    }

    fn end(self) {
        drop(self.done);
        let _ = self.thread.join();
    }
}

/// `None` as long as there is nothing to tell, or the person may be asked something.
fn told(message: &Said, talk: &Talk, elapsed: Duration) -> Option<Said> {
    let seconds = elapsed.as_secs();
    match talk {
        _ if elapsed < LONG => None,
        Talk::Connecting => None,
        Talk::Hook(hook) => {
            let what = said!("waiting for the {} hook", hook);
            Some(said!("{} ({}, {} s; Ctrl-C stops)", message, what, seconds))
        }
        Talk::Sending | Talk::Awaiting => Some(said!("{} ({} s)", message, seconds)),
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
    let line = OwnLine::begin(cli.ws.clock, Said::from(message));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_push_tells_what_it_waits_for() {
        let hook = |name: &str| Talk::Hook(name.to_owned());
        for (talk, seconds, wanted) in [
            (hook("pre-push"), 4, None),
            (Talk::Sending, 4, None),
            (Talk::Connecting, 12, None),
            (Talk::Sending, 12, Some("Pushing… (12 s)")),
            (Talk::Awaiting, 61, Some("Pushing… (61 s)")),
            (
                hook("pre-push"),
                12,
                Some("Pushing… (waiting for the pre-push hook, 12 s; Ctrl-C stops)"),
            ),
            (
                hook("pre-receive"),
                5,
                Some("Pushing… (waiting for the pre-receive hook, 5 s; Ctrl-C stops)"),
            ),
        ] {
            let text = told(&Said::from("Pushing…"), &talk, Duration::from_secs(seconds));
            assert_eq!(text.as_ref().map(Said::as_str), wanted, "{talk:?} {seconds}");
        }
    }
}
