//! `co knowledge show`: arguments and output. The verb is `documents::show`.

use crate::cli::{
    args::scope,
    complete,
    failure::Failure,
    output::Output,
    own_documents,
    style::Style,
    verb::{Cli, Needs, Verb},
};
use crate::documents::show;
use crate::foreign::{Foreign, Said, said};
use crate::index::store::Scope;
use crate::knowledge::Topic;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co knowledge show`
#[derive(Args, Debug)]
pub struct Show {
    /// The topic
    #[arg(value_name = "TOPIC", add = ArgValueCandidates::new(complete::documents))]
    pub topic: String,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
}

impl Verb for Show {
    fn name(&self) -> &'static str {
        "knowledge show"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let report = show::run(cli.ws, &self.topic, self.scope, &own_documents::all())?;
        let text = said!("{}\n{}", head(&report, cli), Foreign(&report.content).quote("  "));
        let exact = Some(format!("{}\n", report.content));
        Ok(Output { exact, ..Output::data(text, report) })
    }
}

fn head(report: &show::Report, cli: &Cli<'_>) -> Said {
    let layer = report.scope.and_then(Scope::layer);
    let topic = report.topic.full();
    let mut about = vec![layer.map_or_else(|| topic.clone(), |layer| format!("{layer}/{topic}"))];
    about.extend(report.kind.clone());
    about.extend(report.status.clone());
    if !report.tags.is_empty() {
        about.push(format!("[{}]", report.tags.join(", ")));
    }
    about.extend(report.source.as_ref().map(|source| format!("from {source}")));
    about.extend(report.attachment.clone());
    let place = report.path.as_ref().map(|path| cli.ws.shown(path)).unwrap_or_default();
    let style = cli.style;
    let head = said!("  {}\n  {}\n", style.strong(about.join("  ")), style.dim(place));
    head + named("linked from", &report.linked_from, style)
        + named("named in", &report.named_in, style)
}

/// A line with the topics of other documents; nothing if there are none.
fn named(how: &'static str, topics: &[Topic], style: Style) -> Said {
    if topics.is_empty() {
        return Said::new();
    }
    let all: Vec<String> = topics.iter().map(Topic::to_string).collect();
    said!("  {}\n", style.dim(said!("{:<11}  {}", how, all.join(", "))))
}
