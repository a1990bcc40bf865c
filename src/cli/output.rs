//! The result of a verb, and how it is printed.
//!
//! Invariant: standard output is data, standard error everything else; with `--json` standard
//! output is exactly one object, even on failure. No secret that the rules recognise is printed.
//! What is printed is [`Said`]; exact text goes only into a pipe.

use super::{
    failure::{Exit, Failure},
    json,
    style::Style,
    wrap,
};
use crate::foreign::{Foreign, Said, said};
use crate::identity::Finding;
use crate::machine::{Context, terminal};
use crate::secrets::redact;

use serde::Serialize;
use serde_json::{Value, value::RawValue};
use std::io::{self, IsTerminal, Write};

pub(super) struct Output {
    pub(super) text: Said,
    /// The exact text for a pipe, instead of `text`.
    pub(super) exact: Option<String>,
    /// Built only when JSON is printed.
    pub(super) data: Box<dyn FnOnce() -> Box<RawValue>>,
    pub(super) warnings: Vec<String>,
    /// Warnings that already begin with their own sign, such as `WARNING: `.
    pub(super) seeds: Vec<String>,
    /// What `--verbose` adds to them.
    pub(super) notes: Vec<String>,
    pub(super) ending: Ending,
    /// Whether the text is the requested data, which `--quiet` does not suppress.
    pub(super) is_data: bool,
    pub(super) layout: Layout,
}

/// How a terminal may lay out the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// Lines for a person: wrapped at the terminal's width, and paged.
    Lines,
    /// Like `Lines`, but only of co's own words.
    Prose,
    /// The text is the requested data, and is not wrapped.
    Unbroken,
}

/// How a verb that has data ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Done,
    /// Exit 1 without a message: the text says what was found.
    Found,
    Failed(Failure),
}

impl<E: Into<Failure>> From<Option<E>> for Ending {
    fn from(failure: Option<E>) -> Ending {
        failure.map_or(Ending::Done, |failure| Ending::Failed(failure.into()))
    }
}

impl Ending {
    pub(super) fn found(found: bool) -> Ending {
        if found { Ending::Found } else { Ending::Done }
    }
}

impl Output {
    /// For a verb that did something: `--quiet` suppresses the text.
    pub(super) fn done(text: impl Into<Said>, data: impl Serialize + 'static) -> Output {
        let data = move || json::raw(&serde_json::to_value(data).unwrap_or(Value::Null));
        Output {
            text: text.into(),
            exact: None,
            data: Box::new(data),
            warnings: Vec::new(),
            seeds: Vec::new(),
            notes: Vec::new(),
            ending: Ending::Done,
            is_data: false,
            layout: Layout::Lines,
        }
    }

    /// For a verb whose text is the requested data: `--quiet` keeps it.
    pub(super) fn data(text: impl Into<Said>, data: impl Serialize + 'static) -> Output {
        Output { is_data: true, ..Output::done(text, data) }
    }

    /// Like [`Output::data`], for thousands of entries, which become JSON one by one. Their numbers
    /// are whole: an `f32` would not be printed as other verbs print it.
    pub(super) fn list(text: impl Into<Said>, data: impl Serialize + 'static) -> Output {
        Output { is_data: true, data: Box::new(move || json::raw(&data)), ..Output::done(text, ()) }
    }

    /// Like [`Output::data`], for lines that are not wrapped at the terminal's width.
    pub(super) fn unbroken(text: impl Into<Said>, data: impl Serialize + 'static) -> Output {
        Output { layout: Layout::Unbroken, ..Output::data(text, data) }
    }

    /// Like [`Output::data`], for text that a pipe gets exactly: a file, a value, a script. A
    /// terminal gets its lines without invisible characters.
    pub(super) fn exact(text: String, data: impl Serialize + 'static) -> Output {
        let shown = Foreign(&text).quote("");
        Output { exact: Some(text), ..Output::unbroken(shown, data) }
    }

