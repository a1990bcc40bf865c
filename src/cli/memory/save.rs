//! `co memory save`, `co learn`: arguments and output. The verb is `facts::save`.

use super::times::TimeOptions;
use crate::cli::{
    args::{Allow, scope, text},
    complete,
    failure::Failure,
    output::Output,
    prompt,
    style::Style,
    verb::{Cli, Verb},
};
use crate::display::{memories, oddities};
use crate::facts::save;
use crate::foreign::{Said, said, unquoted};
use crate::identity::{FactView, LayerName};
use crate::index::store::Scope;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory save`
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    co learn \"Prefers tabs\" --tag style               a fact with a tag\n  \
    co learn \"Works from Lisbon\" --until 2027-03-31   one that ends")]
pub struct Save {
    /// The fact, of one line or several; if it is missing or `-`, it is read from standard input
    #[arg(value_name = "TEXT")]
    pub text: Vec<String>,
    /// A tag; may be given several times
    #[arg(short, long = "tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Where it belongs (default: the project when inside one)
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// A fact about this laptop, read only here
    #[arg(long, conflicts_with = "scope")]
    pub here: bool,
    /// Who said it
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// When it holds, and what it replaces.
    #[command(flatten)]
    pub times: TimeOptions,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Save {
    fn name(&self) -> &'static str {
        "memory save"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let typed = text(&self.text)?;
        let mut request = save::Request {
            provenance: Default::default(),
            // A person types what they mean; an agent may send back what it read.
            text: if cli.asks { typed } else { unquoted(&typed).into_owned() },
            tags: self.tags,
            scope: if self.here { Some(Scope::Layer(LayerName::here())) } else { self.scope },
            source: self.source,
            times: self.times.typed(cli)?,
            both_hold: Vec::new(),
            allowed: self.allow.rules()?,
        };
        if cli.asks {
            ask_what_it_replaces(cli, &mut request)?;
        }
        let report = save::run(cli.ws, &request)?;
        let (first_in_project, undoable) = (report.first_in_project, report.undoable);
        let saved = memories::saved(&report, "co forget");
        let mut text = cli.style.ticked(&saved, Style::learned);
        // Of a known fact, its new tags are named already.
        if !report.known {
            text.push(own_tags(&report.brought.own_tags, &report.fact, cli.style));
        }
        text.push(memories::timed(&report));
        // A person was asked.
        if !cli.asks {
            text.push(may_replace(&report));
        }
        // Programs need to know where it is; a person has `co show`.
        if !cli.chatty {
            text.push(memories::location(&report));
        }
        let notes = memories::left_out(&report.brought.left_out, &report.fact).into_iter();
        let notes: Vec<String> = notes
            .chain(oddities(&report.brought.oddities))
            .chain(memories::check_passed(report.brought.check_passed.as_deref()))
            .collect();
        let mut output = Output::done(text, report);
        output.warnings.extend(notes);
        if first_in_project {
            output.warnings.push(
                "this is the first fact in this project; anyone who can read its repository can \
                 read it, too (`--scope identity` keeps facts to yourself)"
                    .into(),
            );
        }
        if !undoable {
            let why = "the operation log cannot be written: `undo` will not know about this one";
            output.warnings.push(why.into());
        }
        Ok(output)
    }
}

/// Asks of each fact of which the new one says something else whether it replaces that.
fn ask_what_it_replaces(cli: &Cli<'_>, request: &mut save::Request) -> Result<(), Failure> {
    for fact in save::may_replace(cli.ws, request)? {
        let title = cli.err.shown_of(&fact.summary, &fact.first_line);
        let question = said!("Replaces {} ({})", fact.handle, title);
        // Whoever does not answer has typed a fact all the same.
        match prompt::confirm_loss(question) {
            Ok(true) => request.times.replaces.push(fact.handle),
            Ok(false) => request.both_hold.push(fact.hash),
            Err(_) => {}
        }
    }
    Ok(())
}

fn may_replace(report: &save::Report) -> Said {
    let new = &report.fact.handle;
    let line = |old: &FactView| {
        said!(
            "Does it replace {} \"{}\"? If so: `co edit {} --replaces {}`.\n",
            old.handle,
            old.summary,
            new,
            old.handle
        )
    };
    report.may_replace.iter().map(line).collect()
}

/// The line about the tags that a text brought along; empty if it has none.
pub(super) fn own_tags(tags: &[String], fact: &FactView, style: Style) -> Said {
    let Some(own) = memories::own_tags(tags) else { return Said::new() };
    let told = own + said!("; `co edit {} --tag …` changes them", fact.handle);
    said!("  {}\n", style.dim(&told))
}
