//! `co secret …`: the value's way between a person and the keyring, and what is said about it.
//!
//! Invariant: only `get` prints a value.

use super::{
    args::{Scan, Secret},
    dispatch::Outcome,
    look::{Look, safe},
    prompt, render,
};
use crate::identity::secrets::redact;
use crate::ops::{Exit, Failure, guard, scan, secret};
use crate::system::{Machine, files, git::without_credentials};
use serde_json::json;
use std::io::IsTerminal;

/// The most that is read from a pipe, in bytes; more than a value may have, so that the refusal can say so.
const MAX_INPUT: u64 = 1024 * 1024;

/// Carries it out.
pub fn run(machine: &Machine, verb: Secret, ask: bool, look: Look) -> Result<Outcome, Failure> {
    match verb {
        Secret::Set { name, value } => set(machine, &name, !value.is_empty(), ask, look),
        Secret::Get { name } => get(machine, &name, look),
        Secret::List => {
            let rows = secret::list()?;
            Ok(Outcome::data(listed(&rows), json!({ "secrets": rows })))
        }
        Secret::Rm { name } => {
            let count = secret::remove(machine, &name)?;
            let entries = if count > 1 { format!(" ({count} entries, of several programs)") } else { String::new() };
            let text = format!("{} Removed {} from the keyring{entries}.\n", look.forgotten("✓"), safe(&name));
            Ok(Outcome::done(text, json!({ "name": name, "entries": count })))
        }
        Secret::Status { exit_code } => {
            let report = secret::status(machine)?;
            let failure = (exit_code && !report.missing().is_empty()).then(|| Failure::new(Exit::Found, ""));
            let warnings = report.problem.clone().filter(|_| !report.needs.is_empty()).into_iter().collect();
            Ok(Outcome { failure, warnings, ..Outcome::data(status(&report, look), report) })
        }
        Secret::Scan(args) => scanned(machine, args, look),
    }
}

fn set(machine: &Machine, name: &str, on_command_line: bool, ask: bool, look: Look) -> Result<Outcome, Failure> {
    secret::sound_name(name)?;
    if on_command_line {
        return Err(Failure::new(Exit::Usage, "a value is never given on the command line, where every program can read it; nothing was stored")
            .hint(format!("`co secret set {name}` asks for it; `… | co secret set {name}` reads it from a pipe"))
            .hint("if it was a real one, it is in your shell's history now: remove it there, or have a new one issued"));
    }
    let value = if std::io::stdin().is_terminal() {
        if !ask {
            return Err(
                Failure::new(Exit::Declined, "the value is asked for on a terminal, or read from a pipe").hint(format!("`… | co secret set {name}`"))
            );
        }
        prompt::hidden(&format!("Value of {name}"))?.into_bytes()
    } else {
        files::read_stdin(MAX_INPUT)?
    };
    let stored = secret::set(machine, name, value)?;
    let verb = if stored.replaced { "Replaced" } else { "Stored" };
    let text = format!("{} {verb} {name} in the keyring. Where it is needed, write {{{{secret:{name}}}}}.\n", look.learned("✓"));
    let mut outcome = Outcome::done(text, stored.clone());
    if stored.overridden {
        let variable = crate::identity::secrets::reference::variable(name);
        outcome.warnings.push(format!("{variable} is set in the environment and wins over the keyring"));
    }
    Ok(outcome)
}

fn get(machine: &Machine, name: &str, look: Look) -> Result<Outcome, Failure> {
    let got = secret::get(machine, name)?;
    let Ok(value) = std::str::from_utf8(got.value.expose()) else {
        return Err(Failure::new(Exit::Other, format!("the value of {name} has {} bytes and is no text", got.value.expose().len()))
            .hint(format!("`secret-tool lookup service co-cli username {name} > FILE` writes the bytes")));
    };
    // On a terminal the prompt belongs on a line of its own; a pipe gets the value and nothing else.
    let text = if look.width.is_some() { format!("{}\n", safe(value)) } else { value.to_owned() };
    let data = json!({ "name": got.name, "origin": got.origin, "value": value });
    Ok(Outcome { warnings: got.warnings, ..Outcome::data(text, data) })
}

fn listed(rows: &[secret::Row]) -> String {
    if rows.is_empty() {
        return "No secrets in the keyring. `co secret set NAME` stores one.\n".to_owned();
    }
    let width = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
    let row = |row: &secret::Row| {
        let program = row.program.as_deref().filter(|program| *program != "co").map_or_else(String::new, |program| format!("  stored by {program}"));
        safe(&format!("{:width$}  {}{program}\n", row.name, row.modified.split('T').next().unwrap_or_default()))
    };
    rows.iter().map(row).collect()
}

