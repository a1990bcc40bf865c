//! `co identity log`

use crate::cli::{
    complete,
    output::Output,
    style::{Style, safe},
    verb::{Cli, Needs, Verb},
};
use crate::merge::change::FieldChange;
use crate::ops::{Failure, log, undo};
use clap::Args;
use clap_complete::ArgValueCandidates;
use serde_json::json;

/// `co identity log`
#[derive(Args, Debug)]
pub struct Log {
    /// A fact: its number (`12`), `12-3fa9` or `sha256:3fa9…`
    #[arg(add = ArgValueCandidates::new(complete::handles))]
    handle: Option<String>,
    /// At most so many operations
    #[arg(short = 'n', long, default_value_t = 20)]
    limit: usize,
}

impl Verb for Log {
    fn name(&self) -> &'static str {
        "identity log"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        if let Some(handle) = self.handle {
            let report = log::life(cli.context, &handle)?;
            return Ok(Output::data(life(&report, cli.style), report));
        }
        let entries = log::run(cli.context, self.limit)?;
        Ok(Output::data(logged(&entries, cli.style), json!({ "operations": entries })))
    }
}

fn logged(entries: &[log::Entry], style: Style) -> String {
    if entries.is_empty() {
        return "Nothing happened here yet.\n".to_owned();
    }
    let mut text = String::new();
    for entry in entries {
        let undoes =
            entry.undoes.map_or_else(String::new, |op| format!("  ({})", undo::handle(op)));
        let undone = if entry.undone { "  (undone)" } else { "" };
        let project =
            entry.project.as_ref().map_or_else(String::new, |folder| format!("  in {folder}"));
        let by = match (&entry.client, &entry.session) {
            (Some(client), Some(session)) => format!("  by {client}, session {session}"),
            _ => String::new(),
        };
        let head = format!(
            "{:>6}  {}  {:<9}",
            undo::handle(entry.op),
            entry.at.chars().take(16).collect::<String>().replace('T', " "),
            past(&entry.verb)
        );
        text.push_str(&format!(
            "{}{}{}\n",
            style.strong(&head),
            safe(&entry.what),
            style.dim(&safe(&format!("{undoes}{undone}{project}{by}")))
        ));
        let mut line = |sign: &str, fact: &str| {
            text.push_str(&format!("          {sign} {}\n", safe(&style.fit(fact, 12))))
        };
        let several = entry.meaning.learned.len()
            + entry.meaning.forgotten.len()
            + entry.meaning.edited.len()
            > 1;
        if several || matches!(entry.verb.as_str(), "by hand" | "merge" | "sync" | "undo" | "redo")
        {
            entry
                .meaning
                .learned
                .iter()
                .take(10)
                .for_each(|fact| line(&style.learned("+"), &fact.summary));
            entry
                .meaning
                .forgotten
                .iter()
                .take(10)
                .for_each(|fact| line(&style.forgotten("-"), &fact.summary));
            entry
                .meaning
                .edited
                .iter()
                .take(10)
                .for_each(|fact| line(&style.edited("~"), &fact.now.summary));
            for change in entry.meaning.relabelled.iter().take(10) {
                let (fact, fields) = (&change.fact, FieldChange::line(&change.fields));
                line(&style.edited("~"), &format!("{} ({fields})", fact.summary));
            }
        }
    }
    text
}

fn past(verb: &str) -> &str {
    match verb {
        "save" => "learned",
        "forget" => "forgot",
        "edit" => "edited",
        "pin" => "pinned",
        "unpin" => "unpinned",
        "save again" => "known",
        "import" => "imported",
        "restore" => "restored",
        "fix" => "fixed",
        "merge" => "merged",
        "undo" => "undid",
        "redo" => "redid",
        "export" => "exported",
        "install" => "set up",
        "uninstall" => "took out",
        "bring back" => "brought back",
        other => other,
    }
}

fn life(life: &log::Life, style: Style) -> String {
    let mut text = format!("{}\n", style.strong(&safe(&life.summary)));
    for event in &life.events {
        let sign = match event.what.as_str() {
            "learned" | "learned again" => style.learned("+"),
            "forgotten" => style.forgotten("-"),
            _ => style.edited("~"),
        };
        let at = event.at.chars().take(16).collect::<String>().replace('T', " ");
        let place = style.dim(&safe(&format!(
            "{} {}",
            event.commit.as_deref().map_or("not committed", |id| &id[..7.min(id.len())]),
            event.who
        )));
        let detail = safe(&style.fit(&event.detail, 38));
        text.push_str(&format!("  {at}  {sign} {:<14} {detail}\n", event.what));
        text.push_str(&format!("{:21}{place}\n", ""));
    }
    text
}
