//! The command line: arguments in, verbs called, reports rendered, exit codes out.
//!
//! Invariant: standard output is data, standard error everything else; nothing here decides what a verb does.

pub mod args;
mod dispatch;
mod generate;
mod hooks;
mod json;
mod look;
mod prompt;
mod render;
mod render_diff;
mod render_sync;
mod review;
mod secrets;
mod topics;

pub use generate::{completions, man_pages};

use crate::identity::secrets::redact;
use crate::ops::{Exit, Failure};
use crate::system::{Machine, machine::Overrides};
use args::{Cli, Common};
use clap::{CommandFactory, Parser};
use dispatch::Outcome;
use look::Look;
use std::{
    ffi::OsString,
    io::{self, IsTerminal},
    process::ExitCode,
};

/// Runs the command line of a process.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match Cli::try_parse_from(&arguments) {
        Ok(cli) => ExitCode::from(carry_out(cli).code()),
        Err(error) => ExitCode::from(refuse(&error, &arguments).code()),
    }
}

fn carry_out(cli: Cli) -> Exit {
    let common = cli.common.clone();
    let overrides = Overrides { identity: common.identity.clone(), directory: common.directory.clone() };
    let command = dispatch::name(&cli.command);
    match Machine::look(&overrides) {
        Ok(machine) => {
            let looks = (Look::of(&io::stdout(), common.color, Some(&machine)), Look::of(&io::stderr(), common.color, Some(&machine)));
            let result = dispatch::run(cli, &machine, looks.0, looks.1);
            finish(command, result, &common, looks.1)
        }
        Err(error) => finish(command, Err(error.into()), &common, Look::of(&io::stderr(), common.color, None)),
    }
}

/// Errors and warnings quote what programs and files said; none of that may hold a secret.
fn redacted(result: Result<Outcome, Failure>) -> Result<Outcome, Failure> {
    let text = |text: String| redact(&text).into_owned();
    let failure = |failure: Failure| Failure { message: text(failure.message), hints: failure.hints.into_iter().map(text).collect(), ..failure };
    match result {
        Ok(outcome) => {
            let warnings = outcome.warnings.into_iter().map(text).collect();
            Ok(Outcome { warnings, failure: outcome.failure.map(failure), ..outcome })
        }
        Err(failed) => Err(failure(failed)),
    }
}

fn finish(command: &str, result: Result<Outcome, Failure>, common: &Common, look: Look) -> Exit {
    let (out, err, exit) = match redacted(result) {
        Ok(outcome) => {
            let warnings = if common.json { String::new() } else { warnings(&outcome.warnings, look) };
            let exit = outcome.failure.as_ref().map_or(Exit::Done, |failure| failure.exit);
            let told = outcome.failure.as_ref().filter(|failure| !failure.message.is_empty());
            let out = match (&outcome.failure, common.json || outcome.as_json) {
                (Some(failure), true) => json::failure(command, &(outcome.data)(), &outcome.warnings, failure),
                (None, true) => json::success(command, (outcome.data)(), &outcome.warnings),
                (_, false) if common.quiet && !outcome.is_data => String::new(),
                (_, false) => outcome.text,
            };
            let error = told.filter(|_| !common.json).map(|failure| complaint(failure, look)).unwrap_or_default();
            (out, format!("{warnings}{error}"), exit)
        }
        Err(failure) if common.json => (json::failure(command, &serde_json::Value::Null, &[], &failure), String::new(), failure.exit),
        Err(failure) => (String::new(), complaint(&failure, look), failure.exit),
    };
    // A standard error that is gone is no reason to fail; a standard output that is gone (a full disk, not a closed pipe) is.
    let _ = look::write(io::stderr().lock(), &err);
    match look::write(io::stdout().lock(), &out) {
        Ok(()) => exit,
        Err(_) => Exit::Other,
    }
}

fn warnings(warnings: &[String], look: Look) -> String {
    let line = |warning: &String| {
        // Messages of the seeds carry their own words.
        let plain = ["WARNING:", "ERROR:", "⚠"].iter().any(|head| warning.starts_with(head));
        let text = look::safe(warning);
        if plain { format!("{}\n", look.edited(&text)) } else { format!("{} {text}\n", look.edited("warning:")) }
    };
    warnings.iter().map(line).collect()
}

fn complaint(failure: &Failure, look: Look) -> String {
    let mut text = format!("{} {}\n", look.forgotten("error:"), look::safe(&failure.message));
    for hint in &failure.hints {
        text.push_str(&format!("{} {}\n", look.dim("hint:"), look::safe(hint)));
    }
    text
}

/// What clap has to say: help and version are no errors.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> Exit {
    if !error.use_stderr() {
        let _ = look::write(io::stdout().lock(), &error.render().to_string());
        return Exit::Done;
    }
    if arguments.iter().any(|argument| argument == "--json") {
        let message = error.to_string();
        let message = redact(&message);
        let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned();
        let failure = Failure::new(Exit::Usage, first).hint("`co help` and `co COMMAND --help` say what is possible");
        let _ = look::write(io::stdout().lock(), &json::failure("", &serde_json::Value::Null, &[], &failure));
        return Exit::Usage;
    }
    // A hook never ends with 2, which agents read as "block".
    let is_hook = arguments.get(1).is_some_and(|word| word == "hook");
    let seen = io::stderr().is_terminal() && !crate::system::terminal::is_plain();
    let text = error.render();
    let text = if seen { text.ansi().to_string() } else { text.to_string() };
    // What was typed is quoted, and may be a value on the wrong command line.
    let _ = look::write(io::stderr().lock(), &redact(&text));
    if is_hook { Exit::Other } else { Exit::Usage }
}

/// The whole definition, for help, man pages and completions.
pub fn definition() -> clap::Command {
    Cli::command()
}
