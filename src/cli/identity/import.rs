//! `co identity import`: arguments and output. The verb is `transfer::import`.

use super::{diff::mode, diff_text};
use crate::cli::{
    agreement::{Agreement, counted},
    failure::{Exit, Failure},
    output::Output,
    progress::Bar,
    prompt,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::foreign::{Said, said};
use crate::identity::{RelPath, shell};
use crate::machine::cloud;
use crate::transfer::{diff, import};
use clap::Args;
use serde_json::json;

pub(in crate::cli) const HELP: &str = "\
    SOURCE is an archive written by `co identity export`, a folder, or - for an archive on \
    standard input.\n\
    \n\
    --merge (the default) combines both: identical facts are kept once, different facts are all \
    kept, the later value of a profile field wins, and personality and traits are taken from the \
    source. Facts forgotten here stay forgotten. --replace replaces what is here with the source. \
    Either way, `co undo` reverts it.";

/// `co identity import`
#[derive(Args, Debug)]
pub struct Import {
    /// An archive, a folder, or `-`; if omitted, co offers the newest export in this folder
    pub source: Option<String>,
    /// Merge with what is here (the default)
    #[arg(long, conflicts_with = "replace")]
    pub merge: bool,
    /// Replace what is here
    #[arg(long)]
    pub replace: bool,
    /// Also import facts that were forgotten here
    #[arg(long, conflicts_with = "replace")]
    pub restore_forgotten: bool,
    /// What of it the person takes.
    #[command(flatten)]
    pub agreement: Agreement,
}

impl Verb for Import {
    fn name(&self) -> &'static str {
        "identity import"
    }

    fn needs(&self) -> Needs {
        Needs::SYNC
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let source = match &self.source {
            Some(source) => source.clone(),
            None => self.proposed(cli)?,
        };
        let request = import::Request {
            source: source.clone(),
            mode: mode(self.replace, self.restore_forgotten),
            allowed: self.agreement.allow.rules()?,
        };
        let mut plan = import::plan(cli.ws, &request)?;
        let warnings = plan.report.warnings.clone();
        let calendar = cli.ws.calendar();
        if self.agreement.dry_run {
            let shown = diff_text::review(&plan.report, cli.style, calendar);
            let report = plan.report;
            return Ok(Output { warnings, ..Output::lazy(shown, move || report.json()) });
        }
        if plan.is_empty() {
            let left = diff_text::left_as_it_is(&plan.report, cli.style);
            let text = if left.is_empty() {
                Said::from("Nothing to import: everything is already here.\n")
            } else {
                said!("Nothing to import.\n{}", left)
            };
            return Ok(Output { warnings, ..Output::lazy(text, || json!({ "files": 0 })) });
        }
        let asks = cli.asks && source != "-";
        plan = self
            .agreement
            .to(plan, asks, |plan| diff_text::review(&plan.report, cli.err, calendar))?;
        let bar = Bar::new("Importing", cli.err);
        let done = import::apply(cli.ws, &plan, &|done, of| bar.moved(done, of))?;
        bar.end();
        let text = imported(&done, &plan.report, cli.style) + missing(cli);
        Ok(Output { warnings, ..Output::done(text, done) })
    }
}

impl Import {
    /// The newest export in the folder, if a person agrees to it.
    fn proposed(&self, cli: &Cli<'_>) -> Result<String, Failure> {
        let Some(newest) = import::newest_export(&cli.ws.cwd) else {
            let command = self.command("FILE.tar.gz");
            return Err(Failure::new(
                Exit::Usage,
                "no source was named, and this folder has no export",
            )
            .hint(said!(
                "`{}`, with the file that `co export` wrote on the other laptop",
                command
            )));
        };
        let question = if self.replace {
            said!("Replace what is here with {}?", newest)
        } else {
            said!("Import {}?", newest)
        };
        if !cli.asks {
            let message = said!("`co import` needs a source; the newest export here is {}", newest);
            let command = self.command(&shell::quoted(&newest));
            return Err(Failure::new(Exit::Declined, message).hint(said!("`{}`", command)));
        }
        prompt::agree(question).map(|()| newest)
    }

    /// The command that was typed, with a source.
    fn command(&self, source: &str) -> String {
        let switches = [
            ("--merge", self.merge),
            ("--replace", self.replace),
            ("--restore-forgotten", self.restore_forgotten),
            ("--select", self.agreement.select),
            ("--dry-run", self.agreement.dry_run),
            ("--yes", self.agreement.yes),
        ];
        let typed = switches.into_iter().filter(|(_, is_on)| *is_on);
        let mut words = vec!["co import".to_owned()];
        words.extend(typed.map(|(switch, _)| switch.to_owned()));
        words
            .extend(self.agreement.allow.rules.iter().map(|rule| format!("--allow-secret {rule}")));
        words.push(source.to_owned());
        words.join(" ")
    }
}

/// What an identity that came with the import still lacks.
fn missing(cli: &Cli<'_>) -> Said {
    let is_in_cloud = cloud::service_of(&cli.ws.identity.resolved).is_some();
    if is_in_cloud || !cli.ws.repo().is_ok_and(|repo| repo.is_none()) {
        return Said::new();
    }
    let path = cli.ws.shown(&cli.ws.identity.path);
    said!("{} is not in a git repository yet: `co init` makes it one.\n", path)
}

pub(in crate::cli) fn imported(
    done: &import::ImportReport,
    report: &diff::Report,
    style: Style,
) -> Said {
    let m = &done.meaning;
    let parts = [
        (m.learned.len(), "learned"),
        (m.edited.len(), "edited"),
        (m.relabelled.len(), "relabelled"),
        (m.forgotten.len(), "forgotten"),
    ];
    let mut told: Vec<Said> = parts
        .iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| said!("{} {}", count, what))
        .collect();
    let paths: Vec<&RelPath> = m.documents.iter().map(|document| &document.path).collect();
    let files = counted(&paths, !told.is_empty());
    if !files.is_empty() {
        told.push(said!("{} changed", Said::joined(files, ", ")));
    }
    let told = if told.is_empty() {
        vec![plural(done.files, "file changed", "files changed")]
    } else {
        told
    };
    let told = Said::joined(told, ", ");
    let memories = plural(done.memories, "fact", "facts");
    said!(
        "{} Imported {}: {}.\n{}. Undo: `co undo`.\n",
        style.learned("✓"),
        report.title,
        told,
        memories
    )
}