    /// Like [`Output::data`], for data that is expensive to build.
    pub(super) fn lazy(text: impl Into<Said>, data: impl FnOnce() -> Value + 'static) -> Output {
        let data = Box::new(move || json::raw(&data()));
        Output { is_data: true, data, ..Output::done(text, ()) }
    }

    /// Without secrets that the rules recognise, for texts of files that were never checked.
    pub(super) fn redacted(mut self) -> Output {
        self.text = self.text.rewritten(redact);
        self
    }

    /// Problems of a context: warnings that begin with their own sign, and others, which never do.
    pub(super) fn warned(mut self, warnings: Vec<String>) -> Output {
        let is_of_seed = |warning: &String| {
            ["WARNING: ", "ERROR: ", "⚠ "].iter().any(|sign| warning.starts_with(sign))
        };
        (self.seeds, self.warnings) = warnings.into_iter().partition(is_of_seed);
        self
    }

    /// Adds what was done on the way, unless it says so itself.
    pub(super) fn noting(mut self, noted: Vec<String>) -> Output {
        let new: Vec<String> =
            noted.into_iter().filter(|note| !self.notes.contains(note)).collect();
        self.notes.extend(new);
        self
    }

    pub(super) fn skipped(mut self, findings: &[Finding]) -> Output {
        let line = |finding: &Finding| {
            let line = finding.line.map_or_else(String::new, |line| format!(":{line}"));
            format!("{}{line}: {}; skipped", finding.path, finding.message)
        };
        self.warnings.extend(findings.iter().map(line));
        self
    }
}

#[derive(Clone, Copy)]
pub(super) struct Form<'a> {
    pub(super) json: bool,
    pub(super) quiet: bool,
    pub(super) out: Style,
    pub(super) err: Style,
    /// Set if a long text may be paged.
    pub(super) pager: Option<&'a Context>,
}

pub(super) fn print(command: &str, result: Result<Output, Failure>, form: Form<'_>) -> Exit {
    let (out, err, exit) = match result {
        Ok(output) => printed(command, output, form),
        Err(failure) if form.json => {
            let failure = redacted(&failure);
            let text = json::failure(command, &Value::Null, &[], &failure);
            (text, Said::new(), failure.exit)
        }
        Err(failure) => (String::new(), complaint(&failure, form.err), failure.exit),
    };
    // A closed standard error is not a failure; a standard output that cannot be written is (a full
    // disk, not a closed pipe).
    let err = match form.err.width {
        Some(width) => err.rewritten(|err| wrap::wrapped(err, width).into()),
        None => err,
    };
    let _ = write(io::stderr().lock(), err.as_str());
    match write(io::stdout().lock(), &out) {
        Ok(()) => exit,
        Err(error) => {
            say(&said!("error: cannot write to standard output: {}\n", error));
            Exit::Other
        }
    }
}

fn printed(command: &str, output: Output, form: Form<'_>) -> (String, Said, Exit) {
    let warnings: Vec<String> =
        output.warnings.iter().map(|warning| redact(warning).into_owned()).collect();
    let (exit, failure) = match output.ending {
        Ending::Done => (Exit::Done, None),
        Ending::Found => (Exit::Found, None),
        Ending::Failed(failure) => (failure.exit, Some(redacted(&failure))),
    };
    if form.json {
        let data = (output.data)();
        let seeds = output.seeds.iter().map(|warning| redact(warning).into_owned());
        let warnings: Vec<String> = seeds.chain(warnings).collect();
        let text = match (&failure, exit) {
            (Some(failure), _) => json::failure(command, &data, &warnings, failure),
            (None, Exit::Done) => json::success(command, &data, &warnings),
            (None, exit) => {
                let found = Failure::new(exit, "something was found");
                json::failure(command, &data, &warnings, &found)
            }
        };
        return (text, Said::new(), exit);
    }
    // The program ends soon: the facts of a long list need not be freed one by one.
    std::mem::forget(output.data);
    let note = |note: &String| said!("{}\n", form.err.dim(note));
    let mut err: Said = output.notes.iter().map(note).collect();
    err.extend(output.seeds.iter().map(|warning| of_seed(&redact(warning), form.err)));
    let warning = |warning: &String| said!("{} {}\n", form.err.edited("warning:"), warning);
    err.extend(warnings.iter().map(warning));
    if let Some(failure) = &failure {
        err.push(complaint(failure, form.err));
    }
    let out = match (output.exact, form.out.width) {
        _ if form.quiet && !output.is_data => String::new(),
        (Some(exact), None) => exact,
        _ if output.layout == Layout::Unbroken => output.text.into_string(),
        _ => laid_out(output.text, output.layout, output.is_data, form),
    };
    (out, err, exit)
}

