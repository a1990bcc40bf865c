//! Values that other programs write without the quotes that YAML asks for: `globs: *.ts`,
//! `description: Rules: be nice`.
//!
//! Invariant: only a line that YAML refuses by itself gets quotes, and keeps its line number; what
//! is left open (`[a`, `"x`) is a typing error, and stays one. What a message repeats of a value is
//! redacted before it is cut. Must not know: what any key means.

use super::{
    block::{Fault, key_line},
    value::{Value, trailing_comment},
    yaml,
};
use crate::secrets;

/// The most characters of a value that a message repeats.
const SHOWN: usize = 60;

/// A line whose value needs quotes.
struct Unquoted<'a> {
    /// In the block, from 1.
    line: usize,
    /// What is before the value: `key: ` or `- `.
    label: &'a str,
    /// Without the comment behind it.
    value: &'a str,
    quoted: String,
}

/// The block with the quotes that its values need; `None` if no line can be helped by them.
pub(super) fn with_quotes(block: &str) -> Option<String> {
    let found = unquoted(block);
    let mut quoted = String::with_capacity(block.len() + 2 * found.len());
    let mut left = found.iter().peekable();
    for (at, line) in block.split_inclusive('\n').enumerate() {
        match left.next_if(|one| one.line == at + 1) {
            Some(one) => {
                let end = &line[one.label.len() + one.value.len()..];
                quoted.extend([one.label, &one.quoted, end]);
            }
            None => quoted.push_str(line),
        }
    }
    (!found.is_empty()).then_some(quoted)
}

/// The fault of a block in plain words, if its cause is one of the usual ones.
pub(super) fn explained(block: &str, fault: Fault) -> Fault {
    let Fault::Invalid { line: noticed, .. } = fault else { return fault };
    let found = unquoted(block);
    let value = found.first().map(|one| (one.line, one.told()));
    let lines = block.lines().zip(1..).filter(|(line, _)| is_stray(line));
    let stray = lines.map(|(_, line)| (line, "not `key: value`".to_owned())).next();
    // A parser notices a fault where it is, or below.
    let causes = value.into_iter().chain(stray).filter(|(line, _)| *line <= noticed);
    match causes.min_by_key(|(line, _)| *line) {
        Some((line, message)) => Fault::Invalid { line, message },
        None => fault,
    }
}

impl Unquoted<'_> {
    fn told(&self) -> String {
        // With its key: that can be what tells a secret. Whole: a part of one is not found.
        let line = [self.label, self.value].concat();
        let (line, label) = (secrets::redact(&line), secrets::redact(self.label));
        let value = line.strip_prefix(&*label).unwrap_or("…");
        let mut shown: String = value.chars().take(SHOWN).collect();
        if shown.len() < value.len() {
            shown.push('…');
        }
        let quoted = if shown == self.value {
            self.quoted.clone()
        } else {
            quoted(self.label, &shown).unwrap_or_else(|| Value::Text(shown.clone()).written())
        };
        let label = label.trim_start();
        if self.value.starts_with(|first: char| first.is_alphanumeric()) {
            return format!("a value with `: ` needs quotes: `{label}{quoted}`");
        }
        format!("`{shown}` needs quotes: `{label}{quoted}`")
    }
}

fn unquoted(block: &str) -> Vec<Unquoted<'_>> {
    let mut found = Vec::new();
    let lines: Vec<&str> = block.lines().collect();
    let mut start = 0;
    while start < lines.len() {
        let below = lines[start + 1..].iter().position(|line| !continues(line));
        let end = below.map_or(lines.len(), |below| start + 1 + below);
        // A text of several lines may have anything in it.
        if yaml::read(&format!("{}\n", lines[start..end].join("\n"))).is_err() {
            for (at, &line) in lines.iter().enumerate().take(end).skip(start) {
                let Some((label, value)) = labelled(line) else { continue };
                // Only below a label, so that no line is looked at for more than one.
                let mut below = lines[at + 1..end].iter().filter(|line| !is_void(line));
                if below.next().is_some_and(|next| indent(next) > indent(line)) {
                    continue;
                }
                if let Some(quoted) = quoted(label, value) {
                    found.push(Unquoted { line: at + 1, label, value, quoted });
                }
            }
        }
        start = end;
    }
    found
}

