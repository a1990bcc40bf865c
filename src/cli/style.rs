//! Text on a terminal: colours only where they are seen, nothing that could drive the terminal.
//!
//! Invariant: text from files or a remote goes through [`safe`] before it is printed; meaning never
//! depends on colour alone.

use super::args::Color;
pub use crate::display::plural;
pub use crate::identity::text::safe;
use crate::system::Context;
use std::io::IsTerminal;

#[derive(Clone, Copy, Debug)]
pub struct Style {
    colours: bool,
    /// The width to shorten lines to; none in a pipe.
    pub width: Option<usize>,
}

impl Style {
    pub fn of(stream: &impl IsTerminal, color: Color, context: Option<&Context>) -> Style {
        let env = |name: &str| context.and_then(|context| context.env(name));
        let terminal = stream.is_terminal();
        let colours = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && env("NO_COLOR").is_none() && env("TERM") != Some("dumb"),
        };
        Style { colours, width: terminal.then(crate::system::terminal::width) }
    }

    /// Without colours and at no width, as in a pipe.
    pub fn plain() -> Style {
        Style { colours: false, width: None }
    }

    fn paint(self, style: anstyle::Style, text: &str) -> String {
        if self.colours && !text.is_empty() {
            format!("{style}{text}{style:#}")
        } else {
            text.to_owned()
        }
    }

    pub fn learned(self, text: &str) -> String {
        self.paint(anstyle::AnsiColor::Green.on_default(), text)
    }

    /// Also for errors.
    pub fn forgotten(self, text: &str) -> String {
        self.paint(anstyle::AnsiColor::Red.on_default(), text)
    }

    /// Also for warnings.
    pub fn edited(self, text: &str) -> String {
        self.paint(anstyle::AnsiColor::Yellow.on_default(), text)
    }

    /// Lines that begin with a ✓, with the ✓ painted.
    pub fn ticked(self, text: &str, paint: impl Fn(Style, &str) -> String) -> String {
        let line = |line: &str| match line.strip_prefix('✓') {
            Some(rest) => format!("{}{rest}", paint(self, "✓")),
            None => line.to_owned(),
        };
        text.split_inclusive('\n').map(line).collect()
    }

    pub fn dim(self, text: &str) -> String {
        self.paint(anstyle::Style::new().dimmed(), text)
    }

    pub fn strong(self, text: &str) -> String {
        self.paint(anstyle::Style::new().bold(), text)
    }

    /// Cuts a line to the terminal's width, less what is before it.
    pub fn fit(self, text: &str, before: usize) -> String {
        use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
        let Some(room) = self.width.map(|width| width.saturating_sub(before).max(20)) else {
            return text.to_owned();
        };
        if text.width() <= room {
            return text.to_owned();
        }
        let mut used = 0;
        let kept: String = text
            .chars()
            .take_while(|c| {
                used += c.width().unwrap_or(0);
                used < room
            })
            .collect();
        format!("{kept}…")
    }
}