/// The text for a terminal; empty if a pager has shown it.
fn laid_out(text: Said, layout: Layout, is_data: bool, form: Form<'_>) -> String {
    let Some(width) = form.out.width else { return text.into_string() };
    let text = match layout {
        Layout::Prose => wrap::prose(text.as_str(), width),
        Layout::Lines | Layout::Unbroken => wrap::wrapped(text.as_str(), width),
    };
    match form.pager.filter(|_| is_data) {
        Some(context) if terminal::page(context, &text) => String::new(),
        _ => text,
    }
}

/// A warning that begins with its own sign, with its further lines below the first.
fn of_seed(warning: &str, style: Style) -> Said {
    let (first, rest) = warning.split_once('\n').unwrap_or((warning, ""));
    let rest = rest.lines().map(|line| said!("\n  {}", line.trim_start()));
    let lines: Said = std::iter::once(style.edited(Foreign(first))).chain(rest).collect();
    lines + "\n"
}

pub(super) fn complaint(failure: &Failure, style: Style) -> Said {
    let failure = redacted(failure);
    // Declining is not an error.
    if failure.exit == Exit::Declined && failure.hints.is_empty() {
        return said!("{}.\n", failure.message);
    }
    let mut text = said!("{} {}\n", style.forgotten("error:"), failure.message);
    for hint in &failure.hints {
        text.push(said!("{} {}\n", style.dim("hint:"), hint));
    }
    text
}

/// Errors and hints quote programs and files, which must not leak a secret.
fn redacted(failure: &Failure) -> Failure {
    Failure {
        message: redact(&failure.message).into_owned(),
        hints: failure.hints.iter().map(|hint| redact(hint).into_owned()).collect(),
        exit: failure.exit,
    }
}

/// Writes to standard error while a verb is running.
pub(super) fn say(text: &Said) {
    let seen = io::stderr().is_terminal();
    let wrapped = seen.then(|| wrap::wrapped(text.as_str(), terminal::width()));
    // A closed standard error is no reason to stop.
    let _ = write(io::stderr().lock(), wrapped.as_deref().unwrap_or(text.as_str()));
}

/// Writes a JSON object on one line to standard output while a verb is running.
pub(super) fn answer(answer: &Value) -> Result<(), Failure> {
    write(io::stdout().lock(), &json::line(answer)).map_err(|error| {
        let message = format!("cannot write to standard output: {error}");
        Failure::new(Exit::Other, message)
            .hint("check the disk, or the program that reads the output")
    })
}

/// Help, or a usage error, in clap's words and colours: what it quotes was already made safe.
pub(super) fn of_clap(stream: impl Write + IsTerminal, text: &str) -> Exit {
    let wrapped = stream.is_terminal().then(|| wrap::prose(text, terminal::width()));
    let written = write(stream, wrapped.as_deref().unwrap_or(text));
    written.map_or(Exit::Other, |()| Exit::Done)
}

/// A closed pipe is not an error.
fn write(mut stream: impl Write, text: &str) -> io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