/// Whether a line belongs to the key above it.
fn continues(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with([' ', '\t', '-', '#'])
}

/// Whether a line is blank, or a comment.
fn is_void(line: &str) -> bool {
    let text = line.trim_start();
    text.is_empty() || text.starts_with('#')
}

/// Whether a line is neither a key nor part of one.
fn is_stray(line: &str) -> bool {
    let is_key = line.contains(": ") || line.trim_end().ends_with(':') || line.contains(":\t");
    !(continues(line) || is_key || line.starts_with(['?', '%', '.', ']', '}', '"', '\'']))
}

fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A line as what is before its value, and the value: of a key, or of a list. A comment behind it
/// is in neither.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end();
    let inner = line.trim_start_matches(' ');
    let item = inner.strip_prefix("- ").map(|item| item.trim_start_matches(' '));
    let value = match key_line(item.unwrap_or(inner)) {
        Some((_, _, rest)) => rest.trim_start(),
        None => item?,
    };
    let label = &line[..line.len() - value.len()];
    Some((label, without_comment(value)))
}

/// In a list in brackets, a `#` is text: `[#a, #b]`.
fn without_comment(value: &str) -> &str {
    let list = value.starts_with('[').then(|| value.find(']')).flatten();
    let behind = list.map_or(value, |end| &value[end + 1..]);
    &value[..value.len() - trailing_comment(behind).len()]
}

/// The value with quotes, if it needs them and is whole.
fn quoted(label: &str, value: &str) -> Option<String> {
    if value.is_empty() || is_yaml(label, value) {
        return None;
    }
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    match inner.filter(|inner| !inner.contains(['[', ']', '"', '\''])) {
        Some(inner) => Some(Value::List(items(inner)).written()),
        None => is_whole(value).then(|| Value::Text(value.to_owned()).written()),
    }
}

fn is_yaml(label: &str, value: &str) -> bool {
    let before = if label.trim_end().ends_with('-') { "x:\n- " } else { "x: " };
    yaml::read(&format!("{before}{value}\n")).is_ok()
}

/// Split at the commas that are not between braces: `*.{ts,tsx}` is one item.
fn items(inner: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let parts = inner.split(|letter| {
        depth += i32::from(letter == '{') - i32::from(letter == '}');
        letter == ',' && depth == 0
    });
    parts.map(str::trim).filter(|item| !item.is_empty()).map(str::to_owned).collect()
}

