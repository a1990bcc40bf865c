//! What co says: its own words, with sanitised foreign text between them.
//!
//! Invariant: the only ways into a [`Said`] are literals in the source, other `Said`, colours, and
//! [`Foreign`]. It has no `Display`, so that nothing prints it by accident and `said!` passes it
//! through unchanged.

use super::{
    letters::is_plain_line,
    line::{Foreign, MAX_IN_LINE},
};
use std::{
    borrow::Cow,
    fmt::{self, Display, Write},
};

/// Text that can be printed and returned as it is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Said(String);

/// Formats like `format!`. Anything between the literals becomes one line of visible characters,
/// unless it is already [`Said`]. The literal captures nothing implicitly: every argument is
/// listed, and so goes through here.
macro_rules! said {
    ($words:literal $(, $value:expr)* $(,)?) => {
        // A literal from a macro cannot capture anything that is not listed.
        $crate::foreign::Said::composed(format_args!(
            concat!($words) $(, $crate::foreign::Say::piece(&$value))*
        ))
    };
}
pub(crate) use said;

/// What may be an argument of [`said!`].
pub trait Say {
    type Piece<'a>: Display
    where
        Self: 'a;
    fn piece(&self) -> Self::Piece<'_>;
}

/// Everything else is foreign, even numbers and names that co made: they pass unchanged.
impl<T: Display + ?Sized> Say for T {
    type Piece<'a>
        = Line<'a, T>
    where
        T: 'a;

    fn piece(&self) -> Line<'_, T> {
        Line(self)
    }
}

impl Say for Said {
    type Piece<'a> = Own<'a>;

    fn piece(&self) -> Own<'_> {
        Own(&self.0)
    }
}

impl Say for &Said {
    type Piece<'a>
        = Own<'a>
    where
        Self: 'a;

    fn piece(&self) -> Own<'_> {
        Own(&self.0)
    }
}

#[doc(hidden)]
pub struct Own<'a>(&'a str);

impl Display for Own<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}

#[doc(hidden)]
pub struct Line<'a, T: ?Sized>(&'a T);

impl<T: Display + ?Sized> Display for Line<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = f.width().unwrap_or(0);
        let text = match f.precision() {
            Some(digits) => format!("{:.digits$}", self.0),
            None if f.sign_aware_zero_pad() => format!("{:0width$}", self.0),
            None => self.0.to_string(),
        };
        let line = Foreign(&text).line();
        if width == 0 {
            return f.write_str(&line);
        }
        let room = width.saturating_sub(line.chars().count());
        let before = match f.align() {
            Some(fmt::Alignment::Right) => room,
            Some(fmt::Alignment::Center) => room / 2,
            _ => 0,
        };
        let after = room - before;
        write!(f, "{0:before$}{line}{0:after$}", "")
    }
}

impl Said {
    pub fn new() -> Said {
        Said::default()
    }

    #[doc(hidden)]
    pub fn composed(words: fmt::Arguments<'_>) -> Said {
        let mut text = String::new();
        text.write_fmt(words).expect("because a string takes every letter");
        Said(text)
    }

    pub(super) fn of_quote(lines: &str, margin: &'static str) -> Said {
        let mut text = String::with_capacity(lines.len() + 16 * margin.len());
        for line in lines.lines() {
            match line {
                "" => text.push_str(margin.trim_end()),
                line => text.extend([margin, line]),
            }
            text.push('\n');
        }
        Said(text)
    }

    pub(super) fn of_markup(text: &str) -> Said {
        let mut said = String::with_capacity(text.len());
        for letter in text.chars() {
            match letter {
                '&' => said.push_str("&amp;"),
                '<' => said.push_str("&lt;"),
                '>' => said.push_str("&gt;"),
                '"' => said.push_str("&quot;"),
                letter => said.push(letter),
            }
        }
        Said(said)
    }

    pub fn push(&mut self, more: impl Into<Said>) {
        let more = more.into();
        if self.0.is_empty() {
            // A long list that follows nothing is not copied.
            self.0 = more.0;
        } else {
            self.0.push_str(&more.0);
        }
    }

    /// Makes room for so many more bytes, for long lists.
    pub fn reserve(&mut self, bytes: usize) {
        self.0.reserve(bytes);
    }

    /// Appends co's own words, for long lists.
    pub fn push_own(&mut self, words: &'static str) {
        self.0.push_str(words);
    }

    /// Appends a foreign text as one line, for long lists.
    pub fn push_line(&mut self, text: &str) {
        self.0.push_str(&Foreign(text).line());
    }

    /// Appends a foreign text and co's own words after it as one line, for long lists.
    pub fn push_line_with(&mut self, text: &str, words: &'static str) {
        if text.len() + words.len() > MAX_IN_LINE || !is_plain_line(text) {
            // What is shown of a letter depends on those around it, and what is cut on all.
            self.push_line(&[text, words].concat());
            return;
        }
        self.0.push_str(text);
        self.0.push_str(words);
    }

    /// Appends a number of at least so many digits, for long lists.
    pub fn push_number(&mut self, number: u64, digits: usize) {
        write!(self.0, "{number:0digits$}").expect("because a string takes every letter");
    }

