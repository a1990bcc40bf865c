//! `co knowledge write`: arguments and output. The verb is `documents::write`.

use crate::cli::{
    args::{Allow, scope, text},
    complete,
    failure::{Exit, Failure},
    output::Output,
    style::Style,
    verb::{Cli, Verb},
};
use crate::display::{knowledge, oddities};
use crate::documents::write::{self, Fields};
use crate::foreign::{Said, said, unquoted};
use crate::index::store::Scope;
use crate::knowledge::placement;
use crate::machine::files;
use crate::workspace::layers;
use clap::{Args, builder::PossibleValuesParser};
use clap_complete::ArgValueCandidates;
use std::path::PathBuf;

pub(super) const HELP: &str = "A topic is a path of lower-case names: `deploy-steps`, \
    `people/sarah`, `projects/carmenta/auth`, `profile/preferences`. With --type, --project or \
    --service, a bare name goes where such documents belong: `co knowledge write \"Q1 planning\" \
    --type meeting -` becomes meetings/2025-12-22-q1-planning; a preference, a text on who you \
    are (identity) or one on how to talk to you (communication) becomes part of the profile, which \
    every context includes.\n\
    \n\
    If the topic exists, its text is replaced, and so are its tags if any are given. Type, topics \
    and entities are derived from the text unless given. The first heading is the document's \
    name, the first line below it its description.";

/// `co knowledge write`
#[derive(Args, Debug)]
pub struct Write {
    /// The topic
    #[arg(value_name = "TOPIC", add = ArgValueCandidates::new(complete::documents))]
    pub topic: String,
    /// The text; without it, or as `-`, it is read from a pipe or standard input
    #[arg(value_name = "TEXT", conflicts_with = "file")]
    pub text: Vec<String>,
    /// Read the text from this file
    #[arg(long, value_name = "FILE", add = complete::paths())]
    pub file: Option<PathBuf>,
    /// A tag, or several: a,b
    #[arg(short, long = "tag", visible_alias = "tags", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// What kind of document it is
    #[arg(long = "type", value_name = "TYPE", value_parser = PossibleValuesParser::new(placement::PLACES))]
    pub kind: Option<String>,
    /// Whether it is still valid
    #[arg(long, value_name = "STATUS", value_parser = PossibleValuesParser::new(placement::STATUSES))]
    pub status: Option<String>,
    /// Whether it describes the present
    #[arg(long, value_name = "TIME", value_parser = PossibleValuesParser::new(placement::TIMES))]
    pub temporal: Option<String>,
    /// Its name, if the first heading is not one
    #[arg(long)]
    pub title: Option<String>,
    /// What it is about, in one line
    #[arg(long)]
    pub description: Option<String>,
    /// Where it came from (default: user)
    #[arg(long, value_name = "SOURCE")]
    pub source: Option<String>,
    /// The project that it belongs to
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The service that it was taken from: fireflies, limitless, notion …
    #[arg(long, value_name = "NAME", conflicts_with = "project")]
    pub service: Option<String>,
    /// Where it belongs (default: the project when inside one)
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// What a person overrides.
    #[command(flatten)]
    pub allow: Allow,
}

impl Verb for Write {
    fn name(&self) -> &'static str {
        "knowledge write"
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let content = match &self.file {
            Some(file) => read(cli, file)?,
            // An agent may send back what it read.
            None if !cli.asks => unquoted(&text(&self.text)?).into_owned(),
            None => text(&self.text)?,
        };
        let request = write::Request {
            topic: self.topic,
            content,
            fields: Fields {
                tags: (!self.tags.is_empty()).then_some(self.tags),
                title: self.title,
                description: self.description,
                kind: self.kind,
                status: self.status,
                temporal: self.temporal,
                source: self.source,
                project: self.project,
                service: self.service,
            },
            scope: self.scope,
            allowed: self.allow.rules()?,
        };
        Ok(told(write::run(cli.ws, &request)?, cli))
    }
}

/// What was written, with what is odd about it.
pub(super) fn told(report: write::Report, cli: &Cli<'_>) -> Output {
    let text = written(&report, cli);
    let unusual = report.unusual.iter().cloned();
    let warnings = unusual.chain(oddities(&report.oddities)).collect();
    Output { warnings, ..Output::done(text, report) }
}

fn read(cli: &Cli<'_>, file: &std::path::Path) -> Result<String, Failure> {
    let file = cli.ws.cwd.join(file);
    layers::refuse_own(cli.ws, &file)?;
    let text = files::read_text(&file)?;
    text.ok_or_else(|| {
        Failure::new(Exit::NotFound, said!("there is no file {}", file.display()))
            .hint("`-` reads from standard input")
    })
}

fn written(report: &write::Report, cli: &Cli<'_>) -> Said {
    let style = cli.style;
    let said = style.ticked(&knowledge::written(report), Style::learned);
    let labels = knowledge::labels(report);
    let about = if labels.is_empty() { Said::new() } else { said!("  {}\n", style.dim(&labels)) };
    let own = knowledge::own_labels(&report.own_labels);
    let own = own.map_or_else(Said::new, |own| said!("  {}\n", style.dim(&own)));
    let place =
        if cli.chatty { Said::new() } else { said!("Location: {}\n", report.path.display()) };
    said + about + own + place
}