/// Whether nothing is left open, nor closed only at the end: then it is not a text.
fn is_whole(value: &str) -> bool {
    let closes_within = |open: char, close: char| {
        let mut depth = 0_i32;
        let end = value.char_indices().find(|(_, letter)| {
            depth += i32::from(*letter == open) - i32::from(*letter == close);
            depth == 0
        });
        end.is_some_and(|(at, _)| at + 1 < value.len())
    };
    match value.chars().next() {
        Some('[') => closes_within('[', ']'),
        Some('{') => closes_within('{', '}'),
        Some(quote @ ('"' | '\'')) => {
            !value.ends_with(quote) && value.matches(quote).count().is_multiple_of(2)
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_other_programs_write_them_get_quotes() {
        for (typed, expected) in [
            ("globs: *.ts\n", "globs: \"*.ts\"\n"),
            ("a: 1\nd: Rules: be nice\r\nb: x", "a: 1\nd: \"Rules: be nice\"\r\nb: x"),
            ("d: @ann\ne: `x`\nf: %5\n", "d: \"@ann\"\ne: \"`x`\"\nf: \"%5\"\n"),
            ("g: {a,b}/*.{c,d}\n", "g: \"{a,b}/*.{c,d}\"\n"),
            ("g: [*.ts, b, *.{c,d}]\n", "g: [\"*.ts\", b, \"*.{c,d}\"]\n"),
            ("g:\n  - *.ts\n  - b\n", "g:\n  - \"*.ts\"\n  - b\n"),
            ("m:\n  d: a: b\n", "m:\n  d: \"a: b\"\n"),
            ("d: > 5\ne: \"A\" and b\n", "d: \"> 5\"\ne: \"\\\"A\\\" and b\"\n"),
            ("g: *.ts # only\n", "g: \"*.ts\" # only\n"),
            ("d: a: b  # c: d\r\n", "d: \"a: b\"  # c: d\r\n"),
            ("g:\n  - *.ts # t\n  - b # *\n", "g:\n  - \"*.ts\" # t\n  - b # *\n"),
            ("g: [*.ts, b] # x\n", "g: [\"*.ts\", b] # x\n"),
            ("g: [#a, #b] # x\n", "g: [\"#a\", \"#b\"] # x\n"),
            ("d: @a 'b # c' # d\n", "d: \"@a 'b # c'\" # d\n"),
            ("d: @a\t# c\n", "d: \"@a\"\t# c\n"),
            ("d: @the '90s # c\n", "d: \"@the '90s\" # c\n"),
            ("d: @a's #c\n  # e\nf: *.c#d\n", "d: \"@a's\" #c\n  # e\nf: \"*.c#d\"\n"),
        ] {
            assert_eq!(with_quotes(typed).as_deref(), Some(expected), "{typed:?}");
            assert!(yaml::read(expected).is_ok(), "{expected:?}");
        }
        for kept in [
            "a: [b\n",
            "a: \"b\n",
            "a: |\n  b: c: d\n",
            "a: &x b\nc: https://e.org\n",
            "a: b # c: d\n",
            "a word\n",
            "d: a: b\n  and more\n",
            "d: a: b\n  # c\n  and more\n",
            "d: # a: b: c\n",
            "",
        ] {
            assert_eq!(with_quotes(kept), None, "{kept:?}");
        }
    }

    #[test]
    fn blank_lines_cost_nothing() {
        for blank in ["\n", "  \n", "#\n"] {
            let blanks = blank.repeat(40_000);
            let typed = format!("a: [x\n{blanks}b: *.c\n");
            assert_eq!(with_quotes(&typed), Some(format!("a: [x\n{blanks}b: \"*.c\"\n")));
            let fault = Fault::Invalid { line: 40_002, message: String::new() };
            assert!(matches!(explained(&typed, fault), Fault::Invalid { line: 40_002, .. }));
        }
    }

    #[test]
    fn a_message_shows_no_secret() {
        let token = ["ghp_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ0mLq17"].concat();
        for before in [0, 20, 30, 50, 58].map(|length| "x".repeat(length)) {
            for line in [
                format!("a: @{before} {token}"),
                format!("a: x{before}: {token}"),
                format!("a: [*.ts, {before} {token}]"),
                format!("a:\n  - *{before} {token} and more"),
                format!("{token}: *{before}"),
            ] {
                let fault = yaml::read(&line).err().expect("because no quotes are there");
                let Fault::Invalid { message, .. } = explained(&line, fault) else {
                    panic!("{line}")
                };
                assert!(message.contains("needs quotes"), "{line}: {message}");
                assert!(!message.contains("ghp_zQWB"), "{line}: {message}");
            }
        }
    }

    #[test]
    fn usual_faults_are_told_in_plain_words() {
        let told = |block: &str| match yaml::read(block).map_err(|fault| explained(block, fault)) {
            Err(Fault::Invalid { line, message }) => (line, message),
            _ => panic!("{block:?} is read"),
        };
        let globs = "`*.ts` needs quotes: `globs: \"*.ts\"`";
        assert_eq!(told("globs: *.ts\n"), (1, globs.to_owned()));
        assert_eq!(told("globs: *.ts # only\n"), (1, globs.to_owned()));
        let colon = "a value with `: ` needs quotes: `title: \"a: b\"`";
        assert_eq!(told("x: 1\ntitle: a: b\n"), (2, colon.to_owned()));
        assert_eq!(told("x: 1\ny: 2\na word\n"), (3, "not `key: value`".to_owned()));
        assert_eq!(told("x:1\n").0, 1);
        assert!(told("x: [a\n").1.contains("bracket"));
    }
}
