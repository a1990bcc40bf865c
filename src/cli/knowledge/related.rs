//! `co knowledge related`: arguments and output. The verb is `documents::related`.

use super::list::AmongArgs;
use crate::cli::{
    args::named,
    complete,
    failure::Failure,
    memory::recall::at_least_one,
    output::Output,
    progress::waiting,
    style::{Style, plural},
    verb::{Cli, Needs, Verb},
};
use crate::display::{knowledge, topic_handle};
use crate::documents::related::{self, RelatedDocument, Relation, Report, Request, Steps};
use crate::foreign::{Said, said};
use crate::identity::FactView;
use clap::{Args, builder::TypedValueParser};
use clap_complete::ArgValueCandidates;

pub(super) const HELP: &str = "What links to it, what names it in its labels, path or text, and \
    what it links to; facts that name it. All of them, however many. A name counts as whole words, \
    in any capitals, and not within the longer name of another (`sarah` in Sarah Miller). A \
    person or project is named by its name and its `aliases:`, any other document only by labels \
    and links, unless you ask for it by its name alone.";

/// `co knowledge related`
#[derive(Args, Debug)]
pub struct Related {
    /// A topic (people/sarah), or the name of a person, a project or a thing (Sarah)
    #[arg(
        value_name = "TOPIC",
        required = true,
        add = ArgValueCandidates::new(complete::documents)
    )]
    pub what: Vec<String>,
    /// Which.
    #[command(flatten)]
    pub among: AmongArgs,
    /// With 2, also documents that a link connects with one of those
    #[arg(long, value_name = "N", default_value = "1", value_parser = steps())]
    pub steps: Steps,
    /// Maximum number of documents and facts (default: all)
    #[arg(short = 'n', long, value_name = "N", value_parser = at_least_one)]
    pub limit: Option<usize>,
}

fn steps() -> impl TypedValueParser<Value = Steps> {
    named([(Steps::One, "1", ""), (Steps::Two, "2", "")])
}

impl Verb for Related {
    fn name(&self) -> &'static str {
        "knowledge related"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let (steps, limit) = (self.steps, self.limit);
        let request =
            Request { what: self.what.join(" "), among: self.among.among(), steps, limit };
        let report = waiting(cli, "Reading…", || related::run(cli.ws, &request))?;
        let text = match cli.style.width {
            Some(_) => lines(&report, cli.style),
            None => knowledge::related(&report),
        };
        let findings = report.findings.clone();
        Ok(Output::data(text, report).skipped(&findings))
    }
}

/// For a terminal: under a heading for each relation.
fn lines(report: &Report, style: Style) -> Said {
    if report.count == 0 {
        return knowledge::related(report);
    }
    let mut text = said!("{}\n", style.strong(&report.about));
    let mut before: Option<Relation> = None;
    for document in &report.documents {
        if before.replace(document.relation) != Some(document.relation) {
            text.push(said!("{}\n", style.dim(knowledge::relation(document.relation))));
        }
        text.push(line(document, style));
    }
    if !report.facts.is_empty() {
        text.push(said!("{}\n", style.dim("Facts")));
        text.extend(report.facts.iter().map(|fact| of_fact(fact, style)));
    }
    if report.left_out > 0 {
        let more = plural(report.left_out, "more", "more");
        text.push(said!("{}\n", style.dim(said!("… and {}", more))));
    }
    text
}

fn line(document: &RelatedDocument, style: Style) -> Said {
    let RelatedDocument { topic, name, description, via, .. } = document;
    let title = if name == topic.name() { description } else { name };
    let about = via.as_ref().map_or_else(Said::new, |via| said!("via {}", via));
    let topic = style.strong(topic_handle(topic, Some(document.scope)));
    said!("  {}  {}  {}", topic, title, style.dim(about)).trimmed() + "\n"
}

/// The columns before the text of a fact.
const BEFORE: usize = 6;

fn of_fact(fact: &FactView, style: Style) -> Said {
    let text = style.fit_two(&fact.first_line, BEFORE);
    said!("{:>4}  {}  {}\n", fact.handle, text, style.dim(&fact.date))
}
