//! `co memory list`: arguments and output. The verb is `facts::list`.

use crate::cli::{
    args::scope,
    complete,
    failure::Failure,
    output::Output,
    progress::waiting,
    style::Style,
    times::Times,
    verb::{Cli, Needs, Verb},
};
use crate::display::memories;
use crate::facts::list;
use crate::foreign::{Said, said};
use crate::identity::FactRow;
use crate::index::store::Scope;
use clap::Args;
use clap_complete::ArgValueCandidates;

/// `co memory list`
#[derive(Args, Debug, Default)]
pub struct List {
    /// Only facts with this tag; may be given several times
    #[arg(short, long = "tag", value_name = "TAG", add = ArgValueCandidates::new(complete::tags))]
    pub tags: Vec<String>,
    /// Only in this scope
    #[arg(long, value_parser = scope())]
    pub scope: Option<Scope>,
    /// Of another time.
    #[command(flatten)]
    pub times: Times,
}

impl Verb for List {
    fn name(&self) -> &'static str {
        "memory list"
    }

    fn needs(&self) -> Needs {
        Needs::Defaults
    }

    fn run(self, cli: &Cli<'_>) -> Result<Output, Failure> {
        let request = list::Request { scope: self.scope, tags: self.tags };
        let time = self.times.asked(cli)?;
        let ws = time.ws(cli);
        let report = waiting(cli, "Reading…", || list::run(ws, &request))?;
        let findings = report.findings.clone();
        let text = time.heading(cli.style) + listed(&report, cli.style);
        Ok(Output::list(text, report).skipped(&findings))
    }
}

fn listed(report: &list::Report, style: Style) -> Said {
    if style.width.is_none() || report.memories.is_empty() {
        return memories::listed(report);
    }
    report.memories.iter().map(|row| line(row, style)).collect()
}

/// The columns before the text of a row.
const BEFORE: usize = 6;

/// A row for a terminal; the markdown above is for programs.
fn line(row: FactRow<'_>, style: Style) -> Said {
    let mut about = vec![said!("{}", row.date())];
    if row.is_pinned() {
        about.push(Said::from("pinned"));
    }
    if row.has_tags() {
        let tags: Vec<&str> = row.tags().collect();
        about.push(said!("[{}]", tags.join(", ")));
    }
    let about = style.dim(Said::joined(about, " "));
    said!("{:>4}  {}  {}\n", row.handle(), style.fit_two(row.first_line(), BEFORE), about)
}
