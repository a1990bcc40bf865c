//! A bar on a terminal's standard error, for work that takes longer than a moment.

use super::style::Style;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

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