    /// Appends foreign texts as one line, with commas between them, for long lists.
    pub fn push_joined<'a>(&mut self, texts: impl Iterator<Item = &'a str> + Clone) {
        const BETWEEN: &str = ", ";
        let length: usize = texts.clone().map(|text| text.len() + BETWEEN.len()).sum();
        if length > MAX_IN_LINE || !texts.clone().all(is_plain_line) {
            // What is shown of a letter depends on those around it, and what is cut on all.
            self.push_line(&texts.collect::<Vec<&str>>().join(BETWEEN));
            return;
        }
        for (at, text) in texts.enumerate() {
            self.0.push_str(if at == 0 { "" } else { BETWEEN });
            self.0.push_str(text);
        }
    }

    /// Reading is allowed; what is read is foreign again.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn lines(&self) -> impl Iterator<Item = &str> {
        self.0.lines()
    }

    pub fn into_string(self) -> String {
        self.0
    }

    /// Wrapped in a terminal colour or weight.
    pub fn painted(self, style: anstyle::Style) -> Said {
        Said(format!("{style}{}{style:#}", self.0))
    }

    /// Cut to this many bytes, at a character boundary.
    pub fn cut(mut self, most: usize) -> Said {
        let end = (0..=most.min(self.0.len())).rev().find(|at| self.0.is_char_boundary(*at));
        self.0.truncate(end.unwrap_or(0));
        self
    }

    /// Without trailing blanks and line endings.
    pub fn trimmed(mut self) -> Said {
        self.0.truncate(self.0.trim_end().len());
        self
    }

    /// Rewritten by co itself: redacted, or wrapped to the width of a terminal. The change adds no
    /// foreign text.
    pub fn rewritten(self, by: impl FnOnce(&str) -> Cow<'_, str>) -> Said {
        match by(&self.0) {
            Cow::Borrowed(same) if same.len() == self.0.len() => self,
            changed => Said(changed.into_owned()),
        }
    }

    /// A foreign text padded with blanks to the width of a column.
    pub fn column(text: &str, width: usize) -> Said {
        let line = Foreign(text).line();
        Said(format!("{line:width$}"))
    }

    /// Several, with words between them.
    pub fn joined(parts: impl IntoIterator<Item = Said>, between: &'static str) -> Said {
        let parts: Vec<String> = parts.into_iter().map(|part| part.0).collect();
        Said(parts.join(between))
    }
}

impl From<&'static str> for Said {
    fn from(own: &'static str) -> Said {
        Said(own.to_owned())
    }
}

/// Text that was composed elsewhere is foreign, even if co composed it.
impl From<String> for Said {
    fn from(text: String) -> Said {
        Said(Foreign(&text).line().into_owned())
    }
}

impl From<&String> for Said {
    fn from(text: &String) -> Said {
        Said(Foreign(text).line().into_owned())
    }
}

impl From<Cow<'_, str>> for Said {
    fn from(text: Cow<'_, str>) -> Said {
        Said(Foreign(&text).line().into_owned())
    }
}

impl From<Foreign<'_>> for Said {
    fn from(text: Foreign<'_>) -> Said {
        Said(text.line().into_owned())
    }
}

/// For code that treats it as any text, and passes it through here again before it is printed.
impl From<Said> for String {
    fn from(said: Said) -> String {
        said.0
    }
}

impl From<&Said> for Said {
    fn from(said: &Said) -> Said {
        said.clone()
    }
}

impl FromIterator<Said> for Said {
    fn from_iter<I: IntoIterator<Item = Said>>(parts: I) -> Said {
        Said(parts.into_iter().map(|part| part.0).collect())
    }
}

impl Extend<Said> for Said {
    fn extend<I: IntoIterator<Item = Said>>(&mut self, parts: I) {
        self.0.extend(parts.into_iter().map(|part| part.0));
    }
}

impl<T: Into<Said>> std::ops::Add<T> for Said {
    type Output = Said;

    fn add(mut self, more: T) -> Said {
        self.push(more);
        self
    }
}

impl serde::Serialize for Said {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_in_is_one_line() {
        let hostile = "x\n## y\u{1b}[2J";
        let inner = said!("{}\n", hostile);
        assert_eq!(said!("a\n{}: {}", 7, inner).as_str(), "a\n7: x ## y\\u{1b}[2J\n");
        assert_eq!(
            said!("{:>4}|{:<4}|{:^4}|{:.1}|{:03}", 1, "b", "c", 2.25, 7).as_str(),
            "   1|b   | c  |2.2|007"
        );
        assert_eq!(Said::from(hostile.to_owned()).as_str(), "x ## y\\u{1b}[2J");
    }

    #[test]
    fn what_is_pushed_is_what_would_be_composed() {
        let long = "x".repeat(1_200);
        let long = long.as_str();
        for texts in [
            vec![],
            vec!["python"],
            vec!["a", "b", "c d"],
            vec!["a\nb", "c"],
            vec!["tea", "\u{1b}[2J", "\u{202e}x"],
            vec!["日本", "\u{fe00}x", "e", "\u{301}"],
            vec![long, "short"],
            vec![long, long],
        ] {
            let texts: Vec<String> = texts.into_iter().map(str::to_owned).collect();
            let mut pushed = Said::new();
            pushed.push_number(7, 1);
            pushed.push_own(" ");
            pushed.push_own("[");
            pushed.push_joined(texts.iter().map(String::as_str));
            pushed.push_own("] ");
            pushed.push_line(&texts.concat());
            pushed.push_own(" ");
            pushed.push_line_with(&texts.concat(), "...");
            let cut = format!("{}...", texts.concat());
            let composed = said!("7 [{}] {} {}", texts.join(", "), texts.concat(), cut);
            assert_eq!(pushed, composed, "{texts:?}");
        }
    }
}
