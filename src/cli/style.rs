//! Text on a terminal: colours only where they are visible.
//!
//! Invariant: meaning never depends on colour alone.

use super::wrap::furthest;
pub use crate::display::plural;
use crate::foreign::{Foreign, Said, said};
use crate::machine::Context;
use clap::ValueEnum;
use std::io::IsTerminal;

/// When to use colours.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Color {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

#[derive(Clone, Copy, Debug)]
pub struct Style {
    colours: bool,
    /// The width to shorten lines to; `None` in a pipe.
    pub width: Option<usize>,
}

/// How much of a long list is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ListLength {
    /// The first entries, and how many more there are.
    First,
    All,
}

impl Style {
    pub fn for_stream(stream: &impl IsTerminal, color: Color, context: Option<&Context>) -> Style {
        let env = |name: &str| context.and_then(|context| context.env(name));
        let terminal = stream.is_terminal();
        let colours = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && env("NO_COLOR").is_none() && env("TERM") != Some("dumb"),
        };
        Style { colours, width: terminal.then(crate::machine::terminal::width) }
    }

    /// Without colours or a width, as in a pipe.
    pub fn plain() -> Style {
        Style { colours: false, width: None }
    }

    fn paint(self, style: anstyle::Style, text: impl Into<Said>) -> Said {
        let text = text.into();
        if self.colours && !text.is_empty() { text.painted(style) } else { text }
    }

    pub fn learned(self, text: impl Into<Said>) -> Said {
        self.paint(anstyle::AnsiColor::Green.on_default(), text)
    }

    /// Also for errors.
    pub fn forgotten(self, text: impl Into<Said>) -> Said {
        self.paint(anstyle::AnsiColor::Red.on_default(), text)
    }

    /// Also for warnings.
    pub fn edited(self, text: impl Into<Said>) -> Said {
        self.paint(anstyle::AnsiColor::Yellow.on_default(), text)
    }

    pub fn dim(self, text: impl Into<Said>) -> Said {
        self.paint(anstyle::Style::new().dimmed(), text)
    }

    pub fn strong(self, text: impl Into<Said>) -> Said {
        self.paint(anstyle::Style::new().bold(), text)
    }

    /// Lines that start with a ✓, with the ✓ painted.
    pub fn ticked(self, text: &Said, paint: impl Fn(Style, &'static str) -> Said) -> Said {
        let line = |line: &str| match line.strip_prefix('✓') {
            Some(rest) => said!("{}{}\n", paint(self, "✓"), rest),
            None => said!("{}\n", line),
        };
        text.lines().map(line).collect()
    }

    /// The last line of a shortened list (`… and N more`); `None` if all were shown.
    pub fn more(self, all: usize, shown: usize) -> Option<Said> {
        let more = all.checked_sub(shown).filter(|more| *more > 0)?;
        Some(self.dim(said!("… and {} more", more)))
    }

    /// Cuts a line to the terminal's width, less the columns before it.
    pub fn fit(self, text: &str, before: usize) -> Said {
        cut(text, self.width.map(|width| width.saturating_sub(before).max(20)))
    }

    /// Cuts a text to what two lines of the terminal have room for, each behind the columns before
    /// it, and at least to what a summary has.
    pub fn fit_two(self, text: &str, before: usize) -> Said {
        cut(text, self.width.map(|width| (2 * width.saturating_sub(before)).max(80)))
    }

    /// What is shown of a fact: on a terminal its first line, elsewhere its summary.
    pub fn shown_of<'a>(self, summary: &'a str, first_line: &'a str) -> &'a str {
        if self.width.is_some() { first_line } else { summary }
    }

    /// Whether these columns leave too little of a terminal for a text beside them: it then begins
    /// on a line of its own.
    pub fn is_crowded(self, before: usize) -> bool {
        self.width.is_some_and(|width| before > furthest(width))
    }
}

/// As one line, cut to this room with `…`.
fn cut(text: &str, room: Option<usize>) -> Said {
    use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};
    let text = Foreign(text).line();
    let Some(room) = room.filter(|room| text.width() > *room) else { return said!("{}", text) };
    let mut used = 0;
    let is_within = |letter: &char| {
        used += letter.width().unwrap_or(0);
        used < room
    };
    let kept: String = text.chars().take_while(is_within).collect();
    said!("{}…", kept)
}