fn status(report: &secret::Status, look: Look) -> String {
    if report.needs.is_empty() {
        return "No secret is mentioned: neither {{secret:NAME}} in the identity nor in settings.json.\n".to_owned();
    }
    let width = report.needs.iter().map(|need| need.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for need in &report.needs {
        let state = match need.origin {
            Some(secret::Origin::Keyring) => look.learned("keyring    "),
            Some(secret::Origin::Environment) => look.learned("environment"),
            None if need.missing => look.forgotten("missing    "),
            None => look.edited("unknown    "),
        };
        let more = if need.places.len() > 3 { format!(" and {} more", need.places.len() - 3) } else { String::new() };
        let places = need.places.iter().take(3).cloned().collect::<Vec<_>>().join(", ") + &more;
        text.push_str(&format!("{:width$}  {state}  {}\n", safe(&need.name), look.dim(&safe(&look.fit(&places, width + 15)))));
    }
    let missing = report.missing();
    match (missing.as_slice(), &report.problem) {
        (_, Some(_)) => report.hints.iter().for_each(|hint| text.push_str(&format!("{} {}\n", look.dim("hint:"), safe(hint)))),
        ([], None) => text.push_str(&format!("{} This laptop has all of them.\n", look.learned("✓"))),
        ([first, ..], None) => {
            let are = render::plural(missing.len(), "secret is missing", "secrets are missing");
            text.push_str(&format!("{are} on this laptop: `co secret set {first}`\n"));
        }
    }
    text
}

fn scanned(machine: &Machine, args: Scan, look: Look) -> Result<Outcome, Failure> {
    let report = scan::run(machine, &scan::Request { path: args.path, history: args.history, allow: args.allow.rules })?;
    let mut text = String::new();
    for place in &report.secrets {
        let commit = place.commit.as_ref().map_or_else(String::new, |commit| format!("{commit}:"));
        let line = place.secret.line.map_or_else(String::new, |line| format!(":{line}"));
        let head = look.strong(&safe(&format!("{commit}{}{line}", place.path)));
        text.push_str(&format!("{head}  {} {}  {}\n", place.secret.what, look.dim(&format!("[{}]", place.secret.rule)), safe(&place.secret.excerpt)));
    }
    let what = if args.history { render::plural(report.files, "version", "versions") } else { render::plural(report.files, "file", "files") };
    if report.secrets.is_empty() && !report.unreadable.is_empty() {
        text.push_str(&format!("{what}; no secret found in what could be read, {} could not.\n", report.unreadable.len()));
    } else if report.secrets.is_empty() {
        text.push_str(&format!("{} {what}, no secret found.\n", look.learned("✓")));
    } else {
        text.push_str(&format!("{} in {what}.\n", render::plural(report.secrets.len(), "secret", "secrets")));
    }
    if !report.removal.is_empty() {
        text.push_str("\nWhat is committed stays in history until it is rewritten. In this order:\n\n");
        report.removal.iter().enumerate().for_each(|(at, step)| text.push_str(&format!("  {}. {}\n", at + 1, safe(step))));
    } else if !report.secrets.is_empty() {
        text.push_str(&format!(
            "Keep values in the keyring (`co secret set NAME`) and write {{{{secret:NAME}}}}; `{}` on a line lets it pass.\n",
            crate::identity::secrets::ALLOW
        ));
    }
    if let Some(log) = &report.log {
        let log = machine.shown(log);
        text.push_str(&format!(
            "co's log for undo, {log}, holds what files held before, and a secret among it. Removing it costs undo, nothing else.\n"
        ));
    }
    let failure = (!report.secrets.is_empty() || !report.unreadable.is_empty()).then(|| Failure::new(Exit::Found, ""));
    let warnings = report.unreadable.clone();
    Ok(Outcome { failure, warnings, ..Outcome::data(text, report) })
}

/// What to say about a URL with a password in it, which git keeps in its configuration as plain text.
pub fn password_in(url: &str) -> Vec<String> {
    if without_credentials(url) == url && redact(url) == url {
        return Vec::new();
    }
    let better = "`co secret set git-token`, and \"sync\": {\"username\": \"…\", \"password\": \"{{secret:git-token}}\"} in settings.json";
    vec![format!("the URL holds a password, which git writes into .git/config as plain text; better keep it in the keyring: {better}")]
}

/// The rules that a person overrides on the command line.
pub fn allowed(allow: &super::args::Allow) -> Result<crate::identity::secrets::Allowed, Failure> {
    guard::allowed(&allow.rules)
}
