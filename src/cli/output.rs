//! The result of a verb, and how it is printed.
//!
//! Invariant: standard output is data, standard error everything else; with `--json` standard
//! output is exactly one object, on failure too. No secret that the rules know is printed.

use super::{
    json, layout,
    style::{Style, safe},
};
use crate::identity::Finding;
use crate::ops::{Exit, Failure};
use crate::secrets::redact;
use crate::system::{Context, terminal};
use serde::Serialize;
use serde_json::Value;
use std::io::{self, IsTerminal, Write};

pub(super) struct Output {
    pub(super) text: String,
    /// Built only when JSON is printed.
    pub(super) data: Box<dyn FnOnce() -> Value>,
    pub(super) warnings: Vec<String>,
    /// What `--verbose` tells beside them.
    pub(super) notes: Vec<String>,
    pub(super) ending: Ending,
    /// Whether the text is what was asked for, and is printed under `--quiet`.
    pub(super) is_data: bool,
    /// Whether a format option asked for JSON.
    pub(super) as_json: bool,
    pub(super) layout: Layout,
}

/// What a terminal may do with the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Layout {
    /// Lines for a person: broken at the terminal's width, and paged.
    Lines,
    /// The text itself is what was asked for, to the byte.
    Verbatim,
}

/// How a verb that has data ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    Done,
    /// Exit 1 without a message: the text says what was found.
    Found,
    Failed(Failure),
}

impl From<Option<Failure>> for Ending {
    fn from(failure: Option<Failure>) -> Ending {
        failure.map_or(Ending::Done, Ending::Failed)
    }
}

impl Ending {
    pub(super) fn found(found: bool) -> Ending {
        if found { Ending::Found } else { Ending::Done }
    }
}

impl Output {
    /// For a verb that did something: `--quiet` drops the text.
    pub(super) fn done(text: String, data: impl Serialize + 'static) -> Output {
        let data = Box::new(move || serde_json::to_value(data).unwrap_or(Value::Null));
        Output {
            text,
            data,
            warnings: Vec::new(),
            notes: Vec::new(),
            ending: Ending::Done,
            is_data: false,
            as_json: false,
            layout: Layout::Lines,
        }
    }

    /// As [`Output::data`], for text that somebody wrote: a file, a value, a script.
    pub(super) fn verbatim(text: String, data: impl Serialize + 'static) -> Output {
        Output { layout: Layout::Verbatim, ..Output::data(text, data) }
    }

    /// For a verb that was asked for the text: `--quiet` keeps it.
    pub(super) fn data(text: String, data: impl Serialize + 'static) -> Output {
        Output { is_data: true, ..Output::done(text, data) }
    }

    /// As [`Output::data`], for data that is expensive to build.
    pub(super) fn lazy(text: String, data: impl FnOnce() -> Value + 'static) -> Output {
        Output { is_data: true, data: Box::new(data), ..Output::done(text, ()) }
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
    /// Where a long text may be shown page by page.
    pub(super) pager: Option<&'a Context>,
}

pub(super) fn print(command: &str, result: Result<Output, Failure>, form: Form<'_>) -> Exit {
    let (out, err, exit) = match result {
        Ok(output) => printed(command, output, form),
        Err(failure) if form.json => {
            let failure = redacted(&failure);
            let text = json::failure(command, &Value::Null, &[], &failure);
            (text, String::new(), failure.exit)
        }
        Err(failure) => (String::new(), complaint(&failure, form.err), failure.exit),
    };
    // A closed standard error is no failure; a standard output that cannot be written is (a full
    // disk, not a closed pipe).
    let err = form.err.width.map_or_else(|| err.clone(), |width| layout::wrapped(&err, width));
    let _ = write(io::stderr().lock(), &err);
    match write(io::stdout().lock(), &out) {
        Ok(()) => exit,
        Err(error) => {
            say(&format!("error: standard output cannot be written: {error}\n"));
            Exit::Other
        }
    }
}

fn printed(command: &str, output: Output, form: Form<'_>) -> (String, String, Exit) {
    let warnings: Vec<String> =
        output.warnings.iter().map(|warning| redact(warning).into_owned()).collect();
    let (exit, failure) = match output.ending {
        Ending::Done => (Exit::Done, None),
        Ending::Found => (Exit::Found, None),
        Ending::Failed(failure) => (failure.exit, Some(redacted(&failure))),
    };
    if form.json || output.as_json {
        let data = (output.data)();
        let text = match (&failure, exit) {
            (Some(failure), _) => json::failure(command, &data, &warnings, failure),
            (None, Exit::Done) => json::success(command, &data, &warnings),
            (None, exit) => {
                let found = Failure::new(exit, "something was found");
                json::failure(command, &data, &warnings, &found)
            }
        };
        return (text, String::new(), exit);
    }
    let note = |note: &String| format!("{}\n", form.err.dim(&safe(note)));
    let mut err: String = output.notes.iter().map(note).collect();
    err.extend(warnings.iter().map(|warning| warning_line(warning, form.err)));
    if let Some(failure) = &failure {
        err.push_str(&complaint(failure, form.err));
    }
    let mut out = if form.quiet && !output.is_data { String::new() } else { output.text };
    if output.layout == Layout::Lines {
        out = laid_out(out, output.is_data, form);
    }
    (out, err, exit)
}

/// The text as a terminal shows it; empty when a pager has shown it.
fn laid_out(text: String, is_data: bool, form: Form<'_>) -> String {
    let Some(width) = form.out.width else { return text };
    let text = layout::wrapped(&text, width);
    match form.pager.filter(|_| is_data) {
        Some(context) if terminal::page(context, &text) => String::new(),
        _ => text,
    }
}

fn warning_line(warning: &str, style: Style) -> String {
    // Messages of the seeds have their own prefix.
    let own = ["WARNING:", "ERROR:", "⚠"].iter().any(|head| warning.starts_with(head));
    let text = safe(warning);
    if own {
        return format!("{}\n", style.edited(&text));
    }
    format!("{} {text}\n", style.edited("warning:"))
}

pub(super) fn complaint(failure: &Failure, style: Style) -> String {
    let failure = redacted(failure);
    // Declining is no error.
    if failure.exit == Exit::Declined && failure.hints.is_empty() {
        return format!("{}.\n", safe(&failure.message));
    }
    let mut text = format!("{} {}\n", style.forgotten("error:"), safe(&failure.message));
    for hint in &failure.hints {
        text.push_str(&format!("{} {}\n", style.dim("hint:"), safe(hint)));
    }
    text
}

/// Errors and hints quote what programs and files said; none of that may hold a secret.
fn redacted(failure: &Failure) -> Failure {
    Failure {
        message: redact(&failure.message).into_owned(),
        hints: failure.hints.iter().map(|hint| redact(hint).into_owned()).collect(),
        exit: failure.exit,
    }
}

/// Writes to standard error while a verb is running.
pub(super) fn say(text: &str) {
    let seen = io::stderr().is_terminal();
    let text = if seen { layout::wrapped(text, terminal::width()) } else { text.to_owned() };
    // A closed standard error is no reason to stop.
    let _ = write(io::stderr().lock(), &text);
}

/// Writes a line of data to standard output while a verb is running.
pub(super) fn answer(line: &str) -> Result<(), Failure> {
    write(io::stdout().lock(), line).map_err(|error| {
        let message = format!("standard output cannot be written: {error}");
        Failure::new(Exit::Other, message).hint("look at the disk, or at the program behind it")
    })
}

/// A closed pipe is no error.
pub(super) fn write(mut stream: impl Write, text: &str) -> io::Result<()> {
    match stream.write_all(text.as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
